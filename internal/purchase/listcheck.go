package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	listsAtOnce  = 50
	askedAtOnce  = 4               // players of a list
	mostTries    = 3               // at asking about players, in a row, that may fail
	retryChecks  = 3 * time.Second // after one
	someChecks   = 20              // players in a minute, where nobody has said how many
	checkTime    = 20 * time.Second
	balanceTime  = 3 * time.Second
	productAge   = 5 * time.Minute
	balanceFresh = 5 * time.Second
)

// Checker is what is asked of the service about the players of a list: methods of *api.Session.
type Checker interface {
	Product(ctx context.Context, id int64, maxAge time.Duration) (api.Product, error)
	Check(ctx context.Context, p api.Product, answers map[string]string) (api.Check, error)
}

// ProcessDueLists does what is due for lists: players are asked about, cards expire, files of what is there are sent, and what is
// over for long is forgotten.
func (e *Engine) ProcessDueLists(ctx context.Context) error {
	due, err := e.cfg.Store.ClaimLists(ctx, time.Now(), dueLease, listsAtOnce)
	if err != nil {
		return fmt.Errorf("claim lists: %w", err)
	}
	eachDue(ctx, due, func(l store.List) error { return e.processDueList(ctx, l) }, func(l store.List, err error) {
		e.cfg.Log.Error("process a due list", "list", l.ID, "err", err)
	})
	return nil
}

// processDueList does what is due for one list.
func (e *Engine) processDueList(ctx context.Context, l store.List) error {
	switch l.Phase {
	case store.ListChecking:
		return e.checkPlayers(ctx, l)
	case store.ListShown, store.ListAsked:
		return e.expireList(ctx, l.ID)
	case store.ListBuying:
		return e.fileList(ctx, l.ID)
	}
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error { return tx.RemoveList(l.ID) })
}

// expireList drops a list that nobody has confirmed in time.
func (e *Engine) expireList(ctx context.Context, id string) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		l, err := tx.List(id)
		// A tap moves ExpiresAt (ListWithMarked, AskList): what was claimed as due may have more time by now.
		if err != nil || time.Now().Before(l.ExpiresAt) {
			return err
		}
		return dropList(tx, id, store.ReasonExpired, true)
	})
}

// fileList sends the codes of a list that are there, where the rest takes long.
func (e *Engine) fileList(ctx context.Context, id string) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		l, err := tx.List(id)
		if err != nil || l.Phase != store.ListBuying {
			return err
		}
		// lineMoved sets it anew with the next code that no file has brought.
		l.Due = time.Time{}
		if err := tx.PutList(&l); err != nil || l.Codes() <= l.Filed {
			return err
		}
		return tx.Enqueue(listFile(l))
	})
}

// asking is a player of a list, with the lines that are for them.
type asking struct {
	line  store.ListLine
	lines []int // by their place
	found store.Player
	wrong string // a problem of the lines
	limit time.Duration
	err   error // passing
}

// askings are the players of a list that are still to be asked about, each once.
func askings(l store.List) (all []*asking) {
	for i, line := range l.Lines {
		if !line.Check {
			continue
		}
		k := slices.IndexFunc(all, func(q *asking) bool {
			return q.line.ProductID == line.ProductID && slices.EqualFunc(q.line.Inputs, line.Inputs, func(a, b store.Answer) bool { return a == b })
		})
		if k < 0 {
			all = append(all, &asking{line: line})
			k = len(all) - 1
		}
		all[k].lines = append(all[k].lines, i)
	}
	return all
}

// checkedBy is by when all players of a list are known, as the limits let it be: half a second for each, and a minute for each further
// handful that a minute lets through. Example: 50 players at 20 a minute take 25 s and two full minutes.
func (e *Engine) checkedBy(l store.List, from time.Time) time.Time {
	n, rate := len(askings(l)), e.cfg.ChecksPerMinute
	if rate <= 0 {
		rate = someChecks
	}
	return from.Add(time.Duration(n)*time.Second/2 + time.Duration(max(n-1, 0)/rate)*time.Minute)
}

// checkPlayers asks the service about the players of a list, as many as the limits let it, and makes the card ready once all
// are known.
func (e *Engine) checkPlayers(ctx context.Context, l store.List) error {
	a, err := e.cfg.Store.Account(ctx, l.Account)
	if err != nil {
		return err
	}
	// What the chat knew of its players before the list: an id that is called otherwise now is marked.
	known, err := e.cfg.Store.Players(ctx, l.Chat, l.Account)
	if err != nil {
		return err
	}
	left := askings(l)
	for len(left) > 0 && ctx.Err() == nil {
		some := left[:min(askedAtOnce, len(left))]
		var all sync.WaitGroup
		for _, q := range some {
			all.Go(func() { e.ask(ctx, a, q, known) })
		}
		all.Wait()
		// Each handful is on disk before the next is asked about: a list of fifty takes minutes, and a stop in it asks nobody twice.
		if l, err = e.answered(ctx, l.ID, some); err != nil || l.Phase != store.ListChecking || l.Due.After(time.Now()) {
			return err
		}
		left = askings(l)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return e.makeReady(ctx, l)
}

// ask asks the service about one player.
func (e *Engine) ask(ctx context.Context, a store.Account, q *asking, known []store.Player) {
	// In series: fifty players share the limit of calls with whoever waits for a single one, and that one goes first.
	ctx, cancel := context.WithTimeout(api.InSeries(ctx), checkTime)
	defer cancel()
	checker := e.cfg.Checker(a)
	p, err := checker.Product(ctx, q.line.ProductID, productAge)
	var found api.Check
	answers := map[string]string{}
	if err == nil {
		for _, in := range q.line.Inputs {
			if in.Value != "" {
				answers[in.Index] = in.Value
			}
		}
		found, err = checker.Check(ctx, p, answers)
	}
	q.found = store.Player{Game: gameOf(q.line), ID: answers[p.PlayerInput()], Name: found.Name, Region: found.Region, Facts: found.Facts, At: time.Now(), Status: store.PlayerValid}
	var refused *api.Error
	errors.As(err, &refused)
	// Only an answer speaks against a line (wrong) or for it (found). A limit and what passes (err) leave it as it is, to be asked again.
	switch class := api.ClassOf(err); {
	case err == nil && found.Status == api.CheckInvalid:
		q.wrong = store.ProblemNobody
	case err == nil && found.Status == api.CheckUnknown:
		q.found.Status = store.PlayerUnknown
	case err == nil:
		q.found.Was = wasBefore(known, q.found)
	// The limit is nobody's fault and counts as no try: a list may meet it several times on its way.
	case class == api.Limited && refused != nil:
		q.limit = max(refused.RetryAfter, time.Second)
	// That nobody can be asked is no reason not to sell: the card says that this player is not checked.
	case class == api.NotOffered:
		q.found.Status = store.PlayerUnchecked
	case class == api.Invalid:
		q.wrong = store.ProblemInput
	case class == api.NotFound, class == api.Unauthorized, class == api.IPBlocked:
		q.wrong = store.ProblemUnasked
	default:
		q.err = err
	}
}

// gameOf is which game's ids a line is for, as the players of a chat have it.
func gameOf(line store.ListLine) string {
	if f := api.Family(line.Family); f != api.Goods {
		return line.Family
	}
	return "product " + strconv.FormatInt(line.ProductID, 10)
}

// wasBefore is who an id was when the chat used it last, where that is somebody else now.
func wasBefore(known []store.Player, pl store.Player) *store.Player {
	for _, was := range known {
		if was.Game == pl.Game && was.ID == pl.ID && (was.Name != pl.Name || was.Region != pl.Region) && was.Name+was.Region != "" {
			return &store.Player{Name: was.Name, Region: was.Region}
		}
	}
	return nil
}

// answered writes down what was found out about some players. Where the limits, or a failure, want a pause, the list is due
// after that.
func (e *Engine) answered(ctx context.Context, id string, some []*asking) (l store.List, err error) {
	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if l, err = tx.List(id); err != nil || l.Phase != store.ListChecking {
			return err
		}
		// Due is also the pause: checkPlayers stops where it lies ahead, and ProcessDueLists goes on from there. Who is not learned here keeps Check,
		// and is asked about again.
		now, failed := time.Now(), false
		l.Due = now
		for _, q := range some {
			switch {
			case q.limit > 0:
				l.Due = later(l.Due, now.Add(q.limit))
				continue
			case q.err != nil && l.Tries < mostTries:
				failed = true
				l.Due = later(l.Due, now.Add(retryChecks))
				continue
			case q.err != nil:
				q.wrong = store.ProblemUnasked
			}
			for _, i := range q.lines {
				learnPlayer(&l.Lines[i], *q)
			}
		}
		if failed {
			l.Tries++
			// Only failures in a row give up: one call that has gone through shows that the service answers.
		} else if !l.Due.After(now) {
			l.Tries = 0
		}
		l.CheckedBy = e.checkedBy(l, l.Due)
		return errors.Join(tx.PutList(&l), tellList(tx, l))
	})
	for _, q := range some {
		if q.err != nil && err == nil {
			e.cfg.Log.Warn("a player of a list cannot be checked", "list", id, "err", q.err)
			break
		}
	}
	return l, err
}

// learnPlayer notes in a line who it is for.
func learnPlayer(line *store.ListLine, q asking) {
	pl := q.found
	pl.Facts = slices.DeleteFunc(slices.Clone(pl.Facts), func(fact string) bool {
		// What the service repeats of the answer itself stands in the line already.
		return slices.ContainsFunc(line.Inputs, func(a store.Answer) bool { return strings.HasSuffix(fact, ": "+a.Value) })
	})
	line.Check, line.Problem = false, q.wrong
	if q.wrong != "" {
		return
	}
	line.Player = &pl
	if line.Mark == "" && (pl.Status == store.PlayerUnknown || pl.Was != nil) {
		line.Mark = store.MarkUnknown
	}
}

// later is the later of two moments.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// makeReady gives the card of a list its ✅.
func (e *Engine) makeReady(ctx context.Context, l store.List) error {
	if err := e.ready(ctx, &l); err != nil {
		return err
	}
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		now, err := tx.List(l.ID)
		if err != nil || now.Phase != store.ListChecking {
			return err
		}
		// l was made outside of the transaction, with calls of the service, and takes the place of the list as it is stored.
		//
		// The card may have been sent or edited while players were asked about: what is known of it is newer than l.
		l.EditedAt, l.Message = now.EditedAt, now.Message
		if err := l.Replace(tx, now); err != nil {
			return err
		}
		return tellList(tx, l)
	})
}

// ready marks what was bought just now, finds out for which lines the balance reaches, and makes a ✅.
func (e *Engine) ready(ctx context.Context, l *store.List) error {
	nonce, err := e.nonce()
	if err != nil {
		return err
	}
	a, err := e.cfg.Store.Account(ctx, l.Account)
	if err != nil {
		return err
	}
	for i := range l.Lines {
		line := &l.Lines[i]
		if line.Problem != "" {
			continue
		}
		same, _, err := repeats(a, purchaseOfLine(*l, *line), time.Now(), func(id string) (store.Purchase, error) { return e.cfg.Store.Purchase(ctx, id) })
		if err != nil {
			return err
		}
		if len(same) > 0 {
			markRepeat(line, same)
		}
	}
	short, cancel := context.WithTimeout(ctx, balanceTime)
	defer cancel()
	// A balance that cannot be read in a moment holds the card back no longer: it says nothing then of how far the money reaches. Nor
	// does it where the reading may be older than purchases made here.
	l.Available = nil
	if b, err := e.cfg.Service(a).Balance(short, balanceFresh); err == nil && !b.Lacks && Lacks(a.Wallet, b.Available, time.Now()).IsZero() {
		l.Available = &b.Available
	}
	e.weighList(l, a, time.Now())
	l.Phase, l.Nonce, l.ExpiresAt = store.ListShown, nonce, time.Now().Add(draftLife)
	return nil
}
