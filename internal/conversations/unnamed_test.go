package conversations_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestUnnamedAccounts: an account that the service calls nothing has one name wherever it is shown, and a second one has another.
func TestUnnamedAccounts(t *testing.T) {
	t.Parallel()
	const second = "KEY-canary-legacy-9f1e"
	for language, called := range sampletest.SomeNamed(3, map[string]string{"en": "Account", "fr": "Compte", "ar": "الحساب"}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Everything(sim.Options{Mode: sim.Legacy})(h)
				h.Must(h.Service.AddAccount(sim.AccountSpec{Key: second, Mode: sim.Legacy, UserID: 4103, Balance: "9000"}))
				h.Telegram.SetLanguage(apptest.Sam, language)
			}, func(h *apptest.Harness) {
				tail := regexp.MustCompile(called + " …[0-9a-f]{4}")
				named := func(typed string) (all []string) {
					h.Say(apptest.Sam, typed)
					m := last(h.Telegram.Messages(apptest.Sam))
					all = tail.FindAllString(apptest.Plain(m.Text), -1)
					for _, key := range slices.Concat(m.Keyboard...) {
						all = append(all, tail.FindAllString(apptest.Plain(key.Text), -1)...)
					}
					return all
				}
				h.Say(apptest.Sam, "/start")
				h.Say(apptest.Sam, "/key "+apptest.LegacyTestKey)
				first := tail.FindString(apptest.Plain(last(h.Telegram.Messages(apptest.Sam)).Text))
				for _, typed := range []string{"/start", "/team", "/balance", "/key", "/account"} {
					if all := named(typed); first == "" || len(all) == 0 || all[0] != first {
						t.Errorf("the account is %q where it was linked, and %q at %s", first, all, typed)
					}
				}
				h.Say(apptest.Sam, "/key "+second)
				h.Tap(apptest.Sam, "➕")
				now := tail.FindAllString(apptest.Plain(last(h.Telegram.Messages(apptest.Sam)).Text), -1)
				if len(now) != 3 || now[0] == first || now[1] != now[0] || now[2] != first {
					t.Errorf("the second account beside %s is told as %q", first, now)
				}
				if all := strings.Join(named("/account"), " "); !strings.Contains(all, first) || !strings.Contains(all, now[0]) {
					t.Errorf("the accounts are %s", all)
				}
			})
		})
	}
}
