package postgres_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// TestLargeTable: a table that was just filled, and of which the server has no statistics, is worked with as quickly as an empty one.
//
// SAMPLES=full fills it with two million records, an ordinary run with fewer.
func TestLargeTable(t *testing.T) {
	sampletest.Waits(t)
	sampletest.MoreThanFew(t)
	many := 2_000_000
	if sampletest.Sampled() {
		many = 50_000
	}
	server := pgtest.New(t, "autovacuum=off", "max_wal_size=4GB")
	address := server.Fresh(t)
	e, err := open(t, address)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	reader, err := postgres.OpenToRead(t.Context(), address) // it remembers nothing
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	begin := time.Now()
	do(t, address, fmt.Sprintf(`insert into record (kind, key, version, due, value) select case when i %% 2 = 0 then 'queue' else 'text' end,
		convert_to(lpad(i::text, 8, '0'), 'UTF8'), 1 + i %% 1000, case when i %% 2 = 0 then i end, convert_to(repeat('v', 100), 'UTF8')
		from generate_series(1, %d) i`, many))
	t.Logf("%d records are written in %v", many, time.Since(begin).Round(time.Second))
	middle := fmt.Sprintf("%08d", many/4*2+1)
	var places []store.RecordKey
	for i := range 100 {
		places = append(places, store.RecordKey{Kind: "text", Key: fmt.Sprintf("%08d", 2*i*(many/200)+1)})
	}
	round := 0
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"what is read alone", func() error { _, err := reader.Get(t.Context(), "text", middle); return err }},
		{"a hundred at once", func() error { _, err := reader.GetMany(t.Context(), places...); return err }},
		{"a page from the middle", func() error { _, err := reader.Scan(t.Context(), "text", "", middle, 100); return err }},
		{"a page with a prefix that is at the end", func() error { _, err := reader.Scan(t.Context(), "text", middle[:7], "", 100); return err }},
		{"when the next is due", func() error { _, _, err := reader.NextDue(t.Context(), "queue"); return err }},
		{"what is due", func() error {
			list, err := e.Claim(t.Context(), "queue", time.UnixMicro(int64(many)), time.Hour, 40)
			if err == nil && len(list) != 40 {
				err = fmt.Errorf("%d are claimed", len(list))
			}
			return err
		}},
		{"a transaction", func() error {
			return e.Update(t.Context(), func(tx store.RecordTx) error {
				for i := range 10 {
					r, err := tx.Get("text", places[10*round+i].Key)
					if err != nil {
						return err
					}
					if _, err := tx.Put(r); err != nil {
						return err
					}
					if err := put(tx, "new", strconv.Itoa(100*round+i)); err != nil {
						return err
					}
				}
				return nil
			})
		}},
	} {
		// The best of some: what else runs on the machine is not what is asked about.
		best := time.Hour
		for round = range 5 {
			begin := time.Now()
			if err := c.do(); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			best = min(best, time.Since(begin))
		}
		t.Logf("%s: %v", c.name, best)
		if best > time.Second/5 {
			t.Errorf("%s takes %v", c.name, best)
		}
	}
}
