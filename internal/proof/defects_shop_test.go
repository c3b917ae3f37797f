//go:build defects

package proof

// shopDefects are mistakes in what can be had, and paid for, as screens and alerts tell it.
func shopDefects() []defect {
	const paid = "what is offered can be had and paid for, as far as that is known"
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
			file: "internal/screen/catalogue.go",
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
			file:   "internal/screen/catalogue.go",
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
	}
}
