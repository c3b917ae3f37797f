package api

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"resellerbot/internal/secret"
)

// TestAvailabilityThatDoesNotSay: what says neither yes nor no about a variant is no no, and is told as an answer that cannot be read.
func TestAvailabilityThatDoesNotSay(t *testing.T) {
	for data, want := range map[string]struct{ there, told bool }{
		`[{"id":71,"is_available":true}]`:  {true, true},
		`[{"id":71,"is_available":"1"}]`:   {true, true},
		`[{"id":71,"is_available":false}]`: {false, true},
		`[{"id":71,"is_available":0}]`:     {false, true},
		`[{"id":71,"is_available":null}]`:  {},
		`[{"id":71,"is_available":12}]`:    {},
		`[{"id":71}]`:                      {},
		`[{"id":72,"is_available":true}]`:  {},
		`[]`:                               {},
	} {
		srv := httptest.NewServer(says(200, success(data)))
		there, err := newClient(t, Config{BaseURL: srv.URL + "/api", Generation: Legacy}).As(secret.New(canaryKey)).Available(t.Context(), 71)
		srv.Close()
		if there != want.there || (err == nil) != want.told {
			t.Errorf("%s is %t, %v", data, there, err)
		}
	}
}

// TestNamesThatAreNone: what stands in the place of a player's name confirms nobody.
func TestNamesThatAreNone(t *testing.T) {
	for name, confirms := range map[string]bool{
		"Sami": true, "N/A": false, "-": false, "": false, "null": false, "Player not found": false, "Invalid ID": false, "★ ★": true, "Nan0": true, "لينا": true,
	} {
		text, err := json.Marshal(map[string]string{"player_name": name})
		if err != nil {
			t.Fatal(err)
		}
		var w wireCheck
		if err := json.Unmarshal(text, &w); err != nil {
			t.Fatal(err)
		}
		if c := w.check(); (c.Status == CheckValid) != confirms || (c.Name != "") != confirms {
			t.Errorf("%q is %+v", name, c)
		}
	}
}
