package main

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
	if atMost(1) == 0 {
		t.Skip("it is no day in parts: SAMPLES=full plays it, as CI does")
	}
	rounds := canaryRounds
	if os.Getenv("PROOF_TRIPLES") != "" {
		rounds = 96
	}
	s := &stumbling{}
	var shown bytes.Buffer // what the HTTP endpoints have said
	inHouse(t, func(h *house) {
		everything(sim.Options{Mode: sim.Both})(h)
		h.service.SetBalance(testKey, "9000000")
		h.engine = func(e store.Engine) store.Engine { s.Engine = e; return s }
		h.env["BACKUP_DIR"], h.env["BACKUP_SCHEDULE"], h.env["BACKUP_KEEP"] = "copies", "@every 2h", "30"
		h.env["OWNER_CHAT_ID"] = "502"
	}, func(h *house) {
		h.link(sam)
		rng := rand.New(rand.NewPCG(1, 2))
		for round := range rounds {
			h.canaryRound(s, rng, round)
			if round%4 == 0 {
				h.scrape(&shown)
			}
			if round%19 == 18 {
				h.stop()
				h.start()
			}
		}
		h.service.ClearFaults()
		h.telegram.ClearFaults()
		h.pass(2 * time.Hour)
		h.scrape(&shown)
		h.stop()
		h.canaries(shown.Bytes(), rounds)
	})
}

// canaryRound is a quarter of an hour: something goes wrong, and somebody does something.
func (h *house) canaryRound(s *stumbling, rng *rand.Rand, round int) {
	h.t.Helper()
	end := time.Now().Add(15 * time.Minute)
	if rng.IntN(2) == 0 {
		h.service.Inject(serviceTrouble(rng))
	}
	if rng.IntN(4) == 0 {
		h.service.Inject(sim.Fault{Operation: sim.AnyOperation, Times: 1 + rng.IntN(2), Kind: []sim.FaultKind{sim.Garbage, sim.Forbidden, sim.RateLimit}[rng.IntN(3)]})
	}
	if rng.IntN(2) == 0 {
		h.telegram.Inject(telegramStumble(rng, sam))
	}
	if round%8 == 5 {
		s.panic.Store(true)
	}
	switch rng.IntN(6) {
	case 0, 1, 2:
		h.attempt("/buy", "Play Card", "5 USD", []string{"1", "2", "12"}[rng.IntN(3)], "✅")
	case 3:
		h.attempt("/topup", "Arena", "110 gems", canaryPlayer, "✅")
	case 4:
		h.attempt("/orders", "Play Card", "Show", "Why", "/balance", "/history", canaryPlayer)
	default:
		h.telegram.InjectUpdate(`"message":{"message_id":"` + testKey + `","chat":[]}`)
		h.attempt("/key "+testKey+"x", "/buy", testKey, "/start "+testKey, "/"+testKey, "/orders "+canaryPlayer)
	}
	for range 6 { // what is asked is answered by somebody who knows
		h.pass(time.Minute)
		h.attempt("It is there", "I found it there", "None of these", "I found it there", "It is not there", "Yes: it was not bought")
	}
	h.pass(time.Until(end))
}

// attempt taps the newest button with each of the words, where there is one, and types commands, numbers and
// the key.
func (h *house) attempt(words ...string) {
	h.t.Helper()
	for _, w := range words {
		if w[0] == '/' || strings.Trim(w, "0123456789") == "" || w == testKey {
			h.say(sam, w)
			continue
		}
		if _, err := h.telegram.TapButton(sam, sam, w); err == nil {
			h.pass(2 * time.Second)
		}
	}
}

// scrape keeps what the HTTP endpoints say.
func (h *house) scrape(into *bytes.Buffer) {
	h.t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: h.net.Dial, DisableKeepAlives: true}}
	for _, path := range []string{"/metrics", "/readyz", "/healthz", "/" + testToken} {
		resp, err := client.Get("http://" + healthAddr + path) //nolint:noctx // its end is that of the bubble
		h.must(err)
		_, err = into.ReadFrom(resp.Body)
		h.must(err)
		h.must(resp.Body.Close())
	}
}

// canaries fails the test unless enough has happened, and none of it shows where it must not.
func (h *house) canaries(shown []byte, rounds int) {
	h.t.Helper()
	_, key, _ := strings.Cut(h.env["ENCRYPTION_KEYS"], ":")
	_, token, _ := strings.Cut(testToken, ":")
	secrets := []string{token, testKey, key, canaryPlayer, "a defect with a secret in it"}
	for _, o := range h.service.Orders() {
		if o.Code != "" {
			secrets = append(secrets, o.Code)
		}
	}
	places := map[string][]byte{"the log": []byte(h.log.String()), "an answer over HTTP": shown}
	h.must(filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		places[e.Name()], err = os.ReadFile(path)
		return err
	}))
	for name, text := range places {
		for _, secret := range secrets {
			if bytes.Contains(text, []byte(secret)) {
				h.t.Errorf("%s shows %q", name, secret)
			}
		}
	}
	var players, unknown int
	for _, p := range h.service.Purchases() {
		if p.Player == canaryPlayer {
			players++
		}
	}
	for _, m := range h.telegram.Messages(sam) {
		if m.FromBot && slices.ContainsFunc([]string{"Closed", "Not bought"}, func(w string) bool { return strings.Contains(m.Text, w) }) {
			unknown++
		}
	}
	log := h.log.String()
	h.t.Logf("%d purchases, %d top-ups, %d codes, %d decided, %d places, %d MB", len(h.service.Purchases()), players, len(secrets)-5, unknown, len(places), len(log)>>20)
	if len(secrets)-5 < rounds/3 || players == 0 || unknown == 0 || len(places) < 6 || !strings.Contains(log, "panic") {
		h.t.Errorf("too little has happened: %d secrets, %d top-ups, %d decided, %d places, %d panics", len(secrets), players, unknown, len(places), strings.Count(log, "panic"))
	}
}
