package tgsim

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	hookTimeout   = time.Minute
	maxHookDelay  = time.Minute    // between two attempts
	maxRetryAfter = time.Hour      // that a bot may ask for
	goneFor       = 23 * time.Hour // of answers 410, after which a webhook is removed
	maxHookAnswer = 1 << 20
)

var secretToken = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// webhook is where updates go instead of to polls.
type webhook struct {
	url         string // "" for none
	secret      string
	address     string // ip_address, as it was given
	connections int
	certificate bool
	client      *http.Client // that trusts the certificate; nil for none of its own
	generation  int          // of what was set: what comes back from an older one is of no matter
	settable    time.Time
	lastError   string
	failed      time.Time // when that was
	gone        time.Time // since when the answer is 410
}

// attempt is how far an update has come on its way to the webhook.
type attempt struct {
	queue   int64 // one update of each is on its way at a time; 0: of its own
	delay   time.Duration
	due     time.Time
	fails   int
	sending bool
}

// newWebhookClient makes the client that carries updates to webhooks.
// roots are certificates that it trusts; nil: those that this machine does.
func newWebhookClient(o Options, roots *x509.CertPool) *http.Client {
	t := o.Webhook
	if t == nil {
		t = &http.Transport{DialContext: dialer(o.Hosts), MaxIdleConnsPerHost: 10, IdleConnTimeout: time.Minute, TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	}
	return &http.Client{Transport: t, Timeout: hookTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// dialer reaches this machine, and the others that somebody has named: nothing of a sandbox belongs elsewhere.
func dialer(hosts []string) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		if host == "localhost" {
			host = "127.0.0.1"
		}
		if ip := net.ParseIP(host); (ip == nil || !ip.IsLoopback()) && !slices.Contains(hosts, strings.ToLower(host)) {
			return nil, errors.New("a sandbox reaches this machine only")
		}
		var d net.Dialer
		return d.DialContext(ctx, network, net.JoinHostPort(host, port))
	}
}

func setWebhook(s *Server, p params) (any, *failure) {
	if !p.has("url") {
		return s.Webhooks.removeWebhook(p), nil
	}
	// Once a second, and calls that are refused for their address count too.
	now := s.now()
	if now.Before(s.webhook.settable) {
		return nil, tooMany(1)
	}
	s.webhook.settable = now.Add(time.Second)
	next, no := p.webhook(s.options)
	if no != nil {
		return nil, no
	}
	if s.webhook.same(next) && !p.bool("drop_pending_updates") {
		s.inbox.allow(p)
		return described{true, "Webhook is already set"}, nil
	}
	if s.inbox.poll != nil {
		s.inbox.poll.stop("terminated by setWebhook request")
		s.inbox.poll = nil
	}
	next.generation, next.settable = s.webhook.generation+1, s.webhook.settable
	s.webhook = next
	s.inbox.allow(p)
	s.inbox.reset(p)
	return described{true, "Webhook was set"}, nil
}

func deleteWebhook(s *Server, p params) (any, *failure) { return s.Webhooks.removeWebhook(p), nil }

func (s Webhooks) removeWebhook(p params) described {
	was := s.webhook.url != ""
	s.webhook = webhook{generation: s.webhook.generation + 1, settable: s.webhook.settable}
	s.inbox.reset(p)
	if was {
		return described{true, "Webhook was deleted"}
	}
	return described{true, "Webhook is already deleted"}
}

// webhook reads what setWebhook is given.
func (p params) webhook(o Options) (webhook, *failure) {
	where := p.text("url")
	if !strings.Contains(where, "://") {
		where = "https://" + where
	}
	u, err := url.Parse(where)
	switch secret := p.text("secret_token"); {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return webhook{}, badRequest("invalid webhook URL specified")
	case len(secret) > 256:
		return webhook{}, badRequest("secret token is too long")
	case !secretToken.MatchString(secret):
		return webhook{}, badRequest("secret token contains unallowed characters")
	}
	w := webhook{url: where, secret: p.text("secret_token"), address: p.text("ip_address"), connections: 40}
	name, attached := strings.CutPrefix(p.text("certificate"), "attach://")
	if !attached {
		name = "certificate"
	}
	if file := p.files[name]; file != nil {
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(file.Body) {
			return webhook{}, badRequest("bad webhook: certificate must be in PEM format")
		}
		w.certificate, w.client = true, newWebhookClient(o, roots)
	}
	if no := demanded(u); o.Strict && no != nil {
		return webhook{}, no
	}
	if p.has("max_connections") {
		w.connections = int(min(max(p.int("max_connections"), 1), 100))
	}
	return w, nil
}

// demanded refuses an address that Telegram's own servers do not call.
func demanded(u *url.URL) *failure {
	switch {
	case u.Scheme != "https":
		return badRequest("bad webhook: An HTTPS URL must be provided for webhook")
	case !slices.Contains([]string{"", "443", "80", "88", "8443"}, u.Port()):
		return badRequest("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
	}
	return nil
}

// same reports whether setting another one would change nothing.
func (w *webhook) same(o webhook) bool {
	return w.url == o.url && w.secret == o.secret && w.address == o.address && w.connections == o.connections && !w.certificate && !o.certificate
}

// reset begins anew with the attempts to deliver what waits, or drops it if the call says so.
func (b *inbox) reset(p params) {
	if p.bool("drop_pending_updates") {
		b.updates = nil
	}
	for _, u := range b.updates {
		u.hook = attempt{queue: u.hook.queue, delay: time.Second}
	}
}

func getWebhookInfo(s *Server, _ params) (any, *failure) {
	s.inbox.expire(s.now())
	o := object{"url": s.webhook.url, "has_custom_certificate": s.webhook.certificate, "pending_update_count": len(s.inbox.updates)}
	if s.inbox.allowed != nil {
		o["allowed_updates"] = s.inbox.allowed
	}
	if s.webhook.url == "" {
		return o, nil
	}
	o["max_connections"] = s.webhook.connections
	if s.webhook.address != "" {
		o["ip_address"] = s.webhook.address
	}
	if s.webhook.lastError != "" {
		o["last_error_date"], o["last_error_message"] = s.webhook.failed.Unix(), s.webhook.lastError
	}
	return o, nil
}

// parcel is an update on its way to the webhook.
type parcel struct {
	update *update
	text   string
	hook   webhook
}

// Deliver posts updates to the webhook whenever one is set, until ctx is done and what is on its way has
// come back. Without it a webhook can be set and gets nothing.
func (s Webhooks) Deliver(ctx context.Context) {
	var posts sync.WaitGroup
	defer posts.Wait()
	defer s.webhooks.CloseIdleConnections()
	for ctx.Err() == nil {
		ready, next, changed := s.ready(s.now())
		for _, p := range ready {
			posts.Go(func() { s.deliver(ctx, p) })
		}
		var later <-chan time.Time
		if !next.IsZero() {
			later = time.After(next.Sub(s.now()))
		}
		select {
		case <-changed:
		case <-later:
		case <-ctx.Done():
		}
	}
}

// ready takes the updates that can go out now: the first of each queue, as many as there may be
// connections. next is when there will be more, changed tells sooner.
func (s Webhooks) ready(now time.Time) (out []parcel, next time.Time, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.webhook.url == "" {
		return nil, next, s.changed
	}
	s.inbox.expire(now)
	free := s.webhook.connections
	seen := map[int64]bool{}
	for _, u := range s.inbox.updates {
		if u.hook.sending {
			free--
		}
	}
	for _, u := range s.inbox.updates {
		// One that waits for its next attempt holds up those of its queue behind it, so that a chat's messages arrive in order.
		first := !seen[u.hook.queue] || u.hook.queue == 0
		seen[u.hook.queue] = true
		switch {
		case !first || u.hook.sending || free <= 0:
		case u.hook.due.After(now):
			if next.IsZero() || u.hook.due.Before(next) {
				next = u.hook.due
			}
		default:
			u.hook.sending = true
			free--
			out = append(out, parcel{u, u.json(), s.webhook})
		}
	}
	return out, next, s.changed
}

// deliver posts an update once, and notes what came of it. The call that an answer may hold is performed.
func (s Webhooks) deliver(ctx context.Context, p parcel) {
	reply, pause, trouble := s.carry(ctx, p)
	if s.settle(ctx, p, pause, trouble) {
		s.obey(reply)
	}
}

// hookReply is what a webhook said.
type hookReply struct {
	code        int
	contentType string
	body        []byte
}

// carry posts an update: trouble is "" when the webhook took it, pause is how long it wants to be left alone.
func (s Webhooks) carry(ctx context.Context, p parcel) (reply hookReply, pause time.Duration, trouble string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.hook.url, strings.NewReader(p.text))
	if err != nil {
		return reply, 0, "Invalid webhook URL"
	}
	req.Header.Set("Content-Type", "application/json")
	if p.hook.secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", p.hook.secret)
	}
	client := s.webhooks
	// Each webhook with a certificate has a client of its own, which would leave connections behind.
	if p.hook.client != nil {
		client = p.hook.client
		defer client.CloseIdleConnections()
	}
	resp, err := client.Do(req)
	if err != nil {
		return reply, 0, reason(err)
	}
	defer resp.Body.Close()
	reply.code, reply.contentType = resp.StatusCode, resp.Header.Get("Content-Type")
	if reply.body, err = io.ReadAll(io.LimitReader(resp.Body, maxHookAnswer)); err != nil {
		return reply, 0, reason(err)
	}
	if reply.code < 200 || reply.code > 299 {
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return reply, min(time.Duration(seconds)*time.Second, maxRetryAfter), fmt.Sprintf("Wrong response from the webhook: %d %s", reply.code, http.StatusText(reply.code))
	}
	return reply, 0, ""
}

// reason says of an error what getWebhookInfo says.
func reason(err error) string {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return "Read timeout expired"
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "SSL error {error:0A000086:SSL routines::certificate verify failed}"
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "dial" {
		return "Connection refused"
	}
	return "Connection closed"
}

// settle notes what came of an attempt, and reports whether the update arrived. One that did not is sent
// again: at once the first time, then after two seconds, four, eight.
func (s Webhooks) settle(ctx context.Context, p parcel, pause time.Duration, trouble string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.touch()
	if s.webhook.generation != p.hook.generation {
		return false
	}
	u, now := p.update, s.now()
	u.hook.sending = false
	if trouble == "" {
		s.webhook.gone = time.Time{}
		s.inbox.updates = slices.DeleteFunc(s.inbox.updates, func(o *update) bool { return o == u })
		return true
	}
	if ctx.Err() != nil {
		return false // it is the sandbox that stops
	}
	s.webhook.lastError, s.webhook.failed = trouble, now
	// carry has written the status into trouble.
	s.webhook.missed(strings.Contains(trouble, " 410 "), now)
	if pause <= 0 && u.hook.fails > 0 {
		u.hook.delay = min(2*u.hook.delay, maxHookDelay)
		pause = u.hook.delay
	}
	u.hook.due = now.Add(max(pause, 0))
	u.hook.fails++
	if u.hook.due.After(u.expires) {
		s.inbox.updates = slices.DeleteFunc(s.inbox.updates, func(o *update) bool { return o == u })
	}
	return false
}

// missed counts how long the webhook has said that it is gone for good, and believes it in the end.
func (w *webhook) missed(gone bool, now time.Time) {
	switch {
	case !gone:
		w.gone = time.Time{}
	case w.gone.IsZero():
		w.gone = now
	case now.Sub(w.gone) > goneFor:
		*w = webhook{generation: w.generation + 1, settable: w.settable}
	}
}

// obey performs the call that a webhook answered with. What becomes of it nobody learns.
func (s Webhooks) obey(reply hookReply) {
	p := params{values: url.Values{}, files: map[string]*Document{}, asked: map[string]bool{}}
	if p.read(reply.contentType, bytes.NewReader(reply.body)) != nil {
		return
	}
	name := strings.ToLower(p.text("method"))
	if name == "" || strings.HasPrefix(name, "get") || slices.Contains([]string{"setwebhook", "deletewebhook", "close", "logout"}, name) {
		return
	}
	s.Injector.arrive(name, p.text("chat_id")) // counted; of a fault nobody would learn either
	begin := time.Now()
	result, no := s.call(name, p)
	s.Log.note(begin, name, p, s.settled(result), no)
}
