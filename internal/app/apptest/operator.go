package apptest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Figures asks the bot for its figures.
func (h *Harness) Figures() string {
	h.T.Helper()
	tr := &http.Transport{DialContext: h.Net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.T.Context(), http.MethodGet, "http://"+HealthAddr+"/metrics", nil)
	h.Must(err)
	resp, err := tr.RoundTrip(req)
	h.Must(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	h.Must(err)
	if resp.StatusCode != http.StatusOK {
		h.T.Fatalf("metrics answer %d: %s", resp.StatusCode, text)
	}
	return string(text)
}

// Figure is the sum of all series of a name whose labels hold some words.
func Figure(t *testing.T, text, name string, labels ...string) float64 {
	t.Helper()
	sum, found := 0.0, false
	for line := range strings.Lines(text) {
		series, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if i := strings.LastIndex(line, "} "); i > 0 {
			series, value = line[:i+1], strings.TrimSpace(line[i+2:])
		}
		if series != name && !strings.HasPrefix(series, name+"{") || slices.ContainsFunc(labels, func(l string) bool { return !strings.Contains(series, l) }) {
			continue
		}
		var v float64
		if _, err := fmt.Sscan(value, &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		sum, found = sum+v, true
	}
	if !found {
		t.Errorf("there is no %s with %v", name, labels)
	}
	return sum
}

// CallTelegram makes a call of the Bot API with the bot's token, as another process does, and returns the answer.
func (h *Harness) CallTelegram(method, body string) string {
	h.T.Helper()
	tr := &http.Transport{DialContext: h.Net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.T.Context(), http.MethodPost, "http://"+TelegramAddr+"/bot"+TestToken+"/"+method, strings.NewReader(body))
	h.Must(err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := tr.RoundTrip(req)
	h.Must(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	h.Must(err)
	return string(text)
}
