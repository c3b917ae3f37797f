// Package notify is what happens with nobody typing: orders are looked at until their codes are there,
// the outbox is brought to Telegram, and housekeeping runs by the clock.
//
//   - Deliverer drains the outbox, each chat in order, different chats side by side.
//   - Poller asks the service about orders that are due, one call for all of an account.
//   - Menus keeps the menus of commands as people are offered commands, behind everything else.
//   - Jobs runs what has a schedule.
//
// Nothing here decides what a purchase becomes: that is package purchase's, in the transaction that also
// queues what has to be told. So a message may be delivered late or twice, but never instead of another.
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
