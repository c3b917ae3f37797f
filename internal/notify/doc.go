// Package notify is what happens with nobody typing: orders are looked at until their codes are there,
// the outbox is brought to Telegram, and housekeeping runs by the clock.
//
//   - Sender is the one door to Telegram. Replies go through it too: the limits are Telegram's, for the
//     whole bot, so there is one place that keeps them.
//   - Deliverer drains the outbox, each chat in order, different chats side by side.
//   - Poller asks the service about orders that are due, one call for all of an account.
//   - Jobs runs what has a schedule.
//
// Nothing here decides what a purchase becomes: that is package purchase's, in the transaction that also
// queues what has to be told. So a message may be delivered late or twice, but never instead of another.
package notify
