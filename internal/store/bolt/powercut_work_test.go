package bolt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// work is the bot's day in small: people link keys, draft, confirm and receive, by the transactions that the
// program makes of it. Where things stand is read from the store each time, as after a restart.
type work struct {
	store   *store.Store
	rng     *rand.Rand
	letters *rand.ChaCha8 // of ids
	now     time.Time
	count   int
}

func newWork(s *store.Store, rng *rand.Rand) *work {
	var seed [32]byte
	for i := range seed {
		seed[i] = byte(rng.UintN(256))
	}
	return &work{store: s, rng: rng, letters: rand.NewChaCha8(seed), now: time.Date(2025, 11, 20, 12, 0, 0, 0, time.UTC)}
}

var errChangedMind = errors.New("the transaction thought better of it")

// step does one of the things that happen in a day. One that nothing can be done for is left out.
func (w *work) step(ctx context.Context) error {
	w.now = w.now.Add(time.Duration(w.rng.IntN(3000)) * time.Millisecond)
	w.count++
	steps := []func(context.Context) error{
		w.link, w.arrive, w.handle, w.draft, w.draft, w.confirm, w.confirm, w.submit, w.submit, w.answer, w.answer,
		w.look, w.look, w.deliver, w.deliver, w.prune, w.many, w.changeMind, w.forget,
	}
	err := steps[w.rng.IntN(len(steps))](ctx)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func (w *work) chat() int64     { return int64(501 + w.rng.IntN(4)) }
func (w *work) account() string { return fmt.Sprintf("u%d", 1+w.rng.IntN(3)) }

// blob is text of a size that is mostly small and at times many pages long.
func (w *work) blob() []byte {
	n := 50 + w.rng.IntN(400)
	switch w.rng.IntN(30) {
	case 0, 1:
		n = 4000 + w.rng.IntN(5000)
	case 2:
		n = 12_000 + w.rng.IntN(12_000)
	}
	return bytes.Repeat([]byte{byte('a' + w.rng.IntN(26))}, n)
}

// link ties a chat to an account.
func (w *work) link(ctx context.Context) error {
	chat, id := w.chat(), w.account()
	return w.store.Update(ctx, func(tx *store.Tx) error {
		c, err := tx.Chat(chat)
		if errors.Is(err, store.ErrNotFound) {
			c, err = store.Chat{ID: chat, Language: "fr", CreatedAt: w.now}, nil
		}
		if err != nil {
			return err
		}
		a, err := tx.Account(id)
		if errors.Is(err, store.ErrNotFound) {
			a, err = store.Account{ID: id, Name: "Boutique", LinkedAt: w.now}, nil
		}
		if err != nil {
			return err
		}
		a.Key = secret.New(fmt.Sprintf("KEY-%d", w.count))
		if !slices.Contains(a.Chats, chat) {
			a.Chats = append(a.Chats, chat)
		}
		if err := tx.PutAccount(&a); err != nil {
			return err
		}
		c.Account = id
		return tx.PutChat(&c)
	})
}

// arrive is a batch of updates.
func (w *work) arrive(ctx context.Context) error {
	var batch []store.Incoming
	for i := range 1 + w.rng.IntN(4) {
		batch = append(batch, store.Incoming{
			ID: int64(w.rng.IntN(1 << 30)), Chat: w.chat(), State: store.New, At: w.now,
			Raw: fmt.Appendf(nil, `{"n":%d,"text":%q}`, i, w.blob()),
		})
	}
	_, err := w.store.AddUpdates(ctx, batch)
	return err
}

// handle ends some of the updates that wait, and moves a session on.
func (w *work) handle(ctx context.Context) error {
	waiting, err := w.store.PendingUpdates(ctx, 0, 5)
	if err != nil || len(waiting) == 0 {
		return err
	}
	return w.store.Batch(ctx, func(tx *store.Tx) error {
		for _, in := range waiting[:1+w.rng.IntN(len(waiting))] {
			s := store.Session{Chat: in.Chat, User: in.Chat, Flow: "buy", Data: fmt.Appendf(nil, `{"Typed":%q}`, w.blob()), Expires: w.now}
			if err := tx.PutSession(&s); err != nil {
				return err
			}
			if err := tx.UpdateDone(in.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// draft is a summary that is shown.
func (w *work) draft(ctx context.Context) error {
	price := dzd.Int(int64(100 + w.rng.IntN(5000)))
	n := 1 + w.rng.IntN(3)
	if w.rng.IntN(5) == 0 {
		n = 12 + w.rng.IntN(20)
	}
	total, err := price.Mul(n)
	if err != nil {
		return err
	}
	p := store.Purchase{
		ID: store.NewID(w.now, w.letters), Account: w.account(), Chat: w.chat(), Phase: store.Drafted, Product: "Play Card", Variant: "10 USD",
		Quantity: n, Price: price, Total: total, Inputs: []store.Answer{{Index: "1", Label: "Player ID", Value: string(w.blob()[:40])}},
		CreatedAt: w.now, ExpiresAt: w.now.Add(10 * time.Minute),
	}
	return w.store.Batch(ctx, func(tx *store.Tx) error {
		q := p
		return tx.PutPurchase(&q)
	})
}

// some is one of a chat's purchases in a phase. ErrNotFound where there is none.
func (w *work) some(ctx context.Context, phases ...store.Phase) (store.Purchase, error) {
	var found []store.Purchase
	for chat := int64(501); chat < 505; chat++ {
		list, err := w.store.ChatPurchases(ctx, chat, "", 20)
		if err != nil {
			return store.Purchase{}, err
		}
		for _, p := range list {
			if slices.Contains(phases, p.Phase) {
				found = append(found, p)
			}
		}
	}
	if len(found) == 0 {
		return store.Purchase{}, store.ErrNotFound
	}
	return found[w.rng.IntN(len(found))], nil
}

// move is one transaction on a purchase, its account, and the message that shows it.
func (w *work) move(ctx context.Context, id string, change func(*store.Tx, *store.Purchase, *store.Account) error) error {
	return w.store.Update(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		a, err := tx.Account(p.Account)
		if err != nil {
			return err
		}
		was := p.Phase
		if err := change(tx, &p, &a); err != nil {
			return err
		}
		p.History = append(p.History, store.Step{At: w.now, From: was, To: p.Phase})
		if err := tx.PutPurchase(&p); err != nil {
			return err
		}
		if err := tx.PutAccount(&a); err != nil {
			return err
		}
		return tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID, Kind: store.StatusMessage, Purchase: p.ID, Priority: store.DeliveryPriority})
	})
}

func (w *work) confirm(ctx context.Context) error {
	p, err := w.some(ctx, store.Drafted)
	if err != nil {
		return err
	}
	return w.move(ctx, p.ID, func(_ *store.Tx, p *store.Purchase, a *store.Account) error {
		p.Phase, p.QueuedAt = store.Queued, w.now
		a.Queue, a.Open = append(a.Queue, p.ID), a.Open+1
		return nil
	})
}

func (w *work) submit(ctx context.Context) error {
	p, err := w.some(ctx, store.Queued)
	if err != nil {
		return err
	}
	return w.move(ctx, p.ID, func(_ *store.Tx, p *store.Purchase, a *store.Account) error {
		p.Phase, p.SentAt, p.Attempts = store.Submitting, w.now, p.Attempts+1
		a.Busy, a.Spends = p.ID, a.Spends+1
		a.Queue = slices.DeleteFunc(a.Queue, func(id string) bool { return id == p.ID })
		return nil
	})
}

// answer is what came of a submission: its orders, a refusal, or nothing.
func (w *work) answer(ctx context.Context) error {
	p, err := w.some(ctx, store.Submitting, store.Unknown)
	if err != nil {
		return err
	}
	return w.move(ctx, p.ID, func(tx *store.Tx, p *store.Purchase, a *store.Account) error {
		a.Busy, p.AnsweredAt = "", w.now
		switch w.rng.IntN(6) {
		case 0:
			p.Phase = store.Unknown
			return nil
		case 1:
			p.Phase, p.Reason = store.Rejected, "out_of_stock"
			return nil
		}
		p.Phase, p.OrderIDs = store.Accepted, nil
		for unit := range p.Quantity {
			id := fmt.Sprintf("ORD-%s-%d", p.ID, unit)
			p.OrderIDs = append(p.OrderIDs, id)
			o := store.Order{Account: a.ID, ID: id, Purchase: p.ID, Unit: unit + 1, State: store.Waiting, CreatedAt: w.now, Due: w.now}
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
		}
		a.Wallet.Available = a.Wallet.Available.Sub(p.Total)
		return tx.AddMovement(a, store.Movement{At: w.now, Kind: store.Bought, Amount: p.Total, Balance: a.Wallet.Available, Purchase: p.ID})
	})
}

// look takes orders that are due, and settles what became ready.
func (w *work) look(ctx context.Context) error {
	due, err := w.store.ClaimOrders(ctx, w.now, time.Duration(w.rng.IntN(5000))*time.Millisecond, 40)
	if err != nil || len(due) == 0 || w.rng.IntN(4) == 0 {
		return err // at times the claim is all that there was time for
	}
	return w.store.Update(ctx, func(tx *store.Tx) error {
		for _, o := range due {
			if w.rng.IntN(4) == 0 {
				continue
			}
			o.State, o.Due, o.ReadyAt, o.Code = store.Ready, time.Time{}, w.now, secret.New(strings.Repeat("CODE", 4))
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
			p, err := tx.Purchase(o.Purchase)
			if err != nil {
				return err
			}
			p.Phase = store.Settled
			if err := tx.PutPurchase(&p); err != nil {
				return err
			}
			if err := tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID + ".p1", Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority}); err != nil {
				return err
			}
		}
		return nil
	})
}

// deliver takes messages that wait; most of them arrive.
func (w *work) deliver(ctx context.Context) error {
	rows, err := w.store.ClaimOutbox(ctx, time.Now().Add(time.Hour), time.Hour, 10)
	if err != nil || len(rows) == 0 || w.rng.IntN(4) == 0 {
		return err
	}
	return w.store.Batch(ctx, func(tx *store.Tx) error {
		for _, row := range rows {
			if w.rng.IntN(4) == 0 {
				row.Tries, row.Due = row.Tries+1, w.now
				if err := tx.Retry(row); err != nil {
					return err
				}
				continue
			}
			if err := tx.Sent(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// prune forgets updates that were handled long ago.
func (w *work) prune(ctx context.Context) error {
	_, err := w.store.PruneUpdates(ctx, time.Now().Add(100*time.Hour), 3)
	return err
}

// many is several people at once, who share a commit; one of them fails, alone.
func (w *work) many(ctx context.Context) error {
	group := make([]error, 2+w.rng.IntN(5))
	var all sync.WaitGroup
	text := w.blob()[:50]
	for i := range group {
		all.Go(func() {
			group[i] = w.store.Batch(ctx, func(tx *store.Tx) error {
				s := store.Session{Chat: 501, User: int64(900 + i), Step: "quantity", Data: fmt.Appendf(nil, "%q", text)}
				if err := tx.PutSession(&s); err != nil || i > 0 {
					return err
				}
				return errChangedMind
			})
		})
	}
	all.Wait()
	if !errors.Is(group[0], errChangedMind) {
		return fmt.Errorf("a transaction that fails comes back as %w", group[0])
	}
	return errors.Join(group[1:]...)
}

// changeMind is a transaction that writes and then fails: nothing of it may ever be seen.
func (w *work) changeMind(ctx context.Context) error {
	err := w.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.Enqueue(&store.Outgoing{Chat: w.chat(), ID: fmt.Sprintf("x%d", w.count), Kind: store.Note}); err != nil {
			return err
		}
		return errChangedMind
	})
	if errors.Is(err, errChangedMind) {
		return nil
	}
	return err
}

// forget takes away where somebody stands, and the key of an account that nothing is open for.
func (w *work) forget(ctx context.Context) error {
	chat, id := w.chat(), w.account()
	return w.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.DeleteSession(chat, chat); err != nil {
			return err
		}
		a, err := tx.Account(id)
		if err != nil || a.Open > 0 {
			return err
		}
		a.Key = secret.Text{}
		return tx.PutAccount(&a)
	})
}
