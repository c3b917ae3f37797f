package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// event is a line of the log.
type event map[string]any

func (e event) is(key string, value any) bool { return fmt.Sprint(e[key]) == fmt.Sprint(value) }

// events reads the log, which has one event on each line.
func (h *house) events() []event {
	h.t.Helper()
	var all []event
	for line := range strings.Lines(h.log.String()) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			h.t.Errorf("no event: %q", line)
			continue
		}
		for _, key := range []string{"time", "level", "msg"} {
			if e[key] == nil || e[key] == "" {
				h.t.Errorf("an event without %s: %s", key, line)
			}
		}
		all = append(all, e)
	}
	return all
}

// story is what the log tells about a purchase, line by line.
func story(all []event, purchase string) []string {
	var lines []string
	for _, e := range all {
		if e.is("purchase", purchase) {
			words := []string{fmt.Sprint(e["msg"])}
			for _, key := range []string{"outcome", "state", "kind", "event", "why"} {
				if e[key] != nil {
					words = append(words, fmt.Sprint(e[key]))
				}
			}
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

// TestLogFollowsAPurchase: from the tap to the delivery each event is a line, and ids lead from one to the next:
// the update, the purchase, the order.
func TestLogFollowsAPurchase(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) { stock(h); h.env["LOG_LEVEL"] = "info" }, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.pass(time.Minute)
		all := h.events()
		i := slices.IndexFunc(all, func(e event) bool { return e.is("msg", "purchase confirmed") })
		if i < 0 {
			t.Fatal("no word of the confirmation")
		}
		tap := all[i]
		if tap["update"] == nil || !tap.is("chat", sam) || tap["account"] == nil {
			t.Errorf("the confirmation does not say whose: %v", tap)
		}
		want := []string{
			"purchase confirmed", "purchase submitting", "purchase answered accepted", "order came to its end ready", "purchase settled",
			"message delivered carrier", "message delivered ping",
		}
		got := story(all, fmt.Sprint(tap["purchase"]))
		rest := got
		for _, line := range want {
			n := slices.Index(rest, line)
			if n < 0 {
				t.Fatalf("%q is missing, or comes too early, in\n%s", line, strings.Join(got, "\n"))
			}
			rest = rest[n+1:]
		}
		for _, e := range all {
			if e.is("msg", "order came to its end") && fmt.Sprint(e["order"]) != h.service.Orders()[0].ID {
				t.Errorf("the order is not named: %v", e)
			}
		}
	})
}

// TestLogFollowsWhatGoesWrong: the other ends of a purchase are told as well, each once.
func TestLogFollowsWhatGoesWrong(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		stock(h)
		h.service.AddProduct(sim.ProductSpec{ID: 40, Name: "Unlucky", Variants: []sim.VariantSpec{
			{ID: 401, Name: "one", Price: "500", InStock: 50, Delay: time.Second, Fails: true},
		}})
	}, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✖️")
		h.order(sam, "Unlucky", "one", "1")
		h.tap(sam, "✅")
		h.seeAny(sam, "refund")
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Status, Status: 503, Times: 1})
		h.tap(sam, "✅")
		h.pass(20 * time.Minute)
		text := h.log.String()
		for _, msg := range []string{"purchase dropped", "order came to its end", "purchase answered", "an uncertain purchase was looked for"} {
			if !strings.Contains(text, `"msg":"`+msg+`"`) {
				t.Errorf("no word of: %s", msg)
			}
		}
		for _, e := range h.events() {
			if e.is("msg", "purchase answered") && (e["outcome"] == nil || e["status"] == nil || e["purchase"] == nil) {
				t.Errorf("an answer that says too little: %v", e)
			}
		}
	})
}

// TestLogIsOneLineAnEvent: also for what has lines of its own, in both forms.
func TestLogIsOneLineAnEvent(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"json", "text"} {
		inHouse(t, func(h *house) { stock(h); h.env["LOG_FORMAT"] = format }, func(h *house) {
			h.link(sam)
			h.telegram.InjectUpdate(`"message":{"message_id":1,"date":1,"text":"a\nb","chat":{"id":502,"type":"private"},"from":{"id":502,"first_name":"S\nam"}}`)
			h.service.Inject(sim.Fault{Operation: "*", Kind: sim.Garbage, Times: 3})
			h.say(sam, "/buy")
			h.pass(time.Minute)
			start := map[string]*regexp.Regexp{"json": regexp.MustCompile(`^\{"time":".*\}$`), "text": regexp.MustCompile(`^time=\S+ level=[A-Z]+ msg=`)}[format]
			for line := range strings.Lines(h.log.String()) {
				if !start.MatchString(strings.TrimSuffix(line, "\n")) {
					t.Errorf("%s: no event of its own: %q", format, line)
				}
			}
		})
	}
}
