package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/sandbox/worlds"
)

// Where the sandbox alone is served unless somebody says otherwise. A Bot API server of one's own has the first port too.
const (
	telegramAddr = "127.0.0.1:8081"
	serviceAddr  = "127.0.0.1:8082"
	pageAddr     = "127.0.0.1:8083"
)

// aloneFlags are the flags of `bot sandbox`.
type aloneFlags struct {
	telegram, service, page string
	hosts                   []string
	lenient, strict         bool
	ownNames                bool
	refuseReal              bool
}

// parseAlone reads the command line of `bot sandbox`.
func parseAlone(w app.World, args []string) (f aloneFlags, err error) {
	flags := flag.NewFlagSet("sandbox", flag.ContinueOnError)
	flags.SetOutput(w.Stderr)
	flags.StringVar(&f.telegram, "telegram", telegramAddr, "where the Bot API is served")
	flags.StringVar(&f.service, "service", serviceAddr, "where the service is served, under /api")
	flags.StringVar(&f.page, "page", pageAddr, "where the chat page and the control interface are served")
	hosts := flags.String("hosts", "", "names, comma-separated, by which it may be asked besides this machine's own, and that webhooks may lead to: with them an address may be one that others reach")
	flags.BoolVar(&f.lenient, "lenient", false, "methods of the Bot API that are not emulated answer with as little as they can, instead of 501")
	flags.BoolVar(&f.strict, "strict", false, "webhooks have to be https, of the ports 443, 80, 88 and 8443, as with Telegram's own servers")
	flags.BoolVar(&f.ownNames, "own-names", false, "a service with words of its own where its document has neutral ones")
	flags.BoolVar(&f.refuseReal, "refuse-real", false, "ask Telegram's own servers about each token at its first use, and let in none that they know: nothing else ever leaves this machine")
	if err := flags.Parse(args); err != nil {
		return f, err
	}
	if flags.NArg() > 0 {
		return f, app.UsageError(fmt.Sprintf("sandbox: unexpected argument %q", flags.Arg(0)))
	}
	for name := range strings.SplitSeq(*hosts, ",") {
		// In lower case, as Guard and the dialer of webhooks compare them.
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			f.hosts = append(f.hosts, name)
		}
	}
	return f, nil
}

// alone runs the two simulators and the page, for bots and clients that are not ours, until it is told to end.
func alone(ctx context.Context, w app.World, args []string) error {
	f, err := parseAlone(w, args)
	if err != nil {
		return err
	}
	s, err := newWorlds(f)
	if err != nil {
		return fmt.Errorf("fill the sandbox: %w", err)
	}
	service := http.NewServeMux()
	service.Handle("/api/", s.Service())
	servers := []struct {
		name, addr, path string
		serves           http.Handler
	}{{"telegram", f.telegram, "", s.Telegram()}, {"service", f.service, "/api", service}, {"page", f.page, "", s.Page()}}
	tasks := app.Stage{{Name: "webhooks", Run: s.Deliver}}
	var said strings.Builder
	for _, d := range servers {
		l, err := listenAlone(w, d.name, d.addr, f.hosts)
		if err != nil {
			return err
		}
		defer l.Close()
		// The address that was got, for port 0 is any. It is said only once all are listened on: whoever reads it can connect at once.
		fmt.Fprintf(&said, "%-8s http://%s%s\n", d.name, l.Addr(), d.path)
		tasks = append(tasks, app.Task{Name: d.name, Run: func(ctx context.Context) error { return app.Serve(ctx, l, patient(tgsim.Guard(f.hosts, d.serves))) }})
	}
	for _, key := range []string{demoKey, legacyKey} {
		fmt.Fprintf(&said, "%-8s %s\n", "key", key)
	}
	if _, err := fmt.Fprint(w.Stdout, said.String()); err != nil {
		return fmt.Errorf("say where the sandbox is: %w", err)
	}
	return app.RunStages(ctx, tasks)
}

// listenAlone listens at one of the addresses. One that others reach is listened at only by whoever has named them.
func listenAlone(w app.World, name, addr string, hosts []string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	switch {
	case err != nil:
		return nil, app.UsageError(fmt.Sprintf("sandbox: -%s must be an address with a port, like 127.0.0.1:8081", name))
	case host != "localhost" && (ip == nil || !ip.IsLoopback()) && len(hosts) == 0:
		return nil, app.UsageError(fmt.Sprintf("sandbox: -%s is an address that other machines reach: name with -hosts by which names they may ask", name))
	}
	l, err := w.Listen("tcp", addr)
	if err != nil {
		return nil, app.UsageError(fmt.Sprintf("sandbox: %s cannot be listened on (%v): choose another -%s", addr, err, name))
	}
	return l, nil
}

// unusedLife is how long a connection may stay open without a request. Browsers open connections ahead of their use, and give
// them up themselves within five minutes: a server that did so earlier would at times do it just when a request comes.
const unusedLife = 10 * time.Minute

// patient serves a handler to whoever sits at this machine.
func patient(h http.Handler) *http.Server {
	// A connection's first request has ReadHeaderTimeout from when it was opened, and not IdleTimeout; and ReadTimeout would
	// run from then too.
	return &http.Server{Handler: h, ReadHeaderTimeout: unusedLife, IdleTimeout: unusedLife, MaxHeaderBytes: 64 << 10}
}

// newWorlds makes the worlds: each with the people of the demo, and all with its service.
func newWorlds(f aloneFlags) (*worlds.Sandbox, error) {
	o := worlds.Options{
		Telegram: func(token string, number int) *tgsim.Server {
			id, _, _ := strings.Cut(token, ":")
			t := tgsim.New(tgsim.Options{
				Token: token, BotName: "sandbox_" + id + "_bot", RealTokens: true, Lenient: f.lenient, Strict: f.strict, Hosts: f.hosts, Number: number, Inline: true, InlineFeedback: true,
			})
			addPeople(t)
			return t
		},
		Service: func() (*sim.Server, error) { return newService(f.ownNames) },
	}
	if f.refuseReal {
		o.Refuses = func(ctx context.Context, token string) error { return refuseReal(ctx, http.DefaultTransport, token) }
	}
	return worlds.New(o)
}

// errReal is why a token is not let in.
var errReal = errors.New("this token is known to Telegram: it is a real bot's, and has no business in a sandbox")

// refuseReal asks Telegram's own servers whether they know a token. One about which they say nothing is not let in either.
func refuseReal(ctx context.Context, to http.RoundTripper, token string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	// The error of a request would quote its address, and with it the token.
	unknown := errors.New("nobody can say whether this token is a real bot's: Telegram's own servers do not answer")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://api.telegram.org/bot"+token+"/getMe", nil)
	if err != nil {
		return unknown
	}
	// RoundTrip follows no redirect: the token would go wherever that leads.
	resp, err := to.RoundTrip(req)
	if err != nil {
		return unknown
	}
	defer resp.Body.Close()
	var said struct {
		OK   bool `json:"ok"`
		Code int  `json:"error_code"`
	}
	switch err := json.NewDecoder(resp.Body).Decode(&said); {
	case err == nil && said.OK:
		return errReal
	case err == nil && slices.Contains([]int{http.StatusUnauthorized, http.StatusNotFound}, said.Code):
		return nil
	}
	return unknown
}

// newService makes the service of the demo.
func newService(ownNames bool) (*sim.Server, error) {
	s := sim.New(sim.Options{Seed: uint64(time.Now().UnixNano()), Mode: sim.Both, OwnNames: ownNames})
	s.DemoCatalogue()
	for _, account := range []sim.AccountSpec{
		{Key: demoKey, Name: demoShop, Email: "boutique@example.com", UserID: 4101, Balance: "25000"},
		{Key: legacyKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "18000"},
	} {
		if err := s.AddAccount(account); err != nil {
			return nil, fmt.Errorf("add the account %s: %w", strconv.Quote(account.Name), err)
		}
	}
	return s, nil
}

// addPeople has people live in a Telegram.
func addPeople(t *tgsim.Server) {
	for _, u := range []tgsim.User{
		{ID: demoOwner, FirstName: "Yasmine", LanguageCode: "fr", Part: "owner"},
		{ID: demoSeller, FirstName: "ياسين", LanguageCode: "ar", Part: "seller"},
		{ID: demoCounter, FirstName: "Sam", LanguageCode: "en", Part: "counter"},
		{ID: demoStranger, FirstName: "Lina", LanguageCode: "fr", Part: "stranger"},
	} {
		t.AddUser(u)
	}
	t.AddGroup(demoGroup, "El Djazair", demoOwner, demoSeller, demoCounter)
}
