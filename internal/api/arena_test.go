package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestArenaOrderByTransaction: a top-up that was answered without its number is found by its transaction, in the list
// of all where there is no endpoint for one.
func TestArenaOrderByTransaction(t *testing.T) {
	const gone = `{"status":"error","message":"Order not found","data":null}`
	byTransaction := OrderRef{Origin: FromArena, ID: "t-1", Transaction: "t-1"}
	for name, tc := range map[string]struct {
		ref    OrderRef
		list   string // "": there is none
		status string // of what is found, "" where nothing is
	}{
		"with its number":              {byTransaction, `[{"order_id":4,"transaction_id":"t-0","status":"failed"},{"order_id":5,"transaction_id":"T-1","status":"success"}]`, "success"},
		"without its number":           {byTransaction, `[{"transaction_id":"t-0","status":"failed"},{"transaction_id":"t-1","status":"success"}]`, "success"},
		"found by the list, no number": {OrderRef{Origin: FromArena, ID: "t-1"}, `[{"transaction_id":"t-1","status":"pending"}]`, "pending"},
		"by its number":                {OrderRef{Origin: FromArena, ID: "5"}, `[{"order_id":5,"status":"success"}]`, "success"},
		"not there":                    {byTransaction, `[{"order_id":4,"transaction_id":"t-0","status":"failed"}]`, ""},
		"a number that is another's":   {byTransaction, `[{"order_id":1,"status":"failed"}]`, ""},
		"no list":                      {byTransaction, "", ""},
	} {
		s := connect(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/arena/orders") && tc.list != "" {
				fmt.Fprint(w, success(tc.list))
				return
			}
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, gone)
		})
		o, err := s.Order(t.Context(), tc.ref)
		if tc.status == "" && ClassOf(err) != NotFound {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
		if tc.status != "" && (err != nil || o.Status != tc.status || o.ID != tc.ref.ID) {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
}
