package conversations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-telegram/bot/models"
)

// decodeUpdate reads one update. The library refuses an update as a whole for a part of a kind that it does not know,
// wherever that stands: such parts nobody asked for are left out then, and the person has their answer. What is still
// not read is an error of its own, not of its batch.
func decodeUpdate(body []byte) (*models.Update, error) {
	// A quick look, for hardly any update has one: reading it as a tree costs more than all the rest.
	if bytes.Contains(body, []byte(`"rich_message"`)) {
		if plain, err := withoutRich(body); err == nil {
			body = plain
		}
	}
	u := new(models.Update)
	err := json.Unmarshal(body, u)
	if err == nil {
		return u, nil
	}
	bare, stripped := bareUpdate(body)
	if !stripped {
		return nil, err
	}
	u = new(models.Update)
	if err := json.Unmarshal(bare, u); err != nil {
		return nil, err
	}
	return u, nil
}

// withoutRich is an update whose rich messages are texts. One that somebody has written is read as its text.
func withoutRich(body []byte) ([]byte, error) {
	u, err := tree(body)
	if err != nil {
		return nil, err
	}
	if m, ok := u["message"].(map[string]any); ok && m["text"] == nil {
		if text := flat(m["rich_message"]); text != "" {
			m["text"] = text
		}
	}
	dropRich(u)
	return json.Marshal(u)
}

// tree reads JSON as it came: numbers keep their digits.
func tree(body []byte) (u map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&u); err != nil {
		return nil, fmt.Errorf("read an update: %w", err)
	}
	return u, nil
}

// dropRich takes rich messages out of a value, at whatever depth: also the message that is answered may be one.
func dropRich(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "rich_message")
		for _, inner := range v {
			dropRich(inner)
		}
	case []any:
		for _, inner := range v {
			dropRich(inner)
		}
	}
}

// flat is a rich message (RichMessage) as a text: a paragraph, an item of a list and a row of a table are each a line, the
// cells of a row stand behind each other. A block of a kind that is not known gives the texts that are in it.
func flat(message any) string {
	m, ok := message.(map[string]any)
	if !ok {
		return ""
	}
	return strings.Join(flatBlocks(m["blocks"]), "\n")
}

// flatBlocks are the lines of some blocks.
func flatBlocks(v any) (lines []string) {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	for _, block := range list {
		lines = append(lines, flatBlock(block)...)
	}
	return lines
}

// flatBlock are the lines of a block (RichBlock), or of an item of a list (RichBlockListItem): its own text before what it
// holds.
func flatBlock(v any) (lines []string) {
	b, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	for _, part := range []string{"summary", "text", "expression"} {
		lines = appendLine(lines, flatText(b[part]))
	}
	lines = append(lines, flatBlocks(b["blocks"])...)
	lines = append(lines, flatBlocks(b["items"])...)
	rows, _ := b["cells"].([]any)
	for _, row := range rows {
		lines = appendLine(lines, flatRow(row))
	}
	return lines
}

// appendLine adds a line that is not empty.
func appendLine(lines []string, line string) []string {
	if strings.TrimSpace(line) == "" {
		return lines
	}
	return append(lines, line)
}

// flatRow is a row of a table: its cells, with a blank between two.
func flatRow(v any) string {
	cells, _ := v.([]any)
	var texts []string
	for _, cell := range cells {
		c, _ := cell.(map[string]any)
		texts = appendLine(texts, flatText(c["text"]))
	}
	return strings.Join(texts, " ")
}

// flatText is a text with its markup (RichText) without it: it is a text, a list of them, or holds one.
func flatText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, part := range v {
			b.WriteString(flatText(part))
		}
		return b.String()
	case map[string]any:
		for _, part := range []string{"text", "alternative_text", "expression"} {
			if text := flatText(v[part]); text != "" {
				return text
			}
		}
	}
	return ""
}

// What is read of an update that the library does not take as it is: what flows work with, and no more.
var (
	bareMessage = []string{
		"message_id", "message_thread_id", "is_topic_message", "from", "sender_chat", "chat", "date", "text", "migrate_to_chat_id", "forward_origin", "reply_to_message", "users_shared",
		"contact",
	}
	bareReply = []string{"message_id", "chat", "date"}
	bareTap   = []string{"id", "from", "message", "chat_instance", "data"}
)

// bareUpdate is an update with nothing in it but what flows work with; ok is false where it is none that they know.
func bareUpdate(body []byte) (bare []byte, ok bool) {
	u, err := tree(body)
	if err != nil {
		return nil, false
	}
	kept := map[string]any{"update_id": u["update_id"]}
	if m, isMessage := u["message"].(map[string]any); isMessage {
		kept["message"] = barely(m)
	}
	if q, isTap := u["callback_query"].(map[string]any); isTap {
		q = only(q, bareTap)
		if m, under := q["message"].(map[string]any); under {
			q["message"] = barely(m)
		}
		kept["callback_query"] = q
	}
	bare, err = json.Marshal(kept)
	return bare, err == nil && len(kept) > 1
}

// barely is a message with what flows work with. That it was forwarded is all that is read of where it came from, and of the
// message that it answers, which one that is.
func barely(m map[string]any) map[string]any {
	m = only(m, bareMessage)
	if m["forward_origin"] != nil {
		m["forward_origin"] = map[string]any{"type": string(models.MessageOriginTypeHiddenUser), "date": 0, "sender_user_name": ""}
	}
	if answered, ok := m["reply_to_message"].(map[string]any); ok {
		m["reply_to_message"] = only(answered, bareReply)
	}
	return m
}

// only is an object with some of its fields.
func only(o map[string]any, names []string) map[string]any {
	kept := map[string]any{}
	for _, name := range names {
		if v, there := o[name]; there {
			kept[name] = v
		}
	}
	return kept
}
