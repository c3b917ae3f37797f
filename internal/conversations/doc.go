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
//
// # Where to read
//
//	an update comes in      inbox.go mailbox.go update.go decode.go command.go
//	who may come in         visit.go access.go guests.go; how much is listened to: strangers.go flood.go recent.go
//	what it leads to        router.go rights.go flows.go bot.go turn.go session.go owner.go (who is refused)
//	slow, twice, or not     late.go patience.go typing.go doubletaps.go clears.go park.go again.go (it is handled again)
//	who sees what           costs.go apart.go (the owner's private chat)
//	keys and accounts       key.go link.go carry.go rekey.go unlink.go confirmteam.go accounts.go service.go
//	teams and groups        team.go person.go invite.go lock.go out.go (who leaves) group.go placeset.go
//	home, alerts, privacy   home.go cockpit.go alerts.go privacy.go
//	to find what to buy     browse.go search.go items.go oneline.go lineinputs.go linecustomers.go
//	to buy                  buy.go topup.go inputs.go confirm.go repeat.go approve.go decide.go offers.go
//	lists                   listread.go lists.go listtaps.go listsale.go
//	what was bought         orders.go order.go find.go history.go handed.go (given to its customer)
//	customers               customers.go customernames.go customerorders.go contact.go
//	what is sold, and owed  sales.go salecredit.go salereturn.go kridi.go kridipay.go writtenoff.go receipt.go logo.go
//	the till and the day    closing.go counting.go cashout.go board.go reports.go
//	the shop's prices       prices.go priceat.go priceexamples.go pricelist.go
package conversations
