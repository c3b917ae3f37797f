package sim

import "fmt"

// Shown is what the service shows of an order, whatever is true of it: statuses go back, placeholders stand for
// codes, codes change, and one endpoint knows more than another.
type Shown struct {
	Status string // "" is the true one
	Key    string // "" is the true one; Nothing shows none
	Claim  string // has_key: "" is whether there is a key; "true", "false", or Nothing for an answer without it
	// Where it is shown: at the endpoints for all orders, at those of its family, or, with neither, at both.
	General, Family bool
}

// Nothing in a Shown leaves a field out.
const Nothing = "\x00"

// Show makes the service show an order otherwise than it is, until it is told otherwise. What was to be shown at
// other places before goes on.
func (s *Server) Show(orderID string, as Shown) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.byID[orderID]
	if o == nil {
		return fmt.Errorf("there is no order %s", orderID)
	}
	if as.General || !as.Family {
		o.feigned.general = as
	}
	if as.Family || !as.General {
		o.feigned.family = as
	}
	return nil
}

// on changes what is true of an order into what is shown.
func (as Shown) on(out object, key string) {
	if as.Status != "" {
		out["status"] = as.Status
	}
	switch as.Key {
	case "":
	case Nothing:
		delete(out, key)
	default:
		out[key] = as.Key
	}
	// Only Current's orders have it. Legacy, and the endpoints of families, cannot contradict their own key.
	if _, claims := out["has_key"]; !claims {
		return
	}
	switch as.Claim {
	case "":
		if as.Key != "" {
			out["has_key"] = as.Key != Nothing
		}
	case Nothing:
		delete(out, "has_key")
	default:
		out["has_key"] = as.Claim == "true"
	}
}
