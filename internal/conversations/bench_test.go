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
func (quiet) Clear(context.Context, int64, int) error                 { return nil }
func (quiet) Download(context.Context, string, int64) ([]byte, error) { return nil, nil }
func (quiet) Delete(context.Context, int64, int) error                { return nil }
func (quiet) Typing(context.Context, int64, int) error                { return nil }
func (quiet) Delay(int64) time.Duration                               { return 0 }
func (quiet) Answer(context.Context, string, string, bool) error      { return nil }

// shelf is a service with a catalogue of 5,000 products.
type shelf struct {
	Service

	all []api.Product
}

func (s shelf) LastProducts() ([]api.Product, time.Time, bool)                 { return s.all, time.Now(), true }
func (s shelf) Products(context.Context, time.Duration) ([]api.Product, error) { return s.all, nil }
func (shelf) Balance(context.Context, time.Duration) (api.Balance, error) {
	return api.Balance{Balance: dzd.Int(1000), Available: dzd.Int(1000)}, nil
}

// BenchmarkCallback is a tap on ▶ in a catalogue of 5,000 products, from the update on its way in to the
// edit on its way out, with both commits of the inbox, of somebody who is alone and of a member of a team of 50.
func BenchmarkCallback(b *testing.B) {
	for _, members := range []int{1, 50} {
		b.Run(fmt.Sprintf("team of %d", members), func(b *testing.B) { taps(b, members) })
	}
}

// teamOf is an account with a team whose first member is 7.
func teamOf(members int) *store.Account {
	a := &store.Account{ID: "u1", Key: secret.New("key")}
	limit := dzd.Int(5000)
	for i := range members {
		m := store.Member{User: int64(7 + i), Name: fmt.Sprintf("Member %d", i), Role: store.Seller, By: 7, Since: time.Now(), PerPurchase: &limit, PerDay: &limit, Day: "2026-01-01", Spent: limit}
		if i == 0 {
			m.Role = store.Owner
		}
		a.Team, a.Chats = append(a.Team, m), append(a.Chats, m.User)
	}
	return a
}

// tap is an update: 7 turns a page of the catalogue.
func tap(id int64) []byte {
	return fmt.Appendf(nil, `{"update_id":%d,"callback_query":{"id":"q","from":{"id":7,"first_name":"Sam"},"message":{"message_id":1,"date":1,"chat":{"id":7,"type":"private"}},"data":"1:buy:%d"}}`, id, id%600)
}

// benchBot is a bot for a team.
func benchBot(tb testing.TB, members int, out Messenger, sells Service) *Bot {
	tb.Helper()
	st := storetest.New(tb)
	screens, err := screen.Load(time.UTC)
	if err != nil {
		tb.Fatal(err)
	}
	err = st.Update(tb.Context(), func(tx *store.Tx) error {
		if err := tx.PutAccount(teamOf(members)); err != nil {
			return err
		}
		return tx.PutChat(&store.Chat{ID: 7, Account: "u1", Language: "fr"})
	})
	if err != nil {
		tb.Fatal(err)
	}
	bot := New(Config{
		Store: st, Messenger: out, Screens: screens, Language: "fr", Access: Access{Members: Pace{Burst: 1 << 30, Every: time.Nanosecond}}, BotName: func() string { return "" }, Reachable: func(int64) {},
		Service: func(store.Account) Service { return sells }, Log: slog.New(slog.DiscardHandler),
	})
	tb.Cleanup(func() { bot.Stop(context.Background()) })
	return bot
}

// taps is BenchmarkCallback for a team.
func taps(b *testing.B, members int) {
	b.Helper()
	var sells shelf
	for i := range int64(5000) {
		sells.all = append(sells.all, api.Product{ID: i + 1, Name: fmt.Sprintf("Card %d", i), Variants: []api.Variant{{ID: i + 1, Name: "5 USD", Price: dzd.Int(100), Available: true}}})
	}
	out := quiet{shown: make(chan struct{})}
	bot := benchBot(b, members, out, sells)
	inbox := Inbox{Store: bot.cfg.Store, Bot: bot, Log: bot.cfg.Log}
	b.ReportAllocs()
	id := int64(0)
	for b.Loop() {
		id++
		if err := inbox.Accept(b.Context(), []telegram.Raw{{ID: id, Body: tap(id)}}); err != nil {
			b.Fatal(err)
		}
		<-out.shown
	}
}

// BenchmarkVisit is what is read and decided for an update before its flow: how it comes in, and that its person may.
func BenchmarkVisit(b *testing.B) {
	for _, members := range []int{1, 50} {
		b.Run(fmt.Sprintf("team of %d", members), func(b *testing.B) {
			bot := benchBot(b, members, quiet{}, shelf{})
			u, err := decodeUpdate(tap(1))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				how, seen := bot.judge(b.Context(), u)
				if how != handleStored {
					b.Fatalf("it comes in as %d", how)
				}
				if _, _, err := bot.gate(b.Context(), &arrival{in: store.Incoming{Chat: 7}, update: u, seen: seen}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
