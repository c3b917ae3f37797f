package tgsim

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

const nothingNew = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"

// gallery is a chat with a message of each kind.
type gallery struct{ text, keys, photo, doc, theirs, fixed, gone int }

func (h *harness) gallery() (g gallery) {
	h.t.Helper()
	g.text = h.post("sendMessage", object{"chat_id": sam, "text": "<b>old</b>", "parse_mode": "HTML"}).ID
	g.keys = h.post("sendMessage", object{"chat_id": sam, "text": "old", "reply_markup": button("a", "b")}).ID
	var m sent
	h.upload("sendPhoto", "photo", picture(2, 2), map[string]string{"chat_id": "501", "caption": "old"}).into(h.t, &m)
	g.photo = m.ID
	h.upload("sendDocument", "document", []byte("x"), map[string]string{"chat_id": "501"}).into(h.t, &m)
	g.doc = m.ID
	g.theirs = h.People.Send(sam, sam, "mine")
	g.fixed = h.post("sendMessage", object{"chat_id": sam, "text": "old", "reply_markup": `{"force_reply":true}`}).ID
	g.gone = h.post("sendMessage", object{"chat_id": sam, "text": "old"}).ID
	h.call("deleteMessage", object{"chat_id": sam, "message_id": g.gone})
	return g
}

// TestEdits is every way to change a message, and to fail at it.
func TestEdits(t *testing.T) {
	for name, c := range map[string]struct {
		method  string
		message func(gallery) int
		p       object
		words   string // "" when it is done
	}{
		"text":                      {"editMessageText", func(g gallery) int { return g.text }, object{"text": "new"}, ""},
		"same words, plain":         {"editMessageText", func(g gallery) int { return g.text }, object{"text": "old"}, ""},
		"same text":                 {"editMessageText", func(g gallery) int { return g.text }, object{"text": "<b>old</b> ", "parse_mode": "HTML"}, nothingNew},
		"same text, keyboard lost":  {"editMessageText", func(g gallery) int { return g.keys }, object{"text": "old"}, ""},
		"same text, same keyboard":  {"editMessageText", func(g gallery) int { return g.keys }, object{"text": "old", "reply_markup": button("a", "b")}, nothingNew},
		"same text, other keyboard": {"editMessageText", func(g gallery) int { return g.keys }, object{"text": "old", "reply_markup": button("a", "c")}, ""},
		"no text":                   {"editMessageText", func(g gallery) int { return g.text }, nil, "Bad Request: message text is empty"},
		"too long":                  {"editMessageText", func(g gallery) int { return g.text }, object{"text": strings.Repeat("x", 4097)}, "Bad Request: message is too long"},
		"data too long":             {"editMessageText", func(g gallery) int { return g.text }, object{"text": "new", "reply_markup": button("a", strings.Repeat("x", 65))}, "Bad Request: BUTTON_DATA_INVALID"},
		"keyboard to write with":    {"editMessageText", func(g gallery) int { return g.text }, object{"text": "new", "reply_markup": `{"remove_keyboard":true}`}, "Bad Request: inline keyboard expected"},
		"text of a photo":           {"editMessageText", func(g gallery) int { return g.photo }, object{"text": "new"}, "Bad Request: there is no text in the message to edit"},
		"caption of a photo":        {"editMessageCaption", func(g gallery) int { return g.photo }, object{"caption": "<i>new</i>", "parse_mode": "HTML"}, ""},
		"no caption any more":       {"editMessageCaption", func(g gallery) int { return g.photo }, nil, ""},
		"same caption":              {"editMessageCaption", func(g gallery) int { return g.photo }, object{"caption": "old"}, nothingNew},
		"caption too long":          {"editMessageCaption", func(g gallery) int { return g.photo }, object{"caption": strings.Repeat("x", 1025)}, "Bad Request: message caption is too long"},
		"caption of a document":     {"editMessageCaption", func(g gallery) int { return g.doc }, object{"caption": "new"}, ""},
		"caption of a text":         {"editMessageCaption", func(g gallery) int { return g.text }, object{"caption": "new"}, "Bad Request: there is no caption in the message to edit"},
		"keyboard":                  {"editMessageReplyMarkup", func(g gallery) int { return g.text }, object{"reply_markup": button("a", "b")}, ""},
		"same keyboard":             {"editMessageReplyMarkup", func(g gallery) int { return g.keys }, object{"reply_markup": button("a", "b")}, nothingNew},
		"no keyboard twice":         {"editMessageReplyMarkup", func(g gallery) int { return g.text }, object{"reply_markup": `{"inline_keyboard":[]}`}, nothingNew},
		"another's":                 {"editMessageText", func(g gallery) int { return g.theirs }, object{"text": "new"}, "Bad Request: message can't be edited"},
		"with a reply keyboard":     {"editMessageText", func(g gallery) int { return g.fixed }, object{"text": "new"}, "Bad Request: message can't be edited"},
		"deleted":                   {"editMessageText", func(g gallery) int { return g.gone }, object{"text": "new"}, "Bad Request: message to edit not found"},
		"never there":               {"editMessageText", func(gallery) int { return 9999 }, object{"text": "new"}, "Bad Request: message to edit not found"},
		"in no chat":                {"editMessageText", func(g gallery) int { return g.text }, object{"text": "new", "chat_id": nil}, "Bad Request: chat_id is empty"},
		"nowhere":                   {"editMessageText", func(gallery) int { return 0 }, object{"text": "new", "chat_id": nil}, "Bad Request: message identifier is not specified"},
		"broken markup":             {"editMessageText", func(g gallery) int { return g.text }, object{"text": "</b>", "parse_mode": "HTML"}, "Bad Request: can't parse entities: Unexpected end tag at byte offset 0"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				id := c.message(h.gallery())
				h.drain()
				p := object{"chat_id": sam, "message_id": id}
				maps.Copy(p, c.p)
				r := h.call(c.method, p)
				if c.words != "" {
					h.refused(r, 400, c.words)
					return
				}
				var m sent
				r.into(t, &m)
				if m.ID != id || m.EditDate != time.Now().Unix() {
					t.Errorf("got %+v", m)
				}
				if got := h.drain(); len(got) != 0 {
					t.Errorf("the bot is told of its own edit: %v", kinds(got))
				}
			})
		})
	}
}

// An edit without a keyboard removes the one that is there.
func TestEditRemovesKeyboard(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		id := h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": button("a", "b")}).ID
		if m := h.post("editMessageText", object{"chat_id": sam, "message_id": id, "text": "b"}); m.Markup.Rows != nil {
			t.Errorf("the keyboard is still there: %v", m.Markup.Rows)
		}
		if m := h.last(sam); m.Text != "b" || m.Keyboard != nil || !m.Edited || m.EditedAt.IsZero() {
			t.Errorf("the chat shows %+v", m)
		}
	})
}

func TestDeletes(t *testing.T) {
	for name, c := range map[string]struct {
		role  Role
		chat  int64
		own   bool
		wait  time.Duration
		words string
	}{
		"own, in private":       {"", sam, true, 0, ""},
		"theirs, in private":    {"", sam, false, 0, ""},
		"own, old":              {"", sam, true, 49 * time.Hour, "Bad Request: message can't be deleted for everyone"},
		"own, in a group":       {Ordinary, shop, true, 0, ""},
		"theirs, in a group":    {Ordinary, shop, false, 0, "Bad Request: message can't be deleted"},
		"as administrator":      {Administrator, shop, false, 0, ""},
		"old, in a supergroup":  {Administrator, -1000000000800, false, 49 * time.Hour, "Bad Request: message can't be deleted"},
		"from where it is gone": {Left, shop, false, 0, "Forbidden: bot is not a member of the group chat"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				if c.chat < 0 {
					h.group(c.chat, c.role)
				}
				id := h.People.Send(sam, c.chat, "hello")
				if c.own {
					id = h.post("sendMessage", object{"chat_id": c.chat, "text": "a"}).ID
				}
				h.pass(c.wait)
				r := h.call("deleteMessage", object{"chat_id": c.chat, "message_id": id})
				many := h.call("deleteMessages", object{"chat_id": c.chat, "message_ids": fmt.Sprintf("[%d, 999]", id)})
				if c.words != "" {
					h.refused(r, r.Code, c.words)
					h.refused(many, r.Code, c.words)
					return
				}
				if !r.OK || !many.OK || !h.last(c.chat).Deleted {
					t.Errorf("got %+v and %+v", r, many)
				}
				h.refused(h.call("deleteMessage", object{"chat_id": c.chat, "message_id": id}), 400, "Bad Request: message to delete not found")
			})
		})
	}
}

// Several messages go at once, or none of them if one has to stay.
func TestDeleteMessages(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.group(shop, Ordinary)
		var ids []int
		for range 3 {
			ids = append(ids, h.post("sendMessage", object{"chat_id": shop, "text": "a"}).ID)
		}
		theirs := h.People.Send(sam, shop, "b")
		h.refused(h.call("deleteMessages", object{"chat_id": shop, "message_ids": append(ids, theirs)}), 400, "Bad Request: message can't be deleted")
		if r := h.call("deleteMessages", object{"chat_id": shop, "message_ids": append(ids[:2], 999)}); !r.OK {
			t.Errorf("got %+v", r)
		}
		var gone []bool
		for _, m := range h.Messages(shop) {
			if m.Notice == "" {
				gone = append(gone, m.Deleted)
			}
		}
		if fmt.Sprint(gone) != "[true true false false]" {
			t.Errorf("deleted %v", gone)
		}
	})
}

func TestDeletesRefused(t *testing.T) {
	hundred := "[1" + strings.Repeat(",1", 100) + "]"
	for name, c := range map[string]struct {
		method string
		p      object
		words  string
	}{
		"no chat":           {"deleteMessage", object{"message_id": 2}, "chat identifier is not specified"},
		"no message":        {"deleteMessage", object{"chat_id": sam}, "message identifier is not specified"},
		"unknown chat":      {"deleteMessages", object{"chat_id": 9, "message_ids": "[1]"}, "chat not found"},
		"no messages":       {"deleteMessages", object{"chat_id": sam}, "message identifiers are not specified"},
		"an empty list":     {"deleteMessages", object{"chat_id": sam, "message_ids": "[]"}, "message identifiers are not specified"},
		"not JSON":          {"deleteMessages", object{"chat_id": sam, "message_ids": "[1"}, "can't parse message identifiers JSON object"},
		"not a list":        {"deleteMessages", object{"chat_id": sam, "message_ids": "1"}, "expected an Array of message identifiers"},
		"not numbers":       {"deleteMessages", object{"chat_id": sam, "message_ids": `["a"]`}, "message identifier must be a Number"},
		"a hundred and one": {"deleteMessages", object{"chat_id": sam, "message_ids": hundred}, "too many message identifiers specified"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) { h.refused(h.call(c.method, c.p), 400, "Bad Request: "+c.words) })
		})
	}
}

// What a person edits is an update; what a person deletes is not, and can no longer be edited.
func TestPeopleEditAndRemove(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		theirs := h.People.Send(sam, sam, "helo")
		h.People.Edit(sam, sam, theirs, "hello /help")
		h.People.Edit(lea, sam, theirs, "not mine")
		got := h.drain()
		if kinds(got) != "message,edited_message" || got[1].at("text") != "hello /help" || got[1].at("edit_date") == nil {
			t.Errorf("got %v", got)
		}
		mine := h.post("sendMessage", object{"chat_id": sam, "text": "a"}).ID
		h.People.Remove(sam, mine)
		h.refused(h.call("editMessageText", object{"chat_id": sam, "message_id": mine, "text": "b"}), 400, "Bad Request: message to edit not found")
		if got := h.drain(); len(got) != 0 {
			t.Errorf("got %v", kinds(got))
		}
	})
}
