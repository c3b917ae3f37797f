//go:build defects

package proof

// textDefects are mistakes in how screens are laid out and what they call things.
func textDefects() []defect {
	const read = "what is on a screen is read as it is meant"
	return []defect{
		{
			name:   "rows begin on the left in Arabic too",
			file:   "internal/screen/message.go",
			old:    `		slices.Reverse(rows[i])`,
			new:    `		_ = i`,
			breaks: "the way back stands where the way on is read",
			holds:  read,
			by:     "./internal/screen -run TestRows",
		},
		{
			name:   "a name in Arabic turns an English screen round",
			file:   "internal/screen/message.go",
			old:    `if isolates == 0 && unicode.Is(unicode.Arabic, r)`,
			new:    `if unicode.Is(unicode.Arabic, r)`,
			breaks: "buttons change their places with the name of a customer",
			holds:  read,
			by:     "./internal/screen -run TestRows",
		},
		{
			name:   "buttons of alerts are bare numbers",
			file:   "internal/screen/alerts.go",
			old:    `	return p.counted("button.days", n)`,
			new:    `	return isolate(id(n))`,
			breaks: "somebody sets days for units",
			holds:  read,
			by:     "./internal/screen -run TestButtonsSayWhatTheyCount",
		},
		{
			name:   "a player is offered a hundred top-ups",
			file:   "internal/screen/questions.go",
			old:    `	if product.RequiresInput || len(product.Inputs) > 0 {`,
			new:    `	if false {`,
			breaks: "a slip of the thumb tops somebody up a hundred times",
			holds:  read,
			by:     "./internal/screen -run TestOnePlayer",
		},
		{
			name:   "what was yesterday is told in minutes",
			file:   "internal/screen/format.go",
			old:    `ago <= -time.Minute || ago >= time.Hour`,
			new:    `ago <= -time.Minute`,
			breaks: "1440 minutes ago says nothing",
			holds:  read,
			by:     "./internal/screen -run TestSince",
		},
		{
			name:   "what was read for a screen bears its date",
			file:   "internal/screen/format.go",
			old:    `ago <= -time.Minute || ago >= time.Hour`,
			new:    `ago < 0 || ago >= time.Hour`,
			breaks: "a balance that was read just now is told as one of some day",
			holds:  read,
			by:     "./internal/conversations -run TestBalanceIsOfThisMoment",
		},
	}
}
