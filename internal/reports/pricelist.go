package reports

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/ledger"
	"resellerbot/internal/picture"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// catalogueAge is how old the catalogue of a price list may be.
const catalogueAge = 10 * time.Minute

// Catalogue is what an account can buy.
type Catalogue interface {
	Products(ctx context.Context, maxAge time.Duration) ([]api.Product, error)
	Product(ctx context.Context, id int64, maxAge time.Duration) (api.Product, error)
}

// PriceListSections are the prices that a shop shows: of what can be bought now, and of the chosen products where some are chosen.
func PriceListSections(ctx context.Context, c Catalogue, rules pricing.Rules, chosen []int64) (all []screen.PriceListSection, err error) {
	products, err := c.Products(ctx, catalogueAge)
	if err != nil {
		return nil, err
	}
	for _, p := range products {
		if len(chosen) > 0 && !slices.Contains(chosen, p.ID) {
			continue
		}
		// A listing may leave out which variants these are: a price of one of them would be missed, and another one shown.
		nameless := slices.ContainsFunc(p.Variants, func(v api.Variant) bool { return v.ID == 0 && v.Plan == "" })
		if nameless && rules.HasOwn(strconv.FormatInt(p.ID, 10)) {
			if p, err = c.Product(ctx, p.ID, catalogueAge); err != nil {
				return nil, err
			}
		}
		s := screen.PriceListSection{Name: p.Name}
		for _, v := range p.Variants {
			if q, ok := rules.For(screen.ItemOf(p, v)); ok && v.Available {
				s.Lines = append(s.Lines, screen.PriceListLine{Name: v.Name, Price: q.Price})
			}
		}
		if len(s.Lines) > 0 {
			all = append(all, s)
		}
	}
	return all, nil
}

// PriceList draws a price list, as PNGs, under the logo that the shop has kept.
func PriceList(l picture.PriceList, logo []byte) (pages [][]byte, err error) {
	if l.Logo, err = logoOf(logo); err != nil {
		return nil, err
	}
	painter, err := picture.New()
	if err != nil {
		return nil, err
	}
	return painter.PriceList(l)
}

// PriceListSender has price lists come by themselves.
type PriceListSender struct {
	Store     *store.Store
	Catalogue func(store.Account) Catalogue
	Screens   screen.Printers
}

// Send queues the price list for the owners of each shop whose hour has come. What cannot be read does not keep others from
// theirs, and is tried again.
func (s PriceListSender) Send(ctx context.Context, now time.Time) error {
	return eachBook(ctx, s.Store, "price list", func(b ledger.Book) error { return s.send(ctx, b, now) })
}

// send is Send for one book. A list comes once a day.
func (s PriceListSender) send(ctx context.Context, b ledger.Book, now time.Time) error {
	d, err := s.Store.Desk(ctx, b.ID)
	today := b.Today(now)
	if err != nil || d.ListAt == 0 || d.Listed >= today || !b.Reached(d.ListAt, now) {
		return err
	}
	a, err := s.Store.Account(ctx, b.ID)
	if err != nil || a.Key.IsZero() { // without a key there is no catalogue to read
		return err
	}
	pages, err := s.pages(ctx, a, d, now)
	if err != nil {
		return err
	}
	return s.Store.Update(ctx, func(tx *store.Tx) error { return queue(tx, b.ID, d.ListForm, today, pages) })
}

// pages draws the price list of a shop; none where nothing has a price.
func (s PriceListSender) pages(ctx context.Context, a store.Account, d store.Desk, now time.Time) ([][]byte, error) {
	own, err := s.Store.Prices(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	v := screen.PriceListView{Desk: d, Shop: a.Name, At: now}
	if v.Sections, err = PriceListSections(api.InBackground(ctx), s.Catalogue(a), own.Rules, d.List); err != nil || len(v.Sections) == 0 {
		return nil, err
	}
	words, ok := s.Screens.For(d.Language)
	if !ok {
		return nil, fmt.Errorf("no texts in %q", d.Language)
	}
	return PriceList(words.Prices().PriceListPicture(v, d.ListForm != screen.PriceListSheet), d.Logo)
}

// queue tells the owners, once.
func queue(tx *store.Tx, book, form string, today ledger.Day, pages [][]byte) error {
	// Read again, in the transaction that writes: to draw takes seconds, in which the list may have been sent, or put off to tomorrow.
	d, err := tx.Desk(book)
	if err != nil || d.Listed >= today {
		return err
	}
	a, err := tx.Account(book)
	if err != nil {
		return err
	}
	for _, chat := range a.PrivateChats(store.Owner) {
		for i, png := range pages {
			args := map[string]string{
				"picture": base64.StdEncoding.EncodeToString(png), "form": form, "day": string(today), "page": strconv.Itoa(i), store.AboutArg: a.ID,
			}
			// One row for each page and book: an owner of two shops gets both lists.
			note := store.NewNote(chat, fmt.Sprintf("prices.%s.%02d.%s", today, i, book), store.PriceListNote, args)
			note.Priority = store.AlertPriority
			if err := tx.Enqueue(note); err != nil {
				return err
			}
		}
	}
	// Also where nothing has a price: a list without a line is not looked for at every run until midnight.
	d.Listed = today
	return tx.PutDesk(&d)
}
