package telegram

import (
	"context"
	"encoding/json"
	"errors"
)

// Intake takes updates, however they come.
type Intake interface {
	// Replay hands on what an earlier process took and did not finish; it comes before anything new.
	Replay(ctx context.Context) error
	// Take keeps updates. Only when it has returned nil may Telegram forget them.
	Take(ctx context.Context, received []Raw) error
}

// Raw is one update (Update) as it came.
type Raw struct {
	ID   int64
	Body json.RawMessage
}

// AllowedUpdates are the kinds of updates that the bot wants of Telegram, however they come.
func AllowedUpdates() []string { return []string{"message", "callback_query", "my_chat_member"} }

// errNoUpdate: what was received is no update at all.
var errNoUpdate = errors.New("not an update")

// NewRaw reads the id of an update and leaves the rest as it came.
func NewRaw(body []byte) (Raw, error) {
	var id struct {
		UpdateID *int64 `json:"update_id"`
	}
	// A pointer tells an id that is missing from one that is 0.
	if err := json.Unmarshal(body, &id); err != nil || id.UpdateID == nil {
		return Raw{}, errNoUpdate
	}
	return Raw{ID: *id.UpdateID, Body: body}, nil
}
