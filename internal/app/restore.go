package app

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

const (
	ageHeader   = "age-encryption.org/v1" // what every encrypted file begins with
	anotherCopy = "nothing was changed; take another copy"
	keptSuffix  = ".before-restore-" // and the time: what the database that was there is called
)

// restore puts a copy in the place of the database. What the copy knows is old: nothing of it may lead to a
// purchase. So it is made safe before it is put there, and the database that was there is kept beside it.
func restore(ctx context.Context, w World, args []string) error {
	file, identity, err := restoreArguments(args)
	if err != nil {
		return err
	}
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	if !cfg.DatabaseURL.IsZero() {
		return refusal{errors.New("restore: DATABASE_URL is set, and a copy takes the place of a file"), "leave it out to go on with a file; a server's database is restored by the server's own means"}
	}
	r := restoration{World: w, cfg: cfg, path: w.at(cfg.Database), now: time.Now()}
	if err := r.run(ctx, file, identity); err != nil {
		return cfg.hideIn(fmt.Errorf("restore %s: %w", file, err))
	}
	return nil
}

// restoreArguments reads FILE and -identity, in any order.
func restoreArguments(args []string) (file, identity string, err error) {
	flags := flag.NewFlagSet("restore", flag.ContinueOnError)
	flags.StringVar(&identity, "identity", "", "a file with age identities")
	files, err := anyOrder(flags, args)
	if err != nil {
		return "", "", err
	}
	if len(files) != 1 {
		return "", "", UsageError("restore takes one file: restore [-identity KEYFILE] FILE")
	}
	return files[0], identity, nil
}

// restoration is one restore.
type restoration struct {
	World

	cfg  Config
	path string // of the database
	now  time.Time
}

// run makes a copy ready in a folder beside the database, while nobody can open that, and puts it in its
// place. Until then everything is as it was.
func (r restoration) run(ctx context.Context, file, identity string) (err error) {
	place, err := bolt.Hold(r.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Release()) }()
	if err := sweep(r.path); err != nil {
		return err
	}
	work, err := workFolder(r.path, forRestore)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	ready := filepath.Join(work, "copy.db")
	if err := r.unpack(ctx, file, identity, ready); err != nil {
		return err
	}
	if _, err := checkSum(ready); err != nil {
		if damaged, ok := errors.AsType[DamagedError](err); ok {
			return refusal{damaged, anotherCopy}
		}
		return err
	}
	done, err := r.makeSafe(ctx, ready)
	if err != nil {
		return err
	}
	suffix := keptSuffix + r.now.UTC().Format(backupTime)
	kept, err := place.Put(ready, r.path+suffix)
	for n := 2; errors.Is(err, fs.ErrExist) && n < 100; n++ { // a restore of the same second, which was killed
		suffix = fmt.Sprintf("%s%s-%d", keptSuffix, r.now.UTC().Format(backupTime), n)
		kept, err = place.Put(ready, r.path+suffix)
	}
	if err != nil {
		return err
	}
	return r.tell(file, done, kept, r.cfg.Database+suffix)
}

// unpack writes what a copy holds to a file: decrypted, where it is encrypted.
func (r restoration) unpack(ctx context.Context, file, identity, to string) error {
	from, err := os.Open(r.at(file))
	if err != nil {
		return err
	}
	defer from.Close()
	plain, err := r.plain(bufio.NewReader(from), identity)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	size, err := io.Copy(out, stoppable{ctx.Err, plain})
	if err == nil {
		err = out.Sync()
	}
	err = errors.Join(err, out.Close())
	var disk *fs.PathError
	switch {
	case err == nil && size == 0:
		return refusal{errors.New("the file is empty"), anotherCopy}
	case err != nil && ctx.Err() == nil && !errors.As(err, &disk): // it does not decrypt to its end
		return refusal{DamagedError(err.Error()), anotherCopy}
	}
	return err
}

// plain reads a copy, through the identities of a file where it is encrypted.
func (r restoration) plain(from *bufio.Reader, identity string) (io.Reader, error) {
	if start, _ := from.Peek(len(ageHeader)); string(start) != ageHeader {
		return from, nil
	}
	if identity == "" {
		return nil, refusal{errors.New("it is encrypted"), "name the file with the age identity: restore -identity KEYFILE FILE"}
	}
	keys, err := os.Open(r.at(identity))
	if err != nil {
		return nil, err
	}
	defer keys.Close()
	all, err := age.ParseIdentities(keys)
	if err != nil { // which is not told: the file holds secrets
		return nil, refusal{fmt.Errorf("%s holds no age identities", identity), "name a file with lines that begin with AGE-SECRET-KEY-"}
	}
	plain, err := age.Decrypt(from, all...)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return nil, refusal{fmt.Errorf("it is not encrypted for the identities in %s", identity), "nothing was changed; name another file with -identity"}
	case err != nil:
		return nil, refusal{DamagedError(err.Error()), anotherCopy}
	}
	return plain, nil
}

// makeSafe checks a copy, and marks in it that nothing may be bought on its word.
func (r restoration) makeSafe(ctx context.Context, copied string) (done store.Report, err error) {
	err = r.checked(ctx, copied)
	if damaged, ok := errors.AsType[DamagedError](err); ok {
		return done, refusal{damaged, anotherCopy}
	}
	if err != nil {
		return done, err
	}
	ring, err := seal.ParseKeyring(r.cfg.EncryptionKeys.Reveal())
	if err != nil {
		return done, fmt.Errorf("ENCRYPTION_KEYS: %w", err)
	}
	engine, err := bolt.Open(copied, bolt.Options{Identify: true, Fatal: func(error) {}}) // whose error comes back from the commit too
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	if first, err := engine.Scan(ctx, store.KindMeta, "", "", 1); err != nil || len(first) == 0 {
		return done, errors.Join(err, refusal{errors.New("it holds no database of this bot"), anotherCopy})
	}
	s, err := store.Open(ctx, engine, ring)
	switch {
	case errors.Is(err, store.ErrWrongKey):
		return done, refusal{err, "nothing was changed; add that key behind the others"}
	case errors.Is(err, store.ErrNewer):
		return done, refusal{err, "nothing was changed; use that version, or take another copy"}
	case err != nil:
		return done, err
	}
	problems, err := s.Check(ctx)
	if err != nil {
		return done, err
	}
	if len(problems) > 0 {
		return done, refusal{fmt.Errorf("%d problems in its records, the first: %s", len(problems), problems[0]), anotherCopy}
	}
	return store.AfterRestore(ctx, s, r.now)
}

// tell prints what a restore has done.
func (r restoration) tell(file string, done store.Report, kept bool, aside string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is restored from %s.\n", r.cfg.Database, file)
	if kept {
		fmt.Fprintf(&b, "The database that was there is kept as %s.\n", aside)
	}
	fmt.Fprintf(&b, "Drafts dropped, whose buttons are void now: %d\n", done.Drafts)
	fmt.Fprintf(&b, "Purchases dropped that waited for their turn: %d\n", done.Queued)
	fmt.Fprintf(&b, "Purchases on their way whose outcome is unknown now: %d\n", done.Unknown)
	fmt.Fprintf(&b, "Accounts frozen until it is known what they bought since: %d\n", done.Accounts)
	if done.Accounts > 0 {
		b.WriteString("Nothing is bought until an owner of each has confirmed its team, which the bot asks for.\n")
	}
	_, err := io.WriteString(r.Stdout, b.String())
	return err
}
