package conversations

import (
	"maps"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// right is who may do something. atLeast is for what is about the account of the chat. asNamed is for what names another account, a
// purchase, a question or a person: the table cannot know whose that is, and the function refuses by itself.
type right struct {
	// role is the least role that it takes where an account is linked. Where none is linked there is nothing to keep
	// everyone from; in a group, everything is for the team.
	role store.Role
	// named: whoever may is said by what it names (a purchase, a question, a person of a team) wherever it is done, and
	// the function that does it looks.
	named bool
	// operator: whoever runs the bot may, in their private chat, whatever team they are of.
	operator bool
}

// Who may do what. In a group, everyone is everyone of its team, and the table answers who is not. A function is asNamed
// where it has an answer of its own for whoever may not: /key removes a key that anybody shows in a group, and /access is
// unknown to all but the operator, while a press of their buttons is refused as any other.
var (
	// It is the zero right, which a verb that is not in the table has too: tap asks besides whether there is a row (router.go).
	everyone = right{}
	asNamed  = right{named: true}
	// Nobody else is told that there is such a button: for them it is one that means nothing any more.
	operators = right{operator: true}
)

// atLeast is the right of a role, and of those above it.
func atLeast(role store.Role) right { return right{role: role} }

// forbids refuses, politely, what a right does not allow.
func (t *turn) forbids(r right) (bool, error) {
	if r.named {
		return false, nil
	}
	if no, err := t.refuseBelow(r.role); no || err != nil {
		return no, err
	}
	if isOperator := t.private && t.userID == t.cfg.Access.Operator; isOperator || !r.operator {
		return false, nil
	}
	if t.session.Message != t.tapped {
		t.cover()
	}
	return true, t.stale()
}

// commandRow is a row of the table of commands.
type commandRow struct {
	right

	run func(t *turn, rest string) error
	// as is the verb of the button that does the same where nothing stands behind the command.
	as screen.Verb
	// keepsKey: an open question for a key stays open.
	keepsKey bool
	// bought: it is about what somebody has bought before; whoever is out may still use it.
	bought bool
	// apart: it shows what is owners' alone, and goes to their private chat where others of the team read along.
	apart bool
}

// buttonRow is a row of the table of buttons.
type buttonRow struct {
	right

	run func(t *turn, a screen.Action) error
	// inPlace: in a group, too, what it leads to replaces the message that it stands under.
	inPlace bool
	// moves: it moves on the purchase that its first argument names. A tap that could not be handled is answered by how that purchase stands
	// (park.go), and is never replayed while it is a draft, for it could buy (again.go). Every verb that spends needs it, or movesList.
	moves bool
	// movesList: as moves, with the list that its first argument names.
	movesList bool
	// books: it may write into the books. Its answer has to stay: it says what is to be paid back, and has the ↩️ Undo. So the second of two
	// equal taps within a second is left out (doubletaps.go).
	books bool
	// bought: it is about what somebody has bought before; whoever is out may still use it.
	bought bool
	// anywhere: it is about no account, or says itself which.
	anywhere bool
	// apart: as of a command.
	apart bool
}

// buys reports whether something is bought by what the button leads to, or could be. It is true of every button of sellers: a tap that is
// refused is then told that nothing was bought (turn.where).
func (r buttonRow) buys() bool { return r.moves || r.movesList || r.role == store.Seller }

// questionRow is a row of the table of open questions.
type questionRow struct {
	right

	answer func(t *turn) error
}

// commands are all commands, by their name without the slash. What is not in the table is unknown.
func commands() map[string]commandRow {
	return map[string]commandRow{
		"start":     {right: asNamed, run: func(t *turn, rest string) error { return homeFlow{t}.startWith(plainToken(rest)) }}, // an invitation names whom it lets in
		"home":      {right: everyone, run: func(t *turn, _ string) error { return homeFlow{t}.startWith("") }},                 // as people call it: no menu lists it
		"key":       {right: asNamed, run: with(keyFlow.key), keepsKey: true},                                                   // what is typed may be a key, and has to go from a group
		"account":   {right: everyone, run: bare(accountFlow.page)},
		"team":      {right: asNamed, run: bare(teamFlow.team)},
		"lock":      {right: asNamed, run: bare(teamFlow.lock)},
		"unlock":    {right: asNamed, run: bare(teamFlow.unlock)},
		"access":    {right: asNamed, run: func(t *turn, _ string) error { return accessFlow{t}.access(0) }},
		"help":      {right: everyone, run: bare(homeFlow.help)},
		"language":  {right: everyone, run: bare(homeFlow.languages)},
		"privacy":   {right: everyone, run: bare(homeFlow.privacy)},
		"forget":    {right: everyone, run: func(t *turn, _ string) error { return homeFlow{t}.forget(false) }},
		"cancel":    {right: everyone, run: bare(homeFlow.cancelAll), keepsKey: true},
		"orders":    {right: atLeast(store.Counter), run: with(orderFlow.ordersCommand), bought: true},
		"buy":       {right: atLeast(store.Seller), run: with(buyFlow.buy), as: screen.VerbBuy},
		"topup":     {right: atLeast(store.Seller), run: bare(topupFlow.topup), as: screen.VerbTopup},
		"customers": {right: atLeast(store.Seller), run: with(customerFlow.command)},
		"alias":     {right: atLeast(store.Seller), run: with(itemFlow.alias)},
		"kridi":     {right: atLeast(store.Counter), run: with(kridiFlow.command)},
		"today":     {right: atLeast(store.Counter), run: reportOf(screen.ReportDay)},
		"week":      {right: atLeast(store.Counter), run: reportOf(screen.ReportWeek)},
		"month":     {right: atLeast(store.Counter), run: reportOf(screen.ReportMonth)},
		"report":    {right: atLeast(store.Counter), run: reportOf(screen.ReportRange)},
		"close":     {right: atLeast(store.Counter), run: bare(tillFlow.command)},
		"stock":     {right: atLeast(store.Seller), run: bare(homeFlow.stock), as: screen.VerbStock},
		"balance":   {right: atLeast(store.Owner), run: bare(homeFlow.balance), as: screen.VerbBalance, apart: true},
		"alerts":    {right: atLeast(store.Owner), run: bare(alertFlow.alerts)},
		"prices":    {right: atLeast(store.Owner), run: bare(priceFlow.prices), apart: true},
	}
}

// questions are the questions that may be open, by their flow. A line that is typed without one searches
// what is sold, and what was bought.
func questions() map[string]questionRow {
	return map[string]questionRow{
		flowKey:      {everyone, answered(keyFlow.keyTyped)},
		flowBuy:      {atLeast(store.Seller), answered(buyFlow.buyTyped)},
		flowCustomer: {atLeast(store.Seller), answered(customerFlow.customerTyped)},
		flowItem:     {atLeast(store.Seller), answered(itemFlow.itemTyped)},
		flowAlerts:   {atLeast(store.Owner), answered(alertFlow.alertTyped)},
		flowPrices:   {atLeast(store.Owner), answered(priceFlow.typed)},
		flowShop:     {atLeast(store.Owner), answered(saleFlow.shopTyped)},
		flowSale:     {atLeast(store.Counter), answered(saleFlow.typed)},
		flowKridi:    {atLeast(store.Counter), answered(kridiFlow.typed)},
		flowTill:     {atLeast(store.Counter), answered(tillFlow.typed)},
		flowTeam:     {atLeast(store.Owner), answered(teamFlow.limitTyped)},
		"":           {atLeast(store.Counter), func(t *turn) error { return buyFlow{t}.search(t.text) }},
	}
}

// buttons are all buttons, by their verb. What is not in the table does nothing.
func buttons() map[screen.Verb]buttonRow {
	rows := map[screen.Verb]buttonRow{}
	for _, part := range []map[screen.Verb]buttonRow{generalButtons(), sellingButtons(), purchaseButtons(), listButtons(), moneyButtons(), teamButtons(), operatorButtons()} {
		maps.Copy(rows, part)
	}
	return rows
}

// generalButtons are for everyone.
func generalButtons() map[screen.Verb]buttonRow {
	return map[screen.Verb]buttonRow{
		screen.VerbHome:    {right: everyone, run: plain(homeFlow.start), anywhere: true},
		screen.VerbHelp:    {right: everyone, run: plain(homeFlow.help), anywhere: true},
		screen.VerbAccount: {right: everyone, run: plain(accountFlow.page), anywhere: true},
		screen.VerbSwitch:  {right: everyone, run: func(t *turn, a screen.Action) error { return accountFlow{t}.tapped(a.Arg(0), a.Arg(1)) }, anywhere: true},
		screen.VerbKeyAdd:  {right: everyone, run: func(t *turn, _ screen.Action) error { return keyFlow{t}.keyReplace(keyAdd) }},
		screen.VerbKey:     {right: everyone, run: func(t *turn, _ screen.Action) error { return keyFlow{t}.key("") }},
		screen.VerbKeyRemove: {right: everyone, run: func(t *turn, a screen.Action) error {
			answer := a.Arg(0)
			if answer != "" && t.private && a.Arg(1) != (keyFlow{t}).linkedSince() { // it was asked about another link
				return t.stale()
			}
			if answer == screen.Keep {
				return keyFlow{t}.keyKeep()
			}
			return keyFlow{t}.keyRemove(answer == screen.Yes, a.Arg(2))
		}},
		screen.VerbKeyCarry:  {right: everyone, run: func(t *turn, _ screen.Action) error { return keyFlow{t}.keyReplace(keyCarry) }},
		screen.VerbKeyApart:  {right: everyone, run: func(t *turn, _ screen.Action) error { return keyFlow{t}.keyReplace(keyApart) }},
		screen.VerbLanguages: {right: everyone, run: plain(homeFlow.languages), anywhere: true},
		screen.VerbLanguage:  {right: everyone, run: func(t *turn, a screen.Action) error { return homeFlow{t}.language(a.Arg(0)) }, anywhere: true},
		screen.VerbPrivacy:   {right: everyone, run: plain(homeFlow.privacy), anywhere: true},
		screen.VerbForget:    {right: everyone, run: func(t *turn, a screen.Action) error { return homeFlow{t}.forget(a.Arg(0) == screen.Yes) }, anywhere: true},
		screen.VerbCancel:    {right: everyone, run: plain(homeFlow.cancelAll)},
		screen.VerbSoldOut: {right: everyone, run: func(t *turn, _ screen.Action) error {
			t.ack(screen.ToastSoldOut)
			return nil
		}},
	}
}

// sellingButtons lead to a summary.
func sellingButtons() map[screen.Verb]buttonRow {
	seller := atLeast(store.Seller)
	return map[screen.Verb]buttonRow{
		screen.VerbBuy:     {right: seller, run: plain(buyFlow.browse)},
		screen.VerbProduct: {right: seller, run: plain(buyFlow.browse)},
		screen.VerbVariant: {right: seller, run: plain(buyFlow.browse)},
		screen.VerbAbout: {right: seller, run: func(t *turn, a screen.Action) error {
			return t.withProduct(a.Int(0), func(p api.Product) error { return t.say(t.scr.Catalogue().About(p)) })
		}},
		screen.VerbCategories:   {right: seller, run: plain(buyFlow.categories)},
		screen.VerbCategory:     {right: seller, run: func(t *turn, a screen.Action) error { return buyFlow{t}.category(a.Int(0), int(a.Int(1))) }},
		screen.VerbTopup:        {right: seller, run: func(t *turn, a screen.Action) error { return topupFlow{t}.topups(int(a.Int(0))) }},
		screen.VerbQuantity:     {right: seller, run: plain(buyFlow.buyTapped)},
		screen.VerbOption:       {right: seller, run: plain(buyFlow.buyTapped)},
		screen.VerbPlayer:       {right: seller, run: plain(buyFlow.buyTapped)},
		screen.VerbGoOn:         {right: seller, run: plain(buyFlow.buyTapped)},
		screen.VerbBack:         {right: seller, run: plain(buyFlow.buyTapped)},
		screen.VerbAgain:        {right: seller, run: plain(buyFlow.again)},
		screen.VerbMeant:        {right: seller, run: plain(buyFlow.meantTapped)},
		screen.VerbItem:         {right: seller, run: plain(itemFlow.itemTapped)},
		screen.VerbCustomer:     {right: seller, run: plain(customerFlow.customerTapped)},
		screen.VerbCustomerSave: {right: seller, run: func(t *turn, a screen.Action) error { return customerFlow{t}.save(a.Arg(0)) }},
		screen.VerbCustomerName: {right: seller, run: plain(customerFlow.nameTapped)},
		screen.VerbUnname:       {right: seller, run: plain(itemFlow.unname)},
		screen.VerbStock:        {right: seller, run: plain(homeFlow.stock)},
		screen.VerbWatch:        {right: seller, run: func(t *turn, a screen.Action) error { return alertFlow{t}.watch(a.Int(0)) }},
		screen.VerbWatchSet:     {right: seller, run: plain(alertFlow.watchSet)},
	}
}

// purchaseButtons are about a purchase: those that decide about it, or spend, look besides whose it is.
func purchaseButtons() map[screen.Verb]buttonRow {
	counter := atLeast(store.Counter)
	return map[screen.Verb]buttonRow{
		screen.VerbConfirm: {right: counter, run: plain(buyFlow.confirm), inPlace: true, moves: true},
		screen.VerbDrop:    {right: counter, run: plain(buyFlow.drop), inPlace: true, moves: true},
		screen.VerbLeave:   {right: counter, run: plain(buyFlow.leaveQueue), inPlace: true, moves: true, bought: true},
		screen.VerbAsk:     {right: counter, run: plain(approvalFlow.askOwners), inPlace: true, moves: true},
		screen.VerbApprove: {right: asNamed, run: plain(approvalFlow.approve), moves: true},
		screen.VerbRefuse:  {right: asNamed, run: plain(approvalFlow.refuseIt), moves: true},
		screen.VerbReveal:  {right: asNamed, run: plain(approvalFlow.reveal), inPlace: true},
		screen.VerbDecide:  {right: counter, run: plain(decideFlow.decide), inPlace: true, moves: true, bought: true},
		screen.VerbMark:    {right: counter, run: plain(decideFlow.markOrders), inPlace: true, bought: true},
		screen.VerbTake:    {right: counter, run: plain(decideFlow.takeOrders), inPlace: true, moves: true, bought: true},
		screen.VerbLetGo:   {right: counter, run: plain(approvalFlow.letGo), inPlace: true, moves: true, bought: true},
		screen.VerbOrders:  {right: counter, run: func(t *turn, a screen.Action) error { return orderFlow{t}.ordersTapped(a) }, bought: true},
		screen.VerbOrder:   {right: counter, run: func(t *turn, a screen.Action) error { return orderFlow{t}.order(a.Arg(0)) }, bought: true},
		screen.VerbTheirs:  {right: counter, run: plain(orderFlow.ofCustomer)},
		screen.VerbLook:    {right: counter, run: func(t *turn, a screen.Action) error { return orderFlow{t}.lookAgain(a.Arg(0)) }, bought: true},
		screen.VerbHand:    {right: counter, run: plain(orderFlow.hand), inPlace: true, bought: true},
		screen.VerbClaim:   {right: counter, run: plain(orderFlow.claim), bought: true},
		screen.VerbSell:    {right: counter, run: plain(saleFlow.saleTapped), inPlace: true, books: true},
		screen.VerbKridi:   {right: counter, run: plain(kridiFlow.tapped), books: true},
		screen.VerbBooks:   {right: counter, run: plain(homeFlow.books)},
		screen.VerbReport:  {right: counter, run: plain(reportFlow.tapped)},
		screen.VerbClose:   {right: counter, run: plain(tillFlow.tapped), books: true},
		screen.VerbReceipt: {right: counter, run: plain(saleFlow.receiptTapped)},
		screen.VerbSellTo:  {right: counter, run: plain(saleFlow.toTapped), books: true},
		screen.VerbWhy:     {right: atLeast(store.Owner), run: func(t *turn, a screen.Action) error { return orderFlow{t}.why(a.Arg(0)) }, bought: true, apart: true},
	}
}

// listButtons are about a list: those that decide about it, or spend, look besides whose it is.
func listButtons() map[screen.Verb]buttonRow {
	counter := atLeast(store.Counter)
	return map[screen.Verb]buttonRow{
		screen.VerbListConfirm: {right: counter, run: plain(listFlow.confirm), inPlace: true, movesList: true},
		screen.VerbListMarked:  {right: counter, run: plain(listFlow.marked), inPlace: true},
		screen.VerbListDrop:    {right: counter, run: plain(listFlow.drop), inPlace: true, movesList: true},
		screen.VerbListAsk:     {right: counter, run: plain(listFlow.ask), inPlace: true, movesList: true},
		screen.VerbListApprove: {right: asNamed, run: plain(listFlow.approve), movesList: true},
		screen.VerbListRefuse:  {right: asNamed, run: plain(listFlow.refuseIt), movesList: true},
		screen.VerbListStop:    {right: counter, run: plain(listFlow.stop), inPlace: true, movesList: true, bought: true},
		screen.VerbListAgain:   {right: atLeast(store.Seller), run: plain(listFlow.again)},
		screen.VerbListSell:    {right: counter, run: plain(listFlow.saleTapped), inPlace: true, books: true},
	}
}

// moneyButtons are about an account's money, and what its owners are told.
func moneyButtons() map[screen.Verb]buttonRow {
	owner := atLeast(store.Owner)
	return map[screen.Verb]buttonRow{
		screen.VerbBalance:   {right: owner, run: plain(homeFlow.balance), apart: true},
		screen.VerbMovements: {right: owner, run: plain(homeFlow.movements), apart: true},
		screen.VerbHistory:   {right: owner, run: func(t *turn, a screen.Action) error { return orderFlow{t}.history(api.Family(a.Arg(0)), int(a.Int(1))) }, apart: true},
		screen.VerbPastOrder: {right: owner, run: func(t *turn, a screen.Action) error { return orderFlow{t}.pastOrder(api.Family(a.Arg(0)), a.Arg(1)) }, apart: true},
		screen.VerbAlerts:    {right: owner, run: plain(alertFlow.alerts)},
		screen.VerbAlert:     {right: owner, run: func(t *turn, a screen.Action) error { return alertFlow{t}.askThreshold(a.Arg(0), screen.NoProblem) }},
		screen.VerbHear:      {right: atLeast(store.Counter), run: plain(alertFlow.sounds), inPlace: true},
		screen.VerbAlertSet:  {right: owner, run: plain(alertFlow.alertSet)},
		screen.VerbPrices:    {right: owner, run: plain(priceFlow.tapped), apart: true},
		screen.VerbPriceList: {right: owner, run: plain(priceFlow.priceListTapped)},
		screen.VerbBoard:     {right: owner, run: plain(homeFlow.boardTapped)},
		screen.VerbPriceAt:   {right: owner, run: plain(priceFlow.atTapped), apart: true},
		screen.VerbShop:      {right: owner, run: plain(saleFlow.shopTapped)},
		screen.VerbVault:     {right: owner, run: func(t *turn, a screen.Action) error { return orderFlow{t}.vault(a.Int(0)) }},
	}
}

// teamButtons are about who may do what: each looks whether the person owns the account that is meant.
func teamButtons() map[screen.Verb]buttonRow {
	return map[screen.Verb]buttonRow{
		screen.VerbTeam:       {right: asNamed, run: plain(teamFlow.team), inPlace: true},
		screen.VerbInvite:     {right: asNamed, run: plain(teamFlow.invite)},
		screen.VerbInvitesOff: {right: asNamed, run: plain(teamFlow.invitesOff)},
		screen.VerbPerson:     {right: asNamed, run: func(t *turn, a screen.Action) error { return teamFlow{t}.person(a.Int(0)) }},
		screen.VerbPersonRole: {right: asNamed, run: func(t *turn, a screen.Action) error {
			return teamFlow{t}.personRole(a.Int(0), store.Role(a.Arg(1)), confirmedFor(a.Args[min(len(a.Args), 2):]))
		}},
		screen.VerbPersonOut: {right: asNamed, run: func(t *turn, a screen.Action) error {
			return teamFlow{t}.personOut(a.Int(0), confirmedFor(a.Args[min(len(a.Args), 1):]))
		}},
		screen.VerbPersonLimit: {right: asNamed, run: func(t *turn, a screen.Action) error {
			return teamFlow{t}.personLimit(a.Int(0), a.Arg(1), screen.NoProblem)
		}},
		screen.VerbLimitSet:    {right: asNamed, run: func(t *turn, a screen.Action) error { return teamFlow{t}.limitSet(a.Int(0), a.Arg(1), a.Arg(2)) }},
		screen.VerbPlace:       {right: asNamed, run: plain(placeFlow.place)},
		screen.VerbPlaceHere:   {right: asNamed, run: func(t *turn, a screen.Action) error { return placeFlow{t}.placeHere(a.Arg(0) == screen.Yes) }, inPlace: true},
		screen.VerbPlaceOff:    {right: asNamed, run: plain(placeFlow.placeOff), inPlace: true},
		screen.VerbTopics:      {right: asNamed, run: func(t *turn, a screen.Action) error { return placeFlow{t}.topics(a.Arg(0)) }, inPlace: true},
		screen.VerbPlaceFull:   {right: asNamed, run: func(t *turn, a screen.Action) error { return placeFlow{t}.placeFull(a.Arg(0)) }, inPlace: true},
		screen.VerbLock:        {right: asNamed, run: plain(teamFlow.lock), inPlace: true},
		screen.VerbUnlock:      {right: asNamed, run: plain(teamFlow.unlock), inPlace: true},
		screen.VerbTeamConfirm: {right: asNamed, run: func(t *turn, a screen.Action) error { return keyFlow{t}.confirmTeam(a.Arg(0)) }},
		screen.VerbUnfreeze:    {right: asNamed, run: plain(keyFlow.unfreeze)},
	}
}

// operatorButtons are the operator's.
func operatorButtons() map[screen.Verb]buttonRow {
	rows := map[screen.Verb]buttonRow{}
	for _, v := range []screen.Verb{screen.VerbAccess, screen.VerbPass, screen.VerbShutOut, screen.VerbShutOuts, screen.VerbLetIn} {
		rows[v] = buttonRow{right: operators, run: plain(accessFlow.accessTap), anywhere: true}
	}
	return rows
}
