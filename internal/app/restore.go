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
	"strings"
	"time"

	"filippo.io/age"

	"resellerbot/internal/control"
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
	asked, err := restoreArguments(args)
	if err != nil {
		return err
	}
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	switch {
	case asked.inPlace:
		return cfg.hideIn(restoreInPlace(ctx, w, cfg))
	case !cfg.DatabaseURL.IsZero():
		return refusal{errors.New("restore: DATABASE_URL is set, and a copy takes the place of a file"), "leave it out to go on with a file; a server's database is restored by the server's own means, and made safe by restore -in-place"}
	}
	act := newRestoration(w, cfg).run
	if asked.dry {
		act = newRestoration(w, cfg).rehearse
	}
	if err := act(ctx, asked.file, asked.identity); err != nil {
		return cfg.hideIn(fmt.Errorf("restore %s: %w", asked.file, err))
	}
	return nil
}

// newRestoration is a restore that has not begun.
func newRestoration(w World, cfg Config) restoration {
	return restoration{World: w, cfg: cfg, path: w.at(cfg.Database), now: time.Now()}
}

// restoreAsked is what a restore is asked for.
type restoreAsked struct {
	file, identity string
	dry, inPlace   bool
}

// restoreArguments reads FILE and flags, in any order.
func restoreArguments(args []string) (asked restoreAsked, err error) {
	flags := flag.NewFlagSet("restore", flag.ContinueOnError)
	flags.StringVar(&asked.identity, "identity", "", "a file with age identities")
	flags.BoolVar(&asked.dry, "dry-run", false, "say what it would do")
	flags.BoolVar(&asked.inPlace, "in-place", false, "make a server's database safe that has lost something")
	files, err := anyOrder(flags, args)
	switch {
	case err != nil:
		return asked, err
	case asked.inPlace && (len(files) > 0 || asked.dry || asked.identity != ""):
		return asked, UsageError("restore -in-place takes nothing else: the database is there already")
	case !asked.inPlace && len(files) != 1:
		return asked, UsageError("restore takes one file: restore [-dry-run] [-identity KEYFILE] FILE")
	}
	asked.file = strings.Join(files, "")
	return asked, nil
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
	// First: a bot that is running, or started meanwhile, must not have the database under its hands.
	place, err := bolt.Hold(r.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Release()) }()
	// Behind the lock, as at a start: what lies there is of processes that are gone.
	if err := sweep(r.path); err != nil {
		return err
	}
	work, err := workFolder(r.path, forRestore)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	e, err := r.examine(ctx, work, file, identity)
	if err != nil {
		return err
	}
	suffix := keptSuffix + r.now.UTC().Format(backupTime)
	kept, err := place.Put(e.path, r.path+suffix)
	for n := 2; errors.Is(err, fs.ErrExist) && n < 100; n++ { // a restore of the same second, which was killed
		suffix = fmt.Sprintf("%s%s-%d", keptSuffix, r.now.UTC().Format(backupTime), n)
		kept, err = place.Put(e.path, r.path+suffix)
	}
	if err != nil {
		return err
	}
	return r.tell(e, kept, r.cfg.Database+suffix)
}

// unpack writes what a copy holds to a file: decrypted, where it is sealed.
func (r restoration) unpack(ctx context.Context, file, identity, to string) (sealed bool, err error) {
	from, err := os.Open(r.at(file))
	if err != nil {
		return false, err
	}
	defer from.Close()
	plain, sealed, err := r.plain(bufio.NewReader(from), identity)
	if err != nil {
		return sealed, err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return sealed, err
	}
	size, err := io.Copy(out, stoppable{ctx.Err, plain})
	if err == nil {
		err = out.Sync()
	}
	err = errors.Join(err, out.Close())
	var disk *fs.PathError
	switch {
	case err == nil && size == 0:
		return sealed, refusal{errors.New("the file is empty"), anotherCopy}
	// An error of a file, or of a stop, says nothing of the copy.
	case err != nil && ctx.Err() == nil && !errors.As(err, &disk): // it does not decrypt to its end
		return sealed, refusal{DamagedError(err.Error()), anotherCopy}
	}
	return sealed, err
}

// plain reads a copy, through the identities of a file where it is encrypted.
func (r restoration) plain(from *bufio.Reader, identity string) (plain io.Reader, sealed bool, err error) {
	if start, _ := from.Peek(len(ageHeader)); string(start) != ageHeader {
		return from, false, nil
	}
	if identity == "" {
		return nil, true, refusal{errors.New("it is encrypted"), "name the file with the age identity: -identity KEYFILE"}
	}
	keys, err := os.Open(r.at(identity))
	if err != nil {
		return nil, true, err
	}
	defer keys.Close()
	all, err := age.ParseIdentities(keys)
	if err != nil { // which is not told: the file holds secrets
		return nil, true, refusal{fmt.Errorf("%s holds no age identities", identity), "name a file with lines that begin with AGE-SECRET-KEY-"}
	}
	plain, err = age.Decrypt(from, all...)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return nil, true, refusal{fmt.Errorf("it is not encrypted for the identities in %s", identity), "nothing was changed; name another file with -identity"}
	case err != nil:
		return nil, true, refusal{DamagedError(err.Error()), anotherCopy}
	}
	return plain, true, nil
}

// makeSafe checks a copy, counts what is in it, and marks in it that nothing may be bought on its word.
func (r restoration) makeSafe(ctx context.Context, copied string) (holds store.Inventory, done store.Report, err error) {
	err = r.checked(ctx, copied)
	if damaged, ok := errors.AsType[DamagedError](err); ok {
		return holds, done, refusal{damaged, anotherCopy}
	}
	if err != nil {
		return holds, done, err
	}
	keyring, err := seal.ParseKeyring(r.cfg.EncryptionKeys.Reveal())
	if err != nil {
		return holds, done, fmt.Errorf("ENCRYPTION_KEYS: %w", err)
	}
	engine, err := bolt.Open(copied, bolt.Options{Identify: true, Fatal: func(error) {}}) // whose error comes back from the commit too
	if err != nil {
		return holds, done, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	// bbolt opens any file of its kind: without the meta record it is somebody else's, and store.Open would take it for new.
	if first, err := engine.Scan(ctx, store.KindMeta, "", "", 1); err != nil || len(first) == 0 {
		return holds, done, errors.Join(err, refusal{errors.New("it holds no database of this bot"), anotherCopy})
	}
	if holds, err = store.TakeInventory(ctx, engine); err != nil {
		return holds, done, err
	}
	// Of a database that was moved: what it was when the copy was made is what a restore is about.
	if err := store.Stay(ctx, engine); err != nil {
		return holds, done, err
	}
	s, err := store.Open(ctx, engine, keyring)
	switch {
	case errors.Is(err, store.ErrArriving):
		return holds, done, refusal{err, anotherCopy}
	case errors.Is(err, store.ErrWrongKey):
		return holds, done, refusal{err, "nothing was changed; add that key behind the others"}
	case errors.Is(err, store.ErrNewer):
		return holds, done, refusal{err, "nothing was changed; use that version, or take another copy"}
	case err != nil:
		return holds, done, err
	}
	done, err = trustNothing(ctx, s, r.now, anotherCopy)
	return holds, done, err
}

// trustNothing marks in a store that nothing may be bought on its word, unless its records are not sound: advice says what then.
func trustNothing(ctx context.Context, s *store.Store, now time.Time, advice string) (done store.Report, err error) {
	// Before AfterRestore changes anything: it relies on what the records say.
	problems, err := s.Check(ctx)
	if err != nil {
		return done, err
	}
	if len(problems) > 0 {
		return done, refusal{fmt.Errorf("%s in its records, the first: %s", control.Counted(len(problems), "problem"), problems[0]), advice}
	}
	return store.AfterRestore(ctx, s, now)
}

// tell prints what a restore has done.
func (r restoration) tell(e examined, kept bool, aside string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is restored from %s.\n", r.cfg.Database, e.file)
	if kept {
		fmt.Fprintf(&b, "The database that was there is kept as %s.\n", aside)
	}
	if all, err := setAside(r.path); err == nil && len(all) > 1 {
		fmt.Fprintf(&b, "Beside it: %s that an earlier restore has put aside. What is older than %d days is removed by a start of the bot.\n", control.Counted(len(all)-1, "database"), int(asideFor.Hours()/24))
	}
	listReport(&b, e.report)
	_, err := io.WriteString(r.Stdout, b.String())
	return err
}

// listReport writes what of a copy does not count any more.
func listReport(b *strings.Builder, done store.Report) {
	fmt.Fprintf(b, "Drafts dropped, whose buttons are void now: %d\n", done.Drafts)
	fmt.Fprintf(b, "Purchases dropped that waited for their turn: %d\n", done.Queued)
	fmt.Fprintf(b, "Purchases on their way whose outcome is unknown now: %d\n", done.Unknown)
	fmt.Fprintf(b, "Accounts frozen until it is known what they bought since: %d\n", done.Accounts)
	if done.Accounts > 0 {
		b.WriteString("Nothing is bought until an owner of each has confirmed its team, which the bot asks for.\n")
	}
}
