package tgsim

import (
	"testing"
	"time"
)

// An invoice is paid when the bot wants the money in time; then it is told, and may give it back.
func TestPayments(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		invoice := object{"chat_id": sam, "title": "Gold", "description": "100 coins", "payload": "order-1", "currency": "XTR", "prices": `[{"label":"gold","amount":50}]`}
		id := h.post("sendInvoice", invoice).ID
		if k := h.last(sam).Keyboard; len(k) != 1 || !k[0][0].Pay {
			t.Errorf("the keyboard is %v", k)
		}
		pay := h.People.Pay(sam, sam, id)
		got := h.drain()
		if kinds(got) != "pre_checkout_query" || got[0].at("invoice_payload") != "order-1" || got[0].at("id") != pay {
			t.Fatalf("got %v", got)
		}
		pay = h.People.Pay(sam, sam, id)
		if r := h.call("answerPreCheckoutQuery", object{"pre_checkout_query_id": pay, "ok": true}); !r.OK {
			t.Fatal(r.Description)
		}
		got = h.drain()
		charge, _ := got[1].at("successful_payment", "telegram_payment_charge_id").(string)
		if kinds(got) != "pre_checkout_query,message" || charge == "" || got[1].at("successful_payment", "total_amount") != 50.0 {
			t.Fatalf("got %v", got)
		}
		const late = "Bad Request: query is too old and response timeout expired or query ID is invalid"
		h.refused(h.call("answerPreCheckoutQuery", object{"pre_checkout_query_id": pay, "ok": true}), 400, late)
		slow := h.People.Pay(sam, sam, id)
		h.pass(checkoutLife + time.Second)
		h.refused(h.call("answerPreCheckoutQuery", object{"pre_checkout_query_id": slow, "ok": true}), 400, late)

		var url string
		delete(invoice, "chat_id")
		h.call("createInvoiceLink", invoice).into(t, &url)
		unwanted := h.People.PayLink(sam, url)
		h.call("answerPreCheckoutQuery", object{"pre_checkout_query_id": unwanted, "ok": false, "error_message": "sold out"})
		if all := h.People.Payments(); all[3].Problem != "sold out" || all[3].Paid || !all[1].Paid {
			t.Errorf("payments %+v", all)
		}
		stars := func(want string) {
			t.Helper()
			if r := h.call("getMyStarBalance", nil); string(r.Result) != want {
				t.Errorf("the balance is %s", r.Result)
			}
		}
		stars(`{"amount":50}`)
		refund := object{"user_id": sam, "telegram_payment_charge_id": charge}
		if r := h.call("refundStarPayment", refund); !r.OK {
			t.Fatal(r.Description)
		}
		stars(`{"amount":0}`)
		h.refused(h.call("refundStarPayment", refund), 400, "Bad Request: CHARGE_ALREADY_REFUNDED")
		got = h.drain()
		if u := got[len(got)-1]; u.at("refunded_payment", "telegram_payment_charge_id") != charge {
			t.Errorf("got %v", u.body)
		}
		var history struct{ Transactions []map[string]any }
		h.call("getStarTransactions", object{"offset": 1}).into(t, &history)
		if len(history.Transactions) != 1 || history.Transactions[0]["receiver"] == nil {
			t.Errorf("history %v", history)
		}
		if h.People.Pay(sam, sam, 999) != "" || h.People.Pay(sam, 999, id) != "" || h.People.PayLink(sam, "x") != "" || h.People.PayLink(999, url) != "" || h.People.Pay(sam, sam, h.People.Send(sam, sam, "a")) != "" {
			t.Error("paid what is no invoice")
		}
	})
}

// Where sending decides what it costs, the bot is asked how it can be sent; who pays chooses, and the bot is told what was chosen
// and filled in.
func TestShipping(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		invoice := object{"chat_id": sam, "title": "Cards", "description": "On paper", "payload": "order-2", "currency": "USD", "prices": `[{"label":"cards","amount":500}]`}
		id := h.post("sendInvoice", invoice.with(flexible())).ID
		pay := h.People.Pay(sam, sam, id)
		got := h.drain()
		if kinds(got) != "shipping_query" || got[0].at("id") != pay || got[0].at("shipping_address", "country_code") != "DZ" {
			t.Fatalf("got %v", got)
		}
		const late = "Bad Request: query is too old and response timeout expired or query ID is invalid"
		h.refused(h.call("answerPreCheckoutQuery", object{"pre_checkout_query_id": pay, "ok": true}), 400, late)
		offer := object{"shipping_query_id": pay, "ok": true}
		for options, words := range map[string]string{
			"": `parameter "shipping_options" is required`, "[": "can't parse shipping options JSON object", "{}": "expected an Array of shipping options", "[]": "there must be at least one shipping option",
			`[{"id":"","title":"b","prices":[]}]`: "can't parse shipping option: ShippingOption identifier must be non-empty", `[{"id":"a","title":"","prices":[]}]`: "can't parse shipping option: ShippingOption title must be non-empty",
			`[{"id":"a","title":"b"}]`: `can't parse shipping option: Can't find field "prices"`, `[{"id":"a","title":"b","prices":[{}]}]`: `can't parse shipping option: Can't parse shipping option prices: Can't find field "label"`,
		} {
			h.refused(h.call("answerShippingQuery", offer.with(object{"shipping_options": options})), 400, "Bad Request: "+words)
		}
		h.refused(h.call("answerShippingQuery", object{"shipping_query_id": pay, "ok": false}), 400, `Bad Request: parameter "error_message" is required`)
		offer = offer.with(object{"shipping_options": `[{"id":"post","title":"By post","prices":[{"label":"stamp","amount":30},{"label":"box","amount":20}]}]`})
		if r := h.call("answerShippingQuery", offer); !r.OK {
			t.Fatal(r.Description)
		}
		h.refused(h.call("answerShippingQuery", offer), 400, late)
		if h.People.Ship(pay, "by air") || h.People.Ship("x", "post") || !h.People.Ship(pay, "post") || h.People.Ship(pay, "post") {
			t.Error("what was offered is not what can be chosen, once")
		}
		got = h.drain()
		if kinds(got) != "pre_checkout_query" || got[0].at("total_amount") != 550.0 || got[0].at("shipping_option_id") != "post" || got[0].at("order_info", "email") != "501@example.com" {
			t.Fatalf("got %v", got)
		}
		h.call("answerPreCheckoutQuery", object{"pre_checkout_query_id": pay, "ok": true})
		got = h.drain()
		if last := got[len(got)-1]; last.at("successful_payment", "order_info", "shipping_address", "city") != "Alger" || last.at("successful_payment", "total_amount") != 550.0 {
			t.Errorf("got %v", last)
		}
		nowhere := h.People.Pay(sam, sam, id)
		h.call("answerShippingQuery", object{"shipping_query_id": nowhere, "ok": false, "error_message": "not there"})
		if last := h.People.Payments()[1]; last.Problem != "not there" || !last.Answered || last.Paid {
			t.Errorf("payment %+v", last)
		}
	})
}
