package ledger

import (
	"errors"
	"math"
	"math/bits"

	"resellerbot/internal/api/dzd"
)

// Money is an amount in ten-thousandths of a dinar: the service has shown prices like 1250.505. Sums of it are exact, and
// fail where they do not fit.
type Money int64

const (
	// Dinar is one dinar.
	Dinar Money = 10_000
	// Centime is the least that people pay with.
	Centime = Dinar / 100
)

// ErrOverflow: a sum is larger than any that the books can hold.
var ErrOverflow = errors.New("ledger: the sum does not fit")

// Of is an amount as the books count it. Every dzd.Amount fits.
func Of(a dzd.Amount) Money { return Money(a.TenThousandths()) }

// Amount is the same money as the rest of the program shows it. ErrOverflow where it is more than any wallet holds.
func (m Money) Amount() (dzd.Amount, error) {
	a, err := dzd.FromTenThousandths(int64(m))
	if err != nil {
		return dzd.Amount{}, ErrOverflow
	}
	return a, nil
}

// String is the amount as a plain decimal number of dinars.
func (m Money) String() string {
	a, err := m.Amount()
	if err != nil {
		return "beyond any amount"
	}
	return a.String()
}

// Add is m + n. ErrOverflow.
func (m Money) Add(n Money) (Money, error) {
	sum := m + n
	if (sum > m) != (n > 0) && n != 0 {
		return 0, ErrOverflow
	}
	return sum, nil
}

// Sub is m − n. ErrOverflow.
func (m Money) Sub(n Money) (Money, error) {
	if n == math.MinInt64 {
		return 0, ErrOverflow
	}
	return m.Add(-n)
}

// Sum adds amounts. ErrOverflow.
func Sum(all ...Money) (total Money, err error) {
	for _, m := range all {
		if total, err = total.Add(m); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// whole reports whether people can pay or count an amount: no less than nothing, in whole centimes.
func (m Money) whole() bool { return m >= 0 && m%Centime == 0 }

// Split parts a total over weights by the largest remainder: the parts differ from their exact share by less than a unit,
// and add up to the total exactly. Where all weights are zero the parts are equal. unit is what the parts are whole in; a
// total that is not whole in it leaves its rest with the first part. The total and the weights are not negative.
func Split(total Money, weights []Money, unit Money) []Money {
	parts := make([]Money, len(weights))
	if len(weights) == 0 {
		return parts
	}
	var sum uint64
	for _, w := range weights {
		sum += uint64(max(w, 0))
	}
	weigh := func(i int) uint64 { return uint64(max(weights[i], 0)) }
	if sum == 0 {
		sum, weigh = uint64(len(weights)), func(int) uint64 { return 1 }
	}
	units := uint64(max(total, 0) / unit) //nolint:gosec // G115: not negative
	rests := make([]uint64, len(weights))
	left := units
	for i := range parts {
		// 128 bits in between: an amount times a weight does not fit in 64. hi is below sum, as Div64 demands, since a weight is
		// at most the sum and units are below 2^63.
		hi, lo := bits.Mul64(units, weigh(i))
		share, rest := bits.Div64(hi, lo, sum)
		parts[i], rests[i], left = Money(share)*unit, rest, left-share //nolint:gosec // G115: at most units
	}
	// The first of equal rests gets the unit, so that the same split comes out the same each time. Example: 100 over 1, 1 and 1
	// is 34, 33 and 33.
	for ; left > 0; left-- {
		most := 0
		for i := range rests {
			if rests[i] > rests[most] {
				most = i
			}
		}
		parts[most] += unit
		rests[most] = 0
	}
	parts[0] += total % unit
	return parts
}
