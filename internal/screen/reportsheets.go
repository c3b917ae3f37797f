package screen

import (
	"strings"

	"resellerbot/internal/ledger"
	"resellerbot/internal/sheet"
)

// FileOf is a message that is a file of a report.
func (p Reports) FileOf(v ReportView, form string, body []byte) Message {
	return Message{HTML: p.title(v), File: &File{Name: "report-" + string(v.From) + "-" + string(v.To) + "." + form, Body: body}}
}

// SalesTable is which of Sheets is the sales.
func (p Reports) SalesTable() int { return 3 }

// Sheets are the tables of a report for an accountant: a summary, each unit that was sold, each payment, and the whole journal,
// whose lines add up to nothing.
func (p Reports) Sheets(v ReportView, entries []ledger.Entry) []sheet.Table {
	return []sheet.Table{p.summarySheet(v), p.groupSheet("report.products", v.products()), p.groupSheet("report.sellers", v.sellers()), p.salesSheet(v, entries), p.journalSheet(v, entries)}
}

// head are the headings of a table.
func (p Reports) head(keys ...string) (all []string) {
	texts := map[string]string{
		"day": p.plain("sheet.day", nil), "time": p.plain("sheet.time", nil), "item": p.plain("sheet.item", nil), "units": p.plain("sheet.units", nil),
		"list": p.plain("sheet.list", nil), "price": p.plain("sheet.price", nil), "cost": p.plain("sheet.cost", nil), "profit": p.plain("sheet.profit", nil),
		"seller": p.plain("sheet.seller", nil), "customer": p.plain("sheet.customer", nil), "order": p.plain("sheet.order", nil), "entry": p.plain("sheet.entry", nil),
		"kind": p.plain("sheet.kind", nil), "account": p.plain("sheet.account", nil), "debit": p.plain("sheet.debit", nil), "credit": p.plain("sheet.credit", nil),
		"name": p.plain("sheet.name", nil), "value": p.plain("sheet.value", nil), "sold": p.plain("sheet.sold", nil),
	}
	for _, k := range keys {
		all = append(all, texts[k])
	}
	return all
}

// amountCell is an amount in a table.
func amountCell(m ledger.Money) sheet.Cell { return sheet.Number(m.String()) }

// summarySheet is the figures of a report, a line each.
func (p Reports) summarySheet(v ReportView) sheet.Table {
	f := v.Flows
	t := sheet.Table{Name: p.plain("sheet.summary", nil), Head: p.head("name", "value")}
	t.Rows = append(t.Rows, []sheet.Cell{sheet.Text(p.plain("sheet.from", nil)), sheet.Text(string(v.From))}, []sheet.Cell{sheet.Text(p.plain("sheet.to", nil)), sheet.Text(string(v.To))})
	for _, line := range []struct {
		name  string
		value ledger.Money
	}{
		{p.plain("sheet.sold", nil), f.Sold()}, {p.plain("sheet.cost", nil), f.Cost()}, {p.plain("sheet.profit", nil), f.Profit()},
		{p.plain("sheet.discount", nil), f.Of(ledger.Discount)}, {p.plain("sheet.returns", nil), f.Of(ledger.Returns)},
		{p.plain("sheet.paid_sales", nil), f.PaidSales}, {p.plain("sheet.paid_debts", nil), f.DebtsPaid},
		{p.plain("sheet.new_debt", nil), f.NewCredit()}, {p.plain("sheet.owed", nil), v.End.Owed}, {p.plain("sheet.till", nil), v.End.Totals[ledger.Till]},
		{p.plain("sheet.bought", nil), f.Bought}, {p.plain("sheet.refunds", nil), f.Refunds}, {p.plain("sheet.over", nil), -f.Of(ledger.Over)},
		{p.plain("sheet.result", nil), f.Result()},
	} {
		t.Rows = append(t.Rows, []sheet.Cell{sheet.Text(line.name), amountCell(line.value)})
	}
	return t
}

// groupSheet is what was sold by product, or by seller.
func (p Reports) groupSheet(key string, all []Group) sheet.Table {
	t := sheet.Table{Name: unmarked(p.heading(key)), Head: p.head("name", "units", "sold", "cost", "profit")}
	for _, g := range all {
		t.Rows = append(t.Rows, []sheet.Cell{sheet.Text(clean(g.Name, 200)), sheet.Count(g.Units), amountCell(g.Sold), amountCell(g.Cost), amountCell(g.Sold - g.Cost)})
	}
	return t
}

// unmarked is a text without markup and marks of direction.
func unmarked(s string) string {
	return strings.NewReplacer("<b>", "", "</b>", "").Replace(unisolated(s))
}

// salesSheet is each unit that was sold, or given back.
func (p Reports) salesSheet(v ReportView, entries []ledger.Entry) sheet.Table {
	t := sheet.Table{Name: p.plain("sheet.sales", nil), Head: p.head("day", "time", "item", "units", "list", "price", "cost", "profit", "seller", "customer", "order", "entry")}
	for _, e := range entries {
		for _, i := range e.Items {
			if i.Units == 0 && i.Sold == 0 && i.Cost == 0 {
				continue
			}
			t.Rows = append(t.Rows, []sheet.Cell{
				sheet.Text(string(e.Day)), sheet.Text(e.At.In(p.zone).Format(clock)), sheet.Text(clean(i.Name, 200)), sheet.Count(i.Units), amountCell(i.List), amountCell(i.Sold), amountCell(i.Cost),
				amountCell(i.Sold - i.Cost), sheet.Text(clean(v.Sellers[i.Seller], 200)), sheet.Text(clean(v.Customers[e.Customer], 200)), sheet.Text(clean(i.Order, 200)), sheet.Text(formatEntry(e.Number)),
			})
		}
	}
	return t
}

// journalSheet is every line of every entry.
func (p Reports) journalSheet(v ReportView, entries []ledger.Entry) sheet.Table {
	t := sheet.Table{Name: p.plain("sheet.journal", nil), Head: p.head("entry", "day", "time", "kind", "account", "debit", "credit", "seller", "customer")}
	for _, e := range entries {
		for _, l := range e.Lines {
			t.Rows = append(t.Rows, []sheet.Cell{
				sheet.Text(formatEntry(e.Number)), sheet.Text(string(e.Day)), sheet.Text(e.At.In(p.zone).Format(clock)), sheet.Text(string(e.Kind)), sheet.Text(string(l.Account)), amountCell(l.Debit), amountCell(l.Credit),
				sheet.Text(clean(v.Sellers[e.By], 200)), sheet.Text(clean(v.Customers[e.Customer], 200)),
			})
		}
	}
	return t
}

// formatEntry is the number of an entry.
func formatEntry(n uint64) string { return id(int64(n)) } //nolint:gosec // G115: they are counted from one
