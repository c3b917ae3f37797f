package conversations_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/conversations"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// may is who may do something, by the letters of the pressers: in their private chat, and in the shop's group. It says
// what is promised, and is not made of the program's own table.
type may struct {
	private, group string
	// least is the role without which it is refused, whatever it names; named where that is told by what it names.
	least store.Role
	// past: it is about what somebody has bought before, and not kept from who is shut out while that is open.
	past bool
}

// named: who may is said by what is named.
const named = store.Role("named")

// Who may what.
const (
	everybody = "oscnb" // who was let in
	team      = "osc"
	sellers   = "os"
	owners    = "o"
	operators = "b" // there is one
	nobody    = ""
)

// mayPress is who may press the buttons that this shop's things are named by.
func mayPress() map[screen.Verb]may {
	all := map[screen.Verb]may{}
	for _, part := range []map[screen.Verb]may{mayPressAnything(), mayPressOfPurchases(), mayPressOfTeams()} {
		maps.Copy(all, part)
	}
	return all
}

// mayPressAnything is who may press what names nobody's things.
func mayPressAnything() map[screen.Verb]may {
	free := may{everybody, team, store.NoRole, false}
	sell := may{sellers, sellers, store.Seller, false}
	inHand := may{nobody, nobody, store.Seller, false} // there is no question open that it could answer
	own := may{owners, owners, store.Owner, false}
	return map[screen.Verb]may{
		screen.VerbHome: free, screen.VerbHelp: free, screen.VerbKey: free, screen.VerbLanguages: free, screen.VerbLanguage: free,
		screen.VerbCancel: free, screen.VerbSoldOut: free,
		screen.VerbPrivacy:   {everybody + "x", team, store.NoRole, false}, // of whom something is kept
		screen.VerbForget:    {everybody + "x", team, store.NoRole, false},
		screen.VerbKeyRemove: {everybody, owners, store.NoRole, false},
		screen.VerbKeyCarry:  {nobody, nobody, store.NoRole, false}, // no key waits for an answer
		screen.VerbKeyApart:  {nobody, nobody, store.NoRole, false},
		screen.VerbKeyAdd:    {nobody, nobody, store.NoRole, false},
		screen.VerbAccount:   free,
		screen.VerbSwitch:    {nobody, nobody, store.NoRole, false}, // there is no account that it could name

		screen.VerbBuy: sell, screen.VerbProduct: sell, screen.VerbVariant: sell, screen.VerbAbout: sell, screen.VerbCategories: sell, screen.VerbCategory: sell, screen.VerbTopup: sell, screen.VerbStock: sell,
		screen.VerbWatch: sell, screen.VerbWatchSet: sell, screen.VerbItem: sell, screen.VerbUnname: inHand, screen.VerbCustomer: sell, screen.VerbCustomerSave: inHand, screen.VerbCustomerName: inHand, screen.VerbMeant: inHand,
		screen.VerbQuantity: inHand, screen.VerbOption: inHand, screen.VerbPlayer: inHand, screen.VerbGoOn: inHand, screen.VerbBack: inHand,

		screen.VerbHear:    {team, owners, store.Counter, false}, // in a group for all who read it
		screen.VerbBalance: own, screen.VerbMovements: own, screen.VerbHistory: own, screen.VerbPastOrder: own, screen.VerbAlerts: own, screen.VerbAlert: own, screen.VerbAlertSet: own, screen.VerbPrices: own, screen.VerbPriceAt: own, screen.VerbPriceList: own, screen.VerbShop: own, screen.VerbBoard: {owners, nobody, store.Owner, false},
	}
}

// mayPressOfPurchases is who may press what names a purchase: the seller's, or one of somebody's who is shut out.
func mayPressOfPurchases() map[screen.Verb]may {
	counter := func(private, group string) may { return may{private: private, group: group, least: store.Counter} }
	past := func(private, group string) may { return may{private, group, store.Counter, true} }
	none := func(least store.Role, past bool) may { return may{nobody, nobody, least, past} } // there is no list that it could name
	return map[screen.Verb]may{
		screen.VerbListConfirm: none(store.Counter, false), screen.VerbListMarked: none(store.Counter, false), screen.VerbListDrop: none(store.Counter, false),
		screen.VerbListAsk: none(store.Counter, false), screen.VerbListApprove: none(named, false), screen.VerbListRefuse: none(named, false),
		screen.VerbListSell: none(store.Counter, false), screen.VerbListStop: none(store.Counter, true), screen.VerbListAgain: none(store.Seller, false),
		screen.VerbAgain:   {sellers, sellers, store.Seller, false},
		screen.VerbConfirm: counter("s", nobody), // whose summary it is, where it stands
		screen.VerbDrop:    counter("s", nobody),
		screen.VerbLeave:   past(sellers, sellers), // whose purchase it is, and owners
		screen.VerbAsk:     counter("s", nobody),
		screen.VerbApprove: {owners, nobody, named, false}, // an owner, where the question stands
		screen.VerbRefuse:  {owners, nobody, named, false},
		screen.VerbReveal:  {team, team, named, false},
		screen.VerbDecide:  past(owners, nobody),
		screen.VerbMark:    past(owners, nobody),
		screen.VerbTake:    past(owners, nobody),
		screen.VerbLetGo:   past(owners, owners),
		screen.VerbOrders:  past(everybody+"x", team),
		screen.VerbOrder:   past(team, team),
		screen.VerbLook:    past(team, team),
		screen.VerbTheirs:  counter(nobody, nobody), // there is no customer that it could name
		screen.VerbHand:    past(team, team),
		screen.VerbClaim:   past(team, team),
		screen.VerbWhy:     {owners + "x", owners, store.Owner, true}, // and whoever has bought it
		screen.VerbSell:    counter(nobody, nobody),                   // nothing of what is named was sold, or can be
		screen.VerbReceipt: counter(nobody, nobody),
		screen.VerbSellTo:  counter(nobody, nobody),
		screen.VerbBooks:   counter(team, team),
		screen.VerbReport:  counter(team, team),
		screen.VerbClose:   counter(team, team),
		screen.VerbKridi:   counter(team, team),
		screen.VerbVault:   {nobody, nobody, store.Owner, false}, // the chat that it names can be reached
	}
}

// mayPressOfTeams is who may press what names a team, or a chat that is let in.
func mayPressOfTeams() map[screen.Verb]may {
	own := may{owners, owners, named, false}
	operate := may{operators, nobody, store.NoRole, false}
	return map[screen.Verb]may{
		screen.VerbTeam: own, screen.VerbInvite: own, screen.VerbInvitesOff: own, screen.VerbPerson: own, screen.VerbPersonRole: own, screen.VerbPersonOut: own,
		screen.VerbPersonLimit: own, screen.VerbLimitSet: own, screen.VerbPlace: own, screen.VerbPlaceHere: own, screen.VerbPlaceOff: own, screen.VerbPlaceFull: own, screen.VerbTopics: own,
		screen.VerbLock: own, screen.VerbUnlock: own, screen.VerbTeamConfirm: own,
		screen.VerbUnfreeze: {nobody, nobody, named, false}, // the account was not restored

		screen.VerbAccess: operate, screen.VerbPass: operate, screen.VerbShutOut: operate, screen.VerbShutOuts: operate, screen.VerbLetIn: operate,
	}
}

// mayType is who may type the commands, some of them with words behind.
func mayType() map[string]may {
	free := may{everybody, team, store.NoRole, false}
	sell, own, manage := may{sellers, sellers, store.Seller, false}, may{owners, owners, store.Owner, false}, may{owners, owners, named, false}
	desk := may{team, team, store.Counter, false}
	return map[string]may{
		"start": free, "home": free, "start shop": {everybody, owners, named, false}, "help": free, "language": free, "cancel": free,
		"privacy": {everybody + "ex", team, store.NoRole, false}, "forget": {everybody + "ex", team, store.NoRole, false},
		"key": {everybody, everybody + "e", named, false}, "key remove": {everybody, owners, named, false},
		"team": manage, "lock": manage, "unlock": manage,
		"access": {operators, nobody, named, false}, "account": free,
		"orders": {everybody + "x", team, store.Counter, true},
		"buy":    sell, "buy play": sell, "topup": sell, "stock": sell, "alias": sell, "customers": sell, "kridi": desk, "today": desk, "week": desk, "month": desk, "report": desk, "report 1/1": desk, "close": desk,
		"balance": own, "alerts": own, "prices": own,
	}
}

// TestEveryVerbHasARow: a verb that screens can put on a button is in the table, and nothing else is; and for each of
// them, and for each command, it stands here who may.
func TestEveryVerbHasARow(t *testing.T) {
	t.Parallel()
	if table, declared := conversations.Verbs(), declaredVerbs(t); !slices.Equal(table, declared) {
		t.Errorf("the table has rows for\n%v\ndeclared are\n%v", table, declared)
	}
	if table, here := conversations.Verbs(), slices.Sorted(maps.Keys(mayPress())); !slices.Equal(table, here) {
		t.Errorf("the table has rows for\n%v\ntried are\n%v", table, here)
	}
	var operated []screen.Verb
	for verb, m := range mayPress() {
		if m.private == operators {
			operated = append(operated, verb)
		}
	}
	slices.Sort(operated)
	if table := conversations.OperatorVerbs(); !slices.Equal(table, operated) {
		t.Errorf("the table keeps for the operator\n%v\ntheirs are\n%v", table, operated)
	}
	var typed []string
	for text := range mayType() {
		name, _, _ := strings.Cut(text, " ")
		typed = append(typed, name)
	}
	slices.Sort(typed)
	if table, here := conversations.Commands(), slices.Compact(typed); !slices.Equal(table, here) {
		t.Errorf("the table has commands\n%v\ntried are\n%v", table, here)
	}
}

// declaredVerbs are the constants of their type in the source of the screens.
func declaredVerbs(t *testing.T) (verbs []screen.Verb) {
	t.Helper()
	sources, err := filepath.Glob("../screen/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != "Verb" {
				return true
			}
			for _, v := range spec.Values {
				text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				verbs = append(verbs, screen.Verb(text))
			}
			return true
		})
	}
	slices.Sort(verbs)
	return verbs
}

// who is who may do something in a chat.
func (m may) who(chat int64) string {
	if chat < 0 {
		return m.group
	}
	return m.private
}

// Words by which something is refused.
const (
	wordRole     = "Your role does not include that"
	wordOwner    = "Only the owner"
	wordStranger = "Only the team of this shop"
	wordNotTeam  = "you are not on its team"
	wordClosed   = "This bot is by invitation"
	wordUnknown  = "I do not know"
)

// refusals are all words by which a button, or a command, is refused.
func refusals() []string {
	return []string{
		wordRole, wordOwner, wordStranger, wordNotTeam, wordClosed, wordUnknown,
		"no longer works", "belongs to somebody else", "Already decided",
	}
}

// isRefused reports whether a word is one of refusal.
func isRefused(text string) bool {
	return slices.ContainsFunc(refusals(), func(words string) bool { return strings.Contains(text, words) })
}

// refusal is how somebody is refused in a chat what is not theirs: the words that have to be said, any of which is
// enough, or none where nothing need be said.
func (p presser) refusal(m may, chat int64, typed bool) []string {
	outside := p.letter == "x" || p.letter == "e" && chat > 0
	switch {
	case outside && typed: // nothing is said to who does not press Start
		return nil
	case outside && chat > 0 && p.letter == "x" && m.past:
		return refusals()
	case outside:
		return []string{wordClosed}
	case p.role == store.NoRole && chat > 0: // there is nothing linked that they could be refused
		return nil
	case p.role == store.NoRole && typed: // one stranger does not fill a group
		return nil
	case p.role == store.NoRole:
		return []string{wordStranger}
	case m.least != named && !p.role.AtLeast(m.least):
		return []string{wordRole, wordOwner}
	case typed && m.least == named && chat < 0 && m.group == nobody:
		return nil
	}
	return refusals()
}

// ended are those after which less can be done, and are pressed last.
func ended() []screen.Verb {
	return []screen.Verb{screen.VerbLock, screen.VerbUnlock, screen.VerbPlaceOff, screen.VerbKeyRemove}
}

// pressedInOrder are all verbs, those that change most at the end.
func pressedInOrder() []screen.Verb {
	return slices.SortedFunc(maps.Keys(mayPress()), func(a, b screen.Verb) int {
		return cmp.Or(cmp.Compare(slices.Index(ended(), a), slices.Index(ended(), b)), cmp.Compare(a, b))
	})
}

// TestForgedPresses: everybody presses every button, in private and in the shop's group, naming real things, and types every
// command. What they may not do is refused, changes nothing, buys nothing and shows nothing; what they may do is
// not refused.
func TestForgedPresses(t *testing.T) {
	t.Parallel()
	for i, p := range pressers() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			everythingNamed(t, func(w *rightsWorld) {
				for _, allowed := range []bool{false, true} { // what is allowed changes something
					for j, chat := range []int64{shop, p.id} {
						if !sampletest.Plays(i+j, 2) {
							continue
						}
						w.Telegram.StartGroup(apptest.Sam, shop, "shop") // it was unlinked where that is allowed
						w.Pass(5 * time.Second)
						w.everyCommand(p, chat, allowed)
						w.everyButton(p, chat, allowed)
					}
				}
			})
		})
	}
}

// everyButton has somebody press what they may press in a chat, or what they may not.
func (w *rightsWorld) everyButton(p presser, chat int64, allowed bool) {
	w.T.Helper()
	all := mayPress()
	for _, verb := range pressedInOrder() {
		m := all[verb]
		if strings.Contains(m.who(chat), p.letter) != allowed {
			continue
		}
		a := w.tap(p, chat, verb, !allowed)
		if err := w.judge(p, m, chat, a, allowed, false); err != nil {
			w.T.Errorf("the button %q in chat %d: %v", verb, chat, err)
		}
		if a.spends > 0 && !slices.Contains(moving(), verb) {
			w.T.Errorf("the button %q in chat %d buys, and its row in rights.go says neither moves nor movesList", verb, chat)
		}
	}
}

// everyCommand has somebody type what they may type in a chat, or what they may not.
func (w *rightsWorld) everyCommand(p presser, chat int64, allowed bool) {
	w.T.Helper()
	all := mayType()
	for _, text := range slices.Sorted(maps.Keys(all)) {
		m := all[text]
		if strings.Contains(m.who(chat), p.letter) != allowed || allowed && text == "key remove" {
			continue // which is tried by its button
		}
		a := w.command(p, chat, text)
		if err := w.judge(p, m, chat, a, allowed, true); err != nil {
			w.T.Errorf("/%s in chat %d: %v", text, chat, err)
		}
	}
}

// judge tells what is wrong with what somebody was told.
func (w *rightsWorld) judge(p presser, m may, chat int64, a answered, allowed, typed bool) error {
	if allowed {
		if isRefused(a.text) {
			return fmt.Errorf("it is refused: %q", a.text)
		}
		return nil
	}
	if err := a.unharmed(); err != nil {
		return err
	}
	words := p.refusal(m, chat, typed)
	if words != nil && !slices.ContainsFunc(words, func(words string) bool { return strings.Contains(a.text, words) }) {
		return fmt.Errorf("it is answered with %q, and not with one of %q", a.text, words)
	}
	return nil
}

// TestUnknownIsNothing: a verb and a command that are in no table do nothing, whoever tries them.
func TestUnknownIsNothing(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	everythingNamed(t, func(w *rightsWorld) {
		for _, p := range pressers() {
			for _, chat := range []int64{shop, p.id} {
				for _, verb := range []screen.Verb{"sudo", "Confirm", ""} {
					if err := w.tap(p, chat, verb, true).unharmed(); err != nil {
						w.T.Errorf("%s, the button %q in chat %d: %v", p.name, verb, chat, err)
					}
				}
				for _, text := range []string{"sudo", "confirm " + w.delivered, "start@"} {
					a := w.command(p, chat, text)
					if err := a.unharmed(); err != nil {
						w.T.Errorf("%s, /%s in chat %d: %v", p.name, text, chat, err)
					}
					if chat < 0 && a.text != "" {
						w.T.Errorf("%s, /%s: the group is told %q", p.name, text, a.text)
					}
				}
			}
		}
		w.Answered()
	})
}
