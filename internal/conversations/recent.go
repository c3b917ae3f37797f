package conversations

import "container/list"

// recent is a map that keeps the entries which were used last, as many as it has places.
// It has no lock of its own: flood, silence and doubleTaps ask it under theirs.
type recent[K comparable, V any] struct {
	most  int
	order *list.List // of entry[K, V], the one used last in front
	at    map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

func newRecent[K comparable, V any](most int) *recent[K, V] {
	return &recent[K, V]{most: most, order: list.New(), at: map[K]*list.Element{}}
}

// get is the value of a key, which is used by that.
func (r *recent[K, V]) get(key K) (value V, known bool) {
	e, known := r.at[key]
	if !known {
		return value, false
	}
	r.order.MoveToFront(e)
	return e.Value.(entry[K, V]).value, true //nolint:forcetypeassert // nothing else is in the list
}

// put sets the value of a key. Where there is no place for it, the key that was not used for the longest goes.
func (r *recent[K, V]) put(key K, value V) {
	if e, known := r.at[key]; known {
		e.Value = entry[K, V]{key, value}
		r.order.MoveToFront(e)
		return
	}
	if len(r.at) >= r.most {
		r.drop(r.order.Back().Value.(entry[K, V]).key) //nolint:forcetypeassert // nothing else is in the list
	}
	r.at[key] = r.order.PushFront(entry[K, V]{key, value})
}

// drop forgets a key.
func (r *recent[K, V]) drop(key K) {
	if e, known := r.at[key]; known {
		r.order.Remove(e)
		delete(r.at, key)
	}
}
