package screen

import "resellerbot/internal/store"

// NoteTakes are the arguments of each note, by the table.
func NoteTakes() map[store.NoteName][]string {
	all := map[store.NoteName][]string{}
	for name, row := range notes {
		all[name] = row.takes
	}
	return all
}
