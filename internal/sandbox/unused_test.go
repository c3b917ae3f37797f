package sandbox_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox"
)

// TestSandboxUnusedConnections: a connection that a browser has opened ahead of its use is still good minutes later, for a
// request with a body too, and so is one that was used.
func TestSandboxUnusedConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := apptest.NewMemNet()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan int, 1)
		go func() {
			w := app.World{Args: []string{"sandbox"}, Lookup: func(string) (string, bool) { return "", false }, Stdout: io.Discard, Stderr: io.Discard, Dir: t.TempDir(), Listen: n.Listen, More: sandbox.Subcommands()}
			ended <- app.Start(ctx, w)
		}()
		synctest.Wait()
		conns := map[string]net.Conn{}
		for _, addr := range []string{"127.0.0.1:8081", "127.0.0.1:8083"} {
			c, err := n.Dial(ctx, "tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			conns[addr] = c
		}
		for _, unused := range []time.Duration{time.Minute, 5 * time.Minute} {
			<-time.After(unused)
			for addr, c := range conns {
				askOver(t, c, "http://"+addr+map[string]string{"127.0.0.1:8081": "/bot" + oneToken + "/getMe", "127.0.0.1:8083": "/control/v1/bots"}[addr])
			}
		}
		for _, c := range conns {
			c.Close()
		}
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("the sandbox ended with %d", code)
		}
	})
}

// askOver asks for something over a connection with a body, and reads the answer.
func askOver(t *testing.T, c net.Conn, address string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(`{"bot": "`+oneToken+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	sent := make(chan error, 1)
	go func() { sent <- req.Write(c) }()
	resp, err := http.ReadResponse(bufio.NewReader(c), req)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%s: HTTP %d %s, %v", address, resp.StatusCode, body, err)
	}
	if err := <-sent; err != nil {
		t.Errorf("%s: %v", address, err)
	}
}
