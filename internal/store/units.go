package store

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Units are numbers of units of a purchase, in order. They are written as "1-6,9".
type Units []int

// String writes them with rows of them joined.
func (u Units) String() string {
	var rows []string
	for i := 0; i < len(u); {
		last := i
		for last+1 < len(u) && u[last+1] == u[last]+1 {
			last++
		}
		row := strconv.Itoa(u[i])
		if last > i {
			row += "-" + strconv.Itoa(u[last])
		}
		rows, i = append(rows, row), last+1
	}
	return strings.Join(rows, ",")
}

// ParseUnits reads what String wrote; most is the highest that there can be. What was not written so is no unit.
func ParseUnits(text string, most int) (u Units) {
	for row := range strings.SplitSeq(text, ",") {
		from, to, isRow := strings.Cut(row, "-")
		first, err := strconv.Atoi(from)
		if err != nil {
			continue
		}
		last := first
		if isRow {
			if last, err = strconv.Atoi(to); err != nil {
				continue
			}
		}
		// Bounded by what there can be: a row that was written badly, "1-999999999", would fill the memory.
		for n := max(first, 1); n <= min(last, most); n++ {
			u = append(u, n)
		}
	}
	return u
}

// Of lists those of some orders that are theirs.
func (u Units) Of(orders []Order) []Order {
	return slices.DeleteFunc(slices.Clone(orders), func(o Order) bool { return !slices.Contains(u, o.Unit) })
}

// partBreak stands between the parts of Told.Filed.
const partBreak = ";"

// Parts are the units that each part of the file of codes has brought, in the order in which they were sent.
func (t Told) Parts(most int) (parts []Units) {
	if t.Filed == "" {
		return nil
	}
	for part := range strings.SplitSeq(t.Filed, partBreak) {
		parts = append(parts, ParseUnits(part, most))
	}
	return parts
}

// WithPart is what was told of p once a part of its file has brought units.
func (t Told) WithPart(p Purchase, orders []Order, u Units) Told {
	if t.Filed == "" {
		t.Filed = p.FiledUnits(orders).String()
	}
	if t.Filed != "" {
		t.Filed += partBreak
	}
	t.Filed += u.String()
	return t
}

// FiledUnits lists the units whose codes have gone out in a file, be it that of its list. An older version has sent one file of
// everything that there was, and has noted how many codes these were.
func (p Purchase) FiledUnits(orders []Order) Units {
	units := slices.Concat(p.Told.Parts(p.Quantity)...)
	if inFile := p.Told.Document || p.List != "" && !p.Apart; inFile && p.Told.Filed == "" {
		coded := Coded(orders)
		// That version sent codes as they came, so its count is of the first ones by time.
		slices.SortStableFunc(coded, func(a, b Order) int { return a.ReadyAt.Compare(b.ReadyAt) })
		for _, o := range coded[:min(p.Told.Codes, len(coded))] {
			units = append(units, o.Unit)
		}
	}
	slices.Sort(units)
	return slices.Compact(units)
}

// Unlisted lists the units whose codes are left to the file of its list: those that it has not brought yet; none where the purchase has a
// message of its own, which brings them.
func (p Purchase) Unlisted(orders []Order) Units {
	if p.Apart {
		return nil
	}
	filed := p.FiledUnits(orders)
	return UnitsOf(slices.DeleteFunc(Coded(orders), func(o Order) bool { return slices.Contains(filed, o.Unit) }))
}

// Coded lists the orders whose code is here.
func Coded(orders []Order) []Order {
	return slices.DeleteFunc(slices.Clone(orders), func(o Order) bool { return o.Code.IsZero() })
}

// UnitsOf lists the numbers of orders.
func UnitsOf(orders []Order) (u Units) {
	for _, o := range orders {
		u = append(u, o.Unit)
	}
	slices.Sort(u)
	return u
}

// FirstReady is when the first of some orders was ready; zero where there is none.
func FirstReady(orders []Order) (at time.Time) {
	for _, o := range orders {
		if at.IsZero() || o.ReadyAt.Before(at) {
			at = o.ReadyAt
		}
	}
	return at
}

// UnitsArg is the argument of a Document that names the units which it was last sent with.
const UnitsArg = "units"

// StatusOf is the message that brings a purchase's own one up to date. Its id is the purchase's, so that several changes before
// it is sent are one edit.
func StatusOf(p Purchase) *Outgoing {
	return &Outgoing{Chat: p.Chat, ID: p.ID, Kind: StatusMessage, Purchase: p.ID, Priority: DeliveryPriority}
}

// FileOf is the message that brings the codes of a big purchase, or those of them that are there.
func FileOf(p Purchase) *Outgoing {
	return &Outgoing{Chat: p.Chat, ID: p.ID + ".d", Kind: Document, Purchase: p.ID, Priority: DeliveryPriority}
}
