package notify

import (
	"context"
	"slices"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	firstPart = 2 * time.Second // codes of a big purchase wait that long for others, before the first part of its file
	laterPart = 2 * time.Minute // and before a later one at most

	statusWait = 3 * time.Second       // a status message waits so long for a part, rather than to take its place in the chat's limit
	behindFile = 20 * time.Millisecond // and goes so long behind it
)

// partWait is how long codes wait for the rest of a purchase of which some parts have gone out. It doubles with each, so
// that units that come one by one are not a file each.
func partWait(parts int) time.Duration {
	// Example: 2 s before the first part, then 4, 8 … 64 s, and 2 minutes once six have gone out. The shift is bounded, for that of many
	// parts would overflow.
	return min(firstPart<<min(parts, 10), laterPart)
}

// part is what goes out next of a file of codes.
type part struct {
	units store.Units
	due   time.Time // when it goes out
	again bool      // it may have arrived already
	first bool
	last  bool
}

// nextPart is the part of a purchase's file that a row is to bring: the codes that no part has brought. One that may have
// arrived goes out again as it was.
func nextPart(p store.Purchase, orders []store.Order, row store.Outgoing, now time.Time) part {
	filed, coded := p.FiledUnits(orders), store.Coded(orders)
	left := slices.DeleteFunc(slices.Clone(coded), func(o store.Order) bool { return slices.Contains(filed, o.Unit) })
	n := part{
		units: store.UnitsOf(left), first: len(filed) == 0,
		last: !slices.ContainsFunc(orders, func(o store.Order) bool { return o.State == store.Waiting }),
	}
	// Units that were filed have more codes by now than the chat was told of: the service shows another one beside the first
	// (Order.Later).
	changed := store.CountCodes(orders)-store.CountCodes(left) > p.Told.Codes && !n.first
	sent := store.ParseUnits(row.Args[store.UnitsArg], p.Quantity)
	arrived := slices.ContainsFunc(sent, func(u int) bool { return slices.Contains(filed, u) }) // and there was more to bring since
	n.again = row.Sent && !arrived || n.first && p.Told.Codes > 0
	switch {
	case changed: // the service shows other codes than before: they go out with the first ones
		n.units = append(n.units, store.UnitsOf(slices.DeleteFunc(coded, func(o store.Order) bool { return len(o.Later) == 0 }))...)
		slices.Sort(n.units)
		n.units = slices.Compact(n.units)
	case row.Sent && !arrived && len(sent) > 0:
		n.units, n.last = sent, n.last && len(sent) == len(n.units)
	// A row that was tried has waited by its back-off already.
	case !n.last && row.Tries == 0 && len(left) > 0:
		wait := partWait(len(p.Told.Parts(p.Quantity)))
		n.due = store.FirstReady(left).Add(wait)
		if late := now.Add(wait); n.due.After(late) { // the clock was put back
			n.due = late
		}
	}
	return n
}

// document sends the codes of a big purchase as a file, in parts where some of its units take longer than others: no unit is
// in two of them. The first part makes the phone of a private chat ring; in a group a ping does. Without a code there is no
// file.
func (d *Deliverer) document(ctx context.Context, v *delivery) error {
	n := nextPart(v.purchase, v.orders, v.row, time.Now())
	switch {
	case len(n.units) == 0 || v.reader.Hides(): // there it is asked for
		return errObsolete
	case n.due.After(time.Now()):
		return tooEarlyError{n.due}
	}
	v.row.Args = map[string]string{store.UnitsArg: n.units.String()}
	if err := d.sending(ctx, v); err != nil {
		return err
	}
	// From here on v.purchase is changed before the outcome is known. Only delivered writes it, and compares it with v.told: after an
	// error nothing of this is kept.
	told, loud := &v.purchase.Told, n.first && v.home.ID > 0
	shown := v.purchase
	shown.Told.MaybeSent = told.MaybeSent || n.again
	_, err := d.send(ctx, v, d.partOf(v, shown, n), telegram.SendOptions{Silent: !loud, ReplyTo: v.purchase.Message})
	v.purchase.Told = v.purchase.Told.WithPart(v.purchase, v.orders, n.units)
	filed := v.purchase.FiledUnits(v.orders)
	told.Document, told.Codes = true, max(told.Codes, store.CountCodes(filed.Of(v.orders)))
	// delivered queues the file once more, in the transaction in which this row goes.
	v.more = len(filed) < len(store.Coded(v.orders))
	told.MaybeSent = told.MaybeSent || n.again && n.last
	if loud {
		told.Pinged++
		d.rememberPing(v.home.ID)
	}
	return err
}

// partOf renders a part of a file, or all of it.
func (d *Deliverer) partOf(v *delivery, p store.Purchase, n part) screen.Message {
	if n.first && n.last {
		return v.show.Document(p, v.orders)
	}
	return v.show.Part(p, v.orders, n.units, n.last)
}

// waitsForRest reports whether a row waits for more codes to go out with: then others need not wait for it.
func waitsForRest(row store.Outgoing, home store.Chat, now time.Time) bool {
	return row.Kind == store.Document && row.Tries == 0 && !row.Sending && home.Unreachable.IsZero() && row.Due.After(now)
}

// goesBehindFile tells whether a status message lets a part of a file go first, and when it is due then. Codes are what people
// wait for, and how many of them have come is told once by that.
func goesBehindFile(row store.Outgoing, rows []store.Outgoing, home store.Chat, now time.Time) (due time.Time, waits bool) {
	if row.Kind != store.StatusMessage || row.Tries > 0 || row.Sending || !home.Unreachable.IsZero() {
		return due, false
	}
	for _, file := range rows {
		first := file.Kind == store.Document && file.Purchase == row.Purchase && file.Tries == 0 && !file.Sending
		if due = laterOf(file.Due, now).Add(behindFile); first && due.Sub(now) < statusWait {
			return due, true
		}
	}
	return due, false
}

// waitForRest puts a row off until its moment, unless it was enqueued anew: then it has another one.
func (d *Deliverer) waitForRest(ctx context.Context, row store.Outgoing, due time.Time) {
	d.change(ctx, "let a part of a file wait", func(tx *store.Tx) error {
		now, err := tx.Outgoing(row.Chat, row.ID)
		if err != nil || !now.Due.Equal(row.Due) {
			return unlessGone(err)
		}
		// Sending that an ended process has left is in Sent by now (deliver): this try has sent nothing.
		now.Due, now.Sent, now.Sending = due, row.Sent, false
		return tx.Retry(now)
	})
}
