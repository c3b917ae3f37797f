// Package telegram is the one door to Telegram, both ways. Updates come in by a Poller or a Webhook, which hand them to an
// Intake and tell Telegram so when they are kept. Everything goes out through the Sender: the rate limits are Telegram's,
// for the whole bot, so there is one budget (budget.go). Codes go first, what strangers cause goes behind all that others wait for. What Telegram
// answers is an *Error, by its Kind.
package telegram

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"resellerbot/internal/backoff"
	"resellerbot/internal/screen"
)

const (
	replyTries = 3                      // at a call that somebody waits for
	replyWait  = 500 * time.Millisecond // before the second of them; twice as long before the third
)

// SenderConfig is what a Sender is built from.
type SenderConfig struct {
	Bot    *bot.Bot     // required; over NewClient
	HTTP   *Client      // what Bot is over; files are fetched by it, and none are where it is nil
	Log    *slog.Logger // required
	Limits Limits       // zero: DefaultLimits
}

// Sender is the one door to Telegram. It shares the budget of Telegram's limits between all messages, and
// obeys retry_after. Its methods may be called side by side; errors are of type *Error.
//
// A call in the reply class has nobody to repeat it, so Sender does, up to three times, where that cannot
// make a duplicate. Replies to strangers and cleanups are made once. Calls in other classes come from the outbox, which repeats
// by itself.
type Sender struct {
	bot    *bot.Bot
	http   *Client
	log    *slog.Logger
	budget *budget
}

// NewSender makes a Sender.
func NewSender(cfg SenderConfig) *Sender {
	if cfg.Limits.Overall.N == 0 {
		cfg.Limits = DefaultLimits()
	}
	return &Sender{bot: cfg.Bot, http: cfg.HTTP, log: cfg.Log, budget: newBudget(cfg.Limits)}
}

// Waiting is how many messages of the classes that can wait (Pings, Alerts, Digests) have not had their turn.
func (s *Sender) Waiting() int { return s.budget.waiting() }

// Overall is how many messages may go to everybody.
func (s *Sender) Overall() Limit { return s.budget.limits.Overall }

// Delay is how long the limits of a chat alone would hold a message of a class back: zero where those let it go now. What everybody waits
// for comes on top of it.
func (s *Sender) Delay(chat int64, class Class) time.Duration { return s.budget.delay(chat, class) }

// Purpose is what a call is made for, and for whom: its place among all others depends on that.
type Purpose struct {
	Class   Class
	Account string // "" where none is known
}

// SendOptions say how a message is sent.
type SendOptions struct {
	Purpose

	Silent  bool // the phone does not ring
	ReplyTo int  // id of the message that it answers; 0 for none. If that is gone, it is sent all the same
	// Thread is the topic that it goes to; 0 for none. Should that be gone, the message goes to the group as
	// such, unless OnlyThere is set.
	Thread    int
	OnlyThere bool
}

// Send sends a message, or a document or picture where it has a File, and returns its id (sendMessage, sendDocument,
// sendPhoto). It is not idempotent: after an Ambiguous error the message may have arrived.
func (s *Sender) Send(ctx context.Context, chat int64, m screen.Message, o SendOptions) (int, error) {
	id, err := s.send(ctx, chat, m, o, models.ParseModeHTML)
	if o.Thread != 0 && !o.OnlyThere && TopicIsGone(err) {
		o.Thread = 0
		id, err = s.send(ctx, chat, m, o, models.ParseModeHTML)
	}
	// Last: a plain text has no markup that could be refused once more.
	if s.unparsed(chat, err) {
		return s.send(ctx, chat, plain(m), o, "")
	}
	return id, err
}

// Edit replaces the text and keyboard of a message (editMessageText); without a keyboard, the one that
// is there goes. It is success if the message shows the same already, so it can be repeated. A File is
// not sent.
func (s *Sender) Edit(ctx context.Context, chat int64, message int, m screen.Message, why Purpose) error {
	_, err := s.replace(ctx, chat, message, m, why)
	return err
}

// Clear takes the keyboard from a message (editMessageReplyMarkup). It is success if the message is gone, or has none.
func (s *Sender) Clear(ctx context.Context, chat int64, message int, why Purpose) error {
	err := s.call(ctx, why.to(chat), call{method: "editMessageReplyMarkup", paced: true, repeatable: true, do: func(ctx context.Context) error {
		_, err := s.bot.EditMessageReplyMarkup(inJSON(ctx, &bot.EditMessageReplyMarkupParams{ChatID: chat, MessageID: message}), nil)
		return err
	}})
	if Classify(err).Kind == Gone {
		return nil
	}
	return err
}

// Pin pins a message (pinChatMessage), and no phone rings. It is success if it is pinned already.
func (s *Sender) Pin(ctx context.Context, chat int64, message int, why Purpose) error {
	err := s.call(ctx, why.to(chat), call{method: "pinChatMessage", paced: true, repeatable: true, do: func(ctx context.Context) error {
		_, err := s.bot.PinChatMessage(inJSON(ctx, &bot.PinChatMessageParams{ChatID: chat, MessageID: message, DisableNotification: true}), nil)
		return err
	}})
	if err != nil && strings.Contains(err.Error(), "CHAT_NOT_MODIFIED") {
		return nil
	}
	return err
}

// Unpin takes a pinned message down (unpinChatMessage). It is success if it is not pinned, or gone.
func (s *Sender) Unpin(ctx context.Context, chat int64, message int, why Purpose) error {
	err := s.call(ctx, why.to(chat), call{method: "unpinChatMessage", repeatable: true, do: func(ctx context.Context) error {
		_, err := s.bot.UnpinChatMessage(inJSON(ctx, &bot.UnpinChatMessageParams{ChatID: chat, MessageID: message}), nil)
		return err
	}})
	if err != nil && strings.Contains(err.Error(), "not found") {
		return nil
	}
	return err
}

// Delete removes a message (deleteMessage). It is success if there is none.
func (s *Sender) Delete(ctx context.Context, chat int64, message int, why Purpose) error {
	err := s.call(ctx, why.to(chat), call{method: "deleteMessage", repeatable: true, do: func(ctx context.Context) error {
		_, err := s.bot.DeleteMessage(inJSON(ctx, &bot.DeleteMessageParams{ChatID: chat, MessageID: message}), nil)
		return err
	}})
	if Classify(err).Kind == Gone && strings.Contains(err.Error(), "not found") {
		return nil
	}
	return err
}

// Answer ends a callback query (answerCallbackQuery), with up to 200 characters of text or, as an alert,
// with a text to be confirmed. A query that is too old needs no answer any more: that is success. A stranger gets
// one while there is room for strangers.
func (s *Sender) Answer(ctx context.Context, query, text string, alert bool, why Purpose) error {
	// An answer to a query counts against no limit of messages, so call gives it no turn. A stranger's takes a stranger's place all the
	// same, for whoever taps without end costs a call each time.
	if why.Class == Strangers && !s.budget.spare() {
		return noTurn("answerCallbackQuery", ErrNoRoom)
	}
	// Chat 0: a 429 to this method is about no chat, and has everybody rest (budget.obey).
	err := s.call(ctx, why.to(0), call{method: "answerCallbackQuery", repeatable: true, do: func(ctx context.Context) error {
		_, err := s.bot.AnswerCallbackQuery(inJSON(ctx, &bot.AnswerCallbackQueryParams{CallbackQueryID: query, Text: text, ShowAlert: alert}), nil)
		return err
	}})
	if Classify(err).Kind == Gone {
		return nil
	}
	return err
}

// Typing shows in a chat, or a topic of it, that the bot is at work, for five seconds or until its next message (sendChatAction). It is
// no message, and counts against no limit of those.
func (s *Sender) Typing(ctx context.Context, chat int64, thread int, why Purpose) error {
	return s.call(ctx, why.to(chat), call{method: "sendChatAction", repeatable: true, do: func(ctx context.Context) error {
		_, err := s.bot.SendChatAction(inJSON(ctx, &bot.SendChatActionParams{ChatID: chat, MessageThreadID: thread, Action: models.ChatActionTyping}), nil)
		return err
	}})
}

// CreateTopic makes a topic in a group that has topics, and returns its id (createForumTopic). It is not idempotent: after an
// Ambiguous error there may be one. The name has 128 characters at most.
func (s *Sender) CreateTopic(ctx context.Context, chat int64, name string, why Purpose) (thread int, err error) {
	err = s.call(ctx, why.to(chat), call{method: "createForumTopic", paced: true, do: func(ctx context.Context) error {
		made, err := s.bot.CreateForumTopic(inJSON(ctx, &bot.CreateForumTopicParams{ChatID: chat, Name: name}), nil)
		if err == nil {
			thread = made.MessageThreadID
		}
		return err
	}})
	return thread, err
}

// Leave leaves a group (leaveChat). It is success if the bot is not there.
func (s *Sender) Leave(ctx context.Context, chat int64, why Purpose) error {
	err := s.call(ctx, why.to(chat), call{method: "leaveChat", repeatable: true, do: func(ctx context.Context) error {
		_, err := s.bot.LeaveChat(inJSON(ctx, &bot.LeaveChatParams{ChatID: chat}), nil)
		return err
	}})
	if Classify(err).Kind == Unreachable {
		return nil
	}
	return err
}

// replace is Edit, and reports whether the message showed the same already.
func (s *Sender) replace(ctx context.Context, chat int64, message int, m screen.Message, why Purpose) (same bool, err error) {
	same, err = s.edit(ctx, why, chat, message, m, models.ParseModeHTML)
	if s.unparsed(chat, err) {
		return s.edit(ctx, why, chat, message, plain(m), "")
	}
	return same, err
}

// edit is one editMessageText.
func (s *Sender) edit(ctx context.Context, why Purpose, chat int64, message int, m screen.Message, mode models.ParseMode) (same bool, err error) {
	c := call{method: "editMessageText", paced: true, repeatable: true}
	c.do = func(ctx context.Context) error {
		_, err := s.bot.EditMessageText(inJSON(ctx, &bot.EditMessageTextParams{
			ChatID: chat, MessageID: message, Text: m.HTML, ParseMode: mode,
			LinkPreviewOptions: noPreview(), ReplyMarkup: markup(m.Rows()),
		}), nil)
		// Classify takes it for success, and does not tell it apart.
		same = err != nil && Classify(err).Kind == OK
		return err
	}
	err = s.call(ctx, why.to(chat), c)
	return same, err
}

// send is one sendMessage, sendDocument or sendPhoto.
func (s *Sender) send(ctx context.Context, chat int64, m screen.Message, o SendOptions, mode models.ParseMode) (id int, err error) {
	c := call{method: "sendMessage", paced: true}
	var reply *models.ReplyParameters
	if o.ReplyTo != 0 {
		reply = &models.ReplyParameters{MessageID: o.ReplyTo, AllowSendingWithoutReply: true}
	}
	// sent is read only where call has returned nil: then do has set it in the last of its tries.
	var sent *models.Message
	c.do = func(ctx context.Context) (err error) {
		sent, err = s.bot.SendMessage(inJSON(ctx, &bot.SendMessageParams{
			ChatID: chat, MessageThreadID: o.Thread, Text: m.HTML, ParseMode: mode, LinkPreviewOptions: noPreview(),
			DisableNotification: o.Silent, ReplyParameters: reply, ReplyMarkup: replyMarkup(m),
		}), nil)
		return err
	}
	if m.File != nil && m.File.Photo {
		// The reader over the file is made within do: each try needs one that nothing has been read from.
		c.method = "sendPhoto"
		c.do = func(ctx context.Context) (err error) {
			sent, err = s.bot.SendPhoto(ctx, &bot.SendPhotoParams{
				ChatID: chat, MessageThreadID: o.Thread, Caption: m.HTML, ParseMode: mode,
				Photo:               &models.InputFileUpload{Filename: m.File.Name, Data: bytes.NewReader(m.File.Body)},
				DisableNotification: o.Silent, ReplyParameters: reply, ReplyMarkup: markup(m.Rows()),
			})
			return err
		}
	} else if m.File != nil {
		c.method = "sendDocument"
		c.do = func(ctx context.Context) (err error) {
			sent, err = s.bot.SendDocument(ctx, &bot.SendDocumentParams{
				ChatID: chat, MessageThreadID: o.Thread, Caption: m.HTML, ParseMode: mode,
				Document:            &models.InputFileUpload{Filename: m.File.Name, Data: bytes.NewReader(m.File.Body)},
				DisableNotification: o.Silent, ReplyParameters: reply, ReplyMarkup: replyMarkup(m),
			})
			return err
		}
	}
	if err := s.call(ctx, o.to(chat), c); err != nil {
		return 0, err
	}
	return sent.ID, nil
}

// unparsed reports whether Telegram could not parse a message's markup: a defect of ours, that must not
// keep the message from arriving.
func (s *Sender) unparsed(chat int64, err error) bool {
	if Classify(err).Kind != Poison || !strings.Contains(err.Error(), "can't parse entities") {
		return false
	}
	s.log.Error("message goes as plain text", "chat", chat, "err", err)
	return true
}

// call is one call of the Bot API and how it may be treated. Those that are not paced (a callback's answer, deletions) take no place in the
// budget, and wait only while everybody rests.
type call struct {
	method     string
	paced      bool // counts against the limits
	repeatable bool // twice is the same as once
	do         func(context.Context) error
}

// to is a call for somebody, to a chat; 0 for none.
func (c Purpose) to(chat int64) sending {
	return sending{chat: chat, account: c.Account, class: c.Class}
}

// call makes a call when its turn has come, and repeats one that somebody waits for. What Telegram says of limits is
// about whom it is for.
func (s *Sender) call(ctx context.Context, to sending, c call) error {
	for try := 1; ; try++ {
		p, err := s.turn(ctx, to, c)
		if err != nil {
			return err
		}
		err = failure(c.method, c.do(ctx))
		// Before anything is made of the answer, and in each round: a place that is not answered counts as still under way.
		if c.paced {
			s.budget.answered(to, p, err == nil)
		}
		if err == nil {
			return nil
		}
		r := Classify(err)
		if r.After > 0 {
			s.budget.obey(to, r.After)
			s.log.Warn("Telegram asked to wait", "method", c.method, "chat", to.chat, "after", r.After)
		}
		// obey comes before the wait, so that others to the same chat rest meanwhile.
		wait := max(r.After, backoff.Doubled(replyWait, time.Minute, try))
		if try == replyTries || !c.mayRepeat(to.class, r.Kind) || !pause(ctx, wait) {
			return err
		}
	}
}

// turn waits until a call may be made: a message for its place in the budget, anything else while everybody rests.
func (s *Sender) turn(ctx context.Context, to sending, c call) (p *place, err error) {
	if c.paced {
		if p, err = s.budget.wait(ctx, to); err != nil {
			return p, noTurn(c.method, err)
		}
		return p, nil
	}
	if rest := s.budget.resting(); rest > 0 && !pause(ctx, rest) {
		return p, noTurn(c.method, cmp.Or(ctx.Err(), context.DeadlineExceeded))
	}
	return p, nil
}

// noTurn is the error of a call that was not made.
func noTurn(method string, err error) error {
	// Again, since nothing left this machine. After stays zero, for it is not Telegram that asks to wait.
	return &Error{Method: method, Result: Result{Kind: Again}, cause: "waited for its turn", ctx: err}
}

// mayRepeat reports whether the call, which ended so, should be made again at once: a reply, for somebody waits for it, and what is for
// strangers, where it takes no turn. After an Ambiguous end the call may have been executed, so only what is the same twice is repeated.
func (c call) mayRepeat(class Class, k Kind) bool {
	repeats := class == Replies || class == Strangers && !c.paced
	return repeats && (k == Again || k == Ambiguous && c.repeatable)
}

// pause waits, and reports whether it did: not where ctx would end first.
func pause(ctx context.Context, d time.Duration) bool {
	end, ok := ctx.Deadline()
	return (!ok || time.Until(end) > d) && backoff.Sleep(ctx, d)
}
