package app_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// onServer runs a test against the whole program over a server's database.
func onServer(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	address := storetest.Address(t, t.TempDir())
	apptest.Run(t, func(h *apptest.Harness) { h.Env["DATABASE_URL"] = address }, play)
}

// TestServerDatabase: what people see is the same, the database is checked and copied while the bot runs, no file is made
// in its place, and a copy of it is a database like any other.
func TestServerDatabase(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	onServer(t, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Command("check")
		h.Command("backup", "copy.db")
		if !strings.Contains(h.Log.String(), "records: sound") {
			t.Error("the records are not said to be sound")
		}
		if strings.Contains(h.Log.String(), h.Env["DATABASE_URL"]) {
			t.Error("the log shows the address")
		}
		if _, err := os.Stat(filepath.Join(h.Dir, "data", "bot.db")); err == nil {
			t.Error("there is a file as well")
		}
		h.Stop()
		delete(h.Env, "DATABASE_URL") // from here on with the copy
		h.Command("restore", "copy.db")
		h.Command("check")
	})
}

// TestFirstCopyIsAwaited: before there is a copy of a server's database, the time since copies are wanted counts, through
// restarts; not the beginning of time, at which every copy would be missing.
func TestFirstCopyIsAwaited(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	onServer(t, func(h *apptest.Harness) {
		h.Stop()
		h.Env["BACKUP_DIR"], h.Env["BACKUP_SCHEDULE"] = "copies", "@every 6h"
		h.Start()
		since := apptest.Figure(t, h.Figures(), "resellerbot_backup_last_timestamp_seconds")
		info, err := os.Stat(filepath.Join(h.Dir, "data", "bot.db.since"))
		h.Must(err)
		if int64(since) != info.ModTime().Unix() {
			t.Errorf("the figure is %v", since)
		}
		h.Stop()
		h.Pass(time.Hour)
		h.Start()
		if again := apptest.Figure(t, h.Figures(), "resellerbot_backup_last_timestamp_seconds"); again != since {
			t.Errorf("after a restart it is %v, not %v", again, since)
		}
		if code := h.Get("/livez"); code != http.StatusOK {
			t.Errorf("livez says %d", code)
		}
	})
}

// TestRestoreNeedsAFile: what cannot be put in the place of a server's database is refused, and nothing is changed.
func TestRestoreNeedsAFile(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	onServer(t, func(h *apptest.Harness) {
		h.Command("backup", "copy.db")
		h.Stop()
		w := h.World()
		w.Args = []string{"restore", "copy.db"}
		if code := app.Start(t.Context(), w); code != app.ExitRefused || !strings.Contains(h.Log.String(), "DATABASE_URL is set") {
			t.Errorf("it ended with %d\n%s", code, h.Log.String())
		}
		h.Start()
	})
}

// TestStandby: of two processes one works. The other says that it stands by, and goes on with what there is within a second
// of the first one's stop.
func TestStandby(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	onServer(t, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		second := &apptest.Harness{T: h.T, Net: h.Net, Service: h.Service, Telegram: h.Telegram, Dir: h.Dir, Log: h.Log, Env: map[string]string{}}
		maps.Copy(second.Env, h.Env)
		const addr = "127.0.0.1:8099"
		second.Env["HTTP_ADDR"] = addr
		second.Start()
		defer second.Stop()
		if code, said := ready(h, addr); code != http.StatusServiceUnavailable || !strings.Contains(said, "stands by") {
			t.Errorf("the second one says %d %q", code, said)
		}
		// It is watched like any other: no figures would say that it is gone.
		if code, said := asked(h, addr, "/metrics"); code != http.StatusOK || !strings.Contains(said, "\nresellerbot_standing_by 1\n") || strings.Contains(said, "\nresellerbot_lease_epoch") {
			t.Errorf("of the second one is shown %d %q", code, said)
		}
		shown := h.Figures()
		for _, series := range []string{"resellerbot_standing_by 0", "resellerbot_lease_epoch 1", `resellerbot_gate_total{outcome="failed",wire="telegram"} 0`} {
			if !strings.Contains(shown, "\n"+series+"\n") {
				t.Errorf("the leader shows no %s", series)
			}
		}
		if apptest.Figure(t, shown, `resellerbot_gate_total{outcome="open",wire="telegram"}`) < 1 || strings.Contains(shown, "\nresellerbot_database_standbys") {
			t.Errorf("the leader shows\n%s", shown)
		}
		if code, _ := ready(h, apptest.HealthAddr); code != http.StatusOK {
			t.Errorf("the first one says %d", code)
		}
		h.Stop()
		h.Pass(time.Second)
		if code, said := ready(h, addr); code != http.StatusOK {
			t.Errorf("a second after the first one's stop it says %d %q", code, said)
		}
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "25,000")
	})
}

// TestOperatorReachesOneBot: of two bots that work in one folder, with a server's database each, the operator reaches the one whose
// token is set.
func TestOperatorReachesOneBot(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	onServer(t, func(h *apptest.Harness) {
		says(h, operate(h, "status"), "It is ready")
		other := &apptest.Harness{T: h.T, Net: h.Net, Dir: h.Dir, Log: h.Log, Env: maps.Clone(h.Env)}
		other.Env["TELEGRAM_BOT_TOKEN"] = "1" + h.Env["TELEGRAM_BOT_TOKEN"]
		if got := operate(other, "status"); got.Code == 0 {
			t.Errorf("the other bot, which does not run, says %s", got.Stdout)
		}
	})
}

// TestLostWhileItStarts: a process that another one takes over from before it stands says so with its exit code, by which it is started
// again. So does one whose commit fails then.
func TestLostWhileItStarts(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	onServer(t, func(h *apptest.Harness) {
		h.Stop()
		h.Engine = func(e store.Engine) store.Engine {
			inSchema(h, h.Env["DATABASE_URL"], "update lease set epoch = epoch + 1")
			if leads, ok := e.(interface{ Leading(context.Context) error }); !ok || !errors.Is(leads.Leading(context.Background()), store.ErrFenced) {
				t.Error("it leads on")
			}
			return e
		}
		const fenced = 3
		if code, said := command(h, "run"); code != fenced {
			t.Errorf("it ends with %d\n%s", code, said)
		}
		h.Engine = nil
		h.Start()
	})
}

// ready asks a process whether it is.
func ready(h *apptest.Harness, addr string) (code int, said string) { return asked(h, addr, "/readyz") }

// asked asks a process for something.
func asked(h *apptest.Harness, addr, path string) (code int, said string) {
	tr := &http.Transport{DialContext: h.Net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://"+addr+path, nil)
	h.Must(err)
	resp, err := (&http.Client{Transport: tr}).Do(req)
	h.Must(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	h.Must(err)
	return resp.StatusCode, string(text)
}

// TestOneDatabase: a file and a server's database are not both the one.
func TestOneDatabase(t *testing.T) {
	env := app.LeastEnv()
	env["DATABASE_URL"], env["DATABASE_PATH"] = "postgres://bot:canary@db.example/bot", "data/bot.db"
	_, err := app.ParseConfig(app.LookupIn(env))
	if err == nil || !strings.HasPrefix(err.Error(), "DATABASE_URL: is set, and DATABASE_PATH is as well") || strings.Contains(err.Error(), "canary") {
		t.Errorf("both: %v", err)
	}
	env["DATABASE_PATH"] = ""
	if _, err := app.ParseConfig(app.LookupIn(env)); err != nil {
		t.Errorf("an empty path beside an address: %v", err)
	}
}
