package telegram_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/secret"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

const hookSecret = "canary_hook-secret-3f"

// newWebhook is a webhook with a secret.
func newWebhook(in telegram.Intake) *telegram.Webhook {
	return &telegram.Webhook{Inbox: in, Secret: secret.New(hookSecret), Log: telegramtest.Discard()}
}

// posted has a webhook serve one request.
func posted(t *testing.T, w *telegram.Webhook, method, proof string, body io.Reader) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), method, "/telegram/hook", body)
	if proof != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", proof)
	}
	out := httptest.NewRecorder()
	w.ServeHTTP(out, req)
	return out
}

// update is one as Telegram posts it.
func update(id int) io.Reader {
	return strings.NewReader(fmt.Sprintf(`{"update_id":%d,"message":{"text":"number %d"}}`, id, id))
}

// TestWebhookTakesUpdates: 200 is said, with nothing in it, to what is kept; the whole update is, as it came.
func TestWebhookTakesUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &intake{}
		w := newWebhook(in)
		stop := started(t, w.Run)
		synctest.Wait()
		for id := range 3 {
			if out := posted(t, w, http.MethodPost, hookSecret, update(id)); out.Code != http.StatusOK || out.Body.Len() != 0 {
				t.Errorf("answered with %d: %q", out.Code, out.Body)
			}
		}
		if got := in.texts(t); !slices.Equal(got, []string{"number 0", "number 1", "number 2"}) || in.kept[2].ID != 2 {
			t.Errorf("taken: %q", got)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestWebhookRefuses: only Telegram gets in, with one update of a sane size at a time; each answer says why, and no more.
func TestWebhookRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		method, proof string
		body          io.Reader
		want          int
		header        [2]string
	}{
		"no secret":               {"POST", "", update(1), http.StatusUnauthorized, [2]string{}},
		"a wrong secret":          {"POST", hookSecret[1:] + "0", update(1), http.StatusUnauthorized, [2]string{}},
		"half a secret":           {"POST", hookSecret[:5], update(1), http.StatusUnauthorized, [2]string{}},
		"no secret, endless body": {"POST", "", failing{errors.New("the body was read")}, http.StatusUnauthorized, [2]string{}},
		"another method":          {"GET", hookSecret, nil, http.StatusMethodNotAllowed, [2]string{"Allow", "POST"}},
		"too long":                {"POST", hookSecret, strings.NewReader(strings.Repeat("x", 1<<20+1)), http.StatusRequestEntityTooLarge, [2]string{}},
		"cut":                     {"POST", hookSecret, failing{io.ErrUnexpectedEOF}, http.StatusBadRequest, [2]string{}},
		"no JSON":                 {"POST", hookSecret, strings.NewReader("hello"), http.StatusBadRequest, [2]string{}},
		"no update":               {"POST", hookSecret, strings.NewReader(`{"message":{}}`), http.StatusBadRequest, [2]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, answered := &intake{}, []int(nil)
				w := newWebhook(in)
				w.Answered = func(status int) { answered = append(answered, status) }
				stop := started(t, w.Run)
				synctest.Wait()
				out := posted(t, w, c.method, c.proof, c.body)
				if out.Code != c.want || out.Header().Get(c.header[0]) != c.header[1] || !slices.Equal(answered, []int{c.want}) {
					t.Errorf("answered with %d, %v, which is told as %v; want %d", out.Code, out.Header(), answered, c.want)
				}
				if len(in.kept) != 0 {
					t.Error("it was taken")
				}
				if err := stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestWebhookWithoutASecret: then nobody gets in, whatever they bring.
func TestWebhookWithoutASecret(t *testing.T) {
	w := &telegram.Webhook{Inbox: &intake{}, Log: telegramtest.Discard()}
	for _, proof := range []string{"", "x"} {
		if out := posted(t, w, http.MethodPost, proof, update(1)); out.Code != http.StatusUnauthorized {
			t.Errorf("%q: %d", proof, out.Code)
		}
	}
}

// TestWebhookTakesNothingBesideItsTime: while the bot starts, and from its stop on, Telegram is asked to come again.
func TestWebhookTakesNothingBesideItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, ready := &intake{}, make(chan struct{})
		in.replay = func() error { <-ready; return nil }
		w := newWebhook(in)
		away := func(when string) {
			t.Helper()
			if out := posted(t, w, http.MethodPost, hookSecret, update(1)); out.Code != http.StatusServiceUnavailable || out.Header().Get("Retry-After") != "1" {
				t.Errorf("%s: %d, %v", when, out.Code, out.Header())
			}
		}
		away("before the start")
		stop := started(t, w.Run)
		synctest.Wait()
		away("while what was left is handed on")
		close(ready)
		synctest.Wait()
		if out := posted(t, w, http.MethodPost, hookSecret, update(2)); out.Code != http.StatusOK {
			t.Errorf("then: %d", out.Code)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		away("after the stop")
		if len(in.kept) != 1 {
			t.Errorf("%d taken", len(in.kept))
		}
	})
}

// TestWebhookStopsWithNothingInHand: an update that has come in is on disk before the stop ends.
func TestWebhookStopsWithNothingInHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, slow := &intake{}, 5*time.Second
		in.take = func() error { <-time.After(slow); return nil }
		w := newWebhook(in)
		stop := started(t, w.Run)
		synctest.Wait()
		code := make(chan int, 1)
		go func() { code <- posted(t, w, http.MethodPost, hookSecret, update(1)).Code }()
		synctest.Wait()
		begin := time.Now()
		if err := stop(); err != nil || time.Since(begin) != slow || len(in.kept) != 1 {
			t.Errorf("stopped after %v with %d taken: %v", time.Since(begin), len(in.kept), err)
		}
		if got := <-code; got != http.StatusOK {
			t.Errorf("answered with %d", got)
		}
	})
}

// TestWebhookForgetsNothing: what the store has not taken is not acknowledged, so that Telegram posts it again.
func TestWebhookForgetsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhook(&intake{take: func() error { return errDisk }})
		stop := started(t, w.Run)
		synctest.Wait()
		if out := posted(t, w, http.MethodPost, hookSecret, update(1)); out.Code != http.StatusInternalServerError || strings.Contains(out.Body.String(), "disk") {
			t.Errorf("answered with %d: %q", out.Code, out.Body)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestWebhookWaitsForReplay: without what an earlier process left there is no going on.
func TestWebhookWaitsForReplay(t *testing.T) {
	w := newWebhook(&intake{replay: func() error { return errDisk }})
	if err := w.Run(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("err = %v", err)
	}
}
