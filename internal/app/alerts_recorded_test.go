package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/storetest"
)

// notRecorded are the alerts that are played in deploy/alerts_test.yml alone, with series by hand, and why.
var notRecorded = map[string]string{
	"BotRestarting":     "the start of a process is its machine's, and all lives of a test are one process",
	"CommitsSlow":       "a disk takes no virtual time",
	"NobodyLeads":       "several processes over a server's database",
	"NobodyStandsBy":    "several processes over a server's database",
	"LeaderChanges":     "several processes over a server's database",
	"LeaseLate":         "a server's database that answers late",
	"StandbyGone":       "a server's own replication",
	"GateShut":          "several processes over a server's database",
	"GateFails":         "a server's database that does not answer",
	"WebhookBacklog":    "the simulated Telegram reaches the webhook without a proxy between them",
	"PurchaseUncertain": "a purchase that cannot be looked for is put to a person within ten minutes here; it stays longer where readings are known to be late",
	"DatabaseLarge":     "the room is that of the machine's own disk",
	"PurchaseStuck":     "a place in the queue ends by itself after two minutes",
}

// recording is what Prometheus has of a bot: the figures that the rules of alerts ask for, at each interval since its begin.
type recording struct {
	h        *apptest.Harness
	interval time.Duration
	begun    time.Time
	wanted   *regexp.Regexp
	at       int // how often it was asked
	series   map[string][]string
	checks   []string
	expected map[string]bool
}

// newRecording begins a recording of a bot.
func newRecording(h *apptest.Harness, interval time.Duration) *recording {
	// The database is as old as the story, not as the file is by the machine's clock: before the first copy its age counts.
	h.Must(os.Chtimes(bolt.IDFile(filepath.Join(h.Dir, "data", "bot.db")), time.Now(), time.Now()))
	names := regexp.MustCompile(`resellerbot_[a-z_]+`).FindAllString(apptest.ReadFile(h.T, "deploy/alerts.yml"), -1)
	slices.Sort(names)
	return &recording{
		h: h, interval: interval, begun: time.Now(), series: map[string][]string{}, expected: map[string]bool{},
		wanted: regexp.MustCompile(`(?m)^(` + strings.Join(slices.Compact(names), "|") + `)(?:\{(.*)\})? (\S+)$`),
	}
}

// pass lets the bot run for some time, and asks it at each interval. One that is stopped does not answer.
func (r *recording) pass(d time.Duration) {
	r.h.T.Helper()
	for range int(d / r.interval) {
		r.ask()
		r.h.Pass(r.interval)
	}
}

// ask takes down what the bot has to show now.
func (r *recording) ask() {
	r.h.T.Helper()
	seen := map[string]string{`up{job="resellerbot",instance="a"}`: "0"}
	if r.h.StopBot != nil {
		seen[`up{job="resellerbot",instance="a"}`] = "1"
		for _, m := range r.wanted.FindAllStringSubmatch(r.h.Figures(), -1) {
			if strings.HasSuffix(m[1], "_timestamp_seconds") { // promtool's clock begins at zero
				m[3] = strconv.FormatInt(int64(apptest.Figure(r.h.T, m[0], m[1]))-r.begun.Unix(), 10)
			}
			seen[fmt.Sprintf(`%s{%s}`, m[1], strings.Trim(`job="resellerbot",instance="a",`+m[2], ","))] = m[3]
		}
	}
	for name, value := range seen {
		if r.series[name] == nil {
			r.series[name] = slices.Repeat([]string{"_"}, r.at)
		}
		r.series[name] = append(r.series[name], value)
	}
	r.at++
	for name, values := range r.series {
		if len(values) < r.at {
			r.series[name] = append(values, "stale")
		}
	}
}

// fires says which alerts fire at this moment of the story: these, and no other one.
func (r *recording) fires(alerts ...string) {
	r.ask()
	slices.Sort(alerts)
	var samples []string
	for _, a := range alerts {
		r.expected[a] = true
		samples = append(samples, fmt.Sprintf(`{labels: '{alertname="%s"}', value: 1}`, a))
	}
	r.checks = append(r.checks, fmt.Sprintf("      - {eval_time: %ds, expr: 'group by (alertname) (ALERTS{alertstate=\"firing\"})', exp_samples: [%s]}\n",
		int((time.Duration(r.at-1)*r.interval).Seconds()), strings.Join(samples, ", ")))
	r.h.Pass(r.interval)
}

// judge has Prometheus itself reckon.
func (r *recording) judge(t *testing.T, promtool string) {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	fmt.Fprintf(&b, "rule_files: [alerts.yml]\nevaluation_interval: %s\ntests:\n  - interval: %[1]s\n    input_series:\n", r.interval)
	for name, values := range r.series {
		fmt.Fprintf(&b, "      - {series: '%s', values: '%s'}\n", name, strings.Join(values, " "))
	}
	b.WriteString("    promql_expr_test:\n" + strings.Join(r.checks, ""))
	for name, text := range map[string]string{"alerts.yml": apptest.ReadFile(t, "deploy/alerts.yml"), "recorded.yml": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), promtool, "test", "rules", filepath.Join(dir, "recorded.yml")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// situation is a story that is recorded.
type situation struct {
	interval time.Duration
	prepare  func(*apptest.Harness)
	play     func(*apptest.Harness, *recording)
}

// troublesOutside are the stories of what the bot needs and does not have, by the names of what is seen in them.
func troublesOutside() map[string]situation {
	return map[string]situation{
		"nothing where all is well": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(30 * time.Minute)
			h.Buy(apptest.Sam, "Play Card", "10 USD", "2")
			r.pass(30 * time.Minute)
			r.fires()
		}},
		"Telegram that is away": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(10 * time.Minute)
			h.Telegram.Inject(tgsim.Fault{Method: "*", Kind: tgsim.Broken, Code: 502, Times: 100_000})
			r.pass(3 * time.Minute)
			r.fires()
			r.pass(11 * time.Minute)
			r.fires("BotNotReady", "TelegramUnreachable")
			h.Telegram.ClearFaults()
			r.pass(10 * time.Minute)
			r.fires()
		}},
		"a second poller": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(10 * time.Minute)
			h.CallTelegram("getUpdates", `{"timeout":1}`)
			r.pass(5 * time.Minute)
			r.fires()
			for range 8 {
				for range 5 {
					h.CallTelegram("getUpdates", `{"timeout":1}`)
					h.Pass(4 * time.Second)
				}
				r.ask()
			}
			r.fires("BotNotReady", "TelegramConflict") // what is not ready names the other process
			r.pass(15 * time.Minute)
			r.fires()
		}},
		"a service that is away": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(30 * time.Minute)
			h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: http.StatusBadGateway, Times: 100_000})
			for range 20 {
				h.Say(apptest.Sam, "/balance")
				r.pass(time.Minute)
			}
			r.fires("ResellerFails")
			h.Service.ClearFaults()
			for range 12 {
				h.Say(apptest.Sam, "/balance")
				r.pass(time.Minute)
			}
			r.fires()
		}},
		"a key that is refused": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(30 * time.Minute)
			h.Service.BlockAddress(apptest.TestKey, true)
			r.pass(time.Hour)
			r.fires("ResellerRefusesKey")
			h.Service.BlockAddress(apptest.TestKey, false)
			r.pass(time.Hour)
			r.fires()
		}},
		"a purchase that cannot be looked for": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(10 * time.Minute)
			h.OrderLost(apptest.Sam, "Play Card", "10 USD", "1")
			h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: http.StatusBadGateway, Times: 100_000})
			r.pass(10 * time.Minute)
			r.fires()
			r.pass(3 * time.Hour)
			r.fires("PurchaseUndecided", "ResellerFails")
		}},
	}
}

// troublesInside are the stories of the bot's own machine.
func troublesInside() map[string]situation {
	return map[string]situation{
		"copies that fail": {5 * time.Minute, func(h *apptest.Harness) { h.Env["BACKUP_SCHEDULE"] = "@every 6h" }, func(h *apptest.Harness, r *recording) {
			r.pass(7 * time.Hour)
			r.fires()
			copies := filepath.Join(h.Dir, h.Env["BACKUP_DIR"])
			h.Must(os.RemoveAll(copies))
			h.Must(os.WriteFile(copies, nil, 0o600)) // no folder any more
			r.pass(5*time.Hour + 30*time.Minute)
			r.fires("BackupFailed")
			r.pass(8 * time.Hour)
			r.fires("BackupFailed", "BackupMissing")
			h.Must(os.Remove(copies))
			h.Must(os.Mkdir(copies, 0o700))
			r.pass(13 * time.Hour)
			r.fires()
		}},
		"a job that fails again and again": {time.Minute, func(h *apptest.Harness) { h.Env["BACKUP_SCHEDULE"] = "@every 5m" }, func(h *apptest.Harness, r *recording) {
			r.pass(20 * time.Minute)
			h.Must(os.RemoveAll(filepath.Join(h.Dir, h.Env["BACKUP_DIR"])))
			h.Must(os.WriteFile(filepath.Join(h.Dir, h.Env["BACKUP_DIR"]), nil, 0o600))
			r.pass(30 * time.Minute)
			r.fires("BackupFailed", "JobFails")
		}},
		"that there are no copies": {5 * time.Minute, func(h *apptest.Harness) { delete(h.Env, "BACKUP_DIR") }, func(_ *apptest.Harness, r *recording) {
			r.pass(23 * time.Hour)
			r.fires()
			r.pass(2 * time.Hour)
			r.fires("BackupNone")
		}},
		"a bot that has ended": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(10 * time.Minute)
			h.Stop()
			r.pass(time.Minute)
			h.Start()
			r.pass(10 * time.Minute)
			r.fires() // an upgrade
			h.Stop()
			r.pass(5 * time.Minute)
			r.fires("BotDown")
			h.Start()
			r.pass(5 * time.Minute)
			r.fires()
		}},
	}
}

// TestAlertsOfTheRunningBot: in each situation exactly the alerts fire that are for it, by the figures that the bot shows, asked
// for at the interval of the rules. Every alert is recorded so, or it is said why it is not.
func TestAlertsOfTheRunningBot(t *testing.T) {
	t.Parallel()
	sampletest.MoreThanFew(t)
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool here")
	}
	if storetest.OnServer() {
		t.Skip("the age of a file is told here")
	}
	expected := map[string]bool{}
	situations := troublesOutside()
	maps.Copy(situations, troublesInside())
	maps.Copy(situations, troublesOfPeople())
	for name, s := range situations {
		t.Run(name, func(t *testing.T) {
			var r *recording
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Env["BACKUP_DIR"] = "copies"
				if s.prepare != nil {
					s.prepare(h)
				}
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				r = newRecording(h, s.interval)
				s.play(h, r)
			})
			r.judge(t, promtool)
			for a := range r.expected {
				expected[a] = true
			}
		})
	}
	for _, rule := range alertRules(t) {
		if _, why := notRecorded[rule.name]; expected[rule.name] == why {
			t.Errorf("%s: recorded: %v, said not to be: %v", rule.name, expected[rule.name], why)
		}
	}
}
