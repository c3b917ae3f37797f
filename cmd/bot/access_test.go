package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/conversations/tgsim"
)

const operator = int64(600) // runs the bot

// invited prepares a house that only those may use whom its operator lets in.
func invited(h *house) {
	stock(h)
	byInvitation(h)
}

// byInvitation leaves out whom the operator does not let in.
func byInvitation(h *house) {
	h.telegram.AddUser(tgsim.User{ID: operator, FirstName: "Omar", LanguageCode: "en"})
	h.env["ACCESS"], h.env["OWNER_CHAT_ID"] = "invite", strconv.FormatInt(operator, 10)
}

// invitation has the operator make an invitation, and returns what Start brings along from its link.
func (h *house) invitation() string {
	h.t.Helper()
	h.say(operator, "/access")
	h.tap(operator, "Invite a shop")
	m := h.see(operator, "lets in the first chat")
	token := regexp.MustCompile(`\?start=([A-Za-z0-9_-]{1,64})\b`).FindStringSubmatch(m.Text)
	if token == nil {
		h.t.Fatalf("no link in %s", m.Text)
	}
	return token[1]
}

// fromBot counts what the bot has said in a chat.
func (h *house) fromBot(chat int64) int {
	n := 0
	for _, m := range h.telegram.Messages(chat) {
		if m.FromBot {
			n++
		}
	}
	return n
}

// TestAccessByInvitation: a stranger gets nothing but one sentence, and one about a key, which is deleted; a link lets in one chat, once.
func TestAccessByInvitation(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		h.say(sam, "/start")
		h.see(sam, "by invitation")
		said := h.fromBot(sam)
		for _, text := range []string{"/help", "/buy", "/key " + testKey, testKey, "hello", "/start@other_bot", "/access", "/team"} {
			h.pass(time.Minute)
			h.say(sam, text)
		}
		if n := h.fromBot(sam); n != said+1 || h.count(sam, "Nothing was linked") != 1 {
			t.Errorf("a stranger is answered, beside the word about the key:\n%s", h.transcript(sam))
		}
		if n := len(h.service.Requests()); n != 0 {
			t.Errorf("the service was called for a stranger: %v", h.service.Requests())
		}
		pass := h.invitation()
		h.say(sam, "/start "+pass)
		h.see(sam, "Welcome")
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)

		h.say(yasmine, "/start "+pass) // used
		h.see(yasmine, "sur invitation")
		h.say(operator, "/access")
		h.see(operator, "Boutique El Djazair")
		h.answered()
	})
}

// TestSameWordsForEveryBadInvitation: what was tried cannot be told from the answer: nothing, nonsense, a used
// invitation and one that is too old look alike.
func TestSameWordsForEveryBadInvitation(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		used, old := h.invitation(), h.invitation()
		h.say(sam, "/start "+used)
		h.see(sam, "Welcome")
		h.sleep(25 * time.Hour)
		words := map[string]bool{}
		for _, text := range []string{"/start", "/start nonsense", "/start " + used, "/start " + old, "/start in_" + strings.Repeat("A", 26), "/start shop"} {
			before := h.fromBot(yasmine)
			h.pass(20 * time.Minute)
			h.say(yasmine, text)
			if n := h.fromBot(yasmine) - before; n != 1 {
				t.Errorf("%s: %d answers", text, n)
			}
			words[h.see(yasmine, "").Text] = true
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
	inHouse(t, invited, func(h *house) {
		const strange = int64(666)
		h.telegram.AddUser(tgsim.User{ID: strange, FirstName: "Eve", LanguageCode: "en"})
		rng := rand.New(rand.NewPCG(1, 2))
		texts := []string{"/start", "/start x", "/buy", "/topup", "/key " + testKey, "/orders", "/balance", "/cancel", "/lock", "/team", "/access", "hi", "1", testKey, "/alerts", "/language"}
		data := []string{"1:buy:0", "1:confirm:x:y", "1:approve:x:y", "1:key", "1:pass", "1:shutout:600", "1:access", "1:team", "1:lock", "1:vault:501", "1:invite:seller", "garbage"}
		taps := 0
		for range 200 {
			if rng.IntN(2) == 0 {
				h.telegram.Send(strange, strange, texts[rng.IntN(len(texts))])
			} else {
				h.telegram.Tap(strange, strange, 1, data[rng.IntN(len(data))])
				taps++
			}
			h.pass(time.Duration(rng.IntN(20)) * time.Second)
		}
		h.pass(time.Minute)
		for _, m := range h.telegram.Messages(strange) {
			if m.FromBot && !strings.Contains(m.Text, "by invitation") && !strings.Contains(m.Text, "Nothing was linked") {
				t.Errorf("a stranger is told: %s", m.Text)
			}
		}
		if len(h.service.Requests()) != 0 {
			t.Errorf("the service was called: %v", h.service.Requests())
		}
		for _, q := range h.telegram.Callbacks() {
			if q.Answers != 1 {
				t.Errorf("tap %s was answered %d times", q.Data, q.Answers)
			}
		}
		h.say(operator, "/access")
		h.see(operator, "Nobody is invited yet")
		if got := figure(t, h.figures(), "resellerbot_updates_total", `outcome="refused"`) + figure(t, h.figures(), "resellerbot_updates_total", `outcome="limited"`); int(got) != 200 {
			t.Errorf("%v of 200 updates are counted as refused or limited", got)
		}
	})
}

// TestShopsBringTheirPeople: whoever was let in lets in their own staff, with the invitations of their team.
func TestShopsBringTheirPeople(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		h.say(sam, "/start "+h.invitation())
		h.link(sam)
		h.say(sam, "/team")
		h.tap(sam, "Seller")
		token := regexp.MustCompile(`\?start=([A-Za-z0-9_-]{1,64})\b`).FindStringSubmatch(h.see(sam, "start=").Text)
		h.say(yasmine, "/start")
		h.see(yasmine, "sur invitation")
		h.say(yasmine, "/start "+token[1])
		h.see(yasmine, "Boutique El Djazair")
		h.order(yasmine, "Play Card", "10 USD", "1")
		h.tap(yasmine, "✅")
		h.delivered(yasmine)
	})
}

// TestShutOut: who is taken out can do nothing more; what they have bought still arrives.
func TestShutOut(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		h.say(sam, "/start "+h.invitation())
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.HoldOrders(true)
		h.tap(sam, "✅")
		h.seeAny(sam, "Bought")
		h.say(operator, "/access")
		h.tap(operator, "Boutique El Djazair")
		h.see(operator, "Nobody else owns the account")
		h.tap(operator, "Yes, take out")
		h.see(operator, "Nobody is invited yet")
		said := h.fromBot(sam)
		h.say(sam, "/buy")
		if h.fromBot(sam) != said {
			t.Error("somebody who was taken out is served")
		}
		h.service.HoldOrders(false)
		h.pass(2 * time.Minute)
		if len(h.codes(sam)) != 1 {
			t.Error("what was bought does not arrive")
		}
	})
}

// TestInvitationsCountWhileOpen: a chat that was invited while everybody could come stays in.
func TestInvitationsCountWhileOpen(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		h.stop()
		h.env["ACCESS"] = "open"
		h.start()
		h.say(sam, "/start "+h.invitation())
		h.see(sam, "Welcome")
		h.say(yasmine, "/start")
		h.see(yasmine, "Bienvenue")
		h.stop()
		h.env["ACCESS"] = "invite"
		h.start()
		h.say(sam, "/help")
		h.see(sam, "/balance")
		h.say(yasmine, "/help")
		h.pass(time.Minute)
		if strings.Contains(h.transcript(yasmine), "/balance") {
			t.Error("somebody whom nobody invited is served")
		}
	})
}

// TestOnlyTheOperatorInvites: others have no such command, and its buttons do nothing for them.
func TestOnlyTheOperatorInvites(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		h.say(sam, "/start "+h.invitation())
		h.say(sam, "/access")
		h.pass(time.Second)
		if strings.Contains(h.transcript(sam), "Invite a shop") {
			t.Error("somebody else may invite")
		}
		m := h.see(sam, "")
		for _, data := range []string{"1:access", "1:pass", "1:shutout:502"} {
			h.telegram.Tap(sam, sam, m.ID, data)
			h.pass(2 * time.Second)
			if text := h.transcript(sam); strings.Contains(text, "start=in_") || strings.Contains(text, "Who may use this bot") {
				t.Errorf("%s does something for somebody else", data)
			}
		}
		h.say(sam, "/help")
		h.see(sam, "/balance") // and nobody was shut out
		h.answered()
	})
}

// TestGroupsThatNobodyAuthorised: the bot stays where its operator, or somebody they let in, has taken it, and
// leaves other groups without a word.
func TestGroupsThatNobodyAuthorised(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		h.say(yasmine, "/start "+h.invitation())
		own, guest, alien := h.telegram.NewGroup(operator, "Own", sam), h.telegram.NewGroup(yasmine, "Shop", sam), h.telegram.NewGroup(sam, "Alien")
		h.pass(5 * time.Second)
		for group, stays := range map[int64]bool{own: true, guest: true, alien: false} {
			if in := h.inGroup(group); in != stays {
				t.Errorf("group %d: the bot is there: %v, want %v", group, in, stays)
			}
		}
		if n := h.fromBot(alien); n > 1 { // that it left is a message of Telegram's own
			t.Errorf("the bot speaks in a group that it leaves: %v", h.transcript(alien))
		}
		h.telegram.Send(sam, own, "/help@shop_bot")
		h.pass(2 * time.Second)
		if !strings.Contains(h.transcript(own), "/balance") {
			t.Error("the bot is mute in a group where it may be")
		}
	})
}

// TestGroupFromBefore: a group that took the bot in while everybody could is left when it speaks, unless it is
// somebody who was let in.
func TestGroupFromBefore(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		invited(h)
		h.telegram.AddGroup(-700, "Old shop", sam, operator)
		h.telegram.AddGroup(-701, "Old shop", sam, operator)
	}, func(h *house) {
		h.telegram.Send(operator, -700, "/help@shop_bot")
		h.pass(2 * time.Second)
		h.telegram.Send(sam, -700, "/help@shop_bot")
		h.telegram.Send(sam, -701, "/help@shop_bot")
		h.pass(2 * time.Second)
		if !h.inGroup(-700) || h.inGroup(-701) {
			t.Errorf("in the one: %v, in the other: %v", h.inGroup(-700), h.inGroup(-701))
		}
	})
}

// inGroup reports whether the bot is in a group.
func (h *house) inGroup(group int64) bool {
	h.t.Helper()
	return strings.Contains(h.callTelegram("getChatMember", fmt.Sprintf(`{"chat_id":%d,"user_id":%d}`, group, h.telegram.BotID())), `"status":"member"`)
}

// TestOpenHouseKeepsItsGroups: where everybody may use the bot, everybody may take it into a group.
func TestOpenHouseKeepsItsGroups(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		group := h.telegram.NewGroup(sam, "Friends")
		h.pass(5 * time.Second)
		if !h.inGroup(group) {
			t.Error("the bot has left")
		}
	})
}

// TestInvitationsAreNotGuessed: who tries many tokens is not looked at any more; the right one comes too late.
func TestInvitationsAreNotGuessed(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		pass := h.invitation()
		for i := range 10 {
			h.say(sam, fmt.Sprintf("/start in_%026d", i))
			h.pass(13 * time.Second)
		}
		h.say(sam, "/start "+pass)
		h.pass(10 * time.Second)
		if strings.Contains(h.transcript(sam), "Welcome") {
			t.Error("the eleventh try is still looked at")
		}
		h.pass(time.Hour)
		h.say(sam, "/start "+pass)
		h.see(sam, "Welcome")
		for i := range int64(30) { // many together
			h.telegram.AddUser(tgsim.User{ID: 9000 + i, FirstName: "Eve", LanguageCode: "en"})
			for n := range 5 {
				h.telegram.Send(9000+i, 9000+i, fmt.Sprintf("/start in_%026d", n))
			}
			h.pass(time.Second)
		}
		h.pass(10 * time.Second)
		if !strings.Contains(h.log.String(), "guessing invitations") {
			t.Error("nobody is told")
		}
	})
}

// TestInvitationIsNotInTheFile: who reads the database or the log finds no invitation that is open.
func TestInvitationIsNotInTheFile(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		pass := h.invitation()
		h.pass(time.Minute)
		h.stop()
		if strings.Contains(readAll(t, h.dir), pass) || strings.Contains(h.log.String(), pass) {
			t.Error("the invitation can be read")
		}
	})
}

// TestFlood: one person who sends without end is told so once, each of their taps is answered, and nobody else
// waits for it.
func TestFlood(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		for range 400 {
			h.telegram.Send(sam, sam, "/help")
			h.telegram.Tap(sam, sam, 1, "1:help")
		}
		h.telegram.Send(yasmine, yasmine, "/start")
		h.pass(10 * time.Second)
		h.see(yasmine, "Bienvenue")
		h.pass(5 * time.Minute)
		text := h.transcript(sam)
		if n := strings.Count(text, "too much at once"); n < 1 || n > 40 {
			t.Errorf("told %d times", n)
		}
		if got := figure(t, h.figures(), "resellerbot_updates_total", `outcome="limited"`); got < 750 || got > 780 {
			t.Errorf("%v of 800 updates were too many", got)
		}
		h.answeredWithin(time.Minute)
		h.pass(5 * time.Minute)
		h.say(sam, "/balance")
		h.see(sam, "Balance")
	})
}

// TestFloodOfStrangers: somebody without an account gets less.
func TestFloodOfStrangers(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		for i := range 300 {
			h.telegram.Send(sam, sam, fmt.Sprintf("/key KEY-guess-%06d", i))
		}
		h.pass(30 * time.Second)
		if n := h.service.Requests()["GET /account"] + h.service.Requests()["GET /balance"]; n > 200 {
			t.Errorf("%d calls of the service for one stranger", n)
		}
		if got := figure(t, h.figures(), "resellerbot_updates_total", `outcome="limited"`); got < 100 {
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
