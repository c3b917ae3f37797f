package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestReports: the views show what was bought and what it cost, under way or packed, to a role that can read nothing else; what is
// sealed is in none of them.
func TestReports(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	onServer(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "2")
		h.Delivered(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1") // and not confirmed
		codes := h.Codes(apptest.Sam)
		code, views := command(h, "sql")
		if code != 0 || len(codes) != 2 {
			t.Fatalf("it ends with %d; codes %v\n%s", code, codes, views)
		}
		conn, err := pgx.Connect(h.T.Context(), h.Env["DATABASE_URL"])
		h.Must(err)
		defer conn.Close(h.T.Context())
		inItsSchema := "do $$ begin execute 'grant usage on schema ' || current_schema() || ' to reseller_reports'; end $$" // as in that which all may use
		for _, s := range []string{"begin", views, inItsSchema, "set local role reseller_reports"} {
			_, err := conn.Exec(h.T.Context(), s, pgx.QueryExecModeSimpleProtocol)
			h.Must(err)
		}
		all := func(query string) string {
			rows, err := conn.Query(h.T.Context(), query, pgx.QueryExecModeSimpleProtocol)
			h.Must(err)
			lines, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
				values, err := row.Values()
				return fmt.Sprint(values), err
			})
			h.Must(err)
			return strings.Join(lines, "\n")
		}
		for query, want := range map[string]string{
			"select phase, product, variant, quantity, price::text, total::text, closed_at is not null from report.purchase order by created_at": "[settled Play Card 10 USD 2 1250.5 2501 true]\n[drafted Play Card 10 USD 1 1250.5 1250.5 false]",
			`select state, price::text, unit from report."order" order by unit`:                                                                  "[ready 1250.5 1]\n[ready 1250.5 2]",
			"select sum(amount)::text from report.movement where kind = 'bought'":                                                                "[-2501]",
			"select name, open, frozen or locked or retired from report.account":                                                                 "[Boutique El Djazair 0 false]",
			"select account, language from report.chat":                                                                                          "[u4101 en]",
			"select count(*) from report.outbox":                                                                                                 "[0]",
		} {
			if got := all(query); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", query, got, want)
			}
		}
		for view := range strings.FieldsSeq(`purchase "order" movement account chat outbox`) {
			shown := all("select v::text from report." + view + " v")
			for _, secret := range append(codes, apptest.TestKey) {
				if strings.Contains(shown, secret) {
					t.Errorf("%s shows %s", view, secret)
				}
			}
		}
		_, err = conn.Exec(h.T.Context(), "select kind from record", pgx.QueryExecModeSimpleProtocol)
		if err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("the role reads the records: %v", err)
		}
		_, err = conn.Exec(h.T.Context(), "rollback") // with its schema, and the role that all databases share
		h.Must(err)
	})
}
