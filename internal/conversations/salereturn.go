package conversations

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// pastSale is a sale that is taken back, or some units of it. units are what its items are by now, in their order.
type pastSale struct {
	entry  ledger.Entry
	units  []ledger.Unit
	sealed bool       // its day is over, or its cash was counted
	over   bool       // its day is
	day    ledger.Day // for which what comes back now counts
}

// isLeft reports whether a unit is still sold by the sale: it did not come back before.
func (s pastSale) isLeft(i int) bool { return s.units[i].Sale == s.entry.Number }

// left are the places of the units that are still sold by it.
func (s pastSale) left() (all []int) {
	for i := range s.units {
		if s.isLeft(i) {
			all = append(all, i)
		}
	}
	return all
}

// isWhole reports whether nothing of it came back before.
func (s pastSale) isWhole() bool { return len(s.left()) == len(s.units) }

// picked are the places of the units that somebody means; ok is false where one of them came back meanwhile, so that the amount
// would be another one than the button has named.
func (s pastSale) picked(pick screen.Pick) (places []int, ok bool) {
	if pick.All {
		return s.left(), len(s.left()) == pick.Count || pick.Count == 0 && s.isWhole()
	}
	places = pick.Places()
	return places, !slices.ContainsFunc(places, func(i int) bool { return i >= len(s.units) || !s.isLeft(i) })
}

// price is what some units of it were sold for.
func (s pastSale) price(places []int) (total ledger.Money) {
	for _, i := range places {
		total += s.units[i].Price
	}
	return total
}

// pastSale reads a sale of a purchase; ok is false where the entry is none.
func (t saleFlow) pastSale(p store.Purchase, number uint64) (s pastSale, ok bool, err error) {
	// The number is that of a button: the entry has to be a sale, and of this purchase, which the person may see.
	s.entry, err = t.cfg.Store.BookEntry(t.ctx, p.Account, number)
	if err != nil || s.entry.Kind != ledger.KindSale || !slices.ContainsFunc(s.entry.Items, func(i ledger.Item) bool { return slices.Contains(p.OrderIDs, i.Order) }) {
		return s, false, ignoreMissing(err)
	}
	for _, i := range s.entry.Items {
		u, err := t.cfg.Store.BookUnit(t.ctx, p.Account, i.Order)
		if err != nil {
			return s, false, err
		}
		s.units = append(s.units, u)
	}
	b, err := t.cfg.Store.Book(t.ctx, p.Account)
	at := time.Now()
	s.sealed, s.over, s.day = b.IsSealed(s.entry, at), b.IsOver(s.entry, at), b.DayFor(at)
	return s, err == nil, err
}

// returnSale takes a sale back, or asks which of its units come back. What is of a day that is over is asked about as well: the
// customer may get money back, which leaves the drawer today.
func (t saleFlow) returnSale(p store.Purchase, number uint64) error {
	s, ok, err := t.pastSale(p, number)
	if err != nil || !ok {
		return firstError(err, t.stale)
	}
	left := s.left()
	switch how, value := t.action.Arg(1), t.action.Arg(3); {
	case len(left) == 0:
		return t.gone(p, ledger.NotSold, 0)
	case how == screen.SaleBack:
		return t.giveBack(p, s, screen.ParsePick(t.action.Arg(4)), value == screen.SaleUsable)
	case how == screen.SalePick && t.action.Arg(4) == screen.Yes:
		return t.askReturn(p, s, screen.ParsePick(value))
	case how == screen.SalePick:
		return t.askWhich(p, s, screen.ParsePick(value))
	case value == "" && len(left) > 1:
		t.action.Fresh = true // the codes stay
		return t.askWhich(p, s, screen.Pick{})
	case !s.isWhole(), s.sealed && value != screen.Yes:
		t.action.Fresh = value == ""
		return t.askReturn(p, s, screen.Pick{All: true, Count: len(left)})
	}
	return t.undo(p, number)
}

// undo takes a whole sale back.
func (t saleFlow) undo(p store.Purchase, number uint64) error {
	sale, err := t.cfg.Store.BookEntry(t.ctx, p.Account, number) // which never changes
	if err != nil {
		return t.notWritten(p, err)
	}
	late := false
	err = t.updateBy(debtorOf(sale), func(tx *store.Tx, c ledger.CustomerLines) error {
		b, err := tx.Books().Book(p.Account)
		if err != nil {
			return err
		}
		if late = b.IsSealed(sale, time.Now()) && t.action.Arg(3) != screen.Yes; late { // the day has ended since it was looked at
			return nil
		}
		if err := t.undoSales(tx, []ledger.Entry{sale}, c); err != nil {
			return err
		}
		return refreshTrade(tx, p)
	})
	switch {
	case err != nil:
		return t.notWritten(p, err)
	case late:
		return t.returnSale(p, number)
	}
	t.answerText(t.own.Sales().UndoneToast(soldFor(sale)), false)
	d, err := t.debtor(sale)
	if err != nil {
		return err
	}
	ahead := t.scr.Sales().UndoneAhead(p, sale.Owed(), d)
	switch asked := screen.InQuestion(t.action); {
	case asked && d.Owed < 0:
		return t.say(ahead)
	case asked:
		return t.say(t.scr.Sales().Ended(p, t.scr.Sales().UndoneToast(soldFor(sale))))
	}
	if err := t.showAnew(p); err != nil || d.Owed >= 0 {
		return err
	}
	t.action.Fresh = true // the codes stay
	return t.say(ahead)
}

// undoSales takes sales back whole, and before that what was written off of them since.
func (t saleFlow) undoSales(tx *store.Tx, sales []ledger.Entry, c ledger.CustomerLines) error {
	now, owed := time.Now(), ledger.Money(0)
	for _, e := range sales {
		owed += e.Owed()
	}
	// Before any of them is undone: what was written off is reckoned with what is owed while they still stand.
	if debtorOf(sales[0]) != "" {
		if err := ledger.EndLoss(tx.Books(), sales[0].Book, t.who(""), c, sales, owed, now); err != nil {
			return err
		}
	}
	var undone []ledger.Entry
	for _, e := range sales {
		back, err := ledger.Undo(tx.Books(), e.Book, e.Number, t.who(""), now)
		if err != nil {
			return err
		}
		if e.By != t.userID { // whoever has sold it knows
			undone = append(undone, back)
		}
	}
	return t.tellTills(tx, undone)
}

// tellTills tells those whose tills cash leaves by what takes sales of others back: it is in their drawers. Of a till that was counted
// none leaves.
func (t saleFlow) tellTills(tx *store.Tx, undone []ledger.Entry) error {
	cash, items := map[int64]ledger.Money{}, map[int64][]ledger.Item{}
	for _, e := range undone {
		if chat, others := t.othersTill(e.Counter); others {
			if back := -e.On(ledger.In(ledger.Till, e.Counter)); back > 0 {
				cash[chat], items[chat] = cash[chat]+back, append(items[chat], e.Items...)
			}
		}
	}
	for chat, sum := range cash {
		// What is of the same kind as the first is counted, and how much besides.
		of, same := items[chat], 0
		for _, i := range of {
			if i.Product == of[0].Product {
				same++
			}
		}
		args := map[string]string{
			"person": t.name, "counter": strconv.FormatInt(chat, 10), "amount": strconv.FormatInt(int64(sum), 10),
			"item": of[0].Name, "units": strconv.Itoa(same), "more": strconv.Itoa(len(of) - same),
		}
		if err := t.tell(tx, t.shop.ID, []int64{chat}, store.SaleUndoneNote, args); err != nil {
			return err
		}
	}
	return nil
}

// soldFor is what the units of sales were sold for together.
func soldFor(sales ...ledger.Entry) (sum ledger.Money) {
	for _, e := range sales {
		for _, i := range e.Items {
			sum += i.Sold
		}
	}
	return sum
}

// askWhich asks which units of a sale come back.
func (t saleFlow) askWhich(p store.Purchase, s pastSale, pick screen.Pick) error {
	if _, ok := s.picked(pick); !ok {
		pick = screen.Pick{Page: pick.Page} // one of them came back meanwhile
	}
	v, err := t.returnView(p, s, pick)
	if err != nil {
		return err
	}
	return t.say(t.scr.Sales().Which(v))
}

// askReturn asks what comes back with the money of some units.
func (t saleFlow) askReturn(p store.Purchase, s pastSale, pick screen.Pick) error {
	if places, ok := s.picked(pick); !ok || len(places) == 0 {
		return t.askWhich(p, s, screen.Pick{Page: pick.Page})
	}
	v, err := t.returnView(p, s, pick)
	if err != nil {
		return err
	}
	return t.say(t.scr.Sales().Return(v))
}

// returnView is a sale of which units come back, as screens show it.
func (t saleFlow) returnView(p store.Purchase, s pastSale, pick screen.Pick) (screen.ReturnView, error) {
	picked, _ := s.picked(pick)
	v := screen.ReturnView{
		Purchase: p, Entry: s.entry.Number, Pick: pick, Price: s.price(picked), Left: s.price(s.left()), Over: s.over, Day: s.day, Counted: s.sealed && !s.over && s.entry.On(ledger.In(ledger.Till, s.entry.Counter)) > 0,
		Mistake: t.role == store.Owner && s.sealed && len(picked) == len(s.units),
	}
	orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
	if err != nil {
		return v, err
	}
	for _, place := range s.left() {
		number := slices.Index(p.OrderIDs, s.units[place].Order)
		u := screen.ReturnUnit{Place: place, Number: number + 1}
		if i := slices.IndexFunc(orders, func(o store.Order) bool { return o.ID == s.units[place].Order }); i >= 0 {
			u.Code = orders[i].Code.Reveal()
		}
		v.Units = append(v.Units, u)
	}
	d, err := t.debtor(s.entry)
	v.Customer, v.Owed = d.Customer, d.Owed
	return v, err
}

// debtor is who has bought on credit by an entry, and what they owe now; none where it was paid.
func (t saleFlow) debtor(e ledger.Entry) (d screen.Debt, err error) {
	if d.Customer, err = t.buyer(e); err != nil || d.Customer.ID == "" {
		return d, err
	}
	b, err := t.cfg.Store.BookBalance(t.ctx, e.Book, ledger.In(ledger.Customer, d.Customer.ID))
	d.Owed, d.Last = b.Net(), b.Last
	return d, err
}

// buyer is who has bought on credit by an entry; none where it was paid.
func (t saleFlow) buyer(e ledger.Entry) (c store.Customer, err error) {
	if !e.OnCredit() {
		return c, nil
	}
	c, err = t.cfg.Store.Customer(t.ctx, e.Book, e.Customer)
	if c.ID = e.Customer; errors.Is(err, store.ErrNotFound) {
		return c, nil
	}
	return c, err
}

// giveBack gives the money of some units of a sale back: from this drawer today, or off what the customer owes. A unit comes back
// once, whoever taps, and however often.
func (t saleFlow) giveBack(p store.Purchase, s pastSale, pick screen.Pick, usable bool) error {
	picked, ok := s.picked(pick)
	if !ok || len(picked) == 0 {
		return t.gone(p, ledger.NotSold, 0)
	}
	e, given := s.entry, ledger.Money(0)
	err := t.updateBy(debtorOf(e), func(tx *store.Tx, c ledger.CustomerLines) error {
		// The transaction may run again, and counts anew then.
		given = 0
		if e.OnCredit() {
			if err := ledger.EndLoss(tx.Books(), p.Account, t.who(""), c, []ledger.Entry{e}, s.price(picked), time.Now()); err != nil {
				return err
			}
		} else if err := t.tellOfShortTill(tx, t.counter(), s.price(picked)); err != nil {
			return err
		}
		for _, place := range picked {
			price, err := t.giveUnitBack(tx, e, e.Items[place].Order, usable)
			if err != nil {
				return err
			}
			given += price
		}
		return refreshTrade(tx, p)
	})
	if err != nil {
		return t.notWritten(p, err)
	}
	debtor, err := t.debtor(e)
	return firstError(err, func() error { return t.say(t.scr.Sales().Returned(p, given, debtor, len(picked), len(s.units) > 1)) })
}

// giveUnitBack gives the money of a unit of a sale back that did not come back before, and returns how much that was.
func (t saleFlow) giveUnitBack(tx *store.Tx, e ledger.Entry, order string, usable bool) (ledger.Money, error) {
	u, err := tx.Books().Unit(e.Book, order)
	if err == nil && u.Sale != e.Number {
		err = &ledger.Refusal{Reason: ledger.NotSold}
	}
	if err != nil {
		return 0, err
	}
	_, err = ledger.Return(tx.Books(), e.Book, ledger.Returned{
		// The key names the sale and the unit, and no card: whoever gives it back, and from wherever, writes one entry.
		Who: t.who(fmt.Sprintf("%d.%s", e.Number, order)), Order: order, OffDebt: e.OnCredit(), Customer: e.Customer, Usable: usable,
	}, time.Now())
	return u.Price, err
}
