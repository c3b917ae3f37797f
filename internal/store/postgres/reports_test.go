package postgres_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// withReports is a connection to a database with the views.
func withReports(t *testing.T) *pgx.Conn {
	t.Helper()
	shared := pgtest.Shared(t)
	shared.Do(t, "create database reports")
	t.Cleanup(func() { shared.Do(t, "drop database reports with (force)") })
	address := shared.URL("reports", nil)
	e, err := open(t, address) // which makes the tables
	closed(t, e, err)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	for range 2 { // as after an upgrade
		if _, err := conn.Exec(t.Context(), postgres.Reports()); err != nil {
			t.Fatal(err)
		}
	}
	return conn
}

// deflated is a text as it is packed, at a level.
func deflated(t *testing.T, text []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriterDict(&out, level, []byte(store.Dictionary()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReportsUnpack: the server reads what was packed, whatever form its blocks have.
func TestReportsUnpack(t *testing.T) {
	conn := withReports(t)
	random := rand.New(rand.NewPCG(1, 2))
	texts := map[string][]byte{
		"a record": []byte(store.Dictionary()[700:2200]), "nothing": {}, "one": []byte("é"), "again": bytes.Repeat([]byte("ab"), 4000),
		"long": []byte(strings.Repeat(store.Dictionary(), 5)),
	}
	noise := make([]byte, 3000)
	for i := range noise {
		noise[i] = byte(random.UintN(256))
	}
	few := make([]byte, 3000)
	for i := range few {
		few[i] = "abcdefgh,:\"01"[random.IntN(13)] + byte(random.IntN(2))
	}
	texts["noise"], texts["few letters"] = noise, few
	for name, text := range texts {
		for _, level := range []int{flate.DefaultCompression, flate.BestCompression, flate.HuffmanOnly, flate.NoCompression} {
			var plain []byte
			err := conn.QueryRow(t.Context(), "select report.inflate($1, $2)", deflated(t, text, level), []byte(store.Dictionary())).Scan(&plain)
			if err != nil || !bytes.Equal(plain, text) {
				t.Errorf("%s, level %d: %v, %s", name, level, err, hex.EncodeToString(plain[:min(len(plain), 40)]))
			}
		}
	}
	if _, err := conn.Exec(t.Context(), `select report.doc('\x0305')`); err == nil {
		t.Error("a format that nobody knows is read")
	}
}
