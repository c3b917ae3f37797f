package worlds

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/sandbox/tgsim"
)

// worldOperations are about a world as a whole.
func worldOperations() []operation {
	row := func(method, path, takes, does string, do func(*Sandbox, *call) (any, error)) operation {
		return operation{Operation{method, path, takes, does}, do}
	}
	return []operation{
		row(http.MethodGet, "/bots", "", "Lists the bots that there are, with the numbers of their worlds", listBots),
		row(http.MethodPost, "/bots", "bot", "Makes the world of a token, where it is not there yet. Answers with the bot", showBot),
		row(http.MethodGet, "/people", "bot", "Lists the people", listPeople),
		row(http.MethodPost, "/people", "member, name, language, username", "Adds a person with the id `member`. Answers with the person", addPerson),
		row(http.MethodGet, "/messages", "bot, chat", "Lists the messages of a chat, as the Bot API shows them", listMessages),
		row(http.MethodPost, "/wait", "chat, text or pattern, after; or callback; or payment; timeout", "Waits until the bot has said something that holds `text` or matches `pattern`, newer than the message `after`, or has answered the tap `callback`, or what was asked of it for the `payment`. Answers with that; with 408 where nothing came within `timeout` seconds (5; at most 60)", wait),
		row(http.MethodGet, "/weather", "bot", "Lists what is to go wrong at Telegram", listWeather),
		row(http.MethodPost, "/weather", "kind, method, chat, times, skip, wait, code; or limits", "Has the next `times` calls of `method` (* for any) in `chat` (0 for any) go wrong, after `skip` of them. `limits` has floods refused as Telegram does. Answers with all that is to go wrong", addWeather),
		row(http.MethodDelete, "/weather", "bot", "Nothing is to go wrong any more", clearWeather),
		row(http.MethodPost, "/clock", "wait", "Puts the clock ahead by `wait` seconds, of the bot's Telegram and of the service. Answers with the time. Refused in the demo", putAhead),
		row(http.MethodGet, "/snapshot", "bot", "Everything: people, chats with their messages, taps, inline queries, payments, calls, and what was asked for that is not emulated, had no effect or is not of the Bot API", snapshot),
		row(http.MethodPost, "/snapshot", "", "Keeps the bot's world as it is now. Answers with its `snapshot`, a number; the newest 20 are kept", keep),
		row(http.MethodPost, "/restore", "snapshot", "Puts the bot's world back as it was then, as often as one likes: chats, webhook, what waited for the bot, how far its clock was ahead. Answers with the bot", restore),
		row(http.MethodPost, "/reset", "", "Begins the bot's world anew: nobody has written, no webhook is set", reset),
	}
}

// botView is a bot.
type botView struct {
	Number   int    `json:"number"`
	ID       int64  `json:"id"`
	Username string `json:"username"`
	Page     string `json:"page"` // where its chats are shown
}

func (s *Sandbox) view(w *world) botView {
	telegram, _ := w.now()
	v := botView{w.number, telegram.BotID(), telegram.BotName(), fmt.Sprintf("/worlds/%d/", w.number)}
	if s.options.Only != "" {
		v.Page = "/"
	}
	return v
}

func listBots(s *Sandbox, _ *call) (any, error) {
	all := []botView{}
	for _, w := range s.all() {
		all = append(all, s.view(w))
	}
	return all, nil
}

func showBot(s *Sandbox, c *call) (any, error) { return s.view(c.world), nil }

func (c *call) telegram() *tgsim.Server {
	telegram, _ := c.world.now()
	return telegram
}

func listPeople(_ *Sandbox, c *call) (any, error) { return c.telegram().Everybody(), nil }

func addPerson(_ *Sandbox, c *call) (any, error) {
	t, id := c.telegram(), c.ask.Member
	name := strings.TrimSpace(c.ask.Name)
	_, there := t.Person(id)
	switch {
	case there || id <= 0 || id >= 1<<52 || id == t.BotID() || name == "":
		return nil, wrong("member is the person's id, above 0 and nobody else's, and name is not empty")
	case !username.MatchString(c.ask.Username):
		return nil, wrong("username has letters, digits and _ alone")
	case !languageTag.MatchString(c.ask.Language):
		return nil, wrong("language is a tag like fr or pt-br")
	}
	t.AddUser(tgsim.User{ID: id, FirstName: name, LanguageCode: c.ask.Language, Username: c.ask.Username})
	u, _ := t.Person(id)
	return u, nil
}

func listMessages(_ *Sandbox, c *call) (any, error) {
	if _, there := c.telegram().ChatState(c.ask.Chat); !there {
		return nil, missing(fmt.Sprintf("there is no chat %d", c.ask.Chat))
	}
	return messages(c.telegram(), c.ask.Chat), nil
}

// messages are those of a chat that are there.
func messages(t *tgsim.Server, chat int64) []json.RawMessage {
	all := []json.RawMessage{}
	for _, m := range t.Messages(chat) {
		if text := t.MessageJSON(chat, m.ID); text != nil {
			all = append(all, text)
		}
	}
	return all
}

// How long a wait is where nothing is said of it, and at most.
const (
	usualWait = 5.0
	mostWait  = 60.0
)

func wait(_ *Sandbox, c *call) (any, error) {
	done, err := c.awaited()
	if err != nil {
		return nil, err
	}
	timeout := c.ask.Timeout
	if timeout <= 0 {
		timeout = usualWait
	}
	_, replaced := c.world.now()
	// A wait for a Telegram that was replaced would last until its end, for nothing happens there any more.
	ctx, end := within(c.r.Context(), replaced)
	defer end()
	ctx, cancel := context.WithTimeout(ctx, seconds(min(timeout, mostWait)))
	defer cancel()
	var got any
	if c.telegram().WaitFor(ctx, func() bool { got = done(); return got != nil }) != nil {
		return nil, refusal{http.StatusRequestTimeout, "the bot has said nothing like this"}
	}
	return got, nil
}

// awaited is how to look for what is waited for: nil while it is not there.
func (c *call) awaited() (func() any, error) {
	t := c.telegram()
	if c.ask.Callback != "" {
		// The place stays the tap's: taps are only ever added to a Telegram, and a reset ends the wait.
		i := slices.IndexFunc(t.Callbacks(), func(q tgsim.Callback) bool { return q.ID == c.ask.Callback })
		if i < 0 {
			return nil, missing("there is no tap " + c.ask.Callback)
		}
		return func() any {
			if q := t.Callbacks()[i]; q.Answers > 0 {
				return viewTap(q)
			}
			return nil
		}, nil
	}
	if c.ask.Payment != "" {
		return c.paid(t)
	}
	pattern, err := regexp.Compile(c.ask.Pattern)
	if err != nil {
		return nil, wrong("pattern is no regular expression: " + err.Error())
	}
	if _, there := t.ChatState(c.ask.Chat); !there {
		return nil, missing(fmt.Sprintf("there is no chat %d", c.ask.Chat))
	}
	return func() any {
		for _, m := range slices.Backward(t.Messages(c.ask.Chat)) {
			if m.FromBot && !m.Deleted && m.ID > c.ask.After && strings.Contains(m.Text, c.ask.Text) && pattern.MatchString(m.Text) {
				return t.MessageJSON(c.ask.Chat, m.ID)
			}
		}
		return nil
	}, nil
}

// paid looks whether the bot has answered what it was last asked for a payment.
func (c *call) paid(t *tgsim.Server) (func() any, error) {
	find := func() *tgsim.Payment {
		return first(t.Payments(), func(p tgsim.Payment) bool { return p.ID == c.ask.Payment })
	}
	if find() == nil {
		return nil, missing("there is no payment " + c.ask.Payment)
	}
	return func() any {
		if p := find(); p.Answered || p.Option == "" && len(p.Offers) > 0 {
			return viewPayment(*p)
		}
		return nil
	}, nil
}

// faultNames are the kinds of faults of Telegram, by their names.
func faultNames() map[string]tgsim.FaultKind {
	return map[string]tgsim.FaultKind{
		"flood": tgsim.Flood, "broken": tgsim.Broken, "page": tgsim.Page, "hang": tgsim.Hang, "close_before": tgsim.CloseBefore,
		"close_after": tgsim.CloseAfter, "hang_after": tgsim.HangAfter, "cut": tgsim.Cut, "strange": tgsim.Strange,
	}
}

// faultView is something that is to go wrong.
type faultView struct {
	Kind   string  `json:"kind"`
	Method string  `json:"method"`
	Chat   int64   `json:"chat"`
	Times  int     `json:"times"`
	Skip   int     `json:"skip"`
	Wait   float64 `json:"wait"`
	Code   int     `json:"code"`
}

func listWeather(_ *Sandbox, c *call) (any, error) {
	all := []faultView{}
	for _, f := range c.telegram().Faults() {
		for name, kind := range faultNames() {
			if kind == f.Kind {
				all = append(all, faultView{name, f.Method, f.Chat, f.Times, f.After, f.Wait.Seconds(), f.Code})
			}
		}
	}
	return all, nil
}

func addWeather(s *Sandbox, c *call) (any, error) {
	if c.ask.Limits != nil {
		c.telegram().SetLimits(*c.ask.Limits)
		if c.ask.Kind == "" {
			return listWeather(s, c)
		}
	}
	kind, known := faultNames()[c.ask.Kind]
	method := strings.ToLower(c.ask.Method)
	named := slices.ContainsFunc(tgsim.Methods(), func(m tgsim.Method) bool { return strings.EqualFold(m.Name, method) })
	switch {
	case !known:
		return nil, wrong("kind is flood, broken, page, hang, close_before, close_after, hang_after, cut or strange")
	case !named && method != "*":
		return nil, wrong("method is one of the Bot API, or * for any")
	case c.ask.Times < 1:
		return nil, wrong("times is how many calls go wrong: 1 or more")
	case c.ask.Code != 0 && (c.ask.Code < 400 || c.ask.Code > 599):
		return nil, wrong("code is an HTTP status from 400 to 599")
	case c.ask.Skip < 0 || c.ask.Wait < 0 || c.ask.Wait > mostDelay:
		return nil, wrong("skip is 0 or more, and wait a number of seconds, of a day at most")
	}
	c.telegram().Inject(tgsim.Fault{Kind: kind, Method: method, Chat: c.ask.Chat, Times: c.ask.Times, After: c.ask.Skip, Wait: seconds(c.ask.Wait), Code: c.ask.Code})
	return listWeather(s, c)
}

func clearWeather(s *Sandbox, c *call) (any, error) {
	c.telegram().ClearFaults()
	return listWeather(s, c)
}

func putAhead(s *Sandbox, c *call) (any, error) {
	if s.options.Only != "" {
		return nil, cannot("the demo's bot lives by the clock of this machine, which nobody can put ahead: for other hours start it with -zone")
	}
	// Less than a nanosecond would move nothing, and be told as done.
	if seconds(min(c.ask.Wait, 1)) <= 0 || c.ask.Wait > 366*24*3600 {
		return nil, wrong("wait is a number of seconds, above 0 and of a year at most: a clock does not go back")
	}
	// The service is shared by all bots and goes ahead for each of them; the Telegrams of the others stay behind.
	c.telegram().Advance(seconds(c.ask.Wait))
	s.service.now().Advance(seconds(c.ask.Wait))
	return map[string]string{"now": c.telegram().Now().UTC().Format(time.RFC3339)}, nil
}

// paymentView is an attempt to pay.
type paymentView struct {
	ID       string                 `json:"id"`
	User     int64                  `json:"user"`
	Chat     int64                  `json:"chat"`
	Currency string                 `json:"currency"`
	Total    int64                  `json:"total_amount"`
	Payload  string                 `json:"invoice_payload"`
	Answered bool                   `json:"answered"`
	Offers   []tgsim.ShippingOption `json:"shipping_options"`
	Option   string                 `json:"shipping_option_id"`
	Paid     bool                   `json:"paid"`
	Problem  string                 `json:"problem"` // why the bot does not want the money
	Refunded bool                   `json:"refunded"`
}

func viewPayment(p tgsim.Payment) paymentView {
	return paymentView{p.ID, p.User, p.Chat, p.Currency, p.Total, p.Payload, p.Answered, p.Offers, p.Option, p.Paid, p.Problem, p.Refunded}
}

// queryView is an inline query with what the bot offers.
type queryView struct {
	ID       string            `json:"id"`
	User     int64             `json:"user"`
	Query    string            `json:"query"`
	Answered bool              `json:"answered"`
	Results  map[string]string `json:"results"` // titles by id
}

// chatView is a chat with its messages.
type chatView struct {
	tgsim.ChatState

	Messages []json.RawMessage `json:"messages"`
}

func snapshot(s *Sandbox, c *call) (any, error) {
	t := c.telegram()
	chats, taps, payments, queries := []chatView{}, []tapView{}, []paymentView{}, []queryView{}
	for _, id := range t.Chats() {
		if state, there := t.ChatState(id); there {
			chats = append(chats, chatView{state, messages(t, id)})
		}
	}
	for _, q := range t.Callbacks() {
		taps = append(taps, viewTap(q))
	}
	for _, p := range t.Payments() {
		payments = append(payments, viewPayment(p))
	}
	for _, q := range t.InlineQueries() {
		v := queryView{q.ID, q.User, q.Query, q.Answered, map[string]string{}}
		for _, r := range q.Results {
			v.Results[r.ID] = r.Title
		}
		queries = append(queries, v)
	}
	return map[string]any{
		"bot": s.view(c.world), "now": t.Now().UTC().Format(time.RFC3339), "people": t.Everybody(), "chats": chats, "callbacks": taps, "payments": payments, "inline_queries": queries,
		"pending": t.Pending(), "calls": t.Calls(), "not_emulated": t.Unsupported(), "without_effect": t.Ignored(), "not_of_the_bot_api": t.Complaints(),
	}, nil
}

func reset(s *Sandbox, c *call) (any, error) {
	if s.options.Only != "" {
		return nil, cannot("this world belongs to the demo, whose bot remembers it: start the demo anew")
	}
	c.world.reset()
	return s.view(c.world), nil
}

func keep(_ *Sandbox, c *call) (any, error) {
	telegram, _ := c.world.now()
	return map[string]int{"snapshot": c.world.kept.keep(copyTelegram(telegram))}, nil
}

func restore(s *Sandbox, c *call) (any, error) {
	if s.options.Only != "" {
		return nil, cannot("this world belongs to the demo, whose bot remembers it: start the demo anew")
	}
	then, there := c.world.kept.find(c.ask.Snapshot)
	if !there {
		return nil, missing(fmt.Sprintf("this bot has no snapshot %d: POST %s/snapshot makes one", c.ask.Snapshot, base))
	}
	c.world.put(copyTelegram(then))
	return s.view(c.world), nil
}
