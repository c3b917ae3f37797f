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
			old:    `home.ID < 0 || account == "" ||`,
			new:    `true || account == "" ||`,
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
	}
}
