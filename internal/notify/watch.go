package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

const (
	watchPage     = 100         // accounts read at once
	watchedAtOnce = 16          // of them are looked at side by side: 10,000 whose service takes 150 ms in a minute and a half
	watchAge      = time.Minute // how old an answer may be that a screen has caused as well
	week          = 7 * 24 * time.Hour
	weekMovements = 500 // movements of a week that are read: where there are more, spending is measured over the shorter time that these cover
)

// WatchSource is the service under one account's key, as far as watches read it. An api.Session is one.
type WatchSource interface {
	Stock(ctx context.Context, maxAge time.Duration) ([]api.StockEntry, error)
	// Products is the catalogue, in which variants may have no ids.
	Products(ctx context.Context, maxAge time.Duration) ([]api.Product, error)
	// Product is a product with its variants, whose ids and availability are there also where listings do not tell them.
	Product(ctx context.Context, id int64, maxAge time.Duration) (api.Product, error)
}

// WatcherConfig is what a Watcher is built from. All fields are required.
type WatcherConfig struct {
	Store *store.Store
	// Observe reads an account's balance, and explains what has changed it.
	Observe func(ctx context.Context, account string) (api.Balance, error)
	Source  func(store.Account) WatchSource
	Zone    *time.Location // of quiet hours
	Log     *slog.Logger
}

// Watcher compares what the service shows with the thresholds that chats have set. A threshold speaks once when it
// is crossed, and again only after it was crossed back.
type Watcher struct {
	cfg  WatcherConfig
	seen glances
}

// NewWatcher makes a Watcher. Its methods are jobs.
func NewWatcher(cfg WatcherConfig) *Watcher {
	return &Watcher{cfg: cfg, seen: glances{last: map[glanceKey]glance{}}}
}

// Balances looks at every account's balance, once for all its chats. What fails for one account is logged.
func (w *Watcher) Balances(ctx context.Context) error {
	return w.each(ctx, func(a store.Account, _ []store.Alerts) error {
		b, err := w.cfg.Observe(api.InBackground(ctx), a.ID)
		switch {
		// The poller tells of a refused key only where it asks about orders.
		case isKeyRefused(err) && a.Open > 0: // perhaps of no order yet, so that nobody else asks
			return errors.Join(err, w.tellKey(ctx, a, api.ClassOf(err)))
		case err != nil:
			return err
		case !a.KeyTold.IsZero():
			if err := keyTaken(ctx, w.cfg.Store, a.ID, a.Key.Fingerprint()); err != nil {
				return err
			}
		}
		if b.Lacks { // what can be spent is not known: whatever was crossed stays so
			return nil
		}
		spent, over, err := w.spent(ctx, a.ID, time.Now())
		if err != nil {
			return err
		}
		days, paced := daysLeft(b.Available, spent, over)
		return w.tell(ctx, a, func(al *store.Alerts) []Alert {
			found := crossings{alerts: al}
			if !a.HearsMoney(al.Chat) {
				return nil
			}
			if threshold := al.Thresholds[store.LowBalance]; threshold.Mode != store.AlertOff {
				found.crossing(store.LowBalance, "", belowAmount(al.Crossed["balance"], b.Available, threshold.Amount), threshold.Mode,
					Alert{Amount: b.Available.String(), Reference: threshold.Amount.String()})
			}
			if threshold := al.Thresholds[store.DaysLeft]; threshold.Mode != store.AlertOff && paced {
				found.crossing(store.DaysLeft, "", below(al.Crossed["days"], days, int64(threshold.Number)), threshold.Mode,
					Alert{Amount: b.Available.String(), Number: int(days)})
			}
			return found.news
		})
	})
}

// Stocks looks at the allocations and the watched products of every account that has thresholds for them. What
// fails for one account is logged.
func (w *Watcher) Stocks(ctx context.Context) error {
	return w.each(ctx, func(a store.Account, all []store.Alerts) error {
		source := w.cfg.Source(a)
		var stock []api.StockEntry
		var err error
		if slices.ContainsFunc(all, watchesStock) {
			// A generation without allocations leaves stock empty: then the watched products are all there is to compare.
			if stock, err = source.Stock(api.InBackground(ctx), watchAge); err != nil && api.ClassOf(err) != api.NotOffered {
				return err
			}
		}
		products, looks, unread := w.watchedProducts(api.InBackground(ctx), a.ID, source, all)
		if stock == nil && products == nil {
			return unread
		}
		own, failed := w.cfg.Store.Prices(ctx, a.ID) // without it, only what the price does to the margin is not told
		now := time.Now()
		told := w.tell(ctx, a, func(al *store.Alerts) []Alert {
			found := crossings{alerts: al, own: own, hides: own.HidesCost() && !seesCost(a, al.Chat)}
			return found.compare(stock, products, now)
		})
		if told == nil { // or what could not be written is not looked at again
			w.seen.remember(a.ID, looks)
		}
		return errors.Join(unread, failed, told)
	})
}

// seesCost reports whether owners alone read in a chat: what things cost is shown to them in any case.
func seesCost(a store.Account, chat int64) bool {
	if chat < 0 {
		return !a.HasStaff()
	}
	return a.Role(chat) == store.Owner
}

// watchedProducts reads the products that chats watch, up to the first that cannot be read. One that is not sold now is
// left out, and so is one that takes a call of its own and that the catalogue shows as it was at the last one. looks are how the catalogue
// shows those that were read.
func (w *Watcher) watchedProducts(ctx context.Context, account string, source WatchSource, all []store.Alerts) (products map[int64]api.Product, looks map[int64]glance, _ error) {
	products, looks = map[int64]api.Product{}, map[int64]glance{}
	if !slices.ContainsFunc(all, func(al store.Alerts) bool { return len(al.Products) > 0 }) {
		return products, nil, nil
	}
	listed, err := source.Products(ctx, watchAge)
	if err != nil {
		return nil, nil, err
	}
	for _, al := range all {
		for _, watched := range al.Products {
			look := glanceAt(watched.Product, listed, all)
			if _, read := products[watched.Product]; read || w.seen.same(account, watched.Product, look, time.Now()) {
				continue
			}
			p, err := source.Product(ctx, watched.Product, watchAge)
			switch {
			case err == nil:
				products[watched.Product], looks[watched.Product] = p, look
			case api.ClassOf(err) != api.NotFound:
				return products, looks, err
			}
		}
	}
	return products, looks, nil
}

// spent is what an account's purchases cost in the last week, or in the shorter time that as many movements as are looked at go back.
func (w *Watcher) spent(ctx context.Context, account string, now time.Time) (sum dzd.Amount, over time.Duration, err error) {
	list, err := w.cfg.Store.Movements(ctx, account, weekMovements) // the newest first
	if over = week; len(list) == weekMovements {
		over = min(week, now.Sub(list[len(list)-1].At))
	}
	for _, m := range list {
		if m.Kind == store.Bought && now.Sub(m.At) < week {
			sum = sum.Sub(m.Amount)
		}
	}
	return sum, over, err
}

// watchesStock reports whether a chat has a threshold that allocations may cross.
func watchesStock(al store.Alerts) bool {
	return al.Thresholds[store.LowStock].Mode != store.AlertOff || al.Thresholds[store.Expiry].Mode != store.AlertOff
}

// each visits every account that somebody watches, with the alerts of its chats, some side by side. What fails for one
// account does not hold the others up.
func (w *Watcher) each(ctx context.Context, visit func(store.Account, []store.Alerts) error) error {
	var visits errgroup.Group
	visits.SetLimit(watchedAtOnce)
	defer visits.Wait() //nolint:errcheck // a visit that fails is logged
	for after := ""; ctx.Err() == nil; {
		list, err := w.cfg.Store.Accounts(ctx, after, watchPage)
		if err != nil {
			return fmt.Errorf("list accounts: %w", err)
		}
		if len(list) == 0 {
			break
		}
		after = list[len(list)-1].ID
		for _, a := range list {
			visits.Go(func() error {
				err := guard(w.cfg.Log, "watch an account", func() error { return w.visit(ctx, a, visit) })
				if err != nil && ctx.Err() == nil {
					w.cfg.Log.Warn("watch an account", "account", a.ID, "err", err)
				}
				return nil
			})
		}
	}
	return nil
}

// visit visits one account.
func (w *Watcher) visit(ctx context.Context, a store.Account, visit func(store.Account, []store.Alerts) error) error {
	// A frozen account's readings are checkFrozen's (package purchase): its wallet is not explained yet. A retired one has nobody to tell.
	if a.Frozen || a.Retired || len(a.Chats) == 0 {
		return nil
	}
	var all []store.Alerts
	for _, chat := range a.Chats {
		al, err := w.cfg.Store.Alerts(ctx, chat, a.ID)
		if err != nil {
			return err
		}
		all = append(all, al)
	}
	return visit(a, all)
}

// tell has each chat of an account compared with what was seen, and queues what is new to it: what it
// remembers and what it is told are one transaction.
func (w *Watcher) tell(ctx context.Context, a store.Account, compare func(*store.Alerts) []Alert) error {
	for _, chat := range a.Chats {
		if same, err := w.isSame(ctx, a.ID, chat, compare); err != nil || same {
			if err != nil {
				return fmt.Errorf("read the alerts of chat %d: %w", chat, err)
			}
			continue
		}
		err := w.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
			// Compared anew with what is stored by now: another job, or the person, may have changed it since it was read.
			now, err := tx.Account(a.ID)
			if err != nil || !slices.Contains(now.Chats, chat) {
				return err // it has left since
			}
			al, err := tx.Alerts(chat, a.ID)
			if err != nil {
				return err
			}
			news := compare(&al)
			if err := tx.PutAlerts(&al); err != nil {
				return err
			}
			return w.queue(tx, now, al, news)
		})
		if err != nil {
			return fmt.Errorf("compare the alerts of chat %d: %w", chat, err)
		}
	}
	return nil
}

// isSame reports whether what was seen is nothing new to a chat, and nothing that it has to remember: as a rule that is so,
// and it is not written for that.
func (w *Watcher) isSame(ctx context.Context, account string, chat int64, compare func(*store.Alerts) []Alert) (bool, error) {
	was, err := w.cfg.Store.Alerts(ctx, chat, account)
	if err != nil {
		return false, err
	}
	// Read twice and not copied: compare changes maps and slices in what it is given, which a copy by value would share.
	now, err := w.cfg.Store.Alerts(ctx, chat, account)
	if err != nil {
		return false, err
	}
	news := compare(&now)
	return len(news) == 0 && reflect.DeepEqual(was, now), nil
}

// queue puts what is new to a chat into one message, in quiet hours into one that waits for the morning.
// It is about an account, and tells which in a group.
func (w *Watcher) queue(tx *store.Tx, a store.Account, al store.Alerts, news []Alert) error {
	if len(news) == 0 {
		return nil
	}
	now := time.Now()
	until := quietUntil(al.Quiet, now, w.cfg.Zone)
	// The account is in the id: one chat may hear of several, and a row that is put under the id of another one takes its place.
	id := "alert." + a.ID + "." + strconv.FormatInt(now.UnixMicro(), 36)
	if until.After(now) {
		// The id names the hour at which quiet hours end, so all that is found of an account in a night shares it, and what is found later is
		// added to what waits there. The next night has another one, delivered or not.
		id = "alert.morning." + a.ID + "." + until.UTC().Format("2006010215")
		waiting, err := tx.Outgoing(al.Chat, id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		var earlier []Alert
		if err == nil && waiting.Args[store.AboutArg] == a.ID && json.Unmarshal([]byte(waiting.Args["items"]), &earlier) == nil {
			news = append(earlier, news...)
		}
	}
	text, err := json.Marshal(news)
	if err != nil {
		return fmt.Errorf("encode alerts: %w", err)
	}
	args := map[string]string{"items": string(text), store.AboutArg: a.ID}
	if al.Chat < 0 {
		args["account"] = a.Called()
	}
	if !slices.ContainsFunc(news, func(a Alert) bool { return !a.Silent }) {
		args[store.SilentArg] = "yes"
	}
	note := store.NewNote(al.Chat, id, store.AlertsNote, args)
	note.Priority, note.Due = store.AlertPriority, until
	return tx.Enqueue(note)
}

// tellKey tells the owners of an account that its key is refused, unless it is taken where orders are asked for.
func (w *Watcher) tellKey(ctx context.Context, a store.Account, class api.Class) error {
	if works, err := keyWorks(ctx, w.cfg.Store, a.ID); works || err != nil {
		return err
	}
	return keyRefused(ctx, w.cfg.Store, a.ID, a.Key.Fingerprint(), class)
}
