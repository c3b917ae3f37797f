package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/secret"
)

// codeFields is what may be the code of an order, or a part of it. What those call it that are not shown, as of a subscription, is
// not known: these are the field's usual names.
type codeFields struct {
	Key           pieces `json:"key"`
	Code          pieces `json:"code"`
	Pin           pieces `json:"pin"`
	PinCode       pieces `json:"pin_code"`
	Coupon        pieces `json:"voucher"`
	CouponCode    pieces `json:"voucher_code"`
	Activation    pieces `json:"activation_code"`
	ActivationKey pieces `json:"activation_key"`
	Redeem        pieces `json:"redeem_code"`
	License       pieces `json:"license_key"`
	Subscription  pieces `json:"subscription_code"`
	Credentials   pieces `json:"credentials"`
	Keys          pieces `json:"keys"`
	Codes         pieces `json:"codes"`

	// Who signs in: beside a password alone, for else it may be whoever has bought.
	Login    pieces `json:"login"`
	Username pieces `json:"username"`
	Email    pieces `json:"email"`
	Password pieces `json:"password"`
}

// codes lists what stands in the fields that a code may have.
func (w codeFields) codes() []member {
	all := []member{
		{w.Key, "key"}, {w.Code, "code"}, {w.Pin, "pin"}, {w.PinCode, "pin_code"}, {w.Coupon, "voucher"}, {w.CouponCode, "voucher_code"},
		{w.Activation, "activation_code"}, {w.ActivationKey, "activation_key"}, {w.Redeem, "redeem_code"},
		{w.License, "license_key"}, {w.Subscription, "subscription_code"}, {w.Credentials, "credentials"}, {w.Keys, "keys"}, {w.Codes, "codes"},
	}
	if w.Password.text != "" {
		// In the order in which people type them. code shows each under its name.
		all = append(all, member{w.Login, "login"}, member{w.Username, "username"}, member{w.Email, "email"}, member{w.Password, "password"})
	}
	return slices.DeleteFunc(all, func(m member) bool { return m.text == "" })
}

// code is the code, and what is kept for people beside it: what stands in its place where there is none, and what may be a
// code in fields that are not. What is a code in all its pieces counts, whatever stands in the other fields. Where all
// that counts is sentences, there is none: beside a code, they belong to it.
func (w orderFields) code() (whole, beside secret.Text) {
	all := w.candidates()
	signsIn := slices.ContainsFunc(all, func(m member) bool { return m.name == "password" && w.isCodeField(m) })
	var found, left []member
	words := true
	sentence := func(part string) bool { return isSentence(part, w.said()) }
	code := func(part string) bool { return isCode(part, string(w.status()), NoClaim) && !sentence(part) }
	for _, m := range all {
		switch {
		case slices.ContainsFunc(found, func(f member) bool { return f.text == m.text }):
		// Who signs in is told by what they sign in with alone: beside a password that is masked, it may be whoever has bought.
		case w.isCodeField(m) && (signsIn || !namesWhoSignsIn(m.name)):
			found = append(found, m)
			words = words && !slices.ContainsFunc(m.parts, func(part string) bool { return !sentence(part) })
		case slices.ContainsFunc(m.parts, code) && (m.name != "code" || !isNumberOfAnswer(m.text)):
			left = append(left, m)
		}
	}
	// All that counted as codes are sentences: they are shown as words, and what else was there with them.
	if words {
		found, left = nil, all
	}
	if slices.ContainsFunc(w.aside.parts, code) {
		left = append(left, member{w.aside, "code"})
	}
	// One alone needs no name: it would only be read as a part of it.
	if len(left) == 1 {
		left[0].name = ""
	}
	return secret.New(bare(join(found).text)), secret.New(join(left).text)
}

// candidates lists what stands in the fields that a code may have, but for the order's own number, which is none.
func (w orderFields) candidates() []member {
	return slices.DeleteFunc(w.codes(), func(m member) bool { return slices.Contains(w.names(), m.text) })
}

// namesWhoSignsIn reports whether a field names who signs in.
func namesWhoSignsIn(field string) bool {
	return slices.Contains([]string{"login", "username", "email"}, field)
}

// bare is a code without what nobody sees around it, which is no part of it: blanks, and marks as of byte order and of direction.
func bare(code string) string {
	return strings.TrimFunc(code, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
}

// longestSerial is how long, in characters, a serial number is that is delivered with a code.
const longestSerial = 200

// serial is the serial number of what was bought. It is none of the code, and says nothing where there is no code: it may be
// there long before.
func (w orderFields) serial(code secret.Text) secret.Text {
	for _, m := range []member{{w.Serial, "serial"}, {w.Number, "serial"}} {
		text := bare(m.text)
		if text == "" || code.IsZero() || m.holes || utf8.RuneCountInString(text) > longestSerial || slices.ContainsFunc(w.codes(), func(c member) bool { return bare(c.text) == text }) {
			continue
		}
		if !slices.ContainsFunc(m.parts, func(part string) bool {
			return !isCode(part, string(w.status()), NoClaim) || isSentence(part, w.said())
		}) {
			return secret.New(text)
		}
	}
	return secret.Text{}
}

// isCodeField reports whether a field is a code in all its pieces.
func (w orderFields) isCodeField(m member) bool {
	says := w.HasKey
	if len(m.parts) > 1 && says == HasCode { // which does not say that it has all of it
		says = NoClaim
	}
	if m.name == "code" && says == NoClaim && isNumberOfAnswer(m.text) {
		return false
	}
	return !m.holes && !slices.ContainsFunc(m.parts, func(part string) bool { return !isCode(part, string(w.status()), says) })
}

// isNumberOfAnswer reports whether what is called a code may be how the answer went, as 200 and 0 are.
func isNumberOfAnswer(text string) bool {
	return len(text) <= len("200") && strings.Trim(text, "0123456789") == ""
}

// mostUnknown is how many fields that nobody knows are kept of an order, and longestUnknown how many characters of one.
const (
	mostUnknown    = 12
	longestUnknown = 500
)

// unknownFields is what an order says in fields that are none of those known, a line each, empty where there are none.
func unknownFields(text []byte) secret.Text {
	known := []string{
		"order", "currency", "quantity", "count", "type", "message", "success", "updated_at", "completed_at", "delivered_at", "date", "time",
		"user_id", "product_id", "variant_id", "category_id", "image", "description", "total", "balance",
	}
	for _, of := range []reflect.Type{reflect.TypeFor[orderFields](), reflect.TypeFor[codeFields]()} {
		for field := range of.Fields() {
			known = append(known, field.Tag.Get("json"))
		}
	}
	var object struct {
		Order json.RawMessage `json:"order"`
	}
	var lines []string
	_ = json.Unmarshal(text, &object) // it has been read before
	for _, text := range []json.RawMessage{text, object.Order} {
		var fields map[string]pieces
		if json.Unmarshal(text, &fields) != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			value := fields[name].text
			if value != "" && !slices.Contains(known, name) && utf8.RuneCountInString(value) <= longestUnknown && len(name) <= longestFact {
				lines = append(lines, underName(name, value))
			}
		}
	}
	return secret.New(strings.Join(lines[:min(len(lines), mostUnknown)], "\n"))
}
