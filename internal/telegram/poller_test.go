package telegram_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/secret"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

var errDisk = errors.New("the disk is full")

// intake keeps updates in memory, where replay and take do not say otherwise.
type intake struct {
	replay func() error
	take   func() error

	mu   sync.Mutex
	kept []telegram.Raw
}

func (i *intake) Replay(context.Context) error {
	if i.replay != nil {
		return i.replay()
	}
	return nil
}

func (i *intake) Accept(_ context.Context, received []telegram.Raw) error {
	if i.take != nil {
		if err := i.take(); err != nil {
			return err
		}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kept = append(i.kept, received...)
	return nil
}

// texts are what was typed in the updates that are kept.
func (i *intake) texts(t *testing.T) (texts []string) {
	t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, r := range i.kept {
		var u struct {
			Message struct{ Text string }
		}
		if err := json.Unmarshal(r.Body, &u); err != nil {
			t.Error(err)
		}
		texts = append(texts, u.Message.Text)
	}
	return texts
}

// heard collects how polls ended.
type heard struct {
	mu   sync.Mutex
	errs []error
	at   []time.Time
}

func (h *heard) hear(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.errs, h.at = append(h.errs, err), append(h.at, time.Now())
}

// newPoller polls a simulated Telegram, or whatever else carries its requests.
func newPoller(in telegram.Intake, client telegram.Doer) (*telegram.Poller, *heard) {
	h := &heard{}
	return &telegram.Poller{
		HTTP: client, Server: "http://" + apptest.TelegramAddr, Token: secret.New(apptest.TestToken), Inbox: in, Log: telegramtest.Discard(),
		Unhook: func(context.Context) error { return nil }, Heard: h.hear,
	}, h
}

// started runs something beside the test until the function that it returns is called, which returns how it ended.
func started(t *testing.T, run func(context.Context) error) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	t.Cleanup(cancel)
	return func() error {
		cancel()
		return <-done
	}
}

// pass lets virtual time pass, and what is under way come to rest.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// simulated is a Telegram with one person.
func simulated() *tgsim.Server {
	fake := tgsim.New(tgsim.Options{Token: apptest.TestToken, BotName: "shop_bot"})
	fake.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: "en"})
	return fake
}

// TestPollerTakesEverything: what an earlier process left comes first; then each update is taken once, in order, and
// Telegram forgets it with the next poll.
func TestPollerTakesEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake, in := simulated(), &intake{}
		in.replay = func() error {
			if n := fake.Calls()["getupdates"]; n != 0 {
				t.Errorf("%d polls before what was left is handed on", n)
			}
			return nil
		}
		fake.Send(apptest.Sam, apptest.Sam, "one")
		fake.Send(apptest.Sam, apptest.Sam, "two")
		p, h := newPoller(in, newClient(t, fake))
		stop := started(t, p.Run)
		synctest.Wait()
		fake.Send(apptest.Sam, apptest.Sam, "three") // while a poll waits
		pass(3 * time.Minute)                        // some polls tell of nothing
		fake.Send(apptest.Sam, apptest.Sam, "four")
		synctest.Wait()
		if got := in.texts(t); !slices.Equal(got, []string{"one", "two", "three", "four"}) {
			t.Errorf("taken: %q", got)
		}
		if n := fake.Pending(); n != 0 {
			t.Errorf("%d updates wait at Telegram", n)
		}
		if n := fake.Calls()["getupdates"]; n < 5 || n > 10 {
			t.Errorf("%d polls in three quiet minutes", n)
		}
		if slices.ContainsFunc(h.errs, func(err error) bool { return err != nil }) {
			t.Errorf("polls ended with %v", h.errs)
		}
		if err := stop(); err != nil {
			t.Errorf("a stop is no failure: %v", err)
		}
	})
}

// TestPollerGathers: of updates that come all the time several share a poll, and one that comes by itself waits for nothing.
func TestPollerGathers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake, in := simulated(), &intake{}
		p, _ := newPoller(in, newClient(t, fake))
		stop := started(t, p.Run)
		pass(time.Second)
		fake.Send(apptest.Sam, apptest.Sam, "alone")
		synctest.Wait()
		if got := in.texts(t); len(got) != 1 {
			t.Errorf("taken at once: %q", got)
		}
		pass(time.Second)
		before := fake.Calls()["getupdates"]
		for range 150 {
			fake.Send(apptest.Sam, apptest.Sam, "crowd")
			pass(time.Second / 150)
		}
		pass(time.Second / 50)
		if got := in.texts(t); len(got) != 151 {
			t.Errorf("%d updates are taken, want 151", len(got))
		}
		if n := fake.Calls()["getupdates"] - before; n > 55 {
			t.Errorf("%d polls for 150 updates in a second", n)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestBatchIsCutAsItIsDecoded: however Telegram or a server between may write its answer, the updates in it are the same.
func TestBatchIsCutAsItIsDecoded(t *testing.T) {
	const head, tail = `{"ok":true,"result":[`, `]}`
	texts := []string{
		``, `{"update_id":7}`, `{"update_id":7,"message":{"text":"}\"]}{"}}`, `{"update_id":7,"a":"\\"},{"update_id":8,"b":{"c":[{"d":"]}"}]}}`,
		`{"update_id":7.5}`, `{"update_id":-7}`, `{"update_id":"7"}`, `{"message":{"update_id":9},"update_id":10}`, `{}`, `7`, `null`, `[]`,
		`{"update_id":7} , {"update_id":8}`, ` {"update_id":7}`, `{"update_id": 7}`, `{"update_id":7},`, `{"update_id":7`, `{"update_id":99999999999999999999}`,
	}
	for _, text := range texts {
		for _, answer := range []string{head + text + tail, head + text + `],"more":1}`} {
			got, err := telegram.DecodeBatch(http.StatusOK, []byte(answer))
			want, wrong := telegram.DecodeBatch(http.StatusOK, []byte(" "+answer)) // a blank at its head, so that it is not cut
			if (err == nil) != (wrong == nil) || len(got) != len(want) {
				t.Errorf("%s: %v, %v; decoded: %v, %v", answer, got, err, want, wrong)
				continue
			}
			for i := range got {
				if got[i].ID != want[i].ID || string(got[i].Body) != string(want[i].Body) {
					t.Errorf("%s: %d %s; decoded: %d %s", answer, got[i].ID, got[i].Body, want[i].ID, want[i].Body)
				}
			}
		}
	}
}

// TestPollerForgetsNothing: what the store has not taken stays at Telegram, and the poller ends with the store's error.
func TestPollerForgetsNothing(t *testing.T) {
	for name, in := range map[string]*intake{
		"replay": {replay: func() error { return errDisk }},
		"take":   {take: func() error { return errDisk }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := simulated()
				fake.Send(apptest.Sam, apptest.Sam, "one")
				p, _ := newPoller(in, newClient(t, fake))
				if err := p.Run(t.Context()); !errors.Is(err, errDisk) {
					t.Errorf("err = %v", err)
				}
				if fake.Pending() != 1 || len(in.kept) != 0 {
					t.Errorf("%d updates at Telegram, %d taken", fake.Pending(), len(in.kept))
				}
			})
		})
	}
}

// doer carries requests in one function.
type doer func(*http.Request) (*http.Response, error)

func (f doer) Do(r *http.Request) (*http.Response, error) { return f(r) }

// says answers a poll.
func says(status int, body string) (*http.Response, error) {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// refused is a refusal as the Bot API words it.
func refused(code int, why, parameters string) (*http.Response, error) {
	return says(code, fmt.Sprintf(`{"ok":false,"error_code":%d,"description":%q,"parameters":%s}`, code, why, parameters))
}

// TestPollerTriesAgain: whatever a poll meets but a refused token, the next one comes later and later, not before
// Telegram allows it; and once one succeeds, all is as before.
func TestPollerTriesAgain(t *testing.T) {
	const webhook, other = "Conflict: can't use getUpdates method while webhook is active", "Conflict: terminated by other getUpdates request"
	doubled := []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond}
	for name, c := range map[string]struct {
		answer   func() (*http.Response, error)
		want     error
		unhooked int
		pauses   []time.Duration
	}{
		"no network":    {func() (*http.Response, error) { return nil, io.EOF }, io.EOF, 0, doubled},
		"a page":        {func() (*http.Response, error) { return says(502, "<html>") }, nil, 0, doubled},
		"no update":     {func() (*http.Response, error) { return says(200, `{"ok":true,"result":[{"message":{}}]}`) }, nil, 0, doubled},
		"cut":           {cutAnswer, io.ErrUnexpectedEOF, 0, doubled},
		"an error":      {func() (*http.Response, error) { return refused(500, "Internal Server Error", "{}") }, nil, 0, doubled},
		"other poller":  {func() (*http.Response, error) { return refused(409, other, "{}") }, telegram.ErrOtherPoller, 0, doubled},
		"a webhook":     {func() (*http.Response, error) { return refused(409, webhook, "{}") }, telegram.ErrWebhookSet, 4, doubled},
		"asked to wait": {func() (*http.Response, error) { return refused(429, "Too Many Requests", `{"retry_after":7}`) }, nil, 0, slices.Repeat([]time.Duration{7 * time.Second}, 3)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake, in, began, unhooked := simulated(), &intake{}, []time.Time(nil), 0
				fake.Send(apptest.Sam, apptest.Sam, "one")
				client := newClient(t, fake)
				p, h := newPoller(in, doer(func(r *http.Request) (*http.Response, error) {
					if began = append(began, time.Now()); len(began) <= 3 || len(began) == 5 {
						return c.answer()
					}
					return client.Do(r)
				}))
				p.Unhook = func(context.Context) error {
					unhooked++
					return errors.New("not removed")
				}
				stop := started(t, p.Run)
				pass(2 * time.Minute)
				if got := in.texts(t); !slices.Equal(got, []string{"one"}) || unhooked != c.unhooked {
					t.Errorf("taken %q; the webhook was removed %d times", got, unhooked)
				}
				if got := began[5].Sub(h.at[4]); got != c.pauses[0] {
					t.Errorf("pause of the first failure after a success: %v, want %v", got, c.pauses[0])
				}
				for i, pause := range c.pauses {
					if got := began[i+1].Sub(h.at[i]); got != pause {
						t.Errorf("pause %d: %v, want %v", i+1, got, pause)
					}
					if err := h.errs[i]; err == nil || c.want != nil && !errors.Is(err, c.want) {
						t.Errorf("poll %d ended with %v, want %v", i+1, err, c.want)
					}
				}
				if err := stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// cutAnswer is an answer whose connection breaks in the middle of it.
func cutAnswer() (*http.Response, error) {
	body := io.MultiReader(strings.NewReader(`{"ok":true,`), failing{io.ErrUnexpectedEOF})
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body)}, nil
}

// failing is what cannot be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestPollerPausesAreBounded: five seconds at most, however long nothing succeeds.
func TestPollerPausesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, h := newPoller(&intake{}, doer(func(*http.Request) (*http.Response, error) { return nil, io.EOF }))
		stop := started(t, p.Run)
		pass(time.Hour)
		if last := len(h.at) - 1; h.at[last].Sub(h.at[last-1]) != 5*time.Second {
			t.Errorf("the last pause is %v", h.at[last].Sub(h.at[last-1]))
		}
		if err := stop(); err != nil {
			t.Errorf("a stop is no failure: %v", err)
		}
	})
}

// TestPollerEndsWithItsToken: where Telegram does not know the token, no poll will ever succeed.
func TestPollerEndsWithItsToken(t *testing.T) {
	for _, code := range []int{http.StatusUnauthorized, http.StatusNotFound} {
		p, h := newPoller(&intake{}, doer(func(*http.Request) (*http.Response, error) { return refused(code, http.StatusText(code), "{}") }))
		if err := p.Run(t.Context()); !errors.Is(err, telegram.ErrToken) || !strings.Contains(err.Error(), http.StatusText(code)) || len(h.errs) != 1 {
			t.Errorf("%d: %v after %d polls", code, err, len(h.errs))
		}
	}
}

// TestPollerTellsOfConflictsOnceAMinute: they last until somebody does something about it.
func TestPollerTellsOfConflictsOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &apptest.LockedBuffer{}
		p, _ := newPoller(&intake{}, doer(func(*http.Request) (*http.Response, error) {
			return refused(409, "Conflict: terminated by other getUpdates request", "{}")
		}))
		p.Log, p.Heard = logTo(log), nil
		stop := started(t, p.Run)
		pass(10*time.Minute - time.Second)
		if err := stop(); err != nil {
			t.Error(err)
		}
		if n := strings.Count(log.String(), "another process polls"); n != 10 {
			t.Errorf("told %d times in ten minutes", n)
		}
	})
}

// logTo is a logger that a test reads.
func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// TestPollerHidesItsToken: not even an address that is none is quoted, since the token is part of it.
func TestPollerHidesItsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, h := newPoller(&intake{}, doer(func(*http.Request) (*http.Response, error) { return nil, io.EOF }))
		p.Server = "http://[no address"
		stop := started(t, p.Run)
		pass(time.Second)
		if err := stop(); err != nil {
			t.Error(err)
		}
		if err := h.errs[0]; err == nil || strings.Contains(err.Error(), apptest.TestToken) {
			t.Errorf("err = %v", err)
		}
	})
}
