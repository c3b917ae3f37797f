package worlds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"resellerbot/internal/sandbox/tgsim"
)

// ask is what can be asked for in a world: which of these counts depends on the operation.
type ask struct {
	Bot      botName    `json:"bot"`  // the token, or the number of its world; may be left out while there is one bot
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

// botName is a bot by its token, or by the number of its world, which may be written as one.
type botName string

// UnmarshalJSON implements json.Unmarshaler.
func (b *botName) UnmarshalJSON(text []byte) error {
	var number json.Number // a string that is no number is none
	// A token comes as a string. null is taken for the empty one, which is no bot named.
	if json.Unmarshal(text, (*string)(b)) == nil {
		return nil
	}
	if err := json.Unmarshal(text, &number); err != nil {
		return wrong("bot is a token, or a number")
	}
	*b = botName(number)
	return nil
}

// read reads the fields of a request: from its body, or, of a GET or a file, from its query.
func (c *call) read(w http.ResponseWriter, op operation) error {
	file := strings.HasSuffix(op.Path, "/attach")
	most := int64(maxAsk)
	if file {
		most = maxFile
	}
	var err error
	if c.body, err = io.ReadAll(http.MaxBytesReader(w, c.r.Body, most)); err != nil {
		return refusal{http.StatusRequestEntityTooLarge, "the request is too big"}
	}
	if c.r.Method != http.MethodPost || file {
		return c.ask.fromQuery(c.r.URL.Query(), op)
	}
	if len(c.body) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := decode(c.body, &fields); err != nil {
		return err
	}
	for name := range fields {
		if !op.takes(strings.ToLower(name)) {
			return op.idle(name)
		}
	}
	if strings.HasPrefix(op.Path, "/service") {
		return nil // that side has fields of its own
	}
	return decode(c.body, &c.ask)
}

// fieldName is how fields are called.
var fieldName = regexp.MustCompile(`[a-z_]+`)

// takes reports whether a field counts for an operation, or says what it is done in: whose bot, and on the page, which chat is on
// screen.
// Takes is written for docs/sandbox.md, and its words are the list: those that only join names are fields of nothing.
func (o Operation) takes(name string) bool {
	common := name == "bot" && !strings.HasPrefix(o.Path, "/service") || name == "chat" && strings.HasPrefix(o.Path, "/people/")
	return common || slices.Contains(fieldName.FindAllString(o.Takes, -1), name)
}

// idle refuses a field that counts for nothing: it is a mistake, and whoever made it would not be told otherwise.
func (o Operation) idle(name string) error {
	if o.Takes == "" {
		return wrong(name + " has no effect here: this takes nothing")
	}
	return wrong(name + " has no effect here: this takes " + o.Takes)
}

// decode reads JSON into v. A field that nobody knows is a mistake that would otherwise have no effect.
func decode(body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var no refusal
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &no):
		return no
	case errors.Is(err, io.EOF):
		return wrong("the request is empty")
	case errors.As(err, &kind) && kind.Field == "":
		return wrong("the request is not what this takes: an object, and no " + kind.Value)
	case errors.As(err, &kind):
		return wrong("the request is not what this takes: " + kind.Field + " is no " + kind.Value)
	case err != nil:
		return wrong("the request is not what this takes: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wrong("the request is not what this takes: there is something behind the object")
	}
	return nil
}

// fromQuery reads the fields that a request without a body may have.
func (a *ask) fromQuery(q url.Values, op operation) error {
	for name, values := range q {
		value, err := values[0], error(nil)
		switch {
		case !op.takes(name):
			return op.idle(name)
		case len(values) > 1:
			return wrong(name + " is there more than once")
		}
		switch name {
		case "bot":
			a.Bot = botName(value)
		case "name":
			a.Name = value
		case "caption":
			a.Caption = value
		case "chat":
			a.Chat, err = strconv.ParseInt(value, 10, 64)
		case "thread":
			a.Thread, err = strconv.Atoi(value)
		default:
			return op.idle(name)
		}
		if err != nil {
			return wrong(fmt.Sprintf("%s is no number: %q", name, value))
		}
	}
	return nil
}
