package app_test

import (
	"bytes"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
)

// surveyed is a service that writes down what reaches it.
type surveyed struct {
	*sim.Server

	t    *testing.T
	addr string

	mu   sync.Mutex
	wire []string // "GET /api/balance"
}

// newSurveyed serves the demo's goods.
func newSurveyed(t *testing.T, o sim.Options) *surveyed {
	t.Helper()
	o.Seed = 7
	s := &surveyed{Server: sim.New(o), t: t}
	s.DemoCatalogue()
	for _, a := range []sim.AccountSpec{
		{Key: apptest.TestKey, Name: "Boutique El Djazair", Email: "canary@example.com", UserID: 4101, Balance: "25000"},
		{Key: apptest.LegacyTestKey, Mode: sim.Legacy, UserID: 4102, Balance: "25000"},
	} {
		if err := s.AddAccount(a); err != nil {
			t.Fatal(err)
		}
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.wire = append(s.wire, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	s.addr = srv.URL + "/api"
	return s
}

// check runs `bot check -service`, and sees that it has sent GETs alone and shown no secret.
func (s *surveyed) check(env map[string]string, stdin string) app.Outcome {
	s.t.Helper()
	all := map[string]string{"RESELLER_API_URL": s.addr}
	maps.Copy(all, env)
	got := checkWith(s.t, all, stdin, "check", "-service")
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.wire) == 0 || slices.ContainsFunc(s.wire, func(r string) bool { return !strings.HasPrefix(r, "GET ") || strings.Contains(r, "purchase/") }) {
		s.t.Errorf("it has sent %v", s.wire)
	}
	if n := len(s.Purchases()) + len(s.Orders()); n > 0 {
		s.t.Errorf("it has bought %d things", n)
	}
	return got
}

// checkWith runs a subcommand; nothing that it prints shows a key.
func checkWith(t *testing.T, env map[string]string, stdin string, args ...string) app.Outcome {
	t.Helper()
	var out, errs bytes.Buffer
	code := app.Start(t.Context(), app.World{
		Args: args, Lookup: lookedUp(env), Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Dir: t.TempDir(), Dial: (&net.Dialer{}).DialContext,
	})
	for _, secret := range []string{apptest.TestKey, apptest.LegacyTestKey, "canary@example.com", "KEY-canary"} {
		if strings.Contains(out.String()+errs.String(), secret) {
			t.Errorf("%v shows %q:\n%s%s", args, secret, &out, &errs)
		}
	}
	return app.Outcome{Code: code, Stdout: out.String(), Stderr: errs.String()}
}

// lookedUp looks up in an environment.
func lookedUp(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := env[name]; return v, ok }
}

// TestCheckService: what the service shows to a key, in sentences; it reads and does nothing else.
func TestCheckService(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		service sim.Options
		env     map[string]string
		key     string
		says    []string
		not     []string
	}{
		"the document's own words": {sim.Options{Mode: sim.Both}, nil, apptest.TestKey, []string{
			"with the key from RESELLER_API_KEY", "it answers in current and legacy; the bot speaks current", `Account: "Boutique El Djazair", user 4101`,
			"arena: 4 plans at /arena/plans", `battleroyale: 11 "Battle Royale Coins"`, `sportstv: 12 "Sports TV"`, `internet: 13 "Home Internet"`,
			`other top-ups: 14 "Hero Crystals"`, `for somebody, and of no family: 4 "Arena Diamonds"`, "there and not documented: kind", "key_id",
		}, []string{"no product has a kind"}},
		"names that nobody has told": {sim.Options{Mode: sim.Current, OwnNames: true}, nil, apptest.TestKey, []string{
			"it answers in current; the bot speaks current", "arena: no plans at /arena/plans", "battleroyale: none; BATTLEROYALE_PRODUCTS says which are",
			"internet: none", `12 "STADIUM+ Max"`, "no product has a kind", "GET /battleroyale/history (current): not here",
		}, []string{"not documented: kind"}},
		"names that were told": {sim.Options{Mode: sim.Both, OwnNames: true}, sim.OwnConfiguration(), apptest.TestKey, []string{
			"arena: 4 plans at /blazefire/plans", `battleroyale: 11 "Last Circle: Coins"`, `sportstv: 12 "STADIUM+ Max"`, `internet: 13 "Dar Net 4G"`, `other top-ups: 4 "Blazefire Diamonds", 14 "Hero Crystals"`,
			"for somebody, and of no family: none",
		}, []string{"whether purchases need a key_id"}},
		"legacy": {sim.Options{Mode: sim.Legacy, Shapes: 3}, map[string]string{"SERVICE_TIMEZONE": "Africa/Algiers"}, apptest.LegacyTestKey, []string{
			"it answers in legacy; the bot speaks legacy", "GET /account (current): not here", "the service does not tell whose it is", "are of Africa/Algiers, as SERVICE_TIMEZONE says",
			"what an entry of GET /purchase-history looks like: there is none yet",
		}, nil},
		"a generation that it does not speak": {sim.Options{Mode: sim.Legacy}, map[string]string{"RESELLER_API_GENERATION": "current"}, apptest.LegacyTestKey, []string{
			"RESELLER_API_GENERATION says current, and the service answers in legacy alone",
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSurveyed(t, c.service)
			env := maps.Clone(c.env)
			if env == nil {
				env = map[string]string{}
			}
			env["RESELLER_API_KEY"] = c.key
			got := s.check(env, "")
			if got.Code != 0 || got.Stderr != "" {
				t.Errorf("it ends with %d: %s", got.Code, got.Stderr)
			}
			for _, words := range c.says {
				if !strings.Contains(got.Stdout, words) {
					t.Errorf("it does not say %q:\n%s", words, got.Stdout)
				}
			}
			for _, words := range c.not {
				if strings.Contains(got.Stdout, words) {
					t.Errorf("it says %q:\n%s", words, got.Stdout)
				}
			}
		})
	}
}

// TestCheckServiceTimes: whether times name a zone is told by endpoint.
func TestCheckServiceTimes(t *testing.T) {
	t.Parallel()
	s := newSurveyed(t, sim.Options{Mode: sim.Both})
	if _, err := s.Buy(apptest.TestKey, 101, 2, ""); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"RESELLER_API_URL": s.addr, "RESELLER_API_KEY": apptest.TestKey}
	got := checkWith(t, env, "", "check", "-service")
	for _, words := range []string{"GET /purchase-history: 2 name their zone, 0 do not", "those of arena top-ups are documented to name none"} {
		if !strings.Contains(got.Stdout, words) {
			t.Errorf("it does not say %q:\n%s", words, got.Stdout)
		}
	}
	if strings.Contains(got.Stdout, s.Orders()[0].Code) && s.Orders()[0].Code != "" {
		t.Error("a code shows")
	}
}

// TestCheckServiceKeys: a key comes from the environment or on standard input, never as an argument, and is shown nowhere.
// A service that refuses it, or is not there, is a failure in one line; what is wrong with the configuration, a refusal.
func TestCheckServiceKeys(t *testing.T) {
	t.Parallel()
	s := newSurveyed(t, sim.Options{})
	if got := s.check(nil, apptest.TestKey+"\nmore"); got.Code != 0 || !strings.Contains(got.Stdout, "with the key from standard input") {
		t.Errorf("%+v", got)
	}
	good := map[string]string{"RESELLER_API_URL": s.addr, "RESELLER_API_KEY": apptest.TestKey}
	with := func(name, value string) map[string]string {
		env := maps.Clone(good)
		env[name] = value
		return env
	}
	for name, c := range map[string]struct {
		env   map[string]string
		stdin string
		args  []string
		code  int
		says  string
	}{
		"an argument":       {good, "", []string{"check", "-service", apptest.TestKey}, app.ExitUsage, "never as an argument"},
		"a flag of it":      {good, "", []string{"check", "-service=" + apptest.TestKey}, app.ExitUsage, "never as an argument"},
		"no key":            {with("RESELLER_API_KEY", ""), "\n", []string{"check", "-service"}, app.ExitUsage, "needs a key"},
		"half a key":        {with("RESELLER_API_KEY", ""), "KEY-canary and more", []string{"check", "-service"}, app.ExitUsage, "is malformed"},
		"a refused key":     {with("RESELLER_API_KEY", "KEY-canary-of-nobody"), "", []string{"check", "-service"}, 1, "key"},
		"nobody there":      {with("RESELLER_API_URL", "http://127.0.0.1:1/api"), "", []string{"check", "-service"}, 1, "look at the service"},
		"no address":        {with("RESELLER_API_URL", ""), "", []string{"check", "-service"}, app.ExitRefused, "RESELLER_API_URL: is required"},
		"a bad segment":     {with("ARENA_SEGMENT", "a/b"), "", []string{"check", "-service"}, app.ExitRefused, "ARENA_SEGMENT: "},
		"two families":      {with("INTERNET_PRODUCTS", "sports tv"), "", []string{"check", "-service"}, app.ExitRefused, "SPORTSTV_PRODUCTS matches as well"},
		"something else":    {with("LOG_LEVEL", "loud"), "", []string{"check", "-service"}, 0, ""},
		"an unknown option": {good, "", []string{"check", "-nonsense"}, app.ExitUsage, "check takes -service or nothing"},
	} {
		got := checkWith(t, c.env, c.stdin, c.args...)
		if got.Code != c.code || !strings.Contains(got.Stderr, c.says) {
			t.Errorf("%s: %d %s", name, got.Code, got.Stderr)
		}
	}
	var out bytes.Buffer
	code := app.Start(t.Context(), app.World{Args: []string{"check", "-service"}, Lookup: lookedUp(with("RESELLER_API_KEY", "")), Stdout: &out, Stderr: io.Discard, Dir: t.TempDir()})
	if code != app.ExitUsage {
		t.Errorf("without a standard input it ends with %d", code)
	}
}
