package screen_test

import (
	"slices"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// accountGoldens are the screens of somebody who has several accounts.
func accountGoldens(p screen.Printer) []golden {
	amina := screen.AccountChoice{Name: "Boutique Amina", Mark: screen.AccountMark("u1"), Role: store.Owner, Active: true}
	karim := screen.AccountChoice{Name: "متجر كريم", Mark: screen.AccountMark("u2"), Role: store.Seller}
	odd := screen.AccountChoice{Name: hostile(), Mark: screen.AccountMark("u3"), Role: store.Counter}
	draft := bought(store.Drafted, 1)
	home := func(others ...screen.AccountChoice) screen.Message {
		return p.Home().Welcome("Amina", &screen.AccountView{Name: "Boutique Amina", Balance: wallet("1234.5"), Others: others})
	}
	return []golden{
		{"accounts", p.Accounts().Page([]screen.AccountChoice{amina, karim, odd}, true)},
		{"accounts_one", p.Accounts().Page([]screen.AccountChoice{amina}, true)},
		{"accounts_most", p.Accounts().Page(append([]screen.AccountChoice{amina}, slices.Repeat([]screen.AccountChoice{odd}, 9)...), false)},
		{"accounts_full", p.Accounts().Full()},
		{"accounts_elsewhere", p.Accounts().Elsewhere(karim, "Boutique Amina", "")},
		{"accounts_elsewhere_order", p.Accounts().Elsewhere(odd, hostile(), draft.ID)},
		{"accounts_switched", p.Accounts().Switched("متجر كريم", false, home())},
		{"accounts_switched_voided", p.Accounts().Switched(hostile(), true, home(karim))},
		{"summary_of_account", p.Accounts().Of("u1", "Boutique Amina", p.Purchases().Summary(draft, wallet("99999"), nil))},
		{"summary_of_account_hostile", p.Accounts().Of("u3", hostile(), p.Purchases().Summary(draft, wallet("99999"), nil))},
		{"welcome_accounts", home(karim, odd)},
		{"welcome_accounts_many", home(karim, odd, karim, odd)},
		{"welcome_accounts_counter", p.As(screen.ForShop).Home().Welcome("Lila", &screen.AccountView{Name: "Boutique Amina", Role: store.Counter, Others: []screen.AccountChoice{karim}})},
		{"help_accounts", p.Home().Help(true, store.Owner, false, true)},
		{"invite_beside", p.Team().JoinedBeside(karim, "Boutique Amina")},
		{"invite_beside_hostile", p.Team().JoinedBeside(odd, hostile())},
		{"key_replace_add", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina"}, Name: "متجر كريم", Add: true, Apart: true})},
		{"key_replace_add_unnamed", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina"}, Name: "متجر كريم", Add: true})},
		{"key_replace_add_team", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina", Team: 3, Place: team().Place}, Name: hostile(), Open: 2, Add: true, Apart: true})},
		{"key_replace_add_same", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina", Team: 3}, Name: " ", Open: 1, Carry: true, Add: true,
			Like: screen.LikeView{Same: true, Orders: 12, Found: 11, Known: true}})},
		{"key_replace_leaves", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina", Leaves: true}, Name: "متجر كريم", Open: 3, Add: true, Apart: true})},
		{"key_replace_leaves_carry", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina", Leaves: true}, Name: "متجر كريم", Open: 3, Add: true, Carry: true})},
		{"key_replace_leaves_full", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: hostile(), Leaves: true}, Name: hostile()})},
		{"key_replace_add_left", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina"}, Name: "متجر كريم", Open: 1, Carry: true, Add: true, Keeps: true, Past: true, Beside: hostile(),
			Like: screen.LikeView{Orders: 3, Was: dzd.Int(900), Due: dzd.Int(900), Is: dzd.Int(800), At: noon(), Known: true}})},
		{"key_replace_add_beside", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina"}, Name: "متجر كريم", Open: 1, Carry: true, Add: true, Keeps: true, Beside: "Third shop"})},
		{"key_replace_past", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: hostile()}, Name: "متجر كريم", Open: 1, Carry: true, Past: true})},
		{"key_linked_beside", p.Keys().Linked(screen.LinkedView{Account: api.Account{Name: "متجر كريم", Balance: dzd.Int(900), Available: dzd.Int(900)}, Deleted: true, Beside: "Boutique Amina", Voided: true})},
		{"key_kept", p.Keys().Kept("متجر كريم", false)}, {"key_stayed", p.Keys().Kept(hostile(), true)}, {"key_stayed_unnamed", p.Keys().Kept("…d335", true)},
		{"key_removed_next", p.Keys().Removed("Boutique Amina", false, "متجر كريم")},
	}
}
