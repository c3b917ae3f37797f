package proof

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// What a purchase's message says, in English.
var (
	uncertainWords = []string{"Uncertain", "our decision is needed", "Which one is it?", "Is it this one?", "No matching order", "keeps no list", "cannot be read right now"}
	nothingWords   = []string{"Nothing was charged"}
	goodWords      = []string{"Delivered"}
	closedWords    = []string{"said that it was bought"} // by whoever reads it, or by somebody else
	waitingWords   = []string{"Sending the purchase", "Waiting in line", "purchase is next", "The codes follow", "The code follows"}
	restWords      = slices.Concat(uncertainWords, nothingWords, goodWords)
)

// newest is the newest message that shows the purchase, as it is now, or as it was when a person removed it.
// A summary shows none yet.
func (a *buyAttempt) newest(c *killCity) (tgsim.Message, bool) {
	for _, m := range slices.Backward(c.telegram.Messages(a.chat)) {
		if m.FromBot && strings.Contains(apptest.Plain(m.Text), a.reference) && !isSummary(m) && !isList(m) && !isChoice(m) {
			return m, true
		}
	}
	return tgsim.Message{}, false
}

// says reports whether the purchase's message holds one of some words.
func (a *buyAttempt) says(c *killCity, words ...string) bool {
	m, ok := a.newest(c)
	if !ok && a.listed {
		return a.rowSays(c, words)
	}
	return ok && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(apptest.Plain(m.Text), w) })
}

// checkDatabase opens the database that the bot has left, checks it, and tells how many messages wait in
// it, and, once everybody has gone home, how many purchases are open.
func (c *killCity) checkDatabase() (waiting int) {
	c.t.Helper()
	c.inStore(func(ctx context.Context, s *store.Store) {
		if c.closed {
			waiting += c.stillOpen(ctx, s)
		}
		for _, shop := range c.allShops() {
			for _, chat := range shop.people {
				rows, err := s.ChatOutbox(ctx, chat, 100)
				if err != nil {
					c.t.Fatal(err)
				}
				waiting += len(rows)
			}
		}
	})
	return waiting
}

// stillOpen counts the purchases that have not come to their end, and keeps them in mind.
func (c *killCity) stillOpen(ctx context.Context, s *store.Store) int {
	c.t.Helper()
	open, err := s.OpenPurchases(ctx, "", 1000)
	if err != nil {
		c.t.Fatal(err)
	}
	c.unsettled = open
	return len(open)
}

func (c *killCity) allShops() []*cornerShop {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.shops)
}

// simCodeForm is what the codes of the simulated service look like.
var simCodeForm = regexp.MustCompile(`\b[A-HJ-NP-Z2-9]{4}(-[A-HJ-NP-Z2-9]{4}){3}\b`)

// truths holds what was promised against what truly happened.
func (c *killCity) truths() {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	made := map[string][]sim.Purchase{}
	for _, p := range c.service.Purchases() {
		made[referenceOf(p)] = append(made[referenceOf(p)], p)
	}
	orders := map[string]sim.Order{}
	for _, o := range c.service.Orders() {
		orders[o.ID] = o
	}
	shown := c.shownCodes()
	for reference, list := range made {
		a := c.attempts[reference]
		if a == nil || len(list) > len(a.taps) {
			c.t.Errorf("%s was bought %d times, and confirmed by %v\n%s", reference, len(list), a, c.chat(a))
			continue
		}
		for _, p := range list {
			c.delivered(a, p, orders, shown)
		}
	}
	for _, a := range c.attempts {
		c.honest(a, len(made[a.reference]))
	}
	c.labelled(shown)
}

// codeShown is a message in which a code stands.
type codeShown struct {
	chat    int64
	message tgsim.Message
}

// shownCodes finds every message that shows a code, the oldest first. What a person has removed was shown
// as well.
func (c *killCity) shownCodes() map[string][]codeShown {
	all := map[string][]codeShown{}
	for _, s := range c.shops {
		for _, chat := range s.people {
			for _, m := range c.telegram.Messages(chat) {
				if !m.FromBot {
					continue
				}
				codes := apptest.CodesIn(m)
				if m.Document != nil {
					codes = append(codes, strings.Fields(string(m.Document.Body))...)
				}
				// A list's message shows few codes in its text and in its file: that is once.
				slices.Sort(codes)
				for _, code := range slices.Compact(codes) {
					if simCodeForm.MatchString(code) {
						all[code] = append(all[code], codeShown{chat, m})
					}
				}
			}
		}
	}
	return all
}

// delivered fails the test unless a purchase is what was confirmed, and all its codes are in the chat, or a
// person has taken care of it at the service.
func (c *killCity) delivered(a *buyAttempt, p sim.Purchase, orders map[string]sim.Order, shown map[string][]codeShown) {
	c.t.Helper()
	if p.Quantity != a.quantity || p.Key != a.shop.key {
		c.t.Errorf("%s was bought as %d units by %s, and confirmed as %d by %s", a.reference, p.Quantity, p.Key, a.quantity, a.shop.key)
	}
	if a.says(c, closedWords...) {
		return
	}
	for _, id := range p.OrderIDs {
		code := orders[id].Code
		there := shown[code]
		if code == "" || !slices.ContainsFunc(there, func(s codeShown) bool { return s.chat == a.chat }) {
			c.t.Errorf("order %s of %s is not in the chat\n%s", id, a.reference, c.chat(a))
		}
	}
}

// honest fails the test where the chat is told what is not so.
func (c *killCity) honest(a *buyAttempt, bought int) {
	c.t.Helper()
	switch {
	case bought > 0 && a.says(c, nothingWords...):
		c.t.Errorf("%s was bought, and the chat is told that nothing was charged\n%s", a.reference, c.chat(a))
	case bought == 0 && (a.says(c, goodWords...) || a.says(c, closedWords...)):
		c.t.Errorf("%s was not bought, and the chat is told that it was\n%s", a.reference, c.chat(a))
	}
}

// labelled fails the test unless a message with codes that were shown before says so, and none is in a chat
// that has not bought it.
func (c *killCity) labelled(shown map[string][]codeShown) {
	c.t.Helper()
	type place struct {
		chat    int64
		message int
	}
	silent := map[place]int{}
	for code, there := range shown {
		for _, s := range there[1:] {
			if s.chat != there[0].chat {
				c.t.Errorf("the code %s is in two chats", code)
			}
			if !strings.Contains(apptest.Plain(s.message.Text), "Delivered again") {
				silent[place{s.chat, s.message.ID}]++
			}
		}
	}
	for at, codes := range silent {
		c.t.Errorf("message %d shows %d codes again without a word\n%s", at.message, codes, c.transcript(at.chat))
	}
}

// chat is what the chat of an attempt shows.
func (c *killCity) chat(a *buyAttempt) string {
	if a == nil {
		return ""
	}
	return c.transcript(a.chat)
}
