package metrics

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/purchase"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// sources are readable sources over a store.
func sources(s Store) Sources {
	return Sources{
		Copies: func() (Copies, bool) { return Copies{Last: time.Unix(1000, 0), Every: time.Hour}, true },
		Store:  s, Budget: func() (int, int, int) { return 41, 17, 2 },
		Lease: func(context.Context) (Lease, bool, error) {
			return Lease{Epoch: 7, Beat: time.Now(), Standbys: 1, Counted: true}, true, nil
		},
		DatabaseSize: func() (int64, int64, error) { return 1 << 20, 1 << 30, nil },
		AtTelegram:   func() (int, bool) { return 5, true },
		Overdue: func(context.Context) (time.Duration, time.Duration, error) {
			return 3 * time.Second, 4 * time.Second, nil
		},
	}
}

// scrape asks for the figures.
func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	out := httptest.NewRecorder()
	m.Handler().ServeHTTP(out, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if out.Code != http.StatusOK {
		t.Fatalf("%d %s", out.Code, out.Body)
	}
	return out.Body.String()
}

// value is the value of a series, which must be there once.
func value(t *testing.T, text, series string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(series)+` (\S+)$`).FindAllStringSubmatch(text, -1)
	if len(m) != 1 {
		t.Fatalf("%d series %s in\n%s", len(m), series, text)
	}
	v, err := strconv.ParseFloat(m[0][1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// about reports whether an age is as old as said, some seconds of the test's own aside.
func about(t *testing.T, text, series string, age time.Duration) {
	t.Helper()
	if v := value(t, text, series); v < age.Seconds() || v > age.Seconds()+60 {
		t.Errorf("%s is %v, want some %v", series, v, age.Seconds())
	}
}

func TestNothingWaits(t *testing.T) {
	m := New("1.2.3")
	if text := scrape(t, m); value(t, text, "resellerbot_ready") != 0 || value(t, text, "resellerbot_standing_by") != 0 {
		t.Errorf("before anybody can be asked it shows\n%s", text)
	}
	m.Front(func() bool { return true }, func() bool { return true })
	m.Read(sources(storetest.New(t)))
	text := scrape(t, m)
	for series, want := range map[string]float64{
		`resellerbot_build_info{version="1.2.3"}`:                 1,
		`resellerbot_ready`:                                       1,
		`resellerbot_standing_by`:                                 1,
		`resellerbot_lease_epoch`:                                 7,
		`resellerbot_database_standbys`:                           1,
		`resellerbot_gate_total{outcome="shut",wire="telegram"}`:  0,
		`resellerbot_inbox_oldest_seconds`:                        0,
		`resellerbot_telegram_waiting_updates`:                    5,
		`resellerbot_outbox_messages{reachable="yes"}`:            0,
		`resellerbot_outbox_oldest_code_seconds{reachable="yes"}`: 0,
		`resellerbot_outbox_oldest_code_seconds{reachable="no"}`:  0,
		`resellerbot_orders_overdue_seconds`:                      3,
		`resellerbot_outbox_overdue_seconds`:                      4,
		`resellerbot_purchases_open{phase="unknown"}`:             0,
		`resellerbot_purchases_total{phase="accepted"}`:           0,
		`resellerbot_budget_left_calls{method="GET"}`:             41,
		`resellerbot_budget_left_calls{method="POST"}`:            17,
		`resellerbot_budget_resting_keys`:                         2,
		`resellerbot_database_bytes`:                              1 << 20,
		`resellerbot_database_limit_bytes`:                        1 << 30,
	} {
		if got := value(t, text, series); got != want {
			t.Errorf("%s is %v, want %v", series, got, want)
		}
	}
	if strings.Contains(text, `resellerbot_purchases_open{phase="settled"}`) {
		t.Error("a purchase that has come to its end is no open one")
	}
}

// TestWhatWaits: ages and counts are those of what lies in the store. A code that the chat has is not
// waited for, even if a message about its purchase is.
func TestWhatWaits(t *testing.T) {
	s := storetest.New(t)
	now := time.Now()
	const here, away = int64(7), int64(8)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.AddUpdates(t.Context(), []store.Incoming{
		{ID: 3, Chat: here, Raw: []byte("{}"), State: store.Parked, At: now.Add(-9 * time.Hour)},
		{ID: 4, Chat: here, Raw: []byte("{}"), State: store.New, At: now.Add(-time.Hour)},
		{ID: 5, Chat: here, Raw: []byte("{}"), State: store.New, At: now},
	})
	must(err)
	must(s.Update(t.Context(), func(tx *store.Tx) error {
		for _, c := range []store.Chat{{ID: here}, {ID: away, Unreachable: now}} {
			if err := tx.PutChat(&c); err != nil {
				return err
			}
		}
		if err := tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("key"), Chats: []int64{here, away}, Open: 4}); err != nil {
			return err
		}
		return nil
	}))
	put := func(id string, chat int64, phase store.Phase, told int, ready ...time.Duration) {
		t.Helper()
		must(s.Update(t.Context(), func(tx *store.Tx) error {
			p := store.Purchase{ID: id, Account: "u1", Chat: chat, Phase: phase, Quantity: len(ready), Told: store.Told{Codes: told}}
			for n, age := range ready {
				o := store.Order{Account: "u1", ID: id + strconv.Itoa(n), Purchase: id, Unit: n + 1, State: store.Ready, ReadyAt: now.Add(-age), Code: secret.New("code-" + id)}
				if age == 0 {
					o.State, o.ReadyAt, o.Code = store.Waiting, time.Time{}, secret.Text{}
				}
				if err := tx.PutOrder(&o); err != nil {
					return err
				}
				p.OrderIDs = append(p.OrderIDs, o.ID)
			}
			if err := tx.PutPurchase(&p); err != nil {
				return err
			}
			return tx.Enqueue(&store.Outgoing{Chat: chat, ID: id, Kind: store.StatusMessage, Purchase: id})
		}))
	}
	put("01ARZ3NDEKTSV4RRFFQ69G5FA1", here, store.Accepted, 1, 5*time.Hour, 10*time.Minute, 0)
	put("01ARZ3NDEKTSV4RRFFQ69G5FA2", here, store.Unknown, 0)
	put("01ARZ3NDEKTSV4RRFFQ69G5FA3", away, store.Accepted, 0, 2*time.Hour)
	must(s.Update(t.Context(), func(tx *store.Tx) error {
		return tx.Enqueue(&store.Outgoing{Chat: here, ID: "a note", Kind: store.Note, Args: map[string]string{"name": "vault"}})
	}))
	m := New("dev")
	m.Read(sources(s))
	text := scrape(t, m)
	about(t, text, `resellerbot_inbox_oldest_seconds`, time.Hour)
	about(t, text, `resellerbot_outbox_oldest_code_seconds{reachable="yes"}`, 10*time.Minute)
	about(t, text, `resellerbot_outbox_oldest_code_seconds{reachable="no"}`, 2*time.Hour)
	for series, want := range map[string]float64{
		`resellerbot_outbox_messages{reachable="yes"}`: 3,
		`resellerbot_outbox_messages{reachable="no"}`:  1,
		`resellerbot_purchases_open{phase="accepted"}`: 2,
		`resellerbot_purchases_open{phase="unknown"}`:  1,
		`resellerbot_purchases_open{phase="queued"}`:   0,
	} {
		if got := value(t, text, series); got != want {
			t.Errorf("%s is %v, want %v", series, got, want)
		}
	}
}

// broken is a store that cannot be read.
type broken struct{ Store }

var errDisk = errors.New("the disk is gone")

func (broken) PendingUpdates(context.Context, int64, int) ([]store.Incoming, error) {
	return nil, errDisk
}
func (broken) OpenByPhase(context.Context) (map[store.Phase]store.OpenPhase, error) {
	return nil, errDisk
}
func (broken) WaitingMessages(context.Context, store.Outgoing, int) ([]store.Outgoing, error) {
	return nil, errDisk
}

// TestStoreCannotBeRead: the other figures are shown all the same, and none that would be a lie.
func TestStoreCannotBeRead(t *testing.T) {
	m := New("dev")
	src := sources(broken{})
	src.DatabaseSize = func() (int64, int64, error) { return 0, 0, errDisk }
	src.Lease = func(context.Context) (Lease, bool, error) { return Lease{}, false, errDisk }
	src.Overdue = func(context.Context) (looks, messages time.Duration, err error) { return 0, 0, errDisk }
	m.Front(func() bool { return true }, func() bool { return false })
	m.Read(src)
	text := scrape(t, m)
	if value(t, text, "resellerbot_ready") != 1 {
		t.Error("a figure that can be read is missing")
	}
	for _, gone := range []string{"inbox_oldest", "purchases_open", "orders_overdue", "outbox", "database", "lease"} {
		if strings.Contains(text, "\nresellerbot_"+gone) {
			t.Errorf("%s is shown", gone)
		}
	}
}

// TestServersDiskIsNotJudged: a limit that nobody knows is no figure, least of all 0, of which any size is more than all.
func TestServersDiskIsNotJudged(t *testing.T) {
	m := New("dev")
	src := sources(broken{})
	src.DatabaseSize = func() (int64, int64, error) { return 1 << 20, 0, nil }
	m.Read(src)
	text := scrape(t, m)
	if value(t, text, "resellerbot_database_bytes") != 1<<20 || strings.Contains(text, "resellerbot_database_limit_bytes ") {
		t.Errorf("a server's database shows\n%s", text)
	}
}

// TestStandbysThatNobodyMaySee: what the role may not see is no figure, and a file has no lease.
func TestStandbysThatNobodyMaySee(t *testing.T) {
	for name, c := range map[string]struct {
		lease Lease
		led   bool
		shown string
		not   []string
	}{
		"not counted": {Lease{Epoch: 3, Beat: time.Now()}, true, "resellerbot_lease_epoch 3", []string{"database_standbys"}},
		"a file":      {Lease{}, false, "resellerbot_database_bytes", []string{"database_standbys", "lease_epoch", "lease_beat"}},
	} {
		m := New("dev")
		src := sources(broken{})
		src.Lease = func(context.Context) (Lease, bool, error) { return c.lease, c.led, nil }
		m.Read(src)
		text := scrape(t, m)
		if !strings.Contains(text, "\n"+c.shown) {
			t.Errorf("%s: it shows nothing of %s", name, c.shown)
		}
		for _, gone := range c.not {
			if strings.Contains(text, "\nresellerbot_"+gone) {
				t.Errorf("%s: %s is shown", name, gone)
			}
		}
	}
}

func TestCounts(t *testing.T) {
	m := New("dev")
	m.Update("tap", "handled", time.Second)
	m.WebhookRequest(401)
	m.Moved(purchase.Moved{From: store.Queued, To: store.Submitting})
	m.Moved(purchase.Moved{From: store.Unknown, To: store.Accepted, Rule: "rows"})
	m.Called("GET /balance", "ok", true, time.Second)
	m.Called("GET /balance", "limited", false, 0)
	m.Waited("GET", false, 2*time.Second)
	for _, status := range []int{0, 200, 429, 409, 403, 401, 404, 502, 400} {
		m.TelegramCall("sendMessage", status, time.Second)
	}
	m.TelegramCall("getUpdates", 200, time.Minute)
	m.Committed("update", time.Millisecond)
	m.Gate(WireTelegram, nil)
	m.Gate(WireService, store.ErrFenced)
	m.Gate(WireService, errDisk)
	job := m.Job("watch balances")
	job(nil)
	job(errDisk)
	text := scrape(t, m)
	for series, want := range map[string]float64{
		`resellerbot_updates_total{kind="tap",outcome="handled"}`:                                  1,
		`resellerbot_update_seconds_count{kind="tap"}`:                                             1,
		`resellerbot_webhook_requests_total{status="401"}`:                                         1,
		`resellerbot_purchases_total{phase="submitting"}`:                                          1,
		`resellerbot_purchases_total{phase="accepted"}`:                                            1,
		`resellerbot_uncertain_resolved_total{phase="accepted",rule="rows"}`:                       1,
		`resellerbot_reseller_calls_total{class="ok",lane="background",operation="GET /balance"}`:  1,
		`resellerbot_reseller_calls_total{class="limited",lane="people",operation="GET /balance"}`: 1,
		`resellerbot_budget_wait_seconds_sum{lane="people",method="GET"}`:                          2,
		`resellerbot_telegram_calls_total{method="sendMessage",outcome="unreachable"}`:             1,
		`resellerbot_telegram_calls_total{method="sendMessage",outcome="limited"}`:                 1,
		`resellerbot_telegram_calls_total{method="sendMessage",outcome="conflict"}`:                1,
		`resellerbot_telegram_calls_total{method="sendMessage",outcome="forbidden"}`:               1,
		`resellerbot_telegram_calls_total{method="sendMessage",outcome="token"}`:                   2,
		`resellerbot_telegram_calls_total{method="sendMessage",outcome="server_error"}`:            1,
		`resellerbot_telegram_calls_total{method="sendMessage",outcome="refused"}`:                 1,
		`resellerbot_telegram_calls_total{method="getUpdates",outcome="ok"}`:                       1,
		`resellerbot_telegram_call_seconds_count`:                                                  9, // without the poll
		`resellerbot_gate_total{outcome="open",wire="telegram"}`:                                   1,
		`resellerbot_gate_total{outcome="shut",wire="service"}`:                                    1,
		`resellerbot_gate_total{outcome="failed",wire="service"}`:                                  1,
		`resellerbot_commit_seconds_count{kind="update"}`:                                          1,
		`resellerbot_job_runs_total{outcome="ok",task="watch balances"}`:                           1,
		`resellerbot_job_runs_total{outcome="failed",task="watch balances"}`:                       1,
	} {
		if got := value(t, text, series); got != want {
			t.Errorf("%s is %v, want %v", series, got, want)
		}
	}
}

// TestNames: what is named is what a scrape shows, and a figure needs no value to be named.
func TestNames(t *testing.T) {
	m := New("dev")
	m.Read(sources(storetest.New(t)))
	names := m.Names()
	for _, want := range []string{"resellerbot_updates_total", "resellerbot_outbox_oldest_code_seconds", "go_goroutines", "process_resident_memory_bytes"} {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+want+" ") {
			t.Errorf("%s is not named", want)
		}
	}
	for _, help := range regexp.MustCompile(`(?m)^# HELP (\S+) `).FindAllStringSubmatch(scrape(t, m), -1) {
		if !strings.HasPrefix(help[1], "promhttp_") && !strings.Contains(" "+strings.Join(names, " ")+" ", " "+help[1]+" ") {
			t.Errorf("%s is shown and not named", help[1])
		}
	}
}
