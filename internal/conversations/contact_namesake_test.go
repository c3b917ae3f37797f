package conversations_test

import (
	"testing"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/store"
)

// phones are the customers of the account on disk: the telephone number of each by their name.
func phones(h *apptest.Harness) map[string]string {
	h.T.Helper()
	of := map[string]string{}
	h.InStore(func(s *store.Store) {
		all, err := s.Customers(h.T.Context(), "u4101", "", 100)
		h.Must(err)
		for _, c := range all {
			of[c.Name.Reveal()] = c.Phone.Reveal()
		}
	})
	return of
}

// sharedAsDebtor has Sam buy a card, and share a contact where it is asked who pays for it later.
func sharedAsDebtor(h *apptest.Harness, name, phone string) {
	h.T.Helper()
	buy(h, apptest.Sam)
	h.Tap(apptest.Sam, "📒 Kridi")
	share(h, apptest.Sam, apptest.Sam, name, "", phone)
}

// TestASharedContactIsNoNamesake: a contact with another number is somebody else than the customer who is called so: no debt
// and no player of theirs becomes the other one's.
func TestASharedContactIsNoNamesake(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		share(h, apptest.Sam, apptest.Sam, "Ali", "", "0550000001")
		sharedAsDebtor(h, "Ali", "0550000002")
		h.See(apptest.Sam, "There is no customer called Ali 0550000002")
		h.Tap(apptest.Sam, "➕")
		h.SeeAny(apptest.Sam, "Sold on credit: DZD 1,380 · Ali 0550000002")
		if of := phones(h); len(of) != 2 || of["Ali"] != "0550000001" || of["Ali 0550000002"] != "0550000002" {
			t.Errorf("the customers are %v", of)
		}
	})
	atTheCounter(t, func(h *apptest.Harness) {
		share(h, apptest.Sam, apptest.Sam, "Karim", "", "0550000001")
		savesLina(h)
		share(h, apptest.Sam, apptest.Sam, "Karim", "", "0550000002")
		h.See(apptest.Sam, "👤 Karim 0550000002")
		if of := phones(h); len(of) != 2 || of["Karim"] != "0550000001" || of["Karim 0550000002"] != "0550000002" {
			t.Errorf("the customers are %v", of)
		}
	})
}

// TestASharedContactKeepsItsNumber: also who becomes a customer by answering a question has the number that was shared; a name
// that is typed afterwards is somebody else's.
func TestASharedContactKeepsItsNumber(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		sharedAsDebtor(h, "Nadia", "0550000003")
		h.Say(apptest.Sam, "Omar")
		h.Tap(apptest.Sam, "➕")
		h.SeeAny(apptest.Sam, "Sold on credit: DZD 1,380 · Omar")
		sharedAsDebtor(h, "Nadia", "0550000003")
		h.Tap(apptest.Sam, "➕")
		h.SeeAny(apptest.Sam, "Sold on credit: DZD 1,380 · Nadia")
		if of := phones(h); of["Omar"] != "" || of["Nadia"] != "0550000003" {
			t.Errorf("the customers are %v", of)
		}
	})
}
