package proof

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/store"
)

const (
	correction = 10 * time.Minute // how long a sentence may stand once the service shows that it is false
	watchEvery = 10 * time.Minute // how often something is looked for that may still come
	blink      = 3 * time.Second  // between what is decided and what a chat shows
	askedSoon  = 10 * time.Minute // RECONCILE_FOR: after which people are asked where time will not tell
)

// The kinds of what must never happen in any world.
const (
	falseMoney = "false sentence"
	wrongCode  = "wrong code"
	lostCode   = "lost code"
	falseTheft = "false accusation"
	stuck      = "stuck"
)

// violation is one thing that must never happen. What says in general what it is, and how it is in this world.
type violation struct{ sort, what, how string }

// String tells of it.
func (v violation) String() string { return v.sort + ": " + v.what + ": " + v.how }

// verdict is what a world has come to.
type verdict struct {
	violations []violation
	purchases  int
	uncertain  int
	asked      int
	rules      []string // that had a person asked
	// plainly are the uncertain ones that nothing made hard but their lost answer, and plainlyAsked those of them that a
	// person was asked about.
	plainly, plainlyAsked int
	blind                 int // sentences that were false in the moments in which nothing could show it
	hidden                int // purchases whose end nothing shows, see shownNowhere and isHidden

	questions []string // who was asked about what, for people
	lists     int      // that were confirmed
}

// String lists the violations.
func (v *verdict) String() string {
	var all []string
	for _, one := range v.violations {
		all = append(all, one.String())
	}
	return strings.Join(all, "\n")
}

func (v *verdict) addf(sort, what, format string, args ...any) {
	v.violations = append(v.violations, violation{sort, what, fmt.Sprintf(format, args...)})
}

// only forgets the violations that are not of a sort.
func (v *verdict) only(sort string) {
	v.violations = slices.DeleteFunc(v.violations, func(one violation) bool { return !strings.Contains(one.sort+": "+one.what, sort) })
}

// accusation is that a chat is told of money that nobody of its own has spent.
type accusation struct {
	chat   int64
	at     time.Time
	amount dzd.Amount
}

// accusing keeps a message that tells of money gone for nothing that the bot has bought. One that names a purchase
// is none.
func (w *witness) accusing(o store.Outgoing) {
	if o.Kind != store.Note || o.NoteName() != store.DebitNote || o.Purchase != "" {
		return
	}
	for _, p := range w.purchases {
		for _, arg := range o.Args {
			if arg == p.ID || strings.Contains(arg, store.Ref(p.ID)) {
				return
			}
		}
	}
	amount, err := dzd.Parse(o.Args["amount"])
	if err != nil {
		amount = dzd.Int(1) // it accuses, of however much
	}
	w.accused = append(w.accused, accusation{o.Chat, time.Now(), amount})
}

// questions is how many purchases wait for a person's word.
func (w *witness) questions() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, p := range w.purchases {
		if p.Phase == store.Undecided {
			n++
		}
	}
	return n
}

// asksPrices reports whether some balance is still asked which of two prices was charged.
func (w *witness) asksPrices() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.accounts {
		if slices.ContainsFunc(accountIn(r).Wallet.Expected, func(x store.Expected) bool { return x.Instead != nil }) {
			return true
		}
	}
	return false
}

// judgeUnkind holds what was said and delivered against what truly happened.
func (w *witness) judgeUnkind(u *unkindness) *verdict {
	j := &unkindJudge{witness: w, world: u, verdict: &verdict{}, purchases: w.lab.service.Purchases(), orders: w.lab.service.Orders(), spends: w.lab.service.Spends(), entries: w.lab.service.Entries}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, text := range w.violations {
		j.addf(stuck, text, "see the story")
	}
	for _, id := range slices.Sorted(mapsKeys(w.purchases)) {
		j.judge(w.purchases[id])
	}
	j.judgeLists()
	j.judgeCodes()
	j.judgeAccusations()
	return j.verdict
}

// patientAsked is how often a person may be asked about one purchase: each time, money has gone anew that fits it.
const patientAsked = 6

// times is how often a purchase came to a phase.
func times(p store.Purchase, phase store.Phase) (n int) {
	for _, step := range p.History {
		if step.To == phase {
			n++
		}
	}
	return n
}

// unkindJudge is one judgement.
type unkindJudge struct {
	*verdict

	witness   *witness
	world     *unkindness
	purchases []sim.Purchase
	orders    []sim.Order
	spends    []sim.Spend
	entries   func(key string) []sim.Entry
}

// judge judges one purchase.
func (j *unkindJudge) judge(p store.Purchase) {
	if was(p, store.Queued) {
		j.verdict.purchases++
	}
	if was(p, store.Unknown) {
		j.uncertain++
		plain := j.plain(p)
		j.plainly += count(plain)
		if was(p, store.Undecided) {
			j.asked++
			j.plainlyAsked += count(plain)
			j.rules = append(j.rules, askedBy(p))
			how := ""
			if plain {
				how = "plainly, "
			}
			j.questions = append(j.questions, fmt.Sprintf("%s: %s%s, sent %s, executed %s", store.Ref(p.ID), how, askedBy(p), j.since(p.SentAt), j.since(j.executed(p))))
		}
	}
	if n := times(p, store.Undecided); n > patientAsked {
		j.addf(stuck, "asked about again and again", "purchase %s was asked about %d times", store.Ref(p.ID), n)
	}
	switch hidden := j.shownNowhere(p) || j.isHidden(p); {
	case hidden:
		j.hidden++
	case p.Phase == store.Queued, p.Phase == store.Submitting, p.Phase == store.Unknown, p.Phase == store.Accepted:
		j.addf(stuck, "still "+string(p.Phase), "purchase %s after all that time", store.Ref(p.ID))
	}
	if n := len(j.made(p)); n > p.Quantity {
		j.addf(falseMoney, "bought twice from one tap", "purchase %s has %d orders for %d units", store.Ref(p.ID), n, p.Quantity)
	}
	j.judgeSaid(p)
	j.judgePrice(p)
	j.judgeDelivered(p)
}

// shownNowhere is the rule for an accepted top-up of which nothing that the service shows tells what became of it: its answer named
// a transaction alone, the old interface knows such an order by its number, and the list that has both never answers. What is
// asked of the bot then is that it says so, and whom to turn to.
func (j *unkindJudge) shownNowhere(p store.Purchase) bool {
	if p.Phase != store.Accepted || p.Plan == "" || j.world.drawn.NoList == 0 || !j.witness.askedSupport(p) {
		return false
	}
	open := 0
	for _, ours := range j.witness.orders {
		if ours.Purchase != p.ID || ours.State != store.Waiting {
			continue
		}
		its := slices.IndexFunc(j.orders, func(o sim.Order) bool {
			return o.Tag == p.ID && o.TransactionID != "" && ours.ServiceID() == o.TransactionID && ours.ServiceID() != o.ID
		})
		if its < 0 || !ours.Gone {
			return false // it has a name by which it could be asked for, or nobody was told that it does not show
		}
		open++
	}
	return open > 0
}

// plain reports whether an uncertain purchase was executed at once or never, with no other purchase of the same, or of the same price, about
// which the account, or one that may have the same wallet, had its doubts within the hour, with its lags known, and in one life of the
// program: nothing makes it hard but its lost answer.
func (j *unkindJudge) plain(p store.Purchase) bool {
	// It is looked for as long as time may tell only where the lags of its account were known when it was sent.
	if p.DecideBy.Sub(p.AnsweredAt) <= askedSoon {
		return false
	}
	if at := j.executed(p); !at.IsZero() && at.Sub(p.SentAt) > time.Minute {
		return false
	}
	for _, other := range j.witness.purchases {
		doubtful := was(other, store.Unknown) || was(other, store.Rejected)
		apart := p.SentAt.Sub(other.SentAt).Abs()
		near := other.Account == p.Account || j.world.drawn.twins()
		alike := other.Variant == p.Variant || other.Total.Equal(p.Total) // the balance does not tell what it was spent for
		if other.ID != p.ID && doubtful && near && alike && apart < 90*time.Minute {
			return false
		}
	}
	return !slices.ContainsFunc(j.world.lab.deaths, func(t time.Time) bool { return t.After(p.SentAt) && t.Before(p.DecideBy) })
}

// count is 1 for what is so.
func count(so bool) int {
	if so {
		return 1
	}
	return 0
}

// executed is when a purchase was first executed; the zero time where it never was.
func (j *unkindJudge) executed(p store.Purchase) time.Time {
	if p.Of != "" {
		if made := j.made(p); len(made) > 0 {
			return made[0].At
		}
		return time.Time{}
	}
	for _, s := range j.purchases {
		if s.Tag == p.ID {
			return s.At
		}
	}
	return time.Time{}
}

// made is the orders of a purchase.
func (j *unkindJudge) made(p store.Purchase) []sim.Order {
	return j.witness.madeOf(p, j.orders)
}

// refundedBy is when all that a purchase cost was back; the zero time where it is not.
func (j *unkindJudge) refundedBy(p store.Purchase) time.Time {
	var last time.Time
	for _, o := range j.made(p) {
		if !o.Refunded {
			return time.Time{}
		}
		if o.Shown.After(last) {
			last = o.Shown
		}
	}
	return last
}

var (
	saysNothing  = []string{"othing was charged"}
	hopesNothing = []string{"othing was charged", "othing should be charged"} // what must not stand once it is known better
	saysBought   = []string{"Bought.", "Paid.", "🎉", "Delivered", "Topped up", "The order failed", "delivered, see above", "failed. Its refund is awaited, see above"}
	saysFailed   = []string{"The order failed"}
	saysRefunded = []string{"The money is back in the balance"} // to those who are shown no sum
	saysRose     = []string{"The balance rose by"}
)

// says reports whether a text holds one of some words.
func says(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// judgeSaid holds every sentence about a purchase against the truth.
func (j *unkindJudge) judgeSaid(p store.Purchase) {
	begun, back := j.executed(p), j.refundedBy(p)
	for _, s := range j.witness.shown {
		if s.purchase != p.ID {
			continue
		}
		done := !begun.IsZero() && begun.Before(s.at.Add(-j.grace(p)))
		returned := !back.IsZero() && back.Before(s.at)
		switch {
		case says(s.text, saysNothing) && done && !returned && j.unseen(p, begun, s.at):
			j.blind++
		case says(s.text, saysNothing) && done && !returned:
			j.addf(falseMoney, "“nothing was charged”, and it was ("+cause(p)+")", "%s is told %q at %v, executed at %v", store.Ref(p.ID), head(s.text), j.since(s.at), j.since(begun))
		case says(s.text, saysBought) && (begun.IsZero() || begun.After(s.at)) && !closed(p):
			j.addf(falseMoney, "“bought”, and it was not ("+cause(p)+")", "%s is told %q at %v, executed at %v", store.Ref(p.ID), head(s.text), j.since(s.at), j.since(begun))
		case says(s.text, slices.Concat(saysRefunded, saysRose)) && !j.rose(p, begun, s.at):
			j.addf(falseMoney, "“the balance rose”, and it did not", "%s is told %q at %v", store.Ref(p.ID), head(s.text), j.since(s.at))
		}
	}
	if begun.IsZero() {
		return
	}
	// What is uncertain beside it may have to be decided first: an order that fits is one of the two.
	at := j.shows(later(j.heldUntil(p, begun), j.decidedBeside(p, begun)))
	if (back.IsZero() || back.After(at)) && !j.isHidden(p) {
		if last := j.lastWord(p, at); says(last, hopesNothing) {
			j.addf(falseMoney, "“nothing was charged” stands, and it came later", "%s: executed at %v, to be seen at %v: %q", store.Ref(p.ID), j.since(begun), j.since(at), head(last))
		}
	}
	for _, o := range j.made(p) {
		if last := j.lastWord(p, j.shows(o.Shown)); !o.Refunded && o.Code != "" && says(last, saysFailed) {
			j.addf(falseMoney, "“the order failed” stands, and it did not", "%s: %q", store.Ref(p.ID), head(last))
		}
	}
}

// heldUntil is when the wallet first showed what a purchase cost: at once, or, where the older interface tells what is held no sooner than
// it is spent, at the end of its orders.
func (j *unkindJudge) heldUntil(p store.Purchase, begun time.Time) time.Time {
	if !j.world.drawn.Holds || !strings.HasPrefix(p.Account, "k") { // named by its key: the older interface tells no user
		return begun
	}
	for _, o := range j.made(p) {
		if o.Shown.After(begun) {
			begun = o.Shown
		}
	}
	return begun
}

// decidedBeside is when the last purchase was decided that was uncertain beside one: of the same by the same account, sent after it and
// before what it was executed as was to be seen. Zero for none.
func (j *unkindJudge) decidedBeside(p store.Purchase, begun time.Time) (last time.Time) {
	for _, other := range j.witness.purchases {
		same := other.Account == p.Account && other.VariantID == p.VariantID && other.ID != p.ID
		if !same || other.SentAt.Before(p.SentAt) || other.SentAt.After(j.shows(begun)) {
			continue
		}
		for _, step := range other.History {
			if step.From == store.Unknown || step.From == store.Undecided {
				last = later(last, step.At)
			}
		}
	}
	return last
}

// later is the later of two moments.
func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// isHidden reports whether a purchase that was refused, or said not to have been made, was executed where no list is, and just its
// price was added to the wallet at about that time: nothing that the service shows tells of it.
func (j *unkindJudge) isHidden(p store.Purchase) bool {
	begun := j.executed(p)
	if !j.world.drawn.showsNoList() || p.Phase != store.Rejected && p.Phase != store.NotCreated || begun.IsZero() {
		return false
	}
	for _, key := range j.witness.keys[p.Chat] {
		all := j.entries(key)
		for i := 1; i < len(all); i++ {
			added := all[i].Balance.Sub(all[i-1].Balance).Equal(p.Total) && all[i].Kind == sim.Moved
			if added && all[i].At.Sub(begun).Abs() <= j.world.drawn.lag()+time.Minute {
				return true
			}
		}
	}
	return false
}

// rose reports whether what a purchase cost has come into its wallet meanwhile, from wherever.
func (j *unkindJudge) rose(p store.Purchase, from, to time.Time) bool {
	keys := j.witness.keys[p.Chat]
	if len(keys) == 0 {
		return false
	}
	var before sim.Entry
	for _, e := range j.entries(keys[0]) {
		up := before.Balance.Less(e.Balance) || before.Available.Less(e.Available)
		if up && e.At.After(from) && !e.At.After(to) {
			return true
		}
		before = e
	}
	return false
}

// grace is how long after a purchase was executed a sentence may still be shown that was true when it was decided, of those
// that are executed by themselves.
func (j *unkindJudge) grace(p store.Purchase) time.Duration {
	if slices.ContainsFunc(j.spends, func(s sim.Spend) bool { return s.Tag == p.ID && !s.Due.IsZero() }) {
		return blink
	}
	return 0
}

// unseen reports whether a purchase was executed by itself, after its attempt had ended, and so shortly before a moment that
// no reading could show it by then: nobody can know, and what is said then is to be corrected as everything else.
func (j *unkindJudge) unseen(p store.Purchase, begun, at time.Time) bool {
	late := slices.ContainsFunc(j.spends, func(s sim.Spend) bool { return s.Tag == p.ID && !s.Due.IsZero() })
	return late && begun.After(p.AnsweredAt) && !j.world.shown(begun, at)
}

// ruleOf is the rule of evidence that spoke last about a purchase.
func ruleOf(p store.Purchase) string {
	if p.Evidence == nil || p.Evidence.Rule == "" {
		return "none"
	}
	return p.Evidence.Rule
}

// askedBy is the rule by which people were first asked about a purchase; later looks speak by others.
func askedBy(p store.Purchase) string {
	for _, step := range p.History {
		if step.To == store.Undecided {
			return step.Why
		}
	}
	return ruleOf(p)
}

// cause is how a purchase came to where it is, for the sort of a violation.
func cause(p store.Purchase) string {
	why := ruleOf(p)
	if why == "none" {
		why = p.Reason
	}
	return string(p.Phase) + ", " + why
}

// head is the beginning of a text.
func head(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

func (j *unkindJudge) since(at time.Time) string {
	if at.IsZero() {
		return "never"
	}
	return at.Sub(j.witness.lab.began).Round(time.Second).String()
}

// shows is by when a chat must have heard of what the service did at a moment: it shows in every reading that there
// is, somebody looks, and has ten minutes.
func (j *unkindJudge) shows(done time.Time) time.Time {
	at := done
	for _, change := range j.world.seeing {
		if change.After(at) {
			at = change // before that, something could not be read
		}
	}
	return at.Add(j.world.drawn.lag() + watchEvery + correction)
}

// lastWord is what the chat of a purchase is told of it by a moment: the text of its newest message or edit.
func (j *unkindJudge) lastWord(p store.Purchase, by time.Time) string {
	last := ""
	for _, s := range j.witness.shown {
		if s.names(p) && s.chat == p.Chat && !s.at.After(by) && !strings.HasPrefix(s.text, "🔔") {
			last = s.text
		}
	}
	return last
}

var separators = regexp.MustCompile(`(\d)[  ,  ](\d)`)

// isLessUnnamed reports whether less was charged for a purchase than was shown, and nothing that was read of its orders names a price:
// the list names none, and showed the codes before the answers about single orders showed anything. What is left over may have been
// added by anybody.
func (j *unkindJudge) isLessUnnamed(p store.Purchase, s sim.Purchase) bool {
	named := func(o store.Order) bool { return o.Purchase == p.ID && !o.Price.IsZero() }
	for _, o := range j.witness.orders {
		if named(o) {
			return false
		}
	}
	return j.world.drawn.Bare && s.Total.Less(p.Total)
}

// judgePrice sees that a chat is told what was charged, where that is not what it was shown.
func (j *unkindJudge) judgePrice(p store.Purchase) {
	if p.Phase != store.Settled && p.Phase != store.Accepted || closed(p) || !j.refundedBy(p).IsZero() {
		return
	}
	for _, s := range j.purchases {
		if s.Tag != p.ID || s.Total.Equal(p.Total) {
			continue
		}
		told := slices.ContainsFunc(j.witness.shown, func(m shown) bool {
			text := separators.ReplaceAllString(separators.ReplaceAllString(m.text, "$1$2"), "$1$2")
			figures := m.purchase == p.ID && strings.Contains(text, s.Total.String())
			beside := strings.Contains(text, "#"+store.Ref(p.ID)) && strings.Contains(text, s.Total.Sub(p.Total).String()) // what is left over
			return m.at.After(s.At) && (figures || beside)
		})
		switch {
		case told:
		case j.isLessUnnamed(p, s):
			j.hidden++
		default:
			j.addf(falseMoney, "charged otherwise than shown, and not told", "%s: %v shown, %v charged", store.Ref(p.ID), p.Total, s.Total)
		}
	}
}

// judgeDelivered sees that every code of a purchase has come, or that somebody was asked.
func (j *unkindJudge) judgeDelivered(p store.Purchase) {
	for _, o := range j.made(p) {
		if o.Code == "" || was(p, store.Undecided) || j.isHidden(p) || closed(p) || j.witness.askedSupport(p) || j.askedForMore(p) {
			continue
		}
		came := slices.ContainsFunc(j.witness.shown, func(s shown) bool {
			return slices.ContainsFunc(s.codes, func(c string) bool { return slices.Contains(o.Codes, c) })
		})
		if !came {
			j.addf(lostCode, "a paid code never came ("+j.which(p)+")", "order %s of purchase %s, which is %s", o.ID, store.Ref(p.ID), p.Phase)
		}
	}
}

// askedForMore reports whether somebody was asked about more of a purchase, which is one of its own.
func (j *unkindJudge) askedForMore(p store.Purchase) bool {
	for _, more := range j.witness.purchases {
		if more.Of == p.ID && was(more, store.Undecided) {
			return true
		}
	}
	return false
}

// which is what there is to say in general of a purchase whose code is lost.
func (j *unkindJudge) which(p store.Purchase) string {
	switch {
	case len(j.made(p)) > p.Quantity:
		return "made twice"
	case p.Product != "Play Card":
		return cause(p) + ", " + p.Product
	}
	return cause(p)
}

// names reports whether a message is about a purchase, or names it among others.
func (s shown) names(p store.Purchase) bool {
	return s.purchase == p.ID || !s.ofList && strings.Contains(s.text, "#"+store.Ref(p.ID))
}

// askedSupport reports whether a chat was ever asked about a purchase, or sent to the service's support with it.
func (w *witness) askedSupport(p store.Purchase) bool {
	return slices.ContainsFunc(w.shown, func(s shown) bool {
		return s.names(p) && says(s.text, asksPeople)
	})
}

// judgeCodes sees that every code that was shown is one of its purchase.
func (j *unkindJudge) judgeCodes() {
	owner := map[string]string{}
	for _, o := range j.orders {
		for _, code := range o.Codes {
			owner[code] = o.Tag
		}
	}
	told := map[string]bool{}
	for _, s := range j.witness.shown {
		for _, code := range s.codes {
			whose, known := owner[code]
			its := known && (whose == s.purchase || whose == j.witness.purchases[s.purchase].Of)
			if s.purchase == "" || its || told[code+s.purchase] {
				continue
			}
			told[code+s.purchase] = true
			p, what := j.witness.purchases[s.purchase], "the code of another purchase"
			switch {
			case !known:
				what = "what is no code"
			case whose == outsideTag:
				what = "the code of somebody else's purchase"
			}
			j.addf(wrongCode, what+" ("+cause(p)+")", "%q is shown for %s at %v", code, store.Ref(p.ID), j.since(s.at))
		}
	}
}

// judgeAccusations sees that nobody is accused where others have taken nothing that was not told of before. What
// went together with it may be in the same sentence.
func (j *unkindJudge) judgeAccusations() {
	told := map[int64]dzd.Amount{}
	for _, a := range j.witness.accused {
		truly := j.taken(a.chat, a.at)
		if !told[a.chat].Less(truly) {
			j.addf(falseTheft, "money is called taken by others, and it was not", "chat %d hears at %v of %v; others have taken %v by then, and it was told of %v before", a.chat, j.since(a.at), a.amount, truly, told[a.chat])
			continue
		}
		if told[a.chat] = told[a.chat].Add(a.amount); truly.Less(told[a.chat]) {
			told[a.chat] = truly
		}
	}
}

// taken is what others have taken by a moment out of the wallet that a chat works with.
func (j *unkindJudge) taken(chat int64, by time.Time) dzd.Amount {
	var sum dzd.Amount
	key := apptest.TestKey
	if chat == nadia {
		key = apptest.LegacyTestKey
	}
	for _, p := range j.purchases {
		other := p.Tag == outsideTag || j.world.drawn.TwoKeys && j.world.drawn.Mode == sim.Legacy && j.witness.purchases[p.Tag].Chat != chat
		if other && p.Key == key && !p.At.After(by) {
			sum = sum.Add(p.Total)
		}
	}
	return sum
}
