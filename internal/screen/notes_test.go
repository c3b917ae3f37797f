package screen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"testing"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// noteSample is a note with the name of its golden screen.
type noteSample struct {
	variant string
	name    store.NoteName
	args    map[string]string
	reader  screen.Reader
}

// noteSamples are notes of every name.
func noteSamples() []noteSample {
	return []noteSample{
		{variant: "note_alerts", name: store.AlertsNote, args: map[string]string{"items": `[{"k":"balance","a":"900","l":"1000"},{"k":"days","a":"900","n":2},{"k":"stock","p":"Card","v":"5 USD","n":2},{"k":"expiry","p":"ببجي","v":"60","n":2,"l":"2025-11-25T10:00:00Z"},{"k":"back","p":"Card","v":"5 USD","a":"1250.5"},{"k":"price","p":"Card","v":"5 USD","a":"1300","l":"1250.5","i":7},{"k":"shelf","p":"Card","v":"10 USD","n":2,"i":7},{"k":"shelf","p":"Pass","v":"1 month","i":8},{"k":"expiry","p":"Pass","v":"1 year","n":1,"l":"2025-11-25T10:00:00Z","c":true}]`}},
		{variant: "note_alerts_margin", name: store.AlertsNote, args: map[string]string{"items": `[{"k":"price","p":"Card","v":"5 USD","a":"1300","l":"1250.5","i":7,"w":"1380","o":"1430","f":"129.5","g":"130"},{"k":"price","p":"Card","v":"10 USD","a":"1500","l":"1250","i":7,"w":"1400","o":"1400","f":"150","g":"-100"}]`}},
		{variant: "note_alerts_margin_seller", name: store.AlertsNote, args: map[string]string{"items": `[{"k":"price","p":"Card","v":"5 USD","a":"1300","l":"1250.5","i":7,"w":"1380","o":"1430","f":"129.5","g":"130"},{"k":"price","p":"Card","v":"10 USD","a":"1500","l":"1250","i":7,"w":"1400","o":"1400","f":"150","g":"-100"}]`}, reader: screen.ForSeller},
		{variant: "note_price_list", name: store.PriceListNote, args: map[string]string{"picture": "iVBORw0KGgo=", "form": screen.PriceListTall, "day": "2026-11-22", "page": "0"}},
		{variant: "note_price_list_sheet", name: store.PriceListNote, args: map[string]string{"picture": "iVBORw0KGgo=", "form": screen.PriceListSheet, "day": "2026-11-22", "page": "1"}},
		{variant: "note_price_list_broken", name: store.PriceListNote, args: map[string]string{"picture": "?", "form": screen.PriceListTall, "day": "2026-11-22", "page": "0"}},
		{variant: "note_alerts_group", name: store.AlertsNote, args: map[string]string{"account": "Boutique Amina", "items": `[{"k":"balance","a":"900","l":"1000"}]`}, reader: screen.ForShop},
		{variant: "note_alerts_broken", name: store.AlertsNote, args: map[string]string{"items": `{`}},
		{variant: "note_debit", name: store.DebitNote, args: map[string]string{"amount": "500", "balance": "100.5"}},
		{variant: "note_debit_held", name: store.DebitNote, args: map[string]string{"amount": "500", "balance": "100.5", "held": "600"}},
		{variant: "note_debit_or_late_held", name: store.DebitOrLateNote, args: map[string]string{"amount": "1250.5", "balance": "100.5", "held": "1300", "orders": "#NP7QR · #JEMJ44"}},
		{variant: "note_debit_elsewhere_held", name: store.DebitElsewhereNote, args: map[string]string{"amount": "1250.5", "balance": "100.5", "held": "1300"}},
		{variant: "note_debit_or_late", name: store.DebitOrLateNote, args: map[string]string{"amount": "1250.5", "balance": "100.5", "orders": "#NP7QR · #JEMJ44"}},
		{variant: "note_debit_elsewhere", name: store.DebitElsewhereNote, args: map[string]string{"amount": "1250.5", "balance": "100.5"}},
		{variant: "note_debit_elsewhere_group", name: store.DebitElsewhereNote, args: map[string]string{"account": "متجر أمينة", "amount": "500", "balance": "100.5"}, reader: screen.ForShop},
		{variant: "note_debit_group", name: store.DebitNote, args: map[string]string{"account": "متجر أمينة", "amount": "500", "balance": "100.5"}, reader: screen.ForShop},
		{variant: "note_debit_or_late_hostile", name: store.DebitOrLateNote, args: map[string]string{"account": hostile(), "amount": "-999999999999.9999", "balance": "999999999999.9999", "orders": hostile()}, reader: screen.ForShop},
		{variant: "note_outage", name: store.OutageNote},
		{variant: "note_report", name: store.ReportNote, args: map[string]string{"figures": figures(reported())}},
		{variant: "note_count_taken", name: store.CountTakenNote, args: map[string]string{"person": "Sam", "amount": "35000000"}},
		{variant: "note_count_left", name: store.CountLeftNote, args: map[string]string{"person": "Sam", "amount": "35000000", "other": "34000000"}},
		{variant: "note_recount", name: store.RecountNote, args: map[string]string{"person": "Sam", "counter": "601"}},
		{variant: "note_board", name: store.BoardNote, args: boardOf(3, 2)},
		{variant: "note_board_closed", name: store.BoardNote, args: boardClosed()},
		{variant: "note_sale_undone", name: store.SaleUndoneNote, args: map[string]string{"person": "Amina", "counter": "601", "amount": "14100000", "item": "PUBG Mobile · 60 UC", "units": "1", "more": "0"}},
		{variant: "note_sales_undone", name: store.SaleUndoneNote, args: map[string]string{"person": "Amina", "counter": "601", "amount": "54100000", "item": "PUBG Mobile · 60 UC", "units": "2", "more": "3"}},
		{variant: "note_till_taken", name: store.TillTakenNote, args: map[string]string{"person": "Amina", "counter": "601", "amount": "50000000"}},
		{variant: "note_till_below", name: store.TillBelowNote, args: map[string]string{"person": "Karim", "counter": "601", "amount": "50000000", "held": "19100000"}},
		{variant: "note_counted", name: store.CountedNote, args: map[string]string{"person": "Karim", "counter": "601", "amount": "35000000"}},
		{variant: "note_outage_over", name: store.OutageOverNote},
		{variant: "note_trouble_copies", name: store.TroubleNote, args: map[string]string{"trouble": "copies", "since": "2025-11-20T10:00:00Z"}},
		{variant: "note_trouble_disk", name: store.TroubleNote, args: map[string]string{"trouble": "disk"}},
		{variant: "note_trouble_key", name: store.TroubleNote, args: map[string]string{"trouble": "key", "accounts": "Boutique Amina"}},
		{variant: "note_trouble_key_hostile", name: store.TroubleNote, args: map[string]string{"trouble": "key", "accounts": hostile()}},
		{variant: "note_trouble_poller", name: store.TroubleNote, args: map[string]string{"trouble": "poller"}},
		{variant: "note_trouble_service", name: store.TroubleNote, args: map[string]string{"trouble": "service", "since": "2025-11-20T10:00:00Z"}},
		{variant: "note_trouble_parked_1", name: store.TroubleNote, args: map[string]string{"trouble": "parked", "count": "1"}},
		{variant: "note_trouble_parked_2", name: store.TroubleNote, args: map[string]string{"trouble": "parked", "count": "2"}},
		{variant: "note_trouble_parked_3", name: store.TroubleNote, args: map[string]string{"trouble": "parked", "count": "3"}},
		{variant: "note_trouble_parked_11", name: store.TroubleNote, args: map[string]string{"trouble": "parked", "count": "11"}},
		{variant: "note_trouble_outbox", name: store.TroubleNote, args: map[string]string{"trouble": "outbox", "since": hostile()}},
		{variant: "note_trouble_orders", name: store.TroubleNote, args: map[string]string{"trouble": "orders", "since": hostile()}},
		{variant: "note_trouble_copies_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "copies", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_trouble_disk_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "disk", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_trouble_key_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "key", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_trouble_poller_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "poller", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_trouble_telegram_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "telegram", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_trouble_service_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "service", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_trouble_parked_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "parked", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_trouble_outbox_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "outbox", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_trouble_orders_over", name: store.TroubleOverNote, args: map[string]string{"trouble": "orders", "since": "2025-11-20T10:00:00Z", "end": "2025-11-20T12:30:00Z"}},
		{variant: "note_code_changed", name: store.CodeChangedNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID}},
		{variant: "note_code_changed_operator", name: store.CodeChangedNote, args: map[string]string{"ref": "NP7QR"}},
		{variant: "note_gone", name: store.GoneNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID}},
		{variant: "note_undone", name: store.UndoneNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID}},
		{variant: "note_claimed", name: store.ClaimedNote, args: map[string]string{"ref": "NP7QR", "other": "JEMJ44", "purchase": purchaseID}},
		{variant: "note_claimed_operator", name: store.ClaimedNote, args: map[string]string{"ref": "NP7QR", "other": "JEMJ44"}},
		{variant: "note_alike", name: store.AlikeNote, args: map[string]string{"ref": "NP7QR", "other": "JEMJ44", "purchase": purchaseID}},
		{variant: "note_same_code", name: store.SameCodeNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID}},
		{variant: "note_charged", name: store.ChargedNote, args: map[string]string{"ref": "NP7QR", "shown": "1250.5", "charged": "1900", "purchase": purchaseID}},
		{variant: "note_price_unsure", name: store.PriceUnsureNote, args: map[string]string{"ref": "NP7QR", "shown": "1250.5", "named": "1900", "purchase": purchaseID}},
		{variant: "note_charged_anew", name: store.ChargedNote, args: map[string]string{"ref": "NP7QR", "shown": "1250.5", "before": "1900", "charged": "1250.5", "purchase": purchaseID}},
		{variant: "note_price_unsure_anew", name: store.PriceUnsureNote, args: map[string]string{"ref": "NP7QR", "shown": "1250.5", "before": "1900", "named": "2100", "purchase": purchaseID}},
		{variant: "note_fewer", name: store.FewerNote, args: map[string]string{"ref": "NP7QR", "made": "1", "asked": "2", "charged": "1250.5", "purchase": purchaseID}},
		{variant: "note_fewer_hostile", name: store.FewerNote, args: map[string]string{"ref": hostile(), "made": hostile(), "asked": hostile(), "charged": hostile(), "purchase": purchaseID}},
		{variant: "note_approved", name: store.ApprovedNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID, "person": "Karim"}},
		{variant: "note_approved_failed", name: store.ApprovedFailedNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID, "person": hostile()}},
		{variant: "note_approved_dropped", name: store.ApprovedFailedNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID, "person": hostile(), "phase": "dropped", "class": store.ReasonPrice}},
		{variant: "note_approved_rejected", name: store.ApprovedFailedNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID, "person": hostile(), "phase": "rejected", "class": "funds"}},
		{variant: "note_approved_rejected_sent", name: store.ApprovedFailedNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID, "person": hostile(), "phase": "rejected", "class": "limited", "sent": "1"}},
		{variant: "note_asked_again", name: store.AskedAgainNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID}},
		{variant: "note_decide", name: store.DecideNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID}},
		{variant: "note_undeliverable", name: store.UndeliverableNote, args: map[string]string{"ref": "NP7QR", "purchase": purchaseID}},
		{variant: "note_vault", name: store.VaultNote, args: map[string]string{"chat": "-1001234567890"}},
		{variant: "note_stumble", name: store.UnwrittenNote, args: map[string]string{"ref": "ABC123"}},
		{variant: "note_joined", name: store.JoinedNote, args: map[string]string{"person": "Karim", "role": "seller"}},
		{variant: "note_joined_unlimited", name: store.JoinedNote, args: map[string]string{"person": "Karim", "role": "seller", "unlimited": "503"}},
		{variant: "note_joined_by_key", name: store.JoinedNote, args: map[string]string{"person": "Karim", "role": "owner", "key": "1"}},
		{variant: "note_joined_hostile", name: store.JoinedNote, args: map[string]string{"person": hostile(), "role": hostile()}},
		{variant: "note_left", name: store.LeftNote, args: map[string]string{"person": "Karim"}},
		{variant: "note_left_till", name: store.LeftNote, args: map[string]string{"person": "Karim", "till": "20200000"}},
		{variant: "note_dismissed", name: store.DismissedNote, args: map[string]string{"person": "Karim", "by": "Amina"}},
		{variant: "note_dismissed_hostile", name: store.DismissedNote, args: map[string]string{"person": hostile(), "by": hostile()}},
		{variant: "note_role_of", name: store.RoleOfNote, args: map[string]string{"person": "Karim", "role": "seller"}},
		{variant: "note_list_left", name: store.ListLeftNote, args: map[string]string{"person": "Karim", "lines": "4-6,9", "items": "4 · Play Card 10 USD × 2\n9 · بطاقة الألعاب"}},
		{variant: "note_inherited", name: store.InheritedNote, args: map[string]string{"person": "Karim"}},
		{variant: "note_locked", name: store.LockedNote, args: map[string]string{"person": "Karim"}},
		{variant: "note_unlocked", name: store.UnlockedNote, args: map[string]string{"person": "Karim"}},
		{variant: "note_unlocked_operator", name: store.UnlockedNote, args: map[string]string{"person": ""}},
		{variant: "note_removed", name: store.RemovedNote, args: map[string]string{"account": "Boutique Amina"}},
		{variant: "note_removed_open_1", name: store.RemovedNote, args: map[string]string{"account": "Boutique Amina", "open": "1"}},
		{variant: "note_removed_open_2", name: store.RemovedNote, args: map[string]string{"account": "Boutique Amina", "open": "2"}},
		{variant: "note_removed_open_3", name: store.RemovedNote, args: map[string]string{"account": "Boutique Amina", "open": "3"}},
		{variant: "note_removed_open_11", name: store.RemovedNote, args: map[string]string{"account": "Boutique Amina", "open": "11"}},
		{variant: "note_role", name: store.RoleNote, args: map[string]string{"role": "seller"}},
		{variant: "note_closed", name: store.ClosedNote, args: map[string]string{"account": "Boutique Amina"}},
		{variant: "note_closed_counter", name: store.ClosedNote, args: map[string]string{"account": "Boutique Amina", "role": "counter"}},
		{variant: "note_reopened", name: store.ReopenedNote, args: map[string]string{"role": "seller", "account": "Boutique Amina"}},
		{variant: "note_fell_back", name: store.FellBackNote, args: map[string]string{"account": "Boutique Amina"}},
		{variant: "note_let_in", name: store.LetInNote},
		{variant: "note_shut_out", name: store.ShutOutNote},
		{variant: "note_shut_out_open_1", name: store.ShutOutNote, args: map[string]string{"open": "1"}},
		{variant: "note_shut_out_open_2", name: store.ShutOutNote, args: map[string]string{"open": "2"}},
		{variant: "note_shut_out_open_3", name: store.ShutOutNote, args: map[string]string{"open": "3"}},
		{variant: "note_shut_out_open_11", name: store.ShutOutNote, args: map[string]string{"open": "11"}},
		{variant: "note_parked", name: store.ParkedNote},
		{variant: "note_parked_tap", name: store.ParkedNote, args: map[string]string{"button": "🛍 شراء"}},
		{variant: "note_parked_hostile", name: store.ParkedNote, args: map[string]string{"button": hostile()}},
		{variant: "note_place", name: store.PlaceNote, args: map[string]string{"person": "Karim", "group": "Shop"}},
		{variant: "note_place_off", name: store.PlaceOffNote, args: map[string]string{"person": "Karim", "group": "Shop"}},
		{variant: "note_place_taken", name: store.PlaceTakenNote, args: map[string]string{"person": "Karim", "group": "Shop"}},
		{variant: "note_place_closed", name: store.PlaceClosedNote, args: map[string]string{"group": "Shop"}},
		{variant: "note_place_lost", name: store.PlaceLostNote, args: map[string]string{"group": "Shop"}},
		{variant: "note_place_back", name: store.PlaceBackNote, args: map[string]string{"group": "Shop"}},
		{variant: "note_topic_lost", name: store.TopicLostNote, args: map[string]string{"group": "Shop"}},
		{variant: "note_no_topics", name: store.NoTopicsNote, args: map[string]string{"group": "Shop"}},
		{variant: "note_still_reads", name: store.StillReadsNote, args: map[string]string{"person": "Karim", "group": "Shop"}},
		{variant: "note_may_still_read", name: store.MayStillReadNote, args: map[string]string{"person": "Karim", "group": "Shop"}},
		{variant: "note_key_refunds", name: store.KeyRefusedNote, args: map[string]string{"class": "unauthorized", "orders": "0"}},
		{variant: "note_key_refused_1", name: store.KeyRefusedNote, args: map[string]string{"class": "unauthorized", "orders": "1"}},
		{variant: "note_key_refused_2", name: store.KeyRefusedNote, args: map[string]string{"class": "ip_blocked", "orders": "2"}},
		{variant: "note_key_refused_3", name: store.KeyRefusedNote, args: map[string]string{"class": "unauthorized", "orders": "3"}},
		{variant: "note_key_refused_11", name: store.KeyRefusedNote, args: map[string]string{"class": "unauthorized", "orders": "11"}},
		{variant: "note_key_trouble", name: store.KeyTroubleNote, args: map[string]string{"class": "unauthorized"}},
		{variant: "note_key_trouble_sent", name: store.KeyTroubleNote, args: map[string]string{"class": "unauthorized", "ref": "NP7QR"}},
		{variant: "note_removed_key", name: store.RemovedKeyNote, args: map[string]string{"person": "Karim"}},
		{variant: "note_restored", name: store.RestoredNote, args: map[string]string{"orders": "#8 · #9"}},
		{variant: "note_restored_clean", name: store.RestoredNote},
		{variant: "note_restored_team", name: store.RestoredTeamNote, args: map[string]string{"team": `{"Account":"Boutique Amina","Members":[{"User":1,"Name":"Amina","Role":"owner"}],"Mark":"0123456789abcdef"}`}},
		{variant: "note_team_confirmed", name: store.TeamConfirmedNote, args: map[string]string{"person": "Karim"}},
		{variant: "note_frozen", name: store.FrozenNote, args: map[string]string{"unread": "goods arena battleroyale", "class": "upstream"}},
		{variant: "note_frozen_key", name: store.FrozenNote, args: map[string]string{"unread": "balance goods", "class": "unauthorized"}},
		{variant: "note", name: "of a kind to come"},
	}
}

// noteGoldens are the golden screens of notes.
func noteGoldens(p screen.Printer) []golden {
	var all []golden
	for _, s := range noteSamples() {
		all = append(all, golden{s.variant, p.As(s.reader).Notes().Note(s.name, s.args)})
	}
	return all
}

// noteNames reads the names of notes from the package that declares them.
func noteNames(t *testing.T) []store.NoteName {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../store/note.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []store.NoteName
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "NoteName" {
			return false
		}
		for _, v := range spec.Values {
			name, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, store.NoteName(name))
		}
		return false
	})
	if len(all) < 40 {
		t.Fatalf("only %d names of notes were found", len(all))
	}
	return all
}

// TestEveryNoteHasItsText: each name that the outbox may hold has a row in the table, and a sample whose text is its own in
// each language. A row of the table is of a name that there is.
func TestEveryNoteHasItsText(t *testing.T) {
	names, table := noteNames(t), screen.NoteTakes()
	for _, name := range names {
		if !screen.KnowsNote(name) {
			t.Errorf("there is no text for the note %s", name)
		}
		if !slices.ContainsFunc(noteSamples(), func(s noteSample) bool { return s.name == name }) {
			t.Errorf("no sample of the note %s: add one to noteSamples", name)
		}
	}
	for name := range table {
		if !slices.Contains(names, name) {
			t.Errorf("the table has a note %s that nothing makes", name)
		}
	}
	for _, lang := range locales.Languages() {
		p, _ := printers(t).For(lang)
		unknown := p.Notes().Note("of a kind to come", nil).HTML
		for _, s := range noteSamples() {
			if text := p.Notes().Note(s.name, s.args).HTML; (text == unknown) == screen.KnowsNote(s.name) {
				t.Errorf("%s in %s reads %q", s.variant, lang, text)
			}
		}
	}
}

// TestNotesTakeTheirArguments: a sample gives no argument that its row does not list, and each that it lists changes what is
// said in one sample at least.
func TestNotesTakeTheirArguments(t *testing.T) {
	p, _ := printers(t).For("en")
	matters := map[store.NoteName]map[string]bool{}
	table := screen.NoteTakes()
	for _, s := range noteSamples() {
		if matters[s.name] == nil {
			matters[s.name] = map[string]bool{}
		}
		whole := picture(p.Notes().Note(s.name, s.args))
		for arg := range s.args {
			if !slices.Contains(table[s.name], arg) {
				t.Errorf("%s gives %s, which the note %s does not take", s.variant, arg, s.name)
			}
			without := maps.Clone(s.args)
			delete(without, arg)
			matters[s.name][arg] = matters[s.name][arg] || picture(p.Notes().Note(s.name, without)) != whole
		}
	}
	for name, takes := range table {
		for _, arg := range takes {
			if !matters[name][arg] {
				t.Errorf("the argument %s of the note %s changes nothing in any sample", arg, name)
			}
		}
	}
}
