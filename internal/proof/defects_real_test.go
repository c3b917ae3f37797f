//go:build defects

package proof

// realDefects are mistakes in meeting a service as it is: with words of its own, without a kind, and with times of a zone that
// nobody names.
func realDefects() []defect {
	const names, known = "internal/api/names.go", "what the service has is known by what was told, or shown"
	return []defect{
		{
			name:   "the document's words stand in paths",
			file:   "internal/api/request.go",
			old:    `s.client.cfg.BaseURL+s.client.cfg.Names.path(path), body)`,
			new:    `s.client.cfg.BaseURL+path, body)`,
			breaks: "no player is checked, and no top-up is there to be bought",
			holds:  known,
			by:     "./internal/api -run TestOwnPaths",
		},
		{
			name:   "a part of a word picks a product",
			file:   names,
			old:    `			if run += words[j]; run == wanted {`,
			new:    `			if run += words[j]; strings.Contains(run, wanted) {`,
			breaks: "a card is taken for a top-up, and its code is not waited for",
			holds:  known,
			by:     "./internal/api -run TestWhichProducts",
		},
		{
			name:   "a product may be of two families",
			file:   names,
			old:    `		if i, j := n.products(f).overlap(n.products(o)); i > 0 {`,
			new:    `		if i, j := n.products(f).overlap(n.products(o)); i < 0 {`,
			breaks: "which endpoint follows an order is left to chance",
			holds:  known,
			by:     "./internal/app -run TestConfigNamesApart",
		},
		{
			name:   "the key id of purchases is not sent",
			file:   "internal/api/money.go",
			old:    `		fields["key_id"] = id`,
			new:    `		_ = id`,
			breaks: "every purchase is refused",
			holds:  known,
			by:     "./internal/api -run TestPurchaseKeyID",
		},
		{
			name:   "what is for somebody needs a code",
			file:   "internal/purchase/outcome.go",
			old:    `	return o.Personal && seen.Claim`,
			new:    `	return o.Topup && seen.Claim`,
			breaks: "a top-up that succeeded is called broken",
			holds:  liveness,
			by:     "./internal/purchase -run TestWhatIsForSomebodyEndsWithoutACode",
		},
		{
			name:   "what is for somebody never brings a code",
			file:   "internal/purchase/outcome.go",
			old:    `seen.Claim != api.HasCode && seen.Instead.IsZero() && at.Sub(o.DoneAt) >= creditedAfter`,
			new:    `at.Sub(o.DoneAt) >= 0`,
			breaks: "a paid code that is a moment late is called a top-up",
			holds:  "what people are told is what is known",
			by:     "./internal/purchase -run TestWhatIsForSomebodyEndsWithoutACode",
		},
		{
			name:   "/topup knows top-ups by their kind alone",
			file:   "internal/conversations/topup.go",
			old:    `return !p.Personal() })`,
			new:    `return !p.Topup() })`,
			breaks: "there is nothing to top up",
			holds:  known,
			by:     "./internal/conversations -run TestNobodyToldTheNames",
		},
		{
			name:   "a time without a zone is of UTC",
			file:   "internal/purchase/lag.go",
			old:    `isDate(o.CreatedAt), o.Zoneless && !list.Clock:`,
			new:    `isDate(o.CreatedAt):`,
			breaks: "an order of this purchase is taken for an older one",
			holds:  known,
			by:     "./internal/purchase -run TestMadeAt",
		},
		{
			name:   "the zone that was set is not applied",
			file:   "internal/api/decode_values.go",
			old:    `m.zoneless && zone != nil`,
			new:    `m.zoneless && zone == nil && m.IsZero()`,
			breaks: "times are hours off",
			holds:  known,
			by:     "./internal/api -run TestZoneOfTheService",
		},
		{
			name: "orders are looked at between the beats all the same",
			file: "internal/notify/poll.go",
			old: `	if p.cfg.BeatsOnly {
		g.Go(`,
			new: `	if p.cfg.BeatsOnly && p.cfg.Log == nil {
		g.Go(`,
			breaks: "the operator's schedule decides nothing",
			holds:  "POLL_SCHEDULE is what polls",
			by:     "./internal/notify -run TestOnceAYear",
		},
		{
			name:   "an input that need not be given is asked for all the same",
			file:   "internal/screen/questions.go",
			old:    `	if !in.Required {`,
			new:    `	if !in.Required && in.Index == "" {`,
			breaks: "people make up an answer",
			holds:  known,
			by:     "./internal/conversations -run TestOptionalInputs",
		},
		{
			name:   "an option is bought by its label",
			file:   "internal/conversations/inputs.go",
			old:    `			known = append(known, o)`,
			new:    `			known = append(known, text)`,
			breaks: "the service refuses the answer that it offers",
			holds:  known,
			by:     "./internal/conversations -run TestOptionalInputs",
		},
		{
			name:   "the notes of an order that waits reach nobody",
			file:   "internal/purchase/settle.go",
			old:    `!o.Notes.Equal(was.Notes) && o.State == store.Waiting`,
			new:    `!o.Notes.Equal(was.Notes) && o.State == store.Failed`,
			breaks: "people do not know what is waited for",
			holds:  known,
			by:     "./internal/conversations -run TestNotesOfAManualOrder",
		},
		{
			name:   "a key that was given as an argument is said again",
			file:   "internal/app/checkservice.go",
			old:    `		return UsageError("check takes -service or nothing; a key comes`,
			new:    `		return UsageError("check does not take " + flags.Arg(0) + "; a key comes`,
			breaks: "a key stands in a log",
			holds:  "what is secret never lies open",
			by:     "./internal/app -run TestCheckServiceKeys",
		},
	}
}
