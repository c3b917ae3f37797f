package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/secret"
)

const (
	pollTimeout  = 50 * time.Second // Telegram holds a poll for at most this long
	pollLimit    = 100
	answerLimit  = 16 << 20 // an answer of getUpdates is at most some 4 MiB
	maxPollPause = 5 * time.Second
	// pollGap is how long after a poll the next one begins at the earliest, where updates come all the time: those that come
	// together share a poll and a commit. Two in a row are read at once: only the third waits.
	pollGap = 100 * time.Millisecond
	remind  = time.Minute // between two log lines about the same conflict
)

// Doer sends HTTP requests, as *http.Client does. Its errors must not show the token.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// What can be wrong with polling besides Telegram and the network.
var (
	// ErrToken: Telegram does not know the bot's token (401 or 404).
	ErrToken = errors.New("the bot token is refused by Telegram")
	// ErrWebhookSet: updates go to a webhook, so there is nothing to poll for (409).
	ErrWebhookSet = errors.New("a webhook is set for this bot")
	// ErrOtherPoller: somebody else polls with the bot's token (409). Each of the two gets a part of the updates.
	ErrOtherPoller = errors.New("another process fetches the updates of this bot")
)

// Poller fetches updates (getUpdates). It stands in for the library's own poller, which acknowledges
// updates before they are handled and stops for ever at one that it cannot decode. All fields are required but Heard.
type Poller struct {
	HTTP   Doer
	Server string // "https://api.telegram.org"
	Token  secret.Text
	Inbox  Intake
	Log    *slog.Logger
	// Unhook removes the webhook that keeps updates away, dropping none.
	Unhook func(context.Context) error
	// Heard is told how each poll ended, nil for well; it may be nil itself.
	Heard func(error)

	reminded time.Time // of a conflict
}

// Run replays what an earlier process left unhandled, then polls until ctx is done. It returns nil
// then, ErrToken where polling can never succeed, and any error of the store.
func (p *Poller) Run(ctx context.Context) error {
	if err := p.Inbox.Replay(ctx); err != nil {
		return err
	}
	// Zero asks for all that Telegram has not been told of. What an earlier process has on disk may come again by that: the inbox knows
	// the ids of two days.
	var offset int64
	failures := 0
	for ctx.Err() == nil {
		begun := time.Now()
		batch, err := p.fetch(ctx, offset)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the poll was cut short by a stop
		}
		if p.Heard != nil {
			p.Heard(err)
		}
		if errors.Is(err, ErrToken) {
			return err
		}
		if err != nil {
			failures++
			backoff.Sleep(ctx, p.mend(ctx, err, failures))
			continue
		}
		failures = 0
		if len(batch) == 0 {
			continue
		}
		// An error ends Run, and with it the process: to poll on would acknowledge nothing, and bring the same batch for ever.
		if err := p.Inbox.Accept(ctx, batch); err != nil {
			return err
		}
		// Only now: the next poll acknowledges by this offset what the inbox has put on disk.
		offset = batch[len(batch)-1].ID + 1
		// A full batch means that more waits at Telegram: then there is nothing to gather.
		if gap := pollGap - time.Since(begun); gap > 0 && len(batch) < pollLimit {
			backoff.Sleep(ctx, gap)
		}
	}
	return nil
}

// mend does what can be done about a poll that failed, tells of it, and returns how long to wait before
// the next one: longer after each failure.
func (p *Poller) mend(ctx context.Context, err error, failures int) time.Duration {
	pause := backoff.Doubled(100*time.Millisecond, maxPollPause, failures)
	if refusal, ok := errors.AsType[*pollError](err); ok {
		pause = max(pause, refusal.wait)
	}
	switch {
	case errors.Is(err, ErrWebhookSet):
		p.remind("a webhook keeps the updates away, although WEBHOOK_URL is not set: it is removed. If it comes back, another process runs with this token", err)
		if err := p.Unhook(ctx); err != nil {
			p.Log.Warn("the webhook was not removed", "err", err)
		}
	case errors.Is(err, ErrOtherPoller):
		p.remind("another process polls with this bot token: stop one of the two. Until then each gets a part of what people write", err)
	default:
		p.Log.Warn("getUpdates failed", "err", err, "pause", pause)
	}
	return pause
}

// remind logs a conflict, once a minute at most: it lasts until somebody does something about it.
func (p *Poller) remind(what string, err error) {
	if time.Since(p.reminded) >= remind {
		p.reminded = time.Now()
		p.Log.Error(what, "err", err)
	}
}

// pollError is a refusal of getUpdates.
type pollError struct {
	code        int
	description string
	wait        time.Duration
}

// Error implements error.
func (e *pollError) Error() string { return fmt.Sprintf("%d %s", e.code, e.description) }

// Unwrap tells what the refusal means, where that is one of the errors above.
func (e *pollError) Unwrap() error {
	switch {
	case e.code == http.StatusUnauthorized, e.code == http.StatusNotFound:
		return ErrToken
	case e.code == http.StatusConflict && strings.Contains(strings.ToLower(e.description), "webhook"):
		return ErrWebhookSet
	case e.code == http.StatusConflict:
		return ErrOtherPoller
	}
	return nil
}

// fetch is one long poll. Getting updates from offset on acknowledges those before it.
func (p *Poller) fetch(ctx context.Context, offset int64) ([]Raw, error) {
	body, err := json.Marshal(map[string]any{
		"offset": offset, "limit": pollLimit, "timeout": int(pollTimeout.Seconds()), "allowed_updates": AllowedUpdates(),
	})
	if err != nil {
		return nil, err
	}
	// Longer than Telegram holds the poll: what ends it early is a connection that is dead.
	ctx, cancel := context.WithTimeout(ctx, pollTimeout+20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Server+"/bot"+p.Token.Reveal()+"/getUpdates", bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("build the request: the server address is not a URL")
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text := bytes.NewBuffer(make([]byte, 0, max(min(resp.ContentLength, answerLimit), 0)+bytes.MinRead))
	if _, err := text.ReadFrom(io.LimitReader(resp.Body, answerLimit)); err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	return decodeBatch(resp.StatusCode, text.Bytes())
}

// batchBegin is how Telegram writes the beginning of an answer that brings updates.
const batchBegin = `{"ok":true,"result":[`

// cutBatch cuts an answer of getUpdates into its updates, as Telegram writes them; false where it is not written so. To cut
// them out takes a part of what it takes to decode them, which whoever handles them does once more. An update that is no JSON is
// seen then, and costs no other.
func cutBatch(text []byte) (batch []Raw, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte(batchBegin))
	if !ok {
		return nil, false
	}
	for len(rest) > 0 && rest[0] == '{' {
		end := endOfObject(rest)
		// The capacity ends with the update: whoever appends to one does not write into the next.
		r, ok := cutRaw(rest[:end:end])
		if !ok {
			return nil, false
		}
		batch = append(batch, r)
		if rest = rest[end:]; bytes.HasPrefix(rest, []byte(",{")) {
			rest = rest[1:]
		}
	}
	return batch, string(rest) == "]}"
}

// endOfObject is where the object ends that a JSON text begins with; the end of the text where it does not.
func endOfObject(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// decodeBatch reads an answer of getUpdates, leaving each update as it came.
func decodeBatch(status int, text []byte) ([]Raw, error) {
	if batch, ok := cutBatch(text); ok {
		return batch, nil
	}
	var answer struct {
		OK          bool              `json:"ok"`
		Result      []json.RawMessage `json:"result"`
		ErrorCode   int               `json:"error_code"`
		Description string            `json:"description"`
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("HTTP %d: the answer is not the Bot API's", status)
	}
	if !answer.OK {
		return nil, &pollError{code: answer.ErrorCode, description: answer.Description, wait: time.Duration(answer.Parameters.RetryAfter) * time.Second}
	}
	batch := make([]Raw, 0, len(answer.Result))
	for _, body := range answer.Result {
		// Without its id an update cannot be acknowledged, so the batch fails as a whole and is asked for again.
		r, err := NewRaw(body)
		if err != nil {
			return nil, err
		}
		batch = append(batch, r)
	}
	return batch, nil
}
