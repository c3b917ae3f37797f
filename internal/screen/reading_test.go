package screen_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// TestRowsBeginWhereReadingDoes: Telegram lays every keyboard out from the left. In Arabic rows therefore go out the
// other way round, of every screen, and in no other language, whatever names stand there.
func TestRowsBeginWhereReadingDoes(t *testing.T) {
	turned := 0
	everywhere(t, func(lang string, g golden) (wrong []string) {
		for i, row := range g.message.Rows() {
			want := slices.Clone(g.message.Keyboard[i])
			if lang == "ar" {
				slices.Reverse(want)
			}
			if len(row) > 1 && lang == "ar" {
				turned++
			}
			if !slices.Equal(row, want) {
				wrong = append(wrong, "a row does not begin where reading does")
			}
		}
		return wrong
	})
	if turned == 0 {
		t.Error("no row with several buttons was seen")
	}
}

// TestRowsLeaveTheKeyboardAlone: a message can be laid out twice, as after an answer that got lost.
func TestRowsLeaveTheKeyboardAlone(t *testing.T) {
	m := screen.Message{HTML: "الرصيد", Keyboard: [][]screen.Button{{{Text: "1"}, {Text: "2"}, {Text: "3"}}}}
	for range 2 {
		if got := m.Rows()[0][0].Text; got != "3" {
			t.Errorf("the row begins with %s", got)
		}
	}
	if m.Keyboard[0][0].Text != "1" {
		t.Error("laying a keyboard out has changed it")
	}
	if got := (screen.Message{HTML: "Sold to \u2068\u2068محل\u2069 أمينة\u2069", Keyboard: m.Keyboard}).Rows()[0][0].Text; got != "1" {
		t.Error("a name in Arabic turns the rows of an English screen")
	}
}

// TestSince: what was within the hour is told in minutes, beside the time by the clock: a message stays in its chat.
func TestSince(t *testing.T) {
	for ago, want := range map[time.Duration]map[string]string{
		-10 * time.Second:   {"en": "just now (12:05)", "fr": "à l'instant (12:05)", "ar": "الآن (12:05)"},
		10 * time.Second:    {"en": "just now (12:05)", "fr": "à l'instant (12:05)", "ar": "الآن (12:05)"},
		time.Minute:         {"en": "1 minute ago (12:05)", "fr": "il y a 1 minute (12:05)", "ar": "منذ دقيقة (12:05)"},
		2 * time.Minute:     {"en": "2 minutes ago (12:05)", "fr": "il y a 2 minutes (12:05)", "ar": "منذ دقيقتين (12:05)"},
		3 * time.Minute:     {"en": "3 minutes ago (12:05)", "fr": "il y a 3 minutes (12:05)", "ar": "منذ 3 دقائق (12:05)"},
		10 * time.Minute:    {"ar": "منذ 10 دقائق (12:05)"},
		11 * time.Minute:    {"en": "11 minutes ago (12:05)", "ar": "منذ 11 دقيقة (12:05)"},
		59 * time.Minute:    {"en": "59 minutes ago (12:05)", "ar": "منذ 59 دقيقة (12:05)"},
		time.Hour:           {"en": "21 Nov 12:05", "fr": "21 nov. à 12:05", "ar": "21 نوفمبر على الساعة 12:05"},
		-time.Minute:        {"en": "21 Nov 12:05"},
		60 * 24 * time.Hour: {"en": "21 Nov 2025 12:05", "fr": "21 nov. 2025 à 12:05", "ar": "21 نوفمبر 2025 على الساعة 12:05"},
	} {
		for lang, want := range want {
			p, _ := printers(t).For(lang)
			m := p.At(noon().Add(ago)).Account().Balance(api.Balance{}, api.Account{Name: "Shop"}, dzd.Amount{}, noon())
			if text := strings.NewReplacer(fsi, "", pdi, "", rlm, "").Replace(m.HTML); !strings.Contains(text+"\n", ": "+want+"\n") && !strings.Contains(text+"\n", "\u00a0: "+want+"\n") {
				t.Errorf("%s: after %v the screen says %q, want %q in it", lang, ago, text, want)
			}
		}
	}
}

// TestButtonsSayWhatTheyCount: a number alone says neither days nor units.
func TestButtonsSayWhatTheyCount(t *testing.T) {
	everywhere(t, func(_ string, g golden) (wrong []string) {
		for _, b := range slices.Concat(g.message.Keyboard...) {
			a, _ := screen.ParseAction(b.Data)
			if !slices.Contains([]screen.Verb{screen.VerbQuantity, screen.VerbAlertSet, screen.VerbLimitSet}, a.Verb) {
				continue // a number there is a place in a list
			}
			if label := strings.NewReplacer(fsi, "", pdi, "").Replace(b.Text); strings.Trim(label, "0123456789.,–: \u00a0\u202f") == "" {
				wrong = append(wrong, "a button says "+label)
			}
		}
		return wrong
	})
	p, _ := printers(t).For("ar")
	var days []string
	for _, b := range p.Alerts().Alert(store.DaysLeft, store.Threshold{}, screen.NoProblem).Keyboard[0] {
		days = append(days, strings.NewReplacer(fsi, "", pdi, "").Replace(b.Text))
	}
	if want := []string{"يوم", "يومان", "3 أيام", "7 أيام"}; !slices.Equal(days, want) {
		t.Errorf("the buttons say %q, want %q", days, want)
	}
}

// TestOnePlayerIsNotToppedUpAHundredTimes: the numbers that are offered are those that are wanted.
func TestOnePlayerIsNotToppedUpAHundredTimes(t *testing.T) {
	p, _ := printers(t).For("en")
	offered := func(product api.Product) (all []int64) {
		for _, b := range slices.Concat(p.Catalogue().Quantity(product, uc(), room(500), 0, screen.NoProblem).Keyboard...) {
			if a, _ := screen.ParseAction(b.Data); a.Verb == screen.VerbQuantity {
				all = append(all, a.Int(0))
			}
		}
		return all
	}
	if got := offered(api.Product{Name: "Card"}); slices.Max(got) != 100 {
		t.Errorf("of a card there are %d", got)
	}
	for _, product := range []api.Product{{Name: "Game", RequiresInput: true}, {Name: "Game", Inputs: []api.Input{{Index: "0"}}}} {
		if got := offered(product); slices.Max(got) != 5 {
			t.Errorf("for a player there are %d", got)
		}
	}
}

// TestKnownLabelsAreTranslated: the service calls its inputs by English names. Others are shown as they came.
func TestKnownLabelsAreTranslated(t *testing.T) {
	for label, want := range map[string]string{"Player ID": "معرّف اللاعب (ID)", " PLAYER  id": "معرّف اللاعب (ID)", "Region": "المنطقة", "Zone 51": "Zone 51"} {
		p, _ := printers(t).For("ar")
		asked := p.Catalogue().Ask(pubg(), uc(), api.Input{Index: "0", Label: label}, 1, 1, nil, screen.NoProblem)
		answered := p.Catalogue().ReviewInputs(pubg(), uc(), []store.Answer{{Index: "0", Label: label, Value: "512"}}, nil)
		for _, m := range []screen.Message{asked, answered} {
			if !strings.Contains(m.HTML, want) || want != label && strings.Contains(m.HTML, strings.TrimSpace(label)) {
				t.Errorf("%q is asked for as %q", label, m.HTML)
			}
		}
	}
}

// TestToppedUpSaysWhat: the account of a player, or a number.
func TestToppedUpSaysWhat(t *testing.T) {
	p, _ := printers(t).For("ar")
	pu := with(bought(store.Settled, 1), topup(player()))
	orders := []store.Order{{State: store.Completed, Unit: 1}}
	for family, want := range map[api.Family]string{api.Arena: "تم شحن حساب اللاعب", api.Goods: "تم شحن حساب اللاعب", api.Internet: "تم شحن الرقم"} {
		pu.Family = string(family)
		for _, m := range []screen.Message{p.Purchases().Status(pu, orders, screen.BalanceView{}, store.QueuePlace{}), p.Codes().Ping(pu, orders)} {
			if !strings.Contains(m.HTML, want) {
				t.Errorf("%s: %q", family, m.HTML)
			}
		}
	}
}

// TestChangesNameTheirUnits: as many as the amount of a change is for, and none where it does not tell how many.
func TestChangesNameTheirUnits(t *testing.T) {
	charged := dzd.Int(300)
	p, _ := printers(t).For("en")
	for name, c := range map[string]struct {
		kind    store.MovementKind
		amount  int64
		charged *dzd.Amount
		want    string
	}{
		"all of them":                  {store.Bought, -300, nil, "× 3"},
		"two of three":                 {store.Bought, -200, nil, "× 2"},
		"the refund of one":            {store.Refunded, 100, nil, "× 1"},
		"a correction is of all":       {store.Corrected, -100, nil, "× 3"},
		"another price":                {store.Bought, -250, nil, ""},
		"a refund of what was charged": {store.Refunded, 200, &charged, ""},
	} {
		of := store.Purchase{Product: "Play Card", Variant: "5 USD", Quantity: 3, Price: dzd.Int(100), Total: dzd.Int(300), Charged: c.charged}
		moved := screen.Moved{Movement: store.Movement{Kind: c.kind, Amount: dzd.Int(c.amount), At: noon()}, Of: &of}
		text := p.Account().Movements([]screen.Moved{moved}, screen.Unlisted{}).HTML
		text = strings.NewReplacer(fsi, "", pdi, "").Replace(text)
		if !strings.Contains(text, "Play Card") || !strings.Contains(text, c.want) || c.want == "" && strings.Contains(text, "×") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
