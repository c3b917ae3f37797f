package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
)

// at is a path of the configuration as it is opened: relative ones start in the world's directory.
func (w World) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.Dir, path)
}

// database is an engine, with what is asked of it beside its records.
type database interface {
	store.Engine

	// Size is how big it is, and the most that it may grow to; 0 where nothing is known of that.
	Size() (size, most int64, err error)
	// Backup copies it as it is at one moment to a database file at path.
	Backup(ctx context.Context, path string) error
}

// databaseName is what people know the database by.
func (c *Config) databaseName() string {
	if c.DatabaseURL.IsZero() {
		return c.Database
	}
	return "at DATABASE_URL"
}

// server is the database of several processes.
type server struct{ *postgres.Engine }

// openServer connects to the database that several processes share, and waits until this one may work with it.
func openServer(ctx context.Context, w World, cfg Config, o postgres.Options) (server, error) {
	o.Standby, o.Holder, o.Lease = cfg.NeedStandby, holder(), w.Lease
	o.Seen, o.SeenBefore = w.seen(cfg), w.seenBefore(cfg)
	engine, err := postgres.Open(ctx, cfg.DatabaseURL.Reveal(), o)
	if err != nil {
		return server{}, fmt.Errorf("open the database %s: %w", cfg.databaseName(), err)
	}
	return server{engine}, nil
}

// seenSuffix is behind DATABASE_PATH in the name of the file that says what this machine has seen of a server's database.
const seenSuffix = ".seen"

// seen is that file. It is of one bot: several of them, with a database each, may work in one folder.
func (w World) seen(cfg Config) string { return w.at(cfg.Database) + "." + botNumber(cfg) + seenSuffix }

// botNumber is what a bot's token begins with, which everybody may know.
func botNumber(cfg Config) string {
	number, _, _ := strings.Cut(cfg.BotToken.Reveal(), ":")
	return number
}

// seenBefore is where it was when a folder had one bot.
func (w World) seenBefore(cfg Config) string { return w.at(cfg.Database) + seenSuffix }

// holder names this process for the people who look at the lease.
func holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "a machine without a name"
	}
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}

// Backup implements database.
func (s server) Backup(ctx context.Context, path string) error {
	return copyToFile(ctx, s.Engine, path)
}

// copyToFile writes all records, as they are at one moment, to a new database file.
func copyToFile(ctx context.Context, from store.Snapshotter, path string) (err error) {
	to, err := bolt.Open(path, bolt.Options{Identify: true, Fatal: func(error) {}}) // whose error comes back from the commit too
	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := store.CopyRecords(ctx, from, to); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	return nil
}

// openToRead opens the database for reading alone. Of a server's it is a copy of one moment, which takes no lease and is
// gone with done.
func openToRead(ctx context.Context, w World, cfg Config) (engine *bolt.Engine, done func(), err error) {
	if cfg.DatabaseURL.IsZero() {
		engine, err = openFile(ctx, w, cfg, bolt.Options{ReadOnly: true})
		if err != nil {
			return nil, nil, err
		}
		return engine, func() { engine.Close() }, nil
	}
	from, err := postgres.OpenToRead(ctx, cfg.DatabaseURL.Reveal())
	if err != nil {
		return nil, nil, fmt.Errorf("open the database %s: %w", cfg.databaseName(), err)
	}
	defer from.Close() //nolint:contextcheck // it ends what is open, however that ends
	work, err := os.MkdirTemp("", "resellerbot-*")
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(work, "copy.db")
	// A copy, since Check and its like want all that they read to be of one moment, and a scan of a server's records is many.
	if err = copyToFile(ctx, from, path); err == nil {
		engine, err = bolt.Open(path, bolt.Options{ReadOnly: true})
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(work))
	}
	return engine, func() { engine.Close(); os.RemoveAll(work) }, nil
}

// openFile opens the database file of the configuration, after a process of its own has read the file that is
// there from end to end.
func openFile(ctx context.Context, w World, cfg Config, o bolt.Options) (*bolt.Engine, error) {
	err := w.checked(ctx, w.at(cfg.Database))
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", cfg.Database, err)
	}
	return openUnread(w, cfg, o)
}

// openToRun opens it for the bot. A file that was closed cleanly, or whose process alone was ended, once, is not read first: that
// takes seconds for each gigabyte, in which nobody is served, and every copy of it is read. One that lies on a disk too slow to
// read all of it is opened as it is, until the next start reads it: slow is not damaged.
func openToRun(ctx context.Context, w World, cfg Config, log *slog.Logger, o bolt.Options) (*bolt.Engine, error) {
	path := w.at(cfg.Database)
	switch {
	// In this order: behind a clean end nothing is doubtful, whatever an older note of a process says.
	case bolt.ClosedCleanly(path):
		return openUnread(w, cfg, o)
	case bolt.KilledOnly(path):
		o.Trust = bolt.Killed
		return openUnread(w, cfg, o)
	}
	err := w.checked(ctx, path)
	if slow, is := errors.AsType[SlowError](err); is {
		log.Warn("the database is opened without having been read to its end, and the next start tries again", "err", slow)
		o.Trust, err = bolt.Doubtful, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", cfg.Database, err)
	}
	return openUnread(w, cfg, o)
}

// openUnread opens the database as it is.
func openUnread(w World, cfg Config, o bolt.Options) (*bolt.Engine, error) {
	o.Identify = true
	engine, err := bolt.Open(w.at(cfg.Database), o)
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", cfg.Database, err)
	}
	return engine, nil
}

// checked has a database file checked, unless nothing is there: what that means is the engine's to say.
func (w World) checked(ctx context.Context, path string) error {
	if w.CheckFile == nil || isNothing(path) {
		return nil
	}
	return w.CheckFile(ctx, path)
}

// isNothing reports whether there is no file, or an empty one.
// A file that cannot be looked at counts as none here: who opens it meets the error.
func isNothing(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Size() == 0
}

// What is made beside a database, each in a folder or a file of its own.
const (
	forBackup  = "backup"
	forRestore = "restore"
	forRewrite = "rewrite" // by package bolt
	forID      = "id"      // by package bolt
	forSocket  = "socket"
	forSeen    = "seen" // by package postgres, when a folder had one bot
)

// workFolder makes a folder beside a database, for its owner alone.
func workFolder(database, what string) (string, error) {
	return os.MkdirTemp(filepath.Dir(database), workPrefix(database, what)+"*")
}

// workPrefix is what the names of such folders begin with; a number follows.
func workPrefix(database, what string) string {
	return "." + filepath.Base(database) + "." + what + "-"
}

// sweep removes what killed processes have left beside a database. Nobody else may be at it.
func sweep(database string) error {
	var all error
	for _, what := range []string{forBackup, forRestore, forRewrite, forID, forSocket, forSeen} {
		all = errors.Join(all, removeNumbered(filepath.Dir(database), workPrefix(database, what)))
	}
	return all
}

// sweepOwn removes what killed processes of this bot have left of the files that are named by it: the one that says what was seen,
// and the socket.
func (w World) sweepOwn(cfg Config) error {
	seen, socket := w.seen(cfg), w.socket(cfg)
	return errors.Join(
		removeNumbered(filepath.Dir(seen), "."+filepath.Base(seen)+"-"),
		removeNumbered(filepath.Dir(socket), workPrefix(strings.TrimSuffix(socket, socketSuffix), forSocket)),
	)
}

// removeNumbered removes what is called by a prefix and a number in a folder.
func removeNumbered(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		// os.MkdirTemp puts a number there: what is called otherwise is not ours to remove.
		number, ours := strings.CutPrefix(e.Name(), prefix)
		if ours && number != "" && strings.Trim(number, "0123456789") == "" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

const (
	byHand  = ".backup-" // and a number: what a copy is called while the running bot hands it out
	leftFor = time.Hour  // after which an unfinished file is nobody's
)

// removeOld removes files that are called by a prefix and a number in a folder, and that nobody has written to since a
// moment.
func removeOld(dir string, before time.Time, prefixes ...string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		for _, prefix := range prefixes {
			number, ours := strings.CutPrefix(e.Name(), prefix)
			if !ours || number == "" || strings.Trim(number, "0123456789") != "" {
				continue
			}
			if info, gone := e.Info(); gone == nil && info.ModTime().Before(before) {
				err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
			}
		}
	}
	return err
}
