package screen

import (
	"resellerbot/internal/store"
)

// Reader is who looks at a screen, as far as that changes what it may show. The zero Reader is an owner in
// private.
type Reader uint8

// The readers.
const (
	ForOwner         Reader = iota
	ForSeller               // a seller in private: nothing of the wallet, and no decision
	ForShop                 // whoever stands by, in a group or at the counter: codes are shown to those who ask for them
	ForShopInFull           // the same where an owner wants codes to be seen
	ForCounter              // as ForShop, for somebody who is not to see what anything has cost
	ForCounterInFull        // as ForShopInFull, where somebody reads along who is not to see that
)

// ReaderOf is who looks at a private chat by their role.
func ReaderOf(r store.Role) Reader {
	switch r {
	case store.Seller:
		return ForSeller
	case store.Counter:
		return ForShop
	}
	return ForOwner
}

// Hides reports whether codes are only shown to a reader who asks for them.
func (r Reader) Hides() bool { return r == ForShop || r == ForCounter }

// As is the printer for another reader.
func (p Printer) As(r Reader) Printer {
	// A counter is whoever stands by in all but this.
	// costless is set either way, so As comes first: what WithoutCost has said before it would be lost.
	switch p.costless = r == ForCounter || r == ForCounterInFull; r { //nolint:exhaustive // the others are what they are
	case ForCounter:
		r = ForShop
	case ForCounterInFull:
		r = ForShopInFull
	}
	p.reader = r
	return p
}

// WithoutCost is the printer for somebody who is not to see what anything has cost, whoever they read as.
func (p Printer) WithoutCost() Printer {
	p.costless = true
	return p
}

// WithoutWallet is the printer for somebody who is not to see the wallet, nor to decide: an owner reads as a seller does.
func (p Printer) WithoutWallet() Printer {
	if p.reader == ForOwner {
		p.reader = ForSeller
	}
	return p
}

// For is the printer for one person, who is told what they did as theirs; in a group it is for nobody in particular.
func (p Printer) For(chat int64) Printer {
	p.user = max(chat, 0)
	return p
}

// WithoutBuying is the printer for somebody who may buy nothing, whoever they read as: what they would be refused is not
// offered.
func (p Printer) WithoutBuying() Printer {
	p.forbidden = true
	return p
}

// hides reports whether codes are only shown to who asks for them.
func (p Printer) hides() bool { return p.reader == ForShop }

// buys reports whether the reader may buy: whoever is at the counter, in private, may not.
// In a group (user is 0) sellers read the same message as who stands by: the button stays, and a tap of somebody who may not buy is
// refused.
func (p Printer) buys() bool { return !p.forbidden && (p.reader != ForShop || p.user == 0) }
