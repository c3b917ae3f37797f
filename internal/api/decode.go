package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
)

var errShape = errors.New("the answer is not of the expected form")

// number reads an integer that may come as a number, a number with a fraction of zero, or a text.
type number int64

// UnmarshalJSON implements json.Unmarshaler. null leaves zero.
func (n *number) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `" `)
	if s == "null" || s == "" {
		*n = 0
		return nil
	}
	i, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(s, 64)
		if ferr != nil || math.Abs(f) >= 1<<63 || f != math.Trunc(f) {
			return errShape
		}
		i = int64(f)
	}
	*n = number(i)
	return nil
}

// figure reads an integer that only describes: what is none is zero, and takes nothing else along.
type figure int64

// UnmarshalJSON implements json.Unmarshaler.
func (f *figure) UnmarshalJSON(text []byte) error {
	var n number
	if n.UnmarshalJSON(text) != nil {
		n = 0
	}
	*f = figure(n)
	return nil
}

// quantity reads a number of units that may be absent: what is no number is absent and not zero.
type quantity struct {
	n     number
	known bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (q *quantity) UnmarshalJSON(text []byte) error {
	var n number
	absent := slices.Contains([]string{"", "null"}, strings.Trim(string(text), `" `))
	if q.known = !absent && n.UnmarshalJSON(text) == nil; q.known {
		q.n = n
	}
	return nil
}

// label reads a text that may come as a text or a number. Anything else is empty: it cannot be shown.
type label string

// UnmarshalJSON implements json.Unmarshaler.
func (l *label) UnmarshalJSON(text []byte) error {
	var s string
	switch {
	case json.Unmarshal(text, &s) == nil:
		*l = label(s)
	case len(text) > 0 && (text[0] == '-' || text[0] >= '0' && text[0] <= '9'):
		*l = label(whole(string(text)))
	default:
		*l = ""
	}
	return nil
}

// longestNumber is how many digits of a number are written out.
const longestNumber = 40

// whole writes a number without a fraction and an exponent, where it is a whole one: it names the same thing.
func whole(text string) string {
	if !strings.ContainsAny(text, ".eE") {
		return text
	}
	digits, sign := strings.CutPrefix(text, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(digits), "e")
	before, after, _ := strings.Cut(mantissa, ".")
	exponent, err := strconv.Atoi(cmp.Or(power, "0"))
	after = strings.TrimRight(after, "0")
	digits = strings.TrimLeft(before+after, "0")
	zeros := exponent - len(after)
	for ; zeros < 0 && strings.HasSuffix(digits, "0"); zeros++ {
		digits = digits[:len(digits)-1]
	}
	switch {
	case err != nil:
		return text
	case digits == "":
		return "0"
	case zeros < 0 || len(digits)+zeros > longestNumber:
		return text
	}
	return map[bool]string{true: "-", false: ""}[sign] + digits + strings.Repeat("0", zeros)
}

// playerID reads the id of a player, and remembers whether it came as a number.
type playerID struct {
	label

	number bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *playerID) UnmarshalJSON(text []byte) error {
	p.number = len(text) > 0 && text[0] != '"'
	return p.label.UnmarshalJSON(text)
}

// flag reads a yes or no that may come as a boolean, a number or a text.
type flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(text []byte) error {
	switch strings.ToLower(strings.Trim(string(text), `" `)) {
	case "true", "1", "yes":
		*f = true
	default:
		*f = false
	}
	return nil
}

// price reads money that may be absent: null, and what is no number, is absent and not zero.
type price struct {
	amount dzd.Amount
	known  bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *price) UnmarshalJSON(text []byte) error {
	p.known = p.amount.UnmarshalJSON(text) == nil
	return nil
}

// or is the price, or another one where it is absent.
func (p price) or(other price) price {
	if p.known {
		return p
	}
	return other
}

// moment reads a time in either form that the service uses, in others that ISO 8601 allows, and in seconds or
// milliseconds since 1970, as the form of purchase_timestamp is not shown. What is none of them is no time. One that names no
// zone reads as if it were UTC.
type moment struct {
	time.Time

	zoneless bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *moment) UnmarshalJSON(text []byte) error {
	*m = moment{}
	s := strings.Trim(string(text), `" `)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		switch len(s) {
		case len("1767225600"):
			m.Time = time.Unix(n, 0).UTC()
		case len("1767225600000"):
			m.Time = time.UnixMilli(n).UTC()
		}
		return nil
	}
	named := strings.HasSuffix(s, " UTC")
	s = strings.Replace(strings.TrimSuffix(s, " UTC"), " ", "T", 1)
	for _, form := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05 Z07:00", "2006-01-02T15:04:05 Z0700",
		"2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	} {
		if t, err := time.Parse(form, s); err == nil {
			*m = moment{t.UTC(), !named && !strings.Contains(form, "Z07")}
			return nil
		}
	}
	return nil
}

// in is a time that names no zone as one of a zone, where that is known. A date alone stays as it is: it is a day in any.
func (m moment) in(zone *time.Location) moment {
	if y, month, d := m.Date(); m.zoneless && zone != nil && !m.Equal(m.Truncate(24*time.Hour)) {
		return moment{time.Date(y, month, d, m.Hour(), m.Minute(), m.Second(), m.Nanosecond(), zone).UTC(), false}
	}
	return m
}

// onlyOne is the value that a list holds, where it holds one: so some services write what they look up.
func onlyOne(text []byte) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil && len(list) == 1 {
		return list[0]
	}
	return text
}

// word reads a text that may come as one, as a number, or as an object that names it.
type word label

// UnmarshalJSON implements json.Unmarshaler.
func (w *word) UnmarshalJSON(text []byte) error {
	text = onlyOne(text)
	var l label
	_ = l.UnmarshalJSON(text) // it puts up with everything
	var named struct {
		Status label `json:"status"`
		Slug   label `json:"slug"`
		Name   label `json:"name"`
		Value  label `json:"value"`
		Label  label `json:"label"`
	}
	if l == "" && json.Unmarshal(text, &named) == nil {
		l = cmp.Or(named.Status, named.Slug, named.Name, named.Value, named.Label)
	}
	*w = word(l)
	return nil
}

// maybe reads an object that may be missing, or stand alone in a list: null, and what is no object, as an empty list is
// none, is nothing.
type maybe[T any] struct{ value *T }

// UnmarshalJSON implements json.Unmarshaler.
func (m *maybe[T]) UnmarshalJSON(text []byte) error {
	m.value = nil
	var v T
	text = bytes.TrimSpace(onlyOne(text))
	if len(text) > 0 && text[0] == '{' && json.Unmarshal(text, &v) == nil {
		m.value = &v
	}
	return nil
}

// rawEntries are those of a list, which may come as an object of objects: so some services write a list with gaps.
func rawEntries(data json.RawMessage) ([]json.RawMessage, error) {
	var raw []json.RawMessage
	if json.Unmarshal(data, &raw) == nil {
		return raw, nil
	}
	var byIndex map[string]json.RawMessage
	if json.Unmarshal(data, &byIndex) != nil {
		return nil, errShape
	}
	for _, index := range slices.SortedFunc(maps.Keys(byIndex), compareIndex) {
		if entry := bytes.TrimSpace(byIndex[index]); len(entry) == 0 || entry[0] != '{' {
			return nil, errShape
		}
		raw = append(raw, byIndex[index])
	}
	if len(raw) == 0 {
		return nil, errShape
	}
	return raw, nil
}

// items reads a list entry by entry: entries that do not decode are left out and counted. An object that has any such
// is no list: it must not pass for an empty one.
func items[W, T any](data json.RawMessage, turn func(W) (T, bool)) (out []T, odd int, err error) {
	raw, err := rawEntries(data)
	if err != nil {
		return nil, 0, err
	}
	out = make([]T, 0, len(raw))
	for _, text := range raw {
		var w W
		if json.Unmarshal(text, &w) == nil {
			if v, ok := turn(w); ok {
				out = append(out, v)
				continue
			}
		}
		odd++
	}
	if odd > 0 && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, 0, errShape
	}
	return out, odd, nil
}

// wireProduct is a Product as either generation writes it.
type wireProduct struct {
	ID            number          `json:"id"`
	Name          label           `json:"name"`
	Description   label           `json:"description"`
	CategoryID    figure          `json:"category_id"`
	Kind          label           `json:"kind"`
	Type          label           `json:"type"`
	RequiresInput *flag           `json:"requires_input"`
	InputFields   json.RawMessage `json:"input_fields"`
	Variants      variantList     `json:"variants"`
}

// variantList reads variants entry by entry, as items does: an odd one does not take its product along.
type variantList []wireVariant

// UnmarshalJSON implements json.Unmarshaler.
func (l *variantList) UnmarshalJSON(text []byte) error {
	list, _, err := items(text, func(w wireVariant) (wireVariant, bool) { return w, true })
	if err != nil {
		list = nil
	}
	*l = list
	return nil
}

// product turns the wire form.
func (n Names) product(w wireProduct) (Product, bool) {
	p := Product{
		ID: int64(w.ID), Name: string(w.Name), Description: string(w.Description), CategoryID: int64(w.CategoryID),
		Family: n.familyOf(int64(w.ID), string(w.Kind), string(w.Name)), Kind: string(w.Kind), Listed: n.TopupProducts.Has(int64(w.ID), string(w.Name)),
		Manual:        strings.EqualFold(string(w.Type), "manual"),
		RequiresInput: w.RequiresInput != nil && bool(*w.RequiresInput), Inputs: decodeInputs(w.InputFields),
	}
	if p.RequiresInput && len(p.Inputs) == 0 {
		p.Inputs = []Input{{Index: "0", Required: true}} // it wants something and does not say what
	}
	for _, v := range w.Variants {
		if v, ok := v.variant(); ok {
			p.Variants = append(p.Variants, v)
		}
	}
	return p, p.ID != 0 && p.Name != ""
}

// shape is the generation that a product's fields belong to; Unsettled where they belong to both.
func (w wireProduct) shape() Generation {
	for _, v := range w.Variants {
		switch {
		case v.Price.known, v.Delivery != "", v.Available != nil, v.Stock.value != nil:
			return Current
		case v.BuyPrice.known, v.SellPrice.known, v.IsAvailable != nil:
			return Legacy
		}
	}
	switch {
	case w.RequiresInput != nil, w.InputFields != nil:
		return Current
	case strings.EqualFold(string(w.Type), "manual"), strings.EqualFold(string(w.Type), "automatic"):
		return Legacy
	}
	return Unsettled
}

// wireVariant is a Variant as either generation writes it.
type wireVariant struct {
	ID          number           `json:"id"`
	Name        label            `json:"name"`
	Price       price            `json:"price"`
	BuyPrice    price            `json:"reseller_buy_price"`
	SellPrice   price            `json:"sell_price"`
	Delivery    label            `json:"delivery"`
	InStock     figure           `json:"in_stock"`
	Available   *flag            `json:"available"`
	IsAvailable *flag            `json:"is_available"`
	Stock       maybe[wireStock] `json:"client_stock"`
}

// variant turns the wire form. One without a price cannot be sold; one without an id or a name is none.
func (w wireVariant) variant() (Variant, bool) {
	paid := w.Price.or(w.BuyPrice)
	v := Variant{
		ID: int64(w.ID), Name: string(w.Name), Price: paid.amount, Delivery: string(w.Delivery), InStock: int(w.InStock),
		Available: (w.Available == nil || bool(*w.Available)) && (w.IsAvailable == nil || bool(*w.IsAvailable)),
	}
	if w.Stock.value != nil {
		s := w.Stock.value.clientStock()
		v.Stock = &s
	}
	v.Unpriced = v.Available && !paid.known
	v.Available = v.Available && paid.known && v.Price.Sign() >= 0
	v.there = w.IsAvailable != nil && bool(*w.IsAvailable)
	return v, v.ID != 0 || v.Name != ""
}

// sellable is a variant that can be named in a purchase.
func (w wireVariant) sellable() (Variant, bool) {
	v, ok := w.variant()
	return v, ok && v.ID != 0
}

// wireStock is a ClientStock or a Stock entry as the service writes it.
type wireStock struct {
	VariantID   number   `json:"variant_id"`
	Allocated   quantity `json:"allocated"`
	Used        quantity `json:"used"`
	Remaining   quantity `json:"remaining"`
	Status      label    `json:"status"`
	ExpiresAt   moment   `json:"expires_at"`
	ProductID   number   `json:"product_id"`
	ProductName label    `json:"product_name"`
	VariantName label    `json:"variant_name"`
}

// clientStock turns the wire form. Of the three numbers, one that did not come follows from the others.
func (w wireStock) clientStock() ClientStock {
	allocated, used, remaining := w.Allocated, w.Used, w.Remaining
	switch {
	case !allocated.known && used.known && remaining.known:
		allocated = quantity{used.n + remaining.n, true}
	case allocated.known && !used.known && remaining.known:
		used = quantity{allocated.n - remaining.n, true}
	case allocated.known && used.known && !remaining.known:
		remaining = quantity{allocated.n - used.n, true}
	}
	return ClientStock{
		VariantID: int64(w.VariantID), Allocated: int(allocated.n), Used: int(used.n), Remaining: int(remaining.n),
		Status: string(w.Status), ExpiresAt: w.ExpiresAt.Time, Zoneless: w.ExpiresAt.zoneless, Lacks: !allocated.known || !used.known || !remaining.known,
	}
}

func (w wireStock) entry() (StockEntry, bool) {
	return StockEntry{
		ClientStock: w.clientStock(), ProductID: int64(w.ProductID),
		ProductName: string(w.ProductName), VariantName: string(w.VariantName),
	}, w.VariantID != 0
}

// wireOrder is an order as any endpoint writes it: those of both generations, of top-ups, of histories, and
// the status objects whose fields are not shown, under the names that they may have.
type wireOrder struct {
	orderFields

	Order maybe[orderFields] `json:"order"` // where the object is wrapped once more
}

// orderFields is what an order is made of.
type orderFields struct {
	OrderID     label `json:"order_id"`
	ID          label `json:"id"`
	Transaction label `json:"transaction_id"`
	TrxID       label `json:"trx_id"`

	ProductName label `json:"product_name"`
	Product     label `json:"product"`
	VariantName label `json:"variant_name"`
	PlanName    label `json:"plan_name"`
	Variant     label `json:"variant"`

	Status      word `json:"status"`
	State       word `json:"state"`
	OrderStatus word `json:"order_status"`

	Key    pieces `json:"key"`
	Code   pieces `json:"code"`
	Pin    pieces `json:"pin"`
	Coupon pieces `json:"voucher"`
	Serial pieces `json:"serial"`
	Number pieces `json:"serial_number"`
	HasKey Claim  `json:"has_key"`
	Notes  pieces `json:"notes"`

	aside pieces // what stands around the order, or in it, where the other has its code

	PlayerID   playerID `json:"player_id"`
	PlayerName label    `json:"player_name"`

	Price     price  `json:"price"`
	Amount    price  `json:"amount"`
	CreatedAt moment `json:"created_at"`
	Bought    moment `json:"purchase_timestamp"`
}

// order turns the wire form. One without any id that can be kept is none.
func (w wireOrder) order() (Order, bool) {
	inner := w.Order.value
	switch {
	case inner == nil:
		return w.orderFields.order()
	case w.OrderID == "" && w.ID == "":
		return inner.with(w.orderFields).order()
	case len(inner.names()) > 0 && !slices.ContainsFunc(inner.names(), func(id string) bool { return slices.Contains(w.orderFields.names(), id) }):
		return w.orderFields.order() // what it wraps is another order
	}
	both := inner.with(w.orderFields)
	both.OrderID, both.ID = w.OrderID, w.ID
	return both.order()
}

// with is an order with what stands around it, for what it does not say itself.
func (w orderFields) with(outer orderFields) orderFields {
	both := w
	both.Status, both.State, both.OrderStatus = word(agreed(w.statuses(), outer.statuses())), "", ""
	both.Transaction, both.TrxID = cmp.Or(w.Transaction, outer.Transaction), cmp.Or(w.TrxID, outer.TrxID)
	both.ProductName, both.Product = cmp.Or(w.ProductName, outer.ProductName), cmp.Or(w.Product, outer.Product)
	both.VariantName, both.PlanName, both.Variant = cmp.Or(w.VariantName, outer.VariantName), cmp.Or(w.PlanName, outer.PlanName), cmp.Or(w.Variant, outer.Variant)
	both.PlayerID, both.PlayerName = cmp.Or(w.PlayerID, outer.PlayerID), cmp.Or(w.PlayerName, outer.PlayerName)
	both.HasKey = cmp.Or(w.HasKey, outer.HasKey)
	if w.Notes.text == "" {
		both.Notes = outer.Notes
	}
	both.Price, both.Amount = w.Price.or(outer.Price), w.Amount.or(outer.Amount)
	if both.CreatedAt.IsZero() && both.Bought.IsZero() {
		both.CreatedAt, both.Bought = outer.CreatedAt, outer.Bought
	}
	if w.Serial.text == "" && w.Number.text == "" {
		both.Serial, both.Number = outer.Serial, outer.Number
	}
	inner, _ := both.code()
	outside, _ := outer.code()
	both.aside = join(outer.codes())
	if len(w.codes()) == 0 || inner.IsZero() && !outside.IsZero() {
		both.Key, both.Code, both.Pin, both.Coupon = outer.Key, outer.Code, outer.Pin, outer.Coupon
		both.aside = join(w.codes())
	}
	return both
}

// listed turns an entry of a list. One that has its transaction alone is called by that, as the purchase of it was.
func (w wireOrder) listed() (Order, bool) {
	o, ok := w.order()
	o.ID = cmp.Or(o.ID, o.Transaction)
	return o, ok
}

// names lists everything that an answer calls its order, whether or not it can be kept.
func (w wireOrder) names() []string {
	all := w.orderFields.names()
	if w.Order.value != nil {
		all = append(all, w.Order.value.names()...)
	}
	return all
}

// statuses lists the status under its names, as far as it is there.
func (w orderFields) statuses() []label {
	return slices.DeleteFunc([]label{label(w.Status), label(w.State), label(w.OrderStatus)}, func(s label) bool { return s == "" })
}

// status is the status that an order's fields agree on.
func (w orderFields) status() label { return agreed(w.statuses(), nil) }

// agreed is the status that all those of an answer say, as the first of them does. Words that are not known say
// nothing beside one that is, and neither does the envelope's own word around an order with a status. Where two of
// them contradict, neither is believed: both stand there, which is one that nobody knows.
func agreed(inner, outer []label) label {
	if len(inner) > 0 {
		outer = slices.DeleteFunc(outer, func(s label) bool { return s == "success" || s == "error" })
	}
	all := slices.Concat(inner, outer)
	known := slices.DeleteFunc(slices.Clone(all), func(s label) bool { return stageOf(string(s)) == Strange })
	switch {
	case len(all) == 0:
		return ""
	case len(known) == 0:
		return all[0]
	}
	first := known[0]
	for _, s := range known[1:] {
		if stageOf(string(s)) != stageOf(string(first)) {
			return first + " / " + s
		}
	}
	return first
}

// longestID is how long, in bytes, what names an order may be. It becomes part of a key on disk and of a path.
const longestID = 200

// usable reports whether a name of an order can be kept and asked for.
func usable(id label) bool {
	return id != "" && len(id) <= longestID && !strings.ContainsFunc(string(id), func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) })
}

// firstUsable is the first name that can be kept, "" where none can.
func firstUsable(ids ...label) string {
	for _, id := range ids {
		if usable(id) {
			return string(id)
		}
	}
	return ""
}

// names lists what the order is called.
func (w orderFields) names() (all []string) {
	for _, id := range [...]label{w.OrderID, w.ID, w.Transaction, w.TrxID} {
		if id != "" {
			all = append(all, string(id))
		}
	}
	return all
}

// codes lists what stands in the fields that a code may have.
func (w orderFields) codes() []member {
	all := []member{{w.Key, "key"}, {w.Code, "code"}, {w.Pin, "pin"}, {w.Coupon, "voucher"}}
	return slices.DeleteFunc(all, func(m member) bool { return m.text == "" })
}

// code is the code, and what is kept for people beside it: what stands in its place where there is none, and what may be a
// code in fields that are not. What is a code in all its pieces counts, whatever stands in the other fields. Where all
// that counts is sentences, there is none: beside a code, they belong to it.
func (w orderFields) code() (whole, beside secret.Text) {
	all := w.codes()
	var found, left []member
	words := true
	sentence := func(part string) bool { return isSentence(part, w.said()) }
	code := func(part string) bool { return isCode(part, string(w.status()), NoClaim) && !sentence(part) }
	for _, m := range all {
		switch {
		case slices.ContainsFunc(found, func(f member) bool { return f.text == m.text }):
		case w.isCode(m):
			found = append(found, m)
			words = words && !slices.ContainsFunc(m.parts, func(part string) bool { return !sentence(part) })
		case slices.ContainsFunc(m.parts, code) && (m.name != "code" || !isNumberOfAnswer(m.text)):
			left = append(left, m)
		}
	}
	if words {
		found, left = nil, all
	}
	if slices.ContainsFunc(w.aside.parts, code) {
		left = append(left, member{w.aside, "code"})
	}
	if len(left) == 1 {
		left[0].name = ""
	}
	return secret.New(strings.TrimSpace(join(found).text)), secret.New(join(left).text) // blanks around a code are no part of it
}

// longestSerial is how long, in characters, a serial number is that is delivered with a code.
const longestSerial = 200

// serial is the serial number of what was bought. It is none of the code, and says nothing where there is no code: it may be
// there long before.
func (w orderFields) serial(code secret.Text) secret.Text {
	for _, m := range []member{{w.Serial, "serial"}, {w.Number, "serial"}} {
		text := strings.TrimSpace(m.text)
		if text == "" || code.IsZero() || m.holes || utf8.RuneCountInString(text) > longestSerial || slices.ContainsFunc(w.codes(), func(c member) bool { return strings.TrimSpace(c.text) == text }) {
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

// isCode reports whether a field is a code in all its pieces.
func (w orderFields) isCode(m member) bool {
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

// said is what a sentence about the order may call it.
func (w orderFields) said() []string {
	all := w.names()
	for _, name := range [...]label{w.ProductName, w.Product, w.VariantName, w.PlanName, w.Variant} {
		all = append(all, strings.Fields(string(name))...)
	}
	return all
}

func (w orderFields) order() (Order, bool) {
	o := Order{
		ID: firstUsable(w.OrderID, w.ID), Transaction: firstUsable(w.Transaction, w.TrxID),
		ProductName: string(cmp.Or(w.ProductName, w.Product)), VariantName: string(cmp.Or(w.VariantName, w.PlanName, w.Variant)),
		Status: string(w.status()), Claim: w.HasKey,
		Notes: secret.New(w.Notes.text), Player: string(w.PlayerName), PlayerID: strings.TrimSpace(string(w.PlayerID.label)), PlayerNumber: w.PlayerID.number,
		Price: w.Price.or(w.Amount).amount, CreatedAt: w.CreatedAt.Time, Zoneless: w.CreatedAt.zoneless,
	}
	o.Code, o.Instead = w.code()
	o.Serial = w.serial(o.Code)
	day := o.CreatedAt.Truncate(24 * time.Hour)
	dated := o.CreatedAt.Equal(day) && w.Bought.Truncate(24*time.Hour).Equal(day) // a date alone
	if (o.CreatedAt.IsZero() || dated) && !w.Bought.IsZero() {
		o.CreatedAt, o.Zoneless = w.Bought.Time, w.Bought.zoneless
	}
	return o, o.ID != "" || o.Transaction != ""
}

// wireCheck is the answer to a check of a player or a number, in any of its shapes.
type wireCheck struct {
	checkFields

	Result maybe[checkFields] `json:"result"` // where the object is wrapped once more
	Player maybe[checkFields] `json:"player"`
}

// check turns the wire form, from whichever object says more.
func (w wireCheck) check() Check {
	c := w.checkFields.check()
	for _, inner := range [...]*checkFields{w.Result.value, w.Player.value} {
		if inner == nil {
			continue
		}
		in := inner.check()
		if c.Status == CheckUnknown && w.Status != label(CheckUnknown) {
			c.Status = in.Status
		}
		c.Name, c.Region = cmp.Or(c.Name, in.Name), cmp.Or(c.Region, in.Region)
	}
	return c
}

// checkFields is what a check is made of.
type checkFields struct {
	Status     label `json:"status"`
	Valid      *flag `json:"valid"`
	IsValid    *flag `json:"is_valid"`
	Exists     *flag `json:"exists"`
	PlayerName label `json:"player_name"`
	Name       label `json:"name"`
	Username   label `json:"username"`
	Nickname   label `json:"nickname"`
	Region     label `json:"region"`
	Country    label `json:"country"`
}

// check turns the wire form. What says neither yes nor no is as good as its name: the service has answered
// without an error.
func (w checkFields) check() Check {
	c := Check{
		Name:   string(cmp.Or(w.PlayerName, w.Name, w.Username, w.Nickname)),
		Region: string(cmp.Or(w.Region, w.Country)),
	}
	yes := firstFlag(w.Valid, w.IsValid, w.Exists)
	switch s := CheckStatus(strings.ToLower(string(w.Status))); {
	case s == CheckValid, s == CheckInvalid, s == CheckUnknown:
		c.Status = s
	case yes != nil && bool(*yes):
		c.Status = CheckValid
	case yes != nil:
		c.Status = CheckInvalid
	case c.Name != "":
		c.Status = CheckValid
	default:
		c.Status = CheckUnknown
	}
	return c
}

// firstFlag is the first flag that came.
func firstFlag(all ...*flag) *flag {
	for _, f := range all {
		if f != nil {
			return f
		}
	}
	return nil
}

const (
	mostFacts   = 6  // of an answer whose shape is not shown
	longestFact = 60 // characters of one
)

// facts lists the plain fields of an object, for a person to read: what the check does not understand.
func facts(data json.RawMessage) []string {
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &object) != nil {
		return nil
	}
	known := []string{"status", "message", "valid", "is_valid", "exists", "player_name", "name", "username", "nickname", "region", "country"}
	var out []string
	for field, value := range object {
		var text label
		if slices.Contains(known, field) || json.Unmarshal(value, &text) != nil || text == "" || len(text) > longestFact || len(field) > longestFact {
			continue
		}
		out = append(out, field+": "+string(text))
	}
	slices.Sort(out)
	return out[:min(len(out), mostFacts)]
}

// wirePlan is an arena plan as the service writes it.
type wirePlan struct {
	ID       number `json:"id"`
	PlanID   label  `json:"plan_id"`
	Name     label  `json:"plan_name"`
	Price    price  `json:"plan_price"`
	Reseller price  `json:"reseller_price"`
}

// variant turns the wire form. The reseller's price is the one that is paid.
func (w wirePlan) variant() (Variant, bool) {
	paid := w.Reseller.or(w.Price)
	return Variant{
		ID: int64(w.ID), Plan: string(w.PlanID), Name: string(w.Name), Price: paid.amount,
		Available: paid.known && paid.amount.Sign() >= 0,
	}, w.ID != 0 && w.PlanID != ""
}

// wireAccount is an Account or a Balance as the service writes it.
type wireAccount struct {
	UserID    number `json:"user_id"`
	Name      label  `json:"name"`
	Email     label  `json:"email"`
	Balance   price  `json:"balance"`
	Available *price `json:"available_balance"`
}

// wallet is both figures; each equals the other one where it does not come.
func (w wireAccount) wallet() (Balance, error) {
	available := price{}
	if w.Available != nil {
		available = *w.Available
	}
	if !w.Balance.known && !available.known {
		return Balance{}, errShape
	}
	return Balance{
		Balance: w.Balance.or(available).amount, Available: available.or(w.Balance).amount, Lacks: !w.Balance.known || !available.known,
	}, nil
}

// decodeInputs reads input_fields: an object keyed by index, whose inner structure is not shown, or a
// list. What cannot be read asks for nothing; the service says what it misses.
func decodeInputs(text json.RawMessage) []Input {
	text = bytes.TrimSpace(text)
	var inputs []Input
	switch {
	case len(text) == 0:
		return nil
	case text[0] == '{':
		var byIndex map[string]json.RawMessage
		if json.Unmarshal(text, &byIndex) != nil {
			return nil
		}
		for index, inner := range byIndex {
			inputs = append(inputs, decodeInput(index, inner))
		}
	case text[0] == '[':
		var list []json.RawMessage
		if json.Unmarshal(text, &list) != nil {
			return nil
		}
		for i, inner := range list {
			inputs = append(inputs, decodeInput(strconv.Itoa(i), inner))
		}
	}
	slices.SortFunc(inputs, func(a, b Input) int { return compareIndex(a.Index, b.Index) })
	return inputs
}

// compareIndex orders numbers as numbers, before other texts.
func compareIndex(a, b string) int {
	m, errA := strconv.Atoi(a)
	n, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil && m != n:
		return cmp.Compare(m, n)
	case (errA == nil) != (errB == nil):
		if errA == nil {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

// wireInput is the names under which the parts of an input may come.
type wireInput struct {
	Index       label           `json:"index"`
	Label       label           `json:"label"`
	Name        label           `json:"name"`
	Title       label           `json:"title"`
	Hint        label           `json:"hint"`
	Placeholder label           `json:"placeholder"`
	Description label           `json:"description"`
	Pattern     label           `json:"pattern"`
	Regex       label           `json:"regex"`
	Validation  label           `json:"validation"`
	Required    *flag           `json:"required"`
	Options     json.RawMessage `json:"options"`
	Values      json.RawMessage `json:"values"`
}

// decodeInput reads one input, whatever it looks like: at least it has its index.
func decodeInput(index string, text json.RawMessage) Input {
	var w wireInput
	if json.Unmarshal(text, &w) != nil {
		var s label
		if json.Unmarshal(text, &s) != nil {
			s = ""
		}
		return Input{Index: index, Label: string(s), Required: true}
	}
	options, labels := decodeOptions(w.Options)
	if options == nil {
		options, labels = decodeOptions(w.Values)
	}
	return Input{
		Index:    cmp.Or(string(w.Index), index),
		Label:    string(cmp.Or(w.Label, w.Title, w.Name)),
		Hint:     string(cmp.Or(w.Hint, w.Placeholder, w.Description)),
		Pattern:  string(cmp.Or(w.Pattern, w.Regex, w.Validation)),
		Required: w.Required == nil || bool(*w.Required),
		Options:  options,
		Labels:   labels,
	}
}

// decodeOptions reads what an input may be, and what people know it by: a list of texts or of objects with a value, or an
// object of values, whose texts are what they are called.
func decodeOptions(text json.RawMessage) (options, labels []string) {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		var byName map[string]json.RawMessage
		if json.Unmarshal(text, &byName) != nil {
			return nil, nil
		}
		for _, value := range slices.SortedFunc(maps.Keys(byName), compareIndex) {
			var called string
			if json.Unmarshal(byName[value], &called) != nil {
				called = ""
			}
			options, labels = append(options, value), append(labels, cmp.Or(called, value))
		}
		return options, labels
	}
	for _, inner := range list {
		var object struct {
			Value label `json:"value"`
			Name  label `json:"name"`
			Label label `json:"label"`
		}
		var plain, called label
		if json.Unmarshal(inner, &object) == nil {
			plain, called = cmp.Or(object.Value, object.Name, object.Label), cmp.Or(object.Label, object.Name, object.Value)
		} else if json.Unmarshal(inner, &plain) != nil {
			continue
		}
		if plain != "" {
			options, labels = append(options, string(plain)), append(labels, string(cmp.Or(called, plain)))
		}
	}
	return options, labels
}

// oneOf reads a single object through its wire form.
func oneOf[W, T any](data json.RawMessage, turn func(W) (T, bool)) (T, error) {
	var w W
	var none T
	if err := json.Unmarshal(data, &w); err != nil {
		return none, errShape
	}
	v, ok := turn(w)
	if !ok {
		return none, fmt.Errorf("%w: it lacks its id", errShape)
	}
	return v, nil
}
