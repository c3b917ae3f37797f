package purchase

import (
	"context"
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

const (
	firstLook  = 5 * time.Second
	quietTime  = 10 * time.Minute // how long nothing has to show before nothing was bought
	lateWatch  = 24 * time.Hour   // how long an order may still come home
	sharedFor  = 30 * 24 * time.Hour
	mostRows   = 200 // of a list, remembered
	recentEach = 20  // purchases of a chat whose codes are compared with a list
)

// uncertain sets the first look for a purchase whose answer proves nothing.
func (e *Engine) uncertain(p *store.Purchase) {
	now := time.Now()
	p.LookAt, p.DecideBy = now.Add(firstLook), p.SentAt.Add(e.cfg.ReconcileFor)
	if p.DecideBy.Before(p.LookAt) {
		p.LookAt = p.DecideBy
	}
}

// nextReconcile is when to look for an uncertain purchase again, by how long ago it was sent.
func nextReconcile(age time.Duration) time.Duration {
	switch {
	case age < 10*time.Second:
		return 10 * time.Second
	case age < 30*time.Second:
		return 15 * time.Second
	case age < time.Minute:
		return 30 * time.Second
	case age <= quietTime:
		return time.Minute
	}
	return 10 * time.Minute
}

// lookFor gathers the evidence of one look for an uncertain purchase and acts on what it proves.
func (e *Engine) lookFor(ctx context.Context, p store.Purchase) error {
	a, err := e.cfg.Store.Account(ctx, p.Account)
	if errors.Is(err, store.ErrNotFound) {
		return e.forgetLook(ctx, p.ID)
	}
	if err != nil {
		return err
	}
	service := e.cfg.Service(a)
	ev := store.Evidence{At: time.Now(), Used: -1, Shared: time.Since(a.OutsideAt) < sharedFor, Looks: looks(p) + 1}
	if n, ok := e.namedOrders(ctx, service, p); ok {
		ev.Rule = ruleNamed
		return e.conclude(ctx, p, Find, n, ev)
	}
	f, err := e.gather(ctx, service, a, p, &ev)
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	verdict := judge(f)
	ev.Rule = verdict.rule
	return e.conclude(ctx, p, verdict.event, named{ids: verdict.ids, origin: originOfList(p)}, ev)
}

// gather reads what can be read about an uncertain purchase. What cannot be read is missing from the
// evidence, and is never taken for a proof.
func (e *Engine) gather(ctx context.Context, service Service, a store.Account, p store.Purchase, ev *store.Evidence) (findings, error) {
	f := findings{
		now: ev.At, asked: p.SentAt, quiet: quietTime, patience: e.cfg.ReconcileFor,
		quantity: p.Quantity, total: p.Total, shared: ev.Shared,
	}
	if p.Evidence != nil {
		ev.Silent, ev.Traced = p.Evidence.Silent, p.Evidence.Traced
	}
	readable := e.gatherMoney(ctx, service, a, p, ev, &f)
	list, err := service.History(ctx, listOf(p), 0)
	switch {
	case err == nil:
		ev.Listed = true
		if err := e.gatherRows(ctx, a, p, list, &f); err != nil {
			return f, err
		}
	case api.ClassOf(err) != api.NotOffered:
		readable = false
	}
	f.listed = ev.Listed && p.Before.Listed
	ev.Rows = f.candidates
	switch {
	case len(f.candidates) > 0, f.others > 0, f.charge == charged, !readable:
		ev.Silent = time.Time{}
	case ev.Silent.IsZero():
		ev.Silent = ev.At
	}
	if len(f.candidates) > 0 || f.charge == charged {
		ev.Traced = ev.At
	}
	f.silent, f.traced = ev.Silent, !ev.Traced.IsZero()
	return f, nil
}

// namedOrders asks for the orders that an uncertain answer named. ok is false unless all of them exist
// and are not more than were bought.
func (e *Engine) namedOrders(ctx context.Context, service Service, p store.Purchase) (n named, ok bool) {
	if len(p.OrderIDs) == 0 || len(p.OrderIDs) > p.Quantity {
		return n, false
	}
	n.origin = api.Origin(p.Origin)
	for _, key := range p.OrderIDs {
		o := store.Order{ID: key, Origin: p.Origin}
		if _, err := service.Order(ctx, api.OrderRef{Origin: n.origin, ID: o.ServiceID()}); err != nil {
			return n, false
		}
		n.ids = append(n.ids, o.ServiceID())
	}
	return n, true
}

// gatherMoney reads the wallet and the counter of the allocation. They speak of this purchase alone as
// long as nothing else was submitted since.
func (e *Engine) gatherMoney(ctx context.Context, service Service, a store.Account, p store.Purchase, ev *store.Evidence, f *findings) (readable bool) {
	readable = true
	used := -1
	if p.Before.Used >= 0 {
		variants, err := service.Variants(ctx, p.ProductID)
		readable = err == nil
		if i := slices.IndexFunc(variants, func(v api.Variant) bool { return v.ID == p.VariantID }); i >= 0 {
			if ev.Used = usedOf(&variants[i]); ev.Used >= 0 {
				used = ev.Used - p.Before.Used
			}
		}
	}
	b, err := service.Balance(ctx, 0)
	if err != nil {
		return false
	}
	ev.Balance, ev.Known = b.Balance, true
	if a.Spends != p.Before.Spends {
		return readable
	}
	var refunds []dzd.Amount
	for _, id := range a.Refunds {
		o, err := e.cfg.Store.Order(ctx, a.ID, id)
		if err != nil {
			return false
		}
		failed, err := e.cfg.Store.Purchase(ctx, o.Purchase)
		if err != nil {
			return false
		}
		refunds = append(refunds, failed.Price)
	}
	f.charge = chargeOf(b.Balance.Sub(p.Before.Balance), p.Total, p.Before.Known, used, p.Quantity, refunds)
	return readable
}

// gatherRows sorts a list of orders: those that were there before, that are ours already, that fit.
func (e *Engine) gatherRows(ctx context.Context, a store.Account, p store.Purchase, list []api.Order, f *findings) error {
	ours, err := e.knownCodes(ctx, a)
	if err != nil {
		return err
	}
	f.trusted = native(a, p)
	var fresh []row
	for _, o := range list {
		if ours[o.Code.Reveal()] {
			f.trusted = true // an order of ours shows in the list: so would this one
			continue
		}
		if p.Before.Listed && slices.Contains(p.Before.Rows, o.ID) {
			continue
		}
		_, err := e.cfg.Store.Order(ctx, a.ID, store.OrderID(string(originOfList(p)), o.ID))
		if err == nil {
			continue
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		fresh = append(fresh, row{id: o.ID, at: o.CreatedAt, item: item{o.ProductName, o.VariantName, o.PlayerID, o.Price}})
	}
	bought := item{p.Product, p.Variant, "", p.Price}
	if p.Player != nil {
		bought.player = p.Player.ID
	}
	if api.Family(p.Family) == api.Arena { // its list names plans alone
		for i := range fresh {
			fresh[i].item.product = p.Product
		}
	}
	f.candidates, f.others = fitting(fresh, bought, p.SentAt, f.now)
	return nil
}

// knownCodes is the codes that were delivered lately in the chats that are or were of an account: an order of a
// list that holds one of them is known, whatever its id there.
func (e *Engine) knownCodes(ctx context.Context, a store.Account) (map[string]bool, error) {
	codes := map[string]bool{}
	for _, chat := range slices.Concat(a.Chats, a.Past) {
		list, err := e.cfg.Store.ChatPurchases(ctx, chat, "", recentEach)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			orders, err := e.cfg.Store.OrdersOf(ctx, p)
			if err != nil {
				return nil, err
			}
			for _, o := range orders {
				if !o.Code.IsZero() {
					codes[o.Code.Reveal()] = true
				}
			}
		}
	}
	return codes, nil
}

// listOf is the family whose list of orders would show a purchase.
func listOf(p store.Purchase) api.Family {
	switch f := api.Family(p.Family); f {
	case api.Arena, api.BattleRoyale:
		return f
	}
	return api.Goods
}

// originOfList is how an order is followed that such a list names.
func originOfList(p store.Purchase) api.Origin {
	switch listOf(p) {
	case api.Arena:
		return api.FromArena
	case api.BattleRoyale:
		return api.FromBattleRoyale
	}
	return api.FromLegacy
}

// native reports whether a list is that of the very endpoint which the purchase was made at, so that it
// shows such orders under the ids that the purchase would have named.
func native(a store.Account, p store.Purchase) bool {
	return listOf(p) != api.Goods || api.Generation(a.Generation) == api.Legacy
}

// idsOf names the orders of a list, the first ones where they are very many.
func idsOf(list []api.Order) []string {
	ids := make([]string, 0, min(len(list), mostRows))
	for _, o := range list[:min(len(list), mostRows)] {
		ids = append(ids, o.ID)
	}
	return ids
}

// usedOf is the counter of a variant's allocation, -1 where it has none.
func usedOf(v *api.Variant) int {
	if v == nil || v.Stock == nil {
		return -1
	}
	return v.Stock.Used
}

// conclude puts on disk what a look has come to, together with the messages that it causes. A purchase that
// has moved on meanwhile is left alone.
func (e *Engine) conclude(ctx context.Context, seen store.Purchase, ev Event, n named, evidence store.Evidence) error {
	err := e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		p, a, err := load(tx, seen.ID)
		if err != nil || p.Phase != seen.Phase || looks(p) != looks(seen) {
			return err
		}
		noteLook(&p, evidence)
		if _, err := Next(p.Phase, ev); ev == "" || err != nil {
			return tx.PutPurchase(&p) // nothing to tell: what was said still holds
		}
		if ev != Deny && p.Phase != store.Unknown || ev == GiveUp {
			a.Wallet.Known = false // what of it the wallet shows by now is not known: its next reading starts anew
		}
		if ev == Find {
			if free, err := e.adopt(tx, &p, &a, n); err != nil || !free {
				return errors.Join(err, tx.PutPurchase(&p))
			}
			endLooks(&p)
		}
		tx.Then(func() {
			e.log(p).Info("an uncertain purchase was looked for", "event", string(ev), "rule", evidence.Rule, "looks", evidence.Looks)
		})
		if err := e.move(tx, &p, &a, ev, evidence.Rule); err != nil {
			return err
		}
		return e.ringUncertain(tx, p, a)
	})
	if err == nil && ev != "" {
		e.kick(seen.Account)
	}
	return err
}

// noteLook keeps what a look has shown, and sets the next one.
func noteLook(p *store.Purchase, evidence store.Evidence) {
	now := time.Now()
	age := now.Sub(p.SentAt)
	p.Evidence, p.LookAt = &evidence, now.Add(nextReconcile(age))
	if now.Before(p.DecideBy) && p.DecideBy.Before(p.LookAt) {
		p.LookAt = p.DecideBy
	}
	if age > lateWatch {
		endLooks(p)
	}
}

// endLooks ends the search for a purchase.
func endLooks(p *store.Purchase) { p.LookAt, p.Before.Rows = time.Time{}, nil }

// ringUncertain makes the phone ring for what became of an uncertain purchase. What was found rings by
// itself once its code is there; what of it is missing has to be asked for.
func (e *Engine) ringUncertain(tx *store.Tx, p store.Purchase, a store.Account) error {
	if p.Phase == store.Accepted {
		if p.Missing > 0 {
			return e.askForSupport(tx, p, a)
		}
		return nil
	}
	return tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID + ".u" + string(p.Phase), Kind: store.Ping, Purchase: p.ID, Priority: 2})
}

// forgetLook ends the search for a purchase whose account is gone.
func (e *Engine) forgetLook(ctx context.Context, id string) error {
	return e.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		p.LookAt = time.Time{}
		return tx.PutPurchase(&p)
	})
}

// looks is how often a purchase was looked for.
func looks(p store.Purchase) int {
	if p.Evidence == nil {
		return 0
	}
	return p.Evidence.Looks
}
