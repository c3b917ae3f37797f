package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"resellerbot/internal/api"
	"resellerbot/internal/search"
)

// shop is a catalogue as shops have one.
func shop() []api.Product {
	variants := func(names ...string) (all []api.Variant) {
		for i, name := range names {
			all = append(all, api.Variant{ID: int64(i + 1), Name: name})
		}
		return all
	}
	return []api.Product{
		{ID: 1, Name: "Carte Cadeau Élysée"},
		{ID: 2, Name: "بطاقة الألعاب", Variants: variants("١٠٠ جوهرة")},
		{ID: 3, Name: "Play Card", Variants: variants("5 USD", "10 USD", "100 USD")},
		{ID: 4, Name: "Cœur de jeu"},
		{ID: 5, Name: "PSN", Variants: variants("10 USD", "25 USD")},
		{ID: 6, Name: "Free Fire", Variants: variants("100 diamonds", "310 diamonds")},
		{ID: 7, Name: "PUBG Mobile", Variants: variants("60 UC", "325 UC")},
		{ID: 8, Name: "Netflix", Variants: variants("1 month", "3 months")},
		{ID: 9, Name: "Google Play", Variants: variants("10 EUR")},
		{ID: 10, Name: "IPTV Sport", Variants: variants("12 mois")},
	}
}

// TestFind: words are found as people type them.
func TestFind(t *testing.T) {
	index := search.New(shop())
	for words, want := range map[string][]int64{
		"":                  {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
		"elysee":            {1},
		"ÉLYSÉE carte":      {1},
		"بطاقه الالعاب":     {2},
		"بِطَاقَة":          {1, 2, 3},
		"١٠٠":               {2, 3, 6},
		"usd 10 play":       {3, 5}, // PlayStation begins with it
		"coeur":             {4},
		"playcard":          {3},
		"ply card":          {3},
		"play crad":         {3},
		"بلاي كارد":         {3},
		"psn 10":            {5},
		"playstation":       {5},
		"plstation":         {5},
		"freefire":          {6},
		"free fier":         {6},
		"ff 100":            {6},
		"فري فاير":          {6},
		"pubg":              {7},
		"pugb":              {7},
		"ببجي":              {7},
		"netflx":            {8},
		"نتفليكس":           {8},
		"نتفليكس شهر":       {8},
		"جوجل بلاي":         {9},
		"google":            {9},
		"iptv 12 months":    {10},
		"abonnement absent": nil,
		"1000 usd":          nil,
	} {
		if got := ids(index.Find(words).Products); !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v", words, got, want)
		}
	}
}

// TestFindVariant: words that only one variant holds find it.
func TestFindVariant(t *testing.T) {
	index := search.New(shop())
	for words, want := range map[string]string{"psn 10": "10 USD", "play card 10$": "10 USD", "pubg 325": "325 UC", "netflix 3 mois": "3 months", "فري فاير 310": "310 diamonds", "فري فاير 310 الماس": "310 diamonds"} {
		if v := index.Find(words).Variant; v == nil || v.Name != want {
			t.Errorf("%q finds %v, want %s", words, v, want)
		}
	}
	for _, words := range []string{"psn", "play card usd", "10 usd", "netflix"} {
		if v := index.Find(words).Variant; v != nil {
			t.Errorf("%q finds %s alone", words, v.Name)
		}
	}
}

// TestNear: where nothing holds all words, the nearest are offered, three at most, and nothing that holds none.
func TestNear(t *testing.T) {
	index := search.New(shop())
	for words, want := range map[string][]int64{"netflix 7 days": {8}, "zzzzzz": nil, "999": nil, "card nowhere": {1, 2, 3}} {
		if got := ids(index.Find(words).Near); !slices.Equal(got, want) {
			t.Errorf("near %q are %v, want %v", words, got, want)
		}
	}
}

// TestNearANameThatIsAlsoTwoWords: what one product has in two words and another in one is offered as a word.
func TestNearANameThatIsAlsoTwoWords(t *testing.T) {
	t.Parallel()
	index := search.New([]api.Product{{ID: 1, Name: "Free Fire"}, {ID: 2, Name: "Freefire"}})
	if got := ids(index.Find("fraafaro").Near); !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("near are %v", got)
	}
}

func ids(all []api.Product) (ids []int64) {
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	return ids
}

// catalogue is 5,000 products with five variants each, of some thousand words.
func catalogue() []api.Product {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := []byte("abcdefghijklmnoprstuvz")
		w := make([]byte, 3+random.IntN(7))
		for i := range w {
			w[i] = letters[random.IntN(len(letters))]
		}
		return string(w)
	}
	words := make([]string, 3000)
	for i := range words {
		words[i] = word()
	}
	pick := func() string { return words[random.IntN(len(words))] }
	all := make([]api.Product, 5000)
	for i := range all {
		all[i] = api.Product{ID: int64(i), Name: pick() + " " + pick() + " " + pick()}
		for range 5 {
			all[i].Variants = append(all[i].Variants, api.Variant{Name: fmt.Sprintf("%d %s", random.IntN(500), pick())})
		}
	}
	return all
}

func BenchmarkFind(b *testing.B) {
	all := catalogue()
	index := search.New(all)
	for name, words := range map[string]string{"as it is": all[77].Name, "a wrong letter": all[77].Name[:5] + "x" + all[77].Name[6:], "a miss": "qqqqqq wwwwwww"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				index.Find(words)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	all := catalogue()
	for b.Loop() {
		search.New(all)
	}
}

// FuzzFind: whatever is typed, a search ends, and finds what is in the catalogue.
func FuzzFind(f *testing.F) {
	f.Add("play card", "10 USD")
	f.Fuzz(func(t *testing.T, name, words string) {
		all := []api.Product{{ID: 1, Name: name, Variants: []api.Variant{{Name: words}}}}
		if len(search.New(all).Find(name).Products) != 1 {
			t.Errorf("%q is not found by its own name", name)
		}
		search.New(all).Find(words + " " + name)
	})
}
