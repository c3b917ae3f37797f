// Package sim is a simulated reseller service: an http.Handler that does what reseller-api.md says the
// service does, for tests and for the sandbox. It is written from that document alone and shares nothing
// with any client but the type for money, so that a wrong JSON tag cannot pass on both sides. A client in
// any language can be tested against it.
//
// # Serving it
//
//	service := sim.New(sim.Options{Mode: sim.Both, Seed: 1})
//	service.DemoCatalogue()
//	if err := service.AddAccount(sim.AccountSpec{Key: "KEY-1", Name: "Shop", UserID: 7, Balance: "25000"}); err != nil {
//		return err
//	}
//	mux := http.NewServeMux()
//	mux.Handle("/api/", service)            // Options.BasePath says where
//	mux.Handle("/panel/", http.StripPrefix("/panel", service.Panel()))  // for a page that people play with
//	return http.ListenAndServe("127.0.0.1:8090", mux)
//
// The base address for clients is then http://127.0.0.1:8090/api:
//
//	curl -H 'X-Api-Key: KEY-1' http://127.0.0.1:8090/api/balance
//
// # Modes
//
// [Options.Mode] is which of the two published generations exist: [Current], [Legacy], or [Both] under one
// base address. A path of a generation that is not served is 404 `Not found`. GET /products, which both
// have, answers in the Current shape unless only Legacy is served or [Options.BothListsLegacy] says so.
// POST /arena/check-player, which both have too, answers as Legacy shows it wherever Legacy is served.
// [AccountSpec.Mode] gives one key a mode of its own. [Operations] and [Routes] list what there is.
//
// # Accounts
//
// An account is a key with a wallet, an allocation of each allocated variant, and rate limits of its own.
// [Server.SetBalance] moves money, [Server.SetExpiry] ends the key at a time, [Server.SetWhitelist] and
// [Server.BlockAddress] refuse addresses. All money is DZD.
//
// # Goods
//
// [Server.AddProduct] adds products with variants, [Server.AddPlan] arena plans, [Server.AddPlayer] players.
// An order is ready after the Delay of its variant or plan, unless [Server.HoldOrders] holds it; one that
// Fails is refunded RefundAfter later, once. Orders of a product of Type "manual" wait for
// [Server.Fulfil] or [Server.CancelOrder]. [ProductSpec.Family] gives orders their own endpoints beside those
// of all orders. Where both generations are served, an order is seen through both.
//
// Players that nobody added exist too: any id that does not begin with 0 (for the internet, 00) belongs to
// one, whose name is made from the seed and the id. An order for a player who is "invalid" fails; an arena
// top-up for one is refused.
//
// [Server.Show] makes an order show otherwise than it is: with a status that goes back, a placeholder for its code,
// another code, or with more at one endpoint than at another.
//
// [Server.Purchases], [Server.Orders] and [Server.Balance] are the truth, whatever a caller was told.
// [Server.Requests] counts what arrived.
//
// # Faults
//
// [Server.Inject] makes the next requests of one operation, of those that cost money ([Spending]), or of
// all ([AnyOperation]) go wrong in one of the ways of [FaultKind]. Those that say "it is done" do what was
// asked before the answer is spoilt, so that the truth and what the caller saw part ways.
//
// # The world
//
// [Server.SetWorld] makes the service as unkind as the document allows, at once and as often as one likes:
// readings that lag, money that is held, counters that count nothing, lists that fail or lack something,
// codes that come late or change, and orders that go back. [Server.Deposit], [Server.SetPrice],
// [Server.SetName], [Server.Remove], [Server.AddKey], [Server.RotateKey] and [Server.Buy], which buys as the account's owner
// does on the service's own pages, are what may happen meanwhile.
//
// [Server.Spends] tells of every request that costs money what truly came of it, and [Server.Entries] what
// has moved a wallet, and when. A caller in the same process can tag its requests: see [Tagged].
//
// # Time
//
// It starts no goroutines: what happens later is worked out from package time's clock when somebody looks,
// so that it runs in real time as well as inside testing/synctest. All times are UTC.
//
// # Shapes
//
// Much is not shown in the document. [Options.Shapes] 0 answers in one plain form. Any other number chooses, for
// each such point by itself and always alike, among forms that services have: the inner names of
// input_fields, their options as texts or objects, the whole as a list, null or [] where there are none;
// the form of order ids and of times; numbers with needless zeros; null or nothing for what is absent;
// a placeholder as the key of an order that has_key says has none; the code of a sportstv order at the endpoints for
// all orders alone;
// `state` for `status`, objects inside `order`, no envelope, or paging, in answers of which no field is shown;
// other words of the document for the statuses of Current orders; fields that no document names;
// Retry-After with a 429.
// What the document names is there under its name and type in every shape, but for input_fields, which
// may be a list although the document says object.
//
// An answer without the envelope may carry a status of its own, such as `success`. That is no mistake of
// the simulation: a player verification does the same by the document.
//
// # Invented
//
// What the document marks "not shown" is invented, plausibly:
//
//   - Statuses of Current orders: `processing` (`pending` while a person is waited for), `completed`, `failed`,
//     `canceled`. Legacy says `delivered` of manual orders that are done and `canceled` of failed ones.
//   - Times are RFC 3339, except purchase_timestamp, which is Unix seconds as text.
//   - Order ids look like ORD-000001 in Current. The same order is 1 in Legacy, and an order that was bought
//     through Legacy is "1" in Current. Arena top-ups count along.
//   - Top-ups of the catalogue bring no code. Their player is the first input.
//   - Legacy products with inputs take them in the body of the purchase, as Current ones do.
//   - A product that is not of kind `topup` is not found by POST /catalog/{id}/verify. A player that does
//     not exist is 404 `Player not found` to the other checks, one that the supplier cannot tell is 502.
//   - The arena order of a catalogue product (Family "arena") is followed by its order id, since nothing
//     names its transaction.
//   - The types of lines are adsl, fibre and 4g; their numbers have 9 or 10 digits and begin with 0.
//   - With [Options.CrossedIDs] Current numbers orders from 1, and Legacy the same ones from 3.
//   - A purchase of more than 500 units fails validation. Allocations are `expired` after their time, and
//     then nothing can be bought of the variant. A refund gives back money, not stock.
//   - Histories list the newest first. Orders of others are left out of batches.
//   - Limits count per key, GETs and POSTs apart, in any 60 seconds; a refused call does not count.
package sim
