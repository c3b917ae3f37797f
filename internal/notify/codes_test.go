package notify_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// withSam plays a story of Sam's shop with a service whose answers can be changed, and shows the chat where it has failed.
func withSam(t *testing.T, prepare func(*apptest.Harness), play func(h *apptest.Harness, odd *apptest.OddService)) {
	t.Helper()
	t.Parallel()
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(prepare, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		play(h, odd)
		if t.Failed() {
			t.Logf("the chat:\n%s", apptest.Plain(h.Transcript(apptest.Sam)))
		}
	})
}

// buysOne has Sam buy a card.
func buysOne(h *apptest.Harness) {
	h.T.Helper()
	h.Order(apptest.Sam, "Play Card", "10 USD", "1")
	h.Tap(apptest.Sam, "✅")
}

// general reports whether an answer is one of the endpoints for all orders, or for those of the older interface.
func general(a *apptest.OddAnswer) bool {
	return a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") || a.Is("GET", "/orders/")
}

// TestOneCodeForTwoPurchases: in whatever way a code is spelled, it is delivered for one purchase. Where it may be another
// code, for capitals matter in it, both are delivered, and people are told. What is delivered is as the service wrote it.
func TestOneCodeForTwoPurchases(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	const refused, suspect = "code that was delivered for order", "Only capital and small letters differ"
	for name, tc := range sampletest.SomeNamed(4, map[string]struct {
		first, second string
		says          string // "" nothing
	}{
		"as it was":              {"AAAA-BBBB-CCCC-1234", "AAAA-BBBB-CCCC-1234", refused},
		"with blanks":            {"AAAA-BBBB-CCCC-1234", " AAAA BBBB CCCC 1234\n", refused},
		"without its dashes":     {"AAAA-BBBB-CCCC-1234", "AAAABBBBCCCC1234", refused},
		"with other dashes":      {"AaAA-bbBB-1234", "AaAA–bbBB–1234", refused},
		"in small letters":       {"AAAA-BBBB-CCCC-1234", "aaaa-bbbb-cccc-1234", refused},
		"in capitals":            {"aBcD-efGH-1234", "ABCDEFGH1234", refused},
		"other letters small":    {"aBcD-efGH-1234", "AbCd-EFgh-1234", suspect},
		"other letters, no dash": {"aBcD-efGH-1234", "AbCdEFgh1234", suspect},
		"another code":           {"aBcD-efGH-1234", "aBcD-efGH-1235", ""},
	}) {
		t.Run(name, func(t *testing.T) {
			withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
				shows(h, held(h, 1)[0], sim.Shown{Key: tc.first, Claim: "true", Status: "completed"})
				h.Pass(2 * time.Minute)
				buysOne(h)
				shows(h, h.Service.Orders()[1].ID, sim.Shown{Key: tc.second, Claim: "true", Status: "completed"})
				h.Pass(5 * time.Minute)
				want := []string{tc.first}
				if tc.says != refused {
					want = append(want, tc.second)
				}
				if got := h.Codes(apptest.Sam); !slices.Equal(got, want) {
					t.Errorf("delivered %q, want %q", got, want)
				}
				for _, words := range []string{refused, suspect} {
					if h.Has(apptest.Sam, words) != (words == tc.says) {
						t.Errorf("of %q it is said %v", words, words != tc.says)
					}
				}
				told := strings.Count(h.Transcript(apptest.Sam), "🚨")
				h.Pass(7 * time.Hour) // the service is asked again
				if now := strings.Count(h.Transcript(apptest.Sam), "🚨"); now != told {
					t.Errorf("it is said %d times, and %d before", now, told)
				}
			})
		})
	}
}

// TestOneCodeAfterOneLikeIt: of two codes that differ in capitals each is one purchase's. The second one, spelled anew, is not
// taken for the first one's like and delivered to a third.
func TestOneCodeAfterOneLikeIt(t *testing.T) {
	withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
		h.Service.HoldOrders(true)
		for i, code := range []string{"aBcD-efGH-1234", "AbCd-EFgh-1234", "AbCdEFgh1234"} {
			buysOne(h)
			h.Pass(2 * time.Second)
			shows(h, h.Service.Orders()[i].ID, sim.Shown{Key: code, Claim: "true", Status: "completed"})
			h.Pass(3 * time.Minute)
		}
		if got := h.Codes(apptest.Sam); !slices.Equal(got, []string{"aBcD-efGH-1234", "AbCd-EFgh-1234"}) {
			t.Errorf("delivered %q", got)
		}
		says(h, []string{"Only capital and small letters differ", "code that was delivered for order"})
	})
}

// TestOneCodeSpelledAnew: an order that shows its code with other blanks and dashes, or in small letters alone, shows no
// other code. Capitals among small letters may be the right ones: they are kept beside, and told.
func TestOneCodeSpelledAnew(t *testing.T) {
	t.Parallel()
	for second, told := range sampletest.SomeNamed(2, map[string]bool{" AAAA-BBBB-1234": false, "AAAABBBB1234": false, "AAAA BBBB 1234": false, "aaaa bbbb 1234": false, "AaAA-bbBB-1234": true, "AAAA-BBBB-1235": true}) {
		t.Run(second, func(t *testing.T) {
			withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
				id := held(h, 1)[0]
				shows(h, id, sim.Shown{Key: "AAAA-BBBB-1234", Claim: "true", Status: "completed"})
				h.Pass(2 * time.Minute)
				shows(h, id, sim.Shown{Key: second, Claim: "true", Status: "completed"})
				h.Pass(2 * time.Hour)
				if h.Has(apptest.Sam, "shows another code") != told || h.Codes(apptest.Sam)[0] != "AAAA-BBBB-1234" {
					t.Errorf("told %v, the codes are %q", !told, h.Codes(apptest.Sam))
				}
			})
		})
	}
}

// TestOneCodeForTwoUnits: units of one purchase that show one code are delivered, and it is said once that they do: it may
// be one subscription for all, or a unit that was never sent.
func TestOneCodeForTwoUnits(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for _, units := range sampletest.Some(3, []int{2, 3, 12}) {
		withUnits := func(h *apptest.Harness, _ *apptest.OddService) {
			for _, id := range held(h, units) {
				shows(h, id, sim.Shown{Key: "AAAA-1111-BBBB", Claim: "true", Status: "completed"})
			}
			h.Pass(7 * time.Hour)
			says(h, []string{"Several units show the same code", "show the same code. If each should have its own"})
			if n := strings.Count(h.Transcript(apptest.Sam), "🚨"); n != 1 {
				h.T.Errorf("it is said %d times", n)
			}
			if codes := h.Codes(apptest.Sam); units <= 10 && len(codes) != units {
				h.T.Errorf("the codes are %q", codes)
			}
		}
		t.Run(strconv.Itoa(units), func(t *testing.T) { withSam(t, apptest.Stock, withUnits) })
	}
	t.Run("words", func(t *testing.T) {
		withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
			for _, id := range held(h, 2) {
				shows(h, id, sim.Shown{Key: "activated", Claim: "true", Status: "completed"})
			}
			h.Pass(time.Hour)
			says(h, nil, "the same code")
		})
	})
}

// TestFailedIsNotDelivered: what an order that has failed shows in the place of its code does not make it delivered. Words
// are shown as words, a code as what it is, and its money is looked for.
func TestFailedIsNotDelivered(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for name, as := range sampletest.SomeNamed(2, map[string]sim.Shown{
		"words with a number": {Status: "failed", Key: "Supplier error 502, refunded", Claim: sim.Nothing},
		"words with a claim":  {Status: "failed", Key: "Out of stock at supplier", Claim: "true"},
		"a code":              {Status: "refunded", Key: "AAAA-1111-BBBB", Claim: "true"},
	}) {
		check := func(h *apptest.Harness) {
			h.T.Helper()
			says(h, []string{"The order failed", "The balance rose by DZD 1,250.50"}, "🎉", "gone through", "Delivered")
			if as.Key == "AAAA-1111-BBBB" {
				says(h, []string{"calls it failed and shows a code all the same"}, "The supplier writes")
				if got := h.Codes(apptest.Sam); !slices.Equal(got, []string{as.Key}) {
					h.T.Errorf("the codes are %q", got)
				}
				return
			}
			says(h, []string{"The supplier writes: " + as.Key}, "a code all the same")
			if got := h.Codes(apptest.Sam); len(got) > 0 {
				h.T.Errorf("the codes are %q", got)
			}
		}
		t.Run("at once, "+name, func(t *testing.T) {
			withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
				id := held(h, 1)[0]
				h.Pass(20 * time.Minute)
				shows(h, id, as)
				h.Pass(2 * time.Minute)
				h.Service.Deposit(apptest.TestKey, "1250.50")
				h.Pass(3 * time.Hour)
				check(h)
			})
		})
		t.Run("later, "+name, func(t *testing.T) {
			withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
				id := held(h, 1)[0]
				h.Pass(20 * time.Minute)
				shows(h, id, sim.Shown{Status: "failed"})
				h.Pass(2 * time.Minute)
				h.Service.Deposit(apptest.TestKey, "1250.50")
				h.Pass(30 * time.Minute)
				shows(h, id, as)
				h.Pass(3 * time.Hour)
				check(h)
			})
		})
	}
}

// TestWordsInThePlaceOfACode: what the service writes to people is shown as its words, at once, and the code is looked for
// until it is there.
func TestWordsInThePlaceOfACode(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	const soon = "Your code arrives within 10 minutes"
	for name, as := range map[string]sim.Shown{
		"under way":            {Key: soon, Claim: sim.Nothing, Status: "processing"},
		"done":                 {Key: soon, Claim: sim.Nothing, Status: "completed"},
		"done, and there":      {Key: soon, Claim: "true", Status: "completed"},
		"under way, and there": {Key: soon, Claim: "true", Status: "processing"},
	} {
		t.Run(name, func(t *testing.T) {
			withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
				id := held(h, 1)[0]
				shows(h, id, as)
				h.Pass(2 * time.Minute)
				says(h, []string{"The supplier writes: " + soon}, "🎉", "Delivered")
				if codes := h.Codes(apptest.Sam); len(codes) > 0 {
					t.Errorf("delivered %q", codes)
				}
				h.Pass(8 * time.Minute)
				shows(h, id, sim.Shown{Key: "REAL-CODE-1", Claim: "true", Status: "completed"})
				h.Pass(5 * time.Minute)
				says(h, []string{"🎉"}, soon, "another code")
				if codes := h.Codes(apptest.Sam); !slices.Equal(codes, []string{"REAL-CODE-1"}) {
					t.Errorf("delivered %q", codes)
				}
			})
		})
	}
}

// withSerial has the list of what was bought show a serial number beside each code.
func withSerial(a *apptest.OddAnswer) {
	if a.Is("GET", "/purchase-history") {
		a.Orders(func(o map[string]any) { o["serial"] = "SN-7788-1" })
	}
}

// TestCodeInTheListAlone: a code that no endpoint for orders shows, and the list of what was bought does, is fetched from
// there, with its serial number.
func TestCodeInTheListAlone(t *testing.T) {
	t.Parallel()
	for name, say := range sampletest.SomeNamed(3, map[string]func(*apptest.OddAnswer){
		"empty": func(a *apptest.OddAnswer) {
			a.Orders(func(o map[string]any) { o["key"], o["has_key"], o["status"] = "", true, "completed" })
		},
		"without its key": func(a *apptest.OddAnswer) {
			a.Orders(func(o map[string]any) { delete(o, "key"); delete(o, "has_key"); o["status"] = "completed" })
		},
		"not found": func(a *apptest.OddAnswer) { a.Say(404, `{"status":"error","message":"Order not found","data":null}`) },
	}) {
		t.Run(name, func(t *testing.T) {
			withSam(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
				odd.Change(func(a *apptest.OddAnswer) {
					withSerial(a)
					if general(a) {
						say(a)
					}
				})
				buysOne(h)
				h.Pass(30 * time.Minute) // it is not known how late this account's readings are
				if got := h.Codes(apptest.Sam); !slices.Equal(got, []string{h.Service.Orders()[0].Code, "SN-7788-1"}) {
					t.Errorf("the codes are %q", got)
				}
				h.Pass(3 * time.Hour)
				says(h, nil, "does not show", "has sent no code yet")
			})
		})
	}
}

// TestCodesInTheListOfTheSameIDs: where orders are made and listed by one interface, their numbers tell.
func TestCodesInTheListOfTheSameIDs(t *testing.T) {
	t.Parallel()
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		if general(a) {
			a.Say(404, `{"status":"error","message":"Order not found","data":null}`)
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Everything(sim.Options{Mode: sim.Legacy}), odd), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "2")
		h.Tap(apptest.Sam, "✅")
		h.Pass(5 * time.Minute)
		if got := h.Codes(apptest.Sam); len(got) != 2 || got[0] == got[1] {
			t.Errorf("the codes are %q\n%s", got, h.Transcript(apptest.Sam))
		}
	})
}

// TestAListThatNumbersByItself: nothing says that the list of what was bought has the numbers of orders. An entry with the number of one
// that was there before it is another order, whose code is somebody else's.
func TestAListThatNumbersByItself(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		switch {
		case a.Is("GET", "/purchase-history"):
			a.Orders(func(o map[string]any) {
				n, err := strconv.Atoi(fmt.Sprint(o["id"]))
				if err != nil {
					t.Errorf("an entry is numbered %v", o["id"])
				}
				o["id"] = n + 1
			})
		case general(a): // its code shows later
			a.Orders(func(o map[string]any) { o["key"], o["status"] = nil, "completed" })
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Everything(sim.Options{Mode: sim.Legacy}), odd), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		if _, err := h.Service.Buy(apptest.LegacyTestKey, h.Service.Purchases()[0].VariantID, 2, "outside"); err != nil {
			t.Fatal(err)
		}
		h.Pass(time.Hour)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Minute)
		orders := h.Service.Orders()
		for _, o := range orders[1 : len(orders)-1] {
			if slices.Contains(h.Codes(apptest.Sam), o.Code) {
				t.Errorf("the code %q, which somebody else bought, is delivered", o.Code)
			}
		}
		odd.Change(nil)
		h.Pass(time.Hour)
		if last := orders[len(orders)-1].Code; !slices.Contains(h.Codes(apptest.Sam), last) {
			t.Errorf("the code %q is not delivered\n%s", last, h.Transcript(apptest.Sam))
		}
	})
}

// TestCodesOfUnitsInTheListAlone: as many entries as units are theirs, each of one of them.
func TestCodesOfUnitsInTheListAlone(t *testing.T) {
	sampletest.Slow(t)
	withSam(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
		odd.Change(func(a *apptest.OddAnswer) {
			if general(a) {
				a.Say(404, `{"status":"error","message":"Order not found","data":null}`)
			}
		})
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Hour)
		got := h.Codes(apptest.Sam)
		for _, o := range h.Service.Orders() {
			if !slices.Contains(got, o.Code) {
				t.Errorf("the code %q is not there", o.Code)
			}
		}
		if len(got) != 3 {
			t.Errorf("the codes are %q", got)
		}
	})
}

// TestTheListOfOthers: an entry of a list with other numbers is taken for an order if everything that is said of the two
// agrees, and no other entry is as good.
func TestTheListOfOthers(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	each := func(change func(o map[string]any)) func(a *apptest.OddAnswer) {
		return func(a *apptest.OddAnswer) { a.Orders(change) }
	}
	for name, change := range sampletest.SomeNamed(3, map[string]func(a *apptest.OddAnswer){
		"another item":    each(func(o map[string]any) { o["variant_name"] = "25 USD" }),
		"another product": each(func(o map[string]any) { o["product_name"] = "Other Card" }),
		"made before":     each(func(o map[string]any) { o["created_at"] = "1999-01-01T00:00:00Z" }),
		"made later":      each(func(o map[string]any) { o["created_at"] = "2030-01-01T00:00:00Z" }),
		"no time":         each(func(o map[string]any) { delete(o, "created_at") }),
		"another price":   each(func(o map[string]any) { o["price"] = 99 }),
		"no name":         each(func(o map[string]any) { delete(o, "variant_name"); delete(o, "product_name") }),
		"no code to tell": each(func(o map[string]any) { o["key"] = "activated" }),
		"more than one": func(a *apptest.OddAnswer) {
			a.Document(func(d map[string]any) {
				list := d["data"].([]any)
				for _, entry := range list {
					other := maps.Clone(entry.(map[string]any))
					other["id"], other["key"] = 770001, "NOT-YOURS-77"
					list = append(list, other)
				}
				d["data"] = list
			})
		},
		"one that cannot be read": func(a *apptest.OddAnswer) {
			a.Document(func(d map[string]any) { d["data"] = append(d["data"].([]any), "?") })
		},
	}) {
		t.Run(name, func(t *testing.T) {
			withSam(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
				h.Order(apptest.Sam, "Play Card", "10 USD", "1") // its list is read before
				odd.Change(func(a *apptest.OddAnswer) {
					switch {
					case general(a):
						a.Orders(func(o map[string]any) { o["key"], o["has_key"], o["status"] = "", true, "completed" })
					case a.Is("GET", "/purchase-history") && h.PurchasesSent() > 0:
						change(a)
					}
				})
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Hour)
				if got := h.Codes(apptest.Sam); len(got) > 0 {
					t.Errorf("the codes are %q", got)
				}
			})
		})
	}
}

// TestLookInTheList: somebody who has the service asked sees what the list alone shows.
func TestLookInTheList(t *testing.T) {
	sampletest.Slow(t)
	withSam(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
		hidden := func(a *apptest.OddAnswer) {
			if general(a) {
				a.Orders(func(o map[string]any) { o["key"], o["has_key"], o["status"] = "", false, "processing" })
			}
		}
		odd.Change(hidden)
		buysOne(h)
		h.Pass(20 * time.Minute)
		odd.Change(func(a *apptest.OddAnswer) {
			withSerial(a)
			if general(a) {
				a.Orders(func(o map[string]any) { o["key"], o["has_key"], o["status"] = "", true, "completed" })
			}
		})
		h.Tap(apptest.Sam, "🔄")
		h.Pass(5 * time.Second)
		if got := h.Codes(apptest.Sam); !slices.Equal(got, []string{h.Service.Orders()[0].Code, "SN-7788-1"}) {
			t.Errorf("the codes are %q", got)
		}
	})
}

// TestMaskedIsNoCode: a code of which a part is hidden, as lists show them, is not delivered as the code.
func TestMaskedIsNoCode(t *testing.T) {
	t.Parallel()
	for _, masked := range sampletest.Some(3, []string{"****-****-1234", "ABCD-••••-••••-9931", "XXXX-XXXX-1234"}) {
		t.Run(masked, func(t *testing.T) {
			withSam(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
				odd.Change(func(a *apptest.OddAnswer) {
					a.Orders(func(o map[string]any) {
						switch {
						case o["key"] == nil:
						case a.Is("GET", "/purchase-history"):
							o["key"] = masked
						case general(a):
							o["key"] = nil
						}
					})
				})
				buysOne(h)
				h.Pass(time.Hour)
				if got := h.Codes(apptest.Sam); len(got) > 0 {
					t.Errorf("delivered %q", got)
				}
				odd.Change(nil)
				h.Pass(2 * time.Hour)
				h.Delivered(apptest.Sam)
				says(h, nil, "another code")
			})
		})
	}
}

// TestTheListShowsSomebodyElses: the list leaves out the order whose code is looked for, and shows one that fits as well. That
// is somebody else's as long as the balance tells of more than was bought here, or another unit's with its code written otherwise.
func TestTheListShowsSomebodyElses(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for name, followed := range sampletest.SomeNamed(1, map[string]bool{"an account that is known": true, "a new one": false}) {
		t.Run(name, func(t *testing.T) {
			withSam(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
				if followed {
					follow(h)
				}
				n := len(h.Service.Orders())
				odd.Change(func(a *apptest.OddAnswer) {
					if all := h.Service.Orders(); len(all) > n {
						hides(a, all[n])
					}
				})
				buysOne(h)
				if _, err := h.Service.Buy(apptest.TestKey, 101, 1, "on its own page"); err != nil {
					t.Fatal(err)
				}
				h.Pass(3 * time.Hour)
				if codes := h.Codes(apptest.Sam); len(codes) != n {
					t.Errorf("the codes are %q", codes)
				}
				odd.Change(nil)
				h.Pass(6 * time.Hour)
				if codes := h.Codes(apptest.Sam); !slices.Contains(codes, h.Service.Orders()[n].Code) {
					t.Errorf("the codes are %q at last", codes)
				}
			})
		})
	}
	t.Run("another unit's", func(t *testing.T) {
		withSam(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
			follow(h)
			odd.Change(func(a *apptest.OddAnswer) {
				all := h.Service.Orders()
				if len(all) < 5 {
					return
				}
				hides(a, all[4])
				if general(a) {
					a.Orders(func(o map[string]any) {
						if o["order_id"] == all[3].ID && o["key"] != nil {
							o["key"] = map[string]any{"code": o["key"], "pin": "0012"}
						}
					})
				}
			})
			h.Order(apptest.Sam, "Play Card", "10 USD", "2")
			h.Tap(apptest.Sam, "✅")
			h.Pass(3 * time.Hour)
			if codes := h.Codes(apptest.Sam); len(codes) != 5 || codes[4] != "0012" { // a PIN is copied by itself
				t.Errorf("the codes are %q", codes)
			}
		})
	})
}

// hides has no endpoint show the code of an order, and no list the order.
func hides(a *apptest.OddAnswer, order sim.Order) {
	switch {
	case general(a):
		a.Orders(func(o map[string]any) {
			if o["order_id"] == order.ID {
				o["key"] = nil
				delete(o, "has_key")
			}
		})
	case a.Is("GET", "/purchase-history"):
		a.Document(func(d map[string]any) {
			list, _ := d["data"].([]any)
			d["data"] = slices.DeleteFunc(list, func(entry any) bool {
				e, ok := entry.(map[string]any)
				return ok && e["id"] == json.Number(strconv.FormatInt(order.Number, 10))
			})
		})
	}
}
