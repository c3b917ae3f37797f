package api

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Survey is what a service shows to one key, seen by GETs alone: nothing is bought, checked or changed by it.
type Survey struct {
	Account  Account
	Known    bool // the key has an account here, in whichever generation
	Speaks   []Generation
	Lists    Generation // whose shape GET /products has; Unsettled where it does not tell
	Readings []Reading
	Products []Surveyed
	Plans    int
}

// Reading is one answer, by its shape: no value of it is kept.
type Reading struct {
	Op         string
	Generation Generation
	Err        *Error // why there is none
	Enveloped  bool
	Entries    int      // of a list, or 1
	Odd        int      // of them, those that cannot be read
	Paged      bool     // it says that there are more than it shows
	Never      []string // documented fields that no entry has
	Extra      []string // fields that the document does not name
	Times      TimeForms
}

// TimeForms counts times by whether they name a zone.
type TimeForms struct{ Zoned, Zoneless, Odd int }

// Surveyed is a product, and whose it was taken for.
type Surveyed struct {
	Product

	Others []Family // that have it as well, and do not get it
}

// survey is one read of a Survey: its path, and the fields that the document names.
type survey struct {
	op         string
	generation Generation
	fields     string // of an entry, and of what lies in it: "variants.price"
	shown      bool   // the document shows the fields
}

const variantFields = " variants.id variants.name variants.price variants.currency variants.delivery variants.in_stock variants.available variants.client_stock"

// surveys are the reads, in the order in which they are made.
func surveys() []survey {
	return []survey{
		{"GET /account", Current, "user_id name email balance available_balance", true},
		{"GET /account/balance", Legacy, "balance currency", true},
		{"GET /balance", Current, "balance available_balance", true},
		{"GET /products", Unsettled, "", false},
		{"GET /stock", Current, "variant_id allocated used remaining status expires_at product_id product_name variant_name", true},
		{"GET /battleroyale/history", Current, "", false},
		{"GET /purchase-history", Legacy, "id product_name variant_name key price type status created_at", true},
		{"GET /arena/plans", Legacy, "id plan_id item_id plan_name plan_price reseller_price", true},
		{"GET /arena/orders", Legacy, "order_id transaction_id player_id player_name plan_name amount status created_at", true},
	}
}

// productFields are those of a product in each generation's listing.
func productFields(g Generation) string {
	return map[Generation]string{
		Current: "id name description image category_id requires_input input_fields variants" + variantFields,
		Legacy:  "id name type variants variants.name variants.reseller_buy_price variants.sell_price variants.is_available",
	}[g]
}

// Survey looks at all that the key can read without naming an order. An error is one of the key or of the way to the
// service; what single endpoints refuse is in their readings.
func (s *Session) Survey(ctx context.Context) (Survey, error) {
	var out Survey
	for _, one := range surveys() {
		text, err := s.read(ctx, call{op: one.op, method: http.MethodGet, path: strings.TrimPrefix(one.op, "GET "), limit: maxCatalogue, whole: true})
		r := Reading{Op: one.op, Generation: one.generation}
		if e, ok := err.(*Error); ok { //nolint:errorlint // read returns no other
			// These would meet every other read as well. A status tells that the service has answered for this path alone.
			if r.Err = e; e.Class == Unauthorized || e.Class == IPBlocked || e.Status == 0 {
				return out, err
			}
		}
		if r.Err == nil {
			out.record(s, one, &r, text)
		}
		out.Readings = append(out.Readings, r)
	}
	return out, nil
}

// record enters an answer.
func (v *Survey) record(s *Session, one survey, r *Reading, text json.RawMessage) {
	_, r.Enveloped = openEnvelope(text)
	entries, paged := surveyEntries(text)
	r.Entries, r.Paged = len(entries), paged
	switch one.op {
	case "GET /account", "GET /account/balance":
		v.identify(one.generation, entries)
	case "GET /products":
		v.catalogue(s, r, entries)
		one.fields, one.shown = productFields(r.Generation), r.Generation != Unsettled
	case "GET /arena/plans":
		v.Plans = len(entries)
	}
	r.compare(one, entries)
}

// surveyEntries are the entries of a list, or the one object that is there.
func surveyEntries(text json.RawMessage) (entries []json.RawMessage, paged bool) {
	p := pageOfOrders(text)
	if list, err := rawEntries(p.list); err == nil {
		return list, p.more || p.total > int64(len(list))
	}
	if bytes.HasPrefix(bytes.TrimSpace(p.list), []byte("{")) {
		return []json.RawMessage{p.list}, false
	}
	return nil, false
}

// identify notes a generation that knows the key.
func (v *Survey) identify(g Generation, entries []json.RawMessage) {
	var w wireAccount
	if len(entries) != 1 || json.Unmarshal(entries[0], &w) != nil {
		return
	}
	if b, err := w.wallet(); err == nil {
		if !v.Known {
			v.Account = Account{UserID: int64(w.UserID), Name: string(w.Name), Email: string(w.Email), Balance: b.Balance, Available: b.Available}
		}
		v.Known = true
		v.Speaks = append(v.Speaks, g)
	}
}

// catalogue notes the products, and the generation whose shape they have.
func (v *Survey) catalogue(s *Session, r *Reading, entries []json.RawMessage) {
	votes := map[Generation]int{}
	for _, entry := range entries {
		var w wireProduct
		if json.Unmarshal(entry, &w) != nil {
			r.Odd++
			continue
		}
		p, ok := s.client.cfg.Names.product(w)
		if !ok {
			r.Odd++
			continue
		}
		votes[w.shape()]++
		named := Surveyed{Product: p}
		if all := s.client.cfg.Names.families(p.ID, p.Name); len(all) > 1 {
			named.Others = slices.DeleteFunc(all, func(f Family) bool { return f == p.Family })
		}
		v.Products = append(v.Products, named)
	}
	switch {
	case votes[Current] > votes[Legacy]:
		v.Lists = Current
	case votes[Legacy] > votes[Current]:
		v.Lists = Legacy
	}
	r.Generation = v.Lists
}

// mostExtra is how many fields are named that the document does not.
const mostExtra = 12

// compare holds the entries against the fields that the document names.
func (r *Reading) compare(one survey, entries []json.RawMessage) {
	seen, odd := map[string]bool{}, 0
	for _, entry := range entries {
		var object map[string]json.RawMessage
		if json.Unmarshal(entry, &object) != nil {
			odd++
			continue
		}
		r.fields("", object, seen)
	}
	r.Odd = max(r.Odd, odd) // of products, these are counted among others already
	documented := strings.Fields(one.fields)
	for _, field := range documented {
		if inner, _, nested := strings.Cut(field, "."); !seen[field] && len(entries) > 0 && (!nested || seen[inner+"."]) {
			r.Never = append(r.Never, field)
		}
	}
	if !one.shown {
		documented = nil
	}
	for _, field := range slices.Sorted(maps.Keys(seen)) {
		outer, inner, nested := strings.Cut(field, ".")
		if !strings.HasSuffix(field, ".") && !slices.Contains(documented, field) && (!nested || slices.Contains(documented, outer) && inner != "") && len(r.Extra) < mostExtra {
			r.Extra = append(r.Extra, field)
		}
	}
}

// fields notes the fields of an object, those of variants in it, and how its times are written.
func (r *Reading) fields(outer string, object map[string]json.RawMessage, seen map[string]bool) {
	for field, value := range object {
		seen[outer+field] = true
		switch field {
		case "created_at", "expires_at", "purchase_timestamp":
			r.Times.note(value)
		case "variants":
			var list []map[string]json.RawMessage
			if outer == "" && json.Unmarshal(value, &list) == nil {
				for _, v := range list {
					seen[field+"."] = true
					r.fields(field+".", v, seen)
				}
			}
		}
	}
}

// note counts a time by its form.
func (f *TimeForms) note(value json.RawMessage) {
	var text label
	var m moment
	if json.Unmarshal(value, &text) != nil || text == "" || json.Unmarshal(value, &m) != nil {
		return
	}
	switch {
	case m.IsZero():
		f.Odd++
	case m.zoneless:
		f.Zoneless++
	default: // seconds since 1970 among them, which have no zone to name
		f.Zoned++
	}
}
