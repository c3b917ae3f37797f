package proof

import (
	"slices"
	"testing"
	"time"

	"resellerbot/internal/store"
)

// TestRingOfSeveralIsPartedByPurchase: a ring that names several purchases says something else of each. What it says
// of one is held against the truth of that one, and no line of it goes unjudged.
func TestRingOfSeveralIsPartedByPurchase(t *testing.T) {
	doubted, delivered := store.Purchase{ID: "00VHNFS8XS79NW6FEXB51JZC3R"}, store.Purchase{ID: "00VHNDX7H61R4BNCC7QJ0CNQ21"}
	w := &witness{unkind: true, purchases: map[string]store.Purchase{doubted.ID: doubted, delivered.ID: delivered}}
	w.lab = &lab{began: time.Now()}
	w.show(shown{text: "🔔 Order #JZC3R may have been bought after all, see above.\n🔔 Order #CNQ21 delivered, see above."})
	w.show(shown{text: "🎉 Delivered\nOrder #CNQ21"})
	about := func(p store.Purchase) (texts []string) {
		for _, s := range w.shown {
			if s.purchase == p.ID {
				texts = append(texts, s.text)
			}
		}
		return texts
	}
	if got := about(doubted); !slices.Equal(got, []string{"🔔 Order #JZC3R may have been bought after all, see above."}) {
		t.Errorf("of the first it says %q", got)
	}
	if got := about(delivered); !slices.Equal(got, []string{"🔔 Order #CNQ21 delivered, see above.", "🎉 Delivered\nOrder #CNQ21"}) {
		t.Errorf("of the second it says %q", got)
	}
}
