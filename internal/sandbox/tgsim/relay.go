package tgsim

import (
	"maps"
	"slices"
)

// relayed is the message that a call passes on, and where it stands.
func (s letters) relayed(p params, what string) (*chat, *Message, *failure) {
	if !p.has("from_chat_id") {
		return nil, nil, badRequest("parameter \"from_chat_id\" is required")
	}
	from, no := s.reachNamed(p.text("from_chat_id"), toRead)
	if no != nil {
		return nil, nil, no
	}
	m := from.present(int(p.int("message_id")))
	if m == nil {
		return nil, nil, badRequest("message to " + what + " not found")
	}
	return from, m, nil
}

// originOf is a MessageOrigin: who wrote a message first.
func (s views) originOf(c *chat, m *Message) object {
	if m.origin != nil {
		o, _ := m.origin["forward_origin"].(object)
		return o
	}
	if c.channel {
		return object{"type": "channel", "date": m.Date.Unix(), "chat": s.chatJSON(c), "message_id": m.ID}
	}
	return object{"type": "user", "date": m.Date.Unix(), "sender_user": s.person(m.From)}
}

// duplicate is a message as it goes on: its content, without its place and its history.
func (m *Message) duplicate() *Message {
	d := &Message{Document: m.Document, Photo: m.Photo, Content: maps.Clone(m.Content), Spoiler: m.Spoiler, CaptionTop: m.CaptionTop, preview: m.preview}
	delete(d.Content, "external_reply")
	if b, isPoll := m.Content["poll"].(*ballot); isPoll {
		anew := *b
		// A poll that is passed on is another poll: votes do not go along.
		anew.id, anew.votes = b.id+"1", map[int64][]int{}
		d.Content["poll"] = &anew
	}
	return d
}

// forwardable reports whether a message can be passed on.
func (m *Message) forwardable() bool { return m.Notice == "" && !m.Protected }

// copyable reports whether a message can be sent again as if it were new.
func (m *Message) copyable() bool { return m.Notice == "" && m.Content["invoice"] == nil }

func forwardMessage(s *Server, p params) (any, *failure) {
	from, old, no := s.letters.relayed(p, "forward")
	if no != nil {
		return nil, no
	}
	l, no := s.letters.enclose(p)
	switch {
	case no != nil:
		return nil, no
	case !old.forwardable():
		return nil, badRequest("the message can't be forwarded")
	}
	return s.letters.post(s.letters.passOn(l, old), p, s.letters.forwarded(from, old))
}

// forwarded is a message as it is when it was forwarded.
func (s letters) forwarded(from *chat, old *Message) *Message {
	m := old.duplicate()
	m.origin, m.Forwarded = object{"forward_origin": s.views.originOf(from, old)}, s.views.name(old.From)
	if old.Forwarded != "" {
		m.Forwarded = old.Forwarded
	}
	return m
}

// passOn is a letter with a message's text. Keyboards of the bot's own do not go along.
func (s letters) passOn(l letter, old *Message) letter {
	l.text, l.entities = old.Text, old.Entities
	return l
}

func copyMessage(s *Server, p params) (any, *failure) {
	_, old, no := s.letters.relayed(p, "copy")
	if no != nil {
		return nil, no
	}
	l, no := s.letters.captioned(p, true)
	switch {
	case no != nil:
		return nil, no
	case !old.copyable():
		return nil, badRequest("the message can't be copied")
	}
	m := old.duplicate()
	if p.values.Has("caption") && old.media() {
		m.CaptionTop = p.bool("show_caption_above_media")
	} else {
		l = s.letters.passOn(l, old)
	}
	if _, no := s.letters.post(l, p, m); no != nil {
		return nil, no
	}
	return object{"message_id": m.ID}, nil
}

// several reads which messages are passed on: those that are there and can be, in their order.
func (s letters) several(p params, can func(*Message) bool) (*chat, []*Message, *failure) {
	if !p.has("from_chat_id") {
		return nil, nil, badRequest("parameter \"from_chat_id\" is required")
	}
	ids, no := p.ids("message_ids", 100)
	if no != nil {
		return nil, nil, no
	}
	from, no := s.reachNamed(p.text("from_chat_id"), toRead)
	if no != nil {
		return nil, nil, no
	}
	if !slices.IsSortedFunc(ids, func(a, b int) int { return a - b }) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		return nil, nil, badRequest("message identifiers must be in a strictly increasing order")
	}
	var list []*Message
	for _, id := range ids {
		if m := from.present(id); m != nil && can(m) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil, nil, badRequest("there are no messages to forward")
	}
	return from, list, nil
}

func forwardMessages(s *Server, p params) (any, *failure) {
	from, list, no := s.letters.several(p, (*Message).forwardable)
	if no != nil {
		return nil, no
	}
	return s.letters.postSeveral(p, list, func(l letter, old *Message) (letter, *Message) {
		return s.letters.passOn(l, old), s.letters.forwarded(from, old)
	})
}

func copyMessages(s *Server, p params) (any, *failure) {
	_, list, no := s.letters.several(p, (*Message).copyable)
	if no != nil {
		return nil, no
	}
	return s.letters.postSeveral(p, list, func(l letter, old *Message) (letter, *Message) {
		if !old.media() || !p.bool("remove_caption") {
			l = s.letters.passOn(l, old)
		}
		return l, old.duplicate()
	})
}

// postSeveral posts messages anew. Albums stay albums.
func (s letters) postSeveral(p params, list []*Message, anew func(letter, *Message) (letter, *Message)) (any, *failure) {
	to, no := s.enclose(p)
	if no != nil {
		return nil, no
	}
	out := []object{}
	// First whether all may be posted, then all of them: nothing is done by half.
	for _, old := range list {
		if no := s.mayPost(to.chat, old); no != nil {
			return nil, no
		}
	}
	for _, old := range list {
		l, m := anew(to, old)
		if m.Album = old.Album; m.Album != "" {
			m.Album += "1" // another one
		}
		s.add(l, p, m)
		out = append(out, object{"message_id": m.ID})
	}
	return out, nil
}
