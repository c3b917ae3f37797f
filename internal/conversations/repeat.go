package conversations

import (
	"context"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// again buys the same once more as if it were put together anew: the player is verified, what else was bought just now is
// asked about, and the price is today's. Answers that the product does not take any more are asked for. Of what was bought for another account
// only the item is taken over, and that another one pays is said.
func (t buyFlow) again() error {
	p, ok, err := orderFlow(t).purchase(t.action.Arg(0))
	if err != nil || !ok || !retryable(p.Phase) {
		return firstError(err, t.stale)
	}
	// Before anything is put together: what the service refused may have been charged all the same, and would be bought twice.
	if held, err := t.heldBack(p); held || err != nil {
		return err
	}
	return t.withProduct(p.ProductID, func(product api.Product) error {
		if err := t.showAsRefused(&product, p); err != nil {
			return err
		}
		v, ok := findVariant(product, p.VariantID)
		switch {
		case !ok || !v.Available:
			t.ack(screen.ToastSoldOut)
			return t.variants(product, 0, browsing{})
		case p.Account != t.shop.ID: // its customer and its price are another shop's, and so was the wallet
			t.ack(screen.ToastOtherAccount)
			return t.begin(product, v)
		case p.Quantity > allowed(v):
			return t.begin(product, v)
		}
		if room := t.room(v, p.Quantity); room.Payable < p.Quantity {
			return t.askAgain(buying{For: p.For}, product, v, screen.Room{Most: allowed(v), Payable: min(room.Payable, allowed(v)), Available: room.Available}, p.Quantity, screen.TooDear)
		}
		// Price is what it cost then: the summary tells where today's is another.
		b := buying{Product: product.ID, Variant: v.ID, Quantity: p.Quantity, Answers: stillTaken(product.Inputs, p.Inputs), For: p.For, Before: p.Player, Price: &p.Price}
		if p.Phase == store.Settled { // under it, or beside its name, "again" was tapped: that one needs no question, and its summary tells of it
			b.Same, b.Twice = []string{p.ID}, true
		}
		// Somebody called it not bought although its price was gone: that it may have been bought is asked before it is once more.
		if p.Dismissed() && p.Word != nil && p.Word.Gone {
			return topupFlow(t).askSame(b, []store.Purchase{p})
		}
		return t.next(b, product, v)
	})
}

// showAsRefused has a product show what a purchase of it was refused by, where that is another price or name: the service may go on listing the
// old one, and whoever is offered that again is refused again.
func (t buyFlow) showAsRefused(product *api.Product, p store.Purchase) error {
	if p.Reason != store.ReasonPrice && p.Reason != store.ReasonRenamed {
		return nil
	}
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	ctx, cancel := context.WithTimeout(t.ctx, lookPatience)
	defer cancel()
	variants, err := service.Variants(ctx, product.ID)
	if err != nil { // what was listed is offered, and judged again before it is bought
		t.cfg.Log.Warn("the variants of a product could not be read", "update", t.update, "product", product.ID, "err", err)
		return nil
	}
	product.Variants = variants
	return nil
}

// heldBack keeps the same from being tried again after the service has refused it, until its money shows to be there: it
// looks, and tells what it waits for.
func (t buyFlow) heldBack(p store.Purchase) (held bool, err error) {
	if p.Phase != store.Rejected || !p.Refused || p.Account != t.shop.ID {
		return false, nil
	}
	defer t.ackSoon()()
	ctx, cancel := context.WithTimeout(t.ctx, lookPatience)
	defer cancel()
	refusal, err := t.cfg.Purchases.Intact(ctx, p.ID)
	if refusal.Intact {
		return false, nil
	}
	if err != nil {
		t.cfg.Log.Warn("a refused purchase could not be looked at", "update", t.update, "purchase", p.ID, "err", err)
	}
	now, orders, ok, err := orderFlow(t).seen(p.ID)
	switch {
	case err != nil:
		return true, err
	case !ok:
		return true, t.stale()
	case now.Phase != store.Rejected: // the look has shown more than was asked for
		return true, orderFlow(t).showOrder(now, orders, true)
	}
	return true, t.say(t.scr.Purchases().Held(now, refusal.From, refusal.By))
}

// stillTaken is the answers of an earlier purchase that fit what is asked for today, up to the first that does not.
func stillTaken(inputs []api.Input, answers []store.Answer) []store.Answer {
	var kept []store.Answer
	for i, in := range inputs {
		if i == len(answers) || answers[i].Index != in.Index {
			break
		}
		if answers[i].Value == "" && !in.Required {
			kept = append(kept, store.Answer{Index: in.Index, Label: in.Label})
			continue
		}
		value, problem := checkInput(in, answers[i].Value)
		if problem != screen.NoProblem {
			break
		}
		kept = append(kept, answerTo(in, value))
	}
	return kept
}

// retryable reports whether a purchase in this phase has come to an end: it cost nothing, or was delivered.
func retryable(ph store.Phase) bool { return ph.Final() }

// askRepeat asks about a purchase whose ✅ was tapped, because the same was bought since it was shown. It stays a
// draft until the answer.
func (t buyFlow) askRepeat(id string, same []store.Purchase) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if err != nil {
		return err
	}
	return topupFlow(t).askSame(buying{
		Product: p.ProductID, Variant: p.VariantID, Quantity: p.Quantity, Answers: p.Inputs, For: p.For, Player: p.Player, Read: true, Draft: p.ID,
	}, same)
}
