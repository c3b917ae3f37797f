package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"resellerbot/internal/secret"
)

// TestWhatIsACode: what stands where a code will be is not taken for it, and no code is withheld.
func TestWhatIsACode(t *testing.T) {
	for _, tc := range []struct {
		order   string
		code    string
		instead string
	}{
		{`"key":"AAAA-1111","has_key":true,"status":"completed"`, "AAAA-1111", ""},
		{`"key":"AAAA-1111","status":"completed"`, "AAAA-1111", ""},
		{`"key":" AAAA-1111 \n","status":"completed"`, "AAAA-1111", ""}, // the same code, not another
		{`"key":"\ufeffAAAA-1111\u200f","status":"completed"`, "AAAA-1111", ""},
		{`"key":" \u200b\ufeffAAAA-1111 \u2069\n","status":"completed"`, "AAAA-1111", ""},
		{`"key":"\u200eAAAA\u200d1111","status":"completed"`, "AAAA\u200d1111", ""}, // what stands within may belong to it
		{`"key":"AAAA-1111","status":"processing"`, "AAAA-1111", ""},                // where nothing denies it, a code counts
		{`"key":"AAAA-1111","has_key":null`, "AAAA-1111", ""},
		{`"key":"AAAA-1111","has_key":"perhaps"`, "AAAA-1111", ""}, // no claim
		{`"key":"AAAA-1111","has_key":1`, "AAAA-1111", ""},
		{`"key":"Pending…","has_key":false,"status":"processing"`, "", "Pending…"},
		{`"key":"AAAA-1111","has_key":false`, "", "AAAA-1111"},
		{`"key":"AAAA-1111","has_key":"0"`, "", "AAAA-1111"},
		{`"key":"Pending","status":"completed"`, "", "Pending"},
		{`"key":"Pending…","status":"pending"`, "", "Pending…"},
		{`"key":"  processing ","status":"accepted"`, "", "  processing "},
		{`"key":"N/A"`, "", "N/A"},
		{`"key":"null"`, "", "null"},
		{`"key":"En cours","status":"x"`, "", "En cours"},
		{`"key":"قيد الانتظار"`, "", "قيد الانتظار"},
		{`"key":"-","status":"completed"`, "", "-"},
		{`"key":"***","has_key":true,"status":"completed"`, "", "***"},
		{`"key":"Processing…","has_key":true,"status":"processing"`, "", "Processing…"}, // the status once more
		{`"key":"Reserved","status":"reserved"`, "", "Reserved"},
		{`"key":"PENDING","has_key":true,"status":"completed"`, "PENDING", ""}, // the service says that it is
		{`"key":"PENDING-7731"`, "PENDING-7731", ""},                           // it merely holds the word
		{`"key":"NONE-SUCH-CODE"`, "NONE-SUCH-CODE", ""},
		{`"key":"7731"`, "7731", ""},
		{`"key":7731,"status":"7731"`, "7731", ""},
		{`"key":null`, "", ""},
		{`"key":""`, "", ""},
		{`"key":"   "`, "", ""},
		{`"key":"Pending","voucher":"BBBB-2222"`, "BBBB-2222", ""}, // of several texts, the one that is a code
	} {
		var w wireOrder
		if err := json.Unmarshal([]byte(`{"order_id":"O-1",`+tc.order+`}`), &w); err != nil {
			t.Fatalf("%s: %v", tc.order, err)
		}
		o, ok := w.order()
		if !ok || o.Code.Reveal() != tc.code || o.Instead.Reveal() != tc.instead {
			t.Errorf("%s: the code is %q and in its place stands %q, want %q and %q", tc.order, o.Code.Reveal(), o.Instead.Reveal(), tc.code, tc.instead)
		}
	}
}

// TestOuterCodeCounts: a code beside a wrapped order is that order's, and so is what is said of it.
func TestOuterCodeCounts(t *testing.T) {
	for text, want := range map[string]string{
		`{"status":"success","key":"AAAA-1111","order":{"order_id":"O-1"}}`:                  "AAAA-1111",
		`{"has_key":false,"order":{"order_id":"O-1","key":"Soon to come"}}`:                  "",
		`{"key":"OUTER-1","order":{"order_id":"O-1","key":"INNER-1"}}`:                       "INNER-1",
		`{"key":"OUTER-1","order":{"order_id":"O-1","has_key":true,"key":"  "},"state":"x"}`: "OUTER-1",
	} {
		var w wireOrder
		if err := json.Unmarshal([]byte(text), &w); err != nil {
			t.Fatal(err)
		}
		if o, _ := w.order(); o.Code.Reveal() != want {
			t.Errorf("%s: the code is %q, want %q", text, o.Code.Reveal(), want)
		}
	}
}

// TestAnswerAboutAnotherOrder: what names another order than the one that was asked for is not its answer.
func TestAnswerAboutAnotherOrder(t *testing.T) {
	refs := map[string]OrderRef{
		"current": {ID: "42"}, "legacy": {Origin: FromLegacy, ID: "42"}, "arena": {Origin: FromArena, ID: "42"},
		"arena transaction": {Origin: FromArena, ID: "t-42", Transaction: "t-42"},
		"battleroyale":      {Origin: FromBattleRoyale, ID: "42"}, "sportstv": {Origin: FromSportsTV, ID: "42"},
	}
	for name, ref := range refs {
		for data, fits := range map[string]bool{
			`{"status":"completed","key":"A-1"}`:                              true, // it names none
			`{"id":42,"status":"completed","key":"A-1"}`:                      name != "arena transaction",
			`{"id":7,"order_id":"42","status":"completed","key":"A-1"}`:       name != "arena transaction",
			`{"id":7,"transaction_id":"T-42","status":"success","key":"A-1"}`: name == "arena transaction",
			`{"order":{"id":"42","key":"A-1"},"status":"done"}`:               name != "arena transaction",
			`{"id":43,"status":"completed","key":"A-1"}`:                      false,
			`{"order_id":"430","status":"completed","key":"A-1"}`:             false,
			`{"order":{"id":"43","key":"A-1"},"status":"done"}`:               false,
		} {
			s := connect(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, success(data)) })
			o, err := s.Order(t.Context(), ref)
			if fits && (err != nil || o.Code.Reveal() != "A-1" || o.ID != ref.ID) {
				t.Errorf("%s: %s: %+v, %v", name, data, o, err)
			}
			if !fits && (ClassOf(err) != NotFound || !o.Code.IsZero()) {
				t.Errorf("%s: %s is taken for the order: %+v, %v", name, data, o, err)
			}
		}
	}
}

// TestTwoEndpointsForOneOrder: an order of a family is read at both places that may show it, and the one that
// says more is the answer.
func TestTwoEndpointsForOneOrder(t *testing.T) {
	const gone = "404"
	for name, tc := range map[string]struct {
		family, general string
		code, status    string
		class           Class // of the error; Internal for none
		calls           int
	}{
		"the general endpoint has the code":    {`{"status":"success"}`, `{"order_id":"5","status":"completed","key":"A-1","has_key":true}`, "A-1", "completed", 0, 2},
		"the family has the code":              {`{"status":"success","key":"A-1"}`, gone, "A-1", "success", 0, 1},
		"a placeholder is no code":             {`{"status":"pending","key":"pending"}`, `{"order_id":"5","status":"completed","key":"A-1"}`, "A-1", "completed", 0, 2},
		"an end says more":                     {`{"status":"pending"}`, `{"order_id":"5","status":"completed"}`, "", "completed", 0, 2},
		"the family's end says more":           {`{"status":"success"}`, `{"order_id":"5","status":"processing"}`, "", "success", 0, 2},
		"two ends that agree":                  {`{"status":"success"}`, `{"order_id":"5","status":"completed"}`, "", "success", 0, 2},
		"neither has come to an end":           {`{"status":"pending"}`, `{"order_id":"5","status":"processing"}`, "", "pending", 0, 2},
		"two ends that contradict are none":    {`{"status":"failed"}`, `{"order_id":"5","status":"success"}`, "", "failed / success", 0, 2},
		"a failure that the document shows":    {`{"status":"success"}`, `{"order_id":"5","status":"failed"}`, "", "failed", 0, 2},
		"the call's success, not the order's":  {`{"status":"success","topup":{"status":"pending"}}`, `{"order_id":"5","status":"processing"}`, "", "pending", 0, 2},
		"another status beside it":             {`{"status":"success","delivery_status":"pending"}`, `{"order_id":"5","status":"processing"}`, "", "pending", 0, 2},
		"each of several":                      {`{"status":"success","details":[{"status":"waiting"}]}`, `{"order_id":"5","status":"processing"}`, "", "waiting", 0, 2},
		"a flag":                               {`{"status":"success","is_completed":false}`, `{"order_id":"5","status":"processing"}`, "", "processing", 0, 2},
		"that of its payment":                  {`{"status":"success","payment":{"status":"pending"},"previous_status":"pending"}`, `{"order_id":"5","status":"processing"}`, "", "success", 0, 2},
		"the family has no such order":         {gone, `{"order_id":"5","status":"processing"}`, "", "processing", 0, 2},
		"the family speaks of another order":   {`{"order_id":"6","status":"success","key":"B-2"}`, `{"order_id":"5","status":"processing"}`, "", "processing", 0, 2},
		"the general endpoint has no such one": {`{"status":"success"}`, gone, "", "success", 0, 2},
		"neither has it":                       {gone, gone, "", "", NotFound, 2},
		"the family's endpoint is broken":      {"500", `{"order_id":"5","status":"completed","key":"A-1"}`, "A-1", "completed", 0, 2},
		"both are broken":                      {"500", "500", "", "", Upstream, 2},
		"the key is refused":                   {"401", `{"order_id":"5","key":"A-1"}`, "", "", Unauthorized, 1},
	} {
		for _, ref := range []OrderRef{{Origin: FromBattleRoyale, ID: "5"}, {Origin: FromSportsTV, ID: "5"}} {
			calls := 0
			s := connect(t, func(w http.ResponseWriter, r *http.Request) {
				calls++
				says := tc.family
				if strings.Contains(r.URL.Path, "/products/order/") {
					says = tc.general
				}
				if !strings.HasPrefix(says, "{") {
					status := 0
					fmt.Sscan(says, &status)
					w.WriteHeader(status)
					fmt.Fprint(w, failure("Order not found"))
					return
				}
				fmt.Fprint(w, success(says))
			})
			o, err := s.Order(t.Context(), ref)
			class := Internal
			if err != nil {
				class = ClassOf(err)
			}
			if o.Code.Reveal() != tc.code || o.Status != tc.status || class != tc.class || calls != tc.calls {
				t.Errorf("%s: code %q, status %q, %v after %d calls; want %q, %q, %v after %d", name, o.Code.Reveal(), o.Status, err, calls, tc.code, tc.status, tc.class, tc.calls)
			}
		}
	}
	if stageOf("success / failed") != Unrecognized {
		t.Error("a contradiction is taken for something")
	}
}

// TestIDsThatCannotBeKept: an id that can be no key proves nothing, in an answer to a purchase and in a list.
func TestIDsThatCannotBeKept(t *testing.T) {
	long := strings.Repeat("x", 40<<10)
	for name, id := range map[string]string{"40 KB": long, "just too long": long[:longestID+1], "a control character": "a\\u0000b", "a line break": "a\\nb", "half a character": "a\\ud800"} {
		answered := attempt{handed: true, status: 200}
		answered.body = []byte(success(`{"order_ids":["O-1","` + id + `"]}`))
		if v := judge(answered, 2); v.Outcome != Unknown || v.Reason != "an order id that cannot be kept" || len(v.OrderIDs) != 1 {
			t.Errorf("%s: a purchase is %v for %q, with %d orders", name, v.Outcome, v.Reason, len(v.OrderIDs))
		}
		if m := purchasedItems(json.RawMessage(`{"purchased_items":[{"id":"`+id+`"}]}`), 1); m.wrong == "" || len(m.ids) != 0 {
			t.Errorf("%s: bought items prove %d orders", name, len(m.ids))
		}
		if m := placedTopup(json.RawMessage(`{"order_id":"`+id+`","transaction_id":"t-1","status":"pending"}`), "1"); m.wrong == "" {
			t.Errorf("%s: a top-up proves %q", name, m.ids)
		}
		list, odd, err := items(json.RawMessage(`[{"order_id":"`+id+`","key":"A-1"},{"order_id":"O-2"}]`), wireOrder.order)
		if err != nil || odd != 1 || len(list) != 1 || list[0].ID != "O-2" {
			t.Errorf("%s: the list is %d entries, %d odd, %v", name, len(list), odd, err)
		}
	}
	if v := judge(attempt{handed: true, status: 200, body: []byte(success(`{"order_ids":["` + long[:longestID] + `"]}`))}, 1); v.Outcome != Accepted {
		t.Errorf("an id of %d bytes is %v", longestID, v.Outcome)
	}
}

// TestClear: what an answer leaves open is to be asked for elsewhere.
func TestClear(t *testing.T) {
	code, words := secret.New("CODE-1"), secret.New("login and password")
	for name, tc := range map[string]struct {
		order Order
		topup bool
		want  bool
	}{
		"under way":                {Order{Status: "processing"}, false, true},
		"failed":                   {Order{Status: "failed"}, false, true},
		"its code":                 {Order{Code: code}, false, true},
		"its code, a word unknown": {Order{Status: "odd", Code: code}, false, true},
		"done with words":          {Order{Status: "completed", Notes: words}, false, true},
		"a top-up is done":         {Order{Status: "success"}, true, true},
		"done without its code":    {Order{Status: "completed"}, false, false},
		"a code that is not there": {Order{Status: "processing", Claim: HasCode}, false, false},
		"a word unknown":           {Order{Status: "odd"}, false, false},
		"nothing":                  {Order{}, false, false},
	} {
		if got := tc.order.Clear(tc.topup); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestStages: what a status means does not hang on how it is spelled, and a word that nobody knows means nothing.
func TestStages(t *testing.T) {
	for stage, all := range map[Stage][]string{
		Underway: {"", "pending", " Processing ", "in progress"},
		Done:     {"completed", "SUCCESS", "delivered"},
		Broken: {
			"failed", "fail", "Failure", "FAILED!", "cancelled", "Cancelled by supplier", "voided", "reversed", "unsuccessful", "not_delivered",
			"refunded", "error", "Échoué", "remboursée", "cancel", "Refund", "returned", "ABORTED", "partially_refunded", "error: refunded", "failed after 3 retries",
			"order_failed", "delivery failed", "payment_refunded", "Supplier_Error", "KO", "Order has been cancelled", "الطلب ملغى",
			"ملغى", "ملغي", "تم الإلغاء", "مرفوض من المورّد", "rejeté", "denied",
		},
		Unrecognized: {"failover", "cancel_requested", "refund_pending", "error 502, retrying", "voidable", "return_requested", "partially delivered", "تم", "on hold", "404", "order", "order on hold", "request_refund", "refund failed", "payment pending", "returned_to_queue", "failed, will be retried", "refused by one, trying another"},
	} {
		for _, status := range all {
			if got := stageOf(status); got != stage {
				t.Errorf("%q is of stage %d, want %d", status, got, stage)
			}
		}
	}
}

// TestCodeOfTheList: a list's code stands in for one that the order's own answer lacks, with the serial number beside it, and for
// nothing else.
func TestCodeOfTheList(t *testing.T) {
	code := func(code, serial string) Order { return Order{Code: secret.New(code), Serial: secret.New(serial)} }
	for _, test := range []struct{ own, listed, want Order }{
		{code("", ""), code("AAA-1", "S1"), code("AAA-1", "S1")},
		{code("", "S0"), code("AAA-1", "S1"), code("AAA-1", "S1")},
		{code("BBB-2", "S2"), code("AAA-1", "S1"), code("BBB-2", "S2")},
		{code("BBB-2", "S2"), code("", "S1"), code("BBB-2", "S2")},
		{code("", "S0"), code("", "S1"), code("", "S0")},
	} {
		got := test.own.WithCodeOf(test.listed)
		if got.Code.Reveal() != test.want.Code.Reveal() || got.Serial.Reveal() != test.want.Serial.Reveal() {
			t.Errorf("%q with %q beside %q with %q is %q with %q", test.own.Code.Reveal(), test.own.Serial.Reveal(), test.listed.Code.Reveal(),
				test.listed.Serial.Reveal(), got.Code.Reveal(), got.Serial.Reveal())
		}
	}
}
