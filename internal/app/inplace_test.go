package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// command runs a subcommand and returns how it ended and what was said.
func command(h *apptest.Harness, args ...string) (code int, said string) {
	before := len(h.Log.String())
	w := h.World()
	w.Args = args
	code = app.Start(h.T.Context(), w)
	return code, h.Log.String()[before:]
}

// inSchema runs statements in the schema of an address, in real time.
func inSchema(h *apptest.Harness, address string, statements ...string) {
	h.T.Helper()
	conn, err := pgx.Connect(h.T.Context(), address)
	h.Must(err)
	defer conn.Close(h.T.Context())
	for _, s := range statements {
		_, err := conn.Exec(h.T.Context(), s)
		h.Must(err)
	}
}

// TestServerThatWasPutBack: a server's database that has forgotten what was bought is not gone on with, and says why. Made safe, it
// buys nothing by itself, and its accounts are looked at first.
func TestServerThatWasPutBack(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	onServer(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Link(apptest.Sam)
		h.Stop()
		address := h.Env["DATABASE_URL"]
		tables := strings.Fields("record lease origin mark")
		for _, name := range tables {
			inSchema(h, address, "create table was_"+name+" as table "+name)
		}
		h.Start()
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Delivered(apptest.Sam)
		h.Stop()
		for _, name := range tables {
			inSchema(h, address, "truncate "+name, "insert into "+name+" table was_"+name)
		}
		for _, verb := range []string{"rekey", "run"} { // the one that ends by itself first
			if code, said := command(h, verb); code != app.ExitRefused || !strings.Contains(said, "knows less than was seen") || !strings.Contains(said, "restore -in-place") {
				t.Fatalf("%s ends with %d\n%s", verb, code, said)
			}
		}
		if code, said := command(h, "restore", "-in-place"); code != 0 || !strings.Contains(said, "Accounts frozen until it is known what they bought since: 1") {
			t.Errorf("it is made safe with %d\n%s", code, said)
		}
		h.Start()
		h.Pass(time.Minute)
		if n := h.PurchasesSent(); n != 1 {
			t.Errorf("%d purchases were sent", n)
		}
		h.Say(apptest.Sam, "/unlock")
		h.See(apptest.Sam, "team")
	})
}

// TestInPlaceNeedsAServer: a file is restored from a copy, and nothing else is taken.
func TestInPlaceNeedsAServer(t *testing.T) {
	t.Parallel()
	apptest.Run(t, nil, func(h *apptest.Harness) {
		h.Stop()
		for want, args := range map[int][]string{app.ExitRefused: {"restore", "-in-place"}, 2: {"restore", "-in-place", "copy.db"}} {
			if code, said := command(h, args...); code != want {
				t.Errorf("%v ends with %d\n%s", args, code, said)
			}
		}
		h.Start()
	})
}
