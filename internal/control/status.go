package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/store"
)

const (
	page       = 500
	mostRead   = 20_000 // records of a kind that one answer reads at most
	mostNamed  = 20     // purchases that one answer names
	slowTurn   = 5 * time.Minute
	slowCode   = time.Hour
	mostParked = 20
)

// status reads how the bot is.
func (s *Server) status(ctx context.Context) (st Status, err error) {
	st = Status{
		Version: s.cfg.Version, Started: s.started, Now: time.Now(), Troubles: s.cfg.Troubles(), Copies: s.cfg.Copies(), Jobs: s.cfg.Jobs.list(),
	}
	if st.Size, st.Most, err = s.cfg.Size(); err != nil {
		return st, fmt.Errorf("ask how big the database is: %w", err)
	}
	due, some, err := s.cfg.Store.NextDue(ctx, store.KindOrder)
	if err != nil {
		return st, fmt.Errorf("ask when orders are due: %w", err)
	}
	if some {
		st.Orders = &due
	}
	for _, read := range []func(context.Context, *Status) error{s.purchases, s.accounts, s.messages, s.updates} {
		if err := read(ctx, &st); err != nil {
			return st, err
		}
	}
	return st, nil
}

// list is every job by its name.
func (j *Jobs) list() []Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	var all []Job
	for _, job := range j.byName {
		all = append(all, job)
	}
	slices.SortFunc(all, func(a, b Job) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// purchases counts those that are open, and names those that somebody should know of.
func (s *Server) purchases(ctx context.Context, st *Status) error {
	st.Open = map[string]int{}
	after := ""
	// Counts stop at mostRead: the answer is for people who wait for it (patience in client.go).
	for range mostRead / page {
		list, err := s.cfg.Store.OpenPurchases(ctx, after, page)
		if err != nil {
			return err
		}
		for _, p := range list {
			st.Open[string(p.Phase)]++
			after = p.ID
			switch {
			case !isStuck(p, st.Now):
			case len(st.Stuck) == mostNamed:
				st.MoreStuck++
			default:
				st.Stuck = append(st.Stuck, lineOf(p))
			}
		}
		if len(list) < page {
			return nil
		}
	}
	return nil
}

// isStuck reports whether an open purchase does not go on as it should.
func isStuck(p store.Purchase, now time.Time) bool {
	switch age := now.Sub(phaseSince(p)); p.Phase {
	case store.Unknown, store.Undecided:
		return true
	case store.Queued, store.Submitting:
		return age > slowTurn
	default:
		return age > slowCode
	}
}

// phaseSince is since when a purchase is in its phase.
func phaseSince(p store.Purchase) time.Time {
	if n := len(p.History); n > 0 {
		return p.History[n-1].At
	}
	return p.CreatedAt
}

// lineOf is what a line says of a purchase.
func lineOf(p store.Purchase) Purchase {
	return Purchase{
		ID: p.ID, Ref: "#" + store.Ref(p.ID), Phase: string(p.Phase), Since: phaseSince(p), Account: p.Account,
		Item: fmt.Sprintf("%s %s × %d", p.Product, p.Variant, p.Quantity), Total: p.Total.String(), LookAt: p.LookAt,
	}
}

// accounts names those that may not spend as they are.
func (s *Server) accounts(ctx context.Context, st *Status) error {
	after := ""
	for range mostRead / page {
		list, err := s.cfg.Store.Accounts(ctx, after, page)
		if err != nil {
			return err
		}
		for _, a := range list {
			after = a.ID
			if a.Retired || a.Same != "" {
				continue
			}
			st.Accounts++
			if why := holds(a); len(why) > 0 {
				st.Held = append(st.Held, Account{a.ID, a.Name, len(a.Queue), why})
			}
		}
		if len(list) < page {
			return nil
		}
	}
	return nil
}

// holds lists what keeps an account from spending.
func holds(a store.Account) (why []string) {
	const clock = "15:04 on 2006-01-02 UTC"
	if a.Frozen {
		why = append(why, "frozen since it was restored, until it is known what was bought after the copy")
	}
	switch l := a.Locked; {
	case l == nil:
	case l.Restored:
		why = append(why, "locked: an owner has to confirm the restored team with /unlock in the chat")
	default:
		why = append(why, fmt.Sprintf("locked by %q at %s; bot unlock %s allows it again", l.Name, l.At.UTC().Format(clock), a.ID))
	}
	if !a.KeyTold.IsZero() {
		why = append(why, "its key is refused since "+a.KeyTold.UTC().Format(clock)+"; an owner has to send a new one with /key")
	}
	return why
}

// messages counts those that wait.
func (s *Server) messages(ctx context.Context, st *Status) error {
	var after store.Outgoing
	// Rows come chat by chat (WaitingMessages), so that each chat is read once. No chat has the number 0, with which after
	// begins.
	reachable := true
	for range mostRead / page {
		rows, err := s.cfg.Store.WaitingMessages(ctx, after, page)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.Chat != after.Chat {
				c, err := s.cfg.Store.Chat(ctx, row.Chat)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				reachable = c.Unreachable.IsZero()
			}
			after = row
			st.Messages.count(row, reachable)
		}
		if len(rows) < page {
			return nil
		}
	}
	return nil
}

// count counts one that waits.
func (m *Messages) count(row store.Outgoing, reachable bool) {
	if !reachable {
		m.Unreachable++
		return
	}
	m.Waiting++
	if m.Oldest.IsZero() || row.Created.Before(m.Oldest) {
		m.Oldest = row.Created
	}
}

// updates counts those that wait to be handled.
func (s *Server) updates(ctx context.Context, st *Status) error {
	// One page: what is behind it is not counted.
	waiting, err := s.cfg.Store.PendingUpdates(ctx, 0, page)
	if err != nil {
		return err
	}
	if st.Updates.Waiting = len(waiting); len(waiting) > 0 {
		st.Updates.Oldest = waiting[0].At
	}
	parked, err := s.cfg.Store.ParkedUpdates(ctx, mostParked)
	for _, in := range parked {
		st.Updates.Parked = append(st.Updates.Parked, in.ID)
	}
	return err
}

// story reads all that is known of a purchase.
func (s *Server) story(ctx context.Context, ref string) (Story, error) {
	p, err := s.find(ctx, ref)
	if err != nil {
		return Story{}, err
	}
	st := Story{
		Purchase: lineOf(p), Chat: p.Chat, User: p.User, Buyer: p.Buyer, Quantity: p.Quantity, Price: p.Price.String(), Created: p.CreatedAt,
		Sent: p.SentAt, Answered: p.AnsweredAt, Attempts: p.Attempts, Reason: p.Reason, Shown: p.Told.Codes,
	}
	if p.Evidence != nil {
		st.Rule, st.Looks = p.Evidence.Rule, p.Evidence.Looks
	}
	if p.Charged != nil {
		st.Charged = p.Charged.String()
	}
	for _, h := range p.History {
		st.Steps = append(st.Steps, Step{h.At, string(h.From), string(h.To), h.Why})
	}
	a, err := s.cfg.Store.Account(ctx, p.Account)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return st, err
	}
	st.AccountName = a.Name
	if err := s.orders(ctx, p, &st); err != nil {
		return st, err
	}
	rows, err := s.cfg.Store.ChatOutbox(ctx, p.Chat, page)
	for _, row := range rows {
		if row.Purchase == p.ID {
			st.Waiting = append(st.Waiting, string(row.Kind))
		}
	}
	return st, err
}

// orders reads the orders of a purchase.
func (s *Server) orders(ctx context.Context, p store.Purchase, st *Story) error {
	orders, err := s.cfg.Store.OrdersOf(ctx, p)
	for _, o := range orders {
		st.Orders = append(st.Orders, Order{
			ID: o.ID, State: string(o.State), Status: o.Status, Codes: len(o.Codes()), Refund: string(o.Refund), Looks: o.Looks, Seen: o.SeenAt, Due: o.Due,
		})
	}
	return err
}
