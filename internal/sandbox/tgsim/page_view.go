package tgsim

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// mostShown is how many messages of a chat the page shows.
const mostShown = 300

// pageView is what the page draws.
type pageView struct {
	Bot    string       `json:"bot"`
	Number int          `json:"number"` // Options.Number
	Beside string       `json:"beside"` // Options.Beside
	People []pagePerson `json:"people"`
	Chats  []pageChat   `json:"chats"`
	Offers []pageOffer  `json:"offers"` // for the newest inline query of each person
}

// pageOffer is what the bot offers for an inline query.
type pageOffer struct {
	Query   string       `json:"query"` // its id
	User    int64        `json:"user"`
	Text    string       `json:"text"`
	Results []pageResult `json:"results"` // nil while the bot has not answered
}

type pageResult struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

// pagePayment is an attempt to pay an invoice.
type pagePayment struct {
	ID       string           `json:"id"`
	User     int64            `json:"user"`
	Offers   []ShippingOption `json:"offers"` // to be chosen from
	Answered bool             `json:"answered"`
	Paid     bool             `json:"paid"`
	Problem  string           `json:"problem"`
}

// pagePerson is somebody with a phone of his own on the page.
type pagePerson struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Part     string `json:"part"`
	Language string `json:"language"`
	Gone     bool   `json:"gone"` // the account was deleted
}

// pageChat is a chat as the page draws it.
type pageChat struct {
	ID       int64          `json:"id"`
	Kind     string         `json:"kind"`
	Title    string         `json:"title"`
	Started  bool           `json:"started"`
	Blocked  bool           `json:"blocked"`
	Gone     bool           `json:"gone"` // the account, or the group, is no more
	Forum    bool           `json:"forum,omitempty"`
	Topics   []Topic        `json:"topics,omitempty"`
	Members  []pageMember   `json:"members"`
	Messages []pageMessage  `json:"messages"`
	Waiting  []pageTap      `json:"waiting"` // taps that are not answered
	Toasts   []pageToast    `json:"toasts"`  // the last of each person
	Keyboard *ReplyKeyboard `json:"keyboard"`
	Typing   int64          `json:"typing"` // until when, in Unix milliseconds; 0 for not at all
}

// pageMember is somebody who could be in a chat, and what he is there.
type pageMember struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Bot      bool      `json:"bot"`
	Role     Role      `json:"role"`
	Writes   bool      `json:"writes"`
	Commands []Command `json:"commands"`
}

// pageMessage is a message as the page draws it. Of one that was deleted only that is left.
type pageMessage struct {
	ID       int        `json:"id"`
	Bot      bool       `json:"bot"`
	From     int64      `json:"from"`
	Name     string     `json:"name"`
	Event    *pageEvent `json:"event"` // nobody wrote it
	Deleted  bool       `json:"deleted"`
	Text     string     `json:"text"`
	Entities []Entity   `json:"entities"`
	Keyboard [][]Button `json:"keyboard"`
	File     *pageDoc   `json:"file"`
	Photo    *pagePhoto `json:"photo"`
	Time     int64      `json:"time"`
	Edited   bool       `json:"edited"`
	Unseen   bool       `json:"unseen"` // the bot has not confirmed it yet
	ReplyTo  int        `json:"reply_to"`
	Thread   int        `json:"thread,omitempty"` // the topic of a forum

	Forwarded string          `json:"forwarded,omitempty"` // who wrote it first
	Spoiler   bool            `json:"spoiler,omitempty"`   // the picture is hidden until tapped
	Content   json.RawMessage `json:"content,omitempty"`   // what is neither text nor a file, as the Bot API has it
	Album     string          `json:"album,omitempty"`     // what the messages of an album share
	Votes     map[int64][]int `json:"votes,omitempty"`     // in a poll, by person
	Payments  []pagePayment   `json:"payments,omitempty"`  // of an invoice
	Reactions map[string]int  `json:"reactions,omitempty"`
}

// pageEvent is what a service message tells: who did what to whom.
type pageEvent struct {
	Kind string `json:"kind"` // "created", "added", "removed", "left", "migrated", "topic_begun", …
	By   string `json:"by"`
	Whom string `json:"whom"`
	Text string `json:"text"` // the same in plain words, where the kind is another
}

type pageTap struct {
	User    int64  `json:"user"`
	Message int    `json:"message"`
	Data    string `json:"data"`
}

type pageDoc struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Size  int    `json:"size"`
	Kind  string `json:"kind"`  // Document.Kind
	Plays string `json:"plays"` // audio, video, or "" for what no browser plays
}

type pagePhoto struct {
	ID     string `json:"id"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

type pageToast struct {
	ID    string `json:"id"`
	User  int64  `json:"user"`
	Text  string `json:"text"`
	Alert bool   `json:"alert"`
}

// snapshot is everything the page draws.
func (s chatPage) snapshot() pageView {
	s.mu.Lock()
	defer s.mu.Unlock()
	view := pageView{Bot: s.options.BotName, Number: s.options.Number, Beside: s.options.Beside, People: []pagePerson{}, Chats: []pageChat{}}
	for _, u := range s.users {
		view.People = append(view.People, pagePerson{ID: u.ID, Name: s.views.name(u.ID), Part: u.Part, Language: u.LanguageCode, Gone: u.deactivated})
	}
	slices.SortFunc(view.People, func(a, b pagePerson) int { return cmp.Compare(a.ID, b.ID) })
	for _, q := range slices.Backward(s.queries) {
		if !slices.ContainsFunc(view.Offers, func(o pageOffer) bool { return o.User == q.User }) {
			view.Offers = append(view.Offers, q.offer())
		}
	}
	for _, c := range s.chats {
		view.Chats = append(view.Chats, s.pageChat(c))
	}
	slices.SortFunc(view.Chats, func(a, b pageChat) int { // people first, then groups from the first on
		if (a.ID > 0) != (b.ID > 0) {
			return cmp.Compare(b.ID, a.ID)
		}
		return cmp.Compare(max(a.ID, -a.ID), max(b.ID, -b.ID))
	})
	return view
}

// pageChat draws one chat; s.mu is held.
func (s chatPage) pageChat(c *chat) pageChat {
	out := pageChat{
		ID: c.id, Kind: c.kind(), Title: c.title, Started: c.started || c.id < 0, Blocked: c.blocked, Gone: c.migrated != 0, Forum: c.forum, Topics: c.listTopics(),
		Members: s.pageMembers(c), Messages: []pageMessage{}, Waiting: []pageTap{}, Keyboard: c.keyboard,
	}
	if c.id > 0 {
		out.Title, out.Gone = s.views.name(c.id), s.users[c.id].deactivated
	}
	if !c.typing.IsZero() {
		out.Typing = c.typing.UnixMilli()
	}
	for _, m := range c.messages[max(0, len(c.messages)-mostShown):] {
		out.Messages = append(out.Messages, s.pageMessage(m))
	}
	for _, q := range s.callbacks {
		if q.Chat != c.id {
			continue
		}
		if q.Answers == 0 {
			out.Waiting = append(out.Waiting, pageTap{User: q.User, Message: q.Message, Data: q.Data})
		} else if q.Text != "" {
			out.Toasts = slices.DeleteFunc(out.Toasts, func(t pageToast) bool { return t.User == q.User })
			out.Toasts = append(out.Toasts, pageToast{ID: q.ID, User: q.User, Text: q.Text, Alert: q.Alert})
		}
	}
	return out
}

// pageMembers lists those who can be at the keyboard of a chat; of a group everybody there is, as anybody
// could be added.
func (s chatPage) pageMembers(c *chat) []pageMember {
	out := []pageMember{}
	for _, u := range s.users {
		if u.deactivated && c.id < 0 || c.id > 0 && u.ID != c.id {
			continue
		}
		out = append(out, pageMember{
			ID: u.ID, Name: s.views.name(u.ID), Role: c.role(u.ID), Writes: !u.deactivated && c.takes(u.ID), Commands: s.Menus.menuOf(c, u.ID),
		})
	}
	slices.SortFunc(out, func(a, b pageMember) int { return cmp.Compare(a.ID, b.ID) })
	return append(out, pageMember{ID: s.BotID(), Name: s.views.name(s.BotID()), Bot: true, Role: s.here(c)})
}

// pageMessage draws one message. Of one that was deleted only the fact is left: it may have held a secret.
func (s chatPage) pageMessage(m *Message) pageMessage {
	out := pageMessage{ID: m.ID, Bot: m.FromBot, From: m.From, Name: s.views.name(m.From), Deleted: m.Deleted, Time: m.Date.Unix(), Thread: m.Thread}
	if m.Deleted {
		return out
	}
	out.Unseen = m.update != 0 && slices.ContainsFunc(s.inbox.updates, func(u *update) bool { return u.id == m.update })
	out.Text, out.Entities, out.Keyboard, out.Edited, out.ReplyTo = m.Text, m.Entities, m.Keyboard, m.Edited, m.ReplyTo
	out.Forwarded, out.Spoiler, out.Album, out.Reactions = m.Forwarded, m.Spoiler, m.Album, reactionCounts(m)
	if m.Notice != "" {
		out.Event = s.pageEvent(m)
	}
	if len(m.Content) > 0 {
		out.Content = marshal(m.Content)
	}
	if b, isPoll := m.Content["poll"].(*ballot); isPoll {
		out.Votes = maps.Clone(b.votes)
	}
	if i, isInvoice := m.Content["invoice"].(*invoice); isInvoice {
		for _, p := range s.payments {
			if p.invoice == i {
				out.Payments = append(out.Payments, pagePayment{ID: p.ID, User: p.User, Offers: p.open(), Answered: p.Answered, Paid: p.Paid, Problem: p.Problem})
			}
		}
	}
	if d := m.Document; d != nil {
		out.File = &pageDoc{ID: d.ID, Name: d.Name, Size: len(d.Body), Kind: d.Kind, Plays: plays(d.Body)}
	}
	if m.Photo != nil {
		out.Photo = &pagePhoto{ID: m.Photo.ID, Width: m.Photo.Width, Height: m.Photo.Height}
	}
	return out
}

// plays is what a browser plays a file as, "" for not at all. Its bytes decide, whatever the bot calls it.
func plays(body []byte) string {
	kind, _, _ := strings.Cut(strings.Replace(http.DetectContentType(body), "application/ogg", "audio/ogg", 1), "/")
	if kind == "audio" || kind == "video" {
		return kind
	}
	return ""
}

// offer is what the page shows of an inline query.
func (q *InlineQuery) offer() pageOffer {
	o := pageOffer{Query: q.ID, User: q.User, Text: q.Query}
	if q.Answered {
		o.Results = []pageResult{}
	}
	for _, r := range q.Results {
		o.Results = append(o.Results, pageResult{r.ID, cmp.Or(r.Title, r.Text, r.Type), r.Description})
	}
	return o
}

// open are the ways to send it of which none is chosen yet.
func (pay *Payment) open() []ShippingOption {
	if pay.Option != "" {
		return nil
	}
	return pay.Offers
}

// reactionCounts is what people made of a message: each emoji with how many chose it.
func reactionCounts(m *Message) map[string]int {
	counts := map[string]int{}
	for _, all := range m.Reactions {
		for _, r := range all {
			counts[string(r)]++
		}
	}
	return counts
}

// pageEvent draws a service message.
func (s chatPage) pageEvent(m *Message) *pageEvent {
	e := &pageEvent{By: s.views.name(m.From), Text: m.Notice}
	if added, ok := m.service["new_chat_members"].([]any); ok && len(added) == 1 {
		e.Kind, e.Whom = "added", s.called(added[0])
	}
	if gone, ok := m.service["left_chat_member"]; ok {
		if e.Kind, e.Whom = "removed", s.called(gone); e.Whom == e.By {
			e.Kind = "left"
		}
	}
	if about, ok := m.service["forum_topic_created"].(object); ok {
		e.Whom, _ = about["name"].(string)
	}
	for field, kind := range map[string]string{"group_chat_created": "created", "migrate_to_chat_id": "migrated", "migrate_from_chat_id": "migrated", "users_shared": "shared", "chat_shared": "shared_chat", "forum_topic_created": "topic_begun", "forum_topic_closed": "topic_closed", "forum_topic_reopened": "topic_reopened"} {
		if _, ok := m.service[field]; ok {
			e.Kind = kind
		}
	}
	return e
}

// called is the name of somebody as the Bot API describes them.
func (s chatPage) called(who any) string {
	if u, ok := who.(User); ok {
		return s.views.name(u.ID)
	}
	return s.views.name(s.BotID())
}
