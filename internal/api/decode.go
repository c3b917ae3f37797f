package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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
		if ferr != nil || f != float64(int64(f)) {
			return errShape
		}
		i = int64(f)
	}
	*n = number(i)
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
		*l = label(text)
	default:
		*l = ""
	}
	return nil
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

// moment reads a time in either form that the service uses; what is neither is no time.
type moment struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (m *moment) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `" `)
	for _, form := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil {
			m.Time = t.UTC()
			return nil
		}
	}
	m.Time = time.Time{}
	return nil
}

// items reads a list entry by entry: entries that do not decode are left out and counted.
func items[W, T any](data json.RawMessage, turn func(W) (T, bool)) (out []T, odd int, err error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, 0, errShape
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
	return out, odd, nil
}

// wireProduct is a Product as the service writes it.
type wireProduct struct {
	ID            number          `json:"id"`
	Name          label           `json:"name"`
	Description   label           `json:"description"`
	CategoryID    number          `json:"category_id"`
	Kind          label           `json:"kind"`
	RequiresInput flag            `json:"requires_input"`
	InputFields   json.RawMessage `json:"input_fields"`
	Variants      []wireVariant   `json:"variants"`
}

func (w wireProduct) product() (Product, bool) {
	p := Product{
		ID: int64(w.ID), Name: string(w.Name), Description: string(w.Description), CategoryID: int64(w.CategoryID),
		Kind: string(w.Kind), RequiresInput: bool(w.RequiresInput), Inputs: decodeInputs(w.InputFields),
	}
	for _, v := range w.Variants {
		if v, ok := v.variant(); ok {
			p.Variants = append(p.Variants, v)
		}
	}
	return p, p.ID != 0 && p.Name != ""
}

// wireVariant is a Variant as the service writes it.
type wireVariant struct {
	ID        number     `json:"id"`
	Name      label      `json:"name"`
	Price     price      `json:"price"`
	Delivery  label      `json:"delivery"`
	InStock   number     `json:"in_stock"`
	Available *flag      `json:"available"`
	Stock     *wireStock `json:"client_stock"`
}

// variant turns the wire form. One without a price cannot be sold.
func (w wireVariant) variant() (Variant, bool) {
	v := Variant{
		ID: int64(w.ID), Name: string(w.Name), Price: w.Price.amount, Delivery: string(w.Delivery),
		InStock: int(w.InStock), Available: w.Available == nil || bool(*w.Available),
	}
	if w.Stock != nil {
		s := w.Stock.clientStock()
		v.Stock = &s
	}
	v.Available = v.Available && w.Price.known && v.Price.Sign() >= 0
	return v, v.ID != 0
}

// wireStock is a ClientStock or a Stock entry as the service writes it.
type wireStock struct {
	VariantID   number `json:"variant_id"`
	Allocated   number `json:"allocated"`
	Used        number `json:"used"`
	Remaining   number `json:"remaining"`
	Status      label  `json:"status"`
	ExpiresAt   moment `json:"expires_at"`
	ProductID   number `json:"product_id"`
	ProductName label  `json:"product_name"`
	VariantName label  `json:"variant_name"`
}

func (w wireStock) clientStock() ClientStock {
	return ClientStock{
		VariantID: int64(w.VariantID), Allocated: int(w.Allocated), Used: int(w.Used), Remaining: int(w.Remaining),
		Status: string(w.Status), ExpiresAt: w.ExpiresAt.Time,
	}
}

func (w wireStock) entry() (StockEntry, bool) {
	return StockEntry{
		ClientStock: w.clientStock(), ProductID: int64(w.ProductID),
		ProductName: string(w.ProductName), VariantName: string(w.VariantName),
	}, w.VariantID != 0
}

// wireOrder is an Order as the service writes it.
type wireOrder struct {
	OrderID     label  `json:"order_id"`
	ProductName label  `json:"product_name"`
	VariantName label  `json:"variant_name"`
	Status      label  `json:"status"`
	Key         label  `json:"key"`
	HasKey      flag   `json:"has_key"`
	Price       price  `json:"price"`
	CreatedAt   moment `json:"created_at"`
}

func (w wireOrder) order() (Order, bool) {
	return Order{
		ID: string(w.OrderID), ProductName: string(w.ProductName), VariantName: string(w.VariantName),
		Status: string(w.Status), Code: secret.New(string(w.Key)), HasCode: bool(w.HasKey),
		Price: w.Price.amount, CreatedAt: w.CreatedAt.Time,
	}, w.OrderID != ""
}

// wireAccount is an Account or a Balance as the service writes it.
type wireAccount struct {
	UserID    number `json:"user_id"`
	Name      label  `json:"name"`
	Email     label  `json:"email"`
	Balance   price  `json:"balance"`
	Available *price `json:"available_balance"`
}

// wallet is the balance; without one of its own, the available balance equals it.
func (w wireAccount) wallet() (Balance, error) {
	if !w.Balance.known {
		return Balance{}, errShape
	}
	b := Balance{Balance: w.Balance.amount, Available: w.Balance.amount}
	if w.Available != nil && w.Available.known {
		b.Available = w.Available.amount
	}
	return b, nil
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
	options := decodeOptions(w.Options)
	if options == nil {
		options = decodeOptions(w.Values)
	}
	return Input{
		Index:    cmp.Or(string(w.Index), index),
		Label:    string(cmp.Or(w.Label, w.Title, w.Name)),
		Hint:     string(cmp.Or(w.Hint, w.Placeholder, w.Description)),
		Pattern:  string(cmp.Or(w.Pattern, w.Regex)),
		Required: w.Required == nil || bool(*w.Required),
		Options:  options,
	}
}

// decodeOptions reads what an input may be: a list of texts or of objects with a value, or an object of
// values.
func decodeOptions(text json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		var byName map[string]json.RawMessage
		if json.Unmarshal(text, &byName) != nil {
			return nil
		}
		var names []string
		for name := range byName {
			names = append(names, name)
		}
		slices.SortFunc(names, compareIndex)
		return names
	}
	var options []string
	for _, inner := range list {
		var object struct{ Value, Label, Name label }
		var plain label
		if json.Unmarshal(inner, &object) == nil {
			plain = cmp.Or(object.Value, object.Name, object.Label)
		} else if json.Unmarshal(inner, &plain) != nil {
			continue
		}
		if plain != "" {
			options = append(options, string(plain))
		}
	}
	return options
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
