package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/orderid"
	"resellerbot/internal/secret"
)

// Orders reads many orders of the Current generation in one call, which spends one POST
// (POST /products/orders/retrieve). What comes need not be what was asked for: orders may lack, repeat, or
// be foreign. An order has the ID that it was asked for by, however the answer spells it. One that has several entries, as
// one of several units may, is what they say together.
//
//reseller:operation POST /products/orders/retrieve current
func (s *Session) Orders(ctx context.Context, ids []string) ([]Order, error) {
	const op = "POST /products/orders/retrieve"
	body := map[string][]string{"order_ids": ids}
	list, err := do(ctx, s, call{op: op, method: http.MethodPost, path: "/products/orders/retrieve", body: body, limit: maxCatalogue}, listOf(s, op, s.placed(wireOrder.order)))
	return joined(asAsked(ids, list), always), err
}

// joined is orders of which each stands there once, in the place of its first entry. Entries of one id are of one order where they may be.
func joined(list []Order, may func(a, b Order) bool) []Order {
	at := map[string][]int{}
	var entries [][]Order
	for _, o := range list {
		i := slices.IndexFunc(at[o.ID], func(i int) bool { return may(entries[i][0], o) })
		if i >= 0 {
			i = at[o.ID][i]
			entries[i] = append(entries[i], o)
			continue
		}
		at[o.ID] = append(at[o.ID], len(entries))
		entries = append(entries, []Order{o})
	}
	out := make([]Order, len(entries))
	for i, of := range entries {
		out[i] = ofEntries(of)
	}
	return out
}

// always joins whatever has one id.
func always(Order, Order) bool { return true }

// ofEntries is what the entries of one answer say of one order together. Two codes are of two units, and each unit has its price. Entries without a
// code that are alike in status and price may be of several units, or one that is repeated: what the order costs is not told then.
func ofEntries(entries []Order) Order {
	units := unitsOf(entries)
	if len(units) == 0 {
		units = entries[:1]
	}
	o := units[0]
	for _, e := range entries {
		o = saysMore(o, e)
	}
	// Example: two entries of one order without a code, both pending at 500, are two units of an order that costs 1000, or one at 500, twice.
	alike := !slices.ContainsFunc(entries, func(e Order) bool { return e.Status != o.Status || !e.Price.Equal(o.Price) })
	var codes []member
	if o.Price = (dzd.Amount{}); o.Code.IsZero() && alike && len(entries) > 1 {
		return o
	}
	for _, u := range units {
		codes, o.Price = append(codes, u.unit()), o.Price.Add(u.Price)
	}
	if len(units) > 1 {
		o.Code, o.Serial = secret.New(join(codes).text), secret.Text{}
	}
	return o
}

// unitsOf is those of the entries of one order that have a code which no other one tells: one for each unit.
func unitsOf(entries []Order) (units []Order) {
	for _, e := range entries {
		if e.Code.IsZero() || slices.ContainsFunc(units, func(u Order) bool { return tellsAll(u.Code, e.Code) }) {
			continue
		}
		// A code that has all lines of others takes their place: it is the same unit, told in full.
		units = append(slices.DeleteFunc(units, func(u Order) bool { return tellsAll(e.Code, u.Code) }), e)
	}
	return units
}

// unit is the code of one unit with the serial number that came with it.
func (o Order) unit() member {
	if o.Serial.IsZero() {
		return member{pieces: pieces{text: o.Code.Reveal()}}
	}
	return member{pieces: pieces{text: underName("code", o.Code.Reveal()) + "\n" + underName("serial", o.Serial.Reveal())}}
}

// tellsAll reports whether a code has each line of another, under whatever name and however blanks and dashes are set in it.
func tellsAll(code, other secret.Text) bool {
	known := valuesOf(code)
	return !slices.ContainsFunc(valuesOf(other), func(value string) bool { return !slices.Contains(known, value) })
}

// valuesOf is what stands in the lines of a code, without names, blanks and dashes.
func valuesOf(code secret.Text) (values []string) {
	for line := range strings.Lines(code.Reveal()) {
		if _, value, ok := strings.Cut(line, ": "); ok {
			line = value
		}
		values = append(values, strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
				return -1
			}
			return r
		}, line))
	}
	return values
}

// placed makes what turns an order put its time into the service's zone, where it names none and that is known.
func (s *Session) placed(turn func(wireOrder) (Order, bool)) func(wireOrder) (Order, bool) {
	return func(w wireOrder) (Order, bool) {
		o, ok := turn(w)
		at := moment{o.CreatedAt, o.Zoneless}.in(s.client.cfg.Zone)
		o.CreatedAt, o.Zoneless = at.Time, at.zoneless
		return o, ok
	}
}

// asAsked calls orders as they were asked for. Where a spelling may mean two, it is left as it came.
func asAsked(asked []string, list []Order) []Order {
	spellings := func(of string, all []string) []string {
		alike := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return !orderid.Same(id, of) })
		slices.Sort(alike)
		return slices.Compact(alike)
	}
	came := make([]string, len(list))
	for i, o := range list {
		came[i] = o.ID
	}
	for i, id := range came {
		if slices.Contains(asked, id) {
			continue
		}
		// One spelling on each side: only then it is certain which order of the answer is meant.
		if ours := spellings(id, asked); len(ours) == 1 && len(spellings(id, came)) == 1 {
			list[i].ID = ours[0]
		}
	}
	return list
}

// Order reads one order at the endpoint that fits where it was made. NotFound also where it is somebody else's,
// or where the answer is about another order. Those of a family with an endpoint of its own are read there and
// at the one for all orders, which spends two GETs: of the two, the one that says more is the answer.
//
//reseller:operation GET /products/order/{orderId} current
//reseller:operation GET /orders/{order_id} legacy
//reseller:operation GET /battleroyale/status/{orderId} current
//reseller:operation GET /sportstv/order/{orderId} current
func (s *Session) Order(ctx context.Context, ref OrderRef) (Order, error) {
	switch ref.Origin {
	case FromLegacy:
		return s.oneOrder(ctx, "GET /orders/{order_id}", "/orders/", ref.ID)
	case FromArena:
		return s.arenaOrder(ctx, ref)
	case FromBattleRoyale:
		return s.either(ctx, ref, "GET /battleroyale/status/{orderId}", "/battleroyale/status/")
	case FromSportsTV:
		return s.either(ctx, ref, "GET /sportstv/order/{orderId}", "/sportstv/order/")
	}
	return s.anyOrder(ctx, ref.ID)
}

// anyOrder reads an order at the endpoint for all orders.
func (s *Session) anyOrder(ctx context.Context, id string) (Order, error) {
	return s.oneOrder(ctx, "GET /products/order/{orderId}", "/products/order/", id)
}

// either reads an order at its family's endpoint and, unless that shows the code, at the one for all orders:
// what the family's shows is not known. Where one of the two cannot be read, the other is the answer.
func (s *Session) either(ctx context.Context, ref OrderRef, op, path string) (Order, error) {
	own, err := s.oneOrder(ctx, op, path, ref.ID)
	switch class := ClassOf(err); {
	case err == nil && !own.Code.IsZero():
		return own, nil
	// A second call would meet the same limit or key, or come too late: it is spared.
	case err != nil && (class == Limited || class == Unauthorized || ctx.Err() != nil):
		return own, err
	}
	general, other := s.anyOrder(ctx, ref.ID)
	switch {
	// A success among fields that nobody knows may be that of the call: the failure is of the endpoint that the document shows.
	case err == nil && other == nil && own.Stage() == Done && general.Stage() == Broken && general.Code.IsZero():
		return general, nil
	case err == nil && other == nil:
		return saysMore(own, general), nil
	case other == nil:
		return general, nil
	case ClassOf(err) == NotFound: // the family has nothing to say
		return Order{}, other
	// The family answers, in fields that nobody knows, and nobody else knows the order: it is there, and nothing more is told.
	case errors.Is(err, errShape) && ClassOf(other) == NotFound:
		return Order{ID: ref.ID}, nil
	}
	return own, err
}

// arenaOrder follows a top-up of the arena by its order, by its transaction where that has nothing, and in the list of
// all where neither has: each generation lacks one of the two, and an order may have come without its number.
//
//reseller:operation GET /arena/orders/{order_id} legacy
//reseller:operation GET /arena/status/{trxId} current
func (s *Session) arenaOrder(ctx context.Context, ref OrderRef) (Order, error) {
	if ref.ID != "" && ref.ID != ref.Transaction {
		o, err := s.oneOrder(ctx, "GET /arena/orders/{order_id}", "/arena/orders/", ref.ID)
		if ClassOf(err) != NotFound {
			return o, err
		}
	}
	o, err := s.oneOrder(ctx, "GET /arena/status/{trxId}", "/arena/status/", cmp.Or(ref.Transaction, ref.ID))
	if ClassOf(err) == NotFound {
		o, err = s.listedTopup(ctx, ref, err)
	}
	if err == nil && ref.ID != "" {
		o.ID = ref.ID
	}
	return o, err
}

// listedTopup finds a top-up of the arena in the list of all, by either of its names; missing is the error where
// it is not there, or the list cannot be read.
func (s *Session) listedTopup(ctx context.Context, ref OrderRef, missing error) (Order, error) {
	all, err := s.History(ctx, Arena, 0)
	if class := ClassOf(err); err != nil && (class == Limited || class == Unauthorized || ctx.Err() != nil) {
		return Order{}, err
	}
	for _, o := range all {
		named := orderid.Same(o.ID, ref.ID)
		if named || orderid.Same(o.Transaction, ref.Transaction) {
			return o, nil
		}
	}
	return Order{}, missing
}

// oneOrder reads one order. An answer that names none is the order that was asked for: some say only how
// it stands. One that names others is about them.
func (s *Session) oneOrder(ctx context.Context, op, path, id string) (Order, error) {
	if id == "" || id == "." || id == ".." { // they would name another path
		return Order{}, &Error{Op: op, Class: NotFound}
	}
	o, err := do(ctx, s, call{op: op, method: http.MethodGet, path: path + url.PathEscape(id)}, func(data json.RawMessage) (Order, error) {
		var w wireOrder
		if json.Unmarshal(onlyOne(data), &w) != nil {
			return Order{}, errShape
		}
		names := w.names()
		// What names other orders is another one's answer, however well it looks: its code is somebody else's.
		if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return orderid.Same(name, id) }) {
			return Order{}, errOther
		}
		o, _ := s.placed(wireOrder.order)(w)
		if o.Status == "" && o.Code.IsZero() && o.Instead.IsZero() && o.Notes.IsZero() {
			return Order{}, errShape
		}
		o.ID = id
		return o, nil
	})
	if e, ok := errors.AsType[*Error](err); ok && errors.Is(err, errOther) {
		e.Class = NotFound
	}
	return o, err
}

// History lists what the service remembers of an account's orders in a family, newest first as it came,
// not older than maxAge: purchases of the Legacy generation, the arena's, and battleroyale's. NotOffered
// where there is no such list. An entry that cannot be read is an Order without an ID: it may be anybody's. One is
// the Rest, where the list says that it does not show all.
//
//reseller:operation GET /purchase-history legacy
//reseller:operation GET /arena/orders legacy
//reseller:operation GET /battleroyale/history current
func (s *Session) History(ctx context.Context, f Family, maxAge time.Duration) ([]Order, error) {
	var op, path string
	switch f {
	case Goods:
		op, path = "GET /purchase-history", "/purchase-history"
	case Arena:
		op, path = "GET /arena/orders", "/arena/orders"
	case BattleRoyale:
		op, path = "GET /battleroyale/history", "/battleroyale/history"
	default:
		return nil, &Error{Op: "history", Class: NotOffered}
	}
	list, err := cached(ctx, s, op, maxAge, func(ctx context.Context) ([]Order, error) {
		return do(ctx, s, call{op: op, method: http.MethodGet, path: path, limit: maxCatalogue, whole: true}, func(text json.RawMessage) ([]Order, error) {
			p := pageOfOrders(text)
			if string(p.list) == "null" { // which is no empty list
				return nil, errShape
			}
			list, odd, err := counted(s, op, p.list, s.placed(wireOrder.listed))
			all := len(list) + odd
			if list = joined(once(list), Order.mayBe); err == nil && (p.more || p.total > int64(all)) {
				list = append(list, Order{Rest: true})
			}
			// An entry that could not be read stays as an order without an ID: evidence must not take the list for whole without it.
			return append(list, make([]Order, odd)...), err
		})
	})
	if errors.Is(err, errNoRoute) {
		err = offered(err)
	}
	return list, err
}

// mayBe reports whether an entry of a list may be of the same order as another one with its id, by what both tell of it: a list may have one for each
// unit of it, or for each state that it was in. Those without an id may be anybody's.
func (o Order) mayBe(as Order) bool {
	alike := func(a, b string) bool { return a == "" || b == "" || a == b }
	at := o.CreatedAt.IsZero() || as.CreatedAt.IsZero() || o.CreatedAt.Sub(as.CreatedAt).Abs() <= time.Minute
	return o.ID != "" && at && alike(o.ProductName, as.ProductName) && alike(o.VariantName, as.VariantName) && alike(o.PlayerID, as.PlayerID)
}

// once is a list in which an order stands once that it repeats in everything.
func once(list []Order) []Order {
	seen := map[string][]Order{}
	return slices.DeleteFunc(list, func(o Order) bool {
		known := slices.ContainsFunc(seen[o.ID], o.equal)
		seen[o.ID] = append(seen[o.ID], o)
		return known && o.ID != ""
	})
}

// SaysNothing reports whether no more is told of an order than that it is there: what Order gives where an endpoint knows it in fields
// that nobody knows.
func (o Order) SaysNothing() bool { return o.equal(Order{ID: o.ID}) }

// equal reports whether two entries say the same of one order.
func (o Order) equal(as Order) bool {
	return o.ID == as.ID && o.Transaction == as.Transaction && o.ProductName == as.ProductName && o.VariantName == as.VariantName &&
		o.Status == as.Status && o.Code.Equal(as.Code) && o.PlayerID == as.PlayerID && o.Price.Equal(as.Price) && o.CreatedAt.Equal(as.CreatedAt)
}
