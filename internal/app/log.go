package app

import (
	"io"
	"log/slog"
	"strings"

	"resellerbot/internal/secret"
)

// shortestMasked is the length from which a secret, or a part of one, is looked for in the log. Shorter
// ones would blot out ordinary words, and can be guessed anyhow.
const shortestMasked = 8

// newLogger logs to stderr in the configured form. Secrets are of a type that does not print; as a second
// line of defence no line leaves with one of the configuration's secrets in it, wherever it came from.
func newLogger(stderr io.Writer, cfg Config) *slog.Logger {
	out := maskingWriter{to: stderr, mask: newMask(cfg.secrets)}
	options := &slog.HandlerOptions{Level: cfg.LogLevel}
	if cfg.LogText {
		return slog.New(slog.NewTextHandler(out, options))
	}
	return slog.New(slog.NewJSONHandler(out, options))
}

// maskingWriter passes on what is written to it without the secrets. A secret must lie within one Write,
// as it does in the lines of slog's handlers.
type maskingWriter struct {
	to   io.Writer
	mask *strings.Replacer
}

// Write implements io.Writer.
func (m maskingWriter) Write(line []byte) (int, error) {
	if _, err := io.WriteString(m.to, m.mask.Replace(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}

// newMask replaces the secrets, and what stands between their commas and colons: one key of a list, the
// latter half of a token. Their alphabets need no escaping in either log format.
func newMask(secrets []secret.Text) *strings.Replacer {
	var whole, parts []string
	for _, s := range secrets {
		text := s.Reveal()
		whole = append(whole, text)
		parts = append(parts, strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ':' })...)
	}
	var pairs []string
	// Whole ones first: where two could be replaced at one place, strings.Replacer takes the one that was named first.
	for _, text := range append(whole, parts...) {
		if len(text) >= shortestMasked {
			pairs = append(pairs, text, secret.New(text).String())
		}
	}
	return strings.NewReplacer(pairs...)
}

// hiddenError is an error whose text names no secret.
type hiddenError struct {
	cause error
	mask  *strings.Replacer
}

// Error implements error.
func (e hiddenError) Error() string { return e.mask.Replace(e.cause.Error()) }

// Unwrap gives the error itself, for errors.Is and errors.As.
func (e hiddenError) Unwrap() error { return e.cause }

// hideIn keeps the configuration's secrets out of err's text. A nil err stays nil.
func (c *Config) hideIn(err error) error {
	if err == nil {
		return nil
	}
	return hiddenError{err, newMask(c.secrets)}
}
