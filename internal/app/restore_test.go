package app_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// encryptedFor encrypts a text.
func encryptedFor(t *testing.T, text []byte, to age.Recipient) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := age.Encrypt(&out, to)
	if err == nil {
		_, err = w.Write(text)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRestore: a copy takes the place of the database, which stays beside it, and nothing that the copy knows
// can lead to a purchase.
func TestRestore(t *testing.T) {
	sampletest.Slow(t)
	s := newShelf(t)
	s.identity("keys.txt")
	s.succeed("backup", "copy.age")
	s.changeLanguage("fr")
	was := s.read("data/bot.db")
	said := s.succeed("restore", "copy.age", "-identity", "keys.txt")
	want := regexp.MustCompile(`^data/bot.db is restored from copy.age.
The database that was there is kept as (data/bot.db.before-restore-\d{8}T\d{6}Z).
Drafts dropped, whose buttons are void now: 1
Purchases dropped that waited for their turn: 0
Purchases on their way whose outcome is unknown now: 0
Accounts frozen until it is known what they bought since: 1
Nothing is bought until an owner of each has confirmed its team, which the bot asks for.
$`)
	kept := want.FindStringSubmatch(said)
	if kept == nil {
		t.Fatalf("it says %q", said)
	}
	if !bytes.Equal(was, s.read(kept[1])) {
		t.Error("what was there is not what was kept")
	}
	s.sound()
	s.inStore(s.env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) {
		if c, err := st.Chat(t.Context(), apptest.Sam); err != nil || c.Language != "en" {
			t.Errorf("the chat is that of after the copy: %+v, %v", c, err)
		}
		all, err := st.Accounts(t.Context(), "", 9)
		if err != nil || len(all) != 1 || !all[0].Frozen {
			t.Errorf("the accounts are %+v, %v", all, err)
		}
		for after := ""; ; {
			list, err := st.ChatPurchases(t.Context(), apptest.Sam, after, 9)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				break
			}
			for _, p := range list {
				if after = p.ID; !p.Phase.Final() {
					t.Errorf("%s is still %s", p.ID, p.Phase)
				}
			}
		}
	})
	if left, err := filepath.Glob(s.path("data/.*")); err != nil || len(left) > 0 {
		t.Errorf("left beside the database: %v, %v", left, err)
	}
}

// TestRestoreWhereNothingIs: on a new machine, with the plain copy alone.
func TestRestoreWhereNothingIs(t *testing.T) {
	sampletest.Slow(t)
	s := newShelf(t)
	s.succeed("backup", "copy.db")
	if err := os.RemoveAll(s.path("data")); err != nil {
		t.Fatal(err)
	}
	if said := s.succeed("restore", "copy.db"); strings.Contains(said, "is kept as") {
		t.Errorf("it says %q", said)
	}
	s.sound()
	if _, err := os.Stat(bolt.IDFile(s.database())); err != nil {
		t.Error(err)
	}
	s.startAndStop()
	s.sound()
}

// changeLanguage is a change after a copy was made.
func (s *shelf) changeLanguage(to string) {
	s.t.Helper()
	s.inStore(s.env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) {
		err := st.Update(s.t.Context(), func(tx *store.Tx) error {
			c, err := tx.Chat(apptest.Sam)
			if err != nil {
				return err
			}
			c.Language = to
			return tx.PutChat(&c)
		})
		if err != nil {
			s.t.Error(err)
		}
	})
}

// refuseCopies runs restore on files that are no good, and sees that each is refused for its reason, in one
// line, with nothing changed.
func (s *shelf) refuseCopies(args []string, all map[string]badCopy) {
	s.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		bad := all[name]
		s.t.Run(name, func(t *testing.T) {
			s := &shelf{t, s.dir, s.env, s.secrets}
			s.write("bad", bad.text)
			s.refuse("restore bad: "+bad.because, bad.advice, append([]string{"restore"}, append(args, "bad")...)...)
		})
	}
}

// badCopy is a file that is no good, and what is to be said of it.
type badCopy struct {
	text            []byte
	because, advice string
}

// TestRestoreRefusesPlain: what is no whole database of this bot is not put in the place of one.
func TestRestoreRefusesPlain(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	s := newShelf(t)
	s.succeed("backup", "copy.db")
	whole := s.read("copy.db")
	plain := whole[:len(whole)-app.ChecksumLength] // as one that has no checksum
	const another = app.AnotherCopy
	s.refuseCopies(nil, map[string]badCopy{
		"empty":       {nil, "the file is empty", another},
		"cut":         {whole[:len(whole)/2], "the file is damaged: ", another},
		"cut to bits": {whole[:1000], "the file is damaged: ", another},
		"a text":      {bytes.Repeat([]byte("not a database\n"), 1000), "the file is damaged: ", another},
		"zeros":       {make([]byte, len(whole)), "the file is damaged: ", another},
		"a page of zeros": {
			slices.Concat(whole[:3*os.Getpagesize()], make([]byte, len(whole)-3*os.Getpagesize())), "the file is damaged: ", another,
		},
		"a sealed value that was changed": {
			bytes.Replace(whole, []byte(`"s":{"key":"`), []byte(`"s":{"key":"A`), 1)[:len(whole)], "", another,
		},
		"another bot's":       {otherDatabase(t, s.env["ENCRYPTION_KEYS"]), "this is not the database that was here before", "remove the .id file only if this database is meant"},
		"not a bot's":         {databaseOf(t, func(*bolt.Engine) {}), "it holds no database of this bot", another},
		"under another key":   {otherDatabase(t, keyEntry("other", 1)), "open the store: ENCRYPTION_KEYS does not hold the key", "nothing was changed; add that key behind the others"},
		"of a newer version":  {regexp.MustCompile(`"Schema":\d`).ReplaceAll(plain, []byte(`"Schema":9`)), "open the store: the database was written by a newer version", "nothing was changed; use that version, or take another copy"},
		"with a broken index": {s.withNeedlessIndex(plain), "1 problem in its records, the first: needless index entry", another},
	})
	was := s.files()
	if got := s.run("restore", "nothing"); got.Code != app.ExitFailure || !strings.Contains(got.Stderr, "no such file") {
		t.Errorf("of a file that is not there: %+v", got)
	}
	if got := s.run("restore", "data"); got.Code == 0 {
		t.Errorf("of a folder: %+v", got)
	}
	s.same(was)
	for _, args := range [][]string{{"restore"}, {"restore", "a", "b"}, {"restore", "-identity"}} {
		s.refuse("", "see bot --help", args...)
	}
}

// TestRestoreRefusesEncrypted: what does not decrypt from end to end is not put in the place of the database,
// whichever bit of it was turned.
func TestRestoreRefusesEncrypted(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	s := newShelf(t)
	s.identity("other.txt")
	s.identity("keys.txt")
	s.succeed("backup", "copy.age")
	whole := s.read("copy.age")
	const another = app.AnotherCopy
	passphrase, err := age.NewScryptRecipient("a passphrase")
	if err != nil {
		t.Fatal(err)
	}
	passphrase.SetWorkFactor(1)
	stranger, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]badCopy{
		"cut":              {whole[:len(whole)-1], "the file is damaged: ", another},
		"cut to half":      {whole[:len(whole)/2], "the file is damaged: ", another},
		"cut in the head":  {whole[:60], "the file is damaged: ", another},
		"nothing in it":    {encryptedFor(t, nil, s.recipient("keys.txt")), "the file is empty", another},
		"a text in it":     {encryptedFor(t, []byte("hello"), s.recipient("keys.txt")), "the file is damaged: ", another},
		"for somebody":     {encryptedFor(t, []byte("hello"), stranger.Recipient()), "it is not encrypted for the identities in keys.txt", "nothing was changed; name another file with -identity"},
		"for a passphrase": {encryptedFor(t, []byte("hello"), passphrase), "it is not encrypted for the identities in keys.txt", "nothing was changed; name another file with -identity"},
		"with more behind": {append(slices.Clone(whole), '!'), "the file is damaged: ", another},
	}
	body := bytes.Index(whole, []byte("\n--- ")) // and the rest of that line; what comes before is checked as well
	for i, at := range []int{body + 8, body + 60, body + 100, len(whole) / 2, len(whole) - 1} {
		text := slices.Clone(whole)
		text[at] ^= 1 << i
		bad["a bit turned at "+string(rune('a'+i))] = badCopy{text, "", another}
	}
	s.refuseCopies([]string{"-identity", "keys.txt"}, bad)
	s.write("bad", whole)
	s.refuse("restore bad: it is encrypted", "name the file with the age identity: -identity KEYFILE", "restore", "bad")
	s.refuse("restore bad: it is not encrypted for the identities in other.txt", "name another file with -identity", "restore", "-identity", "other.txt", "bad")
	s.write("empty.txt", nil)
	s.write("wrong.txt", []byte("AGE-SECRET-KEY-1NOTONE\n"))
	for _, keys := range []string{"empty.txt", "wrong.txt", "bad"} {
		s.refuse("restore bad: "+keys+" holds no age identities", "AGE-SECRET-KEY-", "restore", "-identity", keys, "bad")
	}
}

// recipient is whom the identity in a file there reads for.
func (s *shelf) recipient(keys string) age.Recipient {
	s.t.Helper()
	all, err := age.ParseIdentities(bytes.NewReader(s.read(keys)))
	if err != nil {
		s.t.Fatal(err)
	}
	return all[0].(*age.X25519Identity).Recipient()
}

// databaseOf is the file of a new database.
func databaseOf(t *testing.T, fill func(*bolt.Engine)) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	engine, err := bolt.Open(path, bolt.Options{NoSync: true, Identify: true, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	fill(engine)
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// otherDatabase is the file of another bot's database.
func otherDatabase(t *testing.T, keys string) []byte {
	t.Helper()
	return databaseOf(t, func(e *bolt.Engine) {
		if _, err := app.ProblemsIn(context.Background(), app.Config{EncryptionKeys: secret.New(keys)}, e); err != nil {
			t.Fatal(err)
		}
	})
}

// withNeedlessIndex is a copy whose records are not sound.
func (s *shelf) withNeedlessIndex(whole []byte) []byte {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "bot.db")
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		s.t.Fatal(err)
	}
	plantIndex(s.t, path)
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// plantIndex makes an index of a database name what is not there.
func plantIndex(t *testing.T, path string) {
	t.Helper()
	engine, err := bolt.Open(path, bolt.Options{NoSync: true, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	err = engine.Update(t.Context(), func(tx store.RecordTx) error {
		_, err := tx.Put(store.Record{Kind: store.KindOpen, Key: "nobody", Value: []byte("nobody")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRestoreInUse: not under a running bot.
func TestRestoreInUse(t *testing.T) {
	sampletest.Slow(t)
	s := newShelf(t)
	s.succeed("backup", "copy.db")
	p := s.start()
	s.awake(p)
	was, err := os.Stat(s.path("data/bot.db"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.run("restore", "copy.db"); got.Code != app.ExitRefused || !strings.Contains(got.Stderr, "in use by another process") {
		t.Errorf("%+v", got)
	}
	p.Kill()
	is, err := os.Stat(s.path("data/bot.db")) // not its bytes: the bot goes on writing
	if err != nil || !os.SameFile(was, is) {
		t.Errorf("another database lies there: %v", err)
	}
	if before, _ := filepath.Glob(s.path("data/*.before-restore-*")); len(before) > 0 {
		t.Errorf("the database was put aside: %v", before)
	}
}

// TestRestoreIsKilled: whenever that happens, the database is the one of before or the restored one, whole, and
// the next restore comes to its end.
func TestRestoreIsKilled(t *testing.T) {
	sampletest.Slow(t)
	s := newShelf(t)
	s.identity("keys.txt")
	s.succeed("backup", "copy.age")
	s.changeLanguage("fr")
	languages := map[string]int{}
	kills := s.killedEarlier(func(killed bool) {
		s.sound()
		s.inStore(s.env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) {
			c, err := st.Chat(t.Context(), apptest.Sam)
			if err != nil {
				t.Fatal(err)
			}
			languages[c.Language]++
			all, err := st.Accounts(t.Context(), "", 9)
			if err != nil || len(all) != 1 || all[0].Frozen != (c.Language == "en") {
				t.Errorf("in the database of %s: %+v, %v", c.Language, all, err)
			}
			if !killed && c.Language != "en" {
				t.Error("the restore has come to its end, and is not there")
			}
		})
	}, "restore", "-identity", "keys.txt", "copy.age")
	if kills == 0 || languages["fr"] == 0 {
		t.Errorf("%d kills; found %v", kills, languages)
	}
	s.startAndStop()
	s.sound()
	if left, err := filepath.Glob(s.path("data/.*")); err != nil || len(left) > 0 {
		t.Errorf("left beside the database: %v, %v", left, err)
	}
}

// TestRestoreIsAMoneyEvent: what was bought after the copy was made is known to nobody here. So its buttons are
// void, nothing is bought until the service was asked, and the chat is told which orders nobody knows.
func TestRestoreIsAMoneyEvent(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "5 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Delivered")
		h.Order(apptest.Sam, "Play Card", "5 USD", "2")
		draft := h.See(apptest.Sam, "Check before buying")
		button := draft.Keyboard[0][0].Data
		h.Stop()
		h.Command("backup", "copy.db")
		h.Start()
		h.Tap(apptest.Sam, "✅") // after the copy was made
		h.Pass(time.Minute)
		h.Happened(2)
		h.Stop()
		h.Command("restore", "copy.db")
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: 503, Times: 1 << 30})
		h.Start()
		h.Telegram.Tap(apptest.Sam, apptest.Sam, draft.ID, button) // which the copy believed to be good
		h.Pass(time.Minute)
		h.Happened(2)
		if all, err := frozen(h); err != nil || !all {
			t.Errorf("the account is not frozen while the service cannot be asked: %v", err)
		}
		h.Service.ClearFaults()
		told := h.SeeAny(apptest.Sam, "does not know")
		if !strings.Contains(apptest.Plain(told.Text), "does not know: #3 · #2") { // as the older interface numbers the orders of the second purchase
			t.Errorf("the chat is told %s", told.Text)
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, draft.ID, button)
		h.Pass(time.Minute)
		h.Happened(2)
		h.Order(apptest.Sam, "Play Card", "5 USD", "3")
		h.RefusedWith(h.TapIn(apptest.Sam, apptest.Sam, "✅"), "confirm")
		h.Pass(time.Minute)
		h.Happened(2)
		h.Tap(apptest.Sam, "The team is right")
		h.SeeAny(apptest.Sam, "unlocked")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		h.Happened(3)
	})
}

// TestRestoreNamesOrdersWithoutTheirTime: what was bought after the copy is told to its owner, and what was bought before
// is not, where the list tells no times, or those of a zone that it does not name.
func TestRestoreNamesOrdersWithoutTheirTime(t *testing.T) {
	t.Parallel()
	behind := func(o map[string]any) {
		if at, err := time.Parse(time.RFC3339, o["created_at"].(string)); err == nil {
			o["created_at"] = at.Add(-5 * time.Hour).Format(time.DateTime)
		}
	}
	for name, rewrite := range map[string]func(map[string]any){"no time": func(o map[string]any) { delete(o, "created_at") }, "a zone behind": behind} {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
				if a.Is("GET", "/purchase-history") {
					a.Orders(rewrite)
				}
			}}
			apptest.Run(t, apptest.Oddly(apptest.Everything(sim.Options{Mode: sim.Both}), odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "5 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Sam, "Delivered")
				h.Order(apptest.Sam, "Play Card", "5 USD", "2")
				h.See(apptest.Sam, "Check before buying")
				h.Stop()
				h.Must(app.Backup(t.Context(), h.World(), []string{"copy.db"}))
				h.Start()
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Minute)
				h.Happened(2)
				h.Stop()
				h.Must(app.Restore(t.Context(), h.World(), []string{"copy.db"}))
				h.Start()
				h.Pass(10 * time.Minute)
				if !h.Has(apptest.Sam, "#2 · #3") && !h.Has(apptest.Sam, "#3 · #2") || h.Has(apptest.Sam, "#2 · #1") || h.Has(apptest.Sam, "#1 · #2") {
					t.Errorf("the orders since the copy are not told\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// frozen reports whether all accounts in the database of the bot, which is stopped meanwhile, are frozen.
func frozen(h *apptest.Harness) (all bool, err error) {
	h.T.Helper()
	h.Stop()
	defer h.Start()
	s := &shelf{t: h.T, dir: h.Dir, env: h.Env}
	all = true
	s.inStore(h.Env["ENCRYPTION_KEYS"], func(st *store.Store, _ store.Engine) {
		var list []store.Account
		list, err = st.Accounts(context.Background(), "", 9)
		for _, a := range list {
			all = all && a.Frozen
		}
		all = all && len(list) > 0
	})
	return all, err
}

// TestChangedCopyIsRefused: a plain copy of which one bit anywhere is another is not restored, and neither is one that was cut;
// one of an earlier version, which has no checksum, is.
func TestChangedCopyIsRefused(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	s := newShelf(t)
	s.succeed("backup", "copy.db")
	whole := s.read("copy.db")
	for i := range 12 {
		changed := bytes.Clone(whole)
		changed[len(changed)/13*(i+1)] ^= 1 << (i % 8)
		s.write("changed.db", changed)
		s.refuse("restore changed.db: the file is damaged: it is not what was written", app.AnotherCopy, "restore", "changed.db")
	}
	s.write("older.db", whole[:len(whole)-app.ChecksumLength])
	s.succeed("restore", "older.db")
	s.succeed("restore", "copy.db")
	s.sound()
}
