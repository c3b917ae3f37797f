package tgsim

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// client is a bot made with the library that is used most in Go.
type client struct {
	*tg.Bot

	mu   sync.Mutex
	seen []*models.Update
	errs []error
}

// client starts the library's bot. It polls until the function it returns is called.
func (h *harness) client() (c *client, stop func()) {
	h.t.Helper()
	c = &client{}
	tr := &http.Transport{DialContext: h.net.dial}
	b, err := tg.New(token,
		tg.WithServerURL("http://telegram.test"),
		tg.WithHTTPClient(30*time.Second, &http.Client{Transport: tr, Timeout: time.Minute}),
		tg.WithNotAsyncHandlers(),
		tg.WithAllowedUpdates(tg.AllowedUpdates{"message", "callback_query", "my_chat_member"}),
		tg.WithErrorsHandler(func(err error) { c.mu.Lock(); c.errs = append(c.errs, err); c.mu.Unlock() }),
		tg.WithDefaultHandler(func(_ context.Context, _ *tg.Bot, u *models.Update) {
			c.mu.Lock()
			c.seen = append(c.seen, u)
			c.mu.Unlock()
		}),
	)
	if err != nil {
		h.t.Fatal(err)
	}
	c.Bot = b
	ctx, cancel := context.WithCancel(h.t.Context())
	var polling sync.WaitGroup
	polling.Go(func() { b.Start(ctx) })
	return c, func() { cancel(); polling.Wait(); tr.CloseIdleConnections() }
}

// next is the next update that the bot handled.
func (c *client) next(h *harness) *models.Update {
	h.t.Helper()
	h.pass(time.Second)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen) != 1 {
		h.t.Fatalf("%d updates were handled; errors: %v", len(c.seen), c.errs)
	}
	u := c.seen[0]
	c.seen = nil
	return u
}

// TestLibrary plays a conversation through the real library: it must be able to read all that it is sent.
func TestLibrary(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		c, stop := h.client()
		defer stop()
		ctx := h.t.Context()

		h.People.Send(sam, sam, "/buy 2 💎")
		u := c.next(h)
		if m := u.Message; m == nil || m.Text != "/buy 2 💎" || m.From.ID != sam || m.Chat.Type != models.ChatTypePrivate || m.Entities[0].Type != models.MessageEntityTypeBotCommand {
			t.Fatalf("got %+v", u.Message)
		}
		sent, err := c.SendMessage(ctx, &tg.SendMessageParams{
			ChatID: sam, Text: "<b>Two?</b>", ParseMode: models.ParseModeHTML,
			ReplyMarkup: models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{{{Text: "Yes", CallbackData: "yes:2"}}}},
		})
		if err != nil || sent.Text != "Two?" || sent.ReplyMarkup.InlineKeyboard[0][0].CallbackData != "yes:2" {
			t.Fatalf("sent %+v, %v", sent, err)
		}

		h.People.TapButton(sam, sam, "Yes")
		q := c.next(h).CallbackQuery
		if q == nil || q.Data != "yes:2" || q.Message.Message == nil || q.Message.Message.ID != sent.ID {
			t.Fatalf("got %+v", q)
		}
		if ok, err := c.AnswerCallbackQuery(ctx, &tg.AnswerCallbackQueryParams{CallbackQueryID: q.ID, Text: "coming"}); !ok || err != nil {
			t.Errorf("answered %v, %v", ok, err)
		}
		edited, err := c.EditMessageText(ctx, &tg.EditMessageTextParams{ChatID: sam, MessageID: sent.ID, Text: "Two."})
		if err != nil || edited.Text != "Two." || edited.EditDate == 0 || len(h.last(sam).Keyboard) != 0 {
			t.Errorf("edited %+v, %v", edited, err)
		}

		h.Directory.Block(sam)
		if m := c.next(h).MyChatMember; m == nil || m.NewChatMember.Type != models.ChatMemberTypeBanned || m.OldChatMember.Type != models.ChatMemberTypeMember {
			t.Errorf("got %+v", m)
		}
		if len(c.errs) != 0 || len(h.Log.Unsupported()) != 0 {
			t.Errorf("errors %v, unsupported %v", c.errs, h.Log.Unsupported())
		}
	})
}

// TestLibraryFiles sends files and fetches them again.
func TestLibraryFiles(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		c, stop := h.client()
		defer stop()
		ctx := h.t.Context()
		doc, err := c.SendDocument(ctx, &tg.SendDocumentParams{ChatID: sam, Document: &models.InputFileUpload{Filename: "codes.txt", Data: strings.NewReader("A\nB")}, Caption: "yours"})
		if err != nil || doc.Document.FileName != "codes.txt" || doc.Caption != "yours" {
			t.Fatalf("document %+v, %v", doc, err)
		}
		photo, err := c.SendPhoto(ctx, &tg.SendPhotoParams{ChatID: sam, Photo: &models.InputFileUpload{Filename: "p.png", Data: bytes.NewReader(picture(6, 4))}})
		if err != nil || photo.Photo[0].Width != 6 {
			t.Fatalf("photo %+v, %v", photo, err)
		}
		if again, err := c.SendPhoto(ctx, &tg.SendPhotoParams{ChatID: sam, Photo: &models.InputFileString{Data: photo.Photo[0].FileID}}); err != nil || again.Photo[0].FileID != photo.Photo[0].FileID {
			t.Errorf("photo again %+v, %v", again, err)
		}
		if captioned, err := c.EditMessageCaption(ctx, &tg.EditMessageCaptionParams{ChatID: sam, MessageID: photo.ID, Caption: "proof"}); err != nil || captioned.Caption != "proof" {
			t.Errorf("captioned %+v, %v", captioned, err)
		}
		file, err := c.GetFile(ctx, &tg.GetFileParams{FileID: doc.Document.FileID})
		if err != nil {
			t.Fatal(err)
		}
		if code, body := get(h.t, h.Server, strings.TrimPrefix(c.FileDownloadLink(file), "http://telegram.test")); code != http.StatusOK || string(body) != "A\nB" {
			t.Errorf("HTTP %d %q", code, body)
		}
		if ok, err := c.DeleteMessages(ctx, &tg.DeleteMessagesParams{ChatID: sam, MessageIDs: []int{photo.ID, doc.ID}}); !ok || err != nil {
			t.Errorf("deleted %v, %v", ok, err)
		}
	})
}

// TestLibraryGroups reads what is of groups.
func TestLibraryGroups(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.group(superShop, Administrator)
		c, stop := h.client()
		defer stop()
		ctx := h.t.Context()
		chat, err := c.GetChat(ctx, &tg.GetChatParams{ChatID: superShop})
		if err != nil || chat.Type != models.ChatTypeSupergroup || !chat.Permissions.CanSendPolls {
			t.Errorf("chat %+v, %v", chat, err)
		}
		for who, want := range map[int64]models.ChatMemberType{sam: models.ChatMemberTypeOwner, lea: models.ChatMemberTypeMember, bot: models.ChatMemberTypeAdministrator} {
			m, err := c.GetChatMember(ctx, &tg.GetChatMemberParams{ChatID: superShop, UserID: who})
			if err != nil || m.Type != want {
				t.Errorf("member %+v, %v", m, err)
			}
		}
		h.Directory.SetRole(sam, superShop, lea, Left)
		if m := c.next(h).Message; m == nil || m.LeftChatMember == nil || m.LeftChatMember.ID != lea {
			t.Errorf("got %+v", m)
		}
		if ok, err := c.LeaveChat(ctx, &tg.LeaveChatParams{ChatID: superShop}); !ok || err != nil {
			t.Errorf("left %v, %v", ok, err)
		}
		info, err := c.GetWebhookInfo(ctx)
		if err != nil || len(info.AllowedUpdates) != 3 {
			t.Errorf("info %+v, %v", info, err)
		}
	})
}

// TestLibraryErrors: refusals come out as the library's own errors.
func TestLibraryErrors(t *testing.T) {
	for name, c := range map[string]struct {
		before func(*harness)
		chat   int64
		is     error
		as     any // what it is besides
	}{
		"chat not found": {nil, 9, tg.ErrorBadRequest, nil},
		"blocked":        {func(h *harness) { h.Directory.Block(sam) }, sam, tg.ErrorForbidden, nil},
		"migrated":       {func(h *harness) { h.group(shop, Ordinary); h.Directory.Migrate(sam, shop) }, shop, nil, new(*tg.MigrateError)},
		"flood":          {func(h *harness) { h.Injector.Inject(Fault{Method: "sendmessage", Times: 1, Wait: 5 * time.Second}) }, sam, nil, new(*tg.TooManyRequestsError)},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				b, stop := h.client()
				defer stop()
				if c.before != nil {
					c.before(h)
				}
				_, err := b.SendMessage(h.t.Context(), &tg.SendMessageParams{ChatID: c.chat, Text: "a"})
				if err == nil || c.is != nil && !errors.Is(err, c.is) || c.as != nil && !errors.As(err, c.as) {
					t.Fatalf("got %v", err)
				}
				if m, ok := errors.AsType[*tg.MigrateError](err); ok && int64(m.MigrateToChatID) != supergroups+shop {
					t.Errorf("moved to %d", m.MigrateToChatID)
				}
				if f, ok := errors.AsType[*tg.TooManyRequestsError](err); ok && f.RetryAfter != 5 {
					t.Errorf("retry after %d", f.RetryAfter)
				}
			})
		})
	}
}

// Two bots with one token fight for the updates, and are told so.
func TestLibraryConflict(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		one, stopOne := h.client()
		defer stopOne()
		h.pass(time.Second)
		_, stopTwo := h.client()
		defer stopTwo()
		h.pass(10 * time.Second)
		one.mu.Lock()
		defer one.mu.Unlock()
		if len(one.errs) == 0 || !errors.Is(one.errs[0], tg.ErrorConflict) || !strings.Contains(one.errs[0].Error(), otherPoll) {
			t.Errorf("got %v", one.errs)
		}
		if len(one.errs) > 4 {
			t.Errorf("%d conflicts in ten seconds", len(one.errs))
		}
	})
}

// The library takes updates by webhook as well.
func TestLibraryWebhook(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		var seen []string
		b, err := tg.New(token, tg.WithServerURL("http://telegram.test"), tg.WithNotAsyncHandlers(), tg.WithWebhookSecretToken("s3cret"),
			tg.WithHTTPClient(time.Second, &http.Client{Transport: &http.Transport{DialContext: h.net.dial, DisableKeepAlives: true}}),
			tg.WithDefaultHandler(func(_ context.Context, _ *tg.Bot, u *models.Update) { seen = append(seen, u.Message.Text) }))
		if err != nil {
			t.Fatal(err)
		}
		defer h.serve("hook.test:80", b.WebhookHandler())()
		ctx, cancel := context.WithCancel(h.t.Context())
		var running sync.WaitGroup
		running.Go(func() { b.StartWebhook(ctx) })
		running.Go(func() { h.Webhooks.Deliver(ctx) })
		if ok, err := b.SetWebhook(ctx, &tg.SetWebhookParams{URL: hookURL, SecretToken: "s3cret"}); !ok || err != nil {
			t.Errorf("set %v, %v", ok, err)
		}
		h.People.Send(sam, sam, "one")
		h.People.Send(sam, sam, "two")
		h.pass(time.Second)
		cancel()
		running.Wait()
		if strings.Join(seen, " ") != "one two" {
			t.Errorf("handled %v", seen)
		}
	})
}
