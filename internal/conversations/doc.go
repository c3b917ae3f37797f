// Package conversations is what happens when somebody types or taps.
//
// An update is on disk before it is acknowledged to Telegram (inbox.go), the updates of one chat are
// handled one after another and those of different chats side by side (mailbox.go), and each may be
// handled twice: a handler's last act is to note that it is done, in the same transaction as what it
// changed. In front of the flows stands a gate (access.go): who may come in at all. In front of the disk stands another
// one (strangers.go): how much one person is listened to. Of people who are of no team most is answered from memory or
// not at all, and the rest comes after what members want. One file holds one flow; all of them work on a turn (turn.go)
// and show screens of package screen. Spending is package purchase's: a flow can only draft, and pass on a tap on ✅.
//
// Rights are a person's, by their Telegram user id, never a chat's (rights.go): they are read when an update is
// opened, and again in the transaction that they are needed for. Where others look on, in a group or at the
// counter, screens hide codes and money, and a button shows a code to the one who taps it.
package conversations
