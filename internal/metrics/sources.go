package metrics

import (
	"context"
	"errors"
	"regexp"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"resellerbot/internal/purchase"
	"resellerbot/internal/store"
)

const (
	page     = 500
	mostRead = 20_000 // records of a kind that one look reads at most
)

// Store is what is read of the store when somebody asks for the figures.
type Store interface {
	PendingUpdates(ctx context.Context, after int64, limit int) ([]store.Incoming, error)
	OpenByPhase(ctx context.Context) (map[store.Phase]store.OpenPhase, error)
	WaitingMessages(ctx context.Context, after store.Outgoing, limit int) ([]store.Outgoing, error)
	CodeSince(ctx context.Context, waits store.Outgoing) (time.Time, error)
	Chat(ctx context.Context, id int64) (store.Chat, error)
}

// Sources is what is read when somebody asks for the figures. All fields are required.
type Sources struct {
	Store Store
	// Budget is how many calls of the reseller service the limits leave at this moment, under the key that
	// has least, and how many keys the service has asked to rest.
	Budget func() (gets, posts, resting int)
	// DatabaseSize is the size of the database's file, and the most that it may grow to.
	DatabaseSize func() (size, most int64, err error)
	// Copies is where the copies of the database stand; false where none are made.
	Copies func() (Copies, bool)
	// Lease is how this process leads; false with a file, which nobody else can write.
	Lease func(ctx context.Context) (Lease, bool, error)
	// Overdue is for how long the look at orders has been due that is due first, and the message; 0 where none is.
	Overdue func(ctx context.Context) (looks, messages time.Duration, err error)
	// AtTelegram is how many updates wait there for the webhook; false where that is not known.
	AtTelegram func() (waiting int, known bool)
}

// Copies is where the copies of a database stand.
type Copies struct {
	Last  time.Time     // when the newest one was made that is there; before there is one, when the database was
	Every time.Duration // the time between two by the schedule
}

// Lease is how a process leads those that share a server's database.
type Lease struct {
	Epoch    int64
	Beat     time.Time // when it last showed life
	Standbys int       // servers that stand by synchronously
	Counted  bool      // whether these are known
}

// Read has figures read from their sources from now on.
func (m *Metrics) Read(s Sources) { m.registry.MustRegister(&reader{sources: s, descs: newDescs()}) }

// descs describes what is read.
type descs struct {
	inbox, atTelegram, open, oldest, messages, code, look, message, budget, resting, size, most, copies, lastCopy, everyCopy, epoch, beat, standbys *prometheus.Desc
}

func newDescs() descs {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
	}
	return descs{
		inbox:      desc("inbox_oldest_seconds", "Age of the oldest update that is on disk and not handled; 0 for none."),
		atTelegram: desc("telegram_waiting_updates", "Updates that wait at Telegram for the webhook."),
		open:       desc("purchases_open", "Purchases that were confirmed and have not come to their end, by phase.", "phase"),
		oldest:     desc("purchases_oldest_seconds", "For how long the oldest purchase of a phase has been in it; 0 for none.", "phase"),
		messages:   desc("outbox_messages", "Messages that wait to be sent, by whether their chat takes any.", "reachable"),
		code:       desc("outbox_oldest_code_seconds", "Age of the oldest code that was not delivered, by whether its chat takes messages; 0 for none.", "reachable"),
		look:       desc("orders_overdue_seconds", "For how long the look at orders has been due that is due first; 0 where none is."),
		message:    desc("outbox_overdue_seconds", "For how long the message has been due that is due first; 0 where none is."),
		budget:     desc("budget_left_calls", "Calls that the limits of the reseller service leave at this moment, under the key that has least.", "method"),
		resting:    desc("budget_resting_keys", "Keys under which the reseller service has asked for a rest (429)."),
		size:       desc("database_bytes", "Size of the database's file."),
		most:       desc("database_limit_bytes", "Size at which the database takes nothing more: its limit, or that of its disk. None for a server's database."),
		copies:     desc("backup_configured", "Whether copies of the database are made."),
		lastCopy:   desc("backup_last_timestamp_seconds", "When the newest copy of the database was made that is in its folder; before there is one, when the database was."),
		everyCopy:  desc("backup_interval_seconds", "The time between two copies of the database by the schedule."),
		epoch:      desc("lease_epoch", "The epoch in which this process leads; each one that takes over begins another. None with a file."),
		beat:       desc("lease_beat_age_seconds", "How long ago this process last showed the others that it leads. After six seconds it ends itself."),
		standbys:   desc("database_standbys", "Servers that stand by synchronously for that of the database. None where no commit waits for one, or where the role may not see them."),
	}
}

// all lists the descriptions.
func (d descs) all() []*prometheus.Desc {
	return []*prometheus.Desc{d.inbox, d.atTelegram, d.open, d.oldest, d.messages, d.code, d.look, d.message, d.budget, d.resting, d.size, d.most, d.copies, d.lastCopy, d.everyCopy, d.epoch, d.beat, d.standbys}
}

// fqName finds a description's name in its text, the only place that shows it.
var fqName = regexp.MustCompile(`fqName: "([^"]+)"`)

// nameOf is the name of what is described.
func nameOf(d *prometheus.Desc) string {
	if m := fqName.FindStringSubmatch(d.String()); m != nil {
		return m[1]
	}
	return ""
}

// reader reads figures from their sources.
type reader struct {
	sources Sources
	descs   descs
}

// Describe implements prometheus.Collector.
func (r *reader) Describe(out chan<- *prometheus.Desc) {
	for _, d := range r.descs.all() {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (r *reader) Collect(out chan<- prometheus.Metric) {
	// prometheus gives Collect no context: the handler's own limit ends the answer, and not what is being read for it.
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	// A figure that cannot be read is an error of its own: the handler leaves it out and serves the others (ContinueOnError).
	failed := func(d *prometheus.Desc, err error) { out <- prometheus.NewInvalidMetric(d, err) }
	gets, posts, resting := r.sources.Budget()
	gauge(r.descs.budget, float64(gets), "GET")
	gauge(r.descs.budget, float64(posts), "POST")
	gauge(r.descs.resting, float64(resting))
	if n, known := r.sources.AtTelegram(); known {
		gauge(r.descs.atTelegram, float64(n))
	}
	r.lease(ctx, gauge, failed)
	if size, most, err := r.sources.DatabaseSize(); err != nil {
		failed(r.descs.size, err)
	} else {
		gauge(r.descs.size, float64(size))
		if most > 0 { // a server's disk is not seen from here, and 0 would be the smallest of all
			gauge(r.descs.most, float64(most))
		}
	}
	if looks, messages, err := r.sources.Overdue(ctx); err != nil {
		failed(r.descs.look, err)
	} else {
		gauge(r.descs.look, looks.Seconds())
		gauge(r.descs.message, messages.Seconds())
	}
	if age, err := r.oldestUpdate(ctx); err != nil {
		failed(r.descs.inbox, err)
	} else {
		gauge(r.descs.inbox, age.Seconds())
	}
	if open, err := r.openPurchases(ctx); err != nil {
		failed(r.descs.open, err)
	} else {
		for phase, q := range open {
			gauge(r.descs.open, float64(q.purchases), string(phase))
			gauge(r.descs.oldest, q.oldest.Seconds(), string(phase))
		}
	}
	copies, made := r.sources.Copies()
	gauge(r.descs.copies, map[bool]float64{true: 1}[made])
	if made {
		gauge(r.descs.lastCopy, float64(copies.Last.Unix()))
		gauge(r.descs.everyCopy, copies.Every.Seconds())
	}
	r.outbox(ctx, gauge, failed)
}

// lease tells how this process leads.
func (r *reader) lease(ctx context.Context, gauge func(*prometheus.Desc, float64, ...string), failed func(*prometheus.Desc, error)) {
	switch l, led, err := r.sources.Lease(ctx); {
	case err != nil:
		failed(r.descs.epoch, err)
	case led:
		gauge(r.descs.epoch, float64(l.Epoch))
		gauge(r.descs.beat, time.Since(l.Beat).Seconds())
		if l.Counted {
			gauge(r.descs.standbys, float64(l.Standbys))
		}
	}
}

// oldestUpdate is how old the oldest update is that is not handled.
func (r *reader) oldestUpdate(ctx context.Context) (time.Duration, error) {
	first, err := r.sources.Store.PendingUpdates(ctx, 0, 1)
	if err != nil || len(first) == 0 {
		return 0, err
	}
	return time.Since(first[0].At), nil
}

// underWay is the purchases of a phase.
type underWay struct {
	purchases int
	oldest    time.Duration // for how long the oldest has been in it
}

// openPurchases counts the purchases that are under way, by phase.
func (r *reader) openPurchases(ctx context.Context) (map[store.Phase]underWay, error) {
	count := map[store.Phase]underWay{}
	for _, p := range purchase.Phases() {
		if (store.Purchase{Phase: p}).Open() {
			// Phases without a purchase are shown as 0: a series that vanishes looks as if nobody asked.
			count[p] = underWay{}
		}
	}
	phases, err := r.sources.Store.OpenByPhase(ctx)
	if err != nil {
		return nil, err
	}
	for phase, q := range phases {
		count[phase] = underWay{q.Purchases, time.Since(q.Since)}
	}
	return count, nil
}

// waiting is what waits for chats that take messages, or for those that do not.
type waiting struct {
	messages int
	code     time.Duration // age of the oldest code
}

// outbox reads what waits to be sent.
func (r *reader) outbox(ctx context.Context, gauge func(*prometheus.Desc, float64, ...string), failed func(*prometheus.Desc, error)) {
	queues, err := r.readOutbox(ctx)
	if err != nil {
		failed(r.descs.messages, err)
		return
	}
	for reachable, label := range map[bool]string{true: "yes", false: "no"} {
		gauge(r.descs.messages, float64(queues[reachable].messages), label)
		gauge(r.descs.code, queues[reachable].code.Seconds(), label)
	}
}

// readOutbox sorts the messages that wait by whether their chats take messages.
func (r *reader) readOutbox(ctx context.Context) (map[bool]waiting, error) {
	queues := map[bool]waiting{}
	var after store.Outgoing
	// Rows come chat by chat, so that each chat is read once. No chat has the number 0, with which after begins.
	reachable := true
	for range mostRead / page {
		rows, err := r.sources.Store.WaitingMessages(ctx, after, page)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.Chat != after.Chat {
				c, err := r.sources.Store.Chat(ctx, row.Chat)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return nil, err
				}
				reachable = c.Unreachable.IsZero()
			}
			after = row
			age, err := r.codeAge(ctx, row)
			if err != nil {
				return nil, err
			}
			q := queues[reachable]
			q.messages, q.code = q.messages+1, max(q.code, age)
			queues[reachable] = q
		}
		if len(rows) < page {
			break
		}
	}
	return queues, nil
}

// codeAge is for how long a code has been here that a message is to bring; 0 where it brings none that is new.
func (r *reader) codeAge(ctx context.Context, row store.Outgoing) (time.Duration, error) {
	since, err := r.sources.Store.CodeSince(ctx, row)
	if err != nil || since.IsZero() {
		return 0, err
	}
	return time.Since(since), nil
}
