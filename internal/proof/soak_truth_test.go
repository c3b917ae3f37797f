package proof

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// soakEar hears everything that the bot says, as the chats show it.
type soakEar struct {
	mu     sync.Mutex
	last   tgsim.Call
	said   []utterance
	sorted []utterance // what was said, by its time, when it was asked for last
}

// utterance is a message as it was sent, or as an edit made it.
type utterance struct {
	at      time.Time
	chat    int64
	message int
	edit    bool
	text    string
	codes   []string // those of the simulated service's form
	marked  []string // what is shown as a code, whatever its form
}

// shopReference is how a purchase is named in a text.
var shopReference = regexp.MustCompile(`#([0-9A-Z]{5})\b`)

// soakLogHead is what begins each line of the log.
var soakLogHead = regexp.MustCompile(`^\{"time":"[^"]*",|"(?:purchase|account)":"[^"]*",`)

// references lists the purchases that an utterance names.
func (u utterance) references() []string {
	var all []string
	for _, m := range shopReference.FindAllStringSubmatch(u.text, -1) {
		if !slices.Contains(all, m[1]) {
			all = append(all, m[1])
		}
	}
	return all
}

// about is the one purchase that an utterance is about; "" for none or several.
func (u utterance) about() string {
	if all := u.references(); len(all) == 1 {
		return all[0]
	}
	return ""
}

// has reports whether one of some words is said.
func (u utterance) has(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(u.text, w) })
}

// listen hears, and reads the log, until nobody listens any more.
func (s *soak) listen(ctx context.Context) {
	for sleep(ctx, 300*time.Millisecond) {
		s.hear()
	}
}

// hear takes what was said since the last time.
func (s *soak) hear() {
	s.ear.mu.Lock()
	defer s.ear.mu.Unlock()
	all := s.telegram.Record()
	from := 0
	for i, c := range slices.Backward(all) {
		if c.At.Equal(s.ear.last.At) && c.Method == s.ear.last.Method {
			from = i + 1
			break
		}
	}
	for _, c := range all[from:] {
		if u, ok := s.utter(c); ok {
			s.ear.said = append(s.ear.said, u)
		}
	}
	if len(all) > 0 {
		s.ear.last = all[len(all)-1]
	}
}

// utter reads what a call made a chat show.
func (s *soak) utter(c tgsim.Call) (u utterance, ok bool) {
	var m struct {
		ID       int                  `json:"message_id"`
		Chat     struct{ ID int64 }   `json:"chat"`
		Text     string               `json:"text"`
		Caption  string               `json:"caption"`
		Entities []tgsim.Entity       `json:"entities"`
		Document *struct{ ID string } `json:"document"`
	}
	if !c.OK || !strings.HasPrefix(c.Method, "send") && !strings.HasPrefix(c.Method, "edit") || json.Unmarshal(c.Result, &m) != nil || m.ID == 0 {
		return u, false
	}
	text := cmp.Or(m.Text, m.Caption)
	u = utterance{at: c.At, chat: m.Chat.ID, message: m.ID, edit: strings.HasPrefix(c.Method, "edit"), text: apptest.Plain(text)}
	u.codes = simCodeForm.FindAllString(u.text, -1)
	for _, e := range m.Entities {
		if e.Type == "code" {
			u.marked = append(u.marked, tgsim.Slice(text, e.Offset, e.Length))
		}
	}
	if c.Method == "senddocument" {
		for _, shown := range slices.Backward(s.telegram.Messages(u.chat)) {
			if shown.ID == u.message && shown.Document != nil {
				u.codes = append(u.codes, simCodeForm.FindAllString(string(shown.Document.Body), -1)...)
				break
			}
		}
	}
	return u, true
}

// everything lists what was said, in its order.
func (e *soakEar) everything() []utterance {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.sorted) != len(e.said) {
		e.sorted = slices.Clone(e.said)
		slices.SortStableFunc(e.sorted, func(a, b utterance) int { return a.at.Compare(b.at) })
	}
	return e.sorted
}

// soakTruth knows by the program's log which purchase was on its way when a request arrived.
type soakTruth struct {
	mu      sync.Mutex
	taken   map[*apptest.Process]int // how much of its log was read
	logs    map[string][]soakLine    // by purchase
	submits map[string][]soakSubmit  // by account
	chats   map[string]int64         // that confirmed a purchase
	errors  map[string]int           // messages of the levels above INFO
}

// soakLine is a line of the log about a purchase.
type soakLine struct {
	at   time.Time
	text string
}

// soakSubmit is when a purchase was about to be sent.
type soakSubmit struct {
	at       time.Time
	purchase string
}

// read reads what a process has logged since it was read last.
func (tr *soakTruth) read(p *apptest.Process) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	text := p.Log.String()[tr.taken[p]:]
	end := strings.LastIndexByte(text, '\n') + 1
	tr.taken[p] += end
	for line := range strings.Lines(text[:end]) {
		tr.line(strings.TrimSpace(line))
	}
}

// line takes a line of the log.
func (tr *soakTruth) line(line string) {
	var l struct {
		Time              time.Time
		Level, Msg        string
		Purchase, Account string
		Chat              int64
	}
	if json.Unmarshal([]byte(line), &l) != nil {
		return
	}
	if l.Level != "INFO" {
		tr.errors[l.Level+" "+l.Msg]++
	}
	if l.Purchase == "" {
		return
	}
	tr.logs[l.Purchase] = append(tr.logs[l.Purchase], soakLine{l.Time, line})
	switch l.Msg {
	case "purchase submitting":
		tr.submits[l.Account] = append(tr.submits[l.Account], soakSubmit{l.Time, l.Purchase})
	case "purchase confirmed":
		tr.chats[l.Purchase] = l.Chat
	}
}

// newSoakTruth knows nothing yet.
func newSoakTruth() *soakTruth {
	return &soakTruth{
		taken: map[*apptest.Process]int{}, logs: map[string][]soakLine{}, submits: map[string][]soakSubmit{}, chats: map[string]int64{}, errors: map[string]int{},
	}
}

// purchaseOf names the purchase that was on its way in an account of some names when a request arrived; "" for none.
func (tr *soakTruth) purchaseOf(names []string, arrived time.Time) string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	var last soakSubmit
	for _, name := range names {
		for _, one := range tr.submits[name] {
			if !one.at.After(arrived) && !one.at.Before(last.at) {
				last = one
			}
		}
	}
	return last.purchase
}

// execution is what truly became of a request.
type execution struct {
	soakRequest

	shop     *soakShop
	purchase string
	pending  bool      // it may still be executed
	done     time.Time // zero: it was never executed
	total    dzd.Amount
	orders   []sim.Order
}

// executions lists all requests that spend with what became of them, by the purchase.
func (s *soak) executions() map[string][]execution {
	if p := s.alive.Load(); p != nil {
		s.truth.read(p)
	}
	spends, orders := map[string]sim.Spend{}, map[string][]sim.Order{}
	for _, w := range s.worlds {
		for _, sp := range w.Spends() {
			spends[sp.Tag] = sp
		}
		for _, o := range w.Orders() {
			orders[o.Tag] = append(orders[o.Tag], o)
		}
	}
	all := map[string][]execution{}
	for _, r := range s.traffic.all() {
		sp := spends[r.tag]
		e := execution{soakRequest: r, shop: s.shopOfKey(r.key), done: sp.Done, orders: orders[r.tag]}
		if e.shop == nil {
			continue
		}
		e.pending = sp.Done.IsZero() && !sp.Due.IsZero() && sp.Refusal == ""
		if sp.Purchase != nil {
			e.total = sp.Purchase.Total
		}
		e.purchase = s.truth.purchaseOf(e.shop.accounts(), r.at)
		all[e.purchase] = append(all[e.purchase], e)
	}
	return all
}

// atService is what a person finds who looks for a purchase at the service. It is not known while a request may
// still be executed.
func (s *soak) atService(purchase string) (bought, known bool) {
	for _, e := range s.executions()[purchase] {
		if e.pending || time.Since(e.at) < 15*time.Second {
			return false, false
		}
		bought = bought || !e.done.IsZero()
	}
	return bought, true
}

// story tells everything about a purchase in its order.
func (s *soak) story(purchase string, execs []execution) string {
	type event struct {
		at   time.Time
		text string
	}
	var all []event
	s.mu.Lock()
	for _, tap := range s.taps {
		if tap.purchase == purchase {
			all = append(all, event{tap.at, "tap ✅"})
		}
	}
	s.mu.Unlock()
	for _, e := range execs {
		all = append(all, event{e.at, fmt.Sprintf("%s arrives: %s with the key of shop %d (%s, %s service)", e.tag, e.what, e.shop.number, e.shop.mode, e.shop.world.name)})
		if !e.done.IsZero() {
			all = append(all, event{e.done, fmt.Sprintf("%s is executed: %s, orders %s", e.tag, e.total, orderIDs(e.orders))})
		}
	}
	s.truth.mu.Lock()
	for _, l := range s.truth.logs[purchase] {
		all = append(all, event{l.at, "log " + soakLogHead.ReplaceAllString(l.text, "")})
	}
	s.truth.mu.Unlock()
	reference := purchase[max(0, len(purchase)-5):]
	for _, u := range s.ear.everything() {
		if slices.Contains(u.references(), reference) {
			all = append(all, event{u.at, fmt.Sprintf("chat %d, message %d: %s", u.chat, u.message, strings.ReplaceAll(u.text, "\n", " | "))})
		}
	}
	slices.SortStableFunc(all, func(a, b event) int { return a.at.Compare(b.at) })
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "    %s %s\n", s.since(e.at), e.text)
	}
	return b.String()
}

func orderIDs(orders []sim.Order) string {
	var ids []string
	for _, o := range orders {
		ids = append(ids, fmt.Sprintf("%s (%s)", o.ID, o.Status))
	}
	return strings.Join(ids, " ")
}

// byCount lists the keys of a count, the most frequent first.
func byCount(counts map[string]int) []string {
	keys := slices.Collect(maps.Keys(counts))
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	return keys
}
