package notify

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

func TestBlockedChatRestsUntilItSpeaks(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		p := h.purchase(7, "AAA")
		blocked := func(_ int, s telegramtest.Call) telegramtest.Reply {
			if s.Chat == 7 {
				return telegramtest.Reply{Code: 403, Text: "Forbidden: bot was blocked by the user"}
			}
			return telegramtest.Reply{}
		}
		h.telegram.Script(blocked)
		h.run()
		h.enqueue(statusRow(p), ping(p), note(8, 1))
		pass(time.Second)
		h.expect(8, 0, "note hello 1")
		h.expect(7, 2, "en accepted codes=AAA")
		if c, err := h.store.Chat(h.Context(), 7); err != nil || c.Unreachable.IsZero() {
			h.Errorf("chat %+v, err %v", c, err)
		}
		h.enqueue(note(7, 2)) // it does not jump the queue
		pass(59 * time.Minute)
		h.expect(7, 3, "en accepted codes=AAA")
		pass(2 * time.Minute)
		h.expect(7, 3, "en accepted codes=AAA", "en accepted codes=AAA")

		h.telegram.Script(nil)
		h.d.Wake(7)
		pass(5 * time.Second)
		h.expect(7, 0, slices.Concat(slices.Repeat([]string{"en accepted codes=AAA"}, 3), []string{"ping " + store.Ref(p.ID), "note hello 2"})...)
		if c, err := h.store.Chat(h.Context(), 7); err != nil || !c.Unreachable.IsZero() {
			h.Errorf("chat %+v, err %v", c, err)
		}
	})
}

// TestRestEndsByItself: a chat that was refused for a while is reached without a word from it.
func TestRestEndsByItself(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		h.telegram.Script(telegramtest.Once("sendMessage", telegramtest.Reply{Code: 403, Text: "Forbidden: user is deactivated"}))
		h.run()
		h.enqueue(note(7, 1))
		pass(61 * time.Minute)
		h.expect(7, 0, "note hello 1", "note hello 1")
		if c, err := h.store.Chat(h.Context(), 7); err != nil || !c.Unreachable.IsZero() {
			h.Errorf("chat %+v, err %v", c, err)
		}
	})
}

func TestMigratedGroup(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(-5)
		p := h.purchase(-5, "AAA")
		h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
			if s.Chat == -5 {
				return telegramtest.Reply{Code: 400, Text: "Bad Request: group chat was upgraded to a supergroup chat", Params: `{"migrate_to_chat_id":-1005}`}
			}
			return telegramtest.Reply{}
		})
		h.run()
		h.enqueue(statusRow(p), ping(p))
		pass(10 * time.Second)
		h.expect(-5, 0, "en accepted codes=AAA")
		h.expect(-1005, 0, "en accepted codes=AAA", "ping "+store.Ref(p.ID))
		if got := h.told(p); got.Message == p.Message {
			h.Errorf("message %d", got.Message)
		}
	})
}

// TestMigratedGroupWhateverIsKnown: neither an unknown group nor one whose supergroup has spoken already
// goes round in circles.
func TestMigratedGroupWhateverIsKnown(t *testing.T) {
	for name, known := range map[string][]int64{"neither": nil, "both": {-5, -1005}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(h *harness) {
				for _, chat := range known {
					h.chat(chat)
				}
				h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
					if s.Chat == -5 {
						return telegramtest.Reply{Code: 400, Text: "Bad Request: group chat was upgraded to a supergroup chat", Params: `{"migrate_to_chat_id":-1005}`}
					}
					return telegramtest.Reply{}
				})
				h.run()
				h.enqueue(note(-5, 1), note(-5, 2))
				pass(10 * time.Second)
				h.expect(-5, 0, "note hello 1")
				h.expect(-1005, 0, "note hello 1", "note hello 2")
			})
		})
	}
}

// TestStoreTroubleIsOutlived: a store that fails ends nothing here; it ends the process by itself where
// that is needed.
func TestStoreTroubleIsOutlived(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.telegram.Latency = time.Second
		h.run()
		h.enqueue(note(7, 1), note(7, 2))
		pass(500 * time.Millisecond)
		if err := h.store.Close(); err != nil {
			h.Fatal(err)
		}
		h.d.Wake(8)
		pass(5 * time.Second)
		if err := h.stop(); err != nil {
			h.Error(err)
		}
		if got := h.texts(7); len(got) == 0 || got[0] != "note hello 1" {
			h.Errorf("sent %q", got)
		}
	})
}

func TestGoneStatusMessageIsReplaced(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA", "")
		h.run()
		h.enqueue(statusRow(p))
		pass(time.Second)
		h.delete(p)
		h.do(func(tx *store.Tx) error {
			o, err := tx.Order("u1", p.OrderIDs[1])
			o.State, o.Code = store.Ready, secret.New("BBB")
			return errors.Join(err, tx.PutOrder(&o))
		})
		h.enqueue(statusRow(p))
		pass(time.Second)
		got := h.told(p)
		if got.Told != (store.Told{Codes: 2, MaybeSent: true}) || got.Message == p.Message {
			h.Errorf("message %d, told %+v", got.Message, got.Told)
		}
		if shown := h.telegram.Messages[fmt.Sprintf("7/%d", got.Message)]; shown != "fr accepted codes=AAA,BBB again" {
			h.Errorf("the new carrier shows %q", shown)
		}
	})
}

// TestGoneDraftIsLetGo: a summary that nobody confirmed and somebody deleted is not sent anew.
func TestGoneDraftIsLetGo(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7)
		h.do(func(tx *store.Tx) error { p.Phase, p.QueuedAt = store.Dropped, time.Time{}; return tx.PutPurchase(&p) })
		h.delete(p)
		h.run()
		h.enqueue(statusRow(p))
		pass(time.Second)
		h.expect(7, 0, "fr dropped codes=")
	})
}

// TestAmbiguousEditIsRepeated: it had taken effect, so Telegram says "not modified" to the second one.
func TestAmbiguousEditIsRepeated(t *testing.T) {
	for name, lost := range map[string]telegramtest.Reply{
		"cut":  {Err: io.ErrUnexpectedEOF, Done: true},
		"html": {Raw: "<html>502 Bad Gateway</html>", Done: true},
		"500":  {Code: 500, Text: "Internal Server Error: restart", Done: true},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(h *harness) {
				p := h.purchase(7, "AAA")
				h.telegram.Script(telegramtest.Once("editMessageText", lost))
				h.run()
				h.enqueue(statusRow(p), ping(p))
				pass(time.Second)
				h.expect(7, 2, "fr accepted codes=AAA")
				pass(2 * time.Second)
				h.expect(7, 0, "fr accepted codes=AAA", "fr accepted codes=AAA", "ping "+store.Ref(p.ID))
				if got := h.told(p).Told; got.MaybeSent || got.Codes != 1 {
					h.Errorf("told %+v", got)
				}
			})
		})
	}
}

// TestMaybeEditedThenGone: the chat may have seen the code, so the new status message delivers it again.
func TestMaybeEditedThenGone(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA")
		h.telegram.Script(telegramtest.Once("editMessageText", telegramtest.Reply{Err: io.ErrUnexpectedEOF, Done: true}))
		h.run()
		h.enqueue(statusRow(p))
		pass(time.Second)
		h.delete(p)
		pass(2 * time.Second)
		h.expect(7, 0, "fr accepted codes=AAA", "fr accepted codes=AAA", "fr accepted codes=AAA again")
	})
}

// TestOpenedWhileItIsPrepared: somebody opens a purchase after its delivery was read and before that is noted. Neither
// sees the other, unless the note and what it is told by are one transaction.
func TestOpenedWhileItIsPrepared(t *testing.T) {
	for name, c := range map[string]struct {
		codes []string
		row   func(store.Purchase) store.Outgoing
		want  string
	}{
		"a message": {[]string{"AAA"}, statusRow, "fr accepted codes=AAA again"},
		"a file":    {many(), document, "codes again"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(h *harness) {
				p := h.purchase(7, c.codes...)
				h.d.cfg.Screens = func(lang string, r screen.Reader, _ int64, _ store.Prices) Screens {
					h.do(func(tx *store.Tx) error {
						now, err := tx.Purchase(p.ID)
						now.Told.MaybeSent = true
						return errors.Join(err, tx.PutPurchase(&now))
					})
					return words{lang, r}
				}
				h.run()
				h.enqueue(c.row(p))
				pass(time.Second)
				h.expect(7, 0, c.want)
			})
		})
	}
}

// TestToldMeanwhile: what a look notes of a purchase while a message about it is on its way stays noted, and so does what
// another chat's message has shown.
func TestToldMeanwhile(t *testing.T) {
	for name, row := range map[string]func(store.Purchase) store.Outgoing{
		"a message": statusRow, "a ping": ping,
		"a copy": func(p store.Purchase) store.Outgoing {
			return store.Outgoing{Chat: 8, ID: p.ID + ".s", Kind: store.Support, Purchase: p.ID, Priority: store.NoticePriority}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(h *harness) {
				p := h.purchase(7, "AAA", "")
				h.do(func(tx *store.Tx) error {
					o, err := tx.Order("u1", p.OrderIDs[1])
					o.Late = true // there is something to take up with the service
					return errors.Join(err, tx.PutOrder(&o))
				})
				h.telegram.Script(func(int, telegramtest.Call) telegramtest.Reply {
					h.do(func(tx *store.Tx) error {
						now, err := tx.Purchase(p.ID)
						now.Told.Late, now.Told.Missing, now.Told.SameCode, now.Told.Pinged = true, true, true, now.Told.Pinged+3
						now.Told.Codes = 2
						return errors.Join(err, tx.PutPurchase(&now))
					})
					return telegramtest.Reply{}
				})
				h.run()
				h.enqueue(row(p))
				pass(time.Second)
				got := h.told(p).Told
				if !got.Late || !got.Missing || !got.SameCode || got.Codes != 2 || got.Pinged < 3 || len(h.texts(7))+len(h.texts(8)) == 0 {
					h.Errorf("told %+v", got)
				}
			})
		})
	}
}

// many are the codes of a purchase that is delivered as a document.
func many() []string {
	return strings.Split("A B C D E F G H I J K", " ")
}

func TestAmbiguousDocumentSaysAgain(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, many()...)
		h.telegram.Script(telegramtest.Once("sendDocument", telegramtest.Reply{Err: io.ErrUnexpectedEOF, Done: true}))
		h.run()
		h.enqueue(document(p), ping(p))
		pass(10 * time.Second) // the file rings, and the ping comes some seconds later
		h.expect(7, 0, "codes", "codes again", "ping "+store.Ref(p.ID))
		if got := h.told(p).Told; got != (store.Told{Codes: 11, MaybeSent: true, Document: true, Pinged: 2, Filed: "1-11"}) {
			h.Errorf("told %+v", got)
		}
		if got := h.telegram.Calls()[1].File; got != "codes.txt:A,B,C,D,E,F,G,H,I,J,K" {
			h.Errorf("the file is %q", got)
		}
		h.enqueue(document(p), statusRow(p)) // nothing new
		pass(5 * time.Second)
		h.expect(7, 0, "codes", "codes again", "ping "+store.Ref(p.ID), "fr accepted codes=A,B,C,D,E,F,G,H,I,J,K again")
	})
}

// TestKilledWithCodesOnTheWay: what a process did not live to note may have arrived, so the next one says
// that it delivers again, wherever that makes a second message.
func TestKilledWithCodesOnTheWay(t *testing.T) {
	inBubble(t, func(h *harness) {
		few, much := h.purchase(7, "AAA"), h.purchase(8, many()...)
		marked := map[int64]bool{}
		h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
			rows, err := h.store.ChatOutbox(context.WithoutCancel(h.Context()), s.Chat, 9)
			marked[s.Chat] = err == nil && len(rows) == 1 && rows[0].Sending
			return telegramtest.Reply{}
		})
		rows := []store.Outgoing{statusRow(few), document(much)}
		h.enqueue(rows...)
		h.run()
		pass(time.Second)
		h.stop()
		if !marked[7] || !marked[8] {
			h.Errorf("before they went out, that was noted of %v", marked)
		}
		h.delete(few)
		h.telegram.Script(nil)
		h.do(func(tx *store.Tx) error { // as a kill before the outcome was noted leaves it
			few.Told, much.Told = store.Told{}, store.Told{}
			for i, p := range []*store.Purchase{&few, &much} {
				now, err := tx.Purchase(p.ID)
				if err != nil {
					return err
				}
				now.Told, now.Message = p.Told, p.Message
				if err := errors.Join(tx.PutPurchase(&now), tx.Enqueue(&rows[i]), tx.Sending(&rows[i], time.Now().Add(lease))); err != nil {
					return err
				}
			}
			return nil
		})
		h.open()
		h.run()
		pass(time.Second)
		h.expect(7, 0, "fr accepted codes=AAA", "fr accepted codes=AAA", "fr accepted codes=AAA again")
		h.expect(8, 0, "codes", "codes again")
	})
}

// TestNotSentIsNoSecondTime: codes that surely did not arrive are not delivered again by the next try.
func TestNotSentIsNoSecondTime(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, many()...)
		h.telegram.Script(telegramtest.Once("sendDocument", telegramtest.Reply{Code: 429, Text: "Too Many Requests: retry after 3", Params: `{"retry_after":3}`}))
		h.run()
		h.enqueue(document(p))
		pass(10 * time.Second)
		h.expect(7, 0, "codes", "codes")
	})
}

func TestTwoPingsAreEnough(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA")
		h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
			if strings.HasPrefix(s.Text(), "ping") {
				return telegramtest.Reply{Err: io.ErrUnexpectedEOF, Done: true}
			}
			return telegramtest.Reply{}
		})
		h.run()
		h.enqueue(ping(p), note(7, 1))
		pass(time.Minute)
		h.expect(7, 0, "ping "+store.Ref(p.ID), "ping "+store.Ref(p.ID), "note hello 1")
	})
}

func TestPoisonIsSetAside(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA")
		h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
			if s.Method == "editMessageText" || s.Text() == "note hello 1" {
				return telegramtest.Reply{Code: 400, Text: "Bad Request: message is too long"}
			}
			return telegramtest.Reply{}
		})
		h.run()
		h.enqueue(statusRow(p), note(7, 1), note(7, 2))
		pass(5 * time.Second)
		h.expect(7, 1, "fr accepted codes=AAA", "note hello 1", "note hello 2", "note undeliverable "+store.Ref(p.ID))
		h.enqueue(note(7, 3))
		pass(5 * time.Second)
		h.expect(7, 1, "fr accepted codes=AAA", "note hello 1", "note hello 2", "note undeliverable "+store.Ref(p.ID), "note hello 3")
		h.telegram.Script(nil)
		pass(time.Hour)
		h.expect(7, 0, "fr accepted codes=AAA", "note hello 1", "note hello 2", "note undeliverable "+store.Ref(p.ID), "note hello 3", "fr accepted codes=AAA")
	})
}

// TestRefusedDeliveriesAreTold: where Telegram does not take the message that brings codes, everybody concerned is
// told at once, and once only, what can be opened all the same; the message is tried for some days and leaves the outbox
// then, and the codes stay in the store.
func TestRefusedDeliveriesAreTold(t *testing.T) {
	const operator, owner = 1, 3
	inBubble(t, func(h *harness) {
		h.do(func(tx *store.Tx) error {
			return tx.PutAccount(&store.Account{ID: "u1", Chats: []int64{7, owner}, Team: []store.Member{{User: 7, Role: store.Seller}, {User: owner, Role: store.Owner}}})
		})
		p := h.purchase(7, "AAA")
		h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
			if s.Method == "editMessageText" {
				return telegramtest.Reply{Code: 400, Text: "Bad Request: BUTTON_COPY_TEXT_INVALID"}
			}
			return telegramtest.Reply{}
		})
		h.d.cfg.Operator = operator
		h.run()
		h.enqueue(statusRow(p), ping(p))
		pass(10 * time.Second)
		for _, chat := range []int64{7, owner, operator} {
			if got := h.texts(chat); !slices.Contains(got, "note undeliverable "+store.Ref(p.ID)) {
				h.Errorf("chat %d was told %q", chat, got)
			}
		}
		pass(10 * 24 * time.Hour)
		if left := h.left(7); len(left) > 0 {
			h.Errorf("left %v", left)
		}
		told := 0
		for _, text := range h.texts(7) {
			if text == "note undeliverable "+store.Ref(p.ID) {
				told++
			}
		}
		if told != 1 {
			h.Errorf("the chat was told %d times", told)
		}
		if orders, err := h.store.OrdersOf(h.Context(), h.told(p)); err != nil || orders[0].Code.Reveal() != "AAA" {
			h.Errorf("the code is gone: %v", err)
		}
	})
}

// TestNoFileWithoutCodes: a document of a purchase without codes, as an earlier version has put them, is nothing to
// send.
func TestNoFileWithoutCodes(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, make([]string, 12)...)
		h.run()
		h.enqueue(document(p), note(7, 1))
		pass(5 * time.Second)
		h.expect(7, 0, "note hello 1")
	})
}

// TestDefectsCostOneMessage: a panic while rendering, a kind that nobody knows, a purchase that is gone.
func TestDefectsCostOneMessage(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA")
		h.do(func(tx *store.Tx) error { p.Product = "panic"; return tx.PutPurchase(&p) })
		h.run()
		h.enqueue(statusRow(p), store.Outgoing{Chat: 7, ID: "odd", Kind: "odd"},
			store.Outgoing{Chat: 7, ID: "lost", Kind: store.Ping, Purchase: store.NewID(time.Now(), rand.Reader)}, note(7, 1))
		pass(10 * time.Second)
		h.expect(7, 1, "note hello 1", "note undeliverable "+store.Ref(p.ID))
	})
}

// TestNotesOfANewerVersion: a note whose name is unknown here arrives as the generic text, and is logged once, however often
// it had to be tried. One that is known is not.
func TestNotesOfANewerVersion(t *testing.T) {
	inBubble(t, func(h *harness) {
		printers, err := screen.Load(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		h.d.cfg.Log = slog.New(slog.NewTextHandler(&out, nil))
		h.d.cfg.Screens = func(lang string, _ screen.Reader, _ int64, _ store.Prices) Screens {
			p, _ := printers.For(lang)
			return ScreensOf(p)
		}
		h.telegram.Script(func(n int, _ telegramtest.Call) telegramtest.Reply {
			if n >= 2 {
				return telegramtest.Reply{}
			}
			return telegramtest.Reply{Code: 500, Text: "Internal Server Error"}
		})
		h.chat(7)
		english, _ := printers.For("en")
		h.enqueue(*store.NewNote(7, "a", "of a kind to come", map[string]string{"person": "Karim"}), *store.NewNote(7, "b", store.OutageNote, nil))
		h.run()
		pass(time.Hour)
		generic := english.Notes().Note("of a kind to come", nil).HTML
		h.expect(7, 0, generic, generic, generic, english.Notes().Note(store.OutageNote, nil).HTML)
		if left := h.left(7); len(left) > 0 {
			h.Errorf("%v still wait", left)
		}
		if got := out.String(); strings.Count(got, "unknown name") != 1 || !strings.Contains(got, `level=WARN`) || !strings.Contains(got, `name="of a kind to come"`) || strings.Contains(got, "Karim") {
			h.Errorf("the log says:\n%s", got)
		}
	})
}

func TestRetryAfterIsObeyed(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.telegram.Script(telegramtest.Once("sendMessage", telegramtest.Reply{Code: 429, Text: "Too Many Requests: retry after 30", Params: `{"retry_after":30}`}))
		h.run()
		h.enqueue(note(7, 1), note(7, 2))
		pass(time.Second)
		h.enqueue(note(7, 0), note(8, 1))
		pass(29 * time.Second)
		h.expect(8, 0, "note hello 1")
		h.expect(7, 3, "note hello 1")
		pass(3 * time.Second)
		h.expect(7, 0, "note hello 1", "note hello 0", "note hello 1", "note hello 2")
	})
}

func TestRefusedTokenEndsRun(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.telegram.Script(func(int, telegramtest.Call) telegramtest.Reply {
			return telegramtest.Reply{Code: 401, Text: "Unauthorized"}
		})
		ctx, cancel := context.WithTimeout(h.Context(), time.Minute)
		defer cancel()
		h.enqueue(note(7, 1))
		if err := h.d.Run(ctx); telegram.Classify(err).Kind != telegram.Fatal || ctx.Err() != nil {
			h.Errorf("err = %v", err)
		}
		h.expect(7, 1, "note hello 1")
	})
}
