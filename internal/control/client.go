package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrAway: nobody answers at the socket.
var ErrAway = errors.New("no bot answers")

// patience is for how long an answer is waited for that is no copy.
const patience = 30 * time.Second

// Client asks a running bot.
type Client struct {
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Socket string // its path
}

// Answers reports whether a bot is there.
func (c Client) Answers(ctx context.Context) bool {
	conn, err := c.Dial(ctx, "unix", c.Socket)
	return err == nil && conn.Close() == nil
}

// Status asks how the bot is.
func (c Client) Status(ctx context.Context) (st Status, err error) {
	return st, c.ask(ctx, http.MethodGet, "/status", nil, &st)
}

// Story asks for all that is known of a purchase, by the end of its id.
func (c Client) Story(ctx context.Context, ref string) (st Story, err error) {
	return st, c.ask(ctx, http.MethodGet, "/purchase", url.Values{"ref": {ref}}, &st)
}

// Look has a purchase looked at now, and returns what to say of that.
func (c Client) Look(ctx context.Context, ref string) (string, error) {
	var s said
	err := c.ask(ctx, http.MethodPost, "/look", url.Values{"ref": {ref}}, &s)
	return s.Text, err
}

// Unlock lets a locked account spend again, and returns what to say of that.
func (c Client) Unlock(ctx context.Context, account string) (string, error) {
	var s said
	err := c.ask(ctx, http.MethodPost, "/unlock", url.Values{"account": {account}}, &s)
	return s.Text, err
}

// Parked asks for the updates that could not be handled.
func (c Client) Parked(ctx context.Context) (all ParkedList, err error) {
	return all, c.ask(ctx, http.MethodGet, "/parked", nil, &all)
}

// Replay has a parked update handled again, and returns what to say of that.
func (c Client) Replay(ctx context.Context, update string) (string, error) {
	var s said
	err := c.ask(ctx, http.MethodPost, "/replay", url.Values{"update": {update}}, &s)
	return s.Text, err
}

// Backup writes a copy of the database. Where it fails, what was written is not whole.
func (c Client) Backup(ctx context.Context, to io.Writer) error {
	return c.call(ctx, http.MethodGet, "/backup", nil, func(body io.Reader) error {
		_, err := io.Copy(to, body)
		return err
	})
}

// ask gets an answer in JSON.
func (c Client) ask(ctx context.Context, method, path string, args url.Values, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return c.call(ctx, method, path, args, func(body io.Reader) error { return json.NewDecoder(body).Decode(into) })
}

// call makes a request over a connection of its own. ErrAway where there is none.
func (c Client) call(ctx context.Context, method, path string, args url.Values, read func(io.Reader) error) error {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := c.Dial(ctx, "unix", c.Socket)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrAway, err)
		}
		return conn, nil
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://bot"+path+"?"+args.Encode(), nil)
	if err != nil {
		return err
	}
	// RoundTrip and not a Client: no redirect is followed, and the connection goes with the answer.
	res, err := (&http.Transport{DialContext: dial, DisableKeepAlives: true, DisableCompression: true}).RoundTrip(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		// What answers there should be the bot, and may be anything.
		const longest = 1000
		text, err := io.ReadAll(io.LimitReader(res.Body, longest))
		return errors.Join(err, errors.New(strings.TrimSpace(string(text))))
	}
	return read(res.Body)
}
