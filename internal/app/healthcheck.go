package app

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// healthTimeout is less than the timeout of the image's HEALTHCHECK.
const healthTimeout = 3 * time.Second

// healthcheck asks the bot that runs with this configuration for GET /healthz. It is what the container
// image uses, which holds no shell and no curl. With HTTP switched off there is nothing to ask, and that
// is no failure.
func healthcheck(ctx context.Context, w World) error {
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	if cfg.HTTPAddr == "" {
		_, err := fmt.Fprintln(w.Stdout, "HTTP_ADDR is empty: nothing to ask")
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	// An address without a host, or with 0.0.0.0, is dialled on this machine.
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+cfg.HTTPAddr+"/healthz", nil)
	if err != nil {
		return fmt.Errorf("ask HTTP_ADDR: %w", err)
	}
	transport := &http.Transport{DialContext: w.Dial, DisableKeepAlives: true}
	res, err := transport.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("ask HTTP_ADDR: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("GET /healthz answered %s", res.Status)
	}
	return nil
}
