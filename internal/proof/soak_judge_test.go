package proof

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// What the bot says, in English, as far as it can be false.
var (
	nothingSaid  = []string{"Nothing was charged", "nothing was charged"}
	boughtSaid   = []string{"🎉 Delivered", "🎉 Topped up", "🕓 Bought.", "🕓 Paid."}
	refundedSaid = []string{"↩️ Refunded:", "failed and was refunded"}
	debitSaid    = []string{"no purchase made here with this key explains it"}
	parkedSaid   = []string{"could not be handled"}
	againSaid    = []string{"Delivered again"}
	shortSaid    = regexp.MustCompile(`(\d+) units? (?:is|are) missing here`)
	hiddenSaid   = regexp.MustCompile(`🔒 (\d+) codes?(?: (?:is|are) here)?\.`)
	keySaid      = []string{"the supplier no longer accepts your key", "the key does not work"}
)

// seekingSaid stands on a purchase of which orders are looked for that its answer left out; foundSaid are the ends of that.
const seekingSaid = "I am looking for the rest"

var foundSaid = []string{"🎉 Delivered", "⚠️ Delivered in part", "❌", "☑️", "❗️"}

// yetSaid stands on a purchase that waits in line.
const yetSaid = "Nothing was charged yet"

// soakTransit is how long a message may be on its way.
const soakTransit = time.Second

// soakAccused is how long after foreign money went it may be told.
const soakAccused = 30 * time.Minute

// soakFigures is what the run is summed up by.
type soakFigures struct {
	uncertain, asked int
	fair             []time.Duration // from ✅ to the first code, while all was well
	ready            []time.Duration // from ready at the service to with Telegram, of each code, while all was well for a minute before
}

// violatef notes something that must not be, with its story.
func (s *soak) violatef(kind, story, format string, args ...any) {
	s.violations[kind] = append(s.violations[kind], fmt.Sprintf(format, args...)+"\n"+story)
}

// soakCase is a purchase with all that is known of it.
type soakCase struct {
	id, reference string
	stored        store.Purchase
	known         bool // the store has it
	execs         []execution
	said          []utterance
}

// charged reports whether money had gone for it by a time, and was not back.
func (c *soakCase) charged(at time.Time) bool {
	return slices.ContainsFunc(c.execs, func(e execution) bool {
		return !e.done.IsZero() && !e.done.After(at) && slices.ContainsFunc(e.orders, func(o sim.Order) bool { return !o.Refunded })
	})
}

// made reports whether it was made by a time.
func (c *soakCase) made(at time.Time) bool {
	return slices.ContainsFunc(c.execs, func(e execution) bool { return !e.done.IsZero() && !e.done.After(at) })
}

// judge holds what was said and done against what truly happened.
func (s *soak) judge(left soakLeft) {
	s.t.Helper()
	execs := s.executions()
	said := s.ear.everything()
	cases := s.cases(left, execs, said)
	for _, e := range execs[""] {
		s.violatef("a request of no purchase", s.story("", []execution{e}), "%s of shop %d", e.tag, e.shop.number)
	}
	for _, c := range cases {
		s.judgeMoney(c)
		s.judgeSentences(c)
		s.judgeArrival(c, said)
		s.judgeEnd(c, left)
	}
	s.judgeCodes(cases, said)
	s.judgeChats(execs, said)
	s.judgeTaps(cases)
	s.judgeRest(left)
}

// cases puts together what is known of each purchase.
func (s *soak) cases(left soakLeft, execs map[string][]execution, said []utterance) map[string]*soakCase {
	all := map[string]*soakCase{}
	add := func(id string) {
		if all[id] == nil {
			stored, known := left.purchases[id]
			all[id] = &soakCase{id: id, reference: id[max(0, len(id)-5):], stored: stored, known: known, execs: execs[id]}
		}
	}
	for id := range left.purchases {
		add(id)
	}
	for id := range execs {
		if id != "" {
			add(id)
		}
	}
	byReference := map[string]*soakCase{}
	for _, c := range all {
		byReference[c.reference] = c
	}
	for _, u := range said {
		if c := byReference[u.about()]; c != nil {
			c.said = append(c.said, u)
		}
	}
	return all
}

// judgeMoney: one request for one tap is executed, and what it cost is what was shown, or both are told. Of a purchase that a person
// closed without naming an order, no order tells what it cost.
func (s *soak) judgeMoney(c *soakCase) {
	times := 0
	for _, e := range c.execs {
		if e.done.IsZero() {
			continue
		}
		times++
		if c.known && !closed(c.stored) && !e.total.Equal(c.stored.Total) && !s.toldBoth(c, e.total) {
			s.violatef("charged something else than was shown", s.story(c.id, c.execs), "#%s: %s was shown, %s charged, and nobody told", c.reference, c.stored.Total, e.total)
		}
	}
	if times > 1 {
		s.violatef("bought twice", s.story(c.id, c.execs), "#%s was executed %d times", c.reference, times)
	}
}

// toldBoth reports whether a message names what was shown and what was charged.
func (s *soak) toldBoth(c *soakCase, charged dzd.Amount) bool {
	digits := strings.NewReplacer(",", "", " ", "", " ", "")
	return slices.ContainsFunc(c.said, func(u utterance) bool {
		text := digits.Replace(u.text)
		return strings.Contains(text, charged.String()) && strings.Contains(text, c.stored.Total.String())
	})
}

// judgeSentences: what is said of a purchase is true when it is said.
func (s *soak) judgeSentences(c *soakCase) {
	told := map[string]bool{}
	once := func(kind string, u utterance, what string) {
		if !told[kind] {
			told[kind] = true
			s.violatef(kind, s.story(c.id, c.execs), "#%s, %s: %s", c.reference, strings.TrimSpace(s.since(u.at)), what)
		}
	}
	for _, u := range c.said {
		switch {
		case u.has(yetSaid) && c.charged(u.at.Add(-soakTransit)):
			once("nothing was charged yet, it says of the line, and it was", u, firstLine(u))
		case u.has(nothingSaid...) && !u.has(yetSaid) && c.charged(u.at):
			once("nothing was charged, it says, and it was", u, firstLine(u))
		case u.has(boughtSaid...) && !c.made(u.at):
			once("it was bought, it says, and it was not", u, firstLine(u))
		case u.has(refundedSaid...) && !c.refunded(u.at):
			once("it was refunded, it says, and it was not", u, firstLine(u))
		}
		for _, m := range u.marked {
			if m == soakPlaceholder {
				once("a placeholder is delivered as a code", u, firstLine(u))
			}
		}
	}
}

// refunded reports whether some money of a purchase was back by a time.
func (c *soakCase) refunded(at time.Time) bool {
	return c.made(at) && slices.ContainsFunc(c.execs, func(e execution) bool {
		return slices.ContainsFunc(e.orders, func(o sim.Order) bool { return o.Refunded })
	})
}

func firstLine(u utterance) string {
	line, _, _ := strings.Cut(u.text, "\n")
	return line
}

// lastSaid is the newest utterance about each purchase, by its reference.
func (s *soak) lastSaid() map[string]utterance {
	last := map[string]utterance{}
	for _, u := range s.ear.everything() {
		if r := u.about(); r != "" {
			last[r] = u
		}
	}
	return last
}

// judgeEnd: what stands at last is true, and nothing is open.
func (s *soak) judgeEnd(c *soakCase, left soakLeft) {
	if !c.known {
		s.violatef("a purchase that the store does not know", s.story(c.id, c.execs), "#%s", c.reference)
		return
	}
	if !c.stored.Phase.Final() && c.stored.Phase != store.Drafted && !left.refunds[c.id] {
		s.violatef("open at the end: "+string(c.stored.Phase), s.story(c.id, c.execs), "#%s is %s", c.reference, c.stored.Phase)
	}
	if len(c.said) == 0 {
		return
	}
	last := c.said[len(c.said)-1]
	for _, e := range c.execs {
		if !e.done.IsZero() && c.charged(time.Now()) && last.has(nothingSaid...) && time.Since(e.done) >= soakQuiet && e.done.After(last.at) {
			s.violatef("it stands uncorrected that nothing was charged", s.story(c.id, c.execs), "#%s was executed %v ago", c.reference, time.Since(e.done).Round(time.Second))
		}
	}
}

// judgeArrival: a paid code is in a chat of the shop, or a person has taken care of it.
func (s *soak) judgeArrival(c *soakCase, said []utterance) {
	if slices.ContainsFunc(c.said, func(u utterance) bool { return u.has(closedWords...) }) || c.stored.Phase == store.Undecided {
		return
	}
	spared := c.lastNumber(shortSaid) + c.lastNumber(hiddenSaid)
	for _, e := range c.execs {
		for _, o := range e.orders {
			if o.Code == "" || slices.ContainsFunc(said, func(u utterance) bool {
				return s.shopOfChat(u.chat) == e.shop && slices.ContainsFunc(u.codes, func(code string) bool { return code == o.Code || slices.Contains(o.Codes, code) })
			}) {
				continue
			}
			if spared--; spared >= 0 {
				continue
			}
			kind := "a paid code never came"
			if slices.ContainsFunc(c.said, func(u utterance) bool { return slices.Contains(u.marked, soakPlaceholder) }) {
				kind += ": a placeholder did"
			}
			s.violatef(kind, s.story(c.id, c.execs), "#%s, order %s at the %s service", c.reference, o.ID, e.shop.world.name)
			return
		}
	}
}

// lastNumber is what the newest sentence of a form in a private chat has counted: orders that the answer had left out, for
// which people were told to ask the service's support, or codes that somebody at the counter sees once they ask.
func (c *soakCase) lastNumber(form *regexp.Regexp) int {
	for _, u := range slices.Backward(c.said) {
		if m := form.FindStringSubmatch(u.text); m != nil && u.chat > 0 {
			n, _ := strconv.Atoi(m[1])
			return n
		}
	}
	return 0
}

// codeOwner is the shop that a code belongs to, and the purchase that brought it: "" for somebody else's.
type codeOwner struct{ shop, reference string }

// codeOwners knows whose each code is that the services ever showed.
func (s *soak) codeOwners(cases map[string]*soakCase) map[string]codeOwner {
	of := map[string]codeOwner{}
	own := func(o sim.Order, owner codeOwner) {
		for _, code := range append(slices.Clone(o.Codes), o.Code) {
			of[code] = owner
		}
	}
	for _, w := range s.worlds {
		for _, o := range w.Orders() {
			own(o, codeOwner{shop: s.shopOfKey(o.Key).name()})
		}
	}
	for _, c := range cases {
		for _, e := range c.execs {
			for _, o := range e.orders {
				own(o, codeOwner{e.shop.name(), c.reference})
			}
		}
	}
	return of
}

// judgeCodes: a code is told of the purchase that it belongs to, in a chat of its shop, and in no two messages of a chat
// without a word about that. Which of two that are on their way arrives first is nobody's to say.
func (s *soak) judgeCodes(cases map[string]*soakCase, said []utterance) {
	type place struct {
		code string
		chat int64
	}
	owners, first, told := s.codeOwners(cases), map[place]int{}, map[string]bool{}
	for _, u := range said {
		for _, code := range u.codes {
			owner, known := owners[code]
			at := place{code, u.chat}
			kind := ""
			switch before, seen := first[at]; {
			case !known:
				kind = "a code that the service never made"
			case s.shopOfChat(u.chat) == nil || s.shopOfChat(u.chat).name() != owner.shop:
				kind = "a code in the wrong shop"
			case u.about() != "" && u.about() != owner.reference:
				kind = "a code of another purchase"
			case u.has(againSaid...):
			case seen && before != u.message:
				kind = "a code twice, without a word"
			default:
				first[at] = u.message
			}
			if kind != "" && !told[kind+u.about()] {
				told[kind+u.about()] = true
				story := s.storyOf(cases, u.about()) + s.storyOf(cases, owner.reference)
				s.violatef(kind, story, "#%s, %s, chat %d: a code of #%s, %s", u.about(), strings.TrimSpace(s.since(u.at)), u.chat, owner.reference, owner.shop)
			}
		}
	}
}

// storyOf is the story of a purchase by its reference; nothing where there is none.
func (s *soak) storyOf(cases map[string]*soakCase, reference string) string {
	for _, c := range cases {
		if c.reference == reference {
			return s.story(c.id, c.execs)
		}
	}
	return ""
}

// judgeChats: nobody is accused while no foreign money moved, and no ✅ is called one by which nothing was charged.
func (s *soak) judgeChats(execs map[string][]execution, said []utterance) {
	for _, u := range said {
		shop := s.shopOfChat(u.chat)
		if shop == nil {
			continue
		}
		if u.has(debitSaid...) && !s.sky.foreignBetween(shop, u.at.Add(-soakAccused), u.at) {
			s.violatef("a false accusation", s.around(shop, u.at), "shop %d (%s, %s service), %s: %s", shop.number, shop.mode, shop.world.name, s.since(u.at), u.text)
		}
		if !u.has(parkedSaid...) || !u.has("✅") {
			continue // it answers a message, or names the button
		}
		if tap, found := s.lastTap(u.chat, u.at); found && bought(execs[tap.purchase]) && !s.actedBetween(u.chat, tap.at, u.at) {
			s.violatef("a message could not be handled, it says after a ✅", s.story(tap.purchase, execs[tap.purchase]), "chat %d, %s: %s", u.chat, s.since(u.at), firstLine(u))
		}
	}
}

// bought reports whether one of some requests was executed.
func bought(execs []execution) bool {
	return slices.ContainsFunc(execs, func(e execution) bool { return !e.done.IsZero() })
}

// lastTap is the newest ✅ of a chat before a time.
func (s *soak) lastTap(chat int64, before time.Time) (last soakTap, found bool) {
	for _, tap := range s.taps {
		if tap.chat == chat && tap.at.Before(before) {
			last, found = tap, true
		}
	}
	return last, found
}

// actedBetween reports whether somebody wrote or tapped in a chat between two times.
func (s *soak) actedBetween(chat int64, from, to time.Time) bool {
	return slices.ContainsFunc(s.presses[chat], func(at time.Time) bool { return at.After(from) && at.Before(to) }) ||
		slices.ContainsFunc(s.telegram.Messages(chat), func(m tgsim.Message) bool { return !m.FromBot && m.Date.After(from) && m.Date.Before(to) })
}

// around is what moved the wallet of a shop in the minutes before a time.
func (s *soak) around(shop *soakShop, at time.Time) string {
	var b strings.Builder
	for _, e := range shop.world.Entries(shop.secret()) {
		if e.At.Before(at) && at.Sub(e.At) < 5*time.Minute {
			fmt.Fprintf(&b, "    %s %s %s %s: balance %s, available %s\n", s.since(e.At), e.Kind, e.Order, e.Tag, e.Balance, e.Available)
		}
	}
	return b.String()
}

// judgeTaps: each ✅ that was tapped has its outcome in its chat, and the one that bought is not said to have bought
// nothing.
func (s *soak) judgeTaps(cases map[string]*soakCase) {
	answers := map[string]string{}
	for _, c := range s.telegram.Callbacks() {
		answers[c.ID] = c.Text
	}
	outcome, denied := map[string]bool{}, map[string]bool{}
	for _, tap := range s.taps {
		c, text := cases[tap.purchase], answers[tap.query]
		told := text != "" || c != nil && slices.ContainsFunc(c.said, func(u utterance) bool { return u.at.After(tap.at) })
		if _, seen := denied[tap.purchase]; !seen {
			denied[tap.purchase] = true
		}
		denied[tap.purchase] = denied[tap.purchase] && strings.Contains(text, "Nothing was bought")
		outcome[tap.purchase] = outcome[tap.purchase] || told || s.changed(tap)
	}
	for _, purchase := range slices.Sorted(maps.Keys(outcome)) {
		c := cases[purchase]
		switch {
		case !outcome[purchase]:
			s.violatef("a ✅ without an outcome", s.story(purchase, nil), "%s", purchase)
		case c != nil && denied[purchase] && c.made(time.Now()):
			s.violatef("nothing was bought, it says to every tap, and it was", s.story(purchase, c.execs), "#%s", c.reference)
		}
	}
}

// changed reports whether the message with the ✅ says something else since, or something was said after it.
func (s *soak) changed(tap soakTap) bool {
	for _, u := range s.ear.everything() {
		if u.chat == tap.chat && u.message == tap.message && u.at.After(tap.at) {
			return true
		}
	}
	return false
}

// judgeRest: everything has come to rest, and the program has not grown.
func (s *soak) judgeRest(left soakLeft) {
	if !s.settled {
		s.violatef("it does not come to rest", "", "after %v", s.rested.Round(time.Second))
	}
	if left.updates > 0 {
		s.violatef("stuck: updates", "", "%d are not handled", left.updates)
	}
	kinds := map[string]int{}
	for _, m := range left.messages {
		kinds[fmt.Sprintf("%s to %d, %d tries, purchase %s", m.Kind, m.Chat, m.Tries, store.Ref(m.Purchase))]++
	}
	for what, n := range kinds {
		s.violatef("stuck: messages", "", "%d × %s", n, what)
	}
	for _, one := range s.growth {
		if one.memory > soakMemory || one.routines > soakRoutines {
			s.violatef("growth", "", "%s: %d MB, %.0f goroutines", s.since(one.at), one.memory>>20, one.routines)
			return
		}
	}
}

// report says what the run was made of, and fails where something was not as it must be.
func (s *soak) report() {
	s.t.Helper()
	s.figure = s.sumUp()
	total := 0
	for _, n := range s.actions {
		total += n
	}
	s.logf("%v of weather and %v of rest; %d actions: %v", s.ended.Sub(s.began).Round(time.Second), s.rested.Round(time.Second), total, s.actions)
	kills := 0
	for _, n := range s.kills {
		kills += n
	}
	requests, executed := s.traffic.all(), 0
	for _, w := range s.worlds {
		executed += len(w.Purchases())
	}
	s.logf("%d kills: %v; %d updates set aside", kills, s.kills, s.parked)
	s.logf("weather: %v", s.sky.kinds)
	s.logf("%d taps on ✅; %d requests that spend, %d purchases at the services (with those of others); %d were uncertain, %d asked a person", len(s.taps), len(requests), executed, s.figure.uncertain, s.figure.asked)
	if n := len(s.figure.fair); n > 0 {
		slices.Sort(s.figure.fair)
		s.logf("from ✅ to the code in good weather: p50 %.1f s, p99 %.1f s, of %d", s.figure.fair[n/2].Seconds(), s.figure.fair[n*99/100].Seconds(), n)
	}
	if n := len(s.figure.ready); n > 0 {
		slices.Sort(s.figure.ready)
		s.logf("from ready at the service to with Telegram, a minute after any storm: p50 %.1f s, p95 %.1f s, of %d codes (aim 2 and 15)",
			s.figure.ready[n/2].Seconds(), s.figure.ready[n*95/100].Seconds(), n)
	}
	if n := len(s.growth); n > 0 {
		last := s.growth[n-1]
		most := slices.MaxFunc(s.growth, func(a, b soakSample) int { return int(a.memory - b.memory) })
		s.logf("at rest: %d MB resident (%d at most), %.0f goroutines, the file has %d kB", last.memory>>20, most.memory>>20, last.routines, last.file>>10)
	}
	for _, u := range s.ear.everything() {
		if u.has(keySaid...) {
			s.logf("told: %s chat %d: %s", s.since(u.at), u.chat, firstLine(u))
		}
	}
	for _, what := range byCount(s.truth.errors) {
		s.logf("log: %d × %s", s.truth.errors[what], what)
	}
	for _, kind := range slices.Sorted(maps.Keys(s.violations)) {
		stories := s.violations[kind]
		slices.SortFunc(stories, func(a, b string) int { return len(a) - len(b) })
		s.t.Errorf("VIOLATION %d × %s", len(stories), kind)
		for i, story := range stories[:min(30, len(stories))] {
			if headline, _, _ := strings.Cut(story, "\n"); i >= 3 {
				story = headline // the shortest stories are told whole
			}
			s.logf("  %s: %s", kind, story)
		}
	}
}

// sumUp counts what was uncertain, who was asked, and how long codes took in good weather.
func (s *soak) sumUp() (f soakFigures) {
	said := s.ear.everything()
	for purchase, lines := range s.truth.logs {
		if soakLogHas(lines, `"event":"give up"`) {
			f.asked++
		}
		if soakLogHas(lines, `"outcome":"unknown"`) || soakLogHas(lines, "was submitting when the process ended") {
			f.uncertain++
		}
		i := slices.IndexFunc(s.taps, func(t soakTap) bool { return t.purchase == purchase })
		j := slices.IndexFunc(said, func(u utterance) bool { return len(u.codes) > 0 && u.about() == store.Ref(purchase) })
		if i >= 0 && j >= 0 && s.sky.fair(s.taps[i].at, said[j].at) {
			f.fair = append(f.fair, said[j].at.Sub(s.taps[i].at))
		}
	}
	f.ready = s.lateness(said)
	return f
}

// lateness is how long codes took from ready at the service to Telegram, of those for which all was well from a minute before
// they were ready until they came. A service that shows them later than they are ready is no fair weather.
func (s *soak) lateness(said []utterance) (late []time.Duration) {
	const calm = time.Minute
	came := map[string]time.Time{}
	for _, u := range said {
		for _, code := range u.codes {
			if at, known := came[code]; !known || u.at.Before(at) {
				came[code] = u.at
			}
		}
	}
	for _, world := range s.worlds {
		if world.lag > 0 {
			continue
		}
		for _, o := range world.Orders() {
			if at, ok := came[o.Code]; ok && o.Code != "" && s.sky.fair(o.Ready.Add(-calm), at) {
				late = append(late, at.Sub(o.Ready))
			}
		}
	}
	return late
}
