package tgsim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

const (
	checkoutLife = 10 * time.Second // in which a checkout has to be answered
	payLife      = 150 * time.Second
	stars        = "XTR"
)

// paymentMethods are about money.
func paymentMethods() map[string]method {
	return map[string]method{
		"sendinvoice": sendInvoice, "createinvoicelink": createInvoiceLink, "answerprecheckoutquery": answerPreCheckoutQuery, "answershippingquery": answerShippingQuery,
		"refundstarpayment": refundStarPayment, "getmystarbalance": getMyStarBalance, "getstartransactions": getStarTransactions,
	}
}

// Payment is an attempt of a person to pay an invoice.
type Payment struct {
	ID       string // of the pre-checkout query
	User     int64
	Chat     int64
	Currency string
	Total    int64
	Payload  string
	At       time.Time
	Offers   []ShippingOption // how what is bought can be sent, once the bot has said so
	Option   string           // which of them was chosen
	Answered bool
	Paid     bool
	Problem  string // why the bot does not want the money
	Charge   string // by which a payment is known
	Refunded bool

	invoice *invoice
	order   object // what the invoice asks of whoever pays
}

// invoice is what a bot wants to be paid.
type invoice struct {
	title, description, payload, currency, start string
	total                                        int64
	parts                                        int
	provider, flexible                           bool
	needs                                        []string // name, phone_number, email, shipping_address
}

// MarshalJSON implements json.Marshaler: an Invoice of the Bot API.
func (i *invoice) MarshalJSON() ([]byte, error) {
	return json.Marshal(object{"title": i.title, "description": i.description, "start_parameter": i.start, "currency": i.currency, "total_amount": i.total})
}

// invoice reads an invoice.
func (p params) invoice() (*invoice, *failure) {
	for _, name := range []string{"title", "description", "payload", "currency", "prices"} {
		if !p.has(name) {
			return nil, badRequest("parameter \"" + name + "\" is required")
		}
	}
	i := &invoice{title: p.text("title"), description: p.text("description"), payload: p.text("payload"), currency: p.text("currency"), start: p.text("start_parameter"), provider: p.has("provider_token")}
	flexible := p.bool("is_flexible")
	for _, name := range []string{"name", "phone_number", "email", "shipping_address"} {
		if p.bool("need_"+name) && i.currency != stars {
			i.needs = append(i.needs, name)
		}
	}
	i.flexible = flexible && slices.Contains(i.needs, "shipping_address") // whoever has no address is offered nothing
	list, no := p.array("prices", "prices", "labeled prices")
	if no != nil {
		return nil, no
	}
	if len(list) == 0 {
		return nil, badRequest("there must be at least one price")
	}
	var err error
	if i.total, err = totalOf(list); err != nil {
		return nil, said("Can't parse labeled price: ", err)
	}
	i.parts = len(list)
	return i, i.check()
}

// totalOf adds up prices.
func totalOf(list []json.RawMessage) (total int64, err error) {
	for _, raw := range list {
		f := newFields(raw, "LabeledPrice must be an Object")
		if label := f.needText("label"); label == "" {
			f.failf("LabeledPrice label must be non-empty")
		}
		total += f.needInt("amount")
		if f.err != nil {
			return 0, f.err
		}
	}
	return total, nil
}

// check refuses what Telegram's payment system refuses.
func (i *invoice) check() *failure {
	switch {
	case len(i.payload) > 128:
		return badRequest("INVOICE_PAYLOAD_INVALID")
	case utf8.RuneCountInString(i.title) > 32:
		return badRequest("INVOICE_TITLE_INVALID")
	case tooLong(i.description, 255):
		return badRequest("INVOICE_DESCRIPTION_INVALID")
	case i.currency == stars && (i.provider || i.parts != 1):
		return badRequest("STARS_INVOICE_INVALID")
	case i.currency != stars && !i.provider:
		return badRequest("PAYMENT_PROVIDER_INVALID")
	case len(i.currency) != 3:
		return badRequest("CURRENCY_INVALID")
	case i.total <= 0:
		return badRequest("CURRENCY_TOTAL_AMOUNT_INVALID")
	}
	return nil
}

// sendInvoice sends an invoice. Its first button pays it; without any it gets one.
func sendInvoice(s *Server, p params) (any, *failure) {
	i, no := p.invoice()
	if no != nil {
		return nil, no
	}
	l, no := s.letters.enclose(p)
	switch {
	case no != nil:
		return nil, no
	case l.markup.keys == nil:
		l.markup.keys = [][]Button{{{Text: "Pay " + price(i.total, i.currency), Pay: true}}}
	case !l.markup.keys[0][0].Pay:
		return nil, badRequest("REPLY_MARKUP_BUY_EMPTY")
	}
	return s.letters.post(l, p, &Message{Content: map[string]any{"invoice": i}})
}

func createInvoiceLink(s *Server, p params) (any, *failure) {
	i, no := p.invoice()
	if no != nil {
		return nil, no
	}
	url := fmt.Sprintf("https://t.me/$invoice%06d", len(s.invoices)+1)
	s.invoices[url] = i
	return url, nil
}

// Pay has a person pay an invoice in a chat. The bot is asked first: how it can be sent, where that decides what it costs (see
// Ship), and whether it wants the money. It returns the payment's id, "" if there
// is no such invoice.
func (s People) Pay(user, chatID int64, message int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || !c.role(user).in() {
		return ""
	}
	m := c.present(message)
	if m == nil {
		return ""
	}
	i, _ := m.Content["invoice"].(*invoice)
	return s.checkout(user, chatID, i)
}

// PayLink is Pay for a link that createInvoiceLink made.
func (s People) PayLink(user int64, url string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checkout(user, user, s.invoices[url])
}

func (s People) checkout(user, chatID int64, i *invoice) string {
	u := s.users[user]
	if i == nil || u == nil || u.deactivated {
		return ""
	}
	pay := &Payment{ID: fmt.Sprintf("%d%06d", 8_000_000_000+user, len(s.payments)+1), User: user, Chat: chatID, Currency: i.currency, Total: i.total, Payload: i.payload, At: s.now(), invoice: i, order: orderInfo(u, i.needs)}
	s.payments = append(s.payments, pay)
	if i.flexible {
		s.Updates.push("shipping_query", object{"id": pay.ID, "from": *u, "invoice_payload": i.payload, "shipping_address": pay.order["shipping_address"]}, payLife, user+4<<33)
	} else {
		s.ask(pay)
	}
	s.touch()
	return pay.ID
}

// ask asks the bot whether it wants the money.
func (s People) ask(pay *Payment) {
	// Ten seconds from here on: what a person took to choose how it is sent is not the bot's (checkoutLife).
	pay.At = s.now()
	o := object{"id": pay.ID, "from": *s.users[pay.User], "currency": pay.Currency, "total_amount": pay.Total, "invoice_payload": pay.Payload}
	pay.addOrder(o)
	s.Updates.push("pre_checkout_query", o, payLife, pay.User+4<<33)
}

// Payments lists all attempts to pay.
func (s People) Payments() []Payment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return copies(s.payments)
}

// answerPreCheckoutQuery says whether the bot wants the money. If it does, it is paid, and the bot is told.
func answerPreCheckoutQuery(s *Server, p params) (any, *failure) {
	if !p.bool("ok") && !p.has("error_message") {
		return nil, badRequest("parameter \"error_message\" is required")
	}
	i := slices.IndexFunc(s.payments, func(pay *Payment) bool { return pay.ID == p.text("pre_checkout_query_id") })
	if i < 0 || s.payments[i].Answered || s.payments[i].invoice.flexible && s.payments[i].Option == "" || s.since(s.payments[i].At) > checkoutLife {
		return nil, badRequest("query is too old and response timeout expired or query ID is invalid")
	}
	pay := s.payments[i]
	pay.Answered = true
	if !p.bool("ok") {
		pay.Problem = p.text("error_message")
		return true, nil
	}
	pay.Paid, pay.Charge = true, fmt.Sprintf("stx%012d", i+1)
	what := object{"successful_payment": pay.receipt()}
	s.Directory.service(s.chats[pay.Chat], pay.User, what, s.views.name(pay.User)+" paid "+price(pay.Total, pay.Currency))
	return true, nil
}

// price is a sum as people read it. Nearly all currencies have hundredths.
func price(total int64, currency string) string {
	switch currency {
	case stars:
		return fmt.Sprintf("⭐ %d", total)
	case "CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND":
		return fmt.Sprintf("%s %d", currency, total)
	}
	return fmt.Sprintf("%s %d.%02d", currency, total/100, total%100)
}

// receipt is what successful and refunded payments have in common.
func (pay *Payment) receipt() object {
	o := object{"currency": pay.Currency, "total_amount": pay.Total, "invoice_payload": pay.Payload, "telegram_payment_charge_id": pay.Charge, "provider_payment_charge_id": strconv.FormatInt(pay.User, 10)}
	pay.addOrder(o)
	return o
}

func refundStarPayment(s *Server, p params) (any, *failure) {
	charge := p.text("telegram_payment_charge_id")
	i := slices.IndexFunc(s.payments, func(pay *Payment) bool {
		return pay.Paid && pay.Charge == charge && pay.User == p.int("user_id") && pay.Currency == stars
	})
	switch {
	case p.int("user_id") <= 0:
		return nil, badRequest("invalid user_id specified")
	case charge == "":
		return nil, badRequest("parameter \"telegram_payment_charge_id\" is required")
	case i < 0:
		return nil, badRequest("CHARGE_ID_INVALID")
	case s.payments[i].Refunded:
		return nil, badRequest("CHARGE_ALREADY_REFUNDED")
	}
	pay := s.payments[i]
	pay.Refunded = true
	s.Directory.service(s.chats[pay.User], pay.User, object{"refunded_payment": pay.receipt()}, s.views.name(pay.User)+" got "+strconv.FormatInt(pay.Total, 10)+" stars back")
	return true, nil
}

func getMyStarBalance(s *Server, _ params) (any, *failure) {
	var balance int64
	for _, pay := range s.payments {
		if pay.Paid && !pay.Refunded && pay.Currency == stars {
			balance += pay.Total
		}
	}
	return object{"amount": balance}, nil
}

func getStarTransactions(s *Server, p params) (any, *failure) {
	list := []object{}
	for _, pay := range s.payments {
		if !pay.Paid || pay.Currency != stars {
			continue
		}
		partner := object{"type": "user", "transaction_type": "invoice_payment", "user": s.views.person(pay.User), "invoice_payload": pay.Payload}
		list = append(list, object{"id": pay.Charge, "amount": pay.Total, "date": pay.At.Unix(), "source": partner})
		if pay.Refunded {
			list = append(list, object{"id": pay.Charge, "amount": pay.Total, "date": pay.At.Unix(), "receiver": partner})
		}
	}
	begin := min(max(int(p.int("offset")), 0), len(list))
	limit := 100
	if p.has("limit") {
		limit = min(max(int(p.int("limit")), 1), 100)
	}
	return object{"transactions": list[begin:min(begin+limit, len(list))]}, nil
}
