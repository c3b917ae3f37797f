package sim

import (
	"net/http"
	"slices"
	"time"
)

// World is how kind the service is to those who read it and pay at it. The zero value is the kindest: every
// reading is fresh and whole. Nothing in it contradicts the document; each is something that it leaves open.
type World struct {
	// BalanceLag, ListLag, StatusLag and CounterLag are how old the state is that a reading shows: of the wallet;
	// of a list of orders; of an order by its id, alone or in a batch; of the counters of an allocation. An
	// order younger than that is not there yet.
	BalanceLag, ListLag, StatusLag, CounterLag time.Duration

	// Holds makes the wallet hold what an order in progress costs: available_balance falls at once, and balance
	// when the order is done. An order that fails lets go of the money instead of being refunded. Without it
	// the money is taken at once. It counts for orders from now on.
	Holds bool
	// LegacyAvailable makes the one balance of Legacy the one that can be spent.
	LegacyAvailable bool
	// ZeroCounters gives variants without an allocation a client_stock in which everything is 0.
	ZeroCounters bool

	// ListStatus is what lists of orders answer instead, with a page of HTML or, ListEnveloped, in the
	// envelope: 403, 405, 500. 0: they answer.
	ListStatus    int
	ListEnveloped bool
	// ListHidesCurrent leaves out of Legacy's list what was bought through Current.
	ListHidesCurrent bool
	// ListBare leaves created_at and price out of the entries of lists.
	ListBare bool
	// ListMost is how many entries a list has at most, the newest; 0: all.
	ListMost int

	// FamilyHidesCodes leaves codes out of the answers of the endpoints that a family of products has of its own.
	// The endpoints of all orders show them.
	FamilyHidesCodes bool
	// Placeholder is what stands for a code that is not there yet, with has_key false: "Pending…".
	Placeholder string
	// CodeLag is how long after it is done an order shows its code. It counts for orders from now on.
	CodeLag time.Duration
	// Course is how automatic orders go from now on, and Detour how long what is unusual in it lasts.
	Course Course
	Detour time.Duration
	// Fails makes automatic orders fail from now on, whatever their variant says; what they cost is back
	// RefundAfter later.
	Fails       bool
	RefundAfter time.Duration
}

// Course is how an order goes once its time has come.
type Course uint8

// The courses.
const (
	Straight    Course = iota // it is done, and stays so
	GoesBack                  // it is done for a third of the detour, waits again, and is done
	ErrorFirst                // it is an error for the detour, without a refund, and is done
	CodeChanges               // its first code is replaced after the detour
)

// SetWorld changes how kind the service is.
func (s *Server) SetWorld(w World) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	s.world = w
}

// World is how kind the service is now.
func (s *Server) World() World {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world
}

// listed answers with a list of orders as it was ListLag ago, or as lists fail now. The point is of the order of
// its entries.
func (s *Server) listed(c call, point string, wanted func(*order) bool, entry func(*order, time.Time) object) ([]object, *reply) {
	if code := s.world.ListStatus; code != 0 {
		no := refuse(code, errorMessage(code))
		no.page = !s.world.ListEnveloped
		return nil, &no
	}
	// A list that lags shows each order as it was then, and not only which orders there were: entry gets the same moment.
	then, all := c.now.Add(-s.world.ListLag), []object{}
	shows := func(o *order) bool {
		return wanted(o) && !o.at.After(then) && (!s.world.ListHidesCurrent || !o.current)
	}
	for _, o := range s.ordersOf(c.account, point, shows) {
		e := entry(o, then)
		if s.world.ListBare {
			delete(e, "created_at")
			delete(e, "price")
			delete(e, "amount")
		}
		all = append(all, e)
	}
	return all, nil
}

// status is the moment that a look at one order shows; ok is false where it was not there yet.
func (s *Server) status(c call, o *order) (then time.Time, ok bool) {
	then = c.now.Add(-s.world.StatusLag)
	return then, o != nil && !o.at.After(then)
}

// SetName changes what a variant is called. Orders keep the name that they were bought by.
func (s *Server) SetName(variantID int64, name string) {
	s.change(variantID, func(v *variant) { v.Name = name })
}

// AddKey adds a key to the account of another.
func (s *Server) AddKey(key, second string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.keys[key]; c != nil {
		// Limits count per key, so the second one has GETs and POSTs of its own.
		s.keys[second] = newCredential(c.account)
	}
}

// SameAccount reports whether two keys are of one account.
func (s *Server) SameAccount(one, other string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(one)
	return a != nil && a == s.account(other)
}

// RotateKey gives an account another key: the old one is invalid from now on.
func (s *Server) RotateKey(old, renewed string) {
	s.AddKey(old, renewed)
	s.ExpireKey(old)
}

// Buy buys with an account as its owner does on the service's own pages: no request is made. It is refused as a
// request would be. The tag is kept with the purchase.
func (s *Server) Buy(key string, variantID int64, quantity int, tag string) (Purchase, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	a, v := s.account(key), s.variants[variantID]
	if a == nil || v == nil {
		return Purchase{}, errNothing
	}
	// The body is what JSON would make of it: quantity reads a float64.
	c := call{account: a, now: now, body: map[string]any{"quantity": float64(quantity)}, tag: tag}
	_, no := s.purchase(c, v, terms{
		outOfStock: refuse(http.StatusBadRequest, "Product out of stock"),
		noMoney:    refuse(http.StatusForbidden, "Insufficient balance"),
		named:      s.orderID, current: true,
	})
	if no != nil {
		return Purchase{}, refusal{no.message}
	}
	return s.purchases[len(s.purchases)-1], nil
}

// shown is what a course makes of an order that is done in the end.
func (o *order) shown(now time.Time) phase {
	since := now.Sub(o.ready)
	switch {
	case since >= o.detour:
	case o.course == GoesBack && since >= o.detour/3:
		return waiting
	case o.course == ErrorFirst:
		return failed
	}
	return done
}

// codeAt is the code that an order which is done shows.
func (o *order) codeAt(now time.Time) string {
	switch since := now.Sub(o.ready); {
	case since < o.codeLag:
		return ""
	case o.course == CodeChanges && since < o.codeLag+o.detour:
		return o.firstCode
	}
	return o.code
}

// ended is when it is certain what becomes of an order; the zero time where somebody has to decide.
// Only ErrorFirst moves it: money that is held for such an order must not be taken while the order shows an error.
func (o *order) ended() time.Time {
	if o.ready.IsZero() || o.course != ErrorFirst {
		return o.ready
	}
	return o.ready.Add(o.detour)
}

// rests is when an order shows the last thing that it will show; the zero time where somebody has to decide.
func (o *order) rests() time.Time {
	switch {
	case o.ready.IsZero():
		return o.ready
	case o.fails, o.canceled:
		return o.ready.Add(o.refundAfter)
	case o.course == Straight:
		return o.ready.Add(o.codeLag)
	}
	// A bound that fits all the other courses, not the exact moment of each: whoever waits until then has seen everything.
	return o.ready.Add(o.codeLag + o.detour)
}

// codes lists every code that an order shows in its life.
func (o *order) codes() []string {
	all := []string{o.firstCode, o.code}
	return slices.DeleteFunc(all, func(code string) bool { return code == "" })
}
