package conversations_test

import (
	"context"
	"sync"
	"testing"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/store"
)

// reads is an engine that counts what is read of chats and accounts outside of transactions.
type reads struct {
	store.Engine

	mu    sync.Mutex
	times map[store.Kind]int
}

// Get implements store.Engine.
func (r *reads) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
	r.mu.Lock()
	r.times[k]++
	r.mu.Unlock()
	return r.Engine.Get(ctx, k, key)
}

// during is how often chats and accounts are read while something happens.
func (r *reads) during(do func()) (chats, accounts int) {
	r.mu.Lock()
	r.times = map[store.Kind]int{}
	r.mu.Unlock()
	do()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.times[store.KindChat], r.times[store.KindAccount]
}

// TestEachStepReadsOnce: the chat and the account of an update are read once when it comes in, and once when it is handled, since
// others may have been handled meanwhile; in a group the person's own chat as well.
func TestEachStepReadsOnce(t *testing.T) {
	t.Parallel()
	disk := &reads{times: map[store.Kind]int{}}
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Engine = func(e store.Engine) store.Engine {
			disk.Engine = e
			return disk
		}
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.See(shop, "Deliveries come here")
		h.Pass(settled) // the menus of commands are read for as well
		for text, want := range map[string][2]int{"/start": {2, 2}, "/help": {2, 2}, "/buy": {2, 2}, "/alerts": {2, 2}, "hello": {2, 2}} {
			chats, accounts := disk.during(func() { h.Say(apptest.Karim, text) })
			if got := [2]int{chats, accounts}; got != want {
				t.Errorf("%s: chats and accounts were read %v times, want %v", text, got, want)
			}
		}
		chats, accounts := disk.during(func() { commandIn(h, apptest.Karim, shop, 0, "/help@shop_bot") })
		if got, want := [2]int{chats, accounts}, [2]int{4, 2}; got != want {
			t.Errorf("in the group: chats and accounts were read %v times, want %v", got, want)
		}
		h.Say(apptest.Eve, "/start") // whose chat is made
		chats, accounts = disk.during(func() { h.Say(apptest.Eve, "/help") })
		if got, want := [2]int{chats, accounts}, [2]int{2, 0}; got != want {
			t.Errorf("of no team: chats and accounts were read %v times, want %v", got, want)
		}
	})
}
