package store

import (
	"context"
	"errors"
	"slices"
	"time"
)

// WaitingMessages lists the messages that wait to be sent, by chat and in sending order, from behind the one
// given; from the first where that is zero.
func (s *Store) WaitingMessages(ctx context.Context, after Outgoing, limit int) ([]Outgoing, error) {
	from := ""
	if after.ID != "" {
		from = outboxKey(after.Chat, after.ID)
	}
	return list(ctx, s, outbox(), "", from, limit)
}

// CodeSince is since when a code has been here that a waiting message is to bring; zero where it brings none
// that its chat has not been told.
func (s *Store) CodeSince(ctx context.Context, waits Outgoing) (time.Time, error) {
	if waits.Kind != StatusMessage && waits.Kind != Document {
		return time.Time{}, nil
	}
	p, err := s.Purchase(ctx, waits.Purchase)
	if errors.Is(err, ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	orders, err := s.OrdersOf(ctx, p)
	if err != nil {
		return time.Time{}, err
	}
	ready := slices.DeleteFunc(orders, func(o Order) bool { return o.Code.IsZero() })
	if len(ready) <= p.Told.Codes {
		return time.Time{}, nil
	}
	// Told.Codes counts units and not which: the oldest are taken to be told, so that the first of the rest is the answer.
	slices.SortFunc(ready, func(a, b Order) int { return a.ReadyAt.Compare(b.ReadyAt) })
	return ready[p.Told.Codes].ReadyAt, nil
}

// Chats lists chats, groups first, from behind one; from the first where that is zero.
func (s *Store) Chats(ctx context.Context, after int64, limit int) ([]Chat, error) {
	from := ""
	if after != 0 {
		from = number(after)
	}
	return list(ctx, s, chats(), "", from, limit)
}
