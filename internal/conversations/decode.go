package conversations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// decodeUpdate reads one update. What is not read is an error of its own, not of its batch.
func decodeUpdate(body []byte) (*update, error) {
	// A quick look, for hardly any update has one: reading it as a tree costs more than all the rest.
	if bytes.Contains(body, []byte(`"rich_message"`)) {
		// What cannot be read as a tree is read as it came: if it is bad, the error of that counts.
		if plain, err := withoutRich(body); err == nil {
			body = plain
		}
	}
	u := new(update)
	if err := json.Unmarshal(body, u); err != nil {
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
