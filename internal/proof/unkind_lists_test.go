package proof

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/store"
)

// Lists in the unkind worlds: several lines are confirmed by one tap, and the card, the ring and the file of the list
// are held against what happened to each of its lines.

const (
	listSign     = "📋" // how every card of a list and its ring begin
	listFileSign = "📄 What came of the list"
)

// pastedLists are what people paste: mostly several lines of one of the same, which nothing tells apart but their order.
func pastedLists() []string {
	return []string{
		"play card 10 x1\nplay card 10 x1\nplay card 10 x1",
		"play card 10 x1\nsportstv 1 month x1\nplay card 25 x1",
		"110 gems " + playerID + "\nplay card 10 x2\n110 gems 7351902847\nplay card 10 x1",
		"play card 10 x2\nplay card 10 x1\nplay card 25 x1\nplay card 10 x2",
		"play card 10 x12\nplay card 10 x1",
	}
}

// list pastes a list and taps its ✅. What becomes of one of its requests is drawn, and which that is.
func (u *unkindness) list(m unkindMove) {
	l := u.lab
	l.service.ClearFaults()
	if f := unkindAnswers()[m.Pick%len(unkindAnswers())]; f != nil {
		fault := f(m.Late)
		fault.Operation, fault.Times = sim.Spending, 1+m.Pick%2
		u.inLine(m.Pick/7%3, func() { l.service.Inject(fault) })
	}
	lists := pastedLists()
	l.say(m.Who, lists[m.Pick%len(lists)])
	l.pass(5 * time.Second) // players are asked about
	u.confirmList(m.Who)
	if m.Pick%9 == 8 {
		l.tap(m.Who, "Stop the rest")
	}
}

// again tries what a list has not bought once more.
func (u *unkindness) again(who int64) {
	u.lab.tap(who, "Try again")
	u.lab.pass(5 * time.Second)
	u.confirmList(who)
}

// confirmList taps the newest ✅ of a chat.
func (u *unkindness) confirmList(who int64) {
	if e := (&errand{user: who}); u.lab.findConfirm(e) {
		u.lab.press(e)
	}
	u.lab.pass(time.Second)
}

// inLine has something happen before the nth request that spends from now on is executed, counted from 0.
func (u *unkindness) inLine(n int, do func()) {
	u.lab.front.beforeSpend(func() {
		if n == 0 {
			do()
			return
		}
		u.inLine(n-1, do)
	})
}

// list takes a list as it was just committed.
func (w *witness) list(l store.List) {
	if l.ID == "" {
		return
	}
	if was, known := w.lists[l.ID]; !known || was.Phase != l.Phase || was.Why != l.Why {
		w.remarkf("list %s %s → %s (%s)", store.Ref(l.ID), was.Phase, l.Phase, l.Why)
	}
	w.lists[l.ID] = l
	if l.Message != 0 {
		w.cards[shownAt{l.Chat, l.Message}] = l.ID
	}
}

// listFileLine is a line of a list's file that is about a purchase: what stands under it is its codes.
var listFileLine = regexp.MustCompile(`^\d+\t(#[0-9A-Z]{5})\t`)

// listed parts the file of a list into what it says of each purchase. A card and a ring stay as they are.
func (s shown) listed() (parts []shown) {
	if s.file == "" {
		s.codes = nil
		return []shown{s}
	}
	var one *shown
	for line := range strings.Lines(s.file) {
		line = strings.TrimSuffix(line, "\n")
		switch head := listFileLine.FindStringSubmatch(line); {
		case head != nil:
			parts = append(parts, s)
			one = &parts[len(parts)-1]
			one.text, one.file, one.codes = head[1], line, nil
		case strings.Contains(line, "\t-\t"):
			one = nil
		case one != nil:
			one.codes = append(one.codes, line)
		}
	}
	return parts
}

// listsAtTheEnd are the lists as the program left them, with their lines.
func (j *unkindJudge) listsAtTheEnd() (all []store.List) {
	if len(j.witness.lists) == 0 {
		return nil
	}
	s, err := j.witness.lab.open()
	if err != nil {
		j.addf(stuck, "the store cannot be opened", "%v", err)
		return nil
	}
	defer s.Close()
	for _, id := range slices.Sorted(mapsKeys(j.witness.lists)) {
		l, err := s.List(context.Background(), id)
		if err != nil {
			j.addf(stuck, "a list cannot be read", "%s: %v", store.Ref(id), err)
			continue
		}
		all = append(all, l)
	}
	return all
}

// judgeLists sees that no line of a list was lost, or bought by two purchases, and that what was said of each was true.
func (j *unkindJudge) judgeLists() {
	for _, l := range j.listsAtTheEnd() {
		if l.Phase.Promised() {
			j.lists++
			j.judgeLines(l)
			j.judgeCards(l)
		}
	}
}

// judgeLines sees that every line that its ✅ has paid for has come to its end, and is one purchase.
func (j *unkindJudge) judgeLines(l store.List) {
	hidden := slices.ContainsFunc(l.Purchases(), func(id string) bool { return j.shownNowhere(j.witness.purchases[id]) })
	if l.Phase != store.ListEnded && !hidden {
		j.addf(stuck, "a list is still "+string(l.Phase), "%s: %s", store.Ref(l.ID), l.Why)
	}
	for i := range l.Lines {
		if line := &l.Lines[i]; l.Buys(line) && line.Purchase == "" && line.Left == "" {
			j.addf(stuck, "a line of a list is lost", "line %d of %s", line.Number, store.Ref(l.ID))
		}
	}
	for id, p := range j.witness.purchases {
		if p.List == l.ID && !slices.Contains(l.Purchases(), id) {
			j.addf(falseMoney, "a line of a list is two purchases", "%s of %s", store.Ref(id), store.Ref(l.ID))
		}
	}
}

// listRow is a line as a card shows it.
var listRow = regexp.MustCompile(`^(\d+) (\S+) (.*)$`)

// judgeCards holds what the cards of a list have said of its lines against the truth.
func (j *unkindJudge) judgeCards(l store.List) {
	for _, s := range j.witness.shown {
		if !s.ofList || s.file != "" || j.witness.cards[shownAt{s.chat, s.message}] != l.ID {
			continue
		}
		for text := range strings.SplitSeq(s.text, "\n") {
			if row := listRow.FindStringSubmatch(text); row != nil {
				j.judgeRow(l, s, row)
			}
		}
	}
	last := j.lastCard(l)
	for i := range l.Lines {
		line := &l.Lines[i]
		p, ok := j.witness.purchases[line.Purchase]
		if !ok || !j.refundedBy(p).IsZero() || closed(p) || p.Dismissed() {
			continue
		}
		begun, mark, text := j.executed(p), "", ""
		for row := range strings.SplitSeq(last, "\n") {
			if m := listRow.FindStringSubmatch(row); m != nil && m[1] == strconv.Itoa(line.Number) {
				mark, text = m[2], m[3]
			}
		}
		if !begun.IsZero() && !j.isHidden(p) && mark == "❌" && !strings.Contains(text, "failed") && !slices.ContainsFunc(j.made(p), func(o sim.Order) bool { return o.Refunded }) {
			j.addf(falseMoney, "a card's ❌ stands, and it was bought ("+cause(p)+")", "line %d of %s, %s: %q", line.Number, store.Ref(l.ID), store.Ref(p.ID), text)
		}
		if (mark == "⏳" || mark == "▫️") && !j.shownNowhere(p) {
			j.addf(stuck, "a card still says that a line is to come ("+cause(p)+")", "line %d of %s: %s %s", line.Number, store.Ref(l.ID), mark, text)
		}
	}
}

// stood reports whether a card had a row by a moment.
func (j *unkindJudge) stood(card shown, row string, by time.Time) bool {
	return slices.ContainsFunc(j.witness.shown, func(s shown) bool {
		return s.chat == card.chat && s.message == card.message && s.at.Before(by) && slices.Contains(strings.Split(s.text, "\n"), row)
	})
}

// judgeRow holds one line of a card against what was true of it then.
func (j *unkindJudge) judgeRow(l store.List, s shown, row []string) {
	n, _ := strconv.Atoi(row[1])
	i := slices.IndexFunc(l.Lines, func(line store.ListLine) bool { return line.Number == n })
	if i < 0 || l.Lines[i].Purchase == "" {
		return
	}
	p := j.witness.purchases[l.Lines[i].Purchase]
	begun, back := j.executed(p), j.refundedBy(p)
	where := fmt.Sprintf("line %d of %s, %s, at %v (executed %v): %q", n, store.Ref(l.ID), store.Ref(p.ID), j.since(s.at), j.since(begun), row[0])
	switch {
	case row[2] == "🎉" && (begun.IsZero() || begun.After(s.at)) && !closed(p):
		j.addf(falseMoney, "a card's 🎉, and it was not bought ("+cause(p)+")", "%s", where)
	case strings.HasSuffix(row[3], "not bought") && !begun.IsZero() && begun.Before(s.at.Add(-j.grace(p))) && (back.IsZero() || back.After(s.at)):
		// A card is edited for any of its lines: what stood there before is not said anew, and has the time of a correction.
		if j.unseen(p, begun, s.at) || j.stood(s, row[0], begun) && !s.at.After(j.shows(begun)) {
			j.blind++
			return
		}
		j.addf(falseMoney, "a card's “not bought”, and it was ("+cause(p)+")", "%s", where)
	}
}

// lastCard is what the card of a list says at last.
func (j *unkindJudge) lastCard(l store.List) (text string) {
	for _, s := range j.witness.shown {
		if s.ofList && s.file == "" && s.chat == l.Chat && s.message == l.Message {
			text = s.text
		}
	}
	return text
}
