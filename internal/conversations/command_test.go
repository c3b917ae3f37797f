package conversations

import "testing"

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		text, name, rest string
		ok               bool
	}{
		{"/start", "start", "", true},
		{"/start payload", "start", "payload", true},
		{"/START", "start", "", true},
		{"/buy@shop_bot play card", "buy", "play card", true},
		{"/buy@Shop_Bot", "buy", "", true},
		{"/buy@other_bot", "", "", false},
		{"  /buy  x ", "buy", "x", true},
		{"/buy\nplay", "buy", "play", true},
		{"\u200f/orders\u200f", "orders", "", true},
		{"\u2066/buy\u2069 play", "buy", "play", true},
		{"\u200f", "", "", false},
		{"/key\u00a0ABC", "key", "ABC", true},
		{"/", "", "", false},
		{"/@shop_bot", "", "", false},
		{"buy", "", "", false},
		{"é /buy", "", "", false},
		{"سلام /buy", "", "", false},
		{"", "", "", false},
	} {
		name, rest, ok := command(c.text, "shop_bot")
		if name != c.name || rest != c.rest || ok != c.ok {
			t.Errorf("command(%q) = %q, %q, %v; want %q, %q, %v", c.text, name, rest, ok, c.name, c.rest, c.ok)
		}
	}
}
