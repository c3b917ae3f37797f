package store_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// house is a store over a file, and the engine under it.
type house struct {
	testing.TB

	path   string
	engine *storetest.File
	store  *store.Store
}

func newHouse(t testing.TB) *house {
	t.Helper()
	h := &house{TB: t, path: filepath.Join(t.TempDir(), "bot.db")}
	h.open()
	return h
}

// open opens the file; whoever has no store yet gets a new one.
func (h *house) open() {
	h.Helper()
	h.engine = storetest.Engine(h, h.path)
	var err error
	if h.store, err = store.Open(context.Background(), h.engine, storetest.Ring(h), store.Options{}); err != nil {
		h.Fatal(err)
	}
}

func (h *house) close() {
	h.Helper()
	if err := h.store.Close(); err != nil {
		h.Fatal(err)
	}
}

// reopen is a restart of the program.
func (h *house) reopen() {
	h.Helper()
	h.close()
	h.open()
}

// do is a unit of work that succeeds.
func (h *house) do(fn func(*store.Tx) error) {
	h.Helper()
	if err := h.store.Update(context.Background(), fn); err != nil {
		h.Fatal(err)
	}
}

// plant is a unit below the store, that succeeds.
func (h *house) plant(fn func(store.RecordTx) error) {
	h.Helper()
	if err := h.engine.Update(context.Background(), fn); err != nil {
		h.Fatal(err)
	}
}

// records lists all of a kind as the engine has them.
func (h *house) records(k store.Kind) []store.Record {
	h.Helper()
	list, err := h.engine.Scan(context.Background(), k, "", "", 1<<20)
	if err != nil {
		h.Fatal(err)
	}
	return list
}

// keys lists the keys of a kind.
func (h *house) keys(k store.Kind) []string {
	h.Helper()
	keys := []string{}
	for _, r := range h.records(k) {
		keys = append(keys, r.Key)
	}
	return keys
}

// must is v of a read that succeeds.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// The ids in a full house.
const (
	draftID  = "01KAF5W8G00000000000000001"
	queuedID = "01KAF5W8G0ZZZZZZZZZZZZZZZ2"
	group    = int64(-1001234567890)
	person   = int64(77)
)

// noon is a moment that survives being written down.
func noon() time.Time { return time.Date(2025, 11, 20, 12, 0, 0, 123456000, time.UTC) }

// fullAccount and its like have no empty field, and texts that no other field has: a test finds out if one
// is forgotten.
func fullAccount() store.Account {
	return store.Account{
		ID: "u42", Name: "OPEN-account-name", UserID: 42, Key: secret.New("CANARY-api-key"), LinkedAt: noon(),
		Chats: []int64{group, person}, Busy: queuedID, Line: []string{"OPEN-line"}, Open: 1, Retired: true,
		Generation: "OPEN-generation", Wallet: store.Wallet{Balance: dzd.Int(900), At: noon(), Known: true},
		Movements: 7, Spends: 1, Refunds: []string{"O-2"}, LookAt: noon(),
	}
}

func fullChat() store.Chat {
	return store.Chat{
		ID: group, Account: "u42", Language: "OPEN-language", Chosen: true, Unreachable: noon(), CreatedAt: noon(), MovedTo: -5,
	}
}

func fullSession() store.Session {
	return store.Session{
		Chat: group, User: person, Flow: "OPEN-flow", Step: "OPEN-step", Data: json.RawMessage(`{"typed":"CANARY-session"}`),
		Message: 9, Expires: noon(),
	}
}

func fullPurchase(id string, ph store.Phase) store.Purchase {
	price := dzd.Must("12.3456")
	return store.Purchase{
		ID: id, Account: "u42", Chat: group, User: person, Message: 9, Nonce: "OPEN-nonce", Phase: ph,
		ProductID: 3, VariantID: 4, Plan: "OPEN-plan", Family: "OPEN-family", Topup: true, Manual: true,
		Product: "OPEN-product", Variant: "OPEN-variant", Quantity: 2,
		Inputs: []store.Answer{{Index: "0", Label: "CANARY-label", Value: "CANARY-answer"}}, Player: fullPlayer(),
		Price: price, Total: dzd.Must("24.6912"),
		Before:   store.Snapshot{At: noon(), Balance: dzd.Int(900), Available: dzd.Int(800), Known: true, Used: -1},
		NewPrice: &price, Attempts: 1, Reason: "OPEN-reason", Fields: map[string][]string{"player_id": {"OPEN-field"}},
		OrderIDs: []string{"O/1", "O-2"}, Told: store.Told{Codes: 1, MaybeSent: true, Pinged: 1, Document: true, Late: true},
		CreatedAt: noon(), ExpiresAt: noon(), QueuedAt: noon(), SentAt: noon(), AnsweredAt: noon(), ClosedAt: noon(),
		History: []store.Step{{At: noon(), From: store.Drafted, To: ph, Why: "OPEN-why"}},
	}
}

// fullPlayer is somebody who was somebody else before.
func fullPlayer() *store.Player {
	p := store.Player{
		Game: "CANARY-game", ID: "CANARY-player", Name: "CANARY-name", Region: "CANARY-region", Status: store.PlayerValid,
		Facts: []string{"CANARY-fact"}, At: noon(),
	}
	was := p
	p.Was = &was
	return &p
}

func fullMovement() store.Movement {
	return store.Movement{At: noon(), Kind: store.Bought, Amount: dzd.Int(-5), Balance: dzd.Int(895), Purchase: queuedID}
}

func fullOrder() store.Order {
	return store.Order{
		Account: "u42", ID: "O/1", Purchase: queuedID, Origin: "OPEN-origin", Other: "OPEN-other", Topup: true, Unit: 1,
		Status: "OPEN-status", Strange: true, State: store.Ready, Refund: store.RefundSeen, Late: true,
		Code: secret.New("CANARY-code"), Notes: secret.New("CANARY-notes"), CreatedAt: noon(), SeenAt: noon(), ReadyAt: noon(), Looks: 3, Due: noon(),
	}
}

func fullOutgoing() store.Outgoing {
	return store.Outgoing{
		Chat: group, ID: queuedID + ".p1", Kind: store.Ping, Purchase: queuedID, Args: map[string]string{"name": "OPEN-arg"},
		Priority: 2, Tries: 1, Sent: true, Created: noon(), Due: noon(),
	}
}

func fullIncoming(id int64) store.Incoming {
	return store.Incoming{ID: id, Chat: group, Raw: []byte(`{"text":"CANARY-update"}`), State: store.New, Attempts: 1, At: noon()}
}

// furnish puts something of every kind into a house: update 901 is handled, 900 is not.
func (h *house) furnish() {
	h.Helper()
	h.do(func(tx *store.Tx) error {
		account, chat, session := fullAccount(), fullChat(), fullSession()
		draft, queued := fullPurchase(draftID, store.Drafted), fullPurchase(queuedID, store.Queued)
		order, outgoing := fullOrder(), fullOutgoing()
		return firstError(
			func() error { return tx.AddMovement(&account, fullMovement()) },
			func() error { return tx.PutAccount(&account) },
			func() error { return tx.PutChat(&chat) },
			func() error { return tx.Remember(group, *fullPlayer()) },
			func() error { return tx.PutSession(&session) },
			func() error { return tx.PutPurchase(&draft) },
			func() error { return tx.PutPurchase(&queued) },
			func() error { return tx.PutOrder(&order) },
			func() error { return tx.Enqueue(&outgoing) },
		)
	})
	if _, err := h.store.AddUpdates(context.Background(), []store.Incoming{fullIncoming(900), fullIncoming(901)}); err != nil {
		h.Fatal(err)
	}
	h.do(func(tx *store.Tx) error { return tx.UpdateDone(901) })
}

// firstError runs steps until one fails.
func firstError(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
