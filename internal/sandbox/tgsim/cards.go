package tgsim

import "strings"

// sendContact sends somebody's phone number.
func sendContact(s *Server, p params) (any, *failure) {
	for _, name := range []string{"phone_number", "first_name"} {
		if !p.has(name) {
			return nil, badRequest("parameter \"" + name + "\" is required")
		}
	}
	contact := object{"phone_number": p.text("phone_number"), "first_name": p.text("first_name")}
	contact.add("last_name", p.text("last_name"))
	contact.add("vcard", p.text("vcard"))
	return s.letters.postCard(p, "contact", contact)
}

// postCard posts what is neither text nor a file.
func (s letters) postCard(p params, name string, card any) (any, *failure) {
	l, no := s.enclose(p)
	if no != nil {
		return nil, no
	}
	return s.post(l, p, &Message{Content: map[string]any{name: card}})
}

func sendLocation(s *Server, p params) (any, *failure) {
	place, no := p.location()
	if no != nil {
		return nil, no
	}
	if period := p.int("live_period"); period > 0 {
		place["live_period"] = period
	}
	return s.letters.postCard(p, "location", place)
}

// location reads a place on the earth.
func (p params) location() (object, *failure) {
	place := object{}
	for _, name := range []string{"latitude", "longitude"} {
		if strings.TrimSpace(p.text(name)) == "" {
			return nil, badRequest(name + " is empty")
		}
		place[name] = p.float(name)
	}
	if accuracy := p.float("horizontal_accuracy"); accuracy > 0 {
		place["horizontal_accuracy"] = min(accuracy, 1500)
	}
	return place, nil
}

func sendVenue(s *Server, p params) (any, *failure) {
	place, no := p.location()
	switch {
	case no != nil:
		return nil, no
	case !p.has("title"):
		return nil, badRequest("VENUE_TITLE_EMPTY")
	case !p.has("address"):
		return nil, badRequest("VENUE_ADDRESS_EMPTY")
	}
	venue := object{"location": place, "title": p.text("title"), "address": p.text("address")}
	for _, name := range []string{"foursquare_id", "foursquare_type", "google_place_id", "google_place_type"} {
		venue.add(name, p.text(name))
	}
	l, no := s.letters.enclose(p)
	if no != nil {
		return nil, no
	}
	return s.letters.post(l, p, &Message{Content: map[string]any{"venue": venue, "location": place}})
}

// dice are the emoji that roll, with how many faces each has.
func dice() map[string]int {
	return map[string]int{"🎲": 6, "🎯": 6, "🎳": 6, "🏀": 5, "⚽": 5, "🎰": 64}
}

func sendDice(s *Server, p params) (any, *failure) {
	emoji := "🎲"
	if p.has("emoji") {
		emoji = p.text("emoji")
	}
	faces, ok := dice()[emoji]
	if !ok {
		return nil, badRequest("EMOTICON_INVALID")
	}
	s.rolls++
	return s.letters.postCard(p, "dice", object{"emoji": emoji, "value": 1 + 7*s.rolls%faces}) // chance that repeats
}
