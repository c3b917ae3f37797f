package proof

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

const keyChecks = 60 // worlds of a full sample

// TestProofKeys: whatever people do with their keys, in any order, and whatever they buy in between, every paid code
// comes to whoever bought it or to an owner of its account, and to nobody else.
func TestProofKeys(t *testing.T) {
	beside(t)
	read := setChecks(t, atMost(keyChecks))
	rapid.Check(t, func(t *rapid.T) {
		read()
		moves := rapid.SliceOfN(aKeyMove(), 1, 16).Draw(t, "moves")
		dir, remove, err := apptest.LabDir()
		if err != nil {
			t.Fatal(err)
		}
		defer remove()
		rapid.SyncTest(t, func(t *rapid.T) {
			w := newKeyWorld(newLab(dir, sim.Options{Mode: sim.Both}))
			w.play(moves)
			if wrong := w.judge(); len(wrong) > 0 {
				t.Fatalf("%s\n%s", strings.Join(wrong, "\n"), w.story())
			}
		})
	})
}

// keyMove is one thing that somebody does.
type keyMove struct {
	do   string
	who  int64
	pick int // of the accounts
}

// String is the move as a failure tells it.
func (m keyMove) String() string { return fmt.Sprintf("%s(%d, %d)", m.do, m.who, m.pick) }

func aKeyMove() *rapid.Generator[keyMove] {
	return rapid.Custom(func(t *rapid.T) keyMove {
		return keyMove{
			do: rapid.SampledFrom([]string{
				"buy", "link", "remove", "rotate", "buy", "link", "join", "dismiss", "add", "switch", "add", "switch", "hold", "release", "restart", "wait", "leave it",
			}).Draw(t, "do"),
			who:  rapid.SampledFrom([]int64{apptest.Sam, apptest.Yasmine, nadia}).Draw(t, "who"),
			pick: rapid.IntRange(0, 2).Draw(t, "pick"),
		}
	})
}

// keyWorld is people with three accounts: two that the service names a user for, and one of the older interface.
type keyWorld struct {
	*lab

	first   []string         // the keys that the accounts had at first, which orders name them by
	now     []string         // the keys that they have
	owners  []map[int64]bool // who has ever owned each
	buyers  map[string]int64 // by what only they could have bought
	bought  int
	rotated int
}

func newKeyWorld(l *lab) *keyWorld {
	const third = "KEY-of-the-third-00001"
	w := &keyWorld{lab: l, first: []string{apptest.TestKey, apptest.LegacyTestKey, third}, buyers: map[string]int64{}}
	l.wallet = bigWallet
	l.stockUp()
	if err := l.service.AddAccount(sim.AccountSpec{Key: third, Name: "Third", UserID: 4103, Balance: bigWallet}); err != nil {
		l.eye.violatef("lab", "%v", err)
	}
	w.now = slices.Clone(w.first)
	for range w.first {
		w.owners = append(w.owners, map[int64]bool{})
	}
	l.start()
	return w
}

// play does the moves, and then everybody who owned an account links its key of now: once, and once more for those
// who are told that there is something else.
func (w *keyWorld) play(moves []keyMove) {
	w.link(apptest.Sam, 1)
	for _, m := range moves {
		w.eye.notef("— %v", m)
		w.move(m)
	}
	w.eye.notef("— everything is well again")
	w.service.HoldOrders(false)
	w.pass(15 * time.Minute)
	for range 2 {
		for pick := range w.now {
			for _, who := range []int64{apptest.Sam, apptest.Yasmine, nadia} {
				if w.owners[pick][who] {
					w.link(who, pick, "➕ Keep both")
				}
			}
		}
	}
	w.pass(20 * time.Minute)
}

// move makes one move.
func (w *keyWorld) move(m keyMove) {
	switch m.do {
	case "buy":
		w.buy(m.who)
	case "link":
		w.link(m.who, m.pick, "🔗 Replace the old one")
	case "add":
		w.link(m.who, m.pick, "➕ Keep both")
	case "switch":
		w.say(m.who, "/account")
		w.tap(m.who, "🔀")
	case "leave it": // to the question whether it is meant
		w.say(m.who, "/key "+w.now[m.pick])
		w.noteOwner(m.who, m.pick)
		w.tap(m.who, "Cancel")
	case "remove":
		w.say(m.who, "/key remove")
		w.tap(m.who, "Yes, unlink")
		w.tap(m.who, "Yes, leave")
	case "rotate":
		w.rotated++
		next := fmt.Sprintf("KEY-rotated-%06d", w.rotated)
		w.service.RotateKey(w.now[m.pick], next)
		w.now[m.pick] = next
	case "join":
		w.join(m.who, m.pick)
	case "dismiss":
		w.say(m.who, "/team")
		w.tap(m.who, "🛒")
		w.tap(m.who, "Remove")
		w.tap(m.who, "Yes, remove")
	case "hold":
		w.service.HoldOrders(true)
	case "release":
		w.service.HoldOrders(false)
	case "restart":
		w.restart()
	case "wait":
		w.pass(11 * time.Minute)
	}
	w.pass(2 * time.Second)
}

// link has somebody link an account's key, and answer truthfully whether it is one of the account that they had; answers are what
// they would rather have, where that is offered.
func (w *keyWorld) link(who int64, pick int, answers ...string) {
	w.say(who, "/key "+w.now[pick])
	w.pass(2 * time.Second)
	asked := ""
	for _, m := range w.telegram.Messages(who) {
		if m.FromBot && !m.Deleted {
			asked = apptest.Plain(m.Text)
		}
	}
	if strings.Contains(asked, "Replace the key of") || strings.Contains(asked, "Is this a new key of") || strings.Contains(asked, "is another account than") || strings.Contains(asked, "You are on the team of") {
		if pick == 1 && (strings.Contains(asked, "Replace the key of Account …") || strings.Contains(asked, "Is this a new key of Account …")) {
			w.tap(who, "Same account")
		}
		for _, answer := range answers {
			w.tap(who, answer)
		}
		w.tap(who, "Another account")
		w.tap(who, "Yes, link")
		w.tap(who, "➕ Keep both") // where there is nothing to replace
	}
	w.pass(2 * time.Second)
	w.noteOwner(who, pick)
}

// noteOwner notes that somebody owns an account: whoever has its key may see everything of it.
func (w *keyWorld) noteOwner(who int64, pick int) { w.owners[pick][who] = true }

// join has somebody invite another as a seller.
func (w *keyWorld) join(who int64, pick int) {
	guest := []int64{apptest.Sam, apptest.Yasmine, nadia}[pick]
	w.say(who, "/team")
	w.tap(who, "➕ Seller")
	for _, m := range slices.Backward(w.telegram.Messages(who)) {
		if link := apptest.StartLink.FindStringSubmatch(apptest.Plain(m.Text)); link != nil && m.FromBot {
			w.telegram.Start(guest, link[1])
			return
		}
	}
}

// buy buys so many units as nobody else has bought.
func (w *keyWorld) buy(who int64) {
	w.bought++
	b := &errand{user: who, quantity: w.bought, flavour: "goods"}
	if w.walk(b) {
		w.buyers[strconv.Itoa(w.bought)] = who
		w.press(b)
	}
	w.pass(3 * time.Second)
}

// judge tells which codes did not come, and which came to somebody who may not see them.
func (w *keyWorld) judge() (wrong []string) {
	defer w.close()
	quantity := map[string]int{}
	for _, p := range w.service.Purchases() {
		for _, id := range p.OrderIDs {
			quantity[id] = p.Quantity
		}
	}
	shown := map[int64]string{}
	for _, who := range []int64{apptest.Sam, apptest.Yasmine, nadia} {
		shown[who] = w.transcript(who)
	}
	for _, o := range w.service.Orders() {
		pick, buyer, seen := slices.Index(w.first, o.Key), w.buyers[strconv.Itoa(quantity[o.ID])], false
		if o.Code == "" {
			wrong = append(wrong, fmt.Sprintf("order %s of account %d has no code", o.ID, pick))
			continue
		}
		for who, text := range shown {
			if !strings.Contains(text, o.Code) {
				continue
			}
			seen = true
			if who != buyer && !w.owners[pick][who] {
				wrong = append(wrong, fmt.Sprintf("the code of order %s, of %d, came to %d", o.ID, buyer, who))
			}
		}
		if !seen {
			wrong = append(wrong, fmt.Sprintf("the code of order %s, of account %d, paid by %d, came to nobody", o.ID, pick, buyer))
		}
	}
	return wrong
}

// story is what everybody saw.
func (w *keyWorld) story() string {
	return fmt.Sprintf("%s\nsam:\n%s\nyasmine:\n%s\nnadia:\n%s", w.eye.story(), w.transcript(apptest.Sam), w.transcript(apptest.Yasmine), w.transcript(nadia))
}
