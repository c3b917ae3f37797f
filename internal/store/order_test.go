package store_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
)

// TestRefundStatesAreAll: each state of a refund that is declared is told of. One that RefundStates leaves out is in no message.
func TestRefundStatesAreAll(t *testing.T) {
	t.Parallel()
	var declared []store.RefundState
	for _, line := range wordsInSource(t) {
		word, ok := strings.CutPrefix(line, "word RefundState ")
		if !ok {
			continue
		}
		text, err := strconv.Unquote(word)
		if err != nil {
			t.Fatal(err)
		}
		if state := store.RefundState(text); state != store.NoRefund {
			declared = append(declared, state)
		}
	}
	told := store.RefundStates()
	slices.Sort(declared)
	slices.Sort(told)
	if !slices.Equal(told, declared) {
		t.Errorf("RefundStates are, sorted,\n%q, and declared are\n%q: of a state that is missing nobody is told, of one that is there twice they are twice", told, declared)
	}
}

// TestEveryRefundStateIsAnswered: for each state of a refund it stands here whether it is looked for, whether the money is back, whether the
// service is to be asked, and what the books hold the unit for.
func TestEveryRefundStateIsAnswered(t *testing.T) {
	t.Parallel()
	type answer struct {
		awaited, returned, support bool
		books                      ledger.UnitState
	}
	want := map[store.RefundState]answer{
		store.RefundWaiting: {awaited: true, books: ledger.Claimed},
		store.RefundSeen:    {returned: true, books: ledger.Refunded},
		store.RefundUnread:  {awaited: true, support: true, books: ledger.Claimed},
		store.RefundMissing: {awaited: true, support: true, books: ledger.Claimed},
		store.RefundUnseen:  {support: true, books: ledger.Claimed},
		store.RefundLikely:  {returned: true, books: ledger.Claimed}, // it may be money that people have added
		store.RefundUntaken: {returned: true, books: ledger.Refunded},
	}
	for _, state := range store.RefundStates() {
		p, o := store.Purchase{OrderIDs: []string{"A"}}, store.Order{ID: "A", State: store.Failed, Refund: state}
		want, known := want[state]
		if !known {
			t.Errorf("the refund %q has no row in this test: say here what Awaited, Returned, NeedsSupport and factOf, for the books, answer of it", state)
			continue
		}
		got := answer{state.Awaited(), state.Returned(), p.NeedsSupport([]store.Order{o}), store.FactOf(p, o).State}
		if got != want {
			t.Errorf("the refund %q is answered by Awaited, Returned, NeedsSupport and factOf, for the books, with\n%+v, and not with\n%+v", state, got, want)
		}
	}
}
