package notify

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

// words are screens that say what they were given.
type words struct {
	lang   string
	reader screen.Reader
}

func (w words) Traded(p store.Purchase, orders []store.Order, b screen.BalanceView, at store.QueuePlace, _ store.Trade) screen.Message {
	if p.Product == "panic" {
		panic("CODE-123")
	}
	text := fmt.Sprintf("%s %s codes=%s", w.lang, p.Phase, codes(orders))
	if w.reader == screen.ForShop {
		text = fmt.Sprintf("%s %s hidden", w.lang, p.Phase)
	}
	if p.Told.MaybeSent {
		text += " again"
	}
	if b.Known {
		text += " balance"
	}
	if at.Ahead > 0 {
		text += fmt.Sprintf(" ahead=%d", at.Ahead)
	}
	return screen.Message{HTML: text}
}

func (w words) Pending(p store.Purchase, _ []store.Order, _ store.QueuePlace) screen.Message {
	return screen.Message{HTML: fmt.Sprintf("pending %s %s", store.Ref(p.ID), p.Phase)}
}

func (w words) BoardEnded(bool) screen.Message   { return screen.Message{HTML: "no board"} }
func (w words) TopicName(s store.Subject) string { return "topic " + string(s) }

func (w words) Ping(p store.Purchase, _ []store.Order) screen.Message {
	return screen.Message{HTML: "ping " + store.Ref(p.ID)}
}

func (w words) Bell(p store.Purchase, _ []store.Order) screen.Button {
	return screen.Button{Text: "to " + store.Ref(p.ID), Data: screen.Action{Verb: screen.VerbOrder, Args: []string{p.ID}}.Data()}
}

func (w words) Document(p store.Purchase, orders []store.Order) screen.Message {
	text := "codes"
	if p.Told.MaybeSent {
		text += " again"
	}
	return screen.Message{HTML: text, File: &screen.File{Name: "codes.txt", Body: []byte(codes(orders))}}
}

func (w words) Part(p store.Purchase, orders []store.Order, units store.Units, last bool) screen.Message {
	text := "codes " + units.String()
	if last {
		text += ", the last"
	}
	if p.Told.MaybeSent {
		text += " again"
	}
	return screen.Message{HTML: text, File: &screen.File{Name: "part.txt", Body: []byte(codes(units.Of(orders)))}}
}

func (w words) Support(p store.Purchase, _ []store.Order, account string) screen.Message {
	return screen.Message{HTML: "support " + store.Ref(p.ID) + " " + account}
}

func (w words) Copy(p store.Purchase, _ []store.Order) screen.Message {
	return screen.Message{HTML: "copy " + store.Ref(p.ID)}
}

func (w words) Request(p store.Purchase, _ []store.Order, _ screen.BalanceView) screen.Message {
	return screen.Message{HTML: "request " + string(p.Phase)}
}

func (w words) Decision(p store.Purchase, _ []store.Order, _ store.QueuePlace) screen.Message {
	return screen.Message{HTML: "decision " + string(p.Phase)}
}

func (w words) Note(name store.NoteName, args map[string]string) screen.Message {
	return screen.Message{HTML: "note " + string(name) + " " + args["n"] + args["ref"]}
}

// codes lists the codes that are there.
func codes(orders []store.Order) string {
	var list []string
	for _, o := range orders {
		if o.State == store.Ready {
			list = append(list, o.Code.Reveal())
		}
	}
	return strings.Join(list, ",")
}

// harness is a store, a fake Telegram and a Deliverer between them.
type harness struct {
	*testing.T

	store    *store.Store
	telegram *telegramtest.Fake
	sender   *telegram.Sender
	d        *Deliverer
	stop     func() error // ends Run and returns what it returned
}

// inBubble runs a test in virtual time, with a harness in which nothing runs yet.
func inBubble(t *testing.T, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &harness{T: t, store: storetest.New(t), telegram: telegramtest.NewFake()}
		h.open()
		test(h)
	})
}

// open makes a Deliverer, as a start of the program does.
func (h *harness) open() {
	h.sender = telegramtest.NewSender(h.T, h.telegram, telegram.Limits{})
	h.d = NewDeliverer(DelivererConfig{
		Store: h.store, Sender: h.sender, Language: "fr", Log: telegramtest.Discard(), Zone: time.UTC,
		Screens: func(lang string, r screen.Reader, _ int64, _ store.Prices) Screens { return words{lang, r} },
		Named:   func(_, _, _ string, m screen.Message) screen.Message { return m },
		Balance: func(context.Context, string) screen.BalanceView { return screen.BalanceView{Known: true} },
	})
}

// run starts the Deliverer; it is stopped at the end of the test at the latest.
func (h *harness) run() {
	ctx, cancel := context.WithCancel(h.Context())
	done := make(chan error, 1)
	go func() { done <- h.d.Run(ctx) }()
	h.stop = func() error {
		cancel()
		err := <-done
		done <- err
		return err
	}
	h.Cleanup(func() { h.stop() })
}

// do is a transaction that succeeds.
func (h *harness) do(fn func(*store.Tx) error) {
	h.Helper()
	if err := h.store.Update(h.Context(), fn); err != nil {
		h.Fatal(err)
	}
}

// chat makes a chat that is known.
func (h *harness) chat(id int64) {
	h.Helper()
	h.do(func(tx *store.Tx) error { return tx.PutChat(&store.Chat{ID: id, Language: "en"}) })
}

// purchase makes a purchase whose orders have these codes ("" is still waiting), shown by a status message.
func (h *harness) purchase(chat int64, codes ...string) store.Purchase {
	h.Helper()
	p := store.Purchase{ID: store.NewID(time.Now(), rand.Reader), Account: "u1", Chat: chat, Phase: store.Accepted, Quantity: len(codes), QueuedAt: time.Now()}
	var err error
	if p.Message, err = h.sender.Send(h.Context(), chat, screen.Message{HTML: "summary"}, telegram.SendOptions{}); err != nil {
		h.Fatal(err)
	}
	h.do(func(tx *store.Tx) error {
		for i, code := range codes {
			o := store.Order{Account: "u1", ID: fmt.Sprintf("%s-%d", p.ID, i), Purchase: p.ID, Unit: i + 1, State: store.Waiting, CreatedAt: time.Now()}
			if code != "" {
				o.State, o.Code = store.Ready, secret.New(code)
			}
			p.OrderIDs = append(p.OrderIDs, o.ID)
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
		}
		return tx.PutPurchase(&p)
	})
	return p
}

// delete deletes a purchase's message, as its chat can.
func (h *harness) delete(p store.Purchase) {
	h.Helper()
	if err := h.sender.Delete(h.Context(), p.Chat, p.Message, telegram.Purpose{}); err != nil {
		h.Fatal(err)
	}
}

// enqueue queues rows.
func (h *harness) enqueue(rows ...store.Outgoing) {
	h.Helper()
	h.do(func(tx *store.Tx) error {
		for _, r := range rows {
			if err := tx.Enqueue(&r); err != nil {
				return err
			}
		}
		return nil
	})
}

// statusRow, ping and document are rows as purchases queue them.
func statusRow(p store.Purchase) store.Outgoing {
	return store.Outgoing{Chat: p.Chat, ID: p.ID, Kind: store.StatusMessage, Purchase: p.ID, Priority: store.DeliveryPriority}
}

func ping(p store.Purchase) store.Outgoing {
	return store.Outgoing{Chat: p.Chat, ID: p.ID + ".p1", Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority}
}

func document(p store.Purchase) store.Outgoing { return *store.FileOf(p) }

func note(chat int64, n int) store.Outgoing {
	return store.Outgoing{Chat: chat, ID: fmt.Sprintf("n%06d", n), Kind: store.Note, Priority: store.AlertPriority, Args: map[string]string{"name": "hello", "n": strconv.Itoa(n)}}
}

// left lists the ids of the rows that wait for a chat.
func (h *harness) left(chat int64) []string {
	h.Helper()
	rows, err := h.store.ChatOutbox(h.Context(), chat, 1000)
	if err != nil {
		h.Fatal(err)
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

// told is what the store holds of a purchase.
func (h *harness) told(p store.Purchase) store.Purchase {
	h.Helper()
	p, err := h.store.Purchase(h.Context(), p.ID)
	if err != nil {
		h.Fatal(err)
	}
	return p
}

// texts lists what a chat was sent, without the summaries.
func (h *harness) texts(chat int64) []string {
	var list []string
	for _, c := range h.telegram.Calls() {
		if c.Chat == chat && c.Text() != "summary" && c.Method != "deleteMessage" {
			list = append(list, c.Text())
		}
	}
	return list
}

// expect compares what a chat was sent and what still waits for it.
func (h *harness) expect(chat int64, left int, texts ...string) {
	h.Helper()
	if got := h.texts(chat); !slices.Equal(got, texts) {
		h.Errorf("chat %d was sent %q, want %q", chat, got, texts)
	}
	if got := h.left(chat); len(got) != left {
		h.Errorf("%d rows wait for chat %d, want %d: %q", len(got), chat, left, got)
	}
}

// pass lets virtual time go by.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}
