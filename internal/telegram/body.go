package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// paramsKey is the context key of a call's parameters.
type paramsKey struct{}

// inJSON has the call that is made with a context, and with no parameters of its own, send these as one JSON body. The library
// would write a form, with a part for each of them: that, and reading of the answer what nobody asks for, was a quarter of what
// an update costs. A file needs the form.
func inJSON(ctx context.Context, params any) context.Context {
	return context.WithValue(ctx, paramsKey{}, params)
}

// encode writes a call's body: its parameters, or what the library has written.
func encode(req *http.Request, buf *bytes.Buffer) error {
	params := req.Context().Value(paramsKey{})
	if params == nil {
		_, err := buf.ReadFrom(req.Body)
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	text := json.NewEncoder(buf)
	// Messages are HTML: with the escaping of encoding/json, each < and > would travel as six bytes.
	text.SetEscapeHTML(false)
	return text.Encode(params)
}

// beginning is how Telegram's answer begins where it is the message that was sent or edited.
const beginning = `{"ok":true,"result":{"message_id":`

// shorten reads the answer to a call that sent JSON, and leaves of a message its number, the only thing of it that is asked
// for. Any other answer stays as it came.
func (c *Client) shorten(resp *http.Response) error {
	buf := c.buffer()
	defer c.free(buf)
	if _, err := buf.ReadFrom(resp.Body); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	var text []byte
	if number, ok := messageID(buf.Bytes()); ok {
		text = fmt.Appendf(nil, "%s%s}}", beginning, number)
	} else {
		// A copy, for the buffer goes back to the pool before the library reads the answer.
		text = bytes.Clone(buf.Bytes())
	}
	resp.Body = &read{Reader: bytes.NewReader(text), Closer: resp.Body}
	return nil
}

// messageID is the number of the message that an answer is about.
func messageID(body []byte) (digits string, ok bool) {
	rest, ok := bytes.CutPrefix(body, []byte(beginning))
	if !ok {
		return "", false
	}
	return number(rest)
}

// read is an answer that was read, whose connection is still to be given back.
type read struct {
	io.Reader
	io.Closer
}
