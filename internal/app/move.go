package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"resellerbot/internal/control"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
)

// addressName stands for the address of a server on the command line, where others could read a password.
const addressName = "DATABASE_URL"

// end is one of the two databases of a move.
type end struct {
	store.Whole

	name string // for people
}

// migrateVerb takes a database from a file to a server, or back. Nothing of it is opened or sealed anew: which keys it needs
// stays as it is.
func migrateVerb(ctx context.Context, w World, args []string) error {
	flags := flag.NewFlagSet("migrate", flag.ContinueOnError)
	from := flags.String("from", "", "")
	to := flags.String("to", "", "")
	files, err := anyOrder(flags, args)
	if err != nil {
		return err
	}
	if len(files) > 0 || *from == "" || *to == "" {
		return UsageError("migrate takes two databases, each a file, postgres://… or the word DATABASE_URL for what is set there: migrate -from ONE -to OTHER")
	}
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	for _, place := range []string{*from, *to} {
		if !isServer(place) {
			continue
		}
		own := Config{}
		if err := own.readDatabaseURL(place); err != nil {
			return UsageError("what begins with postgres:// " + err.Error())
		}
		cfg.secrets = append(cfg.secrets, own.secrets...) // its password
	}
	if err := move(ctx, w, cfg, *from, *to); err != nil {
		return cfg.hideIn(fmt.Errorf("migrate: %w", err))
	}
	return nil
}

func isServer(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

// move takes all that is in one database to the other and says so.
func move(ctx context.Context, w World, cfg Config, from, to string) (err error) {
	// Both stay open, and so locked or leased, until the end: nobody writes to either between the reading and the last mark.
	source, err := openEnd(ctx, w, cfg, from, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	// Before the other one is opened, which makes it: a move that is refused leaves nothing.
	switch err := mayMove(ctx, cfg, source); {
	case errors.Is(err, store.ErrMoved) && (isServer(to) || to == addressName || !isNothing(w.at(to))): // perhaps the end of such a move is left to do
	case err != nil:
		return moveRefused(err, source.name, to)
	}
	target, err := openEnd(ctx, w, cfg, to, true)
	if err != nil {
		return source.movedBefore(ctx, w, to, err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	d, err := store.Move(ctx, source, target, target.name)
	if err != nil {
		return source.movedBefore(ctx, w, target.name, moveRefused(err, source.name, target.name))
	}
	// What this machine has seen was of another database, should it have worked with one.
	// Behind the move: the next start begins the file with what it finds in the new database.
	for _, file := range []string{w.seen(cfg), w.seenBefore(cfg)} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget what was seen of another database: %w", err)
		}
	}
	_, err = fmt.Fprintf(w.Stdout, "%s was moved to %s: %v on both sides. The bot does not start on the former any more; see to it that it is started with the latter.\n",
		source.name, target.name, d)
	return err
}

// movedBefore says so where the same move was at its end before, as where it was stopped behind its last step; else why it is refused.
func (e end) movedBefore(ctx context.Context, w World, to string, why error) error {
	if !errors.Is(why, store.ErrNotEmpty) && !errors.Is(why, store.ErrMoved) {
		return why
	}
	where, at, err := store.MovedTo(ctx, e)
	if err != nil || where != to {
		return errors.Join(why, err)
	}
	_, err = fmt.Fprintf(w.Stdout, "%s was moved to %s at %s: nothing is left to do.\n", e.name, to, at.Format(time.DateTime))
	return err
}

// moveRefused says what to do about a move that was not begun, or not ended.
func moveRefused(err error, from, to string) error {
	switch {
	case errors.Is(err, store.ErrNotEmpty):
		return refusal{fmt.Errorf("%s: %w", to, err), "nothing was changed; name one that is empty"}
	case errors.Is(err, store.ErrMoved):
		return refusal{fmt.Errorf("%s: %w", from, err), "nothing was changed"}
	case errors.Is(err, store.ErrArriving):
		return refusal{err, "nothing was changed; end that move first with the same two databases, or name one that is empty"}
	case errors.Is(err, store.ErrUnlike):
		return fmt.Errorf("%w; %s stays as it was, run this again", err, from)
	}
	return err
}

// mayMove refuses to move what would not be started, before anything is written: the records have to be of this program's
// schema, open with the keys, and be sound.
func mayMove(ctx context.Context, cfg Config, from end) error {
	if err := store.MayOpen(ctx, from); err != nil {
		return err
	}
	holds, err := store.TakeInventory(ctx, from)
	if err != nil {
		return err
	}
	if holds.Schema < store.CurrentSchema() {
		return refusal{fmt.Errorf("the records of %s are of an earlier version", from.name), "nothing was changed; start this version of the bot on it once"}
	}
	problems, err := problemsIn(ctx, cfg, from)
	if err == nil && len(problems) > 0 {
		err = refusal{fmt.Errorf("%s in the records of %s, the first: %s", control.Counted(len(problems), "problem"), from.name, problems[0]), "nothing was changed; bot check lists them all"}
	}
	return err
}

// openEnd opens one of the two, whose lock or lease keeps everybody else out. A new file is made for what is to be moved there.
func openEnd(ctx context.Context, w World, cfg Config, place string, isTarget bool) (end, error) {
	ignore := func(error) {} // what they are told comes back as an error too
	if place == addressName {
		if cfg.DatabaseURL.IsZero() {
			return end{}, refusal{errors.New("DATABASE_URL is not set"), "set it, or name a file or an address"}
		}
		place = cfg.DatabaseURL.Reveal()
	}
	if isServer(place) {
		name, err := postgres.Place(place)
		if err != nil {
			return end{}, refusal{err, "nothing was changed"}
		}
		engine, err := postgres.Open(ctx, place, postgres.Options{Fatal: ignore, Lost: ignore, NoWait: true, Standby: cfg.NeedStandby && isTarget, Holder: holder(), Lease: w.Lease})
		if err != nil {
			return end{}, inUse(fmt.Errorf("open the database %s: %w", name, err))
		}
		return end{engine, name}, nil
	}
	cfg.Database = place
	if isNothing(w.at(place)) && !isTarget {
		return end{}, refusal{fmt.Errorf("there is no database %s", place), "nothing was changed; see to -from"}
	}
	if isTarget && !isNothing(w.at(place)) {
		if err := mayTakeIn(ctx, w, cfg); err != nil {
			return end{}, err
		}
	}
	engine, err := openFile(ctx, w, cfg, bolt.Options{Fatal: ignore})
	if err != nil {
		return end{}, inUse(err)
	}
	return end{engine, place}, nil
}

// mayTakeIn refuses a file that holds something, before it is opened to be written to.
func mayTakeIn(ctx context.Context, w World, cfg Config) error {
	engine, err := bolt.Open(w.at(cfg.Database), bolt.Options{ReadOnly: true})
	if err != nil {
		return inUse(fmt.Errorf("open the database %s: %w", cfg.Database, err))
	}
	defer engine.Close()
	return moveRefused(store.MayTakeIn(ctx, engine), "", cfg.Database)
}

// inUse says what to do about a database that somebody works with.
func inUse(err error) error {
	if errors.Is(err, store.ErrInUse) {
		return refusal{err, "stop the bot first; nothing was changed"}
	}
	return err
}
