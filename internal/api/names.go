package api

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Names is what the service itself uses where its document has neutral words: in paths, and in the names of products.
// The zero value is the document's own words.
type Names struct {
	// Arena, BattleRoyale and SportsTV are the words in paths; the document's own where they are empty.
	Arena, BattleRoyale, SportsTV string
	// BattleRoyaleProducts, SportsTVProducts and InternetProducts are the products of the catalogue that belong to a
	// family; those that its word names where they are empty.
	BattleRoyaleProducts, SportsTVProducts, InternetProducts Selection
	// TopupProducts are credited to somebody, and bring no code, beside those that the service itself calls so.
	TopupProducts Selection
}

// Complete is the names with what is empty filled in.
func (n Names) Complete() Names {
	for _, word := range []struct {
		segment *string
		family  Family
	}{{&n.Arena, Arena}, {&n.BattleRoyale, BattleRoyale}, {&n.SportsTV, SportsTV}} {
		if *word.segment == "" {
			*word.segment = string(word.family)
		}
	}
	for _, of := range []struct {
		products *Selection
		word     string
	}{{&n.BattleRoyaleProducts, n.BattleRoyale}, {&n.SportsTVProducts, n.SportsTV}, {&n.InternetProducts, string(Internet)}} {
		if of.products.Empty() {
			*of.products = Selection{entries: []entry{{words: wordsOf(of.word)}}}
		}
	}
	return n
}

// catalogued are the families whose products are in the catalogue.
func catalogued() []Family { return []Family{BattleRoyale, SportsTV, Internet} }

// Clash finds an entry of a family's products that another family, earlier in the order battleroyale, sportstv, internet,
// has too: whatever the one matches, the other does. entry and others count from 1; other is Goods where there is none.
func (n Names) Clash(f Family) (other Family, entry, others int) {
	n = n.Complete()
	for _, o := range catalogued() {
		if o == f {
			break
		}
		if i, j := n.products(f).overlap(n.products(o)); i > 0 {
			return o, i, j
		}
	}
	return Goods, 0, 0
}

// Title is what people call a family, by its word in paths; "" where that is the document's own.
func (n Names) Title(f Family) string {
	segment := map[Family]string{Arena: n.Arena, BattleRoyale: n.BattleRoyale, SportsTV: n.SportsTV}[f]
	if segment == "" || segment == string(f) {
		return ""
	}
	words := strings.FieldsFunc(segment, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:] // a segment is ASCII
	}
	return strings.Join(words, " ")
}

// products is what of the catalogue belongs to a family.
func (n Names) products(f Family) Selection {
	switch f {
	case BattleRoyale:
		return n.BattleRoyaleProducts
	case SportsTV:
		return n.SportsTVProducts
	case Internet:
		return n.InternetProducts
	}
	return Selection{}
}

// path is a path of the document as the service has it.
func (n Names) path(path string) string {
	for word, segment := range map[Family]string{Arena: n.Arena, BattleRoyale: n.BattleRoyale, SportsTV: n.SportsTV} {
		if rest, ok := strings.CutPrefix(path, "/"+string(word)+"/"); ok && segment != "" {
			return "/" + segment + "/" + rest
		}
	}
	return path
}

// familyOf tells a product's family. The catalogue has no field for it (reseller-api.md: not shown), so the kind and then
// the id or the name decide. Where several families have the product, an id goes before words, and more of the name before
// less.
func (n Names) familyOf(id int64, kind, name string) Family {
	for _, text := range [...]string{kind, name} {
		if list := n.families(id, text); len(list) > 0 {
			return list[0]
		}
		id = 0 // it has no say against a kind, and has had it without one
	}
	return Goods
}

// families lists the families that have a product, the one first to which it belongs.
func (n Names) families(id int64, name string) []Family {
	list := slices.DeleteFunc(catalogued(), func(f Family) bool { return n.products(f).fit(id, name) == 0 })
	slices.SortStableFunc(list, func(a, b Family) int { return n.products(b).fit(id, name) - n.products(a).fit(id, name) })
	return list
}

// Selection picks products of the catalogue, by their ids or by words of their names.
type Selection struct{ entries []entry }

// entry is an id, or words that stand side by side in a name.
type entry struct {
	id    int64
	words []string
}

// fits of an entry; a word fits by its letters.
// More than a name has letters: an id goes before words.
const fitOfID = 1 << 20

// ParseSelection reads ids and words, comma-separated. Its error says which entry is wrong, and does not quote it.
func ParseSelection(text string) (s Selection, err error) {
	for i, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		e := entry{words: wordsOf(part)}
		if strings.Trim(part, "0123456789") == "" {
			id, err := strconv.ParseInt(part, 10, 64)
			e = entry{id: id}
			if err != nil {
				e.id = 0
			}
		}
		if e.id == 0 && len(e.words) == 0 {
			return Selection{}, errors.New("has neither an id nor a word as entry " + strconv.Itoa(i+1))
		}
		s.entries = append(s.entries, e)
	}
	return s, nil
}

// Empty reports whether nothing is picked.
func (s Selection) Empty() bool { return len(s.entries) == 0 }

// Has reports whether a product is picked.
func (s Selection) Has(id int64, name string) bool { return s.fit(id, name) > 0 }

// fit is how well the best entry fits a product; 0 where none does.
func (s Selection) fit(id int64, name string) (best int) {
	words := wordsOf(name)
	for _, e := range s.entries {
		best = max(best, e.fit(id, words))
	}
	return best
}

func (e entry) fit(id int64, words []string) int {
	switch {
	case e.id > 0 && e.id == id:
		return fitOfID
	case e.id > 0:
		return 0
	}
	wanted := strings.Join(e.words, "")
	for i := range words {
		// Words are joined before they are compared: "battle royale" picks "BattleRoyale 100" too, and "royale" does not.
		for run, j := "", i; j < len(words) && len(run) < len(wanted); j++ {
			if run += words[j]; run == wanted {
				return len(wanted)
			}
		}
	}
	return 0
}

// overlap finds two entries, counted from 1, of which one picks whatever the other does.
func (s Selection) overlap(o Selection) (ours, theirs int) {
	for i, a := range s.entries {
		for j, b := range o.entries {
			if a.id > 0 && a.id == b.id || a.words != nil && a.fit(0, b.words)+b.fit(0, a.words) > 0 {
				return i + 1, j + 1
			}
		}
	}
	return 0, 0
}

// wordsOf is a text in lower case, parted into runs of letters and runs of digits: people write "4G" and "4 G".
func wordsOf(text string) (words []string) {
	const tatweel = 'ـ' // it only makes a word longer
	last := 0
	for _, r := range strings.ToLower(text) {
		kind := 0
		switch {
		case unicode.IsMark(r), r == tatweel:
			continue
		case unicode.IsLetter(r):
			kind = 1
		case unicode.IsDigit(r):
			kind = 2
		}
		switch kind {
		case 0:
		case last:
			words[len(words)-1] += string(r)
		default:
			words = append(words, string(r))
		}
		last = kind
	}
	return words
}
