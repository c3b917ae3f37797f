package api

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"resellerbot/internal/secret"
)

const (
	defaultGets     = 60
	defaultPosts    = 30
	defaultRead     = 15 * time.Second
	defaultPurchase = 30 * time.Second
	evictEvery      = time.Minute
	keyLife         = 30 * time.Minute // what is known of a key that is not used is forgotten after this
)

// Config is what a Client is built from. Only BaseURL is required.
type Config struct {
	// BaseURL is {base_url}, which ends with /api.
	BaseURL string
	// Dial opens connections; nil is the network.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// GetPerMinute and PostPerMinute are the service's limits (docs/reseller-api.md, Limits): 60 and 30.
	GetPerMinute, PostPerMinute int
	// Generation is which interface to speak; Unsettled finds it out, key by key.
	Generation Generation
	// Names is what the service uses where its document has neutral words.
	Names Names
	// Zone is that of the service's times that name none; nil: it is not known.
	Zone *time.Location
	// PurchaseKeyID is sent as key_id with purchases of the Current generation; 0: none is. Whether it is required is
	// not shown.
	PurchaseKeyID int64
	// GlobalScope counts all keys together instead of each by itself; which the service does is not shown.
	GlobalScope bool
	// OthersUntil is until when another process may have called under the same keys; zero: none is known to have.
	OthersUntil time.Time
	// ReadTimeout is for one read, 15 s; PurchaseTimeout for a purchase, 30 s.
	ReadTimeout, PurchaseTimeout time.Duration
	// Gate is asked right before the first byte of what spends; its error keeps it here, as not sent. Nil lets all pass.
	Gate func(context.Context) error
	// Log never gets a secret, nor a text of the service; nil: nothing is logged.
	Log *slog.Logger
	// Meter is told of calls; nil for nobody.
	Meter Meter
	// UserAgent is sent with every request; empty leaves it to Go.
	UserAgent string
}

// Client speaks to one service, under any number of keys. Its methods, and those of its sessions, may be
// called side by side.
type Client struct {
	cfg    Config
	reads  *http.Client
	money  *moneyClient
	shared *limiter // the one limiter of a global scope; nil when each key has its own

	catalogues *catalogues

	mu      sync.Mutex
	keys    map[string]*keyState // by the key itself: a fingerprint could be forced to collide
	evicted time.Time            // when unused keys were looked for last
}

// keyState is what the sessions of one key share.
type keyState struct {
	limiter *limiter
	cache   cache
	dialect dialect
	flight  singleflight.Group
	used    time.Time
}

// New makes a client. It does not call the service: an error is about the BaseURL.
func New(cfg Config) (*Client, error) {
	u, err := url.Parse(cfg.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the address of the service is not an http or https URL")
	}
	cfg.BaseURL = strings.TrimRight(cfg.BaseURL, "/")
	cfg.GetPerMinute = cmp.Or(cfg.GetPerMinute, defaultGets)
	cfg.PostPerMinute = cmp.Or(cfg.PostPerMinute, defaultPosts)
	cfg.ReadTimeout = cmp.Or(cfg.ReadTimeout, defaultRead)
	cfg.PurchaseTimeout = cmp.Or(cfg.PurchaseTimeout, defaultPurchase)
	cfg.Names = cfg.Names.Complete()
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	if cfg.Meter == nil {
		cfg.Meter = noMeter{}
	}
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	}
	// The money client opens a connection for each purchase. Reads share theirs, and may be repeated by Go on a connection that was closed:
	// they cost nothing.
	c := &Client{cfg: cfg, keys: map[string]*keyState{}, money: &moneyClient{dial: cfg.Dial, gate: cfg.Gate}}
	plain := new(http.Protocols)
	plain.SetHTTP1(true) // Go's HTTP/2 repeats a request without end to a server that goes away
	c.reads = &http.Client{
		Transport: &http.Transport{
			DialContext: cfg.Dial, MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute,
			TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: maxHeader, Protocols: plain,
		},
		CheckRedirect: noRedirect,
	}
	c.catalogues = newCatalogues(mostDecoded, c.decodeProducts)
	if cfg.GlobalScope {
		c.shared = c.limiter(time.Now())
	}
	return c, nil
}

// noRedirect keeps an answer that points elsewhere: following it would hand the key over.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Close lets idle connections go.
func (c *Client) Close() { c.reads.CloseIdleConnections() }

// Session is the service under one key. Sessions of the same key share its limits, its cache, and reads
// that are under way. Every error of its reads is an *Error, whose Class says what to do; a purchase has a
// Verdict instead.
type Session struct {
	client *Client
	key    secret.Text
	state  *keyState

	learned func(context.Context, Generation) // told when the generation turns out to be another one; may be nil
	told    dialect                           // what it was told last
}

// As opens the service under a key. It is cheap and does not call the service.
func (c *Client) As(key secret.Text) *Session {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	k := key.Reveal()
	st := c.keys[k]
	if st == nil {
		c.evict(now)
		// Sessions hold the state that they were opened with. One that outlives keyLife goes on with its own, and a new one counts
		// anew, unless all keys have one limit (GlobalScope).
		st = &keyState{limiter: c.shared}
		if st.limiter == nil {
			st.limiter = c.limiter(now)
		}
		c.keys[k] = st
	}
	st.used = now
	return &Session{client: c, key: key, state: st}
}

// limiter is a new counter. It begins empty: whoever restarts within a minute may meet a 429 for that, and rests. Where another
// process has called until a moment ago, what that one has used is not known, and half is taken for used.
func (c *Client) limiter(now time.Time) *limiter {
	l := newLimiter(c.cfg.GetPerMinute, c.cfg.PostPerMinute)
	if now.Sub(c.cfg.OthersUntil) < minute {
		l.halfUsed(c.cfg.OthersUntil)
	}
	return l
}

// evict forgets keys that were not used for long; c.mu is held. It looks through all of them, so it does once a minute
// at most: ten thousand keys that come one after another would else cost fifty million looks.
func (c *Client) evict(now time.Time) {
	if now.Sub(c.evicted) < evictEvery {
		return
	}
	c.evicted = now
	for k, st := range c.keys {
		// A key that rests is kept: forgotten, it would begin to call again before the service allows it.
		if now.Sub(st.used) > keyLife && !st.limiter.resting(now) {
			delete(c.keys, k)
		}
	}
}

// Forget drops what is cached under the key: after a purchase nothing of it is sure.
func (s *Session) Forget() { s.state.cache.clear() }

// caller says who waits for a call.
type caller uint8

const (
	people  caller = iota // somebody looks at the screen
	polling               // nobody does
	several               // somebody does, for many calls of one sort
)

type callerKey struct{}

// InBackground marks calls that nobody waits for: they leave the people's reserve of the limits alone,
// and fail with Limited instead of waiting.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, polling)
}

// InSeries marks calls of which one thing that somebody wants takes many: they leave the people's reserve of the limits to
// whoever wants one, and fail with Limited instead of waiting. They take nothing of polling's share.
func InSeries(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, several)
}

func callerOf(ctx context.Context) caller {
	l, _ := ctx.Value(callerKey{}).(caller)
	return l
}
