package proof

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	settleTick  = 100 * time.Millisecond
	settleQuiet = time.Second     // in which nothing happens any more
	settleLimit = 5 * time.Minute // only reached by what is stuck
)

// settle lets the bot live until everything has come to rest, and stops it. Where it asks people to decide,
// they look at the service, and tell it what they find.
func (c *killCity) settle() {
	c.t.Helper()
	c.service.ClearFaults()
	c.telegram.ClearFaults()
	deadline := time.Now().Add(settleLimit + time.Duration(c.kills)*time.Second/2)
	for first := true; ; first = false {
		c.bot = c.start()
		c.takesOver(deadline)
		if first {
			c.closeShops(deadline)
		}
		c.lookUp(deadline)
		if !c.quiet(deadline) {
			c.t.Errorf("it does not come to rest: %v\n%s", c.look(), c.bot.Log)
		}
		c.closed = true
		c.stop()
		left := c.checkDatabase()
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			c.t.Errorf("%d messages and purchases have not come to their end", left)
			for _, p := range c.unsettled {
				c.t.Errorf("purchase %s is still %s: %v", store.Ref(p.ID), p.Phase, p.History)
			}
			return
		}
	}
}

// takesOver waits, where a lease has to run out first, until it leads: one that stands by is quiet as well.
func (c *killCity) takesOver(deadline time.Time) {
	if c.replicas == nil {
		return
	}
	tick := time.NewTicker(settleTick)
	defer tick.Stop()
	for !c.replicas.each[0].leads() && time.Now().Before(deadline) {
		<-tick.C
	}
}

// lookUp has people look at what is open in /orders, as they do who have removed the message that asked them.
func (c *killCity) lookUp(deadline time.Time) {
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	for _, p := range c.unsettled {
		lists := func(m tgsim.Message) bool { _, listed := opens(m, p.ID); return !m.Deleted && listed }
		shows := func(m tgsim.Message) bool {
			return !m.Deleted && referenceForm.MatchString(apptest.Plain(m.Text)) && !isSummary(m)
		}
		person := c.shopper(nil, p.Chat, nil)
		person.begin()
		shown := p.Phase != store.Undecided // which goes on by itself
		for tries := 0; !shown && tries < 5 && ctx.Err() == nil; tries++ {
			if m, ok := person.say(ctx, "/orders", lists); ok {
				key, _ := opens(m, p.ID)
				c.telegram.Tap(p.Chat, p.Chat, m.ID, key.Data)
				_, shown = person.until(ctx, person.patience, shows)
			}
		}
	}
}

// opens is the button of a list of purchases that shows this one. Its data may name the account of whoever it was shown to.
func opens(m tgsim.Message, purchase string) (tgsim.Button, bool) {
	for _, b := range slices.Concat(m.Keyboard...) {
		if a, ok := screen.ParseAction(b.Data); ok && a.Verb == screen.VerbOrder && a.Arg(0) == purchase {
			return b, true
		}
	}
	return tgsim.Button{}, false
}

// closeShops sends everybody home, not before something was bought.
func (c *killCity) closeShops(deadline time.Time) {
	c.t.Helper()
	tick := time.NewTicker(settleTick)
	defer tick.Stop()
	for len(c.service.Purchases()) == 0 && time.Now().Before(deadline) {
		<-tick.C
	}
	if len(c.service.Purchases()) == 0 {
		c.t.Error("nobody has bought anything")
	}
	c.goHome()
	c.busy.Wait()
	c.service.ClearFaults()
	c.telegram.ClearFaults()
}

// quiet waits until nothing moves any more, and nothing says that something is to come.
func (c *killCity) quiet(deadline time.Time) bool {
	tick := time.NewTicker(settleTick)
	defer tick.Stop()
	last, since := -1, time.Now()
	for now := range tick.C {
		calls := c.calls()
		if calls != last || c.telegram.Pending() > 0 || len(c.look()) > 0 {
			last, since = calls, now
		}
		if now.Sub(since) >= settleQuiet {
			return true
		}
		if now.After(deadline) {
			return false
		}
	}
	return false
}

// letGo has somebody let others go before a purchase that is looked for: it may be for as long as the account's readings are known to
// be late, which is longer than anybody waits here. An older message of a purchase is left alone: see newestOf. It lists what they tapped under.
func (c *killCity) letGo(chat int64) (tapped []string) {
	all := c.telegram.Messages(chat)
	newest := newestOf(all)
	for _, m := range all {
		key, ok := keyWith(m, screen.VerbLetGo)
		of, dated := newest[referenceForm.FindString(apptest.Plain(m.Text))]
		if ok && m.FromBot && !m.Deleted && (!dated || of.ID == m.ID || isList(m)) {
			c.telegram.Tap(chat, chat, m.ID, key.Data)
			tapped = append(tapped, apptest.Plain(m.Text))
		}
	}
	return tapped
}

// calls counts what the bot has told Telegram.
func (c *killCity) calls() (n int) {
	for method, calls := range c.telegram.Calls() {
		if method != "getupdates" {
			n += calls
		}
	}
	return n
}

// look goes through what all chats show. It lists what says that something is to come, and has a person
// decide what is theirs to decide.
func (c *killCity) look() (restless []string) {
	bought := map[string]bool{}
	for _, p := range c.service.Purchases() {
		bought[referenceOf(p)] = true
	}
	for _, shop := range c.allShops() {
		for _, chat := range shop.people {
			for reference, m := range newestOf(c.telegram.Messages(chat)) {
				if isRestless(m) {
					restless = append(restless, apptest.Plain(m.Text))
					c.decide(chat, m, bought[reference])
				}
			}
			restless = append(restless, c.letGo(chat)...)
			restless = append(restless, goingLists(c.telegram.Messages(chat))...)
		}
	}
	return restless
}

// madeFor is the orders that the service has made for a reference.
func (c *killCity) madeFor(reference string) (orders []sim.Order) {
	for _, p := range c.service.Purchases() {
		if referenceOf(p) != reference {
			continue
		}
		for _, o := range c.service.Orders() {
			if slices.Contains(p.OrderIDs, o.ID) {
				orders = append(orders, o)
			}
		}
	}
	return orders
}

// isSummary is a message that asks for a tap on ✅, if it still counts.
func isSummary(m tgsim.Message) bool { return strings.Contains(m.Text, "Check before buying") }

// newestOf finds the newest message of each purchase in a chat, by its reference: an older one that a killed
// bot has sent, and did not live to remember, is not brought up to date.
func newestOf(all []tgsim.Message) map[string]tgsim.Message {
	newest := map[string]tgsim.Message{}
	for _, m := range all {
		if reference := referenceForm.FindString(apptest.Plain(m.Text)); m.FromBot && !isSummary(m) && !isList(m) && !isChoice(m) && reference != "" {
			newest[reference] = m
		}
	}
	return newest
}

// isRestless is a message that says that something is to come.
func isRestless(m tgsim.Message) bool {
	if _, asks := keyWith(m, screen.VerbDecide); asks && !m.Deleted { // also where it asks once more, of what was said not to be bought
		return true
	}
	return !m.Deleted && slices.ContainsFunc(slices.Concat(waitingWords, uncertainWords), func(w string) bool { return strings.Contains(m.Text, w) })
}

// referenceForm is what people type as a reference.
var referenceForm = regexp.MustCompile(`R\d{6}`)

// choiceUnder is the newest message in a chat that offers orders for the purchase that a question's button is about.
// It comes beside the question, and does not repeat what was typed as the reference.
func (c *killCity) choiceUnder(chat int64, question tgsim.Button) (choice tgsim.Message, shown bool) {
	a, ok := screen.ParseAction(question.Data)
	if !ok || a.Verb != screen.VerbDecide {
		return choice, false
	}
	for _, m := range slices.Backward(c.telegram.Messages(chat)) {
		if m.FromBot && !m.Deleted && apptest.ChoiceOf(m) == a.Arg(0) {
			return m, true
		}
	}
	return choice, false
}

// decide has a person answer the question whether a purchase went through, once the service has nothing in
// hand any more that could change the answer. They may have to tap twice: people do.
func (c *killCity) decide(chat int64, m tgsim.Message, bought bool) {
	reference := referenceForm.FindString(apptest.Plain(m.Text))
	words := "It is not there"
	if bought {
		words = "It is there"
	}
	key, ok := keyOf(m, words)
	if choice, shown := c.choiceUnder(chat, key); shown { // they have tapped once, and are shown what there is
		m = choice
		key, ok = apptest.PickFrom(m, c.madeFor(reference))
	}
	if !ok || c.buying() > 0 || time.Since(c.decided[reference]) < shopPatience {
		return
	}
	c.decided[reference] = time.Now()
	c.telegram.Tap(chat, chat, m.ID, key.Data)
}
