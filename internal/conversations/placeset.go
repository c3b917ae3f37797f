package conversations

import (
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// topics has the group's messages go to topics that the bot makes, one for each subject, or to the group as such again.
func (t placeFlow) topics(value string) error {
	a, ok, err := t.owned()
	switch {
	case err != nil || !ok:
		return err
	case a.Place == nil:
		t.ack(screen.ToastStale)
		return teamFlow(t).team()
	case value != screen.AlertOn && value != screen.AlertOff:
		return t.stale()
	}
	a, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
		if value == screen.AlertOn {
			return tx.MakeTopics(a)
		}
		return tx.EndTopics(a)
	})
	switch {
	case err != nil:
		return t.refused(err)
	case t.private || a.Place == nil:
		return t.place()
	}
	return t.say(t.scr.Places().Set(a.Called(), *a.Place))
}

// placeFull shows codes to a whole group, once that is surely meant, or hides them again.
func (t placeFlow) placeFull(value string) error {
	a, ok, err := t.owned()
	switch {
	case err != nil || !ok:
		return err
	case a.Place == nil:
		t.ack(screen.ToastStale)
		return teamFlow(t).team()
	case value == screen.AlertOn, value == screen.Yes && t.action.Arg(1) != screen.PlaceSince(*a.Place):
		return t.say(t.scr.Places().AskFull(*a.Place))
	}
	a, err = t.asOwner(a.ID, func(_ *store.Tx, a *store.Account) error {
		if a.Place != nil {
			at := *a.Place
			at.Full = value == screen.Yes
			a.Place = &at
		}
		return nil
	})
	switch {
	case err != nil:
		return t.refused(err)
	case t.private || a.Place == nil:
		return t.place()
	}
	return t.say(t.scr.Places().Set(a.Called(), *a.Place))
}
