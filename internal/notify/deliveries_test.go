package notify_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/notify"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram"
)

// TestDeliveries brings ten codes to each of many chats at one moment, under Telegram's limits: nothing is
// refused, nothing comes twice, each chat rings once, and it takes hardly longer than the limits make it.
// DELIVERIES=full are 10,000 codes to 1,000 chats.
func TestDeliveries(t *testing.T) {
	sampletest.Slow(t)
	chats := 100
	if os.Getenv("DELIVERIES") == "full" {
		chats = 1000
	}
	const units, perSecond = 10, 30
	apptest.InMemory(t)
	synctest.Test(t, func(t *testing.T) {
		w := newDeliveryWorld(t)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for chat := range int64(chats) {
			w.summary(ctx, chat+1)
		}
		w.calls, w.refused = map[string]int{}, 0
		begin := time.Now()
		for chat := range int64(chats) {
			w.settle(chat+1, units)
		}
		all.Go(func() {
			if err := w.deliverer.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		took := w.drained(begin)
		cancel()
		all.Wait()
		receipts, others := w.calls["editmessagetext"], w.calls["sendmessage"]
		bound := time.Duration(receipts+others) * time.Second / perSecond
		t.Logf("%d codes to %d chats in %.1f s, where the limits make it %.1f s: %d receipts, %d other messages, %d refused",
			chats*units, chats, took.Seconds(), bound.Seconds(), receipts, others, w.refused)
		if w.refused > 0 || receipts != chats || float64(others) > 1.05*float64(chats) || took > bound*115/100+time.Second {
			t.Error("that is more than it may be")
		}
		for chat := range int64(chats) {
			w.check(chat+1, units)
		}
	})
}

// deliveryWorld is Telegram with its limits, and the parts of the program that send.
type deliveryWorld struct {
	*testing.T

	telegram  *tgsim.Server
	store     *store.Store
	sender    *telegram.Sender
	deliverer *notify.Deliverer

	mu      sync.Mutex
	calls   map[string]int // by method
	refused int
}

func newDeliveryWorld(t *testing.T) *deliveryWorld {
	t.Helper()
	w := &deliveryWorld{
		T: t, telegram: tgsim.New(tgsim.Options{Token: apptest.TestToken, BotName: "shop_bot", Limits: true}), store: storetest.New(t), calls: map[string]int{},
	}
	network := apptest.NewMemNet()
	listener, err := network.Listen("tcp", apptest.TelegramAddr)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: w}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	client := telegram.NewClient(network.Dial, secret.New(apptest.TestToken))
	t.Cleanup(client.Close)
	library, err := bot.New(apptest.TestToken, bot.WithServerURL("http://"+apptest.TelegramAddr), bot.WithSkipGetMe(), bot.WithHTTPClient(time.Minute, client))
	if err != nil {
		t.Fatal(err)
	}
	printers, err := screen.Load(time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	w.sender = telegram.NewSender(telegram.SenderConfig{Bot: library, Log: quiet})
	w.deliverer = notify.NewDeliverer(notify.DelivererConfig{
		Store: w.store, Sender: w.sender, Language: "en", Log: quiet, Zone: time.UTC,
		Screens: func(lang string, r screen.Reader, chat int64, own store.Prices) notify.Screens {
			p, _ := printers.For(lang)
			return notify.ScreensOf(p.As(r).For(chat).Asking(own))
		},
		Named: func(lang, account, called string, m screen.Message) screen.Message {
			p, _ := printers.For(lang)
			return p.Accounts().Of(account, called, m)
		},
		Balance: func(context.Context, string) screen.BalanceView { return screen.BalanceView{} },
	})
	return w
}

// ServeHTTP serves Telegram, 50 ms away, and counts.
func (w *deliveryWorld) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	<-time.After(50 * time.Millisecond)
	seen := &statusWriter{ResponseWriter: to}
	w.telegram.ServeHTTP(seen, r)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[strings.ToLower(path.Base(r.URL.Path))]++
	if seen.status == http.StatusTooManyRequests {
		w.refused++
	}
}

// summary makes a chat in which a summary was confirmed.
func (w *deliveryWorld) summary(ctx context.Context, chat int64) {
	w.Helper()
	w.telegram.AddUser(tgsim.User{ID: chat, FirstName: "Sam", LanguageCode: "en"})
	w.telegram.Send(chat, chat, "/start")
	id, err := w.sender.Send(ctx, chat, screen.Message{HTML: "Check before buying"}, telegram.SendOptions{Purpose: telegram.Purpose{Class: telegram.Deliveries}})
	if err != nil {
		w.Fatal(err)
	}
	p := store.Purchase{ID: purchaseOf(chat), Account: fmt.Sprint("u", chat), Chat: chat, Message: id, Phase: store.Accepted, Price: dzd.Must("10"), Product: "Card"}
	if err := w.store.Update(ctx, func(tx *store.Tx) error { return tx.PutPurchase(&p) }); err != nil {
		w.Fatal(err)
	}
}

// purchaseOf is the id of a chat's purchase.
func purchaseOf(chat int64) string { return fmt.Sprintf("01%024d", chat) }

// settle has the codes of a chat's purchase arrive, with the messages that tell of them.
func (w *deliveryWorld) settle(chat int64, units int) {
	w.Helper()
	err := w.store.Update(w.Context(), func(tx *store.Tx) error {
		p, err := tx.Purchase(purchaseOf(chat))
		if err != nil {
			return err
		}
		p.Quantity, p.Phase = units, store.Settled
		for unit := range units {
			o := store.Order{Account: p.Account, ID: fmt.Sprint("O", unit), Purchase: p.ID, Unit: unit + 1, State: store.Ready, Code: deliveredCode(chat, unit)}
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
			p.OrderIDs = append(p.OrderIDs, o.ID)
		}
		for _, m := range []store.Outgoing{
			{Chat: chat, ID: p.ID, Kind: store.StatusMessage, Purchase: p.ID, Priority: store.DeliveryPriority},
			{Chat: chat, ID: p.ID + ".p10", Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority},
		} {
			if err := tx.Enqueue(&m); err != nil {
				return err
			}
		}
		return tx.PutPurchase(&p)
	})
	if err != nil {
		w.Fatal(err)
	}
}

func deliveredCode(chat int64, unit int) secret.Text {
	return secret.New(fmt.Sprintf("CODE-%04d-%02d", chat, unit))
}

// drained waits until nothing is left to send, and tells how long that took.
func (w *deliveryWorld) drained(begin time.Time) time.Duration {
	w.Helper()
	for range 10_000 {
		<-time.After(100 * time.Millisecond)
		if _, queued, err := w.store.NextDue(w.Context(), store.KindOutbox); err == nil && !queued {
			return time.Since(begin)
		}
	}
	w.Fatal("the outbox does not empty")
	return 0
}

// check looks for all codes of a chat, each once, and one ring.
func (w *deliveryWorld) check(chat int64, units int) {
	w.Helper()
	rings := 0
	var all strings.Builder
	for _, m := range w.telegram.Messages(chat) {
		all.WriteString(m.Text)
		if strings.Contains(m.Text, "🔔") {
			rings++
		}
	}
	for unit := range units {
		if n := strings.Count(all.String(), deliveredCode(chat, unit).Reveal()); n != 1 {
			w.Errorf("chat %d shows code %d %d times", chat, unit, n)
		}
	}
	if rings != 1 {
		w.Errorf("chat %d rings %d times", chat, rings)
	}
}
