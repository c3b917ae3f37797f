package tgsim

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	inlineLife = 30 * time.Second // of an inline query
	chosenLife = 10 * time.Minute // of the word which result was chosen
	maxResults = 50
)

// inlineMethods answer queries that people type behind the bot's name in any chat.
func inlineMethods() map[string]method {
	return map[string]method{"answerinlinequery": answerInlineQuery}
}

// InlineQuery is what a person typed behind the bot's name in some chat, and what the bot offered.
type InlineQuery struct {
	ID       string
	User     int64
	Query    string
	Offset   string
	At       time.Time
	Answered bool
	Results  []InlineResult
}

// InlineResult is something that the bot offers to send.
type InlineResult struct {
	Type        string
	ID          string
	Title       string
	Description string
	Text        string // of the message that it becomes, or its caption

	message *Message
}

// InlineQuery has a person type behind the bot's name. It returns the query's id, "" for a bot that has no
// inline mode.
func (s People) InlineQuery(user int64, query, offset string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[user]
	if u == nil || u.deactivated || !s.options.Inline {
		return ""
	}
	q := &InlineQuery{ID: fmt.Sprintf("%d%06d", 7_000_000_000+user, len(s.queries)+1), User: user, Query: query, At: s.now()}
	s.queries = append(s.queries, q)
	s.Updates.push("inline_query", object{"id": q.ID, "from": *u, "query": query, "offset": offset, "chat_type": "private"}, inlineLife, user+1<<33)
	s.touch()
	return q.ID
}

// InlineQueries lists all inline queries.
func (s People) InlineQueries() []InlineQuery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return copies(s.queries)
}

// Choose has the person who typed a query send one of the results into a chat. It returns the message's id,
// 0 if there is no such result, or the person cannot write there.
func (s People) Choose(query, result string, chatID int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.queries, func(q *InlineQuery) bool { return q.ID == query })
	if i < 0 {
		return 0
	}
	q := s.queries[i]
	k := slices.IndexFunc(q.Results, func(r InlineResult) bool { return r.ID == result })
	if k < 0 {
		return 0
	}
	// A copy: what is offered can be chosen again.
	m := *q.Results[k].message
	m.ViaBot = true
	// Without a keyboard the Bot API gives such a message no id, and nothing can edit it.
	if m.Keyboard != nil {
		s.inlines++
		m.inline = fmt.Sprintf("AgAAAA%08d", s.inlines)
	}
	id := s.place(q.User, chatID, &m)
	if id != 0 && s.options.InlineFeedback {
		chosen := object{"result_id": result, "from": *s.users[q.User], "query": q.Query}
		chosen.add("inline_message_id", m.inline)
		// After place, so that the message that was sent is queued first.
		s.Updates.push("chosen_inline_result", chosen, chosenLife, q.User+2<<33)
	}
	s.touch()
	return id
}

func answerInlineQuery(s *Server, p params) (any, *failure) {
	if no := p.resultsButton(); no != nil {
		return nil, no
	}
	results, no := s.letters.inlineResults(p)
	if no != nil {
		return nil, no
	}
	i := slices.IndexFunc(s.queries, func(q *InlineQuery) bool { return q.ID == p.text("inline_query_id") })
	switch {
	case i < 0 || s.queries[i].Answered || s.since(s.queries[i].At) > inlineLife:
		return nil, badRequest("query is too old and response timeout expired or query ID is invalid")
	case len(p.text("next_offset")) > 64:
		return nil, badRequest("NEXT_OFFSET_INVALID")
	}
	if no := distinct(results); no != nil {
		return nil, no
	}
	q := s.queries[i]
	q.Answered, q.Results = true, results
	return true, nil
}

// distinct refuses results whose ids cannot be.
func distinct(results []InlineResult) *failure {
	seen := map[string]bool{}
	for _, r := range results {
		switch {
		case r.ID == "":
			return badRequest("RESULT_ID_EMPTY")
		case len(r.ID) > 64:
			return badRequest("RESULT_ID_INVALID")
		case seen[r.ID]:
			return badRequest("RESULT_ID_DUPLICATE")
		case r.Type == "article" && r.Title == "":
			return badRequest("ARTICLE_TITLE_EMPTY")
		case tooLong(r.Text, maxText):
			return badRequest("MESSAGE_TOO_LONG")
		}
		if no := checkButtons(nil, r.message.Keyboard); no != nil {
			return no
		}
		seen[r.ID] = true
	}
	return nil
}

// resultsButton refuses a button above the results that cannot be; there is no place where one is shown.
func (p params) resultsButton() *failure {
	if !p.has("button") {
		return nil
	}
	raw := []byte(p.text("button"))
	if !json.Valid(raw) {
		return badRequest("can't parse inline query results button JSON object")
	}
	f := newFields(raw, "InlineQueryResultsButton must be an Object")
	f.needText("text")
	start := f.text("start_parameter")
	if !f.has("web_app") && !f.has("start_parameter") {
		f.failf("InlineQueryResultsButton must have exactly one optional field")
	}
	switch {
	case f.err != nil:
		return said("Can't parse inline query results button: ", f.err)
	case !f.has("web_app") && start == "":
		return badRequest("can't use empty start_parameter")
	case len(start) > 64:
		return badRequest("too long start_parameter specified")
	case !startParameter.MatchString(start):
		return badRequest("unallowed characters in start_parameter are used")
	}
	return nil
}

// inlineResults reads what the bot offers.
func (s letters) inlineResults(p params) (all []InlineResult, no *failure) {
	if !p.has("results") {
		return nil, nil
	}
	if !json.Valid([]byte(p.text("results"))) {
		return nil, badRequest("can't parse JSON encoded inline query results: unexpected end of JSON")
	}
	list, no := p.array("results", "results", "inline query results")
	if no != nil {
		return nil, no
	}
	if len(list) > maxResults {
		return nil, badRequest("too many inline query results specified")
	}
	for _, raw := range list {
		r, err := s.inlineResult(raw)
		if err != nil {
			return nil, said("Can't parse inline query result: ", err)
		}
		all = append(all, r)
	}
	return all, nil
}

// inlineResult reads one result: the message that it becomes is what it says, or else what it shows.
func (s letters) inlineResult(raw []byte) (r InlineResult, err error) {
	f := newFields(raw, "Inline query result must be an object")
	r = InlineResult{Type: strings.ToLower(f.needText("type")), ID: f.needText("id"), Title: f.text("title"), Description: f.text("description"), message: &Message{}}
	switch {
	case f.err != nil:
		return r, f.err
	case f.has("input_message_content"):
		content := f.needObject("input_message_content")
		err = s.inputContent(r.message, content)
		f.done(content)
	case r.Type == "article":
		return r, broken("Can't find field \"input_message_content\"")
	default:
		err = s.shownContent(r, f)
	}
	if raw := f.raw("reply_markup"); raw != nil && err == nil {
		m, no := parseMarkup(raw)
		if no != nil {
			return r, errors.New(no.words())
		}
		r.message.Keyboard = m.keys
	}
	r.Text = r.message.Text
	return r, cmp.Or(f.err, err)
}

// inputContent reads an InputMessageContent.
func (s letters) inputContent(m *Message, f *fields) (err error) {
	switch {
	case f.text("message_text") != "":
		m.Text, m.Entities, err = s.format(f.text("message_text"), f.text("parse_mode"), f.raw("entities"))
		return err
	case f.has("latitude") && f.has("longitude"):
		place := object{"latitude": f.needFloat("latitude"), "longitude": f.needFloat("longitude")}
		m.with("location", place)
		if f.has("title") && f.has("address") {
			m.with("venue", object{"location": place, "title": f.text("title"), "address": f.text("address")})
		}
	case f.has("phone_number"):
		contact := object{"phone_number": f.text("phone_number"), "first_name": f.needText("first_name")}
		contact.add("last_name", f.text("last_name"))
		m.with("contact", contact)
	default:
		f.failf("Input message content is not specified")
	}
	return nil
}

// shownContent makes a message of what a result shows: a file that Telegram has, a place or a contact.
func (s letters) shownContent(r InlineResult, f *fields) (err error) {
	m := r.message
	if m.Text, m.Entities, err = s.format(f.text("caption"), f.text("parse_mode"), f.raw("caption_entities")); err != nil {
		return err
	}
	switch r.Type {
	case "location", "venue", "contact":
		return s.inputContent(m, f)
	case "photo", "document", "video", "audio", "voice", "sticker", "gif", "mpeg4_gif":
	default:
		return fmt.Errorf("type %q is unsupported for the inline query result", r.Type)
	}
	id := f.text(r.Type + "_file_id")
	file := s.files[id]
	switch {
	case id == "" && f.has(r.Type+"_url"):
		m.Text = cmp.Or(m.Text, r.Title) // nothing is fetched here
	case id == "":
		f.need(r.Type + "_file_id")
	case file == nil:
		return errors.New("wrong remote file identifier specified: can't unserialize it")
	default:
		m.Document, m.Photo = file.doc, file.photo
	}
	return nil
}
