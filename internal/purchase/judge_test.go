package purchase

import (
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// start is when the attempts of these tests ended.
var start = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// TestJudge: what a look proves, and what it leaves to another look or to people.
func TestJudge(t *testing.T) {
	const quiet, patience, longest = 10 * time.Minute, 10 * time.Minute, 12 * time.Minute
	const early, late = time.Minute, longest
	two := []string{"8", "9"}
	for name, c := range map[string]struct {
		age  time.Duration
		f    findings
		want Event
		rule string
	}{
		"its orders show, and its price is gone":         {early, findings{candidates: two, charge: charged}, Find, store.RuleRows},
		"the same, long after":                           {late, findings{candidates: two, charge: charged}, Find, store.RuleRows},
		"its orders show, and the money is there":        {early, findings{candidates: two, charge: uncharged}, "", store.RuleUntrusted},
		"the same, and it stays there":                   {late, findings{candidates: two, charge: uncharged}, GiveUp, store.RuleUntrusted},
		"its orders show, and the money cannot be read":  {late, findings{candidates: two}, GiveUp, store.RuleUntrusted},
		"money is gone that nothing explains":            {early, findings{candidates: two, unexplained: true, charge: charged}, "", store.RuleUntrusted},
		"money is gone that goes on being unexplained":   {late, findings{candidates: two, unexplained: true, charge: charged}, GiveUp, store.RuleUntrusted},
		"the list was not read before":                   {early, findings{candidates: two, charge: charged, silence: -1}, "", store.RuleUntrusted},
		"more orders show":                               {early, findings{candidates: []string{"7", "8", "9"}, charge: charged}, "", store.RuleTooMany},
		"more orders show, and go on showing":            {patience, findings{candidates: []string{"7", "8", "9"}, charge: charged}, GiveUp, store.RuleTooMany},
		"others of the same show as well":                {early, findings{candidates: two, others: 1, charge: charged}, "", store.RuleTooMany},
		"later ones of the same show as well":            {early, findings{candidates: two, late: []string{"10"}, charge: charged}, "", store.RuleTooMany},
		"one of two shows":                               {patience, findings{candidates: two[:1], charge: charged}, "", store.RuleTooFew},
		"one of two shows, and no other":                 {late, findings{candidates: two[:1], charge: charged}, GiveUp, store.RuleTooFew},
		"they were made after the attempt":               {early, findings{late: two, charge: charged}, "", store.RuleLate},
		"one of them was made after the attempt":         {patience, findings{candidates: two[:1], late: two[1:], charge: charged}, GiveUp, store.RuleLate},
		"others buy with the account":                    {early, findings{candidates: two, charge: charged, shared: true}, "", store.RuleShared},
		"others buy with the account, late":              {patience, findings{candidates: two, charge: charged, shared: true}, GiveUp, store.RuleShared},
		"another purchase of ours has not shown":         {patience, findings{candidates: two, charge: charged, own: 1}, "", store.RuleOwn},
		"another one of ours is uncertain too":           {late, findings{candidates: two, charge: charged, rivals: 1}, GiveUp, store.RuleOwn},
		"one of ours of the same is on its way":          {patience, findings{candidates: two, charge: charged, retried: 1}, "", store.RuleOwn},
		"the money is gone":                              {patience, findings{charge: charged}, "", store.RuleMoneyGone},
		"the money is gone, and no order shows":          {late, findings{charge: charged}, GiveUp, store.RuleMoneyGone},
		"something showed, and shows no more":            {patience, findings{charge: uncharged, traced: true, vanished: true, known: true, silence: time.Hour}, GiveUp, store.RuleTraces},
		"something showed, and what shows now is unread": {patience, findings{traced: true, known: true}, GiveUp, store.RuleUnclear},
		"nothing, too early":                             {quiet - time.Second, findings{charge: uncharged, known: true, silence: time.Hour}, "", store.RuleWaiting},
		"nothing, in one look":                           {quiet, findings{charge: uncharged, known: true}, "", store.RuleWaiting},
		"nothing, in two looks at once":                  {quiet, findings{charge: uncharged, known: true, silence: leastApart - 1}, "", store.RuleWaiting},
		"nothing, in two looks apart":                    {quiet, findings{charge: uncharged, known: true, silence: leastApart}, Deny, store.RuleNothing},
		"nothing, and the account's lags are not known":  {patience, findings{charge: uncharged, silence: time.Hour}, GiveUp, store.RuleUnknown},
		"nothing but an order that does not fit":         {patience, findings{charge: uncharged, others: 1, known: true, silence: time.Hour}, GiveUp, store.RuleUnclear},
		"nothing, and an own order has not shown":        {late, findings{charge: uncharged, own: 1, known: true, silence: time.Hour}, GiveUp, store.RuleUnclear},
		"nothing, and another one of ours is uncertain":  {quiet, findings{charge: uncharged, rivals: 1, known: true, silence: leastApart}, Deny, store.RuleNothing},
		"no order, and the money may be explained twice": {patience, findings{known: true, silence: time.Hour}, "", store.RuleUnclear},
		"neither can be shown":                           {late, findings{known: true, silence: time.Hour}, GiveUp, store.RuleUnclear},
	} {
		t.Run(name, func(t *testing.T) {
			c.f.listed = c.f.silence >= 0
			c.f.age, c.f.waited, c.f.quiet, c.f.patience, c.f.longest, c.f.quantity = c.age, c.age, quiet, patience, longest, 2
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

// TestQuietTimeIsOfBothClocks: a clock on the wall that steps forward ends no quiet time, nor does one that stands
// still.
func TestQuietTimeIsOfBothClocks(t *testing.T) {
	nothing := findings{charge: uncharged, known: true, listed: true, silence: leastApart, quiet: quietTime, patience: time.Hour, longest: time.Hour, quantity: 1}
	for _, c := range []struct{ age, waited time.Duration }{{time.Hour, 38 * time.Second}, {38 * time.Second, time.Hour}} {
		f := nothing
		f.age, f.waited = c.age, c.waited
		if got := judge(f); got.event == Deny {
			t.Errorf("after %v on the wall and %v of the process it is %q", c.age, c.waited, got.event)
		}
	}
}

// TestFitting: a row is the purchase's, was made later, or stands in the way of saying that there is none, or is
// nothing to it.
func TestFitting(t *testing.T) {
	bought := item{product: "Play Card", variant: "10 USD", player: "77", price: dzd.Int(100)}
	w := window{from: start.Add(-30 * time.Second), to: start, now: start.Add(10 * time.Minute), lag: 9 * time.Minute}
	const fits, later, blocks, foreign = "fits", "was made later", "blocks", "is foreign"
	for name, c := range map[string]struct {
		row  row
		want string
	}{
		"the same":                    {row{item: bought, at: start}, fits},
		"without a time":              {row{item: bought}, fits},
		"names written otherwise":     {row{item: item{"play  card", " 10 usd", "77", dzd.Int(100)}, at: start}, fits},
		"a list that tells no price":  {row{item: item{"Play Card", "10 USD", "77", dzd.Amount{}}, at: start}, fits},
		"a list that tells no player": {row{item: item{"Play Card", "10 USD", "", dzd.Int(100)}, at: start}, fits},
		"a clock that is a bit slow":  {row{item: bought, at: w.from.Add(-time.Minute)}, fits},
		"a clock that is a bit fast":  {row{item: bought, at: start.Add(time.Minute)}, fits},
		"made minutes after":          {row{item: bought, at: start.Add(3 * time.Minute)}, later},
		"made in another zone":        {row{item: bought, at: start.Add(time.Hour)}, later},
		"made before":                 {row{item: bought, at: start.Add(-3 * time.Minute)}, blocks},
		"made yesterday":              {row{item: bought, at: start.Add(-20 * time.Hour)}, blocks},
		"another price":               {row{item: item{"Play Card", "10 USD", "77", dzd.Int(99)}, at: start}, blocks},
		"another player":              {row{item: item{"Play Card", "10 USD", "78", dzd.Int(100)}, at: start}, blocks},
		"another variant":             {row{item: item{"Play Card", "25 USD", "77", dzd.Int(100)}, at: start}, foreign},
		"another product":             {row{item: item{"Pay Card", "10 USD", "77", dzd.Int(100)}, at: start}, foreign},
	} {
		t.Run(name, func(t *testing.T) {
			c.row.id = "8"
			m := fitting([]row{c.row}, bought, w)
			got := foreign
			switch {
			case len(m.candidates) == 1:
				got = fits
			case len(m.late) == 1:
				got = later
			case len(m.others) == 1:
				got = blocks
			}
			if got != c.want {
				t.Errorf("it %s, want that it %s: %+v", got, c.want, m)
			}
		})
	}
	w.now = w.now.Add(2 * time.Minute)
	if m := fitting([]row{{id: "8", item: bought}}, bought, w); len(m.late) != 1 {
		t.Errorf("one without a time that shows later than the list is late: %+v", m)
	}
}
