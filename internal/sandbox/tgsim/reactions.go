package tgsim

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Reaction is an emoji, or the id of a custom one.
type Reaction string

// reactionEmoji are the emoji that one can react with.
const reactionEmoji = "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤\u200d🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨\u200d💻 👀 🎃 🙈 😇 😨 " +
	"🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷\u200d♂ 🤷 🤷\u200d♀ 😡"

// MarshalJSON implements json.Marshaler: a ReactionType of the Bot API.
func (r Reaction) MarshalJSON() ([]byte, error) {
	if _, err := strconv.ParseInt(string(r), 10, 64); err == nil {
		return json.Marshal(object{"type": "custom_emoji", "custom_emoji_id": string(r)})
	}
	return json.Marshal(object{"type": "emoji", "emoji": string(r)})
}

// known reports whether one can react so.
func (r Reaction) known() bool {
	_, err := strconv.ParseInt(string(r), 10, 64)
	plain := strings.ReplaceAll(string(r), "\ufe0f", "") // with or without the sign that it is a picture
	return err == nil || slices.Contains(strings.Fields(reactionEmoji), plain)
}

func setMessageReaction(s *Server, p params) (any, *failure) {
	list, no := p.reactions()
	if no != nil {
		return nil, no
	}
	c, no := s.reach(p, toRead)
	if no != nil {
		return nil, no
	}
	m := c.present(int(p.int("message_id")))
	switch {
	case m == nil:
		return nil, badRequest("message to react not found")
	case m.Notice != "":
		return nil, badRequest("message can't be reacted to")
	case len(list) > 1:
		return nil, badRequest("REACTIONS_TOO_MANY")
	case slices.ContainsFunc(list, func(r Reaction) bool { return !r.known() }):
		return nil, badRequest("REACTION_INVALID")
	}
	m.react(s.BotID(), list)
	return true, nil
}

// reactions reads what a call reacts with; nothing takes a reaction back.
func (p params) reactions() ([]Reaction, *failure) {
	if !p.has("reaction") {
		return nil, nil
	}
	list, no := p.array("reaction", "reaction types", "ReactionType")
	if no != nil {
		return nil, no
	}
	var all []Reaction
	for _, raw := range list {
		f := newFields(raw, "expected an Object")
		switch f.needText("type") {
		case "emoji":
			all = append(all, Reaction(f.needText("emoji")))
		case "custom_emoji":
			all = append(all, Reaction(f.needText("custom_emoji_id")))
		default:
			f.failf("invalid reaction type specified")
		}
		if f.err != nil {
			return nil, said("Can't parse ReactionType: ", f.err)
		}
	}
	return all, nil
}

func (m *Message) react(who int64, list []Reaction) {
	anew := map[int64][]Reaction{} // messages that were handed out keep what they had
	maps.Copy(anew, m.Reactions)
	delete(anew, who)
	if len(list) > 0 {
		anew[who] = list
	}
	m.Reactions = anew
}

// React has a person react to a message, or with nothing take the reaction back, and reports whether anything changed. The bot is told
// in private, and in groups that it administers, if it asked for such updates.
func (s People) React(user, chatID int64, message int, reactions ...Reaction) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil || !c.role(user).in() {
		return false
	}
	m := c.present(message)
	if m == nil || m.Notice != "" || slices.Equal(m.Reactions[user], reactions) || slices.ContainsFunc(reactions, func(r Reaction) bool { return !r.known() }) {
		return false
	}
	old := append([]Reaction{}, m.Reactions[user]...)
	// old is read before it, and both are lists even where they are empty: the Bot API has no null there.
	m.react(user, reactions)
	if c.id > 0 || s.here(c).administers() {
		s.Updates.push("message_reaction", object{"chat": s.views.chatJSON(c), "message_id": message, "user": *u, "date": s.now().Unix(), "old_reaction": old, "new_reaction": append([]Reaction{}, reactions...)}, day, c.id+9<<33)
	}
	s.touch()
	return true
}
