package proof

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// bareBot in the environment makes this program a bot of the bare library: the address of its Telegram.
const bareBot = "SPEED_BARE_BOT"

// runBare is a bot of the bare library, as its documentation shows one: it answers each message with a text of 142 characters
// and eight buttons, and each tap with the same in place of what was there. It keeps nothing.
func runBare(address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	text := "<b>Shop</b>\n" + strings.Repeat("All that is to be had here. ", 5)
	var keys [][]models.InlineKeyboardButton
	for i := range 4 {
		keys = append(keys, []models.InlineKeyboardButton{{Text: "Left", CallbackData: fmt.Sprint("l", i)}, {Text: "Right", CallbackData: fmt.Sprint("r", i)}})
	}
	markup := &models.InlineKeyboardMarkup{InlineKeyboard: keys}
	answer := func(ctx context.Context, b *bot.Bot, u *models.Update) {
		if q := u.CallbackQuery; q != nil {
			_, _ = b.AnswerCallbackQuery(ctx, &bot.AnswerCallbackQueryParams{CallbackQueryID: q.ID})
			_, _ = b.EditMessageText(ctx, &bot.EditMessageTextParams{
				ChatID: q.Message.Message.Chat.ID, MessageID: q.Message.Message.ID, Text: text + q.ID, ParseMode: models.ParseModeHTML, ReplyMarkup: markup,
			})
			return
		}
		_, _ = b.SendMessage(ctx, &bot.SendMessageParams{ChatID: u.Message.Chat.ID, Text: text, ParseMode: models.ParseModeHTML, ReplyMarkup: markup})
	}
	b, err := bot.New(killToken, bot.WithServerURL(address), bot.WithDefaultHandler(answer))
	if err != nil {
		return err
	}
	b.Start(ctx)
	return nil
}

// The people who write: each so seldom that no limit of a chat is met.
const (
	speedChats = 10_000
	firstChat  = 1_000_000
)

// measureUpdates tells what an update costs, ours beside the bare library's.
func measureUpdates(t *testing.T, full bool) {
	t.Helper()
	rounds, each := 3, 2000
	if full {
		rounds, each = 5, 5000
	}
	ours, bare := newSpeedBot(t), newSpeedBot(t)
	ours.startBeside(bare)
	begin := 0
	measure := func(what, method string, rate int, act func(b *speedBot, chat int64)) {
		compare(t, what, rounds, func(i int, b *speedBot) float64 { return b.load(begin+i*each, each, rate, method, act) }, ours, bare)
		begin += rounds * each
	}
	start := (*speedBot).says
	begin = speedChats - 2000 // to warm up
	ours.load(begin, 1000, 0, "sendmessage", start)
	bare.load(begin, 1000, 0, "sendmessage", start)
	begin = 0
	measure("/start", "sendmessage", 0, start)
	for i := 0; i < min(rounds*each, speedChats); i += each { // whoever has no screen to tap on yet
		ours.load(begin+i, each, 0, "sendmessage", start)
		bare.load(begin+i, each, 0, "sendmessage", start)
	}
	measure("a click", "editmessagetext", 0, (*speedBot).click)
	t.Logf("answered before the edit: %s", ours.answersFirst())
	each = min(each, 1500)
	measure("/start, 150 a second", "sendmessage", 150, start)
	t.Logf("resident: %s, bare library %s", ours.resident(), bare.resident())
	for _, b := range []*speedBot{ours, bare} {
		if c := b.telegram.Complaints(); len(c) > 0 && b == ours {
			t.Errorf("the simulated Telegram complains: %q", c)
		}
	}
}

// startBeside starts ours, in which everybody is a member, and a bot of the bare library.
func (b *speedBot) startBeside(bare *speedBot) {
	b.t.Helper()
	for _, b := range []*speedBot{b, bare} {
		for i := range int64(speedChats) {
			b.telegram.AddUser(tgsim.User{ID: firstChat + i, FirstName: "Sam", LanguageCode: "en"})
		}
	}
	b.seed(seedMembers(speedChats))
	b.limits = append(b.limits, "TELEGRAM_PER_SECOND=100000")
	program, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	b.start()
	bare.launch(program, append([]string{bareBot + "=" + bare.base}, bare.limits...))
}

// says is somebody who writes /start.
func (b *speedBot) says(chat int64) { b.telegram.Send(chat, chat, "/start") }

// compare tells what something costs ours and the bare library's bot, in turns: medians, and that of the ratios of each round.
func compare(t *testing.T, what string, rounds int, cost func(round int, b *speedBot) float64, ours, bare *speedBot) {
	t.Helper()
	var ratios, mine, theirs []float64
	for i := range rounds {
		m, th := cost(i, ours), cost(i, bare)
		mine, theirs, ratios = append(mine, m), append(theirs, th), append(ratios, m/th)
	}
	t.Logf("%s: %.3f s of CPU for 1,000, bare library %.3f, × %.2f (%.2f to %.2f)", what, median(mine), median(theirs),
		median(ratios), slices.Min(ratios), slices.Max(ratios))
}

// click taps on what leads from home to the help or back, and on the last button of a screen that has neither: not on what asks
// for the same once more, which is answered by what comes of it.
func (b *speedBot) click(chat int64) {
	for _, m := range slices.Backward(b.telegram.Messages(chat)) {
		data := ""
		for _, row := range m.Keyboard {
			for _, button := range row {
				a, _ := screen.ParseAction(button.Data)
				if known := a.Verb == screen.VerbHelp || a.Verb == screen.VerbHome; known && !a.LooksAgain() || data == "" {
					data = button.Data
				}
			}
		}
		if data != "" {
			b.telegram.Tap(chat, chat, m.ID, data)
			return
		}
	}
	b.t.Errorf("chat %d has nothing to tap on", chat)
}

// answersFirst tells how many of the taps that Telegram remembers were answered before their message was edited: both by the
// moments at which the calls came in.
func (b *speedBot) answersFirst() string {
	edited, answered := map[string]time.Time{}, map[string]time.Time{}
	for _, c := range b.telegram.Record() {
		switch c.Method {
		case "editmessagetext":
			edited[c.Params["chat_id"]] = c.At
		case "answercallbackquery":
			answered[c.Params["callback_query_id"]] = c.At
		}
	}
	first, all := 0, 0
	for _, q := range b.telegram.Callbacks() {
		at, known := edited[strconv.FormatInt(q.Chat, 10)]
		if answer, also := answered[q.ID]; known && also {
			all++
			if !answer.After(at) {
				first++
			}
		}
	}
	return fmt.Sprintf("%d of %d", first, all)
}

// seedMembers links every chat: two are the team of an account.
func seedMembers(chats int64) func(context.Context, *store.Store) error {
	return func(ctx context.Context, s *store.Store) error {
		const team = 2
		for first := int64(firstChat); first < firstChat+chats; first += team {
			err := s.Update(ctx, func(tx *store.Tx) error {
				a := store.Account{ID: fmt.Sprint("u", first), Name: "Shop", Key: secret.New(fmt.Sprint("KEY-speed-", first)), LinkedAt: time.Now()}
				for id := first; id < first+team; id++ {
					store.Admit(&a, store.Member{User: id, Name: "Sam", Role: store.Seller})
					if err := tx.PutChat(&store.Chat{ID: id, Account: a.ID, Language: "en", CreatedAt: time.Now()}); err != nil {
						return err
					}
				}
				return tx.PutAccount(&a)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// load has n people act, so many a second, or a hundred unanswered at most where rate is 0, and tells what a thousand
// of them have cost the bot, in seconds of CPU.
func (b *speedBot) load(first, n, rate int, method string, act func(b *speedBot, chat int64)) float64 {
	b.t.Helper()
	const flight = 100
	answered, before, begin := b.telegram.Calls()[method], b.spent(), time.Now()
	for i := 0; i < n; {
		if rate > 0 {
			<-time.After(time.Until(begin.Add(time.Duration(i) * time.Second / time.Duration(rate))))
		} else if i-b.telegram.Calls()[method]+answered >= flight {
			<-time.After(time.Millisecond)
			continue
		}
		act(b, int64(firstChat+(first+i)%speedChats))
		i++
	}
	b.until("all answers", func() bool { return b.telegram.Calls()[method]-answered >= n })
	<-time.After(200 * time.Millisecond) // what follows the last answer
	return (b.spent() - before).Seconds() * 1000 / float64(n)
}

// median is the one in the middle.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
