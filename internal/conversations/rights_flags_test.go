package conversations_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"resellerbot/internal/conversations"
	"resellerbot/internal/screen"
)

// said is what some rows of a table say besides who may.
type said[K cmp.Ordered] struct {
	lost string // what comes of a row that does not say it, though it should
	rows []K
}

// buttonsSay is what the rows of buttons say. It is what is promised, and is not made of the program's own table.
func buttonsSay() map[string]said[screen.Verb] {
	return map[string]said[screen.Verb]{
		"moves": {"a tap that could not be handled can be handled again though it buys, and it is said that nothing was done though it may have been", []screen.Verb{
			screen.VerbConfirm, screen.VerbDrop, screen.VerbLeave, screen.VerbAsk, screen.VerbApprove, screen.VerbRefuse, screen.VerbDecide, screen.VerbTake, screen.VerbLetGo,
		}},
		"movesList": {"as of moves, with a list", []screen.Verb{
			screen.VerbListConfirm, screen.VerbListDrop, screen.VerbListAsk, screen.VerbListApprove, screen.VerbListRefuse, screen.VerbListStop,
		}},
		"books": {"the second of two quick taps takes away what the first has said, and its ↩️ Undo", []screen.Verb{
			screen.VerbSell, screen.VerbSellTo, screen.VerbListSell, screen.VerbKridi, screen.VerbClose,
		}},
		"bought": {"who is shut out cannot end what they have bought", past(mayPress())},
		"apart":  {"it shows a group what things cost", []screen.Verb{screen.VerbBalance, screen.VerbMovements, screen.VerbHistory, screen.VerbPastOrder, screen.VerbPrices, screen.VerbPriceAt, screen.VerbWhy}},
		"anywhere": {"it is refused under a message of another account than the active one, though it is about none", []screen.Verb{
			screen.VerbHome, screen.VerbHelp, screen.VerbAccount, screen.VerbSwitch, screen.VerbLanguages, screen.VerbLanguage, screen.VerbPrivacy, screen.VerbForget,
			screen.VerbAccess, screen.VerbPass, screen.VerbShutOut, screen.VerbShutOuts, screen.VerbLetIn,
		}},
		"inPlace": {"in a group, what it leads to is a message of its own, and the one that it stands under goes on showing what was", []screen.Verb{
			screen.VerbConfirm, screen.VerbDrop, screen.VerbLeave, screen.VerbAsk, screen.VerbReveal, screen.VerbDecide, screen.VerbMark, screen.VerbTake, screen.VerbLetGo, screen.VerbHand, screen.VerbSell,
			screen.VerbListConfirm, screen.VerbListMarked, screen.VerbListDrop, screen.VerbListAsk, screen.VerbListStop, screen.VerbListSell,
			screen.VerbHear, screen.VerbTeam, screen.VerbPlaceHere, screen.VerbPlaceOff, screen.VerbPlaceFull, screen.VerbTopics, screen.VerbLock, screen.VerbUnlock,
		}},
	}
}

// commandsSay is what the rows of commands say.
func commandsSay() map[string]said[string] {
	return map[string]said[string]{
		"keepsKey": {"it ends the question for a key that it is typed beside", []string{"key", "cancel"}},
		"bought":   {"who is shut out cannot see what they have bought", past(mayType())},
		"apart":    {"it shows a group what things cost", []string{"balance", "prices"}},
	}
}

// past are those of a table that are about what somebody has bought before.
func past[K cmp.Ordered](all map[K]may) (keys []K) {
	for key, m := range all {
		if m.past {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// TestRowsSayWhatIsPromised: what the rows of buttons and commands say besides who may is what is promised of each.
func TestRowsSayWhatIsPromised(t *testing.T) {
	t.Parallel()
	compareRows(t, "button", conversations.ButtonFlags(), buttonsSay())
	compareRows(t, "command", conversations.CommandFlags(), commandsSay())
}

// compareRows fails the test where rows of a table say another thing than is promised.
func compareRows[K cmp.Ordered](t *testing.T, what string, table map[string][]K, promised map[string]said[K]) {
	t.Helper()
	for flag, rows := range table {
		here, known := promised[flag]
		if !known {
			t.Errorf("the row of a %s may say %s: say here of which it has to, and what comes of one that does not", what, flag)
			continue
		}
		for _, row := range here.rows {
			if !slices.Contains(rows, row) {
				t.Errorf("the row of the %s %v in rights.go does not say %s: %s", what, row, flag, here.lost)
			}
		}
		for _, row := range rows {
			if !slices.Contains(here.rows, row) {
				t.Errorf("the row of the %s %v in rights.go says %s: if that is meant, it has to stand here as well", what, row, flag)
			}
		}
	}
}

// moving are the verbs that move on a purchase or a list, by the table.
func moving() []screen.Verb {
	flags := conversations.ButtonFlags()
	return slices.Concat(flags["moves"], flags["movesList"])
}

// TestWhatSpendsMoves: each button with the ✅ that spends, on whatever screen, has a row that says that it moves on a purchase or a list. One
// that is new and does not say so is handled again after it has failed, and buys what its person was told was not bought.
func TestWhatSpendsMoves(t *testing.T) {
	t.Parallel()
	screens, err := filepath.Glob("../screen/testdata/golden/*.en.txt")
	if err != nil {
		t.Fatal(err)
	}
	spends := regexp.MustCompile(`\[✅[^\]]*? \| (\d+:[^ \]]+)`)
	var verbs []screen.Verb
	for _, name := range screens {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range spends.FindAllStringSubmatch(string(text), -1) {
			if a, _ := screen.ParseAction(found[1]); !slices.Contains(verbs, a.Verb) {
				verbs = append(verbs, a.Verb)
			}
		}
	}
	if len(verbs) < 4 { // a purchase and a list are confirmed, and approved
		t.Errorf("the screens have no more buttons with a ✅ than %v", verbs)
	}
	for _, verb := range verbs {
		if !slices.Contains(moving(), verb) {
			t.Errorf("the button %v has the ✅ that spends, and its row in rights.go says neither moves nor movesList", verb)
		}
	}
}
