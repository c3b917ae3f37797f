package ledger

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// packing is the form that flows are written in: a year of them is read at once. The one before it had no buyers, and is read as well.
const packing, unnamed = 2, 1

var errPacked = errors.New("ledger: not a packed day")

// MarshalText packs flows: numbers of a few bytes, texts with their lengths, accounts in order.
func (f Flows) MarshalText() ([]byte, error) {
	b := []byte{packing}
	number := func(n int64) { b = binary.AppendVarint(b, n) }
	text := func(s string) {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	for _, n := range []int64{int64(f.Entries), int64(f.PaidSales), int64(f.DebtsPaid), int64(f.Bought), int64(f.Refunds), int64(len(f.Accounts))} {
		number(n)
	}
	for _, a := range slices.Sorted(maps.Keys(f.Accounts)) {
		text(string(a))
		number(int64(f.Accounts[a].Debits))
		number(int64(f.Accounts[a].Credits))
	}
	number(int64(len(f.Rows)))
	for _, r := range f.Rows {
		text(r.Product)
		text(r.Name)
		for _, n := range []int64{r.Seller, int64(r.Units), int64(r.Sold), int64(r.Cost)} {
			number(n)
		}
	}
	number(int64(len(f.Buyers)))
	for _, customer := range slices.Sorted(maps.Keys(f.Buyers)) {
		text(customer)
		number(int64(f.Buyers[customer].Units))
		number(int64(f.Buyers[customer].Sold))
	}
	return base64.StdEncoding.AppendEncode(nil, b), nil
}

// UnmarshalText reads packed flows.
func (f *Flows) UnmarshalText(packed []byte) error {
	b, err := base64.StdEncoding.AppendDecode(nil, packed)
	if err != nil || len(b) == 0 || b[0] != packing && b[0] != unnamed {
		return fmt.Errorf("%w: another form", errPacked)
	}
	// Below, the order of the calls is the order of the bytes: Go makes the calls of a statement from left to right.
	u := unpacker{rest: string(b[1:])}
	*f = Flows{
		Entries: int(u.number()), PaidSales: Money(u.number()), DebtsPaid: Money(u.number()), Bought: Money(u.number()), Refunds: Money(u.number()),
	}
	accounts := u.length()
	f.Accounts = make(map[Account]Sums, accounts)
	for range accounts {
		a := Account(u.text())
		f.Accounts[a] = Sums{Money(u.number()), Money(u.number())}
	}
	for range u.length() {
		f.Rows = append(f.Rows, Row{u.text(), u.text(), u.number(), int(u.number()), Money(u.number()), Money(u.number())})
	}
	for range u.buyers(b[0]) {
		if f.Buyers == nil {
			f.Buyers = map[string]Purchases{}
		}
		f.Buyers[u.text()] = Purchases{int(u.number()), Money(u.number())}
	}
	if u.failed || u.rest != "" {
		return errPacked
	}
	return nil
}

// unpacker reads what is left of a packed text. Its texts are parts of it.
type unpacker struct {
	rest   string
	failed bool
}

// buyers is how many customers follow; none in the form before them.
func (u *unpacker) buyers(form byte) int {
	if form == unnamed {
		return 0
	}
	return u.length()
}

// number reads a number; 0 where there is none.
// binary.Varint is not used, as it wants bytes: texts are parts of one string, and take no memory of their own.
func (u *unpacker) number() int64 {
	n := u.unsigned()
	if n&1 != 0 {
		return ^int64(n >> 1)
	}
	return int64(n >> 1)
}

// unsigned reads a number as binary.AppendUvarint writes it.
func (u *unpacker) unsigned() (n uint64) {
	for i := 0; i < len(u.rest) && i < binary.MaxVarintLen64; i++ {
		c := u.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			u.rest = u.rest[i+1:]
			return n
		}
	}
	u.failed, u.rest = true, ""
	return 0
}

// length reads how many things follow: no more than there are bytes.
// A damaged length must not make a map of gigabytes.
func (u *unpacker) length() int {
	n := u.number()
	if n < 0 || n > int64(len(u.rest)) {
		u.failed = true
		return 0
	}
	return int(n)
}

// text reads a text.
func (u *unpacker) text() string {
	n := u.unsigned()
	if n > uint64(len(u.rest)) {
		u.failed = true
		return ""
	}
	s := u.rest[:n]
	u.rest = u.rest[n:]
	return s
}
