package api

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/secret"
)

// wireOrder is an order as any endpoint writes it: those of both generations, of top-ups, of histories, and
// the status objects whose fields are not shown, under the names that they may have.
type wireOrder struct {
	orderFields

	Order maybe[orderFields] `json:"order"` // where the object is wrapped once more

	facts  secret.Text // what it says in fields that nobody knows, where it is done and has nothing where a code stands
	broken string      // what says elsewhere in it that it has failed, where it is done

	underway string // what says so that it has not come to its end, where it has nothing where a code stands either
}

// UnmarshalJSON implements json.Unmarshaler.
func (w *wireOrder) UnmarshalJSON(text []byte) error {
	type plain wireOrder
	var p plain
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	*w = wireOrder(p)
	inner := w.Order.value
	// Looked through only where it is called done: elsewhere the answer is waited for anyway, and says more later.
	done := stageOf(string(w.status())) == Done || inner != nil && stageOf(string(inner.status())) == Done
	if done {
		w.broken = brokenWithin(text, deepestStatus)
	}
	if done && len(w.candidates()) == 0 && (inner == nil || len(inner.candidates()) == 0) {
		w.facts, w.underway = unknownFields(text), underwayWithin(text, deepestStatus)
	}
	return nil
}

// orderFields is what an order is made of.
type orderFields struct {
	codeFields

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
	o, ok := w.both()
	o.Facts = w.facts
	// Where two words contradict, neither is believed, as agreed has it.
	if w.broken != "" && o.Code.IsZero() && o.Stage() == Done {
		o.Status += " / " + w.broken
	}
	// Called done may be the call alone: how the order stands is what is said of that.
	if w.underway != "" && o.Code.IsZero() && o.Stage() == Done {
		o.Status = w.underway
	}
	return o, ok
}

// deepestStatus is how many objects within each other a status is looked for in.
const deepestStatus = 4

// brokenWithin is what says that an order has failed, under whatever name it stands in an object and in those within it: a status, a flag, or
// each of several; "" where nothing does. What the objects of a top-up's status hold is not shown.
func brokenWithin(text []byte, depth int) string {
	if depth == 0 {
		return ""
	}
	var several []json.RawMessage
	if json.Unmarshal(text, &several) == nil {
		return brokenInAll(several, depth)
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if depth == deepestStatus && slices.Contains([]string{"status", "state", "order_status", "order"}, name) {
			continue // agreed looks at these
		}
		if found := brokenField(strings.ToLower(name), fields[name], depth); found != "" {
			return found
		}
	}
	return ""
}

// brokenInAll is brokenWithin for a list: of several tries one may have succeeded, so each of them has to say it.
func brokenInAll(several []json.RawMessage, depth int) (found string) {
	for _, one := range several {
		if found = brokenWithin(one, depth-1); found == "" {
			return ""
		}
	}
	return found
}

// brokenField is brokenWithin for one field.
func brokenField(name string, value json.RawMessage, depth int) string {
	among := func(names ...string) bool {
		return slices.ContainsFunc(names, func(s string) bool { return strings.Contains(name, s) })
	}
	var flag bool
	var word string
	switch {
	case json.Unmarshal(value, &flag) == nil:
		// Flags name what they say: is_failed, and success where it is false.
		name = strings.TrimPrefix(name, "is_")
		if flag && stageOf(name) == Broken {
			return name
		}
		if !flag && string(value) == "false" && (name == "success" || name == "successful") {
			return "unsuccessful"
		}
	// What was before, or becomes of something beside the order, says nothing of how it stands.
	case among("previous", "first", "notif", "callback", "webhook", "history"):
	case among("refund"): // of a refund it says something where that was made
		if json.Unmarshal(value, &word) != nil {
			word = brokenWithin(value, depth-1)
		}
		if strings.Contains(strings.ToLower(word), "refunded") {
			return word
		}
	case json.Unmarshal(value, &word) != nil:
		return brokenWithin(value, depth-1)
	case name == "error" && strings.TrimSpace(word) != "":
		return name
	case among("status", "state", "result", "outcome", "delivery", "recharge", "topup", "top_up") && stageOf(word) == Broken:
		return word
	}
	return ""
}

// underwayWithin is what says that an order has not come to its end, beside its status or in what it wraps; "" where nothing does. Of several entries
// one is enough.
func underwayWithin(text []byte, depth int) string {
	if depth == 0 {
		return ""
	}
	var several []json.RawMessage
	if json.Unmarshal(text, &several) == nil {
		for _, one := range several {
			if found := underwayWithin(one, depth-1); found != "" {
				return found
			}
		}
		return ""
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if depth == deepestStatus && slices.Contains([]string{"status", "state", "order_status", "order"}, name) {
			continue // agreed looks at these
		}
		if found := underwayField(strings.ToLower(name), fields[name], depth); found != "" {
			return found
		}
	}
	return ""
}

// underwayField is underwayWithin for one field. What is said of a payment, of a refund, or of messages is not about the order.
func underwayField(name string, value json.RawMessage, depth int) string {
	among := func(names ...string) bool {
		return slices.ContainsFunc(names, func(s string) bool { return strings.Contains(name, s) })
	}
	var word string
	switch {
	case among("previous", "first", "notif", "callback", "webhook", "history", "refund", "payment"):
	case string(value) == "false" && slices.Contains([]string{"completed", "complete", "done", "finished"}, strings.TrimPrefix(name, "is_")):
		return "processing"
	case json.Unmarshal(value, &word) == nil:
		if among("status", "state") && strings.TrimSpace(word) != "" && stageOf(word) == Underway {
			return word
		}
	case among("result", "outcome", "delivery", "recharge", "topup", "top_up", "details", "order", "data"):
		return underwayWithin(value, depth-1)
	}
	return ""
}

// both is the order that the two objects of the wire form make.
func (w wireOrder) both() (Order, bool) {
	inner := w.Order.value
	// Which of the two objects is the order is told by its ids: an inner one without any is the same order, one with ids of its
	// own only if they agree.
	switch {
	case inner == nil:
		return w.orderFields.order()
	case w.OrderID == "" && w.ID == "":
		return inner.with(w.orderFields).order()
	case len(inner.names()) > 0 && !slices.ContainsFunc(inner.names(), func(id string) bool { return slices.Contains(w.orderFields.names(), id) }):
		return w.orderFields.order() // what it wraps is another order
	}
	both := inner.with(w.orderFields)
	// The two share a name here, or the inner one has none: the outer names stand.
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
	// The code of the inner object goes first; the outer one's is taken where the inner one has none. What is left over on the
	// other side is kept aside, so that no code is lost by a guess about the shape.
	if len(w.codes()) == 0 || inner.IsZero() && !outside.IsZero() {
		both.codeFields = outer.codeFields
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
	known := slices.DeleteFunc(slices.Clone(all), func(s label) bool { return stageOf(string(s)) == Unrecognized })
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
