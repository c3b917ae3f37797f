package app_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// olderFiles is where the databases of earlier programs are: each was written by the program of its time.
var olderFiles = filepath.Join("testdata", "older")

// untilOlder plays what every file of olderFiles has behind it: a code that is here, a purchase that waits for its code,
// and one whose answer was lost.
func untilOlder(h *apptest.Harness) {
	h.Link(apptest.Sam)
	h.Order(apptest.Sam, "Play Card", "5 USD", "1")
	h.Tap(apptest.Sam, "✅")
	h.Pass(time.Minute)
	h.Pass(5 * time.Minute)
	h.Say(apptest.Sam, "/buy")
	h.Tap(apptest.Sam, "▶")
	h.Tap(apptest.Sam, "Slow Card")
	h.Tap(apptest.Sam, "50 USD")
	h.Say(apptest.Sam, "1")
	h.Tap(apptest.Sam, "✅")
	h.Pass(time.Minute)
	h.Say(apptest.Sam, "/topup")
	h.Tap(apptest.Sam, "Arena")
	h.Tap(apptest.Sam, "110 gems")
	h.Say(apptest.Sam, "1234567890")
	h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
	h.Tap(apptest.Sam, "✅")
	h.Pass(900 * time.Millisecond)
	h.Stop()
}

// stockOlder is what that is bought from.
func stockOlder(h *apptest.Harness) {
	apptest.Everything(sim.Options{Mode: sim.Both})(h)
	h.Service.AddProduct(sim.ProductSpec{ID: 911, Name: "Slow Card", Variants: []sim.VariantSpec{{ID: 9111, Name: "50 USD", Price: "700", InStock: 50, Delay: 30 * time.Minute}}})
}

// TestUpgrade: the file of every earlier schema, with a purchase that waits and an uncertain one in it, is taken up by this
// program: nothing is bought again, no code is lost, and nobody is asked what became of it. A file of this
// schema is written where there is none: commit it.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(olderFiles, "*.db.gz"))
	if err != nil || len(names) < 3 {
		t.Fatalf("there are the files %v, %v", names, err)
	}
	newest := filepath.Join(olderFiles, fmt.Sprintf("schema%d.db.gz", store.CurrentSchema()))
	if !slices.Contains(names, newest) {
		t.Run("made", func(t *testing.T) { makeOlder(t, newest) })
		t.Errorf("%s was not there and is written now: commit it", newest)
	}
	for i, name := range names {
		if !sampletest.Plays(i, 8) && name != newest {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, stockOlder, func(h *apptest.Harness) {
				untilOlder(h)
				h.Must(os.Remove(filepath.Join(h.Dir, "data/bot.db.id")))
				h.Must(os.WriteFile(filepath.Join(h.Dir, "data/bot.db"), unpacked(t, name), 0o600))
				h.Start()
				h.Pass(40 * time.Minute)
				h.SeeAny(apptest.Sam, "topped up")
				h.Happened(3)
				if said := h.Transcript(apptest.Sam); strings.Contains(said, "What became of it?") || strings.Contains(h.Log.String(), `"level":"ERROR"`) {
					t.Errorf("somebody was asked, or something failed:\n%s\n%s", said, h.Log)
				}
				h.Stop()
				h.Command("check")
			})
		})
	}
}

// unpacked is what a file of olderFiles holds.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// makeOlder writes the file of this schema.
func makeOlder(t *testing.T, name string) {
	t.Helper()
	apptest.Run(t, stockOlder, func(h *apptest.Harness) {
		untilOlder(h)
		text, err := os.ReadFile(filepath.Join(h.Dir, "data/bot.db"))
		h.Must(err)
		f, err := os.Create(name)
		h.Must(err)
		defer f.Close()
		packed := gzip.NewWriter(f)
		_, err = packed.Write(text)
		h.Must(err)
		h.Must(packed.Close())
	})
}
