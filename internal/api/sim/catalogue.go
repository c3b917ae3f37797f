package sim

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api/dzd"
)

// The families of products, beyond those that deliver codes and nothing else.
const (
	familyArena        = "arena"
	familyBattleRoyale = "battleroyale"
	familySportsTV     = "sportstv"
	familyInternet     = "internet"
)

const (
	kindTopup  = "topup"
	typeManual = "manual"
	mostUnits  = 500
)

// ProductSpec is a product to add.
type ProductSpec struct {
	ID                int64
	Name, Description string
	CategoryID        int64
	// Kind is listed as `kind`, which the document names without showing where; left out when empty.
	// Only products of kind "topup" are verified by POST /catalog/{id}/verify, and their orders bring no code.
	Kind string
	// Type is "automatic" (the default) or "manual": orders of these stay pending until Fulfil or
	// CancelOrder, whatever their variant's Delay and Fails say.
	Type string
	// Inactive products are listed nowhere and cannot be bought.
	Inactive bool
	// Family is which endpoints of their own follow the orders: "battleroyale", "sportstv", "arena" (by
	// /arena/status) or "internet" (whose numbers /internet/check-number checks); "" for none. Top-ups
	// of battleroyale and arena bring no code.
	Family   string
	Inputs   []InputSpec
	Variants []VariantSpec
}

// InputSpec is one of a product's input_fields. An answer that does not fit Pattern or is none of Options
// fails the validation of a purchase.
type InputSpec struct {
	Index, Label, Hint, Pattern string
	Required                    bool
	Options                     []string
	OptionLabels                []string // what Options are called; nil for the same
}

// VariantSpec is a variant to add. Prices are in DZD; SellPrice is the Legacy sell_price, Price and a
// hundred when empty. Delay is how long its orders take; Fails makes them fail, refunded RefundAfter
// later. Where Slowest is set, Delay is only how long the quickest take: one order in a hundred is quicker,
// and one slower than Slowest. Allocated above zero makes it an allocated variant: each account has that many units, of which
// Used are gone, until ExpiresAt. AllocationStatus is what the allocation's status says, the usual word where it is empty;
// with FromShelf, an allocation that is over does not keep the variant from being sold from InStock.
type VariantSpec struct {
	ID              int64
	Name, Price     string
	SellPrice       string
	InStock         int
	Delay, Slowest  time.Duration
	Fails           bool
	RefundAfter     time.Duration
	Allocated, Used int
	ExpiresAt       time.Time

	AllocationStatus string
	FromShelf        bool
	Zoneless         bool // ExpiresAt is written without its zone
}

// PlanSpec is an arena plan to add. Prices are in DZD; ResellerPrice is what a top-up costs, Price when
// empty. Delay is how long a top-up takes; Fails makes it fail, refunded RefundAfter later.
type PlanSpec struct {
	ID                   int64
	PlanID, ItemID, Name string
	Price, ResellerPrice string
	Delay                time.Duration
	Fails                bool
	RefundAfter          time.Duration
}

type product struct {
	ProductSpec

	variants []*variant
}

type variant struct {
	VariantSpec

	price, sells dzd.Amount
	product      *product
	used         map[*account]int // beyond Used
}

type plan struct {
	PlanSpec

	price, resells dzd.Amount
}

// AddProduct adds a product. A price that cannot be read panics: it is the test's own mistake.
func (s *Server) AddProduct(spec ProductSpec) {
	p := &product{ProductSpec: spec}
	for _, v := range spec.Variants {
		added := &variant{VariantSpec: v, price: dzd.Must(v.Price), product: p, used: map[*account]int{}}
		added.sells = added.price.Add(dzd.Int(100))
		if v.SellPrice != "" {
			added.sells = dzd.Must(v.SellPrice)
		}
		p.variants = append(p.variants, added)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.products = append(s.products, p)
	for _, v := range p.variants {
		// Of two variants with one id the first is bought, whatever lists show of the other.
		if s.variants[v.ID] == nil {
			s.variants[v.ID] = v
		}
	}
}

// AddPlan adds an arena plan. A price that cannot be read panics.
func (s *Server) AddPlan(spec PlanSpec) {
	p := &plan{PlanSpec: spec, price: dzd.Must(spec.Price), resells: dzd.Must(cmp.Or(spec.ResellerPrice, spec.Price))}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans = append(s.plans, p)
}

// SetPrice changes a variant's price, in DZD.
func (s *Server) SetPrice(variantID int64, price string) {
	amount := dzd.Must(price)
	s.change(variantID, func(v *variant) { v.price = amount })
}

// SetStock changes how many units of a variant there are.
func (s *Server) SetStock(variantID int64, units int) {
	s.change(variantID, func(v *variant) { v.InStock = units })
}

// Remove takes a variant out of what is sold: it is listed nowhere, and cannot be bought or read by its id. A product whose last one
// goes is gone with it. Orders of it stay.
func (s *Server) Remove(variantID int64) {
	s.change(variantID, func(v *variant) {
		p := v.product
		delete(s.variants, variantID)
		p.variants = slices.DeleteFunc(slices.Clone(p.variants), func(other *variant) bool { return other == v })
		if len(p.variants) == 0 {
			s.products = slices.DeleteFunc(slices.Clone(s.products), func(other *product) bool { return other == p })
		}
	})
}

func (s *Server) change(variantID int64, set func(*variant)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	if v := s.variants[variantID]; v != nil {
		set(v)
	}
}

// product is a product by the id in a path; s.mu is held.
func (s *Server) product(text string) *product {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil
	}
	if i := slices.IndexFunc(s.products, func(p *product) bool { return p.ID == id }); i >= 0 {
		return s.products[i]
	}
	return nil
}

// variant is a variant on sale by the id in a path; s.mu is held.
func (s *Server) variant(text string) *variant {
	id, err := strconv.ParseInt(text, 10, 64)
	if v := s.variants[id]; err == nil && v != nil && !v.product.Inactive {
		return v
	}
	return nil
}

// plan is an arena plan by its plan_id; s.mu is held.
func (s *Server) plan(id string) *plan {
	if i := slices.IndexFunc(s.plans, func(p *plan) bool { return p.PlanID == id }); i >= 0 {
		return s.plans[i]
	}
	return nil
}

// delivers reports whether orders of the product bring a code: a top-up goes to the player instead.
func (p *product) delivers() bool {
	return p.Kind != kindTopup && p.Family != familyBattleRoyale && p.Family != familyArena
}

// topsUp reports whether the first input is a player who is looked up.
func (p *product) topsUp() bool { return !p.delivers() }

// remaining is how many units of its allocation an account has left.
func (v *variant) remaining(a *account) int { return v.Allocated - v.Used - v.used[a] }

// usedAt is how many units of an allocation an account had used at a moment; s.mu is held.
// It counts orders and not variant.used, which knows no times: a counter that lags shows how many there were then. Both start at Used.
func (s *Server) usedAt(v *variant, a *account, then time.Time) int {
	used := v.Used
	if v.Allocated == 0 {
		return used
	}
	for _, o := range s.orders {
		if o.variant == v && o.account == a && !o.at.After(then) {
			used++
		}
	}
	return used
}

// lapsed reports whether the allocation is over.
func (v *variant) lapsed(now time.Time) bool {
	return !v.ExpiresAt.IsZero() && !now.Before(v.ExpiresAt)
}

// over reports whether the allocation has ended, or is not active.
func (v *variant) over(now time.Time) bool {
	return v.lapsed(now) || v.AllocationStatus != "" && v.AllocationStatus != "active"
}

// units is how many an account can buy.
func (v *variant) units(a *account, now time.Time) int {
	switch {
	case v.Allocated == 0, v.FromShelf && v.over(now):
		return v.InStock
	case v.lapsed(now):
		return 0
	}
	// The allocation is a share of the stock and no stock of its own: whichever ends first ends the purchase.
	return min(v.InStock, v.remaining(a))
}
