package app_test

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// operate runs a subcommand beside the running bot, and returns how it ended.
func operate(h *apptest.Harness, args ...string) app.Outcome {
	h.T.Helper()
	var out, log bytes.Buffer
	w := h.World()
	w.Args, w.Stdout, w.Stderr = args, &out, &log
	code := app.Start(h.T.Context(), w)
	return app.Outcome{Code: code, Stdout: out.String(), Stderr: log.String()}
}

// says fails the test unless a subcommand ends well and says all that is wanted, in that order.
func says(h *apptest.Harness, got app.Outcome, want ...string) {
	h.T.Helper()
	if got.Code != 0 || got.Stderr != "" {
		h.T.Fatalf("it ends with %d: %s", got.Code, got.Stderr)
	}
	rest := got.Stdout
	for _, w := range want {
		_, after, found := strings.Cut(rest, w)
		if !found {
			h.T.Errorf("it does not say %q (there):\n%s", w, got.Stdout)
			continue
		}
		rest = after
	}
}

// refFound finds a purchase in what status says.
func refFound(t *testing.T, status string) string {
	t.Helper()
	ref := regexp.MustCompile(`#[0-9A-Z]{5} may have been bought`).FindString(status)
	if ref == "" {
		t.Fatalf("status names no uncertain purchase:\n%s", status)
	}
	return ref[:6]
}

// TestOperatorLooksIn: an operator sees what is stuck, reads the story of a purchase without what is secret, has it looked
// at, and unlocks an account, while the bot runs; the open port serves none of it.
func TestOperatorLooksIn(t *testing.T) {
	t.Parallel()
	apptest.Run(t, stockOlder, func(h *apptest.Harness) {
		untilOlder(h) // ends with a purchase whose answer was lost
		away := operate(h, "status")
		if away.Code != 1 || !strings.Contains(away.Stderr, "no bot answers") || strings.Count(away.Stderr, "\n") != 1 {
			t.Errorf("without a bot, status says %+v", away)
		}
		h.Start()
		h.Say(apptest.Sam, "/lock")
		h.Pass(time.Second)

		status := operate(h, "status")
		says(h, status, "bot test, running for ", "It is ready.", "Open purchases: 1 accepted, 1 unknown.", "may have been bought", "Arena", "DZD, account u4101",
			"Accounts: 1, 1 of them cannot buy", `u4101 "Boutique El Djazair": locked by "Sam"`, "bot unlock u4101", "Orders: the next look is due in", "Messages: ",
			"Updates: none waits", " fail.", "Copies: NONE", "Database: ")
		ref := refFound(t, status.Stdout)
		for _, said := range []string{ref, strings.ToLower(ref[1:])} {
			says(h, operate(h, "show", said), ref+" may have been bought", "Boutique El Djazair", "drafted", "submitting → unknown", "Sent at")
		}
		said := operate(h, "show", "#00000")
		if said.Code != 1 || !strings.Contains(said.Stderr, `there is no purchase "#00000"`) {
			t.Errorf("a purchase that is not there: %+v", said)
		}
		says(h, operate(h, "unlock", "u4101"), "account u4101 may spend again")
		says(h, operate(h, "unlock", "u4101"), "not locked; nothing was changed")
		h.Pass(time.Second)
		h.SeeAny(apptest.Sam, "Whoever runs this bot has done that")
		says(h, operate(h, "status"), "Accounts: 1, 0 of them cannot buy")
		for _, path := range []string{"/status", "/purchase?ref=" + ref[1:], "/backup"} {
			if code := h.Get(path); code != http.StatusNotFound {
				t.Errorf("the open port answers %s with %d", path, code)
			}
		}
	})
}

// TestStoryHidesSecrets: what show says of purchases at their end names neither codes nor players.
func TestStoryHidesSecrets(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, stockOlder, func(h *apptest.Harness) {
		untilOlder(h)
		h.Start()
		h.Pass(time.Hour)
		var ids []string
		h.InStore(func(s *store.Store) {
			list, err := s.ChatPurchases(t.Context(), apptest.Sam, "", 10)
			h.Must(err)
			for _, p := range list {
				ids = append(ids, p.ID)
			}
		})
		if len(ids) != 3 {
			t.Fatalf("there are %d purchases", len(ids))
		}
		for _, id := range ids {
			got := operate(h, "show", id)
			says(h, got, "is at its end", id, "accepted → settled", "Order ")
			for _, o := range h.Service.Orders() {
				if o.Code != "" && strings.Contains(got.Stdout, o.Code) {
					t.Errorf("show %s tells a code", id)
				}
			}
			if strings.Contains(got.Stdout, playerCanary) || strings.Contains(got.Stdout, apptest.TestKey) {
				t.Errorf("show %s tells a secret:\n%s", id, got.Stdout)
			}
		}
	})
}

// TestOperatorHasOrdersLookedAt: look asks the service at once for orders that are not due for long, and says so.
func TestOperatorHasOrdersLookedAt(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, stockOlder, func(h *apptest.Harness) {
		untilOlder(h)
		h.Start()
		h.Pass(10 * time.Minute)
		var id string
		h.InStore(func(s *store.Store) {
			list, err := s.OpenPurchases(t.Context(), "", 10)
			h.Must(err)
			if len(list) != 1 || list[0].Phase != store.Accepted {
				t.Fatalf("%d purchases are open", len(list))
			}
			id = list[0].ID
		})
		h.Pass(90 * time.Second)
		lookedAt(h, id)
	})
}

// TestOperatorHasUncertainLookedFor: look brings forward the look for an uncertain purchase whose next one is far off.
func TestOperatorHasUncertainLookedFor(t *testing.T) {
	t.Parallel()
	apptest.Run(t, stockOlder, func(h *apptest.Harness) {
		untilOlder(h)
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: 502, Times: 1000})
		h.Start()
		h.Pass(4 * time.Minute)
		ref := refFound(t, operate(h, "status").Stdout)
		h.Service.ClearFaults()
		h.Pass(3 * time.Second)
		looks := regexp.MustCompile(`Looked for \d+ time`)
		before := looks.FindString(operate(h, "show", ref).Stdout)
		h.Pass(3 * time.Second)
		if now := looks.FindString(operate(h, "show", ref).Stdout); before == "" || now != before {
			t.Fatalf("%q became %q by itself", before, now)
		}
		says(h, operate(h, "look", ref), ref+" is looked for within seconds")
		h.Pass(3 * time.Second)
		if now := looks.FindString(operate(h, "show", ref).Stdout); now == before {
			t.Errorf("nobody looked: %q", now)
		}
	})
}

// lookedAt fails the test unless the service is asked about orders because the operator wants it, in a second in which it
// is not asked otherwise.
func lookedAt(h *apptest.Harness, ref string) {
	h.T.Helper()
	quiet := ordersAsked(h)
	h.Pass(time.Second)
	before := ordersAsked(h)
	if before != quiet {
		h.T.Fatal("the service was asked about orders by itself")
	}
	says(h, operate(h, "look", ref), ref[len(ref)-5:], "; bot show")
	h.Pass(3 * time.Second)
	if ordersAsked(h) == before {
		h.T.Errorf("nobody asked the service: %v", h.Service.Requests())
	}
}

// ordersAsked is how often the service was asked about orders.
func ordersAsked(h *apptest.Harness) (n int) {
	for name, times := range h.Service.Requests() {
		if strings.Contains(name, "order") {
			n += times
		}
	}
	return n
}

// TestBackupWhileRunning: a copy is had of the running bot, checked and complete, and restores.
func TestBackupWhileRunning(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "5 USD", "2")
		says(h, operate(h, "backup", "copy.db"), "copy.db: ", "checked, as the running bot is configured")
		if got := operate(h, "backup", "copy.db"); got.Code != app.ExitRefused {
			t.Errorf("a second copy over the first: %+v", got)
		}
		if got := operate(h, "backup", "-force", "data/bot.db"); h.Env["DATABASE_URL"] == "" && got.Code != app.ExitRefused { // a server's database is no file
			t.Errorf("a copy over the database: %+v", got)
		}
		h.Order(apptest.Sam, "Play Card", "5 USD", "1") // it goes on
		if h.Env["DATABASE_URL"] != "" {
			return // a copy takes the place of a file
		}
		h.Stop()
		h.Command("restore", "copy.db")
		h.Start()
		h.SeeAny(apptest.Sam, "came back from a backup")
		if got := operate(h, "unlock", "u4101"); got.Code != 1 || !strings.Contains(got.Stderr, "an owner has to confirm it with /unlock in the chat") {
			t.Errorf("the team of a copy is unlocked: %+v", got)
		}
	})
}

// TestSocketIsItsOwners: the socket of the real program has the rights of its owner alone, is replaced after a kill, and
// goes with a clean stop.
func TestSocketIsItsOwners(t *testing.T) {
	sampletest.Slow(t)
	s := newShelf(t)
	socket := s.database() + ".sock"
	for range 2 {
		p := s.start("run")
		s.untilAnswered()
		info, err := os.Stat(socket)
		if err != nil || info.Mode().Perm() != 0o600 || info.Mode().Type() != fs.ModeSocket {
			t.Fatalf("the socket is %v, %v", info, err)
		}
		s.succeed("backup", "-force", "copy.db")
		p.Kill()
	}
	p := s.start("run")
	s.untilAnswered()
	if err := p.Command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.Code(); code != 0 {
		t.Errorf("it ended with %d: %s", code, p.Log)
	}
	if _, err := os.Lstat(socket); err == nil {
		t.Error("the socket stays behind a clean stop")
	}
	s.clear(s.read("copy.db"), "the copy")
}

// untilAnswered waits until the program that was started answers the operator.
func (s *shelf) untilAnswered() {
	s.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for s.run("status").Code != 0 {
		if time.Now().After(deadline) {
			s.t.Fatal("status is not answered")
		}
	}
}
