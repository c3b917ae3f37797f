package screen_test

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

var update = flag.Bool("update", false, "rewrite the golden screens")

// golden is a screen in one of its variants, with the variant's name: the screen, and what is particular about it.
type golden struct {
	name    string
	message screen.Message
}

// goldens are all variants of all screens in one language, a line each: TestGolden compares them with the files of their screens,
// TestScreensAreSound holds them to Telegram's rules and ours, TestEveryScreenIsGolden misses none.
func goldens(p screen.Printer) []golden {
	p = p.At(noon())
	return slices.Concat(otherGoldens(p), counterGoldens(p), listGoldens(p), noteGoldens(p), bookGoldens(p), accountGoldens(p), shopPriceGoldens(p))
}

// room is for some units, all of which can be paid for.
func room(units int) screen.Room { return screen.Room{Most: units, Payable: units} }

// otherGoldens are all screens but the notes.
func otherGoldens(p screen.Printer) []golden {
	return []golden{
		{"welcome_new", p.Home().Welcome("Amina", nil)},
		{"welcome_new_hostile", p.Home().Welcome(hostile(), nil)},
		{"welcome_linked", p.Home().Welcome("Amina", &screen.AccountView{Name: "Boutique Amina", Balance: wallet("1234.5")})},
		{"welcome_hostile", p.Home().Welcome("Amina", &screen.AccountView{Name: hostile(), Balance: wallet("999999999999.9999"), Waiting: 1_000_000})},
		{"welcome_unnamed", p.Home().Welcome("", &screen.AccountView{Name: " \u200f", Balance: wallet("0")})},
		{"welcome_balance_unknown", p.Home().Welcome("Amina", &screen.AccountView{Name: "Boutique Amina"})},
		{"welcome_lacks", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: late("5000", "1250.5")})},
		{"welcome_waiting_1", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: wallet("50"), Waiting: 1})},
		{"welcome_waiting_2", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: wallet("50"), Waiting: 2})},
		{"welcome_waiting_3", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: wallet("50"), Waiting: 3})},
		{"welcome_waiting_11", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: wallet("50"), Waiting: 11})},
		{"help", p.Home().Help(false, store.NoRole, false, false)}, {"help_back", p.Home().HelpBack()},
		{"help_linked", p.Home().Help(true, store.Owner, false, false)},

		{"key_ask", p.Keys().Ask(nil)},
		{"key_ask_linked", p.Keys().Ask(new("Boutique Amina"))},
		{"key_ask_unnamed", p.Keys().Ask(new(""))},
		{"key_ask_hostile", p.Keys().Ask(new(hostile()))},
		{"key_in_group", p.Keys().InGroup(true)},
		{"key_pasted", p.Keys().Pasted(true)},
		{"key_pasted_kept", p.Keys().Pasted(false)},
		{"key_in_group_kept", p.Keys().InGroup(false)},
		{"key_of_team", p.Keys().OfTheTeam("Boutique Amina", true)},
		{"key_malformed", p.Keys().Malformed(true)}, {"key_malformed_left", p.Keys().Malformed(false)},
		{"key_refused", p.Keys().Refused(&api.Error{Class: api.Unauthorized}, true)}, {"key_refused_left", p.Keys().Refused(&api.Error{Class: api.Unauthorized}, false)},
		{"key_refused_ip", p.Keys().Refused(&api.Error{Class: api.IPBlocked}, true)},
		{"key_refused_upstream", p.Keys().Refused(&api.Error{Class: api.Upstream}, true)},
		{"key_linked", p.Keys().Linked(screen.LinkedView{Account: linkedAccount(), Deleted: true})},
		{"key_linked_nudge", p.Keys().Linked(screen.LinkedView{Account: linkedAccount(), Deleted: true, Nudge: true})},
		{"key_linked_hostile", p.Keys().Linked(screen.LinkedView{Account: api.Account{Name: hostile(), Balance: dzd.Must("100"), Available: dzd.Must("99.99")}})},
		{"key_linked_carried", p.Keys().Linked(screen.LinkedView{Account: linkedAccount(), Deleted: true, Carried: true})},
		{"key_linked_back_1", p.Keys().Linked(screen.LinkedView{Account: linkedAccount(), Deleted: true, Back: 1, Locked: lock()})},
		{"key_linked_owners", p.Keys().Linked(screen.LinkedView{Account: linkedAccount(), Deleted: true, Back: 1, Owners: []store.Member{{User: 7, Name: hostile()}, {User: 8}}})},
		{"key_linked_back_2", p.Keys().Linked(screen.LinkedView{Account: linkedAccount(), Deleted: true, Back: 2})},
		{"key_linked_back_3", p.Keys().Linked(screen.LinkedView{Account: linkedAccount(), Deleted: true, Back: 3})},
		{"key_remove_ask", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Team: 3, Place: team().Place})},
		{"key_remove_ask_open", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Team: 2, Waiting: 2})},
		{"welcome_back", p.Home().WelcomeBack("Amina")},
		{"key_remove_ask_uncertain", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Uncertain: []store.Purchase{bought(store.Unknown, 1), bought(store.Undecided, 2)}})},
		{"key_remove_ask_uncertain_team", p.Keys().AskRemove(screen.EndsView{Account: hostile(), Team: 3, Uncertain: []store.Purchase{bought(store.Unknown, 1)}})},
		{"key_remove_ask_uncertain_11", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Uncertain: slices.Repeat([]store.Purchase{bought(store.Undecided, 1)}, 11)})},
		{"key_remove_ask_uncertain_3", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Uncertain: slices.Repeat([]store.Purchase{bought(store.Undecided, 1)}, 3)})},
		{"key_remove_ask_unrefunded", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Leaves: true, Waiting: 1, Unrefunded: unrefunded()})},
		{"key_dropped", p.Keys().Dropped(p.Home().Welcome("Amina", nil))},
		{"key_remove_ask_place", p.Keys().AskRemove(screen.EndsView{Account: hostile(), Place: &store.Place{Title: hostile()}})},
		{"key_replace_team", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina", Team: 3}, Open: 2})},
		{"key_replace_same", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina", Team: 3, Place: team().Place}, Open: 1, Carry: true,
			Like: screen.LikeView{Same: true, Orders: 12, Found: 11, Was: dzd.Int(900), Due: dzd.Int(900), Is: dzd.Int(900), At: noon(), Known: true}})},
		{"key_replace_unclear", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "متجر أمينة"}, Open: 3, Carry: true,
			Like: screen.LikeView{Orders: 3, Was: dzd.Int(900), Due: dzd.Int(700), Is: dzd.Must("1250.5"), At: noon(), Known: true}})},
		{"key_replace_different", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: hostile(), Team: 50, Place: &store.Place{Title: hostile()}}, Open: 11, Carry: true,
			Like: screen.LikeView{Orders: 50, Found: 1, Different: 49}})},
		{"key_linked_less", p.Keys().Linked(screen.LinkedView{Account: api.Account{Name: "Boutique Amina", Balance: dzd.Must("1000"), Available: dzd.Must("1000")}, Drift: dzd.Must("-3000")})},
		{"key_linked_more", p.Keys().Linked(screen.LinkedView{Account: api.Account{Name: hostile()}, Drift: dzd.Must("0.5")})},
		{"key_linked_uncertain", p.Keys().Linked(screen.LinkedView{Account: linkedAccount(), Deleted: true, Uncertain: []store.Purchase{bought(store.Unknown, 3)}})},
		{"key_removed", p.Keys().Removed("Boutique Amina", false, "")}, {"key_left_team", p.Keys().Removed(hostile(), true, "")},
		{"key_remove_ask_unsent", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Unsent: 1})},
		{"key_replace_open", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: "Boutique Amina", Waiting: 2, Unsent: 2, Uncertain: []store.Purchase{bought(store.Unknown, 1)}, Unrefunded: unrefunded()}, Open: 2})},
		{"key_leave_ask_unsent", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Leaves: true, Waiting: 1, Unsent: 3})},
		{"key_leave_ask", p.Keys().AskRemove(screen.EndsView{Account: hostile(), Leaves: true, Waiting: 1})},
		{"key_leave_ask_uncertain", p.Keys().AskRemove(screen.EndsView{Account: "Boutique Amina", Leaves: true, Uncertain: []store.Purchase{bought(store.Undecided, 1)}})},
		{"key_none", p.Keys().None()},

		{"balance", p.Account().Balance(api.Balance{Balance: dzd.Must("1234567.89"), Available: dzd.Must("1234567.89")}, api.Account{Name: "Boutique Amina", Email: "amina@example.com", UserID: 4711}, dzd.Amount{}, noon())},
		{"balance_credit", p.Account().Balance(api.Balance{Balance: dzd.Must("1000"), Available: dzd.Must("11000")}, api.Account{Name: " "}, dzd.Amount{}, noon())},
		{"balance_held", p.Account().Balance(api.Balance{Balance: dzd.Must("1000"), Available: dzd.Must("250.5")}, api.Account{Name: " "}, dzd.Amount{}, noon())},
		{"balance_none", p.Account().Balance(api.Balance{}, api.Account{Name: "متجر أمينة"}, dzd.Amount{}, noon().AddDate(0, 1, 3))},
		{"balance_last", p.At(noon().Add(7*time.Minute)).Account().LastBalance(screen.BalanceView{Available: dzd.Must("1234.5"), Known: true, At: noon()}, &api.Error{Class: api.Upstream})},
		{"balance_last_refused", p.At(noon().Add(7*time.Minute)).Account().LastBalance(screen.BalanceView{Available: dzd.Must("1234.5"), Known: true, At: noon()}, &api.Error{Class: api.Unauthorized})},
		{"balance_last_old", p.At(noon().AddDate(0, 0, 3)).Account().LastBalance(screen.BalanceView{Available: dzd.Must("1234.5"), Known: true, At: noon()}, &api.Error{Class: api.Limited})},
		{"balance_hostile", p.Account().Balance(api.Balance{Balance: dzd.Must("-12.5"), Available: dzd.Must("-999999999999.9999")}, api.Account{Name: hostile(), Email: hostile(), UserID: -1 << 63}, dzd.Amount{}, noon())},
		{"movements", p.Account().Movements(movements(4), screen.Unlisted{})},
		{"movements_unexplained", p.Account().Movements(nil, screen.Unlisted{Unaccounted: dzd.Int(500)})},
		{"balance_lacks", p.Account().Balance(api.Balance{Balance: dzd.Must("25000"), Available: dzd.Must("25000")}, api.Account{Name: "Boutique Amina"}, dzd.Must("3751.5"), noon())},
		{"movements_lacks", p.Account().Movements(movements(2), screen.Unlisted{Lacking: dzd.Must("3751.5"), Unaccounted: dzd.Int(-20)})},
		{"movements_undecided", p.Account().Movements(movements(2), screen.Unlisted{Unaccounted: dzd.Int(-777), Undecided: dzd.Int(-2480)})},
		{"movements_none", p.Account().Movements(nil, screen.Unlisted{})},
		{"movements_many", p.Account().Movements(movements(500), screen.Unlisted{Unaccounted: dzd.Must("-1250.5")})},
		{"stock", p.Account().Stock([]api.StockEntry{
			allocation("PUBG Mobile", 100, 80, 0), allocation("ببجي", 100, 0, 30), allocation("Netflix", 50, 49, -1), allocation("Free Fire", 10, 9, 0), allocation("iTunes", 5, 0, 3)}, noon())},
		{"stock_untold", p.Account().Stock([]api.StockEntry{{ProductName: "Netflix", VariantName: "1 month", ClientStock: api.ClientStock{Lacks: true}}}, noon())},
		{"stock_none", p.Account().Stock(nil, noon())},
		{"stock_more_1", p.Account().Stock(allocations(21), noon())},
		{"stock_more_2", p.Account().Stock(allocations(22), noon())},
		{"stock_more_3", p.Account().Stock(allocations(23), noon())},
		{"stock_more_11", p.Account().Stock(allocations(31), noon())},
		{"stock_hostile", p.Account().Stock([]api.StockEntry{allocation(hostile(), -1<<62, 1<<62, 1)}, noon())},
		{"history_goods", p.Orders().History(screen.HistoryView{List: past(), Family: api.Goods, Offered: true})},
		{"stock_stopped", p.Account().Stock([]api.StockEntry{{ClientStock: api.ClientStock{Allocated: 10, Remaining: 5, Status: "suspended"}, ProductName: "PUBG Mobile", VariantName: "325 UC"}, {ClientStock: api.ClientStock{Allocated: 10, Remaining: 1, Status: "active"}, ProductName: "PUBG Mobile", VariantName: "60 UC"}}, noon())},
		{"stock_zoneless", p.Account().Stock([]api.StockEntry{{ClientStock: api.ClientStock{Allocated: 10, Remaining: 5, ExpiresAt: noon().Add(-time.Hour), Zoneless: true}, ProductName: "PUBG Mobile", VariantName: "325 UC"}}, noon())},
		{"history_zoneless", p.Orders().History(screen.HistoryView{List: []api.Order{{ID: "7", VariantName: "110 gems", Price: dzd.Int(265), CreatedAt: noon(), Zoneless: true}}, Family: api.Arena, Offered: true})},
		{"history_arena", p.Orders().History(screen.HistoryView{List: past()[1:], Family: api.Arena, Offered: true})},
		{"history_second_page", p.Orders().History(screen.HistoryView{List: slices.Repeat(past()[:1], 20), Family: api.Goods, Page: 1, Offered: true})},
		{"past_order", p.Orders().PastOrder(past()[0], api.Goods, true)},
		{"past_order_long", p.Orders().PastOrder(api.Order{ID: "9002", ProductName: "PUBG Mobile", VariantName: "325 UC", Status: "completed", Code: secret.New(strings.Repeat("AAAA-1111-", 201)), CreatedAt: noon()}, api.Goods, true)},
		{"past_order_long_private", p.Orders().PastOrder(api.Order{ID: "9002", ProductName: "PUBG Mobile", VariantName: "325 UC", Status: "completed", Code: secret.New(strings.Repeat("AAAA-1111-", 201)), CreatedAt: noon()}, api.Goods, false)},
		{"past_order_in_parts", p.Orders().PastOrder(api.Order{ID: "9002", ProductName: "PUBG Mobile", VariantName: "325 UC", Status: "completed", Code: secret.New("key: AAAA-1111\npin: 0012"), Serial: secret.New("SN-7788-1"), CreatedAt: noon()}, api.Goods, true)},
		{"past_order_in_a_group", p.Orders().PastOrder(past()[0], api.Goods, false)},
		{"past_order_without_code", p.Orders().PastOrder(past()[1], api.Arena, true)},
		{"history_none", p.Orders().History(screen.HistoryView{Family: api.BattleRoyale, Offered: true})},
		{"history_not_offered", p.Orders().History(screen.HistoryView{Family: api.BattleRoyale})},
		{"history_hostile", p.Orders().History(screen.HistoryView{List: []api.Order{{ID: hostile(), ProductName: hostile(), VariantName: hostile(), Player: hostile(), Status: hostile(), Code: secret.New("AAAA-1111")}}, Family: api.Family(hostile()), Offered: true})},

		{"privacy", p.Privacy().Page()},
		{"forget_ask", p.Privacy().ForgetAsk()},
		{"forgotten", p.Privacy().Forgotten()},
		{"forget_nothing", p.Privacy().ForgetNothing()},
		{"forget_linked", p.Privacy().ForgetLinked(hostile())},
		{"forget_open", p.Privacy().ForgetOpen("JEMJ44")},
		{"forget_refund", p.Privacy().ForgetRefund("Boutique Amina")},
		{"forget_in_private", p.Privacy().ForgetInPrivate()},
		{"access_closed", p.Access().Closed()},
		{"access_too_fast", p.Access().TooFast()},
		{"access_open", p.Access().Page(screen.AccessView{})},
		{"access_invite_none", p.Access().Page(screen.AccessView{InviteOnly: true})},
		{"access_invite", p.Access().Page(screen.AccessView{InviteOnly: true, Chats: guests()[:3]})},
		{"access_pages", p.Access().Page(screen.AccessView{InviteOnly: true, Chats: slices.Concat(guests(), guests(), guests(), guests(), guests()), Page: 1})},
		{"access_hostile", p.Access().Page(screen.AccessView{InviteOnly: true, Chats: slices.Repeat([]screen.AccessChat{{ID: -1 << 63, Shop: hostile(), Name: hostile(), Role: store.Role(hostile())}}, 20), Page: -5})},
		{"access_ask_person", p.Access().ShutOutAsk(guests()[0], 0, 0)},
		{"access_ask_owner", p.Access().ShutOutAsk(guests()[0], 1, 0)},
		{"access_ask_shop", p.Access().ShutOutAsk(guests()[0], 4, 0)},
		{"access_ask_open_1", p.Access().ShutOutAsk(guests()[0], 0, 1)},
		{"access_ask_open_2", p.Access().ShutOutAsk(guests()[0], 0, 2)},
		{"access_ask_open_3", p.Access().ShutOutAsk(guests()[0], 0, 3)},
		{"access_ask_open_11", p.Access().ShutOutAsk(guests()[0], 0, 11)},
		{"key_of_outsider", p.Access().KeyOfOutsider()},
		{"key_of_removed", p.Keys().OfRemoved(hostile(), false)},
		{"access_ask_group", p.Access().ShutOutAsk(guests()[3], 0, 0)},
		{"access_shut_out", p.Access().Page(screen.AccessView{Out: 2})},
		{"access_out", p.Access().ShutOuts([]screen.AccessChat{{ID: 504, Name: "Lina"}, {ID: 505}, {ID: -700, Name: hostile()}}, 0)},
		{"access_out_none", p.Access().ShutOuts(nil, 3)},
		{"access_out_pages", p.Access().ShutOuts(slices.Repeat(guests(), 10), 1)},
		{"access_pass", p.Access().Pass("https://t.me/shop_bot?start=in_ABCDEFGHIJKLMNOPQRSTUVWXYZ", noon())},

		{"welcome_owner_locked", p.Home().Welcome("Amina", &screen.AccountView{Name: "Boutique Amina", Balance: wallet("1234.5"), Role: store.Owner, Locked: lock()})},
		{"welcome_seller", p.As(screen.ForSeller).Home().Welcome("Karim", &screen.AccountView{Name: "Boutique Amina", Balance: wallet("1234.5"), Role: store.Seller, Left: amount("3500")})},
		{"welcome_counter", p.As(screen.ForShop).Home().Welcome("Nadia", &screen.AccountView{Name: hostile(), Role: store.Counter})},
		{"welcome_group", p.As(screen.ForShop).Home().Welcome("Amina", &screen.AccountView{Name: "Boutique Amina", Role: store.Owner})},
		{"help_seller", p.As(screen.ForSeller).Home().Help(true, store.Seller, false, false)},
		{"help_counter", p.As(screen.ForShop).Home().Help(true, store.Counter, false, false)},
		{"help_group", p.As(screen.ForShop).Home().Help(true, store.Owner, true, false)},
		{"team", p.Team().Members(team())},
		{"team_alone", p.Team().Members(screen.TeamView{Account: "Boutique Amina", Members: team().Members[:1], Self: 1})},
		{"team_hostile", p.Team().Members(screen.TeamView{Account: hostile(), Members: slices.Repeat([]store.Member{{User: -1 << 63, Name: hostile(), Role: store.Role(hostile())}}, 30),
			Invites: 11, Place: &store.Place{Title: hostile(), Full: true}, Locked: &store.Lock{Name: hostile(), At: noon()}})},
		{"team_in_group", p.As(screen.ForShop).Places().TeamInGroup(store.Account{ID: "u4101", Name: "Boutique Amina"}, false)},
		{"team_in_its_group", p.As(screen.ForShop).Places().TeamInGroup(store.Account{ID: "u4101", Name: hostile(), Place: team().Place}, true)},
		{"invited", p.Team().Invited(screen.InvitedView{Account: "Boutique Amina", Role: store.Seller, Link: "https://t.me/shop_bot?start=AbCdEfGhIjKlMnOpQrStUv", Until: noon()})},
		{"invited_one", p.Team().Invited(screen.InvitedView{Account: hostile(), Role: store.Counter, Link: "https://t.me/shop_bot?start=AbCdEfGhIjKlMnOpQrStUv", Until: noon(), For: hostile()})},
		{"invite_pick", p.Team().Pick(store.Seller)},
		{"invite_pick_counter", p.Team().Pick(store.Counter)},
		{"invite_picked", p.Team().Picked(hostile())},
		{"invite_picked_member", p.Team().PickedMember("كريم")},
		{"invite_no_pick", p.Team().NoPick()},
		{"invite_pick_left", p.Team().PickLeft()},
		{"invite_bad", p.Team().InviteBad()},
		{"invite_member", p.Team().InviteMember(store.Counter)},
		{"joined_seller", p.Team().Joined("Boutique Amina", store.Seller)},
		{"joined_counter", p.Team().Joined(hostile(), store.Counter)},
		{"person_owner", p.Team().Person(team().Members[0], true, "2025-11-20")},
		{"person_seller", p.Team().Person(team().Members[1], false, "2025-11-20")},
		{"person_seller_free", p.Team().Person(store.Member{User: 9, Role: store.Seller, Since: noon()}, false, "2025-11-20")},
		{"person_counter", p.Team().Person(store.Member{User: 9, Name: hostile(), Role: store.Counter, Since: noon()}, false, "2025-11-20")},
		{"person_limit_purchase", p.Team().PersonLimit(team().Members[1], screen.LimitPurchase, screen.NoProblem)},
		{"person_limit_meant", p.Team().LimitMeant(team().Members[1], screen.LimitPurchase, dzd.Int(1_500))},
		{"person_limit_day", p.Team().PersonLimit(store.Member{User: 1<<63 - 1, Name: hostile()}, screen.LimitDay, screen.NotANumber)},
		{"person_owner_ask", p.Team().PersonOwner(team().Members[1])},
		{"person_out_ask", p.Team().PersonOut(store.Member{User: 9, Name: hostile()}, 0)}, {"person_out_till", p.Team().PersonOut(store.Member{User: 9, Name: "Karim"}, dinars(1380))},
		{"place", p.Places().Page(team().Place, false, "https://t.me/shop_bot?startgroup=shop")},
		{"place_out", p.Places().Page(new(topics(false)), true, "https://t.me/shop_bot?startgroup=shop")},
		{"place_none", p.Places().Page(nil, false, "https://t.me/shop_bot?startgroup=shop")},
		{"place_set", p.As(screen.ForShop).Places().Set("Boutique Amina", *team().Place)},
		{"place_topics", p.As(screen.ForShop).Places().Set("Boutique Amina", topics(false))}, {"place_topics_refused", p.Places().Page(new(topics(true)), false, "https://t.me/shop_bot?startgroup=shop")},
		{"place_set_full", p.As(screen.ForShopInFull).Places().Set("Boutique Amina", store.Place{Title: "Shop", Full: true})},
		{"place_ask_full", p.Places().AskFull(store.Place{Title: hostile()})},
		{"place_taken", p.Places().Taken()},
		{"place_off", p.As(screen.ForShop).Places().Off(store.Account{ID: "u4101", Name: "Boutique Amina"})},
		{"place_welcome", p.Places().Welcome()},
		{"place_unlinked", p.Places().GroupUnlinked()},
		{"by_reply", p.Catalogue().ByReply(p.Alerts().AlertMeant(store.LowBalance, dzd.Int(25000)))},
		{"place_unsure", p.Places().Unsure()}, {"place_apart", p.Places().Apart(true)}, {"place_ask_apart", p.Places().Apart(false)},
		{"place_ask_take", p.Places().AskTake("متجر أمينة", "mark")},
		{"not_of_team", p.Places().NotOfTeam("Boutique Amina")},
		{"not_allowed_stranger", p.Failures().NotAllowed(store.NoRole, store.Counter)},
		{"not_allowed_owner", p.Failures().NotAllowed(store.Seller, store.Owner)},
		{"not_allowed_counter", p.Failures().NotAllowed(store.Counter, store.Seller)},
		{"locked", p.Team().Locked("Boutique Amina", false)},
		{"locked_group", p.As(screen.ForShop).Team().Locked("Boutique Amina", false)},
		{"locked_busy", p.Team().Locked("Boutique Amina", true)},
		{"unlocked", p.As(screen.ForShop).Team().Unlocked("متجر أمينة")},
		{"failure_key_seller", p.As(screen.ForSeller).Failures().Failure(&api.Error{Class: api.Unauthorized}, screen.Action{Verb: screen.VerbBalance})},

		{"languages", p.Home().Languages("fr")},
		{"languages_unknown", p.Home().Languages("")},
		{"language_set", p.Home().LanguageSet()},
		{"cancelled", p.Home().Cancelled()},
		{"cancelled_question", p.Home().Left()},
		{"nothing_to_cancel", p.Home().NothingToCancel()},
		{"unknown_command", p.Home().UnknownCommand("stat")},
		{"unknown_command_hostile", p.Home().UnknownCommand("<b>&" + strings.Repeat("x", 300))},

		{"failure_internal", p.Failures().Failure(&api.Error{Class: api.Internal}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_unauthorized", p.Failures().Failure(&api.Error{Class: api.Unauthorized}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_ip", p.Failures().Failure(&api.Error{Class: api.IPBlocked}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_ip_named", p.Failures().Failure(&api.Error{Class: api.IPBlocked, Address: netip.MustParseAddr("2001:db8::7")}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_ip_seller", p.As(screen.ForSeller).Failures().Failure(&api.Error{Class: api.IPBlocked, Address: netip.MustParseAddr("203.0.113.7")}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_funds", p.Failures().Failure(&api.Error{Class: api.Funds}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_out_of_stock", p.Failures().Failure(&api.Error{Class: api.OutOfStock}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_invalid", p.Failures().Failure(&api.Error{Class: api.Invalid}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_not_found", p.Failures().Failure(&api.Error{Class: api.NotFound}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_limited", p.Failures().Failure(&api.Error{Class: api.Limited, RetryAfter: 400 * time.Millisecond}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_limited_1", p.Failures().Failure(&api.Error{Class: api.Limited, RetryAfter: time.Second}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_limited_2", p.Failures().Failure(&api.Error{Class: api.Limited, RetryAfter: 1600 * time.Millisecond}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_limited_60", p.Failures().Failure(&api.Error{Class: api.Limited, RetryAfter: time.Minute}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_upstream", p.Failures().Failure(&api.Error{Class: api.Upstream, RetryAfter: time.Minute}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_not_offered", p.Failures().Failure(&api.Error{Class: api.NotOffered}, screen.Action{Verb: screen.VerbBalance})},
		{"failure_of_a_kind_to_come", p.Failures().Failure(&api.Error{Class: api.Class(200), RetryAfter: time.Minute}, screen.Action{Verb: screen.VerbBalance})},

		{"products_empty", p.Catalogue().Products(nil, 0, "")},
		{"products_none_found", p.Catalogue().Products(nil, 0, hostile())},
		{"products_one", p.Catalogue().Products(catalogue(1), 0, "")},
		{"products_found", p.Catalogue().Products(catalogue(2), 0, "pubg")},
		{"products_full_page", p.Catalogue().Products(catalogue(8), 0, "")},
		{"products_first_page", p.Catalogue().Products(catalogue(20), 0, "")},
		{"products_middle_page", p.Catalogue().Products(catalogue(20), 1, "ببجي")},
		{"products_last_page", p.Catalogue().Products(catalogue(20), 2, "")},
		{"products_beyond_the_last", p.Catalogue().Products(catalogue(5000), 1<<40, "")},
		{"products_before_the_first", p.Catalogue().Products(catalogue(5000), -1, "")},
		{"products_hostile", p.Catalogue().Products([]api.Product{{ID: -1 << 63, Name: hostile()}, {ID: 1<<63 - 1, Name: "A & B's <3"}}, 0, hostile())},

		{"variants", p.Catalogue().Variants(pubg(), 0)},
		{"variants_long", p.Catalogue().Variants(wordy(), 0)},
		{"about", p.Catalogue().About(wordy())},
		{"categories", p.Catalogue().Categories(screen.CategoriesOf([]api.Product{{ID: 1, Name: "PSN", CategoryID: 3}, {ID: 2, Name: "Xbox", CategoryID: 3}, {ID: 3, Name: "بطاقة", CategoryID: 3}, {ID: 4, Name: hostile(), CategoryID: -5}, {ID: 5, Name: "Other"}}))},
		{"in_category", p.Catalogue().InCategory(screen.CategoriesOf([]api.Product{{ID: 1, Name: "PSN", CategoryID: 3}, {ID: 2, Name: "Xbox", CategoryID: 3}})[0], 0)},
		{"variants_none", p.Catalogue().Variants(api.Product{ID: 1, Name: "Netflix"}, 0)},
		{"variants_middle_page", p.Catalogue().Variants(withVariants(20), 1)},
		{"variants_hostile", p.Catalogue().Variants(api.Product{ID: -1 << 63, Name: hostile(), Description: hostile() + "\n\n" + hostile(), Variants: []api.Variant{
			{ID: -1 << 63, Name: hostile(), Price: dzd.Must("99999999.99"), Available: true}, {ID: 1<<63 - 1, Price: dzd.Int(0), Available: true}}}, 0)},

		{"quantity", p.Catalogue().Quantity(pubg(), uc(), room(500), 0, screen.NoProblem)},
		{"quantity_for_a_player", p.Catalogue().Quantity(api.Product{Name: "PUBG Mobile", RequiresInput: true, Inputs: []api.Input{{Index: "0", Label: "Player ID"}}}, uc(), room(500), 0, screen.NoProblem)},
		{"quantity_stock", p.Catalogue().Quantity(pubg(), api.Variant{Name: "60 UC", Price: dzd.Must("250.5"), InStock: 12345}, room(12), 0, screen.NoProblem)},
		{"quantity_allocation", p.Catalogue().Quantity(pubg(), api.Variant{Name: "60 UC", Price: dzd.Must("250.5"), InStock: 9, Stock: &api.ClientStock{Allocated: 50, Remaining: 1}}, room(1), 0, screen.NoProblem)},
		{"quantity_not_a_number", p.Catalogue().Quantity(pubg(), uc(), room(4), 0, screen.NotANumber)},
		{"quantity_no_number", p.Catalogue().Quantity(pubg(), uc(), room(4), 0, screen.NoNumber)}, {"quantity_odd", p.Catalogue().OddQuantity()}, {"picture_unread", p.Home().NoPicture()},
		{"quantity_too_small", p.Catalogue().Quantity(pubg(), uc(), room(4), 0, screen.TooSmall)},
		{"search_near", p.Catalogue().NoProduct([]api.Product{pubg(), {ID: 9, Name: hostile()}}, "pbug <b>")},
		{"quantity_none", p.Catalogue().NoQuantity(true)}, {"quantity_too_large", p.Catalogue().NoQuantity(false)},
		{"search_nothing", p.Catalogue().NoProduct(nil, "pbug")},
		{"quantity_too_many", p.Catalogue().Quantity(pubg(), uc(), room(500), 0, screen.TooMany)},
		{"quantity_as_of", p.AsOf(noon().Add(-5*time.Minute)).Catalogue().Quantity(pubg(), uc(), room(3), 0, screen.NoProblem)},
		{"quantity_too_dear", p.Catalogue().Quantity(pubg(), uc(), screen.Room{Most: 500, Payable: 13, Available: dzd.Must("3300")}, 20, screen.TooDear)},
		{"quantity_too_dear_seller", p.As(screen.ForSeller).Catalogue().Quantity(pubg(), uc(), screen.Room{Most: 500, Payable: 13, Available: dzd.Must("3300")}, 20, screen.TooDear)},
		{"quantity_short", p.Catalogue().Quantity(pubg(), uc(), screen.Room{Most: 500, Available: dzd.Must("-3")}, 0, screen.NoProblem)},
		{"quantity_short_seller", p.As(screen.ForSeller).Catalogue().Quantity(pubg(), uc(), screen.Room{Most: 500, Available: dzd.Must("3")}, 5, screen.TooDear)},
		{"quantity_expired", p.Catalogue().Quantity(pubg(), api.Variant{Name: "60 UC", Price: dzd.Must("250.5"), InStock: 9, Stock: &api.ClientStock{Allocated: 50, Remaining: 40, ExpiresAt: noon().Add(-time.Hour)}}, room(9), 0, screen.NoProblem)},
		{"quantity_hostile", p.Catalogue().Quantity(api.Product{Name: hostile()}, api.Variant{Name: hostile(), Price: dzd.Must("999999999999.9999"), InStock: 1 << 62}, room(100), 0, screen.NoProblem)},

		{"ask", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID", Hint: "9 or 10 digits"}, 1, 1, nil, screen.NoProblem)},
		{"ask_server", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: " server ", Options: []string{"Europe"}}, 1, 1, nil, screen.NoProblem)},
		{"ask_unknown_id", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, nil, screen.NoSuchID)},
		{"ask_refused", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, nil, screen.Refused)},
		{"ask_arena", p.Catalogue().Ask(api.Product{Name: "Arena", Family: api.Arena}, uc(), api.Input{Required: true, Index: api.PlayerInput}, 1, 1, nil, screen.NoProblem)},
		{"ask_recent", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, []store.Player{player(), {ID: "5123456789"}, {ID: "1", Name: "لاعب"}, player(), player()}, screen.NoProblem)},
		{"ask_recent_hostile", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, []store.Player{hostilePlayer()}, screen.NoProblem)},
		{"ask_step", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "1", Label: "معرّف اللاعب"}, 2, 3, nil, screen.NoProblem)},
		{"ask_options", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Server", Options: []string{"Europe", "Middle East", "الشرق الأوسط"}}, 1, 1, nil, screen.NotAnOption)},
		{"ask_optional", p.Catalogue().Ask(pubg(), uc(), api.Input{Index: "0", Label: "Server"}, 2, 2, nil, screen.NoProblem)},
		{"ask_labels", p.Catalogue().Ask(pubg(), uc(), api.Input{Index: "0", Label: "Server", Options: []string{"3", "4"}, Labels: []string{"Europe", ""}}, 1, 1, nil, screen.NoProblem)},
		{"ask_many_options", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Server", Options: slices.Repeat([]string{"Server"}, 500)}, 1, 1, nil, screen.NoProblem)},
		{"ask_unnamed", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "zone_id", Label: "\u200b"}, 1, 2, nil, screen.NoProblem)},
		{"ask_empty", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, nil, screen.Empty)},
		{"ask_too_long", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, nil, screen.TooLong)},
		{"ask_no_player", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, nil, screen.NoPlayer)},
		{"ask_which_player", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, []store.Player{{ID: "51234567", Name: "Ali"}, {ID: "51234568", Name: "Ali"}}, screen.WhichPlayer)},
		{"ask_this_player", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, []store.Player{{ID: "51234567", Name: "Ali"}}, screen.ThisPlayer)},
		{"ask_not_matching", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, nil, screen.NotMatching)},
		{"ask_hostile", p.Catalogue().Ask(api.Product{Name: hostile()}, api.Variant{Name: hostile()}, api.Input{Required: true, Index: hostile(), Label: hostile(), Hint: hostile(), Options: []string{hostile()}}, 1, 2, nil, screen.NoProblem)},

		{"summary", p.Purchases().Summary(bought(store.Drafted, 1), wallet("5000"), nil)},
		{"summary_lacks", p.Purchases().Summary(bought(store.Drafted, 1), late("5000", "1250.5"), nil)},
		{"summary_for", p.Purchases().For("Ali Ben").Summary(with(bought(store.Drafted, 1), topup(player())), wallet("5000"), nil)},
		{"summary_for_hostile", p.Purchases().For(hostile()).Summary(bought(store.Drafted, 1), wallet("5000"), nil)},
		{"summary_inputs", p.Purchases().Summary(with(bought(store.Drafted, 3), answered), wallet("3751.50"), nil)},
		{"summary_same_price", p.Purchases().Summary(bought(store.Drafted, 1), wallet("5000"), amount("1250.50"))},
		{"summary_price_changed", p.Purchases().Summary(bought(store.Drafted, 1), wallet("5000"), amount("1199.99"))},
		{"summary_short", p.Purchases().Summary(bought(store.Drafted, 10), wallet("0.01"), nil)},
		{"summary_balance_unknown", p.Purchases().Summary(bought(store.Drafted, 1), screen.BalanceView{}, nil)},
		{"summary_free", p.Purchases().Summary(with(bought(store.Drafted, 1), func(pu *store.Purchase) { pu.Price, pu.Total = dzd.Int(0), dzd.Int(0) }), wallet("0"), nil)},
		{"summary_hostile", p.Purchases().Summary(with(bought(store.Drafted, 500), hostileTexts), wallet("999999999999.9999"), amount("0.0001"))},

		{"summary_player", p.Purchases().Summary(with(bought(store.Drafted, 1), topup(player())), wallet("5000"), nil)},
		{"summary_player_changed", p.Purchases().Summary(with(bought(store.Drafted, 1), topup(changedPlayer())), wallet("5000"), nil)},
		{"summary_player_unknown", p.Purchases().Summary(with(bought(store.Drafted, 1), topup(store.Player{ID: "5123456789", Status: store.PlayerUnknown})), wallet("5000"), nil)},
		{"summary_player_unchecked", p.Purchases().Summary(with(bought(store.Drafted, 1), topup(store.Player{ID: "5123456789", Status: store.PlayerUnchecked})), wallet("5000"), nil)},
		{"summary_player_hostile", p.Purchases().Summary(with(bought(store.Drafted, 1), topup(hostilePlayer())), wallet("5000"), nil)},
		{"summary_manual", p.Purchases().Summary(with(bought(store.Drafted, 1), func(pu *store.Purchase) { pu.Manual = true }), wallet("5000"), nil)},
		{"topups", p.Catalogue().Topups(catalogue(3), 0)},
		{"topups_none", p.Catalogue().Topups(nil, 0)},
		{"topups_middle_page", p.Catalogue().Topups(catalogue(20), 1)},
		{"topups_hostile", p.Catalogue().Topups([]api.Product{{ID: -1 << 63, Name: hostile()}}, -1)},
		{"look", p.Catalogue().ReviewInputs(pubg(), uc(), []store.Answer{{Index: "0", Label: "Player ID", Value: "5123456789"}}, &store.Player{ID: "5123456789", Status: store.PlayerUnknown})},
		{"look_hostile", p.Catalogue().ReviewInputs(api.Product{Name: hostile()}, api.Variant{Name: hostile()}, []store.Answer{{Index: hostile(), Value: hostile()}}, new(hostilePlayer()))},
		{"repeat", p.Catalogue().Repeat(with(bought(store.Settled, 1), answered), 0)},
		{"repeat_minutes_1", p.At(noon().Add(time.Minute)).Catalogue().Repeat(with(bought(store.Settled, 1), answered), 0)},
		{"repeat_minutes_3", p.At(noon().Add(3*time.Minute+59*time.Second)).Catalogue().Repeat(with(bought(store.Settled, 1), answered), 0)},
		{"repeat_minutes_11", p.At(noon().Add(11*time.Minute)).Catalogue().Repeat(with(bought(store.Settled, 1), answered), 0)},
		{"repeat_of_last_year", p.At(noon().AddDate(0, 2, 0)).Catalogue().Repeat(with(bought(store.Settled, 1), answered), 0)},
		{"repeat_of_another", p.Catalogue().Repeat(soldBy("كريم", with(bought(store.Queued, 1), answered)), 9)},
		{"repeat_uncertain", p.Catalogue().Repeat(soldBy("Karim", with(bought(store.Unknown, 1), answered)), 9)},
		{"summary_once_more", p.Purchases().Summary(with(with(bought(store.Drafted, 1), answered), told), wallet("5000"), nil)},
		{"request_once_more", p.Approvals().Request(with(asked(), told), nil, wallet("5000"))},
		{"ask_ten_digits", p.Catalogue().Ask(pubg(), uc(), api.Input{Required: true, Index: "0", Label: "Player ID"}, 1, 1, nil, screen.TenDigits)},
		{"repeat_refused", p.Catalogue().Repeat(with(bought(store.Rejected, 1), answered), 0)},
		{"repeat_undecided", p.Catalogue().Repeat(with(bought(store.Undecided, 1), answered), 0)},
		{"held", p.Purchases().Held(with(bought(store.Rejected, 1), evidence("unclear")), noon().Add(7*time.Second), time.Time{})},
		{"held_by", p.Purchases().Held(with(bought(store.Rejected, 1), evidence("unclear")), time.Time{}, noon())},
		{"held_seller", p.As(screen.ForSeller).Purchases().Held(with(bought(store.Rejected, 1), evidence("unclear")), noon(), time.Time{})},
		{"held_hostile", p.Purchases().Held(with(bought(store.Rejected, 1), hostileTexts), time.Time{}, time.Time{})},
		{"repeat_hostile", p.Catalogue().Repeat(with(with(bought(store.Settled, 1), hostileTexts), topup(hostilePlayer())), 0)},
		{"check_failed", p.Failures().CheckFailed(&api.Error{Class: api.Upstream})},
		{"check_failed_limited", p.Failures().CheckFailed(&api.Error{Class: api.Limited, RetryAfter: 7 * time.Second})},

		{"status_queued", p.Purchases().Status(bought(store.Queued, 1), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_line_behind", p.Purchases().Status(with(bought(store.Queued, 1), inLine), nil, screen.BalanceView{}, store.QueuePlace{Ahead: 2, Behind: held("PUBG Mobile")})},
		{"status_line_behind_seller", p.As(screen.ForSeller).Purchases().Status(with(bought(store.Queued, 1), inLine), nil, screen.BalanceView{}, store.QueuePlace{Ahead: 1, Behind: held("بطاقة")})},
		{"status_line_behind_hostile", p.Purchases().Status(with(bought(store.Queued, 1), inLine), nil, screen.BalanceView{}, store.QueuePlace{Ahead: 1, Behind: held(hostile())})},
		{"status_unknown_holds_1", p.Purchases().Status(*held("PUBG Mobile"), nil, screen.BalanceView{}, store.QueuePlace{Waiting: 1})},
		{"status_unknown_holds_2", p.Purchases().Status(*held("PUBG Mobile"), nil, screen.BalanceView{}, store.QueuePlace{Waiting: 2})},
		{"status_unknown_holds_3_seller", p.As(screen.ForSeller).Purchases().Status(*held("PUBG Mobile"), nil, screen.BalanceView{}, store.QueuePlace{Waiting: 3})},
		{"status_unknown_holds_11_group", p.As(screen.ForShop).Purchases().Status(*held("PUBG Mobile"), nil, screen.BalanceView{}, store.QueuePlace{Waiting: 11})},
		{"status_undecided_unlooked", p.Purchases().Status(bought(store.Undecided, 1), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_waited", p.Purchases().Status(with(bought(store.Dropped, 1), over("waited")), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_outage", p.Purchases().Status(with(bought(store.Dropped, 1), over("outage")), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"ping_outage", p.Codes().Ping(with(bought(store.Dropped, 1), over("outage")), nil)},
		{"status_no_answer", p.Purchases().Status(with(with(bought(store.Queued, 1), inLine), func(pu *store.Purchase) { pu.Reason = store.ReasonOutage }), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_held", p.Purchases().Status(with(bought(store.Dropped, 1), over("held")), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"ping_waited", p.Codes().Ping(with(bought(store.Dropped, 1), over("waited")), nil)},
		{"status_line_1", p.Purchases().Status(bought(store.Queued, 1), nil, screen.BalanceView{}, store.QueuePlace{Ahead: 1})},
		{"status_line_2", p.Purchases().Status(bought(store.Queued, 1), nil, screen.BalanceView{}, store.QueuePlace{Ahead: 2})},
		{"status_line_10", p.Purchases().Status(bought(store.Queued, 1), nil, screen.BalanceView{}, store.QueuePlace{Ahead: 10})},
		{"status_line_11", p.Purchases().Status(bought(store.Queued, 1), nil, screen.BalanceView{}, store.QueuePlace{Ahead: 11})},
		{"status_line_100", p.Purchases().Status(bought(store.Queued, 1), nil, screen.BalanceView{}, store.QueuePlace{Ahead: 100})},
		{"status_submitting", p.Purchases().Status(with(bought(store.Submitting, 2), answered), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_accepted", p.Purchases().Status(bought(store.Accepted, 1), made(""), screen.BalanceView{}, store.QueuePlace{})},
		{"status_accepted_none_ready", p.Purchases().Status(bought(store.Accepted, 2), made("", ""), screen.BalanceView{}, store.QueuePlace{})},
		{"status_accepted_some_ready", p.Purchases().Status(bought(store.Accepted, 3), made("AAAA-1111", "", "CCCC-3333"), screen.BalanceView{}, store.QueuePlace{})},
		{"status_settled", p.Purchases().Status(bought(store.Settled, 1), made("AAAA-1111-BBBB"), screen.BalanceView{}, store.QueuePlace{})},
		{"status_settled_many", p.Purchases().Status(bought(store.Settled, 10), made(codes(10)...), screen.BalanceView{}, store.QueuePlace{})},
		{"status_settled_odd_codes", p.Purchases().Status(bought(store.Settled, 3), made(`<b>&"'`, "رمز 12-34", strings.Repeat("X", 257)), screen.BalanceView{}, store.QueuePlace{})},
		{"status_settled_without_code", p.Purchases().Status(with(bought(store.Settled, 1), answered), made(done), screen.BalanceView{}, store.QueuePlace{})},
		{"status_settled_again", p.Purchases().Status(with(bought(store.Settled, 1), maybeSent), made("AAAA-1111"), screen.BalanceView{}, store.QueuePlace{})},
		{"status_accepted_manual", p.Purchases().Status(with(bought(store.Accepted, 1), func(pu *store.Purchase) { pu.Manual = true }), made(""), screen.BalanceView{}, store.QueuePlace{})},
		{"status_accepted_notes", p.Purchases().Status(with(bought(store.Accepted, 1), func(pu *store.Purchase) { pu.Manual = true }), each(made(""), func(o *store.Order) { o.Notes = secret.New("Opens at 14:00 <b>") }), screen.BalanceView{}, store.QueuePlace{})},
		{"status_accepted_unrecognized", p.Purchases().Status(bought(store.Accepted, 2), each(made("", ""), unrecognized("on_hold <b>")), screen.BalanceView{}, store.QueuePlace{})},
		{"status_topup", p.Purchases().Status(with(bought(store.Accepted, 1), topup(player())), made(""), screen.BalanceView{}, store.QueuePlace{})},
		{"status_answers", p.Purchases().Status(with(bought(store.Accepted, 1), func(pu *store.Purchase) {
			pu.Inputs = []store.Answer{{Index: "1", Label: "Server", Value: "3", Shown: "Europe"}, {Index: "2", Label: "Guild"}, {Index: "3", Label: "Level", Value: "9"}}
		}), made(""), screen.BalanceView{}, store.QueuePlace{})},
		{"status_personal", p.Purchases().Status(with(bought(store.Accepted, 1), personal(player())), made(""), screen.BalanceView{}, store.QueuePlace{})},
		{"status_personal_done", p.Purchases().Status(with(bought(store.Settled, 1), personal(player())), each(made(done), credited), screen.BalanceView{}, store.QueuePlace{})},
		{"status_personal_units", p.Purchases().Status(with(bought(store.Accepted, 3), personal(player())), each(made(done, done, failed), credited), screen.BalanceView{}, store.QueuePlace{})},
		{"status_personal_code", p.Purchases().Status(with(bought(store.Settled, 1), personal(player())), each(made("AAAA-1111"), credited), screen.BalanceView{}, store.QueuePlace{})},
		{"status_topup_done", p.Purchases().Status(with(bought(store.Settled, 1), topup(player())), made(done), screen.BalanceView{}, store.QueuePlace{})},
		{"status_no_code", p.Purchases().Status(bought(store.Settled, 1), each(made(done), func(o *store.Order) { o.Late = true }), screen.BalanceView{}, store.QueuePlace{})},
		{"status_notes", p.Purchases().Status(bought(store.Settled, 2), each(made("AAAA-1111", done), noted("login: amina <b>")), screen.BalanceView{}, store.QueuePlace{})},
		{"status_partly", p.Purchases().Status(bought(store.Settled, 3), each(made("AAAA-1111", failed, "CCCC-3333"), refund(store.RefundSeen)), wallet("1250.5"), store.QueuePlace{})},
		{"status_partly_refunding", p.Purchases().Status(bought(store.Accepted, 2), each(made("AAAA-1111", failed), refund(store.RefundWaiting)), wallet("1250.5"), store.QueuePlace{})},
		{"status_failed", p.Purchases().Status(bought(store.Settled, 1), each(made(failed), refund(store.RefundSeen)), wallet("5000"), store.QueuePlace{})},
		{"status_failed_followed", p.Purchases().Status(bought(store.Settled, 1), each(each(made(failed), refund(store.RefundSeen)), followed), wallet("5000"), store.QueuePlace{})},
		{"status_failed_balance_unknown", p.Purchases().Status(bought(store.Settled, 2), each(made(failed, failed), refund(store.RefundSeen)), screen.BalanceView{}, store.QueuePlace{})},
		{"status_refunding", p.Purchases().Status(bought(store.Accepted, 2), each(made(failed, failed), refund(store.RefundWaiting)), wallet("5000"), store.QueuePlace{})},
		{"status_refund_beyond_reason", p.Purchases().Status(with(bought(store.Accepted, 2), func(pu *store.Purchase) { pu.Price = dzd.Must("999999999999.9999") }), each(made(failed, failed), refund(store.RefundWaiting)), screen.BalanceView{}, store.QueuePlace{})},
		{"status_refund_charged", p.Purchases().Status(chargedOther(bought(store.Settled, 3)), each(each(made("AAAA-1111", failed, failed), refund(store.RefundSeen)), priced("1900")), wallet("5000"), store.QueuePlace{})},
		{"status_refund_in_part", p.Purchases().Status(bought(store.Accepted, 1), each(each(made(failed), refund(store.RefundMissing)), came("1200")), wallet("5000"), store.QueuePlace{})},
		{"status_refund_missing", p.Purchases().Status(bought(store.Accepted, 1), each(made(failed), refund(store.RefundMissing)), wallet("5000"), store.QueuePlace{})},
		{"status_closed", p.Purchases().Status(bought(store.Settled, 1), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_file_coming", p.Purchases().Status(bought(store.Accepted, 500), made(codes(500)...), screen.BalanceView{}, store.QueuePlace{})},
		{"status_file_none_ready", p.Purchases().Status(bought(store.Accepted, 11), made(slices.Repeat([]string{""}, 11)...), screen.BalanceView{}, store.QueuePlace{})},
		{"status_files_sent", p.Purchases().Status(with(bought(store.Settled, 500), func(pu *store.Purchase) { pu.Told.Document, pu.Told.Filed = true, "1-6;7-500" }), made(codes(500)...), screen.BalanceView{}, store.QueuePlace{})},
		{"status_file_sent", p.Purchases().Status(with(bought(store.Settled, 500), func(pu *store.Purchase) { pu.Told.Document = true }), made(codes(500)...), screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_funds", p.Purchases().Status(refused("funds", nil), nil, wallet("1000"), store.QueuePlace{})},
		{"status_rejected_funds_seller", p.As(screen.ForSeller).Purchases().Status(refused("funds", nil), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_funds_unknown", p.Purchases().Status(refused("funds", nil), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_out_of_stock", p.Purchases().Status(refused("out_of_stock", nil), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_invalid", p.Purchases().Status(refused("invalid", nil), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_key", p.Purchases().Status(refused(api.Unauthorized.String(), nil), nil, wallet("1000"), store.QueuePlace{})},
		{"status_rejected_least", p.Purchases().Status(with(refused("invalid", map[string][]string{"quantity": {"The quantity must be at least 10."}}), answered), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_known_fields", p.Purchases().Status(with(refused("invalid", map[string][]string{"player_id": {"The player id must be 10 digits."}, "quantity": {"at least 1."}, "link": {"required"}, "0": {"<b>"}, "zzz": {"x"}}), answered), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_fields", p.Purchases().Status(refused("invalid", map[string][]string{"player_id": {"must be 9 digits", "is required"}, "zone": nil}), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_limited", p.Purchases().Status(refused("limited", nil), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_rejected_of_a_kind_to_come", p.Purchases().Status(refused("vacation", nil), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_unknown", p.Purchases().Status(bought(store.Unknown, 2), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_undecided", p.Purchases().Status(bought(store.Undecided, 2), nil, wallet("1000"), store.QueuePlace{})},
		{"status_undecided_rows", p.Purchases().Status(with(bought(store.Undecided, 2), evidence("shared", "8", "9")), nil, wallet("1000"), store.QueuePlace{})},
		{"status_undecided_unread", p.Purchases().Status(with(with(bought(store.Undecided, 1), evidence("unclear")), unread), nil, wallet("1000"), store.QueuePlace{})},
		{"status_undecided_unlisted", p.Purchases().Status(with(with(bought(store.Undecided, 1), topup(player())), evidence("unknown")), nil, wallet("1000"), store.QueuePlace{})},
		{"status_doubted_by_money", p.Purchases().Status(with(with(bought(store.Undecided, 1), evidence("money gone")), func(pu *store.Purchase) { pu.Evidence.Known, pu.Evidence.Paid = false, true }), nil, wallet("1000"), store.QueuePlace{})},
		{"status_twice", p.Purchases().Status(more(store.Twice), nil, wallet("1000"), store.QueuePlace{})},
		{"why_twice", p.Uncertain().Why(more(store.Twice))},
		{"status_rest", p.Purchases().Status(more(store.Rest), nil, wallet("1000"), store.QueuePlace{})},
		{"status_twice_owner_asked", p.As(screen.ForShop).Purchases().Status(more(store.Twice), nil, wallet("1000"), store.QueuePlace{})},
		{"choose_one", p.Uncertain().Choose(choice(1, 1))},
		{"choose_two", p.Uncertain().Choose(choice(1, 2))},
		{"choose_some", p.Uncertain().Choose(choice(3, 4))},
		{"choose_some_marked", p.Uncertain().Choose(marked(choice(3, 4), "5"))},
		{"choose_all_of_some", p.Uncertain().Choose(choice(3, 2))},
		{"choose_many", p.Uncertain().Choose(choice(1, 11))},
		{"choose_very_many", p.Uncertain().Choose(choice(100, 100))},
		{"choose_none", p.Uncertain().Choose(choice(1, 0))},
		{"choose_taken", p.Uncertain().Choose(taken(choice(1, 0)))},
		{"choose_named", p.Uncertain().Choose(ofAnswer(choice(1, 2)))},
		{"choose_renamed", p.Uncertain().Choose(renamed(choice(1, 1), 1))},
		{"choose_renamed_beside", p.Uncertain().Choose(renamed(choice(3, 2), 1))},
		{"choose_zoneless", p.Uncertain().Choose(zoneless(choice(1, 2)))},
		{"choose_hostile", p.Uncertain().Choose(hostileChoice())},
		{"choose_unread", p.Uncertain().ChooseUnread(bought(store.Undecided, 1), true)},
		{"choose_no_list", p.Uncertain().ChooseUnread(with(bought(store.Undecided, 2), hostileTexts), false)},
		{"choose_none_of_these", p.Uncertain().NoneOfThese(with(bought(store.Undecided, 1), evidence("shared", "8")))},
		{"choose_none_of_these_hostile", p.Uncertain().NoneOfThese(with(with(bought(store.Undecided, 2), hostileTexts), evidence("money gone")))},
		{"choose_sure_gone", sureNot(p, with(bought(store.Undecided, 1), evidence("money gone")))},
		{"choose_sure_rows", sureNot(p, with(bought(store.Undecided, 1), evidence("shared", "8")))},
		{"choose_sure_beside", sureNot(p, with(with(bought(store.Undecided, 1), evidence("unclear")), beside))},
		{"choose_sure_lacks", sureNot(p, with(with(bought(store.Undecided, 1), evidence("unclear")), lacks))},
		{"choose_sure_hostile", sureNot(p, with(with(bought(store.Undecided, 2), hostileTexts), evidence("shared", "8")))},
		{"status_dismissed_by_me", p.For(7).Purchases().Status(with(bought(store.NotCreated, 1), word(false, "Sam")), nil, wallet("1000"), store.QueuePlace{})},
		{"status_dismissed_gone", p.For(8).Purchases().Status(with(with(bought(store.NotCreated, 1), word(false, "Sam")), func(pu *store.Purchase) { pu.Word.Gone = true }), nil, wallet("1000"), store.QueuePlace{})},
		{"status_dismissed_seller", p.As(screen.ForSeller).Purchases().Status(with(bought(store.NotCreated, 1), word(false, "")), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_dismissed_hostile", p.Purchases().Status(with(bought(store.NotCreated, 1), word(false, hostile())), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_closed_by", p.For(8).Purchases().Status(with(bought(store.Settled, 1), word(true, "Sam")), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_doubted_by_me", p.For(7).Purchases().Status(with(bought(store.Undecided, 1), doubtedWord), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_doubted_by", p.For(8).Purchases().Status(with(bought(store.Undecided, 1), doubtedWord), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_doubted_by_seller", p.As(screen.ForSeller).For(9).Purchases().Status(with(bought(store.Undecided, 1), doubtedWord), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"why_set_aside", p.For(7).Uncertain().Why(with(with(bought(store.NotCreated, 1), evidence("traces")), setAside))},
		{"why_set_aside_by", p.For(8).Uncertain().Why(with(with(bought(store.NotCreated, 1), evidence("traces")), setAside))},
		{"repeat_dismissed", p.Catalogue().Repeat(with(bought(store.NotCreated, 1), word(false, "Sam")), 0)},
		{"repeat_doubted_item", p.Catalogue().Repeat(bought(store.Undecided, 1), 0)},
		{"status_undecided_besides", p.Purchases().Status(with(with(bought(store.Undecided, 1), evidence("unclear")), func(pu *store.Purchase) { pu.Evidence.Others = dzd.Int(-700) }), nil, wallet("1000"), store.QueuePlace{})},
		{"status_undecided_others", p.Purchases().Status(with(with(bought(store.Undecided, 1), evidence("unclear")), func(pu *store.Purchase) { pu.Evidence.Others = dzd.Int(-200) }), nil, wallet("1000"), store.QueuePlace{})},
		{"status_unknown_until_seller", p.As(screen.ForSeller).Purchases().Status(with(bought(store.Unknown, 2), func(pu *store.Purchase) { pu.DecideBy = noon() }), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"why_money_gone_unread", p.Uncertain().Why(with(with(bought(store.Undecided, 1), evidence("money gone")), func(pu *store.Purchase) { pu.Evidence.Listed = false }))},
		{"choose_decided", p.Uncertain().Decided(bought(store.Accepted, 1))},
		{"orders_closed", p.Orders().List(screen.OrdersView{List: []screen.Bought{{Purchase: bought(store.Settled, 1)}, {Purchase: with(bought(store.Settled, 2), ordered), Orders: made("ABCD-1111", "")}}, Linked: true})},
		{"status_undecided_traces", p.Purchases().Status(with(bought(store.Undecided, 2), evidence("traces")), nil, wallet("1000"), store.QueuePlace{})},
		{"status_undecided_money", p.Purchases().Status(with(bought(store.Undecided, 2), evidence("money gone")), nil, wallet("1000"), store.QueuePlace{})},
		{"status_unknown_until", p.Purchases().Status(with(bought(store.Unknown, 2), func(pu *store.Purchase) { pu.DecideBy = noon() }), nil, wallet("1000"), store.QueuePlace{})},
		{"again_found", p.Purchases().Again(with(bought(store.Settled, 1), evidence("rows", "8")), made("AAAA-1111"), store.QueuePlace{})},
		{"status_restored", p.Purchases().Status(with(dropped(store.Restored), func(pu *store.Purchase) { pu.QueuedAt = noon() }), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_frozen", p.Purchases().Status(with(dropped("frozen"), func(pu *store.Purchase) { pu.QueuedAt = noon() }), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"alerts", p.Alerts().List(lines())},
		{"alerts_none", p.Alerts().List(store.Alerts{})},
		{"alert_balance", p.Alerts().Alert(store.LowBalance, lines().Thresholds[store.LowBalance], screen.NoProblem)},
		{"alert_meant", p.Alerts().AlertMeant(store.LowBalance, dzd.Int(25_000))},
		{"alert_days", p.Alerts().Alert(store.DaysLeft, lines().Thresholds[store.DaysLeft], screen.NotANumber)},
		{"alert_stock", p.Alerts().Alert(store.LowStock, store.Threshold{}, screen.NoProblem)},
		{"alert_expiry", p.Alerts().Alert(store.Expiry, lines().Thresholds[store.Expiry], screen.NoProblem)},
		{"alert_debit", p.Alerts().Alert(store.Debit, lines().Thresholds[store.Debit], screen.NoProblem)},
		{"quiet", p.Alerts().Quiet(lines().Quiet)},
		{"sounds", p.Alerts().Sounds(store.Alerts{Chat: 7, Quiet: store.Hours{From: 22, To: 7}, Hearings: map[store.Subject]store.Hearing{store.AlertSubject: store.Unheard, store.ReportSubject: store.Softly}}, store.Owner)},
		{"sounds_seller", p.As(screen.ForSeller).Alerts().Sounds(store.Alerts{Chat: 7}, store.Seller)},
		{"sounds_group", p.As(screen.ForShop).Alerts().Sounds(store.Alerts{Chat: -7}, store.Owner)},
		{"quiet_none", p.Alerts().Quiet(store.Hours{})},
		{"watch", p.Alerts().Watch(store.Watched{Product: 1, Name: "PUBG Mobile", Price: true, Low: true}, store.Threshold{Number: 5})},
		{"watch_hostile", p.Alerts().Watch(store.Watched{Product: 1, Name: hostile(), Back: true}, store.Threshold{Number: 100000})},
		{"vault", p.Orders().Vault([]screen.Bought{{Purchase: with(bought(store.Settled, 2), ordered), Orders: made("ABCD-1111", "EFGH-2222")}, {Purchase: with(bought(store.Accepted, 1), ordered), Orders: made("")}})},
		{"vault_empty", p.Orders().Vault(nil)},
		{"status_missing", p.Purchases().Status(with(bought(store.Settled, 2), func(pu *store.Purchase) { pu.Missing, pu.OrderIDs = 1, []string{"A"} }), made("AAAA-1111"), wallet("1000"), store.QueuePlace{})},
		{"restored_team", p.Team().Restored(store.TeamShown{Account: "Boutique Amina", Members: team().Members, Place: team().Place, Mark: "0123456789abcdef"})},
		{"restored_team_hostile", p.Team().Restored(store.TeamShown{Account: hostile(), Members: slices.Repeat([]store.Member{{User: -1 << 63, Name: hostile(), Role: store.Seller, PerDay: amount("1000")}}, 50), Mark: "0123456789abcdef"})},
		{"unfrozen", p.Keys().Unfrozen()},
		{"welcome_restored", p.Home().Welcome("Amina", &screen.AccountView{Name: "Boutique Amina", Balance: wallet("1234.5"), Role: store.Owner, Locked: &store.Lock{At: noon(), Restored: true}})},
		{"ping_not_created", p.Codes().Ping(bought(store.NotCreated, 1), nil)},
		{"ping_undecided", p.Codes().Ping(bought(store.Undecided, 1), nil)},
		{"why_rows", p.Uncertain().Why(with(bought(store.NotCreated, 2), evidence("rows", "8", "9")))},
		{"why_too_many", p.Uncertain().Why(with(bought(store.Undecided, 2), evidence("too many", "7", "8", "9")))},
		{"why_beside", p.Uncertain().Why(with(with(bought(store.Undecided, 2), topup(player())), evidence("too many", "8")))},
		{"why_unread", p.Uncertain().Why(with(with(bought(store.Undecided, 1), evidence("unclear")), unread))},
		{"why_too_few", p.Uncertain().Why(with(bought(store.Undecided, 2), evidence("too few", "8")))},
		{"why_shared", p.Uncertain().Why(with(bought(store.Undecided, 2), evidence("shared", "8", "9")))},
		{"why_untrusted", p.Uncertain().Why(with(bought(store.Undecided, 2), evidence("untrusted", "8", "9")))},
		{"why_money_beside", p.Uncertain().Why(with(with(bought(store.Undecided, 1), evidence("money gone")), beside))},
		{"status_undecided_beside", p.Purchases().Status(with(with(bought(store.Undecided, 1), evidence("unclear")), beside), nil, wallet("1000"), store.QueuePlace{})},
		{"status_missing_lines", p.Purchases().Status(with(bought(store.Settled, 2), func(pu *store.Purchase) { pu.Missing, pu.OrderIDs = 1, []string{"A"} }), made("AAAA-1111\nBBBB-2222"), wallet("1000"), store.QueuePlace{})},
		{"why_money_gone", p.Uncertain().Why(with(bought(store.Undecided, 2), evidence("money gone")))},
		{"why_traces", p.Uncertain().Why(with(bought(store.Undecided, 2), evidence("traces")))},
		{"why_nothing", p.Uncertain().Why(with(bought(store.NotCreated, 2), evidence("nothing")))},
		{"why_named", p.Uncertain().Why(with(bought(store.Settled, 2), evidence("named")))},
		{"why_instead", p.Uncertain().Why(with(bought(store.Undecided, 2), evidence("instead", "8", "9")))},
		{"why_waiting", p.Uncertain().Why(with(bought(store.Unknown, 2), evidence("waiting")))},
		{"why_unclear", p.Uncertain().Why(with(bought(store.Undecided, 2), evidence("unclear")))},
		{"why_hostile", p.Uncertain().Why(with(with(bought(store.Undecided, 2), hostileTexts), evidence(hostile(), hostile())))},
		{"status_not_created", p.Purchases().Status(bought(store.NotCreated, 2), nil, wallet("1000"), store.QueuePlace{})},
		{"status_cancelled", p.Purchases().Status(dropped("cancelled"), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_expired", p.Purchases().Status(dropped("expired"), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_expired_in_line", p.Purchases().Status(with(dropped("expired"), func(pu *store.Purchase) { pu.QueuedAt = noon() }), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_price_changed", p.Purchases().Status(with(dropped("price_changed"), func(pu *store.Purchase) { pu.NewPrice = amount("1300") }), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_price_changed_unknown", p.Purchases().Status(dropped("price_changed"), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_unlinked", p.Purchases().Status(dropped("unlinked"), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_hostile", p.Purchases().Status(with(refused("invalid", hostileFields()), hostileTexts), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_refund_in_sum", p.Purchases().Status(bought(store.Settled, 2), each(each(made(failed, failed), refund(store.RefundLikely)), came("6250.5")), wallet("5000"), store.QueuePlace{})},
		{"status_refund_likely", p.Purchases().Status(bought(store.Settled, 1), each(made(failed), refund(store.RefundLikely)), wallet("5000"), store.QueuePlace{})},
		{"status_refund_untaken", p.Purchases().Status(bought(store.Settled, 2), each(made(failed, failed), refund(store.RefundUntaken)), wallet("5000"), store.QueuePlace{})},
		{"status_refund_unread", p.Purchases().Status(bought(store.Accepted, 2), each(made(failed, failed), refund(store.RefundUnread)), wallet("5000"), store.QueuePlace{})},
		{"status_refund_unseen", p.Purchases().Status(bought(store.Settled, 1), each(made(failed), refund(store.RefundUnseen)), wallet("5000"), store.QueuePlace{})},
		{"status_hostile_failed", p.Purchases().Status(with(bought(store.Settled, 500), hostileTexts), each(made(failed), refund(store.RefundMissing)), wallet("999999999999.9999"), store.QueuePlace{})},

		{"again", p.Purchases().Again(with(bought(store.Settled, 1), toldCodes), made("AAAA-1111"), store.QueuePlace{})},
		{"again_for_the_first_time", p.Purchases().Again(bought(store.Settled, 1), made("AAAA-1111"), store.QueuePlace{})},
		{"again_and_more", p.Purchases().Again(with(bought(store.Accepted, 2), toldCodes), made("AAAA-1111", "BBBB-2222"), store.QueuePlace{})},
		{"again_unasked", p.Purchases().Unasked(p.Purchases().Again(bought(store.Accepted, 2), made("AAAA-1111", ""), store.QueuePlace{}))},
		{"again_without_code", p.Purchases().Again(bought(store.Accepted, 1), made(""), store.QueuePlace{})},
		{"again_file", p.Purchases().Again(with(bought(store.Settled, 11), toldCodes), made(codes(11)...), store.QueuePlace{})},
		{"again_hostile_file", p.Purchases().Again(with(bought(store.Settled, 11), hostileTexts), made(codes(11)...), store.QueuePlace{})},
		{"status_also", p.Purchases().Status(bought(store.Settled, 1), each(made(done), func(o *store.Order) { o.Instead = secret.New("smartcard: 0012 3456") }), screen.BalanceView{}, store.QueuePlace{})},
		{"status_code_late", p.Purchases().Status(bought(store.Accepted, 2), each(made("AAAA-1111", ""), awaited("Pending…")), screen.BalanceView{}, store.QueuePlace{})},
		{"status_code_late_hostile", p.Purchases().Status(bought(store.Accepted, 20), each(made(slices.Repeat([]string{""}, 20)...), awaited(hostile())), screen.BalanceView{}, store.QueuePlace{})},
		{"status_code_late_counter", p.As(screen.ForShop).Purchases().Status(bought(store.Accepted, 1), each(made(""), awaited("Pending…")), screen.BalanceView{}, store.QueuePlace{})},
		{"status_recovered", p.Purchases().Status(bought(store.Settled, 1), each(made("AAAA-1111"), was(store.Failed)), screen.BalanceView{}, store.QueuePlace{})},
		{"status_recovered_waiting", p.Purchases().Status(bought(store.Settled, 1), each(made(""), was(store.Failed)), screen.BalanceView{}, store.QueuePlace{})},
		{"status_undone", p.Purchases().Status(with(bought(store.Settled, 1), topup(player())), each(made(failed), was(store.Completed)), screen.BalanceView{}, store.QueuePlace{})},
		{"status_back", p.Purchases().Status(with(bought(store.Settled, 1), topup(player())), each(made(done), back("processing")), screen.BalanceView{}, store.QueuePlace{})},
		{"status_back_hostile", p.Purchases().Status(bought(store.Settled, 1), each(made("AAAA-1111"), back(hostile())), screen.BalanceView{}, store.QueuePlace{})},
		{"status_code_changed", p.Purchases().Status(bought(store.Settled, 2), each(made("AAAA-1111", "BBBB-2222"), recoded("CCCC-3333", "DDDD-4444")), screen.BalanceView{}, store.QueuePlace{})},
		{"status_topup_units", p.Purchases().Status(with(bought(store.Settled, 12), topup(player())), made(slices.Repeat([]string{done}, 12)...), screen.BalanceView{}, store.QueuePlace{})},
		{"status_topup_units_failed", p.Purchases().Status(with(bought(store.Accepted, 12), topup(player())), made(append(slices.Repeat([]string{done}, 9), failed, failed, "")...), screen.BalanceView{}, store.QueuePlace{})},
		{"status_words", p.Purchases().Status(bought(store.Accepted, 1), each(made(""), func(o *store.Order) { o.Instead = secret.New("Your code arrives within 10 minutes") }), screen.BalanceView{}, store.QueuePlace{})},
		{"status_failed_code", p.Purchases().Status(bought(store.Accepted, 1), each(made("AAAA-1111"), func(o *store.Order) { o.State, o.Refund = store.Failed, store.RefundWaiting }), screen.BalanceView{}, store.QueuePlace{})},
		{"status_same_line", p.Purchases().Status(bought(store.Settled, 2), made("AAAA-1111", "AAAA-1111\nBBBB-2222"), screen.BalanceView{}, store.QueuePlace{})},
		{"status_same_code", p.Purchases().Status(bought(store.Settled, 2), made("AAAA-1111", "AAAA1111"), screen.BalanceView{}, store.QueuePlace{})},
		{"status_gone", p.Purchases().Status(bought(store.Accepted, 2), each(made("AAAA-1111", ""), func(o *store.Order) { o.Gone = true }), screen.BalanceView{}, store.QueuePlace{})},
		{"ping_changed", p.Codes().Ping(bought(store.Settled, 1), each(made("AAAA-1111"), was(store.Failed)))},
		{"ping_delivered", p.Codes().Ping(bought(store.Settled, 1), made("AAAA-1111"))},
		{"ping_progress", p.Codes().Ping(bought(store.Accepted, 3), made("AAAA-1111", "", ""))},
		{"ping_failed", p.Codes().Ping(bought(store.Settled, 1), each(made(failed), refund(store.RefundWaiting)))},
		{"ping_failed_money", p.Codes().Ping(bought(store.Settled, 1), each(made(failed), refund(store.RefundUntaken)))},
		{"ping_refunded", p.Codes().Ping(bought(store.Settled, 1), each(made(failed), refund(store.RefundSeen)))},
		{"ping_missing", p.Codes().Ping(with(bought(store.Settled, 3), func(pu *store.Purchase) { pu.Missing = 1 }), made("AAAA-1111", "BBBB-2222"))},
		{"ping_seeking", p.Codes().Ping(with(bought(store.Accepted, 3), func(pu *store.Purchase) { pu.Missing, pu.Seeks = 1, 3 }), made("AAAA-1111", "BBBB-2222"))},
		{"status_seeking", p.Purchases().Status(with(bought(store.Accepted, 3), func(pu *store.Purchase) { pu.Missing, pu.Seeks, pu.OrderIDs = 1, 3, []string{"A", "B"} }), made("AAAA-1111", "BBBB-2222"), wallet("1000"), store.QueuePlace{})},
		{"ping_partly", p.Codes().Ping(bought(store.Accepted, 3), each(made("AAAA-1111", failed, "BBBB-2222"), refund(store.RefundWaiting)))},
		{"ping_part_failed", p.Codes().Ping(bought(store.Accepted, 3), made(failed, "", ""))},
		{"ping_part_refunded", p.Codes().Ping(bought(store.Settled, 3), each(made("AAAA-1111", failed, "BBBB-2222"), refund(store.RefundSeen)))},
		{"status_refund_seen_part", p.Purchases().Status(bought(store.Settled, 3), each(made("AAAA-1111", failed, "BBBB-2222"), refund(store.RefundSeen)), wallet("5000"), store.QueuePlace{})},
		{"status_refund_likely_part", p.Purchases().Status(bought(store.Settled, 3), each(made("AAAA-1111", failed, failed), refund(store.RefundLikely)), wallet("5000"), store.QueuePlace{})},
		{"ping_topup", p.Codes().Ping(with(bought(store.Settled, 1), topup(player())), made(done))},
		{"claim", p.Purchases().Claim(with(soldBy("Karim", bought(store.Settled, 2)), sentAt), made("AAAA-1111-BBBB-2222", "CCC"), "Boutique Amina")},
		{"claim_player", p.Purchases().Claim(with(with(bought(store.Accepted, 1), topup(player())), sentAt), made(""), "متجر أمينة")},
		{"claim_hostile", p.Purchases().Claim(with(with(bought(store.Accepted, 3), hostileTexts), sentAt), each(made("", "", hostile()), unrecognized(hostile())), hostile())},
		{"claim_many", p.Purchases().Claim(bought(store.Settled, 11), made(codes(11)...), "")},
		{"support_late", p.Purchases().Support(bought(store.Accepted, 2), each(made("", "AAAA-1111"), unrecognized("processing")), "Boutique Amina")},
		{"support_unnamed", p.Purchases().Support(bought(store.Accepted, 2), each(made("", "AAAA-1111"), unrecognized("processing")), "…a077")},
		{"support_unlinked", p.Purchases().Support(bought(store.Accepted, 2), each(made("", "AAAA-1111"), unrecognized("processing")), "")},
		{"claim_unnamed", p.Purchases().Claim(bought(store.Settled, 1), made("AAAA-1111-BBBB-2222"), "…a077")},
		{"support_done", p.Purchases().Support(bought(store.Settled, 1), each(made(failed), refund(store.RefundSeen)), "Boutique Amina")},
		{"support_refund_in_part", p.Purchases().Support(bought(store.Accepted, 1), each(each(made(failed), refund(store.RefundMissing)), came("1200")), "Boutique Amina")},
		{"support_refund", p.Purchases().Support(bought(store.Accepted, 3), each(made("AAAA-1111", failed, failed), refund(store.RefundMissing)), "متجر أمينة")},
		{"status_fewer", p.Purchases().Status(with(bought(store.Settled, 2), fewer), made("AAAA-1111"), wallet("1000"), store.QueuePlace{})},
		{"status_fewer_lines", p.Purchases().Status(with(bought(store.Settled, 3), func(pu *store.Purchase) { fewer(pu); pu.Charged = new(dzd.Must("2501")) }), made("AAAA-1111"), wallet("1000"), store.QueuePlace{})},
		{"support_refund_charged", p.Purchases().Support(chargedOther(bought(store.Accepted, 3)), each(each(made("AAAA-1111", failed, failed), refund(store.RefundMissing)), priced("1900")), "Boutique Amina")},
		{"support_refund_unread", p.Purchases().Support(bought(store.Accepted, 3), each(made("AAAA-1111", failed, failed), refund(store.RefundUnread)), "Boutique Amina")},
		{"support_refund_unseen", p.Purchases().Support(bought(store.Accepted, 1), each(made(failed), refund(store.RefundUnseen)), "Boutique Amina")},
		{"support_partial", p.Purchases().Support(with(bought(store.Accepted, 3), func(pu *store.Purchase) { pu.Missing = 2 }), each(made(""), unrecognized("processing")), "Boutique Amina")},
		{"support_charged", p.Purchases().Support(with(bought(store.Accepted, 1), func(pu *store.Purchase) { pu.Charged = amount("1900") }), each(made(""), func(o *store.Order) { o.ID = "ORD-1" }), "Boutique Amina")},
		{"support_hostile", p.Purchases().Support(with(bought(store.Accepted, 3), hostileTexts), each(made("", "", ""), unrecognized(hostile())), hostile())},
		{"codes", p.Codes().Document(bought(store.Settled, 11), made(codes(11)...))},
		{"codes_partly", p.Codes().Document(bought(store.Accepted, 12), made(append(codes(3), "", failed)...))},
		{"codes_again", p.Codes().Document(with(bought(store.Settled, 11), maybeSent), made(codes(11)...))},
		{"codes_part", p.Codes().Part(bought(store.Accepted, 20), made(codes(9)...), store.Units{1, 2, 3, 4, 5, 6, 9}, false)},
		{"codes_part_again", p.Codes().Part(with(bought(store.Accepted, 20), maybeSent), made(codes(6)...), store.Units{1, 2, 3, 4, 5, 6}, false)},
		{"codes_part_last", p.Codes().Part(with(bought(store.Settled, 20), filed), made(codes(20)...), store.Units{7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, true)},
		{"codes_part_seeking", p.Codes().Part(with(with(bought(store.Accepted, 20), filed), func(pu *store.Purchase) { pu.Missing, pu.Seeks = 1, 3 }), made(codes(19)...), store.Units{7, 8, 10}, true)},
		{"codes_part_short", p.Codes().Part(with(with(bought(store.Settled, 20), filed), func(pu *store.Purchase) { pu.Missing = 1 }), made(codes(19)...), store.Units{7, 8, 10}, true)},
		{"codes_part_last_failed", p.Codes().Part(with(bought(store.Settled, 12), filed), made(append(codes(11), failed)...), store.Units{7, 8, 10, 11}, true)},
		{"codes_hostile", p.Codes().Document(with(bought(store.Settled, 11), hostileTexts), made(codes(11)...))},

		{"orders_unlinked", p.Orders().List(screen.OrdersView{})},
		{"orders_kept", p.Orders().OrdersKept()},
		{"orders_none", p.Orders().List(screen.OrdersView{Linked: true})}, {"orders_none_left", p.Orders().List(screen.OrdersView{Left: true})},
		{"summary_seller", p.As(screen.ForSeller).Purchases().Summary(bought(store.Drafted, 1), wallet("5000"), nil)},
		{"summary_seller_short", p.As(screen.ForSeller).Purchases().Summary(bought(store.Drafted, 1), wallet("10"), nil)},
		{"above", p.As(screen.ForSeller).Purchases().Above(with(bought(store.Drafted, 3), answered), wallet("5000"), nil)},
		{"status_asked", p.As(screen.ForSeller).Purchases().Status(asked(), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_refused", p.As(screen.ForSeller).Purchases().Status(answeredBy(store.Dropped, false), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_approved", p.As(screen.ForSeller).Purchases().Status(answeredBy(store.Settled, true), made("AAAA-1111-BBBB"), screen.BalanceView{}, store.QueuePlace{})},
		{"status_removed", p.Purchases().Status(dropped("removed"), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_locked", p.Purchases().Status(dropped("locked"), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_undecided_seller", p.As(screen.ForSeller).Purchases().Status(with(bought(store.Undecided, 2), evidence("shared", "8", "9")), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_key_seller", p.As(screen.ForSeller).Purchases().Status(refused("unauthorized", nil), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"status_group", p.As(screen.ForShop).Purchases().Status(bought(store.Settled, 3), made("AAAA-1111-BBBB", "CCCC", "DDDD"), screen.BalanceView{}, store.QueuePlace{})},
		{"status_counter", p.As(screen.ForShop).For(602).Purchases().Status(bought(store.Settled, 3), made("AAAA-1111-BBBB", "CCCC", "DDDD"), screen.BalanceView{}, store.QueuePlace{})},
		{"status_group_waiting", p.As(screen.ForShop).Purchases().Status(bought(store.Accepted, 2), made("", ""), screen.BalanceView{}, store.QueuePlace{})},
		{"status_group_many", p.As(screen.ForShop).Purchases().Status(bought(store.Settled, 11), made(codes(11)...), screen.BalanceView{}, store.QueuePlace{})},
		{"status_group_notes", p.As(screen.ForShop).Purchases().Status(bought(store.Settled, 1), each(made("AAAA"), noted("the code is AAAA")), screen.BalanceView{}, store.QueuePlace{})},
		{"copy", p.As(screen.ForShop).Purchases().Copy(soldBy("Karim", bought(store.Settled, 1)), made("AAAA-1111-BBBB"))},
		{"copy_counter", p.As(screen.ForShop).For(602).Purchases().Copy(soldBy("Karim", bought(store.Settled, 1)), made("AAAA-1111-BBBB"))},
		{"copy_full", p.As(screen.ForShopInFull).Purchases().Copy(soldBy("كريم", bought(store.Settled, 1)), made("AAAA-1111-BBBB"))},
		{"copy_full_many", p.As(screen.ForShopInFull).Purchases().Copy(soldBy("Karim", bought(store.Settled, 11)), made(codes(11)...))},
		{"copy_failed", p.As(screen.ForShop).Purchases().Copy(soldBy("Karim", bought(store.Settled, 1)), each(made(""), refund(store.RefundSeen)))},
		{"copy_hostile", p.As(screen.ForShop).Purchases().Copy(soldBy(hostile(), with(bought(store.Settled, 1), hostileTexts)), made(hostile()))},
		{"request", p.Approvals().Request(asked(), nil, wallet("25000"))},
		{"request_lacks", p.Approvals().Request(asked(), nil, late("25000", "2501"))},
		{"request_short", p.Approvals().Request(asked(), nil, wallet("10"))},
		{"request_unknown", p.Approvals().Request(asked(), nil, screen.BalanceView{})},
		{"request_hostile", p.Approvals().Request(with(soldBy(hostile(), asked()), hostileTexts), nil, screen.BalanceView{})},
		{"request_removed", p.Approvals().Request(dropped("removed"), nil, screen.BalanceView{})},
		{"request_granted", p.Approvals().Request(answeredBy(store.Queued, true), nil, screen.BalanceView{})},
		{"request_delivered", p.Approvals().Request(answeredBy(store.Settled, true), made("AAAA-1111-BBBB"), screen.BalanceView{})},
		{"request_partly", p.Approvals().Request(answeredBy(store.Accepted, true), each(made("AAAA-1111", failed), refund(store.RefundWaiting)), screen.BalanceView{})},
		{"request_undecided", p.Approvals().Request(with(answeredBy(store.Undecided, true), evidence("money gone")), nil, screen.BalanceView{})},
		{"request_refused", p.Approvals().Request(answeredBy(store.Dropped, false), nil, screen.BalanceView{})},
		{"request_expired", p.Approvals().Request(with(asked(), over("expired")), nil, screen.BalanceView{})},
		{"request_taken_back", p.Approvals().Request(with(asked(), over("cancelled")), nil, screen.BalanceView{})},
		{"request_over", p.Approvals().Request(with(asked(), over("removed")), nil, screen.BalanceView{})},
		{"decision_topup", p.Approvals().Decision(soldBy("Karim", with(with(with(bought(store.Undecided, 1), answered), topup(player())), evidence("unknown"))), nil, store.QueuePlace{})},
		{"decision", p.Approvals().Decision(soldBy("Karim", with(bought(store.Undecided, 2), evidence("shared", "8", "9"))), nil, store.QueuePlace{})},
		{"decision_let_go", p.Approvals().Decision(soldBy("Karim", *held("PUBG Mobile")), nil, store.QueuePlace{Waiting: 2})},
		{"decision_group", p.As(screen.ForShop).Approvals().Pending(soldBy("Karim", with(bought(store.Undecided, 2), evidence("shared", "8", "9"))), nil, store.QueuePlace{})},
		{"decision_group_over", p.As(screen.ForShop).Approvals().Pending(soldBy(hostile(), bought(store.NotCreated, 1)), nil, store.QueuePlace{})},
		{"decision_over", p.Approvals().Decision(soldBy(hostile(), bought(store.NotCreated, 1)), nil, store.QueuePlace{})},
		{"again_handed", p.Purchases().Again(with(soldBy("Karim", bought(store.Settled, 1)), handed(false)), made("AAAA-1111-BBBB"), store.QueuePlace{})},
		{"again_handed_back", p.Purchases().Again(with(soldBy("Karim", bought(store.Settled, 1)), handed(true)), made("AAAA-1111-BBBB"), store.QueuePlace{})},
		{"handed_file", p.Purchases().Handed(with(bought(store.Settled, 11), handed(false)))},
		{"again_revealed", p.Purchases().Again(with(soldBy("Karim", bought(store.Settled, 1)), revealed), made("AAAA-1111-BBBB"), store.QueuePlace{})},
		{"again_counter_costless", p.As(screen.ForCounter).For(602).Purchases().Again(chargedOther(with(soldBy("Karim", bought(store.Settled, 3)), revealed)), made("AAAA-1111-BBBB", "B", "C"), store.QueuePlace{})},
		{"copy_costless", p.As(screen.ForCounter).For(602).Purchases().Copy(soldBy("Karim", bought(store.Settled, 1)), each(made(failed), refund(store.RefundSeen)))},
		{"claim_costless", p.As(screen.ForCounter).For(602).Purchases().Claim(with(soldBy("Karim", bought(store.Settled, 1)), sentAt), made("AAAA-1111-BBBB"), "Boutique Amina")},
		{"orders_costless", p.As(screen.ForCounter).For(602).Orders().List(screen.OrdersView{List: []screen.Bought{{Purchase: bought(store.Settled, 1)}}, Scope: screen.OrdersAll})},
		{"welcome_costless", p.As(screen.ForCounter).For(602).Home().Welcome("Lila", &screen.AccountView{Name: "Shop", Role: store.Counter, Uncertain: 1, Bought: 3, Paid: dzd.Int(1250)})},
		{"again_counter", p.As(screen.ForShop).Purchases().Again(with(soldBy("Karim", bought(store.Settled, 1)), revealed), made("AAAA-1111-BBBB"), store.QueuePlace{})},
		{"ping_owner_asked", p.As(screen.ForSeller).Codes().Ping(bought(store.Undecided, 1), nil)},
		{"ping_decided", p.Codes().Ping(with(bought(store.Settled, 1), word(true, "Sam")), nil)},
		{"ping_refused", p.Codes().Ping(answeredBy(store.Dropped, false), nil)},
		{"ping_no_answer", p.Codes().Ping(with(asked(), over("expired")), nil)},
		{"team_orders_own", p.Orders().List(screen.OrdersView{List: history(), Linked: true, Team: true})},
		{"team_orders_all", p.Orders().List(screen.OrdersView{List: history(), Scope: screen.OrdersAll, Filter: screen.FilterProblems, Older: purchaseID, Newer: true, Linked: true, Team: true})},
		{"team_orders_counter", p.As(screen.ForShop).Orders().List(screen.OrdersView{List: history(), Scope: screen.OrdersAll, Linked: true, Team: true})},
		{"team_orders_none", p.As(screen.ForShop).Orders().List(screen.OrdersView{Scope: screen.OrdersAll, Linked: true, Team: true})},

		{"orders", p.Orders().List(screen.OrdersView{List: history(), Linked: true})},
		{"orders_first_page", p.Orders().List(screen.OrdersView{List: history()[:2], Older: purchaseID, Linked: true})},
		{"orders_middle_page", p.Orders().List(screen.OrdersView{List: history()[:2], Older: purchaseID, Newer: true, Linked: true})},
		{"orders_last_page", p.Orders().List(screen.OrdersView{List: history()[:2], Newer: true, Linked: true})},
		{"orders_outcomes", p.Orders().List(screen.OrdersView{List: outcomes(), Linked: true})},
		{"orders_no_problems", p.Orders().List(screen.OrdersView{Filter: screen.FilterProblems, Linked: true})},
		{"orders_none_today", p.Orders().List(screen.OrdersView{Filter: screen.FilterToday, Linked: true})},
		{"orders_not_found_newest", p.Orders().List(screen.OrdersView{Words: "41", Newest: 2000, Linked: true})},
		{"orders_not_found", p.Orders().List(screen.OrdersView{Words: "41 <b>", Linked: true})},
		{"orders_hostile", p.Orders().List(screen.OrdersView{List: []screen.Bought{{Purchase: with(bought(store.Settled, 1_000_000), hostileTexts)}}, Scope: screen.OrdersAll, Words: hostile(), More: true, Linked: true})},
	}
}

const (
	purchaseID = "01JD6Q9ZW0ABCDEFGHJKMNP7QR"
	failed     = "\x00failed" // instead of a code: the unit failed
	done       = "\x00done"   // instead of a code: the unit is done, as a top-up is
)

// hostile is a long name with everything in it that could do harm.
func hostile() string {
	return string([]rune(strings.Repeat("<b>🎮 ببجي\u202e & \"PUBG\"\u2069\n'x'</i> ", 20))[:300])
}

func noon() time.Time { return time.Date(2025, time.November, 21, 11, 5, 0, 0, time.UTC) }

func amount(s string) *dzd.Amount { return new(dzd.Must(s)) }

// wallet is a balance that is known and can all be spent.
func wallet(s string) screen.BalanceView {
	return screen.BalanceView{Amount: dzd.Must(s), Available: dzd.Must(s), Known: true, At: noon()}
}

// late is a balance that may be too high.
func late(s, lacks string) screen.BalanceView {
	v := wallet(s)
	v.Lacks = dzd.Must(lacks)
	return v
}

// catalogue makes products, in the scripts that a shop has them in.
func catalogue(n int) []api.Product {
	all := make([]api.Product, n)
	for i := range all {
		all[i] = api.Product{ID: int64(i + 1), Name: fmt.Sprintf([]string{"PUBG Mobile %d", "ببجي موبايل %d", "Carte cadeau %d €"}[i%3], i+1)}
	}
	return all
}

func uc() api.Variant {
	return api.Variant{ID: 11, Name: "325 UC", Price: dzd.Must("1250.5"), Available: true}
}

// pubg has a variant of each kind: to be had, in Arabic, not to be had, and without a name.
func pubg() api.Product {
	return api.Product{ID: 1, Name: "PUBG Mobile", Description: "UC are credited\nto the player's account.", Variants: []api.Variant{
		uc(), {ID: 12, Name: "٦٠ شدة", Price: dzd.Int(250), Available: true}, {ID: 13, Name: "8100 UC", Price: dzd.Int(25_000)}, {ID: 14, Price: dzd.Int(9), Available: true},
	}}
}

// wordy is a product with a long description.
func wordy() api.Product {
	p := pubg()
	p.Description = strings.Repeat("Redeem it within a year. ", 20)
	return p
}

func withVariants(n int) api.Product {
	p := api.Product{ID: 1, Name: "PUBG Mobile"}
	for i := range n {
		p.Variants = append(p.Variants, api.Variant{ID: int64(i), Name: fmt.Sprintf("%d UC", (i+1)*60), Price: dzd.Int(int64(i+1) * 250), Available: i%2 == 1})
	}
	return p
}

// bought is a purchase of some units in a phase, confirmed unless it is drafted.
func bought(phase store.Phase, units int) store.Purchase {
	pu := store.Purchase{
		ID: purchaseID, Nonce: "Zm9vYmFyMTI", Phase: phase, Product: "PUBG Mobile", Variant: "325 UC", Quantity: units, Price: dzd.Must("1250.5"), CreatedAt: noon(),
	}
	pu.Total, _ = pu.Price.Mul(units)
	if phase != store.Drafted {
		pu.QueuedAt, pu.SentAt = noon(), noon()
	}
	return pu
}

// unrefunded is purchases of which a unit has failed, and is not refunded yet.
func unrefunded() []screen.Bought {
	failed := []store.Order{{State: store.Failed, Refund: store.RefundWaiting}}
	return []screen.Bought{{Purchase: bought(store.Accepted, 2), Orders: failed}, {Purchase: bought(store.Settled, 1), Orders: failed}}
}

// dropped is a purchase that was dropped before it was confirmed.
func dropped(reason string) store.Purchase {
	pu := bought(store.Dropped, 1)
	pu.Reason, pu.QueuedAt, pu.SentAt = reason, time.Time{}, time.Time{}
	return pu
}

// refused is a purchase that the service refused.
func refused(reason string, fields map[string][]string) store.Purchase {
	pu := bought(store.Rejected, 1)
	pu.Reason, pu.Fields = reason, fields
	return pu
}

func with(pu store.Purchase, change func(*store.Purchase)) store.Purchase {
	change(&pu)
	return pu
}

// inLine gives a purchase a place in line that ends.
func inLine(pu *store.Purchase) { pu.TurnBy = noon().Add(2 * time.Minute) }

// held is an uncertain purchase that others wait for.
func held(product string) *store.Purchase {
	pu := with(bought(store.Unknown, 1), func(pu *store.Purchase) { pu.Product, pu.DecideBy = product, noon().Add(10*time.Minute) })
	return &pu
}

// told makes a purchase one that is wanted once more.
func told(pu *store.Purchase) { pu.Same, pu.SameAt = []string{purchaseID}, noon() }

func maybeSent(pu *store.Purchase) { pu.Told.MaybeSent = true }

// filed is what an earlier part of a file leaves.
func filed(pu *store.Purchase) { pu.Told.Document, pu.Told.Filed = true, "1-6,9" }

func toldCodes(pu *store.Purchase) { pu.Told.Codes = 1 }

func answered(pu *store.Purchase) {
	pu.Inputs = []store.Answer{{Index: "0", Label: "Player ID", Value: "5123456789"}, {Index: "1", Value: "أوروبا"}}
}

func hostileTexts(pu *store.Purchase) {
	pu.Product, pu.Variant = hostile(), hostile()
	pu.Inputs = []store.Answer{{Index: hostile(), Label: hostile(), Value: hostile()}, {Index: hostile(), Label: " ", Value: "<code>"}}
}

func hostileFields() map[string][]string {
	fields := map[string][]string{}
	for i := range 50 {
		fields[fmt.Sprintf("%02d%s", i, hostile())] = []string{hostile(), hostile()}
	}
	return fields
}

// made are the orders of a purchase, by the codes they have.
func made(codes ...string) []store.Order {
	all := make([]store.Order, len(codes))
	for i, code := range codes {
		all[i] = store.Order{Purchase: purchaseID, Unit: i + 1, State: store.Ready}
		switch code {
		case "":
			all[i].State = store.Waiting
		case failed:
			all[i].State = store.Failed
		case done:
			all[i].State = store.Completed
		default:
			all[i].Code = secret.New(code)
		}
	}
	return all
}

// each changes orders alike: those that end otherwise than with a code, and those that wait, as it fits.
func each(orders []store.Order, change func(*store.Order)) []store.Order {
	for i := range orders {
		orders[i].ID, orders[i].Other = fmt.Sprintf("ORD-%d", 9001+i), fmt.Sprintf("TX-%d", 7001+i)
		change(&orders[i])
	}
	return orders
}

func unrecognized(status string) func(*store.Order) {
	return func(o *store.Order) { o.Status, o.Unrecognized = status, true }
}

// awaited makes orders that wait ones that were called done long ago, with a text where their code should be.
func awaited(instead string) func(*store.Order) {
	return func(o *store.Order) {
		if o.State == store.Waiting {
			o.Status, o.Late, o.DoneAt, o.Instead = "completed", true, noon(), secret.New(instead)
		}
	}
}

// was is the end that an order had before.
func was(state store.OrderState) func(*store.Order) { return func(o *store.Order) { o.Was = state } }

func back(status string) func(*store.Order) {
	return func(o *store.Order) { o.Status, o.Back = status, true }
}

// recoded gives orders other codes beside their first.
func recoded(codes ...string) func(*store.Order) {
	return func(o *store.Order) {
		for _, c := range codes {
			o.Later = append(o.Later, secret.New(c))
		}
	}
}

func noted(notes string) func(*store.Order) {
	return func(o *store.Order) { o.Notes = secret.New(notes) }
}

// followed makes orders ones that are still looked at.
func followed(o *store.Order) { o.Due = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// refund is what became of the money of those that failed.
func refund(state store.RefundState) func(*store.Order) {
	return func(o *store.Order) {
		if o.State == store.Failed {
			o.Status, o.Refund = "failed", state
		}
	}
}

// chargedOther is a purchase of three units at 1900 each.
func chargedOther(pu store.Purchase) store.Purchase {
	pu.Charged, pu.OrderIDs = amount("5700"), []string{"A", "B", "C"}
	return pu
}

func came(sum string) func(*store.Order) {
	return func(o *store.Order) { o.Came = store.Inflow{Sum: dzd.Must(sum), Left: dzd.Must(sum)} }
}

func priced(price string) func(*store.Order) {
	return func(o *store.Order) { o.Price = dzd.Must(price) }
}

// player is somebody whom the service knows.
func player() store.Player {
	return store.Player{ID: "5123456789", Name: "AminaDZ", Region: "MENA", Status: store.PlayerValid, Facts: []string{"level: 42"}}
}

func changedPlayer() store.Player {
	pl := player()
	pl.Was = &store.Player{ID: pl.ID, Name: "Karim", Region: "EU"}
	return pl
}

func hostilePlayer() store.Player {
	pl := store.Player{ID: hostile(), Name: hostile(), Region: hostile(), Status: store.PlayerUnchecked, Facts: []string{hostile(), hostile()}}
	pl.Was = new(pl)
	return pl
}

// topup makes a purchase one that is credited to a player.
func topup(pl store.Player) func(*store.Purchase) {
	return func(pu *store.Purchase) {
		pu.Topup, pu.Player = true, &pl
		pu.Inputs = []store.Answer{{Index: api.PlayerInput, Value: pl.ID}}
	}
}

// personal is a purchase for somebody, of which nobody knows whether it brings a code.
func personal(pl store.Player) func(*store.Purchase) {
	return func(pu *store.Purchase) {
		topup(pl)(pu)
		pu.Topup = false
	}
}

// credited makes orders some of such a purchase.
func credited(o *store.Order) { o.Personal = true }

// movements are changes of a balance, of every kind by turns.
func movements(n int) []screen.Moved {
	all := make([]screen.Moved, n)
	of := bought(store.Settled, 2)
	of.Buyer = "Karim"
	for i := range all {
		all[i].Movement = []store.Movement{
			{Kind: store.Bought, Amount: dzd.Must("-2501"), Balance: dzd.Must("2499")},
			{Kind: store.Refunded, Amount: dzd.Must("1250.5"), Balance: dzd.Int(5000)},
			{Kind: store.Outside, Amount: dzd.Int(100_000), Balance: dzd.Int(105_000)},
			{Kind: store.Outside, Amount: dzd.Int(-300), Balance: dzd.Int(104_700)},
		}[i%4]
		if i%4 < 2 {
			all[i].Of = &of
		}
		all[i].At = noon().Add(-time.Duration(i) * time.Hour)
	}
	return all
}

// allocation is set aside and used in part; it expires in some days, never if that is 0.
func allocation(product string, allocated, used, days int) api.StockEntry {
	e := api.StockEntry{ProductName: product, VariantName: "60 UC"}
	e.Allocated, e.Used, e.Remaining = allocated, used, allocated-used
	if days != 0 {
		e.ExpiresAt = noon().AddDate(0, 0, days)
	}
	return e
}

func allocations(n int) []api.StockEntry {
	all := make([]api.StockEntry, n)
	for i := range all {
		all[i] = allocation(fmt.Sprintf("PUBG Mobile %d", i+1), 100, 10, 30)
	}
	return all
}

// past are orders as the service lists them, whole and with hardly anything told.
func past() []api.Order {
	return []api.Order{
		{ID: "9001", ProductName: "PUBG Mobile", VariantName: "325 UC", Status: "completed", Code: secret.New("AAAA-1111"), Price: dzd.Must("1250.5"), CreatedAt: noon()},
		{ID: "TX-7", ProductName: "ببجي", Player: "5123456789", Price: dzd.Int(250)},
		{ID: "x"},
	}
}

// codes are codes as they are sold.
func codes(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("ABCD-%04d-EFGH", i+1)
	}
	return all
}

// history is a purchase in every phase.
func history() []screen.Bought {
	var all []screen.Bought
	for i, ph := range []store.Phase{store.Drafted, store.Queued, store.Submitting, store.Accepted, store.Settled, store.Rejected, store.Unknown, store.Undecided, store.NotCreated, store.Dropped} {
		pu := bought(ph, i+1)
		if i%2 == 1 {
			pu.Product, pu.Variant = "ببجي", "60 شدة"
		}
		all = append(all, screen.Bought{Purchase: pu})
	}
	return all
}

// outcomes are purchases whose orders have come to every end there is.
func outcomes() (all []screen.Bought) {
	failed := func(refund store.RefundState) store.Order {
		return store.Order{State: store.Failed, Refund: refund}
	}
	for i, orders := range [][]store.Order{
		{{State: store.Ready}},
		{{State: store.Waiting}, {State: store.Ready}},
		{{State: store.Waiting, Late: true}},
		{{State: store.Waiting, Gone: true}},
		{{State: store.Completed, Late: true}},
		{failed(store.NoRefund)}, {failed(store.RefundWaiting)}, {failed(store.RefundSeen)}, {failed(store.RefundMissing)}, {failed(store.RefundUntaken)},
		{failed(store.RefundSeen), {State: store.Ready}},
		{{State: store.Waiting, Clash: true}},
		{{State: store.Ready, Code: secret.New("ABCD-1111"), Later: []secret.Text{secret.New("ABCD-2222")}}},
		{{State: store.Ready, Code: secret.New("ABCD-1111")}, {State: store.Ready, Code: secret.New("ABCD-1111")}},
		{{State: store.Ready, Back: true}},
	} {
		pu := with(bought(store.Settled, max(len(orders), 1)), ordered)
		if i == 0 {
			pu.Player = &store.Player{ID: "5123456", Name: "سيف"}
		}
		all = append(all, screen.Bought{Purchase: pu, Orders: orders})
	}
	fewer, refused, denied := with(bought(store.Settled, 2), ordered), bought(store.Rejected, 1), bought(store.NotCreated, 1)
	fewer.Missing, refused.Refused = 1, true
	denied.History = []store.Step{{Why: store.DeniedByPerson}}
	return append(all, screen.Bought{Purchase: refused}, screen.Bought{Purchase: denied}, screen.Bought{Purchase: fewer, Orders: []store.Order{{State: store.Ready}}})
}

// printers are the printers of all languages, in a shop in Algiers.
func printers(tb testing.TB) screen.Printers {
	tb.Helper()
	p, err := loaded()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// loaded are the texts, read once for all tests.
var loaded = sync.OnceValues(func() (screen.Printers, error) { return screen.Load(time.FixedZone("CET", 3600)) })

// everywhere looks at every screen in every language, and tells what is wrong with it.
func everywhere(t *testing.T, look func(lang string, g golden) (wrong []string)) {
	t.Helper()
	sampletest.MoreThanFew(t)
	all := printers(t)
	for _, lang := range locales.Languages() {
		p, _ := all.For(lang)
		for _, g := range goldens(p) {
			t.Run(g.name+"."+lang, func(t *testing.T) {
				for _, problem := range look(lang, g) {
					t.Error(problem)
				}
			})
		}
	}
}

// picture writes a message down for people to read. What is invisible and matters is written as a sign:
// ⟦ and ⟧ around what is isolated, ⇐ where a line is told to run from right to left, ⍽ for a narrow no-break
// space, ⎵ for a no-break space.
func picture(m screen.Message) string {
	var b strings.Builder
	fmt.Fprintln(&b, m.HTML)
	if m.Keyboard != nil {
		fmt.Fprintln(&b)
	}
	for _, row := range m.Rows() {
		for i, key := range row {
			does := key.Data
			switch {
			case key.Copy != "":
				does = "copies " + key.Copy
			case key.URL != "":
				does = "opens " + key.URL
			}
			if key.Style != screen.Plain {
				does += " | " + string(key.Style)
			}
			fmt.Fprintf(&b, "%s[%s | %s]", strings.Repeat(" ", min(i, 1)), key.Text, does)
		}
		fmt.Fprintln(&b)
	}
	if m.File != nil {
		fmt.Fprintf(&b, "\nfile %s:\n%s", m.File.Name, m.File.Body)
	}
	return strings.NewReplacer(fsi, "⟦", pdi, "⟧", rlm, "⇐", lrm, "⇒", "\u202f", "⍽", "\u00a0", "⎵").Replace(b.String())
}

// goldenDir holds a file for each screen and language.
const goldenDir = "testdata/golden"

// screen is what a golden screen is a variant of: its name up to the first underscore.
func (g golden) screen() string {
	name, _, _ := strings.Cut(g.name, "_")
	return name
}

// byScreen are golden screens by what they are variants of, in the order of the table.
func byScreen(all []golden) map[string][]golden {
	screens := map[string][]golden{}
	for _, g := range all {
		screens[g.screen()] = append(screens[g.screen()], g)
	}
	return screens
}

// album writes the variants of a screen down, each under a line with its name.
func album(variants []golden) string {
	pages := make([]string, len(variants))
	for i, g := range variants {
		pages[i] = "== " + g.name + " ==\n" + picture(g.message)
	}
	return strings.Join(pages, "\n")
}

// readAlbum takes an album apart again, into what stands under each name.
func readAlbum(text string) (pictures map[string]string, err error) {
	pictures = map[string]string{}
	heads := regexp.MustCompile(`(?m)^== ([a-z0-9_]+) ==\n`).FindAllStringSubmatchIndex(text, -1)
	if len(heads) == 0 || heads[0][0] != 0 {
		return nil, errors.New("it does not begin with the name of a variant")
	}
	for i, head := range heads {
		name, end := text[head[2]:head[3]], len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0] - 1 // a line feed is between them
		}
		if _, twice := pictures[name]; twice {
			return nil, fmt.Errorf("%s stands there twice", name)
		}
		if end < head[1] {
			return nil, fmt.Errorf("nothing stands under %s", name)
		}
		pictures[name] = text[head[1]:end]
	}
	return pictures, nil
}

// TestGolden compares every variant of every screen with what its file shows. -update writes the files anew, and removes those of
// screens that are no more.
func TestGolden(t *testing.T) {
	known := map[string]bool{}
	for _, lang := range locales.Languages() {
		p, _ := printers(t).For(lang)
		for name, variants := range byScreen(goldens(p)) {
			file := filepath.Join(goldenDir, name+"."+lang+".txt")
			known[file] = true
			t.Run(name+"."+lang, func(t *testing.T) {
				if *update {
					if err := os.WriteFile(file, []byte(album(variants)), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatalf("%v; go test ./internal/screen -update writes it", err)
				}
				for _, problem := range unlike(variants, string(text)) {
					t.Error(problem)
				}
			})
		}
	}
	files, err := filepath.Glob(filepath.Join(goldenDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		switch {
		case known[name]:
		case *update:
			if err := os.Remove(name); err != nil {
				t.Error(err)
			}
		default:
			t.Errorf("%s is of a screen that is no more; -update removes it", name)
		}
	}
}

// unlike tells, by variant, where a screen is not as its album shows it.
func unlike(variants []golden, text string) (problems []string) {
	pictures, err := readAlbum(text)
	if err != nil {
		return []string{err.Error() + "; -update writes the file anew"}
	}
	for _, g := range variants {
		is := picture(g.message)
		was, ok := pictures[g.name]
		delete(pictures, g.name)
		switch {
		case !ok:
			problems = append(problems, g.name+" is new; -update adds it:\n"+is)
		case was != is:
			problems = append(problems, g.name+" is not as it was (-was +is); -update, if it is meant:\n"+difference(was, is))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pictures)) {
		problems = append(problems, name+" is no more; -update removes it")
	}
	return problems
}

// TestGoldenNames: a variant is in one file, under one header.
func TestGoldenNames(t *testing.T) {
	p, _ := printers(t).For("en")
	seen, form := map[string]bool{}, regexp.MustCompile(`^[a-z0-9_]+$`)
	for _, g := range goldens(p) {
		if seen[g.name] || !form.MatchString(g.name) {
			t.Errorf("two screens are called %s, or the name does not fit a header", g.name)
		}
		seen[g.name] = true
	}
}

// TestGoldenTellsVariants: what differs, is new or is gone is told by the variant's name, and nothing else is; an album that cannot
// be read is no album.
func TestGoldenTellsVariants(t *testing.T) {
	one, two := golden{"x_one", screen.Message{HTML: "one"}}, golden{"x_two", screen.Message{HTML: "two", File: &screen.File{Name: "f.txt", Body: []byte("no end")}}}
	both := album([]golden{one, two})
	for name, c := range map[string]struct {
		now  []golden
		text string
		want []string // beginnings
	}{
		"the same":        {now: []golden{one, two}, text: both},
		"in any order":    {now: []golden{two, one}, text: both},
		"another text":    {now: []golden{{"x_one", screen.Message{HTML: "uno"}}, two}, text: both, want: []string{"x_one is not as it was"}},
		"a new button":    {now: []golden{one, {"x_two", screen.Message{HTML: "two", Keyboard: [][]screen.Button{{{Text: "a", Data: "b"}}}}}}, text: both, want: []string{"x_two is not as it was"}},
		"a new variant":   {now: []golden{one, two, {"x_three", screen.Message{}}}, text: both, want: []string{"x_three is new"}},
		"a variant gone":  {now: []golden{two}, text: both, want: []string{"x_one is no more"}},
		"all of it":       {now: []golden{{"x_one", screen.Message{}}, {"x", screen.Message{}}}, text: both, want: []string{"x_one is not", "x is new", "x_two is no more"}},
		"a variant twice": {now: []golden{one}, text: album([]golden{one, one}), want: []string{"x_one stands there twice"}},
		"no header":       {now: []golden{one}, text: "one\n", want: []string{"it does not begin"}},
		"nothing in it":   {now: []golden{one}, text: "== x_one ==\n== x_two ==\n", want: []string{"nothing stands under x_one"}},
		"nothing":         {now: []golden{one}, want: []string{"it does not begin"}},
		"no empty line":   {now: []golden{one, two}, text: strings.Replace(both, "\n\n== ", "\n== ", 1), want: []string{"x_one is not as it was"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := unlike(c.now, c.text)
			if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
				t.Errorf("it tells %q, want %q", got, c.want)
			}
		})
	}
}

// difference is what stands between the first and the last line that two pictures share.
func difference(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return "-" + strings.Join(a, "\n-") + "\n+" + strings.Join(b, "\n+")
}

func TestScreensAreSound(t *testing.T) {
	everywhere(t, func(lang string, g golden) []string { return append(faults(lang, g.message), slips(g.message)...) })
}

// TestArabicRunsFromRightToLeft: every line does.
func TestArabicRunsFromRightToLeft(t *testing.T) {
	p, _ := printers(t).For("ar")
	for _, g := range goldens(p) {
		for _, line := range leftToRight(g.message) {
			t.Errorf("%s: %q runs from left to right", g.name, line)
		}
	}
}

// TestLatinRunsFromLeftToRight: every line does, also one that begins with somebody's Arabic name.
func TestLatinRunsFromLeftToRight(t *testing.T) {
	for _, language := range []string{"fr", "en"} {
		p, _ := printers(t).For(language)
		for _, g := range goldens(p) {
			for _, line := range turnedAround(g.message) {
				t.Errorf("%s in %s: %q runs from right to left", g.name, language, line)
			}
		}
	}
}

// TestEveryScreenIsGolden: each method that makes a message has a line in the table.
func TestEveryScreenIsGolden(t *testing.T) {
	parts, shown := 0, map[string]bool{"Notes.Note": true} // TestEveryNoteHasItsText sees to its samples
	for _, name := range []string{"golden_test.go", "golden_counter_test.go", "golden_lists_test.go", "golden_books_test.go", "golden_accounts_test.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
					shown[partCalled(sel.X)+"."+sel.Sel.Name] = true
				}
			}
			return true
		})
	}
	for part := range reflect.TypeFor[screen.Printer]().Methods() {
		if part.Type.NumOut() != 1 || part.Type.Out(0).Name() != part.Name {
			continue
		}
		parts++
		for method := range part.Type.Out(0).Methods() {
			if method.Type.NumOut() == 1 && method.Type.Out(0) == reflect.TypeFor[screen.Message]() && !shown[part.Name+"."+method.Name] {
				t.Errorf("no golden screen is made by %s of %s: add a line to goldens", method.Name, part.Name)
			}
		}
	}
	if parts < 10 {
		t.Errorf("%d parts of a printer were found", parts)
	}
}

// partCalled is the part of a printer that an expression gets, as in p.Orders(); empty for another expression.
func partCalled(x ast.Expr) string {
	if call, ok := x.(*ast.CallExpr); ok {
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			return sel.Sel.Name
		}
	}
	return ""
}

// TestVerbsAreOnScreens: a verb that no screen offers is dead, or its screen is missing from the table.
// One that stands only on old keyboards belongs into the list.
func TestVerbsAreOnScreens(t *testing.T) {
	var old []screen.Verb
	p, _ := printers(t).For("en")
	offered := map[screen.Verb]bool{}
	for _, g := range goldens(p) {
		for _, row := range g.message.Keyboard {
			for _, b := range row {
				a, _ := screen.ParseAction(b.Data)
				offered[a.Verb] = true
			}
		}
	}
	declared := verbs(t)
	for _, v := range declared {
		if offered[v] == slices.Contains(old, v) {
			t.Errorf("verb %s is on a screen: %v", v, offered[v])
		}
	}
	for v := range offered {
		if v != "" && !slices.Contains(declared, v) {
			t.Errorf("a button does %s, which is not declared", v)
		}
	}
}

// evidence is what a look for an uncertain purchase has shown.
func evidence(rule string, rows ...string) func(*store.Purchase) {
	return func(pu *store.Purchase) {
		pu.Before = store.Snapshot{Balance: dzd.Int(5000), Available: dzd.Int(5000), Known: true, Used: 3}
		pu.Evidence = &store.Evidence{At: noon(), Looks: 7, Rule: rule, Rows: rows, Paid: rule == "money gone", Listed: true, Balance: dzd.Int(4800), Known: true, Used: 5}
	}
}

// lacks has the balance lack just the price.
func lacks(pu *store.Purchase) { pu.Evidence.Balance = pu.Before.Available.Sub(pu.Total) }

// beside has an order of the same item show that does not fit.
func beside(pu *store.Purchase) { pu.Evidence.Beside = []string{"8"} }

// word is what a person said about a purchase.
func word(isBought bool, name string) func(*store.Purchase) {
	return func(pu *store.Purchase) {
		why := store.DeniedByPerson
		if isBought {
			why = "a person said that it was bought"
		}
		pu.Word = &store.Word{By: 7, Name: name}
		pu.History = append(pu.History, store.Step{At: noon(), From: store.Undecided, To: pu.Phase, Why: why})
	}
}

// doubtedWord makes a purchase one that may have been bought although a person said that it was not.
func doubtedWord(pu *store.Purchase) {
	pu.Word = &store.Word{By: 7, Name: "Sam"}
	pu.History = []store.Step{{At: noon(), From: store.NotCreated, To: store.Undecided}}
}

// setAside has a person say of orders that they are not a purchase's.
func setAside(pu *store.Purchase) {
	pu.Word = &store.Word{By: 7, Name: "Sam", Rows: []string{"8", "9"}}
}

// sureNot is the question about a purchase that is called not bought.
func sureNot(p screen.Printer, pu store.Purchase) screen.Message {
	m, _ := p.Uncertain().SureNot(pu)
	return m
}

// more is a question about what may have been made beside another purchase.
func more(why store.MayGo) store.Purchase {
	return with(with(bought(store.Undecided, 1), evidence("money gone")), func(pu *store.Purchase) {
		pu.Of, pu.More, pu.Evidence.Known = "01JD0W5Y7ZB3K9Q2M4N6NP7QR0", why, false
	})
}

// unread is evidence that could not be read.
func unread(pu *store.Purchase) { pu.Evidence.Known, pu.Evidence.Listed = false, false }

// ordered is a purchase with orders.
func ordered(pu *store.Purchase) { pu.OrderIDs = []string{"ORD-1", "ORD-2"} }

// choice is what may be picked for a purchase of so many units.
func choice(units, orders int) screen.ChoiceView {
	v := screen.ChoiceView{Purchase: with(bought(store.Undecided, units), topup(player())), Rivals: orders%2 == 0, Marks: screen.FirstMarks(orders, units)}
	for i := range orders {
		v.Orders = append(v.Orders, api.Order{
			ID: strconv.Itoa(5001 + i), Price: dzd.Must("1250.5"), CreatedAt: noon().Add(time.Duration(i) * time.Minute),
			Status: []string{"completed", "pending", "canceled", "on_hold"}[i%4],
		})
	}
	return v
}

// marked is a choice with other marks.
func marked(v screen.ChoiceView, marks string) screen.ChoiceView {
	v.Marks, _ = screen.ParseMarks(marks, len(v.Orders))
	return v
}

// renamed is a choice of orders of which the list calls so many otherwise.
func renamed(v screen.ChoiceView, n int) screen.ChoiceView {
	for i := len(v.Orders) - n; i < len(v.Orders); i++ {
		v.Orders[i].ProductName, v.Orders[i].VariantName = "بطاقة اللعب", "10 دولار"
	}
	v.Renamed, v.Marks = n, screen.FirstMarks(len(v.Orders)-n, v.Purchase.Quantity).Among(len(v.Orders))
	return v
}

// zoneless is a choice of orders whose times name no zone.
func zoneless(v screen.ChoiceView) screen.ChoiceView {
	for i := range v.Orders {
		v.Orders[i].Zoneless = true
	}
	return v
}

// taken is a choice of orders that may be other purchases'.
func taken(v screen.ChoiceView) screen.ChoiceView {
	v.Taken = true
	return v
}

// ofAnswer makes the orders of a choice those that the answer named.
func ofAnswer(v screen.ChoiceView) screen.ChoiceView {
	v.Named = true
	return v
}

// fewer makes a purchase one of which only a part was sold and charged.
func fewer(pu *store.Purchase) {
	pu.Missing, pu.OrderIDs, pu.Charged = 1, []string{"A"}, new(dzd.Must("1250.5"))
}

// hostileChoice is a choice of texts that mean harm.
func hostileChoice() screen.ChoiceView {
	v := choice(2, 1)
	v.Purchase = with(v.Purchase, hostileTexts)
	v.Orders = append(v.Orders, api.Order{ID: hostile(), Status: hostile(), Price: dzd.Must("-999999999999.9999")}, api.Order{})
	v.Marks = screen.FirstMarks(3, 2)
	return v
}

// lines are alerts of every kind.
func lines() store.Alerts {
	return store.Alerts{
		Thresholds: map[store.AlertKind]store.Threshold{
			store.LowBalance: {Mode: store.AlertOn, Amount: dzd.Int(5000)}, store.DaysLeft: {Mode: store.AlertSilent, Number: 3},
			store.LowStock: {Mode: store.AlertOn, Number: 5}, store.Expiry: {Mode: store.AlertOn, Number: 7}, store.Debit: {Mode: store.AlertOn},
		},
		Products: []store.Watched{{Product: 1, Name: "PUBG Mobile", Back: true, Price: true, Low: true}}, Quiet: store.Hours{From: 22, To: 7},
	}
}

// linkedAccount is an account that was linked.
func linkedAccount() api.Account {
	return api.Account{Name: "Boutique Amina", Balance: dzd.Must("1234.5"), Available: dzd.Must("1234.5")}
}

// guests are some who were let in.
func guests() []screen.AccessChat {
	return []screen.AccessChat{
		{ID: 501, Shop: "Boutique Amina", Name: "Amina", Role: store.Owner}, {ID: 503}, {ID: 502, Shop: "متجر أمينة", Name: "كريم", Role: store.Seller},
		{ID: -700, Shop: "Boutique Amina", Name: "Shop & Co"},
	}
}

// topics is a group whose topics were made, or could not be.
func topics(refused bool) store.Place {
	at := store.Place{Title: "Shop & Co", Topics: map[store.Subject]store.Topic{}}
	for i, s := range store.Subjects() {
		at.Topics[s] = store.Topic{Thread: i + 5, Made: 1}
		if refused {
			at.Topics[s] = store.Topic{Refused: true}
		}
	}
	return at
}
