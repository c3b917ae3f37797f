package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
)

// recentOrders is how many orders the panel shows besides those that wait.
const recentOrders = 15

// Panel is a control panel for whoever plays with the service: to move money, decide about orders, change
// stock and prices, end keys, and make the next requests go wrong. It speaks JSON, for a page to draw: GET
// answers with a [View], and POST does what a [Command] asks for.
//
// It asks for no password. It refuses posts from other sites, and is meant for a loopback address.
func (s *Server) Panel() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		text, err := json.Marshal(s.View())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		put(w, string(text))
	})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		var c Command
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&c)
		if err != nil {
			err = errors.New("the command cannot be read")
		} else {
			err = s.Do(c)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	return http.NewCrossOriginProtection().Handler(mux)
}

// Command is something to do at the panel; which fields count depends on what is to be done.
type Command struct {
	Do      string `json:"do"`      // one of those of Server.Do
	Key     string `json:"key"`     // of an account
	Amount  string `json:"amount"`  // DZD
	Mode    Mode   `json:"mode"`    // what the key sees
	Order   string `json:"order"`   // an order's id
	Code    string `json:"code"`    // that a manual order delivers
	Notes   string `json:"notes"`   // to whoever bought
	Variant int64  `json:"variant"` // a variant's id
	Price   string `json:"price"`   // DZD
	Units   int    `json:"units"`
	On      bool   `json:"on"`
}

// Do does what a command asks for:
//
//   - move: add Amount, which may be negative, to the wallet of Key
//   - expire, block: end the key, or refuse its callers' addresses; without On, take that back
//   - mode: let Key see the generations of Mode
//   - complete, fail, refund: decide about Order, see [Server.Complete] and its neighbours
//   - hold: keep new orders from becoming ready, or let them
//   - variant: set Price and Units of Variant
//   - remove: take Variant out of what is sold
//   - lose, timeout, down, limit: make the next requests go wrong; well takes back what is queued
func (s *Server) Do(c Command) error {
	if err := s.about(c); err != nil {
		return err
	}
	switch c.Do {
	case "move":
		return s.move(c.Key, c.Amount)
	case "expire":
		end := time.Time{}
		if c.On {
			end = s.now()
		}
		s.SetExpiry(c.Key, end)
	case "block":
		s.BlockAddress(c.Key, c.On)
	case "mode":
		return s.SetMode(c.Key, c.Mode)
	case "complete":
		return s.Complete(c.Order, strings.TrimSpace(c.Code), strings.TrimSpace(c.Notes))
	case "fail":
		return s.Fail(c.Order, strings.TrimSpace(c.Notes))
	case "refund":
		return s.Refund(c.Order)
	case "hold":
		s.HoldOrders(c.On)
	case "variant":
		return s.reprice(c.Variant, c.Price, c.Units)
	case "remove":
		s.Remove(c.Variant)
	case "well":
		s.ClearFaults()
	default:
		fault, known := troubles()[c.Do]
		if !known {
			return fmt.Errorf("%q is nothing that can be done here", c.Do)
		}
		s.Inject(fault)
	}
	return nil
}

// about says what a command names that is not there: it would have no effect.
func (s *Server) about(c Command) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch c.Do {
	case "move", "expire", "block", "mode":
		if s.account(c.Key) == nil {
			return errors.New("there is no account with this key")
		}
	case "variant", "remove":
		if s.variants[c.Variant] == nil {
			return fmt.Errorf("there is no variant %d", c.Variant)
		}
	}
	return nil
}

// move adds money to the wallet of a key, or takes some away.
func (s *Server) move(key, text string) error {
	amount, err := dzd.Parse(strings.TrimSpace(text))
	if err != nil || amount.IsZero() {
		return fmt.Errorf("%q is no amount of money", text)
	}
	s.changeAccount(key, func(a *account) { a.balance = a.balance.Add(amount) })
	return nil
}

// reprice changes a variant's price and stock.
func (s *Server) reprice(id int64, price string, units int) error {
	amount, err := dzd.Parse(strings.TrimSpace(price))
	if err != nil || amount.Sign() < 0 {
		return fmt.Errorf("%q is no price", price)
	}
	if units < 0 {
		return fmt.Errorf("%d is no number of units", units)
	}
	s.change(id, func(v *variant) { v.price, v.InStock = amount, units })
	return nil
}

// troubles are the ways in which the panel makes the next requests go wrong.
// timeout is far longer than PURCHASE_TIMEOUT (8 s in the demo): the bot gives up first, and the purchase is made all the same.
func troubles() map[string]Fault {
	return map[string]Fault{
		"lose":    {Operation: Spending, Kind: LoseAnswer, Times: 1},
		"timeout": {Operation: Spending, Kind: Delay, Times: 1, Delay: 5 * time.Minute},
		"down":    {Operation: AnyOperation, Kind: Status, Times: 10, Status: http.StatusBadGateway},
		"limit":   {Operation: AnyOperation, Kind: RateLimit, Times: 3, Delay: 5 * time.Second},
	}
}

// View is everything that the panel shows. Money is DZD, as exact text.
type View struct {
	Accounts  []AccountView  `json:"accounts"`
	Orders    []OrderView    `json:"orders"` // the newest first
	Products  []ProductView  `json:"products"`
	Weather   map[string]int `json:"weather"` // requests that will go wrong, by the command that asked for it
	Holding   bool           `json:"holding"` // new orders wait
	Purchases int            `json:"purchases"`
	Lost      int            `json:"lost"` // purchases that were made and whose answers were lost
}

// AccountView is an account on the panel.
type AccountView struct {
	Key     string `json:"key"`
	Name    string `json:"name"`
	Balance string `json:"balance"`
	Held    string `json:"held,omitempty"`
	Mode    Mode   `json:"mode"`
	Expired bool   `json:"expired"`
	Blocked bool   `json:"blocked"`
}

// OrderView is an order on the panel.
type OrderView struct {
	ID     string `json:"id"`
	Who    string `json:"who"`
	What   string `json:"what"`
	Player string `json:"player,omitempty"`
	Price  string `json:"price"`
	At     int64  `json:"at"`    // Unix time
	State  string `json:"state"` // waiting, done, failed or refunded
	Held   bool   `json:"held"`  // it waits for a person
	Manual bool   `json:"manual"`
}

// ProductView is a product on the panel.
type ProductView struct {
	Name     string        `json:"name"`
	Variants []VariantView `json:"variants"`
}

// VariantView is a variant on the panel.
type VariantView struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Price string `json:"price"`
	Units int    `json:"units"`
}

// View is what the panel shows now.
func (s *Server) View() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	v := View{Accounts: []AccountView{}, Orders: []OrderView{}, Products: []ProductView{}, Weather: map[string]int{}, Holding: s.held, Purchases: len(s.purchases), Lost: s.lost}
	for key, c := range s.keys {
		v.Accounts = append(v.Accounts, s.accountView(key, c, now))
	}
	// Maps have no order. The sandbox sends a view when its text has changed, so the text must change with the facts alone.
	slices.SortFunc(v.Accounts, func(a, b AccountView) int { return strings.Compare(a.Name+"\x00"+a.Key, b.Name+"\x00"+b.Key) })
	for i, o := range slices.Backward(s.orders) {
		// One that waits for a person is shown however old it is: the panel is the only place where it can be decided.
		if len(s.orders)-i <= recentOrders || o.ready.IsZero() {
			v.Orders = append(v.Orders, o.view(now))
		}
	}
	for _, p := range s.products {
		row := ProductView{Name: p.Name}
		for _, one := range p.variants {
			row.Variants = append(row.Variants, VariantView{ID: one.ID, Name: one.Name, Price: one.price.String(), Units: one.InStock})
		}
		v.Products = append(v.Products, row)
	}
	// A fault is known again by its kind and operation: one from Server.Inject that is like none of these is not shown.
	for name, t := range troubles() {
		for _, f := range s.faults {
			if f.Kind == t.Kind && f.Operation == t.Operation {
				v.Weather[name] += f.Times
			}
		}
	}
	return v
}

// OrderView is an order as the panel shows it, however old it is.
func (s *Server) OrderView(id string) (v OrderView, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	if o := s.byID[id]; o != nil {
		return o.view(now), true
	}
	return OrderView{}, false
}

func (s *Server) accountView(key string, c *credential, now time.Time) AccountView {
	a := c.account
	v := AccountView{Key: key, Name: a.Name, Balance: a.balance.String(), Mode: a.Mode, Expired: c.expired(now), Blocked: a.blocked}
	if v.Mode == "" {
		v.Mode = s.mode
	}
	if !a.held.IsZero() {
		v.Held = a.held.String()
	}
	return v
}

func (o *order) view(now time.Time) OrderView {
	v := OrderView{
		ID: o.id, Who: o.account.Name, What: o.what(), Player: o.player.ID, Price: o.price.String(), At: o.at.Unix(),
		State: [...]string{waiting: "waiting", done: "done", failed: "failed", canceled: "failed"}[o.phase(now)], Held: o.ready.IsZero(), Manual: o.manual,
	}
	if o.refunded {
		v.State = "refunded"
	}
	return v
}

// what names the good of an order.
func (o *order) what() string {
	if o.plan != nil {
		return "Arena, " + o.plan.Name
	}
	return o.variant.product.Name + ", " + o.name
}
