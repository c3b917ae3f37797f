package notify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	menuPace    = time.Second     // between two calls about menus
	menuAgain   = time.Minute     // until one that failed is made again
	menuRefused = time.Hour       // until one is made again that means the bot itself is refused
	menuLease   = 2 * time.Minute // longer than the calls for everybody's menus take
	menuPage    = 100             // chats looked at in one read
	notTaken    = "-"             // before the hash of a menu that Telegram does not take for a chat
)

// MenusConfig is what Menus is built from. All fields are required.
type MenusConfig struct {
	Store  *store.Store
	Sender *telegram.Sender
	// Bot is the bot's user name once it is known: another bot's menus are not this one's.
	Bot func(ctx context.Context) (string, error)
	// Commands are those that a role is offered in a language; "" is what speakers of any other are shown.
	Commands  func(lang string, role store.Role, group, several bool) []screen.Command
	Languages []string
	Log       *slog.Logger
}

// Menus keeps the menus of commands at Telegram as people are offered commands: all private chats have that of strangers,
// all groups that of groups, and whoever has a role, or has chosen a language, one of their own. A change of a role or a
// language queues a look in its own transaction. What was set is remembered, so that a start makes no call for what fits.
// Nothing waits for a menu, and menus wait for everything: there is one call a second at most, and none while a message
// waits for its turn, but for a cleanup.
type Menus struct {
	cfg   MenusConfig
	waker waker
	bot   string
}

// NewMenus makes Menus. They do nothing until Run.
func NewMenus(cfg MenusConfig) *Menus {
	return &Menus{cfg: cfg, waker: newWaker(cfg.Store, store.KindMenu)}
}

// menu is the commands of a place.
type menu struct {
	At       telegram.MenuPlace
	Commands []screen.Command
}

// Run keeps the menus until ctx is done.
func (m *Menus) Run(ctx context.Context) (err error) {
	if m.bot, err = m.cfg.Bot(ctx); err != nil {
		return nil //nolint:nilerr // the bot ends before it knows its name
	}
	if err := m.review(ctx); err != nil && ctx.Err() == nil {
		m.cfg.Log.Error("look through the menus of commands", "err", err)
	}
	for m.waker.wait(ctx) {
		if err := m.next(ctx); err != nil && ctx.Err() == nil {
			m.cfg.Log.Warn("set a menu of commands", "err", err)
		}
	}
	return nil
}

// review has a look queued at every menu that does not fit any more: the commands are others than when it was set, or so
// is the bot.
func (m *Menus) review(ctx context.Context) error {
	if err := m.reviewAll(ctx, []store.Chat{{}}); err != nil {
		return err
	}
	for after := int64(-1); ; { // behind the groups
		chats, err := m.cfg.Store.Chats(ctx, after, menuPage)
		if err != nil {
			return fmt.Errorf("list chats: %w", err)
		}
		if err := m.reviewAll(ctx, chats); err != nil {
			return err
		}
		if len(chats) < menuPage {
			return nil
		}
		after = chats[len(chats)-1].ID
	}
}

// reviewAll has a look queued at the menus of some chats that do not fit, in one commit: a new version may have other commands for
// everybody.
func (m *Menus) reviewAll(ctx context.Context, chats []store.Chat) error {
	var unfit []store.Menu
	for _, c := range chats {
		was, err := m.cfg.Store.Menu(ctx, c.ID)
		if err != nil {
			return err
		}
		now, err := m.wanted(ctx, c)
		if err != nil {
			return err
		}
		// A menu that is due is looked at anyway, and one that Telegram has refused in this very form is not tried again.
		if was.Due.IsZero() && strings.TrimPrefix(was.Shown, notTaken) != m.hash(now) {
			was.Chat, was.Due = c.ID, time.Now()
			unfit = append(unfit, was)
		}
	}
	if len(unfit) == 0 {
		return nil
	}
	err := m.put(ctx, unfit...)
	if !errors.Is(err, store.ErrConflict) {
		return err
	}
	// One has changed since it was read, and is looked at for that: the others are written by themselves.
	for _, one := range unfit {
		if err := m.put(ctx, one); err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return nil
}

// wanted are the menus that a chat is to have of its own; those of chat 0 are everybody's.
func (m *Menus) wanted(ctx context.Context, c store.Chat) ([]menu, error) {
	if c.ID == 0 {
		return m.everybodys(), nil
	}
	role, err := m.role(ctx, c)
	if err != nil || role == store.NoRole && !c.Chosen || !c.Out.IsZero() {
		return nil, err
	}
	return []menu{{telegram.MenuPlace{Chat: c.ID}, m.cfg.Commands(c.Language, role, false, len(c.Others) > 0)}}, nil
}

// everybodys are the menus of whoever has none of their own.
func (m *Menus) everybodys() (all []menu) {
	for _, group := range []bool{false, true} {
		for _, lang := range append([]string{""}, m.cfg.Languages...) {
			all = append(all, menu{telegram.MenuPlace{Groups: group, Language: lang}, m.cfg.Commands(lang, store.NoRole, group, false)})
		}
	}
	return all
}

// role is what the person of a private chat may do there.
func (m *Menus) role(ctx context.Context, c store.Chat) (store.Role, error) {
	if c.Account == "" {
		return store.NoRole, nil
	}
	a, err := m.cfg.Store.Account(ctx, c.Account)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return store.NoRole, fmt.Errorf("read the account: %w", err)
	}
	return a.Role(c.ID), nil
}

// hash stands for menus of this bot; "" for none.
func (m *Menus) hash(all []menu) string {
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		return "" // texts and numbers alone: it cannot be
	}
	// The bot's name is in it: with another token, all menus have to be set anew.
	sum := sha256.Sum256(append([]byte(m.bot+"\n"), text...))
	return hex.EncodeToString(sum[:8])
}

// next looks at one menu that is due, and sets it where it does not fit.
func (m *Menus) next(ctx context.Context) error {
	// One at a time: each takes its place in the budget by itself, and what is claimed is worked on within the lease.
	due, err := m.cfg.Store.ClaimMenus(ctx, time.Now(), menuLease, 1)
	if err != nil || len(due) == 0 {
		return err
	}
	was := due[0]
	c, err := m.chat(ctx, was.Chat)
	if err != nil {
		return err
	}
	now, err := m.wanted(ctx, c)
	if err != nil {
		return err
	}
	// Nothing more is to be looked at, unless a call fails (after): a change that comes meanwhile makes put meet ErrConflict, and stays due.
	was.Due = time.Time{}
	if hash := m.hash(now); hash != was.Shown {
		err = m.set(ctx, was, now)
		was = after(was, hash, err)
	}
	unkept := m.put(context.WithoutCancel(ctx), was)
	if errors.Is(unkept, store.ErrConflict) { // something has changed meanwhile: that is looked at next
		unkept = nil
	}
	return errors.Join(err, unkept)
}

// chat reads a chat, of which nothing may be kept any more.
func (m *Menus) chat(ctx context.Context, id int64) (store.Chat, error) {
	if id == 0 {
		return store.Chat{}, nil
	}
	c, err := m.cfg.Store.Chat(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return store.Chat{ID: id}, nil
	}
	if err != nil {
		return c, fmt.Errorf("read the chat: %w", err)
	}
	return c, nil
}

// set brings a chat's menus to Telegram: none takes away what it has.
func (m *Menus) set(ctx context.Context, was store.Menu, now []menu) error {
	if len(now) == 0 {
		now = []menu{{At: telegram.MenuPlace{Chat: was.Chat}}}
	}
	for _, one := range now {
		if err := m.turn(ctx); err != nil {
			return err
		}
		if err := m.cfg.Sender.SetMenu(ctx, one.At, one.Commands); err != nil {
			return fmt.Errorf("for chat %d: %w", one.At.Chat, err)
		}
	}
	return nil
}

// turn waits until a call about menus may be made.
func (m *Menus) turn(ctx context.Context) error {
	for {
		if !backoff.Sleep(ctx, menuPace) {
			return context.Cause(ctx)
		}
		// Asked behind the pause, so that it holds for the very moment of the call.
		if m.cfg.Sender.Idle() {
			return nil
		}
	}
}

// after is what is remembered of a menu behind the calls that were to set it, by what came of them.
func after(was store.Menu, hash string, err error) store.Menu {
	if err == nil {
		was.Shown = hash
		return was
	}
	switch r := telegram.Classify(err); r.Kind {
	case telegram.Unreachable, telegram.Poison, telegram.Gone, telegram.Migrated: // until something changes
		was.Shown = ""
		if hash != "" {
			was.Shown = notTaken + hash
		}
	case telegram.Fatal:
		was.Due = time.Now().Add(menuRefused)
	default:
		was.Due = time.Now().Add(max(r.After+time.Second, menuAgain))
	}
	return was
}

// put writes down what chats are given, or none of it: store.ErrConflict where something has changed since one was read.
func (m *Menus) put(ctx context.Context, menus ...store.Menu) error {
	return m.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		for _, one := range menus {
			if err := tx.PutMenu(one); err != nil {
				return err
			}
		}
		return nil
	})
}
