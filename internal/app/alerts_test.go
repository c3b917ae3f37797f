package app_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/metrics"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestAlertsFire: each alert of deploy/alerts_test.yml fires in its situation and is silent in another, as Prometheus itself
// reckons. What is played there is figures of the bot.
func TestAlertsFire(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool here")
	}
	dir := t.TempDir()
	rules := regexp.MustCompile(`(?m)^        annotations:\n(?:          .*\n)+`).ReplaceAllString(apptest.ReadFile(t, "deploy/alerts.yml"), "")
	for name, text := range map[string]string{"alerts.yml": rules, "alerts_test.yml": apptest.ReadFile(t, "deploy/alerts_test.yml")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), promtool, "test", "rules", filepath.Join(dir, "alerts_test.yml")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestAlertsArePlayedWithFigures: what deploy/alerts_test.yml plays is figures that the bot has, and alerts that there are.
func TestAlertsArePlayedWithFigures(t *testing.T) {
	m := metrics.New("dev")
	m.Read(metrics.Sources{})
	text := apptest.ReadFile(t, "deploy/alerts_test.yml")
	figures := regexp.MustCompile(`series: '(resellerbot_[a-z_]+?)(?:_bucket)?\{`).FindAllStringSubmatch(text, -1)
	if len(figures) < 15 {
		t.Errorf("only %d series are played", len(figures))
	}
	for _, f := range figures {
		if !slices.Contains(m.Names(), f[1]) {
			t.Errorf("%s does not exist", f[1])
		}
	}
	for _, a := range regexp.MustCompile(`alertname: (\w+)`).FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(alertRules(t), func(r rule) bool { return r.name == a[1] }) {
			t.Errorf("there is no alert %s", a[1])
		}
	}
}

// TestEachAlertIsPlayed: each alert is played in a situation in which it fires, and in one in which it must be silent.
func TestEachAlertIsPlayed(t *testing.T) {
	fires, silent := map[string]bool{}, map[string]bool{}
	text := apptest.ReadFile(t, "deploy/alerts_test.yml")
	for _, m := range regexp.MustCompile(`alertname: (\w+)(\}|\n\s+exp_alerts: \[\{)`).FindAllStringSubmatch(text, -1) {
		if m[2] == "}" {
			silent[m[1]] = true
		} else {
			fires[m[1]] = true
		}
	}
	// Where several are played at once, which of them fires says which is silent.
	silent["DatabaseLarge"] = true
	for _, r := range alertRules(t) {
		if !fires[r.name] || !silent[r.name] {
			t.Errorf("%s: played where it fires: %v, where it is silent: %v", r.name, fires[r.name], silent[r.name])
		}
	}
}

// TestWhatAlertsCountBeginsAtZero: a rate does not see a series that is born at one, so the first update that is parked and
// the first copy that fails would be missed.
func TestWhatAlertsCountBeginsAtZero(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		h.Env["BACKUP_DIR"] = "copies"
	}, func(h *apptest.Harness) {
		shown := h.Figures()
		for _, series := range []string{
			`resellerbot_gate_total{outcome="shut",wire="telegram"} 0`,
			`resellerbot_updates_total{kind="tap",outcome="parked"} 0`,
			`resellerbot_job_runs_total{outcome="failed",task="back up the database"} 0`,
			`resellerbot_webhook_requests_total{status="401"} 0`,
			`resellerbot_reseller_calls_total{class="unauthorized",lane="background",operation="GET /balance"} 0`,
			`resellerbot_backup_configured 1`,
			`resellerbot_backup_interval_seconds 86400`,
			`resellerbot_purchases_oldest_seconds{phase="accepted"} 0`,
		} {
			if !strings.Contains(shown, series+"\n") {
				t.Errorf("there is no %s", series)
			}
		}
	})
}

// TestCopiesAreToldByTheirFolder: when the newest copy was made is known from the folder, also to a process that has just
// begun, and that none is made is said at the start.
func TestCopiesAreToldByTheirFolder(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, nil, func(h *apptest.Harness) {
		if !strings.Contains(h.Log.String(), "no copies of the database are made") || !strings.Contains(h.Figures(), "resellerbot_backup_configured 0\n") {
			t.Errorf("nobody is told that there are no copies:\n%s", h.Log)
		}
		h.Stop()
		h.Env["BACKUP_DIR"], h.Env["BACKUP_SCHEDULE"] = "copies", "@every 6h"
		h.Start()
		h.Pass(6*time.Hour + time.Minute)
		made := apptest.Figure(t, h.Figures(), "resellerbot_backup_last_timestamp_seconds")
		if age := time.Now().Unix() - int64(made); age < 30 || age > 120 {
			t.Errorf("a copy of a minute ago is told as %d s old", age)
		}
		h.Stop()
		h.Pass(time.Hour)
		h.Start()
		if again := apptest.Figure(t, h.Figures(), "resellerbot_backup_last_timestamp_seconds"); again != made {
			t.Errorf("after a restart it is of %v, not of %v", again, made)
		}
	})
}

// TestNotReadyWithoutTelegram: a bot that hears nothing of Telegram for minutes says that it cannot serve anybody, until it
// does again.
func TestNotReadyWithoutTelegram(t *testing.T) {
	t.Parallel()
	apptest.Run(t, nil, func(h *apptest.Harness) {
		h.Telegram.Inject(tgsim.Fault{Method: "getupdates", Kind: tgsim.Broken, Code: 502, Times: 100_000})
		h.Pass(time.Minute)
		if code := h.Get("/readyz"); code != http.StatusOK {
			t.Errorf("after a minute it says %d", code)
		}
		h.Pass(3 * time.Minute)
		if code := h.Get("/readyz"); code != http.StatusServiceUnavailable {
			t.Errorf("after four minutes it says %d", code)
		}
		h.Telegram.ClearFaults()
		h.Pass(time.Minute)
		if code := h.Get("/readyz"); code != http.StatusOK {
			t.Errorf("with Telegram back it says %d", code)
		}
	})
}
