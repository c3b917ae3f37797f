package telegram

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/go-telegram/bot"
)

// Kind is what an answer of Telegram means for the message that it answers.
type Kind uint8

const (
	// OK: done, or it was so already ("message is not modified").
	OK Kind = iota
	// Again: surely not done; to be repeated after Result.After, or a back-off where that is zero.
	Again
	// Ambiguous: it may have been done (timeout, cut answer, 5xx, HTML).
	Ambiguous
	// Unreachable: the chat takes no messages now (blocked, kicked, deactivated, never started, no rights).
	Unreachable
	// Migrated: the group has the id Result.To now.
	Migrated
	// Gone: what the call is about is not there any more, or cannot be changed any more.
	Gone
	// Poison: Telegram refuses this message as it is and always will.
	Poison
	// Fatal: the token is not accepted, or somebody else uses it.
	Fatal
)

// String names the kind for logs and metrics.
func (k Kind) String() string {
	names := [...]string{"ok", "again", "ambiguous", "unreachable", "migrated", "gone", "poison", "fatal"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Result is an answer of Telegram, classified.
type Result struct {
	Kind  Kind
	After time.Duration // Again: how long Telegram asked to wait; zero where it did not
	To    int64         // Migrated: the new chat id
}

// Error is a call of the Bot API that did not succeed. Its text is for logs: it holds Telegram's own
// description at most, never the token, the message or an answer that could not be read.
type Error struct {
	Method string
	Result Result
	cause  string
	ctx    error // context.Canceled or DeadlineExceeded, where that is why
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Method, e.Result.Kind, e.cause) }

// What a call that did not succeed comes to, for whoever decides on it; errors.Is knows it of an *Error.
var (
	// ErrGone: what the call is about is not there any more, or cannot be changed any more.
	ErrGone = errors.New("it is gone")
	// ErrSame: the message showed that already. Of Replier.Edit alone: whoever has no person before them has succeeded.
	ErrSame = errors.New("it shows the same already")
	// ErrRefused: Telegram does not take the message as it is.
	ErrRefused = errors.New("the message is refused")
	// ErrNotNow: Telegram takes nothing for the chat now: the bot is blocked there, or is asked to wait. Nothing was done.
	ErrNotNow = errors.New("the chat takes nothing now")
)

// Is reports whether the error is one of those above.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrGone:
		return e.Result.Kind == Gone
	case ErrRefused:
		return e.Result.Kind == Poison
	case ErrNotNow:
		return e.Result.Kind == Unreachable || e.Result.Kind == Again
	}
	return false
}

// Unwrap gives the context's error where the call ended with its context.
func (e *Error) Unwrap() error { return e.ctx }

// failure makes an Error of what the library returned; nil where the call did what it was to do.
func failure(method string, err error) error {
	r := Classify(err)
	if r.Kind == OK {
		return nil
	}
	return &Error{Method: method, Result: r, cause: cause(err), ctx: contextError(err)}
}

// Classify tells what an error means, be it Sender's or the Telegram library's own. What proves nothing
// is Ambiguous.
func Classify(err error) Result {
	if err == nil { // first, for what is looked for below is allocated
		return Result{}
	}
	var (
		ours    *Error
		limited *bot.TooManyRequestsError
		moved   *bot.MigrateError
	)
	switch {
	case errors.As(err, &ours):
		return ours.Result
	// At least a second: a zero After means that Telegram has named no time, and the caller would count the answer as a failed try.
	case errors.As(err, &limited):
		return Result{Kind: Again, After: max(time.Duration(limited.RetryAfter)*time.Second, time.Second)}
	case errors.As(err, &moved):
		return Result{Kind: Migrated, To: int64(moved.MigrateToChatID)}
	case errors.Is(err, bot.ErrorBadRequest):
		return Result{Kind: refusal(err.Error())}
	case errors.Is(err, bot.ErrorForbidden):
		return Result{Kind: Unreachable}
	// The Bot API answers 404 to a token that it does not know, too. A chat or a message that is missing is a 400.
	case errors.Is(err, bot.ErrorUnauthorized), errors.Is(err, bot.ErrorNotFound), errors.Is(err, bot.ErrorConflict):
		return Result{Kind: Fatal}
	case isTooLarge(err):
		return Result{Kind: Poison}
	case notSent(err):
		return Result{Kind: Again}
	}
	return Result{Kind: Ambiguous}
}

// refusal reads the description of a 400, the only thing that tells one from another.
func refusal(text string) Kind {
	text = strings.ToLower(text)
	for _, known := range []struct {
		kind  Kind
		texts []string
	}{
		// The first text that is found decides.
		{OK, []string{"message is not modified"}},
		{Gone, []string{
			"message to edit not found", "message can't be edited", "there is no text in the message to edit",
			"message identifier is not specified", "message_id_invalid", "message to delete not found",
			"message can't be deleted", "query is too old", "query_id_invalid",
		}},
		{Unreachable, []string{
			"chat not found", "not enough rights", "no write access", "peer_id_invalid", "chat_write_forbidden",
			"chat_restricted", "deactivated", "user not found", "need administrator rights", "_forbidden",
		}},
	} {
		for _, t := range known.texts {
			if strings.Contains(text, t) {
				return known.kind
			}
		}
	}
	return Poison
}

// answered begins every error that the library makes of an answer it could read.
const answered = "error response from telegram for method "

// isTooLarge recognises 413, for which the library has neither a type nor a sentinel.
func isTooLarge(err error) bool {
	return strings.HasPrefix(err.Error(), answered) && strings.Contains(err.Error(), ", 413 ")
}

// notSent reports whether the call surely never left this machine.
func notSent(err error) bool {
	var (
		dns  *net.DNSError
		dial *net.OpError
	)
	return errors.Is(err, errNotSent) || errors.As(err, &dns) || errors.As(err, &dial) && dial.Op == "dial"
}

// cause is what may be logged of an error. An answer that the library could not decode stands in its
// error in full, with whatever the message held, so that text is left out.
func cause(err error) string {
	if ctx := contextError(err); ctx != nil {
		return ctx.Error()
	}
	for _, known := range []error{
		bot.ErrorBadRequest, bot.ErrorForbidden, bot.ErrorUnauthorized, bot.ErrorNotFound, bot.ErrorConflict,
	} {
		if errors.Is(err, known) {
			return clip(err.Error())
		}
	}
	var (
		limited *bot.TooManyRequestsError
		moved   *bot.MigrateError
		network *net.OpError
	)
	switch {
	case errors.As(err, &limited):
		return clip(limited.Error())
	case errors.As(err, &moved):
		return clip(moved.Error())
	case errors.As(err, &network):
		return network.Op + " failed"
	case strings.HasPrefix(err.Error(), answered):
		return clip(err.Error())
	}
	return "no readable answer"
}

// contextError is the context's error in err's chain, if any.
func contextError(err error) error {
	for _, e := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, e) {
			return e
		}
	}
	return nil
}

// clip is the beginning of a text, as much of it as is logged.
func clip(s string) string {
	const most = 300 // bytes
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}

// TopicIsClosed reports whether a topic takes no messages while it is closed.
func TopicIsClosed(err error) bool {
	// These texts are in no list of refusal, so they are Poison: one that was added there would hide topics from both functions.
	return TopicIsGone(err) && strings.Contains(strings.ToLower(err.Error()), "topic_closed")
}

// TopicIsGone reports whether a topic takes no messages any more.
func TopicIsGone(err error) bool {
	if Classify(err).Kind != Poison {
		return false
	}
	text := strings.ToLower(err.Error())
	return strings.Contains(text, "thread not found") || strings.Contains(text, "topic_closed") || strings.Contains(text, "topic_deleted")
}
