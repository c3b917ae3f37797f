// Package api is what the reseller service says: a client for its HTTP/JSON interface
// (reseller-api.md), with one vocabulary out.
//
// # Operations
//
// Every operation is annotated with a comment `//reseller:operation METHOD path generation`; a test
// compares the annotations with this table.
//
//	GET  /products                         current  browsing; inner structure of input_fields is not shown
//	GET  /products/{productId}/variants    current  the price just before a purchase
//	POST /products/purchase/{variantId}    current  buying; whether key_id is required is not shown: it is not sent
//	GET  /products/order/{orderId}         current  one order; the set of statuses is open
//	POST /products/orders/retrieve         current  following orders; the longest list is not shown
//	GET  /stock                            current  allocations
//	GET  /account                          current  whose key it is
//	GET  /balance                          current  the wallet
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
