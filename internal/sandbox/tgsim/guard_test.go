package tgsim

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A name of elsewhere that was made to lead to this machine opens nothing.
func TestGuardOfNames(t *testing.T) {
	h := Guard([]string{"sandbox"}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for host, want := range map[string]int{
		"127.0.0.1:8088": http.StatusNoContent, "127.0.0.1": http.StatusNoContent, "localhost:8088": http.StatusNoContent, "[::1]:8088": http.StatusNoContent,
		"[::1]": http.StatusNoContent, "127.8.9.10:1": http.StatusNoContent,
		"sandbox:8081": http.StatusNoContent, "Sandbox": http.StatusNoContent, "sandbox.example": http.StatusMisdirectedRequest,
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

// A page of another origin does nothing, whatever it asks with; programs and the sandbox's own page do.
func TestGuardOfOrigins(t *testing.T) {
	h := Guard(nil, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
		for _, c := range []struct {
			site, origin string
			want         int
		}{
			{"", "", http.StatusNoContent}, {"none", "", http.StatusNoContent}, {"same-origin", "", http.StatusNoContent},
			{"same-origin", "http://127.0.0.1:8088", http.StatusNoContent}, {"", "http://127.0.0.1:8088", http.StatusNoContent},
			{"cross-site", "", http.StatusForbidden}, {"same-site", "", http.StatusForbidden}, {"unheard-of", "", http.StatusForbidden},
			{"", "http://127.0.0.1:8089", http.StatusForbidden}, {"", "https://evil.example", http.StatusForbidden}, {"", "null", http.StatusForbidden},
			{"same-origin", "https://evil.example", http.StatusForbidden}, {"", ":", http.StatusForbidden},
		} {
			r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
			r.Host = "127.0.0.1:8088"
			for name, value := range map[string]string{"Sec-Fetch-Site": c.site, "Origin": c.origin} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code != c.want {
				t.Errorf("%s from %q, %q: HTTP %d", method, c.site, c.origin, w.Code)
			}
		}
	}
}

// The token of a real bot is let in nowhere, not even where it was put in, unless that was meant.
func TestRealTokens(t *testing.T) {
	telegrams := "123456789:" + strings.Repeat("Ab3_-", 7)
	for _, own := range []string{token, telegrams} {
		s := New(Options{Token: own, BotName: "shop_bot"})
		if code, _ := get(t, s, "/bot"+telegrams+"/getMe"); code != http.StatusUnauthorized {
			t.Errorf("HTTP %d", code)
		}
	}
	if code, _ := get(t, New(Options{Token: telegrams, BotName: "shop_bot", RealTokens: true}), "/bot"+telegrams+"/getMe"); code != http.StatusOK {
		t.Errorf("on purpose: HTTP %d", code)
	}
}
