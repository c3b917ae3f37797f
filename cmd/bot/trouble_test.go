package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

// TestBadKeys: a key that is refused is told with the reason, and nothing is stored.
func TestBadKeys(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		stock(h)
		h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-expired-000001", Name: "Old", UserID: 2, Balance: "1"}))
		h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-blocked-000001", Name: "Far", UserID: 3, Balance: "1"}))
		h.service.ExpireKey("KEY-expired-000001")
		h.service.BlockAddress("KEY-blocked-000001", true)
	}, func(h *house) {
		h.say(sam, "/start")
		for _, key := range []string{"KEY-nobody-00001", "KEY-expired-000001", "KEY-blocked-000001", "not a key", "ключ"} {
			h.say(sam, "/key "+key)
			h.pass(2 * time.Second)
			if strings.Contains(h.transcript(sam), "Old") || strings.Contains(h.transcript(sam), "Far") {
				t.Fatalf("%s was linked", key)
			}
			for _, m := range h.telegram.Messages(sam) {
				if strings.Contains(m.Text, key) && !m.Deleted {
					t.Errorf("the message with %s is still there", key)
				}
			}
			if len(h.service.Requests()) == 0 {
				t.Error("no key was checked with the service")
			}
		}
		h.say(sam, testKey) // the question is still open
		h.see(sam, "Boutique El Djazair")
	})
}

// TestKeyInGroup: a key is not taken where others read along.
func TestKeyInGroup(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		stock(h)
		h.telegram.AddGroup(-700, "Shop", sam, yasmine)
	}, func(h *house) {
		h.telegram.Send(sam, -700, "/key@shop_bot "+testKey)
		h.pass(2 * time.Second)
		if n := h.service.Requests()["GET /account"]; n != 0 {
			t.Error("the key was used")
		}
		if len(h.telegram.Messages(-700)) < 2 {
			t.Error("nobody was told")
		}
	})
}

// TestUnlink: after /key remove the chat can buy nothing, and may link again.
func TestUnlink(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.say(sam, "/key remove")
		h.say(sam, "/buy")
		h.pass(time.Second)
		for _, m := range h.telegram.Messages(sam) {
			for _, row := range m.Keyboard {
				for _, b := range row {
					if strings.Contains(b.Text, "Play Card") {
						t.Error("the catalogue is still shown")
					}
				}
			}
		}
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
	})
}

// TestRefusals: each refusal of the service is told, and nothing is charged.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*house){
		"out of stock":    func(h *house) { h.service.SetStock(101, 0) },
		"balance too low": func(h *house) { h.service.SetBalance(testKey, "10") },
		"key expired":     func(h *house) { h.service.ExpireKey(testKey) },
		"address blocked": func(h *house) { h.service.BlockAddress(testKey, true) },
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, stock, func(h *house) {
				h.link(sam)
				h.order(sam, "Play Card", "10 USD", "1")
				m := h.see(sam, "10 USD")
				spoil(h)
				before := h.service.Balance(testKey).String()
				h.tap(sam, "✅")
				h.wait(sam, "a refusal", func(all []tgsim.Message) (tgsim.Message, bool) {
					for _, now := range all {
						if now.ID == m.ID {
							return now, strings.Contains(now.Text, "❌")
						}
					}
					return tgsim.Message{}, false
				})
				h.pass(time.Minute)
				if len(h.service.Purchases()) != 0 || h.service.Balance(testKey).String() != before {
					t.Error("something was bought")
				}
				h.answered()
			})
		})
	}
}

// TestTooLittleMoney: the summary says what is there, needed and missing, and offers no ✅.
func TestTooLittleMoney(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		stock(h)
		h.service.SetBalance(testKey, "1000")
	}, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		m := h.see(sam, "250.50") // missing
		if strings.Contains(h.transcript(sam), "✅") {
			t.Errorf("a purchase that cannot be paid is offered:\n%s", m.Text)
		}
	})
}

// TestPriceChanged: a price that is not the one that was shown is shown again, not paid.
func TestPriceChanged(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.SetPrice(101, "1300")
		h.tap(sam, "✅")
		h.see(sam, "1,300")
		h.pass(10 * time.Second)
		h.bought(0)
		h.tap(sam, "🔁")
		h.see(sam, "1,300")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.bought(1)
	})
}

// TestLostAnswer: a purchase whose answer is lost is said to be uncertain and never sent again; the
// account's next purchase waits for it.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.link(yasmine)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.LoseAnswer, Times: 1})
		h.tap(sam, "✅")
		h.see(sam, "not buy")
		h.order(yasmine, "Play Card", "25 USD", "1")
		h.tap(yasmine, "✅")
		h.pass(time.Minute)
		if n := h.purchasesSent(); n != 1 {
			t.Errorf("%d purchases were sent while one is uncertain", n)
		}
		h.pass(10 * time.Minute) // RECONCILE_FOR: now a person is asked
		h.see(sam, "decide")
		h.bought(1)
		h.say(sam, "/orders")
		h.see(sam, "")
	})
}

// TestServiceTroubles: a service that is down, slow or talks nonsense gets a clear sentence, and the bot
// goes on as soon as it is well again.
func TestServiceTroubles(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sim.Fault{
		"down":    {Kind: sim.DropRequest},
		"slow":    {Kind: sim.Delay, Delay: 5 * time.Minute},
		"html":    {Kind: sim.Status, Status: http.StatusBadGateway},
		"garbage": {Kind: sim.Garbage},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, stock, func(h *house) {
				h.link(sam)
				fault.Operation, fault.Times = "*", 1000
				h.service.Inject(fault)
				h.say(sam, "/buy")
				before := len(h.telegram.Messages(sam))
				h.pass(time.Minute)
				h.see(sam, "harged") // what happened to the money comes first: nothing was charged
				if n := len(h.telegram.Messages(sam)); n > before+1 {
					t.Errorf("%d messages about one trouble", n-before)
				}
				h.service.ClearFaults()
				h.pass(2 * time.Minute)
				h.order(sam, "Play Card", "10 USD", "1")
				h.tap(sam, "✅")
				h.delivered(sam)
			})
		})
	}
}

// TestPollingGoesOnAfterAnOutage: codes arrive although the service was away when they were ready.
func TestPollingGoesOnAfterAnOutage(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.Inject(sim.Fault{Operation: "POST /products/orders/retrieve", Kind: sim.Status, Status: 502, Times: 5})
		h.tap(sam, "✅")
		h.delivered(sam)
		h.bought(1)
	})
}

// TestFailedOrder: an order that fails is told with what was paid.
func TestFailedOrder(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		h.service.AddProduct(sim.ProductSpec{ID: 40, Name: "Unlucky", Variants: []sim.VariantSpec{
			{ID: 401, Name: "one", Price: "500", InStock: 5, Delay: time.Second, Fails: true},
		}})
	}, func(h *house) {
		h.link(sam)
		h.order(sam, "Unlucky", "one", "1")
		h.tap(sam, "✅")
		h.seeAny(sam, "refund")
	})
}

// TestEmptyCatalogue says so.
func TestEmptyCatalogue(t *testing.T) {
	t.Parallel()
	inHouse(t, nil, func(h *house) {
		h.link(sam)
		h.say(sam, "/buy")
		h.pass(time.Second)
		if m := h.see(sam, ""); m.Text == "" {
			t.Error("nothing was said")
		}
	})
}

// TestOldButtons: buttons of old screens, and data that no button has, are answered and buy nothing.
func TestOldButtons(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		m := h.see(sam, "10 USD")
		confirm := confirmData(t, m)
		h.tap(sam, "⬅️")
		h.telegram.Tap(sam, sam, m.ID, confirm)
		for _, data := range []string{"1:qty:1", "9:buy:1", "garbage", "1:product:999999:0", "1:variant:10:999", "1:order:nothing", "1:confirm:x:y", "1:language:xx", "", strings.Repeat("x", 64)} {
			h.telegram.Tap(sam, sam, m.ID, data)
			h.pass(time.Second)
		}
		h.pass(10 * time.Second)
		h.bought(0)
		h.answered()
	})
}

// TestCancel: /cancel always works.
func TestCancel(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.say(sam, "/cancel")
		h.order(sam, "Play Card", "10 USD", "1")
		m := h.see(sam, "10 USD")
		confirm := confirmData(t, m)
		h.say(sam, "/cancel")
		h.pass(2 * time.Second)
		h.telegram.Tap(sam, sam, m.ID, confirm)
		h.pass(10 * time.Second)
		h.bought(0)
		h.say(sam, "/nonsense")
		h.say(sam, "zzz nothing like it")
		h.pass(time.Second)
		h.answered()
	})
}

// TestTelegramDownAtStart: the bot waits for Telegram, is alive meanwhile, and not ready.
func TestTelegramDownAtStart(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.stop()
		h.telegram.Inject(tgsim.Fault{Method: "*", Kind: tgsim.CloseBefore, Times: 1000})
		h.start()
		if live, ready := h.get("/healthz"), h.get("/readyz"); live != 200 || ready != 503 {
			t.Errorf("healthz %d, readyz %d while Telegram is down", live, ready)
		}
		h.telegram.ClearFaults()
		h.pass(time.Minute)
		if ready := h.get("/readyz"); ready != 200 {
			t.Errorf("readyz %d when Telegram is back", ready)
		}
		h.link(sam)
	})
}

// get asks the bot's HTTP server.
func (h *house) get(path string) int {
	h.t.Helper()
	tr := &http.Transport{DialContext: h.net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, "http://"+healthAddr+path, nil)
	h.must(err)
	resp, err := (&http.Client{Transport: tr}).Do(req)
	h.must(err)
	defer resp.Body.Close()
	return resp.StatusCode
}

// TestRestart: a question survives a restart, and so does an order that was not ready.
func TestRestart(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.say(sam, "/buy")
		h.tap(sam, "Play Card")
		h.tap(sam, "10 USD")
		h.stop()
		h.telegram.Send(sam, sam, "2") // typed while the bot is away
		h.start()
		h.pass(2 * time.Second)
		h.tap(sam, "✅")
		h.pass(200 * time.Millisecond)
		h.stop()
		h.pass(time.Minute)
		h.start()
		h.delivered(sam)
		h.bought(1)
	})
}

// TestBlockedChatKeepsItsCode: a code that cannot be sent waits until the person comes back.
func TestBlockedChatKeepsItsCode(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.telegram.Block(sam)
		h.pass(time.Minute)
		if len(h.codes(sam)) != 0 {
			t.Fatal("a blocked chat got a message")
		}
		h.telegram.Unblock(sam)
		h.say(sam, "/start")
		h.delivered(sam)
	})
}

// TestUnreachableChatIsNoError: that Telegram takes nothing for a chat, since it is blocked there or asks to wait, loses
// nothing, and wakes nobody; that it takes nothing at all does.
func TestUnreachableChatIsNoError(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault tgsim.Fault
		level string
	}{
		"blocked":       {tgsim.Fault{Kind: tgsim.Broken, Code: 403}, "WARN"},
		"asked to wait": {tgsim.Fault{Kind: tgsim.Flood, Wait: 30 * time.Second}, "WARN"},
		"broken":        {tgsim.Fault{Kind: tgsim.Broken, Code: 500}, "ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, nil, func(h *house) {
				h.link(sam)
				c.fault.Method, c.fault.Chat, c.fault.Times = "sendmessage", sam, 1000
				h.telegram.Inject(c.fault)
				h.say(sam, "/help")
				h.pass(10 * time.Minute)
				log := h.log.String()
				if !strings.Contains(log, `"level":"`+c.level+`","msg":"update failed"`) || c.level != "ERROR" && strings.Contains(log, `"level":"ERROR"`) {
					t.Errorf("the log is\n%s", log)
				}
				h.telegram.ClearFaults()
				h.say(sam, "/help")
				h.seeAny(sam, "/orders")
			})
		})
	}
}

// TestUndecodableUpdate: one update that cannot be read costs nothing but itself.
func TestUndecodableUpdate(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.telegram.InjectUpdate(`"message":{"message_id":"not a number","chat":[]}`)
		h.link(sam)
		if !strings.Contains(h.log.String(), "parked") {
			t.Error("nobody was told of the parked update")
		}
	})
}

// TestVault: codes that a chat does not take are offered to whoever speaks for the account, and to nobody
// else; the chat is told later that they are delivered again.
func TestVault(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(yasmine)
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.HoldOrders(true)
		h.tap(sam, "✅")
		h.seeAny(sam, "Bought")
		h.telegram.Block(sam)
		h.service.HoldOrders(false)
		h.pass(2 * time.Minute)
		h.see(yasmine, "n'ont pas pu être livrés")
		if len(h.codes(yasmine)) != 0 {
			t.Error("the code was shown without being asked for")
		}
		h.tap(yasmine, "📦")
		h.tap(yasmine, "Play Card")
		code := h.service.Orders()[0].Code
		if got := h.codes(yasmine); len(got) != 1 || got[0] != code {
			t.Errorf("the vault shows %v, want %s", got, code)
		}
		h.telegram.Unblock(sam)
		h.say(sam, "/start")
		h.pass(time.Minute)
		if m := h.seeAny(sam, code); !strings.Contains(plain(m.Text), "Delivered again") {
			t.Errorf("the code comes without a word: %s", m.Text)
		}
	})
}
