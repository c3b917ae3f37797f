package conversations_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/pricing"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// Who else presses, beside the owner, the seller and the counter.
const (
	nora = int64(603) // was let in, and is of no team
	dora = int64(604) // was of the team, and is shut out, with a purchase that nobody could decide about yet
)

// presser is somebody who presses everything. Their letter stands for them in the tables of who may.
type presser struct {
	name   string
	letter string
	id     int64
	role   store.Role
}

func pressers() []presser {
	return []presser{
		{"owner", "o", apptest.Sam, store.Owner},
		{"seller", "s", apptest.Karim, store.Seller},
		{"counter", "c", apptest.Lila, store.Counter},
		{"of no team", "n", nora, store.NoRole},
		{"operator", "b", operator, store.NoRole},
		{"not let in", "e", apptest.Eve, store.NoRole},
		{"shut out", "x", dora, store.NoRole},
	}
}

// writes is an engine that notes of what kinds records are written, beside updates and where people stand in a flow.
type writes struct {
	store.Engine

	mu    sync.Mutex
	kinds map[store.Kind]int
}

// Update implements store.Engine.
func (w *writes) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return w.noted(ctx, w.Engine.Update, fn)
}

// Batch implements store.Engine.
func (w *writes) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return w.noted(ctx, w.Engine.Batch, fn)
}

func (w *writes) noted(ctx context.Context, unit func(context.Context, func(store.RecordTx) error) error, fn func(store.RecordTx) error) error {
	var written []store.Kind
	err := unit(ctx, func(tx store.RecordTx) error {
		noting := notingTx{tx, nil}
		err := fn(&noting)
		written = noting.written
		return err
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range written {
		if err == nil && k != store.KindInbox && k != store.KindSeen && k != store.KindSession {
			w.kinds[k]++
		}
	}
	return err
}

// taken is what was written since it was asked last.
func (w *writes) taken() map[store.Kind]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	kinds := w.kinds
	w.kinds = map[store.Kind]int{}
	return kinds
}

// notingTx is one transaction of its work.
type notingTx struct {
	store.RecordTx

	written []store.Kind
}

// Put implements store.RecordTx.
func (n *notingTx) Put(r store.Record) (uint64, error) {
	n.written = append(n.written, r.Kind)
	return n.RecordTx.Put(r)
}

// Delete implements store.RecordTx.
func (n *notingTx) Delete(r store.Record) error {
	n.written = append(n.written, r.Kind)
	return n.RecordTx.Delete(r)
}

// rightsWorld is a shop with everything that a button can name, in a bot by invitation.
type rightsWorld struct {
	*apptest.Harness

	disk      *writes
	delivered string // purchase of the seller's, with its code
	unsure    string // purchase of somebody's who is shut out by now, which an owner has to decide
	order     string // that may be its

	account store.Account
	karim   store.Chat
}

// linkedSince is what a button carries that was asked whether a link of somebody's is to end.
func (w *rightsWorld) linkedSince(user int64) string {
	a := w.account
	if user == apptest.Eve || user == nora || user == operator || user == dora {
		a = store.Account{} // none is linked in their chats
	}
	m, _ := a.Member(user)
	return screen.Mark([]string{a.ID, strconv.FormatInt(a.LinkedAt.UnixNano(), 10), screen.Membership(m)})
}

// everythingNamed plays with such a shop.
func everythingNamed(t *testing.T, play func(*rightsWorld)) {
	t.Helper()
	w := &rightsWorld{disk: &writes{kinds: map[store.Kind]int{}}}
	apptest.Run(t, func(h *apptest.Harness) {
		listing(h)
		byInvitation(h)
		h.Telegram.AddUser(tgsim.User{ID: nora, FirstName: "Nora", LanguageCode: "en"})
		h.Telegram.AddUser(tgsim.User{ID: dora, FirstName: "Dora", LanguageCode: "en"})
		h.Env["BALANCE_SCHEDULE"], h.Env["STOCK_SCHEDULE"] = "@every 24h", "@every 24h" // nobody but the one who presses writes
		h.Engine = func(e store.Engine) store.Engine {
			w.disk.Engine = e
			return w.disk
		}
	}, func(h *apptest.Harness) {
		w.Harness = h
		for _, who := range []int64{apptest.Sam, nora} {
			h.Say(who, "/start "+invitation(h))
			h.See(who, "Welcome")
		}
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Join(apptest.Lila, h.Invite(apptest.Sam, "➕ Counter"))
		h.Join(dora, h.Invite(apptest.Sam, "➕ Seller"))
		limit(h, "Per purchase", "2000")
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim, apptest.Lila, apptest.Eve, nora, dora, operator)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		h.See(shop, "Deliveries come here")
		buy(h, apptest.Karim)
		w.delivered = w.newest(apptest.Karim)
		own, _ := lost(h, dora)
		w.unsure, w.order = w.newest(dora), own.ID
		takeOut(h, "Dora")
		h.SeeAny(dora, "has removed you")
		h.Sleep(8 * 24 * time.Hour) // nobody looks at what was bought by now
		h.Pass(time.Hour)
		h.InStore(func(s *store.Store) {
			var err error
			w.account, err = s.Account(t.Context(), "u4101")
			h.Must(err)
			w.karim, err = s.Chat(t.Context(), apptest.Karim)
			h.Must(err)
		})
		play(w)
	})
}

// newest is the purchase that was made last in a chat.
func (w *rightsWorld) newest(chat int64) (id string) {
	w.T.Helper()
	w.InStore(func(s *store.Store) {
		list, err := s.ChatPurchases(w.T.Context(), chat, "", 1)
		w.Must(err)
		id = list[0].ID
	})
	return id
}

// under is the message of the bot that a button is tapped under where it stands nowhere by itself.
func (w *rightsWorld) under(chat int64) int {
	for _, m := range slices.Backward(w.Telegram.Messages(chat)) {
		if m.FromBot && !m.Deleted {
			return m.ID
		}
	}
	return 1
}

// press is a button as somebody makes it up, or has it.
type press struct {
	args    []string
	message map[int64]int // under which it stands, by chat; any where it is not of one
	after   func()        // takes away what was made for it
}

// named is a button of a verb that names what there is: whole, as one that was asked whether it is meant, or as it
// is before that.
func (w *rightsWorld) named(p presser, verb screen.Verb, whole bool) press {
	w.T.Helper()
	karim := strconv.FormatInt(apptest.Karim, 10)
	member, _ := w.account.Member(apptest.Karim)
	sure := func(since string, args ...string) press {
		if whole {
			args = append(args, screen.Yes, since)
		}
		return press{args: args}
	}
	switch verb {
	case screen.VerbConfirm, screen.VerbDrop:
		return w.draft("1", "✅")
	case screen.VerbAsk:
		return w.draft("2", "Ask for approval")
	case screen.VerbApprove, screen.VerbRefuse:
		return w.question()
	case screen.VerbReveal, screen.VerbLeave, screen.VerbOrder, screen.VerbLook, screen.VerbAgain, screen.VerbClaim:
		return press{args: []string{w.delivered}}
	case screen.VerbHand:
		return press{args: []string{w.delivered, screen.Yes}}
	case screen.VerbDecide:
		if whole {
			return press{args: []string{w.unsure, screen.DecideClose}}
		}
		return press{args: []string{w.unsure, screen.DecideBought}}
	case screen.VerbMark, screen.VerbTake:
		return press{args: []string{w.unsure, screen.Mark([]string{w.order}), ""}}
	case screen.VerbLetGo, screen.VerbWhy:
		return press{args: []string{w.unsure}}
	case screen.VerbOrders:
		return press{args: []string{"", screen.OrdersAll}}
	case screen.VerbKeyRemove:
		return sure(w.linkedSince(p.id))
	case screen.VerbForget:
		return sure("")
	case screen.VerbPersonOut:
		return sure(screen.Membership(member), karim)
	case screen.VerbShutOut:
		return sure(screen.AccessChat{ID: apptest.Karim, At: w.karim.Admitted}.Since(), karim)
	case screen.VerbPerson, screen.VerbVault:
		return press{args: []string{karim}}
	case screen.VerbPersonRole:
		if whole {
			return press{args: []string{karim, string(store.Owner), screen.Yes, screen.Membership(member)}}
		}
		return press{args: []string{karim, string(store.Seller)}}
	case screen.VerbPersonLimit:
		return press{args: []string{karim, screen.LimitPurchase}}
	case screen.VerbLimitSet:
		return press{args: []string{karim, screen.LimitDay, screen.LimitNone}}
	case screen.VerbPlaceFull:
		if whole {
			return sure(screen.PlaceSince(*w.account.Place))
		}
		return press{args: []string{screen.AlertOn}}
	}
	return press{args: plainArgs()[verb]}
}

// plainArgs are what buttons name that are the same for everybody.
func plainArgs() map[screen.Verb][]string {
	return map[screen.Verb][]string{
		screen.VerbBuy: {"0"}, screen.VerbTopup: {"0"}, screen.VerbAccess: {"0"}, screen.VerbShutOuts: {"0"},
		screen.VerbProduct: {"10", "0"}, screen.VerbVariant: {"10", "101"}, screen.VerbQuantity: {"1"}, screen.VerbOption: {"0"}, screen.VerbPlayer: {"0"},
		screen.VerbItem: {"10", "101"}, screen.VerbUnname: {"pc5"}, screen.VerbCustomer: {"0"}, screen.VerbCustomerSave: {"no"}, screen.VerbMeant: {"0"},
		screen.VerbListConfirm: {"none", "nonce"}, screen.VerbListMarked: {"none", "nonce"}, screen.VerbListDrop: {"none"}, screen.VerbListAsk: {"none", "nonce"},
		screen.VerbListApprove: {"none", "nonce"}, screen.VerbListRefuse: {"none", "nonce"}, screen.VerbListStop: {"none"}, screen.VerbListAgain: {"none"}, screen.VerbListSell: {"none", screen.SaleCash, "0", "100"},
		screen.VerbAbout: {"10"}, screen.VerbCategory: {"4", "0"},
		screen.VerbWatch: {"10"}, screen.VerbWatchSet: {"10", screen.WatchBack},
		screen.VerbLanguage: {"en"}, screen.VerbHistory: {""}, screen.VerbPriceAt: {screen.PriceTarget{Level: pricing.OfProduct, ID: 10}.Data()}, screen.VerbPastOrder: {"", "7"},
		screen.VerbAlert: {string(store.LowBalance)}, screen.VerbAlertSet: {string(store.LowBalance), "500"}, screen.VerbHear: {string(store.OrderSubject), string(store.Softly)}, screen.VerbTopics: {screen.AlertOn},
		screen.VerbInvite: {string(store.Seller)}, screen.VerbPlaceHere: {screen.Yes}, screen.VerbTeamConfirm: {"0"},
		screen.VerbLetIn: {strconv.FormatInt(dora, 10)},
	}
}

// draft has the seller put a purchase together, and is its button.
func (w *rightsWorld) draft(quantity, words string) press {
	w.T.Helper()
	w.Order(apptest.Karim, "Play Card", "10 USD", quantity)
	m := w.See(apptest.Karim, "10 USD")
	found := buttons(m, words)
	if len(found) != 1 {
		w.T.Fatalf("there is no summary with %q:\n%s", words, w.Transcript(apptest.Karim))
	}
	a, _ := screen.ParseAction(found[0].Data)
	return press{a.Args, map[int64]int{apptest.Karim: m.ID}, func() { w.Say(apptest.Karim, "/cancel") }}
}

// question has the seller ask the owner for a purchase above their limit, and is the owner's button.
func (w *rightsWorld) question() press {
	w.T.Helper()
	m := askFor(w.Harness, "2")
	key := spendButtons(m)[0]
	a, _ := screen.ParseAction(key.Data)
	refuse := screen.Action{Verb: screen.VerbRefuse, Args: a.Args}
	return press{a.Args, map[int64]int{apptest.Sam: m.ID}, func() {
		w.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, refuse.Data())
		w.Pass(5 * time.Second)
	}}
}

// answered is what somebody is told.
type answered struct {
	alert  bool
	text   string // over the chat, or in it
	wrote  map[store.Kind]int
	spends int      // requests to buy that were made meanwhile
	codes  []string // that they were shown meanwhile
}

// listens is how long somebody waits until they are listened to again.
func (p presser) listens() time.Duration {
	switch p.letter {
	case "e", "x":
		return 13 * time.Second
	case "n", "b":
		return 7 * time.Second
	}
	return 3 * time.Second
}

// tap has somebody tap a button of a verb in a chat, and tells what comes of it.
func (w *rightsWorld) tap(p presser, chat int64, verb screen.Verb, whole bool) answered {
	w.T.Helper()
	b := w.named(p, verb, whole)
	under := b.message[chat]
	if under == 0 {
		under = w.under(chat)
	}
	return w.watched(p, b.after, func() func() (bool, string) {
		id := w.Telegram.Tap(p.id, chat, under, apptest.Forged(verb, b.args...))
		return func() (bool, string) {
			c := w.Answer(id)
			if c.Answers != 1 {
				w.T.Errorf("%s was answered %d times", c.Data, c.Answers)
			}
			return c.Alert, apptest.Plain(c.Text)
		}
	})
}

// command has somebody type a command in a chat, and tells what comes of it.
func (w *rightsWorld) command(p presser, chat int64, text string) answered {
	w.T.Helper()
	name, rest, _ := strings.Cut(text, " ")
	if chat < 0 {
		name += "@shop_bot"
	}
	return w.watched(p, nil, func() func() (bool, string) {
		before := len(w.Telegram.Messages(chat))
		w.Telegram.Send(p.id, chat, strings.TrimSpace("/"+name+" "+rest))
		return func() (bool, string) {
			var said strings.Builder
			for _, m := range w.Telegram.Messages(chat)[before:] {
				if m.FromBot {
					said.WriteString(apptest.Plain(m.Text) + "\n")
				}
			}
			return false, said.String()
		}
	})
}

// watched does something, and tells what has come of it.
func (w *rightsWorld) watched(p presser, after func(), do func() (told func() (bool, string))) (a answered) {
	w.T.Helper()
	w.Pass(p.listens())
	w.disk.taken()
	spent, codes := w.PurchasesSent(), w.Codes(p.id)
	told := do()
	w.Pass(2 * time.Second)
	a.wrote, a.spends = w.disk.taken(), w.PurchasesSent()-spent
	a.alert, a.text = told()
	for _, code := range w.Codes(p.id) {
		if !slices.Contains(codes, code) {
			a.codes = append(a.codes, code)
		}
	}
	for _, o := range w.Service.Orders() {
		if o.Code != "" && strings.Contains(a.text, o.Code) {
			a.codes = append(a.codes, o.Code)
		}
	}
	if after != nil {
		after()
	}
	return a
}

// unharmed fails the test if something was changed, bought or shown.
func (a answered) unharmed() error {
	if len(a.wrote) > 0 || a.spends > 0 || len(a.codes) > 0 {
		return fmt.Errorf("it has written %v, made %d requests to buy and shown %d codes", slices.Sorted(maps.Keys(a.wrote)), a.spends, len(a.codes))
	}
	return nil
}
