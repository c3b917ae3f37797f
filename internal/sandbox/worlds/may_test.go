package worlds_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

// People do what they could do in Telegram: in their own private chat, and in the groups that they are in.
func TestOnlyThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.control("/people/501/say", values{"bot": token, "text": "/start"})
		board := json.RawMessage(`{"inline_keyboard":[[{"text":"Buy","callback_data":"buy"}]]}`)
		own := p.bot("sendMessage", values{"chat_id": sam, "text": "Choose", "reply_markup": board}).at("result", "message_id")
		common := p.bot("sendMessage", values{"chat_id": shop, "text": "Choose", "reply_markup": board}).at("result", "message_id")
		poll := p.bot("sendPoll", values{"chat_id": sam, "question": "Ready?", "options": []string{"Yes", "No"}}).at("result", "message_id")
		p.kinds()
		for _, c := range []struct {
			verb, body string
			words      string
		}{
			{"tap", fmt.Sprintf(`{"chat":501,"message":%v,"data":"buy"}`, own), "somebody else"},
			{"tap", fmt.Sprintf(`{"chat":501,"message":%v,"data":"buy","stale":true}`, own), "somebody else"},
			{"tap", fmt.Sprintf(`{"chat":-4000000100,"message":%v,"data":"buy"}`, common), "is not in chat"},
			{"vote", fmt.Sprintf(`{"chat":501,"message":%v,"options":[0]}`, poll), "somebody else"},
			{"react", fmt.Sprintf(`{"chat":501,"message":%v,"emoji":["👍"]}`, own), "somebody else"},
			{"react", fmt.Sprintf(`{"chat":-4000000100,"message":%v,"emoji":["👍"]}`, common), "is not in chat"},
			{"remove", fmt.Sprintf(`{"chat":501,"message":%v}`, own), "somebody else"},
			{"remove", fmt.Sprintf(`{"chat":-4000000100,"message":%v}`, common), "is not in chat"},
			{"edit", `{"chat":501,"message":1,"text":"b"}`, "somebody else"},
		} {
			p.refused("/people/502/"+c.verb, c.body, http.StatusConflict, c.words)
		}
		p.refused("/people/501/tap", `{"stale":true,"text":"Buy"}`, http.StatusBadRequest, "message and data")
		p.refused("/people/501/tap", `{"stale":true,"data":"buy"}`, http.StatusBadRequest, "message and data")
		p.refused("/people/501/edit", fmt.Sprintf(`{"message":%v,"text":"mine now"}`, own), http.StatusConflict, "is not their own")
		if got := p.kinds(); got != "" {
			t.Errorf("the bot is told %s", got)
		}
		p.control("/people/502/join", values{"chat": shop})
		p.refused("/people/502/remove", fmt.Sprintf(`{"chat":-4000000100,"message":%v}`, common), http.StatusConflict, "is not their own")
		p.control("/people/502/tap", values{"chat": shop, "text": "Buy"})
		p.control("/people/501/remove", values{"chat": shop, "message": common})
		p.control("/people/501/block", nil)
		p.refused("/people/501/tap", fmt.Sprintf(`{"message":%v,"data":"buy","stale":true}`, own), http.StatusConflict, "has blocked the bot")
	})
}

// What somebody does who has done it already has no effect.
func TestAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		mine := p.control("/people/501/say", values{"bot": token, "text": "mine"}).at("message_id")
		poll := p.bot("sendPoll", values{"chat_id": sam, "question": "Ready?", "options": []string{"Yes", "No"}, "allows_multiple_answers": true}).at("result", "message_id")
		twice := func(verb string, q values, words string) {
			t.Helper()
			p.control("/people/501/"+verb, q)
			body, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			p.refused("/people/501/"+verb, string(body), http.StatusConflict, words)
		}
		twice("edit", values{"message": mine, "text": "mine, too"}, "says that already")
		twice("react", values{"message": mine, "emoji": []string{"👍"}}, "already")
		twice("react", values{"message": mine, "emoji": []string{}}, "already")
		twice("vote", values{"message": poll, "options": []int{1}}, "already")
		twice("vote", values{"message": poll, "options": []int{}}, "already")
		p.refused("/people/501/vote", fmt.Sprintf(`{"message":%v,"options":[0,0]}`, poll), http.StatusConflict, "poll")
		p.refused("/people/501/react", fmt.Sprintf(`{"message":%v,"emoji":["banana"]}`, mine), http.StatusConflict, "emoji")
		p.refused("/people/501/language", `{"language":"klingon!!"}`, http.StatusBadRequest, "like fr")
		card := p.control("/people/501/contact", values{"member": lea}).at("message_id")
		p.refused("/people/501/edit", fmt.Sprintf(`{"message":%v,"text":"a"}`, card), http.StatusConflict, "has no text")
	})
}

// What belongs to one person's payment or question is not another's.
func TestOwnThings(t *testing.T) {
	p := newPlace(t, nil)
	p.control("/people/501/start", values{"bot": token})
	p.control("/people/502/start", nil)
	query := p.control("/people/501/inline", values{"text": "card"}).at("id")
	p.bot("answerInlineQuery", values{"inline_query_id": query, "results": json.RawMessage(`[{"type":"article","id":"a","title":"Card","input_message_content":{"message_text":"A card"}}]`)})
	p.refused("/people/502/choose", fmt.Sprintf(`{"query":%q,"result":"a"}`, query), http.StatusConflict, "somebody else's")
	bill := p.bot("sendInvoice", values{
		"chat_id": sam, "title": "Card", "description": "A card", "payload": "p2", "currency": "USD", "provider_token": "x", "prices": json.RawMessage(`[{"label":"Card","amount":500}]`),
		"need_shipping_address": true, "is_flexible": true,
	}).at("result", "message_id")
	id := p.control("/people/501/pay", values{"message": bill}).at("id")
	p.bot("answerShippingQuery", values{"shipping_query_id": id, "ok": true, "shipping_options": json.RawMessage(`[{"id":"post","title":"By post","prices":[{"label":"stamp","amount":30}]}]`)})
	p.refused("/people/502/ship", fmt.Sprintf(`{"payment":%q,"option":"post"}`, id), http.StatusConflict, "somebody else's")
	p.refused("/people/502/pay", fmt.Sprintf(`{"chat":501,"message":%v}`, bill), http.StatusConflict, "somebody else")
	p.control("/people/501/ship", values{"payment": id, "option": "post"})
}

// Who may not do that makes nobody anything in a group, and who was removed does not come back alone.
func TestAppoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.bot("getMe", nil)
		p.control("/people", values{"member": 503, "name": "Ali"})
		role := func(who int, member any, role string, more values) string {
			q := values{"chat": shop, "member": member, "role": role}
			maps.Copy(q, more)
			body, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			var no struct{ Error string }
			p.ask(p.Page(), http.MethodPost, fmt.Sprintf("/control/v1/people/%d/role", who), string(body), &no)
			return no.Error
		}
		see := func(got, words string) {
			t.Helper()
			if words == "" && got != "" || !strings.Contains(got, words) {
				t.Errorf("got %q, want %q", got, words)
			}
		}
		see(role(lea, 0, "administrator", nil), "is not in chat")
		p.control("/people/502/join", values{"chat": shop})
		see(role(lea, 0, "administrator", nil), "may not do that")
		see(role(lea, 0, "administrator", values{"rights": []string{"can_pin_messages"}}), "may not do that")
		see(role(lea, lea, "administrator", nil), "may not do that")
		see(role(lea, sam, "member", nil), "owner")
		see(role(lea, sam, "kicked", nil), "owner")
		see(role(sam, sam, "member", nil), "owner")
		see(role(lea, 503, "member", nil), "") // members bring others along
		see(role(lea, 503, "kicked", nil), "may not do that")
		see(role(sam, 503, "kicked", nil), "")
		p.refused("/people/503/join", `{"chat":-4000000100}`, http.StatusConflict, "was removed from chat")
		p.refused("/people/503/leave", `{"chat":-4000000100}`, http.StatusConflict, "is not in chat")
		see(role(lea, 503, "member", nil), "may not do that")
		see(role(sam, lea, "administrator", nil), "")
		see(role(lea, 503, "left", nil), "")
		p.control("/people/503/join", values{"chat": shop})
		see(role(lea, 503, "restricted", nil), "")
		see(role(lea, 503, "administrator", nil), "may not do that")
		p.refused("/people/502/migrate", `{"chat":-4000000100}`, http.StatusConflict, "owner")
		p.control("/people/501/migrate", values{"chat": shop})
		see(role(sam, 0, "administrator", values{"rights": []string{"can_pin_messages"}}), "is no more")
		see(role(sam, 0, "administrator", nil), "is no more")
		p.control("/people/501/leave", values{"chat": -1_000_000_000_000 + shop})
	})
}

// Chats and people are made of what can be.
func TestMakeable(t *testing.T) {
	p := newPlace(t, nil)
	p.bot("getMe", nil)
	long := strings.Repeat("x", 129)
	for _, c := range []struct {
		path, body string
		words      string
	}{
		{"/people/501/group", `{"text":"A","members":[501]}`, "501 once"},
		{"/people/501/group", `{"text":"A","members":[502,502]}`, "502 once"},
		{"/people/501/group", `{"text":"` + long + `"}`, "128"},
		{"/people", `{"member":123456789,"name":"The bot"}`, "nobody else's"},
		{"/people", `{"member":4503599627370496,"name":"Far"}`, "nobody else's"},
		{"/people", `{"member":900,"name":"  "}`, "name"},
		{"/people", `{"member":900,"name":"A","username":"@a b"}`, "username"},
		{"/people", `{"member":900,"name":"A","language":"!"}`, "like fr"},
		{"/people/123456789/say", `{"text":"I am the bot"}`, "the bot's"},
		{"/people/501/say", `{"text":"` + strings.Repeat("x", 4097) + `"}`, "4096"},
		{"/people/501/contact", `{"name":"A","phone":"abc"}`, "digits"},
		{"/people/501/location", `{"text":"Where","latitude":91}`, "latitude"},
		{"/clock", `{"wait":1e-12}`, "does not go back"},
		{"/weather", `{"kind":"broken","method":"getMe","times":1,"code":42}`, "code"},
		{"/weather", `{"kind":"broken","method":"getMe","times":1,"code":200}`, "code"},
		{"/weather", `{"kind":"broken","method":"getMe","times":1,"skip":-1}`, "skip"},
		{"/weather", `{"kind":"hang","method":"getMe","times":1,"wait":-1}`, "wait"},
		{"/service/fault", `{"operation":"*","kind":"delay","times":1}`, "wait"},
		{"/service/fault", `{"operation":"*","kind":"garbage","times":1,"wait":-5}`, "wait"},
		{"/service/lag", `{"balance":1e300}`, "seconds old"},
		{"/service/keys", `{"key":"A B"}`, "key"},
		{"/service/keys", `{"key":"NEW","balance":"abc"}`, "balance"},
		{"/service/rotate", `{"key":"` + key + `","to":"  "}`, "to is"},
	} {
		p.refused(c.path, c.body, http.StatusBadRequest, c.words)
	}
	p.refused("/people/501/group", `{"text":"A","members":[999]}`, http.StatusNotFound, "no person 999")
	p.refused("/people/501/group", `{"text":"A","members":[123456789]}`, http.StatusNotFound, "no person 123456789")
	p.refused("/people/501/channel", `{"text":"A","members":[999]}`, http.StatusNotFound, "no person 999")
	p.control("/people/501/start", nil)
	p.bot("sendMessage", values{"chat_id": sam, "text": "Keys", "reply_markup": json.RawMessage(`{"keyboard":[[{"text":"Who","request_users":{"request_id":7,"max_quantity":2}}]]}`)})
	p.refused("/people/501/share", `{"text":"Who","members":[999]}`, http.StatusNotFound, "no person 999")
	p.refused("/people/501/share", `{"text":"Who","members":[502,502]}`, http.StatusBadRequest, "502 once")
}

// What the service's side is already is no effect, and a variant's price is set without its stock.
func TestServiceAgain(t *testing.T) {
	p := newPlace(t, nil)
	for _, c := range []struct {
		verb string
		q    values
	}{
		{"expire", values{"key": key, "on": true}}, {"expire", values{"key": key, "on": false}},
		{"block", values{"key": key, "on": true}}, {"block", values{"key": key, "on": false}},
		{"mode", values{"key": key, "mode": "legacy"}}, {"hold", values{"on": true}}, {"hold", values{"on": false}},
		{"variant", values{"variant": 101, "price": "1300", "units": 3}},
	} {
		p.control("/service/"+c.verb, c.q)
		body, err := json.Marshal(c.q)
		if err != nil {
			t.Fatal(err)
		}
		p.refused("/service/"+c.verb, string(body), http.StatusConflict, "already")
	}
	if v := p.control("/service/variant", values{"variant": 101, "price": "1400"}); v.at("price") != "1400" || v.at("units") != 3.0 {
		t.Errorf("the variant is %v", v)
	}
	if v := p.control("/service/variant", values{"variant": 101, "units": 5}); v.at("price") != "1400" || v.at("units") != 5.0 {
		t.Errorf("the variant is %v", v)
	}
	p.refused("/service/variant", `{"variant":101}`, http.StatusConflict, "already")
	p.refused("/service/variant", `{"variant":101,"units":-1}`, http.StatusConflict, "no number of units")
}

// Files and contacts go into a topic, and nobody but administrators into a closed one, by an answer either.
func TestIntoTopics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.bot("getMe", nil)
		id := p.control("/people/501/forum", values{"chat": shop, "on": true}).at("id")
		p.control("/people/502/join", values{"chat": id})
		thread := p.control("/people/501/topic", values{"chat": id, "text": "Orders"}).at("message_id")
		attach := func(query string) (code int, m values) {
			code = p.ask(p.Page(), http.MethodPost, fmt.Sprintf("/control/v1/people/502/attach?chat=%.0f&name=a.txt%s", id, query), "one", &m)
			return code, m
		}
		if code, m := attach(fmt.Sprintf("&thread=%v", thread)); code != http.StatusOK || m.at("message_thread_id") != thread || m.at("is_topic_message") != true {
			t.Errorf("HTTP %d %v", code, m)
		}
		for _, none := range []string{"", "&thread=1"} {
			if code, m := attach(none); code != http.StatusOK || m.at("message_thread_id") != nil {
				t.Errorf("HTTP %d %v", code, m)
			}
		}
		if m := p.control("/people/502/contact", values{"chat": id, "thread": thread, "member": sam}); m.at("message_thread_id") != thread {
			t.Errorf("sent %v", m)
		}
		for query, want := range map[string]int{"&thread=99": http.StatusConflict, "&thread=x": http.StatusBadRequest} {
			if code, m := attach(query); code != want {
				t.Errorf("%s: HTTP %d %v", query, code, m)
			}
		}
		inside := p.control("/people/502/say", values{"chat": id, "thread": thread, "text": "one"}).at("message_id")
		in := func(more string) string { return fmt.Sprintf(`{"chat":%.0f,%s}`, id, more) }
		p.refused("/people/502/contact", in(`"member":501,"thread":99`), http.StatusConflict, "has no topic 99")
		p.refused("/people/502/say", in(`"text":"a","thread":99`), http.StatusConflict, "has no topic 99")
		p.refused("/people/501/say", `{"text":"a","thread":99}`, http.StatusConflict, "has no topic 99")
		p.refused("/people/501/close_topic", in(`"thread":99`), http.StatusConflict, "no such topic")
		p.refused("/people/501/topic", in(`"text":"`+strings.Repeat("x", 129)+`"`), http.StatusBadRequest, "128")

		p.control("/people/501/close_topic", values{"chat": id, "thread": thread})
		p.refused("/people/502/say", in(fmt.Sprintf(`"text":"a","reply_to":%v`, inside)), http.StatusConflict, "is closed")
		p.refused("/people/502/contact", in(fmt.Sprintf(`"member":501,"thread":%v`, thread)), http.StatusConflict, "is closed")
		p.control("/people/501/say", values{"chat": id, "reply_to": inside, "text": "an administrator may"})
		p.control("/people/501/reopen_topic", values{"chat": id, "thread": thread})
		p.control("/people/501/close_topic", values{"chat": id, "thread": 1})
		if m := p.control("/people/502/say", values{"chat": id, "reply_to": inside, "text": "the general one is closed, not this"}); m.at("message_thread_id") != thread {
			t.Errorf("said %v", m)
		}
		p.refused("/people/502/say", in(`"text":"a"`), http.StatusConflict, "is closed")
		p.control("/people/501/delete_topic", values{"chat": id, "thread": thread})
		p.refused("/people/502/say", in(fmt.Sprintf(`"text":"a","thread":%v`, thread)), http.StatusConflict, "has no topic")
	})
}
