package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// own are names that a service may have.
func own(t *testing.T) Names {
	t.Helper()
	pick := func(text string) Selection {
		s, err := ParseSelection(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	return Names{
		Arena: "blazefire", BattleRoyale: "last-circle", SportsTV: "stadium",
		InternetProducts: pick("dar net, 44"), TopupProducts: pick("crystals, 50"),
	}
}

// TestWhichProducts: ids and words of names, however people write them.
func TestWhichProducts(t *testing.T) {
	for _, c := range []struct {
		entries string
		id      int64
		name    string
		want    bool
	}{
		{"12", 12, "", true},
		{"12", 1, "12", false}, // an id is no word
		{"battleroyale", 1, "Battle Royale: 60 coins", true},
		{"Battle-Royale", 1, "BATTLEROYALE", true},
		{"battle royale", 1, "Royale Battle", false},
		{"4g", 1, "Home 4 G", true},
		{"4 G", 1, "home4g", true},
		{"uc", 1, "Gucci card", false},
		{"uc", 1, "60 UC", true},
		{"tv", 1, "TVA", false},
		{"شحن", 1, "بطاقة شـحن", true},
		{"card, wallet", 1, "Console Wallet", true},
		{"play card", 1, "play a card", false},
		{"x", 1, "", false},
	} {
		s, err := ParseSelection(c.entries)
		if err != nil || s.Has(c.id, c.name) != c.want {
			t.Errorf("%q has %d %q: %v, %v", c.entries, c.id, c.name, !c.want, err)
		}
	}
	for _, bad := range []string{"", " ", "a,", ",", "a,,b", "-", "0", "a, 0", "99999999999999999999"} {
		if _, err := ParseSelection(bad); err == nil || bad != "" && strings.Contains(err.Error(), bad) && len(bad) > 3 {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestFamilies: whose a product is, by its kind, its id and its name.
func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		names      Names
		id         int64
		kind, name string
		want       Family
		topup      bool
	}{
		{Names{}, 1, "", "Battle Royale Coins", BattleRoyale, true},
		{Names{}, 1, "sportstv", "Football", SportsTV, false},
		{Names{}, 1, "topup", "Sports TV", SportsTV, true},
		{Names{}, 1, "", "Crystals", Goods, false},
		{own(t), 1, "", "Last Circle: Coins", BattleRoyale, true},
		{own(t), 1, "", "STADIUM+ Max", SportsTV, false},
		{own(t), 1, "", "Dar Net 4G", Internet, true},
		{own(t), 44, "", "Refill", Internet, true},
		{own(t), 44, "", "Last Circle refill", Internet, true}, // an id says more than a word
		{own(t), 44, "battleroyale", "Last Circle", Internet, true},
		{own(t), 1, "", "Battle Royale Coins", Goods, false},
		{own(t), 1, "", "Internet", Goods, false},
		{own(t), 50, "", "Codes", Goods, true},
		{own(t), 1, "", "Hero Crystals", Goods, true},
	} {
		p, ok := c.names.Complete().product(wireProduct{ID: number(c.id), Name: label(c.name), Kind: label(c.kind)})
		if !ok || p.Family != c.want || p.Topup() != c.topup {
			t.Errorf("%d %q %q is of %q, a top-up %v", c.id, c.kind, c.name, p.Family, p.Topup())
		}
	}
}

// TestOwnPaths: every operation of a family goes to the service's own word, and no other path changes.
func TestOwnPaths(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	s := connect(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		mu.Lock()
		seen = append(seen, r.URL.Path)
		mu.Unlock()
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, failure("Order not found"))
	})
	s.client.cfg.Names = own(t).Complete()
	for op, read := range reads {
		_, path, _ := strings.Cut(op, " ")
		mu.Lock()
		seen = nil
		mu.Unlock()
		read(t.Context(), s)
		first := strings.Split(path, "/")[1]
		want := map[string]string{"arena": "blazefire", "battleroyale": "last-circle", "sportstv": "stadium"}[first]
		if want == "" {
			want = first
		}
		mu.Lock()
		if len(seen) == 0 || !strings.HasPrefix(seen[0], "/api/"+want) || strings.Contains(strings.Join(seen, " "), "/api/arena") {
			t.Errorf("%s went to %v", op, seen)
		}
		mu.Unlock()
	}
	seen = nil
	purchases["POST /arena/topup"](t.Context(), s)
	if strings.Join(seen, " ") != "/api/blazefire/topup" {
		t.Errorf("a top-up went to %v", seen)
	}
}

// TestNamedByTheService: the arena is called by the service's own word, where it has one.
func TestNamedByTheService(t *testing.T) {
	for segment, want := range map[string]string{"": "Arena", "arena": "Arena", "blazefire": "Blazefire", "free-fire_2.max": "Free Fire 2 Max"} {
		s := connect(t, says(http.StatusOK, success("[]")))
		s.client.cfg.Names = Names{Arena: segment}.Complete()
		if p, err := s.Plans(t.Context(), 0); err != nil || p.Name != want {
			t.Errorf("%q is shown as %q, %v", segment, p.Name, err)
		}
	}
}

// TestPurchaseKeyID: it is in the body where it is set, in the generation that has it, and nowhere else.
func TestPurchaseKeyID(t *testing.T) {
	for id, want := range map[int64]string{0: "", 31: "31"} {
		for op, buy := range purchases {
			var body map[string]json.RawMessage
			s := connect(t, func(w http.ResponseWriter, r *http.Request) {
				if json.NewDecoder(r.Body).Decode(&body) != nil {
					t.Error("no JSON")
				}
				io.WriteString(w, bought)
			})
			s.client.cfg.PurchaseKeyID = id
			s.client.cfg.Generation = Current
			if strings.Contains(op, "{product_id}") {
				s.client.cfg.Generation = Legacy
			}
			buy(context.Background(), s)
			expected := want
			if op != "POST /products/purchase/{variantId}" {
				expected = ""
			}
			if string(body["key_id"]) != expected {
				t.Errorf("%s with key %d sends %s", op, id, body["key_id"])
			}
		}
	}
}

// TestZoneOfTheService: times that name no zone are of the service's where it is known, and stand as they were written where
// it is not. A date alone is a day in any zone.
func TestZoneOfTheService(t *testing.T) {
	algiers, err := time.LoadLocation("Africa/Algiers")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		t, _ := time.Parse(time.RFC3339, text)
		return t.UTC()
	}
	for _, c := range []struct {
		zone     *time.Location
		written  string
		want     time.Time
		zoneless bool
	}{
		{nil, "2026-03-01 10:00:00", at("2026-03-01T10:00:00Z"), true},
		{nil, "2026-03-01T10:00:00", at("2026-03-01T10:00:00Z"), true},
		{nil, "2026-03-01T10:00:00+01:00", at("2026-03-01T09:00:00Z"), false},
		{algiers, "2026-03-01 10:00:00", at("2026-03-01T09:00:00Z"), false},
		{algiers, "2026-03-01T10:00:00Z", at("2026-03-01T10:00:00Z"), false},
		{algiers, "2026-03-01", at("2026-03-01T00:00:00Z"), true},
		{algiers, "soon", time.Time{}, false},
		{algiers, "", time.Time{}, false},
	} {
		order := `{"order_id":"1","id":1,"status":"completed","created_at":"` + c.written + `"}`
		stock := `[{"variant_id":7,"expires_at":"` + c.written + `"}]`
		variant := `{"id":7,"name":"10 USD","price":5,"available":true,"client_stock":{"variant_id":7,"expires_at":"` + c.written + `"}}`
		listing := connect(t, says(200, success(`[{"id":1,"name":"Play Card","variants":[`+variant+`]}]`)))
		variants := connect(t, says(200, success("["+variant+"]")))
		one := connect(t, says(200, success(order)))
		many := connect(t, says(200, success("["+order+"]")))
		left := connect(t, says(200, success(stock)))
		for _, s := range []*Session{one, many, left, listing, variants} {
			s.client.cfg.Zone = c.zone
		}
		a, err1 := one.Order(t.Context(), OrderRef{ID: "1"})
		b, err2 := many.Orders(t.Context(), []string{"1"})
		h, err3 := many.History(t.Context(), Goods, 0)
		e, err4 := left.Stock(t.Context(), 0)
		p, err5 := listing.Products(t.Context(), 0)
		v, err6 := variants.Variants(t.Context(), 1)
		if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
			t.Fatal(err)
		}
		for i, got := range []Order{a, b[0], h[0], {CreatedAt: e[0].ExpiresAt, Zoneless: e[0].Zoneless},
			{CreatedAt: p[0].Variants[0].Stock.ExpiresAt, Zoneless: p[0].Variants[0].Stock.Zoneless}, {CreatedAt: v[0].Stock.ExpiresAt, Zoneless: v[0].Stock.Zoneless}} {
			if !got.CreatedAt.Equal(c.want) || got.Zoneless != c.zoneless {
				t.Errorf("%d: %q in %v is %v, without a zone %v", i, c.written, c.zone, got.CreatedAt, got.Zoneless)
			}
		}
	}
}
