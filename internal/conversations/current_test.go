package conversations_test

import (
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// TestTurnSeesWhatIsTrueByThen: what came in together with a tap that changes its chat is handled by what the chat is then, and not
// by what was read when both came in.
func TestTurnSeesWhatIsTrueByThen(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/language")
		if _, err := h.Telegram.TapButton(apptest.Sam, apptest.Sam, "Français"); err != nil {
			t.Fatal(err)
		}
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/help")
		h.Pass(time.Second)
		h.See(apptest.Sam, "Ce que vous pouvez faire")
	})
}
