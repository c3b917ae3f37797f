package conversations

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"resellerbot/internal/api"
	"resellerbot/internal/figures"
	"resellerbot/internal/orderline"
	"resellerbot/internal/screen"
	"resellerbot/internal/search"
	"resellerbot/internal/store"
)

const (
	flowMeant = "meant" // which of several things a line means

	mostMeant = 4 // ways to read a line that are asked about; more are a search
)

// meant is one way to read a line, by what is sold.
type meant struct {
	Product  int64          `json:"Product"`
	Variant  int64          `json:"Variant"`
	Quantity int            `json:"Quantity"` // 0 where it is to be asked for
	Answers  []store.Answer `json:"Answers,omitempty"`
	For      string         `json:"For,omitempty"` // the id of the customer whom it names
	Item     string         `json:"Item"`          // names of both, for what is asked
	Name     string         `json:"Name"`

	called string // the name of that customer
	guess  bool   // the name was typed in part: it is asked whether they are meant
}

// lineFor is who a way to read a line is for: as it was typed, or as the customer is called.
func (m meant) lineFor() string {
	var values []string
	if m.called != "" {
		values = append(values, m.called)
	}
	for _, a := range m.Answers {
		values = append(values, a.Value)
	}
	return strings.Join(values, " ")
}

// same reports whether two ways come to the same purchase.
func (m meant) same(o meant) bool {
	return m.Product == o.Product && m.Variant == o.Variant && m.Quantity == o.Quantity && m.For == o.For && slices.Equal(m.Answers, o.Answers)
}

// parsedLine is a line that was typed as it can be read, with what the next word about it needs.
type parsedLine struct {
	Ways  []meant `json:"Ways"`
	Alias string  `json:"Alias,omitempty"` // the short word that the item is to get, where nothing is bought
}

// reader reads lines by the catalogue and the short words of an account.
type reader struct {
	turn    *turn
	service Service
	all     []api.Product
	arena   []api.Product
	shelf   store.Shelf
	whole   map[int64]*api.Product // products as they are sold, with their inputs; nil for one that cannot be read
	people  []store.Customer       // of the account, once they were read
	known   bool                   // that they were
}

// lineReader is the reader for the chat's account.
func (t *turn) lineReader(all []api.Product) (*reader, error) {
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return nil, err
	}
	r := &reader{turn: t, service: service, all: all, whole: map[int64]*api.Product{}}
	if r.shelf, err = t.cfg.Store.Shelf(t.ctx, t.chat.Account); err != nil {
		return nil, err
	}
	if arena := r.product(api.ArenaProduct); arena != nil && len(arena.Variants) > 0 {
		r.arena = []api.Product{*arena}
	}
	return r, nil
}

// product is a product as it is sold; nil where it is not, or cannot be read.
func (r *reader) product(id int64) *api.Product {
	p, known := r.whole[id]
	if known {
		return p
	}
	ctx, cancel := context.WithTimeout(r.turn.ctx, lastPatience)
	defer cancel()
	found, err := r.service.Product(ctx, id, plansAge)
	// What was last known of it is good enough to understand a line: the price is read anew before anything is bought.
	if isPassing(err) {
		found, _, _ = r.service.LastProduct(id)
		err = nil
	}
	if err == nil && found.ID == id {
		p = &found
	}
	// nil is kept too: one line must not ask for the same product over and over.
	r.whole[id] = p
	return p
}

// read lists the ways in which a line names something that can be bought now, at most mostMeant of them. specific tells
// that it names more than an item: how many, or for whom; or that it is the shop's own word for it.
func (r *reader) read(text string) (ways []meant, specific bool) {
	ways, specific = r.readPlain(text)
	if cells := orderline.Cells(text); len(ways) == 0 && cells != orderline.Clean(text) {
		return r.readPlain(cells) // a row of a table, as it was copied
	}
	return ways, specific
}

// readPlain is read for a text that is no row of a table.
func (r *reader) readPlain(text string) (ways []meant, specific bool) {
	readings := orderline.Readings(text)
	for _, aliased := range []bool{true, false} { // a shop's own words win over the search
		words := 0
		for _, reading := range readings {
			n := len(strings.Fields(reading.Words))
			found := r.taken(reading, aliased, words != 0 && n != words)
			if len(found) == 0 {
				continue
			}
			// Readings come with the most words first: n is another number once a shorter reading follows one that has found something.
			words = max(words, n)
			specific = specific || aliased || reading.Quantity > 0 || len(reading.Inputs) > 0
			for _, m := range found {
				if !slices.ContainsFunc(ways, m.same) {
					ways = append(ways, m)
				}
			}
		}
		if len(ways) > 0 {
			break
		}
	}
	// That many ways are no line but a search.
	if len(ways) > mostMeant {
		return nil, false
	}
	return ways, specific
}

// taken are the matches of a reading that count. shorter tells that other words have found an item already: of these count only whole
// names, since a customer of the shop may be called as the word that the item was found by.
func (r *reader) taken(reading orderline.Reading, aliased, shorter bool) []meant {
	found := r.matches(reading, aliased)
	switch {
	case !reading.Bare && shorter:
		return slices.DeleteFunc(found, func(m meant) bool { return m.For == "" || m.guess })
	case reading.Bare && len(found) > 1:
		return nil // a number that may be a word is no quantity of what is not clear
	}
	return found
}

// matches are the items that a reading names, and that take what stands behind it.
func (r *reader) matches(reading orderline.Reading, aliased bool) (out []meant) {
	for _, m := range r.named(reading.Words, aliased) {
		if !m.Variant.Available {
			continue
		}
		p := r.product(m.Product.ID)
		if p == nil {
			continue
		}
		v, there := listedVariant(*p, m.Variant)
		if !there || !v.Available {
			continue
		}
		for _, w := range r.whom(*p, reading.Inputs) {
			w.Product, w.Variant, w.Quantity, w.Item, w.Name = p.ID, v.ID, reading.Quantity, p.Name, v.Name
			// Who names a player, or a customer, means one, unless they say how many.
			if w.Quantity == 0 && (len(w.Answers) > 0 || w.For != "") {
				w.Quantity = 1
			}
			// The arena tops up one plan at a time.
			if p.Family != api.Arena || w.Quantity <= 1 {
				out = append(out, w)
			}
		}
	}
	return out
}

// named are the items that words name: by a short word alone, or by the catalogue.
func (r *reader) named(words string, aliased bool) []search.Match {
	if !aliased {
		// The catalogue's index is kept for as long as the catalogue is the same; the arena's plans are few, and indexed each time.
		found := r.turn.indexes.of(r.all).Variants(words, mostMeant)
		return append(slices.Clone(found), search.New(r.arena).Variants(words, mostMeant)...)
	}
	g, ok := r.shelf.Alias(search.Fold(words))
	if !ok {
		return nil
	}
	p := r.product(g.Product)
	if p == nil {
		return nil
	}
	v, there := findVariant(*p, g.Variant)
	if !there {
		return nil
	}
	return []search.Match{{Product: *p, Variant: v}}
}

// typedLine leads a line that names something to buy to its summary, or asks what is meant. taken is false where it is a
// search as any other.
func (t buyFlow) typedLine(all []api.Product, text string) (taken bool, err error) {
	r, err := t.lineReader(all)
	if err != nil || r == nil {
		return false, err
	}
	ways, specific := r.read(text)
	switch {
	case !specific:
		return t.uncountable(r, text)
	case len(ways) == 1 && !ways[0].guess:
		t.answeredQuestion = 0 // it is no answer to a question that may be open: that one stays as it was
		return true, t.beginMeant(ways[0])
	}
	t.answeredQuestion = 0
	return true, t.askMeant(text, parsedLine{Ways: ways})
}

// uncountable asks how many of an item that a line has named with a quantity that is none, or says so alone where it is not
// clear which item. taken is false for any other line.
func (t buyFlow) uncountable(r *reader, text string) (taken bool, err error) {
	rest, none, ok := orderline.OutOfRange(text)
	odd := orderline.IsOdd(text)
	if !ok && !odd {
		return false, nil
	}
	t.answeredQuestion = 0
	if isOneWord(text) { // "MJ5X0" is no card of which none is wanted, where an order is called so
		if shown, err := t.referred(text); shown || err != nil {
			return shown, err
		}
	}
	if odd {
		return true, t.say(t.scr.Catalogue().OddQuantity())
	}
	ways, _ := r.read(rest)
	if len(ways) != 1 { // nobody knows which item that number is of, and it is no number of any
		return true, t.say(t.scr.Catalogue().NoQuantity(none))
	}
	problem := screen.TooMany
	if none {
		problem = screen.TooSmall
	}
	return true, t.withProduct(ways[0].Product, func(p api.Product) error {
		v, ok := findVariant(p, ways[0].Variant)
		if !ok || !v.Available || !t.there(v) || p.Family == api.Arena {
			return t.beginMeant(ways[0])
		}
		var b buying
		if !ways[0].guess {
			b.For = ways[0].For
		}
		return t.askQuantity(b, p, v, problem)
	})
}

// lineOr takes up what was typed and is no answer to the open question: a line that names something else to buy, or what
// is wrong with it.
func (t buyFlow) lineOr(wrong func() error) error {
	if t.query != "" {
		return wrong()
	}
	if orderline.IsList(t.text) && t.session.Step != stepInput {
		return listFlow(t).pasted(t.text)
	}
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	all, err := service.Products(t.ctx, catalogueAge)
	if err != nil {
		return wrong() // the question is answered without the catalogue
	}
	if taken, err := t.typedLine(all, t.text); taken || err != nil {
		return err
	}
	if t.session.Step == stepQuantity {
		if shown, err := t.leftFor(all, t.text); shown || err != nil {
			return err
		}
	}
	return wrong()
}

// leftFor shows what words name that are no answer to how many: what was bought, or something else that is sold. shown is false where
// they name nothing.
func (t buyFlow) leftFor(all []api.Product, words string) (shown bool, err error) {
	if figures.IsFigure(words) || !strings.ContainsFunc(words, func(r rune) bool { return unicode.IsLetter(r) || r == '#' }) {
		return false, nil // signs alone would find everything
	}
	asked := t.answeredQuestion
	t.answeredQuestion = 0 // as of a line: the question stays as it was
	if isOneWord(words) {
		if shown, err := t.referred(words); shown || err != nil {
			return shown, err
		}
	}
	if t.isNamed(all, words) {
		return true, t.searchCatalogue(all, words)
	}
	t.answeredQuestion = asked
	return false, nil
}

// referred opens the purchase that a word is the reference of, or that it names by another number.
func (t buyFlow) referred(word string) (shown bool, err error) {
	ref := strings.ToUpper(strings.TrimPrefix(strings.TrimSpace(word), "#"))
	switch {
	case store.IsRef(ref):
		return orderFlow(t).showReferred(ref)
	case namesPurchase(word):
		return orderFlow(t).showFound(word)
	}
	return false, nil
}

// isNamed reports whether words are of a name of what is sold, as it is written: what is only like one may be a slip at a number.
func (t buyFlow) isNamed(all []api.Product, words string) bool {
	index, wanted := t.indexes.of(all), search.Fold(words)
	if strings.ContainsFunc(wanted, unicode.IsDigit) && len(index.Variants(words, mostMeant)) > 0 {
		return true
	}
	return slices.ContainsFunc(index.Find(words).Products, func(p api.Product) bool { return strings.Contains(search.Fold(p.Name), wanted) })
}

// askMeant asks which of several ways to read a line is meant.
func (t buyFlow) askMeant(text string, l parsedLine) error {
	var views []screen.MeantView
	for _, w := range l.Ways {
		views = append(views, screen.MeantView{Product: w.Item, Variant: w.Name, Quantity: w.Quantity, For: w.lineFor()})
	}
	return t.ask(t.scr.Shelf().Meant(text, views), flowMeant, "", l)
}

// meantTapped takes the way that was meant.
func (t buyFlow) meantTapped() error {
	var l parsedLine
	if t.session.Flow != flowMeant || t.session.Message != t.tapped || json.Unmarshal(t.session.Data, &l) != nil {
		return t.stale()
	}
	i := int(t.action.Int(0))
	switch {
	case i < 0 || i >= len(l.Ways):
		return t.stale()
	case l.Alias != "":
		return itemFlow(t).name(l.Alias, l.Ways[i].Product, l.Ways[i].Variant)
	}
	return t.beginMeant(l.Ways[i])
}

// beginMeant goes on with what a line has named: to its summary, by all the steps that are still open.
func (t buyFlow) beginMeant(m meant) error {
	return t.withProduct(m.Product, func(p api.Product) error {
		v, ok := findVariant(p, m.Variant)
		switch {
		case !ok || !v.Available || !t.there(v):
			t.ack(screen.ToastSoldOut)
			return t.variants(p, 0, browsing{})
		case m.Quantity == 0:
			return t.begin(p, v)
		}
		b := buying{Product: p.ID, Variant: v.ID, Quantity: m.Quantity, Answers: m.Answers, For: m.For}
		if m.For != "" && len(m.Answers) == playerPlace(p) && t.isBuyable(p, v, m.Quantity) { // the shop knows no player of this customer
			return t.askInput(b, p, v, screen.NoPlayer)
		}
		return t.takeWith(b, p, v, m.Quantity)
	})
}

// isBuyable reports whether so many of an item can be bought: else another question comes before that for whom.
func (t buyFlow) isBuyable(p api.Product, v api.Variant, quantity int) bool {
	return t.there(v) && (p.Family != api.Arena || quantity == 1) && quantity <= t.room(v, allowed(v)).Payable
}
