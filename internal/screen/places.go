package screen

import (
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// placeLine tells where all deliveries go as well; out is that the bot is not in that group any more.
func (p Places) placeLine(at *store.Place, out bool) string {
	switch {
	case at == nil:
		return p.t("team.place_none", nil)
	case out:
		return p.t("team.place_out", locales.Args{"Group": name(at.Title)})
	case at.Full:
		return p.t("team.place_full", locales.Args{"Group": name(at.Title)})
	}
	return p.t("team.place", locales.Args{"Group": name(at.Title)})
}

// TeamInGroup tells where the team is managed, and offers the group for deliveries. here tells that it is, or
// that the topic at hand is, the place already.
func (p Places) TeamInGroup(a store.Account, here bool) Message {
	keys, at := [][]Button{}, a.Place
	if here {
		keys = append(keys, p.hereKeys(at)...)
	} else {
		keys = append(keys, row(p.hereButton(a)))
	}
	return Message{HTML: p.of(a.Called(), lines(p.placeLine(at, false), p.topicsLine(at), p.t("team.in_private", nil))), Keyboard: keys}
}

// Welcome tells in a group, in which nothing is linked, what the bot can do there, and who has it do so. A key is never
// asked for where others read along.
func (p Places) Welcome() Message {
	return Message{HTML: p.t("place.welcome", nil), Keyboard: [][]Button{row(p.button("button.place_here", act(VerbPlaceHere)))}}
}

// GroupUnlinked tells that there is no account that something in a group could be about.
func (p Places) GroupUnlinked() Message { return Message{HTML: p.t("place.unlinked", nil)} }

// NotOfTeam refuses somebody in the group of an account that they are not of.
func (p Places) NotOfTeam(account string) Message {
	return Message{HTML: p.t("refuse.not_of_team", locales.Args{"Account": p.account(account)})}
}

// topicsLine tells how the group's topics stand; nothing where nobody wants any.
func (p Places) topicsLine(at *store.Place) string {
	switch {
	case at.TopicRefused():
		return p.t("place.topics_refused", nil)
	case at.AwaitsTopics():
		return p.t("place.topics_soon", nil)
	case at.HasTopics():
		return p.t("place.topics", nil)
	}
	return ""
}

// topicsKey has topics made, or everything come to the group as such again.
func (p Places) topicsKey(at *store.Place) Button {
	if at.HasTopics() && !at.TopicRefused() {
		return p.button("button.topics_off", act(VerbTopics, AlertOff))
	}
	return p.button("button.topics_on", act(VerbTopics, AlertOn))
}

// fullKey shows codes to a whole group, or to those alone who ask for them.
func (p Places) fullKey(at *store.Place) []Button {
	// Hiding takes one tap; showing is asked about, as everybody in the group reads every code from then on.
	if at.Full {
		return row(p.button("button.place_hide", act(VerbPlaceFull, AlertOff)))
	}
	return row(p.button("button.place_full", act(VerbPlaceFull, AlertOn)))
}

// Page is where all deliveries go as well, and how to change that. link adds the bot to a group.
func (p Places) Page(at *store.Place, out bool, link string) Message {
	// A link, and no callback: it makes the client offer the groups that the bot can be added to.
	keys := [][]Button{row(Button{Text: p.plain("button.place_add", nil), URL: link})}
	topics := ""
	if at != nil && !out {
		topics = p.topicsLine(at)
		keys = append(keys, p.fullKey(at), row(p.topicsKey(at)))
	}
	if at != nil {
		keys = append(keys, row(p.button("button.place_off", act(VerbPlaceOff))))
	}
	return Message{HTML: lines(p.placeLine(at, out), topics, p.t("place.help", nil)), Keyboard: append(keys, row(p.button("button.back", act(VerbTeam))))}
}

// Set tells a group that deliveries come to it from now on.
func (p Places) Set(account string, at store.Place) Message {
	text := p.t("place.set", nil)
	if at.Full {
		text = p.t("place.set_full", nil)
	}
	return Message{HTML: p.of(account, lines(text, p.topicsLine(&at))), Keyboard: p.hereKeys(&at)}
}

// hereKeys are what an owner can set in the group itself.
func (p Places) hereKeys(at *store.Place) [][]Button {
	return [][]Button{p.fullKey(at), row(p.topicsKey(at), p.button("button.sounds", act(VerbHear).fresh())), row(p.button("button.place_off", act(VerbPlaceOff)))}
}

// PlaceSince stands for a place as it was chosen, in what confirms something about it: another one, or the same chosen anew, has
// another.
func PlaceSince(at store.Place) string { return since(at.Chat, at.At) }

// AskFull asks whether everybody in a group is meant to see codes.
func (p Places) AskFull(at store.Place) Message {
	return Message{HTML: p.t("place.ask_full", locales.Args{"Group": name(at.Title)}), Keyboard: [][]Button{
		row(p.button("button.place_full_yes", act(VerbPlaceFull, Yes, PlaceSince(at)))), row(p.button("button.place_hide", act(VerbPlaceFull, AlertOff))),
	}}
}

// Taken refuses a group that is another shop's.
func (p Places) Taken() Message { return Message{HTML: p.t("place.taken", nil)} }

// Apart tells a group that what is its owners' alone has gone to the private chat of the one who asked, or has to be asked for there.
func (p Places) Apart(sent bool) Message {
	if sent {
		return Message{HTML: p.t("place.apart", nil)}
	}
	return Message{HTML: p.t("place.ask_apart", nil)}
}

// Unsure tells that Telegram does not say who may decide about a group.
func (p Places) Unsure() Message { return Message{HTML: p.t("place.unsure", nil)} }

// AskTake asks whether a group of another account, which a mark stands for, is to be this one's.
func (p Places) AskTake(account, from string) Message {
	return Message{HTML: p.t("place.ask_take", locales.Args{"Account": p.account(account)}), Keyboard: [][]Button{row(p.button("button.place_take", act(VerbPlaceHere, Yes, from)))}}
}

// Off tells that deliveries go nowhere else any more. It took one tap, and one takes it back.
func (p Places) Off(a store.Account) Message {
	return Message{HTML: p.of(a.Called(), p.t("place.off", nil)), Keyboard: [][]Button{row(p.hereButton(a))}}
}

// hereButton has deliveries of an account go to the group. Others of the group may own another account.
func (p Places) hereButton(a store.Account) Button {
	here := act(VerbPlaceHere)
	if a.ID != "" {
		// The tap is held against it (placeFlow.placeHere): an owner of another account does not link the group by this card.
		here.Of = AccountMark(a.ID)
	}
	return p.button("button.place_here", here)
}
