package store

import (
	"context"
	"errors"
	"strconv"

	"resellerbot/internal/api/dzd"
)

// Alerts is what a chat wants to be told of an account without asking, and which of its thresholds are crossed.
type Alerts struct {
	Chat       int64
	Account    string
	Thresholds map[AlertKind]Threshold `json:"Lines"`
	Products   []Watched
	Quiet      Hours
	Crossed    map[string]bool     // thresholds that are crossed now, by kind and what they are about
	Hearings   map[Subject]Hearing `json:",omitempty"` // how it hears of each subject; see Hears
	rev        uint64
}

// AlertKind is what an alert is about.
type AlertKind string

// The kinds of alerts.
const (
	LowBalance AlertKind = "balance" // less can be spent than Threshold.Amount
	LowStock   AlertKind = "stock"   // an allocation, or a product that was chosen, has fewer units left than Threshold.Number
	Expiry     AlertKind = "expiry"  // an allocation ends in fewer days than Threshold.Number
	DaysLeft   AlertKind = "days"    // the balance lasts fewer days than Threshold.Number, as the last week went
	Debit      AlertKind = "debit"   // money went that no purchase of ours explains
)

// Threshold is where an alert speaks.
type Threshold struct {
	Mode   AlertMode
	Amount dzd.Amount
	Number int
}

// AlertMode is how an alert speaks.
type AlertMode string

// The modes of an alert.
const (
	AlertOff    AlertMode = ""
	AlertOn     AlertMode = "on"
	AlertSilent AlertMode = "silent"
)

// Watched is a product of whose changes a chat wants to be told.
type Watched struct {
	Product int64
	Name    string // hostile text
	Back    bool   // one of its variants can be had again
	Price   bool   // a price has changed
	Low     bool   // one of its variants has few units left in the catalogue, or none
	Seen    map[int64]SeenVariant
}

// SeenVariant is how a variant was seen last.
type SeenVariant struct {
	Available bool
	Price     dzd.Amount
}

// fewUnits is below how many units a product that was chosen is low, where no other number is set.
const fewUnits = 5

// Few is where the alert of products that were chosen speaks: at the number set for allocations, where there is one. That
// the one about allocations is off is no word about products that were chosen.
func (a *Alerts) Few() Threshold {
	few := a.Thresholds[LowStock]
	if few.Number == 0 {
		few.Number = fewUnits
	}
	if few.Mode == AlertOff {
		few.Mode = AlertOn
	}
	return few
}

// Watches reports whether anything is told of the product.
func (w Watched) Watches() bool { return w.Back || w.Price || w.Low }

// Unwatch forgets that variants of a product were low, so that they may speak again.
func (a *Alerts) Unwatch(w Watched) {
	for id := range w.Seen {
		delete(a.Crossed, string(LowStock)+"/"+ShelfOf(id))
	}
}

// ShelfOf names a variant in Crossed, as the catalogue has it.
func ShelfOf(variant int64) string { return "shelf/" + strconv.FormatInt(variant, 10) }

// Hours is a span of the day in which alerts wait and nothing makes a sound, from an hour to another one of the next day perhaps.
// None where they are equal.
type Hours struct{ From, To int }

// newAlerts is what a chat has that has set nothing: an unexplained debit is told to everybody who may hear
// of it. A group has to ask for it.
func newAlerts(chat int64, account string) Alerts {
	al := Alerts{Chat: chat, Account: account, Thresholds: map[AlertKind]Threshold{}, Crossed: map[string]bool{}}
	if chat > 0 {
		al.Thresholds[Debit] = Threshold{Mode: AlertOn}
	}
	return al
}

func alerts() codec[Alerts] {
	return codec[Alerts]{
		kind: KindAlerts,
		key:  func(a *Alerts) string { return ofChat(a.Chat, a.Account) },
		rev:  func(a *Alerts) *uint64 { return &a.rev },
	}
}

// ofChat is the key of what a chat has of an account.
func ofChat(chat int64, account string) string { return number(chat) + "/" + account }

// Alerts reads what a chat wants to be told of an account.
func (s *Store) Alerts(ctx context.Context, chat int64, account string) (Alerts, error) {
	a, err := read(ctx, s, alerts(), ofChat(chat, account))
	return orNew(a, chat, account, err)
}

// Alerts reads what a chat wants to be told of an account.
func (t *Tx) Alerts(chat int64, account string) (Alerts, error) {
	a, err := alerts().get(t, ofChat(chat, account))
	return orNew(a, chat, account, err)
}

// PutAlerts writes what a chat wants to be told.
func (t *Tx) PutAlerts(a *Alerts) error { return alerts().put(t, a) }

// orNew is a chat's alerts, those of one that has set nothing where there are none.
// Maps are made where they are missing, so that whoever changes alerts may write into them.
func orNew(a Alerts, chat int64, account string, err error) (Alerts, error) {
	if errors.Is(err, ErrNotFound) {
		return newAlerts(chat, account), nil
	}
	if a.Thresholds == nil {
		a.Thresholds = map[AlertKind]Threshold{}
	}
	if a.Crossed == nil {
		a.Crossed = map[string]bool{}
	}
	return a, err
}

// EndAlerts forgets what a chat wanted to be told of an account.
func (t *Tx) EndAlerts(chat int64, account string) error {
	a, err := alerts().get(t, ofChat(chat, account))
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	return alerts().remove(t, &a)
}
