package control_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"resellerbot/internal/control"
)

// client is a client of a server whose copies are written by a function.
func client(t *testing.T, backup func(context.Context, io.Writer) error) control.Client {
	t.Helper()
	s := httptest.NewUnstartedServer(control.NewServer(control.Config{Backup: backup, Log: slog.New(slog.DiscardHandler)}).Handler())
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.Start()
	t.Cleanup(s.Close)
	return control.Client{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(s.URL, "http://"))
	}}
}

// TestCutCopy: a copy that fails, also on its way, is an error to whoever asked for it.
func TestCutCopy(t *testing.T) {
	broken := errors.New("the disk is full at /secret/place")
	for begun, text := range map[string]string{"before it began": "", "on its way": strings.Repeat("the first half", 10_000)} {
		c := client(t, func(_ context.Context, w io.Writer) error {
			if text != "" {
				if _, err := io.WriteString(w, text); err != nil {
					return err
				}
			}
			return broken
		})
		var got bytes.Buffer
		err := c.Backup(t.Context(), &got)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("a copy that fails %s ends with %v", begun, err)
		}
	}
	c := client(t, func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "all of it")
		return err
	})
	var got bytes.Buffer
	if err := c.Backup(t.Context(), &got); err != nil || got.String() != "all of it" {
		t.Errorf("a copy came as %q, %v", got.String(), err)
	}
}

// TestAway: where nobody listens, that is said.
func TestAway(t *testing.T) {
	c := control.Client{Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("refused") }}
	if _, err := c.Status(t.Context()); !errors.Is(err, control.ErrAway) || c.Answers(t.Context()) {
		t.Errorf("without a bot: %v", err)
	}
}
