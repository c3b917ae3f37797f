package proof

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
)

// soaker is one of the 40 people.
type soaker struct {
	person

	soak    *soak
	shop    *soakShop
	number  int // in the shop
	linked  bool
	kept    bool // they have seen to the account at the end
	decided map[string]time.Time
}

// wish is something that somebody wants to buy.
type wish struct {
	from, product, variant string // a command, and what the buttons say
	quantity               int
	answers                []string
}

// live is a day of theirs.
func (p *soaker) live(day context.Context) {
	if !sleep(day, time.Duration(p.rng.IntN(5000))*time.Millisecond) {
		return
	}
	for day.Err() == nil {
		p.duties(recent)
		switch {
		case !p.linked:
			p.enter(day)
		case p.first() && len(p.shop.wanted) > 0:
			<-p.shop.wanted
			p.invite(day)
		default:
			p.act(day)
		}
		sleep(day, 300*time.Millisecond+time.Duration(p.rng.IntN(3500))*time.Millisecond)
	}
}

// first reports whether they own the shop's account.
func (p *soaker) first() bool { return p.number == 0 }

// enter gets them into the account: by its key, or by an invitation.
func (p *soaker) enter(day context.Context) {
	p.begin()
	if !p.shop.team || p.first() {
		p.soak.did("link the key")
		p.linked = p.link(day)
		if p.linked && p.first() && p.shop.group != 0 {
			p.telegram.StartGroup(p.id, p.shop.group, "shop")
		}
		return
	}
	select {
	case p.shop.wanted <- struct{}{}:
	default:
	}
	select {
	case token := <-p.shop.tokens:
		p.soak.did("join the team")
		p.telegram.Start(p.id, token)
		_, p.linked = p.until(day, p.patience, func(m tgsim.Message) bool {
			return readsAll("Welcome to")(m) || readsAll("already on this team")(m)
		})
	case <-time.After(10 * time.Second):
	case <-day.Done():
	}
}

// link gives the bot the shop's key. Where it asks whether that is another key of the account that it knows, it is.
func (p *soaker) link(ctx context.Context) bool {
	p.begin()
	asks := func(m tgsim.Message) bool { _, asks := keyWith(m, screen.VerbKeyCarry); return asks }
	m, ok := p.say(ctx, "/key "+p.shop.secret(), func(m tgsim.Message) bool { return readsAll("Linked:")(m) || asks(m) })
	if key, asked := keyWith(m, screen.VerbKeyCarry); ok && asked {
		p.soak.did("say that it is the same account")
		p.press(m, key.Data)
		_, ok = p.until(ctx, p.patience, readsAll("Linked:"))
	}
	return ok
}

// How far back they look for what they are asked: while they buy, and at the end of the day.
const (
	recent     = 80 // messages
	everything = math.MaxInt
)

// duties is what they see to before anything else: questions, invitations, in so many messages.
func (p *soaker) duties(back int) {
	all := p.telegram.Messages(p.id)
	for _, m := range slices.Backward(all[max(0, len(all)-back):]) {
		if id := apptest.ChoiceOf(m); id != "" && m.FromBot && !m.Deleted {
			p.pick(m, id)
			continue
		}
		for _, b := range slices.Concat(m.Keyboard...) {
			a, ok := screen.ParseAction(b.Data)
			if ok && !m.Deleted && m.FromBot {
				p.duty(m, b, a)
			}
		}
	}
}

// pick picks the orders of a purchase from those that are offered, one mark after the other. Until they are done they ask for no other list
// of them, on which nothing would be marked.
func (p *soaker) pick(m tgsim.Message, purchase string) {
	if time.Since(p.decided[m.Text]) < 2*time.Second {
		return
	}
	var own []sim.Order
	for _, e := range p.soak.executions()[purchase] {
		own = append(own, e.orders...)
	}
	if key, ok := apptest.PickFrom(m, plainly(own, p.shop.world.Orders())); ok {
		p.decided[m.Text], p.decided[purchase] = time.Now(), time.Now()
		p.soak.did("pick")
		p.press(m, key.Data)
	}
}

// duty answers the question of one button.
func (p *soaker) duty(m tgsim.Message, b tgsim.Button, a screen.Action) {
	switch a.Verb {
	case screen.VerbDecide:
		if time.Since(p.decided[a.Arg(0)]) < 10*time.Second {
			return
		}
		bought, known := p.soak.atService(a.Arg(0))
		want := screen.DecideNot
		if bought {
			want = screen.DecideBought
		}
		if known && a.Arg(1) == want {
			p.decided[a.Arg(0)] = time.Now()
			p.soak.did("decide")
			p.press(m, b.Data)
		}
	case screen.VerbApprove:
		p.soak.did("approve")
		p.press(m, b.Data)
	}
}

// press taps a button, and remembers it where it spends.
func (p *soaker) press(m tgsim.Message, data string) {
	at := time.Now()
	query := p.telegram.Tap(p.id, p.id, m.ID, data)
	a, ok := screen.ParseAction(data)
	p.soak.mu.Lock()
	defer p.soak.mu.Unlock()
	p.soak.presses[p.id] = append(p.soak.presses[p.id], at)
	if ok && (a.Verb == screen.VerbConfirm || a.Verb == screen.VerbApprove) {
		p.soak.taps = append(p.soak.taps, soakTap{at: at, chat: p.id, message: m.ID, purchase: a.Arg(0), query: query})
	}
}

// act does one of the things that people do.
func (p *soaker) act(day context.Context) {
	p.begin()
	switch n := p.rng.IntN(100); {
	case n < 22:
		p.buy(day, p.good())
	case n < 32: // several in one account want the same at once
		p.buy(day, wish{from: "/buy", product: "Play Card", variant: "5 USD", quantity: 1})
	case n < 44:
		p.buy(day, p.topup())
	case n < 50:
		p.buy(day, wish{from: "/buy", product: "Bulk Card", variant: "100 DA", quantity: 11 + p.rng.IntN(15)})
	case n < 53:
		for range 3 {
			p.order(day, p.good())
		}
	case n < 60:
		p.look(day)
	case n < 64:
		p.write("cancel", "/cancel")
	case n < 70:
		p.write("write nonsense", []string{"hello?", "١٢٣", "-5", "/nonsense", "0", "99999999999999999999", "🎁🎁🎁", "<b>x", strings.Repeat("a", 3000)}[p.rng.IntN(9)])
	case n < 77:
		p.tapOld()
	case n < 81:
		p.tidy()
	case n < 84:
		p.soak.did("block the bot")
		p.telegram.Block(p.id)
		sleep(day, time.Duration(2+p.rng.IntN(15))*time.Second)
		p.telegram.Unblock(p.id)
	case n < 88:
		p.write("look around", []string{"/balance", "/stock", "/alerts", "/start", "/help"}[p.rng.IntN(5)])
	case n < 90:
		p.lock(day)
	case n < 92:
		p.leave(day)
	default:
		p.host(day)
	}
}

// good is something that brings codes.
func (p *soaker) good() wish {
	w := []wish{
		{product: "Play Card", variant: "5 USD"}, {product: "Play Card", variant: "10 USD"}, {product: "Play Card", variant: "25 USD"},
		{product: "Unlucky Box", variant: "1 box"}, {product: "Allotted Card", variant: "2 000 points"}, {product: "Office Key", variant: "1 year"},
		{product: "Sports TV", variant: "1 month", answers: []string{fmt.Sprintf("%012d", 100_000_000_000+p.rng.Int64N(1e9))}},
	}[p.rng.IntN(7)]
	w.from, w.quantity = "/buy", []int{1, 1, 1, 2, 3}[p.rng.IntN(5)]
	return w
}

// topup is something for a player.
func (p *soaker) topup() wish {
	player := strconv.FormatInt(1_000_000_000+p.rng.Int64N(200), 10)
	w := []wish{
		{product: "Arena", variant: "110 gems"}, {product: "Arena", variant: "583 gems"},
		{product: "Royale Coins", variant: "60 coins"}, {product: "Hero Crystals", variant: "300 crystals"},
	}[p.rng.IntN(4)]
	w.from, w.quantity, w.answers = "/topup", 1, []string{player}
	return w
}

// buy orders something and waits for what comes of it.
func (p *soaker) buy(day context.Context, w wish) {
	purchase, ok := p.order(day, w)
	if !ok || p.rng.IntN(4) == 0 {
		return
	}
	reference := "#" + purchase[max(0, len(purchase)-5):]
	p.until(day, 15*time.Second, func(m tgsim.Message) bool {
		text := apptest.Plain(m.Text)
		return strings.Contains(text, reference) && slices.ContainsFunc(restWords, func(word string) bool { return strings.Contains(text, word) })
	})
}

// order walks to a summary and taps what spends.
func (p *soaker) order(day context.Context, w wish) (purchase string, ok bool) {
	p.soak.did("order")
	p.begin()
	m, a, ok := p.walk(day, w)
	if !ok {
		return "", false
	}
	key, _ := keyWith(m, a.Verb)
	for range []int{1, 1, 1, 2, 3}[p.rng.IntN(5)] {
		p.press(m, key.Data)
	}
	p.soak.did("tap " + string(a.Verb))
	return a.Arg(0), true
}

// walk answers what the bot asks until it shows a summary, with a button that spends or asks an owner.
func (p *soaker) walk(day context.Context, w wish) (m tgsim.Message, a screen.Action, ok bool) {
	known := map[string]bool{}
	act := func() { p.telegram.Send(p.id, p.id, w.from) }
	for range 12 {
		act()
		m, ok = p.until(day, p.patience, func(m tgsim.Message) bool { return !known[sign(m)] && p.answerTo(m, &w) != nil })
		if !ok {
			p.strangerNow()
			return m, a, false
		}
		known[sign(m)] = true
		for _, verb := range []screen.Verb{screen.VerbConfirm, screen.VerbAsk} {
			if key, found := keyWith(m, verb); found {
				a, _ = screen.ParseAction(key.Data)
				return m, a, true
			}
		}
		act = p.answerTo(m, &w)
		sleep(day, 400*time.Millisecond+time.Duration(p.rng.IntN(900))*time.Millisecond) // people read
	}
	return m, a, false
}

// sign tells a message from what it was before an edit.
func sign(m tgsim.Message) string { return fmt.Sprint(m.ID, m.EditedAt.UnixNano(), m.Text) }

// answerTo is what to do about a message on the way to a summary; nil where there is nothing to do.
func (p *soaker) answerTo(m tgsim.Message, w *wish) func() {
	tap := func(data string) func() { return func() { p.press(m, data) } }
	for _, verb := range []screen.Verb{screen.VerbConfirm, screen.VerbAsk, screen.VerbGoOn, screen.VerbOption} {
		if key, ok := keyWith(m, verb); ok {
			return tap(key.Data)
		}
	}
	text := apptest.Plain(m.Text)
	switch {
	case strings.Contains(text, "How many?"):
		return func() { p.telegram.Send(p.id, p.id, strconv.Itoa(w.quantity)) }
	case strings.Contains(text, "✍️") && len(w.answers) > 0:
		return func() { p.telegram.Send(p.id, p.id, w.answers[0]) }
	}
	for _, b := range slices.Concat(m.Keyboard...) {
		a, ok := screen.ParseAction(b.Data)
		if ok && (a.Verb == screen.VerbVariant && strings.HasPrefix(b.Text, w.variant) || a.Verb == screen.VerbProduct && strings.HasPrefix(apptest.Plain(b.Text), w.product)) {
			return tap(b.Data)
		}
	}
	return nil
}

// keyWith is a message's button of a verb.
func keyWith(m tgsim.Message, verb screen.Verb) (tgsim.Button, bool) {
	for _, b := range slices.Concat(m.Keyboard...) {
		if a, ok := screen.ParseAction(b.Data); ok && a.Verb == verb {
			return b, true
		}
	}
	return tgsim.Button{}, false
}

// strangerNow notices that they are not of the account any more.
func (p *soaker) strangerNow() {
	_, out := p.find(func(m tgsim.Message) bool {
		return readsAll("No account is linked")(m) || readsAll("no longer on the team")(m) || readsAll("its team has ended")(m) || readsAll("Only the team")(m)
	})
	_, refused := p.find(readsAll("does not accept this key"))
	if out || refused {
		p.linked = false
	}
}

// write types something.
func (p *soaker) write(what, text string) {
	p.soak.did(what)
	p.telegram.Send(p.id, p.id, text)
}

// look looks at what was bought, and at one of it, perhaps in the group.
func (p *soaker) look(day context.Context) {
	p.soak.did("look at orders")
	m, ok := p.say(day, "/orders", func(m tgsim.Message) bool { _, ok := keyWith(m, screen.VerbOrder); return ok })
	if !ok {
		return
	}
	var orders []string
	for _, b := range slices.Concat(m.Keyboard...) {
		if a, ok := screen.ParseAction(b.Data); ok && a.Verb == screen.VerbOrder {
			orders = append(orders, b.Data)
		}
	}
	p.press(m, orders[p.rng.IntN(len(orders))])
}

// tapOld taps some button of some older message. What they answer knowingly, or what changes the team, is left alone.
func (p *soaker) tapOld() {
	all := p.telegram.Messages(p.id)
	if len(all) == 0 {
		return
	}
	m := all[p.rng.IntN(len(all))]
	for _, b := range slices.Concat(m.Keyboard...) {
		a, ok := screen.ParseAction(b.Data)
		careful := []screen.Verb{
			screen.VerbDecide, screen.VerbLock, screen.VerbUnlock, screen.VerbPersonOut, screen.VerbPersonRole, screen.VerbKeyRemove,
			screen.VerbPersonLimit, screen.VerbLimitSet, screen.VerbPlaceFull, screen.VerbPlaceOff, screen.VerbLanguage, screen.VerbAlertSet, screen.VerbHear, screen.VerbTopics,
		}
		if ok && !m.Deleted && !slices.Contains(careful, a.Verb) && p.rng.IntN(2) == 0 {
			p.soak.did("tap an old button")
			p.press(m, b.Data)
			return
		}
	}
}

// tidy removes one of the newest messages.
func (p *soaker) tidy() {
	all := p.telegram.Messages(p.id)
	if len(all) < 3 {
		return
	}
	p.soak.did("remove a message")
	p.telegram.Remove(p.id, all[len(all)-1-p.rng.IntN(3)].ID)
}

// lock locks spending, and unlocks it some time later.
func (p *soaker) lock(day context.Context) {
	if !p.first() {
		return
	}
	p.write("lock", "/lock")
	sleep(day, time.Duration(3+p.rng.IntN(15))*time.Second)
	p.unlock(context.WithoutCancel(day))
}

// unlock insists.
func (p *soaker) unlock(ctx context.Context) {
	for range 8 {
		p.begin()
		if _, ok := p.say(ctx, "/unlock", func(m tgsim.Message) bool { return readsAll("Purchases are unlocked")(m) || readsAll("No account")(m) }); ok {
			return
		}
	}
}

// leave leaves the account; they come back later.
func (p *soaker) leave(day context.Context) {
	if p.first() && p.rng.IntN(3) > 0 {
		return // with whom a whole team goes
	}
	p.soak.did("leave the account")
	asks := readsAll("Leave the team") // of somebody whom an owner has invited
	if m, ok := p.say(day, "/key remove", func(m tgsim.Message) bool { return readsAll("unlinked")(m) || asks(m) }); ok {
		if asks(m) {
			p.press(m, m.Keyboard[0][0].Data)
		}
		p.linked = false
		sleep(day, time.Duration(p.rng.IntN(8))*time.Second)
	}
}

// host is what an owner does for others: now and then a limit, above which a seller has to ask.
func (p *soaker) host(day context.Context) {
	if !p.first() || !p.shop.team || p.rng.IntN(3) > 0 {
		p.glanceAtGroup()
		return
	}
	other := p.shop.people[1+p.rng.IntN(soakPeople-1)]
	name := fmt.Sprintf("P%d%d", p.shop.number, other.number)
	m, ok := p.say(day, "/team", offersKey(name))
	if ok {
		m, ok = p.tap(day, m, name, offersKey("Per purchase"))
	}
	if ok {
		_, ok = p.tap(day, m, "Per purchase", readsAll("how much per purchase"))
	}
	if ok {
		p.write("set a limit", []string{"2000", "5000", "1000000"}[p.rng.IntN(3)])
	}
}

// invite makes an invitation for somebody who asked for one.
func (p *soaker) invite(day context.Context) {
	role := "➕ Seller"
	if p.rng.IntN(8) == 0 {
		role = "➕ Counter"
	}
	p.soak.did("invite")
	m, ok := p.say(day, "/team", offersKey(role))
	if !ok {
		p.strangerNow()
		return
	}
	m, ok = p.tap(day, m, role, func(m tgsim.Message) bool { return apptest.StartLink.MatchString(apptest.Plain(m.Text)) })
	if !ok {
		return
	}
	select {
	case p.shop.tokens <- apptest.StartLink.FindStringSubmatch(apptest.Plain(m.Text))[1]:
	default:
	}
}

// glanceAtGroup asks for codes, or for orders, in the shop's group.
func (p *soaker) glanceAtGroup() {
	if p.shop.group == 0 {
		return
	}
	p.soak.did("look at the group")
	if p.rng.IntN(2) == 0 {
		p.telegram.Send(p.id, p.shop.group, "/orders@shop_bot")
		return
	}
	for _, m := range slices.Backward(p.telegram.Messages(p.shop.group)) {
		if key, ok := keyWith(m, screen.VerbReveal); ok && !m.Deleted {
			p.telegram.Tap(p.id, p.shop.group, m.ID, key.Data)
			return
		}
	}
}
