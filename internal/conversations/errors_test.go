package conversations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/locales"
)

// errorRow is a row of the interface's tables of errors, and the sentence that a person is told by.
type errorRow struct {
	status  int
	message string
	fields  map[string][]string
	why     string // the text's key
	lost    bool   // a purchase that meets it may have gone through
}

// errorRows are the rows of docs/reseller-api.md, Errors, with those of single endpoints.
func errorRows() []errorRow {
	invalid := map[string][]string{"quantity": {"The quantity must be at least 1."}}
	return []errorRow{
		{401, "API key is required", nil, "why.unauthorized", false},
		{401, "Invalid API key", nil, "why.unauthorized", false},
		{403, "IP address not allowed", nil, "why.ip_blocked", false},
		{403, "Insufficient balance", nil, "why.funds", false},
		{403, "Your balance is insufficient", nil, "why.funds", false},
		{400, "Insufficient balance", nil, "why.funds", false},
		{400, "Insufficient quantity available", nil, "why.out_of_stock", false},
		{400, "Product out of stock", nil, "why.out_of_stock", false},
		{404, "Product not found", nil, "why.not_found", false},
		{404, "Product or variant not found", nil, "why.not_found", false},
		{404, "Product is not active", nil, "why.not_found", false},
		{404, "Order not found", nil, "why.not_found", false},
		{403, "Unauthorized - Not your order", nil, "why.not_found", false},
		{400, "Validation failed", nil, "why.invalid", false},
		{422, "The given data was invalid", nil, "why.invalid", false},
		{400, "Validation failed", invalid, "why.invalid_fields", false},
		{429, "Too Many Requests", nil, "why.limited", false},
		{500, "Internal server error", nil, "why.upstream", true},
		{502, "Upstream service unavailable", nil, "why.upstream", true},
	}
}

// tells reports whether a message says why, in the words of one language.
func (r errorRow) tells(texts *locales.Printer, message string, read bool) bool {
	if r.why == "why.invalid_fields" {
		if read {
			return strings.Contains(message, apptest.Plain(texts.T("why.invalid", nil)))
		}
		field := apptest.Plain(texts.T("why.field", locales.Args{
			"Field": locales.HTML(texts.T("why.field_quantity", nil)), "Rule": locales.HTML(texts.T("why.field_least", nil))}))
		return strings.Contains(message, field) && !strings.Contains(message, "The quantity must be") // in nobody else's words
	}
	if strings.Contains(message, apptest.Plain(texts.T(r.why, nil))) {
		return true
	}
	for wait := 1; r.why == "why.limited" && wait <= 61; wait++ {
		if strings.Contains(message, apptest.Plain(texts.N("why.limited_wait", wait, nil))) {
			return true
		}
	}
	return false
}

// bare takes the tags out of a text.
func bare(s string) string {
	return apptest.Plain(strings.NewReplacer("<b>", "", "</b>", "", "&#39;", "'").Replace(s))
}

// TestErrorRows: every error that the service documents, met while linking, reading, checking and buying,
// is told in the person's language by the right sentence, and leaves nothing behind.
func TestErrorRows(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	catalogue, err := locales.Load()
	if err != nil {
		t.Fatal(err)
	}
	const nadia = int64(900)
	for i, lang := range locales.Languages() {
		texts := catalogue.For(lang)
		for j, row := range errorRows() {
			if !sampletest.Plays(i+j, len(locales.Languages())) {
				continue
			}
			t.Run(fmt.Sprintf("%s %d %s %d", lang, row.status, row.message, len(row.fields)), func(t *testing.T) {
				apptest.Run(t, func(h *apptest.Harness) {
					apptest.Everything(sim.Options{})(h)
					h.Telegram.AddUser(tgsim.User{ID: nadia, FirstName: "Nadia", LanguageCode: lang})
				}, func(h *apptest.Harness) {
					fail := func(op string) {
						h.Service.ClearFaults()
						h.Service.Inject(sim.Fault{Operation: op, Times: 9, Kind: sim.ErrorAnswer, Status: row.status, Message: row.message, Fields: row.fields})
					}
					last := func() string {
						h.Pass(2 * time.Second)
						return apptest.Plain(h.See(nadia, "").Text)
					}
					h.Say(nadia, "/start")
					fail("GET /account")
					h.Say(nadia, "/key "+apptest.TestKey)
					if m := last(); row.why != "why.not_found" && !row.tells(texts, m, true) {
						t.Errorf("linking: %s", m)
					}
					h.Service.ClearFaults()
					h.Pass(2 * time.Minute) // a rest after a 429 ends
					h.Say(nadia, "/balance")
					if m := last(); !strings.Contains(m, bare(texts.T("key.none", nil))) {
						t.Errorf("the key was linked all the same: %s", m)
					}
					h.Say(nadia, "/key "+apptest.TestKey)
					h.See(nadia, "Boutique El Djazair")

					fail("GET /products")
					h.Say(nadia, "/buy")
					if m := last(); !row.tells(texts, m, true) || !strings.Contains(m, bare(texts.T("failure.read", nil))) {
						t.Errorf("reading: %s", m)
					}
					h.Service.ClearFaults()
					h.Pass(2 * time.Minute)

					h.Say(nadia, "/buy")
					h.Tap(nadia, "Play Card")
					h.Tap(nadia, "5 USD")
					h.Tap(nadia, "1")
					fail("POST /products/purchase/{variantId}")
					h.Tap(nadia, "✅")
					h.Pass(2 * time.Minute)
					want := bare(texts.T("status.rejected_sent", nil))
					if row.lost {
						want, _, _ = strings.Cut(bare(texts.T("status.unknown", nil)), "\n")
					}
					m := apptest.Plain(h.SeeAny(nadia, want).Text)
					if row.why == "why.invalid" && len(row.fields) == 0 { // a card has nothing to enter
						row.why = "why.invalid_order"
					}
					if !row.lost && !row.tells(texts, m, false) {
						t.Errorf("buying: %s", m)
					}
					if n := len(h.Service.Purchases()); n != 0 {
						t.Errorf("%d purchases happened", n)
					}
					if sent := h.Service.Requests()["POST /products/purchase/{variantId}"]; sent != 1 {
						t.Errorf("%d purchases were sent", sent)
					}
				})
			})
		}
	}
}
