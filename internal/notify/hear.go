package notify

import (
	"context"
	"errors"
	"strings"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// hear finds out how the chat hears of a row. In quiet hours nothing makes a sound, codes included. But nothing is kept back for
// them here: a code is waited for, and what is about money that is uncertain may have to be acted on. What is not known is heard
// aloud: no code waits for a choice that cannot be read.
func (d *Deliverer) hear(ctx context.Context, v *delivery) {
	if v.row.Kind == store.StatusMessage || v.row.Kind == store.ListCard || v.row.Kind == store.TopicMessage {
		return // edits, which make no sound
	}
	al, err := d.cfg.Store.Alerts(ctx, v.home.ID, v.account())
	quiet := al.Quiet.Within(time.Now(), d.cfg.Zone)
	if err == nil && !quiet && v.home.Account != "" && v.home.Account != v.account() { // who sleeps does so for all their accounts
		var active store.Alerts
		active, err = d.cfg.Store.Alerts(ctx, v.home.ID, v.home.Account)
		quiet = active.Quiet.Within(time.Now(), d.cfg.Zone)
	}
	if err != nil {
		d.cfg.Log.Warn("read how a chat hears of things", "chat", v.home.ID, "err", err)
		return
	}
	how := store.Aloud
	if s := v.row.Subject(); s != "" {
		how = al.Hears(s)
	}
	v.silent = how != store.Aloud || quiet
	// Only marked here: note drops such a row, and aside one that nothing stands in the chat for yet.
	v.unheard = how == store.Unheard && mayBeOff(v.row)
}

// mayBeOff reports whether a row need not go out where its chat does not want to hear of such. Who has bought something gets it, an
// owner is asked, and money that goes without a reason is told.
func mayBeOff(row store.Outgoing) bool {
	switch row.Kind {
	case store.Copy:
		return true
	case store.Request, store.Decision:
		return row.Chat < 0
	case store.Note:
		return row.Subject() != "" && !row.IsAlarm()
	}
	return false
}

// send sends what a row says to where it goes. Where its topic is closed or gone, it goes to the group as such.
func (d *Deliverer) send(ctx context.Context, v *delivery, m screen.Message, o telegram.SendOptions) (int, error) {
	o.Purpose, o.Thread, o.OnlyThere, o.Silent = v.to(), v.thread, true, o.Silent || v.silent
	id, err := d.cfg.Sender.Send(ctx, v.home.ID, m, o)
	if o.Thread == 0 || !telegram.TopicIsGone(err) {
		return id, err
	}
	if !telegram.TopicIsClosed(err) { // who closes a topic may open it again
		v.lost = o.Thread
	}
	o.Thread = 0
	return d.cfg.Sender.Send(ctx, v.home.ID, m, o)
}

// account is whose matter a row is.
func (v *delivery) account() string {
	for _, id := range []string{v.purchase.Account, v.row.Args[store.AboutArg], v.home.Account} {
		if id != "" {
			return id
		}
	}
	return ""
}

// goesTo has a row go to its topic, where the chat is the place of its account.
func (v *delivery) goesTo(a store.Account) {
	if at := a.Place; at != nil && at.Chat == v.home.ID {
		v.thread = at.TopicFor(v.row.Subject())
	}
}

// noteTopic notes what has become of topics: one that was made, which owners are told where it could not be, and one that is gone, as
// they are where they have chosen it themselves.
func (v *delivery) noteTopic(tx *store.Tx) error {
	if v.row.Kind == store.TopicMessage {
		return v.noteMade(tx, store.Subject(v.row.Args[store.SubjectArg]))
	}
	if v.lost == 0 {
		return nil
	}
	chosen, err := tx.TopicLost(v.account(), v.home.ID, v.lost)
	if err != nil || !chosen {
		return err
	}
	a, err := tx.Account(v.account())
	if err != nil {
		return err
	}
	return v.tellOfTopics(tx, a, store.TopicLostNote)
}

// noteMade notes that a topic was made, or could not be. Owners are told of the first that could not: the others are refused as well.
func (v *delivery) noteMade(tx *store.Tx, s store.Subject) error {
	a, err := tx.Account(v.account())
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	told := !a.Place.WantsTopic(v.home.ID, s) || a.Place.TopicRefused()
	if err := tx.TopicMade(a.ID, v.home.ID, s, v.made); err != nil || v.made != 0 || told {
		return err
	}
	return v.tellOfTopics(tx, a, store.NoTopicsNote)
}

// tellOfTopics tells the owners what has become of a group's topics.
func (v *delivery) tellOfTopics(tx *store.Tx, a store.Account, what store.NoteName) error {
	var errs []error
	for _, owner := range a.PrivateChats(store.Owner) {
		errs = append(errs, tx.Enqueue(store.NewNote(owner, "topic."+v.row.ID, what, map[string]string{"group": a.Place.Title}).Of(a.ID)))
	}
	return errors.Join(errs...)
}

// topic makes a topic of a group. Where it may not, or nobody knows whether it was made, the group has none: it would be made
// twice.
func (d *Deliverer) topic(ctx context.Context, v *delivery) error {
	s := store.Subject(v.row.Args[store.SubjectArg])
	a, err := d.cfg.Store.Account(ctx, v.account())
	if err != nil {
		return err
	}
	if a.Place == nil || a.Place.Chat != v.home.ID {
		return errObsolete
	}
	// Topics may have been turned off, or this one been made, since the row was queued.
	if t, wanted := a.Place.Topics[s]; !wanted || t.Thread != 0 {
		return errObsolete
	}
	// delivered notes, behind nil, that the topic could not be made (made is 0): nobody knows whether there is one, and a second one
	// would be worse.
	if v.row.Sent { // before a stop, and what came of it was not noted
		return nil
	}
	// On disk before the wire: Telegram makes a second topic of the same name without a word.
	err = d.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		row := v.row
		err := tx.Sending(&row, time.Now().Add(lease))
		v.row = row
		return err
	})
	if err != nil {
		return err
	}
	v.made, err = d.cfg.Sender.CreateTopic(ctx, v.home.ID, strings.TrimSpace(v.show.TopicName(s)), v.to())
	switch telegram.Classify(err).Kind {
	case telegram.Unreachable, telegram.Poison, telegram.Gone, telegram.Ambiguous:
		d.cfg.Log.Info("a topic was not made", "chat", v.home.ID, "subject", string(s), "err", err)
		return nil
	}
	return err
}
