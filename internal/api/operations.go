package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// listOf decodes a list and logs how many of its entries could not be read.
func listOf[W, T any](s *Session, op string, turn func(W) (T, bool)) func(json.RawMessage) ([]T, error) {
	return func(data json.RawMessage) ([]T, error) {
		list, odd, err := items(data, turn)
		if odd > 0 {
			s.client.cfg.Log.Warn("entries of an answer cannot be read", "op", op, "odd", odd, "read", len(list))
		}
		return list, err
	}
}

// Products lists the catalogue with the client's own prices, not older than maxAge (GET /products). The
// list is shared: it must not be changed.
//
//reseller:operation GET /products current
func (s *Session) Products(ctx context.Context, maxAge time.Duration) ([]Product, error) {
	const op = "GET /products"
	return cached(ctx, s, op, maxAge, func(ctx context.Context) ([]Product, error) {
		return do(ctx, s, call{op: op, method: http.MethodGet, path: "/products", limit: maxCatalogue}, listOf(s, op, wireProduct.product))
	})
}

// Variants lists the variants of a product that are available now (GET /products/{productId}/variants).
//
//reseller:operation GET /products/{productId}/variants current
func (s *Session) Variants(ctx context.Context, productID int64) ([]Variant, error) {
	const op = "GET /products/{productId}/variants"
	path := "/products/" + strconv.FormatInt(productID, 10) + "/variants"
	return do(ctx, s, call{op: op, method: http.MethodGet, path: path}, listOf(s, op, wireVariant.variant))
}

// Account tells whose key it is (GET /account).
//
//reseller:operation GET /account current
func (s *Session) Account(ctx context.Context) (Account, error) {
	return do(ctx, s, call{op: "GET /account", method: http.MethodGet, path: "/account"}, func(data json.RawMessage) (Account, error) {
		var w wireAccount
		if err := json.Unmarshal(data, &w); err != nil {
			return Account{}, errShape
		}
		b, err := w.wallet()
		return Account{UserID: int64(w.UserID), Name: string(w.Name), Email: string(w.Email), Balance: b.Balance, Available: b.Available}, err
	})
}

// Balance reads the wallet, not older than maxAge (GET /balance).
//
//reseller:operation GET /balance current
func (s *Session) Balance(ctx context.Context, maxAge time.Duration) (Balance, error) {
	const op = "GET /balance"
	return cached(ctx, s, op, maxAge, func(ctx context.Context) (Balance, error) {
		return do(ctx, s, call{op: op, method: http.MethodGet, path: "/balance"}, func(data json.RawMessage) (Balance, error) {
			var w wireAccount
			if err := json.Unmarshal(data, &w); err != nil {
				return Balance{}, errShape
			}
			return w.wallet()
		})
	})
}

// Stock lists the account's allocations, not older than maxAge (GET /stock). The list is shared: it must
// not be changed.
//
//reseller:operation GET /stock current
func (s *Session) Stock(ctx context.Context, maxAge time.Duration) ([]StockEntry, error) {
	const op = "GET /stock"
	return cached(ctx, s, op, maxAge, func(ctx context.Context) ([]StockEntry, error) {
		return do(ctx, s, call{op: op, method: http.MethodGet, path: "/stock"}, listOf(s, op, wireStock.entry))
	})
}

// Order reads one order (GET /products/order/{orderId}). NotFound also where it is somebody else's.
//
//reseller:operation GET /products/order/{orderId} current
func (s *Session) Order(ctx context.Context, id string) (Order, error) {
	const op = "GET /products/order/{orderId}"
	return do(ctx, s, call{op: op, method: http.MethodGet, path: "/products/order/" + url.PathEscape(id)}, func(data json.RawMessage) (Order, error) {
		return oneOf(data, wireOrder.order)
	})
}

// Orders reads many orders in one call, which spends one POST (POST /products/orders/retrieve). What
// comes need not be what was asked for: orders may lack, repeat, or be foreign.
//
//reseller:operation POST /products/orders/retrieve current
func (s *Session) Orders(ctx context.Context, ids []string) ([]Order, error) {
	const op = "POST /products/orders/retrieve"
	body := map[string][]string{"order_ids": ids}
	return do(ctx, s, call{op: op, method: http.MethodPost, path: "/products/orders/retrieve", body: body, limit: maxCatalogue}, listOf(s, op, wireOrder.order))
}
