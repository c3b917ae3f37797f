package sim

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
)

//go:embed panel.html
var panelPage string

// recentPurchases is how many purchases the panel shows.
const recentPurchases = 20

// Panel is a control panel for whoever plays with the service: a page to add money, fulfil manual orders,
// change stock and prices, and make the next requests go wrong. It is one page whose forms post to the
// address it was read from, so that it can be served under any path.
//
// It asks for no password. It refuses posts from other sites, and is meant for a loopback address.
func (s *Server) Panel() http.Handler {
	page := template.Must(template.New("panel").Parse(panelPage))
	show := func(w http.ResponseWriter, code int, trouble string) {
		var text bytes.Buffer
		if err := page.Execute(&text, s.panelView(trouble)); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'")
		h.Set("Cache-Control", "no-store")
		w.WriteHeader(code)
		put(w, text.String())
	}
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			show(w, http.StatusOK, "")
		case http.MethodPost:
			r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
			if err := s.act(r); err != nil {
				show(w, http.StatusBadRequest, err.Error())
				return
			}
			w.Header().Set("Location", "?") // the same page, wherever it is served
			w.WriteHeader(http.StatusSeeOther)
		default:
			w.Header().Set("Allow", "GET, HEAD, POST")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		}
	}))
}

// act does what a form of the panel asks for.
func (s *Server) act(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return errors.New("the form cannot be read")
	}
	value := func(name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }
	switch value("do") {
	case "pay":
		return s.credit(value("key"), value("amount"))
	case "fulfil":
		return s.Fulfil(value("order"), value("code"), value("notes"))
	case "cancel":
		return s.CancelOrder(value("order"), value("notes"))
	case "variant":
		return s.reprice(value("variant"), value("price"), value("units"))
	case "well":
		s.ClearFaults()
		return nil
	}
	for _, t := range troubles() {
		if t.Do == value("do") {
			s.Inject(t.fault)
			return nil
		}
	}
	return errors.New("the form asks for nothing that there is")
}

// credit adds money to the wallet of a key.
func (s *Server) credit(key, text string) error {
	amount, err := dzd.Parse(text)
	if err != nil || amount.Sign() <= 0 {
		return fmt.Errorf("%q is no amount of money above zero", text)
	}
	s.changeAccount(key, func(a *account) { a.balance = a.balance.Add(amount) })
	return nil
}

// reprice changes a variant's price and stock.
func (s *Server) reprice(variantID, price, units string) error {
	id, err := strconv.ParseInt(variantID, 10, 64)
	if err != nil {
		return fmt.Errorf("there is no variant %q", variantID)
	}
	amount, err := dzd.Parse(price)
	if err != nil || amount.Sign() < 0 {
		return fmt.Errorf("%q is no price", price)
	}
	n, err := strconv.Atoi(units)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no number of units", units)
	}
	s.change(id, func(v *variant) { v.price, v.InStock = amount, n })
	return nil
}

// trouble is a button that makes the next requests go wrong.
type trouble struct {
	Do, Label, Hint string
	fault           Fault
}

func troubles() []trouble {
	return []trouble{
		{"lose", "Lose the answer", "the next purchase is made, and nobody is told", Fault{Operation: Spending, Kind: LoseAnswer, Times: 1}},
		{"slow", "Slow", "the next 3 answers take 5 seconds", Fault{Operation: AnyOperation, Kind: Delay, Times: 3, Delay: 5 * time.Second}},
		{"down", "Down", "the next 10 requests get a 502", Fault{Operation: AnyOperation, Kind: Status, Times: 10, Status: http.StatusBadGateway}},
		{"limit", "Rate limit", "the next 3 requests get a 429", Fault{Operation: AnyOperation, Kind: RateLimit, Times: 3, Delay: 5 * time.Second}},
	}
}

// panelView is what the page shows.
type panelView struct {
	Trouble   string // what was wrong with the last form
	Accounts  []accountRow
	Waiting   []waitingRow
	Purchases []purchaseRow
	Products  []productRow
	Buttons   []trouble
	Faults    []string
}

type accountRow struct{ Key, Name, Balance, Held string }

type waitingRow struct{ ID, What, Who, Price, At string }

type purchaseRow struct{ At, Who, What, Total, Statuses string }

type productRow struct {
	Name     string
	Variants []variantRow
}

type variantRow struct {
	ID          int64
	Name, Price string
	Units       int
}

func (s *Server) panelView(trouble string) panelView {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.refund(now)
	v := panelView{Trouble: trouble, Buttons: troubles()}
	for _, a := range s.accounts {
		row := accountRow{Key: a.Key, Name: a.Name, Balance: a.balance.String()}
		if !a.held.IsZero() {
			row.Held = a.held.String()
		}
		v.Accounts = append(v.Accounts, row)
	}
	slices.SortFunc(v.Accounts, func(a, b accountRow) int { return strings.Compare(a.Name+"\x00"+a.Key, b.Name+"\x00"+b.Key) })
	for _, o := range s.orders {
		if o.manual && o.ready.IsZero() {
			v.Waiting = append(v.Waiting, waitingRow{ID: o.id, What: o.what(), Who: o.account.Name, Price: o.price.String(), At: clock(o.at)})
		}
	}
	for i := len(s.purchases) - 1; i >= max(0, len(s.purchases)-recentPurchases); i-- {
		v.Purchases = append(v.Purchases, s.purchaseRow(s.purchases[i], now))
	}
	for _, p := range s.products {
		row := productRow{Name: p.Name}
		for _, one := range p.variants {
			row.Variants = append(row.Variants, variantRow{ID: one.ID, Name: one.Name, Price: one.price.String(), Units: one.InStock})
		}
		v.Products = append(v.Products, row)
	}
	for _, f := range s.faults {
		v.Faults = append(v.Faults, f.String())
	}
	return v
}

func (s *Server) purchaseRow(p Purchase, now time.Time) purchaseRow {
	row := purchaseRow{At: clock(p.At), Who: p.Key, Total: p.Total.String()}
	if a := s.accounts[p.Key]; a != nil {
		row.Who = a.Name
	}
	counts := map[string]int{}
	var statuses []string
	for _, id := range p.OrderIDs {
		o := s.byID[id]
		row.What = o.what()
		status := o.truth(now).Status
		if counts[status]++; counts[status] == 1 {
			statuses = append(statuses, status)
		}
	}
	if p.Quantity > 1 {
		row.What += fmt.Sprintf(" × %d", p.Quantity)
	}
	for i, status := range statuses {
		if n := counts[status]; n > 1 {
			statuses[i] = fmt.Sprintf("%s %d", status, n)
		}
	}
	row.Statuses = strings.Join(statuses, ", ")
	return row
}

// what names the good of an order, and whom it is for.
func (o *order) what() string {
	name := "Arena, "
	if o.plan != nil {
		name += o.plan.Name
	} else {
		name = o.variant.product.Name + ", " + o.variant.Name
	}
	if o.player.ID != "" {
		name += " → " + o.player.ID
	}
	return name
}

// clock is a time as the panel shows it.
func clock(t time.Time) string { return t.UTC().Format("15:04:05") }

// String names the fault for people.
func (f *Fault) String() string {
	kind := [...]string{
		"lose the answer", "drop the request", "delay", "status", "done, then status", "garbage", "forbidden", "rate limit",
		"double ids", "short count", "error", "done, then error",
	}[min(f.Kind, ErrorDone)]
	target := map[string]string{AnyOperation: "any request", Spending: "purchases"}[f.Operation]
	if target == "" {
		target = f.Operation
	}
	return fmt.Sprintf("%s: %d × %s", target, f.Times, kind)
}
