package seal_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"resellerbot/internal/store/seal"
)

func key(id string, b byte) string {
	return id + ":" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32))
}

func keyring(tb testing.TB, keys ...string) *seal.Keyring {
	tb.Helper()
	r, err := seal.ParseKeyring(strings.Join(keys, ","))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestOpensOnlyWhereItWasSealed(t *testing.T) {
	r := keyring(t, key("a", 1))
	sealed, err := r.Seal([]byte("secret"), "account", "u1", "key")
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := r.Open(sealed, "account", "u1", "key"); err != nil || string(plain) != "secret" {
		t.Errorf("Open: %q, %v", plain, err)
	}
	for _, place := range [][3]string{{"account", "u2", "key"}, {"order", "u1", "key"}, {"account", "u1", "name"}, {"accountu", "1", "key"}} {
		if _, err := r.Open(sealed, place[0], place[1], place[2]); !errors.Is(err, seal.ErrBroken) {
			t.Errorf("it opens at %v: %v", place, err)
		}
	}
	for i := range sealed {
		bad := bytes.Clone(sealed)
		bad[i] ^= 1
		if _, err := r.Open(bad, "account", "u1", "key"); err == nil {
			t.Errorf("it opens with byte %d changed", i)
		}
		if _, err := r.Open(sealed[:i], "account", "u1", "key"); err == nil {
			t.Errorf("it opens cut to %d bytes", i)
		}
	}
	if bytes.Contains(sealed, []byte("secret")) {
		t.Error("the value lies in clear text")
	}
}

func TestRotation(t *testing.T) {
	old, both, fresh := keyring(t, key("a", 1)), keyring(t, key("b", 2), key("a", 1)), keyring(t, key("b", 2))
	sealed, _ := old.Seal([]byte("x"), "k", "1", "f")
	if _, err := both.Open(sealed, "k", "1", "f"); err != nil || both.Current(sealed) {
		t.Errorf("a keyring that still holds the key: %v, current %v", err, both.Current(sealed))
	}
	again, _ := both.Seal([]byte("x"), "k", "1", "f")
	if _, err := fresh.Open(again, "k", "1", "f"); err != nil || !fresh.Current(again) {
		t.Errorf("what the new key sealed: %v", err)
	}
	if _, err := fresh.Open(sealed, "k", "1", "f"); !errors.Is(err, seal.ErrKey) {
		t.Errorf("a keyring without the key: %v", err)
	}
}

func TestParseRingNeverShowsAKey(t *testing.T) {
	canary := "CANARYCANARYCANARY"
	for _, s := range []string{"", canary, "a:" + canary, "a:", ":" + canary, key("a", 1) + "," + key("a", 2), key("a", 1) + ",", key("a b", 1), key(strings.Repeat("i", 33), 1)} {
		_, err := seal.ParseKeyring(s)
		if err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("ParseRing(%q): %v", s, err)
		}
	}
	r := keyring(t, key("a", 1))
	if s := fmt.Sprintf("%v %+v %#v %s", r, r, r, r); strings.Contains(s, "1") && !strings.Contains(s, "[keyring of 1 keys]") {
		t.Errorf("the keyring prints %s", s)
	}
}

func FuzzOpen(f *testing.F) {
	r := keyring(f, key("a", 1))
	sealed, _ := r.Seal([]byte("x"), "k", "1", "f")
	f.Add(sealed)
	f.Add([]byte{1, 255})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		if plain, err := r.Open(b, "k", "1", "f"); err == nil && string(plain) != "x" {
			t.Errorf("%x opens as %q", b, plain)
		}
	})
}
