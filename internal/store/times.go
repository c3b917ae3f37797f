package store

import (
	"context"
	"strconv"
)

// Times is what was learned of how long the orders of an item take, in whatever account: so many of them,
// the mean of the logarithms of their seconds, and the sum of the squared distances from it.
type Times struct {
	Item    string // as ItemOf names it
	Orders  float64
	Mean    float64
	Squares float64
	rev     uint64
}

// ItemOf names what a purchase buys: orders of the same item take about as long.
func ItemOf(p Purchase) string { return p.Family + ":" + strconv.FormatInt(p.VariantID, 10) }

func times() codec[Times] {
	return codec[Times]{
		kind: KindTimes,
		key:  func(t *Times) string { return t.Item },
		rev:  func(t *Times) *uint64 { return &t.rev },
	}
}

// Times reads what was learned of an item; ErrNotFound where nothing was.
func (s *Store) Times(ctx context.Context, item string) (Times, error) {
	return read(ctx, s, times(), item)
}

// Times reads what was learned of an item; ErrNotFound where nothing was.
func (t *Tx) Times(item string) (Times, error) { return times().get(t, item) }

// PutTimes writes what was learned of an item.
func (t *Tx) PutTimes(v *Times) error { return times().put(t, v) }
