package app_test

import (
	"net/http"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// troublesOfPeople are the stories of what is asked of the bot, and of what it cannot hand over, as those of troublesOutside.
func troublesOfPeople() map[string]situation {
	var engine apptest.FailingEngine
	return map[string]situation{
		"an update that cannot be handled": {time.Minute, func(h *apptest.Harness) {
			h.Engine = func(e store.Engine) store.Engine { engine.Engine = e; return &engine }
		}, func(h *apptest.Harness, r *recording) {
			r.pass(10 * time.Minute)
			engine.Panic.Store(true)
			h.Telegram.Send(apptest.Sam, apptest.Sam, "/balance")
			r.pass(5 * time.Minute)
			r.fires("UpdatesParked")
			r.pass(61 * time.Minute)
			r.fires()
		}},
		"somebody who guesses the webhook's secret": {time.Minute, hooked, func(h *apptest.Harness, r *recording) {
			r.pass(15 * time.Minute)
			for range 5 {
				post(h, http.MethodPost, "/telegram/hook", "a guess", posted(1, "/start"))
				r.pass(time.Minute)
			}
			r.fires()
			for range 5 {
				for range 10 {
					post(h, http.MethodPost, "/telegram/hook", "a guess", posted(1, "/start"))
				}
				r.pass(time.Minute)
			}
			r.fires("WebhookForged")
			r.pass(15 * time.Minute)
			r.fires()
		}},
		"Telegram that keeps asking to wait": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(15 * time.Minute)
			for range 30 {
				h.Telegram.Inject(tgsim.Fault{Method: "sendmessage", Kind: tgsim.Flood, Wait: time.Second, Times: 10})
				for _, who := range []int64{apptest.Sam, apptest.Yasmine} {
					h.Telegram.Send(who, who, "/language")
				}
				r.pass(time.Minute)
			}
			r.fires("TelegramLimits")
			h.Telegram.ClearFaults()
			r.pass(30 * time.Minute)
			r.fires()
		}},
		"a code that does not reach its chat": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(10 * time.Minute)
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			for _, method := range []string{"editmessagetext", "sendmessage", "senddocument"} {
				h.Telegram.Inject(tgsim.Fault{Method: method, Chat: apptest.Sam, Kind: tgsim.Broken, Code: 500, Times: 100_000})
			}
			r.pass(3 * time.Minute)
			r.fires()
			r.pass(12 * time.Minute)
			r.fires("CodesUndelivered")
			h.Telegram.ClearFaults()
			r.pass(10 * time.Minute)
			r.fires()
		}},
		"a code for somebody who has blocked the bot": {10 * time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(time.Hour)
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Telegram.Block(apptest.Sam)
			r.pass(23 * time.Hour)
			r.fires()
			r.pass(2 * time.Hour)
			r.fires("CodesWaitForPeople")
			h.Telegram.Unblock(apptest.Sam)
			h.Say(apptest.Sam, "/start")
			r.pass(time.Hour)
			r.fires()
		}},
		"an order that does not come to its end": {10 * time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(time.Hour)
			h.Service.HoldOrders(true)
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			r.pass(47 * time.Hour)
			r.fires()
			r.pass(2 * time.Hour)
			r.fires("PurchaseOld")
			h.Service.HoldOrders(false)
			r.pass(2 * time.Hour)
			r.fires()
		}},
		"a service that keeps answering 429": {time.Minute, nil, func(h *apptest.Harness, r *recording) {
			r.pass(15 * time.Minute)
			h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.RateLimit, Times: 100_000})
			for range 20 {
				h.Telegram.Send(apptest.Sam, apptest.Sam, "/balance")
				r.pass(time.Minute)
			}
			r.fires("BudgetResting")
			h.Service.ClearFaults()
			r.pass(30 * time.Minute)
			r.fires()
		}},
		"limits that are too low for the people": {time.Minute, limitedTo("6"), func(h *apptest.Harness, r *recording) {
			r.pass(15 * time.Minute)
			asksForBalance(h, r, 20*time.Second)
			r.fires("BudgetShort")
			r.pass(30 * time.Minute)
			r.fires()
		}},
		"limits that leave people without an answer": {time.Minute, limitedTo("3"), func(h *apptest.Harness, r *recording) {
			r.pass(15 * time.Minute)
			asksForBalance(h, r, 10*time.Second)
			r.fires("BudgetShort", "UpdatesStuck")
			r.pass(2 * time.Hour)
			r.fires()
		}},
	}
}

// limitedTo prepares a bot that may ask the service so often a minute.
func limitedTo(reads string) func(*apptest.Harness) {
	return func(h *apptest.Harness) { h.Env["GET_PER_MINUTE"] = reads }
}

// asksForBalance has somebody ask again and again for half an hour.
func asksForBalance(h *apptest.Harness, r *recording, every time.Duration) {
	for range 30 {
		for range int(time.Minute/every) - 1 {
			h.Telegram.Send(apptest.Sam, apptest.Sam, "/balance")
			h.Pass(every)
		}
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/balance")
		h.Pass(every - time.Second)
		r.ask()
		h.Pass(time.Second)
	}
}
