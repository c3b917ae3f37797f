package conversations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// files are what the bot has sent somebody as a picture or a file.
func files(h *apptest.Harness, user int64) (all []tgsim.Message) {
	for _, m := range h.Telegram.Messages(user) {
		if m.FromBot && (m.Document != nil || m.Photo != nil) {
			all = append(all, m)
		}
	}
	return all
}

// TestPriceList: the shop's own prices come as a text and as pictures, with the shop's name and without what anything costs.
func TestPriceList(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedShop(t, func(h *apptest.Harness) {
		h.Tap(apptest.Sam, "Price list")
		shows(h, "never what you pay")
		h.Tap(apptest.Sam, "Text · Français")
		shows(h, "Play Card")
		shows(h, "10 USD : 1 380 DA")
		shows(h, "25 USD : 3 410 DA")
		hides(h, "1 250")
		h.Tap(apptest.Sam, "Story · العربية")
		h.Pass(3 * time.Second)
		h.Tap(apptest.Sam, "A4 · Français")
		h.Pass(3 * time.Second)
		if all := files(h, apptest.Sam); len(all) != 2 || all[0].Photo == nil || all[1].Photo != nil {
			t.Errorf("the pictures are %+v", all)
		}
	})
}

// TestPriceListIsChosen: what is chosen is on the list, and nothing else.
func TestPriceListIsChosen(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Service.AddProduct(sim.ProductSpec{ID: 20, Name: "Other Card", Variants: []sim.VariantSpec{{ID: 201, Name: "1 month", Price: "450", InStock: 5}}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		setPrices(h)
		h.Tap(apptest.Sam, "Price list")
		h.Tap(apptest.Sam, "☑️ Products")
		h.Tap(apptest.Sam, "Other Card")
		shows(h, "Which products are on the list?")
		h.Tap(apptest.Sam, "Back")
		shows(h, "1 chosen")
		h.Tap(apptest.Sam, "Text · Français")
		shows(h, "1 month : 500 DA")
		hides(h, "Play Card")
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Price list")
		h.Tap(apptest.Sam, "☑️ Products")
		h.RefusedWith(h.TapIn(apptest.Sam, apptest.Sam, "☑️ Other Card"), "at least")
		h.Tap(apptest.Sam, "Back")
		shows(h, "1 chosen") // and not all of them
		h.Tap(apptest.Sam, "☑️ Products")
		h.Tap(apptest.Sam, "All products")
		h.Tap(apptest.Sam, "Back")
		hides(h, "chosen")
	})
}

// TestPriceListIsFull: a product for which there is no more room is refused, with a word.
func TestPriceListIsFull(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		for id := range int64(61) {
			h.Service.AddProduct(sim.ProductSpec{ID: 100 + id, Name: fmt.Sprintf("Card %02d", id), Variants: []sim.VariantSpec{{ID: 1000 + id, Name: "1 month", Price: "450", InStock: 5}}})
		}
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		setPrices(h)
		h.InStore(func(s *store.Store) {
			h.Must(s.Update(t.Context(), func(tx *store.Tx) error {
				all, err := s.Accounts(t.Context(), "", 1)
				if err != nil {
					return err
				}
				d, err := tx.Desk(all[0].ID)
				if err != nil {
					return err
				}
				for id := range int64(60) {
					d.List = append(d.List, 101+id)
				}
				return tx.PutDesk(&d)
			}))
		})
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Price list")
		shows(h, "60 chosen")
		h.Tap(apptest.Sam, "☑️ Products")
		h.RefusedWith(h.TapIn(apptest.Sam, apptest.Sam, "Card 00"), "takes no more products")
		h.Tap(apptest.Sam, "Card 01")
		h.Tap(apptest.Sam, "Card 00")
		h.Tap(apptest.Sam, "Back")
		shows(h, "60 chosen")
	})
}

// TestPriceListComesByItself: once a day, at the hour that an owner has set, to owners alone.
func TestPriceListComesByItself(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		h.Tap(apptest.Sam, "Price list")
		h.Tap(apptest.Sam, "Every morning")
		h.Tap(apptest.Sam, "08:00")
		shows(h, "It comes every day at 08:00")
		h.AroundHour(8)
		h.AroundHour(8)
		if n := len(files(h, apptest.Sam)); n != 2 {
			t.Errorf("in two days %d lists came", n)
		}
		if all := files(h, apptest.Karim); len(all) != 0 {
			t.Errorf("a seller got %+v", all)
		}
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Price list")
		h.Tap(apptest.Sam, "Every morning")
		h.Tap(apptest.Sam, "Stop")
		h.AroundHour(8)
		if n := len(files(h, apptest.Sam)); n != 2 {
			t.Errorf("after it was stopped, %d lists have come", n)
		}
		if text := h.Transcript(apptest.Sam); !strings.Contains(text, "Price list · ") {
			t.Errorf("the list says nothing:\n%s", text)
		}
	})
}
