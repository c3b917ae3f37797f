package screen

import (
	"strconv"
	"strings"
)

const (
	// The version is told apart before anything else is read: were the form of the data ever to change, what stands on old
	// keyboards would be answered as out of date, and not taken for something else.
	dataVersion = "1"
	freshMark   = "+" // the answer is a message of its own: what the button stands under has to stay
	ofMark      = "~" // what follows is Action.Of
	maxData     = 64  // bytes, as Telegram counts callback_data
)

// Verb is what a button does.
type Verb string

// The verbs of buttons: two to twelve small letters, and behind each what it takes. They are on old keyboards for ever: a name is never
// given another meaning.
const (
	VerbHome       Verb = "home"
	VerbHelp       Verb = "help"
	VerbKey        Verb = "key"
	VerbKeyRemove  Verb = "keyremove" // Yes or Keep, the link, and what was named (EndsView), where it was asked whether it is meant
	VerbKeyCarry   Verb = "keycarry"  // the key that was sent is a new one of the account that is linked, or was
	VerbKeyApart   Verb = "keyapart"  // it is of another account, which replaces the one that is linked
	VerbKeyAdd     Verb = "keyadd"    // it is of another account, which is linked beside
	VerbBuy        Verb = "buy"       // page, and the words of a search, or none and LongQuery
	VerbProduct    Verb = "product"   // product, page
	VerbAbout      Verb = "about"     // product: its whole description
	VerbCategories Verb = "categories"
	VerbCategory   Verb = "category" // category, page
	VerbVariant    Verb = "variant"  // product, variant
	VerbQuantity   Verb = "qty"      // units
	VerbOption     Verb = "option"   // place in the input's options
	VerbBack       Verb = "back"
	VerbConfirm    Verb = "confirm" // purchase, nonce
	VerbDrop       Verb = "drop"    // purchase
	VerbAgain      Verb = "again"   // purchase: the same once more, from its summary
	VerbDecide     Verb = "decide"  // purchase, and what a person decides about it
	VerbMark       Verb = "mark"    // purchase, Mark of the orders that are offered, which of them are marked
	VerbTake       Verb = "take"    // purchase, Mark of the orders that it is given, which of those that are offered they are
	VerbLeave      Verb = "leave"   // purchase: it waits for its turn, and is not wanted any more
	VerbLetGo      Verb = "letgo"   // purchase: the others go before this uncertain one
	VerbOrders     Verb = "orders"  // the purchase after which to go on, and OrdersAll for those of the whole team; behind a filter, the words that they hold
	VerbOrder      Verb = "order"   // purchase
	VerbLook       Verb = "look"    // purchase: the service is asked for its orders now
	VerbHand       Verb = "hand"    // purchase, and Yes: it was given to its customer; HandBack: it was not after all
	VerbClaim      Verb = "claim"   // purchase: its facts for the service's support
	VerbAccount    Verb = "account" // the accounts of whoever has several
	VerbSwitch     Verb = "switch"  // AccountMark, and perhaps the purchase that is shown then
	VerbBalance    Verb = "balance"
	VerbLanguages  Verb = "languages"
	VerbLanguage   Verb = "language" // code
	VerbCancel     Verb = "cancel"
	VerbSoldOut    Verb = "soldout" // shows what cannot be had
	VerbTopup      Verb = "topup"   // page
	VerbPlayer     Verb = "player"  // place among the players that are offered
	VerbWhy        Verb = "why"     // purchase
	VerbGoOn       Verb = "goon"    // the question in hand is answered with yes
	VerbAlerts     Verb = "alerts"
	VerbAlert      Verb = "alert"    // kind
	VerbAlertSet   Verb = "alertset" // kind, and a number, AlertOff, AlertOn or AlertSilent; for hours two numbers
	VerbHear       Verb = "hear"     // subject, and a Hearing
	VerbTopics     Verb = "topics"   // AlertOn, AlertOff
	VerbWatch      Verb = "watch"    // product
	VerbWatchSet   Verb = "watchset" // product, WatchBack or WatchPrice
	VerbStock      Verb = "stock"
	VerbVault      Verb = "vault"   // the chat that cannot be reached: the codes that wait for it are listed
	VerbHistory    Verb = "history" // family, page
	VerbPastOrder  Verb = "past"    // family, and the service's id of an order of its history
	VerbMovements  Verb = "movements"

	VerbMeant        Verb = "meant"    // place among the ways in which a line can be read
	VerbItem         Verb = "item"     // nothing for all that are kept at hand; product, variant, and one of the Items; for ItemOffer perhaps an amount, or OfferOther
	VerbCustomer     Verb = "customer" // page; or customer, and one of the Customers
	VerbTheirs       Verb = "theirs"   // customer, page: what was bought for them
	VerbCustomerSave Verb = "custsave" // purchase: whom it was for becomes a customer
	VerbCustomerName Verb = "custname" // the name that is offered
	VerbUnname       Verb = "unname"   // a short word that is to mean nothing

	VerbListConfirm Verb = "listbuy"   // list, nonce: spends
	VerbListMarked  Verb = "listmark"  // list, nonce, and Yes to buy what is marked as well
	VerbListDrop    Verb = "listdrop"  // list
	VerbListAsk     Verb = "listask"   // list, nonce: the owners are asked for it
	VerbListApprove Verb = "listok"    // list, nonce of the question: spends
	VerbListRefuse  Verb = "listno"    // list, nonce of the question
	VerbListStop    Verb = "liststop"  // list: nothing more of it is sent
	VerbListAgain   Verb = "listagain" // list: what of it was not bought once more, from its card
	VerbListSell    Verb = "listsell"  // list; SaleCash or SaleCredit, turn and total; or SaleUndo, turn

	VerbPriceAt   Verb = "pat"       // nothing, or a page, for the products; what a rule is for (PriceTarget), and what VerbPrices takes
	VerbPriceList Verb = "pricelist" // nothing, or one of the PriceLists with what it takes
	VerbPrices    Verb = "prices"    // nothing for the rule; its basis, what it adds, what it rounds up to; or PriceOff

	VerbSell    Verb = "sell"    // purchase, and one of the Sales with what it takes
	VerbSellTo  Verb = "sellto"  // customer, or CustomerNew: who pays the sale in hand later
	VerbReceipt Verb = "receipt" // purchase; perhaps a language, and ReceiptCode
	VerbShop    Verb = "shop"    // perhaps the purchase whose receipt waits, and ShopKeep or ShopNoPhone
	VerbKridi   Verb = "kridi"   // nothing for all who owe; customer, and one of the Kridis with what it takes

	VerbBooks  Verb = "books"  // the ways to what is below
	VerbBoard  Verb = "board"  // nothing, or one of the Boards
	VerbReport Verb = "report" // one of the Reports, its first and last day, and how it is shown
	VerbClose  Verb = "close"  // nothing for all tills; counter, and one of the Tills with what it takes

	VerbAsk         Verb = "ask"        // purchase, nonce: the owners are asked for it
	VerbApprove     Verb = "approve"    // purchase, nonce of the question: spends
	VerbRefuse      Verb = "refuse"     // purchase, nonce of the question
	VerbReveal      Verb = "reveal"     // purchase, and RevealPrivate
	VerbTeam        Verb = "team"       //
	VerbInvite      Verb = "invite"     // role, and InviteOne for one person who is chosen
	VerbInvitesOff  Verb = "invitesoff" //
	VerbPerson      Verb = "person"     // user
	VerbPersonRole  Verb = "personrole" // user, role, and Yes where it was asked whether it is meant
	VerbPersonOut   Verb = "personout"  // user, and Yes and the Membership where it was asked whether it is meant
	VerbPersonLimit Verb = "limit"      // user, LimitPurchase or LimitDay
	VerbLimitSet    Verb = "limitset"   // user, LimitPurchase or LimitDay, an amount or LimitNone
	VerbPlace       Verb = "place"      //
	VerbPlaceHere   Verb = "placehere"  // Yes where it was asked whether it is meant, as the group is another account's
	VerbPlaceOff    Verb = "placeoff"   //
	VerbPlaceFull   Verb = "placefull"  // AlertOn to be asked whether it is meant, Yes with PlaceSince, or AlertOff
	VerbLock        Verb = "lock"       //
	VerbUnlock      Verb = "unlock"     //
	VerbTeamConfirm Verb = "teamok"     // the mark of the team as it was shown
	VerbUnfreeze    Verb = "unfreeze"   //

	VerbAccess   Verb = "access"   // page
	VerbPass     Verb = "pass"     //
	VerbShutOut  Verb = "shutout"  // chat, and Yes and AccessChat.Since where it was asked whether it is meant
	VerbShutOuts Verb = "shutouts" // page
	VerbLetIn    Verb = "letin"    // chat
	VerbPrivacy  Verb = "privacy"  //
	VerbForget   Verb = "forget"   // Yes where it was asked whether it is meant
)

// InviteOne has the person chosen whom an invitation is for.
const InviteOne = "one"

// OrdersAll lists what the whole team has bought.
const OrdersAll = "all"

// HandBack says that something was not given to a customer after all.
const HandBack = "back"

// What a person decides about a purchase that could not be found.
const (
	DecideBought = "yes"   // it was, and its orders are to be picked
	DecideNot    = "no"    // it was not: asked about, where something speaks against that
	DecideSure   = "sure"  // it was not, whatever speaks against that
	DecideNone   = "none"  // none of the orders that show is its: whether it was bought is asked
	DecideClose  = "close" // it was, and none of the orders that show is its
)

// Action is what a button means. It travels through the client and may be forged: it names, and proves
// nothing.
type Action struct {
	Verb  Verb
	Args  []string
	Fresh bool   // answer with a new message, and leave the one with the button alone
	Of    string // AccountMark of the account that it is about; empty where the button does not say
}

// act makes an action.
func act(v Verb, args ...string) Action { return Action{Verb: v, Args: args} }

// Data is the action as callback data: "1:verb:arg:arg", 64 bytes at most. What would be longer, which
// no screen makes, goes home.
func (a Action) Data() string {
	// Telegram refuses a whole message for one button whose data are too long: a code would not be shown for it.
	if data := a.encoded(); len(data) <= maxData {
		return data
	}
	return act(VerbHome).Data()
}

// ParseAction reads callback data. ok is false for data of another version or form.
func ParseAction(data string) (a Action, ok bool) {
	// Only a forged one is longer.
	if len(data) > maxData {
		return Action{}, false
	}
	parts := strings.Split(data, ":")
	// Data writes the version, the sign for fresh, and the account, in this order: they are cut off from the end.
	// Example: "1+~aB3_:orders:" is version 1, fresh, and of the account with the mark aB3_.
	version, of, _ := strings.Cut(parts[0], ofMark)
	version, fresh := strings.CutSuffix(version, freshMark)
	if version != dataVersion || len(parts) < 2 || parts[1] == "" {
		return Action{}, false
	}
	return Action{Verb: Verb(parts[1]), Args: parts[2:], Fresh: fresh, Of: of}, true
}

// Arg is an argument by its place, "" where it is missing.
func (a Action) Arg(i int) string {
	// A verb may get arguments that keyboards of before do not have.
	if i < len(a.Args) {
		return a.Args[i]
	}
	return ""
}

// Int is an argument as a number, 0 where it is none.
func (a Action) Int(i int) int64 {
	n, err := strconv.ParseInt(a.Arg(i), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Refresh is the last argument of buttons that show the same screen once more.
const Refresh = "refresh"

// LooksAgain reports whether the button may lead to just what its message shows.
func (a Action) LooksAgain() bool {
	return a.Verb == VerbGoOn || a.Verb == VerbReport || len(a.Args) > 0 && a.Args[len(a.Args)-1] == Refresh
}

// fresh is the action with its answer in a message of its own.
func (a Action) fresh() Action {
	a.Fresh = true
	return a
}

// id writes a number for an action.
func id[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// encoded is Data of whatever length.
func (a Action) encoded() string {
	version := dataVersion
	if a.Fresh {
		version += freshMark
	}
	if a.Of != "" {
		version += ofMark + a.Of
	}
	return strings.Join(append([]string{version, string(a.Verb)}, a.Args...), ":")
}
