package worlds

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"resellerbot/internal/sandbox/tgsim"
)

// maxFile is the biggest file that a person sends.
const maxFile = 10 << 20

// person is somebody in a world who is to do something.
type person struct {
	*tgsim.Server

	id   int64
	chat int64
	ask  ask
	body []byte
}

// act is what a person does. It answers with what was made.
type act func(person) (any, error)

// peopleOperations are what people do.
func peopleOperations() []operation {
	row := func(verb, takes, does string, do act) operation {
		return operation{Operation{http.MethodPost, "/people/{user}/" + verb, takes, does}, func(_ *Sandbox, c *call) (any, error) {
			// Only these two can be what somebody begins with. Any other verb with an unknown id is a slip, and makes nobody.
			p, err := c.person(verb == "say" || verb == "start")
			if err != nil {
				return nil, err
			}
			return do(p)
		}}
	}
	inside := func(verb, takes, does string, do act) operation {
		return row(verb, takes, does, func(p person) (any, error) {
			if err := p.among(); err != nil {
				return nil, err
			}
			return do(p)
		})
	}
	return []operation{
		row("say", "chat, text, reply_to, thread", "Writes, in a forum in the topic `thread` or that of the message that is answered. Answers with the Message. Who is not there yet is made, where it is the private chat", say),
		row("start", "text", "Opens t.me/bot?start=text and presses Start. Answers with the Message", start),
		inside("edit", "chat, message, text", "Changes the text of an own message. Answers with the Message", edit),
		inside("remove", "chat, message", "Deletes a message for everyone. The bot is not told, as with Telegram", remove),
		inside("tap", "chat, message, text or data, stale", "Taps the button under `message` (0: the newest message that has it) whose text holds `text`, or whose data is `data`. `stale` taps one that is gone, as slow phones do. Answers with the tap; `wait` for its `callback` to see the bot's answer", tap),
		inside("press", "chat, text", "Presses the key of the reply keyboard whose text holds `text`; one that asks for the phone number shares it. Answers with the Message", press),
		inside("location", "chat, text, latitude, longitude", "Presses a key that asks for the location. Answers with the Message", location),
		inside("share", "chat, text, members", "Presses a key that asks for people, or, with one negative id, for a chat, and chooses `members`. Answers with the Message", share),
		row("contact", "chat, thread, member, or name and phone; from", "Sends a contact, in a forum in the topic `thread`: of `member`, the person or somebody else, or what stands in the telephone book as `name` with the number `phone`. `from` is who has sent it first, where it is forwarded. Answers with the Message", contact),
		row("attach", "chat, thread, name, caption in the query; the file as the body", "Sends a file, in a forum in the topic `thread`: a picture as a photo, anything else as a document. Answers with the Message", attach),
		inside("vote", "chat, message, options", "Votes in a poll, by the numbers of its options from 0; none takes the vote back. Answers with the Message", vote),
		inside("pay", "chat, message or link", "Begins to pay an invoice: the bot gets its pre_checkout_query, or, where sending decides what it costs, its shipping_query. Answers with the payment as it stands; `wait` for the bot's answer", pay),
		row("ship", "payment, option", "Chooses one of the ways to send it that the bot offered for a `payment`: the bot gets its pre_checkout_query. Answers with the payment", ship),
		inside("react", "chat, message, emoji", "Reacts to a message; an empty list takes that back. Answers with the Message", react),
		row("inline", "text", "Types @bot and `text` in any chat. Answers with the id of the inline query", inline),
		row("choose", "query, result, chat", "Sends a result that the bot offered for an inline query. Answers with the Message", choose),
		row("block", "", "Blocks the bot", block),
		row("unblock", "", "Lets the bot in again", unblock),
		row("language", "language", "Changes the language of the person's Telegram", language),
		row("join", "chat", "Comes into a group or channel", join),
		row("leave", "chat", "Leaves a group or channel", leave),
		row("knock", "chat", "Asks to be let into a group: the bot gets a chat_join_request", knock),
		row("group", "text, members", "Makes a group called `text` with the bot and `members` in it. Answers with the chat", group),
		row("channel", "text, members", "Makes a channel called `text`, which the bot administers and `members` read. Answers with the chat", channel),
		row("role", "chat, member, role, rights", "Makes `member` (0: the bot) of a group administrator, member, restricted, left or kicked. `rights` are what an administrator may do (`can_manage_topics`) and nothing else; without them all but what is delicate", role),
		row("forum", "chat, on", "Turns the topics of a group on, or off. A group becomes a supergroup by that. Answers with the chat", forum),
		row("topic", "chat, text", "Begins a topic called `text`. Answers with the Message that tells of it; its id is the topic's `thread`", topic),
		row("close_topic", "chat, thread", "Closes a topic (1: the general one): those who are no administrators cannot write there", closeTopic),
		row("reopen_topic", "chat, thread", "Opens a closed topic again", reopenTopic),
		row("delete_topic", "chat, thread", "Deletes a topic with all that is in it. The bot is not told, as with Telegram", deleteTopic),
		row("migrate", "chat", "Turns a group into a supergroup. Answers with the new chat", migrate),
	}
}

// person is who a request is about. Somebody that nobody has added can be made by what he says.
func (c *call) person(maybeNew bool) (person, error) {
	id, err := strconv.ParseInt(c.r.PathValue("user"), 10, 64)
	// The Bot API promises ids of at most 52 bits.
	if err != nil || id <= 0 || id >= 1<<52 {
		return person{}, wrong("a person's id is a number above 0")
	}
	telegram, _ := c.world.now()
	if id == telegram.BotID() {
		return person{}, wrong(fmt.Sprintf("%d is the bot's own id", id))
	}
	p := person{Server: telegram, id: id, chat: c.ask.Chat, ask: c.ask, body: c.body}
	if p.chat == 0 {
		p.chat = id
	}
	if _, there := telegram.Person(id); !there {
		if !maybeNew || p.chat != id {
			return person{}, missing(fmt.Sprintf("there is no person %d: add one with POST %s/people", id, base))
		}
		// So that a test can begin with what somebody says, and need not make them first.
		telegram.AddUser(tgsim.User{ID: id, FirstName: "Person " + strconv.FormatInt(id, 10), LanguageCode: "en"})
	}
	return p, nil
}

// message is a message of the chat that was just made or changed.
func (p person) message(id int) (any, error) {
	text := p.MessageJSON(p.chat, id)
	if text == nil {
		return nil, p.why("message", id)
	}
	return text, nil
}

// why says why nothing could be done in a chat.
// It is asked after the simulator has said no, which gives no reasons. The first that holds is told, from the chat to what is done in it.
func (p person) why(what string, message int) error {
	c, there := p.ChatState(p.chat)
	u, _ := p.Person(p.id)
	switch {
	case !there:
		return missing(fmt.Sprintf("there is no chat %d", p.chat))
	case u.Deactivated():
		return cannot(fmt.Sprintf("person %d has deleted the account", p.id))
	case p.chat > 0 && p.chat != p.id:
		return cannot(fmt.Sprintf("chat %d is the private chat of somebody else", p.chat))
	case c.Blocked:
		return cannot(fmt.Sprintf("person %d has blocked the bot", p.id))
	case c.Gone:
		return cannot(fmt.Sprintf("chat %d is no more", p.chat))
	case message != 0 && p.MessageJSON(p.chat, message) == nil:
		return missing(fmt.Sprintf("chat %d has no message %d", p.chat, message))
	case p.Role(p.chat, p.id) == tgsim.Left || p.Role(p.chat, p.id) == tgsim.Kicked:
		return cannot(fmt.Sprintf("person %d is not in chat %d", p.id, p.chat))
	}
	return cannot(fmt.Sprintf("person %d cannot do that in chat %d: %s", p.id, p.chat, what))
}

// done is the answer of what makes nothing, or why it had no effect.
func (p person) done(effect bool, words string) (any, error) {
	if !effect {
		return nil, cannot(words)
	}
	return map[string]bool{"ok": true}, nil
}

// written is the message that was made; its text must not be empty.
func (p person) written(send func() int, words string) (any, error) {
	if strings.TrimSpace(p.ask.Text) == "" {
		return nil, wrong("text is empty")
	}
	if err := short("text", p.ask.Text, mostText); err != nil {
		return nil, err
	}
	id := send()
	if id == 0 {
		return nil, p.why(words, 0)
	}
	return p.message(id)
}

func say(p person) (any, error) {
	if p.ask.ReplyTo != 0 && p.MessageJSON(p.chat, p.ask.ReplyTo) == nil {
		return nil, p.why("reply", p.ask.ReplyTo)
	}
	return p.written(func() int {
		return p.Post(p.id, p.chat, tgsim.Message{Text: p.ask.Text, ReplyTo: p.ask.ReplyTo, Thread: p.ask.Thread})
	}, p.unwritable())
}

func start(p person) (any, error) {
	if p.chat != p.id {
		return nil, wrong("a bot is started in the private chat")
	}
	id := p.Start(p.id, p.ask.Text)
	if id == 0 {
		return nil, wrong("a link's payload has at most 64 letters, digits, _ and -, and nobody who blocked the bot opens it")
	}
	return p.message(id)
}

func edit(p person) (any, error) {
	if p.MessageJSON(p.chat, p.ask.Message) == nil {
		return nil, p.why("edit", p.ask.Message)
	}
	if err := p.own(p.ask.Message, ""); err != nil {
		return nil, err
	}
	return p.written(func() int {
		if !p.Edit(p.id, p.chat, p.ask.Message, p.ask.Text) {
			return 0
		}
		return p.ask.Message
	}, fmt.Sprintf("message %d says that already, or has no text", p.ask.Message))
}

func remove(p person) (any, error) {
	if p.MessageJSON(p.chat, p.ask.Message) == nil {
		return nil, p.why("delete", p.ask.Message)
	}
	if err := p.own(p.ask.Message, "can_delete_messages"); err != nil {
		return nil, err
	}
	if !p.Remove(p.chat, p.ask.Message) {
		return nil, p.why("delete", p.ask.Message)
	}
	return p.done(true, "")
}

func contact(p person) (any, error) {
	entry := tgsim.Contact{FirstName: p.ask.Name, Phone: p.ask.Phone}
	if _, there := p.Person(p.ask.From); p.ask.From != 0 && !there {
		return nil, missing(fmt.Sprintf("there is no person %d who could have sent it first", p.ask.From))
	}
	named, numbered := strings.TrimSpace(p.ask.Name) != "", strings.TrimSpace(p.ask.Phone) != ""
	switch {
	case p.ask.Member != 0 && (named || numbered), p.ask.Member == 0 && (!named || !numbered):
		return nil, wrong("say whose contact: member, or name and phone")
	case numbered && !telephone.MatchString(p.ask.Phone):
		return nil, wrong("phone is a number, of digits")
	case p.ask.Member != 0:
		of, there := p.ContactOf(p.ask.Member)
		if !there {
			return nil, missing(fmt.Sprintf("there is no person %d", p.ask.Member))
		}
		entry = of
	}
	id := p.SendContact(p.id, p.chat, p.ask.Thread, entry, p.ask.From)
	if id == 0 {
		return nil, p.why(p.unwritable(), 0)
	}
	return p.message(id)
}

func attach(p person) (any, error) {
	if len(p.body) == 0 || p.ask.Name == "" {
		return nil, wrong("there is no file, or it has no name")
	}
	if err := short("caption", p.ask.Caption, mostCaption); err != nil {
		return nil, err
	}
	id := p.SendFile(p.id, p.chat, p.ask.Thread, p.ask.Name, p.body, p.ask.Caption)
	if id == 0 {
		return nil, p.why(p.unwritable(), 0)
	}
	return p.message(id)
}

func block(p person) (any, error) {
	return p.done(p.Block(p.id), fmt.Sprintf("person %d has blocked the bot already", p.id))
}

func unblock(p person) (any, error) {
	return p.done(p.Unblock(p.id), fmt.Sprintf("person %d has not blocked the bot", p.id))
}

func language(p person) (any, error) {
	if !languageTag.MatchString(p.ask.Language) {
		return nil, wrong("language is a tag like fr or pt-br")
	}
	p.SetLanguage(p.id, p.ask.Language)
	return p.viewPerson(p.id)
}

// viewPerson is a person as the Bot API shows one.
func (p person) viewPerson(id int64) (any, error) {
	u, _ := p.Person(id)
	text, err := json.Marshal(u)
	return json.RawMessage(text), err
}
