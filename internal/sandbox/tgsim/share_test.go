package tgsim

import (
	"strings"
	"testing"
)

const requests = `{"keyboard":[["Yes",{"text":"My number","request_contact":true}],[{"text":"Where I am","request_location":true},{"text":"A poll","request_poll":{"type":"quiz"}}],
	[{"text":"Who","request_users":{"request_id":5,"max_quantity":2,"request_name":true,"request_username":true}},{"text":"Which group","request_chat":{"request_id":6,"chat_is_channel":false,"bot_is_member":true,"request_title":true,"request_username":true}}],
	[{"text":"Page","web_app":{"url":"https://shop.example/"}}]],"is_persistent":true,"input_field_placeholder":"Answer"}`

// A reply keyboard is pressed: each key does what it asks for.
func TestReplyKeyboard(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.Directory.AddForum(forum, "Staff", sam)
		h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": requests})
		if k := h.Directory.ReplyKeyboard(sam); k == nil || !k.Persistent || k.Placeholder != "Answer" || len(k.Rows) != 4 {
			t.Fatalf("shown %+v", k)
		}
		try := func(id int, err error) {
			t.Helper()
			if err != nil || id == 0 {
				t.Errorf("%d, %v", id, err)
			}
		}
		try(h.People.Press(sam, sam, "Yes"))
		try(h.People.Press(sam, sam, "number"))
		try(h.People.ShareLocation(sam, sam, "Where", 36.75, 3.05))
		try(h.People.ShareUsers(sam, sam, "Who", lea, 999))
		try(h.People.ShareChat(sam, sam, "group", forum))
		got := h.drain()
		for i, want := range [][]any{
			{"text", "Yes"},
			{"contact", "phone_number", "+999000000501"},
			{"location", "latitude", 36.75},
			{"users_shared", "request_id", 5.0},
			{"chat_shared", "title", "Staff"},
		} {
			var keys []string
			for _, key := range want[:len(want)-1] {
				keys = append(keys, key.(string))
			}
			if v := got[i].at(keys...); v != want[len(want)-1] {
				t.Errorf("%v: %v in %v", keys, v, got[i].body)
			}
		}
		for words, err := range map[string]error{
			"asks for more":     second(h.People.Press(sam, sam, "Where")),
			"shows no key":      second(h.People.Press(sam, sam, "No")),
			"no location":       second(h.People.ShareLocation(sam, sam, "Yes", 1, 1)),
			"not ask for 3":     second(h.People.ShareUsers(sam, sam, "Who", 1, 2, 3)),
			"such a chat":       second(h.People.ShareChat(sam, sam, "group", lea)),
			"for more than":     second(h.People.Press(sam, sam, "poll")),
			"cannot write":      second(h.People.Press(lea, sam, "Yes")),
			"no reply keyboard": second(h.People.Press(lea, lea, "Yes")),
		} {
			if err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("want %q, got %v", words, err)
			}
		}
		for _, f := range []func() (int, error){
			func() (int, error) { return h.People.ShareLocation(lea, lea, "", 1, 1) }, func() (int, error) { return h.People.ShareUsers(lea, lea, "") },
			func() (int, error) { return h.People.ShareChat(lea, lea, "", 1) },
		} {
			if _, err := f(); err == nil {
				t.Error("a key of no keyboard was pressed")
			}
		}
	})
}

func second(_ int, err error) error { return err }

// Keyboards replace each other, and go: for one time, when removed, and with their message.
func TestReplyKeyboardsGo(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		show := func(markup string) int {
			return h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": markup}).ID
		}
		shown := func(want bool) {
			t.Helper()
			if (h.Directory.ReplyKeyboard(sam) != nil) != want {
				t.Errorf("shown %+v", h.Directory.ReplyKeyboard(sam))
			}
		}
		show(`{"keyboard":[["a"]],"one_time_keyboard":true}`)
		shown(true)
		h.People.Press(sam, sam, "a")
		shown(false)
		show(`{"force_reply":true,"input_field_placeholder":"b"}`)
		if k := h.Directory.ReplyKeyboard(sam); k == nil || !k.Force {
			t.Errorf("shown %+v", k)
		}
		show(`{"remove_keyboard":true}`)
		shown(false)
		id := show(`{"keyboard":[["a"]]}`)
		show(`{"inline_keyboard":[[{"text":"a","callback_data":"b"}]]}`)
		shown(true)
		h.call("deleteMessage", object{"chat_id": sam, "message_id": id})
		shown(false)
		if h.Directory.ReplyKeyboard(999) != nil {
			t.Error("a keyboard in no chat")
		}
	})
}

// Links start the bot with a payload, in private or in a group.
func TestDeepLinks(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.Directory.AddGroup(shop, "Shop", sam)
		h.Directory.SetRole(sam, shop, bot, Left)
		h.drain()
		if h.People.Start(lea, "ref_501-x") == 0 || h.People.Start(lea, "") == 0 || h.People.StartGroup(sam, shop, "staff") == 0 || h.People.StartGroup(sam, shop, "") == 0 {
			t.Error("a link does not work")
		}
		got := h.drain()
		if kinds(got) != "message,message,my_chat_member,message,message,message" || got[0].at("text") != "/start ref_501-x" || got[4].at("text") != "/start@shop_bot staff" {
			t.Errorf("got %s: %v", kinds(got), got)
		}
		for _, payload := range []string{"a b", "é", strings.Repeat("x", 65)} {
			if h.People.Start(sam, payload) != 0 || h.People.StartGroup(sam, shop, payload) != 0 {
				t.Errorf("a link with %q", payload)
			}
		}
		if h.Directory.Role(999, bot) != Left {
			t.Error("the bot is in no chat")
		}
	})
}

// Buttons of all kinds come back as they went.
func TestButtons(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		markup := `{"inline_keyboard":[[{"pay":true,"text":"p"},{"text":"a","url":"https://shop.example"},{"text":"b","web_app":{"url":"https://shop.example/app"}},{"text":"c","login_url":{"url":"https://shop.example/in","request_write_access":true}}],` +
			`[{"text":"d","switch_inline_query":""},{"text":"e","switch_inline_query_current_chat":"x"},{"text":"f","switch_inline_query_chosen_chat":{"allow_user_chats":true}}],[{"text":"g","copy_text":{"text":"KEY"},"style":"success"},{"text":"h","callback_game":{}},{"text":"i","callback_data":"j","web_app":null}]]}`
		h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": markup})
		var kinds []string
		for _, row := range h.last(sam).Keyboard {
			for _, b := range row {
				kinds = append(kinds, strings.ReplaceAll(string(marshal(b)), `"`, ""))
			}
		}
		want := "{text:p,pay:true} {text:a,url:https://shop.example/} {text:b,web_app:{url:https://shop.example/app}} {text:c,login_url:{url:https://shop.example/in,request_write_access:true}} {text:d,switch_inline_query:} " +
			"{text:e,switch_inline_query_current_chat:x} {text:f,switch_inline_query_chosen_chat:{allow_user_chats:true}} {text:g,style:success,copy_text:{text:KEY}} {text:h,callback_game:{}} {text:i,callback_data:j}"
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}
