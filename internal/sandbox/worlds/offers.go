package worlds

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"resellerbot/internal/sandbox/tgsim"
)

// What people do with what the bot offers them: buttons, keys, polls, invoices and inline results.

// tapView is a tap, and what the bot answered.
type tapView struct {
	ID       string `json:"id"`
	Message  int    `json:"message"`
	Data     string `json:"data"`
	Stale    bool   `json:"stale"` // the message has no such button
	Answered bool   `json:"answered"`
	Text     string `json:"text"`
	Alert    bool   `json:"alert"`
	URL      string `json:"url"`
}

func viewTap(q tgsim.Callback) tapView {
	return tapView{q.ID, q.Message, q.Data, q.Stale, q.Answers > 0, q.Text, q.Alert, q.URL}
}

func tap(p person) (any, error) {
	message, data, err := p.button()
	if err != nil {
		return nil, err
	}
	id := p.Tap(p.id, p.chat, message, data)
	for _, q := range p.Callbacks() {
		if q.ID == id {
			return viewTap(q), nil
		}
	}
	return nil, p.why("tap", message)
}

// button finds what is to be tapped.
func (p person) button() (message int, data string, err error) {
	if p.ask.Text == "" && p.ask.Data == "" {
		return 0, "", wrong("say which button: text or data")
	}
	if c, _ := p.ChatState(p.chat); c.Blocked {
		return 0, "", p.why("tap", 0)
	}
	// Nothing is looked up: the button is gone, and the simulator marks the tap as stale where the message has no such one.
	if p.ask.Stale {
		if p.ask.Message == 0 || p.ask.Data == "" {
			return 0, "", wrong("a stale button is named by its message and data")
		}
		return p.ask.Message, p.ask.Data, nil
	}
	for _, m := range slices.Backward(p.Messages(p.chat)) {
		if m.Deleted || p.ask.Message != 0 && p.ask.Message != m.ID {
			continue
		}
		for _, b := range slices.Concat(m.Keyboard...) {
			if b.Data != "" && (p.ask.Data == "" || b.Data == p.ask.Data) && strings.Contains(b.Text, p.ask.Text) {
				return m.ID, b.Data, nil
			}
		}
	}
	return 0, "", missing(fmt.Sprintf("chat %d has no such button: text %q, data %q", p.chat, p.ask.Text, p.ask.Data))
}

// pressed is the message that a key made.
func (p person) pressed(id int, err error) (any, error) {
	if err != nil {
		return nil, cannot(err.Error())
	}
	return p.message(id)
}

func press(p person) (any, error) { return p.pressed(p.Press(p.id, p.chat, p.ask.Text)) }

func location(p person) (any, error) {
	if math.Abs(p.ask.Latitude) > 90 || math.Abs(p.ask.Longitude) > 180 {
		return nil, wrong("latitude is from -90 to 90, longitude from -180 to 180")
	}
	return p.pressed(p.ShareLocation(p.id, p.chat, p.ask.Text, p.ask.Latitude, p.ask.Longitude))
}

func share(p person) (any, error) {
	if len(p.ask.Members) == 1 && p.ask.Members[0] < 0 {
		return p.pressed(p.ShareChat(p.id, p.chat, p.ask.Text, p.ask.Members[0]))
	}
	if err := p.others(p.ask.Members); err != nil {
		return nil, err
	}
	return p.pressed(p.ShareUsers(p.id, p.chat, p.ask.Text, p.ask.Members...))
}

func vote(p person) (any, error) {
	if !p.Vote(p.id, p.chat, p.ask.Message, p.ask.Options...) {
		return nil, p.why("there is no such poll, option or second vote, or it is voted so already", p.ask.Message)
	}
	return p.message(p.ask.Message)
}

func pay(p person) (any, error) {
	var id string
	if p.ask.Link != "" {
		id = p.PayLink(p.id, p.ask.Link)
	} else {
		id = p.Pay(p.id, p.chat, p.ask.Message)
	}
	return p.payment(id)
}

func ship(p person) (any, error) {
	if pay := first(p.Payments(), func(pay tgsim.Payment) bool { return pay.ID == p.ask.Payment }); pay != nil && pay.User != p.id {
		return nil, cannot("payment " + pay.ID + " is somebody else's")
	}
	if !p.Ship(p.ask.Payment, p.ask.Option) {
		return nil, cannot("the bot offers no such way to send it, or one is chosen already")
	}
	return p.payment(p.ask.Payment)
}

// payment is an attempt to pay by its id.
func (p person) payment(id string) (any, error) {
	if one := first(p.Payments(), func(pay tgsim.Payment) bool { return pay.ID == id }); one != nil {
		return viewPayment(*one), nil
	}
	return nil, p.why("there is no such invoice", p.ask.Message)
}

func react(p person) (any, error) {
	var list []tgsim.Reaction
	for _, emoji := range p.ask.Emoji {
		list = append(list, tgsim.Reaction(emoji))
	}
	if !p.React(p.id, p.chat, p.ask.Message, list...) {
		return nil, p.why("this is no emoji that one can react with, or they react so already", p.ask.Message)
	}
	return p.message(p.ask.Message)
}

func inline(p person) (any, error) {
	id := p.InlineQuery(p.id, p.ask.Text, "")
	if id == "" {
		return nil, cannot("this bot cannot be asked in any chat")
	}
	return map[string]string{"id": id}, nil
}

func choose(p person) (any, error) {
	if q := first(p.InlineQueries(), func(q tgsim.InlineQuery) bool { return q.ID == p.ask.Query }); q != nil && q.User != p.id {
		return nil, cannot("inline query " + q.ID + " is somebody else's")
	}
	id := p.Choose(p.ask.Query, p.ask.Result, p.chat)
	if id == 0 {
		return nil, p.why("the bot offers no such result to that query", 0)
	}
	return p.message(id)
}
