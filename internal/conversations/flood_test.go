package conversations

import (
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestFloodHolds: whatever somebody does when, they are listened to no more than the burst and what time has
// brought back, and always again after a while.
func TestFloodHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pace := Pace{Burst: rapid.IntRange(1, 20).Draw(rt, "burst"), Every: time.Duration(rapid.IntRange(1, 60).Draw(rt, "every")) * time.Second}
		f, begin := newFlood(pace), time.Unix(1e9, 0)
		now, heard, refused := begin, 0, false
		for range rapid.IntRange(1, 200).Draw(rt, "updates") {
			now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(rt, "ms")) * time.Millisecond)
			switch ok := f.hears(7, now); {
			case ok:
				heard++
				refused = false
			case f.tells(7) == refused:
				rt.Fatalf("told again in one spell, or not at its begin")
			default:
				refused = true
			}
			if most := float64(pace.Burst) + now.Sub(begin).Seconds()/pace.Every.Seconds(); float64(heard) > most+0.001 {
				rt.Fatalf("heard %d times in %v, %v at most", heard, now.Sub(begin), most)
			}
		}
		if !f.hears(7, now.Add(pace.Every+time.Millisecond)) {
			rt.Fatal("not heard again")
		}
	})
}

func TestFloodForgets(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		f := newFlood(Pace{Burst: 2, Every: time.Second})
		for id := range int64(10 * manyPeople) {
			if !f.hears(id, time.Now()) {
				t.Fatal("a newcomer is not heard")
			}
		}
		if n := len(f.people.at); n > manyPeople || n != f.people.order.Len() {
			t.Errorf("%d people are remembered", n)
		}
	})
}

func TestNoPaceIsNoLimit(t *testing.T) {
	f := newFlood(Pace{})
	for range 10_000 {
		if !f.hears(1, time.Now()) {
			t.Fatal("refused")
		}
	}
	if len(f.people.at) != 0 {
		t.Error("somebody is remembered for nothing")
	}
}
