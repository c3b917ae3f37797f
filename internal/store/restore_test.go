package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// everyPhase lists all that a purchase can be in.
func everyPhase() []store.Phase {
	return []store.Phase{
		store.Drafted, store.Asked, store.Queued, store.Submitting, store.Accepted, store.Settled,
		store.Rejected, store.Unknown, store.NotCreated, store.Undecided, store.Dropped,
	}
}

// inPhase is the id of the purchase that is in a phase, in a harness with a copy's content.
func inPhase(ph store.Phase) string { return "P-" + string(ph) }

// furnishCopy puts a purchase in each phase into a harness, one account that they are of and one that has
// nothing. The status message of each waits in the outbox.
func (h *harness) furnishCopy() {
	h.Helper()
	h.do(func(tx *store.Tx) error {
		busy := store.Account{
			ID: "u1", Key: secret.New("CANARY-api-key"), Chats: []int64{group}, Busy: inPhase(store.Submitting), Queue: []string{inPhase(store.Queued)}, Open: 5,
			Retired: true, Wallet: store.Wallet{Available: dzd.Int(900), At: noon(), Read: true},
		}
		steps := []func() error{
			func() error { return tx.PutAccount(&busy) },
			func() error { return tx.PutAccount(&store.Account{ID: "u2", Key: secret.New("CANARY-api-key")}) },
		}
		for _, ph := range everyPhase() {
			p := store.Purchase{ID: inPhase(ph), Account: "u1", Chat: group, Message: 9, Phase: ph, Reason: "before", ExpiresAt: noon()}
			out := store.Outgoing{Chat: group, ID: p.ID, Kind: store.StatusMessage, Purchase: p.ID, Due: noon()}
			steps = append(steps, func() error { return tx.PutPurchase(&p) }, func() error { return tx.Enqueue(&out) })
		}
		return firstError(steps...)
	})
}

// TestAfterRestore: nothing that a copy knows can lead to a purchase, and what may have been sent is not
// said to be over.
func TestAfterRestore(t *testing.T) {
	h := newHarness(t)
	h.furnishCopy()
	now := noon().Add(time.Hour)
	got := must(store.AfterRestore(t.Context(), h.store, now))(t)
	if want := (store.Report{Drafts: 2, Queued: 1, Unknown: 1, Accounts: 2}); got != want {
		t.Errorf("it reports %+v, want %+v", got, want)
	}
	h.reopen()
	moved := map[store.Phase]store.Phase{store.Drafted: store.Dropped, store.Asked: store.Dropped, store.Queued: store.Dropped, store.Submitting: store.Unknown}
	for _, ph := range everyPhase() {
		p := must(h.store.Purchase(t.Context(), inPhase(ph)))(t)
		to, changes := moved[ph]
		if !changes {
			if p.Phase != ph || len(p.History) > 0 || p.Reason != "before" || p.Told.MaybeSent != p.Open() {
				t.Errorf("one that was %s: %+v", ph, p)
			}
			continue
		}
		step := []store.Step{{At: now, From: ph, To: to, Why: "restored from a copy"}}
		if p.Phase != to || p.Reason != store.Restored || cmp.Diff(step, p.History) != "" {
			t.Errorf("one that was %s is %s: %s, %v", ph, p.Phase, p.Reason, p.History)
		}
		if !p.ClosedAt.Equal(map[store.Phase]time.Time{store.Queued: now}[ph]) {
			t.Errorf("one that was %s is closed at %v", ph, p.ClosedAt)
		}
	}
	open := ids(must(h.store.OpenPurchases(t.Context(), "", 9))(t), purchaseID)
	want := []string{inPhase(store.Accepted), inPhase(store.Submitting), inPhase(store.Undecided), inPhase(store.Unknown)}
	if !slices.Equal(open, want) {
		t.Errorf("open are %v", open)
	}
	if problems := must(h.store.Check(t.Context()))(t); len(problems) > 0 {
		t.Errorf("the store is not sound: %q", problems)
	}
}

// TestAfterRestoreFreezes every account, and takes what was dropped out of its line. What its balance was is
// not known any more.
func TestAfterRestoreFreezes(t *testing.T) {
	h := newHarness(t)
	h.furnishCopy()
	must(store.AfterRestore(t.Context(), h.store, noon()))(t)
	for _, a := range must(h.store.Accounts(t.Context(), "", 9))(t) {
		if !a.Frozen || a.Wallet.Read || a.Key.IsZero() || len(a.Queue) > 0 {
			t.Errorf("account %+v", a)
		}
	}
	if a := must(h.store.Account(t.Context(), "u1"))(t); a.Busy != inPhase(store.Submitting) || a.Open != 4 || !a.Wallet.Available.Equal(dzd.Int(900)) {
		t.Errorf("account %+v", a)
	}
}

// TestAfterRestoreSaysNothing of money: that nothing was bought for a purchase that was dropped is not known,
// and a message that shows a code by now must not be edited.
func TestAfterRestoreSaysNothing(t *testing.T) {
	h := newHarness(t)
	h.furnishCopy()
	var before []string
	for _, ph := range everyPhase() {
		if ph.Promised() && ph != store.Queued {
			before = append(before, inPhase(ph))
		}
	}
	slices.Sort(before)
	must(store.AfterRestore(t.Context(), h.store, noon()))(t)
	var after []string
	for _, o := range must(h.store.ChatOutbox(t.Context(), group, 99))(t) {
		after = append(after, o.ID)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("in the outbox (-want +got):\n%s", diff)
	}
}

// TestAfterRestoreTwice changes nothing more.
func TestAfterRestoreTwice(t *testing.T) {
	h := newHarness(t)
	h.furnishCopy()
	must(store.AfterRestore(t.Context(), h.store, noon()))(t)
	first := must(h.store.ChatPurchases(t.Context(), group, "", 99))(t)
	again := must(store.AfterRestore(t.Context(), h.store, noon().Add(time.Hour)))(t)
	if want := (store.Report{Accounts: 2}); again != want {
		t.Errorf("it reports %+v, want %+v", again, want)
	}
	for i, p := range must(h.store.ChatPurchases(t.Context(), group, "", 99))(t) {
		if diff := equal(first[i], p); diff != "" {
			t.Errorf("%s has changed:\n%s", p.ID, diff)
		}
	}
}

// TestAfterRestoreOfMany: more than a page of each, all in one transaction.
func TestAfterRestoreOfMany(t *testing.T) {
	sampletest.Slow(t)
	const many = 1203
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		for i := range many {
			p := store.Purchase{ID: fmt.Sprintf("P%06d", i), Account: fmt.Sprintf("u%06d", i), Phase: store.Queued}
			a := store.Account{ID: p.Account, Queue: []string{p.ID}, Open: 1}
			if err := firstError(func() error { return tx.PutPurchase(&p) }, func() error { return tx.PutAccount(&a) }); err != nil {
				return err
			}
		}
		return nil
	})
	got := must(store.AfterRestore(t.Context(), h.store, noon()))(t)
	if want := (store.Report{Queued: many, Accounts: many}); got != want {
		t.Errorf("it reports %+v, want %+v", got, want)
	}
	if open := must(h.store.OpenPurchases(t.Context(), "", 9))(t); len(open) > 0 {
		t.Errorf("open are %v", open)
	}
}

// TestAfterRestoreThatFails changes nothing.
func TestAfterRestoreThatFails(t *testing.T) {
	h := newHarness(t)
	h.furnishCopy()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := store.AfterRestore(ctx, h.store, noon()); !errors.Is(err, context.Canceled) || got != (store.Report{}) {
		t.Errorf("canceled: %+v, %v", got, err)
	}
	h.plant(func(tx store.RecordTx) error { // one account cannot be read
		r, err := tx.Get(store.KindAccount, "u2")
		if err != nil {
			return err
		}
		r.Value = nil
		_, err = tx.Put(r)
		return err
	})
	if got, err := store.AfterRestore(t.Context(), h.store, noon()); err == nil || got != (store.Report{}) {
		t.Errorf("with an account that does not decode: %+v, %v", got, err)
	}
	for _, ph := range everyPhase() {
		if p := must(h.store.Purchase(t.Context(), inPhase(ph)))(t); p.Phase != ph {
			t.Errorf("one that was %s is %s", ph, p.Phase)
		}
	}
}

// TestAfterRestoreLocks: nobody spends until an owner has confirmed the team, which is shown to them.
func TestAfterRestoreLocks(t *testing.T) {
	h := newHarness(t)
	owner, locked := store.Member{User: 7, Name: "Sam", Role: store.Owner}, &store.Lock{By: 7, Name: "Sam", At: noon()}
	h.do(func(tx *store.Tx) error {
		return firstError(
			func() error {
				return tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("K"), Chats: []int64{7, 8}, Team: []store.Member{owner, {User: 8, Role: store.Seller}}})
			},
			func() error {
				return tx.PutAccount(&store.Account{ID: "u2", Key: secret.New("K"), Chats: []int64{7}, Team: []store.Member{owner}, Locked: locked})
			},
			func() error {
				return tx.PutAccount(&store.Account{ID: "u3", Retired: true, Former: &store.Former{Team: []store.Member{owner}, At: noon()}})
			},
		)
	})
	now := noon().Add(time.Hour)
	for range 2 {
		must(store.AfterRestore(t.Context(), h.store, now))(t)
	}
	if a := must(h.store.Account(t.Context(), "u1"))(t); a.Locked == nil || !a.Locked.Restored || a.Locked.By != 0 || !a.Locked.At.Equal(now) {
		t.Errorf("the lock is %+v", a.Locked)
	}
	if a := must(h.store.Account(t.Context(), "u2"))(t); a.Locked == nil || !a.Locked.Restored || a.Locked.By != 7 || !a.Locked.At.Equal(noon()) {
		t.Errorf("what an owner has locked is %+v", a.Locked)
	}
	if a := must(h.store.Account(t.Context(), "u3"))(t); a.Frozen || a.Locked != nil || a.Former != nil {
		t.Errorf("an account without a key is %+v", a)
	}
	rows := must(h.store.ChatOutbox(t.Context(), 7, 9))(t)
	if len(rows) != 2 || rows[0].NoteName() != store.RestoredTeamNote || len(must(h.store.ChatOutbox(t.Context(), 8, 9))(t)) != 0 {
		t.Errorf("the owner is told %+v", rows)
	}
	one, two := must(h.store.Account(t.Context(), "u1"))(t), must(h.store.Account(t.Context(), "u2"))(t)
	if one.TeamMark() == two.TeamMark() || !strings.Contains(rows[0].Args["team"], one.TeamMark()) {
		t.Errorf("the marks are %s and %s", one.TeamMark(), two.TeamMark())
	}
	limited := one
	store.Admit(&limited, store.Member{User: 8, Role: store.Seller, PerDay: new(dzd.Amount)})
	if limited.TeamMark() == one.TeamMark() {
		t.Error("another limit is the same team")
	}
}
