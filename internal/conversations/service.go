package conversations

import (
	"context"
	"time"

	"resellerbot/internal/api"
)

// Service is the reseller service under one key, as far as screens need it.
type Service interface {
	Catalogue

	Check(ctx context.Context, p api.Product, answers map[string]string) (api.Check, error)
	Account(ctx context.Context) (api.Account, error)
	Balance(ctx context.Context, maxAge time.Duration) (api.Balance, error)
	Stock(ctx context.Context, maxAge time.Duration) ([]api.StockEntry, error)
	History(ctx context.Context, f api.Family, maxAge time.Duration) ([]api.Order, error)
}

// Catalogue is what an account is sold.
type Catalogue interface {
	Products(ctx context.Context, maxAge time.Duration) ([]api.Product, error)
	Product(ctx context.Context, id int64, maxAge time.Duration) (api.Product, error)
	// Variants is what a purchase is judged by, which may differ from what Product shows.
	Variants(ctx context.Context, product int64) ([]api.Variant, error)
	// LastProducts and LastProduct are as they were read last, and when.
	LastProducts() (list []api.Product, at time.Time, ok bool)
	LastProduct(id int64) (p api.Product, at time.Time, ok bool)
	Available(ctx context.Context, variantID int64) (bool, error)
}
