package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"go.etcd.io/bbolt"

	"resellerbot/internal/store"
)

// tx implements store.RecordTx.
type tx struct{ *bbolt.Tx }

// Get implements store.RecordTx.
func (t tx) Get(k store.Kind, key string) (store.Record, error) {
	r, err := t.peek(k, key)
	return own(r), err
}

// Put implements store.RecordTx.
func (t tx) Put(r store.Record) (uint64, error) {
	old, size, err := t.stored(r)
	if err != nil {
		return 0, err
	}
	b, err := t.CreateBucketIfNotExists(records(r.Kind))
	if err != nil {
		return 0, err
	}
	b.FillPercent = fill(r.Kind)
	// Versions never come again within a kind, so that a stale one cannot fit a record made anew.
	if r.Version, err = b.NextSequence(); err != nil {
		return 0, err
	}
	if len(r.Value) < size/2 { // bbolt joins pages that are nearly empty where something was deleted, and there alone
		if err := b.Delete([]byte(r.Key)); err != nil {
			return 0, err
		}
	}
	if err := b.Put([]byte(r.Key), encode(r)); err != nil {
		return 0, err
	}
	return r.Version, t.queue(old, r)
}

// Delete implements store.RecordTx.
func (t tx) Delete(r store.Record) error {
	old, err := t.peek(r.Kind, r.Key)
	if err != nil {
		return err
	}
	if old.Version != r.Version {
		return store.ErrConflict
	}
	if err := t.Bucket(records(r.Kind)).Delete([]byte(r.Key)); err != nil {
		return err
	}
	// By the due time that is stored: whoever deletes need know no more than the version.
	return t.queue(old.Due, store.Record{Kind: r.Kind, Key: r.Key})
}

// peek is Get for as long as the transaction lasts and writes nothing: the value lies in the file's map.
func (t tx) peek(k store.Kind, key string) (store.Record, error) {
	b := t.Bucket(records(k))
	if b == nil {
		return store.Record{}, store.ErrNotFound
	}
	value := b.Get([]byte(key))
	if value == nil {
		return store.Record{}, store.ErrNotFound
	}
	return header(k, key, value)
}

// stored is when the record that r would replace is due, and how long its value is; zero where there is none. ErrConflict
// unless r knows its version.
func (t tx) stored(r store.Record) (due time.Time, size int, err error) {
	old, err := t.peek(r.Kind, r.Key)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return due, 0, err
	}
	if old.Version != r.Version {
		return due, 0, store.ErrConflict
	}
	return old.Due, len(old.Value), nil
}

// queue moves a record in the time index from where it was to where it is.
// The index holds nothing but times and keys, so a record that moves is one entry less and one more.
func (t tx) queue(was time.Time, now store.Record) error {
	if toMicros(was) == toMicros(now.Due) {
		return nil
	}
	b, err := t.CreateBucketIfNotExists(dues(now.Kind))
	if err != nil {
		return err
	}
	if !was.IsZero() {
		if err := b.Delete(dueKey(was, now.Key)); err != nil {
			return err
		}
	}
	if now.Due.IsZero() {
		return nil
	}
	return b.Put(dueKey(now.Due, now.Key), nil)
}

// due lists the keys of records that are due, oldest first.
func (t tx) due(k store.Kind, now time.Time, limit int) (keys []string) {
	b := t.Bucket(dues(k))
	if b == nil {
		return nil
	}
	c := b.Cursor()
	for key, _ := c.First(); key != nil && len(keys) < limit; key, _ = c.Next() {
		if binary.BigEndian.Uint64(key) > toMicros(now) {
			break
		}
		keys = append(keys, string(key[8:]))
	}
	return keys
}

// fill is which part of a page stays, as the first of two, where a new key has made it too long. Where keys come last nothing is
// put into that one again, so it is left full; where they come first, the second one is.
func fill(k store.Kind) float64 {
	switch k.Arrives() {
	case store.Last:
		return 0.9
	case store.First:
		return 0.1 // the least that bbolt takes
	default:
		return bbolt.DefaultFillPercent
	}
}

// records and dues name a kind's two buckets.
func records(k store.Kind) []byte { return []byte("r/" + k) }
func dues(k store.Kind) []byte    { return []byte("d/" + k) }

// dueKey is a record's key in the time index.
func dueKey(due time.Time, key string) []byte {
	// Big-endian, so that the bytes sort as the times do: due and NextDue read from the front.
	return append(binary.BigEndian.AppendUint64(nil, toMicros(due)), key...)
}

// toMicros and fromMicros keep times as microseconds since 1970; 0 is no time.
func toMicros(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	// 0 says that there is no time: what lies before 1970 is due in its first microsecond.
	return uint64(max(t.UnixMicro(), 1))
}

func fromMicros(n uint64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(int64(min(n, math.MaxInt64))).UTC()
}

// encode writes a record's header and value.
func encode(r store.Record) []byte {
	b := make([]byte, headerSize, headerSize+len(r.Value))
	binary.BigEndian.PutUint64(b, r.Version)
	binary.BigEndian.PutUint64(b[8:], toMicros(r.Due))
	return append(b, r.Value...)
}

// decode reads what encode wrote, copying what lies in the file's map.
func decode(k store.Kind, key, b []byte) (store.Record, error) {
	r, err := header(k, string(key), b)
	return own(r), err
}

// own is a record that does not lie in the file's map.
func own(r store.Record) store.Record {
	r.Value = bytes.Clone(r.Value)
	return r
}

// header is decode without the copy.
func header(k store.Kind, key string, b []byte) (store.Record, error) {
	if len(b) < headerSize {
		return store.Record{}, fmt.Errorf("record %s %q is cut", k, key)
	}
	return store.Record{
		Kind: k, Key: key, Version: binary.BigEndian.Uint64(b),
		Due: fromMicros(binary.BigEndian.Uint64(b[8:])), Value: b[headerSize:],
	}, nil
}
