package tgsim

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("update", false, "write the golden files anew")

// stage is a Telegram where every method that is emulated can do something.
type stage struct {
	*harness

	own         int // a message of the bot to sam
	photo       int // one with a photo
	asked       int // one of sam to the bot
	doc, pic    string
	film        string
	poll        int
	topic       int
	posted      int // a message of the bot in the forum
	foreign     int // one of lea there
	knocker     int64
	link        string
	inline      string // an inline message
	inlinePhoto string
	query       string // a tap
	inquiry     string // an inline query
	checkout    string
	shipping    string
	charge      string
}

const (
	forum   = int64(-1000000000802)
	channel = int64(-1000000000803)
	maxi    = int64(503)
)

// everything that a bot can be allowed.
func everything() []string { return allRights() }

func (h *harness) stage() *stage {
	g := &stage{harness: h, knocker: 504}
	h.Directory.AddUser(User{ID: maxi, FirstName: "Max"})
	h.Directory.AddUser(User{ID: g.knocker, FirstName: "Kim"})
	h.Directory.AddForum(forum, "Staff", sam, lea, maxi)
	h.addChannel("Prices", sam, maxi)
	h.Directory.SetRole(sam, forum, bot, Administrator)
	h.Directory.SetRights(sam, forum, bot, everything()...)
	h.Directory.SetRights(sam, channel, bot, everything()...)
	g.asked = h.People.Send(sam, sam, "how much?")
	h.People.SendDocument(sam, sam, "a.txt", []byte("a"), "")
	g.doc = h.last(sam).Document.ID
	h.People.SendPhoto(sam, sam, picture(2, 2), "")
	g.pic = h.last(sam).Photo.ID
	h.People.Post(sam, sam, Message{Document: &Document{Kind: "video", Body: []byte("v")}})
	g.film = h.last(sam).Document.ID
	g.own = h.post("sendMessage", object{"chat_id": sam, "text": "old", "reply_markup": button("a", "b")}).ID
	g.photo = h.post("sendPhoto", object{"chat_id": sam, "photo": g.pic, "caption": "old"}).ID
	g.poll = h.post("sendPoll", object{"chat_id": sam, "question": "which?", "options": `[{"text":"a"},{"text":"b"}]`}).ID
	g.posted = h.post("sendMessage", object{"chat_id": forum, "text": "old"}).ID
	var made struct {
		Thread int    `json:"message_thread_id"`
		Link   string `json:"invite_link"`
	}
	h.call("createForumTopic", object{"chat_id": forum, "name": "Orders"}).into(h.t, &made)
	h.call("createChatInviteLink", object{"chat_id": forum}).into(h.t, &made)
	g.topic, g.link = made.Thread, made.Link
	h.call("pinChatMessage", object{"chat_id": forum, "message_id": g.posted})
	h.call("promoteChatMember", object{"chat_id": forum, "user_id": maxi, "can_manage_chat": true})
	h.People.Knock(g.knocker, forum)
	g.query = h.People.Tap(sam, sam, g.own, "b")
	g.inquiry = h.People.InlineQuery(sam, "gold", "")
	inquiry := h.People.InlineQuery(sam, "silver", "")
	h.call("answerInlineQuery", object{"inline_query_id": inquiry, "results": `[{"type":"article","id":"1","title":"a","input_message_content":{"message_text":"b"},"reply_markup":{"inline_keyboard":[[{"text":"a","callback_data":"b"}]]}},{"type":"photo","id":"2","photo_file_id":"` + g.pic + `","reply_markup":{"inline_keyboard":[[{"text":"a","callback_data":"b"}]]}}]`})
	h.People.Choose(inquiry, "1", forum)
	g.inline = h.chats[forum].messages[len(h.chats[forum].messages)-1].inline
	h.People.Choose(inquiry, "2", forum)
	g.inlinePhoto = h.chats[forum].messages[len(h.chats[forum].messages)-1].inline
	g.checkout = h.People.Pay(sam, sam, h.post("sendInvoice", g.invoice()).ID)
	paid := h.People.Pay(sam, sam, h.last(sam).ID)
	h.call("answerPreCheckoutQuery", object{"pre_checkout_query_id": paid, "ok": true})
	g.charge = h.People.Payments()[1].Charge
	g.shipping = h.People.Pay(sam, sam, h.post("sendInvoice", g.invoice().with(flexible())).ID)
	return g
}

func (g *stage) invoice() object {
	return object{"chat_id": sam, "title": "Gold", "description": "100 coins", "payload": "p1", "currency": "XTR", "prices": `[{"label":"gold","amount":5}]`}
}

// flexible has an invoice ask for all that one can ask, and where to.
func flexible() object {
	return object{"provider_token": "x", "currency": "USD", "need_name": true, "need_phone_number": true, "need_email": true, "need_shipping_address": true, "is_flexible": true}
}

// with adds parameters to others.
func (o object) with(more object) object {
	all := object{}
	maps.Copy(all, o)
	maps.Copy(all, more)
	return all
}

// sending are the parameters that all methods have that send.
func (g *stage) sending() object {
	return object{
		"chat_id": sam, "disable_notification": true, "protect_content": true, "message_effect_id": "5046509860389126442",
		"reply_parameters": object{"message_id": g.asked, "quote": "much", "quote_entities": []int{}}, "reply_markup": button("a", "b"),
	}
}

// captioned are those of methods that send a file with a caption.
func (g *stage) captioned(more object) object {
	return g.sending().with(object{"caption": "<b>a</b>", "parse_mode": "HTML", "caption_entities": "[]"}).with(more)
}

// examples are calls that succeed, with all parameters that are emulated.
func examples() map[string]func(*stage) []object {
	one := func(f func(*stage) object) func(*stage) []object {
		return func(g *stage) []object { return []object{f(g)} }
	}
	all := map[string]func(*stage) []object{
		"getMe": one(func(*stage) object { return object{} }),
		"getUpdates": one(func(*stage) object {
			return object{"offset": 1, "limit": 5, "timeout": 0, "allowed_updates": `["message"]`}
		}),
		"setWebhook": one(func(*stage) object {
			return object{"url": hookURL, "ip_address": "127.0.0.1", "max_connections": 3, "allowed_updates": `["message"]`, "drop_pending_updates": true, "secret_token": "s", "certificate": ""}
		}),
		"deleteWebhook":  one(func(*stage) object { return object{"drop_pending_updates": true} }),
		"getWebhookInfo": one(func(*stage) object { return object{} }),
		"getFile":        one(func(g *stage) object { return object{"file_id": g.doc} }),
		"answerCallbackQuery": one(func(g *stage) object {
			return object{"callback_query_id": g.query, "text": "a", "show_alert": true, "url": "https://t.me/shop_bot?start=x", "cache_time": 5}
		}),
		"answerInlineQuery": one(func(g *stage) object {
			return object{
				"inline_query_id": g.inquiry, "cache_time": 9, "is_personal": true, "next_offset": "2", "button": object{"text": "more", "start_parameter": "x"},
				"results": `[{"type":"article","id":"1","title":"a","description":"b","input_message_content":{"message_text":"<b>c</b>","parse_mode":"HTML"}},{"type":"document","id":"2","title":"d","document_file_id":"` + g.doc + `"},{"type":"photo","id":"3","photo_file_id":"` + g.pic + `","caption":"e"},{"type":"contact","id":"4","phone_number":"+9991","first_name":"f"},{"type":"venue","id":"5","latitude":1,"longitude":2,"title":"g","address":"h"}]`,
			}
		}),
		"sendInvoice": one(func(g *stage) object {
			return g.sending().with(g.invoice()).with(flexible()).with(object{"start_parameter": "x", "reply_markup": `{"inline_keyboard":[[{"text":"Pay","pay":true}]]}`})
		}),
		"createInvoiceLink": one(func(g *stage) object {
			o := g.invoice().with(flexible())
			delete(o, "chat_id")
			return o
		}),
		"answerPreCheckoutQuery": func(g *stage) []object {
			return []object{{"pre_checkout_query_id": g.checkout, "ok": false, "error_message": "sold out"}}
		},
		"answerShippingQuery": one(func(g *stage) object {
			return object{"shipping_query_id": g.shipping, "ok": true, "shipping_options": `[{"id":"a","title":"b","prices":[{"label":"c","amount":1}]}]`, "error_message": ""}
		}),
		"refundStarPayment":   one(func(g *stage) object { return object{"user_id": sam, "telegram_payment_charge_id": g.charge} }),
		"getMyStarBalance":    one(func(*stage) object { return object{} }),
		"getStarTransactions": one(func(*stage) object { return object{"offset": 0, "limit": 10} }),
	}
	for _, more := range []map[string]func(*stage) []object{sendExamples(), editExamples(), chatExamples(), topicExamples(), settingExamples()} {
		maps.Copy(all, more)
	}
	return all
}

func sendExamples() map[string]func(*stage) []object {
	text := func(g *stage) []object {
		return []object{
			g.sending().with(object{"text": "*a*", "parse_mode": "Markdown", "entities": "[]", "link_preview_options": `{"is_disabled":true}`}),
			{"chat_id": forum, "message_thread_id": g.topic, "text": "a", "entities": `[{"type":"bold","offset":0,"length":1}]`},
		}
	}
	file := func(name string, more object) func(*stage) []object {
		return func(g *stage) []object {
			id, fresh := g.doc, []byte("a file")
			if name == "photo" {
				id, fresh = g.pic, picture(3, 3)
			}
			if name == "photo" || name == "video" || name == "animation" {
				more = more.with(object{"has_spoiler": true, "show_caption_above_media": true})
			}
			whole := g.captioned(object{name: fresh}).with(more)
			if name == "sticker" || name == "video_note" {
				whole = g.sending().with(object{name: fresh}).with(more)
			}
			return []object{
				whole,
				{"chat_id": forum, "message_thread_id": g.topic, name: id},
			}
		}
	}
	card := func(more object) func(*stage) []object {
		return func(g *stage) []object {
			return []object{g.sending().with(more), object{"chat_id": forum, "message_thread_id": g.topic}.with(more)}
		}
	}
	relay := func(name string, more object) func(*stage) []object {
		return func(g *stage) []object {
			ids := any(g.photo)
			if name == "message_ids" {
				ids = fmt.Sprintf("[%d,%d]", g.own, g.photo)
			}
			o := object{"from_chat_id": sam, name: ids, "disable_notification": true, "protect_content": true}
			return []object{
				o.with(object{"chat_id": sam}).with(more),
				o.with(object{"chat_id": forum, "message_thread_id": g.topic}),
			}
		}
	}
	return map[string]func(*stage) []object{
		"sendMessage":   text,
		"sendPhoto":     file("photo", nil),
		"sendDocument":  file("document", nil),
		"sendAnimation": file("animation", object{"duration": 1, "width": 2, "height": 3}),
		"sendVideo":     file("video", object{"duration": 1, "width": 2, "height": 3}),
		"sendAudio":     file("audio", object{"duration": 1, "performer": "a", "title": "b"}),
		"sendVoice":     file("voice", object{"duration": 1}),
		"sendVideoNote": file("video_note", object{"duration": 1, "length": 3}),
		"sendSticker":   file("sticker", object{"emoji": "👍"}),
		"sendMediaGroup": func(g *stage) []object {
			media := fmt.Sprintf(`[{"type":"photo","media":%q,"caption":"<b>a</b>","parse_mode":"HTML","has_spoiler":true},{"type":"video","media":%q,"duration":3}]`, g.pic, g.film)
			return []object{g.sending().with(object{"media": media, "reply_markup": ""}), {"chat_id": forum, "message_thread_id": g.topic, "media": media}}
		},
		"sendContact":  card(object{"phone_number": "+99912", "first_name": "a", "last_name": "b", "vcard": "c"}),
		"sendLocation": card(object{"latitude": 1.5, "longitude": 2.5, "horizontal_accuracy": 9, "live_period": 60}),
		"sendVenue":    card(object{"latitude": 1.5, "longitude": 2.5, "title": "a", "address": "b", "foursquare_id": "c", "foursquare_type": "d", "google_place_id": "e", "google_place_type": "f"}),
		"sendDice":     card(object{"emoji": "🎯"}),
		"sendPoll": card(object{
			"question": "<b>a</b>", "question_parse_mode": "HTML", "question_entities": "[]", "options": `[{"text":"<b>b</b>","text_parse_mode":"HTML"},{"text":"c"}]`, "is_anonymous": false, "type": "quiz", "allows_multiple_answers": true,
			"correct_option_ids": "[1]", "explanation": "d", "explanation_parse_mode": "HTML", "explanation_entities": "[]", "open_period": 60, "close_date": 1, "is_closed": false,
		}),
		"sendChatAction": func(g *stage) []object {
			return []object{{"chat_id": sam, "action": "typing"}, {"chat_id": forum, "message_thread_id": g.topic, "action": "cancel"}}
		},
		"sendMessageDraft": func(*stage) []object {
			return []object{{"chat_id": sam, "draft_id": 1, "text": "<b>a</b>", "parse_mode": "HTML", "entities": "[]"}}
		},
		"copyMessage": func(g *stage) []object {
			return append(relay("message_id", object{"caption": "<b>a</b>", "parse_mode": "HTML", "caption_entities": "[]", "show_caption_above_media": true, "reply_parameters": object{"message_id": g.asked}, "reply_markup": button("a", "b"), "message_effect_id": "1"})(g),
				relay("message_id", nil)(g)...)
		},
		"copyMessages":    relay("message_ids", object{"remove_caption": true}),
		"forwardMessage":  relay("message_id", object{"message_effect_id": "1"}),
		"forwardMessages": relay("message_ids", nil),
	}
}

func editExamples() map[string]func(*stage) []object {
	edit := func(message func(*stage) int, more func(*stage) object) func(*stage) []object {
		return func(g *stage) []object {
			o := more(g).with(object{"reply_markup": button("c", "d")})
			return []object{o.with(object{"chat_id": sam, "message_id": message(g)}), o.with(object{"inline_message_id": g.inline})}
		}
	}
	own := func(g *stage) int { return g.own }
	text := func(*stage) object {
		return object{"text": "<b>a</b>", "parse_mode": "HTML", "entities": "[]", "link_preview_options": `{"is_disabled":true}`}
	}
	return map[string]func(*stage) []object{
		"editMessageText":        edit(own, text),
		"editMessageReplyMarkup": edit(own, func(*stage) object { return object{} }),
		"editMessageMedia":       edit(own, func(g *stage) object { return object{"media": object{"type": "document", "media": g.doc}} }),
		"editMessageCaption": func(g *stage) []object {
			o := object{"caption": "<b>a</b>", "parse_mode": "HTML", "caption_entities": "[]", "show_caption_above_media": true, "reply_markup": button("c", "d")}
			return []object{o.with(object{"chat_id": sam, "message_id": g.photo}), o.with(object{"inline_message_id": g.inlinePhoto})}
		},
		"deleteMessage":  func(g *stage) []object { return []object{{"chat_id": sam, "message_id": g.own}} },
		"deleteMessages": func(g *stage) []object { return []object{{"chat_id": sam, "message_ids": fmt.Sprintf("[%d]", g.own)}} },
		"setMessageReaction": func(g *stage) []object {
			return []object{{"chat_id": sam, "message_id": g.asked, "reaction": `[{"type":"emoji","emoji":"👍"}]`, "is_big": true}}
		},
		"stopPoll": func(g *stage) []object {
			return []object{{"chat_id": sam, "message_id": g.poll, "reply_markup": button("a", "b")}}
		},
		"pinChatMessage": func(g *stage) []object {
			return []object{{"chat_id": sam, "message_id": g.own, "disable_notification": true}}
		},
		"unpinChatMessage":     func(g *stage) []object { return []object{{"chat_id": forum, "message_id": g.posted}} },
		"unpinAllChatMessages": func(*stage) []object { return []object{{"chat_id": forum}} },
	}
}

func chatExamples() map[string]func(*stage) []object {
	in := func(more object) func(*stage) []object {
		return func(*stage) []object { return []object{object{"chat_id": forum}.with(more)} }
	}
	rights := object{"user_id": lea}
	for _, right := range (&chat{id: forum}).possibleRights() {
		rights[right] = right != "is_anonymous"
	}
	return map[string]func(*stage) []object{
		"getChat":               in(nil),
		"getUserProfilePhotos":  func(*stage) []object { return []object{{"user_id": lea, "offset": 0, "limit": 5}} },
		"getChatMember":         in(object{"user_id": lea}),
		"getChatAdministrators": in(nil),
		"getChatMemberCount":    in(nil),
		"leaveChat":             in(nil),
		"banChatMember":         in(object{"user_id": lea, "until_date": 0, "revoke_messages": true}),
		"unbanChatMember":       in(object{"user_id": lea, "only_if_banned": true}),
		"restrictChatMember":    in(object{"user_id": lea, "permissions": `{"can_send_messages":true}`, "use_independent_chat_permissions": true, "until_date": 0}),
		"promoteChatMember": func(*stage) []object {
			return []object{object{"chat_id": forum}.with(rights), {"chat_id": channel, "user_id": maxi, "can_post_messages": true, "can_edit_messages": true, "can_manage_direct_messages": true}}
		},
		"setChatAdministratorCustomTitle": in(object{"user_id": maxi, "custom_title": "boss"}),
		"setChatPermissions":              in(object{"permissions": `{"can_send_messages":true}`, "use_independent_chat_permissions": true}),
		"setChatTitle":                    in(object{"title": "New"}),
		"setChatDescription":              in(object{"description": "New"}),
		"exportChatInviteLink":            in(nil),
		"createChatInviteLink":            in(object{"name": "a", "expire_date": 4_000_000_000, "member_limit": 5, "creates_join_request": false}),
		"editChatInviteLink": func(g *stage) []object {
			return []object{{"chat_id": forum, "invite_link": g.link, "name": "a", "expire_date": 4_000_000_000, "member_limit": 0, "creates_join_request": true}}
		},
		"revokeChatInviteLink":   func(g *stage) []object { return []object{{"chat_id": forum, "invite_link": g.link}} },
		"approveChatJoinRequest": func(g *stage) []object { return []object{{"chat_id": forum, "user_id": g.knocker}} },
		"declineChatJoinRequest": func(g *stage) []object { return []object{{"chat_id": forum, "user_id": g.knocker}} },
	}
}

func topicExamples() map[string]func(*stage) []object {
	in := func(more func(*stage) object) func(*stage) []object {
		return func(g *stage) []object { return []object{object{"chat_id": forum}.with(more(g))} }
	}
	topic := func(g *stage) object { return object{"message_thread_id": g.topic} }
	general := in(func(*stage) object { return nil })
	closed := func(method string, thread bool) func(*stage) []object {
		return func(g *stage) []object {
			o := object{"chat_id": forum}
			if thread {
				o["message_thread_id"] = g.topic
			}
			g.call(method, o)
			return []object{o}
		}
	}
	return map[string]func(*stage) []object{
		"createForumTopic":                  in(func(*stage) object { return object{"name": "a", "icon_color": 7322096, "icon_custom_emoji_id": "5"} }),
		"editForumTopic":                    in(func(g *stage) object { return topic(g).with(object{"name": "b", "icon_custom_emoji_id": "6"}) }),
		"closeForumTopic":                   in(topic),
		"reopenForumTopic":                  closed("closeForumTopic", true),
		"deleteForumTopic":                  in(topic),
		"unpinAllForumTopicMessages":        in(topic),
		"editGeneralForumTopic":             in(func(*stage) object { return object{"name": "b"} }),
		"closeGeneralForumTopic":            general,
		"reopenGeneralForumTopic":           closed("closeGeneralForumTopic", false),
		"hideGeneralForumTopic":             general,
		"unhideGeneralForumTopic":           closed("hideGeneralForumTopic", false),
		"unpinAllGeneralForumTopicMessages": general,
		"getForumTopicIconStickers":         func(*stage) []object { return []object{{}} },
	}
}

func settingExamples() map[string]func(*stage) []object {
	just := func(o object) func(*stage) []object { return func(*stage) []object { return []object{o} } }
	wanted := object{}
	wanted.grant(true, (&chat{id: channel, channel: true}).possibleRights()...)
	scope := object{"scope": `{"type":"chat","chat_id":501}`, "language_code": "fr"}
	return map[string]func(*stage) []object{
		"setMyCommands":                   just(scope.with(object{"commands": `[{"command":"a","description":"b"}]`})),
		"getMyCommands":                   just(scope),
		"deleteMyCommands":                just(scope),
		"setMyName":                       just(object{"name": "a", "language_code": "fr"}),
		"getMyName":                       just(object{"language_code": "fr"}),
		"setMyDescription":                just(object{"description": "a", "language_code": "fr"}),
		"getMyDescription":                just(object{"language_code": "fr"}),
		"setMyShortDescription":           just(object{"short_description": "a", "language_code": "fr"}),
		"getMyShortDescription":           just(object{"language_code": "fr"}),
		"setChatMenuButton":               just(object{"chat_id": sam, "menu_button": `{"type":"web_app","text":"Shop","web_app":{"url":"https://shop.example/"}}`}),
		"getChatMenuButton":               just(object{"chat_id": sam}),
		"setMyDefaultAdministratorRights": just(object{"rights": wanted, "for_channels": true}),
		"getMyDefaultAdministratorRights": just(object{"for_channels": true}),
	}
}

// emulated lists the methods that are, by their names, but for old names of others.
func emulated() []string {
	names := []string{"getUpdates"}
	for name := range methods() {
		if s, known := describedAPI().methods[name]; known {
			names = append(names, s.name)
		}
	}
	slices.Sort(names)
	return names
}

// onStage runs a test on a stage of its own.
func onStage(t *testing.T, test func(*stage)) {
	t.Helper()
	play(t, Options{Inline: true, InlineFeedback: true}, func(h *harness) { test(h.stage()) })
}

// send is call where a parameter may be a file.
func (h *harness) send(method string, p object) reply {
	h.t.Helper()
	fields, files := map[string]string{}, map[string][]byte{}
	for name, v := range p {
		switch v := v.(type) {
		case []byte:
			files[name] = v
		case string:
			fields[name] = v
		default:
			fields[name] = string(marshal(v))
		}
	}
	kind, body := form(fields, files)
	r, err := h.request(ask(h.t.Context(), method, kind, body))
	if err != nil {
		h.t.Errorf("%s: %v", method, err)
	}
	return r
}

// accepted are parameters that the Bot API demands, or of which it has objects, and that the real server can
// do without, or takes whatever they are.
var accepted = []string{
	"setChatAdministratorCustomTitle.custom_title", "setMyCommands.commands", "answerInlineQuery.results", "setChatMenuButton.menu_button", "sendMessage.entities", "sendMessageDraft.entities", "editMessageText.entities",
	"sendPoll.question_entities", "sendPoll.explanation_entities", "getUpdates.allowed_updates", "setWebhook.allowed_updates", "setWebhook.url", "answerPreCheckoutQuery.ok", "sendMessageDraft.text",
}

func isAccepted(name, parameter string) bool {
	return slices.Contains(accepted, name+"."+parameter) || parameter == "caption_entities"
}

// TestConformance compares what is emulated with the Bot API: every method takes what it has to, refuses
// calls without what it needs, refuses what is no object where it takes one, and answers with what the Bot
// API says. What it does not look at is in a list that must be true.
func TestConformance(t *testing.T) {
	unread := map[string][]string{}
	for _, name := range emulated() {
		t.Run(name, func(t *testing.T) {
			if examples()[name] == nil {
				t.Fatal("there is no example of it")
			}
			asked := map[string]bool{}
			n := 1
			for i := 0; i < n; i++ {
				onStage(t, func(g *stage) {
					list := examples()[name](g)
					n = len(list)
					g.refuses(name, list[i])
					g.performs(name, list[i], asked)
				})
			}
			for _, f := range describedAPI().methods[strings.ToLower(name)].fields {
				if !asked[f.name] && f.name != "business_connection_id" { // that is refused: there are no businesses here
					unread[name] = append(unread[name], f.name)
				}
			}
		})
	}
	golden(t, "unemulated.txt", unemulated(unread))
}

// performs does an example, and notes which of its parameters had an effect.
func (g *stage) performs(name string, p object, asked map[string]bool) {
	g.t.Helper()
	g.complaints = nil // of calls that were made to be refused
	if r := g.send(name, p); !r.OK {
		g.t.Errorf("%v was refused: %s", p, r.Description)
	}
	if faults := g.Log.Complaints(); len(faults) > 0 {
		g.t.Errorf("%v is not as the Bot API has it: %v", p, faults)
	}
	for given := range p {
		asked[given] = asked[given] || !slices.Contains(g.Log.Ignored(), name+"."+given)
	}
	g.call("getUpdates", nil) // what became of it is judged as well
}

// refuses tries a call without each parameter that it needs, and with something else for each object.
func (g *stage) refuses(name string, p object) {
	g.t.Helper()
	refused := func(what string, changed object) {
		if r := g.send(name, changed); r.OK || r.Code != 400 {
			g.t.Errorf("%s: %d %s", what, r.Code, r.Description)
		}
	}
	for _, f := range describedAPI().methods[strings.ToLower(name)].fields {
		if isAccepted(name, f.name) || p[f.name] == nil || p[f.name] == "" {
			continue
		}
		if f.required {
			without := maps.Clone(p)
			delete(without, f.name)
			refused("without "+f.name, without)
		}
		if kind := strings.Trim(f.types[0], "[]"); !slices.Contains([]string{"Integer", "Float", "String", "Boolean", "InputFile"}, kind) {
			refused("with a broken "+f.name, p.with(object{f.name: "{"}))
			refused("with another "+f.name, p.with(object{f.name: `"text"`}))
		}
	}
}

// unemulated writes down what is not.
func unemulated(unread map[string][]string) string {
	api := describedAPI()
	var missing []string
	for lower, s := range api.methods {
		if _, ok := methods()[lower]; !ok && lower != "getupdates" {
			missing = append(missing, s.name)
		}
	}
	slices.Sort(missing)
	var out strings.Builder
	fmt.Fprintf(&out, "Bot API %s: %d of %d methods are emulated. The others are refused with 501, and the run is marked.\n\n%s\n", api.version, len(api.methods)-len(missing), len(api.methods), strings.Join(missing, "\n"))
	out.WriteString("\nParameters that emulated methods do not look at:\n\n")
	for _, name := range slices.Sorted(maps.Keys(unread)) {
		fmt.Fprintf(&out, "%s: %s\n", name, strings.Join(unread[name], " "))
	}
	return out.String()
}

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not true any more (-update writes it anew):\n%s", file, difference(string(want), got))
	}
}

// difference lists the lines that two texts do not share.
func difference(want, got string) string {
	var out []string
	for i, side := range []string{want, got} {
		for line := range strings.Lines(side) {
			if other := []string{got, want}[i]; !strings.Contains("\n"+other, "\n"+line) {
				out = append(out, []string{"- ", "+ "}[i]+strings.TrimSpace(line))
			}
		}
	}
	return strings.Join(out, "\n")
}
