package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"resellerbot/internal/store"
)

// Config is what a server tells of. All fields are required.
type Config struct {
	Store    *store.Store
	Version  string
	Troubles func() []string // what keeps the bot from being ready
	Size     func() (size, most int64, err error)
	Copies   func() Copies
	Jobs     *Jobs
	// Backup writes a checked copy of the database, as the configuration wants copies.
	Backup func(ctx context.Context, to io.Writer) error
	// Look asks the service now for the orders of a purchase, and settles what it shows.
	Look func(ctx context.Context, purchase string) error
	// Parked tells of the updates that could not be handled, up to a limit; Replay has one of them handled again, unless it
	// says why not. store.ErrNotFound where there is none.
	Parked func(ctx context.Context, limit int) ([]Parked, error)
	Replay func(ctx context.Context, update int64) (Parked, error)
	Log    *slog.Logger
}

// Server answers the operator.
type Server struct {
	cfg     Config
	started time.Time
}

// NewServer makes a server of a bot that has just begun.
func NewServer(cfg Config) *Server { return &Server{cfg, time.Now()} }

// answerError is why something was not done, for the operator.
type answerError struct {
	code int
	text string
}

// Error implements error.
func (e answerError) Error() string { return e.text }

// Handler serves what a Client asks for.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", s.answer(func(r *http.Request) (any, error) { return s.status(r.Context()) }))
	mux.HandleFunc("GET /purchase", s.answer(func(r *http.Request) (any, error) { return s.story(r.Context(), r.FormValue("ref")) }))
	mux.HandleFunc("GET /backup", s.backup)
	mux.HandleFunc("POST /look", s.answer(func(r *http.Request) (any, error) { return s.look(r.Context(), r.FormValue("ref")) }))
	mux.HandleFunc("POST /unlock", s.answer(func(r *http.Request) (any, error) { return s.unlock(r.Context(), r.FormValue("account")) }))
	mux.HandleFunc("GET /parked", s.answer(func(r *http.Request) (any, error) { return s.cfg.Parked(r.Context(), mostParked) }))
	mux.HandleFunc("POST /replay", s.answer(func(r *http.Request) (any, error) { return s.replay(r.Context(), r.FormValue("update")) }))
	return mux
}

// answer makes a handler of a question.
func (s *Server) answer(ask func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := ask(r)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(found); err != nil {
			s.cfg.Log.Warn("answer the operator", "path", r.URL.Path, "err", err)
		}
	}
}

// refuse says why a question has no answer.
// The text of an answerError is for the operator. Any other error may hold what comes from outside, and goes to the log alone.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if own, ok := errors.AsType[answerError](err); ok {
		http.Error(w, own.text, own.code)
		return
	}
	s.cfg.Log.Error("answer the operator", "path", r.URL.Path, "err", err)
	http.Error(w, "it could not be done; the log says why", http.StatusInternalServerError)
}

// backup sends a copy of the database. One that fails on its way is cut, so that nobody takes it for whole.
func (s *Server) backup(w http.ResponseWriter, r *http.Request) {
	to := &begun{w: w}
	if err := s.cfg.Backup(r.Context(), to); err != nil {
		if !to.yes {
			s.refuse(w, r, err)
			return
		}
		// 200 and a part are out already: only a connection that breaks tells the client that it is not whole.
		s.cfg.Log.Error("send a copy of the database", "err", err)
		panic(http.ErrAbortHandler)
	}
	s.cfg.Log.Info("a copy of the database was handed out")
}

// begun notes whether anything was written.
type begun struct {
	w   io.Writer
	yes bool
}

// Write implements io.Writer.
func (b *begun) Write(p []byte) (int, error) {
	b.yes = true
	return b.w.Write(p)
}

// find is the one purchase of a reference.
func (s *Server) find(ctx context.Context, ref string) (store.Purchase, error) {
	// Two are enough to know that it is not the only one, and to name both.
	found, err := s.cfg.Store.PurchasesCalled(ctx, ref, 2)
	switch {
	case err != nil:
		return store.Purchase{}, err
	case len(found) == 0:
		return store.Purchase{}, answerError{http.StatusNotFound, fmt.Sprintf("there is no purchase %q", ref)}
	case len(found) > 1:
		return store.Purchase{}, answerError{http.StatusConflict,
			fmt.Sprintf("several purchases end so: %s and %s; give one of them whole", found[0].ID, found[1].ID)}
	}
	return found[0], nil
}

// look has a purchase, or its orders, looked at now.
func (s *Server) look(ctx context.Context, ref string) (said, error) {
	p, err := s.find(ctx, ref)
	if err != nil {
		return said{}, err
	}
	name := "#" + store.Ref(p.ID)
	s.cfg.Log.Info("the operator has a purchase looked at", "purchase", p.ID)
	switch p.Phase {
	case store.Unknown, store.Undecided:
		return said{name + " is looked for within seconds; bot show " + name + " tells what was found. Nothing is bought by that."}, s.lookFor(ctx, p.ID)
	case store.Accepted, store.Settled:
		if err := s.cfg.Look(ctx, p.ID); err != nil {
			return said{}, answerError{http.StatusBadGateway, fmt.Sprintf("%s: the service shows nothing now: %v", name, err)}
		}
		return said{"the service was asked for the orders of " + name + "; bot show " + name + " tells what it says."}, nil
	}
	return said{}, answerError{http.StatusConflict, fmt.Sprintf("%s %s: there is nothing to look for", name, phrase(string(p.Phase)))}
}

// lookFor has an uncertain purchase looked for at the next beat.
func (s *Server) lookFor(ctx context.Context, id string) error {
	return s.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		if err != nil || p.Phase != store.Unknown && p.Phase != store.Undecided {
			return err
		}
		// Nothing else changes: the look is that of the next beat (purchase.Engine.ProcessDue), which alone decides.
		p.LookAt = time.Now()
		return tx.PutPurchase(&p)
	})
}

// unlock lets an account spend again that somebody has locked, and tells its owners.
func (s *Server) unlock(ctx context.Context, id string) (said, error) {
	// Set anew by each run of the transaction, and read behind it.
	var text string
	err := s.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		a, err := tx.Account(id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return answerError{http.StatusNotFound, fmt.Sprintf("there is no account %q; bot status names those that are locked", id)}
		case err != nil:
			return err
		case a.Locked == nil:
			text = "account " + id + " is not locked; nothing was changed."
			return nil
		// The operator cannot know who has left since the copy: this lock is for an owner alone (store.AfterRestore).
		case a.Locked.Restored:
			return answerError{http.StatusConflict, "account " + id +
				" comes from a restored copy, whose team may be an old one: an owner has to confirm it with /unlock in the chat"}
		}
		a.Locked = nil
		if err := tx.PutAccount(&a); err != nil {
			return err
		}
		text = "account " + id + " may spend again; its owners are told."
		return tellOwners(tx, a)
	})
	if err == nil {
		s.cfg.Log.Warn("the operator was asked to unlock an account", "account", id, "said", text)
	}
	return said{text}, err
}

// tellOwners tells the owners of an account that spending is allowed again.
func tellOwners(tx *store.Tx, a store.Account) error {
	// Another id each time: under one that waits, a second unlocking would replace the first note.
	id := fmt.Sprintf("%s.operator.%d", store.UnlockedNote, time.Now().UnixNano())
	for _, chat := range a.PrivateChats(store.Owner) {
		if err := tx.Enqueue(store.NewNote(chat, id, store.UnlockedNote, map[string]string{"person": ""}).Of(a.ID)); err != nil {
			return err
		}
	}
	return nil
}

// replay has a parked update handled again.
func (s *Server) replay(ctx context.Context, number string) (said, error) {
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return said{}, answerError{http.StatusBadRequest, fmt.Sprintf("%q is no number of an update; bot replay names those that there are", number)}
	}
	p, err := s.cfg.Replay(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return said{}, answerError{http.StatusNotFound, fmt.Sprintf("update %d is not parked; bot replay names those that are", id)}
	case err != nil:
		return said{}, err
	case p.Refused != "":
		return said{}, answerError{http.StatusConflict, fmt.Sprintf("update %d, %s, is not handled again: %s", id, p.What, p.Refused)}
	}
	return said{fmt.Sprintf("update %d, %s in chat %d, is handled again; bot status names it once more if that fails.", id, p.What, p.Chat)}, nil
}
