package purchase

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	firstLook   = 5 * time.Second
	patient     = 10 * time.Minute // whoever has an uncertain purchase looked for at least so long, waits as long as time may tell
	lateWatch   = 24 * time.Hour   // how long an order may still come home that was said not to be
	refusedLife = 2 * time.Hour    // how long it is watched whether a refusal was one
	// refusedPatience is for how long its money may fail to show to be there, once it has to.
	refusedPatience = time.Minute
	slowLook        = 4 * time.Minute
	decisive        = 2 * time.Minute // behind the quiet time, for looks to agree before a person is asked
)

// uncertain sets the first look for a purchase whose answer proves nothing, now that its attempt has ended.
func (e *Engine) uncertain(p *store.Purchase, a store.Account) {
	now := time.Now()
	p.AnsweredAt = now
	p.LookAt, p.DecideBy = now.Add(firstLook), now.Add(e.longest(a, *p))
	if p.DecideBy.Before(p.LookAt) {
		p.LookAt = p.DecideBy
	}
}

// longest is how long an uncertain purchase is looked for where time may tell: until nothing has shown for as long as
// it takes to believe that. The operator may want to be asked earlier.
func (e *Engine) longest(a store.Account, p store.Purchase) time.Duration {
	if e.cfg.ReconcileFor < patient || !lagsKnown(a, p) {
		return e.cfg.ReconcileFor
	}
	return max(e.cfg.ReconcileFor, quietOf(a, p)+decisive)
}

// nextReconcile is when to look for an uncertain purchase again, by how long ago its attempt ended.
func nextReconcile(age time.Duration) time.Duration {
	switch {
	// The first looks are close together: most answers that were lost show within seconds, and somebody waits.
	case age < 10*time.Second:
		return 10 * time.Second
	case age < 30*time.Second:
		return 15 * time.Second
	case age < time.Minute:
		return 30 * time.Second
	case age <= quietTime+decisive:
		return time.Minute
	}
	return slowLook
}

// lookFor gathers the evidence of one look for a purchase that may have gone through, and acts on what it proves.
func (e *Engine) lookFor(ctx context.Context, p store.Purchase) error {
	a, err := e.cfg.Store.Account(ctx, p.Account)
	if errors.Is(err, store.ErrNotFound) {
		return e.forgetLook(ctx, p.ID)
	}
	if err != nil {
		return err
	}
	// Somebody waits for an unknown purchase, and its account's queue with them: its calls are not those of the background.
	if p.Phase != store.Unknown {
		ctx = api.InBackground(ctx)
	}
	if p.Search() == store.ForLeftOut {
		err := e.seekMissing(ctx, a, p)
		if gone, goneErr := e.hasGone(ctx, p); err != nil || goneErr != nil || !gone { // else others may be in their place
			return errors.Join(err, goneErr)
		}
	}
	return e.judgeBy(ctx, e.newEvidence(a, p))
}

// judgeBy gathers evidence, and acts on what it proves.
func (e *Engine) judgeBy(ctx context.Context, v *evidence) error {
	p := v.of
	if p.Phase == store.Unknown || p.Phase == store.Undecided {
		// Where the answer named orders that exist and fit, nothing else needs to be read.
		n, all, err := v.namedOrders(ctx)
		if err != nil {
			return err
		}
		if all {
			v.kept.Rule = store.RuleNamed
			return e.conclude(ctx, p, Find, n, v)
		}
	}
	if err := v.gather(ctx); err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	said := judge(v.found)
	if said.event == Find { // it walks all open purchases, so it is asked only where everything else says yes
		contested, err := v.mayBeOtherKeys(ctx, v.listed)
		if err != nil {
			return err
		}
		v.found.contested = contested
		said = judge(v.found)
	}
	switch {
	case p.Phase.Final(): // it was said not to have happened
		said = contradicts(v.found, said, v.ends())
	case p.Phase == store.Accepted: // its orders are not shown any more
		said = instead(v.found, said)
	}
	v.kept.Rule = said.rule
	return e.conclude(ctx, p, said.event, v.listedOrders(said.ids), v)
}

// contradicts is what a look comes to for a purchase that was said not to have happened: what proves that it did, or
// what casts doubt on that. last tells that its money should have shown to be there by now.
func contradicts(f findings, said finding, last bool) finding {
	// As many orders as our other purchases have not been seen with are theirs: only more than those speak against it. A failed
	// one never gets a code to be seen by, so it is taken for one that the list held before. Whoever is refused tries again at once, so
	// they may also be of what was sent since then and is not decided yet. That will be. Example: two orders fit, and our accepted purchases
	// have one that the list was not seen to show: 2 > 1, one order is too many.
	shows := len(said.ids)+f.others > f.own-f.accounted+f.retried
	switch {
	// judge's Find stands: orders and money say the same.
	case said.rule == store.RuleRows:
	case f.charge == charged, shows, last && f.charge == unclear:
		said.event = Doubt
	default:
		said.event = ""
	}
	return said
}

// instead is what a look comes to for a purchase whose orders the service shows nowhere: whether others may be its.
func instead(f findings, said finding) finding {
	if len(said.ids) <= f.own {
		return finding{rule: store.RuleWaiting}
	}
	return finding{event: Doubt, rule: store.RuleInstead, ids: said.ids}
}

// ends reports whether the service has refused a purchase for so long that a person is asked unless a look has shown
// its money to be there. Where it is only an accepted purchase of ours that may hide its price, nothing speaks for that:
// what comes of that purchase will tell. Where its money shows to be there, only how long that is so is not known yet (passed).
func (v *evidence) ends() bool {
	return v.of.Phase == store.Rejected && !v.now.Before(endsAt(v.of)) && v.found.charge != uncharged && !v.kept.Cleared && !v.hidden && !couldNotPay(v.of)
}

// newEvidence begins a look for a purchase.
func (e *Engine) newEvidence(a store.Account, p store.Purchase) *evidence {
	now := time.Now()
	return e.evidenceAt(a, p, now, e.waited(p, now))
}

// evidenceAt is evidence of a moment, by which a purchase has been looked for so long.
func (e *Engine) evidenceAt(a store.Account, p store.Purchase, now time.Time, waited time.Duration) *evidence {
	v := &evidence{engine: e, service: e.cfg.Service(a), account: a, of: p, now: now}
	v.kept = store.Evidence{At: now, Used: -1, Looks: looks(p) + 1, Waited: waited}
	if p.Evidence != nil {
		v.kept.Silent, v.kept.Traced, v.kept.Cleared, v.kept.Late = p.Evidence.Silent, p.Evidence.Traced, p.Evidence.Cleared, p.Evidence.Late
	}
	v.found = findings{
		age: now.Sub(p.AnsweredAt), waited: v.kept.Waited, quiet: quietOf(a, p), patience: e.cfg.ReconcileFor, longest: e.longest(a, p),
		quantity: p.Quantity, shared: isShared(a, now), unexplained: isSignOfOthers(a.Wallet), known: lagsKnown(a, p),
	}
	return v
}

// hasGone reports whether the service does not show an order of a purchase any more.
func (e *Engine) hasGone(ctx context.Context, p store.Purchase) (bool, error) {
	orders, err := e.cfg.Store.OrdersOf(ctx, p)
	return slices.ContainsFunc(orders, func(o store.Order) bool { return o.Gone }), err
}

// waited is for how long a purchase has been looked for while this process, or an earlier one, was running. The clock
// on the wall may step, and nobody knows what it did while no process ran; a process's own does not step.
func (e *Engine) waited(p store.Purchase, now time.Time) time.Duration {
	before, last := time.Duration(0), p.AnsweredAt
	if p.Evidence != nil {
		before, last = p.Evidence.Waited, p.Evidence.At
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	seen, known := e.looked[p.ID]
	e.looked[p.ID] = now
	// now and seen carry this process's monotonic clock: a step of the wall clock is not in the difference.
	if known {
		return before + now.Sub(seen)
	}
	// The first look of this process counts from its begin at the earliest. Round(0) strips the monotonic clock: last comes
	// from disk and has none.
	return before + max(0, min(now.Sub(e.began), now.Round(0).Sub(last)))
}

// unseen forgets when a purchase was looked for: it is looked for no more.
func (e *Engine) unseen(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.looked, id)
}

// conclude puts on disk what a look has come to, together with the messages that it causes. A purchase that
// has moved on meanwhile is left alone.
func (e *Engine) conclude(ctx context.Context, seen store.Purchase, ev Event, n named, v *evidence) error {
	var p store.Purchase
	err := e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		var a store.Account
		p, a, err = load(tx, seen.ID)
		// Another look, or a person, came first: what this one has read may be older than that.
		if err != nil || p.Phase != seen.Phase || looks(p) != looks(seen) {
			return err
		}
		if err := e.learnFrom(tx, &a, v); err != nil {
			return err
		}
		// It is read again, for observe may have moved it (contradict).
		if p, err = tx.Purchase(seen.ID); err != nil || p.Phase != seen.Phase {
			return errors.Join(err, tx.PutAccount(&a)) // the money alone has cast doubt on it
		}
		noteLook(&p, v.kept)
		if err := askAnew(tx, p, a, seen.Evidence); err != nil {
			return err
		}
		return e.found(tx, &p, &a, ev, n, v.kept)
	})
	if err == nil && ev != "" {
		e.wake(seen.Account)
	}
	if err == nil && p.LookAt.IsZero() {
		e.unseen(p.ID)
	}
	return err
}

// askAnew brings a question up to date that stands, where a look has shown something else than the one before, or somebody has
// become an owner since: where they have bought it they may decide now, and elsewhere they were not asked yet.
func askAnew(tx *store.Tx, p store.Purchase, a store.Account, was *store.Evidence) error {
	came := func(m store.Member) bool { return m.Role == store.Owner && was != nil && m.Since.After(was.At) }
	if p.Phase != store.Undecided || was != nil && was.SaysWhat(*p.Evidence) && !slices.ContainsFunc(a.Members(), came) {
		return nil
	}
	return errors.Join(showAnew(tx, p), askOwners(tx, p, a))
}

// found moves a purchase by what a look has come to.
func (e *Engine) found(tx *store.Tx, p *store.Purchase, a *store.Account, ev Event, n named, kept store.Evidence) error {
	if _, err := Next(p.Phase, ev); ev == "" || err != nil {
		return errors.Join(tx.PutPurchase(p), tx.PutAccount(a)) // nothing to tell: what was said still holds
	}
	if p.Phase == store.Accepted {
		if let, err := letGo(tx, p, a, kept.At, func(o store.Order) bool { return o.State == store.Waiting && o.Gone }); err != nil || !let {
			return errors.Join(err, tx.PutPurchase(p), tx.PutAccount(a))
		}
	}
	if ev == Find {
		// Another purchase has claimed one meanwhile: the look counts as made, and the next one sees the claim.
		if free, err := e.adopt(tx, p, a, n); err != nil || !free {
			return errors.Join(err, tx.PutPurchase(p), tx.PutAccount(a))
		}
		p.LookAt = time.Time{} // what was there before it is kept: it may be asked about again
		if kept.Rule == store.RuleNamed && p.Missing > 0 {
			p.LookAt, p.Seeks = kept.At.Add(firstLook), missingLooks
		}
	}
	tx.Then(func() {
		e.log(*p).Info("an uncertain purchase was looked for", "event", string(ev), "rule", kept.Rule, "looks", kept.Looks)
	})
	if err := e.move(tx, p, a, ev, kept.Rule); err != nil {
		return err
	}
	return e.pingUncertain(tx, *p, *a, 0)
}

// learnFrom keeps what a look has shown of the account beside the purchase.
func (e *Engine) learnFrom(tx *store.Tx, a *store.Account, v *evidence) error {
	if v.foreign {
		a.OutsideAt = v.now
	}
	// A purchase that began after the look read the account may be in the balance: the reading explains nothing.
	if v.reading == nil || a.Spends != v.account.Spends {
		return nil
	}
	if err := e.observe(tx, a, *v.reading); err != nil {
		return err
	}
	a.LookAt = nextLook(*a, time.Now())
	return nil
}

// noteLook keeps what a look has shown, and sets the next one.
func noteLook(p *store.Purchase, evidence store.Evidence) {
	now := time.Now()
	age, life := now.Sub(p.AnsweredAt), lateWatch
	if p.Phase == store.Rejected {
		life = refusedLife
	}
	// Also where the look says nothing: Looks counts it, and Waited goes on.
	p.Evidence, p.LookAt = &evidence, now.Add(nextReconcile(age))
	if now.Before(p.DecideBy) {
		p.LookAt = lookBefore(p.DecideBy, now, p.LookAt)
	}
	if age >= life {
		endLooks(p)
	}
}

// lookBefore is when to look next, where a person is asked at a time unless looks agree before: slow ones leave room
// for two behind the quiet time.
func lookBefore(decide, now, next time.Time) time.Time {
	quiet := decide.Add(-decisive)
	switch {
	case next.Sub(now) <= time.Minute:
		return earlierOf(next, decide)
	case now.Before(quiet):
		return earlierOf(next, quiet)
	}
	return earlierOf(now.Add(time.Minute), decide)
}

// earlierOf is the first of two moments.
func earlierOf(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// endLooks ends the search for a purchase.
func endLooks(p *store.Purchase) { p.LookAt, p.Seeks, p.Before.Rows = time.Time{}, 0, nil }

// pingUncertain queues the pings for what became of an uncertain purchase, but for actor, whose tap it was (0: nobody's). What was found has
// its own ping once its code is there.
func (e *Engine) pingUncertain(tx *store.Tx, p store.Purchase, a store.Account, actor int64) error {
	if p.Phase == store.Accepted {
		return nil
	}
	if err := pingOwners(tx, p, a, actor); err != nil {
		return err
	}
	return tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID + ".u" + string(p.Phase), Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority})
}

// pingOwners queues a note for owners whose question is only edited: they have decided about a purchase, or seen it decided, and are asked
// again, or they were told before that others wait for it. actor knows it, and needs no note.
func pingOwners(tx *store.Tx, p store.Purchase, a store.Account, actor int64) error {
	name, id := store.DecideNote, p.ID+".decide"
	switch {
	case !p.DoubtedAt().IsZero():
		name, id = store.AskedAgainNote, p.ID+".again."+strconv.FormatInt(p.DoubtedAt().UnixMicro(), 36)
	case p.Phase != store.Undecided:
		return nil
	}
	for _, chat := range a.Owners() {
		if chat == p.Chat || chat == actor || p.ShownIn(store.Decision, chat) == 0 {
			continue
		}
		note := store.NewNote(chat, id, name, map[string]string{"ref": store.Ref(p.ID), "purchase": p.ID})
		if !a.Retired { // else they are of no account, and it is theirs to decide all the same
			note.Args[store.AboutArg] = a.ID
		}
		if err := tx.Enqueue(note.Of(a.ID)); err != nil {
			return err
		}
	}
	return nil
}

// forgetLook ends the search for a purchase whose account is gone.
func (e *Engine) forgetLook(ctx context.Context, id string) error {
	e.unseen(id)
	return e.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		endLooks(&p)
		return tx.PutPurchase(&p)
	})
}

// looks is how often a purchase was looked for.
func looks(p store.Purchase) int {
	if p.Evidence == nil {
		return 0
	}
	return p.Evidence.Looks
}
