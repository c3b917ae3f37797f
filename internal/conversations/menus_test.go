package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// The menus of commands, as a phone shows them.
const (
	strangersMenu = "start key language help cancel privacy forget"
	ownersMenu    = "start buy topup orders balance stock customers kridi today week month report close alias prices alerts team lock key language help cancel privacy forget"
	sellersMenu   = "start buy topup orders stock customers kridi today close alias language help cancel privacy forget"
	countersMenu  = "start orders kridi today close language help cancel privacy forget"
	groupsMenu    = "buy topup orders stock language help cancel"
)

// settled is by when what is due of menus was set: there is one call a second.
const settled = 15 * time.Second

// menuIn is what somebody's phone shows as the menu of a chat.
func menuIn(h *apptest.Harness, user, chat int64) string {
	var names []string
	for _, c := range h.Telegram.Menu(user, chat) {
		names = append(names, c.Command)
	}
	return strings.Join(names, " ")
}

// showsMenu fails the test unless somebody's phone shows a menu in their private chat.
func showsMenu(h *apptest.Harness, user int64, want string) {
	h.T.Helper()
	if got := menuIn(h, user, user); got != want {
		h.T.Errorf("the menu of %d is %q, want %q", user, got, want)
	}
}

// menuCalls is how often menus were set or taken away.
func menuCalls(h *apptest.Harness) int {
	return h.Telegram.Calls()["setmycommands"] + h.Telegram.Calls()["deletemycommands"]
}

// TestMenusByRole: everybody is offered what they may do, from the moment that they may, and nothing else.
func TestMenusByRole(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Pass(settled)
		showsMenu(h, apptest.Sam, ownersMenu)
		showsMenu(h, apptest.Karim, sellersMenu)
		showsMenu(h, apptest.Lila, countersMenu)
		showsMenu(h, apptest.Eve, strangersMenu)
		if got := menuIn(h, apptest.Karim, shop); got != groupsMenu {
			t.Errorf("the group's menu is %q", got)
		}
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Make counter")
		h.Pass(settled)
		showsMenu(h, apptest.Karim, countersMenu)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		h.Pass(settled)
		showsMenu(h, apptest.Karim, strangersMenu)
		if deleted := h.Telegram.Calls()["deletemycommands"]; deleted != 1 {
			t.Errorf("%d menus were taken away, want that of who has left", deleted)
		}
	})
}

// TestMenusInTheChosenLanguage: who has chosen a language has the menu in that one, whatever their phone is set to; who has
// not, in their phone's.
func TestMenusInTheChosenLanguage(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ button, orders string }{
		"ar": {"العربية", "طلباتك وأكوادها"}, "fr": {"Français", "Vos commandes et leurs codes"}, "en": {"English", "Your orders and their codes"}, //nolint:misspell // French
	}) {
		other := map[string]string{"ar": "fr", "fr": "en", "en": "ar"}[lang]
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Telegram.AddUser(tgsim.User{ID: apptest.Karim, FirstName: "Karim", LanguageCode: lang})
				h.Telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: other})
			}, func(h *apptest.Harness) {
				h.Telegram.Start(apptest.Karim, "")
				h.Pass(settled)
				stranger := h.Telegram.Menu(apptest.Karim, apptest.Karim)
				h.Telegram.Start(apptest.Sam, "")
				h.Say(apptest.Sam, "/key "+apptest.TestKey)
				h.Say(apptest.Sam, "/language")
				h.Tap(apptest.Sam, words.button)
				h.Pass(settled)
				showsMenu(h, apptest.Sam, ownersMenu)
				mine := h.Telegram.Menu(apptest.Sam, apptest.Sam)
				i := slices.IndexFunc(mine, func(c tgsim.Command) bool { return c.Command == "orders" })
				if mine[i].Description != words.orders {
					t.Errorf("/orders is described %q", mine[i].Description)
				}
				if mine[0] != stranger[0] {
					t.Errorf("chosen it says %q, by the phone %q", mine[0].Description, stranger[0].Description)
				}
			})
		})
	}
}

// TestMenusAreRemembered: a restart makes no calls about menus that fit, and one for each that does not.
func TestMenusAreRemembered(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Pass(settled)
		before := menuCalls(h)
		h.Sleep(time.Minute)
		h.Pass(settled)
		if now := menuCalls(h); now != before || before == 0 {
			t.Errorf("%d calls before the restart, %d after it", before, now)
		}
	})
}

// TestMenuIsSetOnce: who links a key is given the menu of an owner with one call, whatever they do next.
func TestMenuIsSetOnce(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Telegram.Start(apptest.Sam, "")
		h.Pass(settled)
		before := menuCalls(h)
		h.Say(apptest.Sam, "/key "+apptest.TestKey)
		for range 3 {
			h.Say(apptest.Sam, "/orders")
			h.Pass(2 * time.Second)
		}
		showsMenu(h, apptest.Sam, ownersMenu)
		if n := menuCalls(h) - before; n != 1 {
			t.Errorf("%d calls about menus, want 1", n)
		}
	})
}

// TestMenusWaitForEverything: Telegram's word that menus are set too fast is obeyed, and no code waits for that.
func TestMenusWaitForEverything(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Telegram.Inject(tgsim.Fault{Method: "setmycommands", Kind: tgsim.Flood, Wait: 90 * time.Second, Times: 1})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		begin := time.Now()
		buy(h, apptest.Sam)
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("the code took %v", took)
		}
		h.Pass(settled)
		if got := menuIn(h, apptest.Yasmine, apptest.Yasmine); got != "" {
			t.Errorf("the menu is %q while Telegram wants to hear nothing", got)
		}
		h.Pass(3 * time.Minute)
		showsMenu(h, apptest.Sam, ownersMenu)
		showsMenu(h, apptest.Yasmine, strangersMenu)
		var last time.Time
		for _, c := range h.Telegram.Record() {
			if !strings.EqualFold(c.Method, "setMyCommands") {
				continue
			}
			if gap := c.At.Sub(last); !last.IsZero() && gap < time.Second {
				t.Errorf("two calls are %v apart", gap)
			}
			last = c.At
		}
	})
}

// TestMenusOfChatsThatAreGone: a menu that Telegram does not take for a chat is not sent again until something changes.
func TestMenusOfChatsThatAreGone(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Pass(settled)
		h.Telegram.Inject(tgsim.Fault{Method: "setmycommands", Kind: tgsim.Broken, Code: 400, Times: 1})
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Make counter")
		h.Pass(settled)
		before := menuCalls(h)
		h.Sleep(time.Minute)
		h.Pass(10 * time.Minute)
		if now := menuCalls(h); now != before {
			t.Errorf("%d calls about menus, then %d", before, now)
		}
	})
}

// TestForgottenPeopleHaveNoMenu: with what is kept about somebody goes the menu that was theirs.
func TestForgottenPeopleHaveNoMenu(t *testing.T) {
	t.Parallel()
	apptest.Run(t, nil, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start")
		h.Say(apptest.Sam, "/language")
		h.Tap(apptest.Sam, "Français")
		h.Pass(settled)
		if got := h.Telegram.Menu(apptest.Sam, apptest.Sam)[0].Description; got != "Accueil" {
			t.Errorf("the menu says %q", got)
		}
		h.Say(apptest.Sam, "/forget")
		h.Tap(apptest.Sam, "Oui, effacer")
		h.Pass(settled)
		if got := h.Telegram.Menu(apptest.Sam, apptest.Sam)[0].Description; got != "Home" {
			t.Errorf("the menu says %q", got)
		}
	})
}

// TestMenusHoldNoRefusal: nobody is offered a command that they are refused.
func TestMenusHoldNoRefusal(t *testing.T) {
	t.Parallel()
	for role, user := range sampletest.SomeNamed(1, map[string]int64{"owner": apptest.Sam, "seller": apptest.Karim, "counter": apptest.Lila, "stranger": apptest.Eve}) {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				h.Say(user, "/start")
				h.Pass(settled)
				help := func() string { h.Say(user, "/help"); return apptest.Plain(h.SeeLast(user, "What you can do").Text) }
				text := help()
				for name := range strings.FieldsSeq(menuIn(h, user, user)) {
					if name != "start" && name != "help" && !strings.Contains(text, "/"+name+" – ") {
						t.Errorf("/help does not tell of /%s:\n%s", name, text)
					}
					h.Say(user, "/"+name)
					h.Pass(time.Minute) // strangers are not heard so often
					if said := h.Texts(user); strings.Contains(said, "🔒 Only") || strings.Contains(said, "does not include that") || strings.Contains(said, "I do not know") {
						t.Fatalf("/%s is refused:\n%s", name, h.Transcript(user))
					}
				}
				for line := range strings.SplitSeq(text, "\n") {
					if name, _, ok := strings.Cut(strings.TrimPrefix(line, "/"), " – "); ok && !strings.Contains(" "+menuIn(h, user, user)+" ", " "+name+" ") {
						t.Errorf("/help tells of /%s, which the menu does not have", name)
					}
				}
			})
		})
	}
}

// TestInvitationLinkAsText: a link that somebody pastes is opened, not searched for, whatever stands around it.
func TestInvitationLinkAsText(t *testing.T) {
	t.Parallel()
	for lang, welcome := range sampletest.SomeNamed(3, map[string]string{"ar": "مرحبا", "fr": "Bienvenue", "en": "Welcome to"}) {
		for i, form := range sampletest.Some(1, []string{"https://t.me/shop_bot?start=%s", "voilà: t.me/Shop_Bot?start=%s merci", "https://telegram.me/shop_bot?start=%s"}) {
			t.Run(fmt.Sprint(lang, i), func(t *testing.T) {
				t.Parallel()
				apptest.Run(t, func(h *apptest.Harness) {
					apptest.People(h)
					h.Telegram.AddUser(tgsim.User{ID: apptest.Karim, FirstName: "Karim", LanguageCode: lang})
				}, func(h *apptest.Harness) {
					h.Link(apptest.Sam)
					token := h.Invite(apptest.Sam, "Seller")
					h.Say(apptest.Karim, fmt.Sprintf(form, token))
					h.Pass(settled)
					if said := h.Texts(apptest.Karim); !strings.Contains(said, "Boutique El Djazair") {
						t.Errorf("no %q:\n%s", welcome, said)
					}
					showsMenu(h, apptest.Karim, sellersMenu)
					h.Say(apptest.Karim, fmt.Sprintf(form, token))
					if said := h.Texts(apptest.Karim); strings.Contains(said, token) {
						t.Errorf("the link was searched for:\n%s", said)
					}
				})
			})
		}
	}
}

// TestInvitationIsShared: an invitation is handed on by a button, which opens Telegram's own way to do that, with the link.
func TestInvitationIsShared(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		token := h.Invite(apptest.Sam, "Counter")
		m := h.See(apptest.Sam, "Send this link")
		want := "https://t.me/share/url?url=https%3A%2F%2Ft.me%2Fshop_bot%3Fstart%3D" + token + "&text=Open%20this%20link"
		if !slices.ContainsFunc(slices.Concat(m.Keyboard...), func(b tgsim.Button) bool { return b.Text == "📤 Share" && strings.HasPrefix(b.URL, want) }) {
			t.Errorf("there is no way to share it: %+v", m.Keyboard)
		}
	})
}
