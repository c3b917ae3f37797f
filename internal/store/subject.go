package store

import (
	"errors"
	"maps"
	"slices"
	"time"
)

// Subject is what a message is about that nobody asked for. A chat hears each subject as it likes, and a group with topics has one
// for each.
type Subject string

// The subjects. What is of none is heard always: what has happened to money, rights and the bot itself.
const (
	OrderSubject    Subject = "orders"    // what was bought: pings, copies, files
	DecisionSubject Subject = "decisions" // what an owner is asked
	AlertSubject    Subject = "alerts"    // thresholds that were crossed, the service away, money that nothing explains
	ReportSubject   Subject = "reports"   // the report of a day, the price list, the board
)

// Subjects are all of them, in the order in which they are listed.
func Subjects() []Subject {
	return []Subject{OrderSubject, DecisionSubject, AlertSubject, ReportSubject}
}

// Hearing is how a chat hears of a subject.
type Hearing string

// The ways to hear.
const (
	Aloud   Hearing = "on"
	Softly  Hearing = "silent" // without a sound
	Unheard Hearing = "off"
)

// Subject is what a message is about; "" where that is for nobody to choose.
func (o *Outgoing) Subject() Subject {
	switch o.Kind {
	case StatusMessage, Ping, Document, Copy, ListCard, ListPing, ListFile:
		return OrderSubject
	case Request, Decision, ListRequest:
		return DecisionSubject
	case BoardMessage:
		return ReportSubject
	case Support, TopicMessage:
		return ""
	case Note:
	}
	switch o.NoteName() {
	case AlertsNote, DebitNote, DebitOrLateNote, DebitElsewhereNote, OutageNote, OutageOverNote:
		return AlertSubject
	case ReportNote, PriceListNote:
		return ReportSubject
	}
	return ""
}

// IsAlarm reports whether a message tells of money that nothing explains. It cannot be put off by the way in which alerts are heard:
// it has a switch of its own.
func (o *Outgoing) IsAlarm() bool {
	return slices.Contains([]NoteName{DebitNote, DebitOrLateNote, DebitElsewhereNote}, o.NoteName())
}

// Hears is how the chat hears of a subject. One that has not said hears aloud; a group hears of decisions and reports where an owner
// wants it, since others read along.
func (a *Alerts) Hears(s Subject) Hearing {
	if h := a.Hearings[s]; h != "" {
		return h
	}
	if a.Chat < 0 && (s == DecisionSubject || s == ReportSubject) {
		return Unheard
	}
	return Aloud
}

// MayBeOff reports whether a chat need not hear of a subject at all. What somebody has bought, and what an owner is asked, reaches
// them in private whatever they choose; role is theirs.
func (a *Alerts) MayBeOff(s Subject, role Role) bool {
	switch s {
	case OrderSubject:
		return a.Chat < 0 || role == Counter
	case DecisionSubject:
		return a.Chat < 0
	case AlertSubject, ReportSubject:
	}
	return true
}

// Within reports whether a moment is in the span, by the clock of a zone.
func (h Hours) Within(at time.Time, zone *time.Location) bool {
	hour := at.In(zone).Hour()
	// From after To is a span over midnight; equal hours are none.
	return h.From < h.To && hour >= h.From && hour < h.To || h.From > h.To && (hour >= h.From || hour < h.To)
}

// mostMade is how often the topic of a subject is made: where people have deleted it twice, they do not want it.
const mostMade = 2

// Topic is a group's topic for a subject.
type Topic struct {
	Thread  int  `json:",omitempty"` // 0 while there is none
	Made    int  // how often it was made
	Refused bool `json:",omitempty"` // it could not be made, or nobody knows whether it was
}

// TopicFor is the topic that a subject goes to; 0 for the group as such.
func (p *Place) TopicFor(s Subject) int {
	if t := p.Topics[s]; t.Thread != 0 {
		return t.Thread
	}
	if s == OrderSubject {
		return p.Thread
	}
	return 0
}

// IsTopic reports whether a topic is one that the bot has made.
func (p *Place) IsTopic(thread int) bool {
	return thread != 0 && p.hasTopic(func(t Topic) bool { return t.Thread == thread })
}

// Again is the place as it is chosen once more, from some topic of the same group: the topics stay. One that people have made is for
// deliveries from then on; one that the bot has made changes nothing.
func (p *Place) Again(next Place) Place {
	if p.IsTopic(next.Thread) {
		next.Thread = p.Thread
	}
	for s, t := range p.Topics {
		if s != OrderSubject || next.Thread == 0 {
			next = *next.with(s, t)
		}
	}
	next.Unused = p.Unused
	return next
}

// WantsTopic reports whether a place is this chat, and a subject is to have a topic there.
func (p *Place) WantsTopic(chat int64, s Subject) bool {
	if p == nil || p.Chat != chat {
		return false
	}
	_, wanted := p.Topics[s]
	return wanted
}

// AwaitsTopics reports whether topics are about to be made there.
func (p *Place) AwaitsTopics() bool {
	return p.hasTopic(func(t Topic) bool { return t.Thread == 0 && !t.Refused })
}

// HasTopics reports whether the bot has made topics there, or is about to.
func (p *Place) HasTopics() bool { return p != nil && len(p.Topics) > 0 }

// TopicRefused reports whether a topic could not be made.
func (p *Place) TopicRefused() bool {
	return p.hasTopic(func(t Topic) bool { return t.Thread == 0 && t.Refused })
}

// hasTopic reports whether one of its topics is such.
func (p *Place) hasTopic(such func(Topic) bool) bool {
	return p != nil && slices.ContainsFunc(slices.Collect(maps.Values(p.Topics)), such)
}

// with is the place with another topic for a subject: places are shared by copies of their account.
func (p *Place) with(s Subject, t Topic) *Place {
	topics := map[Subject]Topic{s: t}
	for o, was := range p.Topics {
		if o != s {
			topics[o] = was
		}
	}
	next := *p
	next.Topics = topics
	return &next
}

// withUnused is the place with the topic for a subject that was turned off. It is taken out of the unused ones: were it gone, and turned
// off once more before another was made, the next owner who wants topics would be given the one that is gone.
func (p *Place) withUnused(s Subject) *Place {
	next := p.with(s, p.Unused[s])
	next.Unused = maps.Clone(p.Unused)
	delete(next.Unused, s)
	return next
}

// keepUnused keeps a topic that nothing goes to for when an owner wants topics again.
func (p *Place) keepUnused(s Subject, t Topic) {
	p.Unused = maps.Clone(p.Unused)
	if p.Unused == nil {
		p.Unused = map[Subject]Topic{}
	}
	p.Unused[s] = t
}

// SubjectArg is what a topic that is to be made is for.
const SubjectArg = "subject"

// MakeTopics queues what makes the topics that an account's place does not have yet, and has the group hear of all subjects. Where
// deliveries go to a topic that was chosen by hand, they stay there. The account is the caller's to put.
func (t *Tx) MakeTopics(a *Account) error {
	if a.Place == nil {
		return nil
	}
	for _, s := range Subjects() {
		was := a.Place.Topics[s]
		if was.Thread != 0 || s == OrderSubject && a.Place.Thread != 0 {
			continue
		}
		if _, ok := a.Place.Unused[s]; ok { // one that was deleted meanwhile is found out with the first message
			a.Place = a.Place.withUnused(s)
			continue
		}
		a.Place = a.Place.with(s, Topic{Made: was.Made})
		if err := t.Enqueue(topicRow(a.ID, a.Place.Chat, s)); err != nil {
			return err
		}
	}
	al, err := t.Alerts(a.Place.Chat, a.ID)
	if err != nil {
		return err
	}
	for _, s := range Subjects() {
		if al.Hearings[s] == "" {
			al.Hear(s, Aloud)
		}
	}
	return errors.Join(t.PutAlerts(&al), t.boardTo(a.ID, a.Place))
}

// topicRow is the row that makes a topic.
func topicRow(account string, chat int64, s Subject) *Outgoing {
	return &Outgoing{
		Chat: chat, ID: "topic." + account + "." + string(s), Kind: TopicMessage, Priority: AlertPriority,
		Args: map[string]string{AboutArg: account, SubjectArg: string(s)},
	}
}

// EndTopics has everything go to the group as such again. The topics stay in it, with what they hold, for when an owner wants
// them once more.
func (t *Tx) EndTopics(a *Account) error {
	if a.Place == nil {
		return nil
	}
	at := *a.Place
	for s, t := range at.Topics {
		if t.Thread != 0 {
			at.keepUnused(s, t)
		}
	}
	at.Topics, a.Place = nil, &at
	return t.boardTo(a.ID, &at)
}

// TopicMade notes the topic that a subject of an account's place has; thread is 0 where it could not be made. The board of the day
// goes to its own. An owner may have turned topics off while this one was made: then it is kept as the others are, for nobody would
// find it otherwise, and topics that are turned on once more would make a second one beside it.
func (t *Tx) TopicMade(account string, chat int64, s Subject, thread int) error {
	return t.changePlace(account, chat, func(p Place) *Place {
		was, wanted := p.Topics[s]
		switch {
		case !wanted && thread == 0:
			return nil
		case !wanted:
			p.keepUnused(s, Topic{Thread: thread, Made: 1})
			return &p
		}
		return p.with(s, Topic{Thread: thread, Made: was.Made + 1, Refused: thread == 0})
	})
}

// TopicLost notes that a topic of an account's place is gone. One that the bot has made is made again, once; chosen tells that it was
// one which an owner has chosen. Everything goes to the group as such meanwhile.
func (t *Tx) TopicLost(account string, chat int64, thread int) (chosen bool, err error) {
	var again Subject
	err = t.changePlace(account, chat, func(p Place) *Place {
		for s, was := range p.Topics {
			if was.Thread == thread {
				if was.Made < mostMade {
					again = s
				}
				return p.with(s, Topic{Made: was.Made, Refused: again == ""})
			}
		}
		if p.Thread != thread {
			return nil
		}
		chosen, p.Thread = true, 0
		return &p
	})
	if err != nil || again == "" {
		return chosen, err
	}
	return false, t.Enqueue(topicRow(account, chat, again))
}

// changePlace changes the place of an account, where it is still this chat, and has the board follow it; nil changes nothing.
func (t *Tx) changePlace(account string, chat int64, change func(Place) *Place) error {
	a, err := t.Account(account)
	if err != nil || a.Place == nil || a.Place.Chat != chat {
		return ignoring(err, ErrNotFound)
	}
	next := change(*a.Place)
	if next == nil {
		return nil
	}
	a.Place = next
	return errors.Join(t.PutAccount(&a), t.boardTo(account, next))
}

// boardTo has the board of a shop be where its reports go: a message cannot be moved, so it begins anew there.
func (t *Tx) boardTo(account string, at *Place) error {
	d, err := t.Desk(account)
	if err != nil || d.Board == nil || d.Board.Chat != at.Chat || d.Board.Thread == at.BoardTopic() {
		return err
	}
	return t.SetBoard(account, &Board{Chat: at.Chat, Thread: at.BoardTopic()})
}

// BoardTopic is the topic that the board of the day is in: that of reports, or where deliveries go.
func (p *Place) BoardTopic() int {
	if t := p.TopicFor(ReportSubject); t != 0 {
		return t
	}
	return p.Thread
}

// Hear has the chat hear of a subject in some way from now on.
func (a *Alerts) Hear(s Subject, h Hearing) {
	if a.Hearings == nil {
		a.Hearings = map[Subject]Hearing{}
	}
	a.Hearings[s] = h
}
