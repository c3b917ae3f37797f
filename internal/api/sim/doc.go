// Package sim is a simulated reseller service: an http.Handler that does what reseller-api.md says the
// service does, for tests and for the sandbox. Any client can be tested against it.
//
// It is written from the document and shares nothing with our client but the type for money, so that a
// wrong JSON tag cannot pass on both sides. It starts no goroutines: what happens later (an order becomes
// ready, a failed one is refunded) is worked out from the clock when somebody looks.
//
// # Invented
//
// What the document marks "not shown" is invented here, plausibly: an order that is done is `completed`,
// one that failed is `failed`; order ids look like ORD-000001; input_fields holds label, required and
// options; purchase_timestamp is Unix seconds as text; a purchase of more than 500 units fails validation;
// rate limits count per key, and a 429 carries no Retry-After unless a fault says so.
package sim
