package store

import (
	"context"
	"fmt"
)

// Check reads every record and returns what is wrong: records that do not decode, and indexes that are
// not equal to what they index. An empty list is a sound store. Nobody should write meanwhile.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	c := checker{store: s, want: map[string]bool{}}
	shopsOf, all := map[string]Account{}, []Chat{}
	walk(ctx, &c, accounts(), func(a Account) { shopsOf[a.ID] = Account{Chats: a.Chats, Team: a.Team} })
	walk(ctx, &c, movements(), func(Movement) {})
	walk(ctx, &c, chats(), func(chat Chat) { all = append(all, chat) })
	c.memberships(all, shopsOf)
	walk(ctx, &c, players(), func(Players) {})
	walk(ctx, &c, alerts(), func(Alerts) {})
	walk(ctx, &c, invites(), func(Invite) {})
	walk(ctx, &c, times(), func(Times) {})
	walk(ctx, &c, outages(), func(Outage) {})
	walk(ctx, &c, troubles(), func(Trouble) {})
	walk(ctx, &c, menus(), func(Menu) {})
	walk(ctx, &c, shelves(), func(Shelf) {})
	walk(ctx, &c, lists(), func(l List) { c.want[entry(KindListsOf, byChatKey(l.Chat, l.ID))] = true })
	walk(ctx, &c, sessions(), func(Session) {})
	walk(ctx, &c, outbox(), func(Outgoing) {})
	walk(ctx, &c, inbox(), func(Incoming) {})
	walk(ctx, &c, purchases(), func(p Purchase) {
		c.want[entry(KindByChat, byChatKey(p.Chat, p.ID))] = true
		if p.Open() {
			c.want[entry(KindOpen, p.ID)] = true
		}
	})
	walk(ctx, &c, claimed(), func(Claim) {})
	shops := c.books(ctx)
	walk(ctx, &c, orders(), func(o Order) {
		c.booked(ctx, shops, o)
		if o.Pending() {
			c.want[entry(KindPending, orderKey(o.Account, o.ID))] = true
		}
	})
	for _, k := range []Kind{KindByChat, KindOpen, KindPending, KindListsOf} {
		c.index(ctx, k)
	}
	c.unpaired(shops)
	for missing := range c.want {
		c.problems = append(c.problems, "missing index entry "+missing)
	}
	return c.problems, c.err
}

// checker collects what Check finds.
type checker struct {
	store    *Store
	want     map[string]bool // index entries that must be there and were not met yet
	problems []string
	err      error
}

// entry names an index record.
func entry(k Kind, key string) string { return fmt.Sprintf("%s %q", k, key) }

// pages reads all records of a kind.
func (c *checker) pages(ctx context.Context, k Kind, visit func(Record)) {
	for after := ""; c.err == nil; {
		page, err := c.store.engine.Scan(ctx, k, "", after, 500)
		if err != nil {
			c.err = fmt.Errorf("check %s: %w", k, err)
			return
		}
		if len(page) == 0 {
			return
		}
		for _, r := range page {
			visit(r)
		}
		after = page[len(page)-1].Key
	}
}

// walk decodes all records of a codec.
func walk[T any](ctx context.Context, c *checker, f codec[T], visit func(T)) {
	c.pages(ctx, f.kind, func(r Record) {
		v, err := f.decode(c.store.keyring, r)
		if err != nil {
			c.problems = append(c.problems, err.Error())
			return
		}
		if key := f.key(&v); key != r.Key {
			c.problems = append(c.problems, fmt.Sprintf("%s %q holds the record of %q", f.kind, r.Key, key))
			return
		}
		visit(v)
	})
}

// index compares an index with what should be in it.
func (c *checker) index(ctx context.Context, k Kind) {
	c.pages(ctx, k, func(r Record) {
		if !c.want[entry(k, r.Key)] {
			c.problems = append(c.problems, "needless index entry "+entry(k, r.Key))
		}
		delete(c.want, entry(k, r.Key))
	})
}
