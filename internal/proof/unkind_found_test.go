package proof

import (
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestWorldsThatWereWrong plays worlds that chance has found, in which people were told what was not so: what somebody says of one purchase, and
// is wrong about, decides what the balance says of another.
func TestWorldsThatWereWrong(t *testing.T) {
	sampletest.Slow(t)
	for name, w := range map[string]unkindWorld{
		"one unit and two others, or both units and one of the two": {Mode: "both", Lags: 1, Balance: 10 * time.Second, List: time.Second, Crossed: true, Allocated: true, Known: true, Secretive: true, Moves: []unkindMove{
			{Do: "wait", Who: 503, Pick: 73, Late: time.Hour, Then: time.Second},
			{Do: "list", Who: 502, Pick: 747, Late: 40 * time.Second, Then: time.Second},
			{Do: "outside", Who: 501, Pick: 149, Late: 30 * time.Minute, Then: 11 * time.Minute},
			{Do: "buy", Who: 501, Pick: 928, Late: 40 * time.Second, Then: 11 * time.Minute},
		}},
		"all of it at another price, or one unit and the next": {Mode: "legacy", Lags: 2, Balance: 2 * time.Minute, List: time.Second, Status: time.Second, Holds: true, Allocated: true, Shared: true, Moving: true, Moves: []unkindMove{
			{Do: "buy", Who: 501, Pick: 56, Late: 40 * time.Second, Then: 11 * time.Minute},
			{Do: "buy", Who: 502, Pick: 497, Late: 40 * time.Second, Then: 3 * time.Second},
			{Do: "key", Who: 503, Pick: 572, Late: 40 * time.Second, Then: 3 * time.Minute},
			{Do: "lists", Who: 503, Pick: 195, Late: 5 * time.Minute, Then: 10 * time.Second},
			{Do: "kill", Who: 502, Pick: 227, Late: 5 * time.Minute, Then: time.Second},
			{Do: "buy", Who: 502, Pick: 1, Late: 12 * time.Minute, Then: time.Second},
			{Do: "list", Who: 502, Pick: 8, Late: 30 * time.Minute, Then: 11 * time.Minute},
			{Do: "again", Who: 502, Pick: 0, Late: 30 * time.Minute, Then: 3 * time.Second},
			{Do: "decide", Who: 502, Pick: 999, Late: 20 * time.Second, Then: 10 * time.Second},
			{Do: "buy", Who: 502, Pick: 637, Late: time.Hour, Then: 10 * time.Second},
			{Do: "buy", Who: 501, Pick: 835, Late: 30 * time.Minute, Then: time.Second},
			{Do: "again", Who: 502, Pick: 2, Late: 30 * time.Minute, Then: 3 * time.Second},
			{Do: "price", Who: 501, Pick: 55, Late: time.Hour, Then: 11 * time.Minute},
			{Do: "buy", Who: 501, Pick: 886, Late: 40 * time.Second, Then: 0},
		}},
		"what was said of two others fits the price": {Mode: "both", Lags: 2, Balance: 11 * time.Minute, List: 5 * time.Minute, Crossed: true, Zeros: true, Moving: true, Kills: true, Lists: true, Secretive: true, Moves: []unkindMove{
			{Do: "price", Who: 502, Pick: 7, Late: 12 * time.Minute, Then: time.Second},
			{Do: "buy", Who: 501, Pick: 8, Late: 30 * time.Minute, Then: 11 * time.Minute},
			{Do: "list", Who: 501, Pick: 0, Late: time.Hour, Then: time.Second},
			{Do: "key", Who: 501, Pick: 225, Late: time.Hour, Then: time.Second},
			{Do: "buy", Who: 502, Pick: 141, Late: time.Hour, Then: 0},
			{Do: "buy", Who: 503, Pick: 850, Late: 5 * time.Minute, Then: 0},
			{Do: "decide", Who: 501, Pick: 0, Late: 12 * time.Minute, Then: time.Second},
			{Do: "lag", Who: 502, Pick: 17, Late: 5 * time.Minute, Then: 3 * time.Second},
			{Do: "key", Who: 503, Pick: 687, Late: 20 * time.Second, Then: 40 * time.Second},
			{Do: "price", Who: 502, Pick: 9, Late: 40 * time.Second, Then: 11 * time.Minute},
			{Do: "kill", Who: 502, Pick: 32, Late: 12 * time.Minute, Then: 0},
			{Do: "kill", Who: 503, Pick: 244, Late: 30 * time.Minute, Then: 3 * time.Second},
			{Do: "buy", Who: 502, Pick: 1, Late: 20 * time.Second, Then: time.Second},
		}},
		"the price of another hides that a refused one was charged": {Mode: "current", Shapes: 0xee, Zeros: true, Shared: true, Moving: true, Kills: true, Known: true, Moves: []unkindMove{
			{Do: "list", Who: 501, Pick: 168, Late: 40 * time.Second, Then: 3 * time.Second},
			{Do: "buy", Who: 502, Pick: 2, Late: time.Hour, Then: time.Second},
			{Do: "buy", Who: 503, Pick: 590, Late: 20 * time.Second, Then: 10 * time.Second},
			{Do: "list", Who: 502, Pick: 1, Late: 5 * time.Minute, Then: 11 * time.Minute},
			{Do: "buy", Who: 501, Pick: 254, Late: 40 * time.Second, Then: 40 * time.Second},
		}},
		"one unit and the next, or what a person said was bought": {Mode: "both", Lags: 2, Balance: 2 * time.Minute, List: 10 * time.Second, Status: 10 * time.Second, Holds: true, Hides: true, Bare: true, TopUps: true, Courses: true, Known: true, Secretive: true, Moves: []unkindMove{
			{Do: "lag", Who: 502, Pick: 999, Late: 40 * time.Second, Then: 10 * time.Second},
			{Do: "list", Who: 502, Pick: 483, Late: 12 * time.Minute, Then: 3 * time.Minute},
			{Do: "buy", Who: 501, Pick: 970, Late: 30 * time.Minute, Then: time.Second},
		}},
		"a refused price went where one was due that had been made up for": {Mode: "both", Zeros: true, Hides: true, TopUps: true, Keys: true, Kills: true, Known: true, Moves: []unkindMove{
			{Do: "buy", Who: 501, Pick: 541, Late: time.Hour, Then: time.Second},
			{Do: "list", Who: 502, Pick: 399, Late: 30 * time.Minute, Then: 11 * time.Minute},
			{Do: "buy", Who: 502, Pick: 3, Late: time.Hour, Then: 3 * time.Minute},
			{Do: "decide", Who: 502, Pick: 0, Late: 20 * time.Second, Then: 10 * time.Second},
			{Do: "wait", Who: 502, Pick: 4, Late: 40 * time.Second, Then: 0},
			{Do: "outside", Who: 502, Pick: 71, Late: 12 * time.Minute, Then: 3 * time.Second},
			{Do: "again", Who: 502, Pick: 985, Late: 5 * time.Minute, Then: 0},
			{Do: "course", Who: 503, Pick: 71, Late: 20 * time.Second, Then: 11 * time.Minute},
			{Do: "course", Who: 503, Pick: 2, Late: 40 * time.Second, Then: 11 * time.Minute},
			{Do: "outside", Who: 501, Pick: 0, Late: time.Hour, Then: 11 * time.Minute},
			{Do: "buy", Who: 502, Pick: 0, Late: 12 * time.Minute, Then: 3 * time.Second},
			{Do: "top up", Who: 502, Pick: 106, Late: 40 * time.Second, Then: 11 * time.Minute},
			{Do: "buy", Who: 502, Pick: 123, Late: 5 * time.Minute, Then: 10 * time.Second},
		}},
		"another price and a denied one fit as well": {Mode: "both", Crossed: true, Holds: true, Allocated: true, TopUps: true, Kills: true, Known: true, Secretive: true, Moves: []unkindMove{
			{Do: "decide", Who: 502, Pick: 2, Late: 5 * time.Minute, Then: 0},
			{Do: "kill", Who: 502, Pick: 9, Late: 12 * time.Minute, Then: 11 * time.Minute},
			{Do: "buy", Who: 503, Pick: 27, Late: 12 * time.Minute, Then: time.Second},
			{Do: "top up", Who: 502, Pick: 63, Late: 40 * time.Second, Then: 0},
			{Do: "course", Who: 501, Pick: 5, Late: 12 * time.Minute, Then: 11 * time.Minute},
			{Do: "outside", Who: 501, Pick: 6, Late: 12 * time.Minute, Then: 10 * time.Second},
			{Do: "list", Who: 502, Pick: 87, Late: 5 * time.Minute, Then: 40 * time.Second},
		}},
		"a named price went for another one that was not made": {Mode: "legacy", Lags: 2, List: time.Second, Status: time.Second, Shared: true, Moving: true, Keys: true, Known: true, Moves: []unkindMove{
			{Do: "decide", Who: 501, Pick: 999, Late: 20 * time.Second, Then: 3 * time.Minute},
			{Do: "outside", Who: 503, Pick: 5, Late: 12 * time.Minute, Then: 3 * time.Minute},
			{Do: "lag", Who: 501, Pick: 21, Late: 30 * time.Minute, Then: 10 * time.Second},
			{Do: "buy", Who: 502, Pick: 716, Late: 40 * time.Second, Then: 10 * time.Second},
			{Do: "buy", Who: 501, Pick: 130, Late: 30 * time.Minute, Then: time.Second},
			{Do: "lists", Who: 501, Pick: 635, Late: time.Hour, Then: time.Second},
			{Do: "lag", Who: 501, Pick: 15, Late: time.Hour, Then: 10 * time.Second},
			{Do: "price", Who: 502, Pick: 1, Late: 5 * time.Minute, Then: time.Second},
			{Do: "wait", Who: 501, Pick: 135, Late: time.Hour, Then: 3 * time.Minute},
			{Do: "outside", Who: 502, Pick: 418, Late: 5 * time.Minute, Then: 40 * time.Second},
			{Do: "decide", Who: 502, Pick: 7, Late: 40 * time.Second, Then: 3 * time.Second},
			{Do: "kill", Who: 501, Pick: 0, Late: 30 * time.Minute, Then: 10 * time.Second},
			{Do: "buy", Who: 502, Pick: 31, Late: 40 * time.Second, Then: 40 * time.Second},
			{Do: "lists", Who: 503, Pick: 517, Late: 20 * time.Second, Then: time.Second},
		}},
		"a refused price went with money of others": {Mode: "current", Lags: 1, Balance: 50 * time.Second, Shapes: 0x3e8, Crossed: true, Shared: true, Secretive: true, Moves: []unkindMove{
			{Do: "list", Who: 502, Pick: 3, Late: 30 * time.Minute, Then: 3 * time.Second},
			{Do: "buy", Who: 501, Pick: 23, Late: 20 * time.Second, Then: 3 * time.Minute},
			{Do: "buy", Who: 501, Pick: 1, Late: 40 * time.Second, Then: 11 * time.Minute},
			{Do: "buy", Who: 502, Pick: 37, Late: 12 * time.Minute, Then: 3 * time.Second},
			{Do: "outside", Who: 501, Pick: 23, Late: 40 * time.Second, Then: time.Second},
		}},
		"money was added, and hides one price of two": {Mode: "current", Lags: 2, Balance: 11 * time.Minute, List: 5 * time.Minute, Status: 50 * time.Second, Crossed: true, Allocated: true, TopUps: true, Courses: true, Secretive: true, Moves: []unkindMove{
			{Do: "kill", Who: 502, Pick: 654, Late: 20 * time.Second, Then: 40 * time.Second},
			{Do: "key", Who: 502, Pick: 617, Late: 20 * time.Second, Then: 10 * time.Second},
			{Do: "list", Who: 501, Pick: 878, Late: 5 * time.Minute, Then: 0},
			{Do: "list", Who: 502, Pick: 12, Late: 40 * time.Second, Then: 0},
			{Do: "top up", Who: 501, Pick: 217, Late: 12 * time.Minute, Then: 3 * time.Second},
			{Do: "buy", Who: 503, Pick: 874, Late: 30 * time.Minute, Then: 3 * time.Minute},
			{Do: "buy", Who: 503, Pick: 0, Late: 5 * time.Minute, Then: 3 * time.Minute},
			{Do: "wait", Who: 501, Pick: 1, Late: 12 * time.Minute, Then: 10 * time.Second},
			{Do: "buy", Who: 503, Pick: 3, Late: 30 * time.Minute, Then: 11 * time.Minute},
			{Do: "course", Who: 503, Pick: 198, Late: 20 * time.Second, Then: time.Second},
			{Do: "buy", Who: 501, Pick: 0, Late: 12 * time.Minute, Then: 10 * time.Second},
			{Do: "top up", Who: 502, Pick: 12, Late: time.Hour, Then: 3 * time.Second},
			{Do: "buy", Who: 502, Pick: 0, Late: 5 * time.Minute, Then: time.Second},
			{Do: "buy", Who: 501, Pick: 213, Late: 40 * time.Second, Then: 10 * time.Second},
		}},
		"what was taken back was of an accepted one and a refused one": {Mode: "both", Crossed: true, Hides: true, Shared: true, Moving: true, Known: true, Moves: []unkindMove{
			{Do: "list", Who: 502, Pick: 3, Late: 12 * time.Minute, Then: 3 * time.Second},
			{Do: "list", Who: 502, Pick: 638, Late: 40 * time.Second, Then: 11 * time.Minute},
			{Do: "buy", Who: 502, Pick: 0, Late: 20 * time.Second, Then: 40 * time.Second},
			{Do: "buy", Who: 501, Pick: 56, Late: 40 * time.Second, Then: 10 * time.Second},
		}},
		"a price went with more of what others took": {Mode: "current", Lags: 2, Balance: 15 * time.Minute, List: 2 * time.Minute, Crossed: true, Allocated: true, Shared: true, Courses: true, Known: true, Moves: []unkindMove{
			{Do: "buy", Who: 501, Pick: 1, Late: 40 * time.Second, Then: 0},
			{Do: "outside", Who: 501, Pick: 277, Late: 40 * time.Second, Then: 11 * time.Minute},
			{Do: "decide", Who: 502, Pick: 880, Late: 12 * time.Minute, Then: 11 * time.Minute},
			{Do: "kill", Who: 502, Pick: 651, Late: 20 * time.Second, Then: 3 * time.Second},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, remove, err := apptest.LabDir()
			if err != nil {
				t.Fatal(err)
			}
			defer remove()
			synctest.Test(t, func(t *testing.T) {
				l, v := playUnkind(dir, w)
				if len(v.violations) > 0 {
					t.Errorf("%v\nin %v\n%s", v, w, l.eye.story())
				}
			})
		})
	}
}
