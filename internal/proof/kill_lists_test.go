package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// Lists under kills: people paste several lines, each with a reference of its own, and confirm them with one tap. Each line
// is held against the truth as a purchase by itself: by its own message where it has one, else by its row on the card.

const (
	mostRows  = 4             // lines of a list here
	bulkCards = int64(20_000) // the first variant of which one is for each line
	bulkName  = "R%06d"       // the name of one: it is the line's reference
	firstBulk = 200_000       // in the first of these
	rowsAKill = 4             // lines for which there are variants
	quickBulk = 100 * time.Millisecond
	slowBulk  = 900 * time.Millisecond
)

// bulk is a product with a variant for each line of each list: it is for nobody, so that a card has its ✅ at once, and its name is
// what tells one line from another.
func (c *killCity) bulk() sim.ProductSpec {
	p := sim.ProductSpec{ID: 20, Name: "Bulk Card"}
	for i := range rowsAKill * (c.kills + mostRows) {
		delay := quickBulk
		if i%3 == 2 {
			delay = slowBulk
		}
		p.Variants = append(p.Variants, sim.VariantSpec{ID: bulkCards + int64(i), Name: fmt.Sprintf(bulkName, firstBulk+i), Price: "50", InStock: 1 << 30, Delay: delay})
	}
	return p
}

// referenceOf is what tells a purchase of the service from others.
func referenceOf(p sim.Purchase) string {
	if p.VariantID >= bulkCards {
		return fmt.Sprintf(bulkName, firstBulk+p.VariantID-bulkCards)
	}
	return p.Inputs["1"]
}

// newLine is newAttempt for a line of a list; false where there is no variant left for one.
func (c *killCity) newLine(p *shopper) (*buyAttempt, bool) {
	a := c.newAttempt(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.attempts, a.reference)
	if c.lines++; c.lines > rowsAKill*(c.kills+mostRows) {
		return nil, false
	}
	a.reference, a.listed = fmt.Sprintf(bulkName, firstBulk+c.lines-1), true
	c.attempts[a.reference] = a
	return a, true
}

// buyList pastes a list, confirms it, and waits for what comes of it. It tells whether a line is uncertain.
func (p *shopper) buyList(ctx context.Context) (stuck bool) {
	var all []*buyAttempt
	var text strings.Builder
	for range 2 + p.rng.IntN(mostRows-1) {
		a, ok := p.city.newLine(p)
		if !ok {
			return false
		}
		all = append(all, a)
		fmt.Fprintf(&text, "bulk card %s x%d\n", a.reference, a.quantity)
	}
	p.begin()
	m, ok := p.say(ctx, text.String(), func(m tgsim.Message) bool {
		return isListCard(m, "✅") && strings.Contains(apptest.Plain(m.Text), all[0].reference)
	})
	if !ok {
		return false
	}
	for range p.rng.IntN(3) {
		p.city.service.Inject(serviceTrouble(p.rng))
	}
	if p.rng.IntN(12) == 0 {
		p.city.telegram.Inject(randomTelegramFault(p.rng, p.id))
	}
	p.confirm(ctx, m, all...)
	if p.rng.IntN(12) == 0 {
		p.city.telegram.Remove(p.id, m.ID)
	}
	if p.rng.IntN(8) == 0 {
		p.tap(ctx, m, "Stop the rest", readsAll("Nothing more is sent"))
	}
	isUncertain := func(a *buyAttempt) bool { return a.says(p.city, uncertainWords...) }
	p.until(ctx, 3*p.patience+time.Second, func(now tgsim.Message) bool {
		return strings.Contains(apptest.Plain(now.Text), "List done") || slices.ContainsFunc(all, isUncertain)
	})
	return slices.ContainsFunc(all, isUncertain)
}

// isList is the card, the ring or the file of a list.
func isList(m tgsim.Message) bool {
	text := apptest.Plain(m.Text)
	return strings.HasPrefix(text, listSign) || strings.HasPrefix(text, listFileSign)
}

// isChoice is a message that offers orders to pick from, beside the question that it belongs to.
func isChoice(m tgsim.Message) bool { return apptest.ChoiceOf(m) != "" }

// isListCard is the card of a list with a button.
func isListCard(m tgsim.Message, words string) bool {
	_, ok := keyOf(m, words)
	return ok && isList(m)
}

// rowSays is says of a line that has no message of its own: what its row says last, in the words of a message.
func (a *buyAttempt) rowSays(c *killCity, words []string) bool {
	for _, m := range slices.Backward(c.telegram.Messages(a.chat)) {
		text := apptest.Plain(m.Text)
		if !m.FromBot || !isList(m) || !strings.Contains(text, a.reference) || isListCard(m, "✅") {
			continue
		}
		for row := range strings.SplitSeq(text, "\n") {
			if strings.Contains(row, a.reference) {
				return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(meansOf(row), w) })
			}
		}
	}
	return false
}

// meansOf is what a row of a card says of its line, in the words of a message.
func meansOf(row string) []string {
	switch {
	case strings.Contains(row, "🎉"):
		return goodWords
	case strings.HasSuffix(row, "not bought"):
		return nothingWords
	case strings.Contains(row, "❓"):
		return uncertainWords
	}
	return nil
}

// goingLists are the newest cards that say that something is to come.
func goingLists(all []tgsim.Message) (going []string) {
	for _, m := range all {
		text := apptest.Plain(m.Text)
		if first, _, _ := strings.Cut(text, "\n"); m.FromBot && !m.Deleted && strings.ContainsAny(first, "▓░") && !hasNewer(all, m, text) {
			going = append(going, text)
		}
	}
	return going
}

// hasNewer reports whether another card of the same list is below one that a killed bot has sent, and did not live to remember.
func hasNewer(all []tgsim.Message, m tgsim.Message, text string) bool {
	reference := referenceForm.FindString(text)
	return slices.ContainsFunc(all, func(other tgsim.Message) bool {
		return other.ID > m.ID && other.FromBot && isList(other) && strings.Contains(apptest.Plain(other.Text), reference)
	})
}
