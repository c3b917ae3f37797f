package tgsim

import (
	"testing"
	"time"
)

// offer is a result of an inline query with a button.
const offer = `[{"type":"article","id":"g1","title":"Gold","description":"5 coins","input_message_content":{"message_text":"<b>Gold</b>","parse_mode":"HTML"},"reply_markup":{"inline_keyboard":[[{"text":"Buy","callback_data":"buy:1"}]]}},` +
	`{"type":"article","id":"g2","title":"Plain","input_message_content":{"latitude":1.5,"longitude":2.5,"title":"Shop","address":"Here"}},{"type":"gif","id":"g3","title":"Dance","gif_url":"https://shop.example/a.gif"}]`

// A query is answered, a result chosen, and the message that it becomes is tapped and edited by its own id.
func TestInlineMode(t *testing.T) {
	play(t, Options{Inline: true, InlineFeedback: true}, func(h *harness) {
		h.Directory.AddGroup(shop, "Shop", sam, lea)
		query := h.People.InlineQuery(sam, "gold", "10")
		if u := h.drain()[0]; u.kind != "inline_query" || u.at("query") != "gold" || u.at("offset") != "10" || u.at("id") != query {
			t.Fatalf("got %+v", u)
		}
		query = h.People.InlineQuery(sam, "gold", "")
		if r := h.call("answerInlineQuery", object{"inline_query_id": query, "results": offer, "cache_time": 100_000, "next_offset": "3", "switch_pm_text": "Sign in", "switch_pm_parameter": "in"}); !r.OK {
			t.Fatal(r.Description)
		}
		h.refused(h.call("answerInlineQuery", object{"inline_query_id": query, "results": offer}), 400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
		q := h.People.InlineQueries()[1]
		if !q.Answered || len(q.Results) != 3 || q.Results[0].Text != "Gold" || q.Results[2].Text != "Dance" {
			t.Errorf("answered %+v", q)
		}
		id := h.People.Choose(query, "g1", shop)
		got := h.drain()
		if kinds(got) != "inline_query,message,chosen_inline_result" || got[1].at("via_bot", "username") != "shop_bot" || got[1].at("from", "id") != float64(sam) {
			t.Fatalf("got %s: %+v", kinds(got), got)
		}
		inline, _ := got[2].at("inline_message_id").(string)
		h.People.TapButton(lea, shop, "Buy")
		if u := h.drain()[0]; u.at("inline_message_id") != inline || u.at("message") != nil || u.at("data") != "buy:1" {
			t.Errorf("tapped %+v", u)
		}
		if r := h.call("editMessageText", object{"inline_message_id": inline, "text": "Sold"}); !r.OK || string(r.Result) != "true" || h.last(shop).Text != "Sold" || len(h.last(shop).Keyboard) != 0 {
			t.Errorf("edited %+v", r)
		}
		h.refused(h.call("editMessageText", object{"inline_message_id": inline, "text": "Sold"}), 400, "Bad Request: "+notModified)
		h.refused(h.call("editMessageText", object{"chat_id": shop, "message_id": id, "text": "Sold"}), 400, "Bad Request: message can't be edited")
		h.People.Remove(shop, id)
		h.refused(h.call("editMessageText", object{"inline_message_id": inline, "text": "Gone"}), 400, "Bad Request: MESSAGE_ID_INVALID")
		if h.People.Choose(query, "g2", lea) != 0 || h.People.Choose(query, "g9", shop) != 0 || h.People.Choose("9", "g1", shop) != 0 {
			t.Error("chosen what cannot be")
		}
		if h.People.Choose(query, "g2", shop) == 0 || h.last(shop).Content["venue"] == nil {
			t.Errorf("sent %+v", h.last(shop))
		}
	})
}

// A query lives for half a minute; a bot without inline mode gets none.
func TestInlineQueriesEnd(t *testing.T) {
	play(t, Options{Inline: true}, func(h *harness) {
		query := h.People.InlineQuery(sam, "gold", "")
		h.pass(inlineLife + time.Second)
		h.refused(h.call("answerInlineQuery", object{"inline_query_id": query}), 400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
		if got := h.drain(); len(got) != 0 || h.People.InlineQuery(999, "", "") != "" {
			t.Errorf("got %v", got)
		}
	})
	play(t, Options{}, func(h *harness) {
		if h.People.InlineQuery(sam, "gold", "") != "" {
			t.Error("a query to a bot that takes none")
		}
	})
}
