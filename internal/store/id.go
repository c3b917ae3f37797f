package store

import (
	"crypto/rand"
	"io"
	"time"
)

// alphabet is Crockford's base 32: no I, L, O, U, so that a reference can be read out.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NewID makes an id of 26 characters: the time in milliseconds and 80 random bits. Later ids sort behind
// earlier ones.
func NewID(now time.Time, random io.Reader) string {
	var tail [16]byte
	if _, err := io.ReadFull(random, tail[:]); err != nil {
		rand.Read(tail[:]) // never fails; an id must be unique whatever the given source does
	}
	id := make([]byte, 26)
	ms := uint64(now.UnixMilli())
	for i := 9; i >= 0; i-- {
		id[i] = alphabet[ms&31]
		ms >>= 5
	}
	for i, b := range tail {
		id[10+i] = alphabet[b&31]
	}
	return string(id)
}

// Ref is the end of an id, as people are shown it.
func Ref(id string) string { return id[max(0, len(id)-5):] }
