package proof

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

const (
	canaryPlayer = "4917263508" // whom a top-up goes to
	canaryRounds = 24           // a quarter of an hour each; where the proof is long, a whole day of them
)

// TestCanaryDay: a day in which people buy, top up, look again and type what they should not, while the
// service, Telegram and the bot itself stumble. Afterwards no secret of it stands in the log, in a figure, in
// an answer of the health endpoints, or in any byte of the database and its copies.
func TestCanaryDay(t *testing.T) {
	t.Parallel()
	sampletest.Long(t)
	rounds := canaryRounds
	if os.Getenv("PROOF_TRIPLES") != "" {
		rounds = 96
	}
	s := &apptest.FailingEngine{}
	var shown bytes.Buffer // what the HTTP endpoints have said
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Everything(sim.Options{Mode: sim.Both})(h)
		h.Service.SetBalance(apptest.TestKey, "9000000")
		h.Engine = func(e store.Engine) store.Engine { s.Engine = e; return s }
		h.Env["BACKUP_DIR"], h.Env["BACKUP_SCHEDULE"], h.Env["BACKUP_KEEP"] = "copies", "@every 2h", "30"
		h.Env["OWNER_CHAT_ID"] = "502"
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		rng := rand.New(rand.NewPCG(1, 2))
		for round := range rounds {
			canaryRound(h, s, rng, round)
			if round%4 == 0 {
				scrape(h, &shown)
			}
			if round%19 == 18 {
				h.Stop()
				h.Start()
			}
		}
		h.Service.ClearFaults()
		h.Telegram.ClearFaults()
		h.Pass(2 * time.Hour)
		scrape(h, &shown)
		h.Stop()
		canaries(h, shown.Bytes(), rounds)
	})
}

// canaryRound is a quarter of an hour: something goes wrong, and somebody does something.
func canaryRound(h *apptest.Harness, s *apptest.FailingEngine, rng *rand.Rand, round int) {
	h.T.Helper()
	end := time.Now().Add(15 * time.Minute)
	if rng.IntN(2) == 0 {
		h.Service.Inject(serviceTrouble(rng))
	}
	if rng.IntN(4) == 0 {
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Times: 1 + rng.IntN(2), Kind: []sim.FaultKind{sim.Garbage, sim.Forbidden, sim.RateLimit}[rng.IntN(3)]})
	}
	if rng.IntN(2) == 0 {
		h.Telegram.Inject(randomTelegramFault(rng, apptest.Sam))
	}
	if round%8 == 5 {
		s.Panic.Store(true)
	}
	switch rng.IntN(6) {
	case 0, 1, 2:
		attempt(h, "/buy", "Play Card", "5 USD", []string{"1", "2", "12"}[rng.IntN(3)], "✅")
	case 3:
		attempt(h, "/topup", "Arena", "110 gems", canaryPlayer, "✅")
	case 4:
		attempt(h, "/orders", "1", "Show", "Why", "/balance", "/history", canaryPlayer)
	default:
		h.Telegram.InjectUpdate(`"message":{"message_id":"` + apptest.TestKey + `","chat":[]}`)
		attempt(h, "/key "+apptest.TestKey+"x", "/buy", apptest.TestKey, "/start "+apptest.TestKey, "/"+apptest.TestKey, "/orders "+canaryPlayer)
	}
	for range 6 { // what is asked is answered by somebody who knows
		h.Pass(time.Minute)
		attempt(h, "It is there", "I found it there", "None of these", "I found it there", "It is not there", "Yes: it was not bought")
	}
	h.Pass(time.Until(end))
}

// attempt taps the newest button with each of the words, where there is one, and types commands, numbers and
// the key.
func attempt(h *apptest.Harness, words ...string) {
	h.T.Helper()
	for _, w := range words {
		if w[0] == '/' || strings.Trim(w, "0123456789") == "" || w == apptest.TestKey {
			h.Say(apptest.Sam, w)
			continue
		}
		if _, err := h.Telegram.TapButton(apptest.Sam, apptest.Sam, w); err == nil {
			h.Pass(2 * time.Second)
		}
	}
}

// scrape keeps what the HTTP endpoints say.
func scrape(h *apptest.Harness, into *bytes.Buffer) {
	h.T.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: h.Net.Dial, DisableKeepAlives: true}}
	for _, path := range []string{"/metrics", "/readyz", "/healthz", "/" + apptest.TestToken} {
		resp, err := client.Get("http://" + apptest.HealthAddr + path) //nolint:noctx // its end is that of the bubble
		h.Must(err)
		_, err = into.ReadFrom(resp.Body)
		h.Must(err)
		h.Must(resp.Body.Close())
	}
}

// canaries fails the test unless enough has happened, and none of it shows where it must not.
func canaries(h *apptest.Harness, shown []byte, rounds int) {
	h.T.Helper()
	_, key, _ := strings.Cut(h.Env["ENCRYPTION_KEYS"], ":")
	_, token, _ := strings.Cut(apptest.TestToken, ":")
	secrets := []string{token, apptest.TestKey, key, canaryPlayer, "a defect with a secret in it"}
	for _, o := range h.Service.Orders() {
		if o.Code != "" {
			secrets = append(secrets, o.Code)
		}
	}
	places := map[string][]byte{"the log": []byte(h.Log.String()), "an answer over HTTP": shown}
	h.Must(filepath.WalkDir(h.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		places[e.Name()], err = os.ReadFile(path)
		return err
	}))
	for name, text := range places {
		for _, secret := range secrets {
			if bytes.Contains(text, []byte(secret)) {
				h.T.Errorf("%s shows %q", name, secret)
			}
		}
	}
	var players, unknown int
	for _, p := range h.Service.Purchases() {
		if p.Player == canaryPlayer {
			players++
		}
	}
	for _, m := range h.Telegram.Messages(apptest.Sam) {
		if m.FromBot && slices.ContainsFunc([]string{"Closed", "Not bought"}, func(w string) bool { return strings.Contains(m.Text, w) }) {
			unknown++
		}
	}
	log := h.Log.String()
	h.T.Logf("%d purchases, %d top-ups, %d codes, %d decided, %d places, %d MB", len(h.Service.Purchases()), players, len(secrets)-5, unknown, len(places), len(log)>>20)
	if len(secrets)-5 < rounds/3 || players == 0 || unknown == 0 || len(places) < 6 || !strings.Contains(log, "panic") {
		h.T.Errorf("too little has happened: %d secrets, %d top-ups, %d decided, %d places, %d panics", len(secrets), players, unknown, len(places), strings.Count(log, "panic"))
	}
}
