package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"resellerbot/internal/secret"
)

type holder struct {
	Public  secret.Text
	private secret.Text
	list    []secret.Text
	byName  map[string]secret.Text
}

func TestTextNeverPrints(t *testing.T) {
	const canary = "CANARY-8823-key"
	s := secret.New(canary)
	h := holder{Public: s, private: s, list: []secret.Text{s}, byName: map[string]secret.Text{"a": s}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		fmt.Fprintf(&out, verb, s)
		fmt.Fprintf(&out, verb, &s)
		fmt.Fprintf(&out, verb, h)
		fmt.Fprintf(&out, verb, &h)
	}
	for _, log := range []*slog.Logger{slog.New(slog.NewTextHandler(&out, nil)), slog.New(slog.NewJSONHandler(&out, nil))} {
		log.Info("x", "s", s, "h", h, "p", &h)
	}
	if err := json.NewEncoder(&out).Encode(h); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), canary) || strings.Contains(out.String(), fmt.Sprintf("%x", canary)) {
		t.Fatalf("the secret shows in: %s", out.String())
	}
	if s.Reveal() != canary || s.IsZero() || !s.Equal(secret.New(canary)) || s.Equal(secret.New("other")) {
		t.Error("the secret must be there for those who ask")
	}
	if zero := (secret.Text{}); !zero.IsZero() || zero.Reveal() != "" || !secret.New("").IsZero() {
		t.Error("the zero Text must be empty")
	}
}
