package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"resellerbot/internal/secret"
)

func TestLogMasksSecrets(t *testing.T) {
	env := fullEnv()
	for _, format := range []string{"json", "text"} {
		env["LOG_FORMAT"] = format
		c, err := parseConfig(LookupIn(env))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		log := newLogger(&out, c)
		for _, s := range c.secrets {
			text := s.Reveal()
			err := fmt.Errorf("Post \"https://host/bot%s/getMe\": refused", text)
			log.With("with", text).WithGroup(text).Info("got "+text, text, 1, "err", err,
				"any", struct{ Key string }{text}, slog.Group("g", "inner", []string{text, "x"}))
		}
		log.Info("half", "of the token", goodToken[len("4839274650:"):], "one key", masterKey("o", 32))
		assertHidden(t, out.String(), secretsOf(env))
		if lines := strings.Count(out.String(), "\n"); lines != len(c.secrets)+1 || !strings.Contains(out.String(), "[secret]") {
			t.Errorf("%s: %d lines: %s", format, lines, out.String())
		}
	}
}

func TestLogLevelAndFormat(t *testing.T) {
	var out bytes.Buffer
	log := newLogger(&out, Config{LogLevel: slog.LevelWarn})
	log.Info("quiet")
	log.Warn("loud")
	if got := out.String(); strings.Contains(got, "quiet") || !strings.Contains(got, `"msg":"loud"`) {
		t.Errorf("got %s", got)
	}
	out.Reset()
	newLogger(&out, Config{LogText: true}).Info("plain", "a", 1)
	if got := out.String(); !strings.Contains(got, "msg=plain a=1") {
		t.Errorf("got %s", got)
	}
}

func TestShortSecretsBlotOutNothing(t *testing.T) {
	mask := newMask([]secret.Text{secret.New("a"), secret.New("12:abc"), secret.New("a-long-secret")})
	if got := mask.Replace("a banana 12:abc a-long-secret"); got != "a banana 12:abc [secret]" {
		t.Errorf("got %q", got)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestMaskingWriterReportsFailure(t *testing.T) {
	if _, err := (maskingWriter{failingWriter{}, newMask(nil)}).Write([]byte("x")); err == nil {
		t.Error("the failure is lost")
	}
}

func TestHiddenError(t *testing.T) {
	c := Config{secrets: []secret.Text{secret.New(goodToken)}}
	cause := fmt.Errorf("GET /bot%s/getMe: refused", goodToken)
	err := c.hideIn(cause)
	assertHidden(t, fmt.Sprintf("%v %s %q", err, err, err), []string{"canary"})
	if !errors.Is(err, cause) || c.hideIn(nil) != nil {
		t.Error("the error must stay what it is")
	}
}
