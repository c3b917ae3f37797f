package conversations

import (
	"context"
	"encoding/json"
	"errors"
	"sort"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowBuy      = "buy"
	stepQuantity = "quantity"
	stepMoney    = "money" // there is too little of it for one
	stepInput    = "input"
	stepCheck    = "check"  // the service could not be asked
	stepLook     = "look"   // the service cannot confirm the answers
	stepRepeat   = "repeat" // the same was bought just now
	stepSummary  = "summary"

	maxQuantity = 500 // in one purchase; the service publishes no limit
	maxInput    = 200 // characters of one answer

	moneyPatience = 3 * time.Second // how long a question waits for the balance
)

// buying is the state of a purchase, or a top-up, that is being put together.
//
// It is kept as JSON in the session, between one update and the next. A renamed field is empty in the questions that are open at a start.
// Answers are as many as were given, in the order of the product's inputs: the next one to be asked is that at len(Answers).
type buying struct {
	mistake

	Product  int64          `json:"Product"`
	Variant  int64          `json:"Variant"`
	Quantity int            `json:"Quantity"`
	Answers  []store.Answer `json:"Answers"`
	For      string         `json:"For,omitempty"`     // the id of the customer whom it is for, where one was named
	Typed    string         `json:"Typed,omitempty"`   // what was typed for the player last, and looked up among the customers
	Offered  []string       `json:"Offered,omitempty"` // the ids of the players that are on buttons
	Player   *store.Player  `json:"Player,omitempty"`  // who the answers name, once the service was asked
	Before   *store.Player  `json:"Before,omitempty"`  // who they named when the same was bought before
	Price    *dzd.Amount    `json:"Price,omitempty"`   // what it cost then
	Same     []string       `json:"Same,omitempty"`    // purchases of the same that were shown
	Read     bool           `json:"Read,omitempty"`    // what the service cannot confirm was read once more
	Twice    bool           `json:"Twice,omitempty"`   // Same was read, and is wanted once more
	Draft    string         `json:"Draft,omitempty"`   // id of the drafted purchase, once there is a summary
}

// begin starts a purchase of a variant with its first question. A plan is bought one at a time. That not even one can be paid
// for is said before anything is asked.
func (t buyFlow) begin(p api.Product, v api.Variant) error {
	if p.Family != api.Arena {
		return t.askQuantity(buying{}, p, v, screen.NoProblem)
	}
	one := buying{Product: p.ID, Variant: v.ID, Quantity: 1}
	if room := t.room(v, 1); room.Payable < 1 {
		scr, err := t.selling(p, v)
		return firstError(err, func() error {
			return t.ask(scr.Catalogue().Quantity(p, v, room, 1, screen.NoProblem), flowBuy, stepMoney, one)
		})
	}
	return t.next(one, p, v)
}

// askQuantity asks how many, with nothing else known of b but whom it is for.
func (t buyFlow) askQuantity(b buying, p api.Product, v api.Variant, problem screen.Problem) error {
	return t.askAgain(b, p, v, t.room(v, allowed(v)), 0, problem)
}

// askAgain is askQuantity after a number that cannot be.
func (t buyFlow) askAgain(b buying, p api.Product, v api.Variant, room screen.Room, wished int, problem screen.Problem) error {
	scr, err := t.selling(p, v)
	if err != nil {
		return err
	}
	t.correct(problem)
	// All that stands before the answers is for whom: where a player says that, it is asked behind this.
	b = buying{Product: p.ID, Variant: v.ID, For: b.upTo(p, 0).For, mistake: mistake{problem}}
	return t.ask(scr.Catalogue().Quantity(p, v, room, wished, problem), flowBuy, stepQuantity, b)
}

// allowed is how many units of a variant one purchase may ask for.
// InStock of 0 is a number that the service does not say. At least one may be asked for: whether it can be had, the service
// tells at the purchase.
func allowed(v api.Variant) int {
	n := maxQuantity
	if v.InStock > 0 {
		n = min(n, v.InStock)
	}
	if s := v.SetAside(now()); s != nil {
		n = min(n, s.Remaining)
	}
	return max(n, 1)
}

// room is how many of most units the account can pay for. A balance that is not known withholds nothing, and one that is
// too low is read once more: the last reading may be older than a deposit.
func (t buyFlow) room(v api.Variant, most int) screen.Room {
	all := screen.Room{Most: most, Payable: most}
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return all
	}
	defer t.ackSoon()()
	ctx, cancel := context.WithTimeout(t.ctx, moneyPatience)
	defer cancel()
	room := all
	for _, age := range []time.Duration{balanceAge, 0} {
		b, err := service.Balance(ctx, age)
		// Lacks: an amount did not come, and is zero in b.
		if err != nil || b.Lacks {
			return all
		}
		if room = (screen.Room{Most: most, Payable: payable(b.Available, v.Price, most), Available: b.Available}); room.Payable == most {
			break
		}
	}
	return room
}

// payable is how many of most units an amount pays for.
// Example: of 5 units at 300 DZD each, 1000 DZD pay for 3.
func payable(available, price dzd.Amount, most int) int {
	return sort.Search(most, func(i int) bool {
		total, err := price.Mul(i + 1)
		return err != nil || available.Less(total)
	})
}

// buyTyped takes a typed answer to the open question of a purchase.
func (t buyFlow) buyTyped() error {
	return t.buyStep(func(b buying, p api.Product, v api.Variant) error {
		switch t.session.Step {
		case stepQuantity:
			n, err := figures.Count(t.text)
			if err != nil {
				problem := screen.NoNumber
				if figures.IsFigure(t.text) {
					problem = screen.NotANumber
				}
				return t.lineOr(func() error { return t.askQuantity(b, p, v, problem) })
			}
			return t.takeQuantity(b, p, v, n)
		case stepInput:
			return t.typedInput(b, p, v)
		}
		// The other steps are answered by buttons alone: a text is looked for then.
		return t.search(t.text)
	})
}

// buyTapped takes a tapped answer, or goes a step back.
func (t buyFlow) buyTapped() error {
	if t.session.Flow != flowBuy || t.session.Message != t.tapped {
		return t.stale()
	}
	return t.buyStep(func(b buying, p api.Product, v api.Variant) error {
		switch {
		case t.action.Verb == screen.VerbBack:
			return t.back(b, p, v)
		case t.action.Verb == screen.VerbQuantity && t.session.Step == stepQuantity:
			return t.takeQuantity(b, p, v, int(t.action.Int(0)))
		case t.action.Verb == screen.VerbOption && t.session.Step == stepInput:
			if t.action.Arg(0) == screen.SkipOption {
				return t.skipInput(b, p, v)
			}
			// buyStep has seen to it that there is an input without an answer.
			return t.takeOffered(b, p, v, p.Inputs[len(b.Answers)].Options)
		case t.action.Verb == screen.VerbPlayer && t.session.Step == stepInput:
			return t.takePlayer(b, p, v)
		case t.action.Verb == screen.VerbGoOn:
			return t.goOn(b, p, v)
		}
		return t.stale()
	})
}

// takeOffered takes the answer that was tapped of those that were offered.
func (t buyFlow) takeOffered(b buying, p api.Product, v api.Variant, offered []string) error {
	// The index comes from a button, so from anybody: it counts only within what was offered.
	if i := int(t.action.Int(0)); i >= 0 && i < len(offered) {
		return t.takeInput(b, p, v, offered[i])
	}
	return t.stale()
}

// goOn goes on from what a person was told, and had to have read.
func (t buyFlow) goOn(b buying, p api.Product, v api.Variant) error {
	switch t.session.Step {
	case stepLook:
		b.Read = true
	case stepRepeat:
		if _, err := t.dropDraft(); err != nil { // one whose ✅ was tapped
			return err
		}
		b.Draft, b.Twice = "", true
	// Player is nil still: next asks the service once more.
	case stepCheck:
	case stepQuantity, stepMoney:
		if p.Family != api.Arena {
			return t.askQuantity(b, p, v, screen.NoProblem)
		}
		return t.begin(p, v)
	default:
		return t.stale()
	}
	return t.next(b, p, v)
}

// buyStep reads the purchase in hand and what it is about, as the catalogue has it now.
func (t buyFlow) buyStep(step func(buying, api.Product, api.Variant) error) error {
	var b buying
	if err := json.Unmarshal(t.session.Data, &b); err != nil {
		return t.stale()
	}
	return t.withProduct(b.Product, func(p api.Product) error {
		v, ok := findVariant(p, b.Variant)
		// The product has changed since the question was asked: it is begun anew.
		if !ok || len(b.Answers) > len(p.Inputs) {
			t.ack(screen.ToastStale)
			return t.variants(p, 0, browsing{})
		}
		// It asks for fewer inputs than when the question was asked.
		if t.session.Step == stepInput && len(b.Answers) == len(p.Inputs) {
			return t.next(b, p, v)
		}
		return step(b, p, v)
	})
}

// takeQuantity checks how many and goes on to the inputs. A number that cannot be leaves the question
// open.
func (t buyFlow) takeQuantity(b buying, p api.Product, v api.Variant, n int) error {
	b.Answers = nil
	return t.takeWith(b, p, v, n)
}

// takeWith is takeQuantity where some of the inputs are known.
func (t buyFlow) takeWith(b buying, p api.Product, v api.Variant, n int) error {
	room := t.room(v, allowed(v))
	switch {
	case n < 1:
		return t.askAgain(b, p, v, room, 0, screen.TooSmall)
	case n > room.Most:
		return t.askAgain(b, p, v, room, 0, screen.TooMany)
	case n > room.Payable:
		return t.askAgain(b, p, v, room, n, screen.TooDear)
	}
	b.Quantity = n
	return t.next(b, p, v)
}

// next takes the next step that is still to be done: the first input without an answer, the check with the
// service, what has to be read once more, and at last the summary.
// Every step comes through here, and each asks what is still missing: what the catalogue changes in between is noticed.
func (t buyFlow) next(b buying, p api.Product, v api.Variant) error {
	switch {
	case len(b.Answers) < len(p.Inputs):
		return t.askInput(b, p, v, screen.NoProblem)
	case b.Player == nil && p.Checkable():
		return topupFlow(t).check(b, p, v)
	case b.Player != nil && b.Player.Status == store.PlayerUnknown && !b.Read:
		return t.ask(t.scr.Catalogue().ReviewInputs(p, v, b.Answers, b.Player), flowBuy, stepLook, b)
	}
	same, err := topupFlow(t).repeats(b)
	if err != nil {
		return err
	}
	// What was bought since the question was answered is asked about too.
	if !b.Twice && len(same) > 0 || unseen(b, same) {
		return topupFlow(t).askSame(b, same)
	}
	return t.summary(b, p, v, same)
}

// summary drafts the purchase and shows it whole, with its ✅. same is what the buyer wants once more.
func (t buyFlow) summary(b buying, p api.Product, v api.Variant, same []store.Purchase) error {
	a, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	c, err := t.whomFor(b.For)
	if err != nil {
		return err
	}
	// Before the draft: the balance may take a while, and a tap has to be answered within ten seconds.
	t.ack("")
	// The draft comes before its screen, whose ✅ carries the id and the nonce. One that is never shown ends by itself after ten minutes.
	draft, err := t.cfg.Purchases.Draft(t.ctx, purchase.Draft{
		Account: a.ID, Chat: t.chatID, User: t.userID, Buyer: t.name, Update: t.update, Message: t.live(), Thread: t.thread,
		Product: p, Variant: v, Quantity: b.Quantity, Answers: b.Answers, For: c.ID, Player: b.Player, Same: same,
	})
	if err != nil {
		return err
	}
	b.Draft = draft.ID
	scr := t.scr.Locked(a.Locked).Purchases().For(c.Name.Reveal())
	m := scr.Summary
	// This decides about the screen alone. The tap is held against the limit again, in the transaction that spends.
	if errors.Is(t.cfg.Purchases.Allowed(a, draft), purchase.ErrLimit) {
		m = scr.Above
	}
	if err := t.ask(m(draft, t.balanceFor(service, draft.Total), b.Price), flowBuy, stepSummary, b); err != nil {
		return err
	}
	// The message was new: a purchase knows its message, for ✅ counts under that alone.
	if t.session.Message != draft.Message {
		return t.cfg.Purchases.Shown(t.ctx, draft.ID, t.session.Message)
	}
	return nil
}

// balanceFor is what can be spent, for a summary. One that is too low is read once more, as room has it: what was kept may be older than a
// deposit, and without the money there is no ✅. Where it cannot be read the service has the last word.
func (t buyFlow) balanceFor(service Service, total dzd.Amount) screen.BalanceView {
	view := t.balanceRead(service)
	if !view.Known || !view.Available.Less(total) {
		return view
	}
	ctx, cancel := context.WithTimeout(t.ctx, moneyPatience)
	defer cancel()
	b, err := service.Balance(ctx, 0)
	if err != nil {
		return screen.BalanceView{}
	}
	return screen.BalanceOf(b, purchase.Lacks(t.shop.Wallet, b.Available, now()))
}

// whomFor is the customer of an id; nobody where it is empty, or where they were deleted since.
func (t buyFlow) whomFor(id string) (c store.Customer, err error) {
	if id == "" {
		return c, nil
	}
	c, err = t.cfg.Store.Customer(t.ctx, t.shop.ID, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && c.Forgot {
		return store.Customer{}, nil
	}
	return c, err
}

// live is the message that the next screen will be: the one whose button was tapped, 0 where a new one
// will be sent.
func (t buyFlow) live() int {
	if t.action.Fresh {
		return 0
	}
	return t.tapped
}

// back goes one question back.
func (t buyFlow) back(b buying, p api.Product, v api.Variant) error {
	if _, err := t.dropDraft(); err != nil {
		return err
	}
	// All of it was found out about the answers as they were, and the next one may name somebody else.
	b.Draft, b.Player, b.Read, b.Twice, b.Same = "", nil, false, false, nil
	switch {
	case t.session.Step == stepQuantity, t.session.Step == stepMoney:
		return t.variants(p, 0, browsing{})
	case len(b.Answers) > 0:
		return t.askInput(b.upTo(p, len(b.Answers)-1), p, v, screen.NoProblem)
	case p.Family == api.Arena:
		return t.variants(p, 0, browsing{})
	}
	return t.askQuantity(b, p, v, screen.NoProblem)
}
