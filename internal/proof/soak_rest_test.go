package proof

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// soakSample is what the program used at a moment.
type soakSample struct {
	at       time.Time
	memory   int64 // resident, bytes
	routines float64
	file     int64
}

// soakFigure is a figure of at most one label, as it is served.
var soakFigure = regexp.MustCompile(`(?m)^(\w+)(?:\{\w+="([^"]*)"\})? (\S+)$`)

// figures reads what the program shows of itself, by name and the first label's value.
func (s *soak) figures() (map[string]float64, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.metrics+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("read the figures: %w", err)
	}
	all := map[string]float64{}
	for _, m := range soakFigure.FindAllStringSubmatch(string(text), -1) {
		if all[strings.TrimSpace(m[1]+" "+m[2])], err = strconv.ParseFloat(m[3], 64); err != nil {
			return nil, fmt.Errorf("read the figure %s: %w", m[1], err)
		}
	}
	return all, nil
}

// sample notes what the program uses. One that is just rising shows nothing yet.
func (s *soak) sample() {
	all, err := s.figures()
	if err != nil {
		return
	}
	one := soakSample{at: time.Now(), routines: all["go_goroutines"], file: int64(all["resellerbot_database_bytes"])}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.bot.Command.Process.Pid))
	if err == nil {
		if _, rest, found := strings.Cut(string(status), "VmRSS:"); found {
			kilo, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			one.memory = kilo << 10
		}
	}
	s.growth = append(s.growth, one)
}

// rest lets the bot live in fair weather until nothing is open any more: at most as long as a purchase may stay
// uncertain where lists and balances have been late, as its message says.
func (s *soak) rest() {
	s.t.Helper()
	ctx, over := context.WithTimeout(s.t.Context(), max(s.reconcile+soakQuiet, soakLongest)+soakSlack)
	defer over()
	rng := s.random(4)
	lookUp := time.Now().Add(time.Minute)
	calm := 0 // looks in a row that have found nothing
	for tick := 0; sleep(ctx, 2*time.Second); tick++ {
		s.fulfil(rng)
		for _, shop := range s.shops {
			shop.people[0].keep(ctx)
			for _, p := range shop.people {
				p.duties(everything)
			}
		}
		if tick%15 == 0 {
			s.sample()
		}
		if time.Now().After(lookUp) {
			s.lookUp(ctx)
			lookUp = time.Now().Add(time.Minute)
		}
		open := s.open()
		// A purchase that a person is asked about is open to nobody but them, and is again once they have answered.
		if calm++; len(open) > 0 || s.mayCorrect() || s.seeks() {
			calm = 0
		}
		if s.settled = calm == calmLooks; s.settled {
			break
		}
		if tick%30 == 29 {
			s.logf("rest: %v", open)
		}
	}
	s.rested = time.Since(s.ended)
	s.sample()
	s.stop()
	s.keepLog()
	s.truth.read(s.bot)
	s.hear()
}

// keep has the owner of a shop's account unlock it, and link the key that it has now.
func (p *soaker) keep(ctx context.Context) {
	if p.kept {
		return
	}
	if p.kept = p.link(ctx); p.kept {
		p.unlock(ctx)
	}
}

// open names what is not at rest. What is paid may be on its way for a while longer.
func (s *soak) open() (open []string) {
	all, err := s.figures()
	if err != nil {
		return []string{err.Error()}
	}
	for name, n := range all {
		paid := name == "resellerbot_purchases_open accepted" && time.Since(s.ended) > soakSlack
		unasked := name == "resellerbot_purchases_open asked"
		is := strings.HasPrefix(name, "resellerbot_purchases_open ") || strings.HasPrefix(name, "resellerbot_outbox_messages") || name == "resellerbot_inbox_oldest_seconds"
		if is && n > 0 && !paid && !unasked {
			open = append(open, fmt.Sprintf("%s %g", strings.TrimPrefix(name, "resellerbot_"), n))
		}
	}
	if n := s.telegram.Pending(); n > 0 {
		open = append(open, fmt.Sprintf("%d updates at Telegram", n))
	}
	for _, list := range s.executions() {
		for _, e := range list {
			if e.pending {
				open = append(open, e.tag+" at the service")
			}
		}
	}
	slices.Sort(open)
	return open
}

// mayCorrect reports whether a sentence is wrong by now for which the bot has still time. What was refused and executed all the same is asked
// about once nothing else explains its price any more: where other purchases were refused beside it, or are uncertain, that is when a reading
// cannot be older.
func (s *soak) mayCorrect() bool {
	last := s.lastSaid()
	for purchase, list := range s.executions() {
		c := soakCase{execs: list}
		for _, e := range list {
			if !e.done.IsZero() && time.Since(e.done) < soakLongest && c.charged(time.Now()) && last[purchase[max(0, len(purchase)-5):]].has(hopesNothing...) {
				return true
			}
		}
	}
	return false
}

// seeks reports whether orders are looked for of which people read so: that has to come to an end, an hour later where no list can be read.
func (s *soak) seeks() bool {
	seeking := map[string]bool{}
	for _, u := range s.ear.everything() {
		switch r := u.about(); {
		case r != "" && u.has(seekingSaid):
			seeking[r] = true
		case u.has(foundSaid...):
			delete(seeking, r)
		}
	}
	return len(seeking) > 0
}

// lookUp has people look at purchases that are open, as they do who have removed the message that asked them.
func (s *soak) lookUp(ctx context.Context) {
	s.truth.mu.Lock()
	chats := map[string]int64{}
	for purchase, lines := range s.truth.logs {
		if soakAsked(lines) {
			chats[purchase] = s.truth.chats[purchase]
		}
	}
	s.truth.mu.Unlock()
	for purchase, chat := range chats {
		shop := s.shopOfChat(chat)
		if shop == nil {
			continue
		}
		for _, p := range shop.people {
			if p.id == chat || p.first() {
				p.open(ctx, purchase)
			}
		}
	}
}

// soakAsked reports whether a person was asked about a purchase, and none has answered since.
func soakAsked(lines []soakLine) (asked bool) {
	for _, l := range lines {
		switch {
		case strings.Contains(l.text, `"event":"give up"`), strings.Contains(l.text, `"event":"doubt"`):
			asked = true
		case strings.Contains(l.text, "a person decided"), strings.Contains(l.text, "a person picked the orders"):
			asked = false
		}
	}
	return asked
}

// soakLogHas reports whether a line of the log holds some words.
func soakLogHas(lines []soakLine, words string) bool {
	return slices.ContainsFunc(lines, func(l soakLine) bool { return strings.Contains(l.text, words) })
}

// open looks at one purchase.
func (p *soaker) open(ctx context.Context, purchase string) {
	p.begin()
	// It may stand on a further page: the button of a list that shows others does the same.
	m, ok := p.say(ctx, "/orders", func(m tgsim.Message) bool { _, lists := keyWith(m, screen.VerbOrder); return lists })
	if ok {
		key, _ := keyWith(m, screen.VerbOrder)
		a, _ := screen.ParseAction(key.Data)
		p.press(m, strings.Replace(key.Data, a.Arg(0), purchase, 1)) // its data may name the account as well
		p.until(ctx, p.patience, func(m tgsim.Message) bool { _, asks := keyWith(m, screen.VerbDecide); return asks })
	}
	p.duties(everything)
}

// soakLeft is what the store holds at the end.
type soakLeft struct {
	purchases map[string]store.Purchase
	refunds   map[string]bool // purchases of which nothing is awaited but money, for which there is time yet
	updates   int
	messages  []store.Outgoing
}

// left reads what the bot has left behind.
func (s *soak) left() soakLeft {
	s.t.Helper()
	left := soakLeft{purchases: map[string]store.Purchase{}, refunds: map[string]bool{}}
	s.inStore(func(ctx context.Context, st *store.Store) {
		waiting, err := st.PendingUpdates(ctx, 0, 1000)
		if err != nil {
			s.t.Fatal(err)
		}
		left.updates = len(waiting)
		if left.messages, err = st.WaitingMessages(ctx, store.Outgoing{}, 1000); err != nil {
			s.t.Fatal(err)
		}
		for _, chat := range s.telegram.Chats() {
			for _, p := range s.purchasesOf(ctx, st, chat) {
				left.purchases[p.ID], left.refunds[p.ID] = p, s.awaitsMoney(ctx, st, p)
			}
		}
	})
	return left
}

// awaitsMoney reports whether the orders of a purchase have come to their end, and a refund may still come before people
// are to be told that it did not: in a quarter of an hour, or, where balances are late, four times that.
func (s *soak) awaitsMoney(ctx context.Context, st *store.Store, p store.Purchase) bool {
	s.t.Helper()
	orders, err := st.OrdersOf(ctx, p)
	if err != nil {
		s.t.Fatal(err)
	}
	a, err := st.Account(ctx, p.Account)
	if err != nil {
		s.t.Fatal(err)
	}
	// Where the balance cannot be read, or shows what several things explain, people are told later than where it shows nothing: that is
	// so in most of these shops, which others use as well.
	patience := max(time.Hour, 2*max(15*time.Minute, 4*a.Lags["balance"].Longest)) + soakSlack // a refund that is late is looked for minutes apart
	awaited := func(o store.Order) bool { return o.Refund == store.RefundWaiting }
	return slices.ContainsFunc(orders, awaited) && !slices.ContainsFunc(orders, func(o store.Order) bool {
		return o.State == store.Waiting || awaited(o) && time.Since(o.ReadyAt) > patience
	})
}

// purchasesOf lists all purchases of a chat.
func (s *soak) purchasesOf(ctx context.Context, st *store.Store, chat int64) (all []store.Purchase) {
	s.t.Helper()
	const most = 200
	for after := ""; ; {
		page, err := st.ChatPurchases(ctx, chat, after, most)
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, page...)
		if len(page) < most {
			return all
		}
		after = page[most-1].ID
	}
}
