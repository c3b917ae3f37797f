//go:build defects

package proof

// shapeDefects are mistakes in what the service may answer: shapes, names and spellings.
func shapeDefects() []defect {
	const verdict, decode, pieces, apiOrders = "internal/api/verdict.go", "internal/api/decode.go", "internal/api/pieces.go", "internal/api/orders.go"
	const orderid, claim, records = "internal/api/orderid/orderid.go", "internal/store/claim.go", "internal/store/records.go"
	const adopt, evidence, claims = "internal/purchase/adopt.go", "internal/purchase/evidence.go", "internal/purchase/claims.go"
	const submit, reading = "internal/purchase/submit.go", "internal/purchase/reading.go"
	return []defect{
		{
			name: "shapes: what an answer without an envelope names is forgotten",
			file: verdict,
			old: `	return hinted(v, a.body, named)
}

// hinted`,
			new: `	return v
}

// hinted`,
			breaks: "a purchase that names its orders stays uncertain until a person decides",
			holds:  allUnits,
			by:     "./internal/api -run TestIDsOfUnprovenAnswers",
		},
		{
			name:   "shapes: a refusal that names orders is a refusal",
			file:   verdict,
			old:    `	case refusal(a, env, ok) && len(named(env.Data).ids) > 0:`,
			new:    `	case refusal(a, env, ok) && len(named(env.Data).ids) > 1000:`,
			breaks: "nothing was charged, it says, for what the same answer names",
			holds:  neverDenied,
			by:     "./internal/api -run TestIDsOfUnprovenAnswers",
		},
		{
			name:   "shapes: an item that names two orders proves one",
			file:   verdict,
			old:    `		two, id = two || id != "", at`,
			new:    `		id = at`,
			breaks: "which of two orders was bought is guessed",
			holds:  trulyOurs,
			by:     "./internal/api -run TestItemsThatNameTwoOrders",
		},
		{
			name: "shapes: a code with a piece missing is delivered",
			file: pieces,
			old: `		holes = holes || p.text == ""
`,
			new:    ``,
			breaks: "the second half of what was paid never comes",
			holds:  liveness,
			by:     "./internal/api ./internal/notify -run TestCodesInPieces",
		},
		{
			name:   "shapes: a placeholder among codes is one",
			file:   "internal/api/decode_orders.go",
			old:    `	if len(m.parts) > 1 && says == HasCode {`,
			new:    `	if len(m.parts) > 1000 && says == HasCode {`,
			breaks: "half a code ends the search for the other half",
			holds:  liveness,
			by:     "./internal/api ./internal/notify -run TestCodesInPieces",
		},
		{
			name:   "shapes: of several fields one code is delivered",
			file:   "internal/api/decode_orders.go",
			old:    `secret.New(strings.TrimSpace(join(found).text))`,
			new:    `secret.New(strings.TrimSpace(found[0].text))`,
			breaks: "a pin that is there never comes",
			holds:  liveness,
			by:     "./internal/api ./internal/notify -run TestCodesInPieces",
		},
		{
			name: "shapes: the first status of several counts",
			file: "internal/api/decode_orders.go",
			old: `			return first + " / " + s
`,
			new: `			return first
`,
			breaks: "what contradicts itself is the end of an order",
			holds:  "nothing is final on disagreement",
			by:     "./internal/api -run TestStatusesThatDisagree",
		},
		{
			name: "shapes: the envelope's word is the status of an order",
			file: "internal/api/decode_orders.go",
			old: `	if len(inner) > 0 {
		outer = slices`,
			new: `	if len(inner) > 1000 {
		outer = slices`,
			breaks: "a failed order is strange for ever",
			holds:  "the envelope tells nothing of an order",
			by:     "./internal/api -run TestStatusesThatDisagree",
		},
		{
			name:   "shapes: a player that came as a number has all its zeros",
			file:   "internal/api/player.go",
			old:    `	case !o.PlayerNumber || strings`,
			new:    `	case strings`,
			breaks: "a top-up of another player is taken for this one's",
			holds:  trulyOurs,
			by:     "./internal/api -run TestPlayersAsNumbers",
		},
		{
			name:   "shapes: a player's number is compared as a text",
			file:   "internal/api/player.go",
			old:    `	case !o.PlayerNumber || strings.TrimLeft(id, "0") != strings.TrimLeft(got, "0"):`,
			new:    `	case !o.PlayerNumber || got != "":`,
			breaks: "the customer's own top-up is somebody else's",
			holds:  trulyOurs,
			by:     "./internal/api -run TestPlayersAsNumbers",
		},
		{
			name:   "shapes: a float is another number",
			file:   "internal/api/decode_values.go",
			old:    `	if !strings.ContainsAny(text, ".eE") {`,
			new:    `	if true {`,
			breaks: "an id that is written as 42.0 is never found",
			holds:  liveness,
			by:     "./internal/api -run TestNumbersAsIDs",
		},
		{
			name: "shapes: a batch answer has to spell as we do",
			file: apiOrders,
			old:  `	return asAsked(ids, list), err`,
			new:  `	return list, err`,
			also: []edit{{apiOrders, `// asAsked calls`, `var _ = asAsked

// asAsked calls`}},
			breaks: "codes are there, and nobody gets them",
			holds:  liveness,
			by:     "./internal/api -run TestSpelledOtherwise",
		},
		{
			name:   "shapes: any spelling in a batch will do",
			file:   apiOrders,
			old:    `ours := spellings(id, asked); len(ours) == 1 &&`,
			new:    `ours := spellings(id, asked); len(ours) > 0 &&`,
			breaks: "one order's code is delivered for another",
			holds:  oneOwner,
			by:     "./internal/api -run TestSpelledOtherwise",
		},
		{
			name:   "shapes: one figure of the wallet is evidence",
			file:   evidence,
			old:    `	if err != nil || b.Lacks {`,
			new:    `	if err != nil {`,
			also:   []edit{{submit, `err == nil && !b.Lacks {`, `err == nil {`}, {reading, `err != nil || b.Lacks || a.Busy`, `err != nil || a.Busy`}},
			breaks: "money that is held is called not charged",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestMissingFigureAcquitsNothing",
		},
		{
			name: "shapes: a named order of another item is taken",
			file: adopt,
			old:  `	return product && variant && mayBeFor(seen, bought) && (`,
			new:  `	return mayBeFor(seen, bought) && (`,
			also: []edit{{adopt, `	product := seen`, `	_ = bought
	product := seen`}, {adopt, `	at := madeAt(seen`, `	_, _ = product, variant
	at := madeAt(seen`}},
			breaks: "the code of another item is delivered",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestNamedOrdersHaveToFit",
		},
		{
			name:   "shapes: a named order of another player is taken",
			file:   adopt,
			old:    `	return product && variant && mayBeFor(seen, bought) && (`,
			new:    `	return product && variant && (`,
			breaks: "another player's top-up is told as this one",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestNamedPlayerHasToFit",
		},
		{
			name:   "shapes: a named order may be old",
			file:   adopt,
			old:    ` && (at.IsZero() || !at.Before(v.of.SentAt.Add(-skew)))`,
			new:    ``,
			also:   []edit{{adopt, `	at := madeAt(seen, v`, `	_ = madeAt(seen, v`}},
			breaks: "what was bought last week is delivered again",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestNamedOrdersHaveToFit",
		},
		{
			name: "shapes: a named order that cannot be this one is overlooked",
			file: evidence,
			old: `	v.found.others += v.misnamed
`,
			new:    ``,
			breaks: "an answer that names something odd is called not bought",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestOddNamedOrderDeniesNothing",
		},
		{
			name:   "shapes: a named order of another purchase is looked for without an end",
			file:   adopt,
			old:    `		case taken || n.has(o)`,
			new:    `		case taken && false || n.has(o)`,
			breaks: "the account waits, and nobody is asked",
			holds:  liveness,
			by:     "./internal/purchase -run TestNamedOrdersHaveToFit",
		},
		{
			name:   "shapes: a date alone is midnight",
			file:   adopt,
			old:    `	case at.Equal(at.Truncate(day)) && !at.Add(day).Before(sent):`,
			new:    `	case at.Equal(at.Truncate(day)) && at.Before(sent.Add(-day)):`,
			breaks: "every order of such a list is too old",
			holds:  "a person is asked where looks cannot tell",
			by:     "./internal/purchase -run TestNamedOrdersHaveToFit",
		},
		{
			name:   "shapes: a top-up is claimed under one of its names",
			file:   "internal/store/order.go",
			old:    `	return []string{o.ID, OrderID(o.Origin, o.Other)}`,
			new:    `	return []string{o.ID}`,
			breaks: "another purchase gets the top-up under its other name",
			holds:  oneOwner,
			by:     "./internal/store -run TestClaimIsOfEveryName",
		},
		{
			name:   "shapes: the other name of a top-up is not looked at",
			file:   "internal/purchase/rows.go",
			old:    `	out.Account = v.account.ID`,
			new:    `	out.Account, out.Other = v.account.ID, ""`,
			breaks: "another purchase gets the top-up under its other name",
			holds:  oneOwner,
			by:     "./internal/purchase -run TestTopupHasTwoNames",
		},
		{
			name: "shapes: the other name of a top-up is not learned",
			file: claims,
			old: `	o.Other = seen.Transaction
`,
			new: `	return nil
`,
			breaks: "another purchase gets the top-up under its other name",
			holds:  oneOwner,
			by:     "./internal/purchase -run TestTopupsOtherNameIsLearned",
		},
		{
			name:   "shapes: a list remembers one name of its orders",
			file:   "internal/purchase/rows.go",
			old:    `	return []string{rowID(o.ID), rowID(o.Transaction)}`,
			new:    `	return []string{rowID(o.ID)}`,
			breaks: "an old top-up that is renamed is a new one",
			holds:  oneOwner,
			by:     "./internal/purchase -run TestListThatRenamesItsOrders",
		},
		{
			name:   "shapes: a claim has to be spelled as it was",
			file:   claim,
			old:    `	return "order/" + orderid.Fold(id)`,
			new:    `	return "order/" + id`,
			breaks: "one order is delivered for two purchases",
			holds:  oneOwner,
			by:     "./internal/store -run TestClaimIsOfEveryName",
		},
		{
			name: "shapes: leading zeros make another order",
			file: orderid,
			old: `		return max(digits, "0")
`,
			new: `		return id + digits[:0]
`,
			breaks: "one order is delivered for two purchases",
			holds:  oneOwner,
			by:     "./internal/api/orderid",
		},
		{
			name:   "shapes: an uncertain purchase shows what its answer named",
			file:   "internal/store/store.go",
			old:    `o.Purchase != p.ID }), err`,
			new:    `o.Purchase == "" }), err`,
			breaks: "a chat is shown the code of another one",
			holds:  oneOwner,
			by:     "./internal/store -run TestOrdersOf",
		},
		{
			name:   "shapes: a page of a list is all of it",
			file:   "internal/purchase/rows.go",
			old:    `	return ids, unreadable, len(list)-unreadable <= mostRows && !slices.ContainsFunc(list, isRest)`,
			new:    `	return ids, unreadable, len(list)-unreadable <= mostRows && (true || !slices.ContainsFunc(list, isRest))`,
			breaks: "an order on the next page is called not bought",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestPagedListProvesNothing",
		},
		{
			name:   "shapes: a list does not say that it has pages",
			file:   apiOrders,
			old:    `err == nil && (p.more || p.total > int64(all)) {`,
			new:    `err == nil && p.total > int64(all) && false {`,
			breaks: "an order on the next page is called not bought",
			holds:  neverDenied,
			by:     "./internal/api -run TestListOfManyPages",
		},
		{
			name:   "shapes: an odd figure hides a variant",
			file:   "internal/api/decode_values.go",
			old:    `	if n.UnmarshalJSON(text) != nil {`,
			new:    `	if err := n.UnmarshalJSON(text); err != nil {` + "\n\t\treturn err\n\t}\n\tif n < 0 {",
			breaks: "what is in the shop cannot be bought",
			holds:  liveness,
			by:     "./internal/api -run TestOddFiguresHideNothing",
		},
		{
			name:   "shapes: no list is an empty one",
			file:   apiOrders,
			old:    `			if string(p.list) == "null" {`,
			new:    `			if string(p.list) == "nothing" {`,
			breaks: "an answer that says nothing says that nothing was bought",
			holds:  neverDenied,
			by:     "./internal/api -run TestListOfManyPages",
		},
	}
}
