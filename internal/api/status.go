package api

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// Stage is what a status means. The set of statuses is open (reseller-api.md, States and transitions): those
// that the document shows, and those that say the same, are known.
type Stage uint8

// The stages of an order.
const (
	Unrecognized Stage = iota // a status that we do not know
	Underway                  // not at its end, or nothing was said
	Done                      // it succeeded, with or without a code
	Broken                    // it failed or was cancelled; the service refunds by itself
)

// Stage is what the order's status means.
func (o Order) Stage() Stage { return stageOf(o.Status) }

func stageOf(status string) Stage {
	s := strings.ToLower(strings.TrimSpace(status))
	switch {
	case slices.Contains(underway(), s):
		return Underway
	case slices.Contains([]string{"success", "successful", "completed", "complete", "delivered", "done", "fulfilled"}, s):
		return Done
	case isBroken(s):
		return Broken
	}
	return Unrecognized
}

// isBroken reports whether a status says that the order has failed or was cancelled, in any form of these words and with
// whatever stands behind: a failure that is taken for a word which nobody knows is waited for, and its refund with it.
func isBroken(status string) bool {
	// Underscores, dashes and numbers part words: "payment_refunded", "error 5".
	words := strings.FieldsFunc(status, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	for len(words) > 1 && slices.Contains(ofWhat(), words[0]) {
		words = words[1:]
	}
	// What has failed once and is tried again has not come to its end.
	again := func(word string) bool {
		return slices.Contains([]string{"retry", "retrying", "retried", "queue", "requeued", "again", "trying"}, word)
	}
	if slices.ContainsFunc(words, again) {
		return false
	}
	if slices.Contains([]string{
		"error", "cancel", "refund", "return", "abort", "expired", "notdelivered", "notsuccessful", "partiallyrefunded", "partialrefund", "ko", "nok",
		"تمالإلغاء", "تمالالغاء", "تمالرفض", "تمالاسترجاع", "تمالاسترداد", "تمردالمبلغ", "لمينجح",
	}, letters(strings.Join(words, ""))) {
		return true
	}
	disagree := strings.Contains(status, " / ") // saysMore
	if len(words) > 1 && words[0] == "error" {  // an error alone may be one of the moment
		words = words[1:]
	}
	return len(words) > 0 && !disagree && slices.Contains([]string{
		"fail", "failed", "failure", "canceled", "cancelled", "refunded",
		"rejected", "refused", "declined", "denied", "void", "voided", "reversed", "returned", "aborted", "terminated",
		"unsuccessful", "undelivered", "échec", "échoué", "échouée", "annulé", "annulée", "refusé", "refusée", "rejeté", "rejetée", "remboursé", "remboursée",
		"فشل", "فشلت", "فاشل", "فاشلة", "ملغى", "ملغي", "ملغية", "ملغاة", "مرفوض", "مرفوضة", "مسترجع", "مسترجعة", "مسترد", "مستردة",
	}, words[0])
}

// ofWhat are words before a status that say what it is of: "order failed", "payment_refunded".
func ofWhat() []string {
	return []string{
		"order", "delivery", "payment", "transaction", "purchase", "supplier", "provider", "topup", "recharge", "status", "is", "was", "been", "has",
		"commande", "livraison", "paiement", "achat", "fournisseur", "statut", "est", "الطلب", "التسليم", "الدفع", "الشراء", "المورد", "المورّد", "الشحن",
	}
}

func underway() []string {
	return []string{"", "pending", "processing", "queued", "in_progress", "in progress", "waiting", "created", "new"}
}

// Claim is what an answer says of whether an order has its code (has_key).
type Claim uint8

// The claims.
const (
	NoClaim Claim = iota // it does not say
	HasCode
	HasNone
)

// UnmarshalJSON implements json.Unmarshaler. What is neither yes nor no claims nothing: it must not withhold a
// code.
func (c *Claim) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) != nil {
		s = string(text)
	}
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "1", "yes":
		*c = HasCode
	case "false", "0", "no":
		*c = HasNone
	default:
		*c = NoClaim
	}
	return nil
}

// isCode reports whether a text is a code rather than something that stands in the place of one. A code that is
// withheld keeps somebody from what they have paid for, and a placeholder that is delivered ends the search for
// the code, so both are decided by the whole text: a code that merely holds such a word is a code, but for one of which a
// part is hidden. Whether it is a sentence, which needs the names of the order, is looked at beside this (isSentence).
func isCode(text, status string, says Claim) bool {
	word := letters(text)
	switch {
	case says == HasNone, isMasked(text), strings.TrimSpace(text) == "0": // as a number that stands for nothing
		return false
	case slices.Contains(nothings(), word) && !strings.ContainsFunc(text, unicode.IsNumber):
		return false // what programs write for nothing, whatever else is said
	case word == "" && !strings.ContainsFunc(text, unicode.IsNumber):
		return false // "-", "…", "***"
	case word != "" && word == letters(status) && !strings.ContainsFunc(text, unicode.IsNumber):
		return false // the status once more, which is no code whatever else is said
	// Two fields of the service say so: the text is a code, however odd it looks.
	case says == HasCode && stageOf(status) == Done:
		return true
	}
	return strings.ContainsFunc(text, unicode.IsNumber) || !slices.Contains(placeholders(), word)
}

// nothings are what programs write where there is nothing, in letters alone. No service sells one of them as a code.
func nothings() []string { return []string{"na", "null", "nil", "none", "undefined", "nan"} }

// placeholders are words that services write where a code will be, in letters alone. A code is none of them.
func placeholders() []string {
	words := append(nothings(),
		"false", "empty", "tba", "soon", "comingsoon", "notavailable", "notready", "notyet",
		"orderprocessing", "processingorder", "delivering", "preparing", "sending", "generating", "hidden",
		"checkemail", "checkyouremail", "senttoemail", "sentbyemail",
		"nokey", "nocode", "awaiting", "awaitingdelivery", "awaitingcode", "awaitingkey", "pleasewait", "inprocess", "beingprocessed",
		"pendingdelivery", "enattente", "encours", "encoursdetraitement", "قيدالانتظار", "قيدالمعالجة", "قيدالتنفيذ",
	)
	for _, status := range underway() {
		words = append(words, letters(status))
	}
	return words
}

// saysMore is what two answers about one order say together: a code counts wherever it shows, and an end more
// than none. Where one says that it succeeded and the other that it failed, neither is believed: both statuses
// stand there, which is one that nobody knows.
func saysMore(a, b Order) Order {
	switch {
	case !a.Code.IsZero():
		return a
	case !b.Code.IsZero():
		return b
	case a.ended() && b.ended() && a.Stage() != b.Stage():
		a.Status += " / " + b.Status
	case b.ended() && !a.ended():
		a, b = b, a
	}
	if a.Notes.IsZero() {
		a.Notes = b.Notes
	}
	if a.Instead.IsZero() {
		a.Instead = b.Instead
	}
	if a.Facts.IsZero() {
		a.Facts = b.Facts
	}
	return a
}

// WithCodeOf is the order with the code that a list shows of it, and the serial number beside that, where the answer itself
// shows none.
func (o Order) WithCodeOf(listed Order) Order {
	if o.Code.IsZero() && !listed.Code.IsZero() {
		o.Code, o.Serial = listed.Code, listed.Serial
	}
	return o
}

// Clear reports whether an answer tells how an order stands, so that no other endpoint has to be asked: it has its code,
// has failed or is under way. What is done, or is said to have its code, has to come with what was bought; that is the
// word alone for a top-up, and for what people deliver with words.
func (o Order) Clear(topup bool) bool {
	switch stage := o.Stage(); {
	case !o.Code.IsZero():
		return true
	case o.Status == "" || stage == Unrecognized || o.Claim == HasCode:
		return false
	case stage == Done:
		return topup || !o.Notes.IsZero()
	}
	return true
}

// ended reports whether the status is one of an end.
func (o Order) ended() bool { return o.Stage() == Done || o.Stage() == Broken }
