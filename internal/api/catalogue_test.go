package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"testing"
	"time"
	"weak"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
)

// priced is the listing of one key, whose every price is its own.
func priced(n, key int) []byte {
	return bytes.ReplaceAll(listing(n), []byte("2480"), fmt.Appendf(nil, "%d", 2000+key))
}

// TestKeysShareACatalogue: keys that are answered alike hold one list, and whoever is answered otherwise has his own.
func TestKeysShareACatalogue(t *testing.T) {
	prices := map[string]int{"a": 1, "b": 1, "c": 2}
	service := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, success(string(priced(3, prices[r.Header.Get("X-Api-Key")]))))
	}
	inBubble(t, Config{}, service, func(t *bubble) {
		lists := map[string][]Product{}
		for key, price := range prices {
			s := t.client.As(secret.New(key))
			list, err := s.Products(t.Context(), time.Minute)
			if err != nil || len(list) != 3 || list[0].Variants[1].Price.String() != strconv.Itoa(2000+price) {
				t.Fatalf("key %s: %v, %v", key, list, err)
			}
			if last, _, ok := s.LastProducts(); !ok || &last[0] != &list[0] {
				t.Errorf("key %s: what is known last is another list", key)
			}
			lists[key] = list
		}
		if &lists["a"][0] != &lists["b"][0] || &lists["a"][0] == &lists["c"][0] {
			t.Error("a and b are to share a list that is not c's")
		}
	})
}

// TestCataloguesArePacked: however many keys have a catalogue of their own, a part of them is decoded at a time, and each
// one reads as it came, a small one and one that is held deflated.
func TestCataloguesArePacked(t *testing.T) {
	sampletest.Slow(t)
	t.Run("small", func(t *testing.T) { packs(t, 3) })
	t.Run("deflated", func(t *testing.T) { packs(t, 600) })
}

func packs(t *testing.T, products int) {
	t.Helper()
	const keys = 60 // of two variants each product: fifty are decoded
	service := func(w http.ResponseWriter, r *http.Request) {
		var key int
		_, _ = fmt.Sscan(r.Header.Get("X-Api-Key"), &key)
		_, _ = io.WriteString(w, success(string(priced(products, key))))
	}
	inBubble(t, Config{}, service, func(t *bubble) {
		t.client.catalogues.most = 50 * products * 2
		for round := range 2 { // of the second round all comes from the cache
			for key := range keys {
				list, err := t.client.As(secret.New(strconv.Itoa(key))).Products(t.Context(), time.Hour)
				if err != nil || len(list) != products || list[products-1].Variants[1].Price.String() != strconv.Itoa(2000+key) {
					t.Fatalf("round %d, key %d: %d products, %v", round, key, len(list), err)
				}
				if size := t.client.catalogues.size; size > t.client.catalogues.most {
					t.Fatalf("%d variants are decoded", size)
				}
			}
		}
		last, _ := t.client.catalogues.decoded.Front().Value.(*catalogue) // nothing else is in it
		if deflated := len(priced(products, 1)) >= packedFrom; last.data.deflated != deflated {
			t.Errorf("%d products are held deflated: %v", products, !deflated)
		}
	})
}

// TestCataloguesAreForgotten: nothing stays of a catalogue that no key holds any more.
func TestCataloguesAreForgotten(t *testing.T) {
	c := &Client{}
	shelf := newCatalogues(1, c.decodeProducts)
	for key := range 5 {
		if _, err := shelf.of(priced(3, key)); err != nil { // each drops the one before
			t.Fatal(err)
		}
	}
	left := func() int {
		runtime.GC()
		shelf.mu.Lock()
		defer shelf.mu.Unlock()
		return len(shelf.alike)
	}
	for end := time.Now().Add(10 * time.Second); left() > 1; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%d catalogues are known; one is decoded, and none is held", left())
		}
	}
}

// BenchmarkCatalogueOfManyKeys tells the memory that a thousand keys take with 2,500 variants each.
func BenchmarkCatalogueOfManyKeys(b *testing.B) {
	const keys, products = 1000, 1250
	for name, own := range map[string]bool{"alike": false, "by key": true} {
		b.Run(name, func(b *testing.B) {
			c := &Client{}
			heap := func() uint64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			for b.Loop() {
				shelf, held, before := newCatalogues(mostDecoded, c.decodeProducts), make([]*catalogue, keys), heap()
				for key := range held {
					of := 0
					if own {
						of = key
					}
					var err error
					if held[key], err = shelf.of(priced(products, of)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(heap()-before)/1e6, "MB")
				runtime.KeepAlive(held)
			}
		})
	}
}

// TestClientsAreForgotten: a client that nobody uses any more goes, with all that it holds and knows.
func TestClientsAreForgotten(t *testing.T) {
	decode := func(json.RawMessage) ([]Product, Generation, error) { return make([]Product, 3), Current, nil }
	held := func() weak.Pointer[catalogues] {
		s := newCatalogues(mostDecoded, decode)
		if _, err := s.of(listing(3)); err != nil {
			t.Fatal(err)
		}
		return weak.Make(s)
	}()
	for range 10 { // a cleanup, and what it lets go, take a round each
		runtime.GC()
	}
	if held.Value() != nil {
		t.Error("it is there still")
	}
}
