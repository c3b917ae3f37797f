package conversations_test

import (
	"fmt"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// written is a message of Sam's as Telegram sends it, with whatever more it holds.
func written(more string) string {
	return fmt.Sprintf(`"message":{"message_id":900,"date":1,"chat":{"id":502,"type":"private","first_name":"Sam"},"from":{"id":502,"is_bot":false,"first_name":"Sam","language_code":"en"},%s}`, more)
}

// TestRichMessagesAreRead: a table that somebody pastes is a text, also where it holds what was not known yet when this
// was built.
func TestRichMessagesAreRead(t *testing.T) {
	t.Parallel()
	for name, blocks := range map[string]string{
		"a paragraph":                  `{"type":"paragraph","text":["pl",{"type":"bold","text":"ay"},{"type":"url","text":[" ca",{"type":"unheard_of","text":"rd"}],"url":"https://x.dz"}]}`,
		"a table":                      `{"type":"table","cells":[[{"text":"play","is_header":true,"align":"left","valign":"top"},{"text":"card","align":"left","valign":"top"}]]}`,
		"a block that nobody knows":    `{"type":"unheard_of","text":{"type":"unheard_of","text":"play card"},"more":[{"type":"x"}]}`,
		"what is folded":               `{"type":"details","summary":"play card","blocks":[{"type":"divider"},{"type":"unheard_of"}]}`,
		"a list, and things around it": `{"type":"unheard_of"},{"type":"list","items":[{"label":"1.","blocks":[{"type":"paragraph","text":"play card"}]}]},{"type":"divider"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Telegram.InjectUpdate(written(`"rich_message":{"blocks":[` + blocks + `]}`))
				h.Pass(time.Second)
				h.See(apptest.Sam, "Play Card")
				h.Tap(apptest.Sam, "10 USD")
			})
		})
	}
}

// TestRichLines: each paragraph, item and row is a line of what is read.
func TestRichLines(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Telegram.InjectUpdate(written(`"rich_message":{"blocks":[{"type":"heading","text":"/language"},{"type":"paragraph","text":"of the shop"}]}`))
		h.Pass(time.Second)
		h.See(apptest.Sam, "language")
	})
}

// TestUndecodedPartsCostNoAnswer: an update of which the library does not know a part is answered as if that were not
// there; one that is forwarded starts nothing all the same.
func TestUndecodedPartsCostNoAnswer(t *testing.T) {
	t.Parallel()
	unknown := `{"type":"unheard_of","date":1}`
	for name, more := range map[string]string{
		"an answer to a message of a new kind": `"text":"/help","reply_to_message":{"message_id":7,"date":1,"chat":{"id":502,"type":"private"},"rich_message":{"blocks":[{"type":"unheard_of"}]}}`,
		"an answer to media of a new kind":     `"text":"/help","external_reply":{"origin":` + unknown + `}`,
		"a background of a new kind":           `"text":"/help","chat_background_set":{"type":` + unknown + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Telegram.InjectUpdate(written(more))
				h.Pass(time.Second)
				h.See(apptest.Sam, "What you can do")
			})
		})
	}
	t.Run("a reply in a group", func(t *testing.T) {
		t.Parallel()
		inShop(t, func(h *apptest.Harness) {
			commandIn(h, apptest.Karim, shop, 0, "/buy")
			h.TapIn(apptest.Karim, shop, "Play Card")
			h.TapIn(apptest.Karim, shop, "10 USD")
			question := h.See(shop, "Answer with a reply to this message")
			commandIn(h, apptest.Karim, shop, 0, "/orders")
			h.See(shop, "No orders yet")
			h.Telegram.InjectUpdate(fmt.Sprintf(`"message":{"message_id":90000,"date":1,"chat":{"id":%d,"type":"group"},"from":{"id":%d,"is_bot":false,"first_name":"Karim"},"text":"3","paid_media":{"star_count":1,"paid_media":[%s]},`+
				`"reply_to_message":{"message_id":%d,"date":1,"chat":{"id":%d,"type":"group"},"paid_media":{"star_count":1,"paid_media":[%s]}}}`, shop, apptest.Karim, unknown, question.ID, shop, unknown))
			h.Pass(time.Second)
			h.See(shop, "Check before buying")
		})
	})
	t.Run("a tap", func(t *testing.T) {
		t.Parallel()
		apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Telegram.InjectUpdate(`"callback_query":{"id":"1","chat_instance":"1","data":"1+:help","from":{"id":502,"is_bot":false,"first_name":"Sam"},"message":{"message_id":3,"date":1,"chat":{"id":502,"type":"private"},"paid_media":{"star_count":1,"paid_media":[` + unknown + `]}}}`)
			h.Pass(time.Second)
			h.See(apptest.Sam, "What you can do")
		})
	})
	t.Run("forwarded", func(t *testing.T) {
		t.Parallel()
		apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			before := h.FromBot(apptest.Sam)
			h.Telegram.InjectUpdate(written(`"text":"/help","forward_origin":` + unknown))
			h.Pass(time.Second)
			if h.FromBot(apptest.Sam) != before {
				t.Errorf("it is answered:\n%s", h.Transcript(apptest.Sam))
			}
		})
	})
}
