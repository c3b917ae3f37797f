package control

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// phrases say what a phase means for the money, in a few words.
func phrases() map[string]string {
	return map[string]string{
		"drafted": "was not confirmed", "asked": "waits for an owner's word; nothing was sent", "queued": "waits for its turn; nothing was sent",
		"submitting": "is on its way to the service", "accepted": "was bought and waits for the service", "settled": "is at its end: delivered, or failed and told",
		"rejected": "was refused; nothing was charged", "unknown": "may have been bought; it is looked for and never sent again",
		"not_created": "was not bought", "undecided": "may have been bought; a person has to decide in the chat", "dropped": "was never sent",
	}
}

// phrase says what a phase means.
func phrase(phase string) string { return cmp.Or(phrases()[phase], phase) }

// lines collects what is printed.
type lines struct{ b strings.Builder }

// add adds a line.
func (l *lines) add(form string, args ...any) { fmt.Fprintf(&l.b, form+"\n", args...) }

// Print writes a status for people.
func (s Status) Print(w io.Writer) error {
	var l lines
	l.add("bot %s, running for %s.", s.Version, span(s.Now.Sub(s.Started)))
	if len(s.Troubles) == 0 {
		l.add("It is ready.")
	}
	for _, t := range s.Troubles {
		l.add("NOT READY: %s", t)
	}
	s.printPurchases(&l)
	s.printAccounts(&l)
	s.printQueues(&l)
	s.printJobs(&l)
	_, err := io.WriteString(w, l.b.String())
	return err
}

// printPurchases tells of purchases.
func (s Status) printPurchases(l *lines) {
	var open []string
	for _, phase := range []string{"queued", "submitting", "accepted", "unknown", "undecided"} {
		if n := s.Open[phase]; n > 0 {
			open = append(open, fmt.Sprintf("%d %s", n, phase))
		}
	}
	l.add("Open purchases: %s.", cmp.Or(strings.Join(open, ", "), "none"))
	for _, p := range s.Stuck {
		look := ""
		if !p.LookAt.IsZero() {
			look = ", next look " + until(s.Now, p.LookAt)
		}
		l.add("  %s %s; so for %s%s. %q, %s DZD, account %s", p.Ref, phrase(p.Phase), span(s.Now.Sub(p.Since)), look, p.Item, p.Total, p.Account)
	}
	if s.MoreStuck > 0 {
		l.add("  and %d more", s.MoreStuck)
	}
}

// printAccounts tells of accounts.
func (s Status) printAccounts(l *lines) {
	l.add("Accounts: %d, %d of them cannot buy as they are.", s.Accounts, len(s.Held))
	for _, a := range s.Held {
		l.add("  %s %q: %s; %d wait in its line", a.ID, a.Name, strings.Join(a.Why, "; "), a.Waiting)
	}
}

// printQueues tells of what waits.
func (s Status) printQueues(l *lines) {
	if s.Orders == nil {
		l.add("Orders: none is awaited.")
	} else {
		l.add("Orders: the next look is due %s.", until(s.Now, *s.Orders))
	}
	l.add("Messages: %s; %d more for chats that take none.", waiting(s.Now, s.Messages.Waiting, s.Messages.Oldest), s.Messages.Unreachable)
	l.add("Updates: %s.", waiting(s.Now, s.Updates.Waiting, s.Updates.Oldest))
	if len(s.Updates.Parked) > 0 {
		l.add("  parked, since they could not be handled (bot replay tells of them): %s", strings.Trim(fmt.Sprint(s.Updates.Parked), "[]"))
	}
}

// ParkedList is updates that could not be handled.
type ParkedList []Parked

// Print writes them for people: all, or the one of a number. It reports whether there was any.
func (all ParkedList) Print(w io.Writer, number string) (some bool, err error) {
	var l lines
	for _, p := range all {
		if number != "" && number != strconv.FormatInt(p.ID, 10) {
			continue
		}
		some = true
		l.add("%d: %s by %d in chat %d, of %s.", p.ID, p.What, p.User, p.Chat, at(p.At))
		if p.Refused != "" {
			l.add("  It is not handled again: %s.", p.Refused)
		} else {
			l.add("  To handle it again: bot replay -yes %d; %s.", p.ID, p.Does)
		}
	}
	_, err = io.WriteString(w, l.b.String())
	return some, err
}

// printJobs tells of jobs, copies and the database.
func (s Status) printJobs(l *lines) {
	failing := slices.DeleteFunc(slices.Clone(s.Jobs), func(j Job) bool { return j.Failed == 0 })
	l.add("Jobs: %d have run, %d fail.", len(s.Jobs), len(failing))
	for _, j := range failing {
		l.add("  %q failed %s in a row, %s: %q", j.Name, Counted(j.Failed, "time"), ago(s.Now, j.Ran), j.Why)
	}
	if s.Copies.Made {
		l.add("Copies: the newest was made %s.", ago(s.Now, s.Copies.Last))
	} else {
		l.add("Copies: NONE are made; set BACKUP_DIR.")
	}
	if n := len(s.Copies.Aside); n > 0 {
		l.add("Databases that restores have put aside: %d, the newest %s.", n, s.Copies.Aside[0])
	}
	const mega = 1e6
	most := ""
	if s.Most > 0 {
		most = fmt.Sprintf(" of %.0f MB at most", float64(s.Most)/mega)
	}
	l.add("Database: %.1f MB%s.", float64(s.Size)/mega, most)
}

// Print writes a story for people. Times are of UTC.
func (s Story) Print(w io.Writer) error {
	var l lines
	l.add("%s %s.", s.Ref, phrase(s.Phase))
	l.add("%s: %q, %s DZD each, %s DZD in all. For account %s %q, in chat %d, by %d %q.", s.ID, s.Item, s.Price, s.Total, s.Account, s.AccountName, s.Chat, s.User, s.Buyer)
	if s.Charged != "" {
		l.add("Its orders say that it cost %s DZD.", s.Charged)
	}
	l.add("%s  drafted", at(s.Created))
	for _, h := range s.Steps {
		l.add("%s  %s → %s%s", at(h.At), h.From, h.To, because(h.Why))
	}
	if s.Attempts > 0 {
		l.add("Sent at %s, answered at %s%s.", at(s.Sent), at(s.Answered), because(s.Reason))
	}
	if s.Rule != "" {
		l.add("Looked for %s; the last look says %q. Next look at %s.", Counted(s.Looks, "time"), s.Rule, at(s.LookAt))
	}
	for _, o := range s.Orders {
		l.add("Order %q: %s, the service says %q; %s here%s. %s, the last at %s, the next at %s.",
			o.ID, o.State, o.Status, Counted(o.Codes, "code"), because(refund(o.Refund)), Counted(o.Looks, "look"), at(o.Seen), at(o.Due))
	}
	l.add("Codes shown in the chat: %d. Messages that wait to tell of it: %s.", s.Shown, cmp.Or(strings.Join(s.Waiting, ", "), "none"))
	_, err := io.WriteString(w, l.b.String())
	return err
}

// refund names what became of the money of a failed order.
func refund(state string) string {
	if state == "" {
		return ""
	}
	return "refund " + state
}

// because is a reason behind a line; "" for none.
func because(why string) string {
	if why == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", why)
}

// waiting says how many wait and for how long.
func waiting(now time.Time, n int, oldest time.Time) string {
	if n == 0 {
		return "none waits"
	}
	return fmt.Sprintf("%d wait, the oldest for %s", n, span(now.Sub(oldest)))
}

// at is a moment; a dash for none.
func at(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// punctual is how far behind something due may be before that is anything to look into: what is due is looked for every few seconds.
const punctual = 15 * time.Second

// until says how far ahead a moment is, or how far behind.
func until(now, t time.Time) string {
	switch d := t.Sub(now); {
	case d > 0:
		return "in " + span(d)
	case -d < punctual:
		return "now"
	default:
		return span(-d) + " ago: OVERDUE"
	}
}

// ago says how long ago a moment was.
func ago(now, t time.Time) string { return span(now.Sub(t)) + " ago" }

// span is a length of time: to the second, and from a day on in days and hours.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	if d = d.Round(time.Second); d < day {
		return d.String()
	}
	if hours := int(d % day / time.Hour); hours > 0 {
		return fmt.Sprintf("%s %dh", Counted(int(d/day), "day"), hours)
	}
	return Counted(int(d/day), "day")
}

// Counted is a number of things whose plural has an s, for people.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
