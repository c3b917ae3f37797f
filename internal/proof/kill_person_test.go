package proof

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// person is somebody who writes to the bot in private, and looks at what it shows.
type person struct {
	telegram *tgsim.Server
	id       int64
	rng      *rand.Rand
	mark     int           // messages up to this one belong to what was before
	patience time.Duration // how long they wait for the bot before they try again
	glance   time.Duration // how often they look meanwhile
}

// begin has what there is by now belong to the past.
func (p *person) begin() {
	for _, m := range p.telegram.Messages(p.id) {
		p.mark = max(p.mark, m.ID)
	}
}

// until waits until the chat shows a message that is as wanted.
func (p *person) until(ctx context.Context, wait time.Duration, want func(tgsim.Message) bool) (m tgsim.Message, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	tick := time.NewTicker(p.glance)
	defer tick.Stop()
	for {
		if m, ok = p.find(want); ok {
			return m, true
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return p.find(want)
		}
	}
}

// find is the newest message that is as wanted.
func (p *person) find(want func(tgsim.Message) bool) (tgsim.Message, bool) {
	for _, m := range slices.Backward(p.telegram.Messages(p.id)) {
		if m.ID <= p.mark {
			break
		}
		if m.FromBot && !m.Deleted && want(m) {
			return m, true
		}
	}
	return tgsim.Message{}, false
}

// say types a line, and waits for the answer.
func (p *person) say(ctx context.Context, text string, want func(tgsim.Message) bool) (tgsim.Message, bool) {
	p.telegram.Send(p.id, p.id, text)
	return p.until(ctx, p.patience, want)
}

// tap taps the button with the words, and waits for the answer.
func (p *person) tap(ctx context.Context, m tgsim.Message, words string, want func(tgsim.Message) bool) (tgsim.Message, bool) {
	key, ok := keyOf(m, words)
	if !ok {
		return m, false
	}
	p.telegram.Tap(p.id, p.id, m.ID, key.Data)
	return p.until(ctx, p.patience, want)
}

// keyOf is a message's button with the words.
func keyOf(m tgsim.Message, words string) (tgsim.Button, bool) {
	for _, row := range m.Keyboard {
		for _, k := range row {
			if strings.Contains(k.Text, words) && k.Data != "" {
				return k, true
			}
		}
	}
	return tgsim.Button{}, false
}

// offersKey is a message with a button.
func offersKey(words string) func(tgsim.Message) bool {
	return func(m tgsim.Message) bool { _, ok := keyOf(m, words); return ok }
}

// readsAll is a message with all of some words.
func readsAll(words ...string) func(tgsim.Message) bool {
	return func(m tgsim.Message) bool {
		text := apptest.Plain(m.Text)
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	}
}
