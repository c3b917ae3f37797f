package tgsim

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf16"
)

// Entity marks a part of a text, in UTF-16 units.
type Entity struct {
	Type        string `json:"type"`
	Offset      int    `json:"offset"`
	Length      int    `json:"length"`
	URL         string `json:"url,omitempty"`
	User        *User  `json:"user,omitempty"`
	Language    string `json:"language,omitempty"`
	CustomEmoji string `json:"custom_emoji_id,omitempty"`
	Unix        int64  `json:"unix_time,omitempty"`
	Format      string `json:"date_time_format,omitempty"`

	language string // of a code tag, while its pre is not known
}

// Slice is the part of a text that an entity marks.
func Slice(text string, offset, length int) string {
	u := utf16.Encode([]rune(text))
	if offset < 0 || length < 0 || offset+length > len(u) {
		return ""
	}
	return string(utf16.Decode(u[offset : offset+length]))
}

// units is how long a text is in UTF-16.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// priority orders entities that mark the same text, by Telegram's order; negative for no entity at all.
func priority(kind string) int {
	switch kind {
	case "blockquote", "expandable_blockquote":
		return 0
	case "pre":
		return 11
	case "code":
		return 20
	case "date_time":
		return 30
	case "text_link", "text_mention":
		return 49
	case "mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number":
		return found
	case "custom_emoji":
		return 99
	}
	if i := slices.Index(styles, kind); i >= 0 {
		return 90 + i
	}
	return -1
}

// found is the priority of what Telegram finds in a text itself.
const found = 50

// styles are the entities that may cross, and are split for it.
var styles = []string{"bold", "italic", "underline", "strikethrough", "spoiler"}

func (e Entity) isStyle() bool { return slices.Contains(styles, e.Type) }
func (e Entity) isQuote() bool { return priority(e.Type) == 0 }

// isSolid reports whether nothing, not even a style, can be inside an entity.
func (e Entity) isSolid() bool { return slices.Contains([]string{"pre", "code", "date_time"}, e.Type) }

// isWhole reports whether an entity is one of those that do not hold each other: links and what is like them.
func (e Entity) isWhole() bool { return !e.isStyle() && !e.isQuote() && !e.isSolid() }

// end is where an entity ends.
func (e Entity) end() int { return e.Offset + e.Length }

func order(entities []Entity) {
	slices.SortStableFunc(entities, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length), cmp.Compare(priority(a.Type), priority(b.Type)))
	})
}

// arrange sorts entities and puts right what cannot be as it is, as TDLib does (fix_entities): of links and the like that
// overlap the first stays, and styles are split where they cross anything. What is right already is left alone: styles that
// touch are one only where something else had to be put right as well.
func arrange(entities []Entity) []Entity {
	for i := range entities {
		entities[i].language = ""
	}
	order(entities)
	if arranged(entities) {
		return entities
	}
	runs, quotes, others := partition(entities)
	quotes, others = disjoint(quotes), disjoint(others)
	return resplit(runs, append(uncut(others, quotes), quotes...))
}

// partition tells styles, quotes and all others apart.
func partition(entities []Entity) (runs, quotes, others []Entity) {
	for _, e := range entities {
		switch {
		case e.isStyle():
			runs = append(runs, e)
		case e.isQuote():
			quotes = append(quotes, e)
		default:
			others = append(others, e)
		}
	}
	return runs, quotes, others
}

// arranged reports whether entities, in order, are as Telegram has them.
func arranged(entities []Entity) bool {
	var open []Entity // that hold the next one
	ends := map[string]int{}
	for _, e := range entities {
		open = slices.DeleteFunc(open, func(o Entity) bool { return e.Offset >= o.end() })
		if len(open) > 0 && (e.end() > open[len(open)-1].end() || !e.fitsInto(open)) {
			return false
		}
		if end, before := ends[e.Type]; e.isStyle() {
			if before && end >= e.Offset {
				return false // they could be one
			}
			ends[e.Type] = e.end()
		}
		open = append(open, e)
	}
	return true
}

// fitsInto reports whether an entity may be inside others, of which each holds the next.
func (e Entity) fitsInto(open []Entity) bool {
	for i, o := range open {
		inner := i == len(open)-1
		switch {
		case o.Type == e.Type, o.isStyle(), inner && o.isSolid():
			return false
		case e.isSolid() && !o.isQuote(), e.isQuote() && o.isQuote(), (e.isWhole() || e.isQuote()) && o.isWhole():
			return false
		}
	}
	return true
}

// disjoint leaves of entities, in order, those that do not overlap one before them.
func disjoint(entities []Entity) []Entity {
	end := 0
	return slices.DeleteFunc(entities, func(e Entity) bool {
		if e.Offset < end {
			return true
		}
		end = e.end()
		return false
	})
}

// uncut leaves of entities those that no quote cuts in two.
func uncut(entities, quotes []Entity) []Entity {
	return slices.DeleteFunc(entities, func(e Entity) bool {
		return slices.ContainsFunc(quotes, func(q Entity) bool {
			overlap := q.Offset < e.end() && e.Offset < q.end()
			return overlap && (q.end() < e.end() || e.Offset < q.Offset)
		})
	})
}

// resplit adds styles to entities that do not cross each other.
func resplit(runs, others []Entity) []Entity {
	order(others)
	all := slices.Concat(others, split(runs, others))
	order(all)
	return all
}

// splitter cuts styles wherever another entity begins or ends.
type splitter struct {
	runs       []Entity // that are still to come, in order
	begin, end map[string]int
	out        []Entity
}

// split cuts styles at the edges of other entities, and of each other; within what is solid there are none.
func split(runs, others []Entity) []Entity {
	s := splitter{runs: runs, begin: map[string]int{}, end: map[string]int{}}
	var open []Entity
	pass := func(offset int) {
		for len(open) > 0 && offset >= open[len(open)-1].end() {
			last, kept := open[len(open)-1], len(s.out)
			if s.upTo(last.end()); last.isSolid() {
				s.out = s.out[:kept]
			}
			open = open[:len(open)-1]
		}
		s.upTo(offset)
	}
	for _, o := range others {
		pass(o.Offset)
		open = append(open, o)
	}
	pass(math.MaxInt)
	return s.out
}

// upTo puts out what there is before a place.
func (s *splitter) upTo(place int) {
	for len(s.runs) > 0 && s.runs[0].Offset < place {
		e := s.runs[0]
		s.runs = s.runs[1:]
		if end, on := s.end[e.Type]; on && e.Offset <= end {
			s.end[e.Type] = max(end, e.end())
			continue
		}
		s.flush(e.Offset)
		s.begin[e.Type], s.end[e.Type] = e.Offset, e.end()
	}
	s.flush(place)
}

// flush ends all styles at a place; those that reach further go on behind it.
func (s *splitter) flush(place int) {
	for _, style := range styles {
		end, on := s.end[style]
		if !on || s.begin[style] >= place {
			continue
		}
		s.out = append(s.out, Entity{Type: style, Offset: s.begin[style], Length: min(end, place) - s.begin[style]})
		s.begin[style] = place
		if end <= place {
			delete(s.end, style)
		}
	}
}

// detect adds to the entities of a text those that Telegram finds in it. Where they cut styles, those are split.
func detect(text string, entities []Entity) []Entity {
	fresh := find(text)
	if len(fresh) == 0 {
		return entities
	}
	runs, quotes, others := partition(entities)
	fresh = slices.DeleteFunc(uncut(fresh, quotes), func(e Entity) bool {
		return slices.ContainsFunc(others, func(o Entity) bool { return o.Offset < e.end() && e.Offset < o.end() })
	})
	return resplit(runs, slices.Concat(others, fresh, quotes))
}
