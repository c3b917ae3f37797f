package screen_test

import (
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// refundTold are the words by which people hear of one state of a refund.
type refundTold struct {
	owner   string // to who sees what was paid; no other state has them
	seller  string // to who sees the shop's own price in its place; no other state has them
	orders  string // in the list of orders
	support string // where somebody asks what to take up with the service
}

// refundsTold are the words for each state.
func refundsTold() map[store.RefundState]refundTold {
	const unread, missing, unseen, untaken = "I cannot tell whether", "was not seen in the balance yet", "was not seen within 7 days", "is not missing from the balance"
	const notBack, nothing = "I did not see", "there is nothing left to ask"
	return map[store.RefundState]refundTold{
		store.RefundWaiting: {"To be refunded by the supplier", "The supplier is to refund it", "refund awaited", nothing},
		store.RefundSeen:    {"<b>The balance rose by", "<b>The money is back", "the balance rose by \u2068DZD\u00a01,250.50\u2069", nothing},
		store.RefundUnread:  {unread, unread, "no refund seen", unread},
		store.RefundMissing: {missing, missing, "no refund seen", notBack},
		store.RefundUnseen:  {unseen, unseen, "no refund seen", notBack},
		store.RefundLikely:  {"If you did not add that money yourself", "The money is probably back", "failed", nothing},
		store.RefundUntaken: {untaken, untaken, "failed, not charged", nothing},
	}
}

// TestEveryRefundStateIsTold: wherever an order that failed is shown, it is told what became of its money, in the words of its state and of
// no other. What is said of a new state has to be thought of in each of these places.
func TestEveryRefundStateIsTold(t *testing.T) {
	t.Parallel()
	p, _ := printers(t).For("en")
	for _, state := range store.RefundStates() {
		want, known := refundsTold()[state]
		if !known {
			t.Errorf("the refund %q has no row in refundsTold: say there how it is told, by refundState, by refundWord, by failedOf and by NeedsSupport", state)
			continue
		}
		toldInStatus(t, p, state)
		pu, orders := with(bought(store.Settled, 1), ordered), each(made(failed), refund(state))
		list := p.Orders().List(screen.OrdersView{List: []screen.Bought{{Purchase: pu, Orders: orders}}, Linked: true})
		if !slices.Contains(strings.Split(list.HTML, "\n"), want.orders) {
			t.Errorf("the refund %q: failedOf does not have the list of orders say %q:\n%s", state, want.orders, list.HTML)
		}
		if m := p.Purchases().Support(pu, orders, "Shop"); !strings.Contains(m.HTML, want.support) {
			t.Errorf("the refund %q: NeedsSupport, or concernOf, does not have support say %q:\n%s", state, want.support, m.HTML)
		}
	}
}

// toldInStatus fails the test where the status of a purchase does not tell a state of a refund, or tells another one, of all that was
// bought and of a part.
func toldInStatus(t *testing.T, p screen.Printer, state store.RefundState) {
	t.Helper()
	ten := pricing.Rules{Shop: &pricing.Rule{Basis: pricing.ByPercent, Percent: 1000, Step: 10 * ledger.Dinar}}
	status := func(p screen.Printer, codes []string) string {
		orders := each(made(codes...), refund(state))
		return p.Purchases().Status(bought(store.Accepted, len(codes)), orders, screen.BalanceView{}, store.QueuePlace{}).HTML
	}
	for _, codes := range [][]string{{failed}, {failed, "AAAA-1111"}} {
		owner, seller := status(p, codes), status(p.As(screen.ForSeller).Asking(store.Prices{Rules: ten}), codes)
		for other, words := range refundsTold() {
			says := map[bool]string{true: "does not say", false: "says, as of another state,"}[other == state]
			if strings.Contains(owner, words.owner) != (other == state) {
				t.Errorf("the refund %q: refundState %s %q:\n%s", state, says, words.owner, owner)
			}
			if strings.Contains(seller, words.seller) != (other == state) {
				t.Errorf("the refund %q: refundWord %s %q:\n%s", state, says, words.seller, seller)
			}
		}
	}
}
