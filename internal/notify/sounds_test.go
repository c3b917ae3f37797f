package notify_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestBigPurchaseRings: the phone rings once for a purchase whose codes come in a file, as for any other: with the file.
// What comes to its end later without a code rings once more. In a group, where there is no file, the ring is a message.
func TestBigPurchaseRings(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	t.Run("all at once", func(t *testing.T) {
		withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
			ids, begin := held(h, 12), time.Now()
			for _, id := range ids {
				h.Must(h.Service.Complete(id, "", ""))
			}
			h.Pass(time.Hour)
			if loud := soundsSince(h, apptest.Sam, begin); len(loud) != 1 || loud[0].Document == nil {
				t.Errorf("the phone rang %d times, want once with the codes", len(loud))
			}
		})
	})
	t.Run("the last one fails later", func(t *testing.T) {
		withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
			ids, begin := held(h, 12), time.Now()
			for _, id := range ids[1:] {
				h.Must(h.Service.Complete(id, "", ""))
			}
			h.Pass(20 * time.Minute)
			h.Must(h.Service.Fail(ids[0], ""))
			h.Pass(20 * time.Minute)
			if loud := soundsSince(h, apptest.Sam, begin); len(loud) != 3 || loud[0].Document == nil || loud[1].Document != nil || loud[2].Document != nil {
				t.Errorf("the phone rang %d times, want for the codes, for the end, and for money that is not back", len(loud))
			}
			h.Must(h.Service.Refund(ids[0]))
			h.Pass(20 * time.Minute)
			if loud := soundsSince(h, apptest.Sam, begin); len(loud) != 3 {
				t.Errorf("the phone rang %d times, and once for money alone", len(loud))
			}
		})
	})
	t.Run("in a group", func(t *testing.T) {
		withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
			const group = -700
			h.Telegram.AddGroup(group, "Shop", apptest.Sam)
			h.Telegram.StartGroup(apptest.Sam, group, "shop")
			h.Pass(time.Second)
			h.Service.HoldOrders(true)
			h.Telegram.Send(apptest.Sam, group, "/buy Play Card 10 USD")
			h.Pass(time.Second)
			all := h.Telegram.Messages(group)
			h.Telegram.Post(apptest.Sam, group, tgsim.Message{Text: "12", ReplyTo: all[len(all)-1].ID})
			h.Pass(time.Second)
			h.TapIn(apptest.Sam, group, "✅")
			h.Pass(5 * time.Second)
			begin := time.Now()
			for _, o := range h.Service.Orders() {
				h.Must(h.Service.Complete(o.ID, "", ""))
			}
			h.Pass(time.Hour)
			if loud := soundsSince(h, group, begin); len(loud) != 1 || loud[0].Document != nil {
				t.Errorf("the phones rang %d times, want once:\n%s", len(loud), h.Texts(group))
			}
		})
	})
}

// soundsSince lists the files and bells with which a chat's phone has rung since a moment.
func soundsSince(h *apptest.Harness, chat int64, begin time.Time) []tgsim.Message {
	return slices.DeleteFunc(h.Telegram.Messages(chat), func(m tgsim.Message) bool {
		return !m.FromBot || m.Silent || m.Date.Before(begin) || m.Document == nil && !strings.HasPrefix(m.Text, "🔔")
	})
}
