package telegram

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"resellerbot/internal/secret"
)

// TestBodyIsClosedForGood: a transport that still reads after it has closed gets nothing of the next call.
func TestBodyIsClosedForGood(t *testing.T) {
	c := ClientOver(nil, secret.Text{})
	body, err := c.read(&http.Request{Body: io.NopCloser(strings.NewReader("first"))})
	if err != nil || body.Len() != 5 {
		t.Fatal(body.Len(), err)
	}
	for range 2 {
		if err := body.Close(); err != nil {
			t.Error(err)
		}
	}
	if n, err := body.Read(make([]byte, 9)); n != 0 || !errors.Is(err, http.ErrBodyReadAfterClose) || body.Len() != 0 {
		t.Errorf("read %d after close, err %v", n, err)
	}
	if body, err := c.read(&http.Request{}); err != nil || body.Len() != 0 {
		t.Errorf("no body: %v", err)
	}
}
