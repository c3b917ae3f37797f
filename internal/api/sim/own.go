package sim

import "strings"

// OwnSegments are the words that a service with OwnNames has in its paths, by those of the document.
func OwnSegments() map[string]string {
	return map[string]string{familyArena: "blazefire", familyBattleRoyale: "last-circle", familySportsTV: "stadium"}
}

// ownProducts are what such a service calls products of the demo.
func ownProducts() map[string]string {
	return map[string]string{
		"Arena Diamonds": "Blazefire Diamonds", "Battle Royale Coins": "Last Circle: Coins", "Sports TV": "STADIUM+ Max", "Home Internet": "Dar Net 4G",
	}
}

// documented is the path of the document behind one of the service. The document's own word is none of its.
func (s *Server) documented(path string) string {
	if !s.ownNames {
		return path
	}
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for word, own := range OwnSegments() {
		switch first {
		// A client that was told nothing must not work by chance: this path leads nowhere.
		case word:
			return "/"
		case own:
			return "/" + word + "/" + rest
		}
	}
	return path
}

// named is what the service calls a product.
func (s *Server) named(p ProductSpec) ProductSpec {
	if own := ownProducts()[p.Name]; s.ownNames && own != "" {
		p.Name = own
	}
	return p
}

// OwnConfiguration is what a bot is told of such a service: the variables that it needs for the demo's goods.
// The names are those of the bot's settings (app/settings.go), as text: this package knows nothing of the bot.
func OwnConfiguration() map[string]string {
	own := OwnSegments()
	return map[string]string{
		"ARENA_SEGMENT": own[familyArena], "BATTLEROYALE_SEGMENT": own[familyBattleRoyale], "SPORTSTV_SEGMENT": own[familySportsTV],
		"INTERNET_PRODUCTS": "dar net", "TOPUP_PRODUCTS": "14, blazefire diamonds", "PURCHASE_KEY_ID": "31",
	}
}

// DemoTopup is what the service calls the product of the demo's that tops up a player.
func (s *Server) DemoTopup() string { return s.named(ProductSpec{Name: "Battle Royale Coins"}).Name }
