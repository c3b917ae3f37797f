package conversations_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/store/storetest"
)

// players are n lines with a player each.
func players(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d\n", 51230000+i)
	}
	return b.String()
}

// cardOf is the card that a list leads to, with its ✅, as plain text.
func cardOf(h *apptest.Harness, list string) string {
	h.T.Helper()
	h.Say(apptest.Sam, list)
	return apptest.Plain(h.See(apptest.Sam, "Valid for 10 minutes").Text)
}

// TestAListIsBought: what is pasted is read into one card; one ✅ buys every line of it, each once, and the same card tells
// how far it is and how it ended.
func TestAListIsBought(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		card := cardOf(h, "60 coins for:\n51234567\n٥١٢٣٤٥٦٨\n51234569")
		for _, want := range []string{"List · lines: 3", "Battle Royale Coins · 60 coins", "3 × DZD 210", "total DZD 630", "51234567", "51234568", "Lina"} {
			if !strings.Contains(card, want) {
				t.Errorf("the card has no %q:\n%s", want, card)
			}
		}
		h.Happened(0)
		before := h.FromBot(apptest.Sam)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "List done: 3 of 3 delivered")
		h.Pass(10 * time.Second)
		h.Happened(3)
		if n := h.FromBot(apptest.Sam) - before; n != 2 { // the file, and what makes the phone ring
			t.Errorf("%d messages besides the card:\n%s", n, h.Transcript(apptest.Sam))
		}
		h.Answered()
	})
}

// TestTheOldButtonOfADroppedList: the ✅ of a card that was cancelled, or is too old, says that nothing was bought.
func TestTheOldButtonOfADroppedList(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(*apptest.Harness){
		"cancelled": func(h *apptest.Harness) { h.Tap(apptest.Sam, "✖️") },
		"too old":   func(h *apptest.Harness) { h.Pass(20 * time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			atTheCounter(t, func(h *apptest.Harness) {
				cardOf(h, "60 coins for:\n51234567\n51234569")
				card := h.See(apptest.Sam, "Valid for 10 minutes")
				data := buttons(card, "✅")[0].Data
				ends(h)
				h.Pass(5 * time.Second)
				h.Telegram.Tap(apptest.Sam, apptest.Sam, card.ID, data)
				h.Pass(5 * time.Second)
				taps := h.Telegram.Callbacks()
				if said := apptest.Plain(taps[len(taps)-1].Text); !strings.Contains(said, "Nothing was bought") {
					t.Errorf("it says %q", said)
				}
				h.Happened(0)
			})
		})
	}
}

// bad is what a list of one bad sort leads to: what the card says, how many lines it would buy.
type bad struct {
	list  string
	says  []string
	buys  string // what its ✅ says; "" where it has none
	file  string // a name, where it comes as a file
	nocar bool   // there is no card
}

// TestBadLists: whatever is wrong with a list gets one clear answer, and nothing is bought that the card did not show.
func TestBadLists(t *testing.T) {
	t.Parallel()
	for name, b := range sampletest.SomeNamed(2, map[string]bad{
		"empty lines":           {list: "\n\n60 coins 51234567\n\n  \nbattle 60 51234568\n\n", says: []string{"List · lines: 2", "3 ▫️", "6 ▫️"}, buys: "✅ Buy 2 for DZD 420"},
		"a head and tabs":       {list: "Product\tPlayer ID\nbattle 60\t51234567\nbattle 660\t51234568", says: []string{"List · lines: 2", "60 coins", "660 coins"}, buys: "✅ Buy 2 for DZD 2,200"},
		"semicolons":            {list: "battle 60;51234567\npc5;x3", says: []string{"3 × DZD 1,250.50"}, buys: "✅ Buy 2 for DZD 3,961.50"},
		"Arabic digits":         {list: "battle 60 ٥١٢٣٤٥٦٧\nبلاي كارد ١٠ x٢", says: []string{"51234567", "2 × DZD 2,480"}, buys: "✅ Buy 2 for DZD 5,170"},
		"a line unread":         {list: "battle 60 51234567\nnothing like it 77", says: []string{"Will not be bought:", "nothing like it 77", "no such product"}, buys: "✅ Buy 1 for DZD 210"},
		"unclear":               {list: "battle 60 51234567\nplay card", says: []string{"several products fit"}, buys: "✅ Buy 1 for DZD 210"},
		"sold out":              {list: "battle 60 51234567\nplay card 50", says: []string{"out of stock"}, buys: "✅ Buy 1 for DZD 210"},
		"more than there is":    {list: "battle 60 51234567\npc25 x9", says: []string{"not that many in stock"}, buys: "✅ Buy 1 for DZD 210"},
		"none":                  {list: "battle 60 51234567\nbattle 60 51234568 x0\n51234511 0×\npc5 ×٠", says: []string{"3 ⚠️ 51234511 0× · the quantity is 0; at least 1"}, buys: "✅ Buy 1 for DZD 210"},
		"none of what is above": {list: "60 coins for:\n51234567,\n51234568 x0", says: []string{"the quantity is 0; at least 1"}, buys: "✅ Buy 1 for DZD 210"},
		"no player":             {list: "battle 60 51234567\nbattle 60 01234567", says: []string{"no such player"}, buys: "✅ Buy 1 for DZD 210"},
		"a wrong id":            {list: "battle 60 51234567\nbattle 60 1234", says: []string{"missing or wrong"}, buys: "✅ Buy 1 for DZD 210"},
		"one player five times": {list: "60 coins for:\n" + strings.Repeat("51234567\n", 5), says: []string{"same as line 2"}, buys: "✅ Buy 1 for DZD 210"},
		"a formula":             {file: "l.csv", list: "battle 60;51234567\n=HYPERLINK(\"http://evil\");51234568\nbattle 60;=1+1", says: []string{"a formula: never read"}, buys: "✅ Buy 1 for DZD 210"},
		"a file":                {file: "orders.txt", list: "battle 60 51234567\r\npc5 x2\r\n", says: []string{"List · lines: 2"}, buys: "✅ Buy 2 for DZD 2,711"},
		"fifty":                 {file: "l.csv", list: "660 coins for:\n" + players(50), says: []string{"List · lines: 50", "balance too low"}, buys: "✅ Buy 12 for DZD 23,880"},
		"51 lines":              {list: "60 coins for:\n" + players(51), says: []string{"51 lines; 50 is the most"}, nocar: true},
		"5,000 lines":           {file: "l.csv", list: strings.Repeat("battle 60 51234567\n", 5000), says: []string{"5000 lines; 50 is the most"}, nocar: true},
		"binary":                {file: "l.csv", list: "PK\x03\x04\x00\x00\xff\xfe", says: []string{"not a text or CSV file"}, nocar: true},
		"a big file":            {file: "l.csv", list: strings.Repeat("battle 60 51234567\n", 100_000), says: []string{"too big"}, nocar: true},
		"an empty file":         {file: "l.csv", list: "\n \n", says: []string{"could be read"}, nocar: true},
		"no list at all":        {list: "hello there\nhow are you", says: []string{"No line of this list could be read", "One order a line"}, nocar: true},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				if b.file != "" {
					h.Telegram.SendDocument(apptest.Sam, apptest.Sam, b.file, []byte(b.list), "")
					h.Pass(time.Second)
				} else {
					h.Say(apptest.Sam, b.list)
				}
				h.Pass(3 * time.Minute) // the limits of the checks
				m := h.See(apptest.Sam, b.says[0])
				text := apptest.Plain(m.Text)
				for _, want := range b.says {
					if !strings.Contains(text, want) {
						t.Errorf("it says nothing of %q:\n%s", want, text)
					}
				}
				var keys strings.Builder
				for _, key := range spendButtons(m) {
					keys.WriteString(apptest.Plain(key.Text))
				}
				if found := keys.String(); found != b.buys {
					t.Errorf("its button is %q, want %q:\n%s", found, b.buys, text)
				}
				h.Happened(0)
				if b.buys == "" {
					return
				}
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Minute)
				n := 0
				fmt.Sscanf(b.buys, "✅ Buy %d for", &n)
				h.Happened(n)
				h.SeeAny(apptest.Sam, fmt.Sprintf("List done: %d of %d delivered", n, n))
			})
		})
	}
}

// TestMarkedLines: what is marked is bought with a tap of its own, and the ✅ of before buys nothing any more.
func TestMarkedLines(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		cardOf(h, "60 coins for:\n51234567\n51234568\n51234567")
		m := h.See(apptest.Sam, "same as line 2")
		old := spendButtons(m)[0].Data
		h.Tap(apptest.Sam, "✋ lines too")
		h.See(apptest.Sam, "3 × DZD 210")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, old)
		h.Pass(20 * time.Second)
		h.Happened(0)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "List done: 3 of 3")
		h.Happened(3)
	})
}

// TestAListMeetsOthers: what was bought since the card was shown is asked about, and two taps, or a tap of somebody else, buy
// nothing twice.
func TestAListMeetsOthers(t *testing.T) {
	t.Parallel()
	atTwoCounters(t, func(h *apptest.Harness) {
		cardOf(h, "60 coins for:\n51234567\n51234568")
		m := h.See(apptest.Sam, "Valid for")
		data := spendButtons(m)[0].Data
		h.Telegram.Tap(apptest.Yasmine, apptest.Sam, m.ID, data)
		h.Pass(10 * time.Second)
		h.Happened(0)
		summary := func() { h.Say(apptest.Yasmine, "battle 60 51234567"); h.See(apptest.Yasmine, "Check before buying") }
		summary()
		h.Tap(apptest.Yasmine, "✅")
		h.SeeAny(apptest.Yasmine, "Topped up")
		h.Happened(1)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, data)
		h.Pass(5 * time.Second)
		h.Happened(1)
		text := apptest.Plain(h.See(apptest.Sam, "the same was ordered just now").Text)
		if !strings.Contains(text, "total DZD 210") {
			t.Errorf("the card is %s", text)
		}
		m = h.See(apptest.Sam, "Valid for")
		data = spendButtons(m)[0].Data
		for range 3 {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, data)
		}
		h.SeeAny(apptest.Sam, "List done: 1 of 1")
		h.Pass(time.Minute)
		h.Happened(2)
	})
}

// TestAListWhoseWorldChanges: a price that has changed and an item that has gone since the card are not bought, and are
// offered again at what they cost now.
func TestAListWhoseWorldChanges(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		cardOf(h, "battle 60 51234567\nbattle 660 51234567\nvpn x1\nconsole 10 x1")
		h.Service.SetPrice(1102, "2050")
		h.Service.SetStock(901, 0)
		h.Tap(apptest.Sam, "✅")
		text := apptest.Plain(h.SeeAny(apptest.Sam, "List done: 2 of 4 delivered").Text)
		for _, want := range []string{"its price is now DZD 2,050", "out of stock", "Paid: DZD 2,960"} {
			if !strings.Contains(text, want) {
				t.Errorf("the card has no %q:\n%s", want, text)
			}
		}
		h.Happened(2)
		h.Tap(apptest.Sam, "Try again (2)")
		text = apptest.Plain(h.See(apptest.Sam, "Valid for").Text)
		if !strings.Contains(text, "1 × DZD 2,050") || !strings.Contains(text, "out of stock") {
			t.Errorf("again is %s", text)
		}
		h.Happened(2)
		h.Tap(apptest.Sam, "✅ Buy 1")
		h.Pass(time.Minute)
		h.SeeAny(apptest.Sam, "List done: 1 of 1")
		h.Happened(3)
	})
}

// TestAListIsStopped: what was not sent is not sent any more, what was sent goes on, and the rest can be bought later.
func TestAListIsStopped(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	atTheCounter(t, func(h *apptest.Harness) {
		cardOf(h, "60 coins for:\n"+players(20))
		h.Tap(apptest.Sam, "✅")
		h.Tap(apptest.Sam, "Stop the rest")
		m := h.SeeAny(apptest.Sam, "Nothing more is sent: stopped")
		h.SeeAny(apptest.Sam, "List done")
		n := len(h.Service.Purchases())
		h.Pass(2 * time.Minute)
		h.Happened(n)
		if n == 0 || n > 19 {
			t.Errorf("%d were sent before the stop:\n%s", n, apptest.Plain(m.Text))
		}
		h.Tap(apptest.Sam, fmt.Sprintf("Try again (%d)", 20-n))
		h.See(apptest.Sam, "Valid for")
		h.Tap(apptest.Sam, "✅")
		h.Pass(3 * time.Minute)
		h.Happened(20)
	})
}

// TestAListOfCodes: few codes come in one message, each verbatim in an entity of its own and in the file beside it, in the
// order of the lines, and nowhere else.
func TestAListOfCodes(t *testing.T) {
	t.Parallel()
	for lang, says := range sampletest.SomeNamed(1, map[string][2]string{"en": {"Codes of the list", "Copy all"}, "fr": {"Les codes de la liste", "Tout copier"}, "ar": {"أكواد القائمة", "نسخ الكل"}}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				heroes(h)
				h.Telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: lang})
			}, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/key "+apptest.TestKey)
				h.Say(apptest.Sam, "pc5 x2\nvpn x1\nbattle 60 51234567")
				h.Pass(5 * time.Second)
				h.Tap(apptest.Sam, "✅")
				h.Pass(20 * time.Second)
				h.Happened(3)
				var codes []string
				for _, o := range h.Service.Orders() {
					if o.Code != "" {
						codes = append(codes, o.Code)
					}
				}
				if delivered := h.Codes(apptest.Sam); len(codes) != 3 || !slices.Equal(delivered, codes) {
					t.Errorf("the codes in entities are %q, want %q", delivered, codes)
				}
				m := h.SeeAny(apptest.Sam, says[0])
				if m.Document == nil || !strings.Contains(apptest.Plain(m.Text), "1 · Play Card 5 USD × 2") || !strings.Contains(fmt.Sprint(m.Keyboard), says[1]) {
					t.Fatalf("the message is %s with %v", m.Text, m.Keyboard)
				}
				at := -1
				for _, code := range codes {
					i := strings.Index(string(m.Document.Body), code+"\n")
					if i <= at {
						t.Errorf("the code %s is at %d after %d in\n%s", code, i, at, m.Document.Body)
					}
					at = i
				}
			})
		})
	}
}

// TestAListOfManyCodes: more codes than are shown come in the file alone.
func TestAListOfManyCodes(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		cardOf(h, "pc5 x9\nvpn x2")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "List done: 2 of 2")
		h.Pass(20 * time.Second)
		files := 0
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			for _, o := range h.Service.Orders() {
				if strings.Contains(m.Text, o.Code) {
					t.Errorf("a code of many stands in %s", m.Text)
				}
			}
			if m.Document != nil {
				files += strings.Count(string(m.Document.Body), "-") // each code has some
			}
		}
		if files == 0 {
			t.Error("no file has come")
		}
	})
}

// TestAListAboveALimit: a seller's limit counts for the whole list; an owner's ✅ buys it, and no other.
func TestAListAboveALimit(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Service.DemoCatalogue()
		h.Pass(2 * time.Minute)
		limit(h, "Per purchase", "500")
		h.Say(apptest.Karim, "60 coins for:\n51234567\n51234568\n51234569")
		m := h.See(apptest.Karim, "Above your limit")
		if len(spendButtons(m)) != 0 {
			t.Fatalf("the seller is offered %v", spendButtons(m))
		}
		h.Tap(apptest.Karim, "Ask for approval")
		h.SeeAny(apptest.Karim, "Waiting for approval")
		asked := h.See(apptest.Sam, "Karim asks to buy")
		data := spendButtons(asked)[0].Data
		for _, who := range []int64{apptest.Karim, apptest.Lila, apptest.Eve} { // forged
			id := h.Telegram.Tap(who, who, 1, data)
			h.Pass(time.Second)
			if c := h.Answer(id); !c.Alert {
				t.Errorf("%d was not refused", who)
			}
		}
		h.Bought(0)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Karim, "List done: 3 of 3")
		h.SeeAny(apptest.Sam, "Approved by Sam")
		h.Bought(3)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, data)
		h.Pass(30 * time.Second)
		h.Bought(3)
	})
}

// TestALockEndsAList: an owner's lock stops what was not sent, at once for all of it, and the card says so of each line.
func TestALockEndsAList(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	atTheCounter(t, func(h *apptest.Harness) {
		cardOf(h, "60 coins for:\n"+players(20))
		if _, err := h.Telegram.TapButton(apptest.Sam, apptest.Sam, "✅"); err != nil {
			t.Fatal(err)
		}
		h.Pass(10 * time.Millisecond)
		h.Say(apptest.Sam, "/lock")
		h.SeeAny(apptest.Sam, "purchases are locked")
		n := len(h.Service.Purchases())
		if n == 0 || n == 20 {
			t.Fatalf("%d of 20 were bought before the lock, so it shows nothing", n)
		}
		h.Pass(30 * time.Minute)
		h.Happened(n)
		card := apptest.Plain(h.SeeAny(apptest.Sam, "Nothing more is sent: purchases are locked").Text)
		if told := strings.Count(card, "· purchases are locked"); told != 20-n || !strings.Contains(card, fmt.Sprintf("List done: %d of 20 delivered", n)) {
			t.Errorf("%d were bought, and of %d lines the card says that they were not\n%s", n, told, card)
		}
	})
}

// TestAListOutlivesRestarts: at whatever moment the bot is restarted, the list goes on, and each line is bought once.
func TestAListOutlivesRestarts(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for step := range 12 {
		if !sampletest.Plays(step, 3) {
			continue
		}
		t.Run(strconv.Itoa(step), func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				restart := func(at int) {
					if at == step%3 {
						h.Pass(time.Duration(step) * 170 * time.Millisecond)
						h.Stop()
						h.Start()
					}
				}
				h.Telegram.Send(apptest.Sam, apptest.Sam, "60 coins for:\n"+players(8))
				restart(0)
				h.SeeAny(apptest.Sam, "Valid for")
				h.Tap(apptest.Sam, "✅")
				restart(1)
				h.Pass(5 * time.Second)
				restart(2)
				h.Pass(20 * time.Minute)
				h.SeeAny(apptest.Sam, "List done")
				seen := map[string]int{}
				for _, p := range h.Service.Purchases() {
					seen[fmt.Sprint(p.Inputs)]++
				}
				for who, n := range seen {
					if n != 1 {
						t.Errorf("%s was topped up %d times", who, n)
					}
				}
			})
		})
	}
}

// limitsNeed is how long the service's limits (60 GET and 30 POST a minute) take for the requests that were made since some were,
// where they are spread evenly.
func limitsNeed(since, until map[string]int) time.Duration {
	var gets, posts int
	for op, n := range until {
		if n -= since[op]; strings.HasPrefix(op, "GET") {
			gets += n
		} else {
			posts += n
		}
	}
	return max(time.Duration(gets)*time.Minute/60, time.Duration(posts)*time.Minute/30)
}

// TestAListOfTwenty: a list of 20 top-ups takes little more than what the limits of the service need for it.
func TestAListOfTwenty(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	atTheCounter(t, func(h *apptest.Harness) {
		h.Pass(2 * time.Minute)
		begin, before := time.Now(), h.Service.Requests()
		h.Say(apptest.Sam, "60 coins for:\n"+players(20))
		h.See(apptest.Sam, "Valid for")
		checked := time.Since(begin)
		h.Tap(apptest.Sam, "✅")
		edits := 0
		last := ""
		for range 1200 {
			h.Pass(250 * time.Millisecond)
			now := ""
			for _, m := range h.Telegram.Messages(apptest.Sam) {
				if strings.Contains(m.Text, "▓") || strings.Contains(m.Text, "░") {
					now = m.Text
				}
			}
			if now != last {
				edits, last = edits+1, now
			}
			if len(h.Service.Purchases()) == 20 && h.Alerted("List done: 20 of 20") > 0 {
				break
			}
		}
		took, bound := time.Since(begin), limitsNeed(before, h.Service.Requests())
		t.Logf("20 top-ups: checked after %v, done after %v, the limits need %v, %d edits, requests %v", checked, took, bound, edits, h.Service.Requests())
		h.Happened(20)
		if took > bound*5/4 {
			t.Errorf("it took %v, and the limits need %v", took, bound)
		}
		h.SeeAny(apptest.Sam, "List done: 20 of 20")
	})
}

// TestForgedLists: whoever knows the id of a list learns nothing of it in another chat, and can do nothing to it.
func TestForgedLists(t *testing.T) {
	t.Parallel()
	apptest.Run(t, heroes, func(h *apptest.Harness) {
		h.Say(apptest.Yasmine, "/start")
		h.Link(apptest.Sam)
		cardOf(h, "60 coins for:\n51234567\n51234568")
		m := h.See(apptest.Sam, "Valid for")
		a, _ := screen.ParseAction(spendButtons(m)[0].Data)
		mine := h.Telegram.Messages(apptest.Yasmine)
		for _, verb := range []screen.Verb{
			screen.VerbListConfirm, screen.VerbListMarked, screen.VerbListDrop, screen.VerbListAsk, screen.VerbListApprove, screen.VerbListRefuse, screen.VerbListStop, screen.VerbListAgain,
		} {
			h.Telegram.Tap(apptest.Yasmine, apptest.Yasmine, mine[len(mine)-1].ID, apptest.Forged(verb, a.Args...))
			h.Pass(2 * time.Second)
		}
		for _, m := range h.Telegram.Messages(apptest.Yasmine) {
			if strings.Contains(m.Text, "51234567") {
				t.Errorf("a stranger is shown a list: %s", m.Text)
			}
		}
		h.Happened(0)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "List done: 2 of 2")
		h.Happened(2)
	})
}

// TestAListBehindAnUncertainLine: who waits with a list sees for which order and until when, and an owner may let the next lines go
// first.
func TestAListBehindAnUncertainLine(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		cardOf(h, "60 coins for:\n"+players(4))
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorAnswer, Status: 502, Times: 1})
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		m := h.SeeAny(apptest.Sam, "The next line waits for order #")
		for _, words := range []string{"which is uncertain", "looked for until", "You can let the others go first"} {
			if !strings.Contains(apptest.Plain(m.Text), words) {
				t.Errorf("the card does not say %q: %s", words, m.Text)
			}
		}
		h.TapUnder("The next line waits", "⏭")
		h.Pass(2 * time.Minute)
		h.SeeAny(apptest.Sam, "List done: 3 of 4")
		h.Answered()
	})
}

// TestAnUncertainLine: a line whose answer is lost is told by itself and decided there; the others wait for it and go on, and
// nothing is bought twice.
func TestAnUncertainLine(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	atTheCounter(t, func(h *apptest.Harness) {
		cardOf(h, "60 coins for:\n"+players(4))
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.Tap(apptest.Sam, "✅")
		h.Pass(30 * time.Minute)
		h.SeeAny(apptest.Sam, "List done")
		seen := map[string]int{}
		for _, p := range h.Service.Purchases() {
			seen[fmt.Sprint(p.Inputs)]++
		}
		for who, n := range seen {
			if n != 1 {
				t.Errorf("%s was topped up %d times", who, n)
			}
		}
		h.Happened(4)
	})
}

// TestAListIsLeft: /cancel, another purchase and another list end a list that nobody has confirmed: its ✅ is good for nothing.
func TestAListIsLeft(t *testing.T) {
	t.Parallel()
	for _, leaves := range sampletest.Some(1, []string{"/cancel", "pc5 x1", "vpn x1\npc5 x1"}) {
		t.Run(leaves, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				cardOf(h, "60 coins for:\n51234567\n51234568")
				m := h.See(apptest.Sam, "Valid for")
				h.Say(apptest.Sam, leaves)
				h.Pass(5 * time.Second)
				h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, spendButtons(m)[0].Data)
				h.Pass(30 * time.Second)
				h.Happened(0)
			})
		})
	}
}

// TestAListFromACopy: a database that comes back from a copy does not know what of a list was bought since: the card says
// so, whatever it said before, and offers nothing of it.
func TestAListFromACopy(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	if storetest.OnServer() {
		t.Skip("a copy is a file")
	}
	for _, begun := range sampletest.Some(1, []bool{false, true}) {
		t.Run(strconv.FormatBool(begun), func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				copied := func() {
					h.Stop()
					db, err := os.ReadFile(filepath.Join(h.Dir, "data", "bot.db"))
					h.Must(err)
					h.Must(os.WriteFile(filepath.Join(h.Dir, "copy.db"), db, 0o600))
					h.Start()
				}
				cardOf(h, "60 coins for:\n"+players(8))
				m := h.See(apptest.Sam, "Valid for")
				if !begun {
					copied()
				}
				h.Tap(apptest.Sam, "✅")
				if begun {
					h.Pass(3 * time.Second)
					copied()
				}
				h.SeeAny(apptest.Sam, "List done: 8 of 8")
				h.Stop()
				h.Command("restore", "copy.db")
				h.Start()
				h.Pass(10 * time.Second)
				h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, spendButtons(m)[0].Data)
				h.Pass(time.Minute)
				h.TapIn(apptest.Sam, apptest.Sam, "The team is right")
				h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, spendButtons(m)[0].Data)
				h.Pass(10 * time.Minute)
				for _, now := range h.Telegram.Messages(apptest.Sam) {
					text := apptest.Plain(now.Text)
					switch {
					case now.ID != m.ID:
					case !strings.Contains(text, "does not know what of this list was bought") || strings.Contains(text, "List done"):
						t.Errorf("the card says\n%s", text)
					case strings.Contains(fmt.Sprint(now.Keyboard), "Again"), len(spendButtons(now)) > 0:
						t.Errorf("the card offers %v", now.Keyboard)
					}
				}
				h.Happened(8)
			})
		})
	}
}

// TestTheItemAboveIsKnown: where one line names the item for all, a line below it that is no player is told so, and not that nothing is
// called like it.
func TestTheItemAboveIsKnown(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		text := cardOf(h, "battle 60 coins for:\n51234567\n999\n5123 4574\n51234577;2")
		if strings.Contains(text, "no such product") || strings.Count(text, "the player ID, or another answer, is missing or wrong") != 3 {
			t.Errorf("the card is\n%s", text)
		}
	})
}

// TestARowOfATable: a line that was copied from a table is read as the table has it; a number with a comma names nothing.
func TestARowOfATable(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		for line, want := range map[string]string{"play card 5,3": "3 × DZD 1,250.50", `"play card 10",2`: "2 × DZD 2,480", "play card 5، 2": "2 × DZD 1,250.50"} {
			if text := summaryOf(h, line); !strings.Contains(text, want) {
				t.Errorf("%q leads to\n%s", line, text)
			}
		}
		h.Say(apptest.Sam, "/cancel")
		h.Say(apptest.Sam, "5,3")
		if text := plainly(last(ofBot(h, apptest.Sam)).Text); strings.Contains(text, "Check before buying") {
			t.Errorf("a number leads to\n%s", text)
		}
	})
}
