package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

var errShape = errors.New("the answer is not of the expected form")

// rawEntries are those of a list, which may come as an object of objects: so some services write a list with gaps.
func rawEntries(data json.RawMessage) ([]json.RawMessage, error) {
	var raw []json.RawMessage
	if json.Unmarshal(data, &raw) == nil {
		return raw, nil
	}
	var byIndex map[string]json.RawMessage
	if json.Unmarshal(data, &byIndex) != nil {
		return nil, errShape
	}
	for _, index := range slices.SortedFunc(maps.Keys(byIndex), compareIndex) {
		// One member that is no object tells that this is an object of fields, as an error or a page is, and no list.
		if entry := bytes.TrimSpace(byIndex[index]); len(entry) == 0 || entry[0] != '{' {
			return nil, errShape
		}
		raw = append(raw, byIndex[index])
	}
	// An empty object may be anything. Taken for an empty list, it would say that there are no orders.
	if len(raw) == 0 {
		return nil, errShape
	}
	return raw, nil
}

// items reads a list entry by entry: entries that do not decode are left out and counted. An object that has any such
// is no list: it must not pass for an empty one.
func items[W, T any](data json.RawMessage, turn func(W) (T, bool)) (out []T, odd int, err error) {
	raw, err := rawEntries(data)
	if err != nil {
		return nil, 0, err
	}
	out = make([]T, 0, len(raw))
	for _, text := range raw {
		var w W
		if json.Unmarshal(text, &w) == nil {
			if v, ok := turn(w); ok {
				out = append(out, v)
				continue
			}
		}
		odd++
	}
	if odd > 0 && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, 0, errShape
	}
	return out, odd, nil
}

// wireCheck is the answer to a check of a player or a number, in any of its shapes.
type wireCheck struct {
	checkFields

	Result maybe[checkFields] `json:"result"` // where the object is wrapped once more
	Player maybe[checkFields] `json:"player"`
}

// check turns the wire form, from whichever object says more.
func (w wireCheck) check() Check {
	c := w.checkFields.check()
	for _, inner := range [...]*checkFields{w.Result.value, w.Player.value} {
		if inner == nil {
			continue
		}
		in := inner.check()
		// Where the outer object says by itself that it cannot tell, that is the answer, whatever lies in it.
		if c.Status == CheckUnknown && w.Status != label(CheckUnknown) {
			c.Status = in.Status
		}
		c.Name, c.Region = cmp.Or(c.Name, in.Name), cmp.Or(c.Region, in.Region)
	}
	return c
}

// checkFields is what a check is made of.
type checkFields struct {
	Status     label `json:"status"`
	Valid      *flag `json:"valid"`
	IsValid    *flag `json:"is_valid"`
	Exists     *flag `json:"exists"`
	PlayerName label `json:"player_name"`
	Name       label `json:"name"`
	Username   label `json:"username"`
	Nickname   label `json:"nickname"`
	Region     label `json:"region"`
	Country    label `json:"country"`
}

// check turns the wire form. What says neither yes nor no is as good as its name: the service has answered
// without an error.
func (w checkFields) check() Check {
	c := Check{
		Name:   knownName(string(cmp.Or(w.PlayerName, w.Name, w.Username, w.Nickname))),
		Region: knownName(string(cmp.Or(w.Region, w.Country))),
	}
	yes := firstFlag(w.Valid, w.IsValid, w.Exists)
	switch s := CheckStatus(strings.ToLower(string(w.Status))); {
	case s == CheckValid, s == CheckInvalid, s == CheckUnknown:
		c.Status = s
	case yes != nil && bool(*yes):
		c.Status = CheckValid
	case yes != nil:
		c.Status = CheckInvalid
	case c.Name != "":
		c.Status = CheckValid
	default:
		c.Status = CheckUnknown
	}
	return c
}

// knownName is a name, or "" where something stands in the place of one: it would confirm a player whom nobody knows.
func knownName(name string) string {
	words := append(nothings(), "playernotfound", "notfound", "invalidid", "invalidplayer", "invalidplayerid")
	if strings.Trim(name, "-–—._*?/ ") == "" || slices.Contains(words, strings.ToLower(strings.Map(dropBreaks, name))) {
		return ""
	}
	return name
}

// dropBreaks leaves blanks and slashes out.
func dropBreaks(r rune) rune {
	if unicode.IsSpace(r) || r == '/' {
		return -1
	}
	return r
}

const (
	mostFacts   = 6  // of an answer whose shape is not shown
	longestFact = 60 // characters of one
)

// facts lists the plain fields of an object, for a person to read: what the check does not understand.
func facts(data json.RawMessage) []string {
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &object) != nil {
		return nil
	}
	known := []string{"status", "message", "valid", "is_valid", "exists", "player_name", "name", "username", "nickname", "region", "country"}
	var out []string
	for field, value := range object {
		var text label
		if slices.Contains(known, field) || json.Unmarshal(value, &text) != nil || text == "" || len(text) > longestFact || len(field) > longestFact {
			continue
		}
		out = append(out, field+": "+string(text))
	}
	slices.Sort(out)
	return out[:min(len(out), mostFacts)]
}

// wireAccount is an Account or a Balance as the service writes it.
type wireAccount struct {
	UserID    number `json:"user_id"`
	Name      label  `json:"name"`
	Email     label  `json:"email"`
	Balance   price  `json:"balance"`
	Available *price `json:"available_balance"`
}

// wallet is both figures; each equals the other one where it does not come.
func (w wireAccount) wallet() (Balance, error) {
	available := price{}
	if w.Available != nil {
		available = *w.Available
	}
	if !w.Balance.known && !available.known {
		return Balance{}, errShape
	}
	return Balance{
		Balance: w.Balance.or(available).amount, Available: available.or(w.Balance).amount, Lacks: !w.Balance.known || !available.known,
	}, nil
}

// oneOf reads a single object through its wire form.
func oneOf[W, T any](data json.RawMessage, turn func(W) (T, bool)) (T, error) {
	var w W
	var none T
	if err := json.Unmarshal(data, &w); err != nil {
		return none, errShape
	}
	v, ok := turn(w)
	if !ok {
		return none, fmt.Errorf("%w: it lacks its id", errShape)
	}
	return v, nil
}
