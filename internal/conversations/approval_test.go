package conversations_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// spendButtons lists the buttons of a message that begin as one that spends.
func spendButtons(m tgsim.Message) (all []tgsim.Button) {
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, "✅") {
				all = append(all, b)
			}
		}
	}
	return all
}

// askFor has Karim ask for n cards, which are above his limit, and returns the message that asks the owner.
func askFor(h *apptest.Harness, n string) tgsim.Message {
	h.T.Helper()
	h.Order(apptest.Karim, "Play Card", "10 USD", n)
	m := h.See(apptest.Karim, "Above your limit")
	if got := spendButtons(m); len(got) != 0 {
		h.T.Errorf("the seller is offered %v", got)
	}
	h.Tap(apptest.Karim, "Ask for approval")
	h.SeeAny(apptest.Karim, "Waiting for approval")
	return h.See(apptest.Sam, "Karim asks to buy")
}

// TestApproval: a purchase above a seller's limit is bought by the owner's tap and no other, and the seller sees
// whose it was.
func TestApproval(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per purchase", "2000")
		buy(h, apptest.Karim) // within it
		m := askFor(h, "2")
		text := apptest.Plain(m.Text)
		if !strings.Contains(text, "DZD 23,749.50 → DZD 21,248.50") || !strings.Contains(text, "DZD 2,501") {
			t.Errorf("the owner is asked: %s", text)
		}
		buttons := spendButtons(m)
		if len(buttons) != 1 || !strings.Contains(apptest.Plain(buttons[0].Text), "2,501") {
			t.Fatalf("the owner is offered %v", buttons)
		}
		for _, who := range []int64{apptest.Karim, apptest.Lila, apptest.Eve} { // forged
			id := h.Telegram.Tap(who, who, 1, buttons[0].Data)
			h.Pass(time.Second)
			if c := h.Answer(id); !c.Alert {
				t.Errorf("%d was not refused", who)
			}
		}
		h.Bought(1)
		h.Tap(apptest.Sam, "✅")
		h.See(apptest.Sam, "Approved by Sam")
		h.SeeAny(apptest.Karim, "Approved by Sam")
		h.Pass(10 * time.Second)
		h.Bought(2)
		if got := h.Codes(apptest.Karim); len(got) != 3 {
			t.Errorf("the seller has %d codes, want 3:\n%s", len(got), h.Transcript(apptest.Karim))
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, buttons[0].Data) // replayed
		h.Pass(10 * time.Second)
		h.Bought(2)
		h.Answered()
	})
}

// TestApprovalByItsReference: an owner who opens what waits for their word is asked there too, and not shown what its buyer reads.
func TestApprovalByItsReference(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"✅", "✖️"} {
		inTeam(t, func(h *apptest.Harness) {
			limit(h, "Per purchase", "2000")
			askFor(h, "2")
			ref := regexp.MustCompile(`#([0-9A-Z]{5})`).FindString(apptest.Plain(h.SeeAny(apptest.Karim, "Waiting for approval").Text))
			h.Say(apptest.Sam, ref)
			h.Pass(2 * time.Second)
			all := h.Telegram.Messages(apptest.Sam)
			m := all[len(all)-1]
			if asked := h.SeeLast(apptest.Sam, "Karim asks to buy"); asked.ID != m.ID {
				t.Errorf("the owner reads %s", m.Text)
			}
			if len(buttons(m, "Withdraw")) > 0 || len(spendButtons(m)) != 1 {
				t.Errorf("the owner is offered %v", m.Keyboard)
			}
			h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, buttonIn(t, m, answer))
			h.Pass(10 * time.Second)
			if answer == "✅" {
				h.Bought(1)
				h.SeeAny(apptest.Karim, "Approved by Sam")
			} else {
				h.Bought(0)
				h.SeeAny(apptest.Karim, "Refused by Sam")
			}
			for _, now := range h.Telegram.Messages(apptest.Sam) {
				if now.ID == m.ID && len(spendButtons(now)) > 0 {
					t.Errorf("it is asked about still: %s", now.Text)
				}
			}
			h.Answered()
		})
	}
}

// TestApprovalRefused: the seller is told by whom, and nothing is bought.
func TestApprovalRefused(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per purchase", "0")
		m := askFor(h, "1")
		h.Tap(apptest.Sam, "Refuse")
		h.See(apptest.Sam, "Refused by Sam")
		h.SeeAny(apptest.Karim, "Refused by Sam")
		h.See(apptest.Karim, "refused by the owner") // the phone rings
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, spendButtons(m)[0].Data)
		h.Pass(time.Minute)
		h.Bought(0)
		h.Answered()
	})
}

// TestApprovalExpires: nobody answers, and after half an hour the question is over for everybody.
func TestApprovalExpires(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per purchase", "0")
		m := askFor(h, "1")
		h.Pass(20 * time.Minute) // longer than a summary is good for
		if len(spendButtons(message(h, apptest.Sam, m.ID))) != 1 {
			t.Error("the question is over too soon")
		}
		h.Stop() // it outlasts a restart
		h.Start()
		h.Pass(11 * time.Minute)
		h.See(apptest.Karim, "was not bought")
		if now := message(h, apptest.Sam, m.ID); len(spendButtons(now)) != 0 || !strings.Contains(apptest.Plain(now.Text), "Nobody decided") {
			t.Errorf("the owner still sees: %s", now.Text)
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, spendButtons(m)[0].Data)
		h.Pass(time.Minute)
		h.Bought(0)
		h.Answered()
	})
}

// TestApprovalTakenBack: the seller does not want it any more, and the owner's message says so.
func TestApprovalTakenBack(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per purchase", "0")
		m := askFor(h, "1")
		h.Tap(apptest.Karim, "Withdraw request")
		h.Pass(5 * time.Second)
		if now := message(h, apptest.Sam, m.ID); len(spendButtons(now)) != 0 || !strings.Contains(apptest.Plain(now.Text), "Withdrawn by") {
			t.Errorf("the owner still sees: %s", now.Text)
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, spendButtons(m)[0].Data)
		h.Pass(time.Minute)
		h.Bought(0)
	})
}

// TestApprovalOnce: two owners tap at the same moment, whatever they tap: one decides, the other one sees who.
func TestApprovalOnce(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for _, c := range sampletest.Some(1, []struct{ sam, yasmine string }{{"approve", "approve"}, {"approve", "refuse"}, {"refuse", "approve"}, {"refuse", "refuse"}}) {
		t.Run(fmt.Sprintf("%s and %s", c.sam, c.yasmine), func(t *testing.T) {
			inTeam(t, func(h *apptest.Harness) {
				h.Link(apptest.Yasmine)
				limit(h, "Per purchase", "0")
				one := askFor(h, "1")
				other := h.See(apptest.Yasmine, "Karim demande")
				data := spendButtons(one)[0].Data
				h.Telegram.Tap(apptest.Sam, apptest.Sam, one.ID, strings.Replace(data, "approve", c.sam, 1))
				h.Telegram.Tap(apptest.Yasmine, apptest.Yasmine, other.ID, strings.Replace(data, "approve", c.yasmine, 1))
				h.Pass(20 * time.Second)
				said := apptest.Plain(message(h, apptest.Sam, one.ID).Text + message(h, apptest.Yasmine, other.ID).Text)
				bySam, byYasmine := strings.Count(said, "par Sam")+strings.Count(said, "by Sam"), strings.Count(said, "par Yasmine")+strings.Count(said, "by Yasmine")
				if bySam+byYasmine != 2 || bySam != 0 && byYasmine != 0 {
					t.Errorf("the owners see: %s", said)
				}
				granted := bySam > 0 && c.sam == "approve" || byYasmine > 0 && c.yasmine == "approve"
				if n := len(h.Service.Purchases()); n != map[bool]int{true: 1}[granted] {
					t.Errorf("%d purchases; granted: %v", n, granted)
				}
				h.Answered()
			})
		})
	}
}

// TestDayLimit: within the day's limit a seller buys freely, above it with an owner's word, which does not count,
// and the next day begins anew.
func TestDayLimit(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per day", "٢٦٠٠")
		h.Say(apptest.Karim, "/start")
		h.See(apptest.Karim, "Left today without approval: DZD 2,600")
		buy(h, apptest.Karim)
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		earlier := h.See(apptest.Karim, "10 USD") // this summary was within the limit when it was made
		limit(h, "Per day", "2000")
		h.Telegram.Tap(apptest.Karim, apptest.Karim, earlier.ID, apptest.ConfirmData(t, earlier))
		h.Pass(2 * time.Second)
		if now := message(h, apptest.Karim, earlier.ID); len(spendButtons(now)) != 0 || !strings.Contains(apptest.Plain(now.Text), "Above your limit") {
			t.Errorf("the summary became: %s", now.Text)
		}
		limit(h, "Per day", "2600")
		buy(h, apptest.Karim)
		h.Say(apptest.Karim, "/start")
		h.See(apptest.Karim, "Left today without approval: DZD 99")
		h.Bought(2)
		askFor(h, "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		h.Bought(3)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.See(apptest.Sam, "Today without approval: DZD 2,501")
		h.Sleep(24 * time.Hour)
		buy(h, apptest.Karim)
		h.Bought(4)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Per day")
		h.Tap(apptest.Sam, "No limit")
		h.See(apptest.Sam, "Per day: no limit")
		buy(h, apptest.Karim)
		buy(h, apptest.Karim)
		buy(h, apptest.Karim)
	})
}

// TestDayLimitRefusals: what the service has refused does not use the limit up.
func TestDayLimitRefusals(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per day", "1300")
		for range 3 {
			h.Order(apptest.Karim, "Play Card", "10 USD", "1")
			h.Service.SetStock(101, 0)
			h.Tap(apptest.Karim, "✅")
			h.Pass(10 * time.Second)
			h.Service.SetStock(101, 50)
			h.Pass(2 * time.Minute)
		}
		buy(h, apptest.Karim)
		h.Bought(1)
		askFor(h, "1")
	})
}

// TestApprovalFromTheGroup: the seller asks in the group, the owner answers in private.
func TestApprovalFromTheGroup(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		limit(h, "Per purchase", "0")
		commandIn(h, apptest.Karim, shop, 0, "/buy@shop_bot play")
		h.TapIn(apptest.Karim, shop, "10 USD")
		h.TapIn(apptest.Karim, shop, "1")
		for _, who := range []int64{apptest.Eve, apptest.Lila} {
			h.RefusedWith(h.TapIn(who, shop, "Ask for approval"), "")
		}
		h.TapIn(apptest.Karim, shop, "Ask for approval")
		h.Pass(5 * time.Second)
		h.SeeAny(shop, "Waiting for approval")
		if strings.Contains(h.Texts(shop), "→") {
			t.Error("the balance stands in the group")
		}
		h.See(apptest.Sam, "Karim asks to buy")
		h.Tap(apptest.Sam, "✅")
		h.Pass(20 * time.Second)
		h.Bought(1)
		h.SeeAny(shop, "Approved by Sam")
		if c := h.TapIn(apptest.Karim, shop, "👁"); !strings.HasSuffix(c.Text, h.Service.Orders()[0].Code) {
			t.Errorf("the seller was shown %q", c.Text)
		}
	})
}

// TestApprovalOfSomebodyGone: who was taken out of the team gets nothing bought, whatever an owner taps later.
func TestApprovalOfSomebodyGone(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per purchase", "0")
		m := askFor(h, "1")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, spendButtons(m)[0].Data)
		h.Pass(time.Minute)
		h.Bought(0)
		if now := message(h, apptest.Sam, m.ID); len(spendButtons(now)) != 0 {
			t.Errorf("the owner still sees: %s", now.Text)
		}
		h.Answered()
	})
}

// TestUncertainIsTheOwners: a seller's purchase that nobody can find is decided by an owner; the seller sees that
// one is asked, and what came of it.
func TestUncertainIsTheOwners(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for _, decision := range sampletest.Some(1, []string{"It is not there", "It is there"}) {
		t.Run(decision, func(t *testing.T) {
			inShop(t, func(h *apptest.Harness) {
				h.Link(apptest.Yasmine)
				h.Order(apptest.Karim, "Play Card", "10 USD", "1")
				status := h.See(apptest.Karim, "10 USD")
				h.Service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.LoseAnswer, Times: 1})
				h.Tap(apptest.Karim, "✅")
				h.See(apptest.Karim, "not buy")
				h.Pass(11 * time.Minute)
				asked := message(h, apptest.Karim, status.ID)
				if !strings.Contains(apptest.Plain(asked.Text), "The owner is to decide") || len(asked.Keyboard) != 0 {
					t.Errorf("the seller sees: %s %v", asked.Text, asked.Keyboard)
				}
				h.See(apptest.Karim, "the owner is to decide")
				h.SeeAny(apptest.Yasmine, "À vous de décider")
				question := h.SeeAny(apptest.Sam, "our decision is needed")
				var data string
				for _, row := range question.Keyboard {
					for _, b := range row {
						if strings.Contains(b.Text, decision) {
							data = b.Data
						}
					}
				}
				for _, at := range []struct{ who, chat int64 }{{apptest.Karim, apptest.Karim}, {apptest.Lila, apptest.Lila}, {apptest.Eve, apptest.Eve}, {apptest.Eve, shop}, {apptest.Lila, shop}} {
					id := h.Telegram.Tap(at.who, at.chat, status.ID, data)
					h.Pass(time.Second)
					if c := h.Answer(id); at.who != apptest.Eve && !c.Alert {
						t.Errorf("%d was not refused", at.who)
					}
				}
				if now := message(h, apptest.Karim, status.ID); now.Text != asked.Text {
					t.Fatalf("somebody else has decided: %s", now.Text)
				}
				h.Telegram.Tap(apptest.Sam, apptest.Sam, question.ID, data)
				h.Pass(2 * time.Second)
				if decision == "It is there" {
					h.Tap(apptest.Sam, "I found it there") // no list shows its order
				} else {
					h.Tap(apptest.Sam, "Yes: it was not bought") // its price is gone
				}
				h.Pass(10 * time.Second)
				if now := message(h, apptest.Karim, status.ID); now.Text == asked.Text {
					t.Errorf("the seller still sees: %s", now.Text)
				}
				for _, m := range []tgsim.Message{message(h, apptest.Sam, question.ID)} {
					if len(m.Keyboard) != 0 {
						t.Errorf("the owner can decide again: %s", m.Text)
					}
				}
				if strings.Contains(h.Texts(apptest.Yasmine), "À vous de décider") {
					t.Error("the other owner is still asked")
				}
				h.Answered()
			})
		})
	}
}

// TestApproverHears: an owner who has approved a purchase reads in their question how it goes, and is told what came of it.
func TestApproverHears(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string][2]string{
		"en": {"Delivered: order", "Not delivered, or not all of it"}, "fr": {"Livrée : la commande", "Pas livrée, ou pas en entier"}, "ar": {"تم التسليم: الطلب", "لم يتم التسليم، أو لم يكتمل"},
	}) {
		for i, outcome := range sampletest.Some(1, []string{"delivered", "failed"}) {
			t.Run(lang+" "+outcome, func(t *testing.T) {
				t.Parallel()
				inTeam(t, func(h *apptest.Harness) {
					limit(h, "Per purchase", "1000")
					h.Service.HoldOrders(true)
					h.Order(apptest.Karim, "Play Card", "10 USD", "1")
					h.Tap(apptest.Karim, "🙋")
					h.See(apptest.Sam, "Karim asks to buy")
					chooseLanguage(h, apptest.Sam, lang)
					h.Tap(apptest.Sam, "✅")
					h.Pass(10 * time.Second)
					order := h.Service.Orders()[0].ID
					if outcome == "failed" {
						h.Must(h.Service.Fail(order, ""))
						h.Must(h.Service.Refund(order))
					} else {
						h.Must(h.Service.Complete(order, "", ""))
					}
					h.Pass(30 * time.Minute)
					h.SeeAny(apptest.Sam, words[i])
					if n := count(h, apptest.Sam, words[i]); n != 1 {
						t.Errorf("it is told %d times:\n%s", n, h.Texts(apptest.Sam))
					}
					if code := h.Service.Orders()[0].Code; code != "" && strings.Contains(h.Texts(apptest.Sam), code) {
						t.Error("the owner was sent the code unasked")
					}
					h.Tap(apptest.Sam, "📦")
					h.See(apptest.Sam, "Karim")
				})
			})
		}
	}
}

// TestApprovedAndNotBought: a purchase that was approved and is not bought after all rings at the seller who waits for it, and its
// owner is told, once, that nothing was charged and why. In each language.
func TestApprovedAndNotBought(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ rung, price, key string }{
		"en": {"was not bought and nothing was charged, see above", "The price has changed. Nothing was charged.", "the key does not work"},
		"fr": {"pas achetée, rien n'a été débité, voir plus haut", "Le prix a changé. Rien n'a été débité.", "la clé ne fonctionne pas"},
		"ar": {"لم يتم الشراء ولم يُخصم شيء، انظر أعلاه", "تغيّر السعر. لم يُخصم شيء.", "المفتاح لا يعمل"},
	}) {
		for _, why := range []string{"price", "key"} {
			t.Run(lang+" "+why, func(t *testing.T) {
				t.Parallel()
				inTeam(t, func(h *apptest.Harness) {
					limit(h, "Per purchase", "1000")
					h.Order(apptest.Karim, "Play Card", "10 USD", "1")
					h.Tap(apptest.Karim, "🙋")
					h.See(apptest.Sam, "Karim asks to buy")
					chooseLanguage(h, apptest.Sam, lang)
					chooseLanguage(h, apptest.Karim, lang)
					reason := words.price
					if h.Service.SetPrice(101, "1300"); why == "key" {
						h.Service.ExpireKey(apptest.TestKey)
						reason = words.key
					}
					h.Pass(time.Minute)
					h.Tap(apptest.Sam, "✅")
					h.Pass(5 * time.Minute)
					rings, told, texts := 0, 0, ""
					for _, m := range h.Telegram.Messages(apptest.Karim) {
						if m.FromBot && !m.Silent && strings.Contains(plainly(m.Text), words.rung) {
							rings++
						}
					}
					for _, m := range h.Telegram.Messages(apptest.Sam) {
						text := plainly(m.Text)
						if m.FromBot && !m.Silent && strings.Contains(text, reason) {
							told, texts = told+1, texts+text
						}
					}
					if rings != 1 {
						t.Errorf("the seller was rung %d times:\n%s", rings, h.Transcript(apptest.Karim))
					}
					// The question shows it in its place, which makes no sound.
					if told < 1 || told > 2 || strings.Contains(texts, "Not delivered, or not all of it") {
						t.Errorf("the owner was told %d times:\n%s", told, h.Transcript(apptest.Sam))
					}
					h.Bought(0)
				})
			})
		}
	}
}
