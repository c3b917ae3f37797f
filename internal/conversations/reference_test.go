package conversations_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// TestReferenceOfAnotherAccount: the reference of what was bought with an account that is linked, and not active, leads there, however it is typed;
// that of what others of its team have bought does for its owner, and for nobody who may not see it.
func TestReferenceOfAnotherAccount(t *testing.T) {
	t.Parallel()
	inTwoAccounts(t, func(h *apptest.Harness) {
		switchTo(h, ownShop)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		ref := refWithFigure(h, apptest.Karim)
		switchTo(h, otherShop)
		for _, typed := range []string{"#" + ref, "#" + strings.ToLower(ref) + "?", "order " + ref, "/orders " + ref} {
			h.Say(apptest.Sam, typed)
			h.Pass(2 * time.Second)
			if m := h.SeeLast(apptest.Sam, "This is from "+ownShop); !strings.Contains(apptest.Plain(m.Text), "The active account is "+otherShop) {
				t.Errorf("%q is answered with %s", typed, m.Text)
			}
		}
		h.Tap(apptest.Sam, "🔀 "+ownShop)
		h.Pass(2 * time.Second)
		if m := h.SeeLast(apptest.Sam, "#"+ref); !strings.Contains(apptest.Plain(m.Text), "10 USD") {
			t.Errorf("its button leads to %s", m.Text)
		}
		for _, typed := range []string{"where is my order " + ref + " ?", "#" + ref + "?", "«" + ref + "»", "Bonjour, où est donc la commande #" + ref + ", s'il vous plaît ?", "Order#" + ref} { // and of the active one it opens
			from := len(h.Telegram.Messages(apptest.Sam))
			h.Say(apptest.Sam, typed)
			h.Pass(2 * time.Second)
			if all := h.Telegram.Messages(apptest.Sam)[from:]; len(all) < 2 || !strings.Contains(apptest.Plain(all[1].Text), "10 USD") {
				t.Errorf("%q opens nothing\n%s", typed, h.Transcript(apptest.Sam))
			}
		}
		// Its buyer is led there by another account as well, and who sells in both is not where they did not buy.
		owners := refWithFigure(h, apptest.Sam)
		switchTo(h, otherShop)
		h.Telegram.Start(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Pass(2 * time.Second)
		h.Tap(apptest.Karim, "🔀 "+otherShop)
		h.Say(apptest.Karim, ref)
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Karim, "This is from "+ownShop)
		h.Say(apptest.Karim, "#"+owners)
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Karim, "No order with #"+owners+" was found")
		h.Answered()
	})
}

// refWithFigure has somebody buy until the reference of what they have bought has a figure, as most have.
func refWithFigure(h *apptest.Harness, who int64) (ref string) {
	h.T.Helper()
	for range 20 {
		h.Order(who, "Play Card", "10 USD", "1")
		h.Tap(who, "✅")
		h.Pass(20 * time.Second)
		for _, m := range h.Telegram.Messages(who) {
			if found := regexp.MustCompile(`#([0-9A-Z]{5})`).FindStringSubmatch(apptest.Plain(m.Text)); found != nil {
				ref = found[1]
			}
		}
		if strings.ContainsAny(ref, "0123456789") {
			return ref
		}
	}
	h.T.Fatal("no reference has a figure")
	return ""
}
