package telegram_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/secret"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

const hookURL = "https://shop.test/telegram/hook"

// told is what a registration tells.
type told struct {
	mu  sync.Mutex
	all toldSoFar
}

// toldSoFar is what was told until some moment.
type toldSoFar struct {
	refused, conflicts []string
	waiting            []int
}

// tell takes something more down.
func (t *told) tell(what func(*toldSoFar)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	what(&t.all)
}

// soFar is what was told until now.
func (t *told) soFar() toldSoFar {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all
}

// newRegistration keeps a simulated Telegram told of a webhook.
func newRegistration(t *testing.T, served http.Handler) (*telegram.Registration, *told) {
	t.Helper()
	said := &told{}
	return &telegram.Registration{
		Bot: newLibrary(t, served), URL: hookURL, Secret: secret.New(hookSecret), Log: telegramtest.Discard(),
		Refused:  func(why string) { said.tell(func(h *toldSoFar) { h.refused = append(h.refused, why) }) },
		Conflict: func(why string) { said.tell(func(h *toldSoFar) { h.conflicts = append(h.conflicts, why) }) },
		Waiting:  func(n int) { said.tell(func(h *toldSoFar) { h.waiting = append(h.waiting, n) }) },
	}, said
}

// TestRegistrationLasts: Telegram is told once, and looked at every minute; a webhook that somebody else has set is told
// of and set again.
func TestRegistrationLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := simulated()
		r, said := newRegistration(t, fake)
		stop := started(t, r.Run)
		pass(3*time.Minute + time.Second)
		calls := fake.Calls()
		if calls["setwebhook"] != 1 || calls["getwebhookinfo"] != 3 || !slices.Equal(said.soFar().refused, []string{""}) || len(said.soFar().waiting) != 3 || len(said.soFar().conflicts) != 0 {
			t.Errorf("calls %v; told %+v", calls, said)
		}
		other := newLibrary(t, fake)
		if _, err := other.SetWebhook(t.Context(), &bot.SetWebhookParams{URL: "https://elsewhere.test/"}); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		info, err := other.GetWebhookInfo(t.Context())
		if err != nil || info.URL != hookURL || len(said.soFar().conflicts) != 1 {
			t.Errorf("the webhook is %+v, %v; told %+v", info, err, said)
		}
		if err := stop(); err != nil {
			t.Errorf("a stop is no failure: %v", err)
		}
	})
}

// TestRegistrationTriesAgain: a refusal may be a name that is not known yet. It is told, and the next try comes later.
func TestRegistrationTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := simulated()
		fake.Inject(tgsim.Fault{Method: "setwebhook", Kind: tgsim.Broken, Code: http.StatusBadRequest, Times: 2})
		fake.Inject(tgsim.Fault{Method: "setwebhook", Kind: tgsim.Flood, Wait: 30 * time.Second, Times: 1})
		r, said := newRegistration(t, fake)
		stop := started(t, r.Run)
		pass(32 * time.Second) // 1, 2 and 30 s
		if len(said.soFar().refused) != 3 || !strings.Contains(said.soFar().refused[0], "does not take the webhook") {
			t.Errorf("told %q", said.soFar().refused)
		}
		pass(2 * time.Second)
		if len(said.soFar().refused) != 4 || said.soFar().refused[3] != "" {
			t.Errorf("told %q", said.soFar().refused)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestRegistrationIsCutShort: a stop does not wait for Telegram to agree, and a look that fails is no reason to end.
func TestRegistrationIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := simulated()
		fake.Inject(tgsim.Fault{Method: "setwebhook", Kind: tgsim.Hang, Wait: time.Hour, Times: 1})
		r, said := newRegistration(t, fake)
		stop := started(t, r.Run)
		pass(time.Second)
		if err := stop(); err != nil || len(said.soFar().refused) != 0 {
			t.Errorf("%v; told %+v", err, said.soFar())
		}
		fake.Inject(tgsim.Fault{Method: "getwebhookinfo", Kind: tgsim.Page, Times: 1})
		stop = started(t, r.Run)
		pass(2*time.Minute + time.Second)
		if err := stop(); err != nil || len(said.soFar().waiting) != 1 {
			t.Errorf("%v; told %+v", err, said.soFar())
		}
	})
}

// TestRegistrationTellsWhatFails: that Telegram cannot reach the webhook is told once for each failure since the start,
// with how many updates wait.
func TestRegistrationTellsWhatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake, log := tgsim.New(tgsim.Options{Token: apptest.TestToken, Webhook: roundTrip(func(*http.Request) (*http.Response, error) {
			return says(http.StatusInternalServerError, "")
		})}), &apptest.LockedBuffer{}
		fake.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam"})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go fake.Deliver(ctx)
		r, said := newRegistration(t, fake)
		r.Log = logTo(log)
		stop := started(t, r.Run)
		pass(2 * time.Second)
		fake.Send(apptest.Sam, apptest.Sam, "one")
		pass(time.Second)
		cancel() // it is not tried again
		pass(3 * time.Minute)
		if n := strings.Count(log.String(), "could not deliver updates"); n != 1 || !slices.Equal(said.soFar().waiting, []int{1, 1, 1}) {
			t.Errorf("told %d times, and of %v that wait:\n%s", n, said.soFar().waiting, log)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestRegistrationEndsWithItsToken: where Telegram does not know the token, it never will, be it at the start or later.
func TestRegistrationEndsWithItsToken(t *testing.T) {
	for _, code := range []int{http.StatusUnauthorized, http.StatusNotFound} {
		synctest.Test(t, func(t *testing.T) {
			fake := simulated()
			fake.Inject(tgsim.Fault{Method: "setwebhook", Kind: tgsim.Broken, Code: code, Times: 1})
			r, _ := newRegistration(t, fake)
			if err := r.Run(t.Context()); !errors.Is(err, telegram.ErrToken) {
				t.Errorf("%d: %v", code, err)
			}
			stop := started(t, r.Run)
			pass(time.Second)
			other := newLibrary(t, fake)
			if err := telegram.RemoveWebhook(t.Context(), other); err != nil {
				t.Fatal(err)
			}
			fake.Inject(tgsim.Fault{Method: "setwebhook", Kind: tgsim.Broken, Code: code, Times: 1})
			pass(time.Minute)
			if err := stop(); !errors.Is(err, telegram.ErrToken) {
				t.Errorf("%d, later: %v", code, err)
			}
		})
	}
}

// TestRemoveWebhookKeepsUpdates: those that wait for it are polled for.
func TestRemoveWebhookKeepsUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := simulated()
		r, _ := newRegistration(t, fake)
		stop := started(t, r.Run)
		pass(time.Second)
		fake.Send(apptest.Sam, apptest.Sam, "one")
		if err := stop(); err != nil {
			t.Error(err)
		}
		if err := telegram.RemoveWebhook(t.Context(), r.Bot); err != nil {
			t.Error(err)
		}
		info, err := r.Bot.GetWebhookInfo(t.Context())
		if err != nil || info.URL != "" || info.PendingUpdateCount != 1 {
			t.Errorf("%+v, %v", info, err)
		}
	})
}
