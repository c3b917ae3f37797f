package proof

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

// The invariants. Their ids are those of the reports.
const (
	tapLost       = "I0"  // a tap that was taken is acted on
	oneAttempt    = "I1"  // one wire attempt for a confirmed tap, apart from answers of 429
	neverDenied   = "I2"  // what was executed is never called not bought
	oneOwner      = "I3"  // an order belongs to one purchase
	trulyOurs     = "I4"  // what a purchase owns was made by it, and a chat sees its own codes only
	sentIsSeen    = "I5"  // what is marked as delivered is in the chat
	sameCommit    = "I6"  // a code and the message that brings it are one commit
	oneTap        = "I7"  // a draft is confirmed once, in time
	liveness      = "I8"  // once faults stop, everything comes to its end
	allUnits      = "I9"  // every order that the service made is somebody's, or a person is asked
	diskFirst     = "I10" // nothing goes out before it is on disk
	saysAgain     = "I11" // a code shows twice only where the second says so
	money         = "I12" // what left the wallet is what was bought, and the store explains it
	noSecrets     = "I14" // secrets are in no log and nowhere on disk in clear
	limitsKept    = "I15" // the rate limits hold
	chatOrder     = "I16" // a chat learns things in their order
	finalIsFinal  = "I17" // what has ended stays ended
	noLeaks       = "I19" // nothing of a process goes on when it has ended
	nothingFalse  = "I21" // nobody is told what is false when it is said
	getPerMinute  = 60
	postPerMinute = 30
)

// witness sees what the program writes, sends and says, and compares it with the truth.
type witness struct {
	lab *lab

	mu         sync.Mutex
	violations []string
	notes      []string
	purchases  map[string]store.Purchase // as last committed
	orders     map[string]store.Order
	confirms   map[string]int
	bought     map[string]int // movements
	refunds    map[string]int
	submits    int // commits that allow one attempt
	attempts   int // on the wire
	taps       int // ✅ that were taken
	arrived    int // updates that were put on disk
	sent       []sentAt
	handled    map[int64][]time.Time // when updates of a chat came or were done
	shown      []shown
	firstShown map[string]shownAt      // of codes
	outside    bool                    // others use the account as well
	uncertain  int                     // purchases that were unknown for a while
	personal   int                     // those of them that a person was asked about
	askedBy    []string                // the rules that spoke last about these
	waiting    map[string]bool         // rows of the outbox and the inbox
	keys       map[int64][]string      // that each chat has worked with
	unkind     bool                    // the world is not kind: what is said is kept, and judged at the end
	accused    []accusation            // of others, of having taken money
	accounts   map[string]store.Record // as last committed
	lists      map[string]store.List   // as last committed, without their lines
	cards      map[shownAt]string      // the messages that are, or were, the cards of lists
}

// shown is a message as a chat has just come to show it.
type shown struct {
	at       time.Time
	chat     int64
	message  int
	text     string
	codes    []string
	document bool
	purchase string // that it speaks of
	file     string // what a document holds
	ofList   bool   // a list's card, its ring or its file: what is said of each line there is judged by itself
}

// sentAt is a call that counts against Telegram's limits.
type sentAt struct {
	chat int64
	life int
	at   time.Time
}

type shownAt struct {
	chat    int64
	message int
}

func newWitness(l *lab) *witness {
	return &witness{
		lab: l, purchases: map[string]store.Purchase{}, orders: map[string]store.Order{}, confirms: map[string]int{},
		bought: map[string]int{}, refunds: map[string]int{}, firstShown: map[string]shownAt{},
		keys: map[int64][]string{}, waiting: map[string]bool{}, handled: map[int64][]time.Time{},
		accounts: map[string]store.Record{}, lists: map[string]store.List{}, cards: map[shownAt]string{},
	}
}

// violatef notes that an invariant does not hold.
func (w *witness) violatef(id, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.brokenf(id, format, args...)
}

// brokenf is violatef where w.mu is held.
func (w *witness) brokenf(id, format string, args ...any) {
	text := id + ": " + fmt.Sprintf(format, args...)
	if w.unkind && !slices.Contains([]string{"lab", oneTap, diskFirst, noSecrets}, id) {
		return // that is judged against a kinder world
	}
	w.notes = append(w.notes, fmt.Sprintf("%10v VIOLATION %s", time.Since(w.lab.began), text))
	if !slices.Contains(w.violations, text) {
		w.violations = append(w.violations, text)
	}
}

// notef writes down what happened, for the transcript of a failure.
func (w *witness) notef(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remarkf(format, args...)
}

// remarkf is notef where w.mu is held.
func (w *witness) remarkf(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf("%10v ", time.Since(w.lab.began))+fmt.Sprintf(format, args...))
}

// committed takes what was just committed.
func (w *witness) committed(u *transaction) {
	w.mu.Lock()
	defer w.mu.Unlock()
	told := map[string]bool{}
	for _, c := range u.changes {
		if c.now.Kind == store.KindOutbox && c.now.Value != nil {
			told[outgoingIn(c.now).Purchase] = true
		}
		if c.now.Kind == store.KindOutbox && c.was.Value == nil && c.now.Value != nil {
			w.accusing(outgoingIn(c.now))
		}
		if c.now.Kind == store.KindOutbox || c.now.Kind == store.KindInbox {
			w.wait(c.now)
		}
		if c.now.Kind == store.KindInbox {
			chat := cmp.Or(incomingIn(c.now).Chat, incomingIn(c.was).Chat)
			w.handled[chat] = append(w.handled[chat], time.Now())
		}
	}
	for _, c := range u.changes {
		switch c.now.Kind {
		case store.KindPurchase:
			w.purchase(purchaseIn(c.was), purchaseIn(c.now), c.was.Value != nil)
		case store.KindOrder:
			w.order(orderIn(c.was), orderIn(c.now), c.was.Value != nil, told)
		case store.KindAccount:
			w.accounts[c.now.Key] = c.now
		case store.KindList:
			w.list(listIn(c.now))
		case store.KindMovement:
			w.movement(movementIn(c.now))
		}
	}
}

// wait notes that a row waits to be worked on, or does not any more.
func (w *witness) wait(r store.Record) {
	key := string(r.Kind) + "/" + r.Key
	if r.Kind == store.KindInbox && !w.waiting[key] && r.Value != nil {
		w.arrived++
	}
	if r.Value == nil {
		delete(w.waiting, key)
	} else {
		w.waiting[key] = true
	}
}

// updates is how many updates were put on disk so far.
func (w *witness) updates() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.arrived
}

// calm reports whether nothing has to happen any more.
func (w *witness) calm() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.purchases {
		switch p.Phase {
		case store.Queued, store.Submitting, store.Unknown, store.Accepted:
			return false
		}
	}
	return len(w.waiting) == 0 && w.lab.telegram.Pending() <= 1
}

// purchase takes a purchase as it was and as it is now.
func (w *witness) purchase(was, now store.Purchase, known bool) {
	w.purchases[now.ID] = now
	if !known || was.Phase == now.Phase {
		return
	}
	w.remarkf("%s %s → %s (%s)", store.Ref(now.ID), was.Phase, now.Phase, now.Reason)
	if was.Phase.Final() && (was.Phase != store.NotCreated || now.Phase != store.Accepted) && !w.mayDoubt(now) {
		w.brokenf(finalIsFinal, "purchase %s went from %s to %s", store.Ref(now.ID), was.Phase, now.Phase)
	}
	switch {
	case was.Phase == store.Drafted && now.Phase == store.Queued:
		w.taps++
		if w.confirms[now.ID]++; w.confirms[now.ID] > 1 {
			w.brokenf(oneTap, "purchase %s was confirmed %d times", store.Ref(now.ID), w.confirms[now.ID])
		}
		if !now.QueuedAt.Before(now.ExpiresAt) {
			w.brokenf(oneTap, "purchase %s was confirmed after it had expired", store.Ref(now.ID))
		}
	case now.Phase == store.Submitting:
		w.submits++
		for _, other := range w.purchases {
			if other.ID != now.ID && other.Account == now.Account && (other.Phase == store.Submitting || other.Phase == store.Unknown) {
				w.brokenf(oneAttempt, "purchase %s is submitted while %s is %s", store.Ref(now.ID), store.Ref(other.ID), other.Phase)
			}
		}
	}
}

// mayDoubt reports whether the bot may ask once more about a purchase that was refused or called not bought: what somebody
// else buys of the same may be its, and a refund that is awaited may have come and hide what it has cost.
func (w *witness) mayDoubt(now store.Purchase) bool {
	awaited := func(o store.Order) bool {
		return o.Account == now.Account && o.Purchase != now.ID && awaitsRefund(o)
	}
	return now.Phase == store.Undecided && (w.outside || slices.ContainsFunc(slices.Collect(maps.Values(w.orders)), awaited))
}

// order takes an order as it was and as it is now. told names the purchases that the same commit tells of.
func (w *witness) order(was, now store.Order, known bool, told map[string]bool) {
	w.orders[now.Account+"/"+now.ID] = now
	if known && was.Purchase != now.Purchase {
		w.brokenf(oneOwner, "order %s went from purchase %s to %s", now.ID, store.Ref(was.Purchase), store.Ref(now.Purchase))
	}
	if was.State != now.State {
		w.remarkf("order %s of %s is %s", now.ID, store.Ref(now.Purchase), now.State)
		if now.State != store.Waiting && !told[now.Purchase] {
			w.brokenf(sameCommit, "order %s is %s, and the commit tells nobody", now.ID, now.State)
		}
	}
}

// movement takes a change of the wallet as the store explains it.
func (w *witness) movement(m store.Movement) {
	w.remarkf("movement %s %s → %s", m.Kind, m.Amount, m.Balance)
	if w.unkind {
		return
	}
	p := w.purchases[m.Purchase]
	switch m.Kind {
	case store.Bought:
		if w.bought[m.Purchase]++; w.bought[m.Purchase] > 1 {
			w.brokenf(money, "purchase %s was debited %d times", store.Ref(m.Purchase), w.bought[m.Purchase])
		}
		if want := (dzd.Amount{}).Sub(p.Total); !m.Amount.Equal(want) {
			w.brokenf(money, "purchase %s was debited %s, not %s", store.Ref(m.Purchase), m.Amount, want)
		}
		if len(w.lab.happened(p)) == 0 {
			w.brokenf(money, "purchase %s was debited and never happened", store.Ref(m.Purchase))
		}
	case store.Refunded:
		w.refunds[m.Purchase]++
		if truly := w.lab.refunded(p); w.refunds[m.Purchase] > truly {
			w.brokenf(money, "%d refunds of purchase %s were noted, and %d happened", w.refunds[m.Purchase], store.Ref(m.Purchase), truly)
		}
	case store.Outside:
		late := m.Purchase != "" // a refund that came after people were told that it did not, or money that they added
		if !late && !w.outside && !w.lab.double && !w.missing() && !w.behindAPrice(m.Amount) {
			w.brokenf(money, "%s was called moved from outside, and nobody else uses the account", m.Amount)
		}
	}
}

// behindAPrice reports whether an amount that came may be refunds that nobody could see: they were given back and are not noted, and
// a purchase of no less was made once their orders were known to have failed. Then a balance may stand still while both happen.
func (w *witness) behindAPrice(amount dzd.Amount) bool {
	if amount.Sign() <= 0 {
		return false
	}
	var back dzd.Amount
	unnoted := map[string]int{}
	for id, p := range w.purchases {
		unnoted[id] = w.lab.refunded(p) - w.refunds[id]
	}
	for _, o := range w.orders {
		if o.State == store.Failed && unnoted[o.Purchase] > 0 && w.boughtSince(o, amount) {
			back, unnoted[o.Purchase] = back.Add(w.purchases[o.Purchase].PaidFor(o)), unnoted[o.Purchase]-1
		}
	}
	return !back.Less(amount)
}

// boughtSince reports whether a purchase of no less than an amount was made on the account of an order once that had failed.
func (w *witness) boughtSince(o store.Order, amount dzd.Amount) bool {
	for _, p := range w.purchases {
		if p.Account == o.Account && p.SentAt.After(o.ReadyAt) && !p.Total.Less(amount) && len(w.lab.happened(p)) > 0 {
			return true
		}
	}
	return false
}

// missing reports whether a chat was told that some orders of a purchase were not found: what becomes of their
// money cannot be explained.
func (w *witness) missing() bool {
	for _, p := range w.purchases {
		if p.Missing > 0 {
			return true
		}
	}
	return false
}

// happened is what the service truly made of a purchase: of the requests that were sent for it.
func (l *lab) happened(p store.Purchase) []sim.Purchase {
	var all []sim.Purchase
	for _, s := range l.service.Purchases() {
		if s.Tag == p.ID {
			all = append(all, s)
		}
	}
	return all
}

// made is the orders that the service truly made of a purchase.
func (l *lab) made(p store.Purchase) []sim.Order {
	var all []sim.Order
	for _, o := range l.service.Orders() {
		if o.Tag == p.ID {
			all = append(all, o)
		}
	}
	return all
}

// undone reports whether everything of a purchase failed and was refunded before anybody could see that it was
// ever there: nothing is left that tells it from one that never happened.
func (l *lab) undone(p store.Purchase) bool {
	seen := p.Evidence != nil && !p.Evidence.Traced.IsZero()
	return !seen && !slices.ContainsFunc(l.made(p), func(o sim.Order) bool { return !o.Refunded })
}

// refunded is how many orders of a purchase were truly refunded.
func (l *lab) refunded(p store.Purchase) int {
	n := 0
	for _, o := range l.made(p) {
		if o.Refunded {
			n++
		}
	}
	return n
}

// aboutToPost reports whether a purchase is on disk as submitting and its attempt has not begun.
func (w *witness) aboutToPost() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.attempts < w.submits && w.submitting()
}

// submitting reports whether a purchase is on disk as such.
func (w *witness) submitting() bool {
	for _, p := range w.purchases {
		if p.Phase == store.Submitting {
			return true
		}
	}
	return false
}

// attempt takes that the first byte of a request that spends leaves.
func (w *witness) attempt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.attempts++
	w.remarkf("wire attempt %d", w.attempts)
	if !w.submitting() {
		w.brokenf(diskFirst, "a request that spends goes out, and no purchase is on disk as submitting")
	}
}

// posted takes that a request that spends has reached the service whole, and tells which purchase it is for: of
// an account, at most one is submitting.
func (w *witness) posted(x *exchange) (purchase string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key, best, newest := x.r.Header.Get("X-Api-Key"), 0, time.Time{}
	for _, p := range w.purchases {
		if p.Phase != store.Submitting || !x.buys(p) {
			continue
		}
		fit := 1
		for _, one := range w.keys[p.Chat] {
			switch {
			case one == key:
				fit = 3
			case w.lab.service.SameAccount(one, key):
				fit = max(fit, 2)
			}
		}
		if fit > best || fit == best && p.SentAt.After(newest) { // an older one may still wait for its answer
			purchase, best, newest = p.ID, fit, p.SentAt
		}
	}
	w.remarkf("%s %s reached the service for %s", x.r.Method, x.r.URL.Path, store.Ref(purchase))
	return purchase
}

// buys reports whether a request that spends asks for what a purchase is of.
func (x *exchange) buys(p store.Purchase) bool {
	var body struct {
		Plan string `json:"plan_id"`
	}
	_ = json.Unmarshal(x.body, &body)
	if p.Plan != "" || body.Plan != "" {
		return p.Plan == body.Plan
	}
	return slices.Contains(strings.Split(x.r.URL.Path, "/"), strconv.FormatInt(p.VariantID, 10))
}

// linked notes that a chat works with a key from now on.
func (w *witness) linked(chat int64, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.keys[chat], key) {
		w.keys[chat] = append(w.keys[chat], key)
	}
}

// Telegram keeps elastic limits, and its simulation strict ones. A burst of some messages is meant to be tried,
// and a person who taps quickly is answered as quickly: only more than that is a flood.
const (
	burst     = 5
	burstSpan = 5 * time.Second
)

// sending takes a call that counts against Telegram's limits, and whether Telegram refused it for them.
func (w *witness) sending(chat int64, refused bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, life := time.Now(), w.lab.living().number
	w.sent = append(w.sent, sentAt{chat, life, now})
	if !refused {
		return
	}
	w.remarkf("Telegram's own 429")
	n := 0
	for _, s := range w.sent {
		if s.chat == chat && s.life == life && now.Sub(s.at) < burstSpan { // a process knows nothing of the one before
			n++
		}
	}
	for _, at := range w.handled[chat] {
		if now.Sub(at) < 3*burstSpan {
			n -= 2
		}
	}
	if n > burst {
		w.brokenf(limitsKept, "%d messages to a chat in %v beside replies", n, burstSpan)
	}
}

// reference finds the number under which a message speaks of a purchase.
var reference = regexp.MustCompile(`#([0-9A-Z]{5})`)

// spokenOf is the purchase that a message speaks of.
func (w *witness) spokenOf(s shown) (store.Purchase, bool) {
	ref := reference.FindStringSubmatch(s.text)
	for _, p := range w.purchases {
		if ref != nil && store.Ref(p.ID) == ref[1] || ref == nil && p.Message == s.message && p.Chat == s.chat {
			return p, true
		}
	}
	return store.Purchase{}, false
}

// apart parts a ring for several purchases into what it says of each: its first line is not about the others.
func (s shown) apart() (parts []shown) {
	if s.ofList {
		return s.listed()
	}
	lines := strings.Split(s.text, "\n")
	if slices.ContainsFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "🔔") }) {
		return []shown{s}
	}
	for _, line := range lines {
		s.text = line
		parts = append(parts, s)
	}
	return parts
}

// claim is something that a message says of a purchase, and whether that is true now.
type claim struct {
	says []string
	true func(l *lab, p store.Purchase) bool
}

func claims() []claim {
	return []claim{
		{[]string{"othing was charged.", "othing was charged,"}, func(l *lab, p store.Purchase) bool { return len(l.happened(p)) == 0 || l.undone(p) }},
		{[]string{"Bought.", "Paid.", "Delivered", "Topped up", "The order failed", "delivered, see above", "topped up, see above", "failed. Its refund is awaited, see above"},
			func(l *lab, p store.Purchase) bool { return len(l.happened(p)) > 0 }},
		{[]string{"🎉", "delivered, see above", "topped up, see above"}, func(l *lab, p store.Purchase) bool {
			return !slices.ContainsFunc(l.made(p), func(o sim.Order) bool { return o.Status == "processing" || o.Status == "pending" })
		}},
		{[]string{"The balance rose by", "The money is back in the balance"}, func(l *lab, p store.Purchase) bool { return l.refunded(p) > 0 }},
	}
}

// show takes what a chat has just come to show.
func (w *witness) show(s shown) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.at, s.text = time.Now(), apptest.Plain(s.text)
	first, _, _ := strings.Cut(s.text, "\n")
	w.remarkf("chat %d message %d shows %q and %d codes", s.chat, s.message, first, len(s.codes))
	p, known := w.spokenOf(s)
	s.ofList = strings.HasPrefix(s.text, listSign) || strings.HasPrefix(s.text, listFileSign)
	for _, one := range s.apart() {
		if of, _ := w.spokenOf(one); !s.ofList || one.file != "" {
			one.purchase = of.ID
		}
		w.shown = append(w.shown, one)
	}
	s.purchase = p.ID
	for _, secret := range []string{apptest.TestToken, apptest.TestKey, apptest.LegacyTestKey} {
		if strings.Contains(s.text, secret) {
			w.brokenf(noSecrets, "a chat is shown %q", secret)
		}
	}
	if w.unkind {
		return
	}
	if known {
		for _, c := range claims() {
			for _, words := range c.says {
				if strings.Contains(s.text, words) && !c.true(w.lab, p) {
					w.brokenf(nothingFalse, "%q is said of purchase %s, and that is not true", words, store.Ref(p.ID))
				}
			}
		}
	}
	w.codes(s, p, known)
	if known && strings.HasPrefix(s.text, "🔔") {
		w.rang(s, p)
	}
}

// codes looks at the codes of a message: they are the purchase's own, and not shown a second time in silence.
func (w *witness) codes(s shown, p store.Purchase, known bool) {
	for _, code := range s.codes {
		if !known || !slices.ContainsFunc(w.lab.made(p), func(o sim.Order) bool { return slices.Contains(o.Codes, code) }) {
			w.brokenf(trulyOurs, "a code is shown that the purchase did not buy, in %q", s.text)
			continue
		}
		if p.Chat != s.chat && w.lab.moved(p.Chat) != s.chat {
			w.brokenf(trulyOurs, "a code of chat %d is shown in chat %d", p.Chat, s.chat)
		}
		here, again := shownAt{s.chat, s.message}, strings.Contains(s.text, "Delivered again")
		first, seen := w.firstShown[code]
		if !seen {
			w.firstShown[code] = here
		} else if first != here && !again {
			w.brokenf(saysAgain, "a code is shown in a second message that does not say so: %q", s.text)
		}
	}
}

// rang looks at a ping: what it points to is there already.
func (w *witness) rang(s shown, p store.Purchase) {
	if !strings.Contains(s.text, "delivered, see above") || s.chat < 0 { // a group hides codes
		return
	}
	for _, o := range w.lab.made(p) {
		if o.Code != "" && w.knows(o) && !w.sees(p.Chat, o.Code) {
			w.brokenf(chatOrder, "the phone rings for a code that is not in the chat yet")
		}
	}
}

// has reports whether the order of a code is in the store with it.
func (w *witness) has(code string) bool {
	orders := w.lab.service.Orders()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, o := range orders {
		for _, ours := range w.orders {
			if o.Code == code && isOrder(ours, o) && w.sameKey(ours, o) && ours.State == store.Ready {
				return true
			}
		}
	}
	return false
}

// knows reports whether an order of the service is in the store.
func (w *witness) knows(o sim.Order) bool {
	for _, ours := range w.orders {
		if isOrder(ours, o) && w.sameKey(ours, o) {
			return true
		}
	}
	return false
}

// moved is the supergroup that a chat became in this trial; 0 for none.
func (l *lab) moved(chat int64) int64 {
	if to := l.gate.movedTo(); to != 0 && chat == apptest.Sam {
		return to
	}
	return 0
}

// sees reports whether a chat shows a code, or has shown it until somebody took it away.
func (w *witness) sees(chat int64, code string) bool {
	if here, ever := w.firstShown[code]; ever && (here.chat == chat || here.chat == w.lab.moved(chat)) {
		return true
	}
	for _, m := range append(w.lab.telegram.Messages(chat), w.lab.telegram.Messages(w.lab.moved(chat))...) {
		if m.FromBot && !m.Deleted && (slices.Contains(codesOf(m), code) || strings.Contains(m.Text, code)) {
			return true
		}
	}
	return false
}

// bodyOf is what a message's document holds.
func bodyOf(m tgsim.Message) string {
	if m.Document == nil {
		return ""
	}
	return string(m.Document.Body)
}

// codesOf lists the codes of a message, or of its document.
func codesOf(m tgsim.Message) []string {
	if m.Document != nil {
		return strings.Fields(string(m.Document.Body))
	}
	return apptest.CodesIn(m)
}

// exempt says what a fault makes impossible by itself.
type exempt struct {
	lostTap bool // Telegram itself lost the tap
	outbox  bool // a message that Telegram takes never
	unread  bool // the chat cannot show anything any more
}

// judge compares everything with the truth, once the program has stopped.
func (w *witness) judge(ex exempt) {
	w.judgeAttempts()
	w.judgeRates()
	w.judgeLog()
	w.judgeDisk()
	w.judgeStore(ex)
}

// found is what was found wrong.
func (w *witness) found() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.violations)
}

// judgeTap sees that the tap on ✅ was acted on. Telegram forgets a tap that it cannot hand over for long.
func (w *witness) judgeTap(before int, forgets bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.taps == 0 && (!forgets || w.arrived > before) {
		w.brokenf(tapLost, "the tap came to nothing")
	}
}

// judgeAttempts counts what went out.
func (w *witness) judgeAttempts() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.attempts > w.taps || w.attempts > w.submits {
		w.brokenf(oneAttempt, "%d wire attempts for %d taps and %d permits", w.attempts, w.taps, w.submits)
	}
}

// judgeRates looks for a minute with too many requests of a key, and for floods. What one process does not
// know of another's last minute is none of its faults.
func (w *witness) judgeRates() {
	for _, method := range []string{"GET", "POST"} {
		limit := map[string]int{"GET": getPerMinute, "POST": postPerMinute}[method]
		byKey := map[string][]time.Time{}
		for _, a := range w.lab.front.log() {
			if a.method == method {
				k := fmt.Sprint(a.key, a.life)
				byKey[k] = append(byKey[k], a.at)
			}
		}
		for _, times := range byKey {
			for i := limit; i < len(times); i++ {
				if times[i].Sub(times[i-limit]) < time.Minute {
					w.violatef(limitsKept, "%d %s in %v", limit+1, method, times[i].Sub(times[i-limit]))
					break
				}
			}
		}
	}
}

// canaries are the secrets of a trial.
func (l *lab) canaries() []string {
	all := []string{apptest.TestToken, apptest.TestKey, apptest.LegacyTestKey, playerID}
	for _, o := range l.service.Orders() {
		if o.Code != "" {
			all = append(all, o.Code)
		}
	}
	return all
}

// judgeLog looks for secrets in the log.
func (w *witness) judgeLog() {
	text := w.lab.log.String()
	for _, c := range w.lab.canaries() {
		if strings.Contains(text, c) {
			w.violatef(noSecrets, "the log shows %q", c)
		}
	}
}

// judgeDisk looks for secrets in the bytes of the database.
func (w *witness) judgeDisk() {
	text, err := dataOf(w.lab.database())
	if err != nil {
		w.violatef("lab", "read the database: %v", err)
	}
	for _, c := range w.lab.canaries() {
		if bytes.Contains(text, []byte(c)) {
			w.violatef(noSecrets, "the database shows %q", c)
		}
	}
}

// dataOf reads a file without its holes.
func dataOf(path string) ([]byte, error) {
	const seekData, seekHole = 3, 4 // of lseek(2); elsewhere they fail, and the file is read whole
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []byte
	for at := int64(0); ; {
		begin, err := f.Seek(at, seekData)
		if err != nil && at == 0 {
			return os.ReadFile(path)
		}
		if err != nil {
			return all, nil
		}
		end, err := f.Seek(begin, seekHole)
		if err != nil {
			return all, err
		}
		part := make([]byte, end-begin)
		if _, err := f.ReadAt(part, begin); err != nil && !errors.Is(err, io.EOF) {
			return all, err
		}
		all, at = append(all, part...), end
	}
}

// open opens the store as the program left it.
func (l *lab) open() (*store.Store, error) {
	keyring, err := seal.ParseKeyring(l.env["ENCRYPTION_KEYS"])
	if err != nil {
		return nil, err
	}
	engine, err := bolt.Open(l.database(), bolt.Options{Fatal: func(err error) { l.eye.violatef("lab", "%v", err) }, NoSync: true})
	if err != nil {
		return nil, err
	}
	s, err := store.Open(context.Background(), engine, keyring)
	if err != nil {
		return nil, errors.Join(err, engine.Close())
	}
	return s, nil
}

// judgeStore compares the books with the truth.
func (w *witness) judgeStore(ex exempt) {
	s, err := w.lab.open()
	if err != nil {
		w.violatef("lab", "open the store: %v", err)
		return
	}
	defer s.Close()
	ctx := context.Background()
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.purchases {
		p, err := s.Purchase(ctx, id)
		if err != nil {
			w.brokenf("I18", "read purchase %s: %v", store.Ref(id), err)
			continue
		}
		orders, err := s.OrdersOf(ctx, p)
		if err != nil {
			w.brokenf("I18", "read the orders of purchase %s: %v", store.Ref(id), err)
			continue
		}
		w.judgePurchase(p, orders, ex)
	}
	w.judgeOwners()
	w.judgeWallet(ctx, s)
	for _, chat := range []int64{apptest.Sam, apptest.Yasmine, nadia, w.lab.moved(apptest.Sam)} {
		rows, err := s.ChatOutbox(ctx, chat, 100)
		if err != nil {
			w.brokenf("I18", "read the outbox: %v", err)
		}
		if len(rows) > 0 && !ex.outbox {
			w.brokenf(liveness, "%d messages wait for chat %d, the first a %s of %s tried %d times", len(rows), chat, rows[0].Kind, store.Ref(rows[0].Purchase), rows[0].Tries)
		}
	}
	if waiting, err := s.PendingUpdates(ctx, 0, 100); err != nil || len(waiting) > 0 {
		w.brokenf(liveness, "%d updates wait in the inbox (%v)", len(waiting), err)
	}
	if n := w.lab.telegram.Pending(); n > 1 { // the last one is acknowledged by the next poll
		w.brokenf(liveness, "%d updates wait at Telegram", n)
	}
}

// judgePurchase compares one purchase with what truly happened.
func (w *witness) judgePurchase(p store.Purchase, orders []store.Order, ex exempt) {
	ref, truly := store.Ref(p.ID), len(w.lab.happened(p)) > 0
	if was(p, store.Unknown) && !w.outside {
		w.uncertain++
		if was(p, store.Undecided) {
			w.personal++
			rule := ""
			if p.Evidence != nil {
				rule = p.Evidence.Rule
			}
			w.askedBy = append(w.askedBy, rule)
		}
	}
	switch p.Phase {
	case store.Rejected, store.NotCreated, store.Dropped, store.Drafted, store.Asked:
		if truly && !w.lab.undone(p) {
			w.brokenf(neverDenied, "purchase %s was executed and is %s (%s)", ref, p.Phase, p.Reason)
		}
	case store.Queued, store.Submitting, store.Unknown:
		w.brokenf(liveness, "purchase %s is still %s", ref, p.Phase)
	case store.Undecided:
		if !w.asked(p) && !ex.unread {
			w.brokenf(allUnits, "purchase %s is undecided, and nobody is asked", ref)
		}
	case store.Accepted, store.Settled:
		if !truly {
			w.brokenf(trulyOurs, "purchase %s is %s and was never executed", ref, p.Phase)
		}
		// What somebody else spends may hide a refund: then it is looked for on.
		hidden := w.outside && slices.ContainsFunc(orders, awaitsRefund)
		if p.Phase == store.Accepted && !hidden && !slices.ContainsFunc(w.lab.made(p), stillOwed) {
			w.brokenf(liveness, "purchase %s is still %s although everything of it is done", ref, p.Phase)
		}
		if !ex.unread && !closed(p) {
			w.judgeUnits(p, orders)
		}
	}
}

// judgeUnits sees that every order that the service made of a purchase is in the store, and its code in the chat.
func (w *witness) judgeUnits(p store.Purchase, orders []store.Order) {
	doubled := w.lab.double && len(orders) == p.Quantity
	for _, o := range w.lab.made(p) {
		mine := slices.ContainsFunc(orders, func(ours store.Order) bool { return isOrder(ours, o) })
		if !mine && !doubled && !w.asked(p) {
			w.brokenf(allUnits, "order %s of purchase %s is not in the store", o.ID, store.Ref(p.ID))
		}
		if mine && o.Code != "" && !w.sees(p.Chat, o.Code) {
			w.brokenf(sentIsSeen, "the code of order %s of purchase %s is not in the chat", o.ID, store.Ref(p.ID))
		}
	}
}

// was reports whether a purchase has ever been in a phase.
func was(p store.Purchase, phase store.Phase) bool {
	return slices.ContainsFunc(p.History, func(s store.Step) bool { return s.To == phase })
}

// closed reports whether a person has said that a purchase went through and was taken care of.
func closed(p store.Purchase) bool {
	n := len(p.History)
	return n > 0 && p.History[n-1].From == store.Undecided && p.Phase == store.Settled
}

// merge is what either of two faults makes impossible.
func merge(a, b exempt) exempt {
	return exempt{a.lostTap || b.lostTap, a.outbox || b.outbox, a.unread || b.unread}
}

// awaitsRefund reports whether an order has failed, and its money is not seen to be back.
func awaitsRefund(o store.Order) bool { return o.State == store.Failed && o.Refund.Awaited() }

// stillOwed reports whether the service still has something to do for an order.
func stillOwed(o sim.Order) bool {
	switch o.Status {
	case "processing", "pending":
		return true
	case "failed", "canceled":
		return !o.Refunded
	}
	return false
}

// asksPeople is what a message says that asks a person, or sends them to the service's support.
var asksPeople = []string{"our decision is needed", "support", "That may be wrong", "it may have charged it all the same", "It may be one of these"}

// asked reports whether the newest word about a purchase asks a person, or sends them to the service's
// support.
func (w *witness) asked(p store.Purchase) bool {
	for _, s := range slices.Backward(w.shown) {
		if !strings.Contains(s.text, "#"+store.Ref(p.ID)) || strings.HasPrefix(s.text, "🔔") {
			continue
		}
		if says(s.text, asksPeople) {
			return true
		}
		if p.Missing == 0 && s.message == p.Message { // its own message says something else by now
			return false
		}
	}
	return false
}

// isOrder reports whether an order of the store is the one that the service made.
func isOrder(ours store.Order, o sim.Order) bool {
	id := ours.ServiceID()
	return id == o.ID || id == strconv.FormatInt(o.Number, 10) || o.TransactionID != "" && (id == o.TransactionID || ours.Other == o.TransactionID)
}

// judgeOwners looks for orders that two purchases hold.
func (w *witness) judgeOwners() {
	owner := map[string]string{}
	for _, o := range w.lab.service.Orders() {
		for _, ours := range w.orders {
			if !isOrder(ours, o) || !w.sameKey(ours, o) {
				continue
			}
			if other := owner[o.ID]; other != "" && other != ours.Purchase {
				w.brokenf(oneOwner, "order %s is held by %s and by %s", o.ID, store.Ref(other), store.Ref(ours.Purchase))
			}
			owner[o.ID] = ours.Purchase
			if !slices.ContainsFunc(w.lab.made(w.purchases[ours.Purchase]), func(m sim.Order) bool { return m.ID == o.ID }) {
				w.brokenf(trulyOurs, "order %s was taken for one of purchase %s, which did not make it", o.ID, store.Ref(ours.Purchase))
			}
		}
	}
}

// sameKey reports whether an order of the store is of the account whose key made an order of the service.
func (w *witness) sameKey(ours store.Order, o sim.Order) bool {
	return strings.HasPrefix(ours.Account, "u") == (o.Key == apptest.TestKey)
}

// judgeAlarm sees that somebody was told of money that went for what nobody asked for, unless a person was asked
// about all of it. A chat that has moved speaks for nobody.
func (w *witness) judgeAlarm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.bought) == 0 || w.lab.gate.movedTo() != 0 {
		return
	}
	for _, p := range w.purchases {
		if p.Phase == store.Undecided {
			return
		}
	}
	gone := 0
	for _, o := range w.lab.service.Orders() {
		if !o.Refunded && !w.knows(o) {
			gone++
		}
	}
	alarmed := slices.ContainsFunc(w.shown, func(s shown) bool { return strings.Contains(s.text, "left the balance") })
	for row := range w.waiting {
		alarmed = alarmed || strings.Contains(row, "debit.") // for a chat that takes no messages
	}
	if gone > 0 && !alarmed {
		w.brokenf(money, "%d orders that nobody asked for were paid, and nobody was told that money is gone", gone)
	}
}

// judgeWallet compares the books of the wallet with the wallet.
func (w *witness) judgeWallet(ctx context.Context, s *store.Store) {
	accounts, err := s.Accounts(ctx, "", 10)
	if err != nil {
		w.brokenf("I18", "read the accounts: %v", err)
	}
	for _, a := range accounts {
		truth := w.lab.service.Balance(a.Key.Reveal())
		spent := dzd.Amount{}
		for _, p := range w.lab.service.Purchases() {
			if p.Key == a.Key.Reveal() {
				spent = spent.Add(p.Total)
			}
		}
		for _, o := range w.lab.service.Orders() {
			if o.Key == a.Key.Reveal() && o.Refunded {
				spent = spent.Sub(o.Price)
			}
		}
		if want := dzd.Must(w.lab.wallet).Sub(spent); !truth.Equal(want) && !w.outside {
			w.brokenf(money, "the wallet of %s holds %s after spending %s of %s", a.ID, truth, spent, w.lab.wallet)
		}
		open := slices.ContainsFunc(a.Wallet.Expected, func(x store.Expected) bool { return x.Doubtful })
		if a.Busy == "" && !open && a.Wallet.Read && len(a.Refunds) == 0 && !a.Wallet.Available.Equal(truth) && !w.outside {
			w.brokenf(money, "the books of %s say %s, and the wallet holds %s", a.ID, a.Wallet.Available, truth)
		}
	}
}

// story is everything that happened, for a person to read.
func (w *witness) story() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.notes, "\n")
}
