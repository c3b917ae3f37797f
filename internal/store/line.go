package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Standing is where a purchase stands in its account's line, as people are told.
type Standing struct {
	Ahead   int       // purchases that go first
	Behind  *Purchase // the uncertain one among them; nil where none is
	Waiting int       // purchases that wait for this one, where it is the uncertain one
}

// StandingOf reads where a purchase stands; a zero Standing where it neither waits nor holds others up.
func (s *Store) StandingOf(ctx context.Context, p Purchase) (Standing, error) {
	if p.Phase != Queued && p.Phase != Unknown {
		return Standing{}, nil
	}
	a, err := s.Account(ctx, p.Account)
	if errors.Is(err, ErrNotFound) {
		return Standing{}, nil
	}
	if err != nil {
		return Standing{}, fmt.Errorf("read the line: %w", err)
	}
	if p.Phase == Unknown {
		if a.Busy != p.ID {
			return Standing{}, nil
		}
		return Standing{Waiting: len(a.Line)}, nil
	}
	at := Standing{Ahead: max(slices.Index(a.Line, p.ID), 0)}
	if a.Busy == "" || a.Busy == p.ID {
		return at, nil
	}
	at.Ahead++
	first, err := s.Purchase(ctx, a.Busy)
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		return at, fmt.Errorf("read the head of the line: %w", err)
	case first.Phase == Unknown:
		at.Behind = &first
	}
	return at, nil
}
