// Package seal encrypts what must not lie on disk in clear text. It is the only place that sees master
// keys.
//
// A sealed value is bound to where it lies: its kind, key and field are authenticated with it, so that
// one chat's sealed key does not open as another's. Each master key has an id, and a value names the one
// it was sealed under; the first of a keyring seals, all of them open.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

const (
	format  = 1  // first byte of every sealed value
	keySize = 32 // bytes of a master key: AES-256
	maxID   = 32 // bytes of a key's id
)

var (
	// ErrKey: the value was sealed under a key that the keyring does not hold.
	ErrKey = errors.New("seal: sealed under a key that is not in the keyring")
	// ErrBroken: the value was changed, cut, or belongs somewhere else.
	ErrBroken = errors.New("seal: the sealed value is broken or not from here")
)

// Keyring is the master keys in use. It prints nothing of them.
type Keyring struct {
	first string // id of the key that seals
	keys  map[string]cipher.AEAD
}

// ParseKeyring reads `id:base64(32 bytes)`, comma-separated. Its errors name an entry by its place, never by
// its text.
func ParseKeyring(s string) (*Keyring, error) {
	r := &Keyring{keys: map[string]cipher.AEAD{}}
	for i, entry := range strings.Split(s, ",") {
		id, text, found := strings.Cut(strings.TrimSpace(entry), ":")
		if !found || !validID(id) {
			return nil, fmt.Errorf("key %d is not of the form id:base64", i+1)
		}
		master, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(master) != keySize {
			return nil, fmt.Errorf("key %d is not the base64 of %d bytes", i+1, keySize)
		}
		if r.keys[id] != nil {
			return nil, fmt.Errorf("key %d has the id of an earlier one", i+1)
		}
		if r.keys[id], err = newAEAD(master); err != nil {
			return nil, fmt.Errorf("key %d: %w", i+1, err)
		}
		if i == 0 {
			r.first = id
		}
	}
	return r, nil
}

// validID reports whether a key id is short and plain.
func validID(id string) bool {
	return id != "" && len(id) <= maxID && !strings.ContainsFunc(id, func(c rune) bool { return c <= ' ' || c >= 0x7f })
}

// newAEAD derives the key for records from a master key: other uses will derive their own.
func newAEAD(master []byte) (cipher.AEAD, error) {
	sub, err := hkdf.Key(sha256.New, master, nil, "resellerbot records 1", keySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(sub)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// String implements fmt.Stringer and tells nothing.
func (r *Keyring) String() string { return fmt.Sprintf("[keyring of %d keys]", len(r.keys)) }

// GoString implements fmt.GoStringer and tells nothing.
func (r *Keyring) GoString() string { return r.String() }

// Seal encrypts a value for one field of one record.
func (r *Keyring) Seal(plain []byte, kind, key, field string) ([]byte, error) {
	aead := r.keys[r.first]
	out := make([]byte, 0, 2+len(r.first)+len(plain)+aead.Overhead())
	out = append(out, format, byte(len(r.first))) //nolint:gosec // G115: maxID, which ParseRing holds it to, is less
	out = append(out, r.first...)
	return aead.Seal(out, nil, plain, place(kind, key, field)), nil //nolint:gosec // G407: no nonce is given: this AEAD makes a random one
}

// Open decrypts a value that was sealed for the same field of the same record. ErrKey where the keyring lacks
// its key, ErrBroken where it is not what was sealed there.
func (r *Keyring) Open(sealed []byte, kind, key, field string) ([]byte, error) {
	id, rest, err := split(sealed)
	if err != nil {
		return nil, err
	}
	aead := r.keys[id]
	if aead == nil {
		return nil, ErrKey
	}
	plain, err := aead.Open(nil, nil, rest, place(kind, key, field))
	if err != nil {
		return nil, ErrBroken
	}
	return plain, nil
}

// Current reports whether a value is sealed under the key that seals now.
func (r *Keyring) Current(sealed []byte) bool {
	id, _, err := split(sealed)
	return err == nil && id == r.first
}

// split reads a sealed value's header.
func split(sealed []byte) (id string, rest []byte, err error) {
	if len(sealed) < 2 || sealed[0] != format || len(sealed) < 2+int(sealed[1]) {
		return "", nil, ErrBroken
	}
	n := 2 + int(sealed[1])
	return string(sealed[2:n]), sealed[n:], nil
}

// place is where a value lies, as its associated data: each part with its length before it, so that no
// two places read the same.
func place(kind, key, field string) []byte {
	var b []byte
	for _, part := range []string{kind, key, field} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(part))) //nolint:gosec // G115: no part is as long as 4 GiB
		b = append(b, part...)
	}
	return b
}
