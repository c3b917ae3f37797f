package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
)

// Intake takes updates, however they come.
type Intake interface {
	// Replay hands on what an earlier process took and did not finish; it comes before anything new.
	Replay(ctx context.Context) error
	// Accept keeps updates. Only when it has returned nil may Telegram forget them.
	Accept(ctx context.Context, received []Raw) error
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

// updateBegin is how Telegram writes the beginning of an update.
const updateBegin = `{"update_id":`

// cutRaw cuts the id out of an update; false where it does not stand at the beginning.
func cutRaw(body []byte) (Raw, bool) {
	rest, ok := bytes.CutPrefix(body, []byte(updateBegin))
	digits, _ := number(rest)
	id, err := strconv.ParseInt(digits, 10, 64)
	return Raw{ID: id, Body: body}, ok && err == nil
}

// number is the number that a text begins with, and what ends it is a comma or the end of an object.
func number(text []byte) (digits string, ok bool) {
	end := bytes.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end <= 0 || text[end] != ',' && text[end] != '}' {
		return "", false
	}
	return string(text[:end]), true
}

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
