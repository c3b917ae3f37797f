package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Inventory is what a database holds, in numbers.
type Inventory struct {
	Schema                                       int
	Accounts, Chats, Purchases, Orders, Underway int       // Underway: purchases that were confirmed and have not come to their end
	Newest                                       time.Time // when the newest purchase was begun; zero for none
}

// TakeInventory counts what a database holds, also one of an earlier or a newer schema. It changes nothing.
func TakeInventory(ctx context.Context, e Engine) (inv Inventory, err error) {
	if inv.Schema, err = schemaOf(ctx, e); err != nil {
		return inv, err
	}
	newest := ""
	for _, c := range []struct {
		kind Kind
		n    *int
	}{{KindAccount, &inv.Accounts}, {KindChat, &inv.Chats}, {KindPurchase, &inv.Purchases}, {KindOrder, &inv.Orders}, {KindOpen, &inv.Underway}} {
		err := eachKey(ctx, e, c.kind, func(key string) error {
			*c.n++
			if c.kind == KindPurchase {
				// Keys come in order, and begin with the time: the last is the newest.
				newest = key
			}
			return nil
		})
		if err != nil {
			return inv, err
		}
	}
	if newest != "" {
		inv.Newest = timeOf(newest)
	}
	return inv, nil
}

// Beside counts the records of a kind in one database that another does not have.
func Beside(ctx context.Context, in, to Engine, k Kind) (n int, err error) {
	err = eachKey(ctx, in, k, func(key string) error {
		_, err := to.Get(ctx, k, key)
		if errors.Is(err, ErrNotFound) {
			n++
			return nil
		}
		return err
	})
	return n, err
}

// schemaOf reads the number of a database's schema; 0 where nothing is in it.
func schemaOf(ctx context.Context, e Engine) (int, error) {
	r, err := e.Get(ctx, KindMeta, metaKey)
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var m meta
	if err := json.Unmarshal(r.Value, &m); err != nil {
		return 0, fmt.Errorf("decode the meta record: %w", err)
	}
	return m.Schema, nil
}

// eachKey visits the keys of a kind, in their order.
func eachKey(ctx context.Context, e Engine, k Kind, visit func(key string) error) error {
	const page = 500
	for after := ""; ; {
		rows, err := e.Scan(ctx, k, "", after, page)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := visit(r.Key); err != nil {
				return err
			}
			after = r.Key
		}
		if len(rows) < page {
			return nil
		}
	}
}

// timeOf is the time in an id that NewID has made; zero where it is none.
func timeOf(id string) time.Time {
	const digits = 10
	if len(id) < digits {
		return time.Time{}
	}
	var ms int64
	for _, c := range id[:digits] {
		d := strings.IndexRune(alphabet, c)
		if d < 0 {
			return time.Time{}
		}
		ms = ms<<5 | int64(d)
	}
	return time.UnixMilli(ms)
}
