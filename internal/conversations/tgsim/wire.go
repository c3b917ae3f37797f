package tgsim

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const maxRequest = 60 << 20

// object is a JSON object, written by hand.
type object map[string]any

// failure is an answer of the Bot API that says no.
type failure struct {
	code        int
	description string
	parameters  object
}

func badRequest(description string) *failure {
	return &failure{code: http.StatusBadRequest, description: "Bad Request: " + description}
}

// params are a call's parameters, as text whatever way they came: what type each has is the method's to
// know, never guessed.
type params struct {
	values url.Values
	files  map[string]*Document
}

func (p params) text(name string) string { return p.values.Get(name) }
func (p params) has(name string) bool    { return p.values.Has(name) && p.values.Get(name) != "" }

// int reads a number the way the real server does: what is none is zero.
func (p params) int(name string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(p.text(name)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func (p params) bool(name string) bool {
	switch strings.ToLower(p.text(name)) {
	case "true", "yes", "1":
		return true
	}
	return false
}

// readParams reads parameters from the query and from any form of body.
func readParams(r *http.Request) (params, error) {
	p := params{values: r.URL.Query(), files: map[string]*Document{}}
	kind, details, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body := io.LimitReader(r.Body, maxRequest)
	switch kind {
	case "multipart/form-data":
		return p, p.multipart(multipart.NewReader(body, details["boundary"]))
	case "application/json":
		return p, p.json(body)
	case "application/x-www-form-urlencoded":
		text, err := io.ReadAll(body)
		if err != nil {
			return p, err
		}
		form, err := url.ParseQuery(string(text))
		p.add(form)
		return p, err
	}
	return p, nil
}

func (p params) add(form url.Values) {
	for name, values := range form {
		p.values[name] = values
	}
}

// multipart reads a form. One without any part, which some libraries send for calls without parameters,
// is empty.
func (p params) multipart(form *multipart.Reader) error {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		if part.FileName() != "" {
			p.files[part.FormName()] = &Document{Name: part.FileName(), Body: text}
		} else {
			p.values.Set(part.FormName(), string(text))
		}
	}
}

// json reads an object whose members are parameters.
func (p params) json(body io.Reader) error {
	var members map[string]json.RawMessage
	if err := json.NewDecoder(body).Decode(&members); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for name, raw := range members {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		if text != "null" {
			p.values.Set(name, text)
		}
	}
	return nil
}

// api answers one call of the Bot API: rest is <token>/<method>.
func (s *Server) api(w http.ResponseWriter, r *http.Request, rest string) {
	token, method, _ := strings.Cut(rest, "/")
	method = strings.ToLower(strings.TrimPrefix(method, "test/"))
	p, err := readParams(r)
	if err != nil {
		answer(w, nil, badRequest("the request cannot be read"))
		return
	}
	if token != s.options.Token {
		answer(w, nil, &failure{code: http.StatusUnauthorized, description: "Unauthorized"})
		return
	}
	fault := s.arrive(method, p.int("chat_id"))
	if fault.before(w, r) {
		return
	}
	if method == "getupdates" {
		s.getUpdates(w, r, p)
		return
	}
	result, no := s.call(method, p)
	if fault.after(w) {
		return
	}
	answer(w, result, no)
}

// answer writes the envelope of the Bot API; the HTTP status is the error code.
func answer(w http.ResponseWriter, result any, no *failure) {
	w.Header().Set("Content-Type", "application/json")
	if no == nil {
		json.NewEncoder(w).Encode(object{"ok": true, "result": result})
		return
	}
	body := object{"ok": false, "error_code": no.code, "description": no.description}
	if no.parameters != nil {
		body["parameters"] = no.parameters
		if wait, ok := no.parameters["retry_after"]; ok {
			w.Header().Set("Retry-After", strconv.Itoa(wait.(int)))
		}
	}
	w.WriteHeader(no.code)
	json.NewEncoder(w).Encode(body)
}

func (s *Server) botJSON() object {
	return object{"id": 1, "is_bot": true, "first_name": s.options.BotName, "username": s.options.BotName}
}

func (s *Server) userJSON(u *User) object {
	o := object{"id": u.ID, "is_bot": false, "first_name": u.FirstName}
	if u.Username != "" {
		o["username"] = u.Username
	}
	if u.LanguageCode != "" {
		o["language_code"] = u.LanguageCode
	}
	return o
}

func (s *Server) chatJSON(c *chat) object {
	if c.id < 0 {
		return object{"id": c.id, "type": "group", "title": c.title}
	}
	return object{"id": c.id, "type": "private", "first_name": s.users[c.id].FirstName}
}

func (s *Server) messageJSON(c *chat, m *Message) object {
	from := s.botJSON()
	if !m.FromBot {
		from = s.userJSON(s.users[m.From])
	}
	o := object{"message_id": m.ID, "from": from, "chat": s.chatJSON(c), "date": m.Date.Unix()}
	text, entities := "text", "entities"
	if m.Document != nil {
		text, entities = "caption", "caption_entities"
		o["document"] = object{"file_id": m.Document.ID, "file_unique_id": m.Document.ID, "file_name": m.Document.Name, "file_size": len(m.Document.Body)}
	}
	if m.Text != "" {
		o[text] = m.Text
	}
	if m.Entities != nil {
		o[entities] = m.Entities
	}
	if m.Keyboard != nil {
		o["reply_markup"] = object{"inline_keyboard": m.Keyboard}
	}
	if m.Edited {
		o["edit_date"] = m.Date.Unix()
	}
	return o
}
