package proof

import (
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// errand is what a person buys, and how they get to the ✅.
type errand struct {
	user     int64
	flavour  string // goods, current, legacy, arena, unlucky, other, late or never
	quantity int
	message  int    // that shows the summary
	confirm  string // data of its ✅
}

// mode is which interface the service speaks for a flavour.
func (b *errand) mode() sim.Mode {
	switch b.flavour {
	case "current":
		return sim.Current
	case "legacy":
		return sim.Legacy
	}
	return sim.Both
}

// key is the API key of a flavour's account.
func (b *errand) key() string {
	if b.flavour == "legacy" {
		return apptest.LegacyTestKey
	}
	return apptest.TestKey
}

const plans = 16 // of the arena

// gems are the arena's plans: which one stands for how many there are of a purchase.
func gems(quantity int) string { return strconv.Itoa(110 + 7*(quantity%plans)) }

// stockUp fills the service with what errands buy.
func (l *lab) stockUp() {
	l.service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
		{ID: 101, Name: "10 USD", Price: "1250.50", InStock: 400, Delay: 2 * time.Second},
		{ID: 102, Name: "25 USD", Price: "3100", InStock: 400, Delay: 2 * time.Second},
	}})
	l.service.AddProduct(sim.ProductSpec{ID: 11, Name: "Unlucky Box", Variants: []sim.VariantSpec{
		{ID: 111, Name: "1 box", Price: "500", InStock: 50, Delay: time.Second, Fails: true, RefundAfter: 20 * time.Second},
	}})
	for _, p := range flavoured() {
		l.service.AddProduct(p)
	}
	for i := range plans {
		l.service.AddPlan(sim.PlanSpec{ID: int64(i + 1), PlanID: "ARENA-" + gems(i), Name: gems(i) + " gems", Price: strconv.Itoa(250 * (i + 1)), Delay: 3 * time.Second})
	}
	for _, spec := range []sim.AccountSpec{
		{Key: apptest.TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: l.wallet},
		{Key: apptest.LegacyTestKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: l.wallet},
	} {
		if err := l.service.AddAccount(spec); err != nil {
			l.eye.violatef("lab", "%v", err)
		}
	}
}

// link links the errand's account in the person's chat.
func (l *lab) link(b *errand) {
	l.say(b.user, "/start")
	l.eye.linked(b.user, b.key())
	l.say(b.user, "/key "+b.key())
}

// walk takes the person to the ✅, and reports whether it is there.
func (l *lab) walk(b *errand) bool {
	if b.flavour == "arena" {
		l.say(b.user, "/topup")
		l.tap(b.user, "Arena")
		l.tap(b.user, gems(b.quantity)+" gems")
		l.say(b.user, playerID)
		return l.findConfirm(b)
	}
	product, variant := "Play Card", "10 USD"
	switch b.flavour {
	case "other":
		variant = "25 USD"
	case "unlucky":
		product, variant = "Unlucky Box", "1 box"
	case "late":
		product, variant = "Late Box", "1 late box"
	case "never":
		product, variant = "Lost Box", "1 lost box"
	}
	l.say(b.user, "/buy")
	l.tap(b.user, product)
	l.tap(b.user, variant)
	l.say(b.user, strconv.Itoa(b.quantity))
	return l.findConfirm(b)
}

// findConfirm finds the newest ✅ of a chat.
func (l *lab) findConfirm(b *errand) bool {
	for _, m := range l.telegram.Messages(b.user) {
		for _, row := range m.Keyboard {
			for _, k := range row {
				if !m.Deleted && strings.HasPrefix(k.Text, "✅") && k.Data != "" {
					b.message, b.confirm = m.ID, k.Data
				}
			}
		}
	}
	return b.confirm != ""
}

// press taps the ✅.
func (l *lab) press(b *errand) { l.telegram.Tap(b.user, b.user, b.message, b.confirm) }

// simOptions is the service that an errand needs.
func simOptions(b *errand) sim.Options { return sim.Options{Mode: b.mode()} }
