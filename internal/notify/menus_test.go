package notify

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// TestMenusAreReviewedTogether: a start queues a look at every menu that does not fit, and a menu that changes meanwhile keeps none of the
// others from it.
func TestMenusAreReviewedTogether(t *testing.T) {
	const people = 250
	ctx, st := t.Context(), storetest.New(t)
	for id := range int64(people) {
		err := st.Update(ctx, func(tx *store.Tx) error {
			return tx.PutChat(&store.Chat{ID: id + 1, Language: "fr", Chosen: true, CreatedAt: time.Now()})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	queued := func() map[int64]bool {
		list, err := st.ClaimMenus(ctx, time.Now().Add(time.Minute), time.Minute, 2*people)
		if err != nil {
			t.Fatal(err)
		}
		chats := map[int64]bool{}
		for _, m := range list {
			chats[m.Chat] = true
			m.Shown, m.Due = notTaken, time.Time{} // looked at
			if err := st.Update(ctx, func(tx *store.Tx) error { return tx.PutMenu(m) }); err != nil {
				t.Fatal(err)
			}
		}
		return chats
	}
	queued() // by the first choice of a language
	changed := false
	menus := NewMenus(MenusConfig{
		Store: st, Log: slog.New(slog.DiscardHandler),
		Commands: func(lang string, _ store.Role, _, _ bool) []screen.Command {
			if lang == "fr" && !changed { // the menu of the first chat was read a moment ago
				changed = true
				if err := st.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error { return tx.LookAtMenu(1) }); err != nil {
					t.Error(err)
				}
			}
			return []screen.Command{{Name: "buy", Description: "acheter"}}
		},
	})
	if err := menus.review(ctx); err != nil {
		t.Fatal(err)
	}
	if chats := queued(); len(chats) != people+1 || !chats[0] || !chats[1] || !chats[people] {
		t.Errorf("%d menus are looked at, of %d people and everybody's", len(chats), people)
	}
}
