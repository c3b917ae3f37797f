package store

import (
	"crypto/rand"
	"io"
	"strings"
	"time"
)

const (
	idLength  = 26
	refLength = 5
	// alphabet is Crockford's base 32: no I, L, O, U, so that a reference can be read out.
	alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// NewID makes an id of 26 characters: the time in milliseconds and 80 random bits. Later ids sort behind
// earlier ones.
func NewID(now time.Time, random io.Reader) string {
	var tail [16]byte
	if _, err := io.ReadFull(random, tail[:]); err != nil {
		rand.Read(tail[:]) // never fails; an id must be unique whatever the given source does
	}
	id := make([]byte, 0, idLength)
	id = append(id, stamp(now)...)
	for _, b := range tail {
		id = append(id, alphabet[b&31])
	}
	return string(id)
}

// AfterAll sorts behind the ids that were made until a time, and before those of later.
// It is no id: ten characters sort before every id of the same millisecond.
func AfterAll(until time.Time) string { return stamp(until.Add(time.Millisecond)) }

// stamp is a time in milliseconds, as an id begins with it. Ten characters of five bits hold milliseconds for 35,000 years;
// all ids have one length, so they sort by it.
func stamp(at time.Time) string {
	out := make([]byte, 10)
	ms := uint64(at.UnixMilli())
	for i := 9; i >= 0; i-- {
		out[i] = alphabet[ms&31]
		ms >>= 5
	}
	return string(out)
}

// Ref is the end of an id, as people are shown it.
func Ref(id string) string { return id[max(0, len(id)-refLength):] }

// IsRef reports whether a text has the form of the end of an id.
func IsRef(s string) bool { return len(s) == refLength && strings.Trim(s, alphabet) == "" }

// IsID reports whether a text has the form of an id that NewID makes.
func IsID(s string) bool { return len(s) == idLength && strings.Trim(s, alphabet) == "" }
