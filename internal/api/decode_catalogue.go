package api

import (
	"encoding/json"
	"strings"
)

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
	// Variants of an unknown form are no reason to lose the product: it is listed without any.
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
	// BuyPrice is the reseller's in the Legacy shape. What SellPrice is for is not shown: it is never what is paid.
	paid := w.Price.or(w.BuyPrice)
	v := Variant{
		ID: int64(w.ID), Name: string(w.Name), Price: paid.amount, Delivery: string(w.Delivery), InStock: int(w.InStock),
		Available: (w.Available == nil || bool(*w.Available)) && (w.IsAvailable == nil || bool(*w.IsAvailable)),
	}
	if w.Stock.value != nil {
		s := w.Stock.value.clientStock()
		v.Stock = &s
	}
	v.Sells = w.SellPrice.beside(paid)
	v.Unpriced = v.Available && !paid.known
	v.Available = v.Available && paid.known && v.Price.Sign() >= 0
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
		ID: int64(w.ID), Plan: string(w.PlanID), Name: string(w.Name), Price: paid.amount, Sells: w.Price.beside(w.Reseller),
		Available: paid.known && paid.amount.Sign() >= 0,
	}, w.ID != 0 && w.PlanID != ""
}
