package telegram

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"

	"resellerbot/internal/secret"
)

const (
	proofHeader = "X-Telegram-Bot-Api-Secret-Token"
	maxUpdate   = 1 << 20
)

// Webhook takes updates that Telegram posts. It says yes to one (200) only when that is on disk; to anything
// else Telegram listens by posting the update again. It stands in for the library's own handler, which says
// yes to everything, wrong secrets included, before anything is done. All fields are required but Answered.
type Webhook struct {
	Inbox Intake
	// Secret is what Telegram proves itself with. Without one nobody does.
	Secret secret.Text
	Log    *slog.Logger
	// Answered is told of each request by the status that it got; it may be nil.
	Answered func(status int)

	mu     sync.Mutex
	open   context.Context //nolint:containedctx // the bot's, for as long as updates are taken; nil while none are
	inside sync.WaitGroup  // updates that are being taken
}

// Run replays what an earlier process left unhandled, then takes updates until ctx is done, and returns when
// the last of them is on disk.
func (w *Webhook) Run(ctx context.Context) error {
	if err := w.Inbox.Replay(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	w.open = ctx
	w.mu.Unlock()
	<-ctx.Done()
	w.mu.Lock()
	// From here on updates are answered 503, and Telegram repeats them: the next process takes them.
	w.open = nil
	w.mu.Unlock()
	w.inside.Wait()
	return nil
}

// ServeHTTP implements http.Handler.
func (w *Webhook) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	status := w.serve(out, r) //nolint:contextcheck // an update that has come is stored by the bot's context, see take
	if w.Answered != nil {
		w.Answered(status)
	}
	switch status {
	case http.StatusOK:
		return // an empty answer: a body could hold a call for Telegram to make
	case http.StatusMethodNotAllowed:
		out.Header().Set("Allow", http.MethodPost)
	case http.StatusServiceUnavailable:
		out.Header().Set("Retry-After", "1")
	}
	http.Error(out, http.StatusText(status), status)
}

// serve takes the update of a request and returns the status to answer with. The secret comes before
// anything that a stranger could make expensive.
func (w *Webhook) serve(out http.ResponseWriter, r *http.Request) int {
	if r.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	if !w.proven(r.Header.Get(proofHeader)) {
		return http.StatusUnauthorized
	}
	body, err := io.ReadAll(http.MaxBytesReader(out, r.Body, maxUpdate))
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return http.StatusRequestEntityTooLarge
	}
	if err != nil {
		return http.StatusBadRequest
	}
	return w.receive(body)
}

// proven compares a secret with the right one, in a time that tells nothing of it.
func (w *Webhook) proven(given string) bool {
	if w.Secret.IsZero() {
		return false
	}
	// Hashes have one length, so that not even that of the secret shows in the time.
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(w.Secret.Reveal()))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// receive puts an update on disk, unless the bot is starting or stopping. What the sender does meanwhile is of
// no matter: an update that is on disk has to reach its mailbox.
func (w *Webhook) receive(body []byte) int {
	ctx, end := w.begin()
	if ctx == nil {
		return http.StatusServiceUnavailable
	}
	defer end()
	update, err := NewRaw(body)
	if err != nil {
		return http.StatusBadRequest
	}
	if err := w.Inbox.Accept(ctx, []Raw{update}); err != nil {
		w.Log.Error("an update from the webhook was not stored; Telegram will repeat it", "update", update.ID, "err", err)
		return http.StatusInternalServerError
	}
	return http.StatusOK
}

// begin lets an update in. Its context is the bot's; nil where the bot is starting or stopping.
func (w *Webhook) begin() (ctx context.Context, end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	// ctx may have ended before Run has taken the lock: such an update is of the next process already.
	if w.open == nil || w.open.Err() != nil {
		return nil, nil
	}
	// Under the lock in which Run closes the door: no update is added behind its Wait.
	w.inside.Add(1)
	return w.open, w.inside.Done
}
