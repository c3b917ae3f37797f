// Package purchase is the life of a purchase, from the tap that confirms it to its last code.
//
// The service has no idempotency key and no list of orders, so safety is made here, from four rules:
//
//   - The intent is on disk before the first byte goes out. Only the commit that moves a purchase to
//     `submitting` makes a submission, and a submission can be posted once.
//   - An answer is believed only as far as it proves something. What proves nothing makes the purchase
//     `unknown`: it is said to the chat, never sent again, and holds the account's turn.
//   - At most one purchase of an account is submitting or unknown; later ones wait in its queue.
//   - A change of phase and the messages that it causes are one transaction.
//
// The phases and what moves between them are the table in phase.go.
package purchase
