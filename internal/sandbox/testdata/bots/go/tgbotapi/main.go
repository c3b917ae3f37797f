// Command tgbotapi is the shop with github.com/go-telegram-bot-api/telegram-bot-api: URL-encoded forms, and
// the Bot API as it was in 2021.
package main

import (
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"os"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

func main() {
	server := os.Getenv("TELEGRAM_API_URL")
	bot, err := tgbotapi.NewBotAPIWithAPIEndpoint(os.Getenv("TELEGRAM_BOT_TOKEN"), server+"/bot%s/%s")
	if err != nil {
		log.Fatal(err)
	}
	for u := range bot.GetUpdatesChan(tgbotapi.UpdateConfig{Timeout: 20}) {
		if err := handle(bot, server, u); err != nil {
			log.Printf("update %d: %v", u.UpdateID, err)
		}
	}
}

func handle(bot *tgbotapi.BotAPI, server string, u tgbotapi.Update) error {
	m := u.Message
	if u.CallbackQuery != nil {
		return bought(bot, u.CallbackQuery)
	}
	if m == nil {
		return nil
	}
	reply := tgbotapi.NewMessage(m.Chat.ID, "")
	switch {
	case m.Text == "/keyboard":
		reply.Text, reply.ReplyMarkup = "Your number?", tgbotapi.NewOneTimeReplyKeyboard(tgbotapi.NewKeyboardButtonRow(tgbotapi.NewKeyboardButtonContact("Share")))
	case m.Text == "/fail":
		_, err := bot.Send(tgbotapi.NewMessage(999, "nobody"))
		refused, ok := err.(*tgbotapi.Error)
		if !ok {
			return fmt.Errorf("no refusal: %w", err)
		}
		reply.Text = refused.Message
	case m.Contact != nil:
		reply.Text, reply.ReplyMarkup = "Thanks, "+m.Contact.PhoneNumber, tgbotapi.NewRemoveKeyboard(false)
	case m.Photo != nil:
		n, err := weigh(bot, server, m.Photo[len(m.Photo)-1].FileID)
		if err != nil {
			return err
		}
		reply.Text = fmt.Sprintf("%d bytes", n)
	case m.Text != "":
		reply.Text, reply.ParseMode = "You said <b>"+html.EscapeString(m.Text)+"</b>", tgbotapi.ModeHTML
		reply.ReplyMarkup = tgbotapi.NewInlineKeyboardMarkup(tgbotapi.NewInlineKeyboardRow(
			tgbotapi.NewInlineKeyboardButtonData("Buy", "buy:1"), tgbotapi.NewInlineKeyboardButtonURL("Open", "https://shop.example/")))
	default:
		return nil
	}
	_, err := bot.Send(reply)
	return err
}

func bought(bot *tgbotapi.BotAPI, q *tgbotapi.CallbackQuery) error {
	if _, err := bot.Request(tgbotapi.NewCallback(q.ID, "coming")); err != nil {
		return err
	}
	chat := q.Message.Chat.ID
	if _, err := bot.Send(tgbotapi.NewEditMessageText(chat, q.Message.MessageID, "Bought")); err != nil {
		return err
	}
	doc := tgbotapi.NewDocument(chat, tgbotapi.FileBytes{Name: "codes.txt", Bytes: []byte("A\nB")})
	doc.Caption = "yours"
	_, err := bot.Send(doc)
	return err
}

func weigh(bot *tgbotapi.BotAPI, server, id string) (int64, error) {
	f, err := bot.GetFile(tgbotapi.FileConfig{FileID: id})
	if err != nil {
		return 0, err
	}
	resp, err := http.Get(server + "/file/bot" + bot.Token + "/" + f.FilePath)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return io.Copy(io.Discard, resp.Body)
}
