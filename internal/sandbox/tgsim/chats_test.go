package tgsim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

const superShop = int64(-1000000000800)

// TestReach is what the bot may do where, and the words when it may not.
func TestReach(t *testing.T) {
	for name, c := range map[string]struct {
		before  func(*harness)
		chat    int64
		read    string // getChat; "" when it may
		members string // getChatMember
		write   string // sendMessage
	}{
		"a person":                 {nil, sam, "", "", ""},
		"who never started":        {nil, lea, "Bad Request: chat not found", "Bad Request: chat not found", "Bad Request: chat not found"},
		"whom it met in a group":   {func(h *harness) { h.group(shop, Ordinary) }, lea, "", "", "Forbidden: bot can't initiate conversation with a user"},
		"who blocked it":           {func(h *harness) { h.Directory.Block(sam) }, sam, "", "", "Forbidden: bot was blocked by the user"},
		"and let it in again":      {func(h *harness) { h.Directory.Block(sam); h.Directory.Unblock(sam) }, sam, "", "", ""},
		"whose account is deleted": {func(h *harness) { h.Directory.Deactivate(sam) }, sam, "", "", "Forbidden: user is deactivated"},
		"nobody":                   {nil, 4, "Bad Request: chat not found", "Bad Request: chat not found", "Bad Request: chat not found"},
		"a group":                  {func(h *harness) { h.group(shop, Ordinary) }, shop, "", "", ""},
		"a group it left": {
			func(h *harness) { h.group(shop, Left) }, shop, "",
			"Forbidden: bot is not a member of the group chat", "Forbidden: bot is not a member of the group chat",
		},
		"a group that removed it": {
			func(h *harness) { h.group(shop, Kicked) }, shop, "",
			"Forbidden: bot was kicked from the group chat", "Forbidden: bot was kicked from the group chat",
		},
		"a supergroup": {func(h *harness) { h.group(superShop, Administrator) }, superShop, "", "", ""},
		"a supergroup it left": {
			func(h *harness) { h.group(superShop, Left) }, superShop, "Forbidden: bot is not a member of the supergroup chat",
			"Forbidden: bot is not a member of the supergroup chat", "Forbidden: bot is not a member of the supergroup chat",
		},
		"a supergroup that removed it": {
			func(h *harness) { h.group(superShop, Kicked) }, superShop, "Forbidden: bot was kicked from the supergroup chat",
			"Forbidden: bot was kicked from the supergroup chat", "Forbidden: bot was kicked from the supergroup chat",
		},
		"where it may not write": {
			func(h *harness) { h.group(superShop, Restricted) }, superShop, "", "",
			"Bad Request: not enough rights to send text messages to the chat",
		},
		"a group that became a supergroup": {
			func(h *harness) { h.group(shop, Ordinary); h.Directory.Migrate(sam, shop) }, shop, "",
			"Bad Request: group chat was upgraded to a supergroup chat", "Bad Request: group chat was upgraded to a supergroup chat",
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				if c.before != nil {
					c.before(h)
				}
				who := c.chat
				if who < 0 {
					who = sam
				}
				for method, want := range map[string]string{"getChat": c.read, "getChatMember": c.members, "sendMessage": c.write} {
					r := h.call(method, object{"chat_id": c.chat, "user_id": who, "text": "a"})
					if r.Description != want || r.OK != (want == "") {
						t.Errorf("%s: %v %q, want %q", method, r.OK, r.Description, want)
					}
				}
			})
		})
	}
}

// Who waits for something is woken by every change.
func TestWaitFor(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		time.AfterFunc(time.Second, func() { h.People.Send(sam, sam, "one") })
		time.AfterFunc(2*time.Second, func() { h.People.Send(sam, sam, "two") })
		begin := time.Now()
		if err := h.WaitFor(h.t.Context(), func() bool { return h.last(sam).Text == "two" }); err != nil || time.Since(begin) != 2*time.Second {
			t.Errorf("waited %v: %v", time.Since(begin), err)
		}
		ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
		defer cancel()
		if err := h.WaitFor(ctx, func() bool { return false }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if h.Messages(-1) != nil {
			t.Error("a chat that is not has messages")
		}
	})
}

func TestBlockIsTold(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.Directory.Block(sam)
		h.Directory.Block(sam) // is blocked already
		if h.People.Send(sam, sam, "can you hear me?") != 0 {
			t.Error("one can write to a bot that one blocked")
		}
		h.Directory.Unblock(sam)
		got := h.drain()
		if kinds(got) != "my_chat_member,my_chat_member" {
			t.Fatalf("got %s", kinds(got))
		}
		for i, want := range []string{"member kicked", "kicked member"} {
			if is := fmt.Sprint(got[i].at("old_chat_member", "status"), " ", got[i].at("new_chat_member", "status")); is != want {
				t.Errorf("update %d: %s, want %s", i, is, want)
			}
			if got[i].at("new_chat_member", "user", "is_bot") != true || got[i].at("from", "id") != float64(sam) {
				t.Errorf("update %d: %v", i, got[i].body)
			}
		}
	})
}

// What the bot learns of a group's life.
func TestGroupLife(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		g := h.Directory.NewGroup(sam, "Shop", lea)
		h.Directory.SetRole(sam, g, bot, Administrator)
		h.Directory.SetRole(sam, g, lea, Left)
		h.Directory.SetRole(sam, g, lea, Ordinary)
		h.call("getUpdates", object{"allowed_updates": `["message","my_chat_member","chat_member"]`})
		h.Directory.SetRole(lea, g, lea, Left)
		h.Directory.SetRole(sam, g, bot, Kicked)
		got := h.drain()
		if kinds(got) != "my_chat_member,message,my_chat_member,message,message,chat_member,message,my_chat_member" {
			t.Fatalf("got %s", kinds(got))
		}
		for i, want := range map[int]string{0: "member", 2: "administrator", 5: "left", 7: "kicked"} {
			if is := got[i].at("new_chat_member", "status"); is != want {
				t.Errorf("update %d: %v, want %s", i, is, want)
			}
		}
		if got[1].at("group_chat_created") != true || got[3].at("left_chat_member", "id") != float64(lea) || got[4].at("new_chat_members") == nil {
			t.Errorf("service messages %v, %v, %v", got[1].body, got[3].body, got[4].body)
		}
		if r := h.call("sendMessage", object{"chat_id": g, "text": "a"}); r.Description != "Forbidden: bot was kicked from the group chat" {
			t.Errorf("got %+v", r)
		}
	})
}

// Of other people's roles the bot is told as an administrator only, and if it asks for it.
func TestRolesOfOthers(t *testing.T) {
	for role, want := range map[Role]string{Ordinary: "", Administrator: "chat_member"} {
		play(t, Options{}, func(h *harness) {
			h.group(shop, role)
			h.poll(object{"allowed_updates": `["chat_member"]`})
			h.Directory.SetRole(sam, shop, lea, Administrator)
			if got := kinds(h.drain()); got != want {
				t.Errorf("as %s the bot got %s", role, got)
			}
		})
	}
}

func TestMigration(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.group(shop, Ordinary)
		h.People.Send(sam, shop, "/last words")
		next := h.Directory.Migrate(sam, shop)
		got := h.drain()
		if kinds(got) != "message,message,message" || got[1].at("migrate_to_chat_id") != float64(next) || got[1].at("chat", "id") != float64(shop) ||
			got[2].at("migrate_from_chat_id") != float64(shop) || got[2].at("chat", "type") != "supergroup" {
			t.Fatalf("got %v", got)
		}
		if r := h.call("sendMessage", object{"chat_id": shop, "text": "a"}); r.Parameters.MigrateTo != next {
			t.Errorf("got %+v", r)
		}
		if m := h.post("sendMessage", object{"chat_id": next, "text": "a"}); m.ID != 2 {
			t.Errorf("the second message of the supergroup has the id %d", m.ID)
		}
		if h.People.Send(sam, shop, "is anybody there?") != 0 || h.Directory.Migrate(sam, shop) != 0 || h.Directory.Migrate(sam, next) != 0 {
			t.Error("the old group is still of use")
		}
	})
}

func TestMembers(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.group(superShop, Administrator)
		h.Directory.AddUser(User{ID: 503, FirstName: "Max"})
		for who, want := range map[int64]string{sam: "creator", lea: "member", bot: "administrator", 503: "left"} {
			var m struct{ Status string }
			h.call("getChatMember", object{"chat_id": superShop, "user_id": who}).into(t, &m)
			if m.Status != want {
				t.Errorf("%d is %s, not %s", who, m.Status, want)
			}
		}
		var admins []json.RawMessage
		h.call("getChatAdministrators", object{"chat_id": superShop}).into(t, &admins)
		var n int
		h.call("getChatMemberCount", object{"chat_id": superShop}).into(t, &n)
		if len(admins) != 2 || n != 3 {
			t.Errorf("%d administrators of %d members", len(admins), n)
		}
		h.call("getChatMemberCount", object{"chat_id": sam}).into(t, &n)
		if n != 2 {
			t.Errorf("%d in a private chat", n)
		}
		h.refused(h.call("getChatMember", object{"chat_id": superShop, "user_id": 99}), 400, "Bad Request: member not found")
		h.refused(h.call("getChatMember", object{"chat_id": superShop}), 400, "Bad Request: invalid user_id specified")
		h.refused(h.call("getChatAdministrators", object{"chat_id": sam}), 400, "Bad Request: there are no administrators in the private chat")
	})
}

func TestLeaveChat(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.group(shop, Ordinary)
		for range 2 { // the second time there is nothing left to do
			if r := h.call("leaveChat", object{"chat_id": shop}); !r.OK {
				t.Errorf("got %+v", r)
			}
		}
		got := h.drain()
		if kinds(got) != "my_chat_member" || got[0].at("new_chat_member", "status") != "left" || h.last(shop).Notice == "" {
			t.Errorf("got %v", got)
		}
		h.People.Send(sam, shop, "/anybody")
		if got := h.drain(); len(got) != 0 {
			t.Errorf("the bot still hears %v", kinds(got))
		}
		h.refused(h.call("leaveChat", object{"chat_id": sam}), 400, "Bad Request: chat member status can't be changed in private chats")
	})
}

// TestPrivacy: in groups a bot hears what is meant for it.
func TestPrivacy(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		role  Role
		all   bool
		heard bool
	}{
		"talk":                      {"hello", Ordinary, false, false},
		"talk, to an administrator": {"hello", Administrator, false, true},
		"talk, privacy off":         {"hello", Ordinary, true, true},
		"a command":                 {"/buy", Ordinary, false, true},
		"a command for it":          {"/buy@Shop_Bot 2", Ordinary, false, true},
		"a command for another":     {"/buy@other_bot", Ordinary, false, false},
		"its name":                  {"hey @shop_bot!", Ordinary, false, true},
		"another's name":            {"hey @shop_botox!", Ordinary, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{ReadsAll: c.all}, func(h *harness) {
				h.group(shop, c.role)
				h.People.Send(sam, shop, c.text)
				if got := h.drain(); (len(got) == 1) != c.heard {
					t.Errorf("got %v", kinds(got))
				}
				asked := h.post("sendMessage", object{"chat_id": shop, "text": "how many?"})
				h.People.Reply(sam, shop, asked.ID, "three")
				if got := h.drain(); len(got) != 1 {
					t.Error("a reply to it went by")
				}
			})
		})
	}
}

func TestWhoCannotWrite(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.Directory.AddGroup(shop, "Shop", sam)
		h.Directory.AddGroup(superShop, "Shop", sam, lea)
		h.Directory.SetRole(sam, superShop, lea, Restricted)
		for name, id := range map[string]int{
			"a stranger":               h.People.Send(9, sam, "a"),
			"in another's chat":        h.People.Send(lea, sam, "a"),
			"in a chat that is not":    h.People.Send(sam, -5, "a"),
			"not a member":             h.People.Send(lea, shop, "a"),
			"a member that may not":    h.People.Send(lea, superShop, "a"),
			"with what is no picture":  h.People.SendPhoto(sam, sam, []byte("x"), ""),
			"who blocked the bot":      func() int { h.Directory.Block(sam); return h.People.Send(sam, sam, "a") }(),
			"whose account is deleted": func() int { h.Directory.Deactivate(lea); return h.People.Send(lea, lea, "a") }(),
		} {
			if id != 0 {
				t.Errorf("%s: wrote message %d", name, id)
			}
		}
	})
}

func TestCommands(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		menu := func(name string) string { return fmt.Sprintf(`[{"command":%q,"description":"d"}]`, name) }
		chat := `{"type":"chat","chat_id":` + strconv.FormatInt(sam, 10) + `}`
		for _, p := range []object{
			{"commands": menu("all")},
			{"commands": menu("tous"), "language_code": "fr"},
			{"commands": menu("mine"), "scope": chat},
			{"commands": menu("group"), "scope": `{"type":"all_group_chats"}`},
			{"commands": menu("chief"), "scope": `{"type":"all_chat_administrators"}`},
		} {
			if r := h.call("setMyCommands", p); !r.OK {
				t.Fatalf("%v: %+v", p, r)
			}
		}
		h.group(shop, Ordinary)
		for want, who := range map[string][2]int64{"mine": {sam, sam}, "tous": {lea, lea}, "chief": {shop, sam}, "group": {shop, lea}} {
			if got := h.Menus.menuOf(h.chats[who[0]], who[1]); len(got) != 1 || got[0].Command != want {
				t.Errorf("%d in %d sees %v, not %s", who[1], who[0], got, want)
			}
		}
		h.call("deleteMyCommands", object{"scope": chat})
		var left []Command
		h.call("getMyCommands", object{"scope": chat}).into(t, &left)
		if got := h.Menus.menuOf(h.chats[sam], sam); len(left) != 0 || got[0].Command != "all" {
			t.Errorf("left %v, seen %v", left, got)
		}
		h.refused(h.call("setMyCommands", object{"commands": menu("Upper")}), 400, "Bad Request: BOT_COMMAND_INVALID")
		h.refused(h.call("setMyCommands", object{"commands": `[{"command":"a","description":""}]`}), 400, "Bad Request: command description must be non-empty")
		h.refused(h.call("setMyCommands", object{"commands": menu("a"), "scope": `{"type":"planet"}`}), 400, "Bad Request: can't parse BotCommandScope: Unsupported type specified")
		for words, p := range map[string]object{
			"can't use specified scope in private chats": {"commands": menu("a"), "scope": `{"type":"chat_administrators","chat_id":501}`},
			"chat not found": {"commands": menu("a"), "scope": `{"type":"chat","chat_id":9}`},
			"can't parse BotCommandScope: Invalid user_id specified":         {"scope": `{"type":"chat_member","chat_id":501,"user_id":0}`},
			"can't parse BotCommandScope: Can't find field \"chat_id\"":      {"scope": `{"type":"chat"}`},
			"can't parse BotCommandScope JSON object":                        {"scope": `{`},
			"can't parse BotCommandScope: BotCommandScope must be an Object": {"scope": `[]`},
			"invalid language code specified":                                {"language_code": "english"},
			"expected an Array of BotCommand":                                {"commands": `{}`},
			"can't parse commands JSON object":                               {"commands": `{`},
			"can't parse BotCommand: Can't find field \"description\"":       {"commands": `[{"command":"a"}]`},
			"can't parse BotCommand: expected an Object":                     {"commands": `["a"]`},
			"command must be non-empty":                                      {"commands": `[{"command":"","description":"d"}]`},
			"command length must not exceed 32":                              {"commands": menu(strings.Repeat("a", 33))},
			"command description length must not exceed 256":                 {"commands": `[{"command":"a","description":"` + strings.Repeat("é", 257) + `"}]`},
			"BOT_COMMANDS_TOO_MUCH":                                          {"commands": "[" + strings.Repeat(`{"command":"a","description":"d"},`, 100) + `{"command":"a","description":"d"}]`},
		} {
			h.refused(h.call("setMyCommands", p), 400, "Bad Request: "+words)
		}
		if r := h.call("setMyCommands", nil); !r.OK || len(h.Menus.Menu(sam, sam)) != 0 {
			t.Errorf("no commands: %+v", r)
		}
	})
}
