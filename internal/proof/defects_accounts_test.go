//go:build defects

package proof

// accountDefects are mistakes with several accounts of one person.
func accountDefects() []defect {
	const (
		apart = "nothing of one account shows in another, nor is done to it"
		void  = "what was not confirmed buys nothing behind a switch"
		by    = "./internal/conversations -run 'TestSwitchVoids|TestConfirmedGoesOn|TestButtonsOfAnother|TestNothingOfOne|TestFallsBack|TestTeamInvitationOfAnother'"
	)
	return []defect{
		{
			name:   "a switch leaves a summary as it is",
			file:   "internal/purchase/switch.go",
			old:    `		for _, p := range drafts {`,
			new:    `		for _, p := range drafts[:0] {`,
			breaks: "a tap that was meant for before buys once the person is back",
			holds:  void,
			by:     by,
		},
		{
			name:   "key: who was asked whether they leave a team ends it",
			file:   "internal/conversations/rekey.go",
			old:    `	case as == keyApart && waits.Old == active && waits.Leaves`,
			new:    `	case false && as == keyApart && waits.Old == active && waits.Leaves`,
			breaks: "the last owner by now ends a team without a word",
			holds:  apart,
			by:     "./internal/conversations -run TestLastOwnerIsAskedAnew",
		},
		{
			name:   "key: a seller is asked to replace the shop's",
			file:   "internal/conversations/rekey.go",
			old:    `	if r.old.ID == t.chat.Account && goesOnWithout(r.old, t.userID) {`,
			new:    `	if false && r.old.ID == t.chat.Account && goesOnWithout(r.old, t.userID) {`,
			breaks: "somebody leaves their team by a tap that says something else",
			holds:  apart,
			by:     "./internal/conversations -run TestOwnKeyOfSomebodyInATeam",
		},
		{
			name:   "key: what a leaver was to decide about is asked of nobody",
			file:   "internal/conversations/unlink.go",
			old:    `	return askOwnersLeft(tx, a, unsure, false)`,
			new:    `	return askOwnersLeft(tx, a, nil, false)`,
			breaks: "nobody decides about money that may be gone",
			holds:  "an owner decides about what is uncertain",
			by:     "./internal/conversations -run TestWhoLeavesByAKeyLeavesTheirDecision",
		},
		{
			name:   "a switch leaves a list as it is",
			file:   "internal/purchase/switch.go",
			old:    `		for _, l := range lists {`,
			new:    `		for _, l := range lists[:0] {`,
			breaks: "a tap that was meant for before buys a whole list once the person is back",
			holds:  void,
			by:     by,
		},
		{
			name: "orders of the other account show",
			file: "internal/conversations/orders.go",
			old:  ` && !slices.Contains(t.chat.Others, p.Account)`, new: ``,
			breaks: "a code of one account is found in the other",
			holds:  apart,
			by:     by,
		},
		{
			name:   "a button of the other account is taken for one of this",
			file:   "internal/conversations/accounts.go",
			old:    `		return true, t.elsewhere(t.chat.Others[i], "")`,
			new:    `		return false, nil`,
			breaks: "an old page of one team changes the other",
			holds:  apart,
			by:     by,
		},
		{
			name:   "what comes by itself does not name its account",
			file:   "internal/notify/naming.go",
			old:    `case home.ID < 0 || account == "":`,
			new:    `case true || account == "":`,
			breaks: "an alert of one account is taken for one of the other",
			holds:  apart,
			by:     by,
		},
		{
			name:   "an invitation switches",
			file:   "internal/conversations/team.go",
			old:    `	c.Join(a.ID)`,
			new:    `	c.Activate(a.ID)`,
			breaks: "who opens a link buys with somebody else's money next",
			holds:  apart,
			by:     by,
		},
		{
			name:   "who is taken out has no account any more",
			file:   "internal/store/memberships.go",
			old:    `	if len(left) > 0 {`,
			new:    `	if len(left) > 9 {`,
			breaks: "a person's own shop is gone with another's team",
			holds:  apart,
			by:     by,
		},
		{
			name:   "a key of a shop that has books of its own is a new key of another account",
			file:   "internal/conversations/rekey.go",
			old:    `return err == nil && !hasBooks(a) && `,
			new:    `return err == nil && `,
			breaks: "one tap gives the co-owner of one account the whole shop of another",
			holds:  apart,
			by:     "./internal/conversations -run TestKeyOfAShopThatWasLeft",
		},
		{
			name:   "what a team has asked for outlives it",
			file:   "internal/conversations/offers.go",
			old:    `	for _, m := range a.Members() {`,
			new:    `	for _, m := range a.Members()[:0] {`,
			breaks: "an approval that nobody gave is called decided, and buys once the account is linked again",
			holds:  apart,
			by:     "./internal/conversations -run TestOffersEndWithTheTeam",
		},
		{
			name:   "who was asked and owns nothing any more is told nothing",
			file:   "internal/notify/team.go",
			old:    `return dropped || a.Retired }`,
			new:    `return dropped && false }`,
			breaks: "a question that nobody can answer stands for ever, and an approved list at none of its lines",
			holds:  apart,
			by:     "./internal/conversations -run 'TestOffersEndWithTheTeam|TestApprovedListEndsWithTheTeam'",
		},
		{
			name:   "a list is approved for a chat that is behind",
			file:   "internal/purchase/listapprove.go",
			old:    `	return e.crowdedChat(ctx, l.Chat)`,
			new:    `	return nil`,
			breaks: "more is bought into a chat that codes do not reach",
			holds:  "more money does not turn into codes that nobody can see",
			by:     "./internal/conversations -run TestListForAChatThatIsBehind",
		},
	}
}
