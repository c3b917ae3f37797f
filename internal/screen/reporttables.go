package screen

import (
	"cmp"
	"slices"
	"strings"

	"resellerbot/internal/ledger"
	"resellerbot/locales"
)

// tables fold products, sellers and customers under a report.
func (p Reports) tables(v ReportView) string {
	parts := []string{p.table("report.products", v.products(), v.Seller == 0 || v.ShowCost)}
	if v.Seller == 0 {
		if all := v.sellers(); len(all) > 1 {
			parts = append(parts, p.table("report.sellers", all, true))
		}
		parts = append(parts, p.customers(v))
	}
	text := spacedParts(parts)
	if text == "" {
		return ""
	}
	return "\n\n<blockquote expandable>" + text + "</blockquote>"
}

// spacedParts are parts with an empty line between them.
func spacedParts(parts []string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "\n\n")
}

// table is a heading and a line for each group. Without the cost, only what was sold.
func (p Reports) table(key string, all []Group, cost bool) string {
	if len(all) == 0 {
		return ""
	}
	out := []string{p.heading(key)}
	for _, g := range all[:min(len(all), mostReportRows)] {
		args := locales.Args{"Name": name(g.Name), "Units": number(g.Units), "Sold": p.booked(g.Sold), "Profit": p.gain(g.Sold - g.Cost)}
		if cost {
			out = append(out, p.t("report.row", args))
		} else {
			delete(args, "Profit")
			out = append(out, p.t("report.row_own", args))
		}
	}
	if more := len(all) - mostReportRows; more > 0 {
		out = append(out, p.direct(p.texts.N("stock.more", more, nil)))
	}
	return lines(out...)
}

// heading is the name of a table.
func (p Reports) heading(key string) string {
	switch key {
	case "report.sellers":
		return p.t("report.sellers", nil)
	case "report.customers":
		return p.t("report.customers", nil)
	}
	return p.t("report.products", nil)
}

// customerRow is what a customer has bought, come to owe, and owes no more.
type customerRow struct {
	id     string
	bought ledger.Purchases
	debt   ledger.Sums
}

// customerRows are all customers of a report who are known by name, those who bought most first.
func (v ReportView) customerRows() (all []customerRow) {
	rows := map[string]customerRow{}
	for a, s := range v.Flows.Accounts {
		if a.Group() == ledger.Customer && s != (ledger.Sums{}) {
			rows[a.Name()] = customerRow{debt: s}
		}
	}
	for customer, b := range v.Flows.Buyers {
		row := rows[customer]
		row.bought = b
		rows[customer] = row
	}
	for customer, row := range rows {
		row.id = customer
		all = append(all, row)
	}
	slices.SortFunc(all, func(a, b customerRow) int {
		return cmp.Or(cmp.Compare(b.bought.Sold, a.bought.Sold), cmp.Compare(b.debt.Debits, a.debt.Debits), strings.Compare(a.id, b.id))
	})
	return all
}

// customers are what each customer has bought, has come to owe, and by how much that was lessened: paid, brought back, or forgiven.
func (p Reports) customers(v ReportView) string {
	all := v.customerRows()
	if len(all) == 0 {
		return ""
	}
	out := []string{p.heading("report.customers")}
	for _, c := range all[:min(len(all), mostReportRows)] {
		who, units, sold, debt := p.buyer(v.Customers[c.id]), number(c.bought.Units), p.booked(c.bought.Sold), p.debt(c.debt)
		switch {
		case c.bought == (ledger.Purchases{}):
			out = append(out, p.t("report.row_customer", locales.Args{"Name": who, "Debt": debt}))
		case c.debt == (ledger.Sums{}):
			out = append(out, p.t("report.row_own", locales.Args{"Name": who, "Units": units, "Sold": sold}))
		default:
			out = append(out, p.t("report.row_buyer", locales.Args{"Name": who, "Units": units, "Sold": sold, "Debt": debt}))
		}
	}
	return lines(out...)
}

// debt is what a customer has come to owe, and by how much that was lessened: by less than nothing where more of what was paid ahead was
// given back than was paid.
func (p Reports) debt(s ledger.Sums) locales.HTML {
	if s.Credits < 0 {
		return locales.HTML(p.t("report.debt_back", locales.Args{"New": p.booked(s.Debits), "Back": p.booked(-s.Credits)}))
	}
	return locales.HTML(p.t("report.debt", locales.Args{"New": p.booked(s.Debits), "Less": p.booked(s.Credits)}))
}

// buyer is the name of a customer, who may be none any more.
func (p Reports) buyer(text string) locales.HTML {
	if text == "" {
		return locales.HTML(p.plain("customers.gone", nil))
	}
	return name(text)
}
