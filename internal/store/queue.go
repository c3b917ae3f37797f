package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// QueuePlace is where a purchase stands in its account's queue, as people are told.
type QueuePlace struct {
	Ahead   int       // purchases that go first
	Behind  *Purchase // the uncertain one among them; nil where none is
	Waiting int       // purchases that wait for this one, where it is the uncertain one
}

// QueuePlaceOf reads where a purchase stands; a zero QueuePlace where it neither waits nor holds others up.
func (s *Store) QueuePlaceOf(ctx context.Context, p Purchase) (QueuePlace, error) {
	if p.Phase != Queued && p.Phase != Unknown {
		return QueuePlace{}, nil
	}
	a, err := s.Account(ctx, p.Account)
	if errors.Is(err, ErrNotFound) {
		return QueuePlace{}, nil
	}
	if err != nil {
		return QueuePlace{}, fmt.Errorf("read the queue: %w", err)
	}
	if p.Phase == Unknown {
		if a.Busy != p.ID {
			return QueuePlace{}, nil
		}
		return QueuePlace{Waiting: len(a.Queue)}, nil
	}
	// A purchase that has just left the queue is not in it: -1 becomes 0.
	at := QueuePlace{Ahead: max(slices.Index(a.Queue, p.ID), 0)}
	if a.Busy == "" || a.Busy == p.ID {
		return at, nil
	}
	at.Ahead++
	at.Behind, err = s.HeldBy(ctx, a)
	return at, err
}

// HeldBy reads the uncertain purchase that holds up the queue of an account; nil where none does.
func (s *Store) HeldBy(ctx context.Context, a Account) (first *Purchase, err error) {
	if a.Busy == "" {
		return first, nil
	}
	p, err := s.Purchase(ctx, a.Busy)
	if ignoring(err, ErrNotFound) != nil {
		return first, fmt.Errorf("read the head of the queue: %w", err)
	}
	if err == nil && p.Phase == Unknown {
		first = &p
	}
	return first, nil
}
