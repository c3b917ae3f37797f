package store_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// TestClaimIsOfEveryName: an order is its purchase's under each of its names, in any spelling, and nobody else's.
func TestClaimIsOfEveryName(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		for _, o := range []store.Order{
			{Account: "u1", Purchase: "p1", ID: "arena:5", Origin: "arena", Other: "T-1"},
			{Account: "u1", Purchase: "p1", ID: "ORD-a1"},
		} {
			if err := tx.ClaimOrder(o); err != nil {
				t.Errorf("claim %s: %v", o.ID, err)
			}
		}
		for _, name := range []string{"arena:5", "arena:005", "arena: 5", "arena:T-1", "arena:t-1", "ord-A1", "ORD-a1 "} {
			if c, err := tx.OrderClaim(name); err != nil || c.Purchase != "p1" {
				t.Errorf("%q belongs to %q, %v", name, c.Purchase, err)
			}
		}
		for _, name := range []string{"5", "legacy:5", "arena:50", "T-1", "ord-a11"} {
			if c, err := tx.OrderClaim(name); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%q belongs to %q, %v", name, c.Purchase, err)
			}
		}
		return nil
	})
	h.do(func(tx *store.Tx) error {
		other := store.Order{Account: "u1", Purchase: "p2", ID: "arena:6", Origin: "arena", Other: "t-1"}
		if err := tx.ClaimOrder(other); !errors.Is(err, store.ErrClaimed) {
			t.Errorf("the second purchase gets it under its other name: %v", err)
		}
		if c, err := tx.OrderClaim("arena:6"); err != nil || c.Purchase != "p2" {
			t.Errorf("its own name is %q's, %v", c.Purchase, err)
		}
		return nil
	})
}

// TestCodesInAnySpelling: a code is its purchase's however it is spelled. One that may be another code for its capitals
// is the other purchase's own, and told to be alike.
func TestCodesInAnySpelling(t *testing.T) {
	h := newHarness(t)
	first, second := store.Order{Account: "u1", Purchase: "p1", ID: "1"}, store.Order{Account: "u1", Purchase: "p2", ID: "2"}
	claim := func(o store.Order, code string) (other string, err error) {
		h.do(func(tx *store.Tx) error {
			c, failed := tx.ClaimCode(o, secret.New(code))
			other, err = c.Purchase, failed
			return nil
		})
		return other, err
	}
	for _, code := range []string{"AAAA-1111-BBBB", "aAbB-2222-cCdD", "ABCD-EFGH-IJKL", "https://x.dz/AbC-123"} {
		if other, err := claim(first, code); other != "" || err != nil {
			t.Fatalf("%s: %q, %v", code, other, err)
		}
		if other, err := claim(first, strings.ToLower(code)); other != "" || err != nil {
			t.Errorf("%s in small letters, for the same purchase: %q, %v", code, other, err)
		}
	}
	for code, want := range map[string]error{
		"AAAA-1111-BBBB": store.ErrClaimed, "AAAA 1111 BBBB": store.ErrClaimed, "aaaa1111bbbb": store.ErrClaimed, "AaAa1111BbBb": store.ErrClaimed,
		"\u2066AAAA\u20131111\u2014BBBB\u2069": store.ErrClaimed, "aAbB2222cCdD": store.ErrClaimed, "AABB-2222-CCDD": store.ErrClaimed,
		"AaBb-2222-CcDd": store.ErrAlike, "abcdefghijkl": nil, "abcd-efgh-ijkl": nil, "ABCD EFGH IJKL": store.ErrClaimed,
		"https://x.dz/aBc123": store.ErrAlike, "AAAA-1111-BBBC": nil, "AAAA_1111_BBBB": nil, "done": nil,
	} {
		other, err := claim(second, code)
		if !errors.Is(err, want) || (want == nil) != (err == nil) || (other == "p1") != (want != nil) {
			t.Errorf("%s: %q, %v; want %v", code, other, err, want)
		}
		if errors.Is(want, store.ErrAlike) {
			if other, err := claim(second, code); other != "" || err != nil {
				t.Errorf("%s once more: %q, %v", code, other, err)
			}
		}
	}
}

// TestSpellings: what is found among many is what a look at each of them finds.
func TestSpellings(t *testing.T) {
	letters := rapid.SampledFrom([]rune("aAbB1kK\u212aſsS- \u200bσςΣİi\xff"))
	rapid.Check(t, func(t *rapid.T) {
		codes := rapid.SliceOfN(rapid.StringOfN(letters, 0, 4, -1), 1, 30).Draw(t, "codes")
		among := store.Spellings{}
		for i, text := range codes {
			code, one := secret.New(text), false
			for _, other := range codes[:i] {
				one = one || store.SameCode(code, secret.New(other))
			}
			if among.Has(code) != one {
				t.Fatalf("%q among %q: %v, want %v", text, codes[:i], among.Has(code), one)
			}
			among.Add(code)
		}
	})
}
