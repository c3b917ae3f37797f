package screen

import (
	"strings"

	"resellerbot/internal/api"
	"resellerbot/locales"
)

// Unfrozen tells that a restored account may buy again.
func (p Keys) Unfrozen() Message {
	return Message{HTML: p.t("restored.unfrozen", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// unreadGoods names the list of goods among what could not be read, as package purchase does.
const unreadGoods = "goods"

// frozen shows what of a restored account cannot be read, and lets its owner decide.
func (p Keys) frozen(unread []string, class api.Class) Message {
	var what []string
	for _, u := range unread {
		switch api.Family(u) {
		case unreadGoods:
			what = append(what, p.plain("unread.goods", nil))
		case api.Arena:
			what = append(what, p.plain("unread.arena", p.family(api.Arena)))
		case api.BattleRoyale:
			what = append(what, p.plain("unread.battleroyale", p.family(api.BattleRoyale)))
		default:
			what = append(what, p.plain("unread.balance", nil))
		}
	}
	keys := [][]Button{row(p.button("button.unfreeze", act(VerbUnfreeze)))}
	// A new key may make it readable: that comes before going on without having read it.
	if class == api.Unauthorized || class == api.IPBlocked {
		keys = [][]Button{row(p.button("button.key", act(VerbKey).fresh())), keys[0]}
	}
	return Message{
		HTML:     lines(p.t("restored.unread", nil), p.t("restored.unread_what", locales.Args{"What": strings.Join(what, " · ")}), p.Failures().why(class, 0), p.t("restored.unread_choice", nil)),
		Keyboard: keys,
	}
}
