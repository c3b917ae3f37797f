package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Invite is an open invitation into an account's team. Whoever brings its token first joins; that of one for somebody who
// was chosen is a token in their hands alone.
type Invite struct {
	Hash    string // of the token, which is kept nowhere
	Account string
	Role    Role
	By      int64 // the owner who made it
	Made    time.Time
	Expires time.Time
	rev     uint64
}

// TokenHash is the name of the invitation that a token belongs to.
func TokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// TokenHashFor is the name of the invitation that a token belongs to in the hands of one person, and of nobody else.
func TokenHashFor(token string, user int64) string {
	return TokenHash(token + "." + strconv.FormatInt(user, 10))
}

func invites() codec[Invite] {
	return codec[Invite]{
		kind: KindInvite,
		key:  func(i *Invite) string { return i.Hash },
		rev:  func(i *Invite) *uint64 { return &i.rev },
		due:  func(i *Invite) time.Time { return i.Expires },
	}
}

// Invite reads an invitation by the hash of its token. ErrNotFound.
func (s *Store) Invite(ctx context.Context, hash string) (Invite, error) {
	return read(ctx, s, invites(), hash)
}

// Invite reads an invitation by the hash of its token. ErrNotFound.
func (t *Tx) Invite(hash string) (Invite, error) { return invites().get(t, hash) }

// AddInvite writes a new invitation, and that its account has it. The account is to be put afterwards.
func (t *Tx) AddInvite(a *Account, i Invite) error {
	a.Invites = append(slices.Clone(a.Invites), i.Hash)
	return invites().put(t, &i)
}

// EndInvite removes an invitation: it was used, taken back, or is too old. The account is to be put
// afterwards.
func (t *Tx) EndInvite(a *Account, hash string) error {
	a.Invites = slices.DeleteFunc(slices.Clone(a.Invites), func(h string) bool { return h == hash })
	i, err := t.Invite(hash)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	return invites().remove(t, &i)
}

// EndInvites removes all invitations into an account. The account is to be put afterwards.
func (t *Tx) EndInvites(a *Account) error {
	for _, hash := range slices.Clone(a.Invites) {
		if err := t.EndInvite(a, hash); err != nil {
			return err
		}
	}
	return nil
}

// PruneInvites forgets up to limit invitations that are too old, and tells how many it has found.
func (s *Store) PruneInvites(ctx context.Context, now time.Time, limit int) (int, error) {
	// A claim serves as the list, as in PruneUpdates. What fails is due again after the minute.
	old, err := claim(ctx, s, KindInvite, invites, now, time.Minute, limit)
	if err != nil {
		return 0, err
	}
	for _, i := range old {
		err := s.Batch(ctx, func(tx *Tx) error {
			a, err := tx.Account(i.Account)
			if errors.Is(err, ErrNotFound) {
				return tx.EndInvite(&Account{}, i.Hash)
			}
			if err != nil {
				return err
			}
			if err := tx.EndInvite(&a, i.Hash); err != nil {
				return err
			}
			return tx.PutAccount(&a)
		})
		if err != nil {
			return 0, fmt.Errorf("forget an invitation: %w", err)
		}
	}
	return len(old), nil
}
