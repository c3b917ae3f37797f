package sim

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
)

// AccountSpec is an account to add. Balance and Held are in DZD; what is held cannot be spent. Mode is
// which generations its key sees; the server's when empty.
type AccountSpec struct {
	Key, Name, Email string
	UserID           int64
	Balance, Held    string
	Mode             Mode
}

type account struct {
	AccountSpec

	balance, held dzd.Amount
	blocked       bool
	addresses     []string // those let in; nil: all
	entries       []Entry  // of the wallet's books
}

// credential is a key of an account.
type credential struct {
	account *account
	expiry  time.Time              // the key is invalid from then on; zero: never
	sent    map[string][]time.Time // calls in the last minute, by method
}

func newCredential(a *account) *credential {
	return &credential{account: a, sent: map[string][]time.Time{}}
}

// account is the account of a key, nil for none; s.mu is held.
func (s *Server) account(key string) *account {
	if c := s.keys[key]; c != nil {
		return c.account
	}
	return nil
}

// AddAccount adds an account with its key.
func (s *Server) AddAccount(spec AccountSpec) error {
	a := &account{AccountSpec: spec}
	if !slices.Contains([]Mode{"", Current, Legacy, Both}, spec.Mode) {
		return fmt.Errorf("mode of %s: there is no mode %q", spec.Name, spec.Mode)
	}
	var err error
	if a.balance, err = dzd.Parse(cmp.Or(spec.Balance, "0")); err != nil {
		return fmt.Errorf("balance of %s: %w", spec.Name, err)
	}
	if a.held, err = dzd.Parse(cmp.Or(spec.Held, "0")); err != nil {
		return fmt.Errorf("held of %s: %w", spec.Name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// walletAt needs one entry at least: a reading that lags behind the opening shows this one.
	a.record(s.now(), Opened, nil)
	s.keys[spec.Key] = newCredential(a)
	return nil
}

// SetBalance changes what the wallet of a key holds, in DZD. A balance that cannot be read panics.
func (s *Server) SetBalance(key, balance string) {
	amount := dzd.Must(balance)
	s.changeAccount(key, func(a *account) { a.balance = amount })
}

// ExpireKey makes a key invalid now.
func (s *Server) ExpireKey(key string) { s.SetExpiry(key, s.now()) }

// SetExpiry makes a key invalid from a time on; the zero time makes it valid for ever.
func (s *Server) SetExpiry(key string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.keys[key]; c != nil {
		c.expiry = at
	}
}

// BlockAddress makes the account refuse the caller's address, or take it again.
func (s *Server) BlockAddress(key string, blocked bool) {
	s.changeAccount(key, func(a *account) { a.blocked = blocked })
}

// SetWhitelist makes the account take requests from these IP addresses only. nil lifts the restriction;
// an empty list lets nobody in.
func (s *Server) SetWhitelist(key string, addresses []string) {
	s.changeAccount(key, func(a *account) { a.addresses = slices.Clone(addresses) })
}

func (s *Server) changeAccount(key string, set func(*account)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now) // what is due belongs to the balance before the change
	if a := s.account(key); a != nil {
		before := a.balance
		// Most changes here are none of the money (blocked, mode, whitelist), and are no entry.
		if set(a); !a.balance.Equal(before) {
			a.record(now, Moved, nil)
		}
	}
}

// available is what the account can spend.
func (a *account) available() dzd.Amount { return a.balance.Sub(a.held) }

// expired reports whether the key is invalid by now.
func (c *credential) expired(now time.Time) bool { return !c.expiry.IsZero() && !now.Before(c.expiry) }

// lets reports whether the account takes requests from a remote address, as http.Request has it.
func (a *account) lets(remote string) bool {
	if a.blocked || a.addresses == nil {
		return !a.blocked
	}
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	return slices.ContainsFunc(a.addresses, func(one string) bool { return sameAddress(one, host) })
}

// sameAddress compares addresses by what they mean, where they can be read.
func sameAddress(one, other string) bool {
	a, errA := netip.ParseAddr(one)
	b, errB := netip.ParseAddr(other)
	if errA != nil || errB != nil {
		return one == other
	}
	return a.Unmap() == b.Unmap()
}

// spend counts a call of a method against its limit, or reports that there have been too many in the
// last minute. A negative limit is none.
func (c *credential) spend(method string, limit int, now time.Time) bool {
	sent := c.sent[method]
	// A window that slides: a call counts for exactly 60 seconds, and calls of other methods do not count.
	for len(sent) > 0 && now.Sub(sent[0]) >= time.Minute {
		sent = sent[1:]
	}
	if limit >= 0 && len(sent) >= limit {
		return false
	}
	c.sent[method] = append(sent, now)
	return true
}

// admit checks the key, the address and the limits (reseller-api.md, Authentication and Limits).
func (s *Server) admit(r *http.Request, now time.Time) (*account, reply) {
	key := r.Header.Get("X-Api-Key")
	if key == "" {
		return nil, refuse(http.StatusUnauthorized, "API key is required")
	}
	c := s.keys[key]
	if c == nil || c.expired(now) {
		return nil, refuse(http.StatusUnauthorized, "Invalid API key")
	}
	a := c.account
	if !a.lets(r.RemoteAddr) {
		return nil, refuse(http.StatusForbidden, "IP address not allowed")
	}
	limit := s.gets
	if r.Method == http.MethodPost {
		limit = s.posts
	}
	if !c.spend(r.Method, limit, now) {
		no := refuse(http.StatusTooManyRequests, "Too Many Requests")
		// One second, or 0 for no such header: a client must not rely on it. A free place may take up to a minute all the same.
		no.wait = s.shape.pick("retry after", 2)
		return nil, no
	}
	return a, reply{}
}
