package telegram_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

// newIntroduction introduces the bot to a simulated Telegram.
func newIntroduction(t *testing.T, served http.Handler) telegram.Introduction {
	t.Helper()
	return telegram.Introduction{Bot: newLibrary(t, served), Log: telegramtest.Discard()}
}

// TestIntroductionWaitsForItsName: Telegram is asked until it answers, and not before it allows it.
func TestIntroductionWaitsForItsName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := simulated()
		fake.Inject(tgsim.Fault{Method: "getme", Kind: tgsim.Page, Times: 2})
		fake.Inject(tgsim.Fault{Method: "getme", Kind: tgsim.Flood, Wait: 20 * time.Second, Times: 1})
		begin := time.Now()
		name, err := newIntroduction(t, fake).Name(t.Context())
		if want := 250*time.Millisecond + 500*time.Millisecond + 20*time.Second; name != "shop_bot" || err != nil || time.Since(begin) != want {
			t.Errorf("%q, %v after %v, want %v", name, err, time.Since(begin), want)
		}
	})
}

// TestIntroductionEnds: with a token that is refused, or with the bot.
func TestIntroductionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := simulated()
		fake.Inject(tgsim.Fault{Method: "getme", Kind: tgsim.Broken, Code: http.StatusUnauthorized, Times: 1})
		if _, err := newIntroduction(t, fake).Name(t.Context()); !errors.Is(err, telegram.ErrToken) || strings.Contains(err.Error(), apptest.TestToken) {
			t.Errorf("err = %v", err)
		}
		fake.Inject(tgsim.Fault{Method: "getme", Kind: tgsim.Page, Times: 1000})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if name, err := newIntroduction(t, fake).Name(ctx); name != "" || err != nil {
			t.Errorf("%q, %v", name, err)
		}
	})
}
