package api

import (
	"encoding/json"
	"testing"
)

// TestTimeForms: a time names its zone, or does not, as it is read everywhere else.
func TestTimeForms(t *testing.T) {
	for value, want := range map[string]TimeForms{
		`"2026-01-01T10:00:00Z"`:      {Zoned: 1},
		`"2026-01-01 10:00:00+01:00"`: {Zoned: 1},
		`"2026-01-01T10:00:00+0100"`:  {Zoned: 1},
		`"2026-01-01 10:00:00 UTC"`:   {Zoned: 1},
		`1767225600`:                  {Zoned: 1},
		`"1767225600000"`:             {Zoned: 1},
		`"2026-01-01 10:00:00"`:       {Zoneless: 1},
		`"2026-01-01"`:                {Zoneless: 1},
		`17`:                          {Odd: 1},
		`"soon"`:                      {Odd: 1},
		`""`:                          {},
		`null`:                        {},
	} {
		var got TimeForms
		if got.note(json.RawMessage(value)); got != want {
			t.Errorf("%s counts as %+v, want %+v", value, got, want)
		}
	}
}

// TestSurveyCountsOddOnce: an entry that cannot be read is one, however many look at it.
func TestSurveyCountsOddOnce(t *testing.T) {
	s := &Session{client: &Client{cfg: Config{Names: Names{}.Complete()}}}
	var v Survey
	r := Reading{Op: "GET /products"}
	v.record(s, survey{op: r.Op}, &r, json.RawMessage(`{"status":"success","data":["soon",{"id":0},{"id":1,"name":"Card","variants":[]}]}`))
	if r.Entries != 3 || r.Odd != 2 || len(v.Products) != 1 {
		t.Errorf("%d of %d entries are odd, and %d are products", r.Odd, r.Entries, len(v.Products))
	}
}
