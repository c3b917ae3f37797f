package store_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

const (
	migratePath = "MIGRATE_PATH" // has this program be the one that is killed
	manyChats   = 300
)

// renameAll is a migration of all chats, which tells after each.
func renameAll(from, to string, tell func() error) func(store.RecordTx) error {
	return func(tx store.RecordTx) error {
		for i := range manyChats {
			r, err := tx.Get(store.KindChat, fmt.Sprintf("%016x", uint64(i+1)+1<<63))
			if err != nil {
				return err
			}
			r.Value = []byte(strings.ReplaceAll(string(r.Value), `"`+from+`"`, `"`+to+`"`))
			if _, err := tx.Put(r); err != nil {
				return err
			}
			if err := tell(); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestMigrationIsKilled: a process that is killed while it migrates leaves the version before, whole, or the
// one after, and the next start comes to its end.
func TestMigrationIsKilled(t *testing.T) {
	storetest.NeedsFile(t)
	tell := func() error { return nil }
	path := os.Getenv(migratePath)
	if path != "" {
		tell = func() error { // and go on when told to
			fmt.Fprintln(os.Stdout, "one more")
			_, err := os.Stdin.Read(make([]byte, 1))
			return err
		}
	}
	steps := []func(store.RecordTx) error{renameAll("a", "b", tell), renameAll("b", "c", tell)}
	if path != "" {
		_, err := store.OpenWith(t.Context(), storetest.Engine(t, path), storetest.Keyring(t), steps...)
		fmt.Fprintln(os.Stdout, "opened", err)
		return
	}
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		for i := range manyChats {
			if err := tx.PutChat(&store.Chat{ID: int64(i + 1), Language: "a"}); err != nil {
				return err
			}
		}
		return nil
	})
	h.close()
	const commit = 2 * manyChats // after that many lines
	for _, line := range []int{1, manyChats - 1, manyChats, manyChats + 1, commit - 1, commit, commit, commit, commit} {
		killedAt(t, h.path, line, line == commit)
		h.engine = storetest.Engine(t, h.path)
		schema, languages := h.meta().Schema, h.languages()
		if err := h.engine.Close(); err != nil {
			t.Fatal(err)
		}
		before := schema == store.Schema() && languages["a"] == manyChats
		after := schema == store.Schema()+2 && languages["c"] == manyChats
		if !before && !after || after && line < commit {
			t.Errorf("killed at line %d it is of schema %d, with %v", line, schema, languages)
		}
	}
	if err := h.upgrade(steps...); err != nil {
		t.Fatalf("the next start: %v", err)
	}
	storetest.Sound(t, h.store)
	if got := h.languages(); got["c"] != manyChats || h.meta().Schema != store.Schema()+2 {
		t.Errorf("after the next start: %v, %+v", got, h.meta())
	}
	h.close()
}

// languages counts what all chats' records say.
func (h *harness) languages() map[string]int {
	h.Helper()
	n := map[string]int{}
	for _, r := range h.records(store.KindChat) {
		for _, l := range []string{"a", "b", "c"} {
			if strings.Contains(string(r.Value), `"`+l+`"`) {
				n[l]++
			}
		}
	}
	return n
}

// killedAt has a process of its own open a database, and kills it when it has said so many lines: at once, or
// when it was told to go on.
func killedAt(t *testing.T, path string, line int, later bool) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMigrationIsKilled$")
	child.Env = append(os.Environ(), migratePath+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	goOn, err := child.StdinPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	for n := 1; said.Scan(); n++ {
		if strings.HasPrefix(said.Text(), "opened") && said.Text() != "opened <nil>" {
			t.Errorf("the other process: %s", said.Text())
		}
		if n == line && !later {
			break
		}
		if _, err := goOn.Write([]byte("\n")); err != nil || n == line {
			break
		}
	}
	_ = child.Process.Kill()
	_ = child.Wait() // it was killed
}
