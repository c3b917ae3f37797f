package api

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Generation is one of the two interfaces that the service publishes under one address.
type Generation string

// The generations.
const (
	Unsettled Generation = "" // not found out yet
	Current   Generation = "current"
	Legacy    Generation = "legacy"
)

// other is the one that a generation is mistaken for.
func (g Generation) other() Generation {
	if g == Legacy {
		return Current
	}
	return Legacy
}

// recheckEvery is how often a path that the service does not know is taken as a reason to find out the
// generation again.
const recheckEvery = time.Minute

// dialect is the generation that the service speaks to one key.
type dialect struct {
	mu      sync.Mutex
	is      Generation
	checked time.Time // when it was last found out by asking
}

func (d *dialect) get() Generation {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.is
}

// set notes a generation and reports whether that is news.
func (d *dialect) set(g Generation) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	news := d.is != g
	d.is = g
	return news
}

// due reports whether asking again is worth a call, and counts it as done.
func (d *dialect) due(now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now.Sub(d.checked) < recheckEvery {
		return false
	}
	d.checked = now
	return true
}

// Speaking is the session of an account whose generation was found out before. learned is told, within a
// call of the session, each time it turns out to be another one, whichever session of the key has found it
// out; it may be nil.
func (s *Session) Speaking(g Generation, learned func(context.Context, Generation)) *Session {
	// What the account knew is a hint: it never overrides what this process has found out itself, nor the configuration.
	if s.client.cfg.Generation == Unsettled && g != Unsettled && s.state.dialect.get() == Unsettled {
		s.state.dialect.set(g)
	}
	s.learned = learned
	s.told.set(g)
	return s
}

// learn notes what an answer shows of the generation.
func (s *Session) learn(ctx context.Context, g Generation) {
	if g == Unsettled || s.client.cfg.Generation != Unsettled {
		return
	}
	// set is of the key, tell of this session: where another session has found it out, this one's account has still to be told.
	if s.state.dialect.set(g) {
		s.client.cfg.Log.Info("the service's generation was found out", "generation", string(g))
	}
	s.tell(ctx, g)
}

// tell passes a generation on to whoever opened the session, where that is news.
func (s *Session) tell(ctx context.Context, g Generation) {
	if s.told.set(g) && s.learned != nil {
		s.learned(ctx, g)
	}
}

// generation is the one to speak. Where it is not known the account's own paths tell: each exists in one
// generation only, so an answer proves it, and neither an empty catalogue nor an outage is taken for one.
func (s *Session) generation(ctx context.Context) (Generation, error) {
	if g := s.client.cfg.Generation; g != Unsettled {
		return g, nil
	}
	if g := s.state.dialect.get(); g != Unsettled {
		s.tell(ctx, g)
		return g, nil
	}
	_, g, err := s.identify(ctx)
	return g, err
}

// identify asks whose key it is, in whichever generation answers, and notes which it was.
func (s *Session) identify(ctx context.Context) (Account, Generation, error) {
	a, err := s.currentAccount(ctx)
	if err == nil {
		s.learn(ctx, Current)
		return a, Current, nil
	}
	// Only a 404 says that it may be the other generation: a refused key, or an outage, is about either.
	if ClassOf(err) != NotFound {
		return a, Unsettled, err
	}
	b, err := s.legacyBalance(ctx)
	if err == nil {
		s.learn(ctx, Legacy)
		return Account{Balance: b.Balance, Available: b.Available, Lacks: b.Lacks}, Legacy, nil
	}
	// Upstream and not NotFound: nothing that was asked for is missing, the address may be that of another program.
	if errors.Is(err, errNoRoute) {
		err = &Error{Op: "GET /account/balance", Status: 404, Class: Upstream, Err: errors.New("the service speaks neither generation")}
	}
	return Account{}, Unsettled, err
}

// speak makes a call in the generation that the service speaks. A path that it does not know is a reason
// to find the generation out again, and to make the call in the other one if that has changed.
func speak[T any](ctx context.Context, s *Session, current, legacy func(context.Context) (T, error)) (T, error) {
	var none T
	g, err := s.generation(ctx)
	if err != nil {
		return none, err
	}
	in := map[Generation]func(context.Context) (T, error){Current: current, Legacy: legacy}
	// due comes last in the condition, because it counts as done what it is asked for.
	v, err := in[g](ctx)
	if !errors.Is(err, errNoRoute) || s.client.cfg.Generation != Unsettled || !s.state.dialect.due(time.Now()) {
		return v, err
	}
	if _, now, probe := s.identify(ctx); probe != nil || now == g {
		return v, err
	}
	return in[g.other()](ctx)
}

// notOffered is the answer to what a generation does not have.
func notOffered[T any](op string) func(context.Context) (T, error) {
	return func(context.Context) (T, error) {
		var none T
		return none, &Error{Op: op, Class: NotOffered}
	}
}

// offered turns an unknown path into NotOffered: the service does not have this family.
func offered(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && errors.Is(err, errNoRoute) {
		c := *e // those who joined the same read share it
		c.Class = NotOffered
		return &c
	}
	return err
}
