package api

import (
	"encoding/json"
	"testing"
)

// TestSentences: what is written to people in the place of a code is none, and what may be a code is no sentence.
func TestSentences(t *testing.T) {
	for _, text := range []string{
		"Your code arrives within 10 minutes", "Your code arrives within 10 minutes.", "Wait 10 minutes, please", "PLEASE WAIT 10 MINUTES",
		"Out of stock at supplier", "Supplier error 502, refunded", "Votre code arrive dans 10 minutes", "سيصل الرمز خلال 10 دقائق",
		"It will be sent by e-mail", "Your code comes at 12:30", "Delivery on 22/11/2026", "The code is PENDING at our supplier", "1,250.50 DZD are given back to you",
		"⏳ Delivery in progress, hold on…", "L'envoi est en cours", "Livraison prévue avant 14h30", "Please wait for 15min", "Expected in 24h00 at most", "Your login and password will be sent soon",
		"قريبا", "قريبًا…", "غير متوفر", "Contact support", "Stock épuisé", "Bientôt disponible", "Indisponible", "See e-mail", "Livraison 24h", "⏳ Contact support", "STOCK ÉPUISÉ",
	} {
		if !Sentence(text) {
			t.Errorf("%q may be a code", text)
		}
	}
	for _, text := range []string{
		"", "AAAA-BBBB-CCCC", "ABCD EFGH IJKL MNOP", "abcd efgh ijkl", "1234 5678 9012 3456", "AB12 CD34 EF56", "abc def 123", "a b c d e f g h",
		"Your code is ABCDEFGHJK", "Your PIN is 1234", "PIN: 1234", "Code: AAAA-1", "Please use AB-12-CD-34 in the store", "Redeem it at https://x.dz/abc now",
		"Sign in as amina@x.dz with it", "KQZR TWVX PLMN", "KQZRT WVX PLMNAB CDEF", "Your code is 1234-5678", "Use 123456 to sign in", "delivered", "Coming soon",
		"username: yacine password: soleil", "Identifiant yacine, mot de passe : soleil", "اسم المستخدم: ياسين كلمة المرور: شمس",
		"login amina password sesame", "Username yacine Mdp soleil", "xQdK pWzR mNtB", "Serial 12-34-56-78 goes with it",
		"soleil", "Amina", "Sesame ouvre", "xQdKpWzR", "ABCDEFGH", "STOCKX", "support@x.dz", "Support1", "Code: ABCDEFGH", "PIN 1234", "Contact 0550123456", "ABCD soon",
	} {
		if Sentence(text) {
			t.Errorf("%q is taken for words", text)
		}
	}
}

// TestSentencesOfOrders: a sentence may name its order; beside a code it belongs to that; and how an answer went is no code.
func TestSentencesOfOrders(t *testing.T) {
	const soon = "Your code arrives within 10 minutes"
	for order, want := range map[string]struct{ code, instead string }{
		`"key":"` + soon + `"`: {"", soon},
		`"key":"` + soon + `","has_key":true,"status":"completed"`: {"", soon},
		`"key":["` + soon + `"]`:                                   {"", soon},
		`"key":{"message":"` + soon + `"}`:                         {"", soon},
		`"key":"AAAA-1","voucher":"` + soon + `"`:                  {"key: AAAA-1\nvoucher: " + soon, ""},
		`"key":{"code":"AAAA-1","note":"` + soon + `"}`:            {"code: AAAA-1\nnote: " + soon, ""},
		`"key":{"code":"AAAA","pin":"BBBB"}`:                       {"code: AAAA\npin: BBBB", ""},
		`"key":"Order O-1234 is on its way"`:                       {"", "Order O-1234 is on its way"},
		`"key":"Order O-1235 is on its way"`:                       {"Order O-1235 is on its way", ""},
		`"key":"Your PUBG card is on its way","product":"PUBG 60"`: {"", "Your PUBG card is on its way"},
		`"key":"pending","code":"AAAA-1","has_key":false`:          {"", "key: pending\ncode: AAAA-1"},
		`"code":200`:                                    {"", "200"},
		`"code":200,"key":"AAAA-1"`:                     {"AAAA-1", ""},
		`"code":"417","has_key":true`:                   {"417", ""},
		`"code":4170`:                                   {"4170", ""},
		`"pin":417`:                                     {"417", ""},
		`"key":"AAAA-1","order":{"key":"none"}`:         {"AAAA-1", ""},
		`"key":"AAAA-1","order":{"key":"` + soon + `"}`: {"AAAA-1", ""},
	} {
		var w wireOrder
		if err := json.Unmarshal([]byte(`{"order_id":"O-1234",`+order+`}`), &w); err != nil {
			t.Fatal(err)
		}
		if o, _ := w.order(); o.Code.Reveal() != want.code || o.Instead.Reveal() != want.instead {
			t.Errorf("%s: the code is %q and in its place stands %q, want %q and %q", order, o.Code.Reveal(), o.Instead.Reveal(), want.code, want.instead)
		}
	}
}
