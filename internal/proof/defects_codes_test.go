//go:build defects

package proof

// codeDefects are mistakes in what is taken for a code, and for whose.
func codeDefects() []defect {
	const claim, claims, outcome, listed = "internal/store/claim.go", "internal/purchase/claims.go", "internal/purchase/outcome.go", "internal/purchase/listed.go"
	const words, decode, status, orders = "internal/api/words.go", "internal/api/decode.go", "internal/api/status.go", "internal/api/orders.go"
	const watch = "internal/notify/watch.go"
	return []defect{
		{
			name:   "codes: dashes make another code",
			file:   claim,
			old:    `		if unicode.IsSpace(r) || unicode.In(r, unicode.Pd, unicode.Cf) {`,
			new:    `		if unicode.IsSpace(r) {`,
			breaks: "a code that is written without its dashes is sold twice",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestOneCode",
		},
		{
			name: "codes: whether a code is new is asked when it is claimed",
			file: "internal/store/claim.go",
			old: `		return true, nil
	}
	return false, err
}

// codeAt`,
			new: `		return true, nil
	}
	return true, err
}

// codeAt`,
			breaks: "nobody hears that two units have one code",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestOneCodeForTwoUnits",
		},
		{
			name:   "codes: capitals make another code",
			file:   claim,
			old:    `	if err == nil && c.Mixed && isMixed(code.Reveal()) && c.Spelling`,
			new:    `	if err == nil && c.Spelling`,
			breaks: "a code that is written in small letters is sold twice",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestOneCodeForTwoPurchases",
		},
		{
			name:   "codes: the second of two that differ in capitals is nobody's",
			file:   claim,
			old:    `		own.Key = codeKey(t.mark, code)` + "\n",
			new:    ``,
			breaks: "a code that another one is like is sold twice without its dashes",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestOneCodeAfterOneLikeIt",
		},
		{
			name:   "codes: null is a code where the service says that there is one",
			file:   status,
			old:    `	case slices.Contains(nothings(), word) &&`,
			new:    `	case slices.Contains(nothings(), text+word) &&`,
			breaks: "N/A is delivered, and the code is looked for no more",
			holds:  trulyOurs,
			by:     "./internal/api -run TestShapesOfAnOrder",
		},
		{
			name:   "codes: a user and a password without colons are words",
			file:   words,
			old:    `	if isPairs(parts) {`,
			new:    `	if isPairs(parts) && len(parts) == 0 {`,
			breaks: "what was bought is shown as what the service says, and waited for",
			holds:  trulyOurs,
			by:     "./internal/api -run TestSentences",
		},
		{
			name:   "codes: groups of signs between blanks hide nothing",
			file:   "internal/api/masks.go",
			old:    `signs >= fewestSigns && i > 0 &&`,
			new:    `signs < 0 && i > 0 &&`,
			breaks: "signs are delivered for what was paid, and its code is not looked for",
			holds:  sentIsSeen,
			by:     "./internal/api -run TestMaskedCodes",
		},
		{
			name:   "codes: an ornament hides the code",
			file:   "internal/api/masks.go",
			old:    `	return code` + "\n",
			new:    `	return line` + "\n",
			breaks: "a code that has come is said not to have come",
			holds:  sentIsSeen,
			by:     "./internal/api -run TestMaskedCodes",
		},
		{
			name:   "codes: a row of signs sets off whatever it stands under",
			file:   "internal/api/masks.go",
			old:    `row := isRow(line) && coded && `,
			new:    `row := isRow(line) && (coded || true) && `,
			breaks: "a serial number is delivered for what was paid, and its hidden code is not looked for",
			holds:  sentIsSeen,
			by:     "./internal/api -run TestMaskedCodes",
		},
		{
			name:   "codes: what is masked is a code",
			file:   status,
			old:    `	case says == HasNone, isMasked(text), strings`,
			new:    `	case says == HasNone, strings`,
			breaks: "stars are delivered for what was paid, and its code is not looked for",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestMaskedIsNoCode",
		},
		{
			name:   "codes: the list tells no serial number",
			file:   status,
			old:    `		o.Code, o.Serial = listed.Code, listed.Serial`,
			new:    `		o.Code = listed.Code`,
			breaks: "what was paid for comes without a part of it",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestLookInTheList",
		},
		{
			name:   "codes: a password in words is words",
			file:   words,
			old:    ` || isLogin(parts) {`,
			new:    ` {`,
			breaks: "a login that was paid for is said not to have come",
			holds:  sentIsSeen,
			by:     "./internal/api -run TestSentences",
		},
		{
			name:   "codes: capitals never matter",
			file:   claim,
			old:    `		return c, ErrAlike`,
			new:    `		return c, nil`,
			breaks: "a code that was paid for is withheld, as another one has its letters",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestOneCodeForTwoPurchases",
		},
		{
			name: "codes: two of the same letters are delivered without a word",
			file: claims,
			old: `	case alike || clash && !was.Clash:
`,
			new: `	case clash && !was.Clash:
`,
			breaks: "nobody hears that a code may have come twice",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestOneCodeForTwoPurchases",
		},
		{
			name: "codes: one for two units is delivered without a word",
			file: claims,
			old: `	case !clash && !fresh: // of a new one, the other orders need not be read: of hundreds, that took most of the time
		err = e.warnOfSameCode`,
			new: `	case clash && fresh:
		err = e.warnOfSameCode`,
			breaks: "a unit that was paid for and never sent goes unnoticed",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestOneCodeForTwoUnits",
		},
		{
			name: "codes: what shows in a failed order is delivered",
			file: outcome,
			old: `	case stage == api.Broken:
		return store.Failed
	case coded && was.Code.IsZero():
		return store.Ready
`,
			new: `	case coded && was.Code.IsZero():
		return store.Ready
	case stage == api.Broken:
		return store.Failed
`,
			breaks: "a failure is called delivered, and its refund is not waited for",
			holds:  nothingFalse,
			by:     "./internal/purchase ./internal/notify -run 'TestACodeOfAFailure|TestFailedIsNotDelivered'",
		},
		{
			name: "codes: a sentence with a number is a code",
			file: words,
			old: `	if strings.ContainsFunc(part, unicode.IsNumber) {
		return !isWhen(part)`,
			new: `	if strings.ContainsFunc(part, unicode.IsNumber) || len(part) > 1 {
		return !isWhen(part)`,
			breaks: "words are delivered as the code, which is looked for no more",
			holds:  liveness,
			by:     "./internal/api ./internal/notify -run 'TestSentences|TestWordsInThePlace'",
		},
		{
			name: "codes: what may be a code does not make a text one",
			file: words,
			old: `		case mayBeCode(part, shouted):
			return false
`,
			new:    ``,
			breaks: "a code with words about it is not delivered",
			holds:  sentIsSeen,
			by:     "./internal/api -run TestSentences",
		},
		{
			name:   "codes: has_key is believed of what is under way",
			file:   status,
			old:    `	case says == HasCode && stageOf(status) == Done:`,
			new:    `	case says == HasCode:`,
			breaks: "a placeholder is delivered as the code",
			holds:  liveness,
			by:     "./internal/api -run TestShapesOfAnOrder",
		},
		{
			name: "codes: a code beside another is dropped",
			file: "internal/api/decode_codes.go",
			old: `			left = append(left, m)
`,
			new:    ``,
			breaks: "a part of what was paid is nowhere",
			holds:  sentIsSeen,
			by:     "./internal/api -run 'TestShapesOfAnOrder|FuzzCodes'",
		},
		{
			name:   "codes: an order in a list of one is none",
			file:   orders,
			old:    `json.Unmarshal(onlyOne(data), &w)`,
			new:    `json.Unmarshal(data, &w)`,
			breaks: "its code never comes",
			holds:  sentIsSeen,
			by:     "./internal/api -run TestShapesOfAnOrder",
		},
		{
			name:   "codes: the list of what was bought is not asked",
			file:   "internal/notify/poll_apart.go",
			old:    `	if err == nil && !got.Clear(o.Topup) || isUnshown(err) {`,
			new:    `	if err == nil && !got.Clear(o.Topup) && isUnshown(err) {`,
			breaks: "a paid code that stands there is called gone",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestCodeInTheListAlone",
		},
		{
			name:   "codes: an entry of the list is taken though another fits",
			file:   "internal/purchase/judge.go",
			old:    `len(f.candidates) == units && `,
			new:    `len(f.candidates) >= units && `,
			also:   []edit{{listed, `	if len(rows) != len(orders) {`, `	if len(rows) < len(orders) {`}},
			breaks: "somebody else's code is delivered",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestTheListOfOthers",
		},
		{
			name:   "an entry that was in the list before a purchase is taken for its order, by its number",
			file:   "internal/purchase/listed.go",
			old:    `named && !isEarlier(p, r) && (shown`,
			new:    `named && (shown`,
			breaks: "somebody else's code, which is used, is delivered",
			holds:  "what was there before a purchase is none of its orders",
			by:     "./internal/notify -run TestAListThatNumbersByItself",
		},
		{
			name:   "codes: an entry of the list is taken though others show beside it",
			file:   "internal/purchase/judge.go",
			old:    `len(f.late)+f.others+f.own+f.rivals == 0 && !f.shared`,
			new:    `f.own+f.rivals == 0 && !f.shared`,
			breaks: "an entry that cannot be read may be the one",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestTheListOfOthers",
		},
		{
			name:   "codes: the balance is not asked who else has bought",
			file:   listed,
			old:    `v.found.renamed || !v.nobodyElsePaid(ctx) {`,
			new:    `v.found.renamed {`,
			breaks: "the code of a purchase that somebody else made is delivered",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestTheListShowsSomebodyElses",
		},
		{
			name:   "codes: another key that waits for such an order is not asked about",
			file:   listed,
			old:    `v.mayBeOtherKeys(ctx, list); contested || err`,
			new:    `v.mayBeOtherKeys(ctx, list); contested && err`,
			breaks: "the code of a purchase with another key of the wallet is delivered",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestListedToOneAlone",
		},
		{
			name:   "codes: another unit is not looked for in the list",
			file:   listed,
			old:    `return !o.Code.IsZero() && !shown.shows(o) }`,
			new:    `return false && !shown.shows(o) }`,
			breaks: "one code is delivered for two units, and the other one's is not fetched",
			holds:  trulyOurs,
			by:     "./internal/notify -run TestTheListShowsSomebodyElses",
		},
		{
			name: "figures: thresholds are crossed by a balance that lacks one",
			file: watch,
			old: `		if b.Lacks { // what can be spent is not known: whatever was crossed stays so
			return nil
		}
`,
			new:    ``,
			breaks: "an alert is false, or does not come",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestAlertsWithoutTheirFigures",
		},
		{
			name:   "figures: an allocation that is not told is used up",
			file:   "internal/notify/crossings.go",
			old:    `	return slices.DeleteFunc(left, func(e api.StockEntry) bool { return e.Lacks })`,
			new:    `	return left`,
			breaks: "an alert is false",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestAlertsWithoutTheirFigures",
		},
		{
			name:   "figures: a balance that lacks a figure tells an account",
			file:   "internal/purchase/likeness.go",
			old:    ` && !who.Lacks` + "\n",
			new:    "\n",
			breaks: "a key is said to be the same account's by half a balance",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestLikenessNeedsBothFigures",
		},
		{
			name:   "a button that means nothing any more replaces the codes that it stands under",
			file:   "internal/conversations/router.go",
			old:    ` || slices.ContainsFunc(t.action.Args, store.IsID)`,
			new:    ` || slices.ContainsFunc(t.action.Args[:0], store.IsID)`,
			breaks: "a code is taken off the screen by a tap that does nothing",
			holds:  "what was delivered stays in its chat",
			by:     "./internal/conversations -run TestAReceiptStays",
		},
		{
			name:   "a tap of seconds later replaces the receipt of a payment",
			file:   "internal/conversations/kridipay.go",
			old:    `		if moved, err := t.hasMovedOn(); err != nil || moved {`,
			new:    `		if moved, err := t.hasMovedOn(); err != nil || moved && false {`,
			breaks: "a payment that was booked by mistake cannot be undone",
			holds:  "whatever a thumb does, what was booked can be seen and undone",
			by:     "./internal/conversations -run TestASecondTap",
		},
		{
			name:   "a debt is written off whatever it is by now",
			file:   "internal/conversations/kridi.go",
			old:    `		case t.action.Arg(2) != strconv.FormatUint(d.Last, 10):`,
			new:    `		case t.action.Arg(2) == "" || t.action.Arg(2) == strconv.Itoa(-1):`,
			breaks: "a customer is let off more than anybody has agreed to",
			holds:  "whatever a thumb does, what was booked can be seen and undone",
			by:     "./internal/conversations -run TestAnotherDebt",
		},
		{
			name:   "an old yes removes a newer rule",
			file:   "internal/conversations/prices.go",
			old:    `; !sure || r != nil && (string(r.Basis) != basis ||`,
			new:    `; !sure || r != nil && (string(r.Basis) == basis && value == "0" && `,
			breaks: "a shop's prices are gone by a tap that was about others",
			holds:  "whatever a thumb does, what was booked can be seen and undone",
			by:     "./internal/conversations -run TestTheRuleThatIsRemoved",
		},
		{
			name:   "cash is taken out once more by a late tap",
			file:   "internal/conversations/cashout.go",
			old:    `		if err := notYet(tx, b.ID, "move/"+move.Nonce, ledger.AlreadyDone); err != nil {`,
			new:    `		if err := notYet(tx, b.ID, "move/"+move.Nonce, ledger.AlreadyDone); err != nil && b.ID == "" {`,
			breaks: "owners are told of money that nobody took",
			holds:  "whatever a thumb does, what was booked can be seen and undone",
			by:     "./internal/conversations -run TestMoreThanATill",
		},
		{
			name:   "a line that is undone brings its codes once more",
			file:   "internal/conversations/sales.go",
			old:    `	if p.List == "" || p.Message != 0 {`,
			new:    `	if p.List == "" || p.ID != "" {`,
			breaks: "codes that are taken back are taken for new ones",
			holds:  "whatever a thumb does, what was booked can be seen and undone",
			by:     "./internal/conversations -run TestALineIsUndone",
		},
		{
			name:   "the second tap on what books replaces what the first one has said",
			file:   "internal/conversations/router.go",
			old:    `	if t.double {`,
			new:    `	if t.double && row.moves {`,
			breaks: "a payment that was booked by mistake cannot be undone: its ↩️ is gone before anybody has seen it",
			holds:  "whatever a thumb does, what was booked can be seen and undone",
			by:     "./internal/conversations -run TestASecondTap",
		},
		{
			name:   "the second of two taps replaces what the first has brought",
			file:   "internal/conversations/router.go",
			old:    `	case t.session.Flow != "" && t.session.Message == t.tapped:`,
			new:    `	case t.session.Flow != "" && t.session.Message == -t.tapped:`,
			breaks: "a summary is gone before anybody has read it, and the next tap buys nothing",
			holds:  "what was delivered stays in its chat",
			by:     "./internal/conversations -run TestLateTaps",
		},
		{
			name:   "a late tap replaces the codes that its message has come to show",
			file:   "internal/conversations/router.go",
			old:    `	return shown && text == "", nil`,
			new:    `	return !shown && text == "", nil`,
			breaks: "a code is taken off the screen by a tap that does nothing",
			holds:  "what was delivered stays in its chat",
			by:     "./internal/conversations -run TestLateTaps",
		},
	}
}
