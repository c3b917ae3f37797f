package sandbox

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/locales"
)

// Truth compares what the service has sold with what the chats were told.
type Truth struct {
	Bought int `json:"bought"` // purchases at the service
	Told   int `json:"told"`   // purchases that a chat was told have happened
	Codes  int `json:"codes"`  // codes that the service has handed out
	Shown  int `json:"shown"`  // those of them that stand in a chat
}

// told is how the bot says things, in all its languages, as far as the sandbox listens.
type told struct {
	bought []string // a purchase has happened
	alerts []string // an alert
	lists  []string // a list has come to its end
	credit []string // something was sold on credit
	closed []string // a day of the books is closed
	active []string // another account is active now
	unsure []string // in the file of a list: a line did not happen, or nobody knows yet
}

// markup is what stands in texts besides words.
var markup = regexp.MustCompile(`<[^<>]*>`)

// reference is how the bot numbers a purchase. It is not always a hashtag of Telegram's: those are never digits alone.
var reference = regexp.MustCompile(`#[0-9A-Z]{5}\b`)

// newTold reads the bot's own texts.
func newTold() (told, error) {
	texts, err := locales.Load()
	if err != nil {
		return told{}, fmt.Errorf("read the texts: %w", err)
	}
	var t told
	for _, lang := range locales.Languages() {
		say := func(key string) string { return markup.ReplaceAllString(texts.For(lang).T(key, nil), "") }
		for _, key := range []string{
			"status.accepted", "status.accepted_one", "status.topup_accepted", "status.personal_accepted", "status.topup_done", "status.settled", "status.partly", "status.failed",
			"status.refunding", "status.closed",
		} {
			t.bought = append(t.bought, say(key))
		}
		t.alerts = append(t.alerts, say("alert.title")+"\n")
		_, debit, _ := strings.Cut(say("alert.debit"), "\n") // the line below the amounts
		t.alerts = append(t.alerts, debit)
		t.lists = append(t.lists, beginning(say("list.ended")))
		t.credit = append(t.credit, beginning(say("sale.credit")))
		t.active = append(t.active, beginning(say("accounts.switched")))
		t.closed = append(t.closed, say("report.closed"))
		for _, key := range []string{"not_bought", "said_not_bought", "refused", "unknown", "undecided", "queued", "submitting"} {
			t.unsure = append(t.unsure, say("orders."+key))
		}
	}
	return t, nil
}

// beginning is a text up to where something is filled in.
func beginning(text string) string {
	before, _, _ := strings.Cut(text, ":")
	before, _, _ = strings.Cut(before, "·")
	return before
}

// holds reports whether a text holds one of some others.
func holds(text string, others []string) bool {
	return slices.ContainsFunc(others, func(o string) bool { return o != "" && strings.Contains(text, o) })
}

// said lists everything that the bot has written, deleted messages included.
func (s *Sandbox) said() []tgsim.Message {
	var all []tgsim.Message
	for _, chat := range s.Telegram.Chats() {
		for _, m := range s.Telegram.Messages(chat) {
			if m.FromBot {
				all = append(all, m)
			}
		}
	}
	return all
}

// truth counts both sides of the wire. A purchase goes by the same number in every message about it.
func (s *Sandbox) truth() Truth {
	refs := map[string]bool{}
	// Codes are looked for in all that was ever written, deleted messages and files included: a code that was shown once has been seen.
	var written strings.Builder
	for _, m := range s.said() {
		written.WriteString(m.Text + "\n")
		if m.Document != nil {
			written.Write(m.Document.Body)
			s.inFile(refs, string(m.Document.Body))
		}
		if !holds(m.Text, s.Words.bought) {
			continue
		}
		for _, ref := range reference.FindAllString(m.Text, -1) {
			refs[ref] = true
		}
	}
	t := Truth{Bought: len(s.Service.Purchases()), Told: len(refs)}
	for _, o := range s.Service.Orders() {
		if o.Code == "" {
			continue
		}
		t.Codes++
		if strings.Contains(written.String(), o.Code) {
			t.Shown++
		}
	}
	return t
}

// inFile notes the purchases that a file of a list tells of, a line each: those that have happened.
func (s *Sandbox) inFile(refs map[string]bool, body string) {
	for line := range strings.Lines(body) {
		cells := strings.Split(line, "\t")
		// The whole cell, so that a reference inside of a name or note does not count.
		if len(cells) > 1 && reference.FindString(cells[1]) == cells[1] && !holds(line, s.Words.unsure) {
			refs[cells[1]] = true
		}
	}
}

// steps says of each step of the guided tour whether it is done by now.
func (s *Sandbox) steps(v BesideView) map[string]bool {
	said := s.said()
	says := func(others ...string) bool {
		return slices.ContainsFunc(said, func(m tgsim.Message) bool { return holds(m.Text, others) })
	}
	even := v.Truth.Told == v.Truth.Bought
	sold := func(topUp bool) bool {
		return slices.ContainsFunc(s.Service.Purchases(), func(p sim.Purchase) bool {
			return (p.Family != "" || p.Player != "") == topUp && s.completed(p)
		})
	}
	return map[string]bool{
		"link":   says(s.Shop),
		"buy":    even && v.Truth.Shown > 0 && sold(false),
		"topup":  even && sold(true),
		"lose":   even && v.Service.Lost > 0 && v.Truth.Shown == v.Truth.Codes,
		"alert":  says(s.Words.alerts...),
		"list":   says(s.Words.lists...),
		"credit": says(s.Words.credit...) && says(s.Words.closed...),
		// One who has a single account is never told of another one.
		"accounts": says(s.Words.active...),
	}
}

// completed reports whether every order of a purchase is done.
func (s *Sandbox) completed(p sim.Purchase) bool {
	orders := s.Service.Orders()
	for _, id := range p.OrderIDs {
		i := slices.IndexFunc(orders, func(o sim.Order) bool { return o.ID == id })
		if i < 0 || orders[i].Status != "completed" && orders[i].Status != "success" {
			return false
		}
	}
	return true
}
