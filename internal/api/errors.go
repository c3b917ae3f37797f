package api

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// Class is why a call failed, as callers decide on it (docs/reseller-api.md, Errors). The set is closed.
type Class uint8

const (
	// Internal is a fault of this program or an answer that fits nothing else.
	Internal Class = iota
	// Unauthorized: the key is missing, wrong or expired (401).
	Unauthorized
	// IPBlocked: the account only takes requests from other addresses (403 `IP address not allowed`).
	IPBlocked
	// Funds: the wallet holds too little (403, Legacy 400 `Insufficient balance`).
	Funds
	// OutOfStock: the product cannot be had now, or not that many (400).
	OutOfStock
	// Invalid: the service refused the input (400 `Validation failed`, 422); Error.Fields says which.
	Invalid
	// NotFound: no such product, variant or order (404), or an order of somebody else.
	NotFound
	// Limited: too many requests, here or at the service (429); Error.RetryAfter says how long to wait.
	Limited
	// Upstream: the service is down, slow or answers what cannot be read (5xx, HTML, timeouts, no connection).
	Upstream
	// NotOffered: the service, or its generation, does not have what was asked for. Nothing is wrong.
	NotOffered
)

// String names the class for logs and metrics.
func (c Class) String() string {
	names := [...]string{"internal", "unauthorized", "ip_blocked", "funds", "out_of_stock", "invalid", "not_found", "limited", "upstream", "not_offered"}
	if int(c) < len(names) {
		return names[c]
	}
	return "internal"
}

// Error is a failed call. Its text is for logs only; people are told by class.
type Error struct {
	Op         string              // the operation, "GET /balance"
	Status     int                 // HTTP status, zero where no answer came
	Class      Class               // why, as callers decide on it
	Fields     map[string][]string // Invalid: field to messages, hostile text
	RetryAfter time.Duration       // Limited: how long to wait, zero where unknown
	Address    netip.Addr          // IPBlocked: from where the service sees the call come; invalid where it does not say
	Err        error               // the cause, without secrets; may be nil
}

// Error implements error. It holds neither the key nor any text of the service.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s", e.Op, e.Class)
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// errNoRoute: the service answered 404, and not with one of the messages by which it says that a product or
// an order is unknown. The path itself may be.
var errNoRoute = errors.New("the service does not know the path")

// errNotWrapped: a refusal came without the service's envelope, as a firewall answers.
var errNotWrapped = errors.New("the refusal is not the service's")

// errOther: what was asked for is one order, and the answer names another.
var errOther = errors.New("the answer is about another order")

// errNoPlayer: the service refused, or does not know, a player or a number.
var errNoPlayer = errors.New("the service does not know the player")

// ClassOf is the class of the *Error in err's chain, Internal where there is none.
func ClassOf(err error) Class {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	return Internal
}
