package proof

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
)

// TestProofRestore puts an older copy of the database in its place while a button from before the copy can still
// be tapped: what the copy has forgotten is not bought again, the chat is told which orders nobody knows, and
// new purchases go on.
func TestProofRestore(t *testing.T) {
	beside(t)
	for _, flavour := range flavours() {
		t.Run(flavour, func(t *testing.T) {
			dir, remove, err := apptest.LabDir()
			if err != nil {
				t.Fatal(err)
			}
			defer remove()
			synctest.Test(t, func(t *testing.T) {
				b := &errand{user: apptest.Sam, flavour: flavour, quantity: 2}
				l := newLab(dir, simOptions(b))
				l.restored(t, b)
				for _, v := range l.eye.found() {
					t.Error(v)
				}
				if t.Failed() {
					t.Log(l.eye.story())
				}
			})
		})
	}
}

// restored is the course of it.
func (l *lab) restored(t *testing.T, b *errand) {
	t.Helper()
	l.stockUp()
	l.start()
	l.link(b)
	if !l.walk(b) {
		t.Fatal("there is no ✅")
	}
	l.down()
	if err := copyFile(filepath.Join(l.dir, "copy.db"), l.database()); err != nil {
		t.Error(err)
	}
	l.up()
	l.press(b)
	l.pass(time.Minute)
	bought := len(l.service.Purchases())
	l.down()
	w := l.world(l.living())
	w.Args = []string{"restore", "copy.db"}
	if code := app.Start(context.Background(), w); code != 0 {
		t.Errorf("the restore ended with %d", code)
	}
	l.up()
	l.press(b) // which the copy believes to be good
	l.pass(2 * time.Minute)
	l.press(b)
	l.pass(time.Minute)
	if n := len(l.service.Purchases()); bought != 1 || n != 1 {
		t.Errorf("%d purchases before the restore, %d after it", bought, n)
	}
	l.tap(b.user, "The team is right")
	next := &errand{user: b.user, flavour: b.flavour, quantity: b.quantity + 1}
	if !l.walk(next) {
		t.Error("there is no new ✅")
	}
	l.press(next)
	l.pass(time.Minute)
	if n := len(l.service.Purchases()); n != 2 {
		t.Errorf("%d purchases after a new one", n)
	}
	chat := apptest.Plain(l.transcript(b.user))
	l.close()
	l.eye.judgeLog()
	l.eye.judgeDisk()
	if !strings.Contains(chat, "came back from a backup") || l.listed(b) && !strings.Contains(chat, "does not know") {
		t.Errorf("the chat does not know what has happened:\n%s", chat)
	}
}

// listed reports whether the service lists the orders of an errand anywhere.
func (l *lab) listed(b *errand) bool { return b.mode() != sim.Current }

// copyFile copies a file.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
