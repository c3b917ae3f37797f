// Package store is everything the bot has promised, on disk: whose key opens which account, what was
// confirmed, which orders are followed, what a chat has yet to be told.
//
// There are two layers. An Engine keeps versioned records durably and knows nothing of what they mean;
// package bolt is the embedded one, package postgres the one for several machines, and storetest.TestEngine is
// what every engine must pass. Above it, Store reads typed records and Tx changes several of them as one durable
// transaction; both seal what is secret and keep the indexes.
//
// # What lies where
//
// Every kind of records, and the indexes under what they find. A value is a Go type, or says what it is;
// sealed are fields of it that never lie open; a kind with a due time is a queue. A test fills a store and
// finds in its file what this says, and nothing else.
//
//	kind                 key                  value        sealed                               due
//	meta                 "store"              meta         key_check, mark_key
//	account              {account}            Account      key                                  next look, while refunds, prices or lists are awaited
//	movement             {account}/{¬number}  Movement
//	chat                 {chat}               Chat
//	players              {chat}/{account}     Players      list
//	alerts               {chat}/{account}     Alerts
//	invite               {token}              Invite                                            when it is too old
//	times                {item}               Times
//	outage               "service"            Outage
//	trouble              {trouble}            Trouble
//	shelf                {account}            Shelf
//	menu                 {user}               Menu                                              when to look whether it fits
//	session              {chat}/{user}        Session      data
//	purchase             {purchase}           Purchase     inputs, player                       when one that is not confirmed expires, its place in the queue ends, or one that may have gone through is looked for
//	├─ purchase_by_chat  {chat}/{¬purchase}   purchase id
//	└─ purchase_open     {purchase}           purchase id
//	list                 {list}               List         lines                                when its players are asked about next, its ✅ expires, or it may be forgotten
//	└─ list_by_chat      {chat}/{¬list}       list id
//	order                {account}/{order}    Order        code, instead, later, notes, serial  next look, while there is one
//	└─ order_pending     {account}/{order}    nothing
//	claim                {claim}              Claim
//	outbox               {chat}/{message}     Outgoing                                          when to send it
//	inbox                {update}             Incoming     raw
//	seen                 {update}             mark                                              when it may be forgotten
//	book                 {book}               Book
//	book_entry           {book}/{entry}       Entry
//	book_key             {book}/{event}       EntryKey
//	book_balance         {book}/{sum}         Balance
//	book_line            {book}/{sum}/{¬entry} LineOf
//	book_unit            {book}/{order}       Unit
//	book_day             {book}/{day}         DayRecord
//	book_late            {book}/{day}/{entry} Late
//	book_shift           {book}/{till}/{entry} Shift
//	book_due             {book}/{order}       Due
//	prices               {book}               Prices
//	book_desk            {book}               Desk         logo
//	book_count           {book}/{till}        Count
//	book_costs           {book}               Costs
//	customer             {book}/{customer}    Customer     name, note, phone, players, usual
//
// Keys sort by their bytes, and are made of these parts, between slashes:
//
//   - chat, user and update are Telegram's numbers as 16 hexadecimal digits, with 2⁶³ added: so negative
//     ones, which groups have, come first.
//   - purchase is an id that sorts by its time (NewID). ¬purchase is that id with each digit turned into
//     its opposite, Z for 0, so that a chat's newest purchase comes first. list is such an id too, and ¬list its opposite.
//   - ¬number is which of the account's movements it is, counted from 1, as 16 hexadecimal digits of its
//     complement: so the newest comes first here too.
//   - message is an id too, as a rule that of the purchase it tells of: it is what orders the messages of
//     a chat, and one put twice under it is one message.
//   - token is the SHA-256 of an invitation's token, in hexadecimal digits. The token itself is only in the link.
//   - claim is "order/" and an order, folded, for each of its names (orderid.Fold, Order.Names), or "folded/" and the
//     HMAC-SHA-256 of a code without its blanks and dashes, in small letters, under the store's own mark_key, in hexadecimal
//     digits, or "code/" and that of the same as it is spelled, where the small letters are another code's: whose purchase that
//     order, or that code, is.
//   - item is a codec of products and the service's number of a variant (ItemOf).
//   - trouble is the name of one (TroubleName).
//   - book is the account that pays for what a shop sells; entry is a number of its journal, or of a shift, as 16
//     hexadecimal digits, ¬entry its complement; event is what an entry tells of, sum one of the ledger's accounts, till a
//     counter, day a label of package ledger.
//   - account is "u" and the service's number of the user, or "k" and the fingerprint of the key. order
//     is what the service calls it, behind its origin where that is not the current interface (OrderID).
//
// An account is never deleted: one that was unlinked loses its key once nothing can come of what it has bought, and
// keeps what it counts. What was bought by it names it, and linked again it goes on where it was. An account that has
// turned out to be another one, under a newer key, names that (Same).
//
// The indexes spare a scan of everything there ever was: purchase_by_chat finds a chat's purchases, list_by_chat its lists,
// purchase_open those that were confirmed and have not come to an end, order_pending the orders of which
// something is awaited. They are written in the same transaction as what they index, and Check proves them equal to it.
//
// # Values
//
// A value is a byte for its format and JSON: under "o" the open fields of the record, under "s" the sealed
// ones by their names in the table. In format 2 the JSON is deflated over a dictionary (packing.go): so is what
// there is most of, as purchases and their orders. What is sealed is bound to its kind, key and field (package seal), so it opens nowhere else. The meta
// record has no format byte: it must be readable by every version, since it holds the number of the schema. Its
// key_check is a text known to all, sealed: a keyring that does not open it is the wrong one (ErrWrongKey), which
// is known before anything is changed. Rekey seals everything anew under the first key of the keyring, the
// key_check last. Beside it lies, for a moment, what Room writes, and under "moved" and "arriving" what the two databases of a
// Move know of it.
//
// # Books
//
// The journal of a shop, and what is kept beside it, are those of package ledger; book_desk is how the shop shows itself,
// book_count what somebody has counted and no owner has confirmed yet, book_costs what the service asked when it was looked at last.
// What an order of the service means to
// them is written by the transaction that changes the order, or its purchase, as the last of it; where that is not possible the
// fact waits in book_due, and the transaction is none the worse. Check proves that the books add up and agree with the orders.
//
// # Versions and claims
//
// A record knows the version it was read at, and a Put fails with ErrConflict where that is not the stored
// one. Versions of a kind never come again, so a stale copy does not fit a record made anew either. A
// worker claims what is due: its due time moves behind the lease and its version rises, so that of two
// workers only the one with the later claim can still write. A claimed record keeps the Due field that it
// was put with: the end of the lease is known to the engine alone.
//
// # Updates of Telegram
//
// An update is in inbox before it is acknowledged, and stays until it is handled: whoever starts next
// finds it. Then its id alone stays in seen for two days, longer than Telegram repeats an update, so that
// one which comes again is known.
//
// # Schema
//
// Open runs the migrations that the file has not seen yet, in one transaction: all of them or none. A file of a
// newer program is refused (ErrNewer) and not touched. Every change of what is stored is a schema, also one that
// needs no migration: a program that does not know a field would write the record without it.
package store
