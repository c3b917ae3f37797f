package tgsim

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

const (
	maxQuestion = 300
	maxOptions  = 12
	maxOption   = 100
)

// ballot is a question to be voted on.
// A message holds it by its pointer, also in copies of the message that were handed out: it changes behind them. The clock is in
// it since MarshalJSON, which takes no arguments, tells whether it is over.
type ballot struct {
	id       string
	question string
	entities []Entity
	options  []option
	open     bool // who voted for what is told
	quiz     bool
	several  bool // votes for more than one option
	correct  []int
	reason   string // shown with the correct answer
	period   int64
	closes   time.Time // zero: when it is stopped
	closed   bool
	votes    map[int64][]int
	clock    *clock
}

// option is one that can be voted for.
type option struct {
	text     string
	entities []Entity
}

// MarshalJSON implements json.Marshaler: a Poll of the Bot API.
func (b *ballot) MarshalJSON() ([]byte, error) {
	options := []object{}
	for i, o := range b.options {
		voters := 0
		for _, votes := range b.votes {
			if slices.Contains(votes, i) {
				voters++
			}
		}
		option := object{"persistent_id": strconv.Itoa(i), "text": o.text, "voter_count": voters}
		if o.entities != nil {
			option["text_entities"] = o.entities
		}
		options = append(options, option)
	}
	kind := "regular"
	if b.quiz {
		kind = "quiz"
	}
	o := object{
		"id": b.id, "question": b.question, "options": options, "total_voter_count": len(b.votes), "is_closed": b.over(b.clock.now()), "is_anonymous": !b.open, "type": kind,
		"allows_multiple_answers": b.several, "allows_revoting": !b.quiz, "members_only": false,
	}
	if b.entities != nil {
		o["question_entities"] = b.entities
	}
	if b.quiz {
		o["correct_option_ids"] = b.correct
		o.add("explanation", b.reason)
	}
	if b.period > 0 {
		o["open_period"] = b.period
	}
	if !b.closes.IsZero() {
		o["close_date"] = b.closes.Unix()
	}
	return json.Marshal(o)
}

// over reports whether nobody can vote any more.
func (b *ballot) over(now time.Time) bool {
	return b.closed || !b.closes.IsZero() && !now.Before(b.closes)
}

func sendPoll(s *Server, p params) (any, *failure) {
	b, no := s.letters.readPoll(p)
	if no != nil {
		return nil, no
	}
	l, no := s.letters.enclose(p)
	if no != nil {
		return nil, no
	}
	if no := b.check(); no != nil {
		return nil, no
	}
	s.polls++
	b.id = strconv.Itoa(5_300_000_000_000_000_000 + s.polls)
	return s.letters.post(l, p, &Message{Content: map[string]any{"poll": b}})
}

// readPoll reads a poll as far as its form goes.
func (s letters) readPoll(p params) (b *ballot, no *failure) {
	b = &ballot{clock: &s.clock, open: p.has("is_anonymous") && !p.bool("is_anonymous"), several: p.bool("allows_multiple_answers"), closed: p.bool("is_closed"), votes: map[int64][]int{}}
	var err error
	if b.question, b.entities, err = s.format(p.text("question"), p.text("question_parse_mode"), []byte(p.text("question_entities"))); err != nil {
		return nil, said("", err)
	}
	if b.options, no = s.readOptions(p); no != nil {
		return nil, no
	}
	switch p.text("type") {
	case "", "regular":
	case "quiz":
		b.quiz = true
		if b.reason, _, err = s.format(p.text("explanation"), p.text("explanation_parse_mode"), []byte(p.text("explanation_entities"))); err != nil {
			return nil, said("", err)
		}
		if !p.object("correct_option_ids", &b.correct) && p.has("correct_option_id") {
			b.correct = []int{int(p.int("correct_option_id"))}
		}
	default:
		return nil, badRequest("unsupported poll type specified")
	}
	b.period = min(max(p.int("open_period"), 0), 600)
	switch date := p.int("close_date"); {
	case b.period > 0:
		b.closes = s.now().Add(time.Duration(b.period) * time.Second)
	case date > 0:
		b.closes = time.Unix(date, 0)
	}
	return b, nil
}

// readOptions reads what can be voted for: texts, or objects with them.
func (s letters) readOptions(p params) (all []option, no *failure) {
	list, no := p.array("options", "options", "String as options")
	if no != nil {
		return nil, no
	}
	for _, raw := range list {
		var o option
		var err error
		if json.Unmarshal(raw, &o.text) != nil {
			f := newFields(raw, "Expected an option to be of type String")
			o.text, o.entities, err = s.format(f.needText("text"), f.text("text_parse_mode"), f.raw("text_entities"))
			if f.err != nil {
				err = f.err
			}
		}
		if err != nil {
			return nil, said("", err)
		}
		all = append(all, o)
	}
	return all, nil
}

// check refuses polls that cannot be.
func (b *ballot) check() *failure {
	switch {
	case b.question == "":
		return badRequest("text must be non-empty")
	case tooLong(b.question, maxQuestion):
		return badRequest("poll question length must not exceed " + strconv.Itoa(maxQuestion))
	case len(b.options) == 0:
		return badRequest("poll must have at least one answer option")
	case len(b.options) > maxOptions:
		return badRequest("poll can't have more than " + strconv.Itoa(maxOptions) + " options")
	}
	for _, o := range b.options {
		switch {
		case o.text == "":
			return badRequest("text must be non-empty")
		case tooLong(o.text, maxOption):
			return badRequest("poll options length must not exceed " + strconv.Itoa(maxOption))
		}
	}
	switch {
	case b.quiz && len(b.correct) == 0:
		return badRequest("correct quiz option list must be non-empty")
	case slices.ContainsFunc(b.correct, func(i int) bool { return i < 0 || i >= len(b.options) }):
		return badRequest("wrong quiz correct_option_id")
	}
	return nil
}

func stopPoll(s *Server, p params) (any, *failure) {
	m, no := readMarkup(p)
	if no != nil {
		return nil, no
	}
	c, no := s.reach(p, toEdit)
	if no != nil {
		return nil, no
	}
	old := c.present(int(p.int("message_id")))
	if old == nil {
		return nil, badRequest("message with poll to stop not found")
	}
	b, isPoll := old.Content["poll"].(*ballot)
	switch {
	case !isPoll:
		return nil, badRequest("message is not a poll")
	case !old.FromBot:
		return nil, badRequest("poll can't be stopped")
	case b.over(s.now()):
		return nil, badRequest("poll has already been closed")
	}
	if no := m.check(c); no != nil {
		return nil, no
	}
	b.closed, old.Keyboard = true, m.keys
	return b, nil
}

// Vote has a person vote in a poll, or with no options take the vote back. It reports whether that was
// possible. Who voted is told to the bot unless the poll is anonymous, and how many always.
func (s People) Vote(user, chatID int64, message int, options ...int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil || !c.role(user).in() {
		return false
	}
	m := c.present(message)
	if m == nil {
		return false
	}
	b, isPoll := m.Content["poll"].(*ballot)
	if !isPoll || !b.takes(user, options) {
		return false
	}
	delete(b.votes, user)
	if len(options) > 0 {
		b.votes[user] = options
	}
	if b.open && m.FromBot {
		ids := []string{}
		for _, i := range options {
			ids = append(ids, strconv.Itoa(i))
		}
		s.Updates.push("poll_answer", object{"poll_id": b.id, "user": *u, "option_ids": append([]int{}, options...), "option_persistent_ids": ids}, day, user+7<<33)
	}
	if m.FromBot {
		s.Updates.push("poll", b, day, c.id+8<<33)
	}
	s.touch()
	return true
}

// takes reports whether a vote is one, and another one than before.
func (b *ballot) takes(user int64, options []int) bool {
	if slices.Equal(b.votes[user], options) || len(slices.Compact(slices.Sorted(slices.Values(options)))) < len(options) {
		return false
	}
	outside := slices.ContainsFunc(options, func(i int) bool { return i < 0 || i >= len(b.options) })
	return !b.over(b.clock.now()) && !outside && (b.several || len(options) <= 1) && (!b.quiz || b.votes[user] == nil)
}
