// Command telego is the shop with github.com/mymmrac/telego: JSON, and types for everything.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/mymmrac/telego"
	"github.com/mymmrac/telego/telegoapi"
	tu "github.com/mymmrac/telego/telegoutil"
)

func main() {
	ctx := context.Background()
	bot, err := telego.NewBot(os.Getenv("TELEGRAM_BOT_TOKEN"), telego.WithAPIServer(os.Getenv("TELEGRAM_API_URL")), telego.WithDefaultLogger(false, true))
	if err != nil {
		log.Fatal(err)
	}
	updates, err := bot.UpdatesViaLongPolling(ctx, &telego.GetUpdatesParams{Timeout: 20})
	if err != nil {
		log.Fatal(err)
	}
	for u := range updates {
		if err := handle(ctx, bot, u); err != nil {
			log.Printf("update %d: %v", u.UpdateID, err)
		}
	}
}

func handle(ctx context.Context, bot *telego.Bot, u telego.Update) error {
	switch m := u.Message; {
	case u.CallbackQuery != nil:
		return bought(ctx, bot, u.CallbackQuery)
	case m == nil:
		return nil
	case m.Text == "/keyboard":
		_, err := bot.SendMessage(ctx, tu.Message(m.Chat.ChatID(), "Your number?").WithReplyMarkup(
			tu.Keyboard(tu.KeyboardRow(tu.KeyboardButton("Share").WithRequestContact())).WithOneTimeKeyboard().WithResizeKeyboard()))
		return err
	case m.Text == "/fail":
		return fail(ctx, bot, m.Chat.ChatID())
	case m.Contact != nil:
		_, err := bot.SendMessage(ctx, tu.Message(m.Chat.ChatID(), "Thanks, "+m.Contact.PhoneNumber).WithReplyMarkup(tu.ReplyKeyboardRemove()))
		return err
	case m.Photo != nil:
		return weigh(ctx, bot, m)
	case m.Text != "":
		_, err := bot.SendMessage(ctx, tu.Message(m.Chat.ChatID(), "You said <b>"+html.EscapeString(m.Text)+"</b>").WithParseMode(telego.ModeHTML).WithReplyMarkup(
			tu.InlineKeyboard(tu.InlineKeyboardRow(tu.InlineKeyboardButton("Buy").WithCallbackData("buy:1"), tu.InlineKeyboardButton("Open").WithURL("https://shop.example/")))))
		return err
	}
	return nil
}

func bought(ctx context.Context, bot *telego.Bot, q *telego.CallbackQuery) error {
	if err := bot.AnswerCallbackQuery(ctx, tu.CallbackQuery(q.ID).WithText("coming")); err != nil {
		return err
	}
	chat := q.Message.GetChat()
	if _, err := bot.EditMessageText(ctx, &telego.EditMessageTextParams{ChatID: chat.ChatID(), MessageID: q.Message.GetMessageID(), Text: "Bought"}); err != nil {
		return err
	}
	_, err := bot.SendDocument(ctx, tu.Document(chat.ChatID(), tu.File(tu.NameReader(bytes.NewReader([]byte("A\nB")), "codes.txt"))).WithCaption("yours"))
	return err
}

func fail(ctx context.Context, bot *telego.Bot, chat telego.ChatID) error {
	_, err := bot.SendMessage(ctx, tu.Message(tu.ID(999), "nobody"))
	var refused *telegoapi.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("no refusal: %w", err)
	}
	_, err = bot.SendMessage(ctx, tu.Message(chat, refused.Description))
	return err
}

func weigh(ctx context.Context, bot *telego.Bot, m *telego.Message) error {
	f, err := bot.GetFile(ctx, &telego.GetFileParams{FileID: m.Photo[len(m.Photo)-1].FileID})
	if err != nil {
		return err
	}
	resp, err := http.Get(bot.FileDownloadURL(f.FilePath))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		return err
	}
	_, err = bot.SendMessage(ctx, tu.Message(m.Chat.ChatID(), fmt.Sprintf("%d bytes", n)))
	return err
}
