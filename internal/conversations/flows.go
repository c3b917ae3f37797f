package conversations

import "resellerbot/internal/screen"

// A flow is what somebody can do in one matter: a turn, with what is asked, decided and shown there. A turn by itself
// knows who does what where, who may, and how it is answered; where a flow goes on in another one, the call says which.
type (
	homeFlow     struct{ *turn } // the start, help, the account at a glance, language, what is kept about people
	buyFlow      struct{ *turn } // from the catalogue to the tap that spends
	itemFlow     struct{ *turn } // what a shop keeps at hand: favourites, short words, prices for customers
	priceFlow    struct{ *turn } // what the shop asks for what it sells
	customerFlow struct{ *turn } // who buys from the shop
	listFlow     struct{ *turn } // several purchases on one card
	saleFlow     struct{ *turn } // what has come is sold to them
	kridiFlow    struct{ *turn } // what they owe
	reportFlow   struct{ *turn } // what the books say of a range of days
	tillFlow     struct{ *turn } // cash is counted, and the day closed
	topupFlow    struct{ *turn } // top-ups: the player is checked, and the same is not bought twice
	approvalFlow struct{ *turn } // limits, and owners who are asked
	orderFlow    struct{ *turn } // what was bought
	decideFlow   struct{ *turn } // a person decides about an uncertain purchase
	alertFlow    struct{ *turn } // what owners are told of unasked
	accountFlow  struct{ *turn } // which of several accounts is active
	keyFlow      struct{ *turn } // an account's key is linked, replaced and removed
	teamFlow     struct{ *turn } // who is in the team, as what; its lock
	placeFlow    struct{ *turn } // the group of an account
	accessFlow   struct{ *turn } // who may use the bot, for whoever runs it
)

// ofTurn is any flow.
type ofTurn interface{ ~struct{ *turn } }

// plain is a step of a flow that reads nothing of the button.
func plain[F ofTurn](run func(F) error) func(*turn, screen.Action) error {
	return func(t *turn, _ screen.Action) error { return run(F{t}) }
}

// bare is a step of a flow that reads nothing behind the command.
func bare[F ofTurn](run func(F) error) func(*turn, string) error {
	return func(t *turn, _ string) error { return run(F{t}) }
}

// answered is a step of a flow that takes up what was typed.
func answered[F ofTurn](run func(F) error) func(*turn) error {
	return func(t *turn) error { return run(F{t}) }
}

// with is a step of a flow that reads what stands behind the command.
func with[F ofTurn](run func(F, string) error) func(*turn, string) error {
	return func(t *turn, rest string) error { return run(F{t}, rest) }
}
