package ledger

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Who does something: a person, at a counter. The nonce is that of the card which was shown, so that a card is good for
// one act whoever taps it, and however often.
type Who struct {
	By      int64
	Counter string
	Nonce   string
	Owner   bool
}

// SoldUnit is one unit of a sale: its price by the rule, and the one that was agreed on.
type SoldUnit struct {
	Order       string
	List, Price Money
}

// Sale is that units are sold to somebody. What is not paid is owed by the customer.
// Limit is no part of what its key stands for (digest): a limit that is changed between two taps of one card does not make
// another sale of it.
type Sale struct {
	Who `json:"-"`

	Units    []SoldUnit
	Customer string
	Paid     Money
	To       string // the bank that it was paid to; empty for cash
	Limit    Money  `json:"-"` // that the customer may owe; 0 for none
}

// money is where a payment lies.
func money(counter, bank string) Account {
	if bank != "" {
		return In(Bank, bank)
	}
	return In(Till, counter)
}

// act begins an act: the book, and the entry that the same act has made before.
func act(r Records, book, key string, what any) (b Book, was Entry, done bool, err error) {
	if b, err = r.Book(book); err != nil {
		return b, was, false, doing("read the book", err)
	}
	was, done, err = posted(r, book, key, what)
	return b, was, done, err
}

// Sell sells units of the shop.
func Sell(r Records, book string, s Sale, now time.Time) (Entry, error) {
	key := "sale/" + s.Nonce
	b, was, done, err := act(r, book, key, s)
	if err != nil || done {
		return was, err
	}
	d := draft{Entry: Entry{Kind: KindSale, Key: key, By: s.By, Counter: s.Counter, Customer: s.Customer}, act: s}
	var list, price, cost Money
	for _, sold := range s.Units {
		u, item, err := sellUnit(r, &b, sold, s.By)
		if err != nil {
			return was, err
		}
		d.units, d.Items = append(d.units, u), append(d.Items, item)
		// What is sold above its list price has no negative discount: its own price counts as the list price.
		list, err = Sum(list, max(sold.List, sold.Price))
		if err == nil {
			price, err = Sum(price, sold.Price)
		}
		if err == nil {
			cost, err = Sum(cost, u.Cost)
		}
		if err != nil {
			return was, err
		}
	}
	if err := payable(r, book, s, price); err != nil {
		return was, err
	}
	paidTo := money(s.Counter, s.To)
	d.Lines = append(d.Lines, nonZero(debit(paidTo, s.Paid), debit(In(Customer, s.Customer), price-s.Paid), debit(Discount, list-price), credit(Sales, list))...)
	d.Lines = append(d.Lines, pair(Cost, Stock, cost)...)
	e, err := post(r, &b, d, now)
	return e, err
}

// OnCredit reports whether an entry is of a sale of which its customer came to owe something.
func (e Entry) OnCredit() bool {
	return e.Customer != "" && slices.ContainsFunc(e.Lines, func(l Line) bool { return l.Account == In(Customer, e.Customer) })
}

// Owed is what its customer has come to owe by an entry.
func (e Entry) Owed() Money { return e.On(In(Customer, e.Customer)) }

// On is what an entry adds to an account; less than nothing is what it takes.
func (e Entry) On(a Account) (m Money) {
	for _, l := range e.Lines {
		if l.Account == a {
			m += l.amount()
		}
	}
	return m
}

// isNamed reports whether an entry names a customer beside their account: the lines of that do not lead to it.
func (e Entry) isNamed() bool { return e.Customer != "" && !e.OnCredit() }

// NamedLines lists the entries of some that name a customer beside their account, as lines. Entries were once written without.
func NamedLines(entries []Entry) (lines []LineOf) {
	for _, e := range entries {
		if e.isNamed() {
			lines = append(lines, LineOf{Book: e.Book, Account: In(named, e.Customer), Number: e.Number})
		}
	}
	return lines
}

// sellUnit is a unit after its sale.
func sellUnit(r Records, b *Book, s SoldUnit, by int64) (Unit, Item, error) {
	u, err := r.Unit(b.ID, s.Order)
	switch {
	case errors.Is(err, ErrNotFound):
		return u, Item{}, refuse(NotInStock)
	case err != nil:
		return u, Item{}, doing("read a unit", err)
	// Before the state: who was second is told who was first, also where the service has called the unit failed since.
	case u.Sale != 0:
		return u, Item{}, &Refusal{Reason: AlreadySold, By: u.By}
	case u.State != InStock:
		return u, Item{}, refuse(NotInStock)
	case !s.Price.whole() || s.Price == 0:
		return u, Item{}, refuse(NoMoney)
	}
	// The sale is the entry that post writes next: nothing else is posted between, so its number is known here. Sales is never
	// taken back: it names the card of the next sale (store.Trade.Turn).
	u.State, u.Sale, u.Price, u.By, u.Sales = Sold, b.Head+1, s.Price, by, u.Sales+1
	item := Item{
		Order: u.Order, Product: u.Product, Name: u.Name, List: max(s.List, s.Price), Price: s.Price, Paid: u.Cost,
		Seller: by, Units: 1, Sold: s.Price, Cost: u.Cost,
	}
	return u, item, nil
}

// payable reports why a sale's money is not right: more is paid than it costs, nobody is there to owe the rest, or it is
// beyond what the customer may owe.
func payable(r Records, book string, s Sale, price Money) error {
	owed := price - s.Paid
	switch {
	case len(s.Units) == 0 || !s.Paid.whole():
		return refuse(NoMoney)
	case owed < 0:
		return refuse(TooMuch)
	case owed > 0 && s.Customer == "":
		return refuse(NoCustomer)
	case owed == 0 || s.Limit == 0:
		return nil
	}
	had, err := net(r, book, In(Customer, s.Customer))
	if err != nil {
		return err
	}
	// A sum that does not fit is above any limit.
	if after, err := had.Add(owed); err != nil || after > s.Limit {
		return refuse(OverLimit)
	}
	return nil
}

// net is the balance of an account.
func net(r Records, book string, a Account) (Money, error) {
	had, err := r.Balance(book, a)
	had, err = found(had, err, Balance{})
	return had.Net(), doing("read a balance", err)
}

// nonZero leaves lines out that move nothing.
func nonZero(lines ...Line) (all []Line) {
	for _, l := range lines {
		if l.Debit != 0 || l.Credit != 0 {
			all = append(all, l)
		}
	}
	return all
}

// Payment is that a customer pays of what he owes. Ahead allows more than that: it is kept for him.
type Payment struct {
	Who `json:"-"`

	Customer string
	Amount   Money
	To       string // the bank; empty for cash
	Ahead    bool
}

// Pay takes a payment.
func Pay(r Records, book string, p Payment, now time.Time) (Entry, error) {
	key := "pay/" + p.Nonce
	b, was, done, err := act(r, book, key, p)
	if err != nil || done {
		return was, err
	}
	owed, err := net(r, book, In(Customer, p.Customer))
	switch {
	case err != nil:
		return was, err
	case p.Customer == "":
		return was, refuse(NoCustomer)
	case !p.Amount.whole() || p.Amount == 0:
		return was, refuse(NoMoney)
	case p.Amount > owed && !p.Ahead:
		return was, refuse(TooMuch)
	}
	e, err := post(r, &b, draft{act: p, Entry: Entry{
		Kind: KindPayment, Key: key, By: p.By, Counter: p.Counter, Customer: p.Customer,
		Lines: pair(money(p.Counter, p.To), In(Customer, p.Customer), p.Amount),
	}}, now)
	return e, err
}

// Move is that money moves for a reason beside sales: an expense, cash that is taken out or put in, a debt that is
// forgiven or given back, two customers who are one, a movement of the wallet that is explained.
type Move struct {
	Who `json:"-"`

	Kind     Kind // KindExpense, KindTaken, KindPutIn, KindForgiven, KindGiveBack, KindMerge or KindExplain
	From, To Account
	Customer string
	Amount   Money
	// Blind: who moves it may not learn from a refusal how much is in a till. The count shows it.
	Blind bool `json:"-"`
}

// moves lists between which groups money may move for which reason.
func moves() map[Kind][2][]string {
	return map[Kind][2][]string{
		KindExpense:  {{Till, Bank, Safe}, {Expense}},
		KindTaken:    {{Till, Bank}, {Safe, Owner, Bank}},
		KindPutIn:    {{Safe, Owner}, {Till, Bank}},
		KindForgiven: {{Customer}, {BadDebt}},
		KindGiveBack: {{Till, Bank}, {Customer}},
		KindMerge:    {{Customer}, {Customer}},
		KindExplain:  {{Clearing, Till, Safe, Owner, Bank}, {Clearing, Owner, Loss, Till, Safe, Bank}},
	}
}

// MoveMoney writes a movement down. More than a till, a safe or a debt holds cannot leave it, nor more go back than was paid ahead.
func MoveMoney(r Records, book string, m Move, now time.Time) (Entry, error) {
	key := "move/" + m.Nonce
	b, was, done, err := act(r, book, key, m)
	if err != nil || done {
		return was, err
	}
	if err := movable(r, book, m); err != nil {
		return was, err
	}
	counter := m.Counter
	// An entry with a counter opens a shift and is counted with its cash. What moves no cash must do neither.
	if m.From.Group() != Till && m.To.Group() != Till {
		counter = ""
	}
	e, err := post(r, &b, draft{act: m, Entry: Entry{
		Kind: m.Kind, Key: key, By: m.By, Counter: counter, Customer: m.Customer, Lines: pair(m.To, m.From, m.Amount),
	}}, now)
	return e, err
}

// movable reports why money cannot move like that.
func movable(r Records, book string, m Move) error {
	groups := moves()[m.Kind]
	switch {
	case !m.Amount.whole() || m.Amount == 0:
		return refuse(NoMoney)
	case !among(groups[0], m.From) || !among(groups[1], m.To) || m.From == m.To:
		return fmt.Errorf("%w: %s from %s to %s", errBroken, m.Kind, m.From, m.To)
	}
	if m.Kind == KindGiveBack { // as where goods come back, the count shows what a till has paid that it did not hold
		owes, err := net(r, book, m.To)
		if err == nil && m.Amount > -owes {
			err = refuse(TooMuch)
		}
		return err
	}
	// A till may go below zero by this. The other owners are told at once (store.TillBelowNote), and the next count shows it.
	if m.Blind && m.From.Group() == Till {
		return nil
	}
	switch m.From.Group() {
	case Till, Safe, Customer:
		has, err := net(r, book, m.From)
		if err != nil {
			return err
		}
		if m.Amount > has {
			return refuse(TooMuch)
		}
	}
	return nil
}

// among reports whether an account is of one of some groups, and is one that there can be.
func among(groups []string, a Account) bool {
	for _, g := range groups {
		if a.Group() == g {
			return a.known()
		}
	}
	return false
}
