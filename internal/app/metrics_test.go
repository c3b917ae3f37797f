package app_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/metrics"
	"resellerbot/internal/purchase"
	"resellerbot/internal/store"
)

// TestMetrics: what happens in the program shows in its figures.
func TestMetrics(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(time.Minute)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.Tap(apptest.Sam, "✅")
		h.Telegram.InjectUpdate(`"message":{"message_id":"not a number","chat":[]}`)
		h.Pass(3 * time.Second)
		text := h.Figures()
		for _, c := range []struct {
			least  float64
			name   string
			labels []string
		}{
			{1, "resellerbot_ready", nil},
			{3, "resellerbot_updates_total", []string{`kind="message"`, `outcome="handled"`}},
			{5, "resellerbot_updates_total", []string{`kind="tap"`, `outcome="handled"`}},
			{1, "resellerbot_updates_total", []string{`outcome="parked"`}},
			{2, "resellerbot_purchases_total", []string{`phase="submitting"`}},
			{1, "resellerbot_purchases_total", []string{`phase="settled"`}},
			{1, "resellerbot_purchases_total", []string{`phase="unknown"`}},
			{1, "resellerbot_purchases_open", []string{`phase="unknown"`}},
			{1, "resellerbot_reseller_calls_total", []string{`operation="POST /products/purchase/{variantId}"`, `class="ok"`, `lane="people"`}},
			{1, "resellerbot_reseller_calls_total", []string{`operation="POST /products/purchase/{variantId}"`, `class="unknown"`}},
			{1, "resellerbot_reseller_calls_total", []string{`operation="POST /products/orders/retrieve"`, `lane="background"`}},
			{1, "resellerbot_budget_left_calls", []string{`method="POST"`}},
			{1, "resellerbot_budget_wait_seconds_count", []string{`method="GET"`}},
			{1, "resellerbot_telegram_calls_total", []string{`method="getUpdates"`, `outcome="ok"`}},
			{3, "resellerbot_telegram_calls_total", []string{`method="sendMessage"`, `outcome="ok"`}},
			{1, "resellerbot_telegram_calls_total", []string{`method="editMessageText"`}},
			{9, "resellerbot_commit_seconds_count", nil},
			{1, "resellerbot_database_bytes", nil},
			{1, "resellerbot_job_runs_total", []string{`task="process purchases"`, `outcome="ok"`}},
		} {
			if got := apptest.Figure(t, text, c.name, c.labels...); got < c.least {
				t.Errorf("%s %v is %v, want %v at least", c.name, c.labels, got, c.least)
			}
		}
		if left := apptest.Figure(t, text, "resellerbot_budget_left_calls", `method="POST"`); left >= 30 {
			t.Errorf("%v POSTs left after some were made", left)
		}
		h.Pass(30 * time.Minute)
		if apptest.Figure(t, h.Figures(), "resellerbot_uncertain_resolved_total") < 1 {
			t.Error("that an uncertain purchase was decided is not counted")
		}
		labelsAreFew(t, h.Figures())
	})
}

// labelsAreFew: every label has one of a handful of values that are known beforehand, so no chat, person,
// product or key is among them, whatever people do.
func labelsAreFew(t *testing.T, text string) {
	t.Helper()
	known := map[string]func(string) bool{
		"kind":      oneOfWords("message tap membership other update batch"),
		"outcome":   oneOfWords("handled repeated parked limited refused ok failed unreachable conflict forbidden token server_error open shut"),
		"wire":      oneOfWords("service telegram"),
		"phase":     func(v string) bool { return slices.Contains(purchase.Phases(), store.Phase(v)) },
		"rule":      regexp.MustCompile(`^[a-z ]{4,12}$`).MatchString,
		"lane":      oneOfWords("people background"),
		"reachable": oneOfWords("yes no"),
		"status":    regexp.MustCompile(`^[2-5]\d\d$`).MatchString,
		"version":   func(string) bool { return true },
		"le":        regexp.MustCompile(`^(\+Inf|[0-9.e+-]+)$`).MatchString,
		"quantile":  regexp.MustCompile(`^[01](\.\d+)?$`).MatchString,
		"cause":     oneOfWords("encoding gathering"),
		"method":    regexp.MustCompile(`^(GET|POST|[a-z]+[A-Za-z]*)$`).MatchString,
		"task":      regexp.MustCompile(`^[a-z ]{5,30}$`).MatchString,
		"operation": isOperation,
		"class":     isClass,
	}
	label := regexp.MustCompile(`([a-z_]+)="((?:[^"\\]|\\.)*)"`)
	series := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		series++
		for _, m := range label.FindAllStringSubmatch(line, -1) {
			if ok := known[m[1]]; ok == nil || !ok(m[2]) {
				t.Errorf("label %s has the value %q: %s", m[1], m[2], line)
			}
		}
	}
	if series > 1500 {
		t.Errorf("%d series", series)
	}
}

func oneOfWords(words string) func(string) bool {
	return func(v string) bool { return slices.Contains(strings.Fields(words), v) }
}

// isOperation reports whether a name is that of an operation of the service.
func isOperation(name string) bool {
	return slices.ContainsFunc(sim.Operations(), func(op sim.Operation) bool { return op.Method+" "+op.Path == name })
}

// isClass reports whether a name is that of an outcome of a call.
func isClass(name string) bool {
	if oneOfWords("ok unknown not_sent")(name) {
		return true
	}
	for c := range api.Class(20) {
		if c.String() == name {
			return true
		}
	}
	return false
}

// rule is one alert of deploy/alerts.yml.
type rule struct{ name, expr, severity, summary, do string }

// alertRules reads the alerts. They are written in a plain form of YAML, a line for each thing.
func alertRules(t *testing.T) []rule {
	t.Helper()
	var rules []rule
	line := regexp.MustCompile(`^\s+(?:- )?(alert|expr|labels|summary|do): (.+)$`)
	for text := range strings.Lines(apptest.ReadFile(t, "deploy/alerts.yml")) {
		m := line.FindStringSubmatch(strings.TrimRight(text, "\n"))
		if m == nil {
			continue
		}
		if m[1] == "alert" {
			rules = append(rules, rule{name: m[2]})
			continue
		}
		r := &rules[len(rules)-1]
		*map[string]*string{"expr": &r.expr, "labels": &r.severity, "summary": &r.summary, "do": &r.do}[m[1]] = m[2]
	}
	return rules
}

// panelQueries reads the queries of deploy/dashboard.json.
func panelQueries(t *testing.T) []string {
	t.Helper()
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(apptest.ReadFile(t, "deploy/dashboard.json")), &board); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range board.Panels {
		if p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("panel %q shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			all = append(all, target.Expr)
		}
	}
	return all
}

// TestFiguresThatAreWatchedExist: the dashboard and the alerts ask for figures that the bot has, with labels
// that have such values; and each figure of the bot's own is shown on the dashboard.
func TestFiguresThatAreWatchedExist(t *testing.T) {
	m := metrics.New("dev")
	m.Read(metrics.Sources{})
	names := m.Names()
	queries := panelQueries(t)
	shown := strings.Join(queries, " ")
	for _, r := range alertRules(t) {
		queries = append(queries, r.expr)
	}
	if len(queries) < 40 {
		t.Fatalf("only %d queries were read", len(queries))
	}
	figure := regexp.MustCompile(`\b((?:resellerbot|go|process)_[a-z_]+)`)
	for _, q := range queries {
		for _, f := range figure.FindAllString(q, -1) {
			base := regexp.MustCompile(`_(bucket|count|sum)$`).ReplaceAllString(f, "")
			if !slices.Contains(names, f) && !slices.Contains(names, base) {
				t.Errorf("%s is asked for and does not exist", f)
			}
		}
		for _, l := range regexp.MustCompile(`phase=~?"([^"]+)"`).FindAllStringSubmatch(q, -1) {
			for p := range strings.SplitSeq(l[1], "|") {
				if !slices.Contains(purchase.Phases(), store.Phase(p)) {
					t.Errorf("phase %s is asked for and does not exist", p)
				}
			}
		}
		for _, l := range regexp.MustCompile(`class=~?"([^"]+)"`).FindAllStringSubmatch(q, -1) {
			for c := range strings.SplitSeq(l[1], "|") {
				if !isClass(c) {
					t.Errorf("class %s is asked for and does not exist", c)
				}
			}
		}
	}
	for _, name := range names {
		if strings.HasPrefix(name, "resellerbot_") && !strings.Contains(shown, name) {
			t.Errorf("%s is nowhere on the dashboard", name)
		}
	}
}

// TestAlertsSayWhatToDo: whoever is woken up is told what is wrong and what to do.
func TestAlertsSayWhatToDo(t *testing.T) {
	rules := alertRules(t)
	if len(rules) < 15 {
		t.Errorf("%d alerts", len(rules))
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if r.expr == "" || r.summary == "" || len(r.do) < 40 || !regexp.MustCompile(`^\{severity: (page|ticket)\}$`).MatchString(r.severity) || seen[r.name] {
			t.Errorf("alert %+v is not complete", r)
		}
		seen[r.name] = true
	}
	// What an alert names of the bot is there: its tasks, and the words to search the log for.
	code := allCode(t)
	for _, r := range rules {
		for _, m := range regexp.MustCompile(`task="([^"]+)"`).FindAllStringSubmatch(r.expr, -1) {
			if !strings.Contains(code, `"`+m[1]+`"`) {
				t.Errorf("%s: there is no task %q", r.name, m[1])
			}
		}
		if _, after, ok := strings.Cut(r.do, "earch the log for "); ok {
			for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(after, -1) {
				if !strings.Contains(code, m[1]) {
					t.Errorf("%s: no line of the log says %q", r.name, m[1])
				}
			}
		}
		for _, name := range regexp.MustCompile(`\b[A-Z]+_[A-Z_]+\b`).FindAllString(r.do, -1) {
			if !isVariable(name) {
				t.Errorf("%s: there is no variable %s", r.name, name)
			}
		}
	}
}

// allCode is the text of all Go files but tests.
func allCode(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, s := range sources(t) {
		if !s.test() {
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// isVariable reports whether the configuration has a variable of that name.
func isVariable(name string) bool {
	for v := range new(app.Config).Variables {
		if v.Name == name {
			return true
		}
	}
	return false
}
