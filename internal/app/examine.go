package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"resellerbot/internal/control"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// examined is a copy that was read from end to end.
type examined struct {
	file   string
	path   string // of what was made of it, ready to be put in place
	made   time.Time
	how    string
	holds  store.Inventory
	report store.Report // of what a restore does to it
}

// examine reads a copy wholly, in a folder that may be filled: whether it is what was written, opens, and is sound. The copy
// itself stays as it is.
func (r restoration) examine(ctx context.Context, work, file, identity string) (e examined, err error) {
	info, err := os.Stat(r.at(file))
	if err != nil {
		return e, err
	}
	e = examined{file: file, path: filepath.Join(work, "copy.db"), made: info.ModTime()}
	sealed, err := r.unpack(ctx, file, identity, e.path)
	if err != nil {
		return e, err
	}
	// It takes the checksum off the unpacked file, which is opened as a database behind this. The copy itself stays whole.
	summed, err := checkSum(e.path)
	if damaged, ok := errors.AsType[DamagedError](err); ok {
		return e, refusal{damaged, anotherCopy}
	}
	switch {
	case err != nil:
		return e, err
	case sealed:
		e.how = "encrypted"
	case summed:
		e.how = "plain, as its checksum says"
	default:
		e.how = "plain, without a checksum"
	}
	e.holds, e.report, err = r.makeSafe(ctx, e.path)
	return e, err
}

// describe writes what a copy is.
func (e examined) describe(b *strings.Builder) {
	schema := "this program's own"
	if now := store.CurrentSchema(); e.holds.Schema < now {
		schema = fmt.Sprintf("this program's is %d, and brings it up to date", now)
	}
	fmt.Fprintf(b, "%s: %s; file and records are sound.\n", e.file, e.how)
	fmt.Fprintf(b, "It was written at %s, in schema %d (%s).\n", moment(e.made), e.holds.Schema, schema)
	fmt.Fprintf(b, "It holds %s, %s, %s (%d of them under way) and %s; the newest purchase is of %s.\n", control.Counted(e.holds.Accounts, "account"),
		control.Counted(e.holds.Chats, "chat"), control.Counted(e.holds.Purchases, "purchase"), e.holds.Underway, control.Counted(e.holds.Orders, "order"), moment(e.holds.Newest))
}

// moment is a time for people; a dash for none.
func moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// aside makes a folder that may be filled with what is in a database, apart from where the bot works.
func aside() (work string, done func(), err error) {
	work, err = os.MkdirTemp("", "resellerbot-*")
	return work, func() { os.RemoveAll(work) }, err
}

// verify says whether a copy could be restored, and what it holds.
func verify(ctx context.Context, w World, cfg Config, file, identity string) error {
	work, done, err := aside()
	if err != nil {
		return err
	}
	defer done()
	e, err := newRestoration(w, cfg).examine(ctx, work, file, identity)
	if err != nil {
		return fmt.Errorf("verify %s: %w", file, err)
	}
	var b strings.Builder
	e.describe(&b)
	_, err = io.WriteString(w.Stdout, b.String())
	return err
}

// rehearse says what a restore would do, also while the bot runs, and does nothing of it.
func (r restoration) rehearse(ctx context.Context, file, identity string) error {
	work, done, err := aside()
	if err != nil {
		return err
	}
	defer done()
	e, err := r.examine(ctx, work, file, identity)
	if err != nil {
		return err
	}
	if err := bolt.Fits(e.path, r.path); err != nil {
		return err
	}
	var b strings.Builder
	e.describe(&b)
	b.WriteString("\nA restore of it would do this:\n")
	if err := r.compare(ctx, work, e, &b); err != nil {
		return err
	}
	listReport(&b, e.report)
	b.WriteString("Nothing was changed.\n")
	_, err = io.WriteString(r.Stdout, b.String())
	return err
}

// compare writes what a restore would replace, and what that knows and the copy does not.
func (r restoration) compare(ctx context.Context, work string, e examined, b *strings.Builder) error {
	if isNothing(r.path) {
		fmt.Fprintf(b, "There is no database %s: nothing is replaced.\n", r.cfg.Database)
		return nil
	}
	fmt.Fprintf(b, "The database %s would be kept as %s%s and the time.\n", r.cfg.Database, r.cfg.Database, keptSuffix)
	live, why, err := r.live(ctx, work)
	if err != nil {
		return err
	}
	if live == nil {
		fmt.Fprintf(b, "What it knows and the copy does not cannot be told: %s.\n", why)
		return nil
	}
	defer live.Close()
	copied, err := bolt.Open(e.path, bolt.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer copied.Close()
	now, err := store.TakeInventory(ctx, live)
	if err != nil {
		return err
	}
	var lost []string
	for _, kind := range []store.Kind{store.KindPurchase, store.KindOrder, store.KindAccount, store.KindChat} {
		n, err := store.Beside(ctx, live, copied, kind)
		if err != nil {
			return err
		}
		lost = append(lost, fmt.Sprintf("%d %ss", n, kind))
	}
	fmt.Fprintf(b, "It knows what the copy does not: %s; its newest purchase is of %s.\n", strings.Join(lost, ", "), moment(now.Newest))
	return nil
}

// live is the database that is there, or a copy of it from the running bot; nil, and why, where it cannot be read.
func (r restoration) live(ctx context.Context, work string) (e *bolt.Engine, why string, err error) {
	if r.Dial == nil || !r.operator(r.cfg).Answers(ctx) {
		e, err := openFile(ctx, r.World, r.cfg, bolt.Options{ReadOnly: true})
		if damaged, ok := errors.AsType[DamagedError](err); ok {
			return nil, damaged.Error(), nil
		}
		return e, "", err
	}
	name := filepath.Join(work, "live.db")
	if _, err := backupRunning(ctx, r.World, r.cfg, name); err != nil {
		return nil, "", err
	}
	switch _, err := checkSum(name); {
	// Before the error of checkSum, which can say nothing of an encrypted file.
	case isEncrypted(name):
		return nil, "the running bot encrypts its copies; stop it first", nil
	case err != nil:
		return nil, "", err
	}
	e, err = bolt.Open(name, bolt.Options{ReadOnly: true})
	return e, "", err
}

// isEncrypted reports whether a file begins as an encrypted one does.
func isEncrypted(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(ageHeader))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == ageHeader
}

// setAside are the databases that restores have put aside, the newest first.
func setAside(database string) (paths []string, err error) {
	entries, err := os.ReadDir(filepath.Dir(database))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries { // sorted by name, which is by time
		if strings.HasPrefix(e.Name(), filepath.Base(database)+keptSuffix) && e.Type().IsRegular() {
			paths = append([]string{filepath.Join(filepath.Dir(database), e.Name())}, paths...)
		}
	}
	return paths, err
}

const (
	asideFor  = 90 * 24 * time.Hour // for how long a database that was put aside stays
	asideKept = 1                   // how many stay for ever
)

// pruneAside removes databases that were put aside long ago, but for the newest, and returns those that stay.
func pruneAside(database string, now time.Time) (kept []string, removed []string, err error) {
	all, err := setAside(database)
	for i, path := range all {
		at, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), filepath.Base(database)+keptSuffix), "-")
		since, unknown := time.Parse(backupTime, at)
		// A name whose time cannot be read is not one that a restore gave: it stays.
		if i < asideKept || unknown != nil || now.Sub(since) < asideFor {
			kept = append(kept, path)
			continue
		}
		if gone := os.Remove(path); gone != nil {
			err = errors.Join(err, gone)
			kept = append(kept, path)
			continue
		}
		removed = append(removed, path)
	}
	return kept, removed, err
}

// tidy removes databases that restores have put aside long ago, and tells of those that stay.
func (a *app) tidy(database string) {
	kept, removed, err := pruneAside(database, time.Now())
	if err != nil {
		a.log.Warn("remove databases that were put aside by a restore", "err", err)
	}
	for _, path := range removed {
		a.log.Info("a database that was put aside by a restore is removed", "file", filepath.Base(path))
	}
	if len(kept) > 0 {
		a.log.Info("databases that were put aside by restores lie beside the database", "number", len(kept), "newest", filepath.Base(kept[0]))
	}
}
