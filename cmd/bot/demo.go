package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

const (
	demoToken = "1000000001:demo-token-for-the-sandbox-on-this-machine"
	demoKey   = "DEMO-7QX4-RESELLER-KEY"
	legacyKey = "DEMO-2K8M-LEGACY-KEY" // of an account whose service speaks the Legacy interface alone
)

// demo runs the very same bot against a simulated reseller service and a simulated Telegram with a chat
// page, all on this machine, with a database of its own that is gone afterwards.
func demo(ctx context.Context, w world, args []string) error {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(w.Stderr)
	addr := flags.String("addr", "127.0.0.1:8088", "where the chat page is served; loopback only")
	verbose := flags.Bool("v", false, "show the bot's log")
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := listenLoopback(w, *addr)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "resellerbot-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo: %w", err)
	}
	defer os.RemoveAll(dir)
	cfg, err := parseConfig(demoEnvironment("http://"+listener.Addr().String(), dir, *verbose))
	if err != nil {
		return err
	}
	fmt.Fprintf(w.Stdout, "The sandbox is at http://%s\nPress Start there, link the key %s, and buy something. Ctrl-C ends it.\nThe service's control panel is at http://%s/panel/\n", listener.Addr(), demoKey, listener.Addr())
	return runStages(ctx,
		stage{{"sandbox", func(ctx context.Context) error { return serveSandbox(ctx, listener) }}},
		stage{{"bot", func(ctx context.Context) error { return run(ctx, w, cfg) }}},
	)
}

// listenLoopback listens on a loopback address: the sandbox is for whoever sits at this machine. A port
// that is taken is replaced by a free one.
func listenLoopback(w world, addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, usageError("demo: -addr must be a loopback address with a port, like 127.0.0.1:8088")
	}
	l, err := w.Listen("tcp", addr)
	if err != nil {
		l, err = w.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return nil, fmt.Errorf("listen for the demo: %w", err)
	}
	return l, nil
}

// demoEnvironment is the configuration of the demo: addresses of the sandbox, everything else as it is
// by default.
func demoEnvironment(base, dir string, verbose bool) func(string) (string, bool) {
	key := make([]byte, 32)
	rand.Read(key)
	env := map[string]string{
		"TELEGRAM_BOT_TOKEN": demoToken,
		"TELEGRAM_API_URL":   base,
		"RESELLER_API_URL":   base + "/api",
		"ENCRYPTION_KEYS":    "demo:" + base64.StdEncoding.EncodeToString(key),
		"DATABASE_PATH":      filepath.Join(dir, "bot.db"),
		"HTTP_ADDR":          "",
		"LOG_LEVEL":          "warn",
		"LOG_FORMAT":         "text",
	}
	if verbose {
		env["LOG_LEVEL"] = "debug"
	}
	return func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	}
}

// serveSandbox serves the simulated service under /api/ and the simulated Telegram everywhere else.
func serveSandbox(ctx context.Context, l net.Listener) error {
	service := sim.New(sim.Options{Seed: uint64(time.Now().UnixNano()), Mode: sim.Both})
	service.DemoCatalogue()
	for _, account := range []sim.AccountSpec{
		{Key: demoKey, Name: "Boutique El Djazair", Email: "boutique@example.com", UserID: 4101, Balance: "25000"},
		{Key: legacyKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "18000"},
	} {
		if err := service.AddAccount(account); err != nil {
			return fmt.Errorf("fill the sandbox: %w", err)
		}
	}
	telegram := tgsim.New(tgsim.Options{Token: demoToken, BotName: "demo_reseller_bot", Hints: []tgsim.Hint{
		{Label: "Demo API key", Value: demoKey},
		{Label: "Legacy API key", Value: legacyKey},
	}})
	for _, u := range []tgsim.User{
		{ID: 501, FirstName: "Yasmine", LanguageCode: "fr"},
		{ID: 502, FirstName: "ياسين", LanguageCode: "ar"},
		{ID: 503, FirstName: "Sam", LanguageCode: "en"},
	} {
		telegram.AddUser(u)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", service)
	mux.Handle("/panel/", http.StripPrefix("/panel", service.Panel()))
	mux.Handle("/", telegram)
	return serveHTTP(ctx, l, mux)
}
