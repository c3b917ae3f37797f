package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot"
)

// TestClassify goes through the catalogue of the Bot API's errors, each as the library returns it, bare
// and wrapped.
func TestClassify(t *testing.T) {
	bad := func(text string) error { return fmt.Errorf("%w, Bad Request: %s", bot.ErrorBadRequest, text) }
	no := func(text string) error { return fmt.Errorf("%w, Forbidden: %s", bot.ErrorForbidden, text) }
	plain := func(text string) error {
		return errors.New("error response from telegram for method sendMessage, " + text)
	}
	for _, tc := range []struct {
		err  error
		want Result
	}{
		{bad("message is not modified: specified new message content and reply markup are exactly the same"), Result{}},

		{&bot.TooManyRequestsError{RetryAfter: 7}, Result{Kind: Again, After: 7 * time.Second}},
		{&bot.TooManyRequestsError{}, Result{Kind: Again, After: time.Second}},
		{&net.OpError{Op: "dial", Err: errors.New("connection refused")}, Result{Kind: Again}},
		{&net.DNSError{Err: "no such host"}, Result{Kind: Again}},
		{errNotSent, Result{Kind: Again}},

		{&bot.MigrateError{MigrateToChatID: -1001234567890}, Result{Kind: Migrated, To: -1001234567890}},

		{bad("message to edit not found"), Result{Kind: Gone}},
		{bad("message can't be edited"), Result{Kind: Gone}},
		{bad("there is no text in the message to edit"), Result{Kind: Gone}},
		{bad("message identifier is not specified"), Result{Kind: Gone}},
		{bad("MESSAGE_ID_INVALID"), Result{Kind: Gone}},
		{bad("message to delete not found"), Result{Kind: Gone}},
		{bad("message can't be deleted for everyone"), Result{Kind: Gone}},
		{bad("query is too old and response timeout expired or query ID is invalid"), Result{Kind: Gone}},

		{bad("chat not found"), Result{Kind: Unreachable}},
		{bad("not enough rights to send text messages to the chat"), Result{Kind: Unreachable}},
		{bad("not enough rights to send documents to the chat"), Result{Kind: Unreachable}},
		{bad("have no write access to the chat"), Result{Kind: Unreachable}},
		{bad("PEER_ID_INVALID"), Result{Kind: Unreachable}},
		{bad("CHAT_WRITE_FORBIDDEN"), Result{Kind: Unreachable}},
		{no("bot was blocked by the user"), Result{Kind: Unreachable}},
		{no("user is deactivated"), Result{Kind: Unreachable}},
		{no("bot can't initiate conversation with a user"), Result{Kind: Unreachable}},
		{no("the bot can't send messages to the bot"), Result{Kind: Unreachable}},
		{no("bot was kicked from the supergroup chat"), Result{Kind: Unreachable}},
		{no("bot is not a member of the channel chat"), Result{Kind: Unreachable}},
		{no("the group chat was deleted"), Result{Kind: Unreachable}},

		{bad(`can't parse entities: Unsupported start tag "x" at byte offset 3`), Result{Kind: Poison}},
		{bad("message is too long"), Result{Kind: Poison}},
		{bad("text is too long"), Result{Kind: Poison}},
		{bad("message caption is too long"), Result{Kind: Poison}},
		{bad("message text is empty"), Result{Kind: Poison}},
		{bad("text must be non-empty"), Result{Kind: Poison}},
		{bad("unsupported parse_mode"), Result{Kind: Poison}},
		{bad("chat_id is empty"), Result{Kind: Poison}},
		{bad("BUTTON_DATA_INVALID"), Result{Kind: Poison}},
		{bad("BUTTON_COPY_TEXT_INVALID"), Result{Kind: Poison}},
		{bad("reply markup is too long"), Result{Kind: Poison}},
		{bad("inline keyboard button text must be non-empty"), Result{Kind: Poison}},
		{bad("file must be non-empty"), Result{Kind: Poison}},
		{bad("message thread not found"), Result{Kind: Poison}},
		{plain("413 Request Entity Too Large"), Result{Kind: Poison}},

		{plain("500 Internal Server Error: restart"), Result{Kind: Ambiguous}},
		{plain("502 Bad Gateway"), Result{Kind: Ambiguous}},
		{errors.New("error decode response body for method sendMessage, <html>, invalid character"), Result{Kind: Ambiguous}},
		{context.DeadlineExceeded, Result{Kind: Ambiguous}},
		{context.Canceled, Result{Kind: Ambiguous}},
		{io.ErrUnexpectedEOF, Result{Kind: Ambiguous}},
		{&net.OpError{Op: "read", Err: errors.New("connection reset by peer")}, Result{Kind: Ambiguous}},

		{fmt.Errorf("%w, Unauthorized", bot.ErrorUnauthorized), Result{Kind: Fatal}},
		{fmt.Errorf("%w, Not Found", bot.ErrorNotFound), Result{Kind: Fatal}},
		{fmt.Errorf("%w, Conflict: terminated by other getUpdates request", bot.ErrorConflict), Result{Kind: Fatal}},
	} {
		for _, err := range []error{tc.err, fmt.Errorf("error do request for method sendMessage, %w", tc.err)} {
			if got := Classify(err); got != tc.want {
				if _, bare := strings.CutPrefix(err.Error(), answered); !bare && strings.HasPrefix(tc.err.Error(), answered) {
					continue // known by how it begins
				}
				t.Errorf("Classify(%q) = %+v, want %+v", err, got, tc.want)
			}
		}
	}
	if got := Classify(nil); got != (Result{}) {
		t.Errorf("Classify(nil) = %+v", got)
	}
}

func TestErrorTellsNoSecrets(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want string
	}{
		{errors.New(`error decode response body for method sendMessage, {"ok":true,"result":{"text":"CODE-123, unexpected end`), "no readable answer"},
		{fmt.Errorf("%w, Forbidden: bot was blocked by the user", bot.ErrorForbidden), "forbidden, Forbidden: bot was blocked by the user"},
		{&bot.TooManyRequestsError{Message: "too many requests, Too Many Requests: retry after 3", RetryAfter: 3}, "too many requests, Too Many Requests: retry after 3: retry_after 3"},
		{&bot.MigrateError{Message: "bad request: moved", MigrateToChatID: -5}, "bad request: moved: migrate_to_chat_id -5"},
		{&net.OpError{Op: "read", Err: errors.New("CODE-123")}, "read failed"},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), "context deadline exceeded"},
		{errors.New(answered + "sendMessage, 500 " + strings.Repeat("é", 400)), answered + "sendMessage, 500 " + strings.Repeat("é", 121)},
	} {
		err := failure("sendMessage", tc.err)
		var e *Error
		if !errors.As(err, &e) || e.cause != tc.want {
			t.Errorf("cause of %q is %q, want %q", tc.err, e.cause, tc.want)
		}
	}
	err := failure("m", fmt.Errorf("x: %w", context.Canceled))
	if !errors.Is(err, context.Canceled) || err.Error() != "m: ambiguous: context canceled" {
		t.Errorf("err = %v", err)
	}
}

func TestClassifyKnowsItsOwn(t *testing.T) {
	wrapped := fmt.Errorf("x: %w", &Error{Result: Result{Kind: Gone}})
	for _, tc := range []struct {
		err  error
		want Kind
	}{{nil, OK}, {wrapped, Gone}, {io.EOF, Ambiguous}} {
		if got := Classify(tc.err).Kind; got != tc.want {
			t.Errorf("Classify(%v) = %v, want %v", tc.err, got, tc.want)
		}
	}
	if Fatal.String() != "fatal" || Kind(99).String() != "unknown" {
		t.Error("names of kinds are wrong")
	}
}
