package sandbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// example is a program that others have published, as it is, and what a person does with it.
type example struct {
	library, name string
	steps         []string // see aloneProgram.step
}

// Where the programs come from: the examples that a Go module brings along, and the programs in the READMEs of packages.
const (
	goTelegram = "go-telegram/bot"
	telego     = "telego"
	telebot    = "telebot"
	grammy     = "grammY"
	telegraf   = "telegraf"
	nodeBotAPI = "node-telegram-bot-api"
)

func examples() []example {
	return []example{
		{goTelegram, "command_handler", []string{"say /bar", "hear Caught bar", "say well", "hear Say message with"}},
		{goTelegram, "commands", []string{"say /hello", "hear Hello, Yasmine"}},
		{goTelegram, "create_new_sticker_set", []string{"say a", "show sticker"}},
		{goTelegram, "echo", []string{"say good day", "hear good day"}},
		{goTelegram, "echo_with_webhook", []string{"called setWebhook", "say good day", "hear good day"}},
		{goTelegram, "edit_message", []string{"say a", "hear New Message!"}},
		{goTelegram, "getme", []string{"print sandbox_123456789_bot"}},
		{goTelegram, "handler_match_func", []string{"say hello", "print hello handler"}},
		{goTelegram, "inline_keyboard", []string{"say a", "hear Click by button", "tap Button 2", "hear You selected the button: button_2"}},
		{goTelegram, "inline_keyboard_multiselect", []string{"say /select", "hear Select multiple options", "tap Option 1", "called editMessageReplyMarkup", "tap Select", "hear Selected options: [true false false]"}},
		{goTelegram, "inline_mode", []string{"inline foo", "choose 2"}},
		{goTelegram, "middleware", []string{"say hey", "hear hey", "print 501 say: hey"}},
		{goTelegram, "payment", []string{"say /payment", "called sendInvoice", "pay", "hear Payment was successful"}},
		{goTelegram, "send_document", []string{"say a", "show document"}},
		{goTelegram, "send_media_group", []string{"say a", "show photo", "hear Youtube Logo"}},
		{goTelegram, "send_paid_media", []string{"post a", "called sendPaidMedia", "show paid_media"}},
		{goTelegram, "send_photo", []string{"say a", "called sendPhoto"}}, // a file of somebody else's bot, which Telegram refuses as well
		{goTelegram, "send_photo_upload", []string{"say a", "show photo"}},
		{goTelegram, "streaming_draft", []string{"say a", "hear How can I assist you today?"}},
		{telego, "README 1", []string{"print sandbox_123456789_bot"}},
		{telego, "README 2", []string{"say a", "print Update: "}},
		{telego, "README 4", []string{"say good day", "hear good day"}},
		{telebot, "README 1", []string{"say /hello", "hear Hello!"}},
		{grammy, "README 1", []string{"say good day", "hear Echo: good day"}},
		{telegraf, "README 1", []string{"say /start", "hear Welcome", "say hi", "hear Hey there", "say /help", "hear Send me a sticker"}},
		{telegraf, "README 2", []string{"say /oldschool", "hear Hello", "say /hipster", "hear λ"}},
		{telegraf, "README 3", []string{"say a", "hear Hello undefined", "inline a", "answered"}},
		{nodeBotAPI, "README 1", []string{"say /start", "hear Hi! Send me anything.", "say echo good day", "hear good day", "say a", "hear Pick one:", "tap 👍"}},
	}
}

// stepTime is how long a program may take for a step.
const stepTime = 20 * time.Second

// try asks the control interface for something.
func (p *aloneProgram) try(path string, ask values) (made values, err error) {
	p.t.Helper()
	ask["bot"] = oneToken
	if code := p.ask(http.MethodPost, p.page+"/control/v1"+path, string(mustJSON(ask)), &made); code != http.StatusOK {
		return nil, fmt.Errorf("%s: %v", path, made["error"])
	}
	return made, nil
}

// play has a person do all that an example is for. It ends at the first thing that does not happen.
func (p *aloneProgram) play(steps []string) error {
	p.t.Helper()
	p.said = nil
	for _, words := range steps {
		verb, rest, _ := strings.Cut(words, " ")
		if err := p.step(verb, rest); err != nil {
			return fmt.Errorf("%s: %w", words, err)
		}
	}
	return nil
}

// step is one thing that a person does, or that has to happen then.
func (p *aloneProgram) step(verb, words string) error {
	p.t.Helper()
	switch verb {
	case "say":
		m, err := p.try("/people/501/say", values{"text": words})
		p.said = m.at("message_id")
		return err
	case "hear":
		_, err := p.try("/wait", values{"chat": 501, "text": words, "after": p.said, "timeout": stepTime.Seconds()})
		return err
	case "tap":
		_, err := p.try("/people/501/tap", values{"text": words})
		return err
	case "inline":
		made, err := p.try("/people/501/inline", values{"text": words})
		p.query, _ = made.at("id").(string)
		return err
	case "print":
		return p.until(func() bool { return strings.Contains(p.theirs.String(), words) })
	case "called":
		return p.until(func() bool { n, _ := p.world().at("calls", strings.ToLower(words)).(float64); return n > 0 })
	case "show":
		return p.until(func() bool { return slices.ContainsFunc(p.messages(), func(m values) bool { return m[words] != nil }) })
	case "answered":
		return p.until(func() bool { return p.offered() != nil })
	case "choose":
		if err := p.until(func() bool { return p.offered() != nil }); err != nil {
			return err
		}
		_, err := p.try("/people/501/choose", values{"query": p.query, "result": words})
		return err
	case "pay":
		all := p.messages()
		_, err := p.try("/people/501/pay", values{"message": all[len(all)-1]["message_id"]})
		return err
	case "post":
		c, err := p.try("/people/501/channel", values{"text": "News"})
		if err == nil {
			_, err = p.try("/people/501/say", values{"chat": c["id"], "text": words})
		}
		return err
	}
	return errors.New("there is no such step")
}

// mustJSON is a value as JSON.
func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a test's own value
	}
	return text
}

// until waits for something that happens by itself.
func (p *aloneProgram) until(done func() bool) error {
	p.t.Helper()
	for end := time.Now().Add(stepTime); time.Now().Before(end); {
		if done() {
			return nil
		}
		_, _ = p.try("/wait", values{"chat": 501, "text": "\x00", "timeout": 0.1}) // for a moment: nobody says that
	}
	return errors.New("it did not happen")
}

// world is everything that there is in the bot's world.
func (p *aloneProgram) world() (all values) {
	p.t.Helper()
	p.ask(http.MethodGet, p.page+"/control/v1/snapshot?bot="+oneToken, "", &all)
	return all
}

// messages are those of the person's chat.
func (p *aloneProgram) messages() (all []values) {
	p.t.Helper()
	p.ask(http.MethodGet, p.page+"/control/v1/messages?chat=501&bot="+oneToken, "", &all)
	return all
}

// offered is what the bot offers for the last inline query, nil while it has not answered.
func (p *aloneProgram) offered() any {
	p.t.Helper()
	queries, _ := p.world()["inline_queries"].([]any)
	for _, one := range queries {
		if q, _ := one.(map[string]any); q["id"] == p.query && q["answered"] == true {
			return q["results"]
		}
	}
	return nil
}
