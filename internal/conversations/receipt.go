package conversations

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"resellerbot/internal/figures"
	"resellerbot/internal/reports"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowShop      = "shop"
	stepShopName  = "name"
	stepShopPhone = "phone"
	stepShopLogo  = "logo"
	adviceTime    = 2 * time.Second // for what the service says of a product: a receipt does not wait for it
	adviceAge     = 24 * time.Hour
)

// shopping is the state of a question about the shop. Purchase is the one whose receipt waits for the answer; empty for none.
type shopping struct {
	Purchase string `json:"Purchase,omitempty"`
	Wrong    bool   `json:"Wrong,omitempty"`
}

// receiptTapped makes a receipt for the customer. The first one of a shop asks its owner what the shop is called.
func (t saleFlow) receiptTapped() error {
	d, err := t.cfg.Store.Desk(t.ctx, t.shop.ID)
	if err != nil {
		return err
	}
	if d.Name == "" && t.ownsInPrivate() {
		if _, ok, err := t.receiptOf(t.action.Arg(0)); err != nil || !ok {
			return firstError(err, t.stale)
		}
		return t.askShop(shopping{Purchase: t.action.Arg(0)})
	}
	return t.receipt(t.action.Arg(0), t.action.Arg(1), t.action.Arg(2) == screen.ReceiptCode)
}

// receiptOf reads what a receipt is made of; ok is false where there can be none.
func (t saleFlow) receiptOf(id string) (v screen.ReceiptView, ok bool, err error) {
	p, orders, ok, err := orderFlow(t).seen(id)
	if err != nil || !ok || p.Account != t.shop.ID {
		return v, false, err
	}
	v = screen.ReceiptView{Purchase: p, Orders: orders, Shop: t.shop.Name}
	if v.Trade, err = t.cfg.Store.Trade(t.ctx, p); err != nil {
		return v, false, err
	}
	v.Desk, err = t.cfg.Store.Desk(t.ctx, t.shop.ID)
	return v, err == nil && t.scr.Purchases().HasReceipt(p, v.Trade), err
}

// receipt sends the receipt of a purchase: in a language, or in that of the chat, where receipts are written in it; else the
// language is asked for. Codes are written out for those alone who see them here.
func (t saleFlow) receipt(id, language string, codes bool) error {
	v, ok, err := t.receiptOf(id)
	if err != nil || !ok {
		return firstError(err, t.stale)
	}
	t.leave()
	t.action.Fresh = true // the codes stay
	v.Language, v.Codes = cmp.Or(language, t.chat.Language), codes && !t.scr.Hides()
	words, ok := t.cfg.Screens.For(v.Language)
	if !ok || !slices.Contains(screen.ReceiptLanguages(), v.Language) {
		return t.say(t.scr.Sales().ReceiptLanguage(v.Purchase))
	}
	defer t.ackSoon()()
	// Noted before the picture is made, as wherever codes are shown beside their delivery.
	if v.Codes {
		if err := orderFlow(t).noteShown(&v.Purchase, v.Orders); err != nil {
			return err
		}
	}
	v.About = t.about(v.Purchase.ProductID)
	png, err := reports.Receipt(words.Sales().ReceiptPicture(v), v.Desk.Logo)
	if err != nil {
		return err
	}
	return t.say(t.scr.Sales().Receipt(v, words, png))
}

// shopTapped asks for the shop's name and telephone, or takes an answer that is a button.
func (t saleFlow) shopTapped() error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	s := shopping{Purchase: t.action.Arg(0)}
	step := map[string]string{screen.ShopKeep: stepShopName, screen.ShopNoPhone: stepShopPhone}[t.action.Arg(1)]
	switch {
	case t.action.Arg(1) == screen.ShopLogo:
		return t.askLogo(screen.LogoFine)
	case t.action.Arg(1) == screen.ShopNoLogo:
		return t.keepLogo(nil)
	case step == "":
		return t.askShop(s)
	// Only the question that is open takes a button for an answer: an old one would write over what was typed since.
	case t.session.Flow != flowShop || t.session.Step != step || t.session.Message != t.tapped:
		return t.stale()
	case step == stepShopPhone:
		return t.takePhone(s, "")
	}
	name, ok := screen.ShopName(t.shop.Name)
	if s.Wrong = !ok; s.Wrong {
		return t.askShop(s)
	}
	return t.takeName(s, name)
}

// shopTyped takes the shop's name, or its telephone.
func (t saleFlow) shopTyped() error {
	var s shopping
	if err := json.Unmarshal(t.session.Data, &s); err != nil {
		return t.stale()
	}
	if t.session.Step == stepShopLogo {
		t.inPlaceOf = t.answeredQuestion
		return t.askLogo(screen.LogoBroken)
	}
	if t.session.Step == stepShopPhone {
		phone, ok := screen.ShopPhone(figures.Latin(t.text))
		if s.Wrong = !ok; s.Wrong {
			t.inPlaceOf = t.answeredQuestion
			return t.askPhone(s)
		}
		return t.takePhone(s, phone)
	}
	name, ok := screen.ShopName(t.text)
	if s.Wrong = !ok; s.Wrong {
		t.inPlaceOf = t.answeredQuestion
		return t.askShop(s)
	}
	return t.takeName(s, name)
}

// askShop asks what the shop is called for its customers.
func (t saleFlow) askShop(s shopping) error {
	t.action.Fresh = t.action.Fresh || s.Purchase != "" // the codes stay
	return t.ask(t.scr.Sales().ShopAsk(t.shop.Name, s.Purchase, s.Wrong), flowShop, stepShopName, s)
}

// askPhone asks for its telephone.
func (t saleFlow) askPhone(s shopping) error {
	return t.ask(t.scr.Sales().PhoneAsk(s.Purchase, s.Wrong), flowShop, stepShopPhone, s)
}

// takeName keeps the shop's name, and asks for its telephone.
func (t saleFlow) takeName(s shopping, name string) error {
	if err := t.changeDesk(func(d *store.Desk) { d.Name = name }); err != nil {
		return t.refused(err)
	}
	return t.askPhone(s)
}

// takePhone keeps the shop's telephone, and goes on with the receipt that has waited.
func (t saleFlow) takePhone(s shopping, phone string) error {
	if err := t.changeDesk(func(d *store.Desk) { d.Phone = phone }); err != nil {
		return t.refused(err)
	}
	t.leave()
	d, err := t.cfg.Store.Desk(t.ctx, t.shop.ID)
	if err != nil {
		return err
	}
	if s.Purchase == "" {
		return t.say(t.scr.Sales().ShopSaved(d))
	}
	if t.tapped != 0 { // the question goes: the receipt is a message of its own
		if err := t.say(t.scr.Sales().ShopSaved(d)); err != nil {
			return err
		}
	}
	return t.receipt(s.Purchase, "", false)
}

// about is what the service says of a product, where it says so at once. A receipt does without.
func (t saleFlow) about(product int64) string {
	_, s, ok, err := t.account()
	if err != nil || !ok {
		return ""
	}
	ctx, cancel := context.WithTimeout(t.ctx, adviceTime)
	defer cancel()
	p, err := s.Product(ctx, product, adviceAge)
	if err != nil {
		t.cfg.Log.Debug("a receipt tells nothing of its product", "update", t.update, "err", err)
	}
	return p.Description
}

// changeDesk changes how the shop shows itself, for an owner: the role is read in the transaction that writes, as it may have been
// taken since the button was shown.
func (t saleFlow) changeDesk(change func(*store.Desk)) error {
	return t.forOwner(t.shop.ID, func(tx *store.Tx, a *store.Account) error {
		d, err := tx.Desk(a.ID)
		if err != nil {
			return err
		}
		change(&d)
		return tx.PutDesk(&d)
	})
}
