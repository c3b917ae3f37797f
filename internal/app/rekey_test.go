package app_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// TestRekey: afterwards the new key alone opens everything, and nothing in the file needs the old one.
func TestRekey(t *testing.T) {
	sampletest.Slow(t)
	s := newShelf(t)
	s.inStore(s.env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) { s.addOrders(st, 500) })
	old := s.env["ENCRYPTION_KEYS"]
	s.env["ENCRYPTION_KEYS"] = keyEntry("next", 8)
	s.refuse("rekey: open the store: ENCRYPTION_KEYS does not hold the key", "add that key behind the others", "rekey")
	s.env["ENCRYPTION_KEYS"] += "," + old
	if !s.holds("k1") || s.holds("next") {
		t.Fatal("the database is not under the old key alone")
	}
	said := s.succeed("rekey")
	if !strings.HasPrefix(said, "data/bot.db: ") || !strings.Contains(said, " values sealed anew, 0 were already.\n") {
		t.Errorf("it says %q", said)
	}
	if s.holds("k1") || !s.holds("next") {
		t.Error("something in the file is under the old key")
	}
	again := s.succeed("rekey")
	if !strings.Contains(again, ": 0 values sealed anew, ") {
		t.Errorf("once more it says %q", again)
	}
	s.env["ENCRYPTION_KEYS"] = keyEntry("next", 8)
	s.sound()
	s.startAndStop()
	s.env["ENCRYPTION_KEYS"] = old
	if got := s.run(); got.Code != app.ExitRefused || !strings.Contains(got.Stderr, "add that key behind the others") {
		t.Errorf("under the old key alone the bot starts: %+v", got)
	}
	if info, err := os.Stat(s.database()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
}

// holds reports whether the file holds anything that is sealed under a key.
func (s *shelf) holds(id string) bool {
	s.t.Helper()
	for text := range bytes.SplitSeq(s.read("data/bot.db"), []byte{'"'}) {
		if sealedUnder(text, id) {
			return true
		}
	}
	return false
}

// sealedUnder reports whether a text is the base64 of a value that is sealed under a key.
func sealedUnder(text []byte, id string) bool {
	head := append([]byte{1, byte(len(id))}, id...)
	n := base64.StdEncoding.EncodedLen(len(head)) - 4 // the characters that the head alone decides
	return len(text) > 20 && n > 0 && bytes.HasPrefix(text, []byte(base64.StdEncoding.EncodeToString(head)[:n]))
}

// addOrders adds many orders with codes to the shop's account, so that there is something to do.
func (s *shelf) addOrders(st *store.Store, n int) {
	s.t.Helper()
	all, err := st.Accounts(s.t.Context(), "", 1)
	if err != nil || len(all) != 1 {
		s.t.Fatal(all, err)
	}
	for from := 0; from < n; from += 100 {
		err = errors.Join(err, st.Update(s.t.Context(), func(tx *store.Tx) error {
			for i := from; i < from+100; i++ {
				o := store.Order{
					Account: all[0].ID, ID: fmt.Sprintf("MANY-%06d", i), State: store.Ready, Code: secret.New(fmt.Sprintf("MANY-CODE-%06d", i)),
					Notes: secret.New("a note"), CreatedAt: time.Now(),
				}
				if err := tx.PutOrder(&o); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.secrets = append(s.secrets, "MANY-CODE-000001")
}

// TestRekeyIsKilled: whenever that happens, the database is sound under both keys, the bot does not start without
// the old one before all of it is done, and the next run does the rest.
func TestRekeyIsKilled(t *testing.T) {
	t.Parallel()
	sampletest.Long(t)
	const orders = 3000
	s := newShelf(t)
	s.inStore(s.env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) { s.addOrders(st, orders) })
	both := keyEntry("next", 8) + "," + s.env["ENCRYPTION_KEYS"]
	s.env["ENCRYPTION_KEYS"] = both
	halves := 0
	kills := s.killedEarlier(func(killed bool) {
		s.env["ENCRYPTION_KEYS"] = both
		s.sound()
		s.env["ENCRYPTION_KEYS"] = keyEntry("next", 8)
		done := s.run("check").Code == 0
		s.env["ENCRYPTION_KEYS"] = both
		if done {
			return
		}
		if !killed {
			t.Error("it has come to its end, and the new key alone is not enough")
		}
		if s.holds("next") {
			halves++
		}
	}, "rekey")
	t.Logf("%d kills, %d of them half-way", kills, halves)
	if kills == 0 {
		t.Error("it was never killed")
	}
	s.env["ENCRYPTION_KEYS"] = keyEntry("next", 8)
	s.sound()
	s.inStore(s.env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) {
		all, err := st.Accounts(t.Context(), "", 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range orders {
			o, err := st.Order(t.Context(), all[0].ID, fmt.Sprintf("MANY-%06d", i))
			if err != nil || o.Code.Reveal() != fmt.Sprintf("MANY-CODE-%06d", i) {
				t.Fatalf("order %d: %v", i, err)
			}
		}
	})
	if s.holds("k1") {
		t.Error("something in the file is under the old key")
	}
	if left, err := filepath.Glob(s.path("data/.*")); err != nil || len(left) > 0 {
		t.Errorf("left beside the database: %v, %v", left, err)
	}
}

// TestRekeyIsRefused: where there is nothing to do it on, and under a running bot.
func TestRekeyIsRefused(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel() // it waits for a lock
	s := newShelf(t)
	s.refuse("unexpected argument", "see bot --help", "rekey", "now")
	p := s.start()
	s.awake(p)
	if got := s.run("rekey"); got.Code != app.ExitRefused || !strings.Contains(got.Stderr, "in use by another process") {
		t.Errorf("%+v", got)
	}
	p.Kill()
	s.write("data/bot.db", s.read("data/bot.db")[:40<<10])
	s.refuse("rekey: open the database data/bot.db: the file is damaged: ", "put a copy in its place with bot restore FILE", "rekey")
	s.env["DATABASE_PATH"] = "data/none.db"
	s.refuse("rekey: there is no database data/none.db", "see to DATABASE_PATH", "rekey")
}
