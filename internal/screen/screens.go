package screen

// The parts of a Printer. A part embeds the printer that it is of: it speaks the same language to the same reader, and
// reaches the other parts through it.
type (
	// Access renders what the operator lets in and shuts out, and what those hear who are not let in.
	Access struct{ Printer }

	// Accounts renders the accounts of somebody who has several, and which is active.
	Accounts struct{ Printer }

	// Account renders the account at the service: balance, movements, stock.
	Account struct{ Printer }

	// Alerts renders alerts, the hours of silence and what is watched.
	Alerts struct{ Printer }

	// Approvals renders what an owner is asked about purchases of others, and has decided.
	Approvals struct{ Printer }

	// Catalogue renders products on the way to a purchase: the shelf, quantity, questions, top-ups.
	Catalogue struct{ Printer }

	// Closing renders the tills of a shop, and the end of its day.
	Closing struct{ Printer }

	// Codes renders what was delivered: as text, as a file, on a button, and the message that makes the phone ring.
	Codes struct{ Printer }

	// Customers renders who buys from a shop.
	Customers struct{ Printer }

	// Failures renders what did not work and why, and the toasts over a tap.
	Failures struct{ Printer }

	// Home renders the first screen, help, commands and languages.
	Home struct{ Printer }

	// Keys renders the API key: linking, replacing, removing.
	Keys struct{ Printer }

	// Kridi renders what customers owe.
	Kridi struct{ Printer }

	// Lists renders several purchases that are confirmed by one tap.
	Lists struct{ Printer }

	// Notes renders messages that nobody asked for.
	Notes struct{ Printer }

	// Orders renders what was bought: the list, the service's history, one order.
	Orders struct{ Printer }

	// Places renders the group of a team.
	Places struct{ Printer }

	// Prices renders what the shop asks for what it sells.
	Prices struct {
		Printer

		at     PriceTarget // what a rule is set for; zero for the whole shop
		titled string      // what that is called
	}

	// Privacy renders what is kept of a person, and its removal.
	Privacy struct{ Printer }

	// Purchases renders one purchase: its summary, its status, what is told about it to others.
	Purchases struct{ Printer }

	// Refunds renders what became of the money of units that failed.
	Refunds struct{ Printer }

	// Reports renders what the books say of a range of days.
	Reports struct{ Printer }

	// Sales renders what is sold to a customer.
	Sales struct{ Printer }

	// Shelf renders what a shop keeps at hand: favourites, short words, what a line means, a price for a customer.
	Shelf struct{ Printer }

	// Team renders the people of an account: roles, limits, invitations, the lock.
	Team struct{ Printer }

	// Uncertain renders a purchase of which nobody knows whether it was made: what speaks for it, and the question.
	Uncertain struct{ Printer }
)

// Access is the part for what the operator lets in and shuts out, and what those hear who are not let in.
func (p Printer) Access() Access { return Access{p} }

// Account is the part for the account at the service: balance, movements, stock.
func (p Printer) Account() Account { return Account{p} }

// Alerts is the part for alerts, the hours of silence and what is watched.
func (p Printer) Alerts() Alerts { return Alerts{p} }

// Approvals is the part for what an owner is asked about purchases of others, and has decided.
func (p Printer) Approvals() Approvals { return Approvals{p} }

// Catalogue is the part for products on the way to a purchase: the shelf, quantity, questions, top-ups.
func (p Printer) Catalogue() Catalogue { return Catalogue{p} }

// Closing is the part for the tills of a shop, and the end of its day.
func (p Printer) Closing() Closing { return Closing{p} }

// Codes is the part for what was delivered: as text, as a file, on a button, and the message that makes the phone ring.
func (p Printer) Codes() Codes { return Codes{p} }

// Customers is the part for who buys from a shop.
func (p Printer) Customers() Customers { return Customers{p} }

// Failures is the part for what did not work and why, and the toasts over a tap.
func (p Printer) Failures() Failures { return Failures{p} }

// Home is the part for the first screen, help, commands and languages.
func (p Printer) Home() Home { return Home{p} }

// Accounts are the screens of somebody who has several accounts.
func (p Printer) Accounts() Accounts { return Accounts{p} }

// Keys is the part for the API key: linking, replacing, removing.
func (p Printer) Keys() Keys { return Keys{p} }

// Kridi is the part for what customers owe.
func (p Printer) Kridi() Kridi { return Kridi{p} }

// Lists is the part for several purchases that are confirmed by one tap.
func (p Printer) Lists() Lists { return Lists{p} }

// Notes is the part for messages that nobody asked for.
func (p Printer) Notes() Notes { return Notes{p} }

// Orders is the part for what was bought: the list, the service's history, one order.
func (p Printer) Orders() Orders { return Orders{p} }

// Places is the part for the group of a team.
func (p Printer) Places() Places { return Places{p} }

// Prices is the part for what the shop asks for what it sells.
func (p Printer) Prices() Prices { return Prices{Printer: p} }

// Privacy is the part for what is kept of a person, and its removal.
func (p Printer) Privacy() Privacy { return Privacy{p} }

// Purchases is the part for one purchase: its summary, its status, what is told about it to others.
func (p Printer) Purchases() Purchases { return Purchases{p} }

// Refunds is the part for what became of the money of units that failed.
func (p Printer) Refunds() Refunds { return Refunds{p} }

// Reports is the part for what the books say of a range of days.
func (p Printer) Reports() Reports { return Reports{p} }

// Sales is the part for what is sold to a customer.
func (p Printer) Sales() Sales { return Sales{p} }

// Shelf is the part for what a shop keeps at hand: favourites, short words, what a line means, a price for a customer.
func (p Printer) Shelf() Shelf { return Shelf{p} }

// Team is the part for the people of an account: roles, limits, invitations, the lock.
func (p Printer) Team() Team { return Team{p} }

// Uncertain is the part for a purchase of which nobody knows whether it was made: what speaks for it, and the question.
func (p Printer) Uncertain() Uncertain { return Uncertain{p} }
