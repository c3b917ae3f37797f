package notify

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram/telegramtest"
)

// partly are the codes of a purchase of twelve units of which some are there.
func partly(n int) []string { return append(many()[:n:n], make([]string, 12-n)...) }

// arrive has codes of a purchase come now, and what brings them queued, as a look does.
func (h *harness) arrive(p store.Purchase, codes map[int]string) {
	h.Helper()
	h.do(func(tx *store.Tx) error {
		for i, id := range p.OrderIDs {
			o, err := tx.Order(p.Account, id)
			if err != nil {
				return err
			}
			if code := codes[i+1]; code != "" {
				o.State, o.Code, o.ReadyAt = store.Ready, secret.New(code), time.Now()
			}
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
		}
		row := document(p)
		return tx.Enqueue(&row)
	})
}

// files lists what was in the files that a chat was sent.
func (h *harness) files(chat int64) (all []string) {
	for _, c := range h.telegram.Calls() {
		if c.Chat == chat && c.Method == "sendDocument" {
			_, body, _ := strings.Cut(c.File, ":")
			all = append(all, body)
		}
	}
	return all
}

// TestPartThatMayHaveArrived: a part of which it is not known whether it has arrived goes out again as it was, and says so.
// What has come meanwhile goes out in the next one, which is new. Whether Telegram has cut the line or the process was
// killed makes no difference.
func TestPartThatMayHaveArrived(t *testing.T) {
	for _, killed := range []bool{false, true} {
		inBubble(t, func(h *harness) {
			p := h.purchase(7, partly(3)...)
			h.telegram.Script(telegramtest.Once("sendDocument", telegramtest.Reply{Err: io.ErrUnexpectedEOF, Done: true}))
			if killed {
				h.telegram.Script(nil)
				row := document(p)
				row.Sending, row.Args = true, map[string]string{store.UnitsArg: "1-3"}
				h.enqueue(row)
			}
			h.arrive(p, nil)
			h.run()
			if !killed {
				pass(3 * time.Second / 2)
			}
			h.arrive(p, map[int]string{5: "E", 6: "F"})
			pass(time.Minute)
			h.arrive(p, map[int]string{4: "D", 7: "G", 8: "H", 9: "I", 10: "J", 11: "K", 12: "L"})
			pass(time.Second)
			want := []string{"A,B,C", "A,B,C", "E,F", "D,G,H,I,J,K,L"}
			texts := []string{"codes 1-3", "codes 1-3 again", "codes 5-6", "codes 4,7-12, the last"}
			if killed {
				want, texts = want[1:], texts[1:]
			}
			if got := h.files(7); !slices.Equal(got, want) {
				t.Errorf("the files hold %q, want %q", got, want)
			}
			h.expect(7, 0, texts...)
		})
	}
}

// TestPartWaits: the first part goes out two seconds after the first code, later ones after a wait that doubles, and the last
// at once. What waits for others holds nothing up that comes behind it in its chat, over a restart as well.
func TestPartWaits(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, make([]string, 12)...)
		h.run()
		begin := time.Now()
		var at []time.Duration
		h.telegram.Script(func(_ int, c telegramtest.Call) telegramtest.Reply {
			if c.Method == "sendDocument" {
				at = append(at, time.Since(begin).Round(100*time.Millisecond))
			}
			return telegramtest.Reply{}
		})
		for unit, notes := 1, 0; unit <= 11; unit++ {
			h.arrive(p, map[int]string{unit: string(rune('@' + unit))})
			pass(100 * time.Millisecond)
			if unit == 5 || unit == 9 { // a part waits
				h.enqueue(note(7, unit))
				notes++
			}
			pass(400 * time.Millisecond)
			if unit == 8 {
				h.stop()
				h.open()
				h.run()
			}
			if n := len(h.texts(7)) - len(at); n != notes {
				t.Errorf("after code %d %d notes were told, want %d", unit, n, notes)
			}
			pass(500 * time.Millisecond)
		}
		pass(9 * time.Second)
		h.arrive(p, map[int]string{12: "L"})
		pass(time.Second)
		if want := []time.Duration{2 * time.Second, 6 * time.Second, 14 * time.Second, 20 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("parts went out at %v, want %v", at, want)
		}
		if got := strings.Join(h.files(7), ","); got != "A,B,C,D,E,F,G,H,I,J,K,L" {
			t.Errorf("the files hold %s", got)
		}
	})
}

// TestFileGoesBeforeItsStatus: codes of a big purchase that come look by look are told of once, by the file, and the status
// follows it; what becomes of a file that Telegram does not take is not waited for.
func TestFileGoesBeforeItsStatus(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, partly(0)...)
		h.run()
		all := map[int]string{}
		for unit := 1; unit <= 12; unit++ {
			all[unit] = string(rune('A' + unit - 1))
			h.arrive(p, map[int]string{unit: all[unit]})
			h.enqueue(statusRow(p))
			pass(100 * time.Millisecond)
		}
		pass(time.Second)
		h.expect(7, 0, "codes", "fr accepted codes=A,B,C,D,E,F,G,H,I,J,K,L")
	})
	inBubble(t, func(h *harness) {
		p := h.purchase(7, partly(0)...)
		h.telegram.Script(func(_ int, c telegramtest.Call) telegramtest.Reply {
			if c.Method == "sendDocument" {
				return telegramtest.Reply{Code: 502, Text: "Bad Gateway"}
			}
			return telegramtest.Reply{}
		})
		h.run()
		h.arrive(p, map[int]string{1: "A"})
		h.enqueue(statusRow(p))
		pass(5 * time.Second)
		if texts := h.texts(7); !slices.Contains(texts, "fr accepted codes=A") {
			h.Errorf("the status is not shown: %q", texts)
		}
	})
}
