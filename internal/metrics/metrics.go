// Package metrics is the bot in figures, for Prometheus.
//
// Other packages do not know it: they offer hooks, and internal/app ties them to the methods of Metrics. What
// can be read when somebody asks, as the age of a queue, is read then (sources.go). No label ever holds a
// chat, a person, a product or a key: every label has a handful of values that are known beforehand.
package metrics

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"resellerbot/internal/purchase"
	"resellerbot/internal/store"
)

// namespace begins the name of every figure of ours.
const namespace = "resellerbot"

const (
	mostScrapes = 3 // at once
	scrapeTime  = 5 * time.Second
)

// Metrics is everything that is counted. Its methods may be called side by side, and none of them waits.
type Metrics struct {
	registry *prometheus.Registry

	updates      *prometheus.CounterVec
	updateTime   *prometheus.HistogramVec
	webhook      *prometheus.CounterVec
	phases       *prometheus.CounterVec
	resolved     *prometheus.CounterVec
	calls        *prometheus.CounterVec
	callTime     *prometheus.HistogramVec
	budgetWait   *prometheus.HistogramVec
	telegram     *prometheus.CounterVec
	telegramTime prometheus.Histogram
	commits      *prometheus.HistogramVec
	jobs         *prometheus.CounterVec
	jobDone      *prometheus.GaugeVec
	gates        *prometheus.CounterVec

	// Nil until Front: a scrape may come before.
	ready, standing atomic.Pointer[func() bool]
}

// New makes the figures of a process, in a registry of their own.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),

		updates:    counters("updates_total", "Updates of Telegram, by kind and by what became of them.", "kind", "outcome"),
		updateTime: times("update_seconds", "How long an update was worked on.", prometheus.ExponentialBuckets(0.005, 2, 14), "kind"),
		webhook:    counters("webhook_requests_total", "Requests at the webhook, by the status that they got.", "status"),
		phases:     counters("purchases_total", "Purchases, by the phases that they have come to.", "phase"),
		resolved:   counters("uncertain_resolved_total", "Uncertain purchases that were decided, by what they were found to be and by which rule.", "phase", "rule"),
		calls:      counters("reseller_calls_total", "Calls of the reseller service, by operation, by class of outcome, and by who waited for them.", "operation", "class", "lane"),
		callTime:   times("reseller_call_seconds", "How long the reseller service took to answer.", prometheus.ExponentialBuckets(0.02, 2, 12), "lane"),
		budgetWait: times("budget_wait_seconds", "How long calls waited for the limits of the reseller service.", []float64{0.001, 0.1, 0.5, 1, 2, 5, 10, 30, 60}, "method", "lane"),
		telegram:   counters("telegram_calls_total", "Calls of the Bot API, by method and outcome.", "method", "outcome"),
		telegramTime: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "telegram_call_seconds", Buckets: prometheus.ExponentialBuckets(0.02, 2, 12),
			Help: "How long Telegram took to answer; polls, which it holds, are left out.",
		}),
		commits: times("commit_seconds", "How long transactions of the database took to be on disk, waiting for others included.", prometheus.ExponentialBuckets(0.0005, 2, 14), "kind"),
		jobs:    counters("job_runs_total", "Runs of scheduled jobs.", "task", "outcome"),
		gates:   counters("gate_total", "Questions whether this process still leads, right before something leaves, by what would leave and by the answer; none with a file.", "wire", "outcome"),
		jobDone: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "job_last_success_timestamp_seconds", Help: "When a scheduled job last ended well, or the process began.",
		}, []string{"task"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the label says which build this is.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(m.updates, m.updateTime, m.webhook, m.phases, m.resolved, m.calls, m.callTime, m.budgetWait, m.telegram, m.telegramTime,
		m.commits, m.jobs, m.jobDone, m.gates, build,
		asked("ready", "Whether /readyz answers 200.", &m.ready), asked("standing_by", "Whether this process waits until another one, which leads, is gone.", &m.standing),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	// What an alert counts begins at zero, not at the first one: a rate does not see a series that is born at one.
	for _, p := range purchase.Phases() {
		m.phases.WithLabelValues(string(p))
	}
	for _, kind := range []string{"message", "tap", "membership", "other"} {
		m.updates.WithLabelValues(kind, "parked")
	}
	m.webhook.WithLabelValues(strconv.Itoa(http.StatusUnauthorized))
	for _, outcome := range []string{"ok", "conflict", "unreachable"} {
		m.telegram.WithLabelValues("getUpdates", outcome)
	}
	for _, wire := range []string{WireService, WireTelegram} {
		for _, outcome := range []string{gateShut, gateFailed} {
			m.gates.WithLabelValues(wire, outcome)
		}
	}
	for _, class := range []string{"unauthorized", "ip_blocked"} {
		m.calls.WithLabelValues("GET /balance", class, lane(true))
	}
	return m
}

// asked makes a figure that is 1 where what is asked for is so, and 0 where it is not, or nobody can be asked yet.
func asked(name, help string, ask *atomic.Pointer[func() bool]) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, func() float64 {
		if f := ask.Load(); f != nil && (*f)() {
			return 1
		}
		return 0
	})
}

// Front has read whether the process is ready, and whether it stands by: from its first moment on, before the database is open.
func (m *Metrics) Front(ready, standing func() bool) {
	m.ready.Store(&ready)
	m.standing.Store(&standing)
}

// What a gate is in front of.
const (
	WireService  = "service"  // the first byte of a purchase
	WireTelegram = "telegram" // a call of the Bot API
)

const (
	gateOpen   = "open"
	gateShut   = "shut" // another process leads
	gateFailed = "failed"
)

// Gate counts a question whether this process still leads.
func (m *Metrics) Gate(wire string, err error) {
	outcome := gateOpen
	switch {
	case errors.Is(err, store.ErrFenced):
		outcome = gateShut
	case err != nil:
		outcome = gateFailed
	}
	m.gates.WithLabelValues(wire, outcome).Inc()
}

// counters makes counters by some labels.
func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

// times makes histograms of seconds by some labels.
func times(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

// Handler serves the figures. One that cannot be read is left out.
// A scrape may read up to mostRead records of a kind, hence the limits: scrapes that pile up would hold up the bot.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: mostScrapes, Timeout: scrapeTime, Registry: m.registry,
	})
}

// Names lists the names of all figures, also of those that have no value yet.
func (m *Metrics) Names() []string {
	// Describe writes until somebody has read all: it needs a goroutine of its own, which ends with the loop below.
	descs := make(chan *prometheus.Desc)
	go func() {
		defer close(descs)
		m.registry.Describe(descs)
	}()
	var names []string
	for d := range descs {
		names = append(names, nameOf(d))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Update counts an update that was handled, or not.
func (m *Metrics) Update(kind, outcome string, took time.Duration) {
	m.updates.WithLabelValues(kind, outcome).Inc()
	m.updateTime.WithLabelValues(kind).Observe(took.Seconds())
}

// WebhookRequest counts a request at the webhook.
func (m *Metrics) WebhookRequest(status int) { m.webhook.WithLabelValues(strconv.Itoa(status)).Inc() }

// Moved counts a purchase that has come to another phase.
func (m *Metrics) Moved(s purchase.Moved) {
	m.phases.WithLabelValues(string(s.To)).Inc()
	if s.Rule != "" {
		m.resolved.WithLabelValues(string(s.To), s.Rule).Inc()
	}
}

// Called counts a call of the reseller service that has ended.
func (m *Metrics) Called(operation, class string, background bool, took time.Duration) {
	m.calls.WithLabelValues(operation, class, lane(background)).Inc()
	m.callTime.WithLabelValues(lane(background)).Observe(took.Seconds())
}

// Waited notes how long a call has waited for the limits of the reseller service.
func (m *Metrics) Waited(method string, background bool, took time.Duration) {
	m.budgetWait.WithLabelValues(method, lane(background)).Observe(took.Seconds())
}

// lane names who waits for a call.
func lane(background bool) string {
	if background {
		return "background"
	}
	return "people"
}

// TelegramCall counts a call of the Bot API, by the HTTP status of its answer; zero where none came.
func (m *Metrics) TelegramCall(method string, status int, took time.Duration) {
	m.telegram.WithLabelValues(method, telegramOutcome(status)).Inc()
	if method != "getUpdates" {
		m.telegramTime.Observe(took.Seconds())
	}
}

// telegramOutcome is what the status of an answer of the Bot API means.
func telegramOutcome(status int) string {
	switch {
	case status == 0:
		return "unreachable"
	case status < http.StatusMultipleChoices:
		return "ok"
	case status == http.StatusTooManyRequests:
		return "limited"
	case status == http.StatusConflict:
		return "conflict"
	case status == http.StatusForbidden:
		return "forbidden"
	case status == http.StatusUnauthorized, status == http.StatusNotFound:
		return "token"
	case status >= http.StatusInternalServerError:
		return "server_error"
	}
	return "refused"
}

// Committed notes how long a transaction took to be on disk.
func (m *Metrics) Committed(kind string, took time.Duration) {
	m.commits.WithLabelValues(kind).Observe(took.Seconds())
}

// Job announces a scheduled job, and returns what counts its runs. Until it has run, the process's begin counts as its last
// success. Some jobs run every second: their series are found once.
func (m *Metrics) Job(name string) (done func(err error)) {
	at := m.jobDone.WithLabelValues(name)
	at.SetToCurrentTime()
	failed := m.jobs.WithLabelValues(name, "failed") // from zero on: the first one is to be seen
	ok := sync.OnceValue(func() prometheus.Counter { return m.jobs.WithLabelValues(name, "ok") })
	return func(err error) {
		if err != nil {
			failed.Inc()
			return
		}
		ok().Inc()
		at.SetToCurrentTime()
	}
}
