package purchase

import (
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
)

// TestJudge: what a look proves, and what it leaves to another look or to people.
func TestJudge(t *testing.T) {
	const quiet, patience = 10 * time.Minute, 12 * time.Minute
	early, settled, late := time.Minute, quiet, patience
	two := []string{"8", "9"}
	for name, c := range map[string]struct {
		age  time.Duration
		f    findings
		want Event
		rule string
	}{
		"its orders show":                           {early, findings{candidates: two, trusted: true}, Find, ruleRows},
		"its orders show, and the money is gone":    {early, findings{candidates: two, charge: charged}, Find, ruleRows},
		"its orders show, long after":               {late, findings{candidates: two, trusted: true}, Find, ruleRows},
		"more orders show":                          {early, findings{candidates: []string{"7", "8", "9"}, trusted: true}, "", ruleTooMany},
		"more orders show, and go on showing":       {late, findings{candidates: []string{"7", "8", "9"}, trusted: true}, GiveUp, ruleTooMany},
		"others of the same show as well":           {early, findings{candidates: two, others: 1, trusted: true}, "", ruleTooMany},
		"one of two shows":                          {early, findings{candidates: two[:1], trusted: true}, "", ruleTooFew},
		"one of two shows, and no other":            {late, findings{candidates: two[:1], trusted: true, charge: charged}, GiveUp, ruleTooFew},
		"others buy with the account":               {early, findings{candidates: two, trusted: true, shared: true}, "", ruleShared},
		"others buy with the account, late":         {late, findings{candidates: two, trusted: true, shared: true}, GiveUp, ruleShared},
		"a list that never showed one of ours":      {early, findings{candidates: two}, "", ruleUntrusted},
		"such a list, and nothing was charged":      {late, findings{candidates: two, charge: uncharged}, GiveUp, ruleUntrusted},
		"the money is gone":                         {settled, findings{charge: charged}, "", ruleMoneyGone},
		"the money is gone, and no order shows":     {late, findings{charge: charged}, GiveUp, ruleMoneyGone},
		"nothing, too early":                        {quiet - time.Second, findings{charge: uncharged, silent: start}, "", ruleWaiting},
		"nothing, for the quiet time":               {settled, findings{charge: uncharged, silent: start}, Deny, ruleNothing},
		"nothing, in one look":                      {settled, findings{charge: uncharged, silent: start.Add(settled)}, "", ruleWaiting},
		"nothing, in two looks at once":             {settled, findings{charge: uncharged, silent: start.Add(settled - apart + 1)}, "", ruleWaiting},
		"nothing, in two looks apart":               {settled, findings{charge: uncharged, silent: start.Add(settled - apart)}, Deny, ruleNothing},
		"nothing, after a look that showed or fell": {settled, findings{charge: uncharged}, "", ruleWaiting},
		"nothing but an order that does not fit":    {settled, findings{charge: uncharged, others: 1, silent: start}, "", ruleWaiting},
		"no order, and the money cannot be read":    {settled, findings{silent: start}, "", ruleWaiting},
		"neither can be shown":                      {late, findings{silent: start}, GiveUp, ruleUnclear},
	} {
		t.Run(name, func(t *testing.T) {
			c.f.asked, c.f.now, c.f.quiet, c.f.patience, c.f.quantity = start, start.Add(c.age), quiet, patience, 2
			got := judge(c.f)
			if got.event != c.want || got.rule != c.rule {
				t.Errorf("it is %q by the rule %q, want %q by %q", got.event, got.rule, c.want, c.rule)
			}
			if got.event == Find && !slices.Equal(got.ids, c.f.candidates) {
				t.Errorf("it is %v, want %v", got.ids, c.f.candidates)
			}
		})
	}
}

// start is when the attempts of these tests began.
var start = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// TestFitting: a row is the purchase's, or stands in the way of saying that there is none, or is nothing to it.
func TestFitting(t *testing.T) {
	bought := item{product: "Play Card", variant: "10 USD", player: "77", price: dzd.Int(100)}
	until := start.Add(5 * time.Minute)
	const fits, blocks, foreign = "fits", "blocks", "foreign"
	for name, c := range map[string]struct {
		row  row
		want string
	}{
		"the same":                    {row{item: bought, at: start}, fits},
		"without a time":              {row{item: bought}, fits},
		"names written otherwise":     {row{item: item{"play  card", " 10 usd", "77", dzd.Int(100)}, at: start}, fits},
		"a list that tells no price":  {row{item: item{"Play Card", "10 USD", "77", dzd.Amount{}}, at: start}, fits},
		"a list that tells no player": {row{item: item{"Play Card", "10 USD", "", dzd.Int(100)}, at: start}, fits},
		"a clock that is a bit slow":  {row{item: bought, at: start.Add(-time.Minute)}, fits},
		"a clock that is a bit fast":  {row{item: bought, at: until.Add(time.Minute)}, fits},
		"made before":                 {row{item: bought, at: start.Add(-3 * time.Minute)}, blocks},
		"made yesterday":              {row{item: bought, at: start.Add(-20 * time.Hour)}, blocks},
		"made in another zone":        {row{item: bought, at: until.Add(time.Hour)}, blocks},
		"another price":               {row{item: item{"Play Card", "10 USD", "77", dzd.Int(99)}, at: start}, blocks},
		"another player":              {row{item: item{"Play Card", "10 USD", "78", dzd.Int(100)}, at: start}, blocks},
		"another variant":             {row{item: item{"Play Card", "25 USD", "77", dzd.Int(100)}, at: start}, foreign},
		"another product":             {row{item: item{"Pay Card", "10 USD", "77", dzd.Int(100)}, at: start}, foreign},
	} {
		t.Run(name, func(t *testing.T) {
			c.row.id = "8"
			candidates, others := fitting([]row{c.row}, bought, start, until)
			got := foreign
			switch {
			case len(candidates) == 1 && others == 0:
				got = fits
			case len(candidates) == 0 && others == 1:
				got = blocks
			}
			if got != c.want {
				t.Errorf("it %s, want that it %s: %v, %d others", got, c.want, candidates, others)
			}
		})
	}
}

// TestChargeOf: what the balance and an allocation's counter say together.
func TestChargeOf(t *testing.T) {
	const none = -1 // no counter
	for name, c := range map[string]struct {
		change  int64
		known   bool
		used    int
		refunds []int64
		want    charge
	}{
		"everything is there":                       {0, true, none, nil, uncharged},
		"the price is gone":                         {-200, true, none, nil, charged},
		"something else is gone":                    {-100, true, none, nil, unclear},
		"the balance was not read before":           {0, false, none, nil, unclear},
		"a refund came":                             {100, true, none, []int64{100}, uncharged},
		"the price is gone and a refund came":       {-100, true, none, []int64{100}, charged},
		"a refund of the price may hide it":         {0, true, none, []int64{200}, unclear},
		"the counter has not moved":                 {-100, true, 0, nil, uncharged},
		"the counter has not moved, unread balance": {0, false, 0, nil, uncharged},
		"the counter has moved":                     {-100, true, 2, nil, charged},
		"the counter has moved, the money has not":  {0, true, 2, nil, unclear},
		"the money is gone, the counter stands":     {-200, true, 0, nil, unclear},
		"one of two is used":                        {-100, true, 1, nil, unclear},
	} {
		t.Run(name, func(t *testing.T) {
			var refunds []dzd.Amount
			for _, r := range c.refunds {
				refunds = append(refunds, dzd.Int(r))
			}
			if got := chargeOf(dzd.Int(c.change), dzd.Int(200), c.known, c.used, 2, refunds); got != c.want {
				t.Errorf("it is %d, want %d", got, c.want)
			}
		})
	}
}
