package conversations

import (
	"context"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/telegram"
)

const (
	typingAfter = 2 * time.Second // how long somebody waits for what they have asked before their chat shows that the bot is at work
	typingAgain = 4 * time.Second // Telegram shows it for five seconds
)

// showTyping has the chat show that the bot is at work where the turn takes long, until it ends with stop. A stranger costs no call
// by waiting.
func (t *turn) showTyping() (stop func()) {
	if t.update == 0 || telegram.PurposeOf(t.ctx).Class == telegram.Strangers {
		return func() {}
	}
	ctx, cancel := context.WithCancel(t.ctx)
	ended := make(chan struct{})
	timer := time.AfterFunc(typingAfter, func() {
		defer close(ended)
		for wait := true; wait; wait = backoff.Sleep(ctx, typingAgain) {
			// What waits for Telegram's limit of its chat gets there no sooner by one more call.
			if t.cfg.Messenger.Delay(t.chatID) > 0 {
				continue
			}
			if err := t.cfg.Messenger.Typing(ctx, t.chatID, t.thread); err != nil {
				t.cfg.Log.Debug("show that the bot is at work", "update", t.update, "err", err)
				return
			}
		}
	})
	return func() {
		cancel()
		if !timer.Stop() {
			<-ended
		}
	}
}
