package purchase

import (
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
)

// TestIsOrphan: what was made after the copy is found, whatever its list tells of times, and nothing that was there before.
func TestIsOrphan(t *testing.T) {
	linked := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	row := func(id string, after time.Duration) api.Order { return api.Order{ID: id, CreatedAt: linked.Add(after)} }
	bare := func(id string) api.Order { return api.Order{ID: id} }
	for name, tc := range map[string]struct {
		rows  []api.Order
		known []string
		want  []string
	}{
		"by its time":                    {[]api.Order{row("9", time.Hour), row("8", time.Minute), row("7", -20*time.Hour)}, []string{"8"}, []string{"9"}},
		"between those that are known":   {[]api.Order{row("9", time.Hour), row("8", time.Minute)}, []string{"9"}, []string{"8"}},
		"no times":                       {[]api.Order{bare("9"), bare("8"), bare("7")}, []string{"8"}, []string{"9"}},
		"no times, the oldest first":     {[]api.Order{bare("7"), bare("8"), bare("9")}, []string{"8"}, []string{"9"}},
		"no times, and no numbers":       {[]api.Order{bare("t-c"), bare("t-a"), bare("t-b")}, []string{"t-a"}, []string{"t-c"}},
		"no times, and nothing is known": {[]api.Order{bare("9"), bare("8")}, nil, []string{"9", "8"}},
		"a zone behind":                  {[]api.Order{row("9", -5*time.Hour), row("8", -6*time.Hour), row("7", -7*time.Hour)}, []string{"8"}, []string{"9"}},
		"unreadable":                     {[]api.Order{{}, bare("8")}, []string{"8"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			known := make([]bool, len(tc.rows))
			for i, o := range tc.rows {
				known[i] = slices.Contains(tc.known, o.ID)
			}
			var got []string
			for i, o := range tc.rows {
				if isOrphan(tc.rows, known, i, linked) {
					got = append(got, o.ID)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("orphans %v, want %v", got, tc.want)
			}
		})
	}
}
