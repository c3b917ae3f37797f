package app

import (
	"errors"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
)

// DamagedError is a database file that cannot be relied on.
type DamagedError string

// Error implements error.
func (e DamagedError) Error() string { return "the file is damaged: " + string(e) }

// refusal is why a subcommand was refused before it changed anything, with what to do about it.
type refusal struct {
	error

	advice string
}

// Unwrap gives the reason itself, for errors.Is and errors.As.
func (r refusal) Unwrap() error { return r.error }

// refused reports whether an error is a refusal, and what the operator can do about it. Each is one line
// behind the error.
func refused(err error) (advice string, ok bool) {
	var own refusal
	var damaged DamagedError
	var unfit postgres.RequirementError
	switch {
	// Its own advice goes first: it knows what was being done.
	case errors.As(err, &own):
		return own.advice, true
	case errors.Is(err, store.ErrWrongKey):
		return "add that key behind the others", true
	case errors.Is(err, store.ErrNewer):
		return "use the version that wrote it, or put an older copy in its place with bot restore FILE", true
	case errors.Is(err, store.ErrMoved):
		return "set DATABASE_URL or DATABASE_PATH to where it is now; a copy of this one can be put in with bot restore FILE", true
	case errors.Is(err, store.ErrArriving):
		return "run the same bot migrate again, which brings it to its end", true
	case errors.Is(err, store.ErrInUse):
		return "stop that one first, or set another DATABASE_PATH", true
	case errors.As(err, &damaged):
		return "put a copy in its place with bot restore FILE", true
	case errors.Is(err, postgres.ErrLost):
		return "put the right one back, or run bot restore -in-place once, which makes it safe to go on with what is there; see docs/operate.md", true
	case errors.Is(err, postgres.ErrOther):
		return "set DATABASE_URL to that one; remove the .seen file beside DATABASE_PATH only if this one is meant", true
	case errors.As(err, &unfit):
		return "see to the server; docs/operate.md says how it has to be", true
	case errors.Is(err, bolt.ErrGone):
		return "put the file back, or a copy with bot restore FILE; remove the .id file only to begin with an empty database", true
	case errors.Is(err, bolt.ErrOther):
		return "put the right file back, or a copy with bot restore FILE; remove the .id file only if this database is meant", true
	case errors.Is(err, bolt.ErrBadID):
		return "remove it if the database is the right one", true
	}
	return "", false
}
