package screen

import (
	"slices"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// SkipOption stands for the option that leaves an input out which need not be given.
const SkipOption = "-1"

// Problem is what is wrong with an answer.
type Problem string

// The problems.
const (
	NoProblem   Problem = ""
	NotANumber  Problem = "not_a_number"
	NoNumber    Problem = "no_number" // words, where a number is asked for
	TooSmall    Problem = "too_small"
	TooMany     Problem = "too_many"
	TooDear     Problem = "too_dear" // more than the balance pays for
	Empty       Problem = "empty"
	TooLong     Problem = "too_long"
	NotMatching Problem = "not_matching"
	NotAnOption Problem = "not_an_option"
	NoSuchID    Problem = "no_such_id" // the service does not know the player or the number
	Refused     Problem = "refused"    // by the service, without more words
	TenDigits   Problem = "ten_digits" // the service wants ten digits
	NoPlayer    Problem = "no_player"  // the shop knows no player of the customer who was named, or shared
	WhichPlayer Problem = "which"      // several players of customers could be meant by a name
	ThisPlayer  Problem = "this"       // one could be, and it is not sure
)

// problem is the sentence about a problem; room is how many there can be.
func (p Catalogue) problem(problem Problem, room Room) string {
	switch problem {
	case NotANumber:
		return p.t("quantity.not_a_number", nil)
	case NoNumber:
		return p.t("quantity.no_number", nil)
	case TooSmall:
		return p.t("quantity.too_small", nil)
	case TooMany:
		if room.Payable > 0 && room.Payable < room.Most && p.reader == ForOwner {
			return p.t("quantity.too_many_to_pay", locales.Args{"Max": number(room.Payable)})
		}
		return p.t("quantity.too_many", locales.Args{"Max": number(room.Most)})
	case Empty:
		return p.t("input.empty", nil)
	case TooLong:
		return p.t("input.too_long", nil)
	case NotMatching:
		return p.t("input.not_matching", nil)
	case NotAnOption:
		return p.t("input.not_an_option", nil)
	case NoSuchID:
		return p.t("input.player_unknown", nil)
	case Refused:
		return p.t("input.refused", nil)
	case TenDigits:
		return p.t("input.ten_digits", nil)
	case NoPlayer:
		return p.t("input.no_player", nil)
	case WhichPlayer:
		return p.t("input.which_player", nil)
	case ThisPlayer:
		return p.t("input.this_player", nil)
	}
	return ""
}

// Room is how many units of a variant one purchase may ask for.
type Room struct {
	Most      int        // as stock and one purchase allow
	Payable   int        // of those, as many as the balance pays for; Most where that is not known
	Available dzd.Amount // what can be spent, where Payable is less than Most
}

// Quantity asks how many units, as far as there is room. problem is what was wrong with the number wished for. Where not even
// one can be paid for, that is said with the price, and nothing is asked.
func (p Catalogue) Quantity(product api.Product, v api.Variant, room Room, wished int, problem Problem) Message {
	var keys [][]Button
	var counts []Button
	for _, n := range quantities(product) {
		if n <= room.Payable {
			counts = append(counts, Button{Text: p.counted("button.units", n), Data: act(VerbQuantity, id(n)).Data()})
		}
	}
	keys = slices.AppendSeq(keys, slices.Chunk(counts, inRow))
	ask, short := p.t("quantity.ask", nil), ""
	switch {
	// No answer would do: all that is left is to look once more whether money has come.
	case room.Payable < 1:
		ask, short = "", p.tooDear(v, room, max(wished, 1))
		keys = append(keys, row(p.button("button.again", act(VerbGoOn))))
	case problem == TooDear:
		short = p.tooDear(v, room, wished)
	}
	// Times the price, the number that can be paid for is the balance: who is no owner is not told it.
	if room.Payable > 0 && (problem == TooDear || problem == TooMany) && (p.reader == ForOwner || room.Payable == room.Most) {
		most := Button{Text: p.plain("button.most", locales.Args{"Count": locales.HTML(id(room.Payable))}), Data: act(VerbQuantity, id(room.Payable)).Data()}
		keys = append(keys, row(most))
	}
	// Where not even one can be paid for, nothing is to be set: there is the look once more, and the price that customers ask for.
	if room.Payable > 0 {
		keys = append(keys, p.shelfKey(product, v))
	}
	keys = append(keys, p.ownPrice(product, v)...)
	return Message{
		HTML: lines(p.item(product.Name, v.Name), p.priced(v.Price), p.inStock(v), p.aged(),
			p.problem(problem, room), short, ask),
		Keyboard: append(keys, p.leaving()),
	}
}

// ByReply is a question in a group, where a bot hears only what is a reply to it.
func (p Catalogue) ByReply(m Message) Message {
	m.HTML = lines(m.HTML, p.t("group.by_reply", nil))
	return m
}

// inStock is how many units there are, set aside for the account or at all.
func (p Catalogue) inStock(v api.Variant) string {
	// What is set aside is what this account can have, whatever the shelf of all holds.
	if s := v.SetAside(p.now); s != nil {
		return p.t("quantity.allocation", locales.Args{"Remaining": number(s.Remaining), "Allocated": number(s.Allocated)})
	}
	if v.InStock > 0 {
		return p.t("quantity.stock", locales.Args{"Stock": number(v.InStock)})
	}
	return ""
}

// tooDear is what is missing for a number of units; who is no owner learns that it is too much, and no balance.
func (p Catalogue) tooDear(v api.Variant, room Room, units int) string {
	need, err := v.Price.Mul(units)
	if err != nil || p.reader != ForOwner {
		return p.t("summary.short", nil)
	}
	return p.shortfall(room.Available, need)
}

// quantities are numbers of units that are often wanted: nobody is topped up a hundred times at once.
func quantities(product api.Product) []int {
	if product.RequiresInput || len(product.Inputs) > 0 {
		return []int{1, 2, 3, 5}
	}
	return []int{1, 2, 3, 5, 10, 20, 50, 100}
}

// Ask asks for one input, the n-th of all. Players are offered who were topped up before.
func (p Catalogue) Ask(product api.Product, v api.Variant, in api.Input, n, of int, recent []store.Player, problem Problem) Message {
	step := ""
	if of > 1 {
		step = p.t("input.step", locales.Args{"Step": number(n), "Of": number(of)})
	}
	hint := ""
	if h := clean(in.Hint, 200); h != "" {
		hint = p.direct("<i>" + isolate(escape(h)) + "</i>")
	} else if product.Family == api.Arena {
		hint = "<i>" + p.t("input.player_hint", nil) + "</i>"
	}
	keys := p.recent(recent)
	// Telegram takes 100 buttons; an option that has none is answered in words.
	for i := range in.Options[:min(len(in.Options), 40)] {
		keys = append(keys, row(Button{Text: label(in.OptionLabel(i), id(i+1)), Data: act(VerbOption, id(i)).Data()}))
	}
	if !in.Required {
		keys = append(keys, row(p.button("button.skip", act(VerbOption, SkipOption))))
	}
	// A plan is bought one at a time: this is its first screen, where others have the question how many.
	if n == 1 && product.Family == api.Arena {
		keys = append(append(keys, p.shelfKey(product, v)), p.ownPrice(product, v)...)
	}
	return Message{
		HTML: lines(p.item(product.Name, v.Name), step, p.t("input.ask", locales.Args{"Label": p.label(in.Label, in.Index)}), hint,
			p.problem(problem, Room{})),
		Keyboard: append(keys, p.leaving()),
	}
}
