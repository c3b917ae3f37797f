package api

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/secret"
)

// TestLongAnswersToPurchasesAreLeft: of an answer without end no more is taken than an answer can be.
func TestLongAnswersToPurchasesAreLeft(t *testing.T) {
	const end = 64 << 20
	sent := make(chan int, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		blank, n := bytes.Repeat([]byte(" "), 1<<20), 0
		for n < end {
			m, err := w.Write(blank)
			if n += m; err != nil {
				break
			}
		}
		sent <- n
	}))
	defer srv.Close()
	s := newClient(t, Config{BaseURL: srv.URL + "/api", Generation: Current}).As(secret.New(canaryKey))
	if v := s.Purchase(t.Context(), two); v.Outcome != Unknown {
		t.Errorf("the verdict is %+v", v)
	}
	if n := <-sent; n >= end {
		t.Errorf("%d bytes of an answer were taken", n)
	}
}

// TestHalfAnOutageTellsNoGeneration: where the path of one generation fails and that of the other does not,
// the service does not speak the other one for that.
func TestHalfAnOutageTellsNoGeneration(t *testing.T) {
	for _, status := range []int{http.StatusInternalServerError, http.StatusBadGateway, http.StatusTooManyRequests, http.StatusUnauthorized, http.StatusForbidden, http.StatusBadRequest, http.StatusConflict} {
		service, broken := &changing{}, true
		service.speaks(sim.Options{Mode: sim.Both}, false)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if broken && strings.HasSuffix(r.URL.Path, "/account") {
				w.WriteHeader(status)
				return
			}
			service.ServeHTTP(w, r)
		}))
		defer srv.Close()
		client, err := New(Config{BaseURL: srv.URL + "/api"}) // which finds the generation out
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		s := client.As(secret.New("KEY-1"))
		if _, err := s.Account(context.Background()); err == nil {
			t.Errorf("HTTP %d: the account was read", status)
		}
		broken = false
		if v := s.Purchase(context.Background(), PurchaseRequest{ProductID: 1, VariantID: 11, Quantity: 1}); v.Outcome != Accepted || v.Origin != FromCurrent {
			t.Errorf("HTTP %d: bought as %+v, which is not the interface that was spoken", status, v)
		}
	}
}
