package proof

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/store"
)

// TestRingOfSeveralIsPartedByPurchase: a ring that names several purchases says something else of each. What it says
// of one is held against the truth of that one, and no line of it goes unjudged.
func TestRingOfSeveralIsPartedByPurchase(t *testing.T) {
	doubted, delivered := store.Purchase{ID: "00VHNFS8XS79NW6FEXB51JZC3R"}, store.Purchase{ID: "00VHNDX7H61R4BNCC7QJ0CNQ21"}
	w := &witness{unkind: true, purchases: map[string]store.Purchase{doubted.ID: doubted, delivered.ID: delivered}}
	w.lab = &lab{began: time.Now()}
	w.show(shown{text: "🔔 Order #JZC3R may have been bought after all, see above.\n🔔 Order #CNQ21 delivered, see above."})
	w.show(shown{text: "🎉 Delivered\nOrder #CNQ21"})
	about := func(p store.Purchase) (texts []string) {
		for _, s := range w.shown {
			if s.purchase == p.ID {
				texts = append(texts, s.text)
			}
		}
		return texts
	}
	if got := about(doubted); !slices.Equal(got, []string{"🔔 Order #JZC3R may have been bought after all, see above."}) {
		t.Errorf("of the first it says %q", got)
	}
	if got := about(delivered); !slices.Equal(got, []string{"🔔 Order #CNQ21 delivered, see above.", "🎉 Delivered\nOrder #CNQ21"}) {
		t.Errorf("of the second it says %q", got)
	}
}

// TestShownNowhereIsNarrow: of an accepted top-up nothing is demanded where no endpoint takes the only name that its answer gave it, and
// people were told. Whatever else is different, it is stuck.
func TestShownNowhereIsNarrow(t *testing.T) {
	const trx = "f2162ab4-f316-4336-82e2-f5ba8ab2c74f"
	base := func() (*unkindJudge, store.Purchase, *store.Order) {
		p := store.Purchase{ID: "00VHNFXR9PS79NW6FEXB5FXR9P", Phase: store.Accepted, Plan: "ARENA-110", Chat: 503}
		o := store.Order{ID: "arena:" + trx, Origin: string(api.FromArena), Purchase: p.ID, State: store.Waiting, Gone: true}
		w := &witness{orders: map[string]store.Order{}, shown: []shown{{chat: p.Chat, text: "⏰ Order #FXR9P is taking very long. Send this to the supplier's support:"}}}
		u := &unkindness{drawn: unkindWorld{NoList: http.StatusInternalServerError}}
		return &unkindJudge{witness: w, world: u, orders: []sim.Order{{ID: "14", Number: 14, TransactionID: trx, Tag: p.ID}}}, p, &o
	}
	for name, c := range map[string]struct {
		change func(j *unkindJudge, p *store.Purchase, o *store.Order)
		want   bool
	}{
		"as it is meant":              {func(*unkindJudge, *store.Purchase, *store.Order) {}, true},
		"nobody was told":             {func(j *unkindJudge, _ *store.Purchase, _ *store.Order) { j.witness.shown = nil }, false},
		"there is a list":             {func(j *unkindJudge, _ *store.Purchase, _ *store.Order) { j.world.drawn.NoList = 0 }, false},
		"its number was named":        {func(_ *unkindJudge, _ *store.Purchase, o *store.Order) { o.ID = "arena:14" }, false},
		"it is somebody else's order": {func(j *unkindJudge, _ *store.Purchase, _ *store.Order) { j.orders[0].Tag = "another" }, false},
		"it is not said to be gone":   {func(_ *unkindJudge, _ *store.Purchase, o *store.Order) { o.Gone = false }, false},
		"it has come to its end":      {func(_ *unkindJudge, _ *store.Purchase, o *store.Order) { o.State = store.Completed }, false},
		"it is no top-up":             {func(_ *unkindJudge, p *store.Purchase, _ *store.Order) { p.Plan = "" }, false},
		"it is uncertain":             {func(_ *unkindJudge, p *store.Purchase, _ *store.Order) { p.Phase = store.Unknown }, false},
	} {
		t.Run(name, func(t *testing.T) {
			j, p, o := base()
			c.change(j, &p, o)
			j.witness.orders["l1/"+o.ID] = *o
			if got := j.shownNowhere(p); got != c.want {
				t.Errorf("shownNowhere is %v, want %v", got, c.want)
			}
		})
	}
}

// TestLessUnnamedIsNarrow: of a price that was another one than was shown nobody needs to hear where nothing names it, and it was less.
func TestLessUnnamedIsNarrow(t *testing.T) {
	for name, c := range map[string]struct {
		bare    bool
		charged int64 // 1900 were shown
		named   int64 // by an order of it
		want    bool
	}{
		"as it is meant":      {true, 1250, 0, true},
		"the list has prices": {false, 1250, 0, false},
		"more was charged":    {true, 2100, 0, false},
		"an order names it":   {true, 1250, 1250, false},
	} {
		p := store.Purchase{ID: "00VHNFXR9PS79NW6FEXB5FXR9P", Total: dzd.Int(1900)}
		o := store.Order{ID: "8", Purchase: p.ID, Price: dzd.Int(c.named)}
		j := &unkindJudge{witness: &witness{orders: map[string]store.Order{"l1/8": o}}, world: &unkindness{drawn: unkindWorld{Bare: c.bare}}}
		if got := j.isLessUnnamed(p, sim.Purchase{Total: dzd.Int(c.charged)}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestHiddenIsNarrow: a purchase that was denied and executed is excused where no list is and just its price was added at about that
// time, and nowhere else.
func TestHiddenIsNarrow(t *testing.T) {
	begun := time.Date(2000, 1, 1, 1, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		noList int
		phase  store.Phase
		runs   bool
		added  int64
		kind   sim.EntryKind
		after  time.Duration
		want   bool
	}{
		"as it is meant":     {403, store.Rejected, true, 100, sim.Moved, -20 * time.Second, true},
		"it was looked for":  {403, store.NotCreated, true, 100, sim.Moved, 50 * time.Second, true},
		"a list is there":    {0, store.Rejected, true, 100, sim.Moved, 0, false},
		"a person was asked": {403, store.Undecided, true, 100, sim.Moved, 0, false},
		"it never ran":       {403, store.Rejected, false, 100, sim.Moved, 0, false},
		"another sum":        {403, store.Rejected, true, 101, sim.Moved, 0, false},
		"money went":         {403, store.Rejected, true, -100, sim.Moved, 0, false},
		"a refund came":      {403, store.Rejected, true, 100, sim.Returned, 0, false},
		"long before":        {403, store.Rejected, true, 100, sim.Moved, -2 * time.Minute, false},
		"long after":         {403, store.Rejected, true, 100, sim.Moved, 2 * time.Minute, false},
	} {
		p := store.Purchase{ID: "00VHNFXR9PS79NW6FEXB5FXR9P", Chat: 501, Total: dzd.Int(100), Phase: c.phase}
		j := &unkindJudge{
			witness: &witness{keys: map[int64][]string{501: {"key"}}}, world: &unkindness{drawn: unkindWorld{Mode: sim.Both, NoList: c.noList}},
			entries: func(string) []sim.Entry {
				return []sim.Entry{{Kind: sim.Opened, Balance: dzd.Int(1000)}, {At: begun.Add(c.after), Kind: c.kind, Balance: dzd.Int(1000 + c.added)}}
			},
		}
		if c.runs {
			j.purchases = []sim.Purchase{{Tag: p.ID, At: begun}}
		}
		if got := j.isHidden(p); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestDecidedBesideIsNarrow: a correction waits for another purchase that one order may be of as well, and for no other.
func TestDecidedBesideIsNarrow(t *testing.T) {
	begun := time.Date(2000, 1, 1, 1, 0, 0, 0, time.UTC)
	decided := begun.Add(2 * time.Hour)
	for name, c := range map[string]struct {
		change func(other *store.Purchase)
		waits  bool
	}{
		"as it is meant":              {func(*store.Purchase) {}, true},
		"a person decided":            {func(o *store.Purchase) { o.History[0].From = store.Undecided }, true},
		"it was never uncertain":      {func(o *store.Purchase) { o.History[0].From = store.Queued }, false},
		"of another account":          {func(o *store.Purchase) { o.Account = "u2" }, false},
		"of another item":             {func(o *store.Purchase) { o.VariantID = 102 }, false},
		"sent before":                 {func(o *store.Purchase) { o.SentAt = begun.Add(-time.Hour) }, false},
		"sent when all could be seen": {func(o *store.Purchase) { o.SentAt = begun.Add(time.Hour) }, false},
		"it is the same purchase":     {func(o *store.Purchase) { o.ID = "1" }, false},
	} {
		p := store.Purchase{ID: "1", Account: "u1", VariantID: 101, SentAt: begun}
		other := store.Purchase{
			ID: "2", Account: "u1", VariantID: 101, SentAt: begun.Add(time.Minute),
			History: []store.Step{{From: store.Unknown, At: decided}},
		}
		c.change(&other)
		j := &unkindJudge{witness: &witness{purchases: map[string]store.Purchase{"p": p, "other": other}}, world: &unkindness{}}
		if got := j.decidedBeside(p, begun).Equal(decided); got != c.waits {
			t.Errorf("%s: it waits: %v", name, got)
		}
	}
}

// TestHeldUntilIsNarrow: what a purchase cost is seen at the end of its orders where the older interface holds money, and at once
// everywhere else.
func TestHeldUntilIsNarrow(t *testing.T) {
	begun := time.Date(2000, 1, 1, 1, 0, 0, 0, time.UTC)
	shown := begun.Add(time.Hour)
	for name, c := range map[string]struct {
		holds   bool
		account string
		tag     string // of the order
		shown   time.Time
		want    time.Time
	}{
		"as it is meant":          {true, "k1", "1", shown, shown},
		"money is taken at once":  {false, "k1", "1", shown, begun},
		"the service names users": {true, "u1", "1", shown, begun},
		"another purchase's":      {true, "k1", "2", shown, begun},
		"it was there before":     {true, "k1", "1", begun.Add(-time.Hour), begun},
	} {
		p := store.Purchase{ID: "1", Account: c.account}
		j := &unkindJudge{
			witness: &witness{}, world: &unkindness{drawn: unkindWorld{Holds: c.holds}},
			orders: []sim.Order{{Tag: c.tag, Shown: c.shown}},
		}
		if got := j.heldUntil(p, begun); !got.Equal(c.want) {
			t.Errorf("%s: it is seen at %v", name, got)
		}
	}
}

// TestWhatIsLookedForIsSaid: every word by which the laboratory knows what a chat is told is one of a text. Where a text is worded
// anew, what it says is judged no more, and nothing else would tell.
func TestWhatIsLookedForIsSaid(t *testing.T) {
	raw, err := os.ReadFile("../../locales/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]any
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	var all []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			all = append(all, tags.ReplaceAllString(v, ""))
		case map[string]any:
			for _, in := range v {
				walk(in)
			}
		}
	}
	walk(texts)
	words := slices.Concat(
		saysNothing, hopesNothing, saysBought, saysFailed, saysRefunded, saysRose, asksPeople, uncertainWords, nothingWords, goodWords, closedWords, waitingWords,
		[]string{listSign, listFileSign, "not bought", "Delivered again", "left the balance"},
	)
	for _, c := range claims() {
		words = append(words, c.says...)
	}
	for _, w := range words {
		if !slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, w) }) {
			t.Errorf("no text says %q", w)
		}
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)
