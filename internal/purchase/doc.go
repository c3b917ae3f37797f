// Package purchase is the life of a purchase, from the tap that confirms it to its last code.
//
// The service has no idempotency key. It lists orders, but late, and it may leave out an order that exists. So safety is
// made here, from four rules:
//
//   - The intent is on disk before the first byte goes out. Only the commit that moves a purchase to
//     `submitting` makes a submission, and a submission can be posted once.
//   - An answer is believed only as far as it proves something. What proves nothing makes the purchase
//     `unknown`: it is said to the chat, never sent again, and holds the account's turn.
//   - At most one purchase of an account is submitting or unknown; later ones wait in its queue.
//   - A change of phase and the messages that it causes are one transaction.
//
// The phases and what moves between them are the table in phase.go.
//
// # Where to read
//
//	a tap, and its way out  tap.go engine.go queue.go submit.go verdict.go
//	                        record.go (the outcome is written, come what may) offline.go (the service does not answer)
//	phases                  phase.go (the table) transition.go (move: all that changes with a phase) moved.go (who counts the steps)
//	who may buy             allow.go approve.go repeat.go held.go (places in the queue) switch.go keys.go
//	orders and their ends   settle.go outcome.go claims.go lines.go (codes of several lines) listed.go missing.go look.go ping.go
//	was it bought?          reconcile.go (when to look) evidence.go others.go rows.go own.go elsewhere.go (what is read) judge.go (what it proves)
//	                        adopt.go (orders become its own) doubt.go decide.go (a person decides) refused.go
//	the wallet              reading.go (a reading comes in) explain.go (which causes make a change) ambiguous.go apply.go (what follows)
//	                        wallet.go forget.go outside.go more.go rounded.go refunds.go price.go otherprice.go charged.go accounts.go (when to look)
//	how late readings are   lag.go, with all waiting times
//	lists                   lists.go listlines.go listcheck.go listrows.go listapprove.go
//	another key, a copy     likeness.go (is a key of the same account?) frozen.go (an account that was restored)
package purchase
