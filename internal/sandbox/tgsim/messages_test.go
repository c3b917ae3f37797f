package tgsim

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Messages are forwarded with their origin and copied without, one at a time or many at once.
func TestRelays(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.Directory.AddGroup(shop, "Shop", sam, lea)
		text := h.People.Send(sam, sam, "see https://shop.example/a")
		h.People.SendPhoto(sam, sam, picture(2, 2), "proof")
		photo := h.last(sam).ID
		var m map[string]any
		h.call("forwardMessage", object{"chat_id": shop, "from_chat_id": sam, "message_id": photo}).into(t, &m)
		origin, _ := m["forward_origin"].(map[string]any)
		if origin["type"] != "user" || m["caption"] != "proof" || h.last(shop).Forwarded != "Sam" {
			t.Errorf("forwarded %v", m)
		}
		h.call("forwardMessage", object{"chat_id": sam, "from_chat_id": shop, "message_id": h.last(shop).ID}).into(t, &m)
		if o, _ := m["forward_origin"].(map[string]any); fmt.Sprint(o) != fmt.Sprint(origin) {
			t.Errorf("forwarded again: %v", o)
		}
		copied := h.post("copyMessage", object{"chat_id": shop, "from_chat_id": sam, "message_id": photo, "caption": "*new*", "parse_mode": "MarkdownV2", "reply_markup": button("a", "b")})
		if c := h.last(shop); copied.ID != c.ID || c.Text != "new" || c.Forwarded != "" || len(c.Keyboard) != 1 {
			t.Errorf("copied %+v", c)
		}
		h.post("copyMessage", object{"chat_id": shop, "from_chat_id": sam, "message_id": text, "caption": "nothing to do with a text"})
		if c := h.last(shop); !strings.HasPrefix(c.Text, "see ") || len(c.Entities) != 1 {
			t.Errorf("copied %+v", c)
		}
		h.call("copyMessages", object{"chat_id": shop, "from_chat_id": sam, "message_ids": marshalText([]int{text, photo, 999}), "remove_caption": true})
		all := h.Messages(shop)
		if all[len(all)-1].Text != "" || !strings.HasPrefix(all[len(all)-2].Text, "see ") {
			t.Errorf("copied %+v", all)
		}
		poll := h.post("sendPoll", object{"chat_id": sam, "question": "a", "options": `[{"text":"b"}]`}).ID
		h.People.Vote(sam, sam, poll, 0)
		h.call("copyMessage", object{"chat_id": shop, "from_chat_id": sam, "message_id": poll})
		if b := h.last(shop).Content["poll"].(*ballot); len(b.votes) != 0 || b.question != "a" {
			t.Errorf("copied %+v", b)
		}
	})
}

// Albums share an id, wherever they go.
func TestAlbums(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		kind, body := form(map[string]string{"chat_id": "501", "media": `[{"type":"photo","media":"attach://a","caption":"<b>one</b>","parse_mode":"HTML","has_spoiler":true},{"type":"video","media":"attach://b","duration":"7","width":640}]`},
			map[string][]byte{"a": picture(5, 5), "b": []byte("film")})
		r, err := h.request(ask(h.t.Context(), "sendMediaGroup", kind, body))
		if err != nil {
			t.Fatal(err)
		}
		var album []map[string]any
		r.into(t, &album)
		video, _ := album[1]["video"].(map[string]any)
		if len(album) != 2 || album[0]["media_group_id"] == nil || album[0]["media_group_id"] != album[1]["media_group_id"] || album[0]["caption"] != "one" || album[0]["has_media_spoiler"] != true || video["duration"] != 7.0 {
			t.Fatalf("sent %v", album)
		}
		all := h.Messages(sam)
		ids := marshalText([]int{all[len(all)-2].ID, all[len(all)-1].ID})
		h.call("forwardMessages", object{"chat_id": sam, "from_chat_id": sam, "message_ids": ids})
		again := h.Messages(sam)[len(all):]
		if len(again) != 2 || again[0].Album == "" || again[0].Album != again[1].Album || again[0].Album == all[len(all)-1].Album {
			t.Errorf("forwarded %+v", again)
		}
		doc := object{"chat_id": sam, "message_id": all[len(all)-1].ID, "media": object{"type": "document", "media": all[len(all)-1].Document.ID}}
		h.People.SendDocument(sam, sam, "a.txt", []byte("a"), "")
		doc["media"] = object{"type": "document", "media": h.last(sam).Document.ID}
		h.refused(h.call("editMessageMedia", doc), 400, "Bad Request: can't change media type in the album")
		if r := h.call("sendMediaGroup", object{"chat_id": sam, "media": []any{object{"type": "document", "media": h.last(sam).Document.ID}}}); !r.OK || h.last(sam).Album != "" {
			t.Errorf("an album of one: %+v", r)
		}
	})
}

// Every kind of file comes back as what it is, and can be sent again by its id.
func TestMediaKinds(t *testing.T) {
	for kind, want := range map[string]string{
		"animation": `"duration":0`, "audio": `"file_name":"audio.bin"`, "sticker": `"is_animated":false`, "video": `"height":320`, "video_note": `"length":240`, "voice": `"duration":0`,
	} {
		t.Run(kind, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				method := "send" + strings.ReplaceAll(kind, "_", "")
				var m map[string]any
				h.upload(method, kind, []byte("bytes"), map[string]string{"chat_id": "501"}).into(t, &m)
				file, _ := m[kind].(map[string]any)
				if !strings.Contains(marshalText(file), want) || h.last(sam).Document.Kind != kind {
					t.Fatalf("sent %v", m)
				}
				h.call(method, object{"chat_id": sam, kind: file["file_id"]}).into(t, &m)
				if again, _ := m[kind].(map[string]any); again["file_id"] != file["file_id"] {
					t.Errorf("again %v", m)
				}
				var f struct {
					Path string `json:"file_path"`
				}
				h.call("getFile", object{"file_id": file["file_id"]}).into(t, &f)
				if code, body := get(h.t, h.Server, "/file/bot"+token+"/"+f.Path); code != 200 || string(body) != "bytes" {
					t.Errorf("%s: HTTP %d %q", f.Path, code, body)
				}
			})
		})
	}
}

// An edit may put a file in the place of another, or of a text.
func TestEditMedia(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.People.SendDocument(sam, sam, "a.txt", []byte("a"), "")
		doc := h.last(sam).Document.ID
		id := h.post("sendMessage", object{"chat_id": sam, "text": "wait"}).ID
		media := object{"chat_id": sam, "message_id": id, "media": object{"type": "document", "media": doc, "caption": "_codes_", "parse_mode": "Markdown"}}
		if m := h.post("editMessageMedia", media); m.Document.ID != doc || m.Caption != "codes" || m.Text != "" || m.EditDate == 0 {
			t.Errorf("edited %+v", m)
		}
		h.refused(h.call("editMessageMedia", media), 400, "Bad Request: "+notModified)
		kind, body := form(map[string]string{"chat_id": "501", "message_id": strconv.Itoa(id), "media": `{"type":"photo","media":"attach://p","has_spoiler":true,"show_caption_above_media":true}`}, map[string][]byte{"p": picture(3, 3)})
		r, err := h.request(ask(h.t.Context(), "editMessageMedia", kind, body))
		if err != nil {
			t.Fatal(err)
		}
		var m sent
		r.into(t, &m)
		if got := h.last(sam); m.Photo[0].Width != 3 || got.Document != nil || !got.Spoiler || !got.CaptionTop {
			t.Errorf("edited %+v", m)
		}
		var f struct{ Path string }
		h.call("getFile", object{"file_id": m.Photo[0].ID}).into(t, &f)
	})
}

// People vote, and the bot is told what the poll allows it to know.
func TestPolls(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.Directory.AddGroup(shop, "Shop", sam, lea)
		open := h.post("sendPoll", object{"chat_id": shop, "question": "which?", "options": `["a","b"]`, "is_anonymous": false, "allows_multiple_answers": true}).ID
		if !h.People.Vote(sam, shop, open, 0, 1) || !h.People.Vote(lea, shop, open, 1) || !h.People.Vote(lea, shop, open) {
			t.Error("votes are refused")
		}
		got := h.drain()
		if kinds(got) != "poll_answer,poll,poll_answer,poll,poll_answer,poll" || got[1].at("total_voter_count") != 1.0 || got[3].at("total_voter_count") != 2.0 || got[5].at("total_voter_count") != 1.0 {
			t.Errorf("got %s", kinds(got))
		}
		var b struct {
			Closed  bool `json:"is_closed"`
			Options []struct {
				Voters int `json:"voter_count"`
			}
		}
		h.call("stopPoll", object{"chat_id": shop, "message_id": open}).into(t, &b)
		if !b.Closed || b.Options[0].Voters != 1 || b.Options[1].Voters != 1 || h.People.Vote(lea, shop, open, 1) {
			t.Errorf("stopped %+v", b)
		}
		h.refused(h.call("stopPoll", object{"chat_id": shop, "message_id": open}), 400, "Bad Request: poll has already been closed")
		quiz := h.post("sendPoll", object{"chat_id": sam, "question": "2+2", "options": `["3","4"]`, "type": "quiz", "correct_option_id": 1, "explanation": "so it is", "open_period": 60}).ID
		if !h.People.Vote(sam, sam, quiz, 1) || h.People.Vote(sam, sam, quiz, 0) || h.People.Vote(sam, sam, quiz, 7) || h.People.Vote(lea, sam, 999, 0) || h.People.Vote(sam, 999, 1, 0) {
			t.Error("votes that cannot be")
		}
		if got := kinds(h.drain()); got != "poll" { // nobody is named
			t.Errorf("got %s", got)
		}
		late := h.post("sendPoll", object{"chat_id": sam, "question": "a", "options": `["b"]`, "close_date": time.Now().Add(time.Hour).Unix()}).ID
		h.pass(2 * time.Hour)
		if h.People.Vote(sam, sam, late, 0) || h.People.Vote(sam, sam, h.People.Send(sam, sam, "no poll"), 0) {
			t.Error("voted in what is closed, or no poll")
		}
	})
}

// Reactions are seen by the bot where it may, and asked.
func TestReactions(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		id := h.People.Send(sam, sam, "paid, see proof")
		if r := h.call("setMessageReaction", object{"chat_id": sam, "message_id": id, "reaction": `[{"type":"emoji","emoji":"👀"}]`}); !r.OK || h.last(sam).Reactions[bot][0] != "👀" {
			t.Errorf("%+v", h.last(sam).Reactions)
		}
		h.People.React(sam, sam, id, "👍")
		if got := kinds(h.drain()); got != "message" { // it did not ask
			t.Errorf("got %s", got)
		}
		h.poll(object{"allowed_updates": `["message_reaction"]`})
		h.People.React(sam, sam, id, "❤\ufe0f", "5368324170671202286")
		h.People.React(sam, sam, 999, "👍")
		h.People.React(sam, 999, id, "👍")
		got := h.drain()
		if len(got) != 1 || !strings.Contains(fmt.Sprint(got[0].at("new_reaction")), "custom_emoji_id:5368324170671202286") || !strings.Contains(fmt.Sprint(got[0].at("old_reaction")), "👍") {
			t.Errorf("got %v", got)
		}
		if r := h.call("setMessageReaction", object{"chat_id": sam, "message_id": id, "reaction": `[{"type":"custom_emoji","custom_emoji_id":"5"}]`}); !r.OK {
			t.Error(r.Description)
		}
		if r := h.call("setMessageReaction", object{"chat_id": sam, "message_id": id}); !r.OK || len(h.last(sam).Reactions) != 1 {
			t.Errorf("%+v", h.last(sam).Reactions)
		}
	})
}

// What messages carry besides text comes back as the Bot API has it, and is there for whoever looks.
func TestCards(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.post("sendVenue", object{"chat_id": sam, "latitude": 36.75, "longitude": "3.05", "title": "Shop", "address": "Algiers"})
		if m := h.last(sam); m.Content["venue"] == nil || m.sort() != "venue" {
			t.Errorf("sent %+v", m)
		}
		h.post("sendDice", object{"chat_id": sam})
		first := fmt.Sprint(h.last(sam).Content["dice"])
		h.post("sendDice", object{"chat_id": sam})
		if second := fmt.Sprint(h.last(sam).Content["dice"]); first == second {
			t.Errorf("the dice always show %s", first)
		}
		if r := h.call("sendMessageDraft", object{"chat_id": sam, "draft_id": 1, "text": "allocating…"}); !r.OK {
			t.Errorf("%+v", r)
		}
		h.Directory.AddGroup(shop, "Shop", sam)
		asked := h.People.Send(sam, sam, "how much is it?")
		var m map[string]any
		h.call("sendMessage", object{"chat_id": sam, "text": "ten https://shop.example/x", "message_effect_id": "5", "disable_web_page_preview": true, "reply_parameters": object{"message_id": asked, "quote": "how much", "quote_position": 0}}).into(t, &m)
		if m["quote"] == nil || m["effect_id"] != "5" || marshalText(m["link_preview_options"]) != `{"is_disabled":true}` {
			t.Errorf("sent %v", m)
		}
		h.call("sendMessage", object{"chat_id": shop, "text": "ten", "reply_parameters": object{"message_id": asked, "chat_id": sam}}).into(t, &m)
		if m["external_reply"] == nil {
			t.Errorf("sent %v", m)
		}
		h.call("sendMessage", object{"chat_id": sam, "text": "ten", "reply_parameters": "{}", "link_preview_options": "{}"}).into(t, &m)
		h.call("sendMessage", object{"chat_id": sam, "text": "ten", "reply_to_message_id": asked, "allow_sending_without_reply": true}).into(t, &m)
		if m["reply_to_message"] == nil {
			t.Errorf("sent %v", m)
		}
	})
}
