package search_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/search"
)

// brands are names as shops have them, each with how it is written in Arabic.
func brands() [][2]string {
	return [][2]string{
		{"PUBG Mobile", "ببجي موبايل"}, {"Free Fire", "فري فاير"}, {"Netflix", "نتفليكس"}, {"PlayStation", "بلايستيشن"}, {"Google Play", "جوجل بلاي"},
		{"Steam", "ستيم"}, {"Roblox", "روبلوكس"}, {"Fortnite", "فورتنايت"}, {"Spotify", "سبوتيفاي"}, {"Amazon", "امازون"}, {"Valorant", "فالورانت"},
		{"Razer Gold", "ريزر جولد"}, {"Binance", "بينانس"}, {"Tinder", "تندر"}, {"Minecraft", "ماينكرافت"}, {"Discord Nitro", "ديسكورد نيترو"},
		{"Genshin Impact", "جينشين امباكت"}, {"Brawl Stars", "براول ستارز"}, {"Clash Royale", "كلاش رويال"}, {"Mobile Legends", "موبايل ليجندز"},
	}
}

// misspelt is a text with a letter of its longest word changed, left out, doubled or swapped with the next.
func misspelt(text string, random *rand.Rand) string {
	letters := []rune(text)
	begin, end := 0, 0
	for i := 0; i < len(letters); {
		j := i
		for j < len(letters) && letters[j] != ' ' {
			j++
		}
		if j-i > end-begin {
			begin, end = i, j
		}
		i = j + 1
	}
	i := begin + 1 + random.IntN(end-begin-2)
	switch random.IntN(4) {
	case 0:
		return string(slices.Delete(slices.Clone(letters), i, i+1))
	case 1:
		return string(slices.Insert(slices.Clone(letters), i, letters[i]))
	case 2:
		letters[i], letters[i+1] = letters[i+1], letters[i]
		return string(letters)
	}
	letters[i] = 'e'
	if letters[begin] >= 0x80 {
		letters[i] = 'ي'
	}
	return string(letters)
}

// TestMisspelt: of 2,000 queries in three languages with a wrong letter, in a catalogue of 5,000 products, nine of ten have
// what was meant as their first hit. How long they take is told, and held by the benchmark.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	all := catalogue()
	names := brands()
	for i, b := range names {
		all[i*200] = api.Product{ID: int64(i * 200), Name: b[0], Variants: all[i*200].Variants}
	}
	index := search.New(all)
	right := map[string]int{}
	each := 60 // of each language, in an ordinary run
	if os.Getenv("SAMPLES") == "full" {
		each = 667
	}
	var took []time.Duration
	for _, lang := range []string{"en", "fr", "ar"} {
		for range each {
			i := random.IntN(len(names))
			words := names[i][0]
			if lang == "ar" {
				words = names[i][1]
			}
			words = misspelt(words, random)
			if lang == "fr" {
				words = "carte " + words
			}
			begin := time.Now()
			found := index.Find(words)
			took = append(took, time.Since(begin))
			first := append(slices.Clone(found.Products), found.Near...)
			if len(first) > 0 && first[0].ID == int64(i*200) {
				right[lang]++
			}
		}
	}
	slices.Sort(took)
	t.Logf("right first hits of %d in each language: %v; p50 %v, p99 %v", each, right, took[len(took)/2], took[len(took)*99/100])
	if sum := right["en"] + right["fr"] + right["ar"]; sum < 3*each*9/10 {
		t.Errorf("%d of %d queries have what was meant as their first hit: %v", sum, 3*each, right)
	}
}
