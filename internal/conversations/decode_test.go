package conversations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// written is a message of Sam's as Telegram sends it, with whatever more it holds.
func written(id int, more string) string {
	return fmt.Sprintf(`"message":{"message_id":%d,"date":1,"chat":{"id":502,"type":"private","first_name":"Sam"},"from":{"id":502,"is_bot":false,"first_name":"Sam","language_code":"en"},%s}`, id, more)
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
				h.Telegram.InjectUpdate(written(900, `"rich_message":{"blocks":[`+blocks+`]}`))
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
		h.Telegram.InjectUpdate(written(900, `"rich_message":{"blocks":[{"type":"heading","text":"/language"},{"type":"paragraph","text":"of the shop"}]}`))
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
				h.Telegram.InjectUpdate(written(900, more))
				h.Pass(time.Second)
				h.See(apptest.Sam, "What you can do")
			})
		})
	}
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
			h.Telegram.InjectUpdate(written(900, `"text":"/help","forward_origin":`+unknown))
			h.Pass(time.Second)
			if h.FromBot(apptest.Sam) != before {
				t.Errorf("it is answered:\n%s", h.Transcript(apptest.Sam))
			}
		})
	})
}

// TestBellsLeadToTheirCodes: where the phone rings once for several purchases, each is one tap away; where it rings for
// one, the ring answers the message that holds its code.
func TestBellsLeadToTheirCodes(t *testing.T) {
	t.Parallel()
	for lang, open := range map[string]string{"ar": "تم التسليم", "fr": "Livré", "en": "Delivered"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{{ID: 101, Name: "10 USD", Price: "1250.50", InStock: 50, Delay: 40 * time.Second}}})
				h.Telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: lang})
			}, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/start")
				h.Say(apptest.Sam, "/key "+apptest.TestKey)
				for range 3 {
					h.Order(apptest.Sam, "Play Card", "10 USD", "1")
					h.Tap(apptest.Sam, "✅")
				}
				h.Pass(20 * time.Second)
				h.Telegram.Inject(tgsim.Fault{Method: "editmessagetext", Chat: apptest.Sam, Kind: tgsim.Flood, Wait: 40 * time.Second, Times: 1})
				h.Pass(3 * time.Minute)
				h.Delivered(apptest.Sam)
				rings, led := 0, 0
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					if !m.FromBot || !strings.HasPrefix(m.Text, "🔔") {
						continue
					}
					rings++
					lines := strings.Count(m.Text, "\n") + 1
					switch keys := flatKeys(m); {
					case len(keys) == 0 && lines == 1 && m.ReplyTo != 0:
						led++
					case len(keys) == lines && lines > 1:
						for _, k := range keys {
							h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, k.Data)
							h.Pass(time.Second)
							if now := h.See(apptest.Sam, open); len(apptest.CodesIn(now)) != 1 {
								t.Errorf("%q leads to %q", k.Text, now.Text)
							}
							led++
						}
					default:
						t.Errorf("a ring for %d leads nowhere: %q %+v", lines, m.Text, keys)
					}
				}
				if led != 3 || rings == 3 {
					t.Errorf("%d rings lead to %d purchases\n%s", rings, led, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// flatKeys are all buttons of a message.
func flatKeys(m tgsim.Message) (all []tgsim.Button) {
	for _, row := range m.Keyboard {
		all = append(all, row...)
	}
	return all
}

// TestCounterTakesCodesHome: whoever is at the counter has a code of the group sent to their own chat, where it can be
// copied, and that is written down; whoever is not of the team has not.
func TestCounterTakesCodesHome(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		code := buy(h, apptest.Karim)
		h.See(shop, "Delivered")
		h.RefusedWith(h.TapIn(apptest.Eve, shop, "📩"), "team")
		h.Say(apptest.Lila, "/start")
		if c := h.TapIn(apptest.Lila, shop, "📩"); !strings.Contains(c.Text, "in private") {
			t.Errorf("the tap is answered %q", c.Text)
		}
		if got := h.Codes(apptest.Lila); len(got) != 1 || got[0] != code {
			t.Errorf("Lila has %q, want %q\n%s", got, code, h.Transcript(apptest.Lila))
		}
		if strings.Contains(h.Texts(shop), code) || len(h.Codes(apptest.Eve)) != 0 {
			t.Error("others have it as well")
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "👥")
		h.Tap(apptest.Sam, "1")
		h.SeeAny(apptest.Sam, "Codes shown to Lila")
	})
}

// TestStylesOnTheWire: the ✅ that spends is green, and what locks is red, as Telegram calls that.
func TestStylesOnTheWire(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(time.Second)
		style := func(words string) string {
			for _, m := range h.Telegram.Messages(apptest.Sam) {
				for _, k := range flatKeys(m) {
					if strings.HasPrefix(k.Text, words) {
						return k.Style
					}
				}
			}
			return "there is no " + words
		}
		h.See(apptest.Sam, "Check before buying")
		if style("✅") != "success" || style("✖️") != "" {
			t.Errorf("✅ is %q, ✖️ %q", style("✅"), style("✖️"))
		}
		h.Say(apptest.Sam, "/team")
		if style("🔒") != "danger" {
			t.Errorf("🔒 is %q", style("🔒"))
		}
	})
}
