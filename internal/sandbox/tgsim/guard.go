package tgsim

import (
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// realToken is the form of the tokens that Telegram gives out.
var realToken = regexp.MustCompile(`^\d{8,10}:[A-Za-z0-9_-]{35}$`)

// isReal reports whether a token could be that of a real bot. Such a one is let in only where a Server was made
// to let it in: where somebody tries a bot of his own.
func isReal(token string) bool { return realToken.MatchString(token) }

// Guard lets through requests that were made to this machine by one of its own names, or by one of some others, and by
// no page of elsewhere. A page whose name was made to lead here (DNS rebinding) still carries its own name, and a browser
// says of any other that it is of another site: even a GET does something at the Bot API.
func Guard(hosts []string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !isLoopback(r.Host) && !slices.Contains(hosts, hostname(r.Host)):
			http.Error(w, "the sandbox does not answer to this name", http.StatusMisdirectedRequest)
		case foreign(r):
			http.Error(w, "the sandbox takes no requests from pages of other sites", http.StatusForbidden)
		default:
			h.ServeHTTP(w, r)
		}
	})
}

// foreign reports whether a browser made a request for a page of another origin. Another port is one, although browsers call
// it the same site. Programs that are no browsers send neither header.
func foreign(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host
}

// hostname is the name in a Host header, in lower case and without its port.
func hostname(host string) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return strings.ToLower(name)
}

// isLoopback reports whether a Host header names this machine, with a port or without.
func isLoopback(host string) bool {
	name := hostname(host)
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}
