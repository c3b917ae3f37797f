package sim

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
)

// Order is an order as it truly is, of whatever family.
type Order struct {
	ID       string // as the generation that took it names it: an integer as text in Legacy
	Number   int64  // the integer that Legacy endpoints know it by
	Key      string // the account's
	Family   string // "" for codes, "arena", "battleroyale", "sportstv", "internet"
	Status   string // "processing" (manual: "pending"), "completed", "failed", "canceled"; arena: "pending", "success", "failed"
	Code     string // "" until it is ready
	Notes    string
	Price    dzd.Amount // DZD
	At       time.Time
	Ready    time.Time // when it is, zero while somebody has to see to it
	Refunded bool

	TransactionID string    // of arena orders
	VariantID     int64     // 0 for an arena plan
	Codes         []string  // every code that it shows in its life, the last one the one that counts
	Held          bool      // its money is held, and not taken yet
	Tag           string    // of the request that bought it, see Tagged
	Shown         time.Time // when it shows the last thing that it will show by itself: its end, its code; zero while somebody has to see to it
}

// Purchase is a purchase as it truly happened, of whatever family.
type Purchase struct {
	Key       string
	Family    string
	VariantID int64  // 0 for an arena plan
	PlanID    string // of an arena plan
	Player    string // whom a top-up is for
	Quantity  int
	Inputs    map[string]string
	At        time.Time
	OrderIDs  []string
	Total     dzd.Amount // DZD
	Tag       string     // of the request, see Tagged
}

// order is one unit that was sold: of a variant, or an arena plan.
type order struct {
	number      int64
	id          string
	account     *account
	variant     *variant // nil: plan
	plan        *plan    // nil: variant
	player      PlayerSpec
	trx         string
	price       dzd.Amount
	code, notes string
	at          time.Time
	ready       time.Time // zero: held, or waiting for a person
	manual      bool
	fails       bool
	canceled    bool
	refundAfter time.Duration
	refunded    bool
	holding     bool // its money is held
	course      Course
	detour      time.Duration
	codeLag     time.Duration
	firstCode   string // of CodeChanges
	name        string // of the variant, when it was bought
	current     bool   // bought through Current, or on the service's pages
	tag         string
	feigned     struct{ general, family Shown } // where it is not as it is
}

// addOrder adds an order and gives it its ids; s.mu is held. named says what the generation calls it.
func (s *Server) addOrder(o *order, delay time.Duration, named func(n int64) string) {
	o.number = int64(len(s.orders)) + 1
	o.id = named(o.number)
	// Example: Current's "3" is Legacy's 5, and Legacy's 3 is Current's "1". A client that mixes them up reads
	// another order, and not none.
	if s.crossed { // Current counts from 1, and Legacy from a little above
		o.id, o.number = strconv.FormatInt(o.number, 10), o.number+crossing
	}
	// ready stays zero for an order that waits for a person, or for HoldOrders: it is the one mark of that (Order.Ready, OrderView.Held).
	if !s.held && !o.manual {
		o.ready = o.at.Add(delay)
	}
	if o.family() == familyArena {
		o.trx = s.uuid()
		s.byTrx[o.trx] = o
	}
	// charge decides whether the money is held, so owe comes after it. An order that succeeds without a hold has nothing left to move.
	s.charge(o)
	if o.fails || o.holding {
		s.owe(o)
	}
	s.orders = append(s.orders, o)
	s.byID[o.id], s.byNo[o.number] = o, o
}

// sale is what is bought in one call.
type sale struct {
	variant *variant
	units   int
	total   dzd.Amount
	inputs  map[string]string
	current bool
}

// sell makes a purchase happen: the wallet is debited and stock is consumed at once.
func (s *Server) sell(c call, b sale, named func(int64) string) []*order {
	p := b.variant.product
	b.variant.InStock -= b.units
	if b.variant.Allocated > 0 {
		// A refund gives neither this nor InStock back (see the package's comment).
		b.variant.used[c.account] += b.units
	}
	bought := Purchase{
		Key: c.account.Key, Family: p.Family, VariantID: b.variant.ID, Quantity: b.units, Inputs: b.inputs, At: c.now, Total: b.total, Tag: c.tag,
	}
	var player PlayerSpec
	if p.topsUp() && len(p.Inputs) > 0 {
		bought.Player = b.inputs[p.Inputs[0].Index]
		player = s.player(p.playersOf(), bought.Player)
	}
	var all []*order
	for range b.units {
		o := &order{
			account: c.account, variant: b.variant, player: player, price: b.variant.price, at: c.now,
			manual: p.Type == typeManual, refundAfter: b.variant.RefundAfter, name: b.variant.Name, current: b.current, tag: c.tag,
		}
		if !o.manual { // what becomes of a manual order, a person decides
			o.fails = b.variant.Fails || player.Status == playerInvalid
			s.set(o)
		}
		s.addOrder(o, s.delay(b.variant.VariantSpec), named)
		all = append(all, o)
		bought.OrderIDs = append(bought.OrderIDs, o.id)
	}
	s.purchases = append(s.purchases, bought)
	return all
}

// playersOf is the game in which a product's players are looked up.
func (p *product) playersOf() string {
	switch p.Family {
	case familyArena, familyBattleRoyale:
		return p.Family
	}
	return strconv.FormatInt(p.ID, 10)
}

// topUp makes an arena top-up happen.
func (s *Server) topUp(c call, p *plan, player PlayerSpec) *order {
	// set is not called: a plan's order brings no code, and World.Fails and World.CodeLag do not reach it. Its own Fails and Delay decide.
	o := &order{account: c.account, plan: p, player: player, price: p.resells, at: c.now, fails: p.Fails, refundAfter: p.RefundAfter, name: p.Name, tag: c.tag}
	o.course, o.detour = s.world.Course, s.world.Detour
	s.addOrder(o, p.Delay, legacyID)
	s.purchases = append(s.purchases, Purchase{
		Key: c.account.Key, Family: familyArena, PlanID: p.PlanID, Player: player.ID, Quantity: 1, At: c.now, OrderIDs: []string{o.id}, Total: p.resells, Tag: c.tag,
	})
	return o
}

// legacyID is how Legacy names the nth order.
func legacyID(n int64) string { return strconv.FormatInt(n, 10) }

// Fulfil completes a manual order that waits, with the code that a person typed, which may be empty.
func (s *Server) Fulfil(orderID, code, notes string) error {
	return s.decide(orderID, func(o *order) { o.code, o.notes = code, notes })
}

// CancelOrder cancels a manual order that waits. What it cost is refunded RefundAfter later.
func (s *Server) CancelOrder(orderID, notes string) error {
	return s.decide(orderID, func(o *order) {
		o.notes, o.canceled = notes, true
		s.owe(o)
	})
}

// Note writes on a manual order that waits, and leaves it waiting.
func (s *Server) Note(orderID, notes string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	o := s.byID[orderID]
	if o == nil || !o.manual || !o.ready.IsZero() {
		return fmt.Errorf("order %s does not wait for a person", orderID)
	}
	o.notes = notes
	return nil
}

// decide ends the waiting of a manual order.
func (s *Server) decide(orderID string, set func(*order)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	o := s.byID[orderID]
	if o == nil {
		return fmt.Errorf("there is no order %s", orderID)
	}
	if !o.manual || !o.ready.IsZero() {
		return fmt.Errorf("order %s does not wait for a person", orderID)
	}
	set(o)
	o.ready = s.now()
	return nil
}

// Purchases lists every purchase that truly happened, the oldest first.
func (s *Server) Purchases() []Purchase {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	return slices.Clone(s.purchases)
}

// Orders lists every order as it truly is, the oldest first.
func (s *Server) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	var all []Order
	for _, o := range s.orders {
		all = append(all, o.truth(now))
	}
	return all
}

func (o *order) truth(now time.Time) Order {
	// In the plain words, whatever Options.Shapes chooses: tests compare the truth by them.
	status := o.currentStatus(now, 0)
	if o.plan != nil {
		status = o.topupStatus(now)
	}
	return Order{
		ID: o.id, Number: o.number, Key: o.account.Key, Family: o.family(), Status: status, Code: o.key(now), Notes: o.notes,
		Price: o.price, At: o.at, Ready: o.ready, Refunded: o.refunded, TransactionID: o.trx,
		VariantID: o.variantID(), Codes: o.codes(), Held: o.holding, Tag: o.tag, Shown: o.rests(),
	}
}

// delay is how long the next order of a variant takes; s.mu is held. The logarithms of what they take are
// normally distributed.
func (s *Server) delay(v VariantSpec) time.Duration {
	// 99 of 100 draws of the normal distribution are below 2.326 deviations. Example: of Delay 1 s and Slowest 100 s the median is 10 s.
	const hundredth = 2.326 // deviations from the mean
	if v.Slowest <= v.Delay || v.Delay <= 0 {
		return v.Delay
	}
	low, high := math.Log(v.Delay.Seconds()), math.Log(v.Slowest.Seconds())
	return time.Duration(math.Exp((low+high)/2+(high-low)/(2*hundredth)*s.delays.NormFloat64()) * float64(time.Second))
}

// code makes a code; s.mu is held.
func (s *Server) code() string {
	// Without I, O, 0 and 1, which people mistake for each other.
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	var b strings.Builder
	for i := range 16 {
		if i > 0 && i%4 == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(letters[s.random.IntN(len(letters))])
	}
	return b.String()
}

// uuid makes an id of the form of a UUID, version 4; s.mu is held.
func (s *Server) uuid() string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], s.random.Uint64())
	binary.BigEndian.PutUint64(b[8:], s.random.Uint64())
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// byNumber is an order by the integer of a path; s.mu is held. ok is false where it is none.
func (s *Server) byNumber(text string) (o *order, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, false
	}
	return s.byNo[n], true
}

// ordersOf lists an account's orders that are wanted; s.mu is held. The newest come first, unless the
// point of choice says otherwise: no order of lists is shown.
func (s *Server) ordersOf(a *account, point string, wanted func(*order) bool) []*order {
	var all []*order
	for _, o := range s.orders {
		if o.account == a && wanted(o) {
			all = append(all, o)
		}
	}
	newest := 1
	if s.shape.pick(point+" sorted", 2) == 1 {
		newest = -1
	}
	slices.SortFunc(all, func(a, b *order) int { return cmp.Compare(b.number, a.number) })
	// Cut while the newest come first: what a short list lacks is always the oldest, in whichever order it is then shown.
	if most := s.world.ListMost; most > 0 && len(all) > most {
		all = all[:most]
	}
	if newest < 0 {
		slices.Reverse(all)
	}
	return all
}

// crossing is how far the numbers of Legacy are ahead where ids are crossed.
const crossing = 2

// set gives an order its code, and the course that orders take now.
func (s *Server) set(o *order) {
	o.course, o.detour, o.codeLag = s.world.Course, s.world.Detour, s.world.CodeLag
	if s.world.Fails {
		o.fails, o.refundAfter = true, s.world.RefundAfter
	}
	if !o.delivers() {
		return
	}
	o.code = s.code()
	if o.course == CodeChanges {
		o.firstCode = s.code()
	}
}

// variantID is the id of the order's variant, 0 for a plan.
func (o *order) variantID() int64 {
	if o.variant == nil {
		return 0
	}
	return o.variant.ID
}
