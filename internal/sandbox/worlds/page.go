package worlds

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"

	"resellerbot/internal/sandbox/tgsim"
)

// Page serves the chat page of each world at /worlds/<number>/, a list of them at /, and the control interface.
func (s *Sandbox) Page() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/control/v1/", s.Control())
	mux.HandleFunc("GET /worlds/{number}/", func(rw http.ResponseWriter, r *http.Request) {
		w := s.known(r.PathValue("number"))
		prefix := "/worlds/" + r.PathValue("number")
		// known takes a token as well: here a number alone counts, and the Bot API is not served under the page's address.
		if w == nil || strconv.Itoa(w.number) != r.PathValue("number") || strings.HasPrefix(r.URL.Path, prefix+"/bot") || strings.HasPrefix(r.URL.Path, prefix+"/file/") {
			http.NotFound(rw, r)
			return
		}
		http.StripPrefix(prefix, http.HandlerFunc(w.serve)).ServeHTTP(rw, r)
	})
	mux.Handle("GET /{$}", tgsim.Sheltered(http.HandlerFunc(s.list)))
	return mux
}

// list leads to the worlds. While there are none it looks again.
func (s *Sandbox) list(rw http.ResponseWriter, _ *http.Request) {
	all := s.all()
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Cache-Control", "no-store")
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>Sandbox</title>`)
	if len(all) == 0 {
		b.WriteString(`<meta http-equiv="refresh" content="1"><h1>No bot yet</h1><p>Start a bot with the sandbox's address in the place of https://api.telegram.org and any token, like 123456789:<wbr>AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc. Its chats appear here.</p>`)
	} else {
		b.WriteString("<h1>Bots</h1><ul>")
	}
	for _, w := range all {
		telegram, _ := w.now()
		fmt.Fprintf(&b, `<li><a href="/worlds/%d/">%s</a></li>`, w.number, html.EscapeString("@"+telegram.BotName()))
	}
	_, _ = rw.Write([]byte(b.String()))
}
