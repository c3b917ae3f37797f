package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/app/apptest"
)

// chatRest is how long the program leaves a chat alone that refuses messages, with some room.
const chatRest = 70 * time.Minute

// telegramKinds are the faults of Telegram and of the way to it.
func telegramKinds() []kind {
	return []kind{
		failing("T01", "no answer to a message that was sent", sending, func(c *tgCall) bool { c.perform(); return c.hang() }),
		failing("T02", "no answer to a message that was not sent", sending, func(c *tgCall) bool { return c.hang() }),
		failing("T03", "no answer to an edit that was made", editing, func(c *tgCall) bool { c.perform(); return c.hang() }),
		failing("T04", "no answer to an edit that was not made", editing, func(c *tgCall) bool { return c.hang() }),
		failing("T05", "429 for three seconds", showing, floods(3)),
		patient(failing("T06", "429 for an hour", showing, floods(3600))),
		failing("T07", "429 that does not say for how long", showing, func(c *tgCall) bool {
			return c.refuse(http.StatusTooManyRequests, "Too Many Requests", nil)
		}),
		blocked(),
		visited(forbids("T09", "the bot was kicked", "Forbidden: bot was kicked from the group chat")),
		deactivated(),
		patient(forbids("T11", "403 that passes", "Forbidden: bot can't send messages to the user")),
		visited(declines("T12", "the chat is not found", showing, "Bad Request: chat not found")),
		migrated(),
		failing("T14", "an edit that was made is called not modified", editing, func(c *tgCall) bool {
			if made := c.perform(); made.Code != http.StatusOK {
				return c.hand(made)
			}
			return c.refuse(http.StatusBadRequest, "Bad Request: message is not modified: specified new message content and reply markup are exactly the same", nil)
		}),
		removed(),
		ofStatusMessage("T16", "the message can't be edited", "Bad Request: message can't be edited"),
		failing("T17", "the markup can't be parsed", showing, func(c *tgCall) bool {
			return c.parsed != "" && c.refuse(http.StatusBadRequest, "Bad Request: can't parse entities: unsupported start tag", nil)
		}),
		patient(declines("T18", "the message is too long", editing, "Bad Request: MESSAGE_TOO_LONG")),
		patient(declines("T19", "the topic is closed", showing, "Bad Request: TOPIC_CLOSED")),
		visited(declines("T20", "no rights to send", showing, "Bad Request: not enough rights to send text messages to the chat")),
		failing("T21", "401", always, func(c *tgCall) bool { return c.refuse(http.StatusUnauthorized, "Unauthorized", nil) }),
		failing("T22", "404", always, func(c *tgCall) bool { return c.refuse(http.StatusNotFound, "Not Found", nil) }),
		failing("T23", "409 for a second poller", polling, func(c *tgCall) bool {
			return c.refuse(http.StatusConflict, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", nil)
		}),
		failing("T24", "500", always, func(c *tgCall) bool { return c.refuse(http.StatusInternalServerError, "Internal Server Error", nil) }),
		failing("T25", "502 with a page of HTML", always, func(c *tgCall) bool { return c.page(http.StatusBadGateway) }),
		failing("T26", "reset without an answer", always, func(c *tgCall) bool { return c.cut() }),
		unnamed(),
		hands("T28", "every update comes again and again", func(g *telegramFront, batch []json.RawMessage) []json.RawMessage {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.kept = append(g.kept, batch...)
			g.kept = g.kept[max(0, len(g.kept)-20):]
			return append(slices.Clone(g.kept), batch...)
		}),
		reordered(),
		gap(),
		failing("T31", "the query is too old to be answered", answering, func(c *tgCall) bool {
			return c.refuse(http.StatusBadRequest, "Bad Request: query is too old and response timeout expired or query ID is invalid", nil)
		}),
		taps("T32", "a tap on a message that Telegram does not show any more", func(l *lab, b *errand) {
			l.telegram.InjectUpdate(fmt.Sprintf(`"callback_query":{"id":"old-1","from":{"id":%d,"is_bot":false,"first_name":"Sam"},`+
				`"chat_instance":"1","data":%q,"message":{"chat":{"id":%d,"type":"private"},"message_id":%d,"date":0}}`, b.user, b.confirm, b.user, b.message))
		}),
		taps("T33", "many taps", func(l *lab, b *errand) {
			for range 4 {
				l.press(b)
			}
			l.telegram.Tap(apptest.Yasmine, apptest.Yasmine, b.message, b.confirm)
			time.AfterFunc(3*time.Second, func() { l.press(b) })
		}),
		taps("T34", "forged buttons", func(l *lab, b *errand) {
			for _, data := range []string{b.confirm[:len(b.confirm)-1] + "A", "", "1:c:../../etc", strings.Repeat("x", 64), b.confirm + b.confirm[:2]} {
				l.telegram.Tap(b.user, b.user, b.message, data)
				l.telegram.Tap(apptest.Yasmine, apptest.Yasmine, b.message, data)
			}
			l.press(b)
		}),
		taps("T35", "a message that was edited", func(l *lab, b *errand) {
			l.telegram.InjectUpdate(fmt.Sprintf(`"edited_message":{"message_id":6,"date":1,"edit_date":2,"text":"9",`+
				`"chat":{"id":%d,"type":"private"},"from":{"id":%d,"is_bot":false,"first_name":"Sam"}}`, b.user, b.user))
			l.press(b)
		}),
		taps("T36", "an update that cannot be read", func(l *lab, b *errand) {
			l.telegram.InjectUpdate(fmt.Sprintf(`"message":{"message_id":"seven","chat":{"id":%d},"text":{"a":1}}`, b.user))
			l.telegram.InjectUpdate(`"something_new":[]`)
			l.press(b)
		}),
	}
}

// Which calls a fault is of.
func sending(c *tgCall) bool   { return c.method == "sendmessage" || c.method == "senddocument" }
func editing(c *tgCall) bool   { return c.method == "editmessagetext" }
func showing(c *tgCall) bool   { return c.shows() }
func polling(c *tgCall) bool   { return c.method == "getupdates" }
func answering(c *tgCall) bool { return c.method == "answercallbackquery" }
func always(*tgCall) bool      { return true }

// failing is a fault of some calls.
func failing(id, name string, which func(*tgCall) bool, spoil func(*tgCall) bool) kind {
	return kind{id: id, name: name, telegram: func() *telegramFault {
		return &telegramFault{call: func(c *tgCall) bool { return which(c) && spoil(c) }}
	}}
}

// patient gives a kind's consequences the time that a chat or a row rests.
func patient(k kind) kind {
	plainly := k.telegram
	k.telegram = func() *telegramFault { f := plainly(); f.lasts = chatRest; return f }
	return k
}

// visited has the person write to the bot once everything is well: only that tells it that the chat takes
// messages again.
func visited(k kind) kind {
	plainly := k.telegram
	k.telegram = func() *telegramFault {
		f := plainly()
		f.lasts = chatRest // the hours of a chat that rests may have begun after the visit
		f.cure = func(l *lab) { l.telegram.Send(apptest.Sam, apptest.Sam, "/start") }
		return f
	}
	return k
}

// declines is a 400 with a description.
func declines(id, name string, which func(*tgCall) bool, text string) kind {
	return failing(id, name, which, func(c *tgCall) bool { return c.refuse(http.StatusBadRequest, text, nil) })
}

// forbids is a 403 with a description.
func forbids(id, name, text string) kind {
	return failing(id, name, showing, func(c *tgCall) bool { return c.refuse(http.StatusForbidden, text, nil) })
}

// floods asks to wait.
func floods(seconds int) func(*tgCall) bool {
	return func(c *tgCall) bool {
		return c.refuse(http.StatusTooManyRequests, fmt.Sprintf("Too Many Requests: retry after %d", seconds), map[string]any{"retry_after": seconds})
	}
}

// ofStatusMessage is a fault of edits of the purchase's own message.
func ofStatusMessage(id, name, text string) kind {
	return kind{id: id, name: name, telegram: func() *telegramFault {
		message := 0
		return &telegramFault{
			arm: func(_ *lab, b *errand) { message = b.message },
			call: func(c *tgCall) bool {
				return editing(c) && c.message == message && c.refuse(http.StatusBadRequest, text, nil)
			},
		}
	}}
}

// taps is another way to tap.
func taps(id, name string, tap func(*lab, *errand)) kind {
	return kind{id: id, name: name, telegram: func() *telegramFault {
		return &telegramFault{tap: tap, prepare: func(l *lab) { l.telegram.Send(apptest.Yasmine, apptest.Yasmine, "/start") }}
	}}
}

// hands is a fault of what getUpdates hands out.
func hands(id, name string, change func(*telegramFront, []json.RawMessage) []json.RawMessage) kind {
	return kind{id: id, name: name, telegram: func() *telegramFault { return &telegramFault{updates: change} }}
}

// blocked has the person block the bot right after the tap, and let it in again.
func blocked() kind {
	return kind{id: "T08", name: "the person blocks the bot", telegram: func() *telegramFault {
		return &telegramFault{
			lasts: chatRest,
			tap:   func(l *lab, b *errand) { l.press(b); l.telegram.Block(b.user) },
			cure:  func(l *lab) { l.telegram.Unblock(apptest.Sam) },
		}
	}}
}

// deactivated has the person's account deleted right after the tap, for good.
func deactivated() kind {
	return kind{id: "T10", name: "the person's account is deleted", telegram: func() *telegramFault {
		return &telegramFault{
			tap:    func(l *lab, b *errand) { l.press(b); l.telegram.Deactivate(b.user) },
			exempt: exempt{unread: true, outbox: true},
		}
	}}
}

// migrated has the chat become a supergroup, where codes are shown to those who ask for them alone.
func migrated() kind {
	return kind{id: "T13", name: "the chat becomes a supergroup", telegram: func() *telegramFault {
		return &telegramFault{
			moved:  true,
			exempt: exempt{unread: true},
			arm:    func(l *lab, _ *errand) { l.telegram.AddGroup(movedChat, "Shop", apptest.Sam) },
			call: func(c *tgCall) bool {
				return c.chat == apptest.Sam && c.shows() && c.refuse(http.StatusBadRequest, "Bad Request: group chat was upgraded to a supergroup chat", map[string]any{"migrate_to_chat_id": movedChat})
			},
		}
	}}
}

// removed deletes the purchase's message right after the tap.
func removed() kind {
	return taps("T15", "the message to edit is gone", func(l *lab, b *errand) {
		l.press(b)
		l.telegram.Remove(b.user, b.message)
	})
}

// unnamed has the name server not know Telegram.
func unnamed() kind {
	return kind{id: "T27", name: "no such host", telegram: func() *telegramFault {
		return &telegramFault{
			arm: func(l *lab, _ *errand) { l.gate.cut() },
			dial: func(context.Context) (net.Conn, error) {
				return nil, dialError(&net.DNSError{Err: "no such host", Name: "telegram", IsNotFound: true})
			},
		}
	}}
}

// reordered hands out several updates in the wrong order.
func reordered() kind {
	return kind{id: "T29", name: "updates in the wrong order", telegram: func() *telegramFault {
		return &telegramFault{
			tap: func(l *lab, b *errand) {
				l.telegram.Send(b.user, b.user, "/balance")
				l.press(b)
				l.telegram.Send(b.user, b.user, "/orders")
			},
			updates: func(_ *telegramFront, batch []json.RawMessage) []json.RawMessage {
				batch = slices.Clone(batch)
				slices.Reverse(batch)
				return batch
			},
		}
	}}
}

// gap stops the program for so long that Telegram forgets the tap.
func gap() kind {
	return kind{id: "T30", name: "a day without the program", telegram: func() *telegramFault {
		return &telegramFault{
			exempt: exempt{lostTap: true},
			tap: func(l *lab, b *errand) {
				l.down()
				l.press(b)
				l.pass(25 * time.Hour)
				l.telegram.JumpUpdates(5000)
				l.up()
			},
		}
	}}
}
