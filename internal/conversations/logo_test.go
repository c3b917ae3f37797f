package conversations_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// logoOf is the logo of the only shop.
func logoOf(h *apptest.Harness) (logo []byte) {
	h.T.Helper()
	b := theBook(h)
	h.InStore(func(s *store.Store) {
		d, err := s.Desk(context.Background(), b.ID)
		h.Must(err)
		logo = d.Logo
	})
	return logo
}

// picture is a PNG of a size.
func pictureOf(h *apptest.Harness, side int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range side {
		m.SetRGBA(i, i, color.RGBA{0x20, 0x60, 0xc0, 0xff})
	}
	var out bytes.Buffer
	h.Must(png.Encode(&out, m))
	return out.Bytes()
}

// TestLogo: a shop's logo is taken as a photo or a file once it is asked for; what is too big, broken or a bomb is refused with
// a sentence and changes nothing; a photo that nobody asked for is none; and it can be taken away.
func TestLogo(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	inPricedShop(t, func(h *apptest.Harness) {
		h.Telegram.SendPhoto(apptest.Sam, apptest.Sam, pictureOf(h, 40), "")
		h.Pass(3 * time.Second)
		if len(logoOf(h)) != 0 {
			t.Error("a photo that nobody asked for is the logo")
		}
		h.Tap(apptest.Sam, "My shop")
		h.Say(apptest.Sam, "Karim Gaming")
		h.Tap(apptest.Sam, "No phone")
		h.Tap(apptest.Sam, "🖼 Logo")
		shows(h, "Send it as a photo")
		bomb := pictureOf(h, 40)
		copy(bomb[16:], []byte{0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff})
		for _, c := range []struct {
			file []byte
			want string
		}{{make([]byte, 3<<20), "too big"}, {make([]byte, 30<<20), "too big"}, {bomb, "not a picture"}, {[]byte("<svg onload=alert(1)>"), "not a picture"}, {pictureOf(h, 40)[:60], "not a picture"}, {pictureOf(h, 5000), "too large"}} {
			h.Telegram.SendDocument(apptest.Sam, apptest.Sam, "logo.png", c.file, "")
			shows(h, c.want)
			if len(logoOf(h)) != 0 {
				t.Errorf("%q is kept", c.want)
			}
		}
		h.Say(apptest.Sam, "my logo")
		shows(h, "not a picture")
		h.Telegram.SendPhoto(apptest.Sam, apptest.Sam, pictureOf(h, 600), "")
		shows(h, "With a logo")
		if logo := logoOf(h); len(logo) == 0 || len(logo) > 20_000 {
			t.Errorf("the logo has %d bytes", len(logo))
		}
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "🧾 Receipt")
		h.Pass(3 * time.Second)
		h.Tap(apptest.Sam, "Français")
		h.Pass(3 * time.Second)
		if all := files(h, apptest.Sam); len(all) == 0 || all[len(all)-1].Photo == nil || len(all[len(all)-1].Photo.Body) > 80_000 {
			t.Errorf("the receipt is %+v", all)
		}
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "My shop")
		h.Say(apptest.Sam, "Karim Gaming")
		h.Tap(apptest.Sam, "No phone")
		h.Tap(apptest.Sam, "🖼 Logo")
		h.Tap(apptest.Sam, "Remove the logo")
		h.Pass(3 * time.Second)
		if len(logoOf(h)) != 0 {
			t.Error("the logo is still kept")
		}
	})
}

// TestAPictureIsAnswered: a picture that nobody has asked for is answered in private, with or without words under it, and buys
// nothing; in a group people show each other what they like. In each language.
func TestAPictureIsAnswered(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "I cannot read pictures.", "fr": "Je ne lis pas les images.", "ar": "لا أقرأ الصور."}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, lang, func(h *apptest.Harness) {
				h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim)
				for _, who := range []int64{apptest.Sam, apptest.Karim, apptest.Lila} {
					for _, caption := range []string{"", "pc5 x2"} {
						before := len(ofBot(h, who))
						h.Telegram.SendPhoto(who, who, pictureOf(h, 40), caption)
						h.Pass(3 * time.Second)
						if all := ofBot(h, who); len(all) != before+1 || !strings.Contains(plainly(last(all).Text), words) {
							t.Errorf("%d, %q: the answer is\n%s", who, caption, last(all).Text)
						}
					}
				}
				h.Telegram.SendPhoto(apptest.Sam, shop, pictureOf(h, 40), "")
				h.Pass(3 * time.Second)
				if n := len(ofBot(h, shop)); n != 0 {
					t.Errorf("the group got %d answers", n)
				}
				h.Bought(0)
			})
		})
	}
}
