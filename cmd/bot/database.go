package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"resellerbot/internal/store/bolt"
)

// at is a path of the configuration as it is opened: relative ones start in the world's directory.
func (w world) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.Dir, path)
}

// openDatabase opens the database of the configuration, after a process of its own has read the file that is
// there from end to end.
func openDatabase(ctx context.Context, w world, cfg config, o bolt.Options) (*bolt.Engine, error) {
	path := w.at(cfg.Database)
	err := w.checked(ctx, path)
	if err == nil {
		o.Identify = true
		var engine *bolt.Engine
		if engine, err = bolt.Open(path, o); err == nil {
			return engine, nil
		}
	}
	return nil, fmt.Errorf("open the database %s: %w", cfg.Database, err)
}

// checked has a database file checked, unless nothing is there: what that means is the engine's to say.
func (w world) checked(ctx context.Context, path string) error {
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
