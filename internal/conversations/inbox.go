package conversations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

const (
	pollTimeout  = 50 * time.Second // Telegram holds a poll for at most this long
	pollLimit    = 100
	answerLimit  = 16 << 20 // an answer of getUpdates is at most some 4 MiB
	maxPollPause = 5 * time.Second
)

// Doer sends HTTP requests, as *http.Client does. Its errors must not show the token.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// ErrToken: Telegram does not know the bot's token (401 or 404 of getUpdates).
var ErrToken = errors.New("Telegram refuses the bot token")

// Poller fetches updates (getUpdates) and hands each to the bot once it is on disk. It stands in for
// the library's own poller, which acknowledges updates before they are handled and stops for ever at
// one that it cannot decode.
type Poller struct {
	HTTP   Doer
	Server string // "https://api.telegram.org"
	Token  secret.Text
	Store  *store.Store
	Bot    *Bot
	Log    *slog.Logger
	// Answered is called after each answer of Telegram; may be nil.
	Answered func()
}

// arrival is an update that is on disk and waits to be handled.
type arrival struct {
	in     store.Incoming
	update *models.Update
}

// Run replays what an earlier process left unhandled, then polls until ctx is done. It returns nil
// then, ErrToken where polling can never succeed, and any error of the store.
func (p *Poller) Run(ctx context.Context) error {
	if err := p.replay(ctx); err != nil {
		return err
	}
	var offset int64
	var pause time.Duration
	for ctx.Err() == nil {
		batch, err := p.fetch(ctx, offset)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrToken):
			return err
		case err != nil:
			pause = min(max(2*pause, 100*time.Millisecond), maxPollPause)
			var limited *pollError
			if errors.As(err, &limited) {
				pause = max(pause, limited.wait)
			}
			p.Log.Warn("getUpdates failed", "err", err, "pause", pause)
			sleep(ctx, pause)
			continue
		}
		pause = 0
		if len(batch) == 0 {
			continue
		}
		if err := p.take(ctx, batch); err != nil {
			return err
		}
		offset = batch[len(batch)-1].id + 1
	}
	return nil
}

// raw is one update as it came.
type raw struct {
	id   int64
	body json.RawMessage
}

// pollError is a refusal of getUpdates.
type pollError struct {
	code        int
	description string
	wait        time.Duration
}

func (e *pollError) Error() string { return fmt.Sprintf("%d %s", e.code, e.description) }

// fetch is one long poll. Getting updates from offset on acknowledges those before it.
func (p *Poller) fetch(ctx context.Context, offset int64) ([]raw, error) {
	body := fmt.Appendf(nil, `{"offset":%d,"limit":%d,"timeout":%d,"allowed_updates":["message","callback_query","my_chat_member"]}`,
		offset, pollLimit, int(pollTimeout.Seconds()))
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
	text, err := io.ReadAll(io.LimitReader(resp.Body, answerLimit))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if p.Answered != nil {
		p.Answered()
	}
	return decodeBatch(resp.StatusCode, text)
}

// decodeBatch reads an answer of getUpdates, leaving each update as it came.
func decodeBatch(status int, text []byte) ([]raw, error) {
	var answer struct {
		OK          bool
		Result      []json.RawMessage
		ErrorCode   int `json:"error_code"`
		Description string
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("HTTP %d: the answer is not the Bot API's", status)
	}
	if !answer.OK {
		err := &pollError{code: answer.ErrorCode, description: answer.Description, wait: time.Duration(answer.Parameters.RetryAfter) * time.Second}
		if err.code == http.StatusUnauthorized || err.code == http.StatusNotFound {
			return nil, fmt.Errorf("%w: %w", ErrToken, err)
		}
		return nil, err
	}
	batch := make([]raw, 0, len(answer.Result))
	for _, body := range answer.Result {
		var id struct {
			UpdateID int64 `json:"update_id"`
		}
		if err := json.Unmarshal(body, &id); err != nil {
			return nil, errors.New("an update without an id")
		}
		batch = append(batch, raw{id: id.UpdateID, body: body})
	}
	return batch, nil
}

// take puts a batch on disk, in one commit, and hands on what is new.
func (p *Poller) take(ctx context.Context, batch []raw) error {
	now := time.Now()
	rows := make([]store.Incoming, len(batch))
	updates := make(map[int64]*models.Update, len(batch))
	for i, r := range batch {
		rows[i] = store.Incoming{ID: r.id, Raw: r.body, State: store.New, At: now}
		u, err := decodeUpdate(r.body)
		if err != nil {
			p.Log.Error("an update cannot be decoded and is parked", "update", r.id, "err", "unknown form")
			rows[i].State = store.Parked
			continue
		}
		rows[i].Chat, updates[r.id] = chatOf(u), u
	}
	// The batch is written even if a stop comes now: unwritten it would only be fetched again.
	fresh, err := p.Store.AddUpdates(context.WithoutCancel(ctx), rows)
	if err != nil {
		return fmt.Errorf("store updates: %w", err)
	}
	for _, in := range fresh {
		in.Raw = nil // it is on disk, and a long queue should be small
		if u := updates[in.ID]; u != nil && !p.Bot.put(ctx, arrival{in: in, update: u}) {
			return nil // stopping: it is on disk
		}
	}
	return nil
}

// replay hands on what an earlier process took and did not finish. Each try is counted on disk before
// it is made, so that an update that brings the process down is parked after three.
func (p *Poller) replay(ctx context.Context) error {
	for after := int64(0); ; {
		rows, err := p.Store.PendingUpdates(ctx, after, pollLimit)
		if err != nil {
			return fmt.Errorf("list unhandled updates: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		after = rows[len(rows)-1].ID
		for _, in := range rows {
			u, err := decodeUpdate(in.Raw)
			if err == nil {
				in.Attempts, err = p.Store.CountAttempt(ctx, in.ID)
			}
			if err != nil || in.Attempts > maxAttempts {
				p.Log.Error("an update is parked", "update", in.ID, "attempts", in.Attempts)
				if err := p.Bot.park(ctx, in); err != nil {
					return err
				}
				continue
			}
			if !p.Bot.put(ctx, arrival{in: in, update: u}) {
				return nil
			}
		}
	}
}

// decodeUpdate reads one update. One that belongs to a form this library does not know is an error of
// its own, not of its batch.
func decodeUpdate(body []byte) (*models.Update, error) {
	u := new(models.Update)
	if err := json.Unmarshal(body, u); err != nil {
		return nil, err
	}
	return u, nil
}

// chatOf is whose mailbox an update goes to: that of its chat, so that a tap and a text in one chat are
// handled in the order they came.
func chatOf(u *models.Update) int64 {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID
	case u.CallbackQuery != nil:
		if chat, _, ok := carrierOf(u.CallbackQuery); ok {
			return chat
		}
		return u.CallbackQuery.From.ID
	case u.MyChatMember != nil:
		return u.MyChatMember.Chat.ID
	}
	return 0
}

// carrierOf is the chat and message under which a tapped button stood. An old message is inaccessible
// but still named; a button of an inline message has neither.
func carrierOf(q *models.CallbackQuery) (chat int64, message int, ok bool) {
	switch {
	case q.Message.Message != nil:
		return q.Message.Message.Chat.ID, q.Message.Message.ID, true
	case q.Message.InaccessibleMessage != nil:
		return q.Message.InaccessibleMessage.Chat.ID, q.Message.InaccessibleMessage.MessageID, true
	}
	return 0, 0, false
}

// sleep waits unless ctx ends first.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
