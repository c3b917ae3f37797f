package tgsim

import "testing"

// How the bot presents itself depends on the language.
func TestAbout(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.call("setMyName", object{"name": "Boutique", "language_code": "fr"})
		h.call("setMyDescription", object{"description": "All codes"})
		h.call("setMyShortDescription", object{"short_description": "Codes"})
		for asked, want := range map[[2]string]string{
			{"getMyName", "fr"}: `{"name":"Boutique"}`, {"getMyName", ""}: `{"name":"shop_bot"}`, {"getMyName", "ar"}: `{"name":"shop_bot"}`,
			{"getMyDescription", "fr"}: `{"description":"All codes"}`, {"getMyShortDescription", "fr"}: `{"short_description":"Codes"}`,
		} {
			if r := h.call(asked[0], object{"language_code": asked[1]}); string(r.Result) != want {
				t.Errorf("%v: %s", asked, r.Result)
			}
		}
	})
}

// A menu button is that of one person, or of all.
func TestMenuButton(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		shown := func(all map[string]string) {
			t.Helper()
			for p, want := range all {
				if r := h.call("getChatMenuButton", object{"chat_id": p}); string(r.Result) != want {
					t.Errorf("%q: %s", p, r.Result)
				}
			}
		}
		shown(map[string]string{"": `{"type":"commands"}`, "501": `{"type":"default"}`})
		h.call("setChatMenuButton", object{"menu_button": `{"type":"web_app","text":"Shop","web_app":{"url":"https://shop.example/"}}`})
		h.call("setChatMenuButton", object{"chat_id": lea, "menu_button": `{"type":"commands"}`})
		shown(map[string]string{"": `{"type":"web_app","text":"Shop","web_app":{"url":"https://shop.example/"}}`, "501": `{"type":"default"}`, "502": `{"type":"commands"}`})
		h.call("setChatMenuButton", nil)
		shown(map[string]string{"": `{"type":"default"}`, "502": `{"type":"commands"}`})
		if h.Menus.Menu(sam, 999) != nil {
			t.Error("a menu in no chat")
		}
		var rights map[string]bool
		h.call("setMyDefaultAdministratorRights", object{"rights": `{"can_pin_messages":true}`})
		h.call("getMyDefaultAdministratorRights", nil).into(t, &rights)
		if !rights["can_pin_messages"] || rights["can_promote_members"] {
			t.Errorf("wished for %v", rights)
		}
		h.call("setMyDefaultAdministratorRights", nil)
		h.call("getMyDefaultAdministratorRights", nil).into(t, &rights)
		if rights["can_pin_messages"] {
			t.Errorf("wished for %v", rights)
		}
	})
}
