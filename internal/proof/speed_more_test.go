package proof

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// secured has a bot reach its Telegram over TLS, which offers HTTP/2 as Telegram does: who wants that takes it.
func (b *speedBot) secured() *speedBot {
	b.t.Helper()
	server := httptest.NewUnstartedServer(b.handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	b.t.Cleanup(server.Close)
	trusted := filepath.Join(b.t.TempDir(), "trusted.pem")
	if err := os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.base, b.limits = server.URL, append(b.limits, "SSL_CERT_FILE="+trusted)
	return b
}

// measureSecure tells what an update costs over TLS.
func measureSecure(t *testing.T, full bool) {
	t.Helper()
	rounds, each := 3, 2000
	if full {
		rounds, each = 5, 5000
	}
	ours, bare := newSpeedBot(t).secured(), newSpeedBot(t).secured()
	ours.startBeside(bare)
	for _, b := range []*speedBot{ours, bare} {
		b.load(speedChats-1000, 1000, 0, "sendmessage", (*speedBot).says) // to warm up
	}
	compare(t, "/start over TLS", rounds, func(i int, b *speedBot) float64 { return b.load(i*each, each, 0, "sendmessage", (*speedBot).says) }, ours, bare)
	t.Logf("resident: %s, bare library %s", ours.resident(), bare.resident())
}

// measureBacklog has a bot find many updates at once, and a Telegram that takes a second over each message.
func measureBacklog(t *testing.T) {
	t.Helper()
	const many = 6000
	ours, bare := newSpeedBot(t), newSpeedBot(t)
	for _, b := range []*speedBot{ours, bare} {
		b.pause.Store(int64(time.Second))
	}
	ours.startBeside(bare)
	for _, b := range []*speedBot{ours, bare} {
		idle, begun, before := b.memory("RssAnon"), time.Now(), b.spent()
		for i := range int64(many) {
			b.says(firstChat + i)
		}
		b.until("all answers", func() bool { return b.telegram.Calls()["sendmessage"] >= many })
		took, lost := time.Since(begun), 0
		for i := range int64(many) {
			answers := 0
			for _, m := range b.telegram.Messages(firstChat + i) {
				if m.FromBot {
					answers++
				}
			}
			if answers != 1 {
				lost++
			}
		}
		name := "ours"
		if b == bare {
			name = "bare library"
		}
		t.Logf("backlog of %d, a second a message, %s: %d not answered once, %.0f s, %.1f s of CPU, resident at most %s, of its own %s (before: %s)",
			many, name, lost, took.Seconds(), (b.spent() - before).Seconds(), b.resident(), b.memory("RssAnon"), idle)
		if lost > 0 && b == ours {
			t.Errorf("%d are not answered once", lost)
		}
	}
}
