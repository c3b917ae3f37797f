//go:build defects

package proof

// orderDefects are mistakes in what becomes of orders after they were accepted.
func orderDefects() []defect {
	return []defect{
		{
			name: "an order of the history is known by its number alone",
			file: "internal/conversations/history.go",
			old: `	case err == nil:
		return t.order(claim.Purchase)
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return t.say(`,
			new: `	case err == nil:
		_ = claim
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return t.say(`,
			breaks: "what was bought here is said to match no purchase",
			holds:  nothingFalse,
			by:     "./internal/conversations -run TestHistoryOpensOwnPurchases",
		},
		{
			name: "whoever looks for words finds what is not theirs",
			file: "internal/conversations/orders.go",
			old: `	return t.isOwn(p)
}

// withOrders`,
			new: `	return t.isOwn(p) || !all
}

// withOrders`,
			breaks: "somebody sees what others have bought",
			holds:  "a list shows what its reader may see",
			by:     "./internal/conversations -run TestOrdersAreFound",
		},
		{
			name:   "one unit that failed is the whole order",
			file:   "internal/screen/codes.go",
			old:    `	case failed > 0 && failed < len(orders):`,
			new:    `	case failed > len(orders):`,
			breaks: "who has two codes of three is told that the order failed and its price is back",
			holds:  nothingFalse,
			by:     "./internal/conversations -run TestPartOfAnOrderFails",
		},
		{
			name:   "what came back for one unit is what the order cost",
			file:   "internal/screen/refunds.go",
			old:    `		if len(failed) < len(orders) {`,
			new:    `		if len(failed) > len(orders) {`,
			breaks: "the price of one unit is called what three of them cost",
			holds:  nothingFalse,
			by:     "./internal/conversations -run TestPartOfAnOrderFails",
		},
		{
			name:   "another page is offered because others have bought before",
			file:   "internal/conversations/orders.go",
			old:    `			return kept, list.left, err`,
			new:    `			return kept, list.at, err`,
			breaks: "\"No orders yet\" is said to somebody who has eight",
			holds:  "a list shows what its reader may see",
			by:     "./internal/conversations -run TestNoPageBehindTheLast",
		},
		{
			name: "a purchase that is opened leads nowhere",
			file: "internal/screen/status.go",
			old: `	m.Keyboard = withBack(m.Keyboard, p.button("button.orders", act(VerbOrders, "").fresh())) // beside it: its codes stay
`,
			new:    "",
			breaks: "whoever opens an order from a list finds no way back",
			holds:  "every screen has a way out",
			by:     "./internal/conversations -run TestOrdersAreFound",
		},
		{
			name:   "what is found does not tell who bought it",
			file:   "internal/conversations/find.go",
			old:    `found.Scope = screen.OrdersAll`,
			new:    `found.Scope = ""`,
			breaks: "an owner who looks a code up does not see who sold it",
			holds:  "a list says who bought",
			by:     "./internal/conversations -run TestOrdersAreFound",
		},
		{
			name:   "a new code is one that was there before",
			file:   "internal/screen/codes.go",
			old:    `had > 0 && had < store.CountCodes(orders)`,
			new:    `had > store.CountCodes(orders)`,
			breaks: "a code that nobody has had yet is taken for one that was sold",
			holds:  nothingFalse,
			by:     "./internal/conversations -run TestMoreCodesAreNotTheSame",
		},
		{
			name: "a purchase that failed is a success in the list",
			file: "internal/screen/orders.go",
			old: `	case failed > 0:
		return failedOf(b.Orders, ready)
`,
			new:    "",
			breaks: "people take a failed purchase for a delivered one",
			holds:  "a list says what became of a purchase",
			by:     "./internal/conversations -run TestFailedPurchaseInTheList",
		},
		{
			name:   "what was refused is called not bought in the list",
			file:   "internal/screen/orders.go",
			old:    `		if b.Refused { //`,
			new:    `		if false && b.Refused { //`,
			breaks: "a purchase that was charged all the same is called not bought while it is watched",
			holds:  "a list says what became of a purchase",
			by:     "./internal/notify -run TestProblemsAreInTheList",
		},
		{
			name:   "a code that is withheld is no problem",
			file:   "internal/screen/orders.go",
			old:    `return o.Clash && o.Code`,
			new:    `return false && o.Code`,
			breaks: "a purchase that waits for a code of its own is among none that have a problem",
			holds:  "a list says what became of a purchase",
			by:     "./internal/notify -run TestProblemsAreInTheList",
		},
		{
			name:   "what came without a code is not asked for any more",
			file:   "internal/purchase/outcome.go",
			old:    `	if o.Personal && o.Code.IsZero() {`,
			new:    `	if false {`,
			breaks: "a code that comes days after a success is never fetched",
			holds:  sentIsSeen,
			by:     "./internal/conversations -run TestACodeAfterATopup",
		},
		{
			name:   "what waits in the vault looks as if it had come to nothing",
			file:   "internal/screen/vault.go",
			old:    `	return b.outcome().mark + " "`,
			new:    `	return "☑️ "`,
			breaks: "an owner passes over the codes that wait for them",
			holds:  nothingFalse,
			by:     "./internal/conversations -run TestVault",
		},
		{
			name:   "what is opened from the history is told by the service's clock",
			file:   "internal/conversations/history.go",
			old:    `	list = purchase.InOurTime(t.shop, f, list) // a copy`,
			new:    `	_, list = purchase.InOurTime(t.shop, f, list), slices.Clone(list)`,
			breaks: "an order was made at one time in the list, and at another one where it is opened",
			holds:  nothingFalse,
			by:     "./internal/conversations -run 'TestOrderOfTheHistoryKeepsItsTime|TestTimesWithoutAZone'",
		},
		{
			name:   "the history comes in any order",
			file:   "internal/screen/history.go",
			old:    `return b.CreatedAt.Compare(a.CreatedAt)`,
			new:    `return a.CreatedAt.Compare(b.CreatedAt)`,
			breaks: "the newest order is on the last page",
			holds:  "the service's history is sorted by time",
			by:     "./internal/conversations -run TestHistoryOfTheService",
		},
		{
			name:   "what has_key says is ignored",
			file:   "internal/api/status.go",
			old:    `	case says == HasNone, isMasked(text), strings`,
			new:    `	case says == HasNone && text == "", isMasked(text), strings`,
			breaks: "\"Pending…\" is delivered as the code, and the code never is",
			holds:  nothingFalse,
			by:     "./internal/api",
		},
		{
			name:   "a single answer about another order is taken",
			file:   "internal/api/orders.go",
			old:    `if len(names) > 0 && !slices`,
			new:    `if len(names) > 99 && !slices`,
			breaks: "somebody else's code is delivered",
			holds:  trulyOurs,
			by:     "./internal/api",
		},
		{
			name:   "an order id may be as long as it likes",
			file:   "internal/api/decode_orders.go",
			old:    `id != "" && len(id) <= longestID &&`,
			new:    `id != "" &&`,
			breaks: "what cannot be put on disk leaves its account submitting for ever",
			holds:  liveness,
			by:     "./internal/api",
		},
		{
			name: "an order of a family is read at its own endpoint alone",
			file: "internal/api/orders.go",
			old: `	case err == nil && !own.Code.IsZero():
`,
			new: `	case err == nil:
`,
			breaks: "codes that the order endpoints show are not delivered",
			holds:  liveness,
			by:     "./internal/api",
		},
		{
			name:   "a list that comes as an object is an empty one",
			file:   "internal/api/decode.go",
			old:    `	if odd > 0 && bytes.HasPrefix(`,
			new:    `	if odd > 0 && len(out) > 0 && bytes.HasPrefix(`,
			breaks: "what could not be read is evidence that nothing was bought",
			holds:  neverDenied,
			by:     "./internal/api",
		},
		{
			name: "a message counts under its own code alone",
			file: "internal/api/request.go",
			old: `	case strings.HasPrefix(m, "order not found"):
		return NotFound
`,
			new:    ``,
			breaks: "one order that is not there holds up all others of its account",
			holds:  liveness,
			by:     "./internal/api",
		},
		{
			name: "a top-up is never looked for in the list of all",
			file: "internal/api/orders.go",
			old: `	if ClassOf(err) == NotFound {
		o, err = s.listedTopup(ctx, ref, err)`,
			new: `	if ClassOf(err) == NotFound && ref.ID == "" {
		o, err = s.listedTopup(ctx, ref, err)`,
			breaks: "a top-up that was answered without its number never comes to its end",
			holds:  liveness,
			by:     "./internal/api",
		},
		{
			name:   "an order that the service does not show is waited for in silence",
			file:   "internal/notify/poll_look.go",
			old:    "return o.OnlyWhenDue() || p.cfg.Settler.News(o, unseen, at)",
			new:    "return o.OnlyWhenDue()",
			breaks: "nobody is told that what was paid for does not come",
			holds:  liveness,
			by:     "./internal/notify ./internal/conversations",
		},
		{
			name: "a failure is the end",
			file: "internal/purchase/outcome.go",
			old: `	case o.State == store.Waiting && o.OnlyWhenDue():
		return at.Add(lookAfter(at.Sub(o.DoneAt)))`,
			new: `	case o.State == store.Waiting && o.OnlyWhenDue():
		return at.Add(lookAfter(at.Sub(o.DoneAt)))
	case o.State == store.Failed:
		return time.Time{}`,
			breaks: "a code that comes after an error is lost",
			holds:  sentIsSeen,
			by:     "./internal/purchase",
		},
		{
			name:   "money that comes ends the looks at what failed",
			file:   "internal/purchase/outcome.go",
			old:    `	refundedFor = 24 * time.Hour`,
			new:    `	refundedFor = time.Second`,
			breaks: "a code that comes after a top-up was taken for its refund is lost",
			holds:  sentIsSeen,
			by:     "./internal/purchase -run TestHowLongAFailureIsFollowed",
		},
		{
			name:   "what has come after a seeming refund costs nothing",
			file:   "internal/purchase/refunds.go",
			old:    `	if !gone {`,
			new:    `	if !gone && due {`,
			breaks: "its price goes again, and somebody is accused",
			holds:  money,
			by:     "./internal/purchase -run TestAFailureThatSeemedRefunded",
		},
		{
			name:   "an order without its code is given up after half an hour",
			file:   "internal/purchase/outcome.go",
			old:    `	followFor = 7 * 24 * time.Hour`,
			new:    `	followFor = 30 * time.Minute`,
			breaks: "a code that comes late is lost",
			holds:  sentIsSeen,
			by:     "./internal/purchase",
		},
		{
			name: "a code takes the place of the one before",
			file: "internal/purchase/outcome.go",
			old: `	case o.Code.IsZero():
		o.Code = seen.Code`,
			new: `	case len(o.Later) == 0:
		o.Code = seen.Code`,
			breaks: "nobody sees that the service has changed a code",
			holds:  sentIsSeen,
			by:     "./internal/purchase",
		},
		{
			name: "a code that comes after a failure is not delivered",
			file: "internal/purchase/outcome.go",
			old: `	case coded && was.Code.IsZero():
`,
			new: `	case coded && was.Code.IsZero() && o.State != store.Failed:
`,
			breaks: "a paid code is called failed",
			holds:  sentIsSeen,
			by:     "./internal/purchase",
		},
		{
			name: "the refund of what has not failed after all is waited for",
			file: "internal/purchase/settle.go",
			old: `		case o.State != store.Failed && o.Refund != store.NoRefund:
`,
			new: `		case o.State != store.Failed && o.Refund != store.NoRefund && !awaited:
`,
			breaks: "money that comes from elsewhere is called a refund",
			holds:  money,
			by:     "./internal/purchase",
		},
		{
			name:   "an account is forgotten while a refund is waited for",
			file:   "internal/store/account.go",
			old:    `a.Open > 0 || len(a.Refunds) > 0 || a.Frozen`,
			new:    `a.Open > 0 || a.Frozen`,
			breaks: "the code of a failed order is not asked for once the key is unlinked",
			holds:  liveness,
			by:     "./internal/purchase",
		},
		{
			name:   "the failures of one key hold up all",
			file:   "internal/notify/outage.go",
			old:    `	if !o.keys[account].fails || !o.lasts(now) {`,
			new:    `	if o.failures < outageCalls {`,
			breaks: "codes under a key that works come late",
			holds:  liveness,
			by:     "./internal/notify",
		},
		{
			name:   "one key's trouble is told as an outage",
			file:   "internal/notify/outage.go",
			old:    `if !k.fails && now.Sub(k.at) < provenFor {`,
			new:    `if !k.fails && now.Sub(k.at) < 0 {`,
			breaks: "people are told that the service does not answer while it does",
			holds:  nothingFalse,
			by:     "./internal/notify",
		},
		{
			name: "an order that the service leaves out has no next look",
			file: "internal/notify/poll_look.go",
			old: `		if !p.matures(waits[id], api.Order{ID: id}, now) {
			continue`,
			new: `		if !p.matures(waits[id], api.Order{ID: id}, now) || id != "" {
			continue`,
			breaks: "the service is asked for it again and again",
			holds:  "what the service does not show is asked for at its time",
			by:     "./internal/notify",
		},
		{
			name:   "a file without codes is sent",
			file:   "internal/notify/file.go",
			old:    `	case len(n.units) == 0 || v.reader.Hides():`,
			new:    `	case v.reader.Hides():`,
			breaks: "a message that Telegram never takes stays in the outbox",
			holds:  liveness,
			by:     "./internal/notify",
		},
		{
			name:   "top-ups of many units wait for a file",
			file:   "internal/store/purchase.go",
			old:    `	return codes > 0 && (p.Quantity`,
			new:    `	return codes >= 0 && (p.Quantity`,
			breaks: "\"codes come as a file\" is said of what has no codes",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestManyUnitsOfATopup",
		},
		{
			name:   "a delivery that Telegram refuses is told to nobody",
			file:   "internal/notify/verdict.go",
			old:    `	if brings && v.row.Refusals == 1 {`,
			new:    `	if brings && v.row.Refusals == 0 {`,
			breaks: "people wait for a code that is here",
			holds:  "what cannot be delivered is told",
			by:     "./internal/notify",
		},
		{
			name:   "a delivery that Telegram refuses stays for ever",
			file:   "internal/notify/verdict.go",
			old:    `	if money && v.row.Refusals <= mostRefusals {`,
			new:    `	if money {`,
			breaks: "the outbox fills with what can never be sent",
			holds:  liveness,
			by:     "./internal/notify",
		},
		{
			name:   "what somebody has opened is delivered as if for the first time",
			file:   "internal/conversations/order.go",
			old:    `		now.Told.MaybeSent = now.Told.MaybeSent || !delivered`,
			new:    `		_ = delivered`,
			breaks: "one code is taken for two",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestOpenedBeforeItsDelivery",
		},
		{
			name:   "what somebody opens later makes the first delivery a second one",
			file:   "internal/conversations/order.go",
			old:    `		now.Told.MaybeSent = now.Told.MaybeSent || !delivered`,
			new:    `		now.Told.MaybeSent = true`,
			breaks: "somebody looks for a delivery that never was",
			holds:  nothingFalse,
			by:     "./internal/conversations -run TestTheFirstDelivery",
		},
		{
			name: "what somebody opens first is said to be delivered again",
			file: "internal/screen/status.go",
			old: `	pu.Told.MaybeSent = pu.Told.MaybeSent || pu.Told.Codes > 0 || pu.Told.Document
`,
			new: `	pu.Told.MaybeSent = true
`,
			breaks: "somebody looks for a delivery that never was",
			holds:  nothingFalse,
			by:     "./internal/screen",
		},
		{
			name:   "a look waits for the service as long as it takes",
			file:   "internal/conversations/order.go",
			old:    `const lookPatience = 7 * time.Second`,
			new:    `const lookPatience = 70 * time.Second`,
			breaks: "a tap is not answered in time",
			holds:  liveness,
			by:     "./internal/notify -run TestLookAgainHasLimits",
		},
		{
			name: "looks have no limit",
			file: "internal/conversations/order.go",
			old: `	if t.looks.hears(t.userID, now()) {
		failed`,
			new: `	if t.userID != 0 {
		failed`,
			breaks: "one person's taps use up what the service allows",
			holds:  liveness,
			by:     "./internal/notify -run TestLookAgainHasLimits",
		},
	}
}
