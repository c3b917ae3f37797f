package app

import (
	"context"
	"errors"
	"fmt"

	"resellerbot/internal/control"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/seal"
)

// rekey seals everything in the database anew under the first of ENCRYPTION_KEYS, and writes the file anew, so
// that nothing in it is left which another key opens. Stopped at any moment, it goes on from there when it is
// run again.
func rekey(ctx context.Context, w World) error {
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	if err := rekeyDatabase(ctx, w, cfg); err != nil {
		return cfg.hideIn(fmt.Errorf("rekey: %w", err))
	}
	return nil
}

// rekeyDatabase is rekey with its configuration.
func rekeyDatabase(ctx context.Context, w World, cfg Config) (err error) {
	if !cfg.DatabaseURL.IsZero() {
		return rekeyServer(ctx, w, cfg)
	}
	if isNothing(w.at(cfg.Database)) { // a new one would be made, and be done
		return refusal{fmt.Errorf("there is no database %s", cfg.Database), "see to DATABASE_PATH"}
	}
	engine, err := openFile(ctx, w, cfg, bolt.Options{Fatal: func(error) {}}) // whose error comes back from the commit too
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	// Behind the lock: what lies beside the database may hold values under the old key.
	if err := sweep(w.at(cfg.Database)); err != nil {
		return err
	}
	done, err := rekeyRecords(ctx, w, cfg, engine)
	switch {
	case errors.Is(err, seal.ErrKey):
		return refusal{err, "add the key that is missing behind the others, and run this again"}
	case err != nil:
		return err
	}
	var damaged DamagedError
	// A value that was sealed anew still lies under the old key in pages that are free, until the file is written anew.
	switch err := engine.Rewrite(ctx, func(path string) error { return w.checked(ctx, path) }); {
	case errors.As(err, &damaged): // not the database: that may be well
		return fmt.Errorf("of what was written anew, %s", damaged.Error())
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(w.Stdout, "%s: %s sealed anew, %d were already.\nThe first of ENCRYPTION_KEYS opens all of it now. Copies that were made before need the keys of their time.\n",
		cfg.Database, control.Counted(done.Anew, "value"), done.Current)
	return err
}

// rekeyServer does so with the database of a server, while no other process works with it.
func rekeyServer(ctx context.Context, w World, cfg Config) (err error) {
	engine, err := openServer(ctx, w, cfg, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, NoWait: true}) // whose errors come back
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }() //nolint:contextcheck // it ends what is open, however that ends
	done, err := rekeyRecords(ctx, w, cfg, engine)
	switch {
	case errors.Is(err, seal.ErrKey):
		return refusal{err, "add the key that is missing behind the others, and run this again"}
	case err != nil:
		return err
	}
	if err := engine.Rewrite(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.Stdout, "The database %s: %s sealed anew, %d were already.\nThe first of ENCRYPTION_KEYS opens all of it now. Copies that were made before, and the server's own archives, need the keys of their time.\n",
		cfg.databaseName(), control.Counted(done.Anew, "value"), done.Current)
	return err
}

// rekeyRecords seals the records anew.
func rekeyRecords(ctx context.Context, w World, cfg Config, engine store.Engine) (store.Rekeyed, error) {
	keyring, err := seal.ParseKeyring(cfg.EncryptionKeys.Reveal())
	if err != nil {
		return store.Rekeyed{}, fmt.Errorf("ENCRYPTION_KEYS: %w", err)
	}
	s, err := store.Open(ctx, w.wrap(engine), keyring)
	if err != nil {
		return store.Rekeyed{}, err
	}
	return s.Rekey(ctx)
}
