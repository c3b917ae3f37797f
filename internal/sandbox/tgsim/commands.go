package tgsim

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// settingMethods are about how the bot presents itself.
func settingMethods() map[string]method {
	return map[string]method{
		"setmycommands": setMyCommands, "getmycommands": getMyCommands, "deletemycommands": deleteMyCommands,
		"setmyname": setAbout("name", 64), "getmyname": getAbout("name"),
		"setmydescription": setAbout("description", 512), "getmydescription": getAbout("description"),
		"setmyshortdescription": setAbout("short_description", 120), "getmyshortdescription": getAbout("short_description"),
		"setchatmenubutton": setChatMenuButton, "getchatmenubutton": getChatMenuButton,
		"setmydefaultadministratorrights": setMyDefaultAdministratorRights, "getmydefaultadministratorrights": getMyDefaultAdministratorRights,
	}
}

// Command is an entry of the bot's command menu.
type Command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

var (
	commandName  = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)
	languageCode = regexp.MustCompile(`^([a-z]{2})?$`)
)

// scope says whom a command menu is for; it is a key of Server.commands, with a language.
type scope struct {
	Type string
	Chat int64
	User int64
}

func (c scope) key(language string) string {
	return cmp.Or(c.Type, "default") + " " + strconv.FormatInt(c.Chat, 10) + " " + strconv.FormatInt(c.User, 10) + " " + language
}

// menu is the key that a call means.
func (s Menus) menu(p params) (string, *failure) {
	c, no := s.scope(p)
	if no != nil {
		return "", no
	}
	language := p.text("language_code")
	if !languageCode.MatchString(language) {
		return "", badRequest("invalid language code specified")
	}
	return c.key(language), nil
}

// scope reads whom a call is for.
func (s Menus) scope(p params) (c scope, no *failure) {
	if !p.has("scope") {
		return c, nil
	}
	raw := []byte(p.text("scope"))
	if !json.Valid(raw) {
		return c, badRequest("can't parse BotCommandScope JSON object")
	}
	f := newFields(raw, "BotCommandScope must be an Object")
	name := ""
	switch c.Type = f.needText("type"); c.Type {
	case "default", "all_private_chats", "all_group_chats", "all_chat_administrators":
	case "chat_member":
		name, c.User = f.needText("chat_id"), f.needInt("user_id")
		if c.User <= 0 {
			f.failf("Invalid user_id specified")
		}
	case "chat", "chat_administrators":
		name = f.needText("chat_id")
	default:
		f.failf("Unsupported type specified")
	}
	if f.err != nil {
		return c, said("Can't parse BotCommandScope: ", f.err)
	}
	if name == "" {
		return c, nil
	}
	chat, no := s.reachNamed(name, toRead)
	switch {
	case no != nil:
		return c, no
	case chat.id > 0 && c.Type != "chat":
		return c, badRequest("can't use specified scope in private chats")
	case chat.channel:
		return c, badRequest("can't change commands in channel chats")
	}
	c.Chat = chat.id
	return c, nil
}

func setMyCommands(s *Server, p params) (any, *failure) {
	list, no := p.commands()
	if no != nil {
		return nil, no
	}
	key, no := s.Menus.menu(p)
	if no != nil {
		return nil, no
	}
	if len(list) > 100 {
		return nil, badRequest("BOT_COMMANDS_TOO_MUCH")
	}
	for _, c := range list {
		switch {
		case c.Command == "":
			return nil, badRequest("command must be non-empty")
		case tooLong(c.Command, 32):
			return nil, badRequest("command length must not exceed 32")
		case strings.TrimSpace(c.Description) == "":
			return nil, badRequest("command description must be non-empty")
		case tooLong(c.Description, 256):
			return nil, badRequest("command description length must not exceed 256")
		case !commandName.MatchString(c.Command):
			return nil, badRequest("BOT_COMMAND_INVALID")
		}
	}
	s.commands[key] = list
	return true, nil
}

// commands reads the commands of a call.
func (p params) commands() (all []Command, no *failure) {
	if !p.has("commands") {
		return nil, nil
	}
	list, no := p.array("commands", "commands", "BotCommand")
	if no != nil {
		return nil, no
	}
	for _, raw := range list {
		f := newFields(raw, "expected an Object")
		c := Command{strings.TrimPrefix(f.needText("command"), "/"), f.needText("description")}
		if f.err != nil {
			return nil, said("Can't parse BotCommand: ", f.err)
		}
		all = append(all, c)
	}
	return all, nil
}

func getMyCommands(s *Server, p params) (any, *failure) {
	key, no := s.Menus.menu(p)
	return append([]Command{}, s.commands[key]...), no
}

func deleteMyCommands(s *Server, p params) (any, *failure) {
	key, no := s.Menus.menu(p)
	if no != nil {
		return nil, no
	}
	delete(s.commands, key)
	return true, nil
}

// menuOf is the command menu that a person sees in a chat: the nearest scope wins, and in each the
// person's language.
func (s Menus) menuOf(c *chat, who int64) []Command {
	scopes := []scope{{Type: "chat", Chat: c.id}, {Type: "all_private_chats"}, {}}
	if c.id < 0 {
		scopes = []scope{{Type: "chat_member", Chat: c.id, User: who}, {Type: "chat", Chat: c.id}, {Type: "all_group_chats"}, {}}
		if c.role(who).administers() {
			// The order is the Bot API's (determining the list of commands): member, this chat's administrators, this chat,
			// all administrators, all groups, default.
			scopes = slices.Insert(scopes, 1, scope{Type: "chat_administrators", Chat: c.id})
			scopes = slices.Insert(scopes, 3, scope{Type: "all_chat_administrators"})
		}
	}
	for _, sc := range scopes {
		for _, language := range []string{s.language(who), ""} {
			if list := s.commands[sc.key(language)]; len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// Menu is the command menu that a person sees in a chat.
func (s Menus) Menu(user, chatID int64) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c != nil {
		return s.menuOf(c, user)
	}
	return nil
}

// language is the code of a person's language, without the country that may stand behind it.
func (s Menus) language(who int64) string {
	if u := s.users[who]; u != nil {
		code, _, _ := strings.Cut(u.LanguageCode, "-")
		return code
	}
	return ""
}

// setAbout sets a text that presents the bot, in one language or for all others.
func setAbout(name string, most int) method {
	return func(s *Server, p params) (any, *failure) {
		language := p.text("language_code")
		switch {
		case !languageCode.MatchString(language):
			return nil, badRequest("invalid language code specified")
		case tooLong(p.text(name), most):
			return nil, badRequest("bot " + strings.ReplaceAll(name, "_", " ") + " is too long") // how the real one says it is not known
		}
		s.about[name+" "+language] = p.text(name)
		return true, nil
	}
}

func getAbout(name string) method {
	return func(s *Server, p params) (any, *failure) {
		if !languageCode.MatchString(p.text("language_code")) {
			return nil, badRequest("invalid language code specified")
		}
		return object{name: s.Menus.aboutIn(name, p.text("language_code"))}, nil
	}
}

// aboutIn is a text that presents the bot, as those see it who speak a language.
func (s Menus) aboutIn(name, language string) string {
	text := cmp.Or(s.about[name+" "+language], s.about[name+" "])
	if name == "name" {
		return cmp.Or(text, s.options.BotName)
	}
	return text
}

// MenuButton is the button beside the field that a person writes in.
type MenuButton struct {
	Type   string  `json:"type"` // default, commands, web_app
	Text   string  `json:"text,omitempty"`
	WebApp *WebApp `json:"web_app,omitempty"`
}

// buttonOwner is whose menu button a call is about; 0 for all those who have none of their own.
func (s Menus) buttonOwner(p params) (int64, *failure) {
	if !p.has("chat_id") {
		return 0, nil
	}
	id := p.int("chat_id")
	switch {
	case id <= 0:
		return 0, badRequest("invalid chat_id specified")
	case s.users[id] == nil:
		return 0, badRequest("user not found")
	}
	return id, nil
}

func setChatMenuButton(s *Server, p params) (any, *failure) {
	b := MenuButton{Type: "default"}
	if p.has("menu_button") {
		raw := []byte(p.text("menu_button"))
		if !json.Valid(raw) {
			return nil, badRequest("can't parse menu button JSON object")
		}
		var err error
		if b, err = readMenuButton(raw); err != nil {
			return nil, said("Can't parse menu button: ", err)
		}
	}
	who, no := s.Menus.buttonOwner(p)
	switch {
	case no != nil:
		return nil, no
	case b.WebApp != nil && b.Text == "":
		return nil, badRequest("menu button text must be non-empty")
	case b.WebApp != nil && !secure(b.WebApp.URL):
		return nil, badRequest("menu button Web App URL '" + b.WebApp.URL + "' is invalid: Only HTTPS links are allowed")
	}
	s.menuButtons[who] = b
	return true, nil
}

func readMenuButton(raw []byte) (MenuButton, error) {
	f := newFields(raw, "MenuButton must be an Object")
	b := MenuButton{Type: f.needText("type")}
	switch b.Type {
	case "default", "commands":
	case "web_app":
		b.Text = f.needText("text")
		app := f.needObject("web_app")
		b.WebApp = &WebApp{URL: app.needText("url")}
		f.done(app)
	default:
		f.failf("MenuButton has unsupported type")
	}
	return b, f.err
}

// secure reports whether a link is one that web apps may have.
func secure(link string) bool {
	return strings.HasPrefix(strings.ToLower(checkedLink(link)), "https://")
}

func getChatMenuButton(s *Server, p params) (any, *failure) {
	who, no := s.Menus.buttonOwner(p)
	if no != nil {
		return nil, no
	}
	if b, own := s.menuButtons[who]; own {
		return b, nil
	}
	if who == 0 {
		return MenuButton{Type: "commands"}, nil
	}
	return MenuButton{Type: "default"}, nil
}

// setMyDefaultAdministratorRights sets which rights the bot asks for where it is added as administrator.
func setMyDefaultAdministratorRights(s *Server, p params) (any, *failure) {
	rights := map[string]bool{}
	if p.has("rights") {
		raw := []byte(p.text("rights"))
		if !json.Valid(raw) {
			return nil, badRequest("can't parse ChatAdministratorRights JSON object")
		}
		f := newFields(raw, "ChatAdministratorRights must be an Object")
		for _, right := range allRights() {
			rights[right] = f.bool(right)
		}
		if f.err != nil {
			return nil, said("Can't parse ChatAdministratorRights: ", f.err)
		}
	}
	s.wishes[p.bool("for_channels")] = rights
	return true, nil
}

func getMyDefaultAdministratorRights(s *Server, p params) (any, *failure) {
	channels := p.bool("for_channels")
	c := chat{id: supergroups, channel: channels}
	o := object{}
	for _, right := range c.possibleRights() {
		o[right] = s.wishes[channels][right]
	}
	return o, nil
}
