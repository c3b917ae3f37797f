// Package dzd is money in Algerian dinars, exact to the ten-thousandth and never a float.
package dzd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/govalues/decimal"
)

// scale is how many decimals an Amount keeps: two for centimes, two more because prices like 1250.505
// have been seen.
const scale = 4

var (
	// ErrNotANumber: the text is not a decimal number.
	ErrNotANumber = errors.New("dzd: not a number")
	// ErrRange: the amount is larger than any wallet: a trillion dinars or more.
	ErrRange = errors.New("dzd: amount out of range")
)

// Amount is an amount of money in DZD. The zero value is no money. Amounts are compared with Cmp or
// Equal, not with ==, which tells 1.5 from 1.50.
type Amount struct{ d decimal.Decimal }

// limit bounds every amount, so that sums of many still fit into the decimal beneath.
func limit() decimal.Decimal { return decimal.MustNew(1_000_000_000_000, 0) }

// Parse reads a number as JSON writes it, exponent included. What is finer than a ten-thousandth is
// rounded half to even: it is noise of somebody's float.
func Parse(s string) (Amount, error) {
	if len(s) > 64 {
		return Amount{}, ErrNotANumber
	}
	d, err := decimal.Parse(s)
	if err != nil {
		return Amount{}, ErrNotANumber
	}
	return bounded(d.Round(scale))
}

// bounded refuses what is out of range.
func bounded(d decimal.Decimal) (Amount, error) {
	if d.CmpAbs(limit()) >= 0 {
		return Amount{}, ErrRange
	}
	return Amount{d.Trim(0)}, nil
}

// Must is Parse for constants; it panics on what is no amount.
func Must(s string) Amount {
	a, err := Parse(s)
	if err != nil {
		panic(fmt.Sprintf("dzd.Must(%q): %v", s, err))
	}
	return a
}

// Int is n dinars. Beyond the range it is the largest amount there is.
func Int(n int64) Amount { return clamped(decimal.MustNew(n, 0), nil) }

// Add is a + b. Beyond the range, which no wallet reaches, the result is the largest amount there is.
func (a Amount) Add(b Amount) Amount { return clamped(a.d.Add(b.d)) }

// Sub is a − b, bounded as Add is.
func (a Amount) Sub(b Amount) Amount { return clamped(a.d.Sub(b.d)) }

// clamped keeps a result within the range.
func clamped(d decimal.Decimal, err error) Amount {
	largest := decimal.MustParse("999999999999.9999")
	switch {
	case err != nil || d.Cmp(largest) > 0:
		return Amount{largest}
	case d.Cmp(largest.Neg()) < 0:
		return Amount{largest.Neg()}
	}
	return Amount{d.Trim(0)}
}

// Mul is the price of n units. ErrRange where that is more than any wallet holds.
func (a Amount) Mul(n int) (Amount, error) {
	factor, err := decimal.New(int64(n), 0)
	if err != nil {
		return Amount{}, ErrRange
	}
	// Exact: a total that was rounded would not be what so many units are charged.
	d, err := a.d.MulExact(factor, min(scale, a.d.Scale()))
	if err != nil {
		return Amount{}, ErrRange
	}
	return bounded(d)
}

// Cmp is -1, 0 or +1 as a is less than, equal to or more than b.
func (a Amount) Cmp(b Amount) int { return a.d.Cmp(b.d) }

// Less reports whether a is less than b.
func (a Amount) Less(b Amount) bool { return a.Cmp(b) < 0 }

// Equal reports whether a and b are the same money.
func (a Amount) Equal(b Amount) bool { return a.Cmp(b) == 0 }

// IsZero reports whether there is no money.
func (a Amount) IsZero() bool { return a.d.IsZero() }

// Sign is -1, 0 or +1.
func (a Amount) Sign() int { return a.d.Sign() }

// String is the amount as a plain decimal number: "1234.5", without exponent or needless zeros.
func (a Amount) String() string { return a.d.Trim(0).String() }

// Decimals takes the amount apart for formatting: the digits before the point, two after it (more only
// where there are more), and whether it is negative.
func (a Amount) Decimals() (whole, frac string, negative bool) {
	s := a.String()
	s, negative = strings.CutPrefix(s, "-")
	whole, frac, _ = strings.Cut(s, ".")
	for len(frac) < 2 {
		frac += "0"
	}
	return whole, frac, negative
}

// MarshalText implements encoding.TextMarshaler: the form of String.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler, as Parse reads.
func (a *Amount) UnmarshalText(text []byte) (err error) {
	*a, err = Parse(string(text))
	return err
}

// UnmarshalJSON reads a JSON number or a string that holds one. null and everything else is an error: an
// absent price is not free.
func (a *Amount) UnmarshalJSON(text []byte) error {
	s := string(text)
	// Without decoding the text: an escape in it is no digit, and is refused by Parse.
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	return a.UnmarshalText([]byte(s))
}

// TenThousandths is the amount as a whole number of the least that it can tell apart.
func (a Amount) TenThousandths() int64 {
	whole, frac, _ := a.d.Int64(scale) // every amount is bounded
	return whole*10_000 + frac
}

// FromTenThousandths is the amount of so many ten-thousandths of a dinar. ErrRange.
func FromTenThousandths(n int64) (Amount, error) {
	d, err := decimal.New(n, scale)
	if err != nil {
		return Amount{}, ErrRange
	}
	return bounded(d)
}
