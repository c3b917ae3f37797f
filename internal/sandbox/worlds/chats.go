package worlds

import (
	"fmt"
	"slices"
	"strings"

	"resellerbot/internal/sandbox/tgsim"
)

func join(p person) (any, error)  { return p.become(p.id, tgsim.Ordinary) }
func leave(p person) (any, error) { return p.become(p.id, tgsim.Left) }

// become changes what somebody is in a group.
func (p person) become(who int64, role tgsim.Role) (any, error) {
	if p.Role(p.chat, who) != role {
		if err := p.appoints(who, role); err != nil {
			return nil, err
		}
	}
	words := fmt.Sprintf("%d is %s in chat %d already, or is nobody", who, role, p.chat)
	return p.done(p.SetRole(p.id, p.chat, who, role), words)
}

func role(p person) (any, error) {
	if !slices.Contains([]tgsim.Role{tgsim.Administrator, tgsim.Ordinary, tgsim.Restricted, tgsim.Left, tgsim.Kicked}, p.ask.Role) {
		return nil, wrong("role is administrator, member, restricted, left or kicked")
	}
	who := p.ask.Member
	if who == 0 {
		who = p.BotID()
	}
	if p.ask.Rights == nil {
		return p.become(who, p.ask.Role)
	}
	if p.ask.Role != tgsim.Administrator {
		return nil, wrong("rights are an administrator's")
	}
	if err := p.appoints(who, tgsim.Administrator); err != nil {
		return nil, err
	}
	for _, right := range p.ask.Rights {
		if !slices.Contains(p.Rights(p.chat), right) {
			return nil, wrong(fmt.Sprintf("chat %d knows no right %q: there is %s", p.chat, right, strings.Join(p.Rights(p.chat), ", ")))
		}
	}
	return p.done(p.SetRights(p.id, p.chat, who, p.ask.Rights...), fmt.Sprintf("%d may do that and nothing else in chat %d already, or is the owner or no member", who, p.chat))
}

func forum(p person) (any, error) {
	id := p.SetForum(p.id, p.chat, p.ask.On)
	if id == 0 {
		return nil, cannot(fmt.Sprintf("chat %d has topics already, or none, or is no group whose looks person %d may change", p.chat, p.id))
	}
	return p.viewChat(id)
}

func topic(p person) (any, error) {
	name, err := titled(p.ask.Text)
	if err != nil {
		return nil, err
	}
	id := p.NewTopic(p.id, p.chat, name)
	if id == 0 {
		return nil, p.noTopic()
	}
	return p.message(id)
}

func closeTopic(p person) (any, error)  { return p.changed(p.CloseTopic) }
func reopenTopic(p person) (any, error) { return p.changed(p.ReopenTopic) }
func deleteTopic(p person) (any, error) { return p.changed(p.DeleteTopic) }

// changed changes a topic.
func (p person) changed(change func(by, chat int64, thread int) bool) (any, error) {
	if !change(p.id, p.chat, p.ask.Thread) {
		return nil, p.noTopic()
	}
	return p.done(true, "")
}

// unwritable says why nothing can be written where the person wants to, as far as that is its topic's fault: the one that is named, or that
// of the message which is answered.
func (p person) unwritable() string {
	c, _ := p.ChatState(p.chat)
	thread := p.ask.Thread
	if m := first(p.Messages(p.chat), func(m tgsim.Message) bool { return m.ID == p.ask.ReplyTo }); thread == 0 && m != nil {
		thread = m.Thread
	}
	t := first(c.Topics, func(t tgsim.Topic) bool { return t.ID == max(thread, 1) })
	switch {
	case t != nil && t.Closed:
		return fmt.Sprintf("topic %d is closed", t.ID)
	case t == nil && thread != 0 && (thread != 1 || !c.Forum):
		return fmt.Sprintf("it has no topic %d", thread)
	}
	return "nothing can be written there"
}

// noTopic says why nothing became of a topic.
func (p person) noTopic() error {
	c, there := p.ChatState(p.chat)
	switch {
	case !there:
		return missing(fmt.Sprintf("there is no chat %d", p.chat))
	case !c.Forum:
		return cannot(fmt.Sprintf("chat %d has no topics: POST %s/people/%d/forum turns them on", p.chat, base, p.id))
	}
	return cannot(fmt.Sprintf("chat %d has no such topic, it is so already, or person %d may not do that", p.chat, p.id))
}

func knock(p person) (any, error) {
	if !p.Knock(p.id, p.chat) {
		return nil, p.why("there is nobody who could let in", 0)
	}
	return p.done(true, "")
}

func group(p person) (any, error) { return p.found(p.NewGroup) }

func channel(p person) (any, error) { return p.found(p.NewChannel) }

// found makes a group or channel.
func (p person) found(begin func(by int64, title string, members ...int64) int64) (any, error) {
	title, err := titled(p.ask.Text)
	if err == nil {
		err = p.others(p.ask.Members, p.id)
	}
	if err != nil {
		return nil, err
	}
	return p.viewChat(begin(p.id, title, p.ask.Members...))
}

func migrate(p person) (any, error) {
	if c, _ := p.ChatState(p.chat); c.Kind == "group" && !c.Gone && p.Role(p.chat, p.id) != tgsim.Creator {
		return nil, cannot(fmt.Sprintf("person %d is not the owner of chat %d", p.id, p.chat))
	}
	id := p.Migrate(p.id, p.chat)
	if id == 0 {
		return nil, cannot(fmt.Sprintf("chat %d is no group that can become a supergroup", p.chat))
	}
	return p.viewChat(id)
}

// viewChat is a chat that was made.
func (p person) viewChat(id int64) (any, error) {
	c, there := p.ChatState(id)
	if !there {
		return nil, cannot("no chat was made")
	}
	return c, nil
}
