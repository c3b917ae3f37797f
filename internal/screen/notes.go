package screen

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

const mostListLine = 1_000_000 // no line of a list has a higher number

// noteRow is a row of the table of notes.
type noteRow struct {
	takes []string // its arguments
	show  func(p Notes, args map[string]string) Message
}

// notes are all notes, by their name: the arguments that each takes, and how it reads.
// It is filled here and never changed. notes_test.go holds the arguments to samples: one that is not listed, or that changes nothing of
// what is said, fails there.
var notes = map[store.NoteName]noteRow{
	store.AlertsNote:         {takes: []string{"account", "items"}, show: Notes.alertNote},
	store.DebitNote:          {takes: []string{"account", "amount", "balance", "held"}, show: Notes.debitNote},
	store.DebitElsewhereNote: {takes: []string{"account", "amount", "balance", "held"}, show: Notes.debitElsewhereNote},
	store.DebitOrLateNote:    {takes: []string{"account", "amount", "balance", "held", "orders"}, show: Notes.debitOrLateNote},
	store.OutageNote:         noteOf("outage.began", toOrders),
	store.OutageOverNote:     noteOf("outage.over", toOrders),
	store.TroubleNote:        {takes: []string{"trouble", "since", "count", "accounts"}, show: Notes.troubleNote},
	store.TroubleOverNote:    {takes: []string{"trouble", "since", "end"}, show: Notes.troubleOverNote},

	store.CodeChangedNote: noteOf("note.code_changed", toOrder, noteRef),
	store.GoneNote:        noteOf("note.gone", toOrder, noteRef),
	store.UndoneNote:      noteOf("note.undone", toOrder, noteRef),
	store.ClaimedNote:     noteOf("note.claimed", toOrder, noteRef, noteArg{"other", "Other", refText}),
	store.AlikeNote:       noteOf("note.alike", toOrder, noteRef, noteArg{"other", "Other", refText}),
	store.SameCodeNote:    noteOf("note.same_code", toOrder, noteRef),
	store.ChargedNote: noteUnpriced(noteOf("note.charged_unpriced", toOrder, noteRef),
		noteAnew(noteOf("note.charged", toOrder, noteRef, noteShown, noteCharged), noteOf("note.charged_anew", toOrder, noteRef, noteShown, noteBefore, noteCharged))),
	store.PriceUnsureNote: noteUnpriced(noteOf("note.charged_unpriced", toOrder, noteRef),
		noteAnew(noteOf("note.price_unsure", toOrder, noteRef, noteShown, noteNamed), noteOf("note.price_unsure_anew", toOrder, noteRef, noteShown, noteBefore, noteNamed))),
	store.FewerNote: noteUnpriced(noteOf("note.fewer_unpriced", toOrder, noteRef, noteMade, noteAsked),
		noteOf("note.fewer", toOrder, noteRef, noteMade, noteAsked, noteCharged)),
	store.ApprovedNote:       noteOf("note.approved", toOrder, noteRef, notePerson),
	store.ApprovedFailedNote: noteUnbought(noteOf("note.approved_failed", toOrder, noteRef, notePerson)),
	store.AskedAgainNote:     noteOf("note.asked_again", toOrder, noteRef),
	store.DecideNote:         noteOf("note.decide", toOrder, noteRef),
	store.UndeliverableNote:  noteOf("note.undeliverable", toOrder, noteRef),
	store.VaultNote:          noteOf("vault.title", toVault),
	store.UnwrittenNote:      noteOf("stumble.title", noButton, noteRef),

	store.JoinedNote:    joinedNote(noteOf("team.note_joined", toTeam, notePerson, noteRole)),
	store.LeftNote:      {takes: []string{"person", "till"}, show: Notes.leftNote},
	store.DismissedNote: noteOf("team.note_dismissed", toTeam, notePerson, noteArg{"by", "By", nameText}),
	store.RoleOfNote:    noteOf("team.note_role_of", toTeam, notePerson, noteRole),
	store.InheritedNote: noteOf("team.note_inherited", noButton, notePerson),
	store.ListLeftNote:  noteOf("team.note_list_stopped", noButton, notePerson, noteArg{"lines", "Lines", rowsText}, noteArg{"items", "Items", itemsText}),
	store.LockedNote:    noteOf("team.note_locked", toUnlock, notePerson),
	store.UnlockedNote:  {takes: []string{"person"}, show: Notes.unlockedNote},
	store.RemovedNote:   {takes: []string{"account", "open"}, show: Notes.removedNote},
	store.RoleNote:      noteOf("team.note_role", toHome, noteRole),
	store.ClosedNote:    {takes: []string{"account", "role"}, show: Notes.closedNote},
	store.FellBackNote:  noteOf("accounts.fell_back", toHome, noteAccount),
	store.ReopenedNote:  noteOf("team.note_reopened", toHome, noteAccount, noteRole),
	store.LetInNote:     noteOf("team.note_let_in", toKey),
	store.ShutOutNote:   {takes: []string{"open"}, show: Notes.shutOutNote},
	store.ParkedNote:    {takes: []string{"button"}, show: Notes.parkedNote},

	store.PlaceNote:        noteOf("team.note_place", toTeam, notePerson, noteGroup),
	store.PlaceOffNote:     noteOf("team.note_place_off", toTeam, notePerson, noteGroup),
	store.PlaceTakenNote:   noteOf("team.note_place_taken", toTeam, notePerson, noteGroup),
	store.PlaceClosedNote:  noteOf("team.note_place_closed", toTeam, noteGroup),
	store.PlaceLostNote:    noteOf("team.note_place_lost", toTeam, noteGroup),
	store.PlaceBackNote:    noteOf("team.note_place_back", toTeam, noteGroup),
	store.TopicLostNote:    noteOf("team.note_topic_lost", toTeam, noteGroup),
	store.NoTopicsNote:     noteOf("team.note_no_topics", toTeam, noteGroup),
	store.StillReadsNote:   noteOf("team.note_still_reads", toHide, notePerson, noteGroup),
	store.MayStillReadNote: noteOf("team.note_may_still_read", toHide, notePerson, noteGroup),

	store.KeyRefusedNote:    {takes: []string{"class", "orders"}, show: Notes.keyRefusedNote},
	store.KeyTroubleNote:    {takes: []string{"class", "ref"}, show: Notes.keyTroubleNote},
	store.RemovedKeyNote:    noteOf("team.note_removed_key", toKey, notePerson),
	store.RestoredNote:      {takes: []string{"orders"}, show: Notes.restoredNote},
	store.RestoredTeamNote:  {takes: []string{"team"}, show: Notes.restoredTeamNote},
	store.TeamConfirmedNote: noteOf("team.note_confirmed", noButton, notePerson),
	store.FrozenNote:        {takes: []string{"class", "unread"}, show: Notes.frozenNote},

	store.ReportNote:     {takes: []string{"figures"}, show: Notes.reportNote},
	store.PriceListNote:  {takes: []string{"picture", "form", "day", "page"}, show: Notes.priceListNote},
	store.BoardNote:      {takes: []string{"board"}, show: Notes.boardNote},
	store.CountedNote:    {takes: []string{"person", "counter", "amount"}, show: Notes.countedNote},
	store.CountTakenNote: {takes: []string{"person", "amount"}, show: Notes.countTakenNote},
	store.CountLeftNote:  {takes: []string{"person", "amount", "other"}, show: Notes.countLeftNote},
	store.RecountNote:    {takes: []string{"person", "counter"}, show: Notes.recountNote},
	store.SaleUndoneNote: {takes: []string{"person", "counter", "amount", "item", "units", "more"}, show: Notes.saleUndoneNote},
	store.TillTakenNote:  {takes: []string{"person", "counter", "amount"}, show: Notes.tillTakenNote},
	store.TillBelowNote:  {takes: []string{"person", "counter", "amount", "held"}, show: Notes.tillBelowNote},
}

// KnowsNote reports whether there is a text for a note of that name.
func KnowsNote(name store.NoteName) bool {
	_, ok := notes[name]
	return ok
}

// Note is a message that nobody asked for, by its name. One of an unknown name says that there is news, and no more.
func (p Notes) Note(name store.NoteName, args map[string]string) Message {
	if row, ok := notes[name]; ok {
		return row.show(p, args)
	}
	// A note is in the outbox for as long as its chat cannot be reached: one of a version after this one may be in it.
	return p.someNote()
}

// someNote is a note of which nothing is known.
func (p Notes) someNote() Message { return Message{HTML: p.t("note.generic", nil)} }

// noteArg is an argument of a note that stands in its text.
type noteArg struct {
	name string // of the argument
	as   string // its placeholder
	text func(p Notes, value string) any
}

// The arguments of more than one note.
var (
	noteMade    = noteArg{"made", "Made", nameText}
	noteAsked   = noteArg{"asked", "All", nameText}
	noteAccount = noteArg{"account", "Account", func(p Notes, s string) any { return p.account(s) }}
	noteBefore  = noteArg{"before", "Before", exactText}
	noteCharged = noteArg{"charged", "Charged", exactText}
	noteGroup   = noteArg{"group", "Group", nameText}
	noteNamed   = noteArg{"named", "Named", exactText}
	notePerson  = noteArg{"person", "Name", nameText}
	noteRef     = noteArg{"ref", "Ref", refText}
	noteShown   = noteArg{"shown", "Shown", exactText}
	noteRole    = noteArg{"role", "Role", func(p Notes, s string) any { return p.roleName(store.Role(s)) }}
)

func nameText(_ Notes, s string) any { return name(s) }

func rowsText(_ Notes, s string) any { return unitRows(store.ParseUnits(s, mostListLine)) }

// itemsText are items, each in a line of its own.
func itemsText(p Notes, s string) any {
	var out []string
	for item := range strings.Lines(s) {
		out = append(out, p.direct(isolate(escape(clean(item, listName)))))
	}
	return locales.HTML(lines(out...))
}

func exactText(p Notes, s string) any { return p.exact(s) }

func refText(_ Notes, s string) any {
	return locales.HTML(isolate("#" + escape(clean(s, nameLength))))
}

// noteButton is the button under a note.
type noteButton struct {
	key  string // its text
	arg  string // the argument that it is about, if there is one; without a value, there is no button
	does func(value string) Action
}

// The buttons under notes.
var (
	noButton = noteButton{}
	toHome   = noteButton{key: "button.home", does: func(string) Action { return act(VerbHome) }}
	toHide   = noteButton{key: "button.place_hide", does: func(string) Action { return act(VerbPlaceFull, AlertOff) }}
	toKey    = noteButton{key: "button.key", does: func(string) Action { return act(VerbKey) }}
	toOrder  = noteButton{key: "button.order", arg: "purchase", does: func(purchase string) Action { return act(VerbOrder, purchase) }}
	toOrders = noteButton{key: "button.orders", does: func(string) Action { return act(VerbOrders, "") }}
	toTeam   = noteButton{key: "button.team", does: func(string) Action { return act(VerbTeam) }}
	toUnlock = noteButton{key: "button.unlock", does: func(string) Action { return act(VerbUnlock) }}
	toVault  = noteButton{key: "button.vault", arg: "chat", does: func(chat string) Action { return act(VerbVault, chat) }}
)

// keyboard is the button alone, if there is one.
func (b noteButton) keyboard(p Notes, args map[string]string) [][]Button {
	if b.key == "" || b.arg != "" && args[b.arg] == "" {
		return nil
	}
	// The note stays as it is: it was told, and is not to turn into what its button leads to.
	return [][]Button{row(p.button(b.key, b.does(args[b.arg]).fresh()))}
}

// noteOf is a note of one text and at most one button.
func noteOf(key string, under noteButton, args ...noteArg) noteRow {
	var takes []string
	if under.arg != "" {
		takes = append(takes, under.arg)
	}
	for _, a := range args {
		takes = append(takes, a.name)
	}
	return noteRow{takes: takes, show: func(p Notes, values map[string]string) Message {
		fills := locales.Args{}
		for _, a := range args {
			fills[a.as] = a.text(p, values[a.name])
		}
		return Message{HTML: p.t(key, fills), Keyboard: under.keyboard(p, values)}
	}}
}

// noteUnpriced is a note about what something has cost, and how it reads for who is not to see that.
func noteUnpriced(unpriced, row noteRow) noteRow {
	return noteRow{takes: row.takes, show: func(p Notes, args map[string]string) Message {
		if p.asks != nil {
			return unpriced.show(p, args)
		}
		return row.show(p, args)
	}}
}

// noteAnew is a note that has another text where people were told another figure before.
func noteAnew(first, anew noteRow) noteRow {
	return noteRow{takes: anew.takes, show: func(p Notes, values map[string]string) Message {
		if values["before"] == "" {
			return first.show(p, values)
		}
		return anew.show(p, values)
	}}
}

// about puts the name of an account above what is told of it, where others read along.
func (p Printer) about(account string, m Message) Message {
	// In private it is empty: a chat is of one account.
	if account != "" {
		m.HTML = lines(p.direct("<b>"+string(p.account(account))+"</b>"), m.HTML)
	}
	return m
}

// parkedNote tells that a message, or a tap on a button, could not be handled. It stands under what it answers.
func (p Notes) parkedNote(args map[string]string) Message {
	home, button := toHome.keyboard(p, nil), args["button"]
	if clean(button, buttonName) == "" {
		return Message{HTML: p.t("parked.title", nil), Keyboard: home}
	}
	return Message{HTML: p.t("parked.tap", locales.Args{"Button": name(button)}), Keyboard: home}
}

// unlockedNote tells that purchases are allowed again: by whom of the team, or, where nobody is named, by whoever runs
// the bot.
func (p Notes) unlockedNote(args map[string]string) Message {
	if args["person"] == "" {
		return Message{HTML: p.t("team.note_unlocked_operator", nil)}
	}
	return Message{HTML: p.t("team.note_unlocked", locales.Args{"Name": name(args["person"])})}
}

// removedNote tells people that they are of the team no more, and what of theirs goes on.
func (p Notes) removedNote(args map[string]string) Message {
	goes := p.stillOpen("team.note_goes_on", args)
	return Message{HTML: lines(p.t("team.note_removed", locales.Args{"Account": p.account(args["account"])}), goes)}
}

// closedNote tells people that their team has ended with its account. Who has bought nothing has nothing to wait for.
func (p Notes) closedNote(args map[string]string) Message {
	ended := p.t("team.note_closed", locales.Args{"Account": p.account(args["account"])})
	if store.Role(args["role"]) == store.Counter {
		return Message{HTML: ended}
	}
	return Message{HTML: ended + " " + p.t("team.note_closed_bought", nil)}
}

// shutOutNote tells people that they may not use the bot any more, and what of theirs goes on.
func (p Notes) shutOutNote(args map[string]string) Message {
	return Message{HTML: lines(p.t("team.note_shut_out", nil), p.stillOpen("team.note_shut_out_open", args))}
}

// stillOpen tells how many purchases go on without their buyer; nothing where none does.
func (p Notes) stillOpen(key string, args map[string]string) string {
	open, err := strconv.Atoi(args["open"])
	if err != nil || open < 1 {
		return ""
	}
	return p.direct(p.texts.N(key, open, nil))
}

// keyRefusedNote tells that the service does not take the account's key while orders wait, or nothing but refunds.
func (p Notes) keyRefusedNote(args map[string]string) Message {
	said := p.texts.N("team.note_key_refused", numberIn(args["orders"]), nil)
	if args["orders"] == "0" {
		said = p.t("team.note_key_refunds", nil)
	}
	return Message{HTML: lines(said, p.Failures().why(classNamed(args["class"]), 0)), Keyboard: toKey.keyboard(p, nil)}
}

// joinedNote is a note about somebody who has joined a team, in words of its own where they came with the key of the account: nobody has
// invited them. Of a seller without limits it says that, and leads to where they are set.
func joinedNote(base noteRow) noteRow {
	return noteRow{takes: append(slices.Clone(base.takes), "key", "unlimited"), show: func(p Notes, args map[string]string) Message {
		m := base.show(p, args)
		if args["key"] != "" {
			m.HTML = p.t("team.note_linked", locales.Args{"Name": name(args["person"])})
			m.Keyboard = append(p.toLock(), m.Keyboard...)
		}
		if seller := args["unlimited"]; seller != "" {
			m.HTML += "\n" + p.t("team.note_joined_unlimited", nil)
			m.Keyboard = append([][]Button{row(p.button("button.limits", act(VerbPerson, seller)))}, m.Keyboard...)
		}
		return m
	}}
}

// noteUnbought is a note about a purchase which tells, where it was not bought at all, what of its money and why.
func noteUnbought(row noteRow) noteRow {
	show := row.show
	row.takes = append(slices.Clone(row.takes), "phase", "class", "sent")
	row.show = func(p Notes, args map[string]string) Message {
		m := show(p, args)
		pu := store.Purchase{Phase: store.Phase(args["phase"]), Reason: args["class"], Refused: args["sent"] != ""}
		if pu.Phase != store.Dropped && pu.Phase != store.Rejected {
			return m
		}
		status, _ := p.Purchases().status(pu, nil, store.QueuePlace{})
		said := p.t("note.approved_unbought", locales.Args{"Ref": refText(p, args["ref"]), "Name": name(args["person"])})
		m.HTML = lines(said, status, p.Refunds().reason(pu, BalanceView{}))
		return m
	}
	return row
}

// keyTroubleNote tells that somebody else of the team has met a key that is not taken. A purchase that was sent, and is named
// then, may have been executed all the same.
func (p Notes) keyTroubleNote(args map[string]string) Message {
	said := p.t("team.note_key", nil)
	if args["ref"] != "" {
		said = p.t("team.note_key_sent", locales.Args{"Ref": refText(p, args["ref"])})
	}
	return Message{HTML: lines(said, p.Failures().why(classNamed(args["class"]), 0)), Keyboard: toKey.keyboard(p, nil)}
}

// numberIn is the number in an argument, 1 where it is none.
func numberIn(text string) int {
	n, err := strconv.Atoi(text)
	// It stands in a sentence in the plural form of the language, for which zero would be wrong: there is one at least, or
	// nobody would be told.
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// restoredNote tells that a restored account buys again, and which of its orders are unknown here.
func (p Notes) restoredNote(args map[string]string) Message {
	unknown := ""
	if ids := clean(args["orders"], 600); ids != "" {
		unknown = p.t("restored.unknown", locales.Args{"Orders": locales.HTML(isolate(escape(ids)))})
	}
	return Message{HTML: lines(p.t("restored.title", nil), unknown), Keyboard: toOrders.keyboard(p, nil)}
}

// restoredTeamNote shows an owner the team of a restored account.
func (p Notes) restoredTeamNote(args map[string]string) Message {
	var v store.TeamShown
	// Half of a team must not be confirmed.
	if json.Unmarshal([]byte(args["team"]), &v) != nil {
		return p.someNote()
	}
	return p.Team().Restored(v)
}

// frozenNote shows what of a restored account cannot be read, and lets its owner decide.
func (p Notes) frozenNote(args map[string]string) Message {
	return p.Keys().frozen(strings.Fields(args["unread"]), classNamed(args["class"]))
}
