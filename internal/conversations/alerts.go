package conversations

import (
	"errors"
	"slices"
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/figures"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowAlerts    = "alerts"
	mostWatched   = 50 // products that one chat watches
	mostThreshold = 100_000
)

// alerts is /alerts: what the chat is told without asking.
func (t alertFlow) alerts() error {
	t.leave()
	if t.chat.Account == "" {
		return t.noAccount()
	}
	al, err := t.cfg.Store.Alerts(t.ctx, t.chatID, t.shop.ID)
	if err != nil {
		return err
	}
	return t.say(t.scr.Alerts().List(al))
}

// askThreshold asks for one alert's threshold; what is typed next answers.
func (t alertFlow) askThreshold(kind string, problem screen.Problem) error {
	if t.chat.Account == "" {
		return t.noAccount()
	}
	al, err := t.cfg.Store.Alerts(t.ctx, t.chatID, t.shop.ID)
	if err != nil {
		return err
	}
	t.correct(problem)
	switch k := store.AlertKind(kind); k {
	case store.LowBalance, store.DaysLeft, store.LowStock, store.Expiry:
		return t.ask(t.scr.Alerts().Alert(k, al.Thresholds[k], problem), flowAlerts, kind, mistake{problem})
	// It has no threshold: nothing can be typed, so no question is open.
	case store.Debit:
		return t.say(t.scr.Alerts().Alert(k, al.Thresholds[k], problem))
	}
	// Any other word is that of the quiet hours, which have no threshold.
	return t.say(t.scr.Alerts().Quiet(al.Quiet))
}

// alertTyped takes a typed threshold.
func (t alertFlow) alertTyped() error {
	kind := store.AlertKind(t.session.Step)
	threshold, sure, ok := typedThreshold(kind, t.text)
	switch {
	case !ok:
		return t.askThreshold(t.session.Step, screen.NotANumber)
	case !sure:
		// It is shown back in the question's place. Its button carries the exact amount, which alertSet takes.
		t.inPlaceOf = t.answeredQuestion
		return t.ask(t.scr.Alerts().AlertMeant(kind, threshold.Amount), flowAlerts, string(kind), nil)
	}
	return t.setThreshold(kind, threshold)
}

// typedThreshold reads an amount, or a whole number, above zero. An amount that is not sure is asked about
// before it counts.
func typedThreshold(kind store.AlertKind, text string) (threshold store.Threshold, sure, ok bool) {
	if kind == store.LowBalance {
		a, sure, err := figures.Amount(text)
		return store.Threshold{Amount: a}, sure, err == nil && a.Sign() > 0
	}
	// In units or in days, as the alert has it; mostThreshold bounds both.
	n, err := figures.Count(text)
	return store.Threshold{Number: n}, true, err == nil && n > 0 && n <= mostThreshold
}

// setThreshold sets where an alert begins, and has it speak.
func (t alertFlow) setThreshold(kind store.AlertKind, threshold store.Threshold) error {
	return t.setAlert(kind, func(l *store.Threshold) {
		l.Amount, l.Number, l.Mode = threshold.Amount, threshold.Number, keepMode(l.Mode)
	})
}

// keepMode is how an alert speaks whose threshold was set: as before, and aloud where it did not.
func keepMode(m store.AlertMode) store.AlertMode {
	if m == store.AlertOff {
		return store.AlertOn
	}
	return m
}

// alertSet runs the buttons that set an alert.
func (t alertFlow) alertSet() error {
	kind, value := store.AlertKind(t.action.Arg(0)), t.action.Arg(1)
	if kind == "quiet" {
		return t.setQuiet(store.Hours{From: int(t.action.Int(1)), To: int(t.action.Int(2))})
	}
	switch value {
	case screen.AlertOff, screen.AlertOn, screen.AlertSilent:
		mode := map[string]store.AlertMode{screen.AlertOff: store.AlertOff, screen.AlertOn: store.AlertOn, screen.AlertSilent: store.AlertSilent}[value]
		return t.setAlert(kind, func(l *store.Threshold) { l.Mode = mode })
	}
	threshold, sure, ok := typedThreshold(kind, value)
	// A button carries an exact amount: one that can be read in two ways is none of ours.
	if !ok || !sure {
		return t.stale()
	}
	return t.setThreshold(kind, threshold)
}

// setAlert sets a threshold anew. A threshold that was crossed where it stood before may speak again.
func (t alertFlow) setAlert(kind store.AlertKind, change func(*store.Threshold)) error {
	if !slices.Contains([]store.AlertKind{store.LowBalance, store.DaysLeft, store.LowStock, store.Expiry, store.Debit}, kind) {
		return t.stale()
	}
	return t.changeAlerts(func(al *store.Alerts) error {
		threshold := al.Thresholds[kind]
		change(&threshold)
		if threshold.Mode != store.AlertOff && kind != store.Debit && threshold.Amount.IsZero() && threshold.Number == 0 {
			threshold.Mode = store.AlertOff // there is no threshold yet
		}
		al.Thresholds[kind] = threshold
		// What was crossed is forgotten by its kind, or by the kind and what it is about (crossings.crossing in package notify).
		for key := range al.Crossed {
			if key == string(kind) || strings.HasPrefix(key, string(kind)+"/") {
				delete(al.Crossed, key)
			}
		}
		return nil
	})
}

// sounds shows how the chat hears of things, or sets that: how it hears of a subject, or its quiet hours. In a group an owner
// decides that.
func (t alertFlow) sounds() error {
	if t.chat.Account == "" {
		return t.noAccount()
	}
	if !t.private && t.role != store.Owner {
		return t.refuse(store.Owner)
	}
	s, how := store.Subject(t.action.Arg(0)), store.Hearing(t.action.Arg(1))
	quiet := store.Hours{From: int(t.action.Int(1)), To: int(t.action.Int(2))}
	al, err := t.cfg.Store.Alerts(t.ctx, t.chatID, t.shop.ID)
	switch {
	case err != nil:
		return err
	case s == "":
		t.leave()
		return t.say(t.scr.Alerts().Sounds(al, t.role))
	// Hours that are none fall to the next case: the word is no subject of the store.
	case s == screen.SubjectQuiet && quiet.From >= 0 && quiet.From <= 23 && quiet.To >= 0 && quiet.To <= 23:
		if al.Quiet != quiet {
			return t.setSounds(func(al *store.Alerts) { al.Quiet = quiet })
		}
		t.ack(screen.ToastUnchanged) // the screen stays as it is: the answer alone can say so
		return t.say(t.scr.Alerts().Sounds(al, t.role))
	case !slices.Contains(store.Subjects(), s), !slices.Contains([]store.Hearing{store.Aloud, store.Softly, store.Unheard}, how):
		return t.stale()
	case how == store.Unheard && !al.MayBeOff(s, t.role): // forged, or of a role of before
		return t.stale()
	}
	return t.setSounds(func(al *store.Alerts) { al.Hear(s, how) })
}

// setSounds changes how the chat hears of things, and shows it.
func (t alertFlow) setSounds(change func(*store.Alerts)) error {
	var al store.Alerts
	err := t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) (err error) {
		if al, err = tx.Alerts(t.chatID, t.shop.ID); err != nil {
			return err
		}
		change(&al)
		return tx.PutAlerts(&al)
	})
	if err != nil {
		return err
	}
	return t.say(t.scr.Alerts().Sounds(al, t.role))
}

// setQuiet sets the hours in which alerts wait.
func (t alertFlow) setQuiet(h store.Hours) error {
	if h.From < 0 || h.From > 23 || h.To < 0 || h.To > 23 {
		return t.stale()
	}
	return t.changeAlerts(func(al *store.Alerts) error { al.Quiet = h; return nil })
}

// changeAlerts changes what the chat is told, and shows it.
func (t alertFlow) changeAlerts(change func(*store.Alerts) error) error {
	if t.chat.Account == "" {
		return t.noAccount() // there is nothing that could be told
	}
	var al store.Alerts
	err := t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) (err error) {
		if al, err = tx.Alerts(t.chatID, t.shop.ID); err != nil {
			return err
		}
		if err := change(&al); err != nil {
			return err
		}
		return tx.PutAlerts(&al)
	})
	if err != nil {
		return err
	}
	t.leave()
	return t.say(t.scr.Alerts().List(al))
}

// watch shows what the chat wants to be told of a product.
func (t alertFlow) watch(id int64) error {
	return t.withProduct(id, func(p api.Product) error {
		al, err := t.cfg.Store.Alerts(t.ctx, t.chatID, t.shop.ID)
		if err != nil {
			return err
		}
		return t.say(t.scr.Alerts().Watch(watched(al, p), al.Few()))
	})
}

// watched is what a chat watches of a product.
func watched(al store.Alerts, p api.Product) store.Watched {
	if i := slices.IndexFunc(al.Products, func(w store.Watched) bool { return w.Product == p.ID }); i >= 0 {
		return al.Products[i]
	}
	return store.Watched{Product: p.ID, Name: p.Name}
}

var errTooMany = errors.New("the chat watches too many products")

// turned is what is watched of a product with one thing of it turned on or off.
func turned(w store.Watched, what string, p api.Product) store.Watched {
	switch what {
	case screen.WatchBack:
		w.Back = !w.Back
	case screen.WatchPrice:
		w.Price = !w.Price
	case screen.WatchLow:
		w.Low = !w.Low
	}
	if w.Seen == nil { // what it is compared with is what is on the screen now
		w.Seen = map[int64]store.SeenVariant{}
		for _, v := range p.Variants {
			// Of one without a price it is not known whether it can be bought: nothing could be compared with it. Of one that stands there twice the
			// first counts, as at each look.
			if _, twice := w.Seen[v.ID]; !v.Unpriced && !twice {
				w.Seen[v.ID] = store.SeenVariant{Available: v.Available, Price: v.Price}
			}
		}
	}
	return w
}

// watchSet turns one thing that is told of a product on or off.
func (t alertFlow) watchSet() error {
	return t.withProduct(t.action.Int(0), func(p api.Product) error {
		var w store.Watched
		var few store.Threshold
		err := t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
			al, err := tx.Alerts(t.chatID, t.shop.ID)
			if err != nil {
				return err
			}
			w, few = turned(watched(al, p), t.action.Arg(1), p), al.Few()
			// Else variants that were low stay silent when this is turned on again.
			if !w.Low {
				al.Unwatch(w)
			}
			al.Products = slices.DeleteFunc(al.Products, func(o store.Watched) bool { return o.Product == p.ID })
			if w.Watches() {
				// The product itself was taken out above, so that one which is watched already can always be changed.
				if len(al.Products) >= mostWatched {
					return errTooMany
				}
				al.Products = append(al.Products, w)
			}
			return tx.PutAlerts(&al)
		})
		if errors.Is(err, errTooMany) {
			t.answer(screen.ToastTooMany, true)
			return nil
		}
		if err != nil {
			return err
		}
		return t.say(t.scr.Alerts().Watch(w, few))
	})
}
