package sim

import (
	"fmt"
	"slices"
	"time"
)

// never is how long a refund takes that waits for a person.
const never = 100 * 365 * 24 * time.Hour

// Complete ends an order that waits, whatever its own time says: it is done. A manual order delivers the
// code, which may be empty; another one has its own.
func (s *Server) Complete(orderID, code, notes string) error {
	return s.end(orderID, func(o *order) {
		if o.manual {
			o.code = code
		}
		s.forgive(o)
		o.fails, o.notes = false, notes
	})
}

// Fail ends an order that waits: it has failed, and is not refunded before Refund says so.
func (s *Server) Fail(orderID, notes string) error {
	return s.end(orderID, func(o *order) {
		s.forgive(o)
		// A refund that never falls due: advance does not pay it back, only Refund does.
		o.notes, o.refundAfter = notes, never
		o.canceled, o.fails = o.manual, !o.manual
		s.owe(o)
	})
}

// Refund gives back now what a failed order cost.
func (s *Server) Refund(orderID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	o := s.byID[orderID]
	if o == nil || o.refunded || o.phase(now) != failed && o.phase(now) != canceled {
		return fmt.Errorf("order %s has nothing to be refunded", orderID)
	}
	o.refundAfter = 0
	// It leaves the open orders before its money moves: advance would pay it back a second time.
	s.open = slices.DeleteFunc(s.open, func(other *order) bool { return other == o })
	o.close(now)
	return nil
}

// forgive takes an order off the list of those to be refunded; s.mu is held. What is held for it is taken
// once it is done.
func (s *Server) forgive(o *order) {
	if !o.holding {
		s.open = slices.DeleteFunc(s.open, func(other *order) bool { return other == o })
	}
}

// end ends the waiting of an order.
func (s *Server) end(orderID string, set func(*order)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	o := s.byID[orderID]
	switch {
	case o == nil:
		return fmt.Errorf("there is no order %s", orderID)
	case o.phase(now) != waiting:
		return fmt.Errorf("order %s does not wait any more", orderID)
	}
	set(o)
	o.ready = now
	return nil
}

// SetMode changes which generations a key sees.
func (s *Server) SetMode(key string, mode Mode) error {
	if !slices.Contains([]Mode{Current, Legacy, Both}, mode) {
		return fmt.Errorf("there is no mode %q", mode)
	}
	s.changeAccount(key, func(a *account) { a.Mode = mode })
	return nil
}
