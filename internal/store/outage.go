package store

import (
	"context"
	"errors"
	"time"
)

// Outage is a time in which the service does not answer, as chats were told of it.
type Outage struct {
	Since time.Time
	Told  []int64 // chats that were told, and are told of its end
	rev   uint64
}

// theService is the key of the one service's outage.
const theService = "service"

func outages() codec[Outage] {
	return codec[Outage]{
		kind: KindOutage,
		key:  func(*Outage) string { return theService },
		rev:  func(o *Outage) *uint64 { return &o.rev },
	}
}

// Outage reads the outage that chats were told of and that is not over; false where there is none.
func (s *Store) Outage(ctx context.Context) (Outage, bool, error) {
	o, err := read(ctx, s, outages(), theService)
	return o, err == nil, ignoring(err, ErrNotFound)
}

// Outage reads the outage that chats were told of and that is not over; false where there is none.
func (t *Tx) Outage() (Outage, bool, error) {
	o, err := outages().get(t, theService)
	return o, err == nil, ignoring(err, ErrNotFound)
}

// PutOutage keeps which chats are told of an outage. One that Tx.Outage has not read must not be there yet:
// ErrConflict.
func (t *Tx) PutOutage(o Outage) error { return outages().put(t, &o) }

// EndOutage forgets the outage, and tells what it was; false where there is none.
func (t *Tx) EndOutage() (Outage, bool, error) {
	o, known, err := t.Outage()
	if err != nil || !known {
		return Outage{}, false, err
	}
	if err := outages().remove(t, &o); errors.Is(err, ErrNotFound) {
		return Outage{}, false, nil
	} else if err != nil {
		return Outage{}, false, err
	}
	return o, true, nil
}
