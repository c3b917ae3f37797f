package app

import (
	"context"
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

	"resellerbot/internal/atomicfile"
	"resellerbot/internal/control"
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
	read := flags.Bool("verify", false, "")
	identity := flags.String("identity", "", "")
	files, err := anyOrder(flags, args)
	if err != nil {
		return err
	}
	switch {
	case len(files) != 1:
		return UsageError("backup takes the name of one file to write: backup [-force] FILE")
	case *read && *force, *identity != "" && !*read:
		return UsageError("backup writes a copy, with -force over another, or reads one: backup -verify [-identity KEYFILE] FILE")
	}
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	if *read {
		return cfg.hideIn(verify(ctx, w, cfg, files[0], *identity))
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
	// Compared as files and not as names: a link, or another way to write the path, is the same file.
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
		how = "encrypted for " + control.Counted(len(cfg.BackupRecipients), "recipient")
	}
	// The running bot holds the file's lock, so that a copy of it is its own to make.
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
	free     func(dir string) (bytes int64, known bool)
}

func newCopier(w World, cfg Config) copier {
	c := copier{database: w.at(cfg.Database), check: w.checked, to: cfg.BackupRecipients, free: w.Free}
	if c.free == nil {
		c.free = bolt.FreeSpace
	}
	return c
}

// streamer is a database that can be copied without a file between.
type streamer interface {
	Stream(ctx context.Context, to io.Writer) error
}

// spareRoom is what has to be free besides a copy where that is made for a while.
const spareRoom = 64 << 20

// hasRoom reports whether a folder has room for a copy of the database for a while.
func (c copier) hasRoom(engine database, dir string) bool {
	// Where the size or the room is not known a copy is tried: a full disk is told then, and leaves nothing.
	size, _, err := engine.Size()
	free, known := c.free(dir)
	return err != nil || !known || free > size+spareRoom
}

// write makes a copy at path and returns its size. At path there is either the whole copy or what was there before.
func (c copier) write(ctx context.Context, engine database, path string) (size int64, err error) {
	// Only a plain copy: an encrypted one would have to be decrypted to be checked, and nobody here can.
	if through, ok := engine.(streamer); ok && len(c.to) == 0 && !c.hasRoom(engine, filepath.Dir(c.database)) {
		return c.writeThrough(ctx, through, path)
	}
	err = c.make(ctx, engine, func(plain string) error {
		if size, err = publish(ctx, plain, path, c.to); err != nil {
			return fmt.Errorf("back up: write %s: %w", path, err)
		}
		return nil
	})
	return size, err
}

// writeThrough makes a plain copy where it belongs: the disk of the database has no room for another one. The database is
// read for as long as that place takes.
func (c copier) writeThrough(ctx context.Context, engine streamer, path string) (size int64, err error) {
	err = atomicfile.Write(path, unfinished+"*", func(f *os.File) error {
		if err := summing(f, func(to io.Writer) error { return engine.Stream(ctx, to) }); err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		size = info.Size()
		return c.checkCopy(ctx, f.Name())
	})
	if err != nil {
		return 0, fmt.Errorf("back up: write %s: %w", path, err)
	}
	return size, nil
}

// checkCopy reads a copy from end to end.
func (c copier) checkCopy(ctx context.Context, path string) error {
	var damaged DamagedError
	switch err := c.check(ctx, path); {
	case errors.As(err, &damaged): // not the database: that may be well
		return fmt.Errorf("back up: of the copy, %s", damaged.Error())
	case err != nil:
		return fmt.Errorf("back up: check the copy: %w", err)
	}
	return nil
}

// workplace makes a folder for a copy that is there for a while: beside the database, or where this machine keeps what is
// there for a while, if only that has room.
func (c copier) workplace(engine database) (string, error) {
	beside, elsewhere := filepath.Dir(c.database), os.TempDir()
	if err := os.MkdirAll(beside, 0o700); err != nil { // that of a server has no folder yet
		return "", err
	}
	switch {
	case c.hasRoom(engine, beside):
		return workFolder(c.database, forBackup)
	case c.hasRoom(engine, elsewhere):
		return os.MkdirTemp(elsewhere, "resellerbot-*")
	}
	return "", fmt.Errorf("neither %s nor %s has room for a copy of the database, which is encrypted from there: set TMPDIR to a folder that has", beside, elsewhere)
}

// make makes a copy, checks it, and has it carried away. The database is read for no longer than a disk of this
// machine takes; checking, encrypting and carrying the copy away comes afterwards.
func (c copier) make(ctx context.Context, engine database, carry func(plain string) error) error {
	work, err := c.workplace(engine)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	// Whatever comes of it, the plain copy goes: where copies are encrypted, none may lie about.
	defer os.RemoveAll(work)
	plain := filepath.Join(work, "copy.db")
	if err := engine.Backup(ctx, plain); err != nil {
		return err
	}
	if err := c.checkCopy(ctx, plain); err != nil {
		return err
	}
	return carry(plain)
}

// backUp makes a copy of the running bot's database by schedule, and removes old ones.
func (a *app) backUp(ctx context.Context) error {
	begun := time.Now()
	if err := a.copyAlone(ctx); err != nil {
		return err
	}
	// Under the same turn old copies are removed: no other run counts them meanwhile.
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
	through, ok := a.engine.(streamer)
	if ok && len(a.copier.to) == 0 && !a.copier.hasRoom(a.engine, filepath.Dir(a.copier.database)) { // whoever asked checks it
		return summing(to, func(to io.Writer) error { return through.Stream(ctx, to) })
	}
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
	// Names sort by their times, newest first, so that those behind the number are the oldest.
	for _, name := range names[min(a.cfg.BackupKeep, len(names)):] {
		if err := os.Remove(filepath.Join(a.backups, name)); err != nil {
			return fmt.Errorf("remove an old copy: %w", err)
		}
	}
	return nil
}

// copiesMade are the names of the copies that are in their folder, the newest first.
func (a *app) copiesMade() ([]string, error) {
	// The whole form of a name, with this database's prefix: a folder may hold what is somebody else's.
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
