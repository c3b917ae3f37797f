package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"resellerbot/internal/control"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

// check says whether the database is sound: its file, and the records in it. It changes nothing.
func check(ctx context.Context, w World) error {
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	if _, err := os.Stat(w.at(cfg.Database)); cfg.DatabaseURL.IsZero() && errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(w.Stdout, "%s: there is no such file\n", cfg.Database)
	}
	engine, done, err := openToRead(ctx, w, cfg)
	if damaged, ok := errors.AsType[DamagedError](err); ok {
		fmt.Fprintf(w.Stdout, "file: %v\nrecords: not read\n", damaged)
		return cfg.hideIn(unsound(cfg, err))
	}
	if err != nil {
		return cfg.hideIn(err)
	}
	defer done()
	if cfg.DatabaseURL.IsZero() {
		fmt.Fprintln(w.Stdout, "file: sound")
	}
	return cfg.hideIn(checkRecords(ctx, w, cfg, engine))
}

// checkRecords says whether the records are sound.
func checkRecords(ctx context.Context, w World, cfg Config, engine *bolt.Engine) error {
	problems, err := problemsIn(ctx, cfg, engine)
	switch {
	// store.Open migrates, which a database that is open for reading refuses.
	case errors.Is(err, bolt.ErrReadOnly):
		fmt.Fprintln(w.Stdout, "records: not read; they are of an earlier version, and brought up to date by the next start")
		return nil
	case err != nil:
		return fmt.Errorf("check the database %s: %w", cfg.databaseName(), err)
	case len(problems) == 0:
		fmt.Fprintln(w.Stdout, "records: sound")
		return nil
	}
	fmt.Fprintf(w.Stdout, "records: %s\n", control.Counted(len(problems), "problem"))
	for _, p := range problems {
		fmt.Fprintf(w.Stdout, "  %s\n", p)
	}
	return unsound(cfg, fmt.Errorf("%s in the records", control.Counted(len(problems), "problem")))
}

// problemsIn runs the store's own check over an engine.
func problemsIn(ctx context.Context, cfg Config, engine store.Engine) ([]string, error) {
	keyring, err := seal.ParseKeyring(cfg.EncryptionKeys.Reveal())
	if err != nil {
		return nil, fmt.Errorf("ENCRYPTION_KEYS: %w", err)
	}
	s, err := store.Open(ctx, engine, keyring)
	if err != nil {
		return nil, err
	}
	return s.Check(ctx)
}

// unsound is how a check ends that has found something: a failure, as the check itself was not refused.
func unsound(cfg Config, found error) error {
	return errors.New("the database " + cfg.databaseName() + " is not sound: " + found.Error())
}
