package conversations

import (
	"context"
	"errors"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
)

const (
	shortWait    = 2 * time.Second // as long as that is waited here, and not told to the person
	mostReads    = 2               // of the same, for one screen
	lastPatience = 5 * time.Second // how long a screen waits where it can show what is known from before
)

// patiently reads, and reads again where the service is gone or asks for quiet for a moment: a person is not handed a wait
// of a second. It is for what costs nothing.
func patiently[T any](ctx context.Context, read func() (T, error)) (T, error) {
	// Where ctx ends during the wait, what the read has met is told, and not that the wait was cut.
	for n := 1; ; n++ {
		begin := time.Now()
		v, err := read()
		if err == nil || n == mostReads || !isMoment(err, time.Since(begin)) || !backoff.Sleep(ctx, waitFor(err)) {
			return v, err
		}
	}
}

// isMoment reports whether what has failed may well be over after a short wait: a 429 that asks for no more, a service that
// is gone and says so at once. One that keeps people waiting is not asked again.
func isMoment(err error, took time.Duration) bool {
	var e *api.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Class {
	case api.Limited:
		return e.RetryAfter <= shortWait
	case api.Upstream:
		// Without an answer there is no status: whoever has waited for a connection has waited already.
		return e.Status >= 500 && took < shortWait
	}
	return false
}

// waitFor is how long to wait before the next read.
func waitFor(err error) time.Duration {
	var e *api.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		return e.RetryAfter
	}
	// A service that is gone names no time, and a 429 need not.
	return time.Second
}

// isPassing reports whether the service cannot be read for now, whoever asks: what was known last is better than nothing.
func isPassing(err error) bool {
	class := api.ClassOf(err)
	return class == api.Upstream || class == api.Limited
}

// orLast is what a read of the catalogue gives, or what it gave last where the service cannot be read for now: the screens
// that follow say as of when.
func orLast[T any](t *turn, read func(context.Context) (T, error), last func() (T, time.Time, bool)) (T, error) {
	old, at, known := last()
	// Only where something is known from before does the wait get short: else the person waits as long as a read may take.
	ctx, cancel := t.ctx, func() {}
	if known {
		ctx, cancel = context.WithTimeout(t.ctx, lastPatience)
	}
	defer cancel()
	v, err := patiently(ctx, func() (T, error) { return read(ctx) })
	// What does not pass by itself, as a key that is refused, is told: what was known last would hide it.
	if err == nil || !known || !isPassing(err) {
		return v, err
	}
	t.cfg.Log.Warn("the last known catalogue is shown", "update", t.update, "chat", t.chatID, "read", at, "err", err)
	t.scr = t.scr.AsOf(at)
	return old, nil
}
