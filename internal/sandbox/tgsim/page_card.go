package tgsim

import (
	"encoding/json"
	"fmt"
	"strings"
)

// card is what a message carries that is neither text nor a file, in plain words: the page has no drawing of
// its own for it.
func card(content map[string]any) string {
	if len(content) == 0 {
		return ""
	}
	var c struct {
		Contact *struct {
			Phone string `json:"phone_number"`
			First string `json:"first_name"`
			Last  string `json:"last_name"`
		} `json:"contact"`
		Venue *struct {
			Title   string `json:"title"`
			Address string `json:"address"`
		} `json:"venue"`
		Location *struct {
			Latitude  float64 `json:"latitude"`
			Longitude float64 `json:"longitude"`
		} `json:"location"`
		Dice *struct {
			Emoji string `json:"emoji"`
			Value int    `json:"value"`
		} `json:"dice"`
		Poll *struct {
			Question string `json:"question"`
			Options  []struct {
				Text   string `json:"text"`
				Voters int    `json:"voter_count"`
			} `json:"options"`
		} `json:"poll"`
		Invoice *struct {
			Title       string `json:"title"`
			Description string `json:"description"`
			Currency    string `json:"currency"`
			Total       int    `json:"total_amount"`
		} `json:"invoice"`
	}
	if json.Unmarshal(marshal(content), &c) != nil {
		return "…"
	}
	switch {
	case c.Contact != nil:
		return strings.Join(strings.Fields("👤 "+c.Contact.First+" "+c.Contact.Last), " ") + "\n" + c.Contact.Phone
	case c.Venue != nil:
		return "📍 " + c.Venue.Title + "\n" + c.Venue.Address
	case c.Location != nil:
		return fmt.Sprintf("📍 %.5f, %.5f", c.Location.Latitude, c.Location.Longitude)
	case c.Dice != nil:
		return fmt.Sprintf("%s %d", c.Dice.Emoji, c.Dice.Value)
	case c.Poll != nil:
		lines := []string{"📊 " + c.Poll.Question}
		for _, o := range c.Poll.Options {
			lines = append(lines, fmt.Sprintf("○ %s · %d", o.Text, o.Voters))
		}
		return strings.Join(lines, "\n")
	case c.Invoice != nil:
		return fmt.Sprintf("🧾 %s\n%s\n%d %s", c.Invoice.Title, c.Invoice.Description, c.Invoice.Total, c.Invoice.Currency)
	}
	return "…"
}

// reactionCounts is what people made of a message: each emoji with how many chose it.
func reactionCounts(m *Message) map[string]int {
	counts := map[string]int{}
	for _, all := range m.Reactions {
		for _, r := range all {
			counts[string(r)]++
		}
	}
	return counts
}
