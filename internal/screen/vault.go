package screen

import "resellerbot/internal/store"

// Vault lists the purchases of a chat that cannot be reached, whose codes wait.
func (p Printer) Vault(list []store.Purchase) Message {
	home := row(p.button("button.home", act(VerbHome)))
	if len(list) == 0 {
		return Message{HTML: p.t("vault.empty", nil), Keyboard: [][]Button{home}}
	}
	var keys [][]Button
	for _, pu := range list {
		keys = append(keys, row(Button{Text: p.purchaseLabel(pu), Data: act(VerbOrder, pu.ID).fresh().Data()}))
	}
	return Message{HTML: p.t("vault.list", nil), Keyboard: append(keys, home)}
}
