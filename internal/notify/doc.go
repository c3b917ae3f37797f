// Package notify is what happens with nobody typing: orders are looked at until their codes are there,
// the outbox is brought to Telegram, and housekeeping runs by the clock.
//
//   - Deliverer drains the outbox, each chat in order, different chats side by side.
//   - Poller asks the service about orders that are due, one call for all of an account.
//   - Watcher compares balances, stocks and prices with what chats want to be told of.
//   - Menus keeps the menus of commands as people are offered commands, behind everything else.
//   - Operator tells whoever runs the bot what is wrong with it.
//   - Jobs runs what has a schedule.
//
// Nothing here decides what a purchase becomes: that is package purchase's, in the transaction that also
// queues what has to be told. So a message may be delivered late or twice, but never instead of another.
//
// # When an order is looked at
//
// Orders that are due are claimed (poll_claim.go) and are in hand from then on, in the schedule of their account. Its plan
// (poll_schedule.go) is the next call that is worth its price (package pollplan). What a call shows is settled (poll_look.go); what a
// batch does not show is asked for order by order (poll_apart.go). Where the next call is more than 15 s away, all that is in hand goes
// back to disk (poll_far.go). With PollerConfig.BeatsOnly the beats alone decide (poll_beats.go).
//
// After a call that failed, its account rests for 1, 2, 4 … 60 s. A key that is refused is tried once more after 20 s, and rests for five
// minutes then (backoff.go, key.go). After three failures in a row, of whatever accounts, the service is taken to be away, unless only one
// key fails while another works: one call probes it for all keys that fail, and a key that works is never held back. Who waits for an order
// is told after a minute, later where outages come and go, or after ten where it is their key alone that is told nothing; and once that it is
// over (outage.go).
//
// # What becomes of a row of the outbox
//
// A row holds what to tell, not the words: it is rendered when it is sent, so it tells what is true then.
// A row that is enqueued anew while it is on its way is done once more.
//
//	Telegram's answer                what is done
//	ok, not modified                 the purchase notes what was told, the row goes
//	429                              the chat rests as long as it says; not counted as a try. Everybody
//	                                 does where several accounts' chats are refused that were sent little
//	5xx, HTML, timeout, cut          again after 2, 4, 8 … 60 s; a document says that it delivers again
//	no connection                    the same, but nothing can have arrived
//	blocked, kicked, no rights, …    the chat rests for 1, 6, 24, 72 h, or until it speaks
//	message to edit is gone          a new status message, which says that it delivers again if it may
//	group became a supergroup        noted; everything goes there from now on
//	any other 400                    put off: tried as rarely, but nobody waits for it; a row without
//	                                 a code is dropped, at once unless it tells of money. Broken markup
//	                                 goes as plain text at once
//	401, 404, 409                    Run ends: nothing can be delivered with this token
//
// # Claims
//
// Rows and orders are claimed for a minute. All work on a claim is bounded to end before, so that nothing
// is done by two at a time; what a killed process had claimed, the next one takes over when it starts.
//
// That codes go out for the first time is noted on disk before they do. What a killed process left so may
// have arrived, and says that it delivers again if it has to be sent anew.
package notify
