package apptest_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// TestPickFromTakesWhatIsTheirs: whoever knows which orders they have bought marks those, takes away the marks of others, and
// takes them; where none of them is offered, they say so.
func TestPickFromTakesWhatIsTheirs(t *testing.T) {
	for name, c := range map[string]struct {
		units   int
		offered []int
		own     []int
		want    []int // that are taken; nil for none of them
	}{
		"one of two":    {1, []int{51, 52}, []int{52}, []int{52}},
		"two of four":   {2, []int{51, 52, 53, 54}, []int{51, 54}, []int{51, 54}},
		"two of twelve": {2, []int{1, 2, 3, 4, 5, 10, 11, 12, 21}, []int{1, 21}, []int{1, 21}},
		"two that are marked, and one of them is not":   {2, []int{51, 52}, []int{52}, []int{52}},
		"one is not offered":                            {2, []int{51, 53}, []int{51, 52}, []int{51}},
		"none is offered":                               {2, []int{51, 53, 54}, []int{52, 55}, nil},
		"of one unit, none is offered":                  {1, []int{51}, []int{52}, nil},
		"all of what is offered, and as many are asked": {2, []int{51, 52}, []int{51, 52}, []int{51, 52}},
	} {
		t.Run(name, func(t *testing.T) {
			var own []sim.Order
			for _, n := range c.own {
				own = append(own, sim.Order{ID: "ORD-" + strconv.Itoa(n), Number: int64(n)})
			}
			marks := screen.FirstMarks(len(c.offered), c.units)
			for range 20 {
				key, ok := apptest.PickFrom(offer(t, c.units, c.offered, marks), own)
				if !ok {
					t.Fatal("nothing is tapped")
				}
				a, _ := screen.ParseAction(key.Data)
				switch a.Verb {
				case screen.VerbMark:
					if marks, ok = screen.ParseMarks(a.Arg(2), len(c.offered)); !ok {
						t.Fatalf("no marks: %q", a.Arg(2))
					}
					continue
				case screen.VerbTake:
					if want := screen.Mark(named(c.want)); a.Arg(1) != want {
						t.Errorf("%q takes something else than %v", key.Text, c.want)
					}
				case screen.VerbDecide:
					if c.want != nil || a.Arg(1) != screen.DecideNone {
						t.Errorf("%q is tapped, want %v to be taken", key.Text, c.want)
					}
				}
				return
			}
			t.Error("it comes to no end")
		})
	}
}

// offer is orders that are offered, as a person sees them.
func offer(t *testing.T, units int, offered []int, marks screen.Marks) (m tgsim.Message) {
	t.Helper()
	texts, err := locales.Load()
	if err != nil {
		t.Fatal(err)
	}
	v := screen.ChoiceView{Purchase: store.Purchase{ID: store.NewID(time.Unix(1, 0), strings.NewReader(strings.Repeat("x", 32))), Phase: store.Undecided, Quantity: units}, Marks: marks}
	for _, id := range named(offered) {
		v.Orders = append(v.Orders, api.Order{ID: id, Status: "completed"})
	}
	for _, row := range screen.New(texts, "en", time.UTC).Uncertain().Choose(v).Keyboard {
		var keys []tgsim.Button
		for _, b := range row {
			keys = append(keys, tgsim.Button{Text: b.Text, Data: b.Data})
		}
		m.Keyboard = append(m.Keyboard, keys)
	}
	return m
}

func named(numbers []int) (ids []string) {
	for _, n := range numbers {
		ids = append(ids, strconv.Itoa(n))
	}
	return ids
}
