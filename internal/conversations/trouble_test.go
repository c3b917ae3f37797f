package conversations_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestBadKeys: a key that is refused is told with the reason, and nothing is stored.
func TestBadKeys(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-expired-000001", Name: "Old", UserID: 2, Balance: "1"}))
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-blocked-000001", Name: "Far", UserID: 3, Balance: "1"}))
		h.Service.ExpireKey("KEY-expired-000001")
		h.Service.BlockAddress("KEY-blocked-000001", true)
	}, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start")
		for _, key := range []string{"KEY-nobody-00001", "KEY-expired-000001", "KEY-blocked-000001", "not a key", "ключ"} {
			h.Say(apptest.Sam, "/key "+key)
			h.Pass(2 * time.Second)
			if strings.Contains(h.Transcript(apptest.Sam), "Old") || strings.Contains(h.Transcript(apptest.Sam), "Far") {
				t.Fatalf("%s was linked", key)
			}
			for _, m := range h.Telegram.Messages(apptest.Sam) {
				if strings.Contains(m.Text, key) && !m.Deleted {
					t.Errorf("the message with %s is still there", key)
				}
			}
			if len(h.Service.Requests()) == 0 {
				t.Error("no key was checked with the service")
			}
		}
		h.Say(apptest.Sam, apptest.TestKey) // the question is still open
		h.See(apptest.Sam, "Boutique El Djazair")
	})
}

// TestKeyInGroup: a key is not taken where others read along.
func TestKeyInGroup(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Telegram.AddGroup(-700, "Shop", apptest.Sam, apptest.Yasmine)
	}, func(h *apptest.Harness) {
		h.Telegram.Send(apptest.Sam, -700, "/key@shop_bot "+apptest.TestKey)
		h.Pass(2 * time.Second)
		if n := h.Service.Requests()["GET /account"]; n != 0 {
			t.Error("the key was used")
		}
		if len(h.Telegram.Messages(-700)) < 2 {
			t.Error("nobody was told")
		}
	})
}

// TestMoneyBeforeALink: what moved before an account was left, and while nobody could be told, is told once, when it is linked again or,
// where an older reading may be what shows, once nothing explains it. What was bought here is none of it.
func TestMoneyBeforeALink(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	const alarm = "DZD 3,000 left the balance"
	for name, c := range sampletest.SomeNamed(3, map[string]struct {
		amount string
		gone   time.Duration // until it is linked again
		link   string        // tells, where the link does
		later  string
	}{
		"a theft, hours ago":    {"-3000", 3 * time.Hour, "DZD 3,000 has left the balance", ""},
		"a top-up, hours ago":   {"500", 3 * time.Hour, "DZD 500 has come to the balance", ""},
		"nothing, hours ago":    {"", 3 * time.Hour, "", ""},
		"a theft, this moment":  {"-3000", 0, "", alarm},
		"a theft, lately":       {"-3000", 40 * time.Minute, "", alarm},
		"a purchase, lately":    {"", 40 * time.Minute, "", ""},
		"a theft, two days ago": {"-3000", 49 * time.Hour, "DZD 3,000 has left the balance", ""},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Pass(20 * time.Minute)
				h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
				if c.amount != "" {
					h.Service.Deposit(apptest.TestKey, c.amount)
				}
				h.Pass(2 * time.Minute)
				h.Say(apptest.Sam, "/key remove")
				h.See(apptest.Sam, "is unlinked")
				h.Pass(c.gone)
				h.Say(apptest.Sam, "/key "+apptest.TestKey)
				text := plainly(h.See(apptest.Sam, "Linked").Text)
				if moved := strings.Contains(text, "last in use here"); moved != (c.link != "") || !strings.Contains(text, c.link) {
					t.Errorf("the link tells:\n%s", text)
				}
				h.Pass(2 * time.Hour)
				if told := h.Has(apptest.Sam, alarm); told != (c.later != "") {
					t.Errorf("an alarm is told: %v", told)
				}
			})
		})
	}
}

// TestUnlink: after /key remove the chat can buy nothing, and may link again.
func TestUnlink(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/key remove")
		h.Say(apptest.Sam, "/help")
		h.TapUnder("What you can do", "📦") // what was bought stays theirs
		h.Say(apptest.Sam, "/buy")
		h.Pass(time.Second)
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			for _, row := range m.Keyboard {
				for _, b := range row {
					if strings.Contains(b.Text, "Play Card") {
						t.Error("the catalogue is still shown")
					}
				}
			}
		}
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
	})
}

// TestRefusals: each refusal of the service is told, and nothing is charged.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*apptest.Harness){
		"out of stock":    func(h *apptest.Harness) { h.Service.SetStock(101, 0) },
		"balance too low": func(h *apptest.Harness) { h.Service.SetBalance(apptest.TestKey, "10") },
		"key expired":     func(h *apptest.Harness) { h.Service.ExpireKey(apptest.TestKey) },
		"address blocked": func(h *apptest.Harness) { h.Service.BlockAddress(apptest.TestKey, true) },
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				m := h.See(apptest.Sam, "10 USD")
				spoil(h)
				before := h.Service.Balance(apptest.TestKey).String()
				h.Tap(apptest.Sam, "✅")
				h.Wait(apptest.Sam, "a refusal", func(all []tgsim.Message) (tgsim.Message, bool) {
					for _, now := range all {
						if now.ID == m.ID {
							return now, strings.Contains(now.Text, "❌")
						}
					}
					return tgsim.Message{}, false
				})
				h.Pass(time.Minute)
				if len(h.Service.Purchases()) != 0 || h.Service.Balance(apptest.TestKey).String() != before {
					t.Error("something was bought")
				}
				h.Answered()
			})
		})
	}
}

// TestTooLittleMoney: the summary says what is there, needed and missing, and offers no ✅.
func TestTooLittleMoney(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Service.SetBalance(apptest.TestKey, "1000")
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		m := h.See(apptest.Sam, "250.50") // missing
		if strings.Contains(h.Transcript(apptest.Sam), "✅") {
			t.Errorf("a purchase that cannot be paid is offered:\n%s", m.Text)
		}
	})
}

// TestPriceChanged: a price that is not the one that was shown is shown again, not paid.
func TestPriceChanged(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.SetPrice(101, "1300")
		h.Tap(apptest.Sam, "✅")
		h.See(apptest.Sam, "1,300")
		h.Pass(10 * time.Second)
		h.Bought(0)
		h.Tap(apptest.Sam, "🔁")
		h.See(apptest.Sam, "1,300")
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		h.Bought(1)
	})
}

// TestLostAnswer: a purchase whose answer is lost is said to be uncertain and never sent again; the
// account's next purchase waits for it.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Link(apptest.Yasmine)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.LoseAnswer, Times: 1})
		h.Tap(apptest.Sam, "✅")
		h.See(apptest.Sam, "not buy")
		h.Order(apptest.Yasmine, "Play Card", "25 USD", "1")
		h.Tap(apptest.Yasmine, "✅")
		h.Pass(time.Minute)
		if n := h.PurchasesSent(); n != 1 {
			t.Errorf("%d purchases were sent while one is uncertain", n)
		}
		h.Pass(10 * time.Minute) // RECONCILE_FOR: now a person is asked
		h.See(apptest.Sam, "decision")
		h.Bought(1)
		h.Say(apptest.Sam, "/orders")
		h.See(apptest.Sam, "")
	})
}

// TestServiceTroubles: a service that is down, slow or talks nonsense gets a clear sentence, and the bot
// goes on as soon as it is well again.
func TestServiceTroubles(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, fault := range map[string]sim.Fault{
		"down":    {Kind: sim.DropRequest},
		"slow":    {Kind: sim.Delay, Delay: 5 * time.Minute},
		"html":    {Kind: sim.Status, Status: http.StatusBadGateway},
		"garbage": {Kind: sim.Garbage},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				fault.Operation, fault.Times = "*", 1000
				h.Service.Inject(fault)
				h.Say(apptest.Sam, "/buy")
				before := len(h.Telegram.Messages(apptest.Sam))
				h.Pass(time.Minute)
				if said := h.See(apptest.Sam, "cannot be read right now"); strings.Contains(said.Text, "charged") { // looking costs nothing
					t.Errorf("a screen that merely reads speaks of money: %s", said.Text)
				}
				if n := len(h.Telegram.Messages(apptest.Sam)); n > before+1 {
					t.Errorf("%d messages about one trouble", n-before)
				}
				h.Service.ClearFaults()
				h.Pass(2 * time.Minute)
				h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
			})
		})
	}
}

// TestPollingGoesOnAfterAnOutage: codes arrive although the service was away when they were ready.
func TestPollingGoesOnAfterAnOutage(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.Inject(sim.Fault{Operation: "POST /products/orders/retrieve", Kind: sim.Status, Status: 502, Times: 5})
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		h.Bought(1)
	})
}

// TestFailedOrder: an order that fails is told with what was paid.
func TestFailedOrder(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 40, Name: "Unlucky", Variants: []sim.VariantSpec{
			{ID: 401, Name: "one", Price: "500", InStock: 5, Delay: time.Second, Fails: true},
		}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Unlucky", "one", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "refund")
	})
}

// TestEmptyCatalogue says so.
func TestEmptyCatalogue(t *testing.T) {
	t.Parallel()
	apptest.Run(t, nil, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/buy")
		h.Pass(time.Second)
		if m := h.See(apptest.Sam, ""); m.Text == "" {
			t.Error("nothing was said")
		}
	})
}

// TestOldButtons: buttons of old screens, and data that no button has, are answered and buy nothing.
func TestOldButtons(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		m := h.See(apptest.Sam, "10 USD")
		confirm := apptest.ConfirmData(t, m)
		h.Tap(apptest.Sam, "⬅️")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, confirm)
		for _, data := range []string{"1:qty:1", "9:buy:1", "garbage", "1:product:999999:0", "1:variant:10:999", "1:order:nothing", "1:confirm:x:y", "1:language:xx", "", strings.Repeat("x", 64)} {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, data)
			h.Pass(time.Second)
		}
		h.Pass(10 * time.Second)
		h.Bought(0)
		h.Answered()
	})
}

// TestCancel: /cancel always works.
func TestCancel(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/cancel")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		m := h.See(apptest.Sam, "10 USD")
		confirm := apptest.ConfirmData(t, m)
		h.Say(apptest.Sam, "/cancel")
		h.Pass(2 * time.Second)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, confirm)
		h.Pass(10 * time.Second)
		h.Bought(0)
		h.Say(apptest.Sam, "/nonsense")
		h.Say(apptest.Sam, "zzz nothing like it")
		h.Pass(time.Second)
		h.Answered()
	})
}

// TestTelegramDownAtStart: the bot waits for Telegram, is alive meanwhile, and not ready.
func TestTelegramDownAtStart(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Stop()
		h.Telegram.Inject(tgsim.Fault{Method: "*", Kind: tgsim.CloseBefore, Times: 1000})
		h.Start()
		if live, ready := h.Get("/healthz"), h.Get("/readyz"); live != 200 || ready != 503 {
			t.Errorf("healthz %d, readyz %d while Telegram is down", live, ready)
		}
		h.Telegram.ClearFaults()
		h.Pass(time.Minute)
		if ready := h.Get("/readyz"); ready != 200 {
			t.Errorf("readyz %d when Telegram is back", ready)
		}
		h.Link(apptest.Sam)
	})
}

// TestRestart: a question survives a restart, and so does an order that was not ready.
func TestRestart(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/buy")
		h.Tap(apptest.Sam, "Play Card")
		h.Tap(apptest.Sam, "10 USD")
		h.Stop()
		h.Telegram.Send(apptest.Sam, apptest.Sam, "2") // typed while the bot is away
		h.Start()
		h.Pass(2 * time.Second)
		h.Tap(apptest.Sam, "✅")
		h.Pass(200 * time.Millisecond)
		h.Stop()
		h.Pass(time.Minute)
		h.Start()
		h.Delivered(apptest.Sam)
		h.Bought(1)
	})
}

// TestBlockedChatKeepsItsCode: a code that cannot be sent waits until the person comes back.
func TestBlockedChatKeepsItsCode(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Telegram.Block(apptest.Sam)
		h.Pass(time.Minute)
		if len(h.Codes(apptest.Sam)) != 0 {
			t.Fatal("a blocked chat got a message")
		}
		h.Telegram.Unblock(apptest.Sam)
		h.Say(apptest.Sam, "/start")
		h.Delivered(apptest.Sam)
	})
}

// TestUnreachableChatIsNoError: that Telegram takes nothing for a chat, since it is blocked there or asks to wait, loses
// nothing, and wakes nobody; neither does what is answered at the next try. That it takes nothing at all does.
func TestUnreachableChatIsNoError(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		fault tgsim.Fault
		level string
	}{
		"blocked":       {tgsim.Fault{Kind: tgsim.Broken, Code: 403}, "WARN"},
		"asked to wait": {tgsim.Fault{Kind: tgsim.Flood, Wait: 30 * time.Second}, "WARN"},
		"broken":        {tgsim.Fault{Kind: tgsim.Broken, Code: 500}, "ERROR"},
		"broken once":   {tgsim.Fault{Kind: tgsim.Broken, Code: 500, Times: 1}, "WARN"},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, nil, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				c.fault.Method, c.fault.Chat, c.fault.Times = "sendmessage", apptest.Sam, cmp.Or(c.fault.Times, 1000)
				h.Telegram.Inject(c.fault)
				h.Say(apptest.Sam, "/help")
				h.Pass(10 * time.Minute)
				log := h.Log.String()
				if !strings.Contains(log, `"level":"`+c.level+`","msg":"update failed"`) || c.level != "ERROR" && strings.Contains(log, `"level":"ERROR"`) {
					t.Errorf("the log is\n%s", log)
				}
				h.Telegram.ClearFaults()
				h.Say(apptest.Sam, "/help")
				h.SeeAny(apptest.Sam, "/orders")
			})
		})
	}
}

// TestUndecodableUpdate: one update that cannot be read costs nothing but itself.
func TestUndecodableUpdate(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Telegram.InjectUpdate(`"message":{"message_id":"not a number","chat":[]}`)
		h.Link(apptest.Sam)
		if !strings.Contains(h.Log.String(), "parked") {
			t.Error("nobody was told of the parked update")
		}
	})
}

// TestVault: codes that a chat does not take are offered to whoever speaks for the account, and to nobody
// else; the chat is told later that they are delivered again.
func TestVault(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Yasmine)
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.HoldOrders(true)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Bought")
		h.Telegram.Block(apptest.Sam)
		h.Service.HoldOrders(false)
		h.Pass(2 * time.Minute)
		h.See(apptest.Yasmine, "n'ont pas pu être livrés")
		if len(h.Codes(apptest.Yasmine)) != 0 {
			t.Error("the code was shown without being asked for")
		}
		h.Tap(apptest.Yasmine, "📦")
		if keys := keysOf(h.See(apptest.Yasmine, "📦")); !strings.Contains(keys, "🎉") { // its code is there, delivered or not
			t.Errorf("the vault offers %s", keys)
		}
		h.Tap(apptest.Yasmine, "Play Card")
		code := h.Service.Orders()[0].Code
		if got := h.Codes(apptest.Yasmine); len(got) != 1 || got[0] != code {
			t.Errorf("the vault shows %v, want %s", got, code)
		}
		h.Telegram.Unblock(apptest.Sam)
		h.Say(apptest.Sam, "/start")
		h.Pass(time.Minute)
		if m := h.SeeAny(apptest.Sam, code); !strings.Contains(apptest.Plain(m.Text), "Delivered again") {
			t.Errorf("the code comes without a word: %s", m.Text)
		}
	})
}
