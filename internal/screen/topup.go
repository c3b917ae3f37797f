package screen

import (
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

const (
	mostRecent = 4 // players that were topped up before are offered
	mostFacts  = 4 // that the service told of a player
)

// Topups is one page of what can be topped up.
func (p Catalogue) Topups(list []api.Product, page int) Message {
	if len(list) == 0 {
		return Message{HTML: lines(p.t("topups.none", nil), p.aged()), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
	}
	return p.shelf(p.t("topups.title", nil), list, page, func(n int) Action { return act(VerbTopup, id(n)) })
}

// recent offers players that were topped up before, by their place in the list.
func (p Catalogue) recent(players []store.Player) [][]Button {
	var keys [][]Button
	for i, pl := range players[:min(len(players), mostRecent)] {
		text := isolate(clean(pl.ID, 24))
		if n := clean(pl.Name, 24); n != "" {
			text = isolate(n) + " · " + text
		}
		if r := clean(pl.Region, 12); r != "" {
			text += " · " + isolate(r)
		}
		keys = append(keys, row(Button{Text: p.led("👤 " + text), Data: act(VerbPlayer, id(i)).Data()}))
	}
	return keys
}

// player tells who gets what is bought, and what is uncertain or new about them.
func (p Printer) player(pl *store.Player) string {
	if pl == nil {
		return ""
	}
	var out []string
	if clean(pl.Name, nameLength) != "" {
		out = append(out, p.t("player.name", locales.Args{"Name": bold(pl.Name)}))
	}
	if clean(pl.Region, nameLength) != "" {
		out = append(out, p.t("player.region", locales.Args{"Region": bold(pl.Region)}))
	}
	for _, fact := range pl.Facts[:min(len(pl.Facts), mostFacts)] {
		out = append(out, p.direct(string(name(fact))))
	}
	// Under an id that goes by another name now than before, somebody else may be topped up.
	if was := pl.Was; was != nil {
		out = append(out, p.t("player.changed", locales.Args{"Was": name(strings.Join(strings.Fields(was.Name+" "+was.Region), " "))}))
	}
	return lines(out...)
}

// doubt is what the service could not tell about who gets it.
func (p Catalogue) doubt(pl *store.Player) string {
	switch {
	case pl == nil:
		return ""
	case pl.Status == store.PlayerUnknown:
		return p.t("player.unknown", nil)
	case pl.Status == store.PlayerUnchecked:
		return p.t("player.unchecked", nil)
	}
	return ""
}

// bold is a name from outside in bold letters.
func bold(s string) locales.HTML { return "<b>" + name(s) + "</b>" }

// ReviewInputs asks to read once more what the service cannot confirm, before there is a ✅.
func (p Catalogue) ReviewInputs(product api.Product, v api.Variant, answers []store.Answer, pl *store.Player) Message {
	return Message{
		HTML:     lines(p.t("check.look", nil), "", p.item(product.Name, v.Name), p.answers(answers), p.player(pl)),
		Keyboard: [][]Button{row(p.button("button.go_on", act(VerbGoOn))), p.leaving()},
	}
}

// Repeat asks whether the same is wanted once more; first is the purchase that was made before, by whomever.
func (p Catalogue) Repeat(first store.Purchase, reader int64) Message {
	by, state, told, ask := "", "", "repeat.told", "repeat.ask"
	if first.User != reader {
		by = p.Approvals().buyer(first)
	}
	// What was ordered and is not known to have come is asked about in words of its own: both may come.
	switch first.Phase {
	case store.Queued, store.Submitting:
		state, told, ask = p.t("repeat.waiting", nil), "repeat.ordered", "repeat.ask_second"
	case store.Unknown:
		state, told, ask = p.t("repeat.uncertain", nil), "repeat.ordered", "repeat.ask_second"
	case store.Undecided:
		state, told, ask = p.t("repeat.undecided", nil), "repeat.ordered", "repeat.ask_second"
	case store.Rejected:
		state, told, ask = p.t("repeat.refused", nil), "repeat.ordered", "repeat.ask_second"
	case store.NotCreated:
		state, told, ask = p.t("repeat.dismissed", nil), "repeat.ordered", "repeat.ask_second"
	}
	return Message{
		HTML: lines(p.sameAt(told, len(first.Inputs) > 0, first.QueuedAt), p.item(first.Product, first.Variant), p.answers(first.Inputs), p.player(first.Player),
			by, state, "", p.t(ask, nil)),
		Keyboard: [][]Button{row(p.button("button.once_more", act(VerbGoOn))), p.leaving()},
	}
}

// told is that the same was ordered for the same player, where a purchase was put together in spite of it. What became
// of that one may have changed since.
func (p Catalogue) told(pu store.Purchase) string {
	if len(pu.Same) == 0 {
		return ""
	}
	return p.sameAt("repeat.ordered", len(pu.Inputs) > 0, pu.SameAt)
}

// sameAt is when the same was bought, or ordered, for the same player where it is for one.
func (p Catalogue) sameAt(told string, player bool, at time.Time) string {
	if !player {
		told = "repeat.ordered_item"
	}
	return p.t(told, locales.Args{"Time": p.since(at)})
}

// ProblemOf is what the service has found wrong with an answer, by what it says: its own words are shown to nobody.
func ProblemOf(messages []string) Problem {
	if says(messages, "10 digits") {
		return TenDigits
	}
	return Refused
}

// says reports whether one of some messages holds one of some words.
func says(messages []string, words ...string) bool {
	return slices.ContainsFunc(messages, func(m string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(m), w) })
	})
}
