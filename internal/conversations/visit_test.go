package conversations

import (
	"fmt"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// Who visits, and where, in the tables of what is decided.
const (
	theOperator = int64(1) // runs the bot
	amina       = int64(5) // of the team
	bilal       = int64(6) // of no team
	theGroup    = int64(-9)
)

// at is a visit of somebody's to a chat, as it was read.
func at(user, chat int64, changes ...func(*visit)) visit {
	v := visit{visitor: visitor{User: &models.User{ID: user}, chat: chat}, asks: true}
	for _, change := range changes {
		change(&v)
	}
	return v
}

// What may have been read, and said.
func known(v *visit)       { v.here.ID = v.chat }
func letIn(v *visit)       { v.here.ID, v.here.Admitted = v.chat, time.Unix(1, 0) }
func shutOut(v *visit)     { v.here.ID, v.here.Out = v.chat, time.Unix(2, 0) }
func personIn(v *visit)    { v.person.ID, v.person.Admitted = v.ID, time.Unix(1, 0) }
func personOut(v *visit)   { v.person.ID, v.person.Out = v.ID, time.Unix(2, 0) }
func byAmina(v *visit)     { v.here.AdmittedBy, v.bringer.ID = amina, amina }
func bringerIn(v *visit)   { v.bringer.Admitted = time.Unix(1, 0) }
func bringerOut(v *visit)  { v.bringer.Admitted, v.bringer.Out = time.Unix(1, 0), time.Unix(2, 0) }
func linkedHere(v *visit)  { v.here.Account, v.shop = "a", team() }
func linkedThere(v *visit) { v.person.Account, v.shop = "a", team() }
func unasked(v *visit)     { v.asks = false }
func anonymous(v *visit)   { v.anonymous = true }
func taken(v *visit)       { v.invited = true }
func tapped(v *visit)      { v.query = "q" }
func past(v *visit)        { v.bought = true }
func open(v *visit)        { v.open = true }
func expected(v *visit)    { v.expected = true }
func answering(v *visit)   { v.answersQuestion = true }
func tapping(verb screen.Verb) func(*visit) {
	return func(v *visit) { v.query, v.action.Verb = "q", verb }
}

// saying types a command, or a line.
func saying(text string) func(*visit) {
	return func(v *visit) {
		v.text = text
		v.name, v.rest, _ = command(text, "shop_bot")
	}
}

// team is an account that Amina sells for.
func team() store.Account {
	a := store.Account{ID: "a"}
	store.Admit(&a, store.Member{User: amina, Role: store.Seller})
	return a
}

// Where everybody may come, and where those alone who were let in.
func openAccess() Access     { return Access{Operator: theOperator} }
func byInvitation() Access   { return Access{Operator: theOperator, InviteOnly: true} }
func bothAccesses() []Access { return []Access{openAccess(), byInvitation()} }
func nameOf(p Access) string { return fmt.Sprintf("by invitation %v", p.InviteOnly) }

// TestStanding: who is what, where, and for which account.
func TestStanding(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		visit         visit
		open, invited membership
		ofAccount     string
	}{
		"nothing is known of them":                           {at(bilal, bilal), stranger, outsider, ""},
		"they were let in":                                   {at(bilal, bilal, letIn), stranger, stranger, ""},
		"they were shut out":                                 {at(bilal, bilal, letIn, shutOut), outsider, outsider, ""},
		"they are of the team":                               {at(amina, amina, letIn, linkedHere), member, member, "a"},
		"they were of the team":                              {at(bilal, bilal, letIn, linkedHere), stranger, stranger, ""},
		"the operator":                                       {at(theOperator, theOperator), member, member, ""},
		"the operator, shut out":                             {at(theOperator, theOperator, shutOut), member, member, ""},
		"a member in the shop's group":                       {at(amina, theGroup, letIn, linkedHere, personIn), member, member, "a"},
		"a member who is out, in the shop's group":           {at(amina, theGroup, letIn, linkedHere, personOut), outsider, outsider, ""},
		"a stranger in the shop's group":                     {at(bilal, theGroup, letIn, linkedHere), stranger, stranger, ""},
		"in the shop's group, in its name":                   {at(amina, theGroup, letIn, linkedHere, anonymous), stranger, stranger, ""},
		"the operator in the shop's group":                   {at(theOperator, theGroup, letIn, linkedHere, personOut), member, member, "a"},
		"a member in a group of nobody":                      {at(amina, theGroup, letIn, linkedThere), member, member, "a"},
		"in a group of nobody, in its name":                  {at(amina, theGroup, letIn, linkedThere, anonymous), stranger, stranger, ""},
		"a group whose bringer is in":                        {at(bilal, theGroup, letIn, byAmina, bringerIn), stranger, stranger, ""},
		"a group whose bringer is out":                       {at(bilal, theGroup, letIn, byAmina, bringerOut), stranger, outsider, ""},
		"the shop's group, whose bringer is out":             {at(bilal, theGroup, letIn, linkedHere, byAmina, bringerOut), stranger, stranger, ""},
		"a group that was shut out":                          {at(amina, theGroup, shutOut, linkedThere, personIn), outsider, outsider, ""},
		"a group that nobody has let in":                     {at(amina, theGroup, known), stranger, outsider, ""},
		"a group that was let in before it was said by whom": {at(bilal, theGroup, letIn), stranger, stranger, ""},
	} {
		for _, p := range bothAccesses() {
			want := c.open
			if p.InviteOnly {
				want = c.invited
			}
			account := c.ofAccount
			if want != member {
				account = ""
			}
			if got, of := p.membershipOf(c.visit); got != want || of != account {
				t.Errorf("%s, %s: they are %d for %q, want %d for %q", name, nameOf(p), got, of, want, account)
			}
		}
	}
}

// TestAdmission: how a visit comes in, and which quota it counts against.
func TestAdmission(t *testing.T) {
	t.Parallel()
	inside, shop := []func(*visit){letIn}, []func(*visit){letIn, linkedHere}
	who := func(user, chat int64, read []func(*visit), more ...func(*visit)) visit {
		return at(user, chat, append(append([]func(*visit){}, read...), more...)...)
	}
	for name, c := range map[string]struct {
		visit visit
		want  admission
	}{
		"what nobody asks for, of a chat that is known": {who(bilal, theGroup, inside, unasked), admission{how: handleStored}},
		"what nobody asks for, of one that is not":      {at(bilal, theGroup, unasked), admission{how: handleIgnored}},
		"a member's line":                       {who(amina, amina, shop, saying("play card")), admission{handleStored, quotaMember, "a"}},
		"a member's tap in the group":           {who(amina, theGroup, shop, tapped), admission{handleStored, quotaMember, "a"}},
		"the operator":                          {at(theOperator, theOperator, saying("/access")), admission{handleStored, quotaMember, ""}},
		"a stranger's tap":                      {who(bilal, bilal, inside, tapped), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger's tap in the group":         {who(bilal, theGroup, shop, tapped), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger's key":                      {who(bilal, bilal, inside, saying("/key abc")), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger's key in the group":         {who(bilal, theGroup, shop, saying("/key abc")), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger asks to be asked for a key": {who(bilal, bilal, inside, saying("/key")), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger does so in the group":       {who(bilal, theGroup, shop, saying("/key")), admission{how: handleUnstored, quota: quotaText}},
		"a stranger's invitation":               {who(bilal, bilal, inside, saying("/start xyz")), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger's invitation in the group":  {who(bilal, theGroup, shop, saying("/start xyz")), admission{how: handleUnstored, quota: quotaText}},
		"a stranger presses Start":              {who(bilal, bilal, inside, saying("/start")), admission{how: handleUnstored, quota: quotaText}},
		"a stranger asks what is kept":          {who(bilal, bilal, inside, saying("/privacy")), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger wants to be forgotten":      {who(bilal, bilal, inside, saying("/forget")), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger's answer":                   {who(bilal, bilal, inside, saying("abc"), answering), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger's answer in the group":      {who(bilal, theGroup, shop, saying("abc"), answering), admission{how: handleStoredLast, quota: quotaSteps}},
		"a stranger's line":                     {who(bilal, bilal, inside, saying("abc")), admission{how: handleUnstored, quota: quotaText}},
		"people talk to each other":             {who(bilal, theGroup, shop, saying("abc")), admission{how: handleIgnored}},
		"a stranger's command in the group":     {who(bilal, theGroup, shop, saying("/help")), admission{how: handleUnstored, quota: quotaText}},
		"an outsider's line":                    {at(bilal, bilal, shutOut, saying("abc")), admission{how: handleUnstored, quota: quotaOutsider}},
		"an outsider's tap":                     {at(bilal, bilal, shutOut, tapped), admission{how: handleUnstored, quota: quotaOutsider}},
		"an outsider's invitation":              {at(bilal, bilal, shutOut, saying("/start xyz")), admission{how: handleStoredLast, quota: quotaOutsider}},
		"an outsider's key":                     {at(bilal, bilal, shutOut, saying("/key abc")), admission{how: handleStoredLast, quota: quotaOutsider}},
		"an outsider in a group":                {at(bilal, theGroup, shutOut, saying("abc")), admission{how: handleStoredLast, quota: quotaOutsider}},
		"an outsider with something open":       {at(bilal, bilal, shutOut, tapped, open), admission{how: handleStoredLast, quota: quotaFormer}},
	} {
		for _, p := range bothAccesses() {
			if got := p.admission(c.visit); got != c.want {
				t.Errorf("%s, %s: it comes in as %+v, want %+v", name, nameOf(p), got, c.want)
			}
		}
	}
	// That the bot was taken into a group is a wish where the group may have to be left.
	welcome := at(amina, theGroup, letIn, taken)
	if got, want := openAccess().admission(welcome), (admission{how: handleStored}); got != want {
		t.Errorf("taken into a group: it comes in as %+v, want %+v", got, want)
	}
	if got, want := byInvitation().admission(at(bilal, theGroup, taken)), (admission{how: handleStoredLast, quota: quotaOutsider}); got != want {
		t.Errorf("taken into a group by an outsider: it comes in as %+v, want %+v", got, want)
	}
	if got, want := openAccess().admission(at(bilal, theGroup, shutOut, taken)), (admission{how: handleStoredLast, quota: quotaOutsider}); got != want {
		t.Errorf("taken into a group that is out: it comes in as %+v, want %+v", got, want)
	}
}

// TestDecision: what is done about whom, where those alone may come who were let in.
func TestDecision(t *testing.T) {
	t.Parallel()
	outside := func(more ...func(*visit)) visit { return at(bilal, bilal, append([]func(*visit){shutOut}, more...)...) }
	group := func(more ...func(*visit)) visit { return at(bilal, theGroup, more...) }
	refused := func(r rejection) decision { return decision{result: gateReject, rejection: r} }
	for name, c := range map[string]struct {
		visit visit
		want  decision
	}{
		"a member":                                   {at(amina, amina, letIn, linkedHere, tapped), decision{where: member, account: "a"}},
		"a stranger":                                 {at(bilal, bilal, letIn, saying("/buy")), decision{where: stranger}},
		"an outsider's line":                         {outside(saying("abc")), refused(rejection{})},
		"an outsider presses Start":                  {outside(saying("/start")), refused(rejection{closed: true})},
		"an outsider's bad invitation":               {outside(saying("/start xyz")), refused(rejection{closed: true})},
		"an outsider's good invitation":              {outside(saying("/start xyz"), expected), decision{}},
		"an outsider's tap":                          {outside(tapping(screen.VerbBuy)), refused(rejection{toast: true})},
		"an outsider's key":                          {outside(saying("/key abc")), refused(rejection{deleteKey: true})},
		"an outsider unlinks":                        {outside(saying("/key remove")), refused(rejection{})},
		"an outsider decides about what is open":     {outside(tapping(screen.VerbDecide), past, open), decision{}},
		"an outsider decides about what is not":      {outside(tapping(screen.VerbDecide), past), refused(rejection{toast: true})},
		"an outsider spends while something is open": {outside(tapping(screen.VerbConfirm), open), refused(rejection{toast: true})},
		"an outsider asks what is kept":              {outside(saying("/privacy")), decision{}},
		"an outsider has themselves forgotten":       {outside(tapping(screen.VerbForget)), decision{}},
		"somebody unknown asks what is kept":         {at(bilal, bilal, saying("/privacy")), decision{result: gateTellKept}},
		"somebody unknown wants to be forgotten":     {at(bilal, bilal, saying("/forget")), decision{result: gateTellForget}},
		"somebody unknown taps to be forgotten":      {at(bilal, bilal, tapping(screen.VerbForget)), refused(rejection{toast: true})},
		"who is in writes in a group":                {group(personIn, saying("/team")), decision{result: gateAdmitGroup}},
		"who is in writes in a group that is out":    {group(personIn, shutOut, saying("/team")), refused(rejection{leave: true})},
		"the operator writes in a group that is out": {at(theOperator, theGroup, shutOut, saying("/team")), decision{result: gateAdmitGroup}},
		"an outsider takes the bot into a group":     {group(taken), refused(rejection{leave: true})},
		"an outsider writes in a group":              {group(saying("abc")), refused(rejection{leave: true})},
		"an outsider's key in a group":               {group(saying("/key abc")), refused(rejection{deleteKey: true, leave: true})},
		"an outsider taps in a group":                {group(tapping(screen.VerbBuy)), refused(rejection{toast: true})},
		"who is out writes in a shop's group":        {group(letIn, linkedHere, personOut, saying("abc")), refused(rejection{})},
		"who is out writes in a group that is in":    {group(letIn, personOut, saying("abc")), refused(rejection{})},
		"who is out takes the bot into one":          {group(letIn, personOut, taken), refused(rejection{leave: true})},
		"an outsider asks in a group what is kept":   {group(letIn, personOut, saying("/privacy")), refused(rejection{})},
	} {
		if got := byInvitation().decide(c.visit); got != c.want {
			t.Errorf("%s: it is decided %+v, want %+v", name, got, c.want)
		}
	}
}
