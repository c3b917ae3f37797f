package tgsim

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A name of elsewhere that was made to lead to this machine opens nothing.
func TestLoopback(t *testing.T) {
	h := Loopback(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for host, want := range map[string]int{
		"127.0.0.1:8088": http.StatusNoContent, "127.0.0.1": http.StatusNoContent, "localhost:8088": http.StatusNoContent, "[::1]:8088": http.StatusNoContent,
		"[::1]": http.StatusNoContent, "127.8.9.10:1": http.StatusNoContent,
		"": http.StatusMisdirectedRequest, "evil.example": http.StatusMisdirectedRequest, "evil.example:8088": http.StatusMisdirectedRequest,
		"127.0.0.1.evil.example:8088": http.StatusMisdirectedRequest, "localhost.evil.example": http.StatusMisdirectedRequest, "192.168.1.4:8088": http.StatusMisdirectedRequest,
		"0.0.0.0:8088": http.StatusMisdirectedRequest,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("host %q: HTTP %d", host, w.Code)
		}
	}
}

// The token of a real bot is let in nowhere, not even where it was put in on purpose.
func TestRealTokens(t *testing.T) {
	telegrams := "123456789:" + strings.Repeat("Ab3_-", 7)
	for _, own := range []string{token, telegrams} {
		s := New(Options{Token: own, BotName: "shop_bot"})
		if code, _ := get(t, s, "/bot"+telegrams+"/getMe"); code != http.StatusUnauthorized {
			t.Errorf("HTTP %d", code)
		}
	}
}
