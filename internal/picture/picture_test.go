package picture_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"resellerbot/internal/picture"
	"resellerbot/internal/sampletest"
)

var update = flag.Bool("update", false, "write the golden pictures")

func painter(tb testing.TB) *picture.Painter {
	tb.Helper()
	p, err := picture.New()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

const nb = "\u00a0"

func receiptFR() picture.Receipt {
	return picture.Receipt{
		Shop: "Karim Gaming", Under: "0555 12 34 56", Title: "Reçu",
		Lines: []picture.Line{
			{Name: "Article", Value: "PUBG Mobile 60 UC"}, {Name: "Date", Value: "22/11/2026 14:05"}, {Name: "Référence", Value: "K7P2QX"}, {Name: "Payé", Value: "500" + nb + "DA"}, {Name: "Reste à payer", Value: "900" + nb + "DA"},
		},
		Total: picture.Line{Name: "Total", Value: "1" + nb + "400" + nb + "DA"}, Codes: []string{"ABCD-EFGH-1234-5678"},
		Advice: []string{"Ouvrez le site de recharge, entrez votre identifiant de joueur, puis ce code. Il ne sert qu’une fois."}, Foot: "Merci de votre visite !",
	}
}

func receiptAR() picture.Receipt {
	return picture.Receipt{
		RTL: true, Shop: "محل كريم للألعاب", Under: "0555 12 34 56", Title: "وصل",
		Lines: []picture.Line{
			{Name: "المنتج", Value: "PUBG Mobile 60 UC"}, {Name: "التاريخ", Value: "\u200e22/11/2026 14:05\u200e"}, {Name: "المرجع", Value: "K7P2QX"}, {Name: "المدفوع", Value: "500" + nb + "د.ج"}, {Name: "الباقي", Value: "900" + nb + "د.ج"},
		},
		Total: picture.Line{Name: "المجموع", Value: "333" + nb + "250" + nb + "د.ج"}, Codes: []string{"ABCD-EFGH-1234-5678"},
		Advice: []string{"افتح موقع الشحن، أدخل رقم اللاعب ثم هذا الرمز. يُستعمل مرّة واحدة فقط."}, Foot: "شكرًا لزيارتكم!",
	}
}

func priceList(rtl, tall bool, lines int) picture.PriceList {
	l := picture.PriceList{RTL: rtl, Tall: tall, Shop: "Karim Gaming", Under: "0555 12 34 56", Title: "Nos prix", Date: "22/11/2026", Foot: "Prix du jour, dans la limite du stock"}
	currency, names := "DA", []string{"PUBG Mobile", "Cartes iTunes"}
	if rtl {
		l.Shop, l.Title, l.Date, l.Foot = "محل كريم للألعاب", "أسعارنا", "22 نوفمبر 2026", "أسعار اليوم، في حدود المتوفّر"
		currency, names = "د.ج", []string{"ببجي موبايل", "بطاقات آيتونز"}
	}
	for _, name := range names {
		s := picture.Section{Name: name}
		for i := range lines {
			if i%4 == 3 { // a name that begins with a figure
				s.Lines = append(s.Lines, picture.Line{Name: "60 UC + 5", Value: "250" + nb + currency})
				continue
			}
			s.Lines = append(s.Lines, picture.Line{Name: name + " " + strings.Repeat("6", i%3+1) + "0 UC", Value: "1" + nb + "400" + nb + currency})
		}
		l.Sections = append(l.Sections, s)
	}
	return l
}

func chart(rtl bool, bars int) picture.Chart {
	c := picture.Chart{RTL: rtl, Title: "Bénéfice par jour", Under: "du 16 au 22 novembre 2026"}
	days := []string{"lun", "mar", "mer", "jeu", "ven", "sam", "dim"}
	if rtl {
		c.Title, c.Under = "الربح حسب اليوم", "من 16 إلى 22 نوفمبر 2026"
		days = []string{"الإثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت", "الأحد"}
	}
	for i := range bars {
		v := int64((i*37)%11-2) * 150
		c.Bars = append(c.Bars, picture.Bar{Name: days[i%7], Value: strings.TrimSpace(itoa(v)), Height: v})
	}
	return c
}

func itoa(v int64) string {
	if v < 0 {
		return "−" + itoa(-v)
	}
	digits := ""
	for ; v > 0 || digits == ""; v /= 10 {
		digits = string(rune('0'+v%10)) + digits
	}
	return digits
}

// pictures are all that there are golden ones of.
func pictures(tb testing.TB) map[string]func() ([]byte, error) {
	tb.Helper()
	p := painter(tb)
	first := func(l picture.PriceList) func() ([]byte, error) {
		return func() ([]byte, error) {
			pages, err := p.PriceList(l)
			if err != nil {
				return nil, err
			}
			return pages[0], nil
		}
	}
	long := receiptFR()
	long.Shop, long.Codes = strings.Repeat("Très long nom de boutique ", 10), []string{strings.Repeat("ABCD-", 20), "12"}
	long.Lines[0].Value = "<b>" + strings.Repeat("très long article ", 12) + "</b>"
	logo := receiptFR()
	logo.Logo = disc()
	return map[string]func() ([]byte, error){
		"receipt_fr":     func() ([]byte, error) { return p.Receipt(receiptFR()) },
		"receipt_ar":     func() ([]byte, error) { return p.Receipt(receiptAR()) },
		"receipt_long":   func() ([]byte, error) { return p.Receipt(long) },
		"receipt_logo":   func() ([]byte, error) { return p.Receipt(logo) },
		"prices_fr":      first(priceList(false, false, 8)),
		"prices_ar":      first(priceList(true, false, 8)),
		"prices_tall_ar": first(priceList(true, true, 5)),
		"prices_tall_fr": first(priceList(false, true, 5)),
		"chart_fr":       func() ([]byte, error) { return p.Chart(chart(false, 7)) },
		"chart_ar":       func() ([]byte, error) { return p.Chart(chart(true, 7)) },
		"chart_month":    func() ([]byte, error) { return p.Chart(chart(false, 31)) },
		"chart_empty":    func() ([]byte, error) { return p.Chart(picture.Chart{Title: "Bénéfice par jour"}) },
	}
}

// disc is a logo.
func disc() image.Image {
	m := image.NewRGBA(image.Rect(0, 0, 120, 120))
	for y := range 120 {
		for x := range 120 {
			if (x-60)*(x-60)+(y-60)*(y-60) < 3600 {
				m.SetRGBA(x, y, color.RGBA{0x20, 0x60, 0xc0, 0xff})
			}
		}
	}
	return m
}

// TestGolden: each picture is what it was when it was looked at, and small.
func TestGolden(t *testing.T) {
	sampletest.MoreThanFew(t) // it only computes
	for name, draw := range pictures(t) {
		t.Run(name, func(t *testing.T) {
			got, err := draw()
			if err != nil {
				t.Fatal(err)
			}
			if len(got) > 80_000 {
				t.Errorf("it has %d bytes", len(got))
			}
			path := filepath.Join("testdata", name+".png")
			if *update {
				if err := os.WriteFile(path, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !same(t, got, want) {
				t.Error("it looks another way than before")
			}
		})
	}
}

// same reports whether two pictures have the same pixels, as far as rounding goes.
func same(t *testing.T, a, b []byte) bool {
	t.Helper()
	x, y := pixels(decode(t, a)), pixels(decode(t, b))
	if x.Bounds() != y.Bounds() {
		return false
	}
	for i, v := range x.Pix {
		if d := int(v) - int(y.Pix[i]); d > 0x18 || d < -0x18 {
			return false
		}
	}
	return true
}

// pixels is a picture as its colors stand in memory: each of a million pixels is compared.
func pixels(m image.Image) *image.RGBA {
	to := image.NewRGBA(m.Bounds())
	draw.Draw(to, m.Bounds(), m, m.Bounds().Min, draw.Src)
	return to
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestArabicIsJoined: letters of a word touch, and a word is not what it is from the left: else it would be unreadable.
func TestArabicIsJoined(t *testing.T) {
	p := painter(t)
	draw := func(text string) image.Image {
		data, err := p.Receipt(picture.Receipt{RTL: true, Shop: text})
		if err != nil {
			t.Fatal(err)
		}
		return decode(t, data)
	}
	if joined, apart := columns(draw("بيت")), columns(draw("ب ي ت")); joined != 1 || apart != 3 {
		t.Errorf("a word of three letters is in %d parts, and three letters in %d", joined, apart)
	}
}

// columns counts the parts of what is drawn, by columns without ink, above the first rule.
func columns(m image.Image) (parts int) {
	was := false
	for x := range m.Bounds().Dx() {
		inked := false
		for y := range 100 {
			r, _, _, _ := m.At(x, y).RGBA()
			inked = inked || r < 0x9000
		}
		if inked && !was {
			parts++
		}
		was = inked
	}
	return parts
}

// TestHostileText: whatever people type, a picture is made.
func TestHostileText(t *testing.T) {
	sampletest.MoreThanFew(t) // it only computes
	p := painter(t)
	for _, text := range []string{"", "\x00\x1b[31m", "\u202eabc\u202c", "👨‍👩‍👧 🎮", "\u6f22\u5b57", strings.Repeat("ﷺ", 300), strings.Repeat("a", 5000), "\xff\xfe", strings.Repeat("\u0300", 500), "<script>"} {
		r := picture.Receipt{RTL: true, Shop: text, Title: text, Lines: []picture.Line{{Name: text, Value: text}}, Codes: []string{text}, Advice: []string{text}}
		if _, err := p.Receipt(r); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if _, err := p.Chart(picture.Chart{Title: text, Bars: []picture.Bar{{Name: text, Value: text, Height: 1 << 62}, {Height: -1 << 63}}}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestMinusIsDrawn: an amount that is below nothing looks another way than one that is not.
func TestMinusIsDrawn(t *testing.T) {
	p := painter(t)
	for _, minus := range []string{"-", "−"} {
		var drawn [][]byte
		for _, value := range []string{"150", minus + "150"} {
			data, err := p.Chart(picture.Chart{RTL: true, Bars: []picture.Bar{{Value: value, Height: 1}}})
			if err != nil {
				t.Fatal(err)
			}
			drawn = append(drawn, data)
		}
		if bytes.Equal(drawn[0], drawn[1]) {
			t.Errorf("%q is not drawn", minus)
		}
	}
}

// TestPagesOfPrices: a list that does not fit goes on, and everything is on one page or another.
func TestPagesOfPrices(t *testing.T) {
	pages, err := painter(t).PriceList(priceList(false, true, 30))
	if err != nil || len(pages) < 2 || len(pages) > 5 {
		t.Errorf("%d pages, %v", len(pages), err)
	}
	if sampletest.Few() { // the race detector has nothing to see in hundreds of rows more
		return
	}
	if pages, err = painter(t).PriceList(priceList(false, true, 5000)); err != nil || len(pages) != 10 {
		t.Errorf("%d pages, %v", len(pages), err)
	}
}

// TestLogos: what is too large, broken or a bomb is refused before it is unpacked.
func TestLogos(t *testing.T) {
	var good, wide bytes.Buffer
	for to, m := range map[*bytes.Buffer]image.Image{&good: disc(), &wide: image.NewGray(image.Rect(0, 0, 4000, 1))} {
		if err := png.Encode(to, m); err != nil {
			t.Fatal(err)
		}
	}
	bomb := bytes.Clone(good.Bytes())
	copy(bomb[16:], []byte{0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff}) // 65 535 by 65 535
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"a good one": {good.Bytes(), nil}, "a thin one": {wide.Bytes(), nil}, "of 30 MB": {make([]byte, 30<<20), picture.ErrLogoSize},
		"cut": {good.Bytes()[:len(good.Bytes())/2], picture.ErrLogoBroken}, "nothing": {nil, picture.ErrLogoBroken},
		"text": {[]byte("<svg onload=alert(1)>"), picture.ErrLogoBroken}, "a bomb": {bomb, picture.ErrLogoBroken},
	} {
		m, err := picture.Logo(c.data)
		if err != c.want && (name != "a bomb" || err == nil) { //nolint:errorlint // the errors themselves are returned
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err == nil && (m.Bounds().Dx() > 220 || m.Bounds().Dy() > 220) {
			t.Errorf("%s: it is %v", name, m.Bounds())
		}
	}
}

func BenchmarkPictures(b *testing.B) {
	for name, draw := range pictures(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				data, err := draw()
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(data)), "bytes")
			}
		})
	}
}
