package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"resellerbot/internal/store/bolt"
)

// at is a path of the configuration as it is opened: relative ones start in the world's directory.
func (w World) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.Dir, path)
}

// openDatabase opens the database of the configuration, after a process of its own has read the file that is
// there from end to end.
func openDatabase(ctx context.Context, w World, cfg Config, o bolt.Options) (*bolt.Engine, error) {
	err := w.checked(ctx, w.at(cfg.Database))
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", cfg.Database, err)
	}
	return openUnread(w, cfg, o)
}

// openToRun opens it for the bot. A file that was closed cleanly is not read first: that takes seconds for each gigabyte,
// in which nobody is served, and every copy of it is read.
func openToRun(ctx context.Context, w World, cfg Config, o bolt.Options) (*bolt.Engine, error) {
	if bolt.ClosedCleanly(w.at(cfg.Database)) {
		return openUnread(w, cfg, o)
	}
	return openDatabase(ctx, w, cfg, o)
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
func isNothing(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Size() == 0
}

// What is made beside a database, each in a folder of its own.
const (
	forBackup  = "backup"
	forRestore = "restore"
	forRewrite = "rewrite" // by package bolt
)

// workFolder makes a folder beside a database, for its owner alone.
func workFolder(database, what string) (string, error) {
	return os.MkdirTemp(filepath.Dir(database), workPrefix(database, what)+"*")
}

// workPrefix is what the names of such folders begin with; a number follows.
func workPrefix(database, what string) string {
	return "." + filepath.Base(database) + "." + what + "-"
}

// sweep removes the folders that killed processes have left beside a database. Nobody else may be at it.
func sweep(database string) error {
	var all error
	for _, what := range []string{forBackup, forRestore, forRewrite} {
		all = errors.Join(all, removeNumbered(filepath.Dir(database), workPrefix(database, what)))
	}
	return all
}

// removeNumbered removes what is called by a prefix and a number in a folder.
func removeNumbered(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		number, ours := strings.CutPrefix(e.Name(), prefix)
		if ours && number != "" && strings.Trim(number, "0123456789") == "" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
