package postgres

import (
	_ "embed"
	"encoding/base64"
	"strings"

	"resellerbot/internal/store"
)

//go:embed reports.sql
var reports string //nolint:gochecknoglobals // embed wants it so; nobody writes it

// Reports is what makes the views for reports over the records, as SQL for psql: what is sealed is in none of them.
func Reports() string {
	return strings.Replace(reports, "DICTIONARY", base64.StdEncoding.EncodeToString([]byte(store.Dictionary())), 1)
}
