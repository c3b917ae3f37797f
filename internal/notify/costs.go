package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// costNow is what the service asks for a variant of a product.
type costNow struct {
	product api.Product
	variant api.Variant
}

// Costs looks at what the service asks for everything that a shop has a price of its own for, and tells its owners once of each change
// what that does to their price and to the margin. What fails for one account is logged.
func (w *Watcher) Costs(ctx context.Context) error {
	return w.each(ctx, func(a store.Account, _ []store.Alerts) error {
		own, err := w.cfg.Store.Prices(ctx, a.ID)
		if err != nil || !own.Rules.Any() {
			return err
		}
		now, err := w.costsOf(api.InBackground(ctx), a, own)
		if err != nil {
			return err
		}
		was, err := w.cfg.Store.Costs(ctx, a.ID)
		// Asked outside of the transaction, which asks again: mostly nothing has changed, and that costs no commit.
		if err != nil || maps.EqualFunc(was.Seen, merged(was.Seen, now), dzd.Amount.Equal) {
			return err
		}
		return w.tellCosts(ctx, a, now)
	})
}

// merged is what was seen, with what is seen now: what cannot be had now may come back at another price.
func merged(was map[string]dzd.Amount, now map[string]costNow) map[string]dzd.Amount {
	all := maps.Clone(was)
	if all == nil {
		all = map[string]dzd.Amount{}
	}
	for key, c := range now {
		all[key] = c.variant.Price
	}
	return all
}

// costsOf reads what can be bought now, and what it costs, of what a shop has a price for.
func (w *Watcher) costsOf(ctx context.Context, a store.Account, own store.Prices) (map[string]costNow, error) {
	source := w.cfg.Source(a)
	products, err := source.Products(ctx, watchAge)
	if err != nil {
		return nil, err
	}
	if plans := strconv.FormatInt(api.ArenaProduct, 10); own.Rules.HasOwn(plans) { // they stand in no listing
		products = append(slices.Clone(products), api.Product{ID: api.ArenaProduct, Variants: []api.Variant{{}}})
	}
	all := map[string]costNow{}
	for _, p := range products {
		// A listing may leave out which variants these are: a rule of one of them would be missed.
		nameless := slices.ContainsFunc(p.Variants, func(v api.Variant) bool { return v.ID == 0 && v.Plan == "" })
		if nameless && own.Rules.HasOwn(strconv.FormatInt(p.ID, 10)) {
			switch p, err = source.Product(ctx, p.ID, watchAge); {
			case api.ClassOf(err) == api.NotFound:
				continue
			case err != nil:
				return nil, err
			}
		}
		for _, v := range p.Variants {
			_, priced := own.Margins(itemOf(p, v), v.Price, v.Price)
			if v.Available && !v.Unpriced && priced {
				all[costKey(p, v)] = costNow{p, v}
			}
		}
	}
	return all, nil
}

// costKey names a variant among those that were seen.
func costKey(p api.Product, v api.Variant) string {
	number := ""
	if v.ID != 0 {
		number = strconv.FormatInt(v.ID, 10)
	}
	// The ~ keeps a name apart from an id that reads alike. These keys are on disk: with another form, nothing would count as seen.
	return strconv.FormatInt(p.ID, 10) + "/" + cmp.Or(v.Plan, number, "~"+v.Name)
}

// tellCosts remembers what the service asks and queues what is new of it for the owners, in one transaction: each change is told once.
func (w *Watcher) tellCosts(ctx context.Context, a store.Account, now map[string]costNow) error {
	err := w.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		a, err := tx.Account(a.ID)
		if err != nil {
			return err
		}
		own, err := tx.Prices(a.ID)
		if err != nil {
			return err
		}
		seen, err := tx.Costs(a.ID)
		if err != nil {
			return err
		}
		news := costNews(own, seen.Seen, now)
		for _, chat := range a.PrivateChats(store.Owner) {
			al, err := tx.Alerts(chat, a.ID)
			if err != nil {
				return err
			}
			if err := w.queue(tx, a, al, unwatched(al, news)); err != nil {
				return err
			}
		}
		seen.Seen = merged(seen.Seen, now)
		return tx.PutCosts(&seen)
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil // it was unlinked meanwhile
	}
	if err != nil {
		return fmt.Errorf("tell what things cost by now: %w", err)
	}
	return nil
}

// costNews are the changes that do something to what a shop earns: what it would lose by comes first.
func costNews(own store.Prices, was map[string]dzd.Amount, now map[string]costNow) []Alert {
	var losing, others []Alert
	for _, key := range slices.Sorted(maps.Keys(now)) {
		p, v := now[key].product, now[key].variant
		before, known := was[key]
		// A variant that is seen for the first time is only remembered (seen.Seen): there is no change to tell.
		if !known || before.Equal(v.Price) {
			continue
		}
		m, ok := own.Margins(itemOf(p, v), before, v.Price)
		if !ok {
			continue
		}
		a := Alert{Kind: "price", Product: p.Name, Variant: v.Name, Amount: v.Price.String(), Reference: before.String(), ID: p.ID}.earning(m)
		if m.Earns.Sign() < 0 {
			losing = append(losing, a)
		} else {
			others = append(others, a)
		}
	}
	return slices.Concat(losing, others)
}

// unwatched are the changes of products whose prices a chat does not watch: of those it is told as it has asked.
func unwatched(al store.Alerts, news []Alert) []Alert {
	return slices.DeleteFunc(slices.Clone(news), func(a Alert) bool {
		return slices.ContainsFunc(al.Products, func(w store.Watched) bool { return w.Product == a.ID && w.Price })
	})
}
