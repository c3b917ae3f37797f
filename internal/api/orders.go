package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// Orders reads many orders of the Current generation in one call, which spends one POST
// (POST /products/orders/retrieve). What comes need not be what was asked for: orders may lack, repeat, or
// be foreign.
//
//reseller:operation POST /products/orders/retrieve current
func (s *Session) Orders(ctx context.Context, ids []string) ([]Order, error) {
	const op = "POST /products/orders/retrieve"
	body := map[string][]string{"order_ids": ids}
	return do(ctx, s, call{op: op, method: http.MethodPost, path: "/products/orders/retrieve", body: body, limit: maxCatalogue}, listOf(s, op, wireOrder.order))
}

// Order reads one order at the endpoint that fits where it was made. NotFound also where it is somebody
// else's. A family's endpoint that the service does not have gives way to the one for all orders.
//
//reseller:operation GET /products/order/{orderId} current
//reseller:operation GET /orders/{order_id} legacy
//reseller:operation GET /battleroyale/status/{orderId} current
//reseller:operation GET /sportstv/order/{orderId} current
func (s *Session) Order(ctx context.Context, ref OrderRef) (Order, error) {
	switch ref.Origin {
	case FromLegacy:
		return s.oneOrder(ctx, "GET /orders/{order_id}", "/orders/", ref.ID)
	case FromArena:
		return s.arenaOrder(ctx, ref)
	case FromBattleRoyale:
		return s.orElse(ctx, ref, "GET /battleroyale/status/{orderId}", "/battleroyale/status/")
	case FromSportsTV:
		return s.orElse(ctx, ref, "GET /sportstv/order/{orderId}", "/sportstv/order/")
	}
	return s.oneOrder(ctx, "GET /products/order/{orderId}", "/products/order/", ref.ID)
}

// orElse reads an order at its family's endpoint, or at the one for all orders where that has nothing.
func (s *Session) orElse(ctx context.Context, ref OrderRef, op, path string) (Order, error) {
	o, err := s.oneOrder(ctx, op, path, ref.ID)
	if ClassOf(err) != NotFound {
		return o, err
	}
	return s.oneOrder(ctx, "GET /products/order/{orderId}", "/products/order/", ref.ID)
}

// arenaOrder follows a top-up of the arena by its order, and by its transaction where that has nothing.
//
//reseller:operation GET /arena/orders/{order_id} legacy
//reseller:operation GET /arena/status/{trxId} current
func (s *Session) arenaOrder(ctx context.Context, ref OrderRef) (Order, error) {
	byOrder := ref.ID != "" && ref.ID != ref.Transaction
	if byOrder {
		o, err := s.oneOrder(ctx, "GET /arena/orders/{order_id}", "/arena/orders/", ref.ID)
		if ClassOf(err) != NotFound || ref.Transaction == "" {
			return o, err
		}
	}
	o, err := s.oneOrder(ctx, "GET /arena/status/{trxId}", "/arena/status/", ref.Transaction)
	if err == nil && byOrder {
		o.ID = ref.ID
	}
	return o, err
}

// oneOrder reads one order. An answer that names none is the order that was asked for: some say only how
// it stands.
func (s *Session) oneOrder(ctx context.Context, op, path, id string) (Order, error) {
	if id == "" || id == "." || id == ".." { // they would name another path
		return Order{}, &Error{Op: op, Class: NotFound}
	}
	return do(ctx, s, call{op: op, method: http.MethodGet, path: path + url.PathEscape(id)}, func(data json.RawMessage) (Order, error) {
		var w wireOrder
		if json.Unmarshal(data, &w) != nil {
			return Order{}, errShape
		}
		o, named := w.order()
		if o.Status == "" && o.Code.IsZero() {
			return Order{}, errShape
		}
		if !named || o.ID == "" {
			o.ID = id
		}
		return o, nil
	})
}

// History lists what the service remembers of an account's orders in a family, newest first as it came,
// not older than maxAge: purchases of the Legacy generation, the arena's, and battleroyale's. NotOffered
// where there is no such list.
//
//reseller:operation GET /purchase-history legacy
//reseller:operation GET /arena/orders legacy
//reseller:operation GET /battleroyale/history current
func (s *Session) History(ctx context.Context, f Family, maxAge time.Duration) ([]Order, error) {
	var op, path string
	switch f {
	case Goods:
		op, path = "GET /purchase-history", "/purchase-history"
	case Arena:
		op, path = "GET /arena/orders", "/arena/orders"
	case BattleRoyale:
		op, path = "GET /battleroyale/history", "/battleroyale/history"
	default:
		return nil, &Error{Op: "history", Class: NotOffered}
	}
	list, err := cached(ctx, s, op, maxAge, func(ctx context.Context) ([]Order, error) {
		return do(ctx, s, call{op: op, method: http.MethodGet, path: path, limit: maxCatalogue}, func(data json.RawMessage) ([]Order, error) {
			return listOf(s, op, wireOrder.order)(pageOfOrders(data))
		})
	})
	if errors.Is(err, errNoRoute) {
		err = offered(err)
	}
	return list, err
}
