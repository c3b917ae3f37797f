package proof

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/secret"
)

// soakPlaceholder is what a service shows where a code is to come.
const soakPlaceholder = "Pending…"

// soakWorld is a service of one kind. All are under one address, told apart by the key.
type soakWorld struct {
	*sim.Server

	name  string
	lag   time.Duration // the longest lag of a reading
	usual sim.World     // what is so in all weathers
}

// soakShop is an account at a service, and the people who work with it.
type soakShop struct {
	number  int
	world   *soakWorld
	mode    sim.Mode
	user    int64
	foreign bool  // others buy with the account as well
	team    bool  // the first links the key, the others are invited
	group   int64 // where deliveries go too; 0 for nowhere
	people  []*soaker
	tokens  chan string   // invitations
	wanted  chan struct{} // somebody needs one

	mu   sync.Mutex
	key  string
	keys []string // all that there ever were
}

// openWorlds makes three services: a kind one, one whose readings lag, and one that is hard to read.
func (s *soak) openWorlds() {
	most := min(5*time.Minute, s.length/5)
	s.worlds = []*soakWorld{
		{Server: s.service, name: "kind", lag: 0},
		{Server: sim.New(sim.Options{Seed: s.seed + 1}), name: "late", lag: most, usual: sim.World{Holds: true, ZeroCounters: true, LegacyAvailable: true}},
		{Server: sim.New(sim.Options{Seed: s.seed + 2, CrossedIDs: true}), name: "hard", lag: 20 * time.Second, usual: sim.World{Placeholder: soakPlaceholder, CodeLag: 5 * time.Second}},
	}
	for _, w := range s.worlds {
		w.SetWorld(w.usual)
		for _, p := range soakGoods() {
			w.AddProduct(p)
		}
		for i, name := range []string{"110 gems", "583 gems"} {
			w.AddPlan(sim.PlanSpec{ID: int64(i + 1), PlanID: fmt.Sprintf("ARENA-%d", i), ItemID: fmt.Sprintf("item-%d", i), Name: name, Price: strconv.Itoa(300 * (i + 1)), Delay: 2 * time.Second})
		}
	}
}

// soakGoods is one product of each sort.
func soakGoods() []sim.ProductSpec {
	player := []sim.InputSpec{{Index: "1", Label: "Player ID", Pattern: `^\d{6,12}$`, Required: true}}
	const plenty = 1 << 30
	return []sim.ProductSpec{
		{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
			{ID: 101, Name: "5 USD", Price: "1250.50", InStock: plenty, Delay: time.Second, Slowest: 4 * time.Second},
			{ID: 102, Name: "10 USD", Price: "2480", InStock: plenty, Delay: time.Second, Slowest: 8 * time.Second},
			{ID: 103, Name: "25 USD", Price: "6150", InStock: plenty, Delay: 15 * time.Second}}},
		{ID: 11, Name: "Bulk Card", Variants: []sim.VariantSpec{{ID: 111, Name: "100 DA", Price: "97", InStock: plenty, Delay: 2 * time.Second}}},
		{ID: 12, Name: "Unlucky Box", Variants: []sim.VariantSpec{
			{ID: 121, Name: "1 box", Price: "500", InStock: plenty, Delay: 2 * time.Second, Fails: true, RefundAfter: 15 * time.Second}}},
		{ID: 13, Name: "Allotted Card", Variants: []sim.VariantSpec{
			{ID: 131, Name: "2 000 points", Price: "2100", InStock: plenty, Delay: time.Second, Allocated: 100_000}}},
		{ID: 14, Name: "Office Key", Type: "manual", Variants: []sim.VariantSpec{{ID: 141, Name: "1 year", Price: "3300", InStock: plenty, RefundAfter: 5 * time.Second}}},
		{ID: 15, Name: "Sports TV", Family: "sportstv", Inputs: []sim.InputSpec{{Index: "1", Label: "Card number", Pattern: `^\d{12}$`, Required: true}},
			Variants: []sim.VariantSpec{{ID: 151, Name: "1 month", Price: "2400", InStock: plenty, Delay: 5 * time.Second}}},
		{ID: 16, Name: "Royale Coins", Kind: "topup", Family: "battleroyale", Inputs: player,
			Variants: []sim.VariantSpec{{ID: 161, Name: "60 coins", Price: "210", InStock: plenty, Delay: 2 * time.Second}}},
		{ID: 17, Name: "Hero Crystals", Kind: "topup", Inputs: player,
			Variants: []sim.VariantSpec{{ID: 171, Name: "300 crystals", Price: "640", InStock: plenty, Delay: 2 * time.Second}}},
	}
}

// openShops makes ten accounts: four at the kind service, three at each of the others; of all generations, every
// other one with a team, two with a group.
func (s *soak) openShops() {
	modes := []sim.Mode{sim.Current, sim.Current, sim.Legacy, sim.Both, sim.Current, sim.Both, sim.Legacy, sim.Current, sim.Both, sim.Legacy}
	for n := range soakShops {
		shop := &soakShop{
			number: n, world: s.worlds[min(2, max(0, n-1)/3)], mode: modes[n], user: int64(5000 + n), team: n%2 == 1, foreign: n == 6 || n >= 8,
			tokens: make(chan string, soakPeople), wanted: make(chan struct{}, soakPeople), key: fmt.Sprintf("%s%06d", killKeys, n),
		}
		shop.keys = []string{shop.key}
		spec := sim.AccountSpec{Key: shop.key, Name: shop.name(), UserID: shop.user, Balance: "3000000", Mode: shop.mode}
		if err := shop.world.AddAccount(spec); err != nil {
			s.t.Fatal(err)
		}
		var ids []int64
		for i := range soakPeople {
			p := &soaker{soak: s, shop: shop, number: i, decided: map[string]time.Time{}, person: person{
				telegram: s.telegram, id: int64(20_000 + 10*n + i), rng: s.random(100 + 10*n + i), patience: 4 * time.Second, glance: 150 * time.Millisecond,
			}}
			s.telegram.AddUser(tgsim.User{ID: p.id, FirstName: fmt.Sprintf("P%d%d", n, i), LanguageCode: "en"})
			shop.people, ids = append(shop.people, p), append(ids, p.id)
		}
		if n == 3 || n == 5 {
			shop.group = int64(-700 - n)
			s.telegram.AddGroup(shop.group, shop.name()+" & Co", ids...)
		}
		s.shops = append(s.shops, shop)
	}
}

func (s *soakShop) name() string { return fmt.Sprintf("Shop %d", s.number) }

// secret is the key as it is now.
func (s *soakShop) secret() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.key
}

// holds reports whether a key is, or was, the shop's.
func (s *soakShop) holds(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.keys, key)
}

// rotate gives the account another key.
func (s *soakShop) rotate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	renewed := fmt.Sprintf("%s%06d-%d", killKeys, s.number, len(s.keys))
	s.world.RotateKey(s.key, renewed)
	s.key, s.keys = renewed, append(s.keys, renewed)
}

// account is how the program names the account of one of the shop's keys.
func (s *soakShop) account(key string) string {
	if s.mode == sim.Legacy {
		return "k" + secret.New(key).Fingerprint()
	}
	return "u" + strconv.FormatInt(s.user, 10)
}

// accounts is how the program may name the account: it goes on under its first name where a person says that another
// key is of the same account.
func (s *soakShop) accounts() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range s.keys {
		all = append(all, s.account(key))
	}
	return all
}

// shopOfKey is the shop that a key belongs to; nil for none.
func (s *soak) shopOfKey(key string) *soakShop {
	for _, shop := range s.shops {
		if shop.holds(key) {
			return shop
		}
	}
	return nil
}

// shopOfChat is the shop whose chat it is.
func (s *soak) shopOfChat(chat int64) *soakShop {
	for _, shop := range s.shops {
		if shop.group == chat && chat != 0 {
			return shop
		}
		for _, p := range shop.people {
			if p.id == chat {
				return shop
			}
		}
	}
	return nil
}
