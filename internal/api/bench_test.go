package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// listing is n products of two variants each, as the service writes them.
func listing(n int) json.RawMessage {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":%d,"name":"Product %d","description":"What it is good for, in a line or so.","image":"https://cdn.example/%d.png",
			"category_id":%d,"requires_input":false,"input_fields":{},"variants":[
			{"id":%d1,"name":"5 USD","price":1250.50,"currency":"DZD","delivery":"instant","in_stock":40,"available":true,
			 "client_stock":{"variant_id":%d1,"allocated":10,"used":3,"remaining":7,"status":"active","expires_at":"2026-03-01T10:00:00Z"}},
			{"id":%d2,"name":"10 USD","price":2480,"currency":"DZD","delivery":"instant","in_stock":0,"available":false}]}`, i+1, i+1, i+1, i%9, i+1, i+1, i+1)
	}
	return json.RawMessage("[" + strings.Join(rows, ",") + "]")
}

func BenchmarkDecodeCatalogue(b *testing.B) {
	const n = 5000
	data := listing(n)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		list, odd, err := items(data, Names{}.Complete().product)
		if err != nil || odd > 0 || len(list) != n || len(list[n-1].Variants) != 2 {
			b.Fatalf("%d products, %d odd, %v", len(list), odd, err)
		}
	}
}

// BenchmarkLimiter measures a call that is let through, by who makes it, and one that is refused.
func BenchmarkLimiter(b *testing.B) {
	const limit = 1 << 16
	for _, who := range []caller{people, polling} {
		b.Run([]string{"people", "polling"}[who], func(b *testing.B) {
			ctx := context.WithValue(b.Context(), callerKey{}, who)
			l, left := newLimiter(limit, 1), limit/2
			b.ReportAllocs()
			for b.Loop() {
				if left--; left < 0 {
					b.StopTimer()
					l, left = newLimiter(limit, 1), limit/2
					b.StartTimer()
				}
				if err := l.acquire(ctx, "GET /balance", http.MethodGet); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("refused", func(b *testing.B) {
		l, ctx := newLimiter(1, 1), InBackground(b.Context())
		b.ReportAllocs()
		for b.Loop() {
			if l.acquire(ctx, "GET /balance", http.MethodGet) == nil {
				b.Fatal("polling got the reserve")
			}
		}
	})
}
