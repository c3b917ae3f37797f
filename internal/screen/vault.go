package screen

import "fmt"

// Vault lists the purchases of a chat that cannot be reached, whose codes wait.
func (p Orders) Vault(list []Bought) Message {
	home := row(p.button("button.home", act(VerbHome)))
	if len(list) == 0 {
		return Message{HTML: p.t("vault.empty", nil), Keyboard: [][]Button{home}}
	}
	var keys [][]Button
	for _, b := range list {
		// Fresh: the list stays, for the next purchase is opened from it too.
		keys = append(keys, row(Button{Text: b.label(), Data: act(VerbOrder, b.ID).fresh().Data()}))
	}
	return Message{HTML: p.t("vault.list", nil), Keyboard: append(keys, home)}
}

// label is a purchase on a button: what became of it, and what was bought.
func (b Bought) label() string {
	const room = 24 // code points of a name
	return b.outcome().mark + " " + isolate(clean(b.Product, room)) + " · " + isolate(clean(b.Variant, room)) + " · " + isolate(fmt.Sprintf("× %d", b.Quantity))
}
