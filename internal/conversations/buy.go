package conversations

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

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
type buying struct {
	Product  int64          `json:"Product"`
	Variant  int64          `json:"Variant"`
	Quantity int            `json:"Quantity"`
	Answers  []store.Answer `json:"Answers"`
	Offered  []string       `json:"Offered,omitempty"` // the ids of the players that are on buttons
	Player   *store.Player  `json:"Player,omitempty"`  // who the answers name, once the service was asked
	Before   *store.Player  `json:"Before,omitempty"`  // who they named when the same was bought before
	Price    *dzd.Amount    `json:"Price,omitempty"`   // what it cost then
	Same     []string       `json:"Same,omitempty"`    // purchases of the same that were shown
	Read     bool           `json:"Read,omitempty"`    // what the service cannot confirm was read once more
	Twice    bool           `json:"Twice,omitempty"`   // Same was read, and is wanted once more
	Draft    string         `json:"Draft,omitempty"`   // id of the drafted purchase, once there is a summary
	mistake
}

// begin starts a purchase of a variant with its first question. A plan is bought one at a time. That not even one can be paid
// for is said before anything is asked.
func (t buyFlow) begin(p api.Product, v api.Variant) error {
	if p.Family != api.Arena {
		return t.askQuantity(p, v, screen.NoProblem)
	}
	one := buying{Product: p.ID, Variant: v.ID, Quantity: 1}
	if room := t.room(v, 1); room.Payable < 1 {
		return t.ask(t.scr.Catalogue().Quantity(p, v, room, 1, screen.NoProblem), flowBuy, stepMoney, one)
	}
	return t.next(one, p, v)
}

// askQuantity asks how many.
func (t buyFlow) askQuantity(p api.Product, v api.Variant, problem screen.Problem) error {
	return t.askAgain(p, v, t.room(v, allowed(v)), 0, problem)
}

// askAgain asks how many, after a number that cannot be.
func (t buyFlow) askAgain(p api.Product, v api.Variant, room screen.Room, wished int, problem screen.Problem) error {
	t.correct(problem)
	return t.ask(t.scr.Catalogue().Quantity(p, v, room, wished, problem), flowBuy, stepQuantity, buying{Product: p.ID, Variant: v.ID, mistake: mistake{problem}})
}

// allowed is how many units of a variant one purchase may ask for.
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
				return t.lineOr(func() error { return t.askQuantity(p, v, screen.NotANumber) })
			}
			return t.takeQuantity(b, p, v, n)
		case stepInput:
			return t.takeInput(b, p, v, t.text)
		}
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
			return t.takeOffered(b, p, v, p.Inputs[len(b.Answers)].Options)
		case t.action.Verb == screen.VerbPlayer && t.session.Step == stepInput:
			return t.takeOffered(b, p, v, b.Offered)
		case t.action.Verb == screen.VerbGoOn:
			return t.goOn(b, p, v)
		}
		return t.stale()
	})
}

// takeOffered takes the answer that was tapped of those that were offered.
func (t buyFlow) takeOffered(b buying, p api.Product, v api.Variant, offered []string) error {
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
	case stepCheck:
	case stepQuantity, stepMoney:
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
		if !ok || len(b.Answers) > len(p.Inputs) {
			t.ack(screen.ToastStale)
			return t.variants(p, 0, browsing{})
		}
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
		return t.askAgain(p, v, room, 0, screen.TooSmall)
	case n > room.Most:
		return t.askAgain(p, v, room, 0, screen.TooMany)
	case n > room.Payable:
		return t.askAgain(p, v, room, n, screen.TooDear)
	}
	b.Quantity = n
	return t.next(b, p, v)
}

// next takes the next step that is still to be done: the first input without an answer, the check with the
// service, what has to be read once more, and at last the summary.
func (t buyFlow) next(b buying, p api.Product, v api.Variant) error {
	switch {
	case len(b.Answers) < len(p.Inputs):
		return t.askInput(b, p, v, screen.NoProblem)
	case b.Player == nil && p.Checkable():
		return topupFlow(t).check(b, p, v)
	case b.Player != nil && b.Player.Status == store.PlayerUnknown && !b.Read:
		return t.ask(t.scr.Catalogue().Look(p, v, b.Answers, b.Player), flowBuy, stepLook, b)
	}
	same, err := topupFlow(t).repeats(b)
	if err != nil {
		return err
	}
	if !b.Twice && len(same) > 0 || unseen(b, same) {
		return topupFlow(t).askSame(b, same)
	}
	return t.summary(b, p, v, same)
}

// askInput asks for the next input. Players of this product that were topped up before are offered.
func (t buyFlow) askInput(b buying, p api.Product, v api.Variant, problem screen.Problem) error {
	i := len(b.Answers)
	in := p.Inputs[i]
	recent, err := topupFlow(t).recent(p, in)
	if err != nil {
		return err
	}
	b.Offered, b.Wrong = nil, problem
	for _, pl := range recent {
		b.Offered = append(b.Offered, pl.ID)
	}
	t.correct(problem)
	return t.ask(t.scr.Catalogue().Ask(p, v, in, i+1, len(p.Inputs), recent, problem), flowBuy, stepInput, b)
}

// takeInput checks one answer.
func (t buyFlow) takeInput(b buying, p api.Product, v api.Variant, text string) error {
	in := p.Inputs[len(b.Answers)]
	value, problem := checkInput(in, text)
	if problem != screen.NoProblem {
		return t.lineOr(func() error { return t.askInput(b, p, v, problem) })
	}
	b.Answers = append(b.Answers, answerTo(in, value))
	b.Player, b.Read, b.Twice, b.Same = nil, false, false, nil
	return t.next(b, p, v)
}

// answerTo is an answer to an input, by its value.
func answerTo(in api.Input, value string) store.Answer {
	a := store.Answer{Index: in.Index, Label: in.Label, Value: value}
	if i := slices.Index(in.Options, value); i >= 0 && in.OptionLabel(i) != value {
		a.Shown = in.OptionLabel(i)
	}
	return a
}

// skipInput leaves out an input that need not be given.
func (t buyFlow) skipInput(b buying, p api.Product, v api.Variant) error {
	in := p.Inputs[len(b.Answers)]
	if in.Required {
		return t.stale()
	}
	b.Answers = append(b.Answers, store.Answer{Index: in.Index, Label: in.Label})
	return t.next(b, p, v)
}

// optionOf finds an option by its value, or by what only it is known by.
func optionOf(in api.Input, text string) (value string, ok bool) {
	var known []string
	for i, o := range in.Options {
		if strings.EqualFold(o, text) {
			return o, true
		}
		if strings.EqualFold(in.OptionLabel(i), text) {
			known = append(known, o)
		}
	}
	if len(known) != 1 {
		return "", false
	}
	return known[0], true
}

// checkInput reads an answer as its input wants it. Digits of any script are digits.
func checkInput(in api.Input, text string) (string, screen.Problem) {
	value := strings.TrimSpace(text)
	if digits := figures.Latin(value); strings.Trim(digits, "0123456789") == "" {
		value = digits
	}
	switch {
	case value == "":
		return "", screen.Empty
	case utf8.RuneCountInString(value) > maxInput:
		return "", screen.TooLong
	}
	if len(in.Options) > 0 {
		if option, ok := optionOf(in, value); ok {
			return option, screen.NoProblem
		}
		return "", screen.NotAnOption
	}
	// A pattern is the service's own dialect. One that Go cannot read must not stop a sale: the service
	// checks again.
	if re, err := regexp.Compile(in.Pattern); err == nil && !re.MatchString(value) {
		return "", screen.NotMatching
	}
	return value, screen.NoProblem
}

// summary drafts the purchase and shows it whole, with its ✅. same is what the buyer wants once more.
func (t buyFlow) summary(b buying, p api.Product, v api.Variant, same []store.Purchase) error {
	a, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	t.ack("")
	draft, err := t.cfg.Purchases.Draft(t.ctx, purchase.Draft{
		Account: a.ID, Chat: t.chatID, User: t.userID, Buyer: t.name, Update: t.update, Message: t.live(), Thread: t.thread,
		Product: p, Variant: v, Quantity: b.Quantity, Answers: b.Answers, Player: b.Player, Same: same,
	})
	if err != nil {
		return err
	}
	b.Draft = draft.ID
	m := t.scr.Purchases().Summary
	if errors.Is(t.cfg.Purchases.Allowed(a, draft), purchase.ErrLimit) {
		m = t.scr.Purchases().Above
	}
	if err := t.ask(m(draft, t.balanceView(service), b.Price), flowBuy, stepSummary, b); err != nil {
		return err
	}
	if t.session.Message != draft.Message {
		return t.cfg.Purchases.Shown(t.ctx, draft.ID, t.session.Message)
	}
	return nil
}

// live is the message that the next screen will be: the one whose button was tapped, 0 where a new one
// will be sent.
func (t buyFlow) live() int {
	if t.action.Fresh {
		return 0
	}
	return t.tapped
}

// again buys the same once more as if it were put together anew: the player is verified, what else was bought just now is
// asked about, and the price is today's. Answers that the product does not take any more are asked for.
func (t buyFlow) again() error {
	p, err := t.cfg.Store.Purchase(t.ctx, t.action.Arg(0))
	if errors.Is(err, store.ErrNotFound) || err == nil && (!orderFlow(t).sees(p) || !retryable(p.Phase)) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	if held, err := t.heldBack(p); held || err != nil {
		return err
	}
	return t.withProduct(p.ProductID, func(product api.Product) error {
		v, ok := findVariant(product, p.VariantID)
		switch {
		case !ok || !v.Available:
			t.ack(screen.ToastSoldOut)
			return t.variants(product, 0, browsing{})
		case p.Quantity > allowed(v):
			return t.begin(product, v)
		}
		if room := t.room(v, p.Quantity); room.Payable < p.Quantity {
			return t.askAgain(product, v, screen.Room{Most: allowed(v), Payable: min(room.Payable, allowed(v)), Available: room.Available}, p.Quantity, screen.TooDear)
		}
		b := buying{Product: product.ID, Variant: v.ID, Quantity: p.Quantity, Answers: stillTaken(product.Inputs, p.Inputs), Before: p.Player, Price: &p.Price}
		if p.Phase == store.Settled { // under it, or beside its name, "again" was tapped: that one needs no question, and its summary tells of it
			b.Same, b.Twice = []string{p.ID}, true
		}
		if p.Dismissed() && p.Word != nil && p.Word.Gone {
			return topupFlow(t).askSame(b, []store.Purchase{p})
		}
		return t.next(b, product, v)
	})
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
	ok, until, err := t.cfg.Purchases.Intact(ctx, p.ID)
	if ok {
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
	return true, t.say(t.scr.Purchases().Held(now, until))
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

// back goes one question back.
func (t buyFlow) back(b buying, p api.Product, v api.Variant) error {
	if _, err := t.dropDraft(); err != nil {
		return err
	}
	b.Draft, b.Player, b.Read, b.Twice, b.Same = "", nil, false, false, nil
	switch {
	case t.session.Step == stepQuantity, t.session.Step == stepMoney:
		return t.variants(p, 0, browsing{})
	case len(b.Answers) > 0:
		b.Answers = b.Answers[:len(b.Answers)-1]
		return t.askInput(b, p, v, screen.NoProblem)
	case p.Family == api.Arena:
		return t.variants(p, 0, browsing{})
	}
	return t.askQuantity(p, v, screen.NoProblem)
}

// dropDraft forgets the draft of the purchase in hand, if there is one: its screen is about to change. It reports whether
// there was one; what was confirmed is none.
func (t buyFlow) dropDraft() (dropped bool, err error) {
	var b buying
	if t.session.Flow != flowBuy {
		return false, nil
	}
	if err := json.Unmarshal(t.session.Data, &b); err != nil || b.Draft == "" {
		return false, nil //nolint:nilerr // nothing that can be read is in hand
	}
	err = t.cfg.Purchases.Drop(t.ctx, b.Draft, purchase.ReasonCancelled, t.tapped != t.session.Message)
	if err != nil {
		return false, ignoreMissing(err)
	}
	p, err := t.cfg.Store.Purchase(t.ctx, b.Draft)
	return p.Phase == store.Dropped, ignoreMissing(err)
}

// confirm passes on a tap on ✅. The purchase's own message shows what becomes of it.
func (t buyFlow) confirm() error {
	_, err := t.cfg.Purchases.Confirm(t.ctx, approvalFlow(t).spending())
	return approvalFlow(t).bought(err, screen.ToastWorking)
}

// moved shows a purchase as it stands, after a tap on a button that is too late for it.
func (t *turn) moved(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (p.Chat != t.chatID || p.Message != t.tapped) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	if p.Phase == store.Drafted && time.Now().Before(p.ExpiresAt) {
		t.ack(screen.ToastStale) // not the button that it was shown with: the summary stays as good as it was
		return nil
	}
	if p.Reason == store.Restored {
		t.ack(screen.ToastStale) // its message may hold codes that nobody here knows any more: it is left alone
		return nil
	}
	t.ack(screen.ToastAlreadyDone)
	if p.Phase == store.Drafted {
		return t.cfg.Purchases.Drop(t.ctx, id, purchase.ReasonExpired, true)
	}
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return tx.Enqueue(purchase.Refresh(p)) })
}

// leaveQueue ends a purchase that waits for its turn. Its own message tells so.
func (t buyFlow) leaveQueue() error {
	id := t.action.Arg(0)
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && !orderFlow(t).sees(p) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	err = t.cfg.Purchases.Leave(t.ctx, id, t.userID)
	switch {
	case err == nil:
		t.ack(screen.ToastLeft)
		return nil
	case errors.Is(err, purchase.ErrNotAllowed):
		t.alert(screen.ToastNotYours)
		return nil
	case !errors.Is(err, purchase.ErrStale):
		return err
	}
	t.alert(screen.ToastTurnCame)
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return tx.Enqueue(purchase.Refresh(p)) })
}

// askRepeat asks about a purchase whose ✅ was tapped, because the same was bought since it was shown. It stays a
// draft until the answer.
func (t buyFlow) askRepeat(id string, same []store.Purchase) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if err != nil {
		return err
	}
	return topupFlow(t).askSame(buying{
		Product: p.ProductID, Variant: p.VariantID, Quantity: p.Quantity, Answers: p.Inputs, Player: p.Player, Read: true, Draft: p.ID,
	}, same)
}

// drop is ✖️ on a summary.
func (t buyFlow) drop() error {
	id := t.action.Arg(0)
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err != nil || p.Chat != t.chatID || p.Phase.Promised() {
		return t.moved(id)
	}
	if p.User != t.userID {
		t.alert(screen.ToastNotYours)
		return nil
	}
	if err := t.cfg.Purchases.Drop(t.ctx, id, purchase.ReasonCancelled, false); err != nil {
		return err
	}
	t.leave()
	if p.Phase == store.Asked { // its message tells so by itself
		return nil
	}
	return t.say(t.scr.Home().Cancelled())
}
