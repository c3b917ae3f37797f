package app_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
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
	for line := range strings.Lines(apptest.ReadFile(t, "SECURITY.md")) {
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
	sampletest.MoreThanFew(t)
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(time.Hour)
		if !strings.Contains(allSimulated(t), `"image"`) {
			t.Error("the simulated service points to nothing")
		}
		for addr := range h.Net.Dialled() {
			if !slices.Contains([]string{apptest.TelegramAddr, apptest.ServiceAddr, apptest.HealthAddr}, addr) {
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
	sampletest.Slow(t)
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		points := map[string]func(){
			"with nothing open": func() { h.Say(apptest.Sam, "/cancel") },
			"at the products":   func() { h.Say(apptest.Sam, "/buy") },
			"at the variants":   func() { h.Say(apptest.Sam, "/buy"); h.Tap(apptest.Sam, "Play Card") },
			"at the quantity":   func() { h.Say(apptest.Sam, "/buy"); h.Tap(apptest.Sam, "Play Card"); h.Tap(apptest.Sam, "10 USD") },
			"at the summary":    func() { h.Order(apptest.Sam, "Play Card", "10 USD", "1") },
			"at the key":        func() { h.Say(apptest.Sam, "/key") },
		}
		for where, walk := range points {
			for _, text := range persuasion() {
				h.Say(apptest.Sam, "/cancel")
				walk()
				h.Say(apptest.Sam, text)
				h.Pass(2 * time.Second)
				if n := len(h.Service.Purchases()); n != 0 {
					t.Fatalf("%q %s bought something", text, where)
				}
			}
			h.Pass(5 * time.Minute)
		}
	})
}

// TestForwardedTextStartsNothing: a message of somebody else's, passed on, is no command, no key and no answer.
func TestForwardedTextStartsNothing(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/key")
		said := h.FromBot(apptest.Sam)
		for i, text := range []string{apptest.TestKey, "/key " + apptest.TestKey, "/buy", "1"} {
			h.Telegram.InjectUpdate(fmt.Sprintf(`"message":{"message_id":%d,"date":1,"text":%q,"chat":{"id":%d,"type":"private"},"from":{"id":%d,"is_bot":false,"first_name":"Sam"},`+
				`"forward_origin":{"type":"hidden_user","date":1,"sender_user_name":"Support"}}`, 9000+i, text, apptest.Sam, apptest.Sam))
		}
		h.Pass(5 * time.Second)
		if h.FromBot(apptest.Sam) != said || len(h.Service.Requests()) != 0 {
			t.Errorf("a forwarded message started something:\n%s", h.Transcript(apptest.Sam))
		}
		h.Say(apptest.Sam, apptest.TestKey) // the question is still open, for what the person types themselves
		h.See(apptest.Sam, "Boutique El Djazair")
	})
}

// TestArchitectureIsWhole: every room and every phase is in the document.
func TestArchitectureIsWhole(t *testing.T) {
	text := apptest.ReadFile(t, "docs/architecture.md")
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
