package conversations

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/api"
	"resellerbot/internal/figures"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// mostPhone is how long a telephone number may be that is kept, in characters; the longest there are have 15 digits.
const mostPhone = 20

// hasContact reports whether a message is an entry of a telephone book, shared with the bot or forwarded to it. In a group people
// share them with each other.
func hasContact(m *message) bool {
	return m.Contact != nil && m.Chat.Type == models.ChatTypePrivate
}

// contact takes somebody whom the person has shared: as the answer to the question that is open, else as a customer of the shop.
func (t customerFlow) contact(shared models.Contact) error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	all, err := t.customers()
	if err != nil {
		return err
	}
	name, phone := nameOfContact(shared), phoneOf(shared.PhoneNumber)
	known := calling(all, phone)
	switch s := t.session; {
	case s.Covered:
	case s.Flow == flowBuy && s.Step == stepInput:
		return t.contactIsFor(known, phone)
	case s.Flow == flowCustomer && s.Step == stepNew: // as without the question
	case s.Flow == flowSale && s.Step == stepSaleTo, s.Flow == flowCustomer && s.Step == stepName:
		t.text, t.phone = apart(all, known, name, phone), phone
		return t.answerQuestion()
	}
	// Only here: the questions above have rights of their own.
	if no, err := t.refuseBelow(store.Seller); no || err != nil {
		return err
	}
	t.cover()
	switch len(known) {
	case 0:
		return t.keepContact(all, name, phone)
	case 1:
		return t.present(known[0])
	}
	return t.say(t.scr.Customers().List(known, 0, phone))
}

// keepContact makes somebody a customer, who was shared; the one who is called so and has no number yet gets it.
func (t customerFlow) keepContact(all []store.Customer, name, phone string) error {
	if same := named(all, name); len(same) == 1 && same[0].Phone.IsZero() {
		return t.change(same[0].ID, func(c *store.Customer) { c.Phone = secret.New(phone) })
	}
	if name == "" {
		name = phone
	}
	t.phone = phone
	c, ok, err := t.newCustomer(name)
	if err != nil || !ok {
		return err
	}
	// A copy for each run: a put notes the version in its record, and the transaction may run again.
	if err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error { q := c; return tx.PutCustomer(&q) }); err != nil {
		return err
	}
	return t.present(c)
}

// apart is the name that answers a question with a contact: the customer's who has the number, else the contact's own. Where
// somebody else with another number is called so, the number tells the two apart: a debt must not become a namesake's.
// Example: beside a Karim with another number, a contact of that name with 0555123456 is "Karim 0555123456".
func apart(all, known []store.Customer, name, phone string) string {
	if len(known) == 1 {
		return known[0].Name.Reveal()
	}
	if name == "" || phone == "" || !slices.ContainsFunc(named(all, name), func(c store.Customer) bool { return !c.Phone.IsZero() }) {
		return cmp.Or(name, phone)
	}
	if r := []rune(name); len(r)+1+len(phone) > mostCustomerName {
		name = strings.TrimSpace(string(r[:mostCustomerName-1-len(phone)]))
	}
	return name + " " + phone
}

// nameOfContact is what somebody is called in a telephone book, as long as a customer's name may be; "" where that says nothing.
func nameOfContact(c models.Contact) string {
	name := strings.Join(strings.Fields(c.FirstName+" "+c.LastName), " ")
	if r := []rune(name); len(r) > mostCustomerName {
		name = strings.TrimSpace(string(r[:mostCustomerName]))
	}
	if !screen.Says(name) {
		return ""
	}
	return name
}

// phoneOf is a telephone number as it is dialled in Algeria: Telegram writes it with the country's before it, with and without a plus.
// Example: +213 555 12 34 56 and 00213555123456 are 0555123456; +33 6 12 34 56 78 is +33612345678.
func phoneOf(number string) string {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
	abroad := strings.HasPrefix(strings.TrimSpace(number), "+")
	if away, ok := strings.CutPrefix(digits, "00"); ok {
		digits, abroad = away, true
	}
	if national, ok := strings.CutPrefix(digits, "213"); ok && (len(national) == 8 || len(national) == 9) { // of a house, or of a mobile
		return "0" + national
	}
	if abroad {
		digits = "+" + digits
	}
	return digits[:min(len(digits), mostPhone)]
}

// numberIn is the telephone number that a text is, and nothing else; "" where it is none.
func numberIn(text string) string {
	text = figures.Latin(strings.TrimSpace(text))
	if strings.Trim(text, "+-() 0123456789") != "" {
		return ""
	}
	return phoneOf(text)
}

// calling are the customers with a telephone number.
// An empty number is nobody's, though of many customers none is kept.
func calling(all []store.Customer, phone string) []store.Customer {
	return slices.DeleteFunc(slices.Clone(all), func(c store.Customer) bool {
		return phone == "" || phoneOf(c.Phone.Reveal()) != phone
	})
}

// contactIsFor answers the question for whom something is with somebody whom the person has shared: with the player that the shop knows
// of them, or with their number where it is a line that is topped up. A number is no player's.
func (t customerFlow) contactIsFor(known []store.Customer, phone string) error {
	if no, err := t.refuseBelow(store.Seller); no || err != nil {
		return err
	}
	// As answerQuestion does for what is typed: what is wrong with it is shown in the question's place.
	t.answeredQuestion = t.session.Message
	flow := buyFlow(t)
	return flow.buyStep(func(b buying, p api.Product, v api.Variant) error {
		player := playerOf(known, b.Offered)
		if b.For = ""; len(known) == 1 {
			b.For = known[0].ID
		}
		switch {
		case player != "":
			return flow.takeInput(b, p, v, player)
		case p.Family == api.Internet:
			return flow.takeInput(b, p, v, phone)
		}
		t.inPlaceOf = t.answeredQuestion
		return flow.askInput(b, p, v, screen.NoPlayer)
	})
}

// playerOf is the one player of a customer who is offered for a question; "" where there is none, or more than one.
func playerOf(known []store.Customer, offered []string) string {
	if len(known) != 1 {
		return ""
	}
	ids := slices.DeleteFunc(slices.Clone(offered), func(id string) bool {
		return !slices.ContainsFunc(known[0].Players, func(p store.Player) bool { return p.ID == id })
	})
	if len(ids) != 1 {
		return ""
	}
	return ids[0]
}
