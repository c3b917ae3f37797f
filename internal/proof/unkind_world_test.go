package proof

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// The unkind worlds: services that do what the document allows or does not exclude, and people who buy one of
// the same, side by side, in chats that share an account and in one that does not.

const (
	secondTestKey = "sk-second-9d2f41ac77e8" // of the wallet that the first one opens
	thisCard      = int64(101)               // what everybody buys
	cardPrice     = "1250.50"
	dearPrice     = "1900"
	outsideTag    = "outside"
	longestRest   = 26 * time.Hour
	lessPolling   = "@every 20s"
)

// unkindWorld is a world as it is drawn. What is false or zero in it is kind.
type unkindWorld struct {
	Mode      sim.Mode // of the account that two chats share
	Lags      int      // 0: none, 1: under a minute, 2: under 15 minutes
	Balance   time.Duration
	List      time.Duration
	Status    time.Duration
	Shapes    uint64
	Crossed   bool // the generations number orders each by itself
	Holds     bool
	Zeros     bool
	Allocated bool
	NoList    int // 0: lists answer; else how they fail for ever
	Hides     bool
	Bare      bool
	Shared    bool // others buy with the account, and have before
	Sudden    bool // they have not before: nothing tells their first purchase from one of ours that got no answer
	TopUps    bool // people put money into the wallet
	Moving    bool // prices and names change
	Courses   bool // codes come late, orders go back, fail
	Keys      bool // keys are rotated, refused and relinked
	TwoKeys   bool // the second chat works with another key of the same wallet
	Kills     bool
	Lists     bool // lists fail for a while
	Known     bool // the account has bought three times in peace before
	Secretive bool // the endpoints of a family show no codes
	Moves     []unkindMove
}

// unkindMove is one thing that happens.
type unkindMove struct {
	Do   string
	Who  int64
	Pick int
	Late time.Duration // of what comes late
	Then time.Duration
}

// String is the move as a failure tells it.
func (m unkindMove) String() string {
	return fmt.Sprintf("%s(%d, %d, %v) %v", m.Do, m.Who, m.Pick, m.Late, m.Then)
}

// kindsOfWorlds are the rows of the table.
func kindsOfWorlds() []string {
	return []string{
		"exclusive, lags under a minute", "exclusive, lags under 15 min", "a new account", "top-ups, prices that move",
		"two shops of one sum", "held money", "a list that fails or is bare", "keys that change", "no list", "shared account",
		"shared all of a sudden",
	}
}

// String is the world as a failure tells it.
func (w unkindWorld) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: mode %s, lags of balance %v, list %v, status %v, shapes %d", w.kind(), w.Mode, w.Balance, w.List, w.Status, w.Shapes)
	for name, on := range map[string]bool{
		"crossed ids": w.Crossed, "holds": w.Holds, "zero counters": w.Zeros, "allocated": w.Allocated, "hides Current orders": w.Hides, "bare lists": w.Bare,
		"shared": w.Shared, "top-ups": w.TopUps, "moving prices": w.Moving, "courses": w.Courses, "keys": w.Keys, "two keys": w.TwoKeys,
		"secretive families": w.Secretive, "kills": w.Kills, "lists fail for a while": w.Lists, "known": w.Known,
	} {
		if on {
			b.WriteString(", " + name)
		}
	}
	if w.NoList != 0 {
		fmt.Fprintf(&b, ", lists answer %d", w.NoList)
	}
	for _, m := range w.Moves {
		fmt.Fprintf(&b, "\n    %v", m)
	}
	return b.String()
}

// showsNoList reports whether no list shows what the first account buys.
func (w unkindWorld) showsNoList() bool {
	return w.NoList != 0 || w.Hides && w.Mode != sim.Legacy || w.Mode == sim.Current
}

// kind is the world's kind in the table: the first that fits.
func (w unkindWorld) kind() string {
	switch {
	case w.Sudden:
		return "shared all of a sudden"
	case w.Shared, w.TwoKeys:
		return "shared account"
	case w.showsNoList():
		return "no list"
	case w.Keys:
		return "keys that change"
	case w.Lists, w.Bare:
		return "a list that fails or is bare"
	case w.Holds:
		return "held money"
	case w.TopUps || w.Moving:
		return "top-ups, prices that move"
	case !w.Known:
		return "a new account"
	case w.twins():
		return "two shops of one sum"
	case w.Lags == 2:
		return "exclusive, lags under 15 min"
	}
	return "exclusive, lags under a minute"
}

// lags are those of a class and the classes below.
func lags(class int) []time.Duration {
	all := []time.Duration{0, time.Second, 10 * time.Second, 50 * time.Second, 2 * time.Minute, 5 * time.Minute, 11 * time.Minute, 15 * time.Minute}
	return all[:[]int{1, 4, 8}[class]]
}

// anUnkindWorld draws a world. Shrinking goes towards kindness and few moves.
func anUnkindWorld() *rapid.Generator[unkindWorld] {
	return rapid.Custom(func(t *rapid.T) unkindWorld {
		one := func(of int, label string) bool { return rapid.IntRange(0, of-1).Draw(t, label) == of-1 }
		w := unkindWorld{
			Mode: rapid.SampledFrom([]sim.Mode{sim.Both, sim.Both, sim.Both, sim.Legacy, sim.Legacy, sim.Current}).Draw(t, "mode"),
			Lags: rapid.IntRange(0, 2).Draw(t, "lags"), Known: !one(3, "new"),
		}
		lag := rapid.SampledFrom(lags(w.Lags))
		w.Balance, w.List, w.Status = lag.Draw(t, "balance"), lag.Draw(t, "list"), lag.Draw(t, "status")
		if one(2, "shaped") {
			w.Shapes = uint64(rapid.IntRange(1, 1000).Draw(t, "shapes"))
		}
		w.Crossed, w.Holds, w.Zeros, w.Allocated = one(3, "crossed"), one(5, "holds"), one(3, "zeros"), one(5, "allocated")
		if one(8, "no list") {
			w.NoList = rapid.SampledFrom([]int{http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusInternalServerError}).Draw(t, "list status")
		}
		w.Hides, w.Bare, w.Shared, w.TopUps = one(8, "hides"), one(8, "bare"), one(4, "shared"), one(5, "top-ups")
		w.Moving, w.Courses, w.Keys, w.TwoKeys = one(8, "moving"), one(4, "courses"), one(8, "keys"), one(10, "two keys")
		w.Kills, w.Lists, w.Secretive = one(4, "kills"), one(6, "lists"), one(3, "secretive")
		w.Sudden = w.Shared && os.Getenv("UNKIND_SUDDEN") != ""
		w.Moves = rapid.SliceOfN(anUnkindMove(), 3, 14).Draw(t, "moves")
		return w
	})
}

// anUnkindMove draws a move. What a world does not have is another purchase there.
func anUnkindMove() *rapid.Generator[unkindMove] {
	return rapid.Custom(func(t *rapid.T) unkindMove {
		return unkindMove{
			Do: rapid.SampledFrom([]string{
				"buy", "buy", "buy", "buy", "wait", "decide", "outside", "outside", "top up", "price", "course", "key", "kill", "lists", "lag", "list", "list", "again",
			}).Draw(t, "do"),
			Who:  rapid.SampledFrom([]int64{apptest.Sam, apptest.Yasmine, apptest.Sam, apptest.Yasmine, nadia}).Draw(t, "who"),
			Pick: rapid.IntRange(0, 999).Draw(t, "pick"),
			Late: rapid.SampledFrom([]time.Duration{20 * time.Second, 40 * time.Second, 5 * time.Minute, 12 * time.Minute, 30 * time.Minute, time.Hour}).Draw(t, "late"),
			Then: rapid.SampledFrom([]time.Duration{0, time.Second, 3 * time.Second, 10 * time.Second, 40 * time.Second, 3 * time.Minute, 11 * time.Minute}).Draw(t, "then"),
		}
	})
}

// twins reports whether the two shops hold the same sum: for all that is shown, they may have one wallet.
func (w unkindWorld) twins() bool { return w.Shapes%4 == 1 }

// lag is the longest lag that there is in a world.
func (w unkindWorld) lag() time.Duration {
	all := lags(w.Lags)
	return all[len(all)-1]
}

// uses reports whether somebody has a part in a world.
func (w unkindWorld) uses(who int64) bool {
	return slices.ContainsFunc(w.Moves, func(m unkindMove) bool { return m.Who == who })
}

// good is what somebody buys: mostly one of the same.
func (m unkindMove) good() string {
	switch {
	case m.Pick%7 == 6:
		return "25 USD"
	case m.Pick%11 == 10:
		return "1 month"
	case m.Pick%13 == 12:
		return "110 gems"
	}
	return "10 USD"
}

// has reports whether a move can happen in a world.
func (w unkindWorld) has(do string) bool {
	on, asks := map[string]bool{
		"outside": w.Shared, "top up": w.TopUps, "price": w.Moving, "course": w.Courses, "key": w.Keys, "kill": w.Kills, "lists": w.Lists, "lag": w.Lags > 0,
	}[do]
	return on || !asks
}

// unkindness is a world that is played.
type unkindness struct {
	lab   *lab
	drawn unkindWorld
	now   sim.World
	keys  map[int64]string // that each chat works with now
	spent int              // keys that were made

	seeing []time.Time // when something could be read again that could not for a while
	late   []lateness  // how late readings are, and since when
}

// lateness is how late readings are from a moment on.
type lateness struct {
	from          time.Time
	balance, list time.Duration
}

// everybody is who buys: two of one account, and one of another.
func everybody() []int64 { return []int64{apptest.Sam, apptest.Yasmine, nadia} }

// playUnkind plays a world to its end and judges it.
func playUnkind(dir string, drawn unkindWorld) (*lab, *verdict) {
	l := newLab(dir, sim.Options{Mode: sim.Both, Shapes: drawn.Shapes, CrossedIDs: drawn.Crossed})
	u := &unkindness{lab: l, drawn: drawn, keys: map[int64]string{apptest.Sam: apptest.TestKey, apptest.Yasmine: apptest.TestKey, nadia: apptest.LegacyTestKey}}
	l.wallet, l.patient, l.crossed, l.eye.unkind = bigWallet, true, drawn.Crossed, true
	l.env["POLL_SCHEDULE"] = lessPolling
	u.open()
	l.start()
	for _, who := range everybody() {
		l.say(who, "/start")
		u.link(who)
	}
	if drawn.Known || drawn.TwoKeys {
		u.buyInPeace()
	}
	if drawn.Shared && !drawn.Sudden {
		u.share()
	}
	for _, m := range drawn.Moves {
		l.eye.notef("— %v", m)
		u.move(m)
		l.pass(m.Then)
	}
	u.rest()
	l.close()
	return l, l.eye.judgeUnkind(u)
}

// open fills the service.
func (u *unkindness) open() {
	l, w := u.lab, u.drawn
	card := sim.VariantSpec{ID: thisCard, Name: "10 USD", Price: cardPrice, InStock: 400, Delay: 2 * time.Second}
	if w.Allocated {
		card.Allocated = 300
	}
	l.service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
		card, {ID: 102, Name: "25 USD", Price: "3100", InStock: 400, Delay: 40 * time.Second},
	}})
	l.service.AddProduct(sim.ProductSpec{ID: 11, Name: "Sportstv", Family: "sportstv", Variants: []sim.VariantSpec{
		{ID: 111, Name: "1 month", Price: cardPrice, InStock: 400, Delay: 2 * time.Second}, // as dear as the card
	}})
	l.service.AddPlan(sim.PlanSpec{ID: 1, PlanID: "ARENA-110", Name: "110 gems", Price: cardPrice, Delay: 3 * time.Second})
	// Two shops that hold the same sum, to the centime, may have one wallet for all that the bot sees: it asks more there.
	other := l.wallet
	if !w.twins() {
		other = otherWallet
	}
	for _, spec := range []sim.AccountSpec{
		{Key: apptest.TestKey, Name: "Boutique El Djazair", Mode: w.Mode, UserID: 4101, Balance: l.wallet},
		{Key: apptest.LegacyTestKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: other},
	} {
		if err := l.service.AddAccount(spec); err != nil {
			l.eye.violatef("lab", "%v", err)
		}
	}
	if w.TwoKeys {
		l.service.AddKey(apptest.TestKey, secondTestKey)
		u.keys[apptest.Yasmine] = secondTestKey
	}
	u.now = sim.World{
		BalanceLag: w.Balance, ListLag: w.List, StatusLag: w.Status, CounterLag: w.List, Holds: w.Holds, ZeroCounters: w.Zeros,
		ListStatus: w.NoList, ListHidesCurrent: w.Hides, ListBare: w.Bare, FamilyHidesCodes: w.Secretive,
	}
	l.service.SetWorld(u.now)
	u.lags()
}

// lags notes how late readings are from now on.
func (u *unkindness) lags() {
	u.late = append(u.late, lateness{time.Now(), u.now.BalanceLag, u.now.ListLag})
}

// shown reports whether any reading by a moment could show what was done at another.
func (u *unkindness) shown(done, by time.Time) bool {
	for i, l := range u.late {
		end := by
		if i+1 < len(u.late) && u.late[i+1].from.Before(by) {
			end = u.late[i+1].from
		}
		if l.from.Before(by) && !done.After(end.Add(-min(l.balance, l.list))) {
			return true
		}
	}
	return false
}

// link has a chat send the key that it is to work with.
func (u *unkindness) link(who int64) {
	u.lab.eye.linked(who, u.keys[who])
	u.lab.say(who, "/key "+u.keys[who])
	words := []string{"Same account", "link the new key"} // where that is asked; it is the same
	for _, yes := range words {
		u.lab.tap(who, yes)
	}
	// The question itself may come later than in a second, to a chat that has just had several messages.
	for _, yes := range words {
		if _, err := u.lab.telegram.TapButton(who, who, yes); err == nil {
			u.lab.pass(time.Second)
		}
	}
}

// buyInPeace has the people of the first account, and the one of the second, buy three times with nothing going
// wrong: what the lags are can be learned from it.
func (u *unkindness) buyInPeace() {
	longest := max(u.drawn.Balance, u.drawn.List, u.drawn.Status)
	for range 3 {
		for _, who := range everybody() {
			if who == apptest.Sam || u.drawn.TwoKeys && who == apptest.Yasmine || u.drawn.uses(nadia) && who == nadia {
				u.buy(who, "10 USD")
			}
		}
		u.lab.pass(longest + 30*time.Second)
	}
	u.lab.pass(longest + 6*time.Minute) // until the balance was looked at
}

// share has others buy with both accounts, and the bot see it: it knows from then on that they are shared.
func (u *unkindness) share() {
	u.lab.pass(6 * time.Minute)
	for _, who := range []int64{apptest.Sam, nadia} {
		_, _ = u.lab.service.Buy(u.keys[who], thisCard, 1, outsideTag)
	}
	u.lab.pass(u.drawn.lag() + 11*time.Minute)
}

// buy walks to a ✅ and taps it.
func (u *unkindness) buy(who int64, good string) {
	l, e := u.lab, &errand{user: who}
	switch good {
	case "110 gems":
		l.say(who, "/topup")
		l.tap(who, "Arena")
		l.tap(who, good)
		l.say(who, playerID)
		l.tap(who, "once more") // where that is asked
	case "1 month":
		l.say(who, "/buy")
		l.tap(who, "Sportstv")
		l.tap(who, good)
		l.say(who, "1")
	default:
		l.say(who, "/buy")
		l.tap(who, "Play Card")
		l.tap(who, good)
		l.say(who, "1")
	}
	found := l.findConfirm(e)
	if !found { // what was refused or is open is asked about first, and is wanted all the same
		l.tap(who, "once more")
		found = l.findConfirm(e)
	}
	if found {
		l.press(e)
	}
}

// move makes one move.
func (u *unkindness) move(m unkindMove) {
	l, do := u.lab, m.Do
	if !u.drawn.has(do) {
		do = "buy"
	}
	switch do {
	case "buy":
		l.service.ClearFaults()
		if f := unkindAnswers()[m.Pick%len(unkindAnswers())]; f != nil {
			fault := f(m.Late)
			fault.Operation, fault.Times = sim.Spending, 1
			l.service.Inject(fault)
		}
		u.buy(m.Who, m.good())
	case "list":
		u.list(m)
	case "again":
		u.again(m.Who)
	case "wait":
		l.pass(m.Late)
	case "decide":
		l.decides(m.Who)
	case "outside":
		_, _ = l.service.Buy(u.keys[m.Who], thisCard, 1, outsideTag)
	case "top up":
		l.service.Deposit(u.keys[m.Who], []string{cardPrice, cardPrice, "2501", "3100", "5000"}[m.Pick%5])
	case "lag":
		all := lags(u.drawn.Lags)
		u.now.BalanceLag, u.now.ListLag, u.now.StatusLag = all[m.Pick%len(all)], all[m.Pick/10%len(all)], all[m.Pick/100%len(all)]
		l.service.SetWorld(u.now)
		u.lags()
	case "lists":
		u.lists()
		u.now.ListStatus = []int{0, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusInternalServerError}[m.Pick%4]
		l.service.SetWorld(u.now)
	case "kill":
		u.kill(m)
	case "price":
		u.reprice(m)
	case "course":
		u.course(m)
	case "key":
		u.key(m)
	}
}

// unkindAnswers are what may become of a request that spends; nil is that all is well.
func unkindAnswers() []func(late time.Duration) sim.Fault {
	plainly := func(f sim.Fault) func(time.Duration) sim.Fault { return func(time.Duration) sim.Fault { return f } }
	later := func(status int) func(time.Duration) sim.Fault {
		return func(late time.Duration) sim.Fault { return sim.Fault{Kind: sim.Late, Delay: late, Status: status} }
	}
	return []func(time.Duration) sim.Fault{
		nil, nil, nil,
		plainly(sim.Fault{Kind: sim.Silence}), plainly(sim.Fault{Kind: sim.SilenceDone}),
		plainly(sim.Fault{Kind: sim.DropRequest}), plainly(sim.Fault{Kind: sim.LoseAnswer}),
		plainly(sim.Fault{Kind: sim.Status, Status: 502}), plainly(sim.Fault{Kind: sim.StatusDone, Status: 502}),
		plainly(sim.Fault{Kind: sim.ErrorAnswer, Status: 500}), plainly(sim.Fault{Kind: sim.ErrorDone, Status: 500}),
		plainly(sim.Fault{Kind: sim.ErrorAnswer, Status: 400, Message: "Product out of stock"}),
		plainly(sim.Fault{Kind: sim.ErrorDone, Status: 400, Message: "Product out of stock"}),
		plainly(sim.Fault{Kind: sim.ErrorDone, Status: 403, Message: "Insufficient balance"}),
		plainly(sim.Fault{Kind: sim.RateLimit, Delay: 2 * time.Second}), plainly(sim.Fault{Kind: sim.ErrorDone, Status: 429}),
		later(0), later(500), later(502), plainly(sim.Fault{Kind: sim.Garbage}),
		plainly(sim.Fault{Kind: sim.DoubleIDs}), plainly(sim.Fault{Kind: sim.ShortCount}),
	}
}

// lists notes that lists may be readable from now on.
func (u *unkindness) lists() {
	if u.now.ListStatus != 0 {
		u.seeing = append(u.seeing, time.Now())
	}
}

// kill ends the program, at once or at the next step of a kind.
func (u *unkindness) kill(m unkindMove) {
	l := u.lab
	switch m.Pick % 3 {
	case 0:
		l.kill()
		l.pass(revived + time.Second)
	case 1:
		l.restart()
	case 2:
		l.front.arm(nil, nil)
		l.crash.arm(points()[m.Pick/3%len(points())], 1)
	}
}

// reprice changes the price or the name of what everybody buys: now, or when the next request that spends arrives.
func (u *unkindness) reprice(m unkindMove) {
	change := func() {
		switch m.Pick / 2 % 3 {
		case 0:
			u.lab.service.SetPrice(thisCard, dearPrice)
		case 1:
			u.lab.service.SetPrice(thisCard, cardPrice)
		case 2:
			u.lab.service.SetName(thisCard, []string{"10 USD", "10 USD (EU)"}[m.Pick/6%2])
		}
	}
	if m.Pick%2 == 0 {
		change()
		return
	}
	u.lab.front.beforeSpend(change)
}

// course changes how orders go from now on.
func (u *unkindness) course(m unkindMove) {
	w := u.now
	w.Course, w.Detour, w.CodeLag, w.Placeholder, w.Fails, w.RefundAfter = sim.Straight, m.Late, 0, "", false, 0
	switch m.Pick % 7 {
	case 1:
		w.CodeLag, w.Placeholder = m.Late, "Pending…"
	case 2:
		w.CodeLag = m.Late
	case 3:
		w.Course = sim.GoesBack
	case 4:
		w.Course = sim.ErrorFirst
	case 5:
		w.Course = sim.CodeChanges
	case 6:
		w.Fails, w.RefundAfter = true, m.Late
	}
	u.now = w
	u.lab.service.SetWorld(w)
}

// key rotates, refuses or relinks the key of a chat.
func (u *unkindness) key(m unkindMove) {
	l, key := u.lab, u.keys[m.Who]
	switch m.Pick % 5 {
	case 0, 1: // it is replaced at the service; the chats hear of it
		u.spent++
		renewed := fmt.Sprintf("sk-renewed-%d-77c1d9e2aa", u.spent)
		l.service.RotateKey(key, renewed)
		l.pass(m.Then)
		for _, who := range everybody() {
			if u.keys[who] == key {
				u.keys[who] = renewed
				u.link(who)
			}
		}
		u.seeing = append(u.seeing, time.Now())
	case 2, 3:
		l.say(m.Who, "/key remove")
		l.tap(m.Who, "Yes, unlink")
		l.tap(m.Who, "Yes, leave") // what one of two owners is asked
		l.pass(m.Then)
		u.link(m.Who)
		u.seeing = append(u.seeing, time.Now())
	case 4:
		l.service.ExpireKey(key)
		l.pass(m.Late)
		l.service.SetExpiry(key, time.Time{})
		u.seeing = append(u.seeing, time.Now())
	}
}

// rest has no more faults come, people decide what they are asked, and time pass until everything has come to its
// end and the service has shown all of it.
func (u *unkindness) rest() {
	l := u.lab
	l.eye.notef("— rest")
	l.service.ClearFaults()
	u.lists()
	u.now.Course, u.now.CodeLag, u.now.Fails, u.now.ListStatus = sim.Straight, 0, false, u.drawn.NoList
	l.service.SetWorld(u.now)
	begin, decided := time.Now(), time.Now()
	for quiet := time.Duration(0); time.Since(begin) < longestRest; {
		step := min(5*time.Second+time.Since(begin)/20, 2*time.Minute).Truncate(time.Second)
		l.pass(step)
		if l.eye.questions() > 0 {
			for _, who := range everybody() {
				l.decides(who)
			}
			decided = time.Now()
		}
		if quiet += step; !l.eye.calm() || l.eye.questions() > 0 || l.eye.asksPrices() {
			quiet = 0
		}
		last := l.happenings()
		if decided.After(last) { // what a purchase cost can be seen once a person has said which order is its
			last = decided
		}
		if quiet >= calm && time.Now().After(last.Add(u.drawn.lag()+watchEvery+correction+time.Minute)) {
			return
		}
	}
}

// happenings is when the last thing happens at the service.
func (l *lab) happenings() time.Time {
	last := l.began
	for _, s := range l.service.Spends() {
		if s.Due.After(last) {
			last = s.Due
		}
	}
	for _, key := range []string{apptest.TestKey, apptest.LegacyTestKey} {
		if all := l.service.Entries(key); len(all) > 0 && all[len(all)-1].At.After(last) {
			last = all[len(all)-1].At
		}
	}
	for _, o := range l.service.Orders() {
		if end := o.Shown; end.After(last) {
			last = end
		}
	}
	return last
}
