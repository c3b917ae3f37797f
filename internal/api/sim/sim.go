package sim

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/api/dzd"
)

const mostUnits = 500

// Options are how a Server is made. The zero value is a service at /api with the published limits.
type Options struct {
	Seed     uint64 // of the codes
	BasePath string // "/api"
	// GetPerMinute and PostPerMinute are the limits of a key: 60 and 30; negative is none.
	GetPerMinute, PostPerMinute int
}

// Server is the simulated service. Its methods may be called while it serves.
type Server struct {
	base        string
	gets, posts int

	mu        sync.Mutex
	random    *rand.Rand
	accounts  map[string]*account // by key
	products  []*product
	orders    []*order
	purchases []Purchase
	held      bool
	faults    []*Fault
	requests  map[string]int
}

// AccountSpec is an account to add. Balance and Held are in DZD; what is held cannot be spent.
type AccountSpec struct {
	Key, Name, Email string
	UserID           int64
	Balance, Held    string
}

type account struct {
	AccountSpec
	balance, held    dzd.Amount
	expired, blocked bool
	sent             map[string][]time.Time // calls in the last minute, by method
}

// ProductSpec is a product to add.
type ProductSpec struct {
	ID                int64
	Name, Description string
	CategoryID        int64
	Inputs            []InputSpec
	Variants          []VariantSpec
}

// InputSpec is one of a product's input_fields.
type InputSpec struct {
	Index, Label, Hint, Pattern string
	Required                    bool
	Options                     []string
}

// VariantSpec is a variant to add. Delay is how long its orders take; Fails makes them fail, refunded
// RefundAfter later. Allocated above zero makes it an allocated variant.
type VariantSpec struct {
	ID          int64
	Name, Price string
	InStock     int
	Delay       time.Duration
	Fails       bool
	RefundAfter time.Duration
	Allocated   int
	Used        int
	ExpiresAt   time.Time
}

type product struct {
	ProductSpec
	variants []*variant
}

type variant struct {
	VariantSpec
	price   dzd.Amount
	product *product
}

// Order is an order as it truly is.
type Order struct {
	ID, Key string // Key is the account's
	Status  string
	Code    string // "" until it is ready
	Price   dzd.Amount
	At      time.Time
}

type order struct {
	id       string
	account  *account
	variant  *variant
	price    dzd.Amount
	code     string
	at       time.Time
	ready    time.Time
	fails    bool
	refund   time.Time
	refunded bool
}

// Purchase is a purchase as it truly happened.
type Purchase struct {
	Key       string
	VariantID int64
	Quantity  int
	Inputs    map[string]string
	At        time.Time
	OrderIDs  []string
	Total     dzd.Amount
}

// New makes an empty service.
func New(o Options) *Server {
	return &Server{
		base: cmp.Or(o.BasePath, "/api"), gets: cmp.Or(o.GetPerMinute, 60), posts: cmp.Or(o.PostPerMinute, 30),
		random: rand.New(rand.NewPCG(o.Seed, 1)), accounts: map[string]*account{}, requests: map[string]int{},
	}
}

// AddAccount adds an account with its key.
func (s *Server) AddAccount(spec AccountSpec) error {
	a := &account{AccountSpec: spec, sent: map[string][]time.Time{}}
	var err error
	if a.balance, err = dzd.Parse(cmp.Or(spec.Balance, "0")); err != nil {
		return fmt.Errorf("balance of %s: %w", spec.Name, err)
	}
	if a.held, err = dzd.Parse(cmp.Or(spec.Held, "0")); err != nil {
		return fmt.Errorf("held of %s: %w", spec.Name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts[spec.Key] = a
	return nil
}

// AddProduct adds a product. A price that cannot be read panics: it is the test's own mistake.
func (s *Server) AddProduct(spec ProductSpec) {
	p := &product{ProductSpec: spec}
	for _, v := range spec.Variants {
		p.variants = append(p.variants, &variant{VariantSpec: v, price: dzd.Must(v.Price), product: p})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.products = append(s.products, p)
}

// find is a variant by id; s.mu is held.
func (s *Server) find(id int64) *variant {
	for _, p := range s.products {
		for _, v := range p.variants {
			if v.ID == id {
				return v
			}
		}
	}
	return nil
}

// product is a product by id; s.mu is held.
func (s *Server) product(id int64) *product {
	if i := slices.IndexFunc(s.products, func(p *product) bool { return p.ID == id }); i >= 0 {
		return s.products[i]
	}
	return nil
}

// SetPrice changes a variant's price.
func (s *Server) SetPrice(variantID int64, price string) {
	s.change(variantID, func(v *variant) { v.price = dzd.Must(price) })
}

// SetStock changes how many units of a variant there are.
func (s *Server) SetStock(variantID int64, units int) {
	s.change(variantID, func(v *variant) { v.InStock = units })
}

func (s *Server) change(variantID int64, set func(*variant)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.find(variantID); v != nil {
		set(v)
	}
}

// SetBalance changes what the wallet of a key holds.
func (s *Server) SetBalance(key, balance string) {
	s.changeAccount(key, func(a *account) { a.balance = dzd.Must(balance) })
}

// ExpireKey makes a key invalid.
func (s *Server) ExpireKey(key string) { s.changeAccount(key, func(a *account) { a.expired = true }) }

// BlockAddress makes the account refuse the caller's address, or take it again.
func (s *Server) BlockAddress(key string, blocked bool) {
	s.changeAccount(key, func(a *account) { a.blocked = blocked })
}

func (s *Server) changeAccount(key string, set func(*account)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.accounts[key]; a != nil {
		set(a)
	}
}

// HoldOrders keeps new orders from becoming ready, until it is called with false.
func (s *Server) HoldOrders(hold bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = hold
	for _, o := range s.orders {
		if !hold && o.ready.IsZero() {
			o.ready = time.Now()
		}
	}
}

// Balance is what the wallet of a key truly holds.
func (s *Server) Balance(key string) dzd.Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refund(time.Now())
	if a := s.accounts[key]; a != nil {
		return a.balance
	}
	return dzd.Amount{}
}

// Purchases lists every purchase that truly happened.
func (s *Server) Purchases() []Purchase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.purchases)
}

// Orders lists every order as it truly is.
func (s *Server) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	var all []Order
	for _, o := range s.orders {
		status, code := o.state(now)
		all = append(all, Order{ID: o.id, Key: o.account.Key, Status: status, Code: code, Price: o.price, At: o.at})
	}
	return all
}

// Requests counts the requests that reached each operation, "GET /balance".
func (s *Server) Requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	for op, n := range s.requests {
		out[op] = n
	}
	return out
}

// state is an order's status and code at a time.
func (o *order) state(now time.Time) (status, code string) {
	switch {
	case o.ready.IsZero() || now.Before(o.ready):
		return "processing", ""
	case o.fails:
		return "failed", ""
	}
	return "completed", o.code
}

// refund gives back what failed orders cost, once their time has come; s.mu is held.
func (s *Server) refund(now time.Time) {
	for _, o := range s.orders {
		if o.fails && !o.refunded && !o.ready.IsZero() && !now.Before(o.ready.Add(o.variant.RefundAfter)) {
			o.refunded = true
			o.account.balance = o.account.balance.Add(o.price)
		}
	}
}

// code makes a code; s.mu is held.
func (s *Server) code() string {
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

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r) }
