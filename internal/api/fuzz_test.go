package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
)

// notLonger fails where texts that were read hold more than what came: a byte that is not UTF-8 becomes three.
func notLonger(t *testing.T, data string, texts ...string) {
	t.Helper()
	if n := len(strings.Join(texts, "")); n > 3*len(data) {
		t.Errorf("%d bytes were read out of %d", n, len(data))
	}
}

// sane fails for money that no wallet holds.
func sane(t *testing.T, amounts ...dzd.Amount) {
	t.Helper()
	for _, a := range amounts {
		if limit := dzd.Int(1_000_000_000_000); !a.Less(limit) || !dzd.Int(0).Sub(limit).Less(a) {
			t.Errorf("an amount of %s", a)
		}
	}
}

// entries reads a list and checks that nothing is read that is not there.
func entries[W, T any](t *testing.T, data string, turn func(W) (T, bool)) []T {
	t.Helper()
	list, odd, err := items(json.RawMessage(data), turn)
	if err != nil && (list != nil || odd != 0 || !errors.Is(err, errShape)) {
		t.Errorf("%d entries, %d odd ones and %v", len(list), odd, err)
	}
	if n := len(list) + odd; n > len(data)/2+1 {
		t.Errorf("%d entries in %d bytes", n, len(data))
	}
	return list
}

func FuzzProducts(f *testing.F) {
	for _, data := range []string{
		`[{"id":7,"name":"P","variants":[{"id":71,"name":"V","price":1.5,"in_stock":3,"available":true,"client_stock":{"variant_id":71,"used":1,"expires_at":"2026-03-01T10:00:00Z"}}]}]`,
		`[{"id":"7","name":5,"input_fields":{"1":{"label":"L","options":["a",{"value":"b"}]}},"variants":[{"id":1,"price":"1e11"}]},null,[],{"id":1.5}]`,
		`[{"id":1e18,"name":"\ud800","variants":null}]`, `null`, `{}`, `[[[[`, `[{"id":9223372036854775808,"name":"x"}]`,
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) {
		for _, p := range entries(t, data, Names{}.Complete().product) {
			if p.ID == 0 || p.Name == "" || len(p.Variants) > len(data) {
				t.Errorf("product %+v", p)
			}
			notLonger(t, data, p.Name, p.Description, p.Kind)
			checkInputs(t, data, p.Inputs)
			for _, v := range p.Variants {
				checkVariant(t, data, v)
			}
		}
		for _, v := range entries(t, data, wireVariant.variant) {
			checkVariant(t, data, v)
		}
	})
}

// checkVariant checks that what can be bought has a price.
func checkVariant(t *testing.T, data string, v Variant) {
	t.Helper()
	sane(t, v.Price)
	notLonger(t, data, v.Name, v.Delivery)
	if v.Available && v.Price.Sign() < 0 || v.ID == 0 && v.Name == "" {
		t.Errorf("variant %+v", v)
	}
}

// checkInputs checks that questions have an index and stand in order.
func checkInputs(t *testing.T, data string, inputs []Input) {
	t.Helper()
	for _, in := range inputs {
		notLonger(t, data+"-1", in.Index, in.Label, in.Hint, in.Pattern, strings.Join(in.Options, ""))
		if slices.Contains(in.Options, "") && !strings.Contains(data, `""`) {
			t.Errorf("an option without text: %q", in.Options)
		}
	}
	if !slices.IsSortedFunc(inputs, func(a, b Input) int { return compareIndex(a.Index, b.Index) }) {
		t.Errorf("inputs out of order: %+v", inputs)
	}
}

func FuzzInputs(f *testing.F) {
	for _, data := range []string{
		`{"1":{"label":"Player ID","required":true,"pattern":"^\\d{10}$"},"10":"x","2":null,"a":[1]}`,
		`[{"index":"9","title":"T","placeholder":"P","options":{"b":1,"a":2}},{"values":["x",{"label":"y"},3,null]}]`,
		`{"":{"index":""}}`, `{"01":{},"1":{},"+1":{},"١":{}}`, `null`, `"x"`,
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) { checkInputs(t, data, decodeInputs(json.RawMessage(data))) })
}

func FuzzOrders(f *testing.F) {
	for _, data := range []string{
		`[{"order_id":"O-1","product_name":"P","variant_name":"V","status":"completed","key":"AAAA","has_key":true,"price":1250.5,"created_at":"2026-03-01 10:00:00"}]`,
		`[{"order_id":12,"key":null,"has_key":0,"price":"x","created_at":0},{"order_id":""},null,{"order_id":{"a":1}}]`,
		`[{"variant_id":"71","allocated":"9","used":3.0,"remaining":null,"status":true,"expires_at":"2026-03-01","product_id":7}]`,
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) {
		for _, o := range entries(t, data, wireOrder.order) {
			sane(t, o.Price)
			notLonger(t, data, o.ID, o.ProductName, o.VariantName, o.Status, o.Code.Reveal())
			if o.CreatedAt.Location() != time.UTC {
				t.Errorf("a time in %v", o.CreatedAt.Location())
			}
		}
		for _, s := range entries(t, data, wireStock.entry) {
			notLonger(t, data, s.ProductName, s.VariantName, s.Status)
			if s.VariantID == 0 || s.ExpiresAt.Location() != time.UTC {
				t.Errorf("stock %+v", s)
			}
		}
	})
}

// FuzzCodes: no code that stands in an answer about an order is dropped in silence. It is the order's, or is kept beside it
// for people; and what is kept as the code stood there.
func FuzzCodes(f *testing.F) {
	for _, data := range []string{
		`{"order_id":"O-1","key":"AAAA-1111","has_key":true,"status":"completed"}`, `{"order_id":"O-1","key":["AAAA-1111",null],"pin":"0012"}`,
		`{"order_id":"O-1","key":{"code":"AAAA-1111","pin":"pending"},"has_key":"0"}`, `{"order_id":"O-1","status":"failed","key":"Supplier error 5021"}`,
		`{"order_id":"O-1","key":"AAAA-1111","order":{"key":"BBBB-2222","has_key":false}}`, `{"code":200,"order":{"order_id":"O-1","key":["AAAA-1111",["x"]]}}`,
		`{"order_id":"O-1","notes":{"login":"amina","pass":"1234"},"voucher":"Your code AAAA-1111 comes","order":[{"pin":1234}]}`,
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) {
		var w wireOrder
		if json.Unmarshal([]byte(data), &w) != nil {
			return // it is counted
		}
		o, ok := w.order()
		if !ok {
			return // as well
		}
		kept := o.Code.Reveal() + "\n" + o.Instead.Reveal() + "\n" + o.Notes.Reveal()
		fields := w.codes()
		if inner := w.Order.value; inner != nil && (len(inner.names()) == 0 || slices.ContainsFunc(w.orderFields.names(), func(id string) bool { return slices.Contains(inner.names(), id) })) {
			fields = append(fields, inner.codes()...)
		}
		for _, m := range fields {
			for _, part := range m.parts {
				if mayBeCode(strings.TrimSpace(part), true) && !isSentence(part, w.said()) && !strings.Contains(kept, strings.TrimSpace(part)) {
					t.Errorf("%s: %q is in neither %q, %q nor %q", data, part, o.Code.Reveal(), o.Instead.Reveal(), o.Notes.Reveal())
				}
			}
		}
		notLonger(t, data, o.Notes.Reveal())
	})
}

func FuzzWallets(f *testing.F) {
	for _, data := range []string{`{"balance":1500.75,"available_balance":"1000","user_id":"42","name":"x"}`, `{"balance":null}`, `{"balance":1e400}`, `[]`, `{"balance":-0}`} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) {
		var w wireAccount
		if json.Unmarshal([]byte(data), &w) != nil {
			return
		}
		b, err := w.wallet()
		sane(t, b.Balance, b.Available)
		if err != nil && (!b.Balance.IsZero() || !b.Available.IsZero()) {
			t.Errorf("%+v and %v", b, err)
		}
	})
}

// FuzzScalars reads one JSON value as each of the forms that are put up with.
func FuzzScalars(f *testing.F) {
	for _, text := range []string{
		`7`, `"7"`, `7.0`, `7.5`, `-1e3`, `"0x10p0"`, `9223372036854775807`, `9223372036854775808`, `1e300`, `"NaN"`, `"Inf"`, `null`, `true`, `"yes"`, `""`, `" "`,
		`"2026-03-01T10:00:00.123456789+01:00"`, `"2026-03-01 10:00:00"`, `"9999-12-31T23:59:59-23:59"`, `{}`, `[]`, `"\u0000"`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return // decoders are only ever given a value
		}
		var v struct {
			Number *number
			Label  label
			Flag   flag
			Price  price
			Moment moment
		}
		for _, field := range []string{"Label", "Flag", "Price", "Moment"} {
			if err := json.Unmarshal([]byte(`{"`+field+`":`+text+`}`), &v); err != nil {
				t.Errorf("%s: %v", field, err)
			}
		}
		notLonger(t, text, string(v.Label))
		sane(t, v.Price.amount)
		if v.Moment.Location() != time.UTC {
			t.Errorf("a time in %v", v.Moment.Location())
		}
		err := json.Unmarshal([]byte(`{"Number":`+text+`}`), &v)
		if err != nil || v.Number == nil {
			return
		}
		// A number that is read is the one that is written, whatever machine reads it.
		plain := strings.Trim(strings.TrimSpace(text), `" `)
		if n, err := strconv.ParseInt(plain, 10, 64); err == nil {
			if int64(*v.Number) != n {
				t.Errorf("%s is read as %d", text, *v.Number)
			}
		} else if read, err := strconv.ParseFloat(plain, 64); err == nil && (float64(*v.Number) != read || math.Abs(read) >= 1<<63) {
			t.Errorf("%s is read as %d", text, *v.Number)
		}
	})
}

func FuzzEnvelope(f *testing.F) {
	for _, body := range []string{
		success(`[]`), failure("Validation failed"), `{"status":"error","data":{"errors":{"a":["b"]}}}`, `{"status":"error","data":{"errors":{"a":"b"}}}`,
		`{"status":7}`, `{"status":"success"}`, `[]`, success("1") + "x", `{"STATUS":"success","data":null}`, "\ufeff{}",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		env, ok := openEnvelope([]byte(body))
		if ok && (!json.Valid([]byte(body)) || env.Status != "success" && env.Status != "error") {
			t.Errorf("an envelope: %+v", env)
		}
		strict, whole := wholeEnvelope([]byte(body))
		if whole && !ok || whole && !bytes.Equal(strict.Data, env.Data) {
			t.Errorf("money takes for an envelope what reads do not: %+v", strict)
		}
		for field, messages := range env.fields() {
			notLonger(t, body, field, strings.Join(messages, ""))
		}
		for _, status := range []int{200, 400, 401, 403, 404, 422, 429, 500} {
			if c := classify(status, env.Message); c == Internal || c > Upstream {
				t.Errorf("%d %q is %v", status, env.Message, c)
			}
		}
	})
}

// FuzzNames reads orders out of a purchase's success in all the ways that they are named.
func FuzzNames(f *testing.F) {
	f.Add(`{"order_ids":["a",1],"count":2}`, 2, "0550")
	f.Add(`{"purchased_items":[{"id":1},{"order_url":"https://x/orders/2"}]}`, 2, "0550")
	f.Add(`{"order_id":5,"transaction_id":"t-1","player_id":"0550"}`, 1, "0550")
	f.Add(`{"order":{"order_id":5,"player_id":"0551"},"trx_id":7}`, 1, "0550")
	f.Fuzz(func(t *testing.T, data string, quantity int, player string) {
		if quantity < 1 {
			return
		}
		for i, m := range []made{namedOrders(json.RawMessage(data), quantity, FromCurrent), purchasedItems(json.RawMessage(data), quantity), placedTopup(json.RawMessage(data), player)} {
			want := quantity
			if i == 2 {
				want = 1 // a plan is bought once
			}
			notLonger(t, data, m.ids...)
			if n := len(slices.Compact(slices.Sorted(slices.Values(m.ids)))); n != len(m.ids) || slices.Contains(m.ids, "") || m.wrong == "" && n != want {
				t.Errorf("%d orders, %q: %+v", want, m.wrong, m)
			}
		}
	})
}

// FuzzTopups reads plans, checks and wrapped lists.
func FuzzTopups(f *testing.F) {
	for _, data := range []string{
		`[{"id":1,"plan_id":"p1","item_id":"i","plan_name":"100","plan_price":320,"reseller_price":300.5}]`, `[{"id":1,"plan_id":7,"plan_price":"x"}]`,
		`{"status":"valid","player_name":"Sami","region":"MENA","level":70}`, `{"is_valid":"no","a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}`,
		`{"data":[{"order_id":1}],"total":1}`, `{"orders":{"1":{}},"items":[1]}`,
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) {
		for _, v := range entries(t, data, wirePlan.variant) {
			checkVariant(t, data, v)
			if v.ID == 0 || v.Plan == "" {
				t.Errorf("a plan that cannot be bought: %+v", v)
			}
		}
		var w wireCheck
		if json.Unmarshal([]byte(data), &w) == nil {
			switch c := w.check(); c.Status {
			case CheckValid, CheckInvalid, CheckUnknown:
				notLonger(t, data, c.Name, c.Region)
			default:
				t.Errorf("check %+v", c)
			}
		}
		if list := facts(json.RawMessage(data)); len(list) > mostFacts || slices.ContainsFunc(list, func(s string) bool { return len(s) > 2*longestFact+2 }) {
			t.Errorf("facts %q", list)
		}
		if page := pageOfOrders(json.RawMessage(data)); !strings.Contains(data, string(page.list)) {
			t.Errorf("a page that did not come: %s", page.list)
		}
	})
}

// FuzzReads has every read make something of an answer, through the client's own door.
func FuzzReads(f *testing.F) {
	f.Add(200, "", success(`[{"id":7,"name":"P","order_id":"O","variant_id":7,"balance":1}]`))
	f.Add(200, "", success(`{"id":7,"name":"P","order_id":"O","status":"completed","balance":1}`))
	f.Add(200, "", `{"status":"success","message":"`+canaryText+`"}`)
	f.Add(422, "", `{"status":"error","message":"`+canaryText+`","data":{"errors":{"a":["`+canaryText+`"]}}}`)
	f.Add(429, "9223372037", failure("Too Many Requests"))
	f.Add(302, canaryText, "")
	f.Add(404, "", failure("The route api/balance could not be found."))
	f.Fuzz(func(t *testing.T, status int, header, body string) {
		if status < 200 || status > 999 {
			return // no client makes an answer of it
		}
		for op, read := range reads {
			_, err := read(t.Context(), replay(t, status, header, body))
			if err == nil {
				if status != http.StatusOK || !json.Valid([]byte(body)) {
					t.Errorf("%s: %d %q was read", op, status, body)
				}
				continue
			}
			e := asError(t, err)
			if e.Op != op || e.Class == Internal || e.RetryAfter < 0 || e.RetryAfter > longestRest || e.Status != status {
				t.Errorf("%s of %d: %+v", op, status, e)
			}
			silent(t, op, err.Error())
		}
		for op, read := range families {
			// Some of them make an answer of a failure, or ask a second time.
			_, err := read(t.Context(), replay(t, status, header, body))
			if err == nil {
				continue
			}
			if e := asError(t, err); e.Class == Internal || e.RetryAfter < 0 || e.RetryAfter > longestRest {
				t.Errorf("%s of %d: %+v", op, status, e)
			}
			silent(t, op, err.Error())
		}
	})
}

// replay is a session that gets the same answer to everything.
func replay(t *testing.T, status int, wait, body string) *Session {
	t.Helper()
	s := newClient(t, Config{BaseURL: "http://service/api"}).As(secret.New(canaryKey))
	s.client.reads.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {wait}}, Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	return s
}

// roundTrip is a transport in one function.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestHostileAnswersAreCheap: what fits into an answer is read in a time that grows with its length alone.
func TestHostileAnswersAreCheap(t *testing.T) {
	const deep, long = 1500, 15_000
	var list strings.Builder
	for i := range long {
		list.WriteString(strconv.Itoa(i) + ",")
	}
	for name, read := range map[string]func(){
		"an order in an order": func() {
			items(json.RawMessage("["+strings.Repeat(`{"order":`, deep)+"{}"+strings.Repeat("}", deep)+"]"), wireOrder.order)
		},
		"a purchase of many orders": func() {
			judge(attempt{handed: true, status: http.StatusOK, body: []byte(ids(list.String() + "1"))}, 1)
		},
		"a catalogue of nothing": func() { items(json.RawMessage("["+list.String()+"1]"), Names{}.Complete().product) },
		"inputs without end": func() {
			decodeInputs(json.RawMessage(strings.Repeat(`{"1":`, deep) + "{}" + strings.Repeat("}", deep)))
		},
	} {
		const most = 300 * time.Millisecond
		took := time.Hour
		for range 10 { // the machine may be busy; what takes long by itself does so each time
			begin := time.Now()
			read()
			if took = min(took, time.Since(begin)); took <= most {
				break
			}
		}
		if took > most {
			t.Errorf("%s takes %v", name, took)
		}
	}
}
