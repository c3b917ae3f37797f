package api

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/api/orderid"
)

// Where a code will be, services write to people: that it comes within ten minutes, that a supplier does not answer. What is
// words and nothing else is shown as such, and the code is looked for further. What may be a code is one.

const (
	fewestWords = 3 // of a sentence
	shortestPIN = 4 // characters of a part of a text that may be a code: a PIN has as many
)

// Sentence reports whether a text is words that are written to people, and holds nothing that may be a code.
func Sentence(text string) bool { return isSentence(text, nil) }

// isSentence is Sentence for a text about an order, which may be called by its names there.
func isSentence(text string, names []string) bool {
	parts := strings.Fields(text)
	if len(parts) < fewestWords {
		return isNotice(parts)
	}
	// Before words are counted: groups of a code, and a login, may read as words.
	if evenLengths(parts) || isLogin(parts) {
		return false
	}
	shouted := strings.ToUpper(text) == text && strings.ToLower(text) != text
	words, known := 0, false
	for _, part := range parts {
		part = strings.TrimFunc(part, isMark)
		ours := slices.ContainsFunc(names, func(name string) bool { return orderid.Same(name, part) })
		switch {
		case ours:
		case mayBeCode(part, shouted):
			return false
		case isWord(part):
			words, known = words+1, known || slices.Contains(saidWhileWaiting(), letters(part))
		}
	}
	return 2*words > len(parts) && (known || !shouted)
}

// isNotice reports whether a word or two say why there is no code, as "Stock épuisé" and "See e-mail": one is known to, or is Arabic,
// in which no code is written, and none may be a code. What stands for a code by itself (placeholders) is none.
func isNotice(parts []string) bool {
	text := strings.Join(parts, "")
	known, shouted := false, strings.ToUpper(text) == text
	for _, part := range parts {
		part = strings.TrimFunc(part, isMark)
		if part == "" || isWhen(part) {
			continue
		}
		if !isWord(part) || mayBeCode(part, shouted) {
			return false
		}
		arabic := !strings.ContainsFunc(part, func(r rune) bool { return !unicode.In(r, unicode.Arabic, unicode.M) })
		known = known || arabic || slices.Contains(saidInstead(), letters(part))
	}
	return known && !slices.Contains(placeholders(), letters(text))
}

// isLogin reports whether a text names a password or a user before a colon, or is such names and what stands behind each: that
// is what was bought, whatever it is written in.
func isLogin(parts []string) bool {
	if isPairs(parts) {
		return true
	}
	for i, part := range parts {
		label, colon := strings.CutSuffix(part, ":")
		colon = colon || i+1 < len(parts)-1 && parts[i+1] == ":"
		if colon && i+1 < len(parts) && slices.Contains(logins(), letters(label)) {
			return true
		}
	}
	return false
}

// isPairs reports whether a text is a user and a password, each behind its name: "login amina password sesame".
func isPairs(parts []string) bool {
	for i, part := range parts {
		if named := slices.Contains(logins(), letters(part)); named != (i%2 == 0) {
			return false
		}
	}
	return len(parts) >= 4 && len(parts)%2 == 0
}

// logins are words for what somebody signs in with.
func logins() []string {
	return []string{"password", "passwd", "pass", "pin", "login", "user", "username", "mdp", "passe", "identifiant", "السر", "المرور", "المستخدم"}
}

// mayBeCode reports whether a part of a text may be a code, or lead to one. In a text that is all capitals, capitals tell
// nothing.
func mayBeCode(part string, shouted bool) bool {
	if utf8.RuneCountInString(part) < shortestPIN {
		return false
	}
	if strings.Contains(part, "://") || strings.IndexByte(part, '@') > 0 {
		return true
	}
	if strings.ContainsFunc(part, unicode.IsNumber) {
		return !isWhen(part)
	}
	capitals := strings.ToUpper(part) == part && strings.ToLower(part) != part
	return capitals && !shouted && !slices.Contains(placeholders(), letters(part))
}

// isWhen reports whether a part of a text is a date, a time or an amount: 14:30 and 14h30, 15min.
func isWhen(part string) bool {
	number := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(part), "min"), "h")
	groups := strings.FieldsFunc(number, func(r rune) bool { return strings.ContainsRune(":/.,-h", r) })
	long, timed := 0, len(number) < len(part)
	for _, digits := range groups {
		if len(digits) > 4 || strings.Trim(digits, "0123456789") != "" {
			return false
		}
		long += count(len(digits) > 2)
	}
	if len(groups) == 1 {
		return timed && long == 0
	}
	return (len(groups) == 2 && !strings.Contains(part, "-") || len(groups) == 3) && long <= 1
}

// isWord reports whether a part of a text is written as words are: in letters, of which the first may be a capital, or all.
func isWord(part string) bool {
	first, size := utf8.DecodeRuneInString(part)
	if !unicode.IsLetter(first) || size == len(part) {
		return false
	}
	rest := part[size:]
	if strings.ContainsFunc(rest, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M) && !strings.ContainsRune("'’-/", r) }) {
		return false
	}
	return strings.ToLower(rest) == rest || strings.ToUpper(part) == part
}

// evenLengths reports whether all parts are as long as the first: so are the groups of a code, and hardly ever words.
func evenLengths(parts []string) bool {
	n := utf8.RuneCountInString(parts[0])
	return n >= 3 && !slices.ContainsFunc(parts, func(part string) bool { return utf8.RuneCountInString(part) != n })
}

// isMark reports whether a character only stands around words.
func isMark(r rune) bool {
	return unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.Is(unicode.Cf, r)
}

// saidWhileWaiting are words by which a text in capitals is told from the groups of a code.
func saidWhileWaiting() []string {
	return []string{
		"wait", "waiting", "please", "code", "codes", "key", "your", "order", "delivery", "delivered", "pending", "processing", "minutes",
		"hours", "stock", "supplier", "failed", "error", "votre", "veuillez", "attendre", "patienter", "commande", "livraison", "minute", "heures",
	}
}

// saidInstead are words of which one alone tells that there is no code.
func saidInstead() []string {
	return []string{
		"soon", "later", "available", "unavailable", "sold", "contact", "support", "manual", "manually", "email", "mail", "inbox", "delayed", "stock", "wait", "waiting", "failed", "error",
		"bientôt", "prochainement", "disponible", "indisponible", "épuisé", "épuisée", "epuise", "rupture", "contactez", "contacter", "attente",
		"patientez", "manuelle", "manuellement", "courriel", "livraison", "échec", "erreur",
	}
}
