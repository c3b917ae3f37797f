package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

const interfaceDoc = "../../docs/reseller-api.md"

// documented lists the operations of the interface's tables, "GET /balance current", and what is only
// spoken of below them.
func documented(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(interfaceDoc)
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^\| (GET|POST) \| (/\S+) \|`)
	spoken := regexp.MustCompile(`\((GET|POST) (/\S+)\)`)
	var all []string
	generation := ""
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "### Current"):
			generation = "current"
		case strings.HasPrefix(line, "### Legacy"):
			generation = "legacy"
		case strings.HasPrefix(line, "## "):
			generation = ""
		}
		if m := row.FindStringSubmatch(line); m != nil && generation != "" {
			all = append(all, m[1]+" "+m[2]+" "+generation)
		} else if m := spoken.FindStringSubmatch(line); m != nil && generation != "" {
			all = append(all, m[1]+" "+m[2]+" "+generation)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// annotated lists the operations that the client's methods say they make.
func annotated(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../internal/api/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	note := regexp.MustCompile(`(?m)^//reseller:operation (GET|POST) (\S+) (current|legacy|both)$`)
	var all []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range note.FindAllStringSubmatch(string(text), -1) {
			for _, g := range []string{"current", "legacy"} {
				if m[3] == g || m[3] == "both" {
					all = append(all, m[1]+" "+m[2]+" "+g)
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// simulated lists the operations that the simulator serves.
func simulated() []string {
	var all []string
	for _, op := range sim.Operations() {
		for _, g := range []string{"current", "legacy"} {
			if string(op.Generation) == g || op.Generation == sim.Both {
				all = append(all, op.Method+" "+op.Path+" "+g)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestOperations: the interface's tables, the client and the simulator name the same operations.
func TestOperations(t *testing.T) {
	want := documented(t)
	if len(want) != 28 {
		t.Errorf("the tables hold %d operations, want 15 + 12 and the one that is spoken of", len(want))
	}
	for who, got := range map[string][]string{"the client": annotated(t), "the simulator": simulated()} {
		for _, op := range want {
			if !slices.Contains(got, op) {
				t.Errorf("%s lacks %s", who, op)
			}
		}
		for _, op := range got {
			if !slices.Contains(want, op) {
				t.Errorf("%s has %s, which is not documented", who, op)
			}
		}
	}
}

// TestShapes: what the interface does not show may look in many ways; the bot works with each.
func TestShapes(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for shape := range uint64(12) {
		if !sampletest.Plays(int(shape), 3) {
			continue
		}
		apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both, Shapes: shape + 1}), func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Order(apptest.Sam, "Play Card", "5 USD", "2")
			h.Tap(apptest.Sam, "✅")
			h.Pass(30 * time.Second)
			for _, o := range h.Service.Orders() {
				if !slices.Contains(h.Codes(apptest.Sam), o.Code) {
					t.Errorf("shape %d: a code was not delivered\n%s", shape+1, h.Transcript(apptest.Sam))
				}
			}
			buy := func(product, variant string, inputs ...string) {
				h.Say(apptest.Sam, "/topup")
				h.Tap(apptest.Sam, product)
				h.Tap(apptest.Sam, variant)
				if product != "Arena" {
					h.Tap(apptest.Sam, "1")
				}
				for _, in := range inputs {
					h.Say(apptest.Sam, in)
				}
				if strings.Contains(h.Transcript(apptest.Sam), "go on") {
					h.Tap(apptest.Sam, "go on")
				}
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Minute)
			}
			buy("Arena", "110 gems", "1234567890")
			buy("Battle Royale", "60 coins", "7654321")
			buy("Sports TV", "1 month", "123456789012")
			buy("Hero Crystals", "300 crystals", "654321", "MENA")
			h.Happened(5)
			h.Pass(2 * time.Minute)
			if n := strings.Count(h.Transcript(apptest.Sam), "Topped up") + strings.Count(h.Transcript(apptest.Sam), "🎉 Delivered"); n < 5 {
				t.Errorf("shape %d: %d of 5 purchases came to their end\n%s", shape+1, n, h.Transcript(apptest.Sam))
			}
			h.Say(apptest.Sam, "/orders")
			h.Tap(apptest.Sam, "Supplier history")
			h.Tap(apptest.Sam, "Battle Royale")
			h.See(apptest.Sam, "60 coins")
		})
	}
}
