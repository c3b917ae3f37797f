package worlds_test

import (
	"net/http"
	"strings"
	"testing"
)

// A request is taken whole or not at all: what an operation does not take, or nobody can read, is an error in plain words.
func TestRequests(t *testing.T) {
	p := newPlace(t, nil)
	p.bot("getMe", nil)
	for _, c := range []struct{ path, body, words string }{
		{"/people/501/say", `{"text":"a","emoji":["👍"]}`, `emoji has no effect here: this takes chat, text, reply_to, thread`},
		{"/people/501/say", `{"text":"a"}{"text":"b"}`, "behind"},
		{"/people/501/say", `{"text":"a"} b`, "behind"},
		{"/people/501/say", `{"text":5}`, "text is no number"},
		{"/people/501/tap", `{"message":"5"}`, "message is no string"},
		{"/people/501/say", `["a"]`, "an object"},
		{"/people/501/say", `{"bot":true,"text":"a"}`, "bot is a token, or a number"},
		{"/people/501/start", `{"chat":-4000000100}`, "private chat"},
		{"/reset", `{"text":"a"}`, "text has no effect here"},
		{"/weather", `{"kind":"flood","method":"*","times":1,"text":"a"}`, "text has no effect here"},
		{"/service/lose", `{"key":"a"}`, "key has no effect here"},
		{"/service/reset", `{"x":1}`, "x has no effect here"},
		{"/service/fault", ``, "empty"},
	} {
		p.refused(c.path, c.body, http.StatusBadRequest, c.words)
	}
	for _, path := range []string{"/people?chat=5", "/bots?x=1", "/messages?chat=501&name=a", "/service?chat=1", "/messages?chat=501&chat=502"} {
		var no struct{ Error string }
		if code := p.ask(p.Page(), http.MethodGet, "/control/v1"+path, "", &no); code != http.StatusBadRequest {
			t.Errorf("%s: HTTP %d %s", path, code, no.Error)
		}
	}
	if text := p.everything(token); strings.Contains(text, "message_id") {
		t.Errorf("what was refused had an effect: %s", text)
	}
	if m := p.control("/people/501/say", values{"bot": 1, "text": "by the number of its world"}); m.at("message_id") == nil {
		t.Errorf("said %v", m)
	}
	p.control("/people/502/block", values{"chat": lea}) // a chat that is on screen is no mistake
}
