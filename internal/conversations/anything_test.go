package conversations_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// anythingSteps is how much is done in one world.
const anythingSteps = 250

// TestAnything: people of every role tap any button that they see, old ones too, and type anything. Nothing of it is met with
// silence, none of it is an error in the log, and money goes by ✅ alone. ANYTHING is how many worlds are tried, ANYTHING_SEED the
// first of them.
func TestAnything(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	first, _ := strconv.Atoi(os.Getenv("ANYTHING_SEED"))
	worlds, err := strconv.Atoi(cmp.Or(os.Getenv("ANYTHING"), "3"))
	if err != nil {
		t.Fatalf("ANYTHING: %v", err)
	}
	for i := range worlds {
		if !sampletest.Plays(i, 3) {
			continue
		}
		seed := first + i
		language := []string{"ar", "fr", "en"}[seed%3]
		t.Run(fmt.Sprintf("%d in %s", seed, language), func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, anyShop(language), func(h *apptest.Harness) {
				e := &explorer{h: h, draw: rand.New(rand.NewPCG(uint64(seed), 1))}
				e.open()
				for range anythingSteps {
					e.step()
				}
				h.Pass(3 * time.Minute)
				e.judge()
			})
		})
	}
}

// anyShop is a shop with goods of every family, whose people read a language.
func anyShop(language string) func(*apptest.Harness) {
	return func(h *apptest.Harness) {
		heroesIn(language)(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "90000"}))
		for id, name := range map[int64]string{apptest.Karim: "Karim", apptest.Lila: "Lila", apptest.Eve: "Eve"} {
			h.Telegram.AddUser(tgsim.User{ID: id, FirstName: name, LanguageCode: language})
		}
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim, apptest.Lila)
	}
}

// TestAnswerThatChangesNothing: what is typed to a question stands in its place. Where that would change nothing there, the question
// is asked anew under what was typed, and the old one keeps no buttons.
func TestAnswerThatChangesNothing(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Sports TV")
		h.Tap(apptest.Sam, "12 months") // DZD 500 more than there is
		question := last(h.Telegram.Messages(apptest.Sam))
		h.Say(apptest.Sam, "1")
		h.Pass(3 * time.Second)
		all := h.Telegram.Messages(apptest.Sam)
		if m := last(all); !m.FromBot || len(m.Keyboard) == 0 || !strings.Contains(apptest.Plain(m.Text), "24,500") {
			t.Errorf("the last message is %q", m.Text)
		}
		for _, old := range all {
			if old.ID == question.ID && len(old.Keyboard) > 0 {
				t.Errorf("the question before keeps %v", old.Keyboard)
			}
		}
		h.Answered()
	})
}

// TestNothingNew: who looks once more at what has not changed is told so.
func TestNothingNew(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(1, map[string]string{"en": "Nothing new.", "fr": "Rien de nouveau.", "ar": "لا جديد."}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(language), func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/start")
				h.Say(apptest.Sam, "/key "+apptest.TestKey)
				h.Pass(5 * time.Second)
				for _, screen := range []string{"/start", "/stock", "/balance"} {
					h.Say(apptest.Sam, screen)
					h.Pass(2 * time.Second)
					if c := h.TapIn(apptest.Sam, apptest.Sam, "🔄"); c.Text != words {
						t.Errorf("%s: the tap is answered with %q", screen, c.Text)
					}
				}
				h.Answered()
			})
		})
	}
}

// TestAnswerOfARepeatedUpdate: an update that is tried once more, here for want of a turn, answers its tap once.
func TestAnswerOfARepeatedUpdate(t *testing.T) {
	t.Parallel()
	apptest.Run(t, anyShop("en"), func(h *apptest.Harness) {
		h.Telegram.Send(apptest.Karim, shop, "/help")
		h.Pass(5 * time.Second)
		for range 4 {
			h.TapIn(apptest.Karim, shop, "Link my API key")
			h.Pass(5 * time.Second)
		}
		if !strings.Contains(h.Log.String(), "a stranger is not answered") {
			t.Error("no update was tried once more")
		}
		h.Answered()
	})
}

// explorer is people who try everything.
type explorer struct {
	h      *apptest.Harness
	draw   *rand.Rand
	story  []string
	spends int  // taps on buttons that may buy
	left   bool // somebody may have ended the team, or unlinked the account
}

// open has an owner, a seller and a counter of one shop.
func (e *explorer) open() {
	h := e.h
	h.Say(apptest.Sam, "/start")
	h.Say(apptest.Sam, "/key "+apptest.TestKey)
	h.Say(apptest.Sam, "/key "+otherKey)
	h.Pass(3 * time.Second)
	h.Telegram.Tap(apptest.Sam, apptest.Sam, last(h.Telegram.Messages(apptest.Sam)).ID, "1:keyadd")
	h.Pass(3 * time.Second)
	for _, guest := range []store.Member{{User: apptest.Karim, Role: store.Seller}, {User: apptest.Lila, Role: store.Counter}} {
		h.Say(apptest.Sam, "/team")
		m := last(h.Telegram.Messages(apptest.Sam))
		of, _, _ := strings.Cut(tapOf(h.T, m, "➕ "), ":") // of which account
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, of+":invite:"+string(guest.Role))
		h.Pass(2 * time.Second)
		token := apptest.StartLink.FindStringSubmatch(apptest.Plain(last(h.Telegram.Messages(apptest.Sam)).Text))
		if token == nil {
			h.T.Fatalf("there is no invitation:\n%s", h.Transcript(apptest.Sam))
		}
		h.Telegram.Start(guest.User, token[1])
		h.Pass(2 * time.Second)
	}
}

// words are what people type.
func words() []string {
	return []string{
		"/start", "/buy", "/topup", "/orders", "/orders waiting", "/balance", "/stock", "/alerts", "/team", "/lock", "/language", "/help",
		"/customers", "/prices", "/kridi", "/today", "/week", "/month", "/close", "/alias", "/alias pc play card 10", "/privacy", "/key", "/cancel", "/account",
		"play card", "play card 10", "play card 10 x2", "1", "2", "3", "5000", "25,5", "1.500", "-1", "0", "abc", "بلاي كارد", "٣", "Karim",
		"1234567890", "123456789 2001", "crystals 60 111111", "0550 12 34 56", "play card 10 x2\nplay card 25 x1", "play card 10\nnothing like this\n25 usd x2",
		"60:\n111111\n222222\n111111", "#ABCDE", "12%", "100 DA", "<b>x</b>", "x3", "/forget", "non", "oui", "/key remove", "/refund", "/",
	}
}

// step is one thing that somebody does.
func (e *explorer) step() {
	user := []int64{apptest.Sam, apptest.Sam, apptest.Karim, apptest.Karim, apptest.Lila, apptest.Eve}[e.draw.IntN(6)]
	chat := user
	if user != apptest.Eve && e.draw.IntN(6) == 0 {
		chat = shop
	}
	switch n := e.draw.IntN(100); {
	case n < 4:
		d := time.Duration(e.draw.IntN(40)) * time.Minute
		e.tellf("wait %v", d)
		e.h.Pass(d)
	case n < 30:
		e.say(user, chat, words()[e.draw.IntN(len(words()))])
	default:
		e.tap(user, chat)
	}
}

// say types words, which are answered in some way; in a group those that are a command.
func (e *explorer) say(user, chat int64, text string) {
	before := e.sight(user, chat)
	e.h.Telegram.Send(user, chat, text)
	e.tellf("%d in %d says %q", user, chat, text)
	e.h.Pass(6 * time.Second)
	if chat == user && e.sight(user, chat) == before {
		e.silence(user)
	}
}

// tap taps a button: most often one of the newest messages.
func (e *explorer) tap(user, chat int64) {
	all := slices.DeleteFunc(e.h.Telegram.Messages(chat), func(m tgsim.Message) bool {
		return !m.FromBot || len(m.Keyboard) == 0 || m.Deleted
	})
	if len(all) == 0 {
		e.say(user, chat, "/start")
		return
	}
	reach := 2
	if e.draw.IntN(8) == 0 {
		reach = 40
	}
	m := all[len(all)-1-e.draw.IntN(min(reach, len(all)))]
	// What is chosen already (•) changes nothing.
	keys := slices.DeleteFunc(slices.Concat(m.Keyboard...), func(k tgsim.Button) bool { return k.Data == "" || strings.HasPrefix(k.Text, "•") })
	if len(keys) == 0 {
		return
	}
	k := keys[e.draw.IntN(len(keys))]
	if strings.HasPrefix(k.Text, "✅") {
		e.spends++
	}
	before := e.sight(user, chat)
	id := e.h.Telegram.Tap(user, chat, m.ID, k.Data)
	head, _, _ := strings.Cut(apptest.Plain(m.Text), "\n")
	e.tellf("%d in %d taps %q (%s) under %q", user, chat, k.Text, k.Data, head)
	e.h.Pass(3 * time.Second)
	for range 10 {
		if c := e.h.Answer(id); c.Answers > 0 {
			break
		}
		e.h.Pass(time.Second)
	}
	if c := e.h.Answer(id); c.Text == "" && c.URL == "" && e.sight(user, chat) == before {
		e.silence(user)
	}
}

// silence notes that nothing came of what was done last. Strangers who write much are not answered, and those who have left are
// strangers: only the owner always hears.
func (e *explorer) silence(user int64) {
	if user == apptest.Sam && !e.left {
		e.h.T.Errorf("nothing comes of it: %s", e.story[len(e.story)-1])
	}
}

// tellf adds a line to the story.
func (e *explorer) tellf(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	e.story = append(e.story, line)
	e.left = e.left || strings.Contains(line, "remove") || strings.Contains(line, "forget")
}

// sight is all that a person sees in a chat and in their own one, but for what people have typed.
func (e *explorer) sight(user, chat int64) string {
	var b strings.Builder
	for _, c := range []int64{user, chat} {
		for _, m := range e.h.Telegram.Messages(c) {
			if m.FromBot || m.Deleted {
				fmt.Fprintln(&b, c, m.ID, m.Deleted, m.Edited, m.EditedAt, m.Text, m.Keyboard)
			}
		}
	}
	return b.String()
}

// judge holds what happened against what was tapped.
func (e *explorer) judge() {
	h := e.h
	h.Answered() // also in a group that is tapped in all the time, and waits for Telegram's limit
	for line := range strings.Lines(h.Log.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			h.T.Errorf("the log says %s", line)
		}
	}
	// A tap buys the lines of a list, of which those that are typed here have three at most.
	if bought := len(h.Service.Purchases()); bought > 3*e.spends {
		h.T.Errorf("%d purchases were made by %d taps on ✅", bought, e.spends)
	}
	if h.T.Failed() {
		h.T.Logf("the story:\n%s", strings.Join(e.story, "\n"))
	}
}
