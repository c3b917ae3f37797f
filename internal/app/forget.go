package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"resellerbot/internal/store"
)

// forgetAtOnce is how many records of each kind one run of forgetter looks at.
const forgetAtOnce = 200

// forgetter forgets people and texts whose time is over, some at each run: it goes round all of them, and begins anew
// after a restart. Only one run is on its way at a time.
type forgetter struct {
	store    *store.Store
	log      *slog.Logger
	chat     int64         // the last that was looked at: the next run goes on behind it
	question store.Session // where the next run goes on
	parked   int64         // where the next run goes on
}

// run looks at the next records of each kind.
func (f *forgetter) run(ctx context.Context) error {
	chat, n, err := f.store.ForgetStrangers(ctx, time.Now(), f.chat, forgetAtOnce)
	// Kept although there may be an error: the next run goes on from where this one came to.
	f.chat = chat
	if n > 0 {
		f.log.Info("strangers were forgotten", "chats", n)
	}
	question, also := f.store.ForgetQuestions(ctx, time.Now(), f.question, forgetAtOnce)
	f.question = question
	// Each of the three goes on, whatever the others met.
	parked, last := f.store.ForgetParked(ctx, time.Now(), f.parked, forgetAtOnce)
	f.parked = parked
	return errors.Join(err, also, last)
}
