package worlds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/sandbox/worlds"
)

const (
	key   = "KEY-OF-A-SHOP"
	token = "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc"
	other = "987654321:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc"
	sam   = 501
	lea   = 502
	shop  = -4_000_000_100
)

// place is a sandbox in a test.
type place struct {
	*worlds.Sandbox

	t *testing.T
}

// newPlace makes a sandbox with sam, lea and a group of theirs in each world.
func newPlace(t *testing.T, change func(*worlds.Options)) *place {
	t.Helper()
	o := worlds.Options{
		Telegram: func(token string, number int) *tgsim.Server {
			s := tgsim.New(tgsim.Options{Token: token, BotName: "tried_bot", RealTokens: true, Number: number, Inline: true, InlineFeedback: true})
			s.AddUser(tgsim.User{ID: sam, FirstName: "Sam", LanguageCode: "en"})
			s.AddUser(tgsim.User{ID: lea, FirstName: "Léa", LanguageCode: "fr"})
			s.AddGroup(shop, "Shop", sam)
			return s
		},
		Service: func() (*sim.Server, error) {
			s := sim.New(sim.Options{Mode: sim.Both, Seed: 1})
			s.DemoCatalogue()
			return s, s.AddAccount(sim.AccountSpec{Key: key, Name: "Shop", UserID: 7, Balance: "25000"})
		},
	}
	if change != nil {
		change(&o)
	}
	s, err := worlds.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &place{s, t}
}

// purchase is what a client looks at of the answer to one.
type purchase struct {
	Data struct {
		IDs []string `json:"order_ids"`
	}
}

// values is a JSON object.
type values map[string]any

// at finds what is in an object, by keys.
func (v values) at(keys ...string) any {
	var found any = map[string]any(v)
	for _, k := range keys {
		m, _ := found.(map[string]any)
		found = m[k]
	}
	return found
}

// ask asks one of the handlers, and decodes what it says into v.
func (p *place) ask(h http.Handler, method, path, body string, v any) int {
	p.t.Helper()
	r := httptest.NewRequestWithContext(p.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if v != nil {
		if err := json.Unmarshal(w.Body.Bytes(), v); err != nil {
			p.t.Errorf("%s %s: HTTP %d, %v: %s", method, path, w.Code, err, w.Body)
		}
	}
	return w.Code
}

// control asks the control interface of the first bot for something that must have an effect.
func (p *place) control(path string, q values) (made values) {
	p.t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		p.t.Fatal(err)
	}
	var raw json.RawMessage
	if code := p.ask(p.Page(), http.MethodPost, "/control/v1"+path, string(text), &raw); code != http.StatusOK {
		p.t.Errorf("%s %s: HTTP %d %s", path, text, code, raw)
	}
	if json.Unmarshal(raw, &made) != nil {
		return values{"list": string(raw)} // what is to go wrong
	}
	return made
}

// refused sees that something has no effect, and is told with words.
func (p *place) refused(path, body string, code int, words string) {
	p.t.Helper()
	var no struct{ Error string }
	if got := p.ask(p.Page(), http.MethodPost, "/control/v1"+path, body, &no); got != code || !strings.Contains(no.Error, words) {
		p.t.Errorf("%s %s\n got HTTP %d %q\nwant %d %q", path, body, got, no.Error, code, words)
	}
}

// bot calls a method as the bot, and must succeed.
func (p *place) bot(method string, q values) values {
	p.t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		p.t.Fatal(err)
	}
	var said values
	if code := p.ask(p.Telegram(), http.MethodPost, "/bot"+token+"/"+method, string(text), &said); code != http.StatusOK {
		p.t.Errorf("%s %s: HTTP %d %v", method, text, code, said)
	}
	return said
}

// kinds lists the kinds of updates that wait for the bot, and confirms them.
func (p *place) kinds() string {
	p.t.Helper()
	var all []string
	for {
		list, _ := p.bot("getUpdates", values{"offset": -1, "limit": 1})["result"].([]any)
		if len(list) == 0 {
			return strings.Join(all, ",")
		}
		u, _ := list[0].(map[string]any)
		for kind := range u {
			if kind != "update_id" {
				all = append(all, kind)
			}
		}
		p.bot("getUpdates", values{"offset": u["update_id"].(float64) + 1})
	}
}

// What people do at the control interface is done, reaches the bot, and is answered with what was made.
func TestPeople(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.bot("getMe", nil)
		m := p.control("/people/501/say", values{"bot": token, "chat": 0, "text": "hello"})
		if m.at("text") != "hello" || m.at("chat", "id") != float64(sam) || m.at("from", "id") != float64(sam) {
			t.Errorf("said %v", m)
		}
		id := m.at("message_id")
		if m := p.control("/people/501/say", values{"text": "again", "reply_to": id}); m.at("reply_to_message", "message_id") != id {
			t.Errorf("said %v", m)
		}
		if m := p.control("/people/501/edit", values{"message": id, "text": "good day"}); m.at("text") != "good day" || m.at("edit_date") == nil {
			t.Errorf("edited %v", m)
		}
		p.control("/people/501/remove", values{"message": id})
		if m := p.control("/people/777/say", values{"text": "I am new"}); m.at("from", "first_name") != "Person 777" {
			t.Errorf("said %v", m)
		}
		if m := p.control("/people/502/start", values{"text": "from-a-link"}); m.at("text") != "/start from-a-link" {
			t.Errorf("started %v", m)
		}
		p.control("/people/501/block", nil)
		p.control("/people/501/unblock", nil)
		if u := p.control("/people/501/language", values{"language": "ar"}); u.at("language_code") != "ar" {
			t.Errorf("speaks %v", u)
		}
		if u := p.control("/people", values{"member": 900, "name": "Zoé", "username": "zoe"}); u.at("username") != "zoe" {
			t.Errorf("made %v", u)
		}
	})
}

// A group gets topics, and the bot the right to make some. People begin topics, write in them, close, open and delete them.
func TestForum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.bot("getMe", nil)
		const topicless = `{"chat":-4000000100,"text":"Orders"}`
		p.refused("/people/501/topic", topicless, http.StatusConflict, "turns them on")
		chat := p.control("/people/501/forum", values{"chat": shop, "on": true})
		id := chat["id"]
		if chat.at("kind") != "supergroup" || chat.at("forum") != true || id == float64(shop) {
			t.Fatalf("made %v", chat)
		}
		in := func(more values) values {
			more["chat"] = id
			return more
		}
		body := func(more values) string {
			text, err := json.Marshal(in(more))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		refuses := func(words string) {
			t.Helper()
			var no values
			if code := p.ask(p.Telegram(), http.MethodPost, "/bot"+token+"/createForumTopic", fmt.Sprintf(`{"chat_id":%.0f,"name":"Alerts"}`, id), &no); code != http.StatusBadRequest || !strings.Contains(fmt.Sprint(no.at("description")), words) {
				t.Errorf("HTTP %d %v", code, no)
			}
		}
		p.refused("/people/501/forum", body(values{"on": true}), http.StatusConflict, "has topics already")
		refuses("not enough rights to create a topic")
		p.control("/people/501/role", in(values{"role": "administrator", "rights": []string{"can_pin_messages"}}))
		refuses("not enough rights to create a topic")
		p.kinds()
		p.control("/people/501/role", in(values{"role": "administrator", "rights": []string{"can_manage_topics"}}))
		if got := p.kinds(); got != "my_chat_member" {
			t.Errorf("the bot is told %s", got)
		}
		p.refused("/people/501/role", body(values{"role": "administrator", "rights": []string{"can_manage_topics"}}), http.StatusConflict, "already")
		p.refused("/people/501/role", body(values{"role": "administrator", "rights": []string{"can_fly"}}), http.StatusBadRequest, "can_manage_topics")
		p.refused("/people/501/role", body(values{"role": "member", "rights": []string{}}), http.StatusBadRequest, "administrator's")
		made := p.bot("createForumTopic", values{"chat_id": id, "name": "Alerts"})
		p.bot("sendMessage", values{"chat_id": id, "message_thread_id": made.at("result", "message_thread_id"), "text": "in it"})

		begun := p.control("/people/501/topic", in(values{"text": "Orders"}))
		thread := begun["message_id"]
		if begun.at("forum_topic_created", "name") != "Orders" || begun.at("message_thread_id") != thread {
			t.Errorf("begun %v", begun)
		}
		p.control("/people/502/join", in(values{}))
		first := p.control("/people/502/say", in(values{"text": "one", "thread": thread}))
		if answer := p.control("/people/502/say", in(values{"text": "two", "reply_to": first["message_id"]})); first.at("message_thread_id") != thread || answer.at("message_thread_id") != thread {
			t.Errorf("said %v, and answered %v", first, answer)
		}
		if m := p.control("/people/502/say", in(values{"text": "three", "thread": 1})); m.at("is_topic_message") != nil {
			t.Errorf("said %v", m)
		}
		p.refused("/people/502/topic", body(values{"text": "Mine"}), http.StatusConflict, "may not do that")
		p.refused("/people/502/close_topic", body(values{"thread": thread}), http.StatusConflict, "may not do that")
		p.refused("/people/502/say", body(values{"text": "a", "thread": 999}), http.StatusConflict, "cannot do that")
		p.kinds()
		p.control("/people/501/close_topic", in(values{"thread": thread}))
		if got := p.kinds(); got != "message" {
			t.Errorf("the bot is told %s", got)
		}
		p.refused("/people/501/close_topic", body(values{"thread": thread}), http.StatusConflict, "it is so already")
		p.refused("/people/502/say", body(values{"text": "a", "thread": thread}), http.StatusConflict, "cannot do that")
		p.control("/people/501/reopen_topic", in(values{"thread": thread}))
		p.control("/people/502/say", in(values{"text": "a", "thread": thread}))
		p.control("/people/501/close_topic", in(values{"thread": 1}))
		p.refused("/people/502/say", body(values{"text": "a"}), http.StatusConflict, "cannot do that")
		p.control("/people/501/delete_topic", in(values{"thread": thread}))
		p.refused("/people/501/delete_topic", body(values{"thread": thread}), http.StatusConflict, "no such topic")
		p.refused("/people/501/delete_topic", body(values{"thread": 1}), http.StatusConflict, "no such topic")
		if off := p.control("/people/501/forum", in(values{"on": false})); off.at("forum") != nil || off.at("topics") != nil {
			t.Errorf("turned off: %v", off)
		}
		p.refused("/people/501/topic", body(values{"text": "Orders"}), http.StatusConflict, "turns them on")
	})
}

// A person sends the own contact, somebody else's, and one that no account is known by; a forwarded one says who had it first.
func TestContacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.bot("getMe", nil)
		for _, c := range []struct {
			asked, want values
			first       any
		}{
			{values{"member": sam}, values{"phone_number": "+999000000501", "first_name": "Sam", "user_id": 501.0}, nil},
			{values{"member": lea}, values{"phone_number": "+999000000502", "first_name": "Léa", "user_id": 502.0}, nil},
			{values{"name": "Karim كريم", "phone": "0555 12 34 56"}, values{"phone_number": "0555 12 34 56", "first_name": "Karim كريم"}, nil},
			{values{"name": "Karim", "phone": "+213555123456", "from": lea}, values{"phone_number": "+213555123456", "first_name": "Karim"}, 502.0},
		} {
			made := p.control("/people/501/contact", c.asked)
			list, _ := p.bot("getUpdates", values{"offset": -1})["result"].([]any)
			got, _ := list[0].(map[string]any)["message"].(map[string]any)
			if contact := values(got).at("contact"); fmt.Sprint(contact) != fmt.Sprint(map[string]any(c.want)) || made.at("message_id") != got["message_id"] {
				t.Errorf("%v\n got %v\nwant %v", c.asked, contact, c.want)
			}
			if first := values(got).at("forward_origin", "sender_user", "id"); first != c.first {
				t.Errorf("%v was sent first by %v", c.asked, first)
			}
		}
		p.refused("/people/501/contact", `{"member":999}`, http.StatusNotFound, "no person 999")
		p.refused("/people/501/contact", `{"member":502,"from":999}`, http.StatusNotFound, "no person 999")
		p.control("/people/501/block", nil)
		p.refused("/people/501/contact", `{"member":502}`, http.StatusConflict, "has blocked the bot")
	})
}

// Buttons, keys, polls, invoices and inline results, as far as they are emulated.
func TestPeopleTouch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.control("/people/501/say", values{"bot": token, "text": "/start"})
		p.bot("sendMessage", values{"chat_id": sam, "text": "Choose", "reply_markup": json.RawMessage(`{"inline_keyboard":[[{"text":"Buy now","callback_data":"buy"}]]}`)})
		tap := p.control("/people/501/tap", values{"text": "Buy"})
		if tap.at("data") != "buy" || tap.at("answered") != false || tap.at("stale") != false {
			t.Errorf("tapped %v", tap)
		}
		p.bot("answerCallbackQuery", values{"callback_query_id": tap.at("id"), "text": "Yes"})
		if got := p.control("/wait", values{"callback": tap.at("id")}); got.at("text") != "Yes" {
			t.Errorf("answered %v", got)
		}
		p.refused("/people/501/tap", `{"text":"Sell"}`, http.StatusNotFound, "no such button")
		p.refused("/people/501/tap", `{"data":"buy","message":1}`, http.StatusNotFound, "no such button")
		p.refused("/people/501/tap", `{}`, http.StatusBadRequest, "which button")
		if tap := p.control("/people/501/tap", values{"message": 1, "data": "gone", "stale": true}); tap.at("stale") != true {
			t.Errorf("tapped %v", tap)
		}

		p.bot("sendMessage", values{"chat_id": sam, "text": "Keys", "reply_markup": json.RawMessage(`{"keyboard":[["Prices",{"text":"Number","request_contact":true},{"text":"Where","request_location":true},{"text":"Who","request_users":{"request_id":7}}]]}`)})
		if m := p.control("/people/501/press", values{"text": "Prices"}); m.at("text") != "Prices" {
			t.Errorf("pressed %v", m)
		}
		if m := p.control("/people/501/press", values{"text": "Number"}); m.at("contact", "user_id") != float64(sam) {
			t.Errorf("pressed %v", m)
		}
		if m := p.control("/people/501/location", values{"text": "Where", "latitude": 36.75, "longitude": 3.05}); m.at("location", "latitude") != 36.75 {
			t.Errorf("pressed %v", m)
		}
		if m := p.control("/people/501/share", values{"text": "Who", "members": []int{lea}}); m.at("users_shared", "request_id") != 7.0 {
			t.Errorf("shared %v", m)
		}
		p.refused("/people/501/press", `{"text":"Nothing"}`, http.StatusConflict, "shows no key")

		poll := p.bot("sendPoll", values{"chat_id": sam, "question": "Ready?", "options": []string{"Yes", "No"}}).at("result", "message_id")
		if m := p.control("/people/501/vote", values{"message": poll, "options": []int{1}}); m.at("poll", "total_voter_count") != 1.0 {
			t.Errorf("voted %v", m)
		}
		p.refused("/people/501/vote", fmt.Sprintf(`{"message":%v,"options":[9]}`, poll), http.StatusConflict, "poll")
		if m := p.control("/people/501/react", values{"message": poll, "emoji": []string{"👍"}}); m.at("message_id") != poll {
			t.Errorf("reacted %v", m)
		}

		bill := p.bot("sendInvoice", values{"chat_id": sam, "title": "Card", "description": "A card", "payload": "p1", "currency": "XTR", "prices": json.RawMessage(`[{"label":"Card","amount":5}]`)}).at("result", "message_id")
		pay := p.control("/people/501/pay", values{"message": bill})
		if pay.at("invoice_payload") != "p1" || pay.at("paid") != false {
			t.Errorf("pays %v", pay)
		}
		p.refused("/people/501/pay", fmt.Sprintf(`{"message":%v}`, poll), http.StatusConflict, "invoice")
		p.ship()

		query := p.control("/people/501/inline", values{"text": "card"}).at("id")
		p.bot("answerInlineQuery", values{"inline_query_id": query, "results": json.RawMessage(`[{"type":"article","id":"a","title":"Card","input_message_content":{"message_text":"A card"}}]`)})
		if m := p.control("/people/501/choose", values{"query": query, "result": "a"}); m.at("text") != "A card" {
			t.Errorf("chose %v", m)
		}
		p.refused("/people/501/choose", fmt.Sprintf(`{"query":%q,"result":"b"}`, query), http.StatusConflict, "no such result")
	})
}

// ship pays what has to be sent, and chooses how.
func (p *place) ship() {
	p.t.Helper()
	bill := p.bot("sendInvoice", values{
		"chat_id": sam, "title": "Card", "description": "A card", "payload": "p2", "currency": "USD", "provider_token": "x", "prices": json.RawMessage(`[{"label":"Card","amount":500}]`),
		"need_shipping_address": true, "is_flexible": true,
	}).at("result", "message_id")
	id := p.control("/people/501/pay", values{"message": bill}).at("id")
	p.refused("/people/501/ship", fmt.Sprintf(`{"payment":%q,"option":"post"}`, id), http.StatusConflict, "no such way")
	p.refused("/wait", fmt.Sprintf(`{"payment":%q,"timeout":1}`, id), http.StatusRequestTimeout, "nothing like this")
	p.refused("/wait", `{"payment":"x"}`, http.StatusNotFound, "no payment x")
	p.bot("answerShippingQuery", values{"shipping_query_id": id, "ok": true, "shipping_options": json.RawMessage(`[{"id":"post","title":"By post","prices":[{"label":"stamp","amount":30}]}]`)})
	if offered := p.control("/wait", values{"payment": id}); fmt.Sprint(offered.at("shipping_options")) != "[map[id:post title:By post total_amount:30]]" {
		p.t.Errorf("offered %v", offered)
	}
	if pay := p.control("/people/501/ship", values{"payment": id, "option": "post"}); pay.at("total_amount") != 530.0 {
		p.t.Errorf("pays %v", pay)
	}
	p.bot("answerPreCheckoutQuery", values{"pre_checkout_query_id": id, "ok": true})
	if paid := p.control("/wait", values{"payment": id}); paid.at("paid") != true {
		p.t.Errorf("paid %v", paid)
	}
}

// Groups: people come, go and are made something, and the bot is told.
func TestGroups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.bot("getMe", nil)
		group := p.control("/people/501/group", values{"text": "Sales", "members": []int{lea}})
		id := group.at("id")
		if group.at("title") != "Sales" || group.at("members", "502") != "member" {
			t.Errorf("made %v", group)
		}
		news := p.control("/people/501/channel", values{"text": "News", "members": []int{lea}})
		if news.at("kind") != "channel" {
			t.Errorf("made %v", news)
		}
		p.control("/people/501/say", values{"chat": news.at("id"), "text": "to all"})
		if got := p.kinds(); !strings.HasSuffix(got, "channel_post") {
			t.Errorf("the bot gets %s", got)
		}
		p.control("/people/502/leave", values{"chat": id})
		p.refused("/people/502/say", fmt.Sprintf(`{"chat":%.0f,"text":"hello"}`, id), http.StatusConflict, "is not in chat")
		p.control("/people/502/join", values{"chat": id})
		p.refused("/people/502/join", fmt.Sprintf(`{"chat":%.0f}`, id), http.StatusConflict, "already")
		p.control("/people/501/role", values{"chat": id, "role": "administrator"})
		p.refused("/people/501/role", fmt.Sprintf(`{"chat":%.0f,"role":"emperor"}`, id), http.StatusBadRequest, "role is")
		if next := p.control("/people/501/migrate", values{"chat": id}); next.at("kind") != "supergroup" {
			t.Errorf("became %v", next)
		}
		p.refused("/people/501/say", fmt.Sprintf(`{"chat":%.0f,"text":"hello"}`, id), http.StatusConflict, "is no more")
		p.refused("/people/501/migrate", fmt.Sprintf(`{"chat":%.0f}`, id), http.StatusConflict, "no group that can")
	})
}

// What has no effect is an error that says why, and so is what nobody understands.
func TestNoEffect(t *testing.T) {
	p := newPlace(t, nil)
	p.refused("/people/501/say", `{"text":"a"}`, http.StatusBadRequest, "which bot")
	p.refused("/people/501/say", `{"bot":"123:abc","text":"a"}`, http.StatusBadRequest, "a token looks like")
	p.bot("getMe", nil)
	for path, c := range map[string]struct {
		body  string
		code  int
		words string
	}{
		"/people/501/say":      {`{"text":"  "}`, 400, "text is empty"},
		"/people/502/say":      {`{"chat":501,"text":"a"}`, 409, "somebody else"},
		"/people/503/say":      {`{"chat":-5,"text":"a"}`, 404, "no person 503"},
		"/people/0/say":        {`{"text":"a"}`, 400, "a person's id"},
		"/people/501/edit":     {`{"message":9,"text":"a"}`, 404, "no message 9"},
		"/people/501/remove":   {`{"message":9}`, 404, "no message 9"},
		"/people/501/unblock":  {`{}`, 409, "has not blocked"},
		"/people/501/tap":      {`{"chat":-5,"text":"a"}`, 404, "no chat -5"},
		"/people/501/dance":    {`{}`, 404, "there is no POST"},
		"/people/501/contact":  {`{"name":"Karim"}`, 400, "say whose contact"},
		"/people/502/contact":  {`{"member":501,"name":"Karim"}`, 400, "say whose contact"},
		"/people/501/react":    {`{"message":9,"emoji":["👍"]}`, 404, "no message 9"},
		"/people/501/group":    {`{"text":""}`, 400, "name"},
		"/people/501/join":     {`{"chat":-5}`, 404, "no group"},
		"/people/501/block":    {`{"colour":"red"}`, 400, "colour"},
		"/people/501/knock":    {`{"chat":-4000000100}`, 409, "cannot do that"},
		"/people/501/start":    {`{"text":"a b"}`, 400, "payload"},
		"/people":              {`{"member":501,"name":"A"}`, 400, "nobody else's"},
		"/wait":                {`{"chat":-5}`, 404, "no chat"},
		"/weather":             {`{"kind":"fog"}`, 400, "kind is"},
		"/clock":               {`{"wait":-1}`, 400, "does not go back"},
		"/service/move":        {`{"key":"nobody's","amount":"5"}`, 409, "no account"},
		"/service/complete":    {`{"order":"ORD-9"}`, 409, "no order"},
		"/service/refund":      {`{"order":"ORD-9"}`, 409, "nothing to be refunded"},
		"/service/variant":     {`{"variant":9,"price":"5"}`, 409, "no variant"},
		"/service/remove":      {`{"variant":9}`, 409, "no variant"},
		"/service/mode":        {`{"key":"` + key + `","mode":"new"}`, 409, "no mode"},
		"/service/fault":       {`{"operation":"GET /moon","kind":"garbage","times":1}`, 400, "operation is"},
		"/service/lag":         {`{"balance":-1}`, 400, "0 or more"},
		"/service/keys":        {`{"key":"` + key + `"}`, 400, "already"},
		"/service/rotate":      {`{"key":"nobody's","to":"b"}`, 404, "no account"},
		"/service/nonsense":    {`{}`, 404, "there is no POST"},
		"/people/501/language": {`nonsense`, 400, "not what this takes"},
	} {
		p.refused(path, c.body, c.code, c.words)
	}
}

// Waiting ends when the bot says it, with the message, or in time.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		said := p.control("/people/501/say", values{"bot": token, "text": "hello"})
		begin := time.Now()
		time.AfterFunc(3*time.Second, func() {
			p.bot("sendMessage", values{"chat_id": sam, "text": "Order 17 is ready"})
		})
		got := p.control("/wait", values{"chat": sam, "pattern": `^Order \d+`, "after": said.at("message_id"), "timeout": 20})
		if got.at("text") != "Order 17 is ready" || time.Since(begin) != 3*time.Second {
			t.Errorf("after %s: %v", time.Since(begin), got)
		}
		p.refused("/wait", fmt.Sprintf(`{"chat":501,"after":%v,"timeout":7}`, got.at("message_id")), http.StatusRequestTimeout, "nothing like this")
		if took := time.Since(begin); took != 10*time.Second {
			t.Errorf("waited until %s", took)
		}
	})
}

// A picture that is sent arrives as a photo, anything else as a document.
func TestAttach(t *testing.T) {
	p := newPlace(t, nil)
	p.bot("getMe", nil)
	gif := "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	attach := func(query, body string) (code int, m values) {
		code = p.ask(p.Page(), http.MethodPost, "/control/v1/people/501/attach?"+query, body, &m)
		return code, m
	}
	if code, m := attach("bot=1&chat=501&name=a.gif", gif); code != http.StatusOK || m.at("photo") == nil {
		t.Errorf("HTTP %d %v", code, m)
	}
	if code, m := attach("name=list.txt&caption=mine", "one"); code != http.StatusOK || m.at("document", "file_name") != "list.txt" || m.at("caption") != "mine" {
		t.Errorf("HTTP %d %v", code, m)
	}
	for query, want := range map[string]int{"name=a.txt": http.StatusBadRequest, "name=a.txt&colour=red": http.StatusBadRequest, "name=a.txt&chat=x": http.StatusBadRequest} {
		if code, m := attach(query, ""); code != want {
			t.Errorf("%s: HTTP %d %v", query, code, m)
		}
	}
	if code, m := attach("name=big", strings.Repeat("a", 10<<20+1)); code != http.StatusRequestEntityTooLarge {
		t.Errorf("HTTP %d %v", code, m)
	}
}

// The weather of Telegram, and the clock of both sides.
func TestWeatherAndClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.control("/people/501/say", values{"bot": token, "text": "hello"})
		p.control("/weather", values{"kind": "flood", "method": "sendMessage", "times": 1, "wait": 4})
		var no values
		if code := p.ask(p.Telegram(), http.MethodPost, "/bot"+token+"/sendMessage", `{"chat_id":501,"text":"a"}`, &no); code != http.StatusTooManyRequests || no.at("parameters", "retry_after") != 4.0 {
			t.Errorf("HTTP %d %v", code, no)
		}
		p.bot("sendMessage", values{"chat_id": sam, "text": "a", "reply_markup": json.RawMessage(`{"inline_keyboard":[[{"text":"A","callback_data":"a"}]]}`)})
		tap := p.control("/people/501/tap", values{"text": "A"})

		var bought purchase
		p.ask(p.Service(), http.MethodPost, "/api/products/purchase/301", `{"quantity":1}`, &bought)
		order := func() (status string) {
			var o values
			p.ask(p.Service(), http.MethodGet, "/api/products/order/"+bought.Data.IDs[0], "", &o)
			return fmt.Sprint(o.at("data", "status"))
		}
		if got := order(); got != "processing" {
			t.Errorf("the order is %s", got)
		}
		p.control("/clock", values{"wait": 200})
		if got := order(); got != "completed" {
			t.Errorf("later the order is %s", got)
		}
		if code := p.ask(p.Telegram(), http.MethodPost, "/bot"+token+"/answerCallbackQuery", fmt.Sprintf(`{"callback_query_id":%q}`, tap.at("id")), &no); code != http.StatusBadRequest {
			t.Errorf("a tap of long ago was answered: HTTP %d", code)
		}
		if got := p.kinds(); got != "message" {
			t.Errorf("what waits for the bot is %s: a tap does not live so long", got)
		}
	})
}

// The service's side.
func TestServiceSide(t *testing.T) {
	p := newPlace(t, nil)
	if a := p.control("/service/move", values{"key": key, "amount": "-500.50"}); a.at("balance") != "24499.5" {
		t.Errorf("the account is %v", a)
	}
	if v := p.control("/service/variant", values{"variant": 101, "price": "1300", "units": 3}); v.at("price") != "1300" || v.at("units") != 3.0 {
		t.Errorf("the variant is %v", v)
	}
	p.control("/service/hold", values{"on": true})
	var bought purchase
	buy := func() int {
		return p.ask(p.Service(), http.MethodPost, "/api/products/purchase/101", `{"quantity":1}`, &bought)
	}
	buy()
	if o := p.control("/service/fail", values{"order": bought.Data.IDs[0]}); o.at("state") != "failed" {
		t.Errorf("the order is %v", o)
	}
	if o := p.control("/service/refund", values{"order": bought.Data.IDs[0]}); o.at("state") != "refunded" {
		t.Errorf("the order is %v", o)
	}
	buy()
	if o := p.control("/service/complete", values{"order": bought.Data.IDs[0]}); o.at("state") != "done" {
		t.Errorf("the order is %v", o)
	}
	if w := p.control("/service/lose", nil); w.at("lose") != 1.0 {
		t.Errorf("the weather is %v", w)
	}
	p.control("/service/well", nil)
	p.control("/service/fault", values{"operation": "spending", "kind": "error_answer", "times": 1, "status": 503})
	if code := buy(); code != http.StatusServiceUnavailable {
		t.Errorf("HTTP %d", code)
	}
	p.control("/service/lag", values{"balance": 60})
	if a := p.control("/service/keys", values{"key": "SECOND", "name": "Other", "balance": "10"}); a.at("name") != "Other" {
		t.Errorf("the account is %v", a)
	}
	if a := p.control("/service/rotate", values{"key": "SECOND", "to": "THIRD"}); a.at("key") != "THIRD" {
		t.Errorf("the account is %v", a)
	}
	p.control("/service/reset", nil)
	var v struct{ Accounts []struct{ Balance string } }
	if p.ask(p.Page(), http.MethodGet, "/control/v1/service", "", &v); len(v.Accounts) != 1 || v.Accounts[0].Balance != "25000" {
		t.Errorf("after the reset %+v", v)
	}
}

// A snapshot shows what there is, and a reset begins anew: what waited is let go, and its webhook is gone.
func TestSnapshotAndReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		delivered := make(chan error)
		go func() { delivered <- p.Deliver(ctx) }()
		p.control("/people/501/say", values{"bot": token, "text": "hello"})
		p.control("/people/501/say", values{"bot": other, "text": "to another bot"})
		var v values
		p.ask(p.Page(), http.MethodGet, "/control/v1/snapshot?bot="+token, "", &v)
		if text := fmt.Sprint(v); v.at("pending") != 1.0 || !strings.Contains(text, "hello") || strings.Contains(text, "to another") {
			t.Errorf("there is %s", text)
		}
		p.bot("getUpdates", values{"offset": -1})
		polled := make(chan values)
		go func() {
			polled <- p.bot("getUpdates", values{"offset": 914_000_002, "timeout": 40})
		}()
		synctest.Wait()
		p.control("/reset", values{"bot": token})
		if list, _ := (<-polled)["result"].([]any); len(list) != 0 {
			t.Errorf("polled %v", list)
		}
		p.ask(p.Page(), http.MethodGet, "/control/v1/snapshot?bot=1", "", &v)
		if text := fmt.Sprint(v); v.at("pending") != 0.0 || strings.Contains(text, "hello") {
			t.Errorf("after the reset there is %s", text)
		}
		cancel()
		if err := <-delivered; err != nil {
			t.Error(err)
		}
	})
}

// A world is put back as it was, as often as one likes, and what happened since is gone; a bot that asks on behind the updates that
// it knows gets again what waited then.
func TestRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, nil)
		p.control("/people/501/say", values{"bot": token, "text": "hello"})
		p.control("/people/501/say", values{"bot": other, "text": "to another bot"})
		poll := p.bot("sendPoll", values{"chat_id": sam, "question": "Ready?", "options": []string{"Yes", "No"}}).at("result", "message_id")
		p.control("/people/501/vote", values{"bot": token, "message": poll, "options": []int{1}})
		p.control("/clock", values{"bot": token, "wait": 60})
		before := p.everything(token)
		kept := p.control("/snapshot", values{"bot": token})
		for range 2 {
			p.control("/people/501/vote", values{"bot": token, "message": poll, "options": []int{0}})
			p.bot("deleteMessage", values{"chat_id": sam, "message_id": poll})
			p.bot("setMyName", values{"name": "Other"})
			p.control("/people/502/say", values{"bot": token, "text": "later"})
			p.control("/clock", values{"bot": token, "wait": 600})
			got, _ := p.bot("getUpdates", nil)["result"].([]any)
			last := values(got[len(got)-1].(map[string]any)).at("update_id").(float64)
			p.bot("getUpdates", values{"offset": last + 1})

			p.control("/restore", values{"bot": token, "snapshot": kept.at("snapshot")})
			if after := p.everything(token); after != before {
				t.Errorf("there is\n%s\ninstead of\n%s", after, before)
			}
			again, _ := p.bot("getUpdates", values{"offset": last + 1})["result"].([]any)
			if len(again) != 2 || !strings.Contains(fmt.Sprint(again), "hello") {
				t.Errorf("the bot gets %v", again)
			}
		}
		if text := p.everything(other); !strings.Contains(text, "to another") {
			t.Errorf("the other bot's world is %s", text)
		}
		p.refused("/restore", `{"bot":"`+token+`","snapshot":7}`, http.StatusNotFound, "no snapshot 7")
		p.refused("/restore", `{"bot":"`+other+`","snapshot":1}`, http.StatusNotFound, "no snapshot 1")
		for range 20 {
			p.control("/snapshot", values{"bot": token})
		}
		p.refused("/restore", `{"bot":"`+token+`","snapshot":1}`, http.StatusNotFound, "no snapshot 1")
		p.control("/restore", values{"bot": token, "snapshot": 21})
	})
}

// everything is what there is in a bot's world.
func (p *place) everything(token string) string {
	p.t.Helper()
	var v values
	p.ask(p.Page(), http.MethodGet, "/control/v1/snapshot?bot="+token, "", &v)
	delete(v, "calls")
	return fmt.Sprint(v)
}

// A bot that goes on after a reset is not told less by it: what people write then has numbers that it has not confirmed yet.
func TestResetGoesOn(t *testing.T) {
	p := newPlace(t, nil)
	for range 3 {
		p.control("/people/501/say", values{"bot": token, "text": "before"})
	}
	p.bot("getUpdates", values{"offset": 914_000_004})
	p.control("/reset", nil)
	p.control("/people/501/say", values{"text": "after"})
	if got := fmt.Sprint(p.bot("getUpdates", values{"offset": 914_000_004})); !strings.Contains(got, "after") {
		t.Errorf("the bot gets %s", got)
	}
}

// The service is put back as it was: what was bought since is not, and the same is bought again.
func TestRestoreService(t *testing.T) {
	p := newPlace(t, nil)
	var v json.RawMessage
	view := func() string {
		p.ask(p.Page(), http.MethodGet, "/control/v1/service", "", &v)
		return string(v)
	}
	var bought [3]purchase
	buy := func(i int) {
		p.ask(p.Service(), http.MethodPost, "/api/products/purchase/101", `{"quantity":1}`, &bought[i])
	}
	buy(0)
	p.control("/service/fault", values{"operation": "spending", "kind": "error_answer", "times": 1, "status": 503})
	before, kept := view(), p.control("/service/snapshot", nil)
	for i := range 2 {
		buy(1) // fails
		buy(1 + i)
		p.control("/service/keys", values{"key": "SECOND", "name": "Other", "balance": "10"})
		p.control("/service/restore", kept)
		if after := view(); after != before {
			t.Errorf("there is\n%s\ninstead of\n%s", after, before)
		}
	}
	if one, two := bought[1].Data.IDs, bought[2].Data.IDs; len(one) != 1 || fmt.Sprint(one) != fmt.Sprint(two) {
		t.Errorf("bought %v, and then %v", one, two)
	}
	p.refused("/service/restore", `{"snapshot":2}`, http.StatusNotFound, "no snapshot 2")
}

// A world of the demo is not reset, and no other token is let in there.
func TestOnly(t *testing.T) {
	p := newPlace(t, func(o *worlds.Options) { o.Only = token })
	p.refused("/reset", `{}`, http.StatusConflict, "belongs to the demo")
	p.refused("/service/reset", `{}`, http.StatusConflict, "belongs to the demo")
	p.refused("/clock", `{"wait":60}`, http.StatusConflict, "the demo's bot lives by the clock of this machine")
	p.refused("/restore", fmt.Sprintf(`{"snapshot":%v}`, p.control("/snapshot", nil).at("snapshot")), http.StatusConflict, "belongs to the demo")
	p.refused("/service/restore", fmt.Sprintf(`{"snapshot":%v}`, p.control("/service/snapshot", nil).at("snapshot")), http.StatusConflict, "belongs to the demo")
	p.refused("/people/501/say", `{"bot":"`+other+`","text":"a"}`, http.StatusBadRequest, "a token looks like")
	p.control("/people/501/say", values{"text": "a"})
}

// A token that somebody refuses is told why, and makes no world.
func TestRefused(t *testing.T) {
	p := newPlace(t, func(o *worlds.Options) {
		o.Refuses = func(context.Context, string) error { return errors.New("it is a real bot's") }
	})
	var no values
	if code := p.ask(p.Telegram(), http.MethodGet, "/bot"+token+"/getMe", "", &no); code != http.StatusUnauthorized || no.at("description") != "Unauthorized: it is a real bot's" {
		t.Errorf("HTTP %d %v", code, no)
	}
	var bots []any
	if p.ask(p.Page(), http.MethodGet, "/control/v1/bots", "", &bots); len(bots) != 0 {
		t.Errorf("there are %v", bots)
	}
}

// The page leads to each world, shows its chats, and gives no way to the Bot API of a bot by its number.
func TestPage(t *testing.T) {
	p := newPlace(t, nil)
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		p.Page().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	if code, body := get("/"); code != http.StatusOK || !strings.Contains(body, "No bot yet") {
		t.Errorf("HTTP %d %s", code, body)
	}
	p.bot("getMe", nil)
	var bots []struct{ Page string }
	if p.ask(p.Page(), http.MethodGet, "/control/v1/bots", "", &bots); len(bots) != 1 || bots[0].Page != "/worlds/1/" {
		t.Errorf("the bots are %v", bots)
	}
	for path, want := range map[string]string{"/": `<a href="/worlds/1/">@tried_bot</a>`, "/worlds/1/": "app.js", "/worlds/1/sim/state": `"number":1`} {
		if code, body := get(path); code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: HTTP %d %s", path, code, body)
		}
	}
	for _, path := range []string{"/worlds/2/", "/worlds/" + token + "/", "/worlds/1/bot" + token + "/getMe", "/control/v2/bots"} {
		if code, _ := get(path); code != http.StatusNotFound {
			t.Errorf("%s: HTTP %d", path, code)
		}
	}
}
