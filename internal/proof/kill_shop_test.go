package proof

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
)

// shopPatience is how long people wait for the bot before they try again. It is dead for part of that.
const shopPatience = 1200 * time.Millisecond

// patience is that, with the time in which another process takes over.
func (c *killCity) patience() time.Duration {
	if c.replicas == nil {
		return shopPatience
	}
	return shopPatience + 3*c.replicas.lease
}

// cornerShop is a reseller account that two people buy from.
type cornerShop struct {
	key, name string
	people    []int64
}

// buyAttempt is one walk to a summary that was confirmed at last.
type buyAttempt struct {
	shop      *cornerShop
	chat      int64
	reference string
	quantity  int
	taps      map[string]bool // the ✅ that were tapped, by what is behind them
	listed    bool            // it is a line of a list
}

// open opens a number of shops. One that has come to a standstill makes room for another.
func (c *killCity) open(people context.Context, shops int) {
	for range shops {
		c.busy.Go(func() {
			for people.Err() == nil {
				c.runShop(people)
			}
		})
	}
}

// runShop is one shop from its opening until one of its purchases is uncertain.
func (c *killCity) runShop(people context.Context) {
	s, number := c.newShop()
	day, closes := context.WithCancel(people)
	defer closes()
	both := make(chan struct{}, len(s.people))
	for i, id := range s.people {
		p := c.shopper(s, id, rand.New(rand.NewPCG(c.seed, uint64(2*number+i+1))))
		go func() {
			defer func() { both <- struct{}{} }()
			defer closes()
			p.link(day)
			for stuck := false; !stuck && day.Err() == nil; {
				stuck = p.buy(day)
			}
		}()
	}
	for range s.people {
		<-both
	}
}

// newShop is an account at the service, and two people who know its key.
func (c *killCity) newShop() (s *cornerShop, number int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	number = len(c.shops)
	s = &cornerShop{key: fmt.Sprintf("%s%06d", killKeys, number), name: fmt.Sprintf("Shop %d", number)}
	if err := c.service.AddAccount(sim.AccountSpec{Key: s.key, Name: s.name, UserID: int64(5000 + number), Balance: "100000000"}); err != nil {
		c.t.Error(err)
	}
	for i := range 2 {
		id := int64(10_000 + 2*number + i)
		s.people = append(s.people, id)
		c.telegram.AddUser(tgsim.User{ID: id, FirstName: "Sam", LanguageCode: "en"})
	}
	c.shops = append(c.shops, s)
	return s, number
}

// shopper is somebody who buys, and tries again where nothing happens.
type shopper struct {
	person

	city *killCity
	shop *cornerShop
}

// shopper is a person of a shop.
func (c *killCity) shopper(shop *cornerShop, id int64, rng *rand.Rand) *shopper {
	return &shopper{person: person{telegram: c.telegram, id: id, rng: rng, patience: c.patience(), glance: 20 * time.Millisecond}, city: c, shop: shop}
}

// link links the shop's key.
func (p *shopper) link(ctx context.Context) {
	for ctx.Err() == nil {
		if _, ok := p.say(ctx, "/key "+p.shop.key, readsAll("Linked: "+p.shop.name)); ok {
			return
		}
	}
}

// buy walks to a summary, confirms it, and waits for what comes of it. It tells whether that is uncertain:
// then the shop is at a standstill.
func (p *shopper) buy(ctx context.Context) (stuck bool) {
	if p.rng.IntN(4) == 0 {
		return p.buyList(ctx)
	}
	a, m, ok := p.walk(ctx)
	if !ok {
		return false
	}
	if p.rng.IntN(6) == 0 {
		p.city.service.Inject(serviceTrouble(p.rng))
	}
	if p.rng.IntN(12) == 0 {
		p.city.telegram.Inject(randomTelegramFault(p.rng, p.id))
	}
	p.confirm(ctx, m, a)
	if p.rng.IntN(12) == 0 {
		p.city.telegram.Remove(p.id, m.ID) // people tidy up: what is to come needs another message
	}
	p.until(ctx, 3*p.patience, func(tgsim.Message) bool { return a.says(p.city, restWords...) })
	return a.says(p.city, uncertainWords...)
}

// walk is from /buy to the summary.
func (p *shopper) walk(ctx context.Context) (a *buyAttempt, m tgsim.Message, ok bool) {
	a = p.city.newAttempt(p)
	p.begin()
	variant := []string{"quick", "quick", "slow"}[p.rng.IntN(3)]
	if m, ok = p.say(ctx, "/buy", offersKey("Play Card")); !ok {
		return a, m, false
	}
	if m, ok = p.tap(ctx, m, "Play Card", offersKey(variant)); !ok {
		return a, m, false
	}
	if m, ok = p.tap(ctx, m, variant, readsAll("How many?")); !ok {
		return a, m, false
	}
	if m, ok = p.say(ctx, strconv.Itoa(a.quantity), readsAll("Reference")); !ok {
		return a, m, false
	}
	m, ok = p.say(ctx, a.reference, readsAll("Check before buying", a.reference))
	return a, m, ok
}

// newAttempt makes a reference that nobody has used.
func (c *killCity) newAttempt(p *shopper) *buyAttempt {
	quantities := []int{1, 1, 1, 2, 3, 12, 15} // from eleven on the codes come in a file
	c.mu.Lock()
	defer c.mu.Unlock()
	c.walks++
	a := &buyAttempt{
		shop: p.shop, chat: p.id, reference: fmt.Sprintf("R%06d", 100_000+c.walks),
		quantity: quantities[p.rng.IntN(len(quantities))], taps: map[string]bool{},
	}
	c.attempts[a.reference] = a
	return a
}

// confirm taps ✅, once or more, until the summary is none any more.
func (p *shopper) confirm(ctx context.Context, m tgsim.Message, all ...*buyAttempt) {
	key, ok := keyOf(m, "✅")
	for range 4 {
		if !ok || ctx.Err() != nil {
			return
		}
		p.city.mu.Lock()
		for _, a := range all {
			a.taps[key.Data] = true
		}
		p.city.mu.Unlock()
		for range 1 + p.rng.IntN(2) {
			p.city.telegram.Tap(p.id, p.id, m.ID, key.Data)
		}
		_, moved := p.until(ctx, p.patience, func(now tgsim.Message) bool { return now.ID == m.ID && !isSummary(now) && !isListCard(now, "✅") })
		if moved {
			return
		}
	}
}

// serviceTrouble is something that goes wrong with the next purchase at the service.
func serviceTrouble(rng *rand.Rand) sim.Fault {
	f := sim.Fault{Operation: sim.Spending, Times: 1}
	switch rng.IntN(7) {
	case 0, 1:
		f.Kind = sim.LoseAnswer
	case 2:
		f.Kind, f.Delay = sim.Delay, time.Duration(100+rng.IntN(400))*time.Millisecond // late
	case 3:
		f.Kind, f.Delay = sim.Delay, time.Second // too late
	case 4:
		f.Kind, f.Status = sim.StatusDone, 502
	case 5:
		f.Kind = sim.DropRequest
	default:
		f.Kind, f.Status = sim.Status, 503
	}
	return f
}

// randomTelegramFault is something that goes wrong with what Telegram is told.
func randomTelegramFault(rng *rand.Rand, chat int64) tgsim.Fault {
	methods := []string{"editmessagetext", "senddocument", "sendmessage"}
	return tgsim.Fault{
		Method: methods[rng.IntN(len(methods))], Chat: chat, Times: 1,
		Kind: []tgsim.FaultKind{tgsim.CloseBefore, tgsim.CloseAfter, tgsim.Broken}[rng.IntN(3)],
	}
}
