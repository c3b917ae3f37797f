package app_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// event is a line of the log.
type event map[string]any

func (e event) is(key string, value any) bool { return fmt.Sprint(e[key]) == fmt.Sprint(value) }

// events reads the log, which has one event on each line.
func events(h *apptest.Harness) []event {
	h.T.Helper()
	var all []event
	for line := range strings.Lines(h.Log.String()) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			h.T.Errorf("no event: %q", line)
			continue
		}
		for _, key := range []string{"time", "level", "msg"} {
			if e[key] == nil || e[key] == "" {
				h.T.Errorf("an event without %s: %s", key, line)
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
	apptest.Run(t, func(h *apptest.Harness) { apptest.Stock(h); h.Env["LOG_LEVEL"] = "info" }, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(time.Minute)
		all := events(h)
		i := slices.IndexFunc(all, func(e event) bool { return e.is("msg", "purchase confirmed") })
		if i < 0 {
			t.Fatal("no word of the confirmation")
		}
		tap := all[i]
		if tap["update"] == nil || !tap.is("chat", apptest.Sam) || tap["account"] == nil {
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
			if e.is("msg", "order came to its end") && fmt.Sprint(e["order"]) != h.Service.Orders()[0].ID {
				t.Errorf("the order is not named: %v", e)
			}
		}
	})
}

// TestLogFollowsWhatGoesWrong: the other ends of a purchase are told as well, each once.
func TestLogFollowsWhatGoesWrong(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Service.AddProduct(sim.ProductSpec{ID: 40, Name: "Unlucky", Variants: []sim.VariantSpec{
			{ID: 401, Name: "one", Price: "500", InStock: 50, Delay: time.Second, Fails: true},
		}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✖️")
		h.Order(apptest.Sam, "Unlucky", "one", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "refund")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Status, Status: 503, Times: 1})
		h.Tap(apptest.Sam, "✅")
		h.Pass(20 * time.Minute)
		text := h.Log.String()
		for _, msg := range []string{"purchase dropped", "order came to its end", "purchase answered", "an uncertain purchase was looked for"} {
			if !strings.Contains(text, `"msg":"`+msg+`"`) {
				t.Errorf("no word of: %s", msg)
			}
		}
		for _, e := range events(h) {
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
		apptest.Run(t, func(h *apptest.Harness) { apptest.Stock(h); h.Env["LOG_FORMAT"] = format }, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Telegram.InjectUpdate(`"message":{"message_id":1,"date":1,"text":"a\nb","chat":{"id":502,"type":"private"},"from":{"id":502,"first_name":"S\nam"}}`)
			h.Service.Inject(sim.Fault{Operation: "*", Kind: sim.Garbage, Times: 3})
			h.Say(apptest.Sam, "/buy")
			h.Pass(time.Minute)
			start := map[string]*regexp.Regexp{"json": regexp.MustCompile(`^\{"time":".*\}$`), "text": regexp.MustCompile(`^time=\S+ level=[A-Z]+ msg=`)}[format]
			for line := range strings.Lines(h.Log.String()) {
				if !start.MatchString(strings.TrimSuffix(line, "\n")) {
					t.Errorf("%s: no event of its own: %q", format, line)
				}
			}
		})
	}
}
