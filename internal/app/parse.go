package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"

	"resellerbot/internal/notify"
	"resellerbot/internal/secret"
	"resellerbot/internal/store/seal"
)

// The functions below read one value each. Their errors say what is wrong with it and never quote it.

// text takes any text.
func text(value string) (string, error) { return value, nil }

// pick takes one of the names.
func pick[T any](values map[string]T) func(string) (T, error) {
	return func(name string) (T, error) {
		value, ok := values[name]
		return value, unless(ok, "is none of the accepted words")
	}
}

// same maps each name to itself, for pick.
func same(names ...string) map[string]string {
	values := map[string]string{}
	for _, name := range names {
		values[name] = name
	}
	return values
}

// matching takes secrets of one form.
func matching(form *regexp.Regexp) func(string) (secret.Text, error) {
	return func(value string) (secret.Text, error) {
		return secret.New(value), unless(form.MatchString(value), "is malformed")
	}
}

var (
	botToken      = matching(regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`))
	webhookSecret = matching(regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`))
	// An API key travels in a header, hence printable ASCII. Quotes and backslashes are what is left
	// over of a shell line gone wrong.
	apiKey = matching(regexp.MustCompile(`^[!#-&(-\[\]-~]+$`))
)

// serverURL takes an address without credentials, query and fragment: https, or http where the host is
// this machine. A slash at its end is dropped.
func serverURL(value string) (string, error) {
	u, err := url.Parse(value)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return "", errors.New("is not an address")
	// Credentials in an address would get into logs, which know no secret in it.
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", errors.New("has more than a host and a path")
	case u.Scheme != "https" && u.Scheme != "http":
		return "", errors.New("is neither https nor http")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return "", errors.New("is http to another machine")
	}
	return strings.TrimSuffix(value, "/"), nil
}

// isLoopback reports whether a host is this machine for certain: no name but localhost is looked up.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// resellerURL takes a serverURL that ends with /api.
func resellerURL(value string) (string, error) {
	if _, err := serverURL(value); err != nil {
		return "", err
	}
	return value, unless(strings.HasSuffix(value, "/api"), "does not end with /api")
}

// webhookURL takes a serverURL that is https, also on this machine: Telegram calls nothing else.
func webhookURL(value string) (string, error) {
	if _, err := serverURL(value); err != nil {
		return "", err
	}
	return value, unless(strings.HasPrefix(strings.ToLower(value), "https:"), "is not https")
}

// listenAddr takes host:port, or nothing. A wrong address is returned all the same, as it is not nothing.
func listenAddr(value string) (string, error) {
	if value == "" {
		return "", nil
	}
	_, port, err := net.SplitHostPort(value)
	if err != nil {
		return value, errors.New("is not host:port")
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return value, unless(err == nil, "has no port from 0 to 65535")
}

// rate takes a number of calls.
func rate(value string) (int, error) {
	const most = 100_000
	n, err := strconv.Atoi(value)
	return n, unless(err == nil && n >= 1 && n <= most, "is not such a number")
}

// segment takes a word that stands between two slashes of the service's paths. Those that its other paths begin with are
// none: one would be taken for the other.
func segment(value string) (string, error) {
	const longest = 64
	others := []string{"account", "balance", "catalog", "internet", "orders", "products", "purchase-history", "stock", "variants"}
	form := regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	switch {
	case len(value) > longest || !form.MatchString(value):
		return "", errors.New("is no part of a path")
	case slices.Contains(others, strings.ToLower(value)):
		return "", errors.New("begins other paths of the service")
	}
	return value, nil
}

// positive takes a whole number above zero.
func positive(value string) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	return n, unless(err == nil && n > 0, "is not a whole number above zero")
}

// userID takes the id of a Telegram user; groups and channels have negative ones.
func userID(value string) (int64, error) { return positive(value) }

// duration takes a length of time above zero.
func duration(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	return d, unless(err == nil && d > 0, "is not a duration above zero")
}

// zone takes the name of a time zone.
func zone(value string) (*time.Location, error) {
	loc, err := time.LoadLocation(value)
	return loc, unless(err == nil, "is not a known time zone")
}

// schedule takes what the scheduler takes. Zones inside are not for here, as TIMEZONE is; the scheduler
// panics at half a one.
func schedule(value string) (string, error) {
	if strings.Contains(value, "=") {
		return "", errors.New("has a zone of its own, which TIMEZONE is for")
	}
	nothing := func(context.Context) error { return nil }
	err := notify.NewJobs(time.UTC, slog.New(slog.DiscardHandler)).Add(value, "nothing", nothing)
	return value, unless(err == nil, "is no schedule")
}

// encryptionKeys takes what the store's key ring takes.
func encryptionKeys(value string) (secret.Text, error) {
	_, err := seal.ParseKeyring(value)
	return secret.New(value), err // which says which key is wrong
}

// copies takes a number of copies to keep.
func copies(value string) (int, error) {
	const most = 10_000
	n, err := strconv.Atoi(value)
	return n, unless(err == nil && n >= 1 && n <= most, "is not such a number")
}

// recipients takes public keys of age that can be used together.
func recipients(value string) (all []age.Recipient, err error) {
	for i, key := range strings.Split(value, ",") {
		// Its error is not told: somebody may have put a secret key here.
		one, err := age.ParseRecipients(strings.NewReader(strings.TrimSpace(key)))
		if err != nil || len(one) != 1 {
			return nil, fmt.Errorf("has no public key as entry %d", i+1)
		}
		all = append(all, one...)
	}
	_, err = age.Encrypt(io.Discard, all...)
	return all, unless(err == nil, "has keys of kinds that do not go together")
}
