package sim

import (
	"net/http"
	"strings"
)

// operations are the endpoints that are served: the rows of the document's tables.
func operations() []operation {
	const get, post = http.MethodGet, http.MethodPost
	all := []operation{
		row(get, "/products", Current, listProducts),
		row(get, "/products/{productId}/variants", Current, listVariants),
		row(post, "/catalog/{id}/verify", Current, verify),
		spends(row(post, "/products/purchase/{variantId}", Current, buy)),
		row(get, "/products/order/{orderId}", Current, oneOrder),
		row(post, "/products/orders/retrieve", Current, retrieve),
		row(get, "/stock", Current, stock),
		row(get, "/account", Current, whose),
		row(get, "/balance", Current, wallet),
		row(post, "/arena/check-player", Current, checkArena),
		row(get, "/arena/status/{trxId}", Current, arenaStatus),
		row(post, "/battleroyale/check-player", Current, checkBattleRoyale),
		row(get, "/battleroyale/status/{orderId}", Current, battleRoyaleStatus),
		row(get, "/battleroyale/history", Current, battleRoyaleHistory),
		row(get, "/sportstv/order/{orderId}", Current, sportsTVOrder),
		row(get, "/internet/check-number/{type}/{number}", Current, checkNumber),

		row(get, "/products", Legacy, legacyProducts),
		row(get, "/products/{id}", Legacy, legacyProduct),
		spends(row(post, "/products/{product_id}/{variant_id}/purchase", Legacy, legacyBuy)),
		row(get, "/purchase-history", Legacy, purchaseHistory),
		row(get, "/orders/{order_id}", Legacy, legacyOrder),
		row(get, "/arena/plans", Legacy, arenaPlans),
		row(post, "/arena/check-player", Legacy, checkArena),
		spends(row(post, "/arena/topup", Legacy, arenaTopup)),
		row(get, "/arena/orders/{order_id}", Legacy, arenaOrder),
		row(get, "/arena/orders", Legacy, arenaOrders),
		row(get, "/account/balance", Legacy, legacyBalance),
		row(post, "/variants/check-availability", Legacy, checkAvailability),
	}
	return all
}

func row(method, path string, generation Mode, do func(*Server, call) reply) operation {
	return operation{
		Operation: Operation{Method: method, Path: path, Generation: generation}, do: do,
		parts: strings.Split(strings.Trim(path, "/"), "/"),
	}
}

// spends marks an operation that costs money.
func spends(op operation) operation {
	op.spends = true
	return op
}
