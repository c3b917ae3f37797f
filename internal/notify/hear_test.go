package notify

import (
	"testing"

	"resellerbot/internal/store"
)

// TestWhatCannotBeOff: whatever a chat wants to hear, it gets what was bought in it; an owner is asked, and told of money that goes
// without a reason. Copies, alerts and reports can be off, and in a group what owners are asked.
func TestWhatCannotBeOff(t *testing.T) {
	t.Parallel()
	row := func(chat int64, kind store.OutKind) store.Outgoing { return store.Outgoing{Chat: chat, Kind: kind} }
	note := func(name store.NoteName) store.Outgoing { return *store.NewNote(7, "n", name, nil) }
	for _, c := range []struct {
		row store.Outgoing
		off bool
	}{
		{row(7, store.StatusMessage), false}, {row(7, store.Ping), false}, {row(7, store.Document), false}, {row(-7, store.Document), false},
		{row(7, store.ListCard), false}, {row(7, store.ListFile), false}, {row(7, store.ListPing), false},
		{row(7, store.Support), false}, {row(7, store.Request), false}, {row(7, store.Decision), false}, {row(7, store.ListRequest), false},
		{row(-7, store.Request), true}, {row(-7, store.Decision), true}, {row(7, store.Copy), true}, {row(-7, store.Copy), true},
		{note(store.DebitNote), false}, {note(store.DebitOrLateNote), false}, {note(store.DebitElsewhereNote), false},
		{note(store.CodeChangedNote), false}, {note(store.KeyRefusedNote), false}, {note(store.LockedNote), false},
		{note(store.AlertsNote), true}, {note(store.OutageNote), true}, {note(store.ReportNote), true}, {note(store.PriceListNote), true},
	} {
		if got := mayBeOff(c.row); got != c.off {
			t.Errorf("%s %s to %d: may be off %v, want %v", c.row.Kind, c.row.NoteName(), c.row.Chat, got, c.off)
		}
	}
}
