package telegram

import (
	"context"
	"net/http/httptrace"
	"time"

	"resellerbot/internal/screen"
)

type purposeKey struct{}

// WithPurpose has the replies that are made with a context made for somebody.
func WithPurpose(ctx context.Context, c Purpose) context.Context {
	return context.WithValue(ctx, purposeKey{}, c)
}

// PurposeOf is whom replies are made for; a member of no account that is known, where nobody has said.
func PurposeOf(ctx context.Context) Purpose {
	// The zero Class is Replies (pace.go): a call whose purpose nobody has named goes as a member's.
	c, _ := ctx.Value(purposeKey{}).(Purpose)
	return c
}

// WhenWritten has fn called when a call that is made with a context was written to its connection. That may be several times.
func WhenWritten(ctx context.Context, fn func()) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { fn() }})
}

// Replier is the Sender for whoever answers an update: what a call is for comes with its context (WithPurpose).
type Replier struct{ Sender *Sender }

// Send sends a reply, into a topic of the chat where thread is not 0, and returns its id (Sender.Send).
func (r Replier) Send(ctx context.Context, chat int64, thread int, m screen.Message) (int, error) {
	return r.Sender.Send(ctx, chat, m, SendOptions{Purpose: PurposeOf(ctx), Thread: thread})
}

// Edit replaces a message (Sender.Edit). ErrSame where nobody would see that.
func (r Replier) Edit(ctx context.Context, chat int64, message int, m screen.Message) error {
	same, err := r.Sender.replace(ctx, chat, message, m, PurposeOf(ctx))
	if err == nil && same {
		return ErrSame
	}
	return err
}

// Clear takes the keyboard from a message (Sender.Clear), once its chat has been quiet: whoever has answered a question waits for what
// comes of that.
func (r Replier) Clear(ctx context.Context, chat int64, message int) error {
	why := PurposeOf(ctx)
	if why.Class != Strangers { // theirs is limited as it is
		why.Class = Cleanups
	}
	return r.Sender.Clear(ctx, chat, message, why)
}

// Delete removes a message (Sender.Delete).
func (r Replier) Delete(ctx context.Context, chat int64, message int) error {
	return r.Sender.Delete(ctx, chat, message, PurposeOf(ctx))
}

// Answer ends a callback query (Sender.Answer).
func (r Replier) Answer(ctx context.Context, query, text string, alert bool) error {
	return r.Sender.Answer(ctx, query, text, alert, PurposeOf(ctx))
}

// Typing shows that the bot is at work (Sender.Typing).
func (r Replier) Typing(ctx context.Context, chat int64, thread int) error {
	return r.Sender.Typing(ctx, chat, thread, PurposeOf(ctx))
}

// Delay is how long the chat's own limits would hold a reply back (Sender.Delay).
func (r Replier) Delay(chat int64) time.Duration { return r.Sender.Delay(chat, Replies) }

// Download fetches a file (Sender.Download).
func (r Replier) Download(ctx context.Context, file string, most int64) ([]byte, error) {
	return r.Sender.Download(ctx, file, most, PurposeOf(ctx))
}

// Leave leaves a group (Sender.Leave).
func (r Replier) Leave(ctx context.Context, chat int64) error {
	return r.Sender.Leave(ctx, chat, PurposeOf(ctx))
}

// IsMember tells whether somebody is in a group (Sender.IsMember).
func (r Replier) IsMember(ctx context.Context, group, user int64) (bool, error) {
	return r.Sender.IsMember(ctx, group, user, PurposeOf(ctx))
}

// Ranks tells how much some people may in a group (Sender.Ranks).
func (r Replier) Ranks(ctx context.Context, group int64, users ...int64) ([]int, error) {
	return r.Sender.Ranks(ctx, group, PurposeOf(ctx), users...)
}
