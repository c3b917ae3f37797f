package store_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// harness is a store over a file, and the engine under it.
type harness struct {
	testing.TB

	path   string
	engine *storetest.File
	store  *store.Store
}

func newHarness(tb testing.TB) *harness {
	tb.Helper()
	h := &harness{TB: tb, path: filepath.Join(tb.TempDir(), "bot.db")}
	h.open()
	return h
}

// open opens the file; whoever has no store yet gets a new one.
func (h *harness) open() {
	h.Helper()
	h.engine = storetest.Engine(h, h.path)
	var err error
	if h.store, err = store.Open(context.Background(), h.engine, storetest.Keyring(h)); err != nil {
		h.Fatal(err)
	}
}

func (h *harness) close() {
	h.Helper()
	if err := h.store.Close(); err != nil {
		h.Fatal(err)
	}
}

// reopen is a restart of the program.
func (h *harness) reopen() {
	h.Helper()
	h.close()
	h.open()
}

// do is a transaction that succeeds.
func (h *harness) do(fn func(*store.Tx) error) {
	h.Helper()
	if err := h.store.Update(context.Background(), fn); err != nil {
		h.Fatal(err)
	}
}

// plant is a transaction below the store, that succeeds.
func (h *harness) plant(fn func(store.RecordTx) error) {
	h.Helper()
	if err := h.engine.Update(context.Background(), fn); err != nil {
		h.Fatal(err)
	}
}

// records lists all of a kind as the engine has them.
func (h *harness) records(k store.Kind) []store.Record {
	h.Helper()
	list, err := h.engine.Scan(context.Background(), k, "", "", 1<<20)
	if err != nil {
		h.Fatal(err)
	}
	return list
}

// keys lists the keys of a kind.
func (h *harness) keys(k store.Kind) []string {
	h.Helper()
	keys := []string{}
	for _, r := range h.records(k) {
		keys = append(keys, r.Key)
	}
	return keys
}

// must is v of a read that succeeds.
func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

// The ids in a full harness.
const (
	draftID  = "01KAF5W8G00000000000000001"
	queuedID = "01KAF5W8G0ZZZZZZZZZZZZZZZ2"
	group    = int64(-1001234567890)
	person   = int64(77)
)

// noon is a moment that survives being written down.
func noon() time.Time { return time.Date(2025, 11, 20, 12, 0, 0, 123456000, time.UTC) }

// full is a record in which no field is empty, whatever fields it has by now. What is sealed says CANARY
// and what is open says OPEN, each with the name of its field.
func full[T any](edit func(*T)) T {
	var v T
	fill(reflect.ValueOf(&v).Elem(), "OPEN-")
	edit(&v)
	return v
}

// fill fills a value; texts in it begin with a word.
func fill(v reflect.Value, word string) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = noon()
		return
	case *dzd.Amount:
		*p = dzd.Must("12.3456")
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(word)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), word)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), word)
	case reflect.Map:
		one := reflect.New(v.Type().Elem()).Elem()
		fill(one, word)
		name := reflect.New(v.Type().Key()).Elem()
		fill(name, "OPEN-key")
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(name, one)
	case reflect.Struct:
		for f, field := range v.Fields() {
			if f.IsExported() && f.Type != reflect.PointerTo(v.Type()) { // nobody was somebody for ever
				fillField(f, field, word)
			}
		}
	default:
		panic("nothing fills a " + v.Type().String() + " yet")
	}
}

// fillField fills a field of a record.
func fillField(f reflect.StructField, v reflect.Value, word string) {
	if f.Tag.Get("json") == "-" {
		word = "CANARY-"
	}
	switch p := v.Addr().Interface().(type) {
	case *secret.Text:
		*p = secret.New("CANARY-" + f.Name)
	case *[]byte:
		*p = []byte(`{"text":"CANARY-` + f.Name + `"}`)
	case *json.RawMessage:
		*p = json.RawMessage(`{"text":"CANARY-` + f.Name + `"}`)
	default:
		if v.Kind() == reflect.String {
			word += f.Name
		}
		fill(v, word)
	}
}

func fullAccount() store.Account {
	return full(func(a *store.Account) { a.ID, a.Chats = "u42", []int64{group, person} })
}

func fullChat() store.Chat {
	return full(func(c *store.Chat) { c.ID, c.Account, c.Others = group, "u42", nil }) // which a group has none of
}

func fullAlerts() store.Alerts {
	return full(func(a *store.Alerts) { a.Chat, a.Account = group, "u42" })
}

func fullInvite() store.Invite {
	return full(func(i *store.Invite) { i.Hash, i.Account = store.TokenHash("token"), "u42" })
}

func fullTimes() store.Times {
	return full(func(v *store.Times) { v.Item = "products:7" })
}

func fullSession() store.Session {
	return full(func(s *store.Session) { s.Chat, s.User = group, person })
}

func fullPurchase(id string, ph store.Phase) store.Purchase {
	return full(func(p *store.Purchase) {
		p.ID, p.Chat, p.Phase, p.Account, p.OrderIDs = id, group, ph, "u42", []string{"O/1"}
	})
}

func fullOrder() store.Order {
	return full(func(o *store.Order) {
		o.Account, o.ID, o.Purchase, o.Unit, o.Rechecked = "u42", "O/1", queuedID, 1, false
	})
}

const listID = "01JD0W5Y7ZB3K9Q2M4N6NP7QM0"

func fullOutgoing() store.Outgoing {
	return full(func(o *store.Outgoing) { o.Chat, o.ID, o.Purchase = group, queuedID+".p1", queuedID })
}

func fullIncoming(id int64) store.Incoming {
	return full(func(in *store.Incoming) { in.ID, in.Chat, in.State = id, group, store.New })
}

// furnish puts something of every kind into a harness: update 901 is handled, 900 is not.
func (h *harness) furnish() {
	h.Helper()
	h.do(func(tx *store.Tx) error {
		account, chat, session, alerts := fullAccount(), fullChat(), fullSession(), fullAlerts()
		draft, queued := fullPurchase(draftID, store.Drafted), fullPurchase(queuedID, store.Queued)
		order, outgoing := fullOrder(), fullOutgoing()
		return firstError(
			func() error { return tx.AddMovement(&account, full(func(*store.Movement) {})) },
			func() error { return tx.AddInvite(&account, fullInvite()) },
			func() error { return tx.PutAccount(&account) },
			func() error { return tx.PutChat(&chat) },
			func() error { return tx.Remember(group, "u42", *draft.Player) },
			func() error { return tx.PutAlerts(&alerts) },
			func() error { v := fullTimes(); return tx.PutTimes(&v) },
			func() error { return tx.PutMenu(full(func(m *store.Menu) { m.Chat = person })) },
			func() error { return tx.PutOutage(full(func(*store.Outage) {})) },
			func() error {
				v := full(func(t *store.Trouble) { t.Name = store.DiskTrouble })
				return tx.PutTrouble(&v)
			},
			func() error {
				return tx.ChangeShelf("u42", func(v *store.Shelf) error {
					return v.Name(full(func(a *store.Alias) { v.Keep(a.Goods) }))
				})
			},
			func() error {
				l := full(func(l *store.List) { l.ID, l.Chat, l.Account = listID, group, "u42" })
				return tx.PutList(&l)
			},
			func() error { return tx.PutSession(&session) },
			func() error { return tx.PutPurchase(&draft) },
			func() error { return tx.PutPurchase(&queued) },
			func() error { return tx.PutOrder(&order) },
			func() error { return tx.ClaimOrder(order) },
			func() error { return tx.Enqueue(&outgoing) },
		)
	})
	if _, err := h.store.AddUpdates(context.Background(), []store.Incoming{fullIncoming(900), fullIncoming(901)}); err != nil {
		h.Fatal(err)
	}
	h.do(func(tx *store.Tx) error { return tx.UpdateDone(901) })
	h.furnishBook()
}

// opened is when the books of a full harness were opened: after what was bought there.
func opened() time.Time { return noon().Add(24 * time.Hour) }

// furnishBook puts a day into the books of a shop: a code, its sale on credit, a count, and what corrects it later.
func (h *harness) furnishBook() {
	h.Helper()
	who := ledger.Who{By: person, Counter: "house", Nonce: "n", Owner: true}
	day := ledger.DayAt(opened(), time.UTC, 0)
	fact := ledger.Fact{Order: "O/1", Wallet: "u42", Product: "products:7", Name: "60 UC", Cost: 12345600, State: ledger.InStock}
	sale := ledger.Sale{Who: who, Customer: "ali", Paid: 5000000, Units: []ledger.SoldUnit{{Order: "O/1", List: 15000000, Price: 14000000}}}
	h.do(func(tx *store.Tx) error {
		r := tx.Books()
		customer := full(func(c *store.Customer) { c.Book, c.ID = "u42", "ali" })
		prices := full(func(p *store.Prices) { p.Book = "u42" })
		desk := full(func(d *store.Desk) { d.Book = "u42" })
		count := full(func(c *store.Count) { c.Book, c.Counter = "u42", "house" })
		return firstError(
			func() error {
				return ledger.NewBook(r, ledger.Book{ID: "u42", Zone: "UTC", Chats: []int64{group}}, opened())
			},
			func() error { return ledger.Observe(r, "u42", fact, opened()) },
			func() error { _, err := ledger.Sell(r, "u42", sale, opened()); return err },
			func() error {
				_, err := ledger.CloseShift(r, "u42", ledger.Count{Who: who, Shift: 1, Counted: 4000000, Leave: 4000000}, opened())
				return err
			},
			func() error { return ledger.CloseDay(r, "u42", day, opened()) },
			func() error { _, err := ledger.Undo(r, "u42", 3, who, opened()); return err },
			func() error { return tx.PutDue(full(func(d *ledger.Due) { d.Book, d.Fact.Order = "u42", "O/1" })) },
			func() error { return tx.PutCustomer(&customer) },
			func() error { return tx.PutPrices(&prices) },
			func() error { return tx.PutDesk(&desk) },
			func() error { return tx.PutCount(count) },
			func() error {
				return tx.PutCosts(&store.Costs{Book: desk.Book, Seen: map[string]dzd.Amount{"7/9": dzd.Must("1250.505")}})
			},
		)
	})
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
