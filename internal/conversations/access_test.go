package conversations_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

const operator = int64(600) // runs the bot

// invited prepares a program that only those may use whom its operator lets in.
func invited(h *apptest.Harness) {
	apptest.Stock(h)
	byInvitation(h)
}

// byInvitation leaves out whom the operator does not let in.
func byInvitation(h *apptest.Harness) {
	h.Telegram.AddUser(tgsim.User{ID: operator, FirstName: "Omar", LanguageCode: "en"})
	h.Env["ACCESS"], h.Env["OWNER_CHAT_ID"] = "invite", strconv.FormatInt(operator, 10)
}

// invitation has the operator make an invitation, and returns what Start brings along from its link.
func invitation(h *apptest.Harness) string {
	h.T.Helper()
	h.Say(operator, "/access")
	h.Tap(operator, "Invite a shop")
	m := h.See(operator, "lets in the first chat")
	token := regexp.MustCompile(`\?start=([A-Za-z0-9_-]{1,64})\b`).FindStringSubmatch(m.Text)
	if token == nil {
		h.T.Fatalf("no link in %s", m.Text)
	}
	return token[1]
}

// TestBadPassesCostATryEach: of the five tries that somebody has in an hour, a link that is not good costs one.
func TestBadPassesCostATryEach(t *testing.T) {
	t.Parallel()
	apptest.Run(t, invited, func(h *apptest.Harness) {
		pass := invitation(h)
		for i := range 4 {
			h.Say(apptest.Sam, "/start "+pass[:len(pass)-1]+string(rune('a'+i)))
			h.Pass(10 * time.Second)
		}
		h.Say(apptest.Sam, "/start "+pass)
		h.See(apptest.Sam, "Welcome")
	})
}

// TestAccessByInvitation: a stranger gets nothing but one sentence, and one about a key, which is deleted; a link lets in one chat, once.
func TestAccessByInvitation(t *testing.T) {
	t.Parallel()
	apptest.Run(t, invited, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start")
		h.See(apptest.Sam, "by invitation")
		said := h.FromBot(apptest.Sam)
		for _, text := range []string{"/help", "/buy", "/key " + apptest.TestKey, apptest.TestKey, "hello", "/start@other_bot", "/access", "/team"} {
			h.Pass(time.Minute)
			h.Say(apptest.Sam, text)
		}
		if n := h.FromBot(apptest.Sam); n != said+1 || count(h, apptest.Sam, "Nothing was linked") != 1 {
			t.Errorf("a stranger is answered, beside the word about the key:\n%s", h.Transcript(apptest.Sam))
		}
		if n := len(h.Service.Requests()); n != 0 {
			t.Errorf("the service was called for a stranger: %v", h.Service.Requests())
		}
		pass := invitation(h)
		h.Say(apptest.Sam, "/start "+pass)
		h.See(apptest.Sam, "Welcome")
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")

		h.Say(apptest.Yasmine, "/start "+pass) // used
		h.See(apptest.Yasmine, "sur invitation")
		h.Say(operator, "/access")
		h.See(operator, "Boutique El Djazair")
		h.Answered()
	})
}

// TestSameWordsForEveryBadInvitation: what was tried cannot be told from the answer: nothing, nonsense, a used
// invitation and one that is too old look alike.
func TestSameWordsForEveryBadInvitation(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, invited, func(h *apptest.Harness) {
		used, old := invitation(h), invitation(h)
		h.Say(apptest.Sam, "/start "+used)
		h.See(apptest.Sam, "Welcome")
		h.Sleep(25 * time.Hour)
		words := map[string]bool{}
		for _, text := range []string{"/start", "/start nonsense", "/start " + used, "/start " + old, "/start in_" + strings.Repeat("A", 26), "/start shop"} {
			before := h.FromBot(apptest.Yasmine)
			h.Pass(20 * time.Minute)
			h.Say(apptest.Yasmine, text)
			if n := h.FromBot(apptest.Yasmine) - before; n != 1 {
				t.Errorf("%s: %d answers", text, n)
			}
			words[h.See(apptest.Yasmine, "").Text] = true
		}
		if len(words) != 1 {
			t.Errorf("%d different answers", len(words))
		}
	})
}

// TestStrangersChangeNothing: whatever somebody sends whom nobody let in, nothing of it is stored, no call of
// the service is made, and the bot says no more than one sentence, and another one about a key.
func TestStrangersChangeNothing(t *testing.T) {
	t.Parallel()
	apptest.Run(t, invited, func(h *apptest.Harness) {
		const strange = int64(666)
		h.Telegram.AddUser(tgsim.User{ID: strange, FirstName: "Eve", LanguageCode: "en"})
		rng := rand.New(rand.NewPCG(1, 2))
		texts := []string{"/start", "/start x", "/buy", "/topup", "/key " + apptest.TestKey, "/orders", "/balance", "/cancel", "/lock", "/team", "/access", "hi", "1", apptest.TestKey, "/alerts", "/language"}
		data := []string{"1:buy:0", "1:confirm:x:y", "1:approve:x:y", "1:key", "1:pass", "1:shutout:600", "1:access", "1:team", "1:lock", "1:vault:501", "1:invite:seller", "garbage"}
		taps := 0
		for range 200 {
			if rng.IntN(2) == 0 {
				h.Telegram.Send(strange, strange, texts[rng.IntN(len(texts))])
			} else {
				h.Telegram.Tap(strange, strange, 1, data[rng.IntN(len(data))])
				taps++
			}
			h.Pass(time.Duration(rng.IntN(20)) * time.Second)
		}
		h.Pass(time.Minute)
		for _, m := range h.Telegram.Messages(strange) {
			if m.FromBot && !strings.Contains(m.Text, "by invitation") && !strings.Contains(m.Text, "Nothing was linked") {
				t.Errorf("a stranger is told: %s", m.Text)
			}
		}
		if len(h.Service.Requests()) != 0 {
			t.Errorf("the service was called: %v", h.Service.Requests())
		}
		for _, q := range h.Telegram.Callbacks() {
			if q.Answers != 1 {
				t.Errorf("tap %s was answered %d times", q.Data, q.Answers)
			}
		}
		h.Say(operator, "/access")
		h.See(operator, "Nobody is invited yet")
		if got := apptest.Figure(t, h.Figures(), "resellerbot_updates_total", `outcome="refused"`) + apptest.Figure(t, h.Figures(), "resellerbot_updates_total", `outcome="limited"`); int(got) != 200 {
			t.Errorf("%v of 200 updates are counted as refused or limited", got)
		}
	})
}

// TestShopsBringTheirPeople: whoever was let in lets in their own staff, with the invitations of their team.
func TestShopsBringTheirPeople(t *testing.T) {
	t.Parallel()
	apptest.Run(t, invited, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Seller")
		token := regexp.MustCompile(`\?start=([A-Za-z0-9_-]{1,64})\b`).FindStringSubmatch(h.See(apptest.Sam, "start=").Text)
		h.Say(apptest.Yasmine, "/start")
		h.See(apptest.Yasmine, "sur invitation")
		h.Say(apptest.Yasmine, "/start "+token[1])
		h.See(apptest.Yasmine, "Boutique El Djazair")
		h.Buy(apptest.Yasmine, "Play Card", "10 USD", "1")
	})
}

// TestShutOut: who is taken out can do nothing more; what they have bought still arrives.
func TestShutOut(t *testing.T) {
	t.Parallel()
	apptest.Run(t, invited, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.HoldOrders(true)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Bought")
		h.Say(operator, "/access")
		h.Tap(operator, "Boutique El Djazair")
		h.See(operator, "Nobody else owns the account")
		h.Tap(operator, "Yes, remove")
		h.See(operator, "Nobody is invited yet")
		said := h.FromBot(apptest.Sam)
		h.Say(apptest.Sam, "/buy")
		if h.FromBot(apptest.Sam) != said {
			t.Error("somebody who was taken out is served")
		}
		h.Service.HoldOrders(false)
		h.Pass(2 * time.Minute)
		if len(h.Codes(apptest.Sam)) != 1 {
			t.Error("what was bought does not arrive")
		}
	})
}

// TestInvitationsCountWhileOpen: a chat that was invited while everybody could come stays in.
func TestInvitationsCountWhileOpen(t *testing.T) {
	t.Parallel()
	apptest.Run(t, invited, func(h *apptest.Harness) {
		h.Stop()
		h.Env["ACCESS"] = "open"
		h.Start()
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.See(apptest.Sam, "Welcome")
		h.Say(apptest.Yasmine, "/start")
		h.See(apptest.Yasmine, "Bienvenue")
		h.Stop()
		h.Env["ACCESS"] = "invite"
		h.Start()
		h.Say(apptest.Sam, "/help")
		h.See(apptest.Sam, "/language")
		h.Say(apptest.Yasmine, "/help")
		h.Pass(time.Minute)
		if strings.Contains(h.Transcript(apptest.Yasmine), "/language") {
			t.Error("somebody whom nobody invited is served")
		}
	})
}

// TestOnlyTheOperatorInvites: others have no such command, and its buttons do nothing for them.
func TestOnlyTheOperatorInvites(t *testing.T) {
	t.Parallel()
	apptest.Run(t, invited, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.Say(apptest.Sam, "/access")
		h.Pass(time.Second)
		if strings.Contains(h.Transcript(apptest.Sam), "Invite a shop") {
			t.Error("somebody else may invite")
		}
		m := h.See(apptest.Sam, "")
		for _, data := range []string{"1:access", "1:pass", "1:shutout:502"} {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, data)
			h.Pass(2 * time.Second)
			if text := h.Transcript(apptest.Sam); strings.Contains(text, "start=in_") || strings.Contains(text, "Who may use this bot") {
				t.Errorf("%s does something for somebody else", data)
			}
		}
		h.Say(apptest.Sam, "/help")
		h.See(apptest.Sam, "/language") // and nobody was shut out
		h.Answered()
	})
}

// TestGroupsThatNobodyAuthorised: the bot stays where its operator, or somebody they let in, has taken it, and
// leaves other groups without a word.
func TestGroupsThatNobodyAuthorised(t *testing.T) {
	t.Parallel()
	apptest.Run(t, invited, func(h *apptest.Harness) {
		h.Say(apptest.Yasmine, "/start "+invitation(h))
		own, guest, alien := h.Telegram.NewGroup(operator, "Own", apptest.Sam), h.Telegram.NewGroup(apptest.Yasmine, "Shop", apptest.Sam), h.Telegram.NewGroup(apptest.Sam, "Alien")
		h.Pass(5 * time.Second)
		for group, stays := range map[int64]bool{own: true, guest: true, alien: false} {
			if in := inGroup(h, group); in != stays {
				t.Errorf("group %d: the bot is there: %v, want %v", group, in, stays)
			}
		}
		if n := h.FromBot(alien); n > 1 { // that it left is a message of Telegram's own
			t.Errorf("the bot speaks in a group that it leaves: %v", h.Transcript(alien))
		}
		h.Telegram.Send(apptest.Sam, own, "/help@shop_bot")
		h.Pass(2 * time.Second)
		if !strings.Contains(h.Transcript(own), "/buy") {
			t.Error("the bot is mute in a group where it may be")
		}
	})
}

// TestGroupFromBefore: a group that took the bot in while everybody could is left when it speaks, unless it is
// somebody who was let in.
func TestGroupFromBefore(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		invited(h)
		h.Telegram.AddGroup(-700, "Old shop", apptest.Sam, operator)
		h.Telegram.AddGroup(-701, "Old shop", apptest.Sam, operator)
	}, func(h *apptest.Harness) {
		h.Telegram.Send(operator, -700, "/help@shop_bot")
		h.Pass(2 * time.Second)
		h.Telegram.Send(apptest.Sam, -700, "/help@shop_bot")
		h.Telegram.Send(apptest.Sam, -701, "/help@shop_bot")
		h.Pass(2 * time.Second)
		if !inGroup(h, -700) || inGroup(h, -701) {
			t.Errorf("in the one: %v, in the other: %v", inGroup(h, -700), inGroup(h, -701))
		}
	})
}

// inGroup reports whether the bot is in a group.
func inGroup(h *apptest.Harness, group int64) bool {
	h.T.Helper()
	return strings.Contains(h.CallTelegram("getChatMember", fmt.Sprintf(`{"chat_id":%d,"user_id":%d}`, group, h.Telegram.BotID())), `"status":"member"`)
}

// TestOpenBotKeepsItsGroups: where everybody may use the bot, everybody may take it into a group.
func TestOpenBotKeepsItsGroups(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		group := h.Telegram.NewGroup(apptest.Sam, "Friends")
		h.Pass(5 * time.Second)
		if !inGroup(h, group) {
			t.Error("the bot has left")
		}
	})
}

// TestInvitationsAreNotGuessed: who tries many tokens is not looked at any more; the right one comes too late.
func TestInvitationsAreNotGuessed(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, invited, func(h *apptest.Harness) {
		pass := invitation(h)
		for i := range 10 {
			h.Say(apptest.Sam, fmt.Sprintf("/start in_%026d", i))
			h.Pass(13 * time.Second)
		}
		h.Say(apptest.Sam, "/start "+pass)
		h.Pass(10 * time.Second)
		if strings.Contains(h.Transcript(apptest.Sam), "Welcome") {
			t.Error("the eleventh try is still looked at")
		}
		h.Pass(time.Hour)
		h.Say(apptest.Sam, "/start "+pass)
		h.See(apptest.Sam, "Welcome")
		for i := range int64(30) { // many together
			h.Telegram.AddUser(tgsim.User{ID: 9000 + i, FirstName: "Eve", LanguageCode: "en"})
			for n := range 5 {
				h.Telegram.Send(9000+i, 9000+i, fmt.Sprintf("/start in_%026d", n))
			}
			h.Pass(time.Second)
		}
		h.Pass(10 * time.Second)
		if !strings.Contains(h.Log.String(), "guessing invitations") {
			t.Error("nobody is told")
		}
	})
}

// TestInvitationIsNotInTheFile: who reads the database or the log finds no invitation that is open.
func TestInvitationIsNotInTheFile(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, invited, func(h *apptest.Harness) {
		pass := invitation(h)
		h.Pass(time.Minute)
		h.Stop()
		if strings.Contains(readAll(t, h.Dir), pass) || strings.Contains(h.Log.String(), pass) {
			t.Error("the invitation can be read")
		}
	})
}

// TestFlood: one person who sends without end is told so once, each of their taps is answered, and nobody else
// waits for it.
func TestFlood(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for range 400 {
			h.Telegram.Send(apptest.Sam, apptest.Sam, "/help")
			h.Telegram.Tap(apptest.Sam, apptest.Sam, 1, "1:help")
		}
		h.Telegram.Send(apptest.Yasmine, apptest.Yasmine, "/start")
		h.Pass(10 * time.Second)
		h.See(apptest.Yasmine, "Bienvenue")
		h.Pass(5 * time.Minute)
		text := h.Transcript(apptest.Sam)
		if n := strings.Count(text, "too much at once"); n < 1 || n > 40 {
			t.Errorf("told %d times", n)
		}
		if got := apptest.Figure(t, h.Figures(), "resellerbot_updates_total", `outcome="limited"`); got < 750 || got > 780 {
			t.Errorf("%v of 800 updates were too many", got)
		}
		h.AnsweredWithin(time.Minute)
		h.Pass(5 * time.Minute)
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "Balance")
	})
}

// TestFloodOfStrangers: somebody without an account gets less.
func TestFloodOfStrangers(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		for i := range 300 {
			h.Telegram.Send(apptest.Sam, apptest.Sam, fmt.Sprintf("/key KEY-guess-%06d", i))
		}
		h.Pass(30 * time.Second)
		if n := h.Service.Requests()["GET /account"] + h.Service.Requests()["GET /balance"]; n > 200 {
			t.Errorf("%d calls of the service for one stranger", n)
		}
		if got := apptest.Figure(t, h.Figures(), "resellerbot_updates_total", `outcome="limited"`); got < 100 {
			t.Errorf("%v of 300 updates were too many", got)
		}
	})
}

// readAll is the text of all files in a folder.
func readAll(t *testing.T, dir string) string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		name := filepath.Join(dir, f.Name())
		if f.IsDir() {
			all.WriteString(readAll(t, name))
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// outrun is an engine in which somebody else takes up an invitation first: the transaction that takes it up runs in vain, finds it gone, and
// goes on with that.
type outrun struct{ store.Engine }

func (e outrun) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	var taken []store.Record
	errInVain := errors.New("somebody else was first")
	err := e.Engine.Update(ctx, func(tx store.RecordTx) error {
		taken = nil
		if err := fn(taker{tx, &taken}); err != nil || len(taken) == 0 {
			return err
		}
		return errInVain
	})
	if !errors.Is(err, errInVain) {
		return err
	}
	for _, r := range taken {
		err = e.Engine.Update(ctx, func(tx store.RecordTx) error { return tx.Delete(r) })
		if err != nil {
			return err
		}
	}
	return e.Engine.Update(ctx, fn)
}

// taker notes which invitations a transaction takes up.
type taker struct {
	store.RecordTx

	taken *[]store.Record
}

func (t taker) Delete(r store.Record) error {
	if r.Kind == store.KindInvite {
		*t.taken = append(*t.taken, r)
	}
	return t.RecordTx.Delete(r)
}

// TestPassThatSomebodyElseTakes: of two who open one pass at the same moment, the one who comes second is not let in.
func TestPassThatSomebodyElseTakes(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		invited(h)
		h.Engine = func(e store.Engine) store.Engine { return outrun{e} }
	}, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.Pass(5 * time.Second)
		h.Say(apptest.Sam, "/start")
		h.See(apptest.Sam, "by invitation")
		if h.Has(apptest.Sam, "Welcome") || strings.Contains(h.Log.String(), "a chat was let in") {
			t.Errorf("both are let in:\n%s", h.Transcript(apptest.Sam))
		}
	})
}
