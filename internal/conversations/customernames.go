package conversations

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// naming is the state of a question about a customer.
type naming struct {
	mistake

	Customer string `json:"Customer,omitempty"` // whose name, or note, is asked for; empty for a new one
	Purchase string `json:"Purchase,omitempty"` // which a new one is saved from
}

// nameTapped takes the name that was offered.
func (t customerFlow) nameTapped() error {
	var n naming
	if t.session.Flow != flowCustomer || t.session.Step != stepName || t.session.Message != t.tapped || json.Unmarshal(t.session.Data, &n) != nil || n.Purchase == "" {
		return t.stale()
	}
	p, err := t.cfg.Store.Purchase(t.ctx, n.Purchase)
	if err != nil || p.Player == nil {
		return firstError(ignoreMissing(err), t.stale)
	}
	return t.takeName(n, p.Player.Name)
}

// customerTyped takes a name or a note.
func (t customerFlow) customerTyped() error {
	var n naming
	if err := json.Unmarshal(t.session.Data, &n); err != nil {
		return t.stale()
	}
	switch t.session.Step {
	case stepNote:
		return t.takeNote(n)
	case stepNew:
		return t.takeNew(n)
	}
	return t.takeName(n, t.text)
}

// takeNew makes a customer of a name, a telephone number, or both. One who has that number is shown instead, and so is the one who is
// called so where no number tells them apart.
func (t customerFlow) takeNew(n naming) error {
	name, phone := strings.Join(strings.Fields(t.text), " "), t.phone
	if phone == "" { // a contact that was shared brings its own
		name, phone = withNumber(name)
	}
	if !isCustomerName(cmp.Or(name, phone)) {
		t.correct(screen.TooLong)
		n.Wrong = screen.TooLong
		return t.ask(t.scr.Customers().NewAsk(true), flowCustomer, stepNew, n)
	}
	all, err := t.customers()
	if err != nil {
		return err
	}
	known, same := calling(all, phone), named(all, name)
	switch {
	case len(known) == 1:
		return t.present(known[0])
	case len(known) > 1:
		return t.say(t.scr.Customers().List(known, 0, phone))
	case phone == "" && len(same) == 1:
		return t.present(same[0])
	}
	return t.keepContact(all, name, phone)
}

// leastPhone is how many digits a telephone number has at least; fewer belong to a name.
const leastPhone = 8

// withNumber tells a name from the telephone number behind it, where there is one; a number alone has no name.
// The longest end that is a number counts. Example: "Karim 0555 12 34 56" is Karim with 0555123456.
func withNumber(text string) (name, phone string) {
	words := strings.Fields(text)
	for i := range words {
		if phone = numberIn(strings.Join(words[i:], " ")); len(phone) >= leastPhone {
			return strings.TrimRight(strings.Join(words[:i], " "), " :,·-"), phone
		}
	}
	return text, ""
}

// takeNote keeps a note; a minus alone takes it away.
func (t customerFlow) takeNote(n naming) error {
	text := strings.TrimSpace(t.text)
	if utf8.RuneCountInString(text) > mostCustomerNote {
		c, ok, err := t.customer(n.Customer)
		if err != nil || !ok {
			return err
		}
		t.correct(screen.TooLong)
		n.Wrong = screen.TooLong
		return t.ask(t.scr.Customers().NoteAsk(c, true), flowCustomer, stepNote, n)
	}
	if text == "-" {
		text = ""
	}
	return t.change(n.Customer, func(c *store.Customer) { c.Note = secret.New(text) })
}

// isCustomerName reports whether a customer can be called so.
func isCustomerName(text string) bool {
	return text != "" && utf8.RuneCountInString(text) <= mostCustomerName && screen.Says(text)
}

// takeName names a customer, who is made where they are new. A name that another one has gets the player as well.
func (t customerFlow) takeName(n naming, text string) error {
	text = strings.Join(strings.Fields(text), " ")
	if !isCustomerName(text) {
		t.correct(screen.TooLong)
		n.Wrong = screen.TooLong
		return t.ask(t.scr.Customers().NameAsk("", true), flowCustomer, stepName, n)
	}
	if n.Customer != "" {
		return t.change(n.Customer, func(c *store.Customer) { c.Name = secret.New(text) })
	}
	p, err := t.cfg.Store.Purchase(t.ctx, n.Purchase)
	if err != nil || p.Player == nil {
		return firstError(ignoreMissing(err), t.stale)
	}
	all, err := t.customers()
	if err != nil {
		return err
	}
	if same := named(all, text); len(same) == 1 {
		return t.merge(same[0].ID, p)
	}
	c, ok, err := t.newCustomer(text)
	if err != nil || !ok {
		return err
	}
	c.AddPlayer(*p.Player, usualOf(p))
	// A copy for each run: a put notes the version in its record, and the transaction may run again.
	if err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error { q := c; return tx.PutCustomer(&q) }); err != nil {
		return err
	}
	return t.present(c)
}
