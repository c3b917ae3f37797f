package app_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/storetest"
)

// digestAt reads all records of a database that nobody has open.
func (s *shelf) digestAt(place string) (d store.Digest) {
	s.t.Helper()
	var e store.Whole
	var err error
	if strings.HasPrefix(place, "postgres://") {
		e, err = postgres.OpenToRead(s.t.Context(), place)
	} else {
		e, err = bolt.Open(s.path(place), bolt.Options{ReadOnly: true})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	defer e.Close()
	if d, err = store.DigestOf(s.t.Context(), e); err != nil {
		s.t.Fatal(err)
	}
	return d
}

// onServer has the program work with a server's database, and no file.
func (s *shelf) onServer(address string) *shelf {
	there := &shelf{t: s.t, dir: s.dir, env: maps.Clone(s.env), secrets: s.secrets}
	there.env["DATABASE_URL"] = address
	delete(there.env, "DATABASE_PATH")
	return there
}

// TestMigrate: a shop goes on from a server, and back from a file; what was left is not started any more, and is no way to buy
// twice as a copy either.
func TestMigrate(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	s := newShelf(t)
	server := s.onServer(storetest.Address(t, t.TempDir()))
	was := s.digestAt("data/bot.db")
	said := server.succeed("migrate", "-from", "data/bot.db", "-to", "DATABASE_URL")
	if !strings.HasPrefix(said, "data/bot.db was moved to the database postgres at ") || !strings.Contains(said, was.String()+" on both sides") {
		t.Errorf("it says %q", said)
	}
	if now := s.digestAt(server.env["DATABASE_URL"]); now != was {
		t.Errorf("there are %v, not %v", now, was)
	}
	// Who was stopped behind the last step begins it again.
	if again := server.succeed("migrate", "-from", "data/bot.db", "-to", "DATABASE_URL"); !strings.HasSuffix(again, ": nothing is left to do.\n") {
		t.Errorf("moved once more: %s", again)
	}
	for _, args := range [][]string{{}, {"rekey"}, {"check"}} {
		got := s.run(args...)
		if got.Code != app.ExitRefused || !strings.Contains(got.Stderr, "the database was moved to another one, the database postgres at ") ||
			!strings.Contains(got.Stderr, "set DATABASE_URL or DATABASE_PATH to where it is now") {
			t.Errorf("%v of what was left: %+v", args, got)
		}
	}
	if said := server.succeed("check"); said != "records: sound\n" {
		t.Errorf("check says %q", said)
	}
	server.startAndStop()
	server.refuse("migrate: data/bot.db: the database was moved to another one", "nothing was changed",
		"migrate", "-from", "data/bot.db", "-to", "other.db")
	was = s.digestAt(server.env["DATABASE_URL"])
	server.succeed("migrate", "-to", "back/bot.db", "-from", server.env["DATABASE_URL"])
	if again := server.succeed("migrate", "-to", "back/bot.db", "-from", server.env["DATABASE_URL"]); !strings.HasSuffix(again, ": nothing is left to do.\n") {
		t.Errorf("moved back once more: %s", again)
	}
	if now := s.digestAt("back/bot.db"); now != was {
		t.Errorf("back there are %v, not %v", now, was)
	}
	if got := server.run(); got.Code != app.ExitRefused || !strings.Contains(got.Stderr, "was moved to another one, back/bot.db") {
		t.Errorf("what was left on the server: %+v", got)
	}
	back := &shelf{t: t, dir: s.dir, env: maps.Clone(s.env), secrets: s.secrets}
	back.env["DATABASE_PATH"] = "back/bot.db"
	back.sound()
	back.startAndStop()
	s.succeed("backup", "left.db")
	s.succeed("restore", "left.db")
	s.sound()
	s.inStore(s.env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) {
		all, err := st.Accounts(t.Context(), "", 10)
		if err != nil || len(all) == 0 || !all[0].Frozen {
			t.Errorf("what was left buys, as a copy: %v, %v", all, err)
		}
	})
}

// letGo is what ten seconds do to the lease of a process that was killed.
func letGo(t *testing.T, address string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "do $$ begin if to_regclass('lease') is not null then update lease set holder = ''; end if; end $$"); err != nil {
		t.Fatal(err)
	}
}

// TestMigrateIsKilled: whenever that happens, and however often, nothing is lost: the same command brings it to its end.
func TestMigrateIsKilled(t *testing.T) {
	t.Parallel()
	sampletest.Long(t)
	s := newShelf(t)
	s.inStore(s.env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) { s.addOrders(st, 2000) })
	server := s.onServer(storetest.Address(t, t.TempDir()))
	was, half := s.digestAt("data/bot.db"), 0
	after := func(killed bool) {
		letGo(t, server.env["DATABASE_URL"])
		if killed && server.run("check").Code == app.ExitRefused {
			half++
		}
	}
	kills := server.killedEarlier(after, "migrate", "-from", "data/bot.db", "-to", "DATABASE_URL")
	if now := s.digestAt(server.env["DATABASE_URL"]); now != was {
		t.Errorf("there are %v, not %v", now, was)
	}
	kills += server.killedEarlier(after, "migrate", "-from", "DATABASE_URL", "-to", "back.db")
	if now := s.digestAt("back.db"); now != was {
		t.Errorf("back there are %v, not %v", now, was)
	}
	t.Logf("%d kills, %d of them half-way", kills, half)
	if kills == 0 {
		t.Error("it was never killed")
	}
}

// TestMigrateIsRefused: what has no meaning, is in use, or would be overwritten.
func TestMigrateIsRefused(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	s := newShelf(t)
	const secret = "a-password-of-a-server"
	s.secrets = append(s.secrets, secret)
	for _, args := range [][]string{{}, {"-from", "data/bot.db"}, {"-to", "x.db"}, {"-from", "data/bot.db", "-to", "x.db", "y.db"}} {
		s.refuse("", "see bot --help", append([]string{"migrate"}, args...)...)
	}
	s.refuse("migrate: there is no database none.db", "nothing was changed; see to -from", "migrate", "-from", "none.db", "-to", "x.db")
	s.refuse("migrate: DATABASE_URL is not set", "set it, or name a file or an address", "migrate", "-from", "data/bot.db", "-to", "DATABASE_URL")
	got := s.run("migrate", "-from", "data/bot.db", "-to", "postgres://bot:"+secret+"@127.0.0.1:1/bot")
	if got.Code == 0 || !strings.Contains(got.Stderr, "open the database the database bot at 127.0.0.1") {
		t.Errorf("a server that is not there: %+v", got)
	}
	s.succeed("backup", "copy.db")
	s.write("copy.db", s.read("data/bot.db")) // of another database, as it were
	s.refuse("migrate: copy.db: the database is not empty", "name one that is empty", "migrate", "-from", "data/bot.db", "-to", "copy.db")
	apptest.Run(t, func(*apptest.Harness) {}, func(h *apptest.Harness) {
		w := h.World()
		w.Args = []string{"migrate", "-from", "data/bot.db", "-to", "x.db"}
		if code := app.Start(t.Context(), w); code != app.ExitRefused || !strings.Contains(h.Log.String(), "stop the bot first; nothing was changed") {
			t.Errorf("under a running bot it ended with %d\n%s", code, h.Log.String())
		}
	})
}
