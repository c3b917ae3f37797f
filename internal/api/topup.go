package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// PlayerInput is the Input.Index of the one question that an arena top-up asks.
const PlayerInput = "player_id"

// Plans is the arena as a product, whose variants are its plans, not older than maxAge (GET /arena/plans).
// NotOffered where the service has no arena. It is shared: it must not be changed.
//
//reseller:operation GET /arena/plans legacy
func (s *Session) Plans(ctx context.Context, maxAge time.Duration) (Product, error) {
	plans, err := cached(ctx, s, opPlans, maxAge, func(ctx context.Context) ([]Variant, error) {
		return do(ctx, s, call{op: opPlans, method: http.MethodGet, path: "/arena/plans"}, listOf(s, opPlans, wirePlan.variant))
	})
	return s.arena(plans), offered(err)
}

// opPlans names the read of the arena's plans.
const opPlans = "GET /arena/plans"

// arena is the arena as a product.
func (s *Session) arena(plans []Variant) Product {
	return Product{
		ID: ArenaProduct, Name: cmp.Or(s.client.cfg.Names.Title(Arena), "Arena"), Family: Arena, Kind: kindTopup, RequiresInput: true, Variants: plans,
		Inputs: []Input{{Index: PlayerInput, Required: true, Pattern: `^[0-9]{10}$`}}, // reseller-api.md, Validation errors
	}
}

// Checkable reports whether the service may be asked about the answers to a product's inputs.
func (p Product) Checkable() bool {
	return len(p.Inputs) > 0 && (p.Family != Goods && p.Family != SportsTV || p.Kind == "" || p.Topup())
}

// Check asks the service about the player, or the number, that the answers to a product's inputs name, by
// Input.Index. NotOffered where it cannot tell for this product; Invalid, with the fields that it names, where it
// misses an answer or does not take one.
func (s *Session) Check(ctx context.Context, p Product, answers map[string]string) (Check, error) {
	switch p.Family {
	case Arena:
		return s.checkPlayer(ctx, "POST /arena/check-player", "/arena/check-player", answers[PlayerInput])
	case BattleRoyale:
		c, err := s.checkPlayer(ctx, "POST /battleroyale/check-player", "/battleroyale/check-player", answers[p.PlayerInput()])
		// Not every service has the family's own endpoint: the one for all products is asked then.
		if ClassOf(err) != NotOffered {
			return c, err
		}
	case Internet:
		kind, number := numberInputs(p, answers)
		return s.checkNumber(ctx, kind, number)
	}
	return s.verify(ctx, p, answers)
}

// PlayerInput is the index of the input that names the player: what it is called is not shown. "" where
// the product has no inputs.
func (p Product) PlayerInput() string {
	if len(p.Inputs) == 0 {
		return ""
	}
	for _, in := range p.Inputs {
		if strings.Contains(letters(in.Index+in.Label), "player") {
			return in.Index
		}
	}
	return p.Inputs[0].Index
}

// numberInputs are the type and the number to check: what types there are, and where the buyer says which,
// is not shown.
func numberInputs(p Product, answers map[string]string) (kind, number string) {
	// Where no input asks for a type, the family's own word stands in the path.
	kind = string(Internet)
	for _, in := range p.Inputs {
		if len(in.Options) > 0 || strings.Contains(letters(in.Index+in.Label), "type") {
			kind = answers[in.Index]
		} else if number == "" {
			number = answers[in.Index]
		}
	}
	return kind, number
}

// checkPlayer asks whether a player is there, and what they are called.
//
//reseller:operation POST /arena/check-player both
//reseller:operation POST /battleroyale/check-player current
func (s *Session) checkPlayer(ctx context.Context, op, path, player string) (Check, error) {
	return s.check(ctx, call{op: op, method: http.MethodPost, path: path, body: map[string]string{PlayerInput: player}}, true)
}

// checkNumber asks about an internet number. Its shape is not shown: what came is kept to be shown.
//
//reseller:operation GET /internet/check-number/{type}/{number} current
func (s *Session) checkNumber(ctx context.Context, kind, number string) (Check, error) {
	path := "/internet/check-number/" + url.PathEscape(kind) + "/" + url.PathEscape(number)
	return s.check(ctx, call{op: "GET /internet/check-number/{type}/{number}", method: http.MethodGet, path: path}, true)
}

// verify asks about the inputs of a catalogue product of kind topup (POST /catalog/{id}/verify).
//
//reseller:operation POST /catalog/{id}/verify current
func (s *Session) verify(ctx context.Context, p Product, answers map[string]string) (Check, error) {
	path := "/catalog/" + strconv.FormatInt(p.ID, 10) + "/verify"
	return s.check(ctx, call{op: "POST /catalog/{id}/verify", method: http.MethodPost, path: path, body: answers}, p.Topup())
}

// readCheck reads the answer to a check. What cannot be read tells nothing.
func readCheck(data json.RawMessage) Check {
	var w wireCheck
	if json.Unmarshal(data, &w) != nil {
		return Check{Status: CheckUnknown}
	}
	check := w.check()
	check.Facts = facts(data)
	return check
}

// check makes a check. A refusal in the service's own envelope that blames no field is one of the player, as is a
// 404 about them. A 404 about the path, or about the product, means that the service cannot tell; so does a 400
// where it is not sure that the service checks such products, and how it says that it does not is not shown. A
// refusal without the envelope is somebody else's, and says nothing.
func (s *Session) check(ctx context.Context, c call, sure bool) (Check, error) {
	got, err := do(ctx, s, c, func(data json.RawMessage) (Check, error) { return readCheck(data), nil })
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Class != NotFound && e.Class != Invalid {
		return got, err
	}
	switch {
	// A proxy or a login page has answered: taken for the service's word, it would tell somebody that their player does not exist.
	case errors.Is(err, errNotWrapped):
		e.Class = Upstream
	case len(e.Fields) > 0:
	case errors.Is(err, errNoPlayer), e.Class == Invalid && (sure || e.Status == http.StatusUnprocessableEntity):
		return Check{Status: CheckInvalid}, nil
	default:
		e.Class = NotOffered
	}
	return Check{}, err
}
