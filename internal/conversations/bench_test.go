package conversations

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram"
)

// quiet is a messenger that only tells that something was shown.
type quiet struct{ shown chan struct{} }

func (q quiet) Send(context.Context, int64, int, screen.Message) (int, error) {
	q.shown <- struct{}{}
	return 1, nil
}
func (q quiet) Edit(context.Context, int64, int, screen.Message) error {
	q.shown <- struct{}{}
	return nil
}
func (quiet) Clear(context.Context, int64, int) error            { return nil }
func (quiet) Delete(context.Context, int64, int) error           { return nil }
func (quiet) Answer(context.Context, string, string, bool) error { return nil }

// shelf is a service with a catalogue of 5,000 products.
type shelf struct {
	Service

	all []api.Product
}

func (s shelf) Products(context.Context, time.Duration) ([]api.Product, error) { return s.all, nil }

// BenchmarkCallback is a tap on ▶ in a catalogue of 5,000 products, from the update on its way in to the
// edit on its way out, with both commits of the inbox.
func BenchmarkCallback(b *testing.B) {
	st := storetest.New(b)
	screens, err := screen.Load(time.UTC)
	if err != nil {
		b.Fatal(err)
	}
	var sells shelf
	for i := range int64(5000) {
		sells.all = append(sells.all, api.Product{ID: i + 1, Name: fmt.Sprintf("Card %d", i), Variants: []api.Variant{{ID: i + 1, Name: "5 USD", Price: dzd.Int(100), Available: true}}})
	}
	err = st.Update(b.Context(), func(tx *store.Tx) error {
		if err := tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("key"), Chats: []int64{7}}); err != nil {
			return err
		}
		return tx.PutChat(&store.Chat{ID: 7, Account: "u1", Language: "fr"})
	})
	if err != nil {
		b.Fatal(err)
	}
	out := quiet{shown: make(chan struct{})}
	bot := New(Config{
		Store: st, Messenger: out, Screens: screens, Language: "fr", BotName: func() string { return "" }, Reachable: func(int64) {},
		Service: func(store.Account) Service { return sells }, Log: slog.New(slog.DiscardHandler),
	})
	defer bot.Stop(context.Background())
	inbox := Inbox{Store: st, Bot: bot, Log: slog.New(slog.DiscardHandler)}
	b.ReportAllocs()
	id := int64(0)
	for b.Loop() {
		id++
		body := fmt.Appendf(nil, `{"update_id":%d,"callback_query":{"id":"q","from":{"id":7,"first_name":"Sam"},"message":{"message_id":1,"date":1,"chat":{"id":7,"type":"private"}},"data":"1:buy:%d"}}`, id, id%600)
		if err := inbox.Take(b.Context(), []telegram.Raw{{ID: id, Body: body}}); err != nil {
			b.Fatal(err)
		}
		<-out.shown
	}
}
