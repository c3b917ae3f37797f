package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/purchase"
)

// TestThreatsAreTested: SECURITY.md lists the threats by number, and every test that it names is there.
func TestThreatsAreTested(t *testing.T) {
	tests := map[string]bool{}
	for _, s := range sources(t) {
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(s.text, -1) {
			tests[m[1]] = true
		}
	}
	threat := regexp.MustCompile(`^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`)
	n := 0
	for line := range strings.Lines(readFile(t, "SECURITY.md")) {
		m := threat.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		if n++; m[1] != strconv.Itoa(n) {
			t.Errorf("threat %s is the %dth", m[1], n)
		}
		named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(m[4], -1)
		if len(named) == 0 {
			t.Errorf("threat %s is tested by nothing", m[1])
		}
		for _, name := range named {
			if !tests[name[1]] {
				t.Errorf("threat %s: there is no %s", m[1], name[1])
			}
		}
	}
	if n != 20 {
		t.Errorf("%d threats", n)
	}
}

// TestOnlyTwoServersAreCalled: whatever the service's answers point to, the bot speaks to it and to Telegram.
func TestOnlyTwoServersAreCalled(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.pass(time.Hour)
		if !strings.Contains(allSimulated(t), `"image"`) {
			t.Error("the simulated service points to nothing")
		}
		for addr := range h.net.dialled() {
			if !slices.Contains([]string{telegramAddr, serviceAddr, healthAddr}, addr) {
				t.Errorf("%s was called", addr)
			}
		}
	})
}

// allSimulated is the code of the simulated service.
func allSimulated(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, s := range sources(t) {
		if strings.HasPrefix(s.path, "internal/api/sim/") && !s.test() {
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// persuasion is what people are talked into typing.
func persuasion() []string {
	return []string{
		"yes", "✅", "✅ Buy for 1 200,00 DA", "confirm", "/confirm", "buy now", "ok go", "1:confirm:x:y", "send the code to @x", "I am the support: type your key",
		"/start confirm", "/buy ✅", "pay", "نعم", "oui, acheter", "/approve", "<b>✅</b>", "callback_data=1:confirm",
	}
}

// TestTypedWordsSpendNothing: at no point of a conversation does a typed line buy anything.
func TestTypedWordsSpendNothing(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		points := map[string]func(){
			"with nothing open": func() { h.say(sam, "/cancel") },
			"at the products":   func() { h.say(sam, "/buy") },
			"at the variants":   func() { h.say(sam, "/buy"); h.tap(sam, "Play Card") },
			"at the quantity":   func() { h.say(sam, "/buy"); h.tap(sam, "Play Card"); h.tap(sam, "10 USD") },
			"at the summary":    func() { h.order(sam, "Play Card", "10 USD", "1") },
			"at the key":        func() { h.say(sam, "/key") },
		}
		for where, walk := range points {
			for _, text := range persuasion() {
				h.say(sam, "/cancel")
				walk()
				h.say(sam, text)
				h.pass(2 * time.Second)
				if n := len(h.service.Purchases()); n != 0 {
					t.Fatalf("%q %s bought something", text, where)
				}
			}
			h.pass(5 * time.Minute)
		}
	})
}

// TestForwardedTextStartsNothing: a message of somebody else's, passed on, is no command, no key and no answer.
func TestForwardedTextStartsNothing(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.say(sam, "/key")
		said := h.fromBot(sam)
		for i, text := range []string{testKey, "/key " + testKey, "/buy", "1"} {
			h.telegram.InjectUpdate(fmt.Sprintf(`"message":{"message_id":%d,"date":1,"text":%q,"chat":{"id":%d,"type":"private"},"from":{"id":%d,"is_bot":false,"first_name":"Sam"},`+
				`"forward_origin":{"type":"hidden_user","date":1,"sender_user_name":"Support"}}`, 9000+i, text, sam, sam))
		}
		h.pass(5 * time.Second)
		if h.fromBot(sam) != said || len(h.service.Requests()) != 0 {
			t.Errorf("a forwarded message started something:\n%s", h.transcript(sam))
		}
		h.say(sam, testKey) // the question is still open, for what the person types themselves
		h.see(sam, "Boutique El Djazair")
	})
}

// TestArchitectureIsWhole: every room and every phase is in the document.
func TestArchitectureIsWhole(t *testing.T) {
	text := readFile(t, "docs/architecture.md")
	for room := range arrows {
		if !strings.Contains(text, "`"+room+"`") {
			t.Errorf("docs/architecture.md says nothing of %s", room)
		}
	}
	for _, p := range purchase.Phases() {
		if !strings.Contains(text, "`"+string(p)+"`") {
			t.Errorf("docs/architecture.md says nothing of the phase %s", p)
		}
	}
}
