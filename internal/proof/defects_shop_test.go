//go:build defects

package proof

// shopDefects are mistakes in what can be had, and paid for, as screens and alerts tell it.
func shopDefects() []defect {
	const (
		paid   = "what is offered can be had and paid for, as far as that is known"
		whole  = "what was bought is delivered whole, each part of it to be copied"
		told   = "an alert comes in time, once, and leads to what can be done"
		waited = "what passes in a moment is no matter of people's, and what is known is shown with its time"
	)
	return []defect{
		{
			name: "that there is too little money is said at the end",
			file: "internal/conversations/buy.go",
			old: `	_, service, ok, err := t.account()
	if err != nil || !ok {
		return all
	}`,
			new: `	_, service, ok, err := t.account()
	if err != nil || ok {
		return all
	}`,
			breaks: "somebody chooses, counts and types a player's id for what cannot be paid",
			holds:  paid,
			by:     "./internal/conversations -run TestShortOfMoney",
		},
		{
			name:   "a balance of a moment ago withholds what was paid in since",
			file:   "internal/conversations/buy.go",
			old:    `	for _, age := range []time.Duration{balanceAge, 0} {`,
			new:    `	for _, age := range []time.Duration{balanceAge} {`,
			breaks: "nothing can be bought right after a deposit",
			holds:  paid,
			by:     "./internal/conversations -run TestShortOfMoney",
		},
		{
			name: "a seller is told the balance",
			file: "internal/screen/questions.go",
			old: `	if err != nil || p.reader != ForOwner {
		return p.t("summary.short", nil)`,
			new: `	if err != nil {
		return p.t("summary.short", nil)`,
			breaks: "everybody of the team knows what the owner has",
			holds:  paid,
			by:     "./internal/conversations -run TestSellerIsToldNoBalance",
		},
		{
			name:   "buttons count further than the money goes",
			file:   "internal/screen/questions.go",
			old:    `		if n <= room.Payable {`,
			new:    `		if n <= room.Most {`,
			breaks: "a number that is offered is refused",
			holds:  paid,
			by:     "./internal/conversations -run TestNoMoreThanCanBePaid",
		},
		{
			name:   "an allocation that has ended counts as stock",
			file:   "internal/api/allocation.go",
			old:    `	if v.Stock == nil || v.Stock.Lacks || v.Stock.Allocated <= 0 || !v.Stock.Usable(now) {`,
			new:    `	if v.Stock == nil || v.Stock.Lacks || v.Stock.Allocated <= 0 {`,
			breaks: "units are promised that cannot be had",
			holds:  paid,
			by:     "./internal/conversations -run TestEndedAllocationsAreNoStock",
		},
		{
			name:   "while the service is gone nothing is known of the catalogue",
			file:   "internal/conversations/patience.go",
			old:    `	if err == nil || !known || !isPassing(err) {`,
			new:    `	if err == nil || known || !isPassing(err) {`,
			breaks: "nobody can look at a price for as long as a 502 lasts",
			holds:  waited,
			by:     "./internal/conversations -run TestLastKnown",
		},
		{
			name:   "an old catalogue passes for today's",
			file:   "internal/screen/printer.go",
			old:    `	if p.asOf.IsZero() {`,
			new:    `	if !p.asOf.IsZero() {`,
			breaks: "somebody promises a price that is none any more",
			holds:  waited,
			by:     "./internal/conversations -run TestLastKnown",
		},
		{
			name: "what was known is forgotten with every purchase",
			file: "internal/api/cache.go",
			old: `	c.kept = nil
	c.epoch++`,
			new: `	c.kept, c.last = nil, nil
	c.epoch++`,
			breaks: "after a purchase, a 502 leaves no catalogue",
			holds:  waited,
			by:     "./internal/conversations -run TestLastKnownAfterAPurchase",
		},
		{
			name:   "a wait of a second is handed to the person",
			file:   "internal/conversations/patience.go",
			old:    `		return e.RetryAfter <= shortWait`,
			new:    `		return false`,
			breaks: "people are told to try again in a second",
			holds:  waited,
			by:     "./internal/conversations -run TestShortWaitIsWaited",
		},
		{
			name: "one of several addresses is named",
			file: "internal/api/request.go",
			old: `		case found.IsValid() && found != a:
			return netip.Addr{}
`,
			new:    "",
			breaks: "an owner lets another machine in",
			holds:  "an address is named as the service names it",
			by:     "./internal/conversations -run TestBlockedAddressIsNamed",
		},
		{
			name:   "low stock is that of allocations alone",
			file:   "internal/notify/crossings.go",
			old:    `		if w.Low {`,
			new:    `		if false {`,
			breaks: "whoever has no allocation, and all of Legacy, hears nothing",
			holds:  told,
			by:     "./internal/notify -run TestLow",
		},
		{
			name: "where no number is told, what is back stays low",
			file: "internal/notify/crossings.go",
			old: `	case !was.Available:
		crossed = false
`,
			new:    "",
			breaks: "the second time that it is out of stock nobody hears of it",
			holds:  told,
			by:     "./internal/notify -run TestLowWhereNoNumberIsTold",
		},
		{
			name:   "an expiry without a zone is in UTC",
			file:   "internal/api/allocation.go",
			old:    `		return s.ExpiresAt.Add(-FarthestZone)`,
			new:    `		return s.ExpiresAt`,
			breaks: "the alert comes up to fourteen hours late",
			holds:  told,
			by:     "./internal/notify -run TestExpiryInAnUnknownZone",
		},
		{
			name:   "what has ended is about to end",
			file:   "internal/notify/crossings.go",
			old:    `	if e.Lacks || !e.Usable(now) || threshold.Mode`,
			new:    `	if e.Lacks || threshold.Mode`,
			breaks: "an alert says until when there was something",
			holds:  told,
			by:     "./internal/notify -run TestExpiryInAnUnknownZone",
		},
		{
			name:   "no way leads from an alert to its product",
			file:   "internal/screen/alertnotes.go",
			old:    `		if !seen[a.ID] && len(keys) < mostLeads {`,
			new:    `		if seen[a.ID] && len(keys) < mostLeads {`,
			breaks: "whoever hears of a price searches for it",
			holds:  told,
			by:     "./internal/notify -run TestPriceLeadsToItsProduct",
		},
		{
			name: "money that went cannot be stopped where it is told",
			file: "internal/screen/alertnotes.go",
			old: `	if p.reader != ForOwner {
		return nil
	}
	return [][]Button{row(p.button("button.lock"`,
			new: `	if p.reader == ForOwner {
		return nil
	}
	return [][]Button{row(p.button("button.lock"`,
			breaks: "somebody with the key goes on while its owner looks for /lock",
			holds:  told,
			by:     "./internal/notify -run TestDebitCanBeStopped",
		},
		{
			name:   "with every key the same advice",
			file:   "internal/conversations/link.go",
			old:    `	c.Nudged = true`,
			new:    `	c.Nudged = false`,
			breaks: "people stop reading what is said once a key is linked",
			holds:  told,
			by:     "./internal/notify -run TestNudge",
		},
		{
			name:   "a serial number is the code",
			file:   "internal/api/decode_codes.go",
			old:    "	all := w.candidates()\n	signsIn",
			new:    "	all := append(w.candidates(), member{w.Serial, \"serial\"})\n	signsIn",
			breaks: "what is there long before the code is delivered for it, and the code is not looked for any more",
			holds:  whole,
			by:     "./internal/notify -run TestSerialComesWithItsCode",
		},
		{
			name:   "a serial number is left behind",
			file:   "internal/purchase/outcome.go",
			old:    "		o.Serial = seen.Serial\n",
			new:    "",
			breaks: "a customer who is asked for it by the maker has none",
			holds:  whole,
			by:     "./internal/notify -run TestSerialComesWithItsCode",
		},
		{
			name:   "a code is copied with its PIN and their names",
			file:   "internal/screen/codes.go",
			old:    `		if !ok || label == ""`,
			new:    `		if ok || label == ""`,
			breaks: "what is pasted is taken nowhere",
			holds:  whole,
			by:     "./internal/notify -run TestSerialComesWithItsCode",
		},
	}
}
