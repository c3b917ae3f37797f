package conversations

import (
	"testing"

	"resellerbot/internal/api"
)

func TestMatchIgnoresAccentsAndCase(t *testing.T) {
	all := []api.Product{
		{ID: 1, Name: "Carte Cadeau Élysée"},
		{ID: 2, Name: "بطاقة الألعاب", Variants: []api.Variant{{Name: "١٠٠ جوهرة"}}},
		{ID: 3, Name: "Play Card", Variants: []api.Variant{{Name: "10 USD"}, {Name: "25 USD"}}},
		{ID: 4, Name: "Cœur de jeu"},
	}
	for words, want := range map[string][]int64{
		"":              {1, 2, 3, 4},
		"  ":            {1, 2, 3, 4},
		"elysee":        {1},
		"ÉLYSÉE carte":  {1},
		"بطاقه الالعاب": {2},
		"بِطَاقَة":      {2},
		"100":           {2},
		"١٠٠":           {2},
		"usd 25 play":   {3},
		"coeur":         {4},
		"car":           {1, 3},
		"absent":        nil,
		"play absent":   nil,
	} {
		var got []int64
		for _, p := range match(all, words) {
			got = append(got, p.ID)
		}
		if len(got) != len(want) {
			t.Errorf("match(%q) = %v, want %v", words, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("match(%q) = %v, want %v", words, got, want)
			}
		}
	}
}
