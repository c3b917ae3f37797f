package store_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/seal"
	"resellerbot/internal/store/storetest"
)

// draw fills a value with anything that its type can hold, so that a field that is added is tried too.
func draw(rt *rapid.T, v reflect.Value, name string) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		zone := time.FixedZone("", 3600*rapid.IntRange(-12, 14).Draw(rt, name+" zone"))
		*p = time.Unix(rapid.Int64Range(0, 1<<34).Draw(rt, name), rapid.Int64Range(0, 999_999_999).Draw(rt, name+" ns")).In(zone)
		return
	case *secret.Text:
		*p = secret.New(rapid.String().Draw(rt, name))
		return
	case *dzd.Amount:
		*p = dzd.Must(fmt.Sprintf("%de-4", rapid.Int64Range(-1e15, 1e15).Draw(rt, name)))
		return
	case *[]byte:
		*p = rapid.SliceOf(rapid.Byte()).Draw(rt, name)
		return
	case *json.RawMessage: // it is sealed as it is, so it need not be JSON
		*p = rapid.SliceOf(rapid.Byte()).Draw(rt, name)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.String().Draw(rt, name))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(rt, name))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(rt, name))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(rt, name))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(rt, name))
	case reflect.Pointer:
		if rapid.Bool().Draw(rt, name+" there") {
			v.Set(reflect.New(v.Type().Elem()))
			draw(rt, v.Elem(), name)
		}
	case reflect.Slice:
		for range rapid.IntRange(0, 2).Draw(rt, name+" length") {
			one := reflect.New(v.Type().Elem()).Elem()
			draw(rt, one, name)
			v.Set(reflect.Append(v, one))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 2).Draw(rt, name+" length") {
			one := reflect.New(v.Type().Elem()).Elem()
			draw(rt, one, name)
			at := reflect.New(v.Type().Key()).Elem()
			draw(rt, at, name+" key")
			v.SetMapIndex(at, one)
		}
	case reflect.Struct:
		for f, field := range v.Fields() {
			if f.IsExported() {
				draw(rt, field, name+"."+f.Name)
			}
		}
	default:
		rt.Fatalf("%s: nothing draws a %s yet", name, v.Type())
	}
}

// drawn is a T full of anything.
func drawn[T any](rt *rapid.T) (v T) {
	draw(rt, reflect.ValueOf(&v).Elem(), reflect.TypeFor[T]().Name())
	return v
}

// equal compares two records but for their versions, a missing list being an empty one.
func equal[T any](want, got T) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".rev" }, cmp.Ignore()))
}

// comesBack puts a record and reads it, in the transaction that wrote it and outside.
func comesBack[T any](rt *rapid.T, h *harness, want T, put func(*store.Tx, *T) error, within func(*store.Tx) (T, error), outside func(context.Context) (T, error)) {
	err := h.store.Update(context.Background(), func(tx *store.Tx) error {
		v := want
		if err := put(tx, &v); err != nil {
			return err
		}
		got, err := within(tx)
		if diff := equal(want, got); err == nil && diff != "" {
			rt.Errorf("within the transaction: put (-), got (+):\n%s", diff)
		}
		return err
	})
	if err != nil {
		rt.Fatal(err)
	}
	got, err := outside(context.Background())
	if diff := equal(want, got); err != nil || diff != "" {
		rt.Fatalf("%v: put (-), got (+):\n%s", err, diff)
	}
}

// nonEmpty is a text that can be part of a key.
func nonEmpty(rt *rapid.T) string { return rapid.StringN(1, 20, 60).Draw(rt, "id") }

// TestRecordsComeBack: every record type, whatever its fields hold.
func TestRecordsComeBack(t *testing.T) {
	h := newHarness(t)
	serial := 0 // ids that no other draw has
	for name, try := range map[string]func(*rapid.T){
		"account": func(rt *rapid.T) {
			want := drawn[store.Account](rt)
			want.ID = fmt.Sprint("u", serial)
			comesBack(rt, h, want, (*store.Tx).PutAccount,
				func(tx *store.Tx) (store.Account, error) { return tx.Account(want.ID) },
				func(ctx context.Context) (store.Account, error) { return h.store.Account(ctx, want.ID) })
		},
		"chat": func(rt *rapid.T) {
			want := drawn[store.Chat](rt)
			want.ID = int64(serial) - 50
			comesBack(rt, h, want, (*store.Tx).PutChat,
				func(tx *store.Tx) (store.Chat, error) { return tx.Chat(want.ID) },
				func(ctx context.Context) (store.Chat, error) { return h.store.Chat(ctx, want.ID) })
			drawn, err := h.store.Chat(context.Background(), want.ID)
			if err != nil {
				rt.Fatal(err)
			}
			drawn.Others = nil // there are no such accounts, as Check would tell
			h.do(func(tx *store.Tx) error { c := drawn; return tx.PutChat(&c) })
		},
		"alerts": func(rt *rapid.T) {
			want := drawn[store.Alerts](rt)
			want.Chat = int64(serial) - 50
			comesBack(rt, h, want, (*store.Tx).PutAlerts,
				func(tx *store.Tx) (store.Alerts, error) { return tx.Alerts(want.Chat, want.Account) },
				func(ctx context.Context) (store.Alerts, error) { return h.store.Alerts(ctx, want.Chat, want.Account) })
		},
		"times": func(rt *rapid.T) {
			want := drawn[store.Times](rt)
			want.Item = fmt.Sprint("products:", serial)
			comesBack(rt, h, want, (*store.Tx).PutTimes,
				func(tx *store.Tx) (store.Times, error) { return tx.Times(want.Item) },
				func(ctx context.Context) (store.Times, error) { return h.store.Times(ctx, want.Item) })
		},
		"movement": func(rt *rapid.T) {
			want := drawn[store.Movement](rt)
			account := store.Account{ID: fmt.Sprint("m", serial), Movements: rapid.Uint64Max(1<<40).Draw(rt, "movements")}
			h.do(func(tx *store.Tx) error { return tx.AddMovement(&account, want) })
			want.Account, want.Number = account.ID, account.Movements
			got, err := only(h.store.Movements(context.Background(), account.ID, 9))
			if diff := equal(want, got); err != nil || diff != "" {
				rt.Fatalf("%v: put (-), got (+):\n%s", err, diff)
			}
		},
		"players": func(rt *rapid.T) {
			want := drawn[store.Player](rt)
			h.do(func(tx *store.Tx) error { return tx.Remember(int64(serial), "u1", want) })
			want.Was, want.Facts = nil, nil // of one purchase only
			got, err := only(h.store.Players(context.Background(), int64(serial), "u1"))
			if diff := equal(want, got); err != nil || diff != "" {
				rt.Fatalf("%v: put (-), got (+):\n%s", err, diff)
			}
		},
		"session": func(rt *rapid.T) {
			want := drawn[store.Session](rt)
			comesBack(rt, h, want, (*store.Tx).PutSession,
				func(tx *store.Tx) (store.Session, error) { return tx.Session(want.Chat, want.User) },
				func(ctx context.Context) (store.Session, error) { return h.store.Session(ctx, want.Chat, want.User) })
		},
		"purchase": func(rt *rapid.T) {
			want := drawn[store.Purchase](rt)
			want.ID = store.NewID(time.UnixMilli(int64(serial)), strings.NewReader("0123456789abcdef"))
			comesBack(rt, h, want, (*store.Tx).PutPurchase,
				func(tx *store.Tx) (store.Purchase, error) { return tx.Purchase(want.ID) },
				func(ctx context.Context) (store.Purchase, error) { return h.store.Purchase(ctx, want.ID) })
		},
		"order": func(rt *rapid.T) {
			want := drawn[store.Order](rt)
			want.Account, want.ID = fmt.Sprint("o", serial), nonEmpty(rt)
			comesBack(rt, h, want, (*store.Tx).PutOrder,
				func(tx *store.Tx) (store.Order, error) { return tx.Order(want.Account, want.ID) },
				func(ctx context.Context) (store.Order, error) { return h.store.Order(ctx, want.Account, want.ID) })
		},
		"outgoing": func(rt *rapid.T) {
			want := drawn[store.Outgoing](rt)
			want.Chat, want.ID = int64(serial)-50, nonEmpty(rt)
			comesBack(rt, h, want, (*store.Tx).Enqueue,
				func(tx *store.Tx) (store.Outgoing, error) { return tx.Outgoing(want.Chat, want.ID) },
				func(ctx context.Context) (store.Outgoing, error) {
					return only(h.store.ChatOutbox(ctx, want.Chat, 9))
				})
		},
		"incoming": func(rt *rapid.T) {
			want := drawn[store.Incoming](rt)
			want.ID, want.State = int64(serial), store.New
			if _, err := h.store.AddUpdates(context.Background(), []store.Incoming{want}); err != nil {
				rt.Fatal(err)
			}
			got, err := only(h.store.PendingUpdates(context.Background(), want.ID-1, 1))
			if diff := equal(want, got); err != nil || diff != "" {
				rt.Fatalf("%v: put (-), got (+):\n%s", err, diff)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				serial++
				try(rt)
			})
		})
	}
	storetest.Sound(t, h.store)
}

// only is the one record of a list.
func only[T any](list []T, err error) (v T, _ error) {
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("%d records, want 1", len(list))
	}
	if err != nil {
		return v, err
	}
	return list[0], nil
}

// TestNotThere: a record that is not there is told from one that is empty.
func TestNotThere(t *testing.T) {
	h := newHarness(t)
	none := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	h.do(func(tx *store.Tx) error {
		_, err := tx.Account("u1")
		none("account", err)
		_, err = tx.Chat(1)
		none("chat", err)
		_, err = tx.Purchase(draftID)
		none("purchase", err)
		_, err = tx.Order("u1", "1")
		none("order", err)
		_, err = tx.Outgoing(1, "1")
		none("outgoing", err)
		return nil
	})
	_, err := h.store.Account(t.Context(), "u1")
	none("account, outside", err)
	_, err = h.store.Chat(t.Context(), 1)
	none("chat, outside", err)
	_, err = h.store.Purchase(t.Context(), draftID)
	none("purchase, outside", err)
	_, err = h.store.Order(t.Context(), "u1", "1")
	none("order, outside", err)
	// Nobody has set an alert until they do, and nobody stands anywhere.
	if a, err := h.store.Alerts(t.Context(), 1, "u1"); err != nil || a.Chat != 1 || len(a.Products) > 0 {
		t.Errorf("alerts %+v, %v", a, err)
	}
	if s, err := h.store.Session(t.Context(), 1, 2); err != nil || s.Flow != "" {
		t.Errorf("session %+v, %v", s, err)
	}
}

// TestStaleRecords: each type that is changed by several knows when it was read too early.
func TestStaleRecords(t *testing.T) {
	h := newHarness(t)
	h.furnish()
	try := func(name string, change func(tx *store.Tx) error) {
		t.Helper()
		if err := h.store.Update(t.Context(), change); !errors.Is(err, store.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	account, chat := must(h.store.Account(t.Context(), "u42"))(t), must(h.store.Chat(t.Context(), group))(t)
	purchase, order := must(h.store.Purchase(t.Context(), queuedID))(t), must(h.store.Order(t.Context(), "u42", "O/1"))(t)
	h.do(func(tx *store.Tx) error {
		a, c, p, o := account, chat, purchase, order
		return firstError(
			func() error { return tx.PutAccount(&a) }, func() error { return tx.PutAccount(&a) }, // the new version was noted
			func() error { return tx.PutChat(&c) }, func() error { return tx.PutChat(&c) },
			func() error { return tx.PutPurchase(&p) }, func() error { return tx.PutPurchase(&p) },
			func() error { return tx.PutOrder(&o) }, func() error { return tx.PutOrder(&o) },
		)
	})
	try("account", func(tx *store.Tx) error { return tx.PutAccount(&account) })
	try("chat", func(tx *store.Tx) error { return tx.PutChat(&chat) })
	try("purchase", func(tx *store.Tx) error { return tx.PutPurchase(&purchase) })
	try("order", func(tx *store.Tx) error { return tx.PutOrder(&order) })
	fresh := fullPurchase(queuedID, store.Queued)
	try("purchase that is there, as a new one", func(tx *store.Tx) error { return tx.PutPurchase(&fresh) })
}

// TestFailedTransactionLeavesNothing, neither records nor their indexes nor a hint that something waits.
func TestFailedTransactionLeavesNothing(t *testing.T) {
	h := newHarness(t)
	errStop := errors.New("stop")
	for name, run := range map[string]func(context.Context, func(*store.Tx) error) error{"Update": h.store.Update, "Batch": h.store.Batch} {
		err := run(t.Context(), func(tx *store.Tx) error {
			a, p, o, m := fullAccount(), fullPurchase(queuedID, store.Queued), fullOrder(), fullOutgoing()
			return firstError(
				func() error { return tx.PutAccount(&a) }, func() error { return tx.PutPurchase(&p) },
				func() error { return tx.PutOrder(&o) }, func() error { return tx.Enqueue(&m) },
				func() error { return errStop },
			)
		})
		if !errors.Is(err, errStop) {
			t.Errorf("%s: %v", name, err)
		}
		for _, b := range tree(t) {
			if list := h.records(store.Kind(b.kind)); len(list) > 0 && b.kind != "meta" {
				t.Errorf("%s leaves %v", name, list)
			}
		}
		for _, k := range []store.Kind{store.KindOutbox, store.KindOrder} {
			select {
			case <-h.store.Wake(k):
				t.Errorf("%s wakes who waits for %s", name, k)
			default:
			}
		}
	}
}

// TestDeleted: what is forgotten is gone, and can be made anew. An account is never gone: it loses its key.
func TestDeleted(t *testing.T) {
	h := newHarness(t)
	h.furnish()
	h.do(func(tx *store.Tx) error {
		a, err := tx.Account("u42")
		a.Key = secret.Text{}
		return firstError(func() error { return err }, func() error { return tx.PutAccount(&a) },
			func() error { return tx.DeleteSession(group, person) }, func() error { return tx.DeleteSession(group, person) })
	})
	h.reopen()
	if a, err := h.store.Account(t.Context(), "u42"); err != nil || !a.Key.IsZero() || a.Movements == 0 {
		t.Errorf("the account: %+v, %v", a, err)
	}
	if s, err := h.store.Session(t.Context(), group, person); err != nil || s.Flow != "" {
		t.Errorf("the session: %+v, %v", s, err)
	}
	h.do(func(tx *store.Tx) error {
		a, err := tx.Account("u42")
		a.Key = secret.New("CANARY-Key")
		s := fullSession()
		return firstError(func() error { return err }, func() error { return tx.PutAccount(&a) }, func() error { return tx.PutSession(&s) })
	})
	if list, err := h.store.Accounts(t.Context(), "", 9); err != nil || len(list) != 1 || list[0].Key.Reveal() != "CANARY-Key" {
		t.Errorf("accounts %+v, %v", list, err)
	}
}

// TestLastSessionCounts: a session is put without having been read.
func TestLastSessionCounts(t *testing.T) {
	h := newHarness(t)
	for _, step := range []string{"one", "two", "three"} {
		h.do(func(tx *store.Tx) error {
			return tx.PutSession(&store.Session{Chat: group, User: person, Step: step})
		})
	}
	if s := must(h.store.Session(t.Context(), group, person))(t); s.Step != "three" {
		t.Errorf("the session is at %q", s.Step)
	}
	if s := must(h.store.Session(t.Context(), person, group))(t); s.Step != "" {
		t.Errorf("somebody else's session is at %q", s.Step)
	}
}

// TestAccountsByPages: each once, by id.
func TestAccountsByPages(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		for i := range 25 {
			if err := tx.PutAccount(&store.Account{ID: fmt.Sprintf("u%02d", 24-i)}); err != nil {
				return err
			}
		}
		return nil
	})
	var ids []string
	for after := ""; len(ids) <= 25; {
		page := must(h.store.Accounts(t.Context(), after, 10))(t)
		if len(page) == 0 {
			break
		}
		for _, a := range page {
			ids = append(ids, a.ID)
		}
		after = page[len(page)-1].ID
	}
	if len(ids) != 25 || ids[0] != "u00" || ids[24] != "u24" {
		t.Errorf("accounts %v", ids)
	}
}

// hidden lists how a text could lie in a file without being seen at once: as it is, in hexadecimal, and in
// base64, where it looks different at each of three places.
func hidden(text string) (forms []string) {
	forms = append(forms, text, fmt.Sprintf("%x", text))
	for shift := range 3 {
		// The first and last digits depend on what stands next to the text.
		s := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + text))
		forms = append(forms, s[(shift*8+5)/6:(shift+len(text))*8/6])
	}
	return forms
}

// TestSecretsNeverLieOpen: neither in the file, nor in a backup, nor in pages that are free again.
func TestSecretsNeverLieOpen(t *testing.T) {
	storetest.NeedsFile(t)
	h := newHarness(t)
	h.furnish()
	h.do(func(tx *store.Tx) error { // written again, and some of it deleted
		a, err := tx.Account("u42")
		p, err2 := tx.Purchase(draftID)
		p.Phase = store.Dropped
		a.Key = secret.Text{}
		return firstError(func() error { return err }, func() error { return tx.PutAccount(&a) },
			func() error { return err2 }, func() error { return tx.PutPurchase(&p) },
			func() error { return tx.DeleteSession(group, person) }, func() error { return tx.UpdateDone(900) })
	})
	if o := must(h.store.Order(t.Context(), "u42", "O/1"))(t); o.Code.Reveal() != "CANARY-Code" {
		t.Fatalf("the search is for another text than %s", o.Code.Reveal())
	}
	backup := filepath.Join(t.TempDir(), "copy.db")
	if err := h.engine.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	var unpacked []byte // what the files hold in a form that a search does not see through
	for _, b := range tree(t) {
		for _, r := range h.records(store.Kind(b.kind)) {
			if text, err := store.JSONOf(r.Value); err == nil {
				unpacked = append(unpacked, text...)
			}
		}
	}
	h.close()
	for _, path := range []string{h.path, backup} {
		raw := append(must(os.ReadFile(path))(t), unpacked...)
		for _, form := range hidden("CANARY-") {
			if i := bytes.Index(raw, []byte(form)); i >= 0 {
				t.Errorf("a secret lies open: %q", raw[i:i+40])
			}
		}
		for _, open := range []string{"OPEN-Status", "OPEN-Product"} { // or the search proves nothing
			if !bytes.Contains(raw, []byte(open)) {
				t.Errorf("%s is not found", open)
			}
		}
	}
}

// TestHiddenFindsBase64 tries the search itself.
func TestHiddenFindsBase64(t *testing.T) {
	for shift := range 4 {
		text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("?", shift) + "CANARY-" + "??"))
		found := false
		for _, form := range hidden("CANARY-")[2:] {
			found = found || strings.Contains(text, form)
		}
		if !found {
			t.Errorf("not found in %s", text)
		}
	}
}

// TestErrorsQuoteNoSecret: what cannot be read is named by its place.
func TestErrorsQuoteNoSecret(t *testing.T) {
	h := newHarness(t)
	h.plant(func(tx store.RecordTx) error {
		for _, r := range []store.Record{
			{Kind: store.KindAccount, Key: "u1", Value: []byte("\x01{\"o\":{\"ID\":\"CANARY\"")},
			{Kind: store.KindAccount, Key: "u2", Value: []byte("\x01{\"o\":{\"ID\":7,\"Name\":\"CANARY\"}}")},
			{Kind: store.KindAccount, Key: "u3", Value: []byte("CANARY")},
			{Kind: store.KindAccount, Key: "u4", Value: []byte("\x01{\"o\":{},\"s\":{\"key\":\"Q0FOQVJZ\"}}")},
		} {
			if _, err := tx.Put(r); err != nil {
				return err
			}
		}
		return nil
	})
	for _, id := range []string{"u1", "u2", "u3", "u4"} {
		_, err := h.store.Account(t.Context(), id)
		if err == nil || !strings.Contains(err.Error(), id) || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("account %s: %v", id, err)
		}
	}
}

// key writes a master key of one repeated byte.
func key(id string, b byte) string {
	return id + ":" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32))
}

func keyring(tb testing.TB, keys ...string) *seal.Keyring {
	tb.Helper()
	r, err := seal.ParseKeyring(strings.Join(keys, ","))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestWrongKey: the operator is told which variable is wrong, and the data waits for the right one.
func TestWrongKey(t *testing.T) {
	storetest.NeedsFile(t)
	h := newHarness(t)
	h.furnish()
	h.close()
	before := must(os.ReadFile(h.path))(t)
	for name, r := range map[string]*seal.Keyring{
		"another id":                  keyring(t, key("other", 9)),
		"the same id for another key": keyring(t, key("test", 8)),
	} {
		e := storetest.Engine(t, h.path)
		_, err := store.Open(t.Context(), e, r)
		if !errors.Is(err, store.ErrWrongKey) || !strings.Contains(err.Error(), "ENCRYPTION_KEYS") {
			t.Errorf("%s: %v", name, err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := must(os.ReadFile(h.path))(t); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
	h.open()
	if a := must(h.store.Account(t.Context(), "u42"))(t); a.Key.Reveal() != "CANARY-Key" {
		t.Error("the right key does not open the account's")
	}
}

// TestKeysTakeTurns: a new first key seals from now on, and the old one still opens what it sealed.
func TestKeysTakeTurns(t *testing.T) {
	h := newHarness(t)
	h.furnish()
	h.close()
	e := storetest.Engine(t, h.path)
	s := must(store.Open(t.Context(), e, keyring(t, key("new", 1), key("test", 9))))(t)
	if a := must(s.Account(t.Context(), "u42"))(t); a.Key.Reveal() != "CANARY-Key" {
		t.Error("the old key does not open any more")
	}
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		return tx.PutAccount(&store.Account{ID: "u43", Key: secret.New("CANARY-new")})
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, current := range map[string]bool{"u42": false, "u43": true} {
		sealed := decoded(t, must(e.Get(t.Context(), store.KindAccount, id))(t)).Sealed["key"]
		if got := keyring(t, key("new", 1)).Current(sealed); got != current {
			t.Errorf("is %s sealed by the new key: %v", id, got)
		}
	}
}

// TestMissingKey: a record that was sealed by a key which is not there any more says so; others are read.
func TestMissingKey(t *testing.T) {
	h := newHarness(t)
	h.furnish()
	sealed, err := keyring(t, key("gone", 3)).Seal([]byte("CANARY-old"), "account", "u1", "key")
	if err != nil {
		t.Fatal(err)
	}
	value, err := json.Marshal(map[string]any{"o": store.Account{ID: "u1"}, "s": map[string][]byte{"key": sealed}})
	if err != nil {
		t.Fatal(err)
	}
	h.plant(func(tx store.RecordTx) error {
		_, err := tx.Put(store.Record{Kind: store.KindAccount, Key: "u1", Value: append([]byte{1}, value...)})
		return err
	})
	if _, err := h.store.Account(t.Context(), "u1"); !errors.Is(err, seal.ErrKey) {
		t.Errorf("without the key: %v", err)
	}
	if _, err := h.store.Account(t.Context(), "u42"); err != nil {
		t.Error(err)
	}
}
