package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"filippo.io/age"

	"resellerbot/internal/store/bolt"
)

const (
	unfinished    = ".unfinished-"     // and a number: what a copy is called while it is written to where it belongs
	backupTime    = "20060102T150405Z" // in a copy's name: the order of names is that of times
	encryptedName = ".age"             // what the name of an encrypted copy ends with
)

// backup copies the database to a file. Where the bot runs, the copy is its: nobody else can read the database.
func backup(ctx context.Context, w World, args []string) error {
	flags := flag.NewFlagSet("backup", flag.ContinueOnError)
	force := flags.Bool("force", false, "")
	files, err := anyOrder(flags, args)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return UsageError("backup takes the name of one file to write: backup [-force] FILE")
	}
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	if err := mayReplace(w.at(cfg.Database), w.at(files[0]), *force); err != nil {
		return cfg.hideIn(fmt.Errorf("back up to %s: %w", files[0], err))
	}
	return cfg.hideIn(backupTo(ctx, w, cfg, files[0]))
}

// mayReplace refuses to write a copy over the database, or over what belongs to it, by whatever name; and over
// anything else that is there, unless that is forced.
func mayReplace(database, file string, force bool) error {
	there, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, own := range []string{database, bolt.IDFile(database), database + socketSuffix} {
		kept, err := os.Stat(own)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		meant, err := os.Stat(file)
		if err == nil && os.SameFile(kept, meant) || os.SameFile(kept, there) {
			return refusal{errors.New("that is the database itself, or belongs to it"), "name another file"}
		}
	}
	if !force && !there.IsDir() { // which cannot be written over anyway
		return refusal{errors.New("there is a file of that name"), "name another one, or replace it with backup -force FILE"}
	}
	return nil
}

// backupTo copies the database to a file and says so.
func backupTo(ctx context.Context, w World, cfg Config, name string) error {
	take, how := backupAtRest, "plain, its secrets sealed"
	if len(cfg.BackupRecipients) > 0 {
		how = fmt.Sprintf("encrypted for %d recipients", len(cfg.BackupRecipients))
	}
	if w.Dial != nil && w.operator(cfg).Answers(ctx) {
		take, how = backupRunning, "as the running bot is configured"
	}
	size, err := take(ctx, w, cfg, name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.Stdout, "%s: %d bytes, checked, %s\n", name, size, how)
	return err
}

// backupAtRest copies a database that no bot has open.
func backupAtRest(ctx context.Context, w World, cfg Config, name string) (size int64, err error) {
	engine, done, err := openToRead(ctx, w, cfg)
	if err != nil {
		return 0, err
	}
	defer done()
	return newCopier(w, cfg).write(ctx, engine, w.at(name))
}

// copier makes copies of the database.
type copier struct {
	database string // the path of the database: on a disk of this machine
	check    func(ctx context.Context, path string) error
	to       []age.Recipient // empty: copies stay plain
}

func newCopier(w World, cfg Config) copier {
	return copier{database: w.at(cfg.Database), check: w.checked, to: cfg.BackupRecipients}
}

// write makes a copy at path and returns its size. At path there is either the whole copy or what was there before.
func (c copier) write(ctx context.Context, engine database, path string) (size int64, err error) {
	err = c.make(ctx, engine, func(plain string) error {
		if size, err = publish(ctx, plain, path, c.to); err != nil {
			return fmt.Errorf("back up: write %s: %w", path, err)
		}
		return nil
	})
	return size, err
}

// make makes a copy, checks it, and has it carried away. The database is read for no longer than a disk of this
// machine takes; checking, encrypting and carrying the copy away comes afterwards.
func (c copier) make(ctx context.Context, engine database, carry func(plain string) error) error {
	if err := os.MkdirAll(filepath.Dir(c.database), 0o700); err != nil { // that of a server has no folder yet
		return fmt.Errorf("back up: %w", err)
	}
	work, err := workFolder(c.database, forBackup)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer os.RemoveAll(work)
	plain := filepath.Join(work, "copy.db")
	if err := engine.Backup(ctx, plain); err != nil {
		return err
	}
	var damaged DamagedError
	switch err := c.check(ctx, plain); {
	case errors.As(err, &damaged): // not the database: that may be well
		return fmt.Errorf("back up: of the copy, %s", damaged.Error())
	case err != nil:
		return fmt.Errorf("back up: check the copy: %w", err)
	}
	return carry(plain)
}

// publish writes a file to another place, encrypted if it is for somebody, where it appears whole, for its
// owner alone.
func publish(ctx context.Context, from, to string, recipients []age.Recipient) (size int64, err error) {
	err = bolt.WriteFile(to, unfinished+"*", func(f *os.File) error {
		if err := encrypt(ctx, f, from, recipients); err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		size = info.Size()
		return nil
	})
	return size, err
}

// checksumMark is what a plain copy ends with, before the SHA-256 of all that comes before: what is encrypted proves itself. A
// database may have something behind it.
const checksumMark = "\nresellerbot copy sha256 "

// checksumLength is how long the end of a plain copy is.
const checksumLength = len(checksumMark) + 2*sha256.Size + 1

// checkSum takes the checksum off the end of a copy and says whether the rest is what it was made of; false where it has none,
// as copies of earlier versions and those that were made by hand.
func checkSum(name string) (had bool, err error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	size := info.Size() - int64(checksumLength)
	end := make([]byte, checksumLength)
	if size < 0 {
		return false, nil
	}
	if _, err := f.ReadAt(end, size); err != nil {
		return false, err
	}
	said, had := strings.CutPrefix(string(end), checksumMark)
	if !had {
		return false, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return true, err
	}
	if said != fmt.Sprintf("%x\n", sum.Sum(nil)) {
		return true, DamagedError("it is not what was written: its checksum is another")
	}
	return true, f.Truncate(size)
}

// encrypt writes a file to a writer; where it is for nobody, as it is with its checksum.
func encrypt(ctx context.Context, to io.Writer, name string, recipients []age.Recipient) error {
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	if len(recipients) == 0 {
		sum := sha256.New()
		if _, err := io.Copy(io.MultiWriter(to, sum), stoppable{ctx.Err, from}); err != nil {
			return err
		}
		_, err := fmt.Fprintf(to, "%s%x\n", checksumMark, sum.Sum(nil))
		return err
	}
	sealed, err := age.Encrypt(to, recipients...)
	if err != nil {
		return err
	}
	_, err = io.Copy(sealed, stoppable{ctx.Err, from})
	return errors.Join(err, sealed.Close())
}

// stoppable is a reader that fails once its context is done.
type stoppable struct {
	stopped func() error // the context's Err
	from    io.Reader
}

// Read implements io.Reader.
func (s stoppable) Read(p []byte) (int, error) {
	if err := s.stopped(); err != nil {
		return 0, err
	}
	return s.from.Read(p)
}

// backUp makes a copy of the running bot's database by schedule, and removes old ones.
func (a *app) backUp(ctx context.Context) error {
	begun := time.Now()
	if err := a.copyAlone(ctx); err != nil {
		return err
	}
	defer a.copied()
	if err := os.MkdirAll(a.backups, 0o700); err != nil {
		return fmt.Errorf("make the folder for copies: %w", err)
	}
	// What a process left that was killed at it: nobody else can be at it now.
	if err := errors.Join(os.MkdirAll(filepath.Dir(a.copier.database), 0o700), sweep(a.copier.database), removeNumbered(a.backups, unfinished)); err != nil {
		return fmt.Errorf("remove what is left of an unfinished copy: %w", err)
	}
	name := a.backupName(begun)
	size, err := a.copier.write(ctx, a.engine, filepath.Join(a.backups, name))
	if err != nil {
		return err
	}
	a.log.Info("the database was backed up", "file", name, "bytes", size, "took", time.Since(begun))
	return a.prune()
}

// handOut writes a copy of the running bot's database to whoever has asked for one.
func (a *app) handOut(ctx context.Context, to io.Writer) error {
	if err := a.copyAlone(ctx); err != nil {
		return err
	}
	defer a.copied()
	return a.copier.make(ctx, a.engine, func(plain string) error { return encrypt(ctx, to, plain, a.copier.to) })
}

// copyAlone waits until no other copy is made: what one leaves behind is removed before the next.
func (a *app) copyAlone(ctx context.Context) error {
	select {
	case a.copying <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// copied ends what copyAlone began.
func (a *app) copied() { <-a.copying }

// backupName is the name of a copy that is made at a moment.
func (a *app) backupName(at time.Time) string {
	name := a.backupPrefix() + at.UTC().Format(backupTime) + ".db"
	if len(a.cfg.BackupRecipients) > 0 {
		name += encryptedName
	}
	return name
}

// backupPrefix is what the names of this database's copies begin with.
func (a *app) backupPrefix() string {
	base := filepath.Base(a.cfg.Database)
	return strings.TrimSuffix(base, filepath.Ext(base)) + "-"
}

// prune removes the oldest copies above the number that is kept, and nothing that is called otherwise.
func (a *app) prune() error {
	names, err := a.copiesMade()
	if err != nil {
		return fmt.Errorf("look for old copies: %w", err)
	}
	for _, name := range names[min(a.cfg.BackupKeep, len(names)):] {
		if err := os.Remove(filepath.Join(a.backups, name)); err != nil {
			return fmt.Errorf("remove an old copy: %w", err)
		}
	}
	return nil
}

// copiesMade are the names of the copies that are in their folder, the newest first.
func (a *app) copiesMade() ([]string, error) {
	ours := regexp.MustCompile(`^` + regexp.QuoteMeta(a.backupPrefix()) + `\d{8}T\d{6}Z\.db(\` + encryptedName + `)?$`)
	entries, err := os.ReadDir(a.backups)
	if err != nil {
		return nil, err
	}
	var names []string // sorted, as ReadDir sorts
	for _, e := range entries {
		if ours.MatchString(e.Name()) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Reverse(names)
	return names, nil
}
