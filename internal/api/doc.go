// Package api is what the reseller service says: a client for its HTTP/JSON interface
// (docs/reseller-api.md), with one vocabulary out. Sections of that document are named where they are meant.
//
// # Generations
//
// The service publishes two interfaces under one address. Which one it speaks to a key is found out once
// (generation.go) and callers cannot tell them apart: an operation that the other generation lacks answers
// NotOffered.
//
// # Operations
//
// Every operation is annotated with a comment `//reseller:operation METHOD path generation`; tests compare
// the annotations with this table, with docs/reseller-api.md and with the simulator's routes.
//
//	GET  /products                                    both     browsing, /topup; how input_fields look inside is not shown
//	GET  /products/{productId}/variants               current  the price just before a purchase
//	POST /products/purchase/{variantId}               current  buying; whether key_id is required is not shown: Config has it
//	GET  /products/order/{orderId}                    current  one order; the set of statuses is open
//	POST /products/orders/retrieve                    current  following orders; the longest list is not shown
//	GET  /stock                                       current  /stock; statuses but active are not shown
//	GET  /account                                     current  whose key it is
//	GET  /balance                                     current  /balance, the wallet before a purchase, refunds
//	POST /catalog/{id}/verify                         current  the inputs of a top-up; which listing tells the kind is not shown
//	POST /arena/check-player                          both     the player of an arena top-up; what Current answers is not shown
//	GET  /arena/status/{trxId}                        current  following an arena top-up by its transaction; fields not shown
//	POST /battleroyale/check-player                   current  the player of a product; fields but the name are not shown
//	GET  /battleroyale/status/{orderId}               current  following such an order; fields not shown
//	GET  /battleroyale/history                        current  the history screen; fields and paging not shown
//	GET  /sportstv/order/{orderId}                    current  following a subscription; fields not shown
//	GET  /internet/check-number/{type}/{number}       current  the number of a product; nothing of its shape is shown
//	GET  /products/{id}                               legacy   a product with its variants' ids, and the price before a purchase
//	POST /products/{product_id}/{variant_id}/purchase legacy   buying
//	GET  /purchase-history                            legacy   the history screen
//	GET  /orders/{order_id}                           legacy   following orders
//	GET  /arena/plans                                 legacy   /topup
//	POST /arena/topup                                 legacy   buying a plan for a player
//	GET  /arena/orders/{order_id}                     legacy   following an arena top-up
//	GET  /arena/orders                                legacy   the history screen
//	GET  /account/balance                             legacy   /balance, the wallet before a purchase, refunds
//	POST /variants/check-availability                 legacy   whether a variant can be had at the moment of the tap
//
// # Reading
//
// Answers are read leniently: enveloped or bare, ids as text or number, both forms of time, unknown
// fields ignored, one odd entry of a list left out rather than the list refused. They are never trusted:
// bodies are capped, redirects are not followed (the key would go along), and no text of the service
// gets into an error or a log.
//
// # Spending
//
// A purchase has its own client (money.go) that puts one copy of the request on the wire at most, and a
// pure function (verdict.go) that says what its answer proves.
//
// # Limits
//
// The service's limits are kept here, before they are met: exactly, over every 60 seconds, with a reserve
// that only people use (limit.go).
package api
