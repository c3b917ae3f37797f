package screen

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

const (
	mostEntries = 20 // of a list in a text
	soon        = 7 * 24 * time.Hour
)

// Balance is the wallet as it was at a time, with whose it is, and what may not be in it yet of what was bought here.
func (p Account) Balance(b api.Balance, who api.Account, lacks dzd.Amount, at time.Time) Message {
	// The service may tell neither: the lines are then left out rather than shown empty.
	email, user := "", ""
	if clean(who.Email, nameLength) != "" {
		email = p.t("balance.email", locales.Args{"Email": name(who.Email)})
	}
	if who.UserID != 0 {
		user = " · " + p.t("balance.user", locales.Args{"ID": locales.HTML(isolate(id(who.UserID)))})
	}
	return Message{
		HTML: lines(p.t("balance.title", nil), p.wallet(b.Balance, b.Available), p.lacks(lacks), "",
			p.t("balance.account", locales.Args{"Name": p.account(who.Name)})+user, email,
			p.t("balance.at", locales.Args{"Time": p.since(at)})),
		Keyboard: [][]Button{
			row(p.button("button.refresh", act(VerbBalance, Refresh)), p.button("button.movements", act(VerbMovements))),
			row(p.button("button.stock", act(VerbStock)), p.button("button.home", act(VerbHome))),
		},
	}
}

// LastBalance is what was there to spend when it was last read, where it cannot be read now; err is why.
func (p Account) LastBalance(b BalanceView, err error) Message {
	failed, why := p.t("failure.read", nil), ""
	keys := [][]Button{row(p.button("button.again", act(VerbBalance, Refresh)), p.button("button.movements", act(VerbMovements))), row(p.button("button.home", act(VerbHome)))}
	if e, ok := errors.AsType[*api.Error](err); ok {
		why = p.Failures().whyOf(e)
		if e.Class == api.Unauthorized { // it does not pass by itself
			failed, why = "⚠️ "+why, ""
			keys = slices.Insert(keys, 0, row(p.button("button.key", act(VerbKey))))
		}
	}
	last := p.t("balance.last", locales.Args{"Available": p.money(b.Available), "Time": p.since(b.At)})
	return Message{HTML: lines(failed, why, last, p.lacks(b.Lacks)), Keyboard: keys}
}

// mostUnfolded is how many entries of a long list stand open.
const mostUnfolded = 5

// folded is the rest of a long list, which opens at a tap; nothing where there is none. It is never in a message with a
// code: a server that does not know it would send that without its markup.
func folded(rest []string) string {
	if len(rest) == 0 {
		return ""
	}
	return "\n\n<blockquote expandable>" + strings.TrimLeft(spaced(rest), "\n") + "</blockquote>"
}

// Moved is a movement, and the purchase that it was of; nil where it was of none.
type Moved struct {
	store.Movement

	Of *store.Purchase
}

// Unlisted is what has moved a balance and has no entry among its changes, in DZD: without it the figures of the list would not add up.
type Unlisted struct {
	Lacking     dzd.Amount // what of the list the last reading does not show
	Unaccounted dzd.Amount // what nothing explains yet, or more than one thing may
	Undecided   dzd.Amount // for purchases of which it is not known whether they were bought
}

// Movements lists what has changed a balance, newest first. What was left after one is not told where another was noted
// between that it showed and that it was explained.
func (p Account) Movements(list []Moved, open Unlisted) Message {
	// It comes in the order in which movements were noted, the newest first. They are marked by their neighbours in that order, and only
	// then sorted by when the change first showed (Since).
	list = slices.Clone(list)
	for i := range list[:max(0, len(list)-1)] {
		list[i].Guessed = list[i].Guessed || list[i+1].At.After(list[i].Since())
	}
	slices.SortStableFunc(list, func(a, b Moved) int { return b.Since().Compare(a.Since()) })
	out := []string{p.t("movements.title", nil)}
	if !open.Lacking.IsZero() {
		out = append(out, "", p.t("movements.lacks", locales.Args{"Amount": p.signed(open.Lacking)}))
	}
	if !open.Unaccounted.IsZero() {
		out = append(out, "", p.t("movements.unexplained", locales.Args{"Amount": p.signed(open.Unaccounted)}))
	}
	if !open.Undecided.IsZero() {
		out = append(out, "", p.t("movements.undecided", locales.Args{"Amount": p.signed(open.Undecided)}))
	}
	if len(list) == 0 && len(out) == 1 {
		out = append(out, p.t("movements.none", nil))
	}
	var older []string
	for i, m := range list[:min(len(list), mostEntries)] {
		entry := []string{"", lines(p.movement(m.Movement), p.movedItem(m), p.movementLine(m.Movement))}
		if i < mostUnfolded {
			out = append(out, entry...)
		} else {
			older = append(older, entry...)
		}
	}
	return Message{
		HTML:     spaced(out) + folded(older),
		Keyboard: [][]Button{row(p.button("button.balance", act(VerbBalance)), p.button("button.home", act(VerbHome)))},
	}
}

// movedItem is what a movement was for, and who bought it.
func (p Account) movedItem(m Moved) string {
	of := m.Of
	if of == nil {
		return ""
	}
	text := string(name(of.Product)) + " · " + string(name(of.Variant))
	if units := m.units(); units > 0 {
		text += " × " + string(number(units))
	}
	if clean(of.Buyer, nameLength) != "" {
		text += " · 🛒 " + string(name(of.Buyer))
	}
	return p.direct(text)
}

// units is how many units of its purchase a movement was for: 0 where its amount does not tell, as of a refund for what was charged
// otherwise than shown. A correction is for all of them.
func (m Moved) units() int {
	switch {
	case m.Kind == store.Corrected:
		return m.Of.Quantity
	case m.Kind == store.Refunded && m.Of.Charged != nil:
		return 0
	}
	amount := m.Amount
	if amount.Sign() < 0 {
		amount = dzd.Amount{}.Sub(amount)
	}
	for n := m.Of.Quantity; n > 0; n-- {
		if of, err := m.Of.Price.Mul(n); err == nil && of.Equal(amount) {
			return n
		}
	}
	return 0
}

// movementLine is when a movement was, and what was left where that is known.
func (p Account) movementLine(m store.Movement) string {
	at := locales.HTML(isolate(p.Time(m.Since())))
	// What was left is worked out, and no reading has borne it out: a wrong figure would be taken for the wallet's.
	if m.Guessed {
		return p.t("movements.when", locales.Args{"Time": at})
	}
	return p.t("movements.line", locales.Args{"Time": at, "Balance": p.money(m.Balance)})
}

// movement is what one change of a balance was.
func (p Account) movement(m store.Movement) string {
	args := locales.Args{"Amount": p.signed(m.Amount)}
	switch m.Kind {
	case store.Bought:
		return p.t("movements.bought", args)
	case store.Refunded:
		return p.t("movements.refunded", args)
	case store.Corrected:
		return p.t("movements.corrected", args)
	}
	// What is left came from outside: only its sign tells what it was.
	if m.Amount.Sign() > 0 {
		return p.t("movements.deposit", args)
	}
	return p.t("movements.outside", args)
}

// signed is an amount with its sign, also where that is a plus.
func (p Printer) signed(a dzd.Amount) locales.HTML {
	return locales.HTML("<b>" + isolate(p.amount(a, "+")) + "</b>")
}

// Stock lists the account's allocations, the most urgent first: what expires soon, then what is used up furthest. What
// cannot be had any more comes last.
func (p Account) Stock(list []api.StockEntry, now time.Time) Message {
	// The list is shared with whoever asks for it within the same moment (package api): its order is not ours to change.
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b api.StockEntry) int {
		return cmp.Or(cmp.Compare(urgency(a, now), urgency(b, now)), compareExpiry(a, b, now), cmp.Compare(share(a), share(b)))
	})
	out := []string{p.t("stock.title", nil)}
	if len(list) == 0 {
		out = append(out, p.t("stock.none", nil))
	}
	for _, e := range list[:min(len(list), mostEntries)] {
		out = append(out, "", p.item(e.ProductName, e.VariantName), p.left(e), p.expiry(e, now))
	}
	if more := len(list) - mostEntries; more > 0 {
		out = append(out, "", p.texts.N("stock.more", more, nil))
	}
	return Message{
		HTML:     spaced(out),
		Keyboard: [][]Button{row(p.button("button.refresh", act(VerbStock, Refresh)), p.button("button.home", act(VerbHome)))},
	}
}

// left is how much of an allocation is left, as far as the service tells.
func (p Account) left(e api.StockEntry) string {
	if e.Lacks {
		return p.t("stock.untold", nil)
	}
	return p.t("stock.left", locales.Args{"Remaining": number(e.Remaining), "Allocated": number(e.Allocated), "Used": number(e.Used)})
}

// urgency is 0 for what expires soon, 1 for what is nearly used up, 3 for what cannot be had any more, 2 for the rest.
func urgency(e api.StockEntry, now time.Time) int {
	switch {
	case !e.Usable(now):
		return 3
	case !e.ExpiresAt.IsZero() && e.ExpiresAt.Sub(now) < soon:
		return 0
	// This puts it higher in the list and no more: the alert about stock has a threshold of its own.
	case share(e) < 0.2:
		return 1
	}
	return 2
}

// compareExpiry orders what expires soon by when.
func compareExpiry(a, b api.StockEntry, now time.Time) int {
	if urgency(a, now) != 0 {
		return 0
	}
	return a.ExpiresAt.Compare(b.ExpiresAt)
}

// share is how much of an allocation is left, 0…1.
func share(e api.StockEntry) float64 {
	// What is not told is not called scarce.
	if e.Lacks || e.Allocated <= 0 {
		return 1
	}
	return float64(e.Remaining) / float64(e.Allocated)
}

// expiry is until when an allocation is good.
func (p Account) expiry(e api.StockEntry, now time.Time) string {
	// What was stopped is told first: it is over whatever its date says.
	if e.Stopped() {
		return p.t("stock.stopped", locales.Args{"Status": name(e.Status)})
	}
	if e.ExpiresAt.IsZero() {
		return ""
	}
	at := locales.Args{"Time": p.serviceTime(e.ExpiresAt, e.Zoneless, Printer.Time)}
	if e.Expired(now) {
		return p.t("stock.expired", at)
	}
	return p.t("stock.until", at)
}

// serviceTime is a time that the service tells, in a format: as it wrote it, where nobody knows in which zone.
func (p Printer) serviceTime(at time.Time, zoneless bool, format func(Printer, time.Time) string) locales.HTML {
	if !zoneless {
		return locales.HTML(isolate(format(p, at)))
	}
	p.zone = time.UTC // in which it reads as it was written
	return locales.HTML(p.plain("time.service", locales.Args{"Time": locales.HTML(isolate(format(p, at)))}))
}

// spaced joins lines, of which the empty ones part what stands apart.
func spaced(all []string) string {
	var b strings.Builder
	for i, l := range all {
		if l == "" && i < len(all)-1 {
			b.WriteByte('\n')
			continue
		}
		if l != "" {
			b.WriteString(l)
			b.WriteByte('\n')
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// only picks the orders for which keep holds.
func only(orders []store.Order, keep func(store.Order) bool) []store.Order {
	// The clone keeps DeleteFunc from moving the orders of the caller.
	return slices.DeleteFunc(slices.Clone(orders), func(o store.Order) bool { return !keep(o) })
}

// paidFor is what some orders of a purchase cost.
func paidFor(pu store.Purchase, orders []store.Order) dzd.Amount {
	if pu.Charged == nil && !pu.HoldsSeveral() {
		paid, err := pu.Price.Mul(len(orders))
		// More than an amount can hold is no price that was paid: the whole of the purchase is the nearest that is known.
		if err != nil {
			return pu.Total
		}
		return paid
	}
	var paid dzd.Amount
	for _, o := range orders {
		paid = paid.Add(pu.PaidFor(o))
	}
	return paid
}
