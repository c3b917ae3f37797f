package worlds

import (
	"net/url"
	"strconv"

	"resellerbot/internal/sandbox/tgsim"
)

// ask is what can be asked for in a world: which of these counts depends on the operation.
type ask struct {
	Bot      string     `json:"bot"`  // the token, or the number of its world; may be left out while there is one bot
	Chat     int64      `json:"chat"` // 0: the person's private chat
	Text     string     `json:"text"`
	Message  int        `json:"message"`
	ReplyTo  int        `json:"reply_to"`
	Data     string     `json:"data"`
	Stale    bool       `json:"stale"`
	Language string     `json:"language"`
	Member   int64      `json:"member"` // 0: the bot
	Members  []int64    `json:"members"`
	Role     tgsim.Role `json:"role"`
	Rights   []string   `json:"rights"` // nil: nothing is said of them
	Thread   int        `json:"thread"` // a topic
	On       bool       `json:"on"`
	Options  []int      `json:"options"`
	Emoji    []string   `json:"emoji"`
	Link     string     `json:"link"`
	Name     string     `json:"name"`
	Caption  string     `json:"caption"`
	Username string     `json:"username"`
	Phone    string     `json:"phone"`
	From     int64      `json:"from"`
	Snapshot int        `json:"snapshot"`

	Payment string `json:"payment"`
	Option  string `json:"option"`

	Query  string `json:"query"`
	Result string `json:"result"`

	Pattern  string  `json:"pattern"`
	Callback string  `json:"callback"`
	After    int     `json:"after"`
	Timeout  float64 `json:"timeout"` // seconds

	Method string  `json:"method"`
	Kind   string  `json:"kind"`
	Times  int     `json:"times"`
	Skip   int     `json:"skip"`
	Wait   float64 `json:"wait"` // seconds
	Code   int     `json:"code"`
	Limits *bool   `json:"limits"`

	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// fromQuery reads the fields that a request without a body may have.
func (a *ask) fromQuery(q url.Values) error {
	for name, values := range q {
		value, err := values[0], error(nil)
		switch name {
		case "bot":
			a.Bot = value
		case "name":
			a.Name = value
		case "caption":
			a.Caption = value
		case "chat":
			a.Chat, err = strconv.ParseInt(value, 10, 64)
		default:
			return wrong("there is no field " + name + " here")
		}
		if err != nil {
			return wrong(name + " is no number")
		}
	}
	return nil
}
