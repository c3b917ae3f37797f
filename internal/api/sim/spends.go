package sim

import (
	"context"
	"slices"
	"time"
)

// Spend is a request that costs money, as it arrived, and what truly came of it.
type Spend struct {
	Number    int    // in the order of their arrival, from 1
	Tag       string // of its context, see Tagged
	Key       string // that it was sent with
	Operation string // "POST /products/purchase/{variantId}"
	At        time.Time
	Due       time.Time // when it is to be executed, where that is later
	Done      time.Time // when it was executed and bought something; zero: never, or not yet
	Refusal   string    // why it bought nothing, though it was executed
	Purchase  *Purchase // what it bought
}

type tagKey struct{}

// Tagged gives the requests of a context a tag, by which what they do is known again: it stands in Spend,
// Purchase, Order and Entry. Only a caller in the same process can do that.
func Tagged(ctx context.Context, tag string) context.Context {
	return context.WithValue(ctx, tagKey{}, tag)
}

// tagOf is the tag of a context.
func tagOf(ctx context.Context) string {
	tag, _ := ctx.Value(tagKey{}).(string)
	return tag
}

// Spends lists every request that costs money and was let in, the oldest first.
func (s *Server) Spends() []Spend {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	all := make([]Spend, 0, len(s.spends))
	for _, one := range s.spends {
		c := *one
		if c.Purchase != nil {
			p := *c.Purchase
			p.OrderIDs = slices.Clone(p.OrderIDs)
			c.Purchase = &p
		}
		all = append(all, c)
	}
	return all
}

// lateCall is a request that costs money and is executed later.
type lateCall struct {
	due   time.Time
	op    *operation
	call  call
	spend *Spend
}

// spend writes down that a request which costs money was let in; s.mu is held.
func (s *Server) spend(op *operation, c call) *Spend {
	one := &Spend{Number: len(s.spends) + 1, Tag: c.tag, Key: c.key, Operation: op.name(), At: c.now}
	s.spends = append(s.spends, one)
	return one
}

// buys executes a request that costs money and notes what came of it; s.mu is held.
func (s *Server) buys(op *operation, c call, one *Spend) reply {
	// An operation that buys appends exactly one purchase, while mu is held: the last one is its own.
	before := len(s.purchases)
	answer := op.do(s, c)
	if len(s.purchases) > before {
		p := s.purchases[len(s.purchases)-1]
		one.Done, one.Purchase = c.now, &p
	} else {
		one.Refusal = answer.message
	}
	return answer
}

// execute does what a request asked for that was taken some time ago; s.mu is held. Nobody hears what it answers.
func (s *Server) execute(l *lateCall) {
	// By the clock of when it was due, and not of whoever looks later. advance has done all that was due before it.
	l.call.now = l.due
	s.buys(l.op, l.call, l.spend)
}
