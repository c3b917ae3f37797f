package locales

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"resellerbot/internal/sampletest"
)

// banned is a word that the texts of a language do not use, and what stands there instead.
type banned struct {
	word    string // a regular expression
	instead string
	except  []string // keys of texts that may say it all the same
}

// glossary is what each language calls things by one word alone, by the words that are not that one.
var glossary = map[string][]banned{
	"en": {
		{word: `(?i)\bservice\b`, instead: "supplier"},
		{word: `(?i)\bspend(ing|s)?\b`, instead: "buy, purchases"},
		{word: `(?i)\bclient\b`, instead: "account no., customer"},
		{word: `(?i)\b(wallet|alarm|movements?)\b`, instead: "balance, alert, balance change"},
		{word: `(?i)\bany more\b`, instead: "no longer"},
		{word: `(?i)\b(take|taken|took) (out|back|you out)\b|\bshut out\b`, instead: "remove, withdraw, cancel"},
		{word: `(?i)\bvoid\b|no longer good`, instead: "no longer valid, no longer works"},
		{word: `(?i)\bowners? (is|are) asked`, instead: "the owner is to decide"},
		{word: `(?i)\bmay not buy\b|\b(is|are) to have\b`, instead: "can, should get"},
		{word: `(?i)\b(by|made by) people\b`, instead: "by hand"},
		{word: `(?i)\bfrom a copy\b`, instead: "from a backup"},
		{word: `\bAttention\b`, instead: "Careful"},
		{word: `(?i)\bplease\b`, instead: "the act alone", except: []string{
			"status.unknown", "status.owner_asked", "status.doubted", "status.twice_owner", "status.rest_owner", "status.doubted_owner", "status.doubted_refused_owner", "status.doubted_said",
			"status.doubted_said_by", "status.doubted_said_owner", "status.doubted_said_owner_by", "note.claimed", // they ask a favour
		}},
		{word: `(?i)on (its|their|your) way`, instead: "under way"},
		{word: `(?i)\bI go on\b`, instead: "I keep"},
		{word: `(?i)\b(sold out|without asking)\b`, instead: "out of stock, without approval"},
	},
	"fr": {
		{word: ` [:;?!»]|« `, instead: "a no-break space"},
		{word: `\x{202f}[:»]|«\x{202f}|\x{a0}[;?!]`, instead: "U+00A0 before : and inside « », U+202F before ; ? !"},
		{word: `(?i)\bservice\b`, instead: "fournisseur"},
		{word: `(?i)\bcomptoir\b`, instead: "caisse"},
		{word: `(?i)\bchat\b`, instead: "discussion"},
		{word: `(?i)\btouche[rz]\b`, instead: "appuyer"},
		{word: `(?i)ci-dessus`, instead: "plus haut"},
		{word: `(?i)\bissue\b`, instead: "résultat"},
		{word: `(?i)\bdépenses\b`, instead: "achats"},
		{word: `(?i)\b(alarmes?|silence|portefeuille|crédit)\b`, instead: "alerte, heures calmes, solde, seuil"},
		{word: `(?i)\b(fixé|consultés?)\b|[êÊ]tes-vous sûr`, instead: "what fits whoever reads"},
		{word: `(?i)\b(veuillez|merci)\b`, instead: "the act alone"},
		{word: `(?i)\brechargée?\b`, instead: "recharge effectuée"},
		{word: `(?i)\b(une|la) copie\b`, instead: "une sauvegarde"},
		{word: `(?i)\brupture\b`, instead: "épuisé"},
	},
	"ar": {
		{word: `رمز|رموز`, instead: "كود، أكواد"},
		{word: `خدمة|خدمات`, instead: "المورّد"},
		{word: `متجر`, instead: "محل"},
		{word: `استقبال`, instead: "الصندوق"},
		{word: `عميل`, instead: "الزبون"},
		{word: `موزّع`, instead: "حسابك لدى المورّد"},
		{word: `من فضلك|يُرجى`, instead: "the act alone"},
		{word: `تسليمات`, instead: "التسليم"},
		{word: `إنفاق|ينفق`, instead: "الشراء"},
		{word: `استئذان`, instead: "الموافقة"},
		{word: `أحد المالكين|المالكون`, instead: "المالك"},
		{word: `لم يُشتر`, instead: "لم يتم الشراء، لم يُخصم شيء"},
		{word: `كحدّ? أقصى|على أبعد تقدير|ما إذا`, instead: "what is not translated word by word"},
		{word: `قلتَ|رأيتَ|اجعل|جعله`, instead: "a form that fits everybody"},
		{word: `تحقق|يتصفح|التصفح|يقرر|تقرر|محددة|المحدد\b|يتغير|تتغير`, instead: "the word with its shadda"},
		{word: `انقر|نقرة`, instead: "اضغط"},
		{word: `إنذار|محفظة|استخدام|من قِبل|إيصال |يناير|إغلاق|مخصّص`, instead: "تنبيه، رصيد، استعمال، من طرف، وصل، جانفي، غلق، محجوز", except: []string{"note.undeliverable"}},
		{word: `في الطريق|شحن الطلب|شحن لاعب`, instead: "قيد التنفيذ، شحن حساب اللاعب"},
		{word: `استرداد`, instead: "استرجاع المبلغ"},
		{word: `نفد`, instead: "غير متوفر"},
		{word: `فُ?كّ? (ربط|الربط)|فُكّ`, instead: "إلغاء الربط"},
		{word: `ا\x{64b}`, instead: "the tanwin on the letter before the alif"},
	},
}

// edge is where a word begins or ends: to Go, \b knows the letters of English alone.
const edge = `(?:^|[^\pL\x{64b}-\x{652}]|$)`

// TestGlossary: one thing has one word in a language, as everybody who writes texts has to know.
func TestGlossary(t *testing.T) {
	sampletest.MoreThanFew(t)
	said := map[string]bool{}
	patterns := map[string]*regexp.Regexp{}
	for _, words := range glossary {
		for _, b := range words {
			patterns[b.word] = regexp.MustCompile(strings.ReplaceAll(b.word, `\b`, edge))
		}
	}
	each(t, func(lang, key, form string) string {
		for _, b := range glossary[lang] {
			found := patterns[b.word].FindString(form)
			switch {
			case found == "":
			case slices.Contains(b.except, key):
				said[lang+b.word+key] = true
			default:
				return fmt.Sprintf("says %q, where it is %s", found, b.instead)
			}
		}
		return ""
	})
	for lang, words := range glossary {
		for _, b := range words {
			for _, key := range b.except {
				if !said[lang+b.word+key] {
					t.Errorf("%s: %s is excepted from %q for nothing", lang, key, b.word)
				}
			}
		}
	}
}

// bareAlif is a word that ends in an alif.
var bareAlif = regexp.MustCompile(`[\x{621}-\x{652}]+ا(?:[^\x{621}-\x{652}]|$)`)

// noTanwin are words that end in an alif which carries no tanwin, and those that end in such a pronoun.
var noTanwin = regexp.MustCompile(`^[وفبلك]{0,2}(?:هذا|لا|ما|هنا|إلا|إذا|أما|أنا|أنها|أنهما|ربما|كما|مما|بلا|عمّا|عندما|لماذا|عدا|فيما|إنها|أيها|أيهما|كليهما|لهذا|عمليتا|وحدتا|.*ها|.*هما|.*نا|.*وا|.*\x{64b}\x{651}?ا)$`)

// TestTanwin: it is written, on the letter before its alif.
func TestTanwin(t *testing.T) {
	each(t, func(lang, _, form string) string {
		if lang != "ar" {
			return ""
		}
		for _, word := range bareAlif.FindAllString(placeholder.ReplaceAllString(form, " "), -1) {
			if word = strings.TrimRight(word, " .,:؛،؟!\n<»"); !noTanwin.MatchString(strings.TrimFunc(word, func(r rune) bool { return r < 0x621 || r > 0x652 })) {
				return fmt.Sprintf("has a tanwin that is not written: %q", word)
			}
		}
		return ""
	})
}

// TestArrowsFollowTheReading: what points forward in a language that is read from the left points the other way
// in Arabic.
func TestArrowsFollowTheReading(t *testing.T) {
	mirrored := strings.NewReplacer("⬅", "➡", "➡", "⬅", "◀", "▶", "▶", "◀", "⏮", "⏭", "⏭", "⏮", "←", "→", "→", "←")
	arrows := regexp.MustCompile(`[⬅➡◀▶⏮⏭←→]`)
	english, french, arabic := read(t, "en"), read(t, "fr"), read(t, "ar")
	for key, x := range english {
		for name, form := range x.forms {
			want := strings.Join(arrows.FindAllString(form, -1), "")
			if got := strings.Join(arrows.FindAllString(french[key].forms[name], -1), ""); french[key].forms[name] != "" && got != want {
				t.Errorf("fr: %s points %q, want %q", key, got, want)
			}
			if got := strings.Join(arrows.FindAllString(arabic[key].forms[name], -1), ""); got != mirrored.Replace(want) {
				t.Errorf("ar: %s points %q, want %q", key, got, mirrored.Replace(want))
			}
		}
	}
}

// TestButtonsAreShort: two stand side by side on a phone.
func TestButtonsAreShort(t *testing.T) {
	const most = 26
	each(t, func(_, key, form string) string {
		if n := utf8.RuneCountInString(placeholder.ReplaceAllString(form, "0")); strings.HasPrefix(key, "button.") && n > most {
			return fmt.Sprintf("is %d characters long, more than %d", n, most)
		}
		return ""
	})
}
