package tgsim

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
)

// TestSendRefused is the catalogue of what cannot be sent, in Telegram's words.
func TestSendRefused(t *testing.T) {
	long := strings.Repeat("x", 4097)
	for name, c := range map[string]struct {
		p     object
		code  int
		words string
	}{
		"no chat":               {object{"text": "a"}, 400, "Bad Request: chat_id is empty"},
		"unknown chat":          {object{"chat_id": 999, "text": "a"}, 400, "Bad Request: chat not found"},
		"a name":                {object{"chat_id": "@sam", "text": "a"}, 400, "Bad Request: chat not found"},
		"never started":         {object{"chat_id": lea, "text": "a"}, 400, "Bad Request: chat not found"},
		"no text":               {object{"chat_id": sam}, 400, "Bad Request: message text is empty"},
		"white space":           {object{"chat_id": sam, "text": " \n\t "}, 400, "Bad Request: text must be non-empty"},
		"only tags":             {object{"chat_id": sam, "text": "<b> </b>", "parse_mode": "HTML"}, 400, "Bad Request: text must be non-empty"},
		"too long":              {object{"chat_id": sam, "text": long}, 400, "Bad Request: message is too long"},
		"much too long":         {object{"chat_id": sam, "text": strings.Repeat("<b>x</b>", 4097)}, 400, "Bad Request: text is too long"},
		"parse mode":            {object{"chat_id": sam, "text": "a", "parse_mode": "RTF"}, 400, "Bad Request: unsupported parse_mode"},
		"broken markup":         {object{"chat_id": sam, "text": "a<b>c", "parse_mode": "HTML"}, 400, `Bad Request: can't parse entities: Can't find end tag corresponding to start tag "b"`},
		"an entity outside":     {object{"chat_id": sam, "text": "abc", "entities": `[{"type":"bold","offset":1,"length":9}]`}, 400, "Bad Request: entity beginning at UTF-16 offset 1 ends after the end of the text at UTF-16 offset 10"},
		"no such message":       {object{"chat_id": sam, "text": "a", "reply_parameters": `{"message_id":77}`}, 400, "Bad Request: message to be replied not found"},
		"no such thread":        {object{"chat_id": sam, "text": "a", "message_thread_id": 3}, 400, "Bad Request: message thread not found"},
		"keyboard is no JSON":   {object{"chat_id": sam, "text": "a", "reply_markup": "{"}, 400, "Bad Request: can't parse reply keyboard markup JSON object"},
		"keyboard is a list":    {object{"chat_id": sam, "text": "a", "reply_markup": "[]"}, 400, "Bad Request: object expected as reply markup"},
		"keyboard of one level": {object{"chat_id": sam, "text": "a", "reply_markup": `{"inline_keyboard":[{"text":"a"}]}`}, 400, `Bad Request: field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays`},
		"button does nothing":   {object{"chat_id": sam, "text": "a", "reply_markup": `{"inline_keyboard":[[{"text":"a"}]]}`}, 400, "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"},
		"button without text":   {object{"chat_id": sam, "text": "a", "reply_markup": button("", "x")}, 400, "Bad Request: inline keyboard button text must be non-empty"},
		"button style":          {object{"chat_id": sam, "text": "a", "reply_markup": `{"inline_keyboard":[[{"text":"a","callback_data":"b","style":"pink"}]]}`}, 400, "Bad Request: can't parse inline keyboard button: invalid button style specified"},
		"65 bytes of data":      {object{"chat_id": sam, "text": "a", "reply_markup": button("a", strings.Repeat("x", 65))}, 400, "Bad Request: BUTTON_DATA_INVALID"},
		"22 letters, 66 bytes":  {object{"chat_id": sam, "text": "a", "reply_markup": button("a", strings.Repeat("ố", 22))}, 400, "Bad Request: BUTTON_DATA_INVALID"},
		"nothing to copy":       {object{"chat_id": sam, "text": "a", "reply_markup": `{"inline_keyboard":[[{"text":"a","copy_text":{"text":""}}]]}`}, 400, "Bad Request: BUTTON_COPY_TEXT_INVALID"},
		"101 buttons":           {object{"chat_id": sam, "text": "a", "reply_markup": object{"inline_keyboard": [][]object{many(101)}}}, 400, "Bad Request: reply markup is too long"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				before := len(h.Messages(sam))
				h.refused(h.call("sendMessage", c.p), c.code, c.words)
				if len(h.Messages(sam)) != before {
					t.Error("it was sent all the same")
				}
			})
		})
	}
}

// many is a row of buttons.
func many(n int) (row []object) {
	for range n {
		row = append(row, object{"text": "a", "callback_data": "b"})
	}
	return row
}

// TestSendTaken is what is just short enough, and what Telegram makes of a text.
func TestSendTaken(t *testing.T) {
	for name, c := range map[string]struct {
		p    object
		text string
	}{
		"4096 emoji, which are twice as many units": {object{"text": strings.Repeat("💎", 4096)}, strings.Repeat("💎", 4096)},
		"64 bytes of data":                          {object{"text": "a", "reply_markup": button("a", strings.Repeat("x", 64))}, "a"},
		"tags do not count":                         {object{"text": "<b>" + strings.Repeat("x", 4096) + "</b>", "parse_mode": "html"}, strings.Repeat("x", 4096)},
		"white space around":                        {object{"text": "\n  a b \n"}, "a b"},
		"carriage returns, tabs":                    {object{"text": "a\r\nb\tc"}, "a\nb c"},
		"marks that turn lines":                     {object{"text": "a\u202eb\u2028c\u2066d"}, "abc\u2066d"},
		"empty copy_text beside":                    {object{"text": "a", "reply_markup": `{"inline_keyboard":[[{"text":"a","url":"https://a.example","copy_text":{"text":""}}]]}`}, "a"},
		"reply to nothing":                          {object{"text": "a", "reply_parameters": `{"message_id":77,"allow_sending_without_reply":true}`}, "a"},
		"a keyboard to write with":                  {object{"text": "a", "reply_markup": `{"keyboard":[["yes","no"]]}`}, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				c.p["chat_id"] = sam
				if m := h.post("sendMessage", c.p); m.Text != c.text {
					t.Errorf("got %q", m.Text)
				}
			})
		})
	}
}

// Ids count on in private chats and groups together, and in each supergroup alone.
func TestMessageIDs(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.group(shop, Ordinary)
		h.group(-1000000000801, Ordinary)
		first := h.post("sendMessage", object{"chat_id": sam, "text": "a"}).ID
		if id := h.post("sendMessage", object{"chat_id": shop, "text": "a"}).ID; id != first+1 {
			t.Errorf("ids %d and %d", first, id)
		}
		if id := h.post("sendMessage", object{"chat_id": -1000000000801, "text": "a"}).ID; id != 1 {
			t.Errorf("the supergroup begins with %d", id)
		}
	})
}

func TestReplies(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		asked := h.People.Send(sam, sam, "how much?")
		m := h.post("sendMessage", object{"chat_id": sam, "text": "ten", "reply_parameters": object{"message_id": asked}, "protect_content": true})
		if m.ReplyTo == nil || m.ReplyTo.ID != asked || h.last(sam).ReplyTo != asked || !h.last(sam).Protected {
			t.Errorf("got %+v", m)
		}
		h.People.Reply(sam, sam, m.ID, "too much")
		updates := h.drain()
		if got := updates[len(updates)-1].at("reply_to_message", "text"); got != "ten" {
			t.Errorf("the bot sees a reply to %v", got)
		}
	})
}

// picture is a PNG.
func picture(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// upload calls a method with a file.
func (h *harness) upload(method, name string, file []byte, fields map[string]string) reply {
	h.t.Helper()
	kind, body := form(fields, map[string][]byte{name: file})
	r, err := h.request(ask(h.t.Context(), method, kind, chunked{body}))
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func TestSendPhoto(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		var m sent
		h.upload("sendPhoto", "photo", picture(40, 30), map[string]string{"chat_id": "501", "caption": "<b>Hi</b>", "parse_mode": "HTML"}).into(t, &m)
		if m.Caption != "Hi" || len(m.Photo) != 1 || m.Photo[0].Width != 40 || m.Photo[0].Height != 30 || m.Text != "" {
			t.Fatalf("got %+v", m)
		}
		again := h.post("sendPhoto", object{"chat_id": sam, "photo": m.Photo[0].ID})
		if again.Photo[0].ID != m.Photo[0].ID || h.last(sam).Photo.Width != 40 {
			t.Errorf("by its id: %+v", again)
		}
		h.upload("sendPhoto", "p1", picture(4, 3), map[string]string{"chat_id": "501", "photo": "attach://p1"}).into(t, &m)
		if m.Photo[0].Width != 4 {
			t.Errorf("attached: %+v", m)
		}
	})
}

func TestSendDocument(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		var m sent
		h.upload("sendDocument", "document", []byte("codes"), map[string]string{"chat_id": "501", "caption": "yours"}).into(t, &m)
		d := h.last(sam).Document
		if m.Caption != "yours" || m.Document.ID == "" || d.Name != "document.bin" || string(d.Body) != "codes" {
			t.Fatalf("got %+v, kept %+v", m, d)
		}
		if again := h.post("sendDocument", object{"chat_id": sam, "document": m.Document.ID}); again.Document.ID != m.Document.ID {
			t.Errorf("by its id: %+v", again)
		}
	})
}

func TestFilesRefused(t *testing.T) {
	for name, c := range map[string]struct {
		method string
		file   []byte // nil: what is named
		named  string
		words  string
	}{
		"no document":         {"sendDocument", nil, "", "there is no document in the request"},
		"no photo":            {"sendPhoto", nil, "", "there is no photo in the request"},
		"empty":               {"sendDocument", []byte{}, "", "file must be non-empty"},
		"not attached":        {"sendDocument", nil, "attach://other", "there is no document in the request"},
		"no such id":          {"sendPhoto", nil, "AAAA", "wrong remote file identifier specified: Wrong string length"},
		"from the web":        {"sendPhoto", nil, "https://example.org/a.png", "failed to get HTTP URL content"},
		"a document as photo": {"sendPhoto", nil, "DOC", "can't use file of type Document as Photo"},
		"a photo as document": {"sendDocument", nil, "PHOTO", "can't use file of type Photo as Document"},
		"not a picture":       {"sendPhoto", []byte("hello"), "", "IMAGE_PROCESS_FAILED"},
		"too narrow":          {"sendPhoto", picture(1, 21), "", "PHOTO_INVALID_DIMENSIONS"},
		"too big":             {"sendPhoto", make([]byte, maxPhoto+1), "", "file of size 10485761 bytes is too big for a photo; the maximum size is 10485760 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				h.People.SendPhoto(sam, sam, picture(2, 2), "")
				photo := h.last(sam).Photo.ID
				h.People.SendDocument(sam, sam, "a.txt", []byte("a"), "")
				c.named = strings.NewReplacer("DOC", h.last(sam).Document.ID, "PHOTO", photo).Replace(c.named)
				kind := strings.ToLower(strings.TrimPrefix(c.method, "send"))
				r := h.call(c.method, object{"chat_id": sam, kind: c.named})
				if c.file != nil {
					r = h.upload(c.method, kind, c.file, map[string]string{"chat_id": "501"})
				}
				h.refused(r, 400, "Bad Request: "+c.words)
			})
		})
	}
	play(t, Options{}, func(h *harness) {
		h.refused(h.upload("sendDocument", "document", []byte("a"), map[string]string{"chat_id": "501", "caption": strings.Repeat("x", 1025)}), 400, "Bad Request: message caption is too long")
	})
}

func TestChatAction(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		if r := h.call("sendChatAction", object{"chat_id": sam, "action": "typing"}); !r.OK {
			t.Errorf("got %+v", r)
		}
		h.refused(h.call("sendChatAction", object{"chat_id": sam, "action": "dancing"}), 400, "Bad Request: wrong parameter action in request")
		h.refused(h.call("sendChatAction", object{"chat_id": lea, "action": "typing"}), 400, "Bad Request: chat not found")
	})
}
