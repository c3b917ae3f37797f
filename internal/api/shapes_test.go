package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestListAsObject: a list with gaps may come as an object by index; an object of anything else is no list.
func TestListAsObject(t *testing.T) {
	const first, second = `{"order_id":"a","status":"pending"}`, `{"order_id":"b","key":"B-1"}`
	for data, want := range map[string]string{
		`[` + first + `,` + second + `]`:           "a b ",
		`{"1":` + first + `,"10":` + second + `}`:  "a b ",
		`{"10":` + second + `,"9":` + first + `}`:  "a b ",
		`{"x":` + second + `}`:                     "b ",
		`{"0":` + first + `,"1":{"order_id":[]}}`:  "error",
		`{"links":{"first":1},"meta":{"total":0}}`: "error",
		`null`:                                "",
		`{}`:                                  "error",
		`{"order_id":"a","status":"pending"}`: "error",
		`{"order":` + first + `,"total":1}`:   "error",
		`{"0":[` + first + `]}`:               "error",
		`"a"`:                                 "error",
	} {
		list, _, err := items(json.RawMessage(data), wireOrder.order)
		var ids strings.Builder
		for _, o := range list {
			ids.WriteString(o.ID + " ")
		}
		got := ids.String()
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}

// TestMessageDecides: a message that the document names means the same under whatever code it comes.
func TestMessageDecides(t *testing.T) {
	for message, want := range map[string]Class{
		"Order not found": NotFound, "Invalid API key": Unauthorized, "API key is required": Unauthorized, "Too Many Requests": Limited,
		"Something else": Upstream,
	} {
		s := connect(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, failure(message)) })
		if _, err := s.Orders(t.Context(), []string{"a"}); ClassOf(err) != want {
			t.Errorf("200 with %q: %v, want %v", message, err, want)
		}
	}
	if got := classify(http.StatusForbidden, "Invalid API key"); got != Unauthorized {
		t.Errorf("403 for the key is %v", got)
	}
}

// TestUnreadableEntryOfAHistory: an entry that cannot be read is not left out of a history: it may be the order that is
// looked for.
func TestUnreadableEntryOfAHistory(t *testing.T) {
	s := connect(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"status":"success","data":[{"id":7,"status":"pending"},{"status":"pending"},"?"]}`)
	})
	list, err := s.History(t.Context(), Goods, 0)
	if err != nil || len(list) != 3 || list[0].ID != "7" || list[1].ID != "" || list[2].ID != "" {
		t.Errorf("the history is %+v, %v", list, err)
	}
}
