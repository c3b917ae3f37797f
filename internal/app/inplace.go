package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/seal"
)

// restoreInPlace makes a server's database safe that was put back to an earlier moment, or whose standby was promoted without all
// that was acknowledged: as a restored copy, nothing that it knows may lead to a purchase.
func restoreInPlace(ctx context.Context, w World, cfg Config) error {
	if cfg.DatabaseURL.IsZero() {
		return refusal{errors.New("restore -in-place: DATABASE_URL is not set"), "a file is restored from a copy: restore FILE"}
	}
	done, err := makeServerSafe(ctx, w, cfg)
	if err != nil {
		return inUse(fmt.Errorf("restore -in-place: %w", err))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The database %s is made safe to go on with.\n", cfg.databaseName())
	listReport(&b, done)
	_, err = io.WriteString(w.Stdout, b.String())
	return err
}

// makeServerSafe does so under the lease.
func makeServerSafe(ctx context.Context, w World, cfg Config) (done store.Report, err error) {
	keyring, err := seal.ParseKeyring(cfg.EncryptionKeys.Reveal())
	if err != nil {
		return done, fmt.Errorf("ENCRYPTION_KEYS: %w", err)
	}
	// Recover: the loss that keeps the bot from starting is what this is for.
	engine, err := openServer(ctx, w, cfg, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, NoWait: true, Recover: true}) // whose errors come back
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }() //nolint:contextcheck // it ends what is open, however that ends
	s, err := store.Open(ctx, w.wrap(engine), keyring)
	if err != nil {
		return done, err
	}
	if done, err = trustNothing(ctx, s, time.Now(), "nothing was changed; bot check lists them all"); err != nil {
		return done, err
	}
	// Last: until then the bot does not start on it, and doing all of it again changes nothing more.
	return done, engine.Recovered(ctx)
}
