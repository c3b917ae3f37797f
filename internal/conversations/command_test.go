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

func TestNumber(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "007": 7, "٣": 3, "١٢": 12, "۴۵": 45, "-1": -1, "0": 0} {
		if n, ok := number(text); !ok || n != want {
			t.Errorf("number(%q) = %d, %v; want %d", text, n, ok, want)
		}
	}
	for _, text := range []string{"", "abc", "1.5", "1,5", "1e3", "²", "99999999999999999999", "0x10", "1 2"} {
		if n, ok := number(text); ok {
			t.Errorf("number(%q) = %d; it is no quantity", text, n)
		}
	}
}
