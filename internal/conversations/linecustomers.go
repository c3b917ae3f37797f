package conversations

import (
	"slices"
	"strings"
	"unicode"

	"resellerbot/internal/api"
	"resellerbot/internal/orderline"
	"resellerbot/internal/screen"
	"resellerbot/internal/search"
	"resellerbot/internal/store"
)

// whom are the ways in which the words behind an item say who it is for: by its inputs, or by the name of a customer.
func (r *reader) whom(p api.Product, words []string) (ways []meant) {
	if given, fits := answers(p, words, -1); fits {
		ways = append(ways, meant{Answers: given})
	}
	if len(words) == 0 {
		return ways
	}
	for _, m := range r.forCustomers(p, words) {
		// Who has typed the number itself means that, whoever it is of.
		if !slices.ContainsFunc(ways, func(w meant) bool { return slices.Equal(w.Answers, m.Answers) }) {
			ways = append(ways, m)
		}
	}
	return ways
}

// playerPlace is the place of the input that names who a product is for; -1 where none does.
func playerPlace(p api.Product) int {
	return slices.IndexFunc(p.Inputs, func(in api.Input) bool { return in.Index == p.PlayerInput() && len(in.Options) == 0 })
}

// forCustomers are the ways to read words as the name of a customer, among the other inputs of a product: the longest name of
// somebody counts. Where nobody is called so, those count whose names hold the words, and it is asked whether they are meant.
func (r *reader) forCustomers(p api.Product, words []string) (ways []meant) {
	at := playerPlace(p)
	// Of a product without inputs nobody is asked for: all the words are a name.
	if len(p.Inputs) == 0 {
		at = 0
	}
	if at < 0 || at >= len(words) {
		return nil
	}
	for end := len(words); end > at; end-- {
		for _, c := range named(r.customers(), strings.Join(words[at:end], " ")) {
			ways = append(ways, playersOf(p, c, words[:at], words[end:])...)
		}
		if len(ways) > 0 {
			return ways
		}
	}
	for _, c := range calledPartly(r.customers(), words[at:]) {
		for _, m := range playersOf(p, c, words[:at], nil) {
			if m.guess = true; len(m.Answers) > at || len(p.Inputs) == 0 {
				ways = append(ways, m)
			}
		}
	}
	return ways
}

// customers are those of the account, read once.
func (r *reader) customers() []store.Customer {
	if r.known {
		return r.people
	}
	// Also where it fails: one line is read in many ways, and each would ask again.
	r.known = true
	all, err := r.turn.customers()
	if err != nil { // what was typed may be the player all the same, and is looked at before it is bought for
		r.turn.cfg.Log.Warn("read the customers", "update", r.turn.update, "err", err)
		return nil
	}
	r.people = all
	return all
}

// playersOf are the ways in which a product is for a customer, with what was typed before and behind their name: as each of their
// players, or alone where it is for nobody, or where the shop knows no player of theirs.
func playersOf(p api.Product, c store.Customer, before, behind []string) (ways []meant) {
	m := meant{For: c.ID, called: c.Name.Reveal()}
	if len(p.Inputs) == 0 {
		if len(before)+len(behind) > 0 {
			return nil
		}
		return []meant{m}
	}
	ids := playersIn(c, game(p))
	for _, id := range ids {
		given, fits := answers(p, slices.Concat(before, []string{id}, behind), len(before))
		if !fits {
			continue
		}
		if m.Answers = given; len(behind) == 0 {
			m.Answers = usualAnswers(p, c, given)
		}
		ways = append(ways, m)
	}
	if m.Answers, _ = answers(p, before, -1); len(ids) == 0 && len(behind) == 0 && len(m.Answers) == len(before) {
		ways = append(ways, m)
	}
	return ways
}

// playersIn are whom a customer plays as in a game.
func playersIn(c store.Customer, game string) (ids []string) {
	for _, p := range c.Players {
		if p.Game == game && p.ID != "" {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// usualAnswers are the answers that a customer's usual item gives behind some, where it begins as these do: their server.
func usualAnswers(p api.Product, c store.Customer, given []store.Answer) []store.Answer {
	if c.Usual == nil || c.Usual.Product != p.ID {
		return given
	}
	all := stillTaken(p.Inputs, c.Usual.Answers)
	if len(all) < len(given) || !slices.Equal(all[:len(given)], given) {
		return given
	}
	return all
}

// calledPartly are the customers whose name, or that of a player of theirs, has all of some words, each whole.
func calledPartly(all []store.Customer, words []string) []store.Customer {
	apart := func(text string) []string {
		return strings.FieldsFunc(search.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	wanted := apart(strings.Join(words, " "))
	return slices.DeleteFunc(slices.Clone(all), func(c store.Customer) bool {
		names := []string{c.Name.Reveal()}
		for _, p := range c.Players {
			names = append(names, p.Name)
		}
		has := apart(strings.Join(names, " "))
		return len(wanted) == 0 || slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(has, w) })
	})
}

// stranger is an item that a line names beside the name of nobody: one that is for a player, or the shop's own short word.
func (r *reader) stranger(text string) (m meant, who string, ok bool) {
	for _, reading := range orderline.Readings(text) {
		if reading.Bare || len(reading.Inputs) == 0 || slices.ContainsFunc(reading.Inputs, hasDigit) {
			continue
		}
		found, aliased := r.named(reading.Words, true), true
		if len(found) == 0 {
			found, aliased = r.named(reading.Words, false), false
		}
		if len(found) != 1 {
			continue
		}
		p := r.product(found[0].Product.ID)
		if p == nil || !aliased && playerPlace(*p) < 0 {
			continue
		}
		v, there := listedVariant(*p, found[0].Variant)
		if !there || !v.Available {
			continue
		}
		return meant{Product: p.ID, Variant: v.ID, Item: p.Name, Name: v.Name}, strings.Join(reading.Inputs, " "), true
	}
	return m, "", false
}

// strangerLine says that nobody is called as a line has it, and offers its item. taken is false for any other line.
func (t buyFlow) strangerLine(all []api.Product, text string) (taken bool, err error) {
	r, err := t.lineReader(all)
	if err != nil || r == nil {
		return false, err
	}
	m, who, ok := r.stranger(text)
	if !ok {
		return false, nil
	}
	// It is a line of its own and no answer: what follows does not stand in the place of the question that is open.
	t.answeredQuestion = 0
	return true, t.say(t.scr.Shelf().Stranger(who, m.Item, m.Name, m.Product, m.Variant))
}

// typedInput takes what was typed for an input: a customer's name stands for their player. Whoever of several is meant is asked, and
// who types the same once more means it as it is: a player may be called as a customer is.
func (t buyFlow) typedInput(b buying, p api.Product, v api.Variant) error {
	if len(b.Answers) != playerPlace(p) || looksLikeInput(t.text) {
		return t.takeInput(b, p, v, t.text)
	}
	again := sameWords(b.Typed, t.text)
	if again && (b.Wrong == screen.WhichPlayer || b.Wrong == screen.ThisPlayer || b.Wrong == screen.NoPlayer) {
		b.For = ""
		return t.takeInput(b, p, v, t.text)
	}
	all, err := t.customers()
	if err != nil {
		return err
	}
	b.Typed = t.text
	found, players := named(all, t.text), []store.Player{}
	sure := len(found) > 0
	if !sure {
		found = calledPartly(all, strings.Fields(t.text))
	}
	for _, c := range found {
		for _, id := range playersIn(c, game(p)) {
			players = append(players, store.Player{ID: id, Name: c.Name.Reveal()})
		}
	}
	switch {
	case len(players) == 1 && len(found) == 1 && sure && !again:
		b.For = found[0].ID
		return t.takeInput(b, p, v, players[0].ID)
	case len(players) == 1:
		b.For = ""
		return t.askAmong(b, p, v, players, screen.ThisPlayer)
	case len(players) > 0:
		b.For = ""
		return t.askAmong(b, p, v, players, screen.WhichPlayer)
	case len(found) == 1 && sure:
		b.For = found[0].ID
		return t.askInput(b, p, v, screen.NoPlayer)
	}
	return t.takeInput(b, p, v, t.text)
}

// sameWords reports whether two texts say the same, however they are written.
func sameWords(a, b string) bool {
	return a != "" && slices.Equal(strings.Fields(search.Fold(a)), strings.Fields(search.Fold(b)))
}

// takePlayer takes the player that was tapped: it is for the one customer who plays as them, whoever was named before.
func (t buyFlow) takePlayer(b buying, p api.Product, v api.Variant) error {
	i := int(t.action.Int(0))
	if i < 0 || i >= len(b.Offered) {
		return t.stale()
	}
	all, err := t.customers()
	if err != nil {
		return err
	}
	theirs := slices.DeleteFunc(all, func(c store.Customer) bool { return !slices.Contains(playersIn(c, game(p)), b.Offered[i]) })
	if b.For = ""; len(theirs) == 1 {
		b.For = theirs[0].ID
	}
	return t.takeInput(b, p, v, b.Offered[i])
}

// upTo leaves the first n answers of a purchase. Whom it is for goes with the player who said so.
func (b buying) upTo(p api.Product, n int) buying {
	if at := playerPlace(p); at >= n {
		b.For = ""
	}
	b.Answers, b.Player = b.Answers[:n], nil
	return b
}

// hasDigit reports whether a word holds one.
func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }
