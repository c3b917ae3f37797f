package store

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/api/orderid"
	"resellerbot/internal/secret"
)

// Claim is that an order of the service, or a code, belongs to a purchase. There is one record for each, so that
// two purchases cannot have the same in silence.
type Claim struct {
	Key      string `json:"-"` // it is the record's: half of the value would be it
	Account  string
	Purchase string
	// Mixed is of the claim of a code in small letters: capital and small letters both stand in it. Spelling is how it is spelled
	// then, keyed.
	Spelling string
	Mixed    bool
	rev      uint64
}

// ErrClaimed: an order or a code belongs to another purchase already.
var ErrClaimed = errors.New("it belongs to another purchase")

// ErrAlike: a code is another purchase's but for capital and small letters, of which both have both. Where these
// matter, they are two codes: it was made the purchase's own all the same.
var ErrAlike = errors.New("another purchase has a code of the same letters")

const (
	markKeySize    = 32 // bytes
	claimPage      = 256
	shortestUnique = 6 // characters of a code that is taken to be nobody else's
	claimForm      = 5 // of the keys of claims: 1 was before ids were folded, and orders claimed under all their names; up to 4, codes were claimed otherwise
)

func claimed() codec[Claim] {
	return codec[Claim]{
		kind:   KindClaim,
		key:    func(c *Claim) string { return c.Key },
		rev:    func(c *Claim) *uint64 { return &c.rev },
		packed: always[Claim],
		named:  func(c *Claim, key string) { c.Key = key },
	}
}

// keyed is a text that nobody gets back without the store's own key.
func keyed(mark []byte, text string) string {
	h := hmac.New(sha256.New, mark)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// A code has up to two claims. foldedKey is that of its small letters: it is written for the first code of these letters. codeKey is that
// of its letters as they are: it is written only for a second code that differs from the first by capitals alone, where both have capitals
// and small letters. Example: "abCD-1234" has the folded claim, with its spelling. "ABCD1234" is the same code. "AbCd1234" may be another
// one (ErrAlike), and gets a claim by codeKey. Stores of before have claims by codeKey for all codes: both are always looked for.

// codeKey is the key of a code's claim, however blanks and dashes are set in it. One without them has the key that it had
// when codes were claimed as they are spelled.
func codeKey(mark []byte, code secret.Text) string { return "code/" + keyed(mark, bare(code.Reveal())) }

// foldedKey is the key of a code's claim, however capitals are set in it as well.
func foldedKey(mark []byte, code secret.Text) string {
	return "folded/" + keyed(mark, strings.ToLower(bare(code.Reveal())))
}

// bare is a code without what may stand in it or not: blanks, dashes and what is not seen.
func bare(code string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Pd, unicode.Cf) {
			return -1
		}
		return r
	}, code)
}

// isMixed reports whether capital and small letters both stand in a code: it may differ from another by that alone.
func isMixed(code string) bool { return strings.ToLower(code) != code && strings.ToUpper(code) != code }

// SameCode reports whether two texts are one code, however blanks, dashes and capitals are set in them. Where both have
// capitals and small letters, others than these are another code.
func SameCode(a, b secret.Text) bool {
	x, y := bare(a.Reveal()), bare(b.Reveal())
	return x == y || strings.EqualFold(x, y) && (!isMixed(x) || !isMixed(y))
}

// Spellings are codes among which one is found in any spelling, without a look at each of them.
type Spellings map[string][]secret.Text

// Add puts a code among them.
func (s Spellings) Add(code secret.Text) {
	key := folded(bare(code.Reveal()))
	s[key] = append(s[key], code)
}

// Has reports whether one of them is the same code, as SameCode has it.
func (s Spellings) Has(code secret.Text) bool {
	return slices.ContainsFunc(s[folded(bare(code.Reveal()))], func(other secret.Text) bool { return SameCode(code, other) })
}

// folded is a text in the letters that stand for all that strings.EqualFold takes for the same.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, text)
}

// Respelled reports whether a text tells nothing that a code which was there before has not told. One with capitals and
// small letters does, where that had none of either: they may matter.
func Respelled(was, now secret.Text) bool {
	return SameCode(was, now) && (bare(was.Reveal()) == bare(now.Reveal()) || !isMixed(now.Reveal()))
}

// orderClaim is the key of an order's claim, whoever's account it is in and however its id is spelled.
func orderClaim(id string) string {
	if origin, number, ok := strings.Cut(id, ":"); ok {
		return "order/" + strings.ToLower(origin) + ":" + orderid.Fold(number)
	}
	return "order/" + orderid.Fold(id)
}

// Telling reports whether a code can be told from those of other orders. Words that people write, as "done",
// are no such code; capitals in groups of one length are. Example: "delivered" is none, "A1B2C3" and "ABCD-EFGH-IJKL" are. A code that is
// taken for one though it is none would keep the same words of another order from being delivered.
func Telling(code secret.Text) bool {
	text := strings.TrimSpace(code.Reveal())
	return utf8.RuneCountInString(text) >= shortestUnique && (strings.ContainsFunc(text, unicode.IsDigit) || isGrouped(text))
}

// isGrouped reports whether a text is three groups of capitals or more, all of one length.
func isGrouped(text string) bool {
	groups := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) })
	return len(groups) > 2 && len(groups[0]) > 2 && !slices.ContainsFunc(groups, func(group string) bool {
		return len(group) != len(groups[0]) || strings.ContainsFunc(group, func(r rune) bool { return !unicode.IsUpper(r) })
	})
}

// ClaimOrder makes an order a purchase's own under all its names, whatever account it was bought with. ErrClaimed where
// another purchase has one of them: the one that came first keeps it.
func (t *Tx) ClaimOrder(o Order) (err error) {
	// Every name is tried, also behind one that is claimed: the purchase keeps those that are free.
	for _, name := range o.Names() {
		claimed := t.claim(Claim{Key: orderClaim(name), Account: o.Account, Purchase: o.Purchase})
		if claimed != nil && !errors.Is(claimed, ErrClaimed) {
			return claimed
		}
		err = cmp.Or(err, claimed)
	}
	return err
}

// OrderClaim finds whose an order is, by its ID. ErrNotFound where it is nobody's.
func (t *Tx) OrderClaim(id string) (Claim, error) { return claimed().get(t, orderClaim(id)) }

// ClaimCode makes a code a purchase's own, in any spelling. ErrClaimed where another purchase has it; ErrAlike where
// it has become the purchase's own, and another purchase has one of the same letters: other is that one's claim. A code
// that cannot be told from others is nobody's.
func (t *Tx) ClaimCode(o Order, code secret.Text) (other Claim, err error) {
	if !Telling(code) {
		return other, nil
	}
	c, err := codeClaim(t.codeAt, t.mark, code)
	switch {
	// Without ErrAlike the two are one code (codeClaim).
	case err == nil && c.Purchase != o.Purchase:
		return c, fmt.Errorf("order %s: %w", o.ID, ErrClaimed)
	case errors.Is(err, ErrAlike) && c.Purchase != o.Purchase:
		other = c
	case err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrAlike):
		return other, err
	}
	// Under its small letters a code is found in any capitals. Under its letters as they are it has a claim only where another one has
	// the small ones: before, every code had both, and what looks for one finds either.
	own := Claim{Key: foldedKey(t.mark, code), Account: o.Account, Purchase: o.Purchase}
	switch text := code.Reveal(); {
	case errors.Is(err, ErrAlike):
		own.Key = codeKey(t.mark, code)
	case isMixed(text):
		own.Spelling, own.Mixed = keyed(t.mark, bare(text)), true
	}
	if err := t.claim(own); err != nil && !errors.Is(err, ErrClaimed) {
		return other, err
	}
	if other.Purchase != "" {
		return other, fmt.Errorf("order %s: %w", o.ID, ErrAlike)
	}
	return other, nil
}

// IsCodeNew reports whether no purchase has a code of these letters, so that no order shows it in any spelling. Of one that
// cannot be told from others that is not known.
func (t *Tx) IsCodeNew(code secret.Text) (bool, error) {
	if !Telling(code) {
		return false, nil
	}
	_, err := t.codeAt(foldedKey(t.mark, code))
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return false, err
}

// codeAt reads a claim by its key.
func (t *Tx) codeAt(key string) (Claim, error) { return claimed().get(t, key) }

// codeClaim finds whose a code is, with the capitals that it has or with others. ErrAlike comes with the claim of one that
// may be another code, of the same letters.
func codeClaim(at func(key string) (Claim, error), mark []byte, code secret.Text) (Claim, error) {
	// The exact letters first: under the folded key stands the first code of these letters, which may be another one's.
	if c, err := at(codeKey(mark, code)); !errors.Is(err, ErrNotFound) {
		return c, err
	}
	c, err := at(foldedKey(mark, code))
	if err == nil && c.Mixed && isMixed(code.Reveal()) && c.Spelling != keyed(mark, bare(code.Reveal())) {
		return c, ErrAlike
	}
	return c, err
}

// claim writes a claim down, unless it is there.
//
// It rests on the absence of a key, which it inserts itself: of two transactions that claim the same, the second one finds the claim, or
// its write fails with ErrConflict.
func (t *Tx) claim(own Claim) error {
	c, err := claimed().get(t, own.Key)
	switch {
	case errors.Is(err, ErrNotFound):
		return claimed().put(t, &own)
	case err != nil:
		return err
	case c.Purchase != own.Purchase:
		return fmt.Errorf("purchase %s: %w", own.Purchase, ErrClaimed)
	}
	return nil
}

// CodeClaim finds whose a code is, however it is spelled. ErrNotFound where it is nobody's.
func (s *Store) CodeClaim(ctx context.Context, code secret.Text) (Claim, error) {
	if !Telling(code) {
		return Claim{}, ErrNotFound
	}
	c, err := codeClaim(func(key string) (Claim, error) { return read(ctx, s, claimed(), key) }, s.mark, code)
	// Another code, for all that is known: nobody has this one.
	if errors.Is(err, ErrAlike) {
		return Claim{}, ErrNotFound
	}
	return c, err
}

// OrderClaim finds whose an order is, by the ID that the store gives it, whatever account it was bought with.
// ErrNotFound where it is nobody's.
func (s *Store) OrderClaim(ctx context.Context, id string) (Claim, error) {
	return read(ctx, s, claimed(), orderClaim(id))
}

// beginClaims sees to it that the store has a key for claims, and that the orders of a store which is older than
// claims have theirs. Stopped at any moment, it goes on from the first order at the next start.
func (s *Store) beginClaims(ctx context.Context) error {
	m, version, err := s.meta(ctx)
	if err != nil {
		return err
	}
	// The key is made once for the life of the store: with another one, no code would find its claim.
	if len(m.MarkKey) == 0 {
		mark := make([]byte, markKeySize)
		rand.Read(mark)
		if m.MarkKey, err = s.keyring.Seal(mark, string(KindMeta), metaKey, "mark_key"); err != nil {
			return err
		}
		if version, err = s.putMeta(ctx, m, version); err != nil {
			return err
		}
	}
	if s.mark, err = s.keyring.Open(m.MarkKey, string(KindMeta), metaKey, "mark_key"); err != nil {
		return fmt.Errorf("open the key of claims: %w", err)
	}
	if m.Claims == claimForm {
		return nil
	}
	if err := s.claimAll(ctx); err != nil {
		return fmt.Errorf("claim the orders of before: %w", err)
	}
	// Last: until then, a start claims all orders again.
	m.Claims = claimForm
	_, err = s.putMeta(ctx, m, version)
	return err
}

// claimAll writes the claims of all orders that there are. Of two purchases with the same, the first one that is
// found has it.
func (s *Store) claimAll(ctx context.Context) error {
	for after := ""; ; {
		page, err := list(ctx, s, orders(), "", after, claimPage)
		if err != nil || len(page) == 0 {
			return err
		}
		if err := s.Update(ctx, func(tx *Tx) error { return tx.claimEach(page) }); err != nil {
			return err
		}
		last := page[len(page)-1]
		after = orderKey(last.Account, last.ID)
	}
}

// claimEach writes the claims of some orders, but for those that another purchase has.
func (t *Tx) claimEach(page []Order) error {
	for _, o := range page {
		if err := ignoring(t.ClaimOrder(o), ErrClaimed); err != nil {
			return err
		}
		if o.Topup {
			continue
		}
		for _, code := range o.Codes() {
			_, err := t.ClaimCode(o, code)
			if err := ignoring(ignoring(err, ErrClaimed), ErrAlike); err != nil {
				return err
			}
		}
	}
	return nil
}

// putMeta writes what the store knows of itself.
func (s *Store) putMeta(ctx context.Context, m meta, version uint64) (next uint64, err error) {
	text, err := json.Marshal(m)
	if err != nil {
		return 0, err
	}
	err = s.engine.Update(ctx, func(tx RecordTx) error {
		next, err = tx.Put(Record{Kind: KindMeta, Key: metaKey, Value: text, Version: version})
		return err
	})
	return next, err
}
