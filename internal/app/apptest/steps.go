package apptest

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/store/seal"
	"resellerbot/internal/store/storetest"
)

// FromBot counts what the bot has said in a chat.
func (h *Harness) FromBot(chat int64) int {
	n := 0
	for _, m := range h.Telegram.Messages(chat) {
		if m.FromBot {
			n++
		}
	}
	return n
}

// Alerted counts the messages to sam that hold some words.
func (h *Harness) Alerted(words string) int {
	n := 0
	for _, m := range h.Telegram.Messages(Sam) {
		if m.FromBot && !m.Deleted && strings.Contains(Plain(m.Text), words) {
			n++
		}
	}
	return n
}

// Alarmed is by when money that goes without a purchase is an alarm: it was looked at, and no reading is so old any more.
const Alarmed = 22 * time.Minute

// Stock fills the service with what most tests buy: a card at 1 250,50 whose code takes two seconds.
func Stock(h *Harness) {
	h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", CategoryID: 4, Variants: []sim.VariantSpec{
		{ID: 101, Name: "10 USD", Price: "1250.50", InStock: 50, Delay: 2 * time.Second},
		{ID: 102, Name: "25 USD", Price: "3100", InStock: 5, Delay: 2 * time.Second},
	}})
}

// StockIn is Stock for Sam, who uses Telegram in a language.
func StockIn(lang string) func(*Harness) {
	return func(h *Harness) {
		Stock(h)
		h.Telegram.SetLanguage(Sam, lang)
	}
}

// Order walks from /buy to the summary.
func (h *Harness) Order(user int64, product, variant, quantity string) {
	h.T.Helper()
	h.Say(user, "/buy")
	h.Tap(user, product)
	h.Tap(user, variant)
	h.Say(user, quantity)
}

// Buy has somebody buy, and waits until the codes are there.
func (h *Harness) Buy(user int64, product, variant, quantity string) {
	h.T.Helper()
	h.Order(user, product, variant, quantity)
	h.Tap(user, "✅")
	h.Delivered(user)
}

// OrderLost has somebody buy what the service makes, and whose answer it loses: the purchase is uncertain.
func (h *Harness) OrderLost(user int64, product, variant, quantity string) {
	h.T.Helper()
	h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
	h.Order(user, product, variant, quantity)
	h.Tap(user, "✅")
	h.SeeAny(user, "Uncertain")
}

// Codes lists the text of every code entity that a chat shows.
func (h *Harness) Codes(chat int64) []string {
	var all []string
	for _, m := range h.Telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			all = append(all, CodesIn(m)...)
		}
	}
	return all
}

// CodesIn lists the text of a message's code entities.
func CodesIn(m tgsim.Message) []string {
	var all []string
	for _, e := range m.Entities {
		if e.Type == "code" {
			all = append(all, tgsim.Slice(m.Text, e.Offset, e.Length))
		}
	}
	return all
}

// Delivered waits until the chat shows the codes of all orders that the service made.
func (h *Harness) Delivered(user int64) {
	h.T.Helper()
	h.Wait(user, "all codes", func([]tgsim.Message) (tgsim.Message, bool) {
		for _, o := range h.Service.Orders() {
			if o.Code == "" || !slices.Contains(h.Codes(user), o.Code) {
				return tgsim.Message{}, false
			}
		}
		return tgsim.Message{}, len(h.Service.Orders()) > 0
	})
}

// PurchasesSent is how many purchase requests have reached the service.
func (h *Harness) PurchasesSent() int {
	return h.Service.Requests()["POST /products/purchase/{variantId}"]
}

// Bought fails the test unless exactly n purchases exist at the service, one request each.
func (h *Harness) Bought(n int) {
	h.T.Helper()
	if got, sent := len(h.Service.Purchases()), h.PurchasesSent(); got != n || sent != n {
		h.T.Errorf("the service made %d purchases of %d requests, want %d of %d", got, sent, n, n)
	}
}

// ConfirmData is the callback data behind a summary's ✅, the only one it has.
func ConfirmData(t *testing.T, m tgsim.Message) string {
	t.Helper()
	var found []string
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, "✅") {
				found = append(found, b.Data)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("the message has %d ✅ buttons, want 1", len(found))
	}
	return found[0]
}

// Answered fails the test if a callback query was not answered exactly once within ten seconds.
func (h *Harness) Answered() { h.T.Helper(); h.AnsweredWithin(10 * time.Second) }

// AnsweredWithin is Answered for people who tap faster than Telegram takes answers.
func (h *Harness) AnsweredWithin(d time.Duration) {
	h.T.Helper()
	for _, c := range h.Telegram.Callbacks() {
		if c.Answers != 1 || c.AnsweredAt.Sub(c.At) > d {
			h.T.Errorf("callback %q was answered %d times, after %v", c.Data, c.Answers, c.AnsweredAt.Sub(c.At))
		}
	}
}

// LegacyTestKey is of an account that only the older interface knows.
const LegacyTestKey = "KEY-canary-legacy-3c7d"

// Everything fills a service of a mode with goods of every family, and with an account that only knows
// the Legacy interface.
func Everything(o sim.Options) func(*Harness) {
	return func(h *Harness) {
		o.Seed = 7
		h.Service = sim.New(o)
		h.Service.DemoCatalogue()
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: TestKey, Name: "Boutique El Djazair", Email: "shop@example.com", UserID: 4101, Balance: "25000", Held: "1000"}))
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: LegacyTestKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "25000"}))
	}
}

// OwnNames is Everything at a service with names of its own, which lists no kind, and a bot that was told them. Without them
// it is a bot that nobody has told anything.
func OwnNames(o sim.Options, told bool) func(*Harness) {
	return func(h *Harness) {
		o.OwnNames = true
		Everything(o)(h)
		if told {
			maps.Copy(h.Env, sim.OwnConfiguration())
		}
	}
}

// LinkLegacy links the account of the older interface, which tells no name.
func (h *Harness) LinkLegacy(user int64) {
	h.T.Helper()
	h.Say(user, "/start")
	h.Say(user, "/key "+LegacyTestKey)
	h.SeeAny(user, "25,000")
}

// Happened fails the test unless exactly n purchases truly happened.
func (h *Harness) Happened(n int) []sim.Purchase {
	h.T.Helper()
	all := h.Service.Purchases()
	if len(all) != n {
		h.T.Fatalf("%d purchases happened, want %d\n%s", len(all), n, h.Transcript(Sam))
	}
	return all
}

// PurchaseID is the id of the purchase that a summary is about.
func PurchaseID(t *testing.T, m tgsim.Message) string {
	t.Helper()
	a, ok := screen.ParseAction(ConfirmData(t, m))
	if !ok {
		t.Fatal("the ✅ means nothing")
	}
	return a.Arg(0)
}

// Forged is the data of a button as anybody can make it up.
func Forged(verb screen.Verb, args ...string) string {
	return screen.Action{Verb: verb, Args: args}.Data()
}

// Sleep lets time pass with the bot stopped, which is quicker.
func (h *Harness) Sleep(d time.Duration) {
	h.T.Helper()
	h.Stop()
	h.Pass(d)
	h.Start()
}

// Overnight is Sleep, and the minutes in which the bot does what was due meanwhile.
func (h *Harness) Overnight(d time.Duration) {
	h.T.Helper()
	h.Sleep(d)
	h.Pass(6 * time.Minute)
}

// AroundHour has the bot sleep until shortly before an hour of its clock, and run until shortly after it. What was due before that, by
// some other clock, comes as soon as it wakes.
func (h *Harness) AroundHour(hour int) {
	h.T.Helper()
	now := time.Now().UTC().Add(time.Hour) // in Algiers
	at := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, time.UTC)
	if at.Sub(now) < time.Hour {
		at = at.AddDate(0, 0, 1)
	}
	h.Sleep(at.Sub(now) - 20*time.Minute)
	h.Pass(40 * time.Minute)
}

// TapUnder has Sam tap a button of the newest message that holds some words.
func (h *Harness) TapUnder(words, button string) {
	h.T.Helper()
	m := h.SeeLast(Sam, words)
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, button) {
				h.Telegram.Tap(Sam, Sam, m.ID, b.Data)
				h.Pass(time.Second)
				return
			}
		}
	}
	h.T.Fatalf("no button %q under %q:\n%s", button, words, h.Transcript(Sam))
}

// SeeLast waits for the newest message that holds the words.
func (h *Harness) SeeLast(user int64, words string) tgsim.Message {
	h.T.Helper()
	return h.Wait(user, "a message that holds "+words, func(all []tgsim.Message) (tgsim.Message, bool) {
		for _, m := range slices.Backward(all) {
			if m.FromBot && !m.Deleted && strings.Contains(Plain(m.Text), words) {
				return m, true
			}
		}
		return tgsim.Message{}, false
	})
}

// Who else there is in the tests of teams. Sam owns the account in them.
const (
	Karim = int64(601) // becomes a seller
	Lila  = int64(602) // comes to the counter
	Eve   = int64(666) // is nobody's
)

// People is a shop's goods, and the people around it.
func People(h *Harness) {
	Stock(h)
	for id, name := range map[int64]string{Karim: "Karim", Lila: "Lila", Eve: "Eve"} {
		h.Telegram.AddUser(tgsim.User{ID: id, FirstName: name, LanguageCode: "en"})
	}
}

// StartLink finds the token of an invitation in what the bot says.
var StartLink = regexp.MustCompile(`https://t\.me/shop_bot\?start=([A-Za-z0-9_-]+)`)

// Invite has an owner make an invitation, and returns its token.
func (h *Harness) Invite(owner int64, role string) string {
	h.T.Helper()
	h.Say(owner, "/team")
	h.Tap(owner, role)
	m := StartLink.FindStringSubmatch(Plain(h.See(owner, "Send this link").Text))
	if m == nil {
		h.T.Fatalf("there is no link:\n%s", h.Transcript(owner))
	}
	return m[1]
}

// Join has somebody open an invitation.
func (h *Harness) Join(user int64, token string) {
	h.T.Helper()
	h.Telegram.Start(user, token)
	h.Pass(time.Second)
	h.See(user, "Welcome to Boutique El Djazair")
}

// TapIn taps the newest button of a chat whose text holds the words, and returns how the tap was answered.
func (h *Harness) TapIn(user, chat int64, words string) tgsim.Callback {
	h.T.Helper()
	id, err := h.Telegram.TapButton(user, chat, words)
	if err != nil {
		h.T.Fatalf("tap %q: %v\n%s", words, err, h.Transcript(chat))
	}
	h.Pass(time.Second)
	return h.Answer(id)
}

// Answer is how a tap was answered.
func (h *Harness) Answer(id string) tgsim.Callback {
	h.T.Helper()
	all := h.Telegram.Callbacks()
	i := slices.IndexFunc(all, func(c tgsim.Callback) bool { return c.ID == id })
	if i < 0 {
		h.T.Fatalf("there was no tap %s", id)
	}
	return all[i]
}

// RefusedWith fails the test unless a tap was answered with a word to be confirmed.
func (h *Harness) RefusedWith(c tgsim.Callback, words string) {
	h.T.Helper()
	if !c.Alert || !strings.Contains(Plain(c.Text), words) {
		h.T.Errorf("the tap on %q was answered with %q, alert %v; want %q", c.Data, c.Text, c.Alert, words)
	}
}

// Texts is everything that a chat shows.
func (h *Harness) Texts(chat int64) string {
	var b strings.Builder
	for _, m := range h.Telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			b.WriteString(Plain(m.Text) + "\n")
		}
	}
	return b.String()
}

// InStore stops the bot, opens its store, and starts the bot again.
func (h *Harness) InStore(look func(*store.Store)) {
	h.T.Helper()
	h.Stop()
	e := storetest.Engine(h.T, h.database())
	keyring, err := seal.ParseKeyring(h.Env["ENCRYPTION_KEYS"])
	h.Must(err)
	s, err := store.Open(context.Background(), e, keyring)
	h.Must(err)
	look(s)
	h.Must(s.Close())
	h.Start()
}

// Get asks the bot's HTTP server.
func (h *Harness) Get(path string) int {
	h.T.Helper()
	tr := &http.Transport{DialContext: h.Net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.T.Context(), http.MethodGet, "http://"+HealthAddr+path, nil)
	h.Must(err)
	resp, err := (&http.Client{Transport: tr}).Do(req)
	h.Must(err)
	defer resp.Body.Close()
	return resp.StatusCode
}
