package ledger

import "strings"

// Account names one of a book's accounts: a group of the closed list, and behind a slash which of the group it is, where
// there can be several.
type Account string

// The groups of accounts. The balance of what a shop has and spends is debits less credits.
const (
	Wallet   = "wallet"   // money at the service, by account there
	Transit  = "transit"  // paid and not delivered
	Stock    = "stock"    // delivered and not sold
	Claim    = "claim"    // of a failed order, awaited
	Till     = "till"     // cash, by counter
	Bank     = "bank"     // by name
	Safe     = "safe"     // cash that was taken out of tills
	Customer = "cust"     // kridi, by customer; negative where he has paid ahead
	Clearing = "clearing" // money whose reason is not known yet
	Owner    = "owner"    // put in and taken out
	Opening  = "opening"  // what there was before the book
	Sales    = "sales"    // at list price
	Discount = "discount"
	Returns  = "returns"
	Cost     = "cost" // of what was sold
	Loss     = "loss"
	BadDebt  = "baddebt"
	Expense  = "expense" // by category
	Over     = "over"    // cash over and short, by counter
)

// named lists, as the lines of an account are, the entries that name a customer and have no line on their account: what they
// have paid at once. There is no such group, and no money is on it.
const named = "named"

// Kinds of groups.
const (
	single = iota + 1 // there is one
	many              // there is one for each name
)

// groups lists all there are.
func groups() map[string]int {
	return map[string]int{
		Wallet: many, Transit: single, Stock: single, Claim: single, Till: many, Bank: many, Safe: single, Customer: many,
		Clearing: single, Owner: single, Opening: single, Sales: single, Discount: single, Returns: single, Cost: single,
		Loss: single, BadDebt: single, Expense: many, Over: many,
	}
}

// In is the account of a group that has a name.
func In(group, name string) Account { return Account(group + "/" + name) }

// Group is the group of an account.
func (a Account) Group() string {
	group, _, _ := strings.Cut(string(a), "/")
	return group
}

// Name is which of its group the account is.
func (a Account) Name() string {
	_, name, _ := strings.Cut(string(a), "/")
	return name
}

// known reports whether there can be such an account.
func (a Account) known() bool {
	group, name, named := strings.Cut(string(a), "/")
	switch groups()[group] {
	case single:
		return !named
	case many:
		return name != "" && len(name) <= 64
	}
	return false
}

// cash reports whether the account is money in hand.
func (a Account) cash() bool { return a.Group() == Till || a.Group() == Bank }
