package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/notify"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// operated prepares a shop whose owner, Sam, operates the bot as well.
func operated(h *apptest.Harness) {
	apptest.Stock(h)
	h.Env["OWNER_CHAT_ID"] = "502"
}

// troubles is what the operator, who is Sam, was told of troubles, in order; none of it with a sound.
func troubles(h *apptest.Harness) (texts []string) {
	h.T.Helper()
	for _, m := range h.Telegram.Messages(apptest.Sam) {
		if m.FromBot && strings.HasPrefix(m.Text, "🛠") {
			texts = append(texts, apptest.Plain(m.Text))
			if !m.Silent {
				h.T.Errorf("it makes a sound: %s", m.Text)
			}
		}
	}
	return texts
}

// told fails the test unless the operator was told just this of troubles, each by the words it begins with.
func told(h *apptest.Harness, want ...string) {
	h.T.Helper()
	got := troubles(h)
	same := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		same = same && strings.HasPrefix(got[i], "🛠 "+want[i])
	}
	if !same {
		h.T.Errorf("the operator was told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestOperatorHears: whoever operates the bot hears of each trouble once, without a sound, and once that it is over.
func TestOperatorHears(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		prepare    func(*apptest.Harness)
		begin, end func(*apptest.Harness)
		is, over   string
		lasts      time.Duration // after the restart
	}{
		"copies": {
			prepare: func(h *apptest.Harness) { h.Env["BACKUP_DIR"], h.Env["BACKUP_SCHEDULE"] = "copies", "@every 1h" },
			begin: func(h *apptest.Harness) {
				h.Must(os.WriteFile(filepath.Join(h.Dir, "copies"), nil, 0o600)) // where a folder should be
				h.Pass(3 * time.Hour)
			},
			end: func(h *apptest.Harness) {
				h.Must(os.Remove(filepath.Join(h.Dir, "copies")))
				h.Pass(time.Hour)
			},
			is: "Backups of the database are not made. The newest is from ", over: "Backups are made again. None was made from ", lasts: 10 * time.Minute,
		},
		"supplier": {
			begin: func(h *apptest.Harness) {
				h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: 502, Times: 100_000})
				h.Pass(40 * time.Minute)
			},
			end: func(h *apptest.Harness) { h.Service.ClearFaults() },
			is:  "The supplier has not answered since ", over: "The supplier answers again. It did not from ",
		},
		"key": {
			begin: func(h *apptest.Harness) { h.Service.ExpireKey(apptest.TestKey); h.Pass(20 * time.Minute) },
			end:   func(h *apptest.Harness) { h.Service.SetExpiry(apptest.TestKey, time.Now().Add(24*time.Hour)) },
			is:    "The supplier refuses the key of Boutique El Djazair.", over: "The supplier accepts all keys again.",
		},
		"poller": {
			begin: func(h *apptest.Harness) {
				for range 60 {
					h.CallTelegram("getUpdates", `{"timeout":1}`)
					h.Pass(5 * time.Second)
				}
			},
			is: "Another program uses the token of this bot.", over: "No other program uses the token of this bot now.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				operated(h)
				if c.prepare != nil {
					c.prepare(h)
				}
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Pass(11 * time.Minute)
				told(h)
				c.begin(h)
				h.Pass(time.Minute)
				told(h, c.is)
				h.Stop() // a start does not tell it again
				h.Start()
				h.Pass(max(c.lasts, 2*time.Minute))
				told(h, c.is)
				if c.end != nil {
					c.end(h)
				}
				h.Pass(70 * time.Minute)
				told(h, c.is, c.over)
			})
		})
	}
}

// TestKeyThatIsStillRefused: a start knows nothing of any key, and does not tell that all are accepted before it has heard so
// of each: neither after the first look, at which one is refused, nor after one at which the service did not answer.
func TestKeyThatIsStillRefused(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, operated, func(h *apptest.Harness) {
		const is = "The supplier refuses the key of Boutique El Djazair."
		h.Link(apptest.Sam)
		h.Service.ExpireKey(apptest.TestKey)
		h.Pass(20 * time.Minute)
		told(h, is)
		h.Stop()
		h.Start()
		h.Pass(20 * time.Minute)
		told(h, is)
		h.Stop()
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: 502, Times: 100_000})
		h.Start()
		h.Pass(4*time.Minute + 30*time.Second) // one look, and no time for the service to be a trouble of its own
		h.Pass(5 * time.Minute)
		for _, text := range troubles(h) {
			if strings.Contains(text, "accepts all keys") {
				t.Errorf("the operator was told: %s", text)
			}
		}
		h.Service.ClearFaults()
		h.Service.SetExpiry(apptest.TestKey, time.Now().Add(24*time.Hour))
		h.Pass(20 * time.Minute)
		if all := troubles(h); !slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, "accepts all keys") }) {
			t.Errorf("the operator was told\n%s", strings.Join(all, "\n"))
		}
	})
}

// TestOtherPollerUnseen: that no other program uses the token is not told because Telegram is silent.
func TestOtherPollerUnseen(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, operated, func(h *apptest.Harness) {
		const is = "Another program uses the token of this bot."
		other := func() {
			for range 60 {
				h.CallTelegram("getUpdates", `{"timeout":1}`)
				h.Pass(5 * time.Second)
			}
		}
		h.Link(apptest.Sam)
		h.Pass(11 * time.Minute)
		other()
		h.Pass(time.Minute)
		told(h, is)
		h.Telegram.Inject(tgsim.Fault{Method: "getupdates", Kind: tgsim.Broken, Code: 502, Times: 1_000_000})
		h.Pass(30 * time.Minute)
		told(h, is)
		h.Telegram.ClearFaults()
		other()
		told(h, is, "Telegram answers again.")
		h.Pass(20 * time.Minute)
		told(h, is, "Telegram answers again.", "No other program uses the token of this bot now.")
	})
}

// TestOperatorHearsOfTelegram: that Telegram was away is told once it is back, in one message with from and to, and so is
// what has come and gone meanwhile.
func TestOperatorHearsOfTelegram(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		operated(h)
		h.Env["TIMEZONE"] = "UTC"
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Pass(11 * time.Minute)
		h.Telegram.Inject(tgsim.Fault{Method: "*", Kind: tgsim.Broken, Code: 502, Times: 1_000_000})
		h.Pass(time.Minute)
		from := time.Now().UTC().Format("15:04")
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: 502, Times: 100_000})
		h.Pass(40 * time.Minute)
		h.Service.ClearFaults()
		h.Pass(20 * time.Minute)
		told(h)
		h.Telegram.ClearFaults()
		h.Pass(time.Minute)
		until := time.Now().UTC().Format("15:04")
		h.Pass(10 * time.Minute)
		told(h, "The supplier answers again. It did not from ", "Telegram answers again. It did not from ")
		if got := strings.Join(troubles(h), "\n"); !strings.Contains(got, ":") || strings.Contains(got, from+" to "+from) {
			t.Errorf("it says %q; it was from about %s to %s", got, from, until)
		}
	})
}

// TestOperatorHearsOfParked: of updates that could not be handled there is one message, and another one when there are more.
func TestOperatorHearsOfParked(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Link(apptest.Sam)
		h.Stop()
		h.Env["OWNER_CHAT_ID"] = "502"
		h.Start()
		park := func() {
			s.Panic.Store(true)
			h.Telegram.Send(apptest.Sam, apptest.Sam, "/balance")
			h.Pass(time.Minute)
		}
		park()
		told(h, "1 message or tap could not be handled.")
		park()
		told(h, "1 message or tap could not be handled.")
		h.Pass(time.Hour)
		told(h, "1 message or tap could not be handled.", "2 messages or taps could not be handled.")
	})
}

// unclaimed is an engine in which nothing of a kind is claimed.
type unclaimed struct {
	store.Engine

	kind   store.Kind
	broken *atomic.Bool
}

// Claim implements store.Engine.
func (u unclaimed) Claim(ctx context.Context, kind store.Kind, now time.Time, lease time.Duration, limit int) ([]store.Record, error) {
	if kind == u.kind && u.broken.Load() {
		return nil, errors.New("a defect")
	}
	return u.Engine.Claim(ctx, kind, now, lease, limit)
}

// TestOperatorHearsOfLateOrders: that orders are not looked at is told; that a schedule of the operator's own is rare is not.
func TestOperatorHearsOfLateOrders(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	var broken atomic.Bool
	apptest.Run(t, func(h *apptest.Harness) {
		stockOlder(h)
		h.Env["OWNER_CHAT_ID"] = "502"
		h.Engine = func(e store.Engine) store.Engine { return unclaimed{e, store.KindOrder, &broken} }
	}, func(h *apptest.Harness) {
		untilOlder(h)
		h.Env["POLL_BETWEEN"], h.Env["POLL_SCHEDULE"] = "off", "@every 12m"
		h.Start()
		h.Pass(15 * time.Minute)
		told(h)
		h.Stop()
		delete(h.Env, "POLL_BETWEEN")
		delete(h.Env, "POLL_SCHEDULE")
		broken.Store(true)
		h.Start()
		h.Pass(10 * time.Minute)
		told(h, "Orders are checked late. The next was due at ")
		broken.Store(false)
		h.Pass(10 * time.Minute)
		told(h, "Orders are checked late. The next was due at ", "Orders are checked in time again.")
	})
}

// TestOperatorHearsOfLateMessages: that messages are not sent is told once one can be, and that they are again.
func TestOperatorHearsOfLateMessages(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Env["OWNER_CHAT_ID"] = "502"
		h.Engine = func(e store.Engine) store.Engine { return unclaimed{e, store.KindOutbox, &broken} }
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.InStore(func(s *store.Store) {
			h.Must(s.Update(t.Context(), func(tx *store.Tx) error {
				return tx.Enqueue(store.NewNote(apptest.Sam, "late", store.OutageOverNote, nil))
			}))
			broken.Store(true)
		})
		h.Pass(4 * time.Minute)
		told(h)
		h.Pass(6 * time.Minute)
		broken.Store(false)
		h.Pass(2 * time.Minute)
		told(h, "Messages go out late. The next was due at ")
		h.Pass(8 * time.Minute)
		told(h, "Messages go out late. The next was due at ", "Messages go out in time again.")
	})
}

// TestNobodyHears: without an operator nothing is looked at for one.
func TestNobodyHears(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: 502, Times: 100_000})
		h.Pass(30 * time.Minute)
		told(h)
	})
}

// TestRoom: a small database on a full disk has as little room as a large one that has outgrown its own.
func TestRoom(t *testing.T) {
	const mega = 1 << 20
	for _, c := range []struct {
		size, free int64
		want       notify.State
	}{
		{mega, 1000 * mega, notify.Well},
		{mega, 50 * mega, notify.Ill},
		{mega, 120 * mega, notify.Unclear},
		{4000 * mega, 900 * mega, notify.Ill},
		{4000 * mega, 1100 * mega, notify.Unclear},
		{4000 * mega, 2000 * mega, notify.Well},
	} {
		if got := app.Room(c.size, c.free); got != c.want {
			t.Errorf("a database of %d MiB with %d MiB free: %v", c.size/mega, c.free/mega, got)
		}
	}
}
