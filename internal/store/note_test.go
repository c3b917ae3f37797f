package store_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"resellerbot/internal/store"
)

// TestNotesOnDisk: a note lies there as older versions wrote it, its name among its arguments and its priority a number.
func TestNotesOnDisk(t *testing.T) {
	const disk = `{"Chat":7,"ID":"team.1.joined","Kind":"note","Args":{"name":"joined","person":"Karim"},"Priority":2}`
	args := map[string]string{"person": "Karim", "name": "of another"}
	made := *store.NewNote(7, "team.1.joined", store.JoinedNote, args)
	var read store.Outgoing
	if err := json.Unmarshal([]byte(disk), &read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(made, read) || read.NoteName() != store.JoinedNote {
		t.Errorf("made\n%+v, on disk there is\n%+v", made, read)
	}
	text, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	var again map[string]any
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if want := map[string]any{"name": "joined", "person": "Karim"}; !reflect.DeepEqual(again["Args"], want) || again["Priority"] != 2.0 {
		t.Errorf("it is written as %s", text)
	}
	if made.Args["by"] = "Amina"; args["by"] != "" || args["name"] != "of another" {
		t.Error("a row shares its arguments with whoever made it")
	}
}

// TestPrioritiesAreInOrder: the numbers are on disk, and the first goes first.
func TestPrioritiesAreInOrder(t *testing.T) {
	if got := []store.Priority{store.DeliveryPriority, store.NoticePriority, store.AlertPriority}; !reflect.DeepEqual(got, []store.Priority{1, 2, 4}) {
		t.Errorf("the priorities are %v", got)
	}
}
