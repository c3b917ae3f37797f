package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// guild sells something for a server, whose options have values that nobody knows them by, and for a guild that need not be
// named.
func guild(h *apptest.Harness) {
	h.Service.AddProduct(sim.ProductSpec{
		ID: 10, Name: "Guild Chest", Kind: "topup", Inputs: []sim.InputSpec{
			{Index: "1", Label: "Player ID", Required: true}, {Index: "2", Label: "Guild"},
			{Index: "3", Label: "Server", Required: true, Options: []string{"3", "4"}, OptionLabels: []string{"Europe", "Asia"}},
		},
		Variants: []sim.VariantSpec{{ID: 101, Name: "1 chest", Price: "500", InStock: 50, Delay: time.Second}, {ID: 102, Name: "2 chests", Price: "900", InStock: 50, Delay: time.Second}},
	})
}

// TestOptionalInputs: what need not be given is skipped, and is neither sent nor shown; options go by their labels, and are
// sent by their values.
func TestOptionalInputs(t *testing.T) {
	t.Parallel()
	labels := map[string][2]string{"en": {"Player ID", "Server"}, "fr": {"ID du joueur", "Serveur"}, "ar": {"معرّف اللاعب", "الخادم"}}
	for lang, skip := range sampletest.SomeNamed(3, map[string]string{"en": "Skip", "fr": "Passer", "ar": "تخطٍّ"}) {
		player, server := labels[lang][0], labels[lang][1]
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				guild(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Guild Chest", "1 chest", "1")
				if asked := h.See(apptest.Sam, player); strings.Contains(keysOf(asked), skip) {
					t.Error("what is required can be skipped")
				}
				h.Say(apptest.Sam, "123456")
				h.See(apptest.Sam, "Guild")
				h.Tap(apptest.Sam, skip)
				asked := h.See(apptest.Sam, server)
				if keys := keysOf(asked); !strings.Contains(keys, "Europe") || strings.Contains(keys, skip) {
					t.Errorf("it is asked with %s", keys)
				}
				h.Tap(apptest.Sam, "Asia")
				summary := apptest.Plain(h.See(apptest.Sam, server).Text)
				if !strings.Contains(summary, "Asia") || strings.Contains(summary, "Guild:") {
					t.Errorf("the summary is %s", summary)
				}
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Minute)
				bought := h.Happened(1)[0]
				if bought.Inputs["1"] != "123456" || bought.Inputs["2"] != "" || bought.Inputs["3"] != "4" {
					t.Errorf("bought with %v", bought.Inputs)
				}

				h.Order(apptest.Sam, "Guild Chest", "2 chests", "1") // the same in words, with the guild
				h.Say(apptest.Sam, "123456")
				h.Say(apptest.Sam, "Falcons")
				h.Say(apptest.Sam, "europe")
				h.See(apptest.Sam, "Falcons")
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Minute)
				if bought := h.Happened(2)[1]; bought.Inputs["2"] != "Falcons" || bought.Inputs["3"] != "3" {
					t.Errorf("bought with %v", bought.Inputs)
				}
			})
		})
	}
}

// keysOf is what stands on a message's buttons.
func keysOf(m tgsim.Message) string {
	var all []string
	for _, row := range m.Keyboard {
		for _, b := range row {
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, " | ")
}
