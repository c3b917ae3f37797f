package conversations

import (
	"testing"

	"resellerbot/internal/telegram"
)

// FuzzUpdate: whatever is posted as an update is none, or has an id, and can be asked whose it is.
func FuzzUpdate(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `null`, `{"update_id":"1"}`, `{"update_id":1e3}`, `{"update_id":7}`, `{"update_id":7,"message":null}`,
		`{"update_id":7,"message":{"message_id":1,"date":1,"text":"/start in_ABCDEFGHIJKLMNOPQRSTUVWXYZ","chat":{"id":5,"type":"private"},"from":{"id":5,"first_name":"A"}}}`,
		`{"update_id":7,"message":{"message_id":1,"text":"/start@shop_bot x","chat":{"id":-5,"type":"group"}}}`,
		`{"update_id":7,"callback_query":{"id":"1","from":{"id":5},"data":"1:buy:0"}}`,
		`{"update_id":7,"callback_query":{"id":"1","from":{"id":5},"message":{"message_id":1,"date":0,"chat":{"id":5}},"data":"x"}}`,
		`{"update_id":7,"my_chat_member":{"chat":{"id":-5},"from":{"id":5},"old_chat_member":{"status":"left","user":{"id":1}},"new_chat_member":{"status":"member","user":{"id":1}}}}`,
		`{"update_id":7,"my_chat_member":{"chat":{"id":-5},"new_chat_member":{"status":"of a kind to come"}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := telegram.NewRaw(body)
		if err != nil {
			return
		}
		u, err := decodeUpdate(r.Body)
		if err != nil {
			return
		}
		kindOf(u)
		chat := chatOf(u)
		v, ok := visitorOf(u)
		if !ok {
			return
		}
		if v.User == nil || v.chat == 0 || v.chat != chat && v.query == "" {
			t.Errorf("somebody without a name or a place: %+v, in chat %d", v, chat)
		}
		name, rest, _ := command(v.text, "shop_bot")
		visit{visitor: v, name: name, rest: rest}.token()
	})
}
