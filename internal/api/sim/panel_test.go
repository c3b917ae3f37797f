package sim_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"resellerbot/internal/api/sim"
)

// panel is a service with its panel served under a path, as a sandbox does.
type panel struct {
	*shop

	address string
}

func newPanel(t *testing.T) *panel {
	t.Helper()
	s := newShop(t, sim.Options{Mode: sim.Both})
	mux := http.NewServeMux()
	mux.Handle("/some/where/", s.Panel())
	return &panel{shop: s, address: newServer(t, mux) + "/some/where/"}
}

// page reads the panel.
func (p *panel) page() string {
	p.t.Helper()
	return p.read(p.send(http.MethodGet, ""))
}

// post submits a form and follows the redirect.
func (p *panel) post(pairs ...string) string {
	p.t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	resp, err := p.send(http.MethodPost, form.Encode())
	if err == nil && resp.StatusCode == http.StatusOK && (resp.Request.Method != http.MethodGet || resp.Request.URL.Path != "/some/where/") {
		p.t.Errorf("the form ended at %s %s", resp.Request.Method, resp.Request.URL)
	}
	return p.read(resp, err)
}

func (p *panel) send(method, form string) (*http.Response, error) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.address, strings.NewReader(form))
	p.must(err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return http.DefaultClient.Do(req)
}

func (p *panel) read(resp *http.Response, err error) string {
	p.t.Helper()
	p.must(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	p.must(err)
	return string(text)
}

func (p *panel) shows(words ...string) {
	p.t.Helper()
	text := p.page()
	for _, w := range words {
		if !strings.Contains(text, w) {
			p.t.Errorf("the panel does not show %q", w)
		}
	}
}

func TestPanelShows(t *testing.T) {
	p := newPanel(t)
	p.shows("Mine", "10000 DZD", "1000 held", "Nobody waits", "Nothing was bought", "sold out", `value="1250.5"`)
	p.AddProduct(sim.ProductSpec{ID: 9, Name: `<script>alert("x")</script>`})
	p.buy(11, 2, "")
	p.buy(61, 1, "")
	p.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`)
	p.shows("Card, 5 USD × 2", "2501 DZD", "processing 2", "Arena, 110 gems → 1234567890", "By hand, one", "ORD-000003", "&lt;script&gt;")
	text := p.page()
	if strings.Contains(text, "<script") {
		t.Error("a name is no text")
	}
	if found := regexp.MustCompile(`(?i)(src|href|action)="[^?"][^"]*"|url\(|@import`).FindString(text); found != "" {
		t.Errorf("the page leaves its address: %s", found)
	}
}

func TestPanelActs(t *testing.T) {
	p := newPanel(t)
	p.post("do", "pay", "key", mine, "amount", "250.50")
	p.holds("10250.5")
	ids := p.buy(61, 2, "")
	p.post("do", "fulfil", "order", ids[0], "code", " CODE-7 ", "notes", "with care")
	p.post("do", "cancel", "order", ids[1], "notes", "none left")
	if one, two := p.order(ids[0]), p.order(ids[1]); one.Code != "CODE-7" || one.Notes != "with care" || two.Status != "canceled" {
		t.Errorf("the orders are %+v, %+v", one, two)
	}
	p.post("do", "variant", "variant", "11", "price", "77.7", "units", "3")
	a := p.ok("GET /products/1/variants", "")
	a.want("77.7", "data", 0, "price")
	a.want("3", "data", 0, "in_stock")
}

func TestPanelTroubles(t *testing.T) {
	p := newPanel(t)
	if text := p.post("do", "lose"); !strings.Contains(text, "purchases: 1 × lose the answer") {
		t.Error("the fault is not shown")
	}
	p.ok("GET /balance", "")
	see(t, p.do("POST /products/purchase/11", `{"quantity":1}`).lost && len(p.Purchases()) == 1, "bought, and nobody was told")
	p.post("do", "down")
	isPage(p.do("GET /balance", ""), 502)
	p.post("do", "well")
	p.ok("GET /balance", "")
	p.post("do", "limit")
	p.do("GET /balance", "").refused(429, "Too Many Requests")
	p.post("do", "well")
	p.post("do", "slow")
	p.shows("any request: 3 × delay")
}

func TestPanelRefuses(t *testing.T) {
	p := newPanel(t)
	for _, form := range [][]string{
		{"do", "pay", "key", mine, "amount", "-5"}, {"do", "pay", "key", mine, "amount", "much"}, {"do", "pay", "key", mine, "amount", "0"},
		{"do", "fulfil", "order", "nothing"}, {"do", "cancel", "order", ""}, {"do", "dance"}, {},
		{"do", "variant", "variant", "x", "price", "1", "units", "1"}, {"do", "variant", "variant", "11", "price", "-1", "units", "1"},
		{"do", "variant", "variant", "11", "price", "1", "units", "-1"},
	} {
		if text := p.post(form...); !strings.Contains(text, `role="alert"`) {
			t.Errorf("%v was not refused", form)
		}
	}
	p.holds("10000")
	for method, want := range map[string]int{http.MethodDelete: 405, http.MethodPost: 403} {
		r := httptest.NewRequestWithContext(t.Context(), method, "/", strings.NewReader("do=pay&amount=5&key="+mine))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if method == http.MethodPost {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		} else {
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
		w := httptest.NewRecorder()
		p.Panel().ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: got %d, want %d", method, w.Code, want)
		}
	}
	p.holds("10000")
}
