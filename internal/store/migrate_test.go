package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// meta reads what the store knows of itself.
func (h *harness) meta() (m struct {
	Schema int
	ID     string
}) {
	h.Helper()
	r, err := only(h.records(store.KindMeta), nil)
	if err == nil {
		err = json.Unmarshal(r.Value, &m)
	}
	if err != nil {
		h.Fatal(err)
	}
	return m
}

// rename is a migration that renames all chats' languages.
func rename(from, to string) func(store.RecordTx) error {
	return func(tx store.RecordTx) error {
		r, err := tx.Get(store.KindChat, fmt.Sprintf("%016x", uint64(5)+1<<63))
		if err != nil {
			return err
		}
		if !bytes.Contains(r.Value, []byte(`"`+from+`"`)) {
			return fmt.Errorf("the language is not %q", from)
		}
		r.Value = bytes.ReplaceAll(r.Value, []byte(`"`+from+`"`), []byte(`"`+to+`"`))
		_, err = tx.Put(r)
		return err
	}
}

// language is chat 5's.
func (h *harness) language() string {
	h.Helper()
	c, err := h.store.Chat(h.Context(), 5)
	if err != nil {
		h.Fatal(err)
	}
	return c.Language
}

// withLanguage is a harness in which chat 5 speaks the language a, closed.
func withLanguage(t *testing.T) *harness {
	t.Helper()
	h := newHarness(t)
	h.do(func(tx *store.Tx) error { return tx.PutChat(&store.Chat{ID: 5, Language: "a"}) })
	h.close()
	return h
}

// upgrade opens a harness with more migrations.
func (h *harness) upgrade(more ...func(store.RecordTx) error) error {
	h.Helper()
	h.engine = storetest.Engine(h, h.path)
	var err error
	h.store, err = store.OpenWith(h.Context(), h.engine, storetest.Keyring(h), more...)
	return err
}

// TestMigrations run in order, each once.
func TestMigrations(t *testing.T) {
	h := withLanguage(t)
	if err := h.upgrade(rename("a", "b")); err != nil {
		t.Fatal(err)
	}
	before := h.meta()
	if got := h.language(); got != "b" || before.Schema != store.Schema()+1 {
		t.Errorf("language %q, schema %d", got, before.Schema)
	}
	h.close()
	steps := []func(store.RecordTx) error{rename("a", "b"), rename("b", "c"), rename("c", "d")} // the first has run
	for range 2 {
		if err := h.upgrade(steps...); err != nil {
			t.Fatal(err)
		}
		after := h.meta()
		if got := h.language(); got != "d" || after.Schema != store.Schema()+3 || after.ID != before.ID {
			t.Errorf("language %q, then %+v came of %+v", got, after, before)
		}
		h.close()
	}
}

// TestFailedMigration leaves the version before it, with all that it had.
func TestFailedMigration(t *testing.T) {
	h := withLanguage(t)
	errStop := errors.New("stop")
	for name, last := range map[string]func(store.RecordTx) error{
		"error": func(store.RecordTx) error { return errStop },
		"panic": func(store.RecordTx) error { panic(errStop) },
	} {
		err := func() (err error) {
			defer func() {
				if v := recover(); v != nil {
					err = v.(error)
				}
			}()
			return h.upgrade(rename("a", "b"), rename("b", "c"), last)
		}()
		if !errors.Is(err, errStop) || name == "error" && !strings.Contains(err.Error(), fmt.Sprintf("schema %d", store.Schema()+3)) {
			t.Errorf("%s: %v", name, err)
		}
		if err := h.engine.Close(); err != nil {
			t.Fatal(err)
		}
		h.open()
		if got := h.meta(); got.Schema != store.Schema() || h.language() != "a" {
			t.Errorf("%s: language %q, schema %d", name, h.language(), got.Schema)
		}
		h.close()
	}
	if err := h.upgrade(rename("a", "b")); err != nil {
		t.Errorf("the next program: %v", err)
	}
}

// TestMovementsAreCounted: in a file of schema 1 an account that was unlinked is forgotten, while its movements stay.
// Linked again it counts from one, and none of its movements could be written. The next start heals both.
func TestMovementsAreCounted(t *testing.T) {
	h := newHarness(t)
	move := func(account string, times int) {
		h.do(func(tx *store.Tx) error {
			a, err := tx.Account(account)
			if errors.Is(err, store.ErrNotFound) {
				a, err = store.Account{ID: account, Key: secret.New("CANARY-Key")}, nil
			}
			for range times {
				err = errors.Join(err, tx.AddMovement(&a, store.Movement{Kind: store.Bought}))
			}
			return errors.Join(err, tx.PutAccount(&a))
		})
	}
	move("k1", 300)
	move("u2", 3)
	move("u3", 2)
	before := must(h.store.Account(t.Context(), "u2"))(t)
	h.plant(func(tx store.RecordTx) error { // as schema 1 has left it: k1 is gone, u2 was linked again, u3 was never away
		gone, err := tx.Get(store.KindAccount, "k1")
		again, err2 := tx.Get(store.KindAccount, "u2")
		again.Value = bytes.ReplaceAll(again.Value, []byte(`"Movements":3`), []byte(`"Movements":0`))
		m, err3 := tx.Get(store.KindMeta, "store")
		m.Value = bytes.ReplaceAll(m.Value, fmt.Appendf(nil, `"Schema":%d,"Shape":%q`, store.Schema(), store.Shape()), []byte(`"Schema":1,"Shape":""`))
		_, err4 := tx.Put(again)
		_, err5 := tx.Put(m)
		return errors.Join(err, err2, err3, err4, err5, tx.Delete(gone))
	})
	if got := h.meta().Schema; got != 1 {
		t.Fatalf("the file is of schema %d", got)
	}
	h.reopen()
	for account, want := range map[string]uint64{"k1": 300, "u2": 3, "u3": 2} {
		a := must(h.store.Account(t.Context(), account))(t)
		if a.Movements != want || a.Key.IsZero() != (account == "k1") || a.Retired != (account == "k1") {
			t.Errorf("%s has had %d movements, want %d: %+v", account, a.Movements, want, a)
		}
	}
	if a := must(h.store.Account(t.Context(), "u2"))(t); a.Key.Reveal() != before.Key.Reveal() || !a.LinkedAt.Equal(before.LinkedAt) {
		t.Errorf("what else the account knows was changed: %+v", a)
	}
	move("k1", 1)
	move("u2", 2)
	if n := len(must(h.store.Movements(t.Context(), "k1", 999))(t)); n != 301 {
		t.Errorf("k1 has %d movements", n)
	}
	storetest.Sound(t, h.store)
}

// TestNewerFileIsRefused, and not touched: the program that wrote it will want it back.
func TestNewerFileIsRefused(t *testing.T) {
	storetest.NeedsFile(t)
	h := withLanguage(t)
	if err := h.upgrade(rename("a", "b")); err != nil {
		t.Fatal(err)
	}
	h.close()
	before := must(os.ReadFile(h.path))(t)
	e := storetest.Engine(t, h.path)
	_, err := store.Open(t.Context(), e, storetest.Keyring(t))
	if !errors.Is(err, store.ErrNewer) || !strings.Contains(err.Error(), "newer version of this program") {
		t.Errorf("it opens: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if after := must(os.ReadFile(h.path))(t); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
}

// TestAnotherShapeIsRefused: two programs that were made side by side may count different records by one number. Neither
// takes the other's file.
func TestAnotherShapeIsRefused(t *testing.T) {
	storetest.NeedsFile(t)
	for name, number := range map[string]int{"of the same number": store.Schema(), "of the number before": store.Schema() - 1} {
		h := withLanguage(t)
		h.engine = storetest.Engine(t, h.path)
		h.plant(func(tx store.RecordTx) error {
			m, err := tx.Get(store.KindMeta, "store")
			m.Value = bytes.ReplaceAll(m.Value, fmt.Appendf(nil, `"Schema":%d,"Shape":%q`, store.Schema(), store.Shape()), fmt.Appendf(nil, `"Schema":%d,"Shape":"another"`, number))
			_, err2 := tx.Put(m)
			return errors.Join(err, err2)
		})
		before := must(os.ReadFile(h.path))(t)
		if _, err := store.Open(t.Context(), h.engine, storetest.Keyring(t)); !errors.Is(err, store.ErrNewer) {
			t.Errorf("%s: it opens: %v", name, err)
		}
		if err := h.engine.Close(); err != nil {
			t.Fatal(err)
		}
		if after := must(os.ReadFile(h.path))(t); !bytes.Equal(before, after) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// TestOpeningWritesNothing to a file that is up to date.
func TestOpeningWritesNothing(t *testing.T) {
	storetest.NeedsFile(t)
	h := newHarness(t)
	first := h.meta()
	if first.Schema != store.Schema() || len(first.ID) != 32 {
		t.Errorf("a new file says %+v", first)
	}
	h.close()
	before := must(os.ReadFile(h.path))(t)
	h.open()
	if again := h.meta(); again != first {
		t.Errorf("%+v became %+v", first, again)
	}
	h.close()
	if after := must(os.ReadFile(h.path))(t); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
	if other := newHarness(t).meta(); other.ID == first.ID {
		t.Error("another file has the same id")
	}
}

// TestBrokenMeta: a file that does not say what it is must not pass for a new one.
func TestBrokenMeta(t *testing.T) {
	for name, c := range map[string]struct {
		value string
		want  string
	}{
		"empty":        {"", "decode the meta record"},
		"cut":          {`{"Schema":1,"ID":"x`, "decode the meta record"},
		"another type": {`{"Schema":"1"}`, "decode the meta record"},
		"no key check": {`{"Schema":1,"ID":"x"}`, "ENCRYPTION_KEYS"},
	} {
		h := newHarness(t)
		r := h.records(store.KindMeta)[0]
		r.Value = []byte(c.value)
		h.plant(func(tx store.RecordTx) error { _, err := tx.Put(r); return err })
		if _, err := store.Open(t.Context(), h.engine, storetest.Keyring(t)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// frozen is a record in a file of testdata, its value readable but for what is sealed.
type frozen struct {
	Kind  store.Kind
	Key   string
	Due   time.Time `json:",omitzero"`
	Value string
}

// TestFilesOfOldSchemas: records as each version wrote them are still read, with nothing lost. Where a
// schema has no file yet the test writes it, from then on the file must stay as it is: such are out there.
func TestFilesOfOldSchemas(t *testing.T) {
	for schema := 1; schema <= store.Schema(); schema++ {
		t.Run(strconv.Itoa(schema), func(t *testing.T) {
			path := filepath.Join("testdata", fmt.Sprintf("schema%d.json", schema))
			text, err := os.ReadFile(path)
			if errors.Is(err, os.ErrNotExist) && schema == store.Schema() {
				freeze(t, path)
				t.Fatalf("%s was not there and is written now: commit it", path)
			}
			var list []frozen
			if err == nil {
				err = json.Unmarshal(text, &list)
			}
			if err != nil {
				t.Fatal(err)
			}
			checkFrozen(t, list, schema == store.Schema())
		})
	}
}

// freeze writes all records of a filled store.
func freeze(t *testing.T, path string) {
	t.Helper()
	h := newHarness(t)
	h.furnish()
	var list []frozen
	for _, b := range tree(t) {
		for _, r := range h.records(store.Kind(b.kind)) {
			if text, err := store.JSONOf(r.Value); err == nil {
				r.Value = append([]byte{1}, text...) // a packed one is no text
			}
			list = append(list, frozen{r.Kind, r.Key, r.Due, string(r.Value)})
		}
	}
	text, err := json.MarshalIndent(list, "", "\t")
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, append(text, '\n'), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// checkFrozen opens a harness with these records and compares what it says with what they hold. Records of the
// schema of today have to be written again as they were, but for fields that came later.
func checkFrozen(t *testing.T, list []frozen, today bool) {
	t.Helper()
	h := &harness{TB: t, path: filepath.Join(t.TempDir(), "bot.db")}
	h.engine = storetest.Engine(t, h.path)
	h.plant(func(tx store.RecordTx) error {
		for _, f := range list {
			if _, err := tx.Put(store.Record{Kind: f.Kind, Key: f.Key, Due: f.Due, Value: []byte(f.Value)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := h.engine.Close(); err != nil {
		t.Fatal(err)
	}
	h.open()
	storetest.Sound(t, h.store)
	ctx := t.Context()
	a, o := must(h.store.Account(ctx, "u42"))(t), must(h.store.Order(ctx, "u42", "O/1"))(t)
	p, s := must(h.store.Purchase(ctx, queuedID))(t), must(h.store.Session(ctx, group, person))(t)
	in, players := must(only(h.store.PendingUpdates(ctx, 0, 9)))(t), must(h.store.Players(ctx, group, "u42"))(t)
	for name, pair := range map[string][2]string{
		"key": {a.Key.Reveal(), "CANARY-Key"}, "code": {o.Code.Reveal(), "CANARY-Code"}, "notes": {o.Notes.Reveal(), "CANARY-Notes"},
		"session": {string(s.Data), `{"text":"CANARY-Data"}`}, "update": {string(in.Raw), `{"text":"CANARY-Raw"}`},
		"input": {p.Inputs[0].Value, "CANARY-Value"}, "player": {p.Player.Name, "CANARY-Name"}, "players": {players[0].Name, "CANARY-Name"},
		"total": {p.Total.String(), "12.3456"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("the %s is %q, want %q", name, pair[0], pair[1])
		}
	}
	if got := ids(must(h.store.ChatPurchases(ctx, group, "", 9))(t), purchaseID); !slices.Equal(got, []string{queuedID, draftID}) {
		t.Errorf("the chat's purchases are %v", got)
	}
	if !today {
		return
	}
	read := map[store.Kind]any{
		store.KindAccount: a, store.KindOrder: o, store.KindSession: s, store.KindInbox: in,
		store.KindChat: must(h.store.Chat(ctx, group))(t), store.KindAlerts: must(h.store.Alerts(ctx, group, "u42"))(t), store.KindOutbox: must(only(h.store.ChatOutbox(ctx, group, 9)))(t),
		store.KindMovement: must(only(h.store.Movements(ctx, "u42", 9)))(t),
	}
	for _, f := range list {
		if f.Kind == store.KindPurchase {
			read[f.Kind] = must(h.store.Purchase(ctx, f.Key))(t)
		}
		if read[f.Kind] != nil {
			keptOpen(t, f, read[f.Kind])
		}
	}
}

// keptOpen fails the test unless every open field of a frozen record is one of v, and equal.
func keptOpen(t *testing.T, f frozen, v any) {
	t.Helper()
	var old struct{ O any }
	var now any
	text, err := json.Marshal(v)
	if err = errors.Join(err, json.Unmarshal([]byte(f.Value[1:]), &old), json.Unmarshal(text, &now)); err != nil {
		t.Fatal(err)
	}
	if what := lost(old.O, now); what != "" {
		t.Errorf("%s %q is not read as it was written: %s", f.Kind, f.Key, what)
	}
}

// lost names a part of old that now does not have. What came later may be there besides.
func lost(old, now any) string {
	switch old := old.(type) {
	case map[string]any:
		fields, _ := now.(map[string]any)
		for name, value := range old {
			if what := lost(value, fields[name]); what != "" {
				return name + " " + what
			}
		}
	case []any:
		list, _ := now.([]any)
		if len(list) != len(old) {
			return fmt.Sprintf("%v, was %v", now, old)
		}
		for i := range old {
			if what := lost(old[i], list[i]); what != "" {
				return what
			}
		}
	default:
		if old != now {
			return fmt.Sprintf("%v, was %v", now, old)
		}
	}
	return ""
}
