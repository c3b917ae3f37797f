package store_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// TestAccountsBeforeTeams: whoever had linked the key owns the account, as it was written before there were
// teams, and still does when somebody joins.
func TestAccountsBeforeTeams(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		return tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("key"), LinkedAt: noon(), Chats: []int64{5, group, 6}})
	})
	h.plant(func(tx store.RecordTx) error { // as a program without teams has left it
		r := h.records(store.KindAccount)[0]
		var v map[string]map[string]json.RawMessage
		if err := json.Unmarshal(r.Value[1:], &v); err != nil {
			return err
		}
		for _, field := range []string{"Team", "Invites", "Place", "Past", "Locked", "KeyTold"} {
			delete(v["o"], field)
		}
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		r.Value = append([]byte{1}, text...)
		_, err = tx.Put(r)
		return err
	})
	a := must(h.store.Account(t.Context(), "u1"))(t)
	for user, want := range map[int64]store.Role{5: store.Owner, 6: store.Owner, 7: store.NoRole, group: store.NoRole} {
		if got := a.Role(user); got != want {
			t.Errorf("%d is %q, want %q", user, got, want)
		}
	}
	store.Admit(&a, store.Member{User: 7, Role: store.Seller})
	h.do(func(tx *store.Tx) error { return tx.PutAccount(&a) })
	a = must(h.store.Account(t.Context(), "u1"))(t)
	if a.Role(5) != store.Owner || a.Role(6) != store.Owner || a.Role(7) != store.Seller || len(a.Team) != 3 {
		t.Errorf("the team is %+v", a.Team)
	}
	if !slices.Equal(a.PrivateChats(store.Owner), []int64{5, 6}) || a.OwnerBut(5) != 6 || a.OwnerBut(0) != 5 {
		t.Errorf("the owners' chats are %v", a.PrivateChats(store.Owner))
	}
	for _, gone := range []int64{5, 6} {
		store.Part(&a, gone)
	}
	if a.Role(5) != store.NoRole || a.OwnerBut(0) != 0 || !slices.Equal(a.Chats, []int64{group, 7}) || !slices.Equal(a.Past, []int64{6, 5}) {
		t.Errorf("when the owners have left: %+v, %v, %v", a.Team, a.Chats, a.Past)
	}
	store.Part(&a, 7)
	if a.Role(7) != store.NoRole || len(a.Members()) != 0 {
		t.Errorf("when everybody has left: %+v", a.Members())
	}
}

// TestRoles: who may more may everything that somebody with less may, and a role of a version to come nothing.
func TestRoles(t *testing.T) {
	order := []store.Role{store.NoRole, store.Counter, store.Seller, store.Owner}
	for i, has := range order {
		for j, need := range order {
			if has.AtLeast(need) != (i >= j) {
				t.Errorf("%q at least %q: %v", has, need, has.AtLeast(need))
			}
		}
	}
	if store.Role("of a version to come").AtLeast(store.Counter) {
		t.Error("an unknown role may something")
	}
}

// TestAdmitAndPart: whoever is admitted again is in the team once, whatever their place in it, and who leaves takes nothing of
// others along. Deliveries go on where another group was chosen.
func TestAdmitAndPart(t *testing.T) {
	a := store.Account{Chats: []int64{5, group}, Team: []store.Member{{User: 5, Role: store.Owner}}, Past: []int64{8, 6}, Place: &store.Place{Chat: group}}
	store.Admit(&a, store.Member{User: 6, Role: store.Counter})
	store.Admit(&a, store.Member{User: 5, Role: store.Seller}) // the first one
	store.Admit(&a, store.Member{User: 6, Role: store.Seller})
	if len(a.Team) != 2 || a.Role(5) != store.Seller || a.Role(6) != store.Seller || !slices.Equal(a.Chats, []int64{5, group, 6}) {
		t.Errorf("the team is %+v in %v", a.Team, a.Chats)
	}
	store.Part(&a, 6)
	if a.Role(6) != store.NoRole || a.Role(5) != store.Seller || !slices.Equal(a.Past, []int64{6, 8}) || a.Place == nil {
		t.Errorf("one has left: %+v, %v, place %v", a.Team, a.Past, a.Place)
	}
	store.Part(&a, 99)
	if len(a.Team) != 1 || !slices.Equal(a.Chats, []int64{5, group}) || len(a.Past) != 2 {
		t.Errorf("a stranger has left: %+v, %v, %v", a.Team, a.Chats, a.Past)
	}
	if store.Part(&a, group); a.Place != nil {
		t.Error("deliveries still go to the group that has left")
	}
	noPlace := store.Account{Chats: []int64{5}}
	store.Part(&noPlace, 5)
	if len(noPlace.Chats) != 0 {
		t.Errorf("left without a place: %v", noPlace.Chats)
	}
}

// TestHearsMoney: of private chats the owners' are told what is in the wallet, and groups as an owner has asked for it.
func TestHearsMoney(t *testing.T) {
	a := store.Account{Chats: []int64{5, 6, 7, group}, Team: []store.Member{{User: 5, Role: store.Owner}, {User: 6, Role: store.Seller}, {User: 7, Role: store.Counter}}}
	for chat, want := range map[int64]bool{5: true, 6: false, 7: false, 9: false, 0: false, group: true} {
		if a.HearsMoney(chat) != want {
			t.Errorf("%d hears of money: %v", chat, !want)
		}
	}
}

// TestFormerOwners: a team comes back within its thirty days, for whoever owned it, and only a retired account speaks to its
// last owner.
func TestFormerOwners(t *testing.T) {
	f := &store.Former{At: noon(), Team: []store.Member{{User: 6, Role: store.Seller}, {User: 5, Role: store.Owner}, {User: 7, Role: store.Owner}}}
	for _, c := range []struct {
		who  int64
		past time.Duration
		want bool
	}{
		{5, 0, true},
		{7, 30*24*time.Hour - 1, true},
		{5, 30 * 24 * time.Hour, false},
		{6, 0, false},
		{8, 0, false},
	} {
		if f.RevivableBy(c.who, noon().Add(c.past)) != c.want {
			t.Errorf("%d owned it %v ago: %v", c.who, c.past, !c.want)
		}
	}
	if (*store.Former)(nil).RevivableBy(5, noon()) {
		t.Error("somebody owned what there was not")
	}
	sold := store.Former{Team: []store.Member{{User: 5, Role: store.Owner}}}
	for _, c := range []struct {
		name string
		a    store.Account
		want int64
	}{
		{"retired", store.Account{Retired: true, Former: f}, 5},
		{"the first of its team", store.Account{Retired: true, Former: &sold}, 5},
		{"in use", store.Account{Former: f}, 0},
		{"nothing is known of before", store.Account{Retired: true}, 0},
		{"without an owner", store.Account{Retired: true, Former: &store.Former{Team: f.Team[:1]}}, 0},
	} {
		if got := c.a.OwnerLeft(); got != c.want {
			t.Errorf("%s: %d speaks for it, want %d", c.name, got, c.want)
		}
	}
}

// TestLeftAccounts: a chat remembers the accounts that its person has left, each once and the last first, but for those that
// are theirs again.
func TestLeftAccounts(t *testing.T) {
	var c store.Chat
	for _, id := range []string{"u1", "u2", "u1", "u3"} {
		c.Left(id)
	}
	if !slices.Equal(c.Was, []string{"u3", "u1", "u2"}) {
		t.Errorf("it remembers %q", c.Was)
	}
	if c.Back("u1"); !slices.Equal(c.Was, []string{"u3", "u2"}) {
		t.Errorf("with one of them back it remembers %q", c.Was)
	}
}

// TestLimits is the rule for a seller's limits: whatever is allowed and counted stays within the day's.
func TestLimits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		amount := func(name string) dzd.Amount { return dzd.Int(rapid.Int64Range(0, 300).Draw(rt, name)) }
		optional := func(name string) *dzd.Amount {
			if !rapid.Bool().Draw(rt, "has "+name) {
				return nil
			}
			a := amount(name)
			return &a
		}
		m := store.Member{Role: store.Seller, PerPurchase: optional("per purchase"), PerDay: optional("per day")}
		days := map[string]dzd.Amount{}
		at := noon()
		for range rapid.IntRange(1, 40).Draw(rt, "purchases") {
			at = at.Add(time.Duration(rapid.Int64Range(0, 20).Draw(rt, "hours")) * time.Hour)
			day, price := store.Day(at, time.UTC), amount("price")
			free := (m.PerPurchase == nil || !m.PerPurchase.Less(price)) && (m.PerDay == nil || !m.PerDay.Less(days[day].Add(price)))
			if m.Allows(price, day) != free {
				rt.Fatalf("%s on %s after %s is allowed: %v", price, day, days[day], !free)
			}
			if !free {
				continue
			}
			m = m.Spend(price, day)
			days[day] = days[day].Add(price)
			if rapid.Bool().Draw(rt, "came to nothing") {
				m = m.Unspend(price, day)
				days[day] = days[day].Sub(price)
			}
			if m.PerDay != nil && m.PerDay.Less(days[day]) {
				rt.Fatalf("%s was spent on %s", days[day], day)
			}
		}
	})
	m := store.Member{Role: store.Seller, Day: "2025-11-20", Spent: dzd.Int(5)}
	if m = m.Unspend(dzd.Int(5), "2025-11-19"); !m.Spent.Equal(dzd.Int(5)) {
		t.Errorf("what came to nothing yesterday was given back today: %s", m.Spent)
	}
	for role, want := range map[store.Role]bool{store.Owner: true, store.Seller: false, store.Counter: false, store.NoRole: false} {
		none := dzd.Int(0)
		if m := (store.Member{Role: role, PerDay: &none}); m.Allows(dzd.Int(1), "") != want {
			t.Errorf("%q with a limit of nothing may spend: %v", role, !want)
		}
	}
	if (store.Member{Role: store.Counter}).Allows(dzd.Int(0), "") {
		t.Error("a counter may spend")
	}
}

// TestInvites: one is found by its token's hash and by nothing else, is gone once it is used, and is forgotten
// when it is too old.
func TestInvites(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		a := store.Account{ID: "u1", Chats: []int64{5}}
		for _, i := range []store.Invite{
			{Hash: store.TokenHash("young"), Account: "u1", Role: store.Seller, By: 5, Expires: noon().Add(time.Hour)},
			{Hash: store.TokenHash("old"), Account: "u1", Role: store.Counter, By: 5, Expires: noon()},
			{Hash: store.TokenHash("nobody's"), Account: "u2", Expires: noon()},
		} {
			if err := tx.AddInvite(&a, i); err != nil {
				return err
			}
		}
		return tx.PutAccount(&a)
	})
	if i := must(h.store.Invite(t.Context(), store.TokenHash("young")))(t); i.Role != store.Seller || i.Account != "u1" {
		t.Errorf("it is %+v", i)
	}
	if _, err := h.store.Invite(t.Context(), "young"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the token itself finds it: %v", err)
	}
	if n := must(h.store.PruneInvites(t.Context(), noon(), 10))(t); n != 2 {
		t.Errorf("%d are too old", n)
	}
	a := must(h.store.Account(t.Context(), "u1"))(t)
	if !slices.Contains(a.Invites, store.TokenHash("young")) || slices.Contains(a.Invites, store.TokenHash("old")) || len(h.keys(store.KindInvite)) != 1 {
		t.Errorf("left are %v and %v", a.Invites, h.keys(store.KindInvite))
	}
	h.do(func(tx *store.Tx) error {
		return errors.Join(tx.EndInvite(&a, store.TokenHash("young")), tx.PutAccount(&a))
	})
	if len(h.keys(store.KindInvite)) != 0 {
		t.Error("it can be used again")
	}
	h.do(func(tx *store.Tx) error { return tx.EndInvite(&a, store.TokenHash("young")) }) // once more is no mistake
}

// TestRestoredCopyTakesNoInvites: they may have been used after the copy was made.
func TestRestoredCopyTakesNoInvites(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		a := store.Account{ID: "u1", Chats: []int64{5}}
		return errors.Join(tx.AddInvite(&a, store.Invite{Hash: store.TokenHash("token"), Account: "u1"}), tx.PutAccount(&a))
	})
	must(store.AfterRestore(t.Context(), h.store, noon()))(t)
	if a := must(h.store.Account(t.Context(), "u1"))(t); len(h.keys(store.KindInvite)) != 0 || len(a.Invites) != 0 {
		t.Errorf("left are %v and %v", a.Invites, h.keys(store.KindInvite))
	}
}

// TestMovedGroup: a group that becomes a supergroup stays the shop's place, with what it wants to be told and
// whom it has topped up, whether or not the supergroup has spoken already.
func TestMovedGroup(t *testing.T) {
	for name, spoken := range map[string]bool{"silent": false, "spoken": true} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			h.do(func(tx *store.Tx) error {
				if spoken {
					if err := tx.PutChat(&store.Chat{ID: -1001, Language: "en"}); err != nil {
						return err
					}
				}
				return errors.Join(
					tx.PutAccount(&store.Account{ID: "u1", Chats: []int64{5, -1}, Past: []int64{-1}, Place: &store.Place{Chat: -1, Title: "Shop"}}),
					tx.PutChat(&store.Chat{ID: -1, Account: "u1", Language: "ar"}),
					tx.PutAlerts(&store.Alerts{Chat: -1, Account: "u1", Quiet: store.Hours{From: 1, To: 2}}),
					tx.Remember(-1, "u1", store.Player{Game: "arena", ID: "9"}),
				)
			})
			for range 2 {
				h.do(func(tx *store.Tx) error { return tx.MoveChat(-1, -1001) })
			}
			a, c := must(h.store.Account(t.Context(), "u1"))(t), must(h.store.Chat(t.Context(), -1001))(t)
			if a.Place.Chat != -1001 || !slices.Equal(a.Chats, []int64{5, -1001}) || !slices.Equal(a.Past, []int64{-1001}) || c.Account != "u1" {
				t.Errorf("account %+v, chat %+v", a, c)
			}
			if al := must(h.store.Alerts(t.Context(), -1001, "u1"))(t); al.Quiet.To != 2 {
				t.Errorf("alerts %+v", al)
			}
			if list := must(h.store.Players(t.Context(), -1001, "u1"))(t); len(list) != 1 {
				t.Errorf("players %+v", list)
			}
		})
	}
}

// TestMovePurchase: another chat has it, with a message of its own to come, and nobody finds it in the old one.
func TestMovePurchase(t *testing.T) {
	h := newHarness(t)
	p := fullPurchase(queuedID, store.Queued)
	h.do(func(tx *store.Tx) error { return tx.PutPurchase(&p) })
	for range 2 {
		h.do(func(tx *store.Tx) error { return tx.MovePurchase(&p, person) })
	}
	got := must(h.store.ChatPurchases(t.Context(), person, "", 9))(t)
	if len(got) != 1 || got[0].Message != 0 || got[0].Thread != 0 || got[0].Chat != person {
		t.Errorf("the new chat has %+v", got)
	}
	if old := must(h.store.ChatPurchases(t.Context(), group, "", 9))(t); len(old) != 0 {
		t.Errorf("the old chat has %+v", old)
	}
	if problems := must(h.store.Check(t.Context()))(t); len(problems) > 0 {
		t.Errorf("the store is not sound: %q", problems)
	}
}

// TestReveals: each person is written down once, with when it was first.
func TestReveals(t *testing.T) {
	var p store.Purchase
	for i := range 3 {
		store.NoteReveal(&p, store.Reveal{User: 5, At: noon().Add(time.Duration(i) * time.Hour)})
	}
	store.NoteReveal(&p, store.Reveal{User: 6, At: noon()})
	if len(p.Reveals) != 2 || !p.Reveals[0].At.Equal(noon()) {
		t.Errorf("written down: %+v", p.Reveals)
	}
	store.NoteShown(&p, store.Shown{As: store.Copy, Chat: 5, Message: 1})
	store.NoteShown(&p, store.Shown{As: store.Request, Chat: 5, Message: 2})
	store.NoteShown(&p, store.Shown{As: store.Copy, Chat: 5, Message: 3})
	if p.ShownIn(store.Copy, 5) != 3 || p.ShownIn(store.Request, 5) != 2 || p.ShownIn(store.Copy, 6) != 0 || len(p.Shown) != 2 {
		t.Errorf("shown: %+v", p.Shown)
	}
}

// TestWhoOwnedAnAccount: owners own it also once the last of them has unlinked it. Where nobody knows who that was, whoever has bought
// something decides about it, and sees what the wallet tells of it as long as that is to be decided; what anything has cost nobody sees.
func TestWhoOwnedAnAccount(t *testing.T) {
	const owner, seller, other = 1, 2, 3
	team := []store.Member{{User: owner, Role: store.Owner}, {User: seller, Role: store.Seller}}
	linked := store.Account{Team: team, Chats: []int64{owner, seller}}
	unlinked := store.Account{Retired: true, Former: &store.Former{Team: team}}
	forgotten := store.Account{Retired: true}
	undecided := store.Purchase{User: seller, Phase: store.Undecided}
	for _, c := range []struct {
		name                  string
		a                     store.Account
		user                  int64
		owns, decides, wallet bool
	}{
		{"an owner", linked, owner, true, true, true},
		{"a seller", linked, seller, false, false, false},
		{"who has unlinked it", unlinked, owner, true, true, true},
		{"their seller", unlinked, seller, false, false, false},
		{"the buyer, of nobody's", forgotten, seller, false, true, true},
		{"anybody else", forgotten, other, false, false, false},
	} {
		owns, decides, wallet := c.a.OwnedBy(c.user), c.a.Decides(undecided, c.user), c.a.ShowsWallet(undecided, c.user)
		if owns != c.owns || decides != c.decides || wallet != c.wallet {
			t.Errorf("%s: owns it %t, decides %t, sees the wallet %t", c.name, owns, decides, wallet)
		}
	}
	if forgotten.ShowsWallet(store.Purchase{User: seller, Phase: store.Settled}, seller) {
		t.Error("whoever has bought something sees the wallet when there is nothing to decide")
	}
	if !forgotten.HasStaff() || !unlinked.HasStaff() {
		t.Error("what sellers were not to see is shown to a group")
	}
}
