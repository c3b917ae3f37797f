package ledger

import (
	"fmt"
	"time"
)

// Fact is how an order of the service stands: what was paid for it, and what became of it.
type Fact struct {
	Order   string
	Wallet  string // the account at the service that paid
	Product string
	Name    string // hostile text
	Cost    Money
	State   UnitState // InTransit, InStock, Claimed, Refunded or Released
}

// Observe brings a unit to where its order stands, by as many entries as that takes. Nothing is refused: what cannot be
// explained goes to the clearing account. Observed again, nothing changes. An error means that nothing was written, or
// that the records could not be.
func Observe(r Records, book string, f Fact, now time.Time) error {
	b, err := r.Book(book)
	if err != nil {
		return doing("read the book", err)
	}
	u, err := r.Unit(book, f.Order)
	if u, err = found(u, err, Unit{Book: book, Order: f.Order}); err != nil {
		return doing("read a unit", err)
	}
	// In this order: a unit has to be in the book before it moves, and it moves with the cost that the book knows. charged comes
	// last, when the unit stands where the difference belongs: what is refunded or released by then costs nothing any more, and
	// is not corrected.
	for _, step := range []func(Unit, Fact) (draft, bool){bought, moved, charged} {
		d, has := step(u, f)
		if !has {
			continue
		}
		if u, err = observed(r, &b, d, now); err != nil {
			return fmt.Errorf("order %s is %s: %w", f.Order, f.State, err)
		}
	}
	return nil
}

// observed writes a step of a fact and returns the unit after it.
func observed(r Records, b *Book, d draft, now time.Time) (Unit, error) {
	u := &d.units[0]
	// The number of the step makes its key: the same fact again makes no step, and a unit that goes back and forth makes a new
	// one each time.
	u.Moves++
	d.Key = fmt.Sprintf("order/%s/%d", u.Order, u.Moves)
	item := Item{Order: u.Order, Product: u.Product, Name: u.Name, Paid: u.Cost}
	// Only what changes the cost of a sale is a row of its seller. All other steps of a unit are nobody's doing.
	if item.Cost = onCost(d.Lines); item.Cost != 0 {
		item.Seller = u.By
	}
	d.Items, d.act = []Item{item}, d.Key
	if len(d.Lines) == 0 { // it was free: there is no entry without money
		onHand, err := countOnHand(r, d.units)
		if err != nil {
			return *u, err
		}
		b.OnHand += onHand
		if err := r.PutBook(b); err != nil {
			return *u, err
		}
		return *u, r.PutUnit(u)
	}
	_, err := post(r, b, d, now)
	return *u, err
}

// onCost is what lines add to the cost of what was sold.
func onCost(lines []Line) (m Money) {
	for _, l := range lines {
		if l.Account == Cost {
			m += l.amount()
		}
	}
	return m
}

// step is the draft of an entry that leaves a unit as it is then.
func step(u Unit, k Kind, lines []Line) (draft, bool) {
	return draft{Entry: Entry{Kind: k, Lines: lines}, units: []Unit{u}}, true
}

// bought takes a unit into the book that is new to it, or was let go of before.
func bought(u Unit, f Fact) (draft, bool) {
	if u.State != "" && u.State != Released || f.State == Released {
		return draft{}, false
	}
	u.Product, u.Name, u.Cost, u.State = f.Product, f.Name, max(f.Cost, 0), InTransit
	return step(u, KindBought, pair(Transit, In(Wallet, f.Wallet), u.Cost))
}

// charged corrects what a unit has cost. What is released or refunded costs nothing any more.
func charged(u Unit, f Fact) (draft, bool) {
	more := max(f.Cost, 0) - u.Cost
	if more == 0 || u.State == "" || u.State == Released || u.State == Refunded || u.State == Lost {
		return draft{}, false
	}
	u.Cost += more
	return step(u, KindCharged, pair(place(u), In(Wallet, f.Wallet), more))
}

// place is the account that holds what a unit has cost.
func place(u Unit) Account {
	switch u.State {
	case InTransit:
		return Transit
	case InStock:
		return Stock
	case Sold:
		return Cost
	case Claimed:
		return Claim
	case Lost:
		return Loss
	}
	return Clearing // its money is back, or was never ours
}

// moved brings a unit from where it is to where its order stands. What was sold stays so; if the service says that it has
// failed, its cost is claimed.
func moved(u Unit, f Fact) (draft, bool) {
	if u.State == "" || u.State == f.State || f.State == InTransit || u.State == Lost {
		return draft{}, false
	}
	wallet, from := In(Wallet, f.Wallet), place(u)
	switch f.State {
	case InStock:
		if u.State == Sold {
			return draft{}, false
		}
		if u.Sale != 0 { // it was sold before the service called it failed, and has come after all
			u.State = Sold
			return step(u, KindCame, pair(Cost, from, u.Cost))
		}
		u.State = InStock
		return step(u, KindCame, pair(Stock, from, u.Cost))
	case Claimed:
		if u.State == Refunded { // the money was not back after all
			from = wallet
		}
		u.State = Claimed
		return step(u, KindFailed, pair(Claim, from, u.Cost))
	// u.Cost stays: should the money not be back after all, the way to Claimed takes as much out of the wallet again.
	case Refunded:
		u.State = Refunded
		return step(u, KindRefunded, pair(wallet, from, u.Cost))
	case Released:
		u.State = Released
		return step(u, KindReleased, pair(wallet, from, u.Cost))
	}
	return draft{}, false
}
