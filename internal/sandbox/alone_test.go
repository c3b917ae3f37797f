package sandbox_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox"
)

// Two bots that are not ours: tokens of Telegram's form.
const (
	oneToken   = "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc"
	otherToken = "987654321:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc"
)

// aloneProgram is `bot sandbox` as a process, and where it is.
type aloneProgram struct {
	t                       *testing.T
	telegram, service, page string
	keys                    []string
	theirs                  *apptest.LockedBuffer // what a bot that is not ours said
	said                    any                   // the last message of the person
	query                   string                // the last inline query
}

// runAlone runs `bot sandbox` until the test ends.
func runAlone(t *testing.T, flags ...string) *aloneProgram {
	t.Helper()
	args := append([]string{"sandbox", "-telegram", "127.0.0.1:0", "-service", "127.0.0.1:0", "-page", "127.0.0.1:0"}, flags...)
	program := exec.CommandContext(context.Background(), apptest.Program(t), args...)
	errs := &apptest.LockedBuffer{}
	program.Dir, program.Stderr = t.TempDir(), errs
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = program.Process.Signal(os.Interrupt)
		if err := program.Wait(); err != nil {
			t.Errorf("the sandbox ended with %v\n%s", err, errs)
		}
	})
	p := &aloneProgram{t: t}
	for lines := bufio.NewScanner(stdout); len(p.keys) < 2 && lines.Scan(); {
		switch words := strings.Fields(lines.Text()); words[0] {
		case "telegram":
			p.telegram = words[1]
		case "service":
			p.service = words[1]
		case "page":
			p.page = words[1]
		case "key":
			p.keys = append(p.keys, words[1])
		}
	}
	if p.telegram == "" || p.service == "" || p.page == "" || len(p.keys) != 2 {
		t.Fatalf("the sandbox said %+v\n%s", p, errs)
	}
	return p
}

// ask does a request with a JSON body, none for "", and decodes the answer into v.
func (p *aloneProgram) ask(method, address, body string, v any) int {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", p.keys[0])
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		p.t.Fatalf("%s %s: HTTP %d, %v", method, address, resp.StatusCode, err)
	}
	return resp.StatusCode
}

// aMessage is what the tests look at of a Message, and of an Update with one.
type aMessage struct {
	ID   int `json:"message_id"`
	Text string
	From struct{ ID int64 }
	Chat struct{ ID int64 }
}

type anUpdate struct {
	ID      int64 `json:"update_id"`
	Message aMessage
}

// TestSandboxAlone: two bots that are not ours, each in a world of its own; what a person types through the control
// interface reaches the one by getUpdates and the other by its webhook.
func TestSandboxAlone(t *testing.T) {
	t.Parallel()
	p := runAlone(t)
	var me struct {
		OK     bool
		Result struct {
			ID       int64
			Username string
		}
	}
	names := map[string]bool{}
	for token, id := range map[string]int64{oneToken: 123456789, otherToken: 987654321} {
		if p.ask(http.MethodGet, p.telegram+"/bot"+token+"/getMe", "", &me); !me.OK || me.Result.ID != id {
			t.Errorf("getMe: %+v", me)
		}
		names[me.Result.Username] = true
	}
	if len(names) != 2 {
		t.Errorf("the bots are called %v", names)
	}

	hooked := make(chan anUpdate, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var u anUpdate
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &u)
		}
		if err != nil || r.Header.Get("X-Telegram-Bot-Api-Secret-Token") != "between-us" {
			t.Errorf("%v, %s", err, r.Header)
		}
		hooked <- u
	}))
	defer hook.Close()
	var done struct{ OK bool }
	if p.ask(http.MethodPost, p.telegram+"/bot"+otherToken+"/setWebhook", `{"url":"`+hook.URL+`","secret_token":"between-us"}`, &done); !done.OK {
		t.Fatal("the webhook was not set")
	}

	say := func(token, text string) (m aMessage) {
		t.Helper()
		if code := p.ask(http.MethodPost, p.page+"/control/v1/people/501/say", `{"bot":"`+token+`","chat":0,"text":"`+text+`"}`, &m); code != http.StatusOK || m.Text != text || m.From.ID != 501 || m.Chat.ID != 501 {
			t.Errorf("HTTP %d, %+v", code, m)
		}
		return m
	}
	first, second := say(oneToken, "to the one"), say(otherToken, "to the other")
	var polled struct{ Result []anUpdate }
	p.ask(http.MethodPost, p.telegram+"/bot"+oneToken+"/getUpdates", `{"timeout":20}`, &polled)
	if len(polled.Result) != 1 || polled.Result[0].Message != first {
		t.Errorf("polled %+v", polled)
	}
	select {
	case u := <-hooked:
		if u.Message != second {
			t.Errorf("the webhook got %+v", u)
		}
	case <-time.After(20 * time.Second):
		t.Error("the webhook got nothing")
	}

	var balance struct{ Data struct{ Balance float64 } }
	if code := p.ask(http.MethodGet, p.service+"/balance", "", &balance); code != http.StatusOK || balance.Data.Balance != 25000 {
		t.Errorf("the service says HTTP %d, %+v", code, balance)
	}
	var no struct {
		Code        int `json:"error_code"`
		Description string
	}
	for token, want := range map[string]string{"123:abc": "Unauthorized", "nonsense": "Unauthorized: invalid token specified", "1": "Unauthorized: invalid token specified"} {
		if code := p.ask(http.MethodGet, p.telegram+"/bot"+token+"/getMe", "", &no); code != http.StatusUnauthorized || no.Description != want {
			t.Errorf("%s: HTTP %d, %+v", token, code, no)
		}
	}
	if code := p.ask(http.MethodGet, p.telegram+"/bot"+oneToken+"/sendGame", "", &no); code != http.StatusNotImplemented || no.Code != code || !strings.HasPrefix(no.Description, "Not Implemented: ") {
		t.Errorf("HTTP %d, %+v", code, no)
	}
}

// Each address that others reach wants to be told by which names they may ask, and what makes no sense is a usage error.
func TestSandboxListens(t *testing.T) {
	for args, want := range map[string]string{
		"-telegram 0.0.0.0:0": "-hosts", "-service :0": "-hosts", "-page 192.168.1.4:0": "-hosts", "-page nonsense": "-page must be", "more": "unexpected argument",
	} {
		var out, errs strings.Builder
		all := append([]string{"sandbox", "-telegram", "127.0.0.1:0", "-service", "127.0.0.1:0", "-page", "127.0.0.1:0"}, strings.Fields(args)...)
		code := app.Start(t.Context(), app.World{Args: all, Lookup: lookedUp(nil), Stdout: &out, Stderr: &errs, Dir: t.TempDir(), Listen: net.Listen, More: sandbox.Subcommands()})
		if code != app.ExitUsage || !strings.Contains(errs.String(), want) || out.Len() > 0 {
			t.Errorf("%s: %d %s%s", args, code, &out, &errs)
		}
	}
}

// always is the answer to every request.
type always string

// RoundTrip implements http.RoundTripper.
func (a always) RoundTrip(*http.Request) (*http.Response, error) {
	if a == "" {
		return nil, io.ErrUnexpectedEOF
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(a)))}, nil
}

// On request a token that Telegram's own servers know is not let in, nor one of which they say nothing; and no refusal
// quotes it.
func TestRealTokensAreRefused(t *testing.T) {
	for answer, in := range map[always]bool{
		`{"ok":false,"error_code":401}`: true, `{"ok":false,"error_code":404}`: true, `{"ok":true,"result":{}}`: false, `{"ok":false,"error_code":500}`: false,
		`<html>`: false, "": false,
	} {
		err := sandbox.RefuseReal(t.Context(), answer, oneToken)
		if (err == nil) != in || err != nil && strings.Contains(err.Error(), oneToken) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}
