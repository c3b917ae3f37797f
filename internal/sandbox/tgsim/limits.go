package tgsim

import (
	"slices"
	"strings"
	"time"
)

// Telegram names its limits only roughly; these are the numbers that it is known for.
const (
	chatPace   = time.Second // between messages to one chat, in the long run
	chatBurst  = 3           // messages that may come at once before that
	groupLimit = 20          // messages to one group in a minute
	botLimit   = 30          // messages of the bot in a second
)

// flood keeps the pace of what a bot sends. Calls that it refuses cost nothing.
type flood struct {
	burst int                   // messages that a chat takes at once
	all   []time.Time           // in the last second
	group map[int64][]time.Time // in the last minute, by chat
	due   map[int64]time.Time   // when a chat's next message would be in pace
}

// SetLimits refuses from now on, or no longer, messages and edits that come too fast: with 429 and how long
// to wait.
func (s Injector) SetLimits(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flood = nil
	if on {
		s.flood = &flood{burst: chatBurst, group: map[int64][]time.Time{}, due: map[int64]time.Time{}}
	}
}

// SetStrictLimits is SetLimits for a Telegram that keeps its word: a chat takes one message a second, and no bursts.
func (s Injector) SetStrictLimits() {
	s.SetLimits(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flood.burst = 1
}

// check counts a call, or refuses it.
func (f *flood) check(method string, chat int64, now time.Time) *failure {
	if f == nil || !counted(method) {
		return nil
	}
	f.all = recent(f.all, now.Add(-time.Second))
	// due is how far a chat would be with one message a second; it may be burst-1 seconds ahead. Example: three at once are let
	// through, and due is in 3 seconds; a fourth has to wait for 1.
	wait := max(f.due[chat].Add(-time.Duration(f.burst-1)*chatPace).Sub(now), until(f.all, botLimit, time.Second, now))
	if chat < 0 {
		f.group[chat] = recent(f.group[chat], now.Add(-time.Minute))
		wait = max(wait, until(f.group[chat], groupLimit, time.Minute, now))
	}
	if wait > 0 {
		return tooMany(int((wait + time.Second - 1) / time.Second))
	}
	f.all = append(f.all, now)
	if chat < 0 {
		f.group[chat] = append(f.group[chat], now)
	}
	next := now
	if due := f.due[chat]; due.After(now) {
		next = due
	}
	f.due[chat] = next.Add(chatPace)
	return nil
}

// counted reports whether a method sends or changes a message.
func counted(method string) bool {
	return method != "sendchataction" && slices.ContainsFunc([]string{"send", "edit", "copy", "forward"}, func(verb string) bool {
		return strings.HasPrefix(method, verb)
	})
}

// recent drops what is not after begin.
func recent(times []time.Time, begin time.Time) []time.Time {
	return slices.DeleteFunc(times, func(t time.Time) bool { return !t.After(begin) })
}

// until is how long it takes until there is room for one more.
func until(times []time.Time, most int, window time.Duration, now time.Time) time.Duration {
	if len(times) < most {
		return 0
	}
	return times[len(times)-most].Add(window).Sub(now)
}
