package sim

import (
	"strconv"
	"strings"
)

// What is known of a player.
const (
	playerValid   = "valid"
	playerInvalid = "invalid"
	playerUnknown = "unknown"
)

// PlayerSpec is a player to add. Game is "arena", "battleroyale", "internet" (ID is a number of a line) or
// a product's id as text, for POST /catalog/{id}/verify. Status is "valid" (the default), "invalid" or
// "unknown": the supplier cannot tell.
type PlayerSpec struct {
	Game, ID, Name, Region string
	Status                 string
}

// playerKey is where a player is found.
type playerKey struct{ game, id string }

// AddPlayer adds a player. Ids that nobody added belong to players too, whose names are made from the
// seed, except those that begin with 0.
func (s *Server) AddPlayer(spec PlayerSpec) {
	if spec.Status == "" {
		spec.Status = playerValid
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.players[playerKey{spec.Game, spec.ID}] = spec
}

// player looks a player up; s.mu is held.
func (s *Server) player(game, id string) PlayerSpec {
	if p, ok := s.players[playerKey{game, id}]; ok {
		return p
	}
	nobody := "0"
	if game == familyInternet {
		nobody = "00" // every number of a line begins with 0
	}
	if id == "" || strings.HasPrefix(id, nobody) {
		return PlayerSpec{Game: game, ID: id, Status: playerInvalid}
	}
	return invented(s.names, game, id)
}

// invented is the player of an id that nobody added, always the same for a seed.
func invented(seed uint64, game, id string) PlayerSpec {
	// By game and id alone: the same player has the same name whoever asked before, and after a restart with the same seed.
	r := random(seed, "player "+game+" "+id)
	one := func(words ...string) string { return words[r.IntN(len(words))] }
	return PlayerSpec{
		Game: game, ID: id, Status: playerValid,
		Name:   one("Swift", "Silent", "Desert", "Golden", "Storm", "Lucky") + one("Fennec", "Falcon", "Rider", "Lion", "Nomad", "Comet") + strconv.Itoa(10+r.IntN(90)),
		Region: one("MENA", "Europe", "Asia"),
	}
}

// tenDigits reports whether an id is one of the arena's.
func tenDigits(id string) bool { return digits(id, 10, 10) }

// digits reports whether a text is from least to most digits.
func digits(text string, least, most int) bool {
	return len(text) >= least && len(text) <= most && strings.Trim(text, "0123456789") == ""
}
