package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// chatKey is a chat as keys begin with it.
func chatKey(chat int64) string { return fmt.Sprintf("%016x", uint64(chat)+1<<63) }

// change puts another value into the first record of a kind, or a copy of it under another key.
func change(h *harness, k store.Kind, fn func(*store.Record)) {
	h.Helper()
	r := h.records(k)[0]
	key := r.Key
	if fn(&r); r.Key != key {
		r.Version = 0
	}
	h.plant(func(tx store.RecordTx) error { _, err := tx.Put(r); return err })
}

// remove deletes the first record of a kind.
func remove(h *harness, k store.Kind) {
	h.Helper()
	r := h.records(k)[0]
	h.plant(func(tx store.RecordTx) error { return tx.Delete(r) })
}

// add puts an index entry that nothing asks for.
func add(h *harness, k store.Kind, key, value string) {
	h.Helper()
	h.plant(func(tx store.RecordTx) error {
		_, err := tx.Put(store.Record{Kind: k, Key: key, Value: []byte(value)})
		return err
	})
}

// TestCheckFindsWhatIsWrong: each case is a filled store with one thing spoiled below the store.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	queuedEntry := chatKey(group) + "/" + strings.Map(opposite, queuedID)
	for name, c := range map[string]struct {
		spoil func(*harness)
		want  []string // each problem has one of them
	}{
		"nothing": {func(*harness) {}, nil},
		"unknown format": {func(h *harness) {
			change(h, store.KindChat, func(r *store.Record) { r.Value[0] = 3 })
		}, []string{`decode chat "` + chatKey(group) + `": unknown format`}},
		"no value": {func(h *harness) {
			change(h, store.KindChat, func(r *store.Record) { r.Value = nil })
		}, []string{`decode chat "` + chatKey(group) + `": unknown format`}},
		"cut value": {func(h *harness) {
			change(h, store.KindOutbox, func(r *store.Record) { r.Value = r.Value[:len(r.Value)/2] })
		}, []string{`decode outbox "` + chatKey(group)}},
		"value without a record": {func(h *harness) {
			change(h, store.KindSession, func(r *store.Record) { r.Value = []byte("\x01{\"o\":null}") })
		}, []string{`decode session "` + chatKey(group)}},
		"a flipped bit in what is sealed": {func(h *harness) {
			change(h, store.KindAccount, func(r *store.Record) {
				i := strings.Index(string(r.Value), `"key":"`) + 30
				r.Value[i] = "AB"[strings.Count(string(r.Value[i]), "A")] // another digit of base64
			})
		}, []string{`open key of account "u42": seal: the sealed value is broken`}},
		"a record under the key of another": {func(h *harness) {
			change(h, store.KindChat, func(r *store.Record) { r.Key = chatKey(5) })
		}, []string{`chat "` + chatKey(5) + `" holds the record of "` + chatKey(group) + `"`}},
		"a sealed value moved to another account": {func(h *harness) {
			h.do(func(tx *store.Tx) error { return tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("x")}) })
			list := h.records(store.KindAccount) // u1, u42
			change(h, store.KindAccount, func(r *store.Record) { r.Value = list[1].Value })
		}, []string{`open key of account "u1": seal: the sealed value is broken or not from here`}},
		"missing by chat":       {func(h *harness) { remove(h, store.KindByChat) }, []string{`missing index entry purchase_by_chat "` + queuedEntry + `"`}},
		"missing open":          {func(h *harness) { remove(h, store.KindOpen) }, []string{`missing index entry purchase_open "` + queuedID + `"`}},
		"missing pending":       {func(h *harness) { remove(h, store.KindPending) }, []string{`missing index entry order_pending "u42/O/1"`}},
		"needless by chat":      {func(h *harness) { add(h, store.KindByChat, "x/y", queuedID) }, []string{`needless index entry purchase_by_chat "x/y"`}},
		"needless open: draft":  {func(h *harness) { add(h, store.KindOpen, draftID, draftID) }, []string{`needless index entry purchase_open "` + draftID + `"`}},
		"needless open: none":   {func(h *harness) { add(h, store.KindOpen, "x", "x") }, []string{`needless index entry purchase_open "x"`}},
		"needless pending":      {func(h *harness) { add(h, store.KindPending, "u42/O-2", "") }, []string{`needless index entry order_pending "u42/O-2"`}},
		"an order that is gone": {func(h *harness) { remove(h, store.KindOrder) }, []string{`needless index entry order_pending "u42/O/1"`, `the book of account "u42" has a unit "O/1" that is no order`}},
		"books that do not add up": {func(h *harness) {
			change(h, store.KindBookBalance, func(r *store.Record) {
				r.Value = []byte(strings.Replace(string(r.Value), `"Debits":`, `"Debits":1`, 1))
			})
		}, []string{`book "u42": the balance of cost is not the sum of its lines`, `book "u42": the total of cost`}},
		"several things": {func(h *harness) {
			remove(h, store.KindOpen)
			add(h, store.KindPending, "x", "")
			change(h, store.KindChat, func(r *store.Record) { r.Value = nil })
		}, []string{`decode chat`, `missing index entry purchase_open`, `needless index entry order_pending "x"`}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			h.furnish()
			c.spoil(h)
			problems := must(h.store.Check(t.Context()))(t)
			if len(problems) != len(c.want) {
				t.Errorf("%d problems, want %d", len(problems), len(c.want))
			}
			for _, want := range c.want {
				if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, want) }) {
					t.Errorf("nothing of %s in %q", want, problems)
				}
			}
		})
	}
}

// opposite is a digit of an id as the index by chat has it.
func opposite(d rune) rune {
	digits := "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	return rune(digits[31-strings.IndexRune(digits, d)])
}

// TestCheckReadsEveryKind: a record that does not decode is found.
func TestCheckReadsEveryKind(t *testing.T) {
	for _, b := range tree(t) {
		if fields, _ := openFields(b.value); len(fields) == 0 {
			continue
		}
		t.Run(b.kind, func(t *testing.T) {
			h := newHarness(t)
			h.furnish()
			change(h, store.Kind(b.kind), func(r *store.Record) { r.Value = []byte("?") })
			problems := must(h.store.Check(t.Context()))(t)
			if !slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, "decode "+b.kind+" ") }) {
				t.Errorf("found: %q", problems)
			}
		})
	}
}

// TestCheckThatCannotRead does not call a store sound.
func TestCheckThatCannotRead(t *testing.T) {
	h := newHarness(t)
	h.furnish()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if problems, err := h.store.Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %q, %v", problems, err)
	}
	h.close()
	if problems, err := h.store.Check(t.Context()); err == nil {
		t.Errorf("closed: %q", problems)
	}
}

// TestCheckAllowsClaims: what somebody works on is not out of order.
func TestCheckAllowsClaims(t *testing.T) {
	h := newHarness(t)
	h.furnish()
	ctx := t.Context()
	must(h.store.ClaimOrders(ctx, noon().Add(time.Hour), time.Hour, 9))(t)
	must(h.store.ClaimOutbox(ctx, noon().Add(time.Hour), time.Hour, 9))(t)
	must(h.store.ClaimPurchases(ctx, noon().Add(time.Hour), time.Hour, 9))(t)
	must(h.store.ClaimAccounts(ctx, noon().Add(time.Hour), time.Hour, 9))(t)
	if problems := must(h.store.Check(ctx))(t); len(problems) > 0 {
		t.Errorf("found: %q", problems)
	}
}
