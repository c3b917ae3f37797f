package store_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"resellerbot/internal/store"
	"resellerbot/internal/store/seal"
	"resellerbot/internal/store/storetest"
)

// Keys as ENCRYPTION_KEYS has them: the one that stores made here are sealed under, and another one.
var (
	oldKey = "test:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{9}, 32))
	newKey = "new:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{8}, 32))
)

// openUnder opens the file with a keyring of some keys.
func (h *harness) openUnder(keys ...string) error {
	h.Helper()
	keyring, err := seal.ParseKeyring(strings.Join(keys, ","))
	if err != nil {
		h.Fatal(err)
	}
	h.engine = storetest.Engine(h, h.path)
	h.store, err = store.Open(context.Background(), h.engine, keyring)
	if err != nil {
		h.engine.Close()
	}
	return err
}

// mustOpenUnder is openUnder that succeeds.
func (h *harness) mustOpenUnder(keys ...string) {
	h.Helper()
	if err := h.openUnder(keys...); err != nil {
		h.Fatal(err)
	}
}

// openValue is a record as it is without its seals: what is open in it, and what is sealed, opened.
type openValue struct {
	Key    string
	Due    string
	Open   string
	Sealed map[string]string
}

// opened lists all records of the kinds that hold sealed values, by the tree in the package comment, and of
// those values how many are sealed under a key.
func (h *harness) opened(t *testing.T, keys, under string) (list []openValue, sealed int) {
	t.Helper()
	keyring, err := seal.ParseKeyring(keys)
	if err != nil {
		t.Fatal(err)
	}
	current, err := seal.ParseKeyring(under)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range tree(t) {
		if b.sealed == "" || b.kind == string(store.KindMeta) {
			continue
		}
		for _, r := range h.records(store.Kind(b.kind)) {
			v := openValue{Key: b.kind + " " + r.Key, Due: r.Due.String(), Sealed: map[string]string{}}
			row := decoded(t, r)
			open, err := json.Marshal(row.Open)
			if err != nil {
				t.Fatal(err)
			}
			v.Open = string(open)
			for field, text := range row.Sealed {
				plain, err := keyring.Open(text, b.kind, r.Key, field)
				if err != nil {
					t.Errorf("%s of %s: %v", field, v.Key, err)
				}
				v.Sealed[field] = string(plain)
				if current.Current(text) {
					sealed++
				}
			}
			list = append(list, v)
		}
	}
	return list, sealed
}

// furnished is a full harness, closed, with what is in it and how many values of it are sealed.
func furnished(t *testing.T) (h *harness, want []openValue, sealed int) {
	t.Helper()
	h = newHarness(t)
	h.furnish()
	want, sealed = h.opened(t, oldKey, oldKey)
	if sealed < len(tree(t))/3 {
		t.Fatalf("only %d values are sealed", sealed)
	}
	h.close()
	return h, want, sealed
}

// TestRekey: everything is there as it was, due when it was, and needs the new key alone.
func TestRekey(t *testing.T) {
	h, want, sealed := furnished(t)
	h.mustOpenUnder(newKey, oldKey)
	done, err := h.store.Rekey(t.Context())
	if err != nil || done != (store.Rekeyed{Anew: sealed + 2}) { // and the proof, and the key of claims
		t.Errorf("%+v, %v", done, err)
	}
	got, _ := h.opened(t, newKey, newKey)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("before (-) and after (+):\n%s", diff)
	}
	h.close()
	h.mustOpenUnder(newKey)
	storetest.Sound(t, h.store)
	if a, err := h.store.Account(t.Context(), "u42"); err != nil || a.Key.Reveal() != fullAccount().Key.Reveal() {
		t.Errorf("the account's key is another one, %v", err)
	}
	again, err := h.store.Rekey(t.Context())
	if err != nil || again != (store.Rekeyed{Current: sealed + 2}) {
		t.Errorf("once more: %+v, %v", again, err)
	}
	h.close()
	if err := h.openUnder(oldKey); !errors.Is(err, store.ErrWrongKey) {
		t.Errorf("under the old key alone it opens: %v", err)
	}
}

// dying is an engine whose process is killed at one of its commits.
type dying struct {
	store.Engine

	lives int // commits that it lives to see
}

var errKilled = errors.New("killed")

// Update implements store.Engine.
func (d *dying) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	if d.lives--; d.lives < 0 {
		return errKilled
	}
	return d.Engine.Update(ctx, fn)
}

// TestRekeyIsResumed: killed at any commit, what is there is whole, nobody can start without the old key, and
// the next run does the rest, and only that.
func TestRekeyIsResumed(t *testing.T) {
	for lives := 0; ; lives++ {
		h, want, sealed := furnished(t)
		h.mustOpenUnder(newKey, oldKey)
		keyring, err := seal.ParseKeyring(newKey + "," + oldKey)
		if err != nil {
			t.Fatal(err)
		}
		short, err := store.Open(t.Context(), &dying{h.engine, lives}, keyring)
		if err != nil {
			t.Fatal(err)
		}
		first, err := short.Rekey(t.Context())
		if err == nil {
			if lives < 4 {
				t.Errorf("it takes only %d commits", lives)
			}
			return
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		h.close()
		if err := h.openUnder(newKey); !errors.Is(err, store.ErrWrongKey) {
			t.Errorf("killed at commit %d, it opens without the old key: %v", lives, err)
		}
		h.mustOpenUnder(newKey, oldKey)
		storetest.Sound(t, h.store)
		second, err := h.store.Rekey(t.Context())
		if err != nil || second != (store.Rekeyed{Anew: sealed + 2 - first.Anew, Current: first.Anew}) {
			t.Errorf("killed at commit %d, after %+v, the next run does %+v, %v", lives, first, second, err)
		}
		if got, _ := h.opened(t, newKey, newKey); !cmp.Equal(want, got) {
			t.Errorf("killed at commit %d: %s", lives, cmp.Diff(want, got))
		}
		h.close()
	}
}

// TestRekeyManyRecords: more than fit into one transaction, and some of them done before.
func TestRekeyManyRecords(t *testing.T) {
	const many = 700
	h := newHarness(t)
	orders := func(from, to int) {
		h.do(func(tx *store.Tx) error {
			for i := from; i < to; i++ {
				o := fullOrder()
				o.ID, o.Unit = store.OrderID("current", strings.Repeat("x", i%7)+string(rune('a'+i%26))+"/"+strings.Repeat("y", i/26)), i
				if err := tx.PutOrder(&o); err != nil {
					return err
				}
			}
			return nil
		})
	}
	orders(0, 400)
	h.close()
	h.mustOpenUnder(newKey, oldKey)
	orders(400, many)
	done, err := h.store.Rekey(t.Context())
	each := len(decoded(t, h.records(store.KindOrder)[0]).Sealed)
	if err != nil || done != (store.Rekeyed{Anew: each*400 + 2, Current: each * (many - 400)}) {
		t.Errorf("%+v, %v", done, err)
	}
	h.close()
	h.mustOpenUnder(newKey)
	storetest.Sound(t, h.store)
}

// TestRekeyWithoutAKey: what no key opens is named, and nothing says that it is done.
func TestRekeyWithoutAKey(t *testing.T) {
	h := newHarness(t)
	h.furnish()
	lost, err := seal.ParseKeyring("lost:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	h.plant(func(tx store.RecordTx) error {
		r, err := tx.Get(store.KindOrder, "u42/O/1")
		if err != nil {
			return err
		}
		row := decoded(t, r)
		if row.Sealed["code"], err = lost.Seal([]byte("CODE"), string(r.Kind), r.Key, "code"); err != nil {
			return err
		}
		text, err := json.Marshal(row)
		r.Value = append([]byte{1}, text...)
		if err == nil {
			_, err = tx.Put(r)
		}
		return err
	})
	h.close()
	h.mustOpenUnder(newKey, oldKey)
	if _, err := h.store.Rekey(t.Context()); !errors.Is(err, seal.ErrKey) || !strings.Contains(err.Error(), `code of order "u42/O/1"`) {
		t.Errorf("it says %v", err)
	}
	h.close()
	if err := h.openUnder(newKey); !errors.Is(err, store.ErrWrongKey) {
		t.Errorf("it opens without the old key: %v", err)
	}
}
