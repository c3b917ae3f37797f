package tgsim

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	firstUpdate   = 914_000_001 // update ids start anywhere
	day           = 24 * time.Hour
	callbackLife  = 150 * time.Second
	conflictPause = 3 * time.Second // between two answers that say so
	maxBatch      = 4 << 20         // bytes of one answer
)

// inbox is what waits for the bot, and who waits for it.
type inbox struct {
	updates  []*update
	next     int64    // id of the next update
	allowed  []string // kinds; nil for all but those that have to be asked for
	poll     *poll    // the long poll that waits; nil for none
	conflict time.Time
	offset   int64     // of the last poll
	polled   time.Time // when that was
	clock    *clock
}

// update is an update that waits to be confirmed.
type update struct {
	id      int64
	body    string // the JSON of everything but the id
	expires time.Time
	hook    attempt
}

// json is the update as the bot gets it.
func (u *update) json() string { return fmt.Sprintf(`{"update_id":%d,%s}`, u.id, u.body) }

// poll is a call of getUpdates.
type poll struct {
	offset  int64
	limit   int
	timeout time.Duration
	end     chan struct{} // closed when another call ends this one
	why     string        // said then
}

// InjectUpdate queues an update by its JSON, without the braces and the id: `"message":{…}`.
func (s Updates) InjectUpdate(body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox.add(body, day, 0)
	s.touch()
}

// JumpUpdates forgets what waits and goes on with another update id, as Telegram does after a week without
// updates. It may be a lower one.
func (s Updates) JumpUpdates(next int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox.updates, s.inbox.next = nil, next
	s.touch()
}

// NextUpdate is the number of the next update.
func (s Updates) NextUpdate() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inbox.next
}

// ContinueUpdates gives what waits, and all that will, numbers from next on: a bot that confirmed others before does not confirm
// these unseen.
func (s Updates) ContinueUpdates(next int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	shift := next - s.inbox.next
	if len(s.inbox.updates) > 0 {
		shift = next - s.inbox.updates[0].id
	}
	for _, u := range s.inbox.updates {
		u.id += shift
	}
	for _, c := range s.chats {
		for _, m := range c.messages {
			if m.update != 0 {
				m.update += shift
			}
		}
	}
	s.inbox.next += shift
}

// push queues an update for the bot, if it wants such; s.mu is held. Updates of one queue reach a webhook
// one after the other.
// queue is 0 for one of its own; the chat for messages; and for each other kind the id of who or where it is about plus the kind's number
// shifted by 33 bits, so that kinds do not wait for each other. Example: a tap is queued under user+3<<33, which Go reads as user+(3<<33).
func (s Updates) push(kind string, body any, life time.Duration, queue int64) {
	if !s.inbox.wants(kind) {
		return
	}
	s.inbox.add(strconv.Quote(kind)+":"+string(marshal(body)), life, queue)
}

func (b *inbox) add(body string, life time.Duration, queue int64) {
	b.updates = append(b.updates, &update{id: b.next, body: body, expires: b.clock.now().Add(life), hook: attempt{queue: queue, delay: time.Second}})
	b.next++
}

// expire drops updates that are too old.
func (b *inbox) expire(now time.Time) {
	b.updates = slices.DeleteFunc(b.updates, func(u *update) bool { return now.After(u.expires) })
}

// askedFor are the kinds of updates that a bot gets only if it names them.
func askedFor() []string {
	return []string{"chat_member", "message_reaction", "message_reaction_count"}
}

func (b *inbox) wants(kind string) bool {
	if b.allowed == nil {
		return !slices.Contains(askedFor(), kind)
	}
	return slices.Contains(b.allowed, kind)
}

// allow reads allowed_updates, which stays as it was where the call says nothing of it.
func (b *inbox) allow(p params) {
	kinds := describedAPI().updateKinds()
	var list []string
	if !p.object("allowed_updates", &list) {
		return
	}
	list = slices.DeleteFunc(list, func(kind string) bool { return !slices.Contains(kinds, kind) })
	// An empty list is the default of the Bot API, and so is one of unknown kinds alone.
	if len(list) == 0 {
		list = nil
	}
	b.allowed = list
}

// getUpdates is the long poll: updates from offset on, again and again until a higher offset confirms
// them. A newer poll that has to wait ends an older one that does.
func (s Updates) getUpdates(ctx context.Context, p params) (any, *failure) {
	q, why := s.openPoll(p)
	if why != "" {
		return nil, s.conflict(ctx, why)
	}
	defer s.closePoll(q)
	hold := time.NewTimer(q.timeout)
	defer hold.Stop()
	for {
		batch, changed := s.waiting(q)
		if len(batch) > 0 || q.timeout == 0 {
			return json.RawMessage("[" + strings.Join(batch, ",") + "]"), nil
		}
		select {
		case <-changed:
		case <-hold.C:
			return []object{}, nil
		case <-q.end:
			return nil, s.conflict(ctx, q.why)
		case <-ctx.Done():
			return []object{}, nil
		}
	}
}

// openPoll reads a call of getUpdates, or says what is in its way.
func (s Updates) openPoll(p params) (q *poll, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.webhook.url != "" {
		return nil, "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
	}
	q = &poll{offset: p.int("offset"), limit: 100, end: make(chan struct{})}
	if p.has("limit") {
		q.limit = int(min(max(p.int("limit"), 1), 100))
	}
	q.timeout = time.Duration(min(max(p.int("timeout"), 0), 50)) * time.Second
	s.inbox.allow(p)
	s.inbox.slow(q, s.now())
	return q, ""
}

// slow keeps a bot from asking for the very same all the time.
func (b *inbox) slow(q *poll, now time.Time) {
	since := now.Sub(b.polled)
	if q.offset == b.offset && since < 3*time.Second {
		q.timeout = max(q.timeout, 3*time.Second)
	}
	if q.offset == b.offset && since < time.Second/2 {
		q.limit = 1
	}
	b.offset, b.polled = q.offset, now
}

// stop ends a poll, and says why.
func (q *poll) stop(why string) {
	q.why = why
	close(q.end)
}

func (s Updates) closePoll(q *poll) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A newer poll may stand there already.
	if s.inbox.poll == q {
		s.inbox.poll = nil
	}
}

// waiting is what the poll gets now, and what to wait for if that is nothing.
func (s Updates) waiting(q *poll) (batch []string, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// It was ended and has not noticed yet: it must neither confirm nor take anything. why is set with s.mu held (stop).
	if q.why != "" {
		return nil, s.changed
	}
	before := len(s.inbox.updates)
	// A poll confirms even where another one is waiting already; only one that has to wait itself ends that (below).
	if s.inbox.confirm(q); len(s.inbox.updates) < before {
		s.touch() // people see that the bot has got their messages
	}
	batch = s.inbox.batch(q)
	if other := s.inbox.poll; len(batch) == 0 && q.timeout > 0 && other != q {
		if other != nil {
			other.stop("terminated by other getUpdates request; make sure that only one bot instance is running")
		}
		s.inbox.poll = q
	}
	return batch, s.changed
}

// confirm drops the updates that a poll's offset confirms. An offset from nowhere near means nothing.
func (b *inbox) confirm(q *poll) {
	b.expire(b.clock.now())
	head := b.next
	if len(b.updates) > 0 {
		head = b.updates[0].id
	}
	switch {
	case q.offset < 0:
		b.updates = b.updates[max(0, len(b.updates)+int(max(q.offset, -1_000_000))):]
		// It counts from the end once: at the poll's next look, what has come meanwhile is not dropped by it.
		q.offset = 0
	case q.offset > b.next+10 || q.offset < head-100_000:
	default:
		b.updates = slices.DeleteFunc(b.updates, func(u *update) bool { return u.id < q.offset })
	}
}

// batch is as much as goes into one answer.
func (b *inbox) batch(q *poll) []string {
	var batch []string
	size := 0
	for _, u := range b.updates[:min(q.limit, len(b.updates))] {
		text := u.json()
		// One goes out whatever its size: it would keep all others behind it for ever.
		if size += len(text); size > maxBatch && len(batch) > 0 {
			break
		}
		batch = append(batch, text)
	}
	return batch
}

// conflict is the answer to a poll that another call ended. Bots that fight over the updates are slowed
// down by it.
func (s Updates) conflict(ctx context.Context, why string) *failure {
	s.mu.Lock()
	again := s.now().Before(s.inbox.conflict)
	if !again {
		s.inbox.conflict = s.now().Add(conflictPause)
	}
	s.mu.Unlock()
	// Without the lock: everybody else goes on meanwhile.
	if again {
		select {
		case <-time.After(conflictPause):
		case <-ctx.Done():
		}
	}
	return &failure{code: http.StatusConflict, description: "Conflict: " + why}
}
