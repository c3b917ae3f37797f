package conversations

import (
	"context"
	"errors"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/reports"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// enoughPixels is how wide or high a picture has to be at most, of those sizes in which Telegram has a photo.
const enoughPixels = 1280

// sentFile is a file that somebody has sent: a document, or a photo in a private chat, where one can be asked for.
type sentFile struct {
	id   string
	size int64
}

// isPhoto reports whether a message is a photo that may answer a question.
func isPhoto(m *message) bool {
	return len(m.Photo) > 0 && m.Chat.Type == models.ChatTypePrivate
}

// hasPicture reports whether a message, in a private chat, may be a picture.
func hasPicture(m *message) bool {
	return isPhoto(m) || m.Document != nil && m.Chat.Type == models.ChatTypePrivate
}

// fileOf is the file of a message: of the sizes of a photo, the largest that is of use.
func fileOf(m *message) (f sentFile) {
	if m.Document != nil {
		return sentFile{m.Document.FileID, m.Document.FileSize}
	}
	for i, p := range m.Photo {
		if i == 0 || max(p.Width, p.Height) <= enoughPixels {
			f = sentFile{p.FileID, int64(p.FileSize)}
		}
	}
	return f
}

// wantsLogo reports whether the person was asked for the shop's logo.
func wantsLogo(s store.Session) bool {
	return s.Flow == flowShop && s.Step == stepShopLogo && !s.Covered
}

// askLogo asks for the shop's logo.
func (t saleFlow) askLogo(problem screen.LogoProblem) error {
	d, err := t.cfg.Store.Desk(t.ctx, t.shop.ID)
	return firstError(err, func() error { return t.ask(t.scr.Sales().LogoAsk(d, problem), flowShop, stepShopLogo, shopping{}) })
}

// takeLogo takes the shop's logo as it was sent. What it would take in memory is known before it is unpacked.
func (t saleFlow) takeLogo(f sentFile) error {
	if no, err := t.refuseBelow(store.Owner); no || err != nil {
		return err
	}
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	t.inPlaceOf = t.answeredQuestion // what is said to it stands in the question's place
	// The size that Telegram has said may be missing or wrong: what is fetched is bounded as well.
	if f.size > reports.MostLogo {
		return t.askLogo(screen.LogoSize)
	}
	ctx, cancel := context.WithTimeout(t.ctx, fetchTime)
	defer cancel()
	body, err := t.cfg.Messenger.Download(ctx, f.id, reports.MostLogo)
	switch {
	case errors.Is(err, telegram.ErrTooBig):
		return t.askLogo(screen.LogoSize)
	// Where the turn itself is over, the error is returned, and the update is tried again.
	case err != nil && t.ctx.Err() == nil:
		t.cfg.Log.Warn("a logo cannot be fetched", "update", t.update, "chat", t.chatID, "err", err)
		return t.askLogo(screen.LogoFetch)
	case err != nil:
		return err
	}
	kept, problem, err := reports.Logo(body)
	if err != nil || problem != screen.LogoFine {
		return firstError(err, func() error { return t.askLogo(problem) })
	}
	return t.keepLogo(kept)
}

// keepLogo keeps the shop's logo, or none.
func (t saleFlow) keepLogo(logo []byte) error {
	if err := t.changeDesk(func(d *store.Desk) { d.Logo = logo }); err != nil {
		return t.refused(err)
	}
	t.leave()
	d, err := t.cfg.Store.Desk(t.ctx, t.shop.ID)
	return firstError(err, func() error { return t.say(t.scr.Sales().ShopSaved(d)) })
}
