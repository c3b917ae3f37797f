package tgsim

import (
	"net"
	"net/http"
	"regexp"
	"strings"
)

// realToken is the form of the tokens that Telegram gives out.
var realToken = regexp.MustCompile(`^\d{8,10}:[A-Za-z0-9_-]{35}$`)

// isReal reports whether a token could be that of a real bot. Such a one has no business in a sandbox, and is
// let in nowhere, not even where a Server was made with it.
func isReal(token string) bool { return realToken.MatchString(token) }

// Loopback lets through requests that were made to this machine by one of its own names. A page of elsewhere
// whose name was made to lead here (DNS rebinding) still carries its own name, and is refused.
func Loopback(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.Host) {
			http.Error(w, "the sandbox is for this machine only", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// isLoopback reports whether a Host header names this machine, with a port or without.
func isLoopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}
