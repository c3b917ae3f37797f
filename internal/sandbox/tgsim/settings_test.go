package tgsim

import "testing"

// How the bot presents itself depends on the language of who looks.
func TestAbout(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.call("setMyName", object{"name": "Boutique", "language_code": "fr"})
		h.call("setMyDescription", object{"description": "All codes"})
		h.call("setMyShortDescription", object{"short_description": "Codes"})
		h.Directory.SetLanguage(lea, "fr-DZ")
		for who, want := range map[int64][3]string{sam: {"shop_bot", "All codes", "Codes"}, lea: {"Boutique", "All codes", "Codes"}, 999: {"shop_bot", "All codes", "Codes"}} {
			name, description, short := h.Menus.About(who)
			if got := [3]string{name, description, short}; got != want {
				t.Errorf("%d sees %v", who, got)
			}
		}
		if r := h.call("getMyName", object{"language_code": "fr"}); string(r.Result) != `{"name":"Boutique"}` {
			t.Errorf("got %s", r.Result)
		}
	})
}

// A person has the menu button that was set for that person, or else for all.
func TestMenuButton(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		for p, want := range map[string]string{"": `{"type":"commands"}`, "501": `{"type":"default"}`} {
			if r := h.call("getChatMenuButton", object{"chat_id": p}); string(r.Result) != want {
				t.Errorf("%q: %s", p, r.Result)
			}
		}
		h.call("setChatMenuButton", object{"menu_button": `{"type":"web_app","text":"Shop","web_app":{"url":"https://shop.example/"}}`})
		h.call("setChatMenuButton", object{"chat_id": lea, "menu_button": `{"type":"commands"}`})
		if b := h.Menus.MenuButton(sam); b.Text != "Shop" || h.Menus.MenuButton(lea).Type != "commands" {
			t.Errorf("sam sees %+v", b)
		}
		h.call("setChatMenuButton", nil)
		if b := h.Menus.MenuButton(sam); b.Type != "commands" {
			t.Errorf("sam sees %+v", b)
		}
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
