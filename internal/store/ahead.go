package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"
)

const (
	clockSlack   = time.Minute      // by which a clock may be off and nothing waits for long
	longestClaim = 10 * time.Minute // no lease is longer
	longestTry   = 10 * time.Minute // no message to a chat that takes messages waits longer for its first try
	longestRest  = 73 * time.Hour   // nor one that was refused as it is for the next
)

// isAhead reports whether a field is a moment that is waited for; all others say when something happened.
func isAhead(field string) bool {
	// A field of a moment that is waited for has to be listed here: one that is not would count as something that has happened
	// in the future, and have the whole record set back.
	switch field {
	case "Due", "LookAt", "RefundAt", "ExpiresAt", "DecideBy", "TurnBy":
		return true
	}
	return false
}

// ClampTimes brings back what was written while the clock was ahead: what happened later than now has happened now, and
// what is waited for comes as much sooner. Otherwise purchases, orders and messages would wait until the clock is
// where it was. It returns how many records were changed. Nobody else may use the store meanwhile.
func (s *Store) ClampTimes(ctx context.Context, now time.Time) (changed int, err error) {
	for _, clamp := range []func(context.Context, time.Time) (int, error){
		func(ctx context.Context, now time.Time) (int, error) {
			return clampAll(ctx, s, KindAccount, accounts(), func(r Record) string { return r.Key }, now)
		},
		func(ctx context.Context, now time.Time) (int, error) {
			return clampAll(ctx, s, KindOpen, purchases(), func(r Record) string { return string(r.Value) }, now)
		},
		func(ctx context.Context, now time.Time) (int, error) {
			return clampAll(ctx, s, KindPending, orders(), func(r Record) string { return r.Key }, now)
		},
		func(ctx context.Context, now time.Time) (int, error) {
			return clampAll(ctx, s, KindOutbox, outbox(), func(r Record) string { return r.Key }, now)
		},
	} {
		n, err := clamp(ctx, now)
		if err != nil {
			return changed, fmt.Errorf("bring back times that are ahead: %w", err)
		}
		changed += n
	}
	return changed, nil
}

// clampAll clamps the records that an index names, page after page.
func clampAll[T any](ctx context.Context, s *Store, index Kind, f codec[T], key func(Record) string, now time.Time) (changed int, err error) {
	for after := ""; ; {
		page, err := s.engine.Scan(ctx, index, "", after, 256)
		if err != nil || len(page) == 0 {
			return changed, err
		}
		after = page[len(page)-1].Key
		var n int
		err = s.Update(ctx, func(tx *Tx) error {
			// The transaction may run again: it counts from nothing each time.
			n = 0
			for _, r := range page {
				done, err := clampOne(tx, f, key(r), now)
				if err != nil {
					return err
				}
				if done {
					n++
				}
			}
			return nil
		})
		if err != nil {
			return changed, err
		}
		changed += n
	}
}

// clampOne clamps one record. It is also written anew where a lease that was taken ahead holds it.
func clampOne[T any](tx *Tx, f codec[T], key string, now time.Time) (changed bool, err error) {
	r, err := tx.records.Get(f.kind, key)
	if err != nil {
		return false, ignoring(err, ErrNotFound)
	}
	v, err := f.decode(tx.keyring, r)
	if err != nil {
		return false, err
	}
	by := aheadBy(reflect.ValueOf(&v).Elem(), now)
	// The due time of the record's own fields. That of the engine (r.Due) is later while a worker holds a lease.
	due := f.due(&v)
	// The order matters: a record whose past lies ahead is set back as a whole, and only one whose past is right is asked
	// whether it merely waits too long, or is held by a lease of the wrong time.
	switch held := r.Due.After(now.Add(longestClaim)) && !due.After(now); {
	case by > clockSlack:
		setBack(reflect.ValueOf(&v).Elem(), now, by)
	case tx.tooLate(any(&v), now), held:
	default:
		return false, nil
	}
	return true, f.put(tx, &v)
}

// tooLate makes a message due now that would otherwise wait for longer than any try does, unless its chat takes none, and reports whether it
// did. Where v is no message, it does nothing.
func (t *Tx) tooLate(v any, now time.Time) bool {
	o, ok := v.(*Outgoing)
	longest := longestTry
	if ok && o.Tries > 0 {
		longest = longestRest
	}
	if !ok || !o.Due.After(now.Add(longest)) {
		return false
	}
	c, err := t.Chat(o.Chat)
	if errors.Is(err, ErrNotFound) || err == nil && c.Unreachable.IsZero() {
		o.Due = now
		return true
	}
	return false
}

// aheadBy is how much later than now the latest thing in a record has happened; zero where nothing has.
func aheadBy(v reflect.Value, now time.Time) (by time.Duration) {
	eachTime(v, "", func(field string, at *time.Time) {
		if !isAhead(field) {
			by = max(by, at.Sub(now))
		}
	})
	return by
}

// setBack has everything in a record that lies ahead happen, or come, so much sooner: then nothing has happened later than
// now, and what lay between two things is what it was. Example: it is 12:00, and a record was seen at 14:00 and is due at 14:05. It was
// seen at 12:00 then, and is due at 12:05.
func setBack(v reflect.Value, now time.Time, by time.Duration) {
	eachTime(v, "", func(_ string, at *time.Time) {
		if at.After(now) {
			*at = at.Add(-by)
		}
	})
}

// eachTime calls a function with every moment in a record and the name of its field.
func eachTime(v reflect.Value, field string, do func(field string, at *time.Time)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachTime(v.Elem(), field, do)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachTime(v.Index(i), field, do)
		}
	case reflect.Map:
		eachTimeOf(v, field, do)
	case reflect.Struct:
		if at, ok := reflect.TypeAssert[*time.Time](v.Addr()); ok {
			do(field, at)
			return
		}
		for f, part := range v.Fields() {
			if f.IsExported() {
				eachTime(part, f.Name, do)
			}
		}
	}
}

// eachTimeOf is eachTime for the values of a map, which cannot be changed where they are.
func eachTimeOf(v reflect.Value, field string, do func(field string, at *time.Time)) {
	for _, key := range v.MapKeys() {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		eachTime(value, field, do)
		v.SetMapIndex(key, value)
	}
}
