package worlds

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"resellerbot/internal/api/sim"
)

// serviceSide is the service of a sandbox. A reset puts another one in its place.
type serviceSide struct {
	make  func() (*sim.Server, error)
	fixed bool // it is the demo's

	mu     sync.Mutex
	server *sim.Server
	kept   shelf[sim.Server]
}

func newServiceSide(o Options) (*serviceSide, error) {
	server, err := o.Service()
	if err != nil {
		return nil, fmt.Errorf("make the service: %w", err)
	}
	return &serviceSide{make: o.Service, fixed: o.Only != "", server: server}, nil
}

// now is the service as it is now.
func (s *serviceSide) now() *sim.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server
}

// serviceOperations are the service's side.
func serviceOperations() []operation {
	command := func(verb, takes, does string) operation {
		return operation{Operation{http.MethodPost, "/service/" + verb, takes, does}, func(s *Sandbox, c *call) (any, error) { return s.service.command(verb, c.body) }}
	}
	row := func(method, path, takes, does string, do func(*serviceSide, []byte) (any, error)) operation {
		return operation{Operation{method, "/service" + path, takes, does}, func(s *Sandbox, c *call) (any, error) { return do(s.service, c.body) }}
	}
	return []operation{
		row(http.MethodGet, "", "", "Everything: accounts, the newest orders, products, what is to go wrong", func(s *serviceSide, _ []byte) (any, error) { return s.now().View(), nil }),
		command("move", "key, amount", "Adds money to a wallet, or takes some away. Answers with the account"),
		command("expire", "key, on", "Ends a key, or takes that back. Answers with the account"),
		command("block", "key, on", "Refuses the addresses of a key's callers, or takes that back. Answers with the account"),
		command("mode", "key, mode", "Lets a key see `current`, `legacy` or `both`. Answers with the account"),
		command("complete", "order, code, notes", "An order that waits is done. Answers with the order"),
		command("fail", "order, notes", "An order that waits has failed. Answers with the order"),
		command("refund", "order", "Gives back what a failed order cost. Answers with the order"),
		command("hold", "on", "Keeps new orders from becoming ready, or lets them"),
		command("variant", "variant, price, units", "Sets the price and the stock of a variant, or one of them. Answers with the variant"),
		command("remove", "variant", "Takes a variant out of what is sold, and its product with the last one; `reset` brings it back. Answers with the products"),
		command("lose", "", "The next purchase is made, and its answer is lost. Answers with what is to go wrong"),
		command("timeout", "", "The next purchase takes minutes. Answers with what is to go wrong"),
		command("down", "", "The next ten requests are answered with 502. Answers with what is to go wrong"),
		command("limit", "", "The next three requests are answered with 429. Answers with what is to go wrong"),
		command("well", "", "Nothing is to go wrong any more"),
		row(http.MethodPost, "/fault", "operation, kind, times, wait, status, message", "Has the next `times` requests of an operation (`GET /balance`; `*`: any; `spending`: purchases) go wrong. Answers with it", decoded((*serviceSide).fault)),
		row(http.MethodPost, "/lag", "balance, list, status, counter", "Readings are that many seconds old: of the wallet, of lists, of one order, of allocations. Answers with it", decoded((*serviceSide).lag)),
		row(http.MethodPost, "/keys", "key, name, balance, mode", "Adds an account with its key. Answers with the account", decoded((*serviceSide).addKey)),
		row(http.MethodPost, "/rotate", "key, to", "Gives an account another key: the old one is invalid. Answers with the account", decoded((*serviceSide).rotate)),
		row(http.MethodPost, "/snapshot", "", "Keeps the service as it is now. Answers with its `snapshot`, a number; the newest 20 are kept", (*serviceSide).keep),
		row(http.MethodPost, "/restore", "snapshot", "Puts the service back as it was then: wallets, orders, stock, keys, what is to go wrong. Answers with everything", decoded((*serviceSide).restore)),
		row(http.MethodPost, "/reset", "", "Begins the service anew, with the accounts and goods of the beginning. Answers with everything", (*serviceSide).reset),
	}
}

// decoded has a request read before it is done.
func decoded[T any](do func(*serviceSide, T) (any, error)) func(*serviceSide, []byte) (any, error) {
	return func(s *serviceSide, body []byte) (any, error) {
		var asked T
		if err := decode(body, &asked); err != nil {
			return nil, err
		}
		return do(s, asked)
	}
}

// command does what the service's own panel can do, and answers with what it was done to.
// before and after are two looks: what others do in between shows in the answer too.
func (s *serviceSide) command(verb string, body []byte) (any, error) {
	var c sim.Command
	if len(body) > 0 {
		if err := decode(body, &c); err != nil {
			return nil, err
		}
	}
	c.Do = verb
	server := s.now()
	if verb == "variant" {
		if err := keepRest(&c, body, variant(server.View(), c.Variant)); err != nil {
			return nil, err
		}
	}
	before := about(server, c)
	if err := server.Do(c); err != nil {
		return nil, cannot(err.Error())
	}
	after := about(server, c)
	if slices.Contains([]string{"expire", "block", "mode", "hold", "variant"}, verb) && reflect.DeepEqual(before, after) {
		return nil, cannot("it is so already")
	}
	return after, nil
}

// keepRest fills in what is not said of a variant: its price, or its stock.
func keepRest(c *sim.Command, body []byte, now *sim.VariantView) error {
	var said map[string]json.RawMessage
	if len(body) == 0 || now == nil {
		return nil
	}
	if err := decode(body, &said); err != nil {
		return err
	}
	if said["price"] == nil {
		c.Price = now.Price
	}
	// 0 units and no word of units are the same in a Command: the raw body alone tells them apart.
	if said["units"] == nil {
		c.Units = now.Units
	}
	return nil
}

// about is what a command is about, as it is now.
func about(server *sim.Server, c sim.Command) any {
	switch v := server.View(); c.Do {
	case "move", "expire", "block", "mode":
		return account(v, c.Key)
	case "complete", "fail", "refund":
		o, _ := server.OrderView(c.Order)
		return o
	case "variant":
		return variant(v, c.Variant)
	case "remove":
		return v.Products
	case "hold":
		return map[string]bool{"holding": v.Holding}
	default:
		return v.Weather
	}
}

// account is the account with a key; nil where it was taken away meanwhile.
func account(v sim.View, key string) *sim.AccountView {
	return first(v.Accounts, func(a sim.AccountView) bool { return a.Key == key })
}

func variant(v sim.View, id int64) *sim.VariantView {
	for _, p := range v.Products {
		if found := first(p.Variants, func(o sim.VariantView) bool { return o.ID == id }); found != nil {
			return found
		}
	}
	return nil
}

func first[T any](list []T, is func(T) bool) *T {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return &list[i]
	}
	return nil
}

// serviceFaults are the kinds of faults of the service, by their names.
func serviceFaults() map[string]sim.FaultKind {
	return map[string]sim.FaultKind{
		"lose_answer": sim.LoseAnswer, "drop_request": sim.DropRequest, "delay": sim.Delay, "status": sim.Status, "status_done": sim.StatusDone, "garbage": sim.Garbage,
		"forbidden": sim.Forbidden, "rate_limit": sim.RateLimit, "double_ids": sim.DoubleIDs, "short_count": sim.ShortCount, "error_answer": sim.ErrorAnswer,
		"error_done": sim.ErrorDone, "silence": sim.Silence, "silence_done": sim.SilenceDone, "late": sim.Late,
	}
}

// faultAsk is what is to go wrong at the service.
type faultAsk struct {
	Operation string  `json:"operation"`
	Kind      string  `json:"kind"`
	Times     int     `json:"times"`
	Wait      float64 `json:"wait"`
	Status    int     `json:"status"`
	Message   string  `json:"message"`
}

func (s *serviceSide) fault(f faultAsk) (any, error) {
	kind, known := serviceFaults()[f.Kind]
	needsStatus := slices.Contains([]string{"status", "status_done", "error_answer", "error_done"}, f.Kind)
	switch {
	case !known:
		return nil, wrong("there is no kind " + f.Kind + ": see docs/sandbox.md")
	case f.Operation != sim.AnyOperation && f.Operation != sim.Spending && !slices.Contains(sim.Routes(), f.Operation):
		return nil, wrong(`operation is one of the service's, like "GET /balance", or * or spending`)
	case f.Times < 1:
		return nil, wrong("times is how many requests go wrong: 1 or more")
	case f.Wait < 0 || f.Wait > mostDelay || f.Wait == 0 && slices.Contains([]string{"delay", "late"}, f.Kind):
		return nil, wrong("wait is a number of seconds, of a day at most; delay and late have to have one")
	case f.Status != 0 && (f.Status < 400 || f.Status > 599) || f.Status == 0 && needsStatus:
		return nil, wrong("status is an HTTP status from 400 to 599")
	}
	s.now().Inject(sim.Fault{Operation: f.Operation, Kind: kind, Times: f.Times, Delay: seconds(f.Wait), Status: f.Status, Message: f.Message})
	return f, nil
}

// lagAsk is how many seconds readings are old.
type lagAsk struct {
	Balance float64 `json:"balance"`
	List    float64 `json:"list"`
	Status  float64 `json:"status"`
	Counter float64 `json:"counter"`
}

func (s *serviceSide) lag(l lagAsk) (any, error) {
	if min(l.Balance, l.List, l.Status, l.Counter) < 0 || max(l.Balance, l.List, l.Status, l.Counter) > mostDelay {
		return nil, wrong("a reading is 0 or more seconds old, and a day at most")
	}
	w := s.now().World()
	w.BalanceLag, w.ListLag, w.StatusLag, w.CounterLag = seconds(l.Balance), seconds(l.List), seconds(l.Status), seconds(l.Counter)
	s.now().SetWorld(w)
	return l, nil
}

// accountKey reports whether something can be a key: it travels in a header.
func accountKey(key string) bool {
	return len(strings.Fields(key)) == 1 && strings.TrimSpace(key) == key
}

// keyAsk is an account that is to be.
type keyAsk struct {
	Key     string   `json:"key"`
	Name    string   `json:"name"`
	Balance string   `json:"balance"`
	Mode    sim.Mode `json:"mode"`
}

func (s *serviceSide) addKey(k keyAsk) (any, error) {
	server := s.now()
	v := server.View()
	if !accountKey(k.Key) || account(v, k.Key) != nil {
		return nil, wrong("key is empty, or has spaces, or there is an account with it already")
	}
	if err := server.AddAccount(sim.AccountSpec{Key: k.Key, Name: k.Name, Balance: k.Balance, Mode: k.Mode, UserID: int64(5000 + len(v.Accounts))}); err != nil {
		return nil, wrong(err.Error())
	}
	return account(server.View(), k.Key), nil
}

// rotateAsk is a key that another one is to replace.
type rotateAsk struct {
	Key string `json:"key"`
	To  string `json:"to"`
}

func (s *serviceSide) rotate(k rotateAsk) (any, error) {
	v := s.now().View()
	switch {
	case account(v, k.Key) == nil:
		return nil, missing("there is no account with this key")
	case !accountKey(k.To) || account(v, k.To) != nil:
		return nil, wrong("to is empty, or has spaces, or there is an account with it already")
	}
	s.now().RotateKey(k.Key, k.To)
	return account(s.now().View(), k.To), nil
}

func (s *serviceSide) reset([]byte) (any, error) {
	// A service that begins anew would have sold nothing of what the demo's bot has on disk.
	if s.fixed {
		return nil, cannot("this service belongs to the demo, whose bot remembers it: start the demo anew")
	}
	server, err := s.make()
	if err != nil {
		return nil, err
	}
	return s.put(server), nil
}

// put puts a service in the place of the one that there is.
func (s *serviceSide) put(next *sim.Server) sim.View {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = next
	return next.View()
}

func (s *serviceSide) keep([]byte) (any, error) {
	return map[string]int{"snapshot": s.kept.keep(copyService(s.now()))}, nil
}

// restoreAsk is the snapshot that is to be put back.
type restoreAsk struct {
	Snapshot int `json:"snapshot"`
}

func (s *serviceSide) restore(r restoreAsk) (any, error) {
	if s.fixed {
		return nil, cannot("this service belongs to the demo, whose bot remembers it: start the demo anew")
	}
	then, there := s.kept.find(r.Snapshot)
	if !there {
		return nil, missing(fmt.Sprintf("the service has no snapshot %d: POST %s/service/snapshot makes one", r.Snapshot, base))
	}
	// A copy of the copy: the snapshot stays as it was, and can be restored again.
	return s.put(copyService(then)), nil
}
