package search_test

import (
	"fmt"
	"slices"
	"testing"

	"resellerbot/internal/search"
)

// TestVariants: the variants that words may mean, and none where they may mean too many.
func TestVariants(t *testing.T) {
	t.Parallel()
	index := search.New(shop())
	for words, want := range map[string][]string{
		"pc5":           {"Play Card 5 USD"},
		"pc 10":         {"Play Card 10 USD"},
		"ff100":         {"Free Fire 100 diamonds"},
		"pubg 60":       {"PUBG Mobile 60 UC"},
		"ببجي ٦٠":       {"PUBG Mobile 60 UC"},
		"pubg":          {"PUBG Mobile 60 UC", "PUBG Mobile 325 UC"},
		"10 usd":        {"Play Card 10 USD", "PSN 10 USD"},
		"play card usd": {"Play Card 5 USD", "Play Card 10 USD", "Play Card 100 USD"},
		"nowhere":       nil,
		"":              nil,
	} {
		var got []string
		for _, m := range index.Variants(words, 4) {
			got = append(got, fmt.Sprint(m.Product.Name, " ", m.Variant.Name))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q may mean %q, want %q", words, got, want)
		}
	}
	if got := index.Variants("usd", 4); got != nil {
		t.Errorf("one of %d is meant by a word that all have", len(got))
	}
}
