// Package sandbox is `bot sandbox`, which serves the simulators to other bots and clients, and `bot demo`: the very same program between a simulated Telegram with a chat page and a simulated
// service, with a panel that has things go wrong, and what really happened beside what was said.
package sandbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
)

const (
	demoToken = "1000000001:demo-token-for-the-sandbox-on-this-machine" // of no form that Telegram gives out
	demoBot   = "demo_reseller_bot"
	demoKey   = "DEMO-7QX4-RESELLER-KEY"
	legacyKey = "DEMO-2K8M-LEGACY-KEY" // of an account whose service speaks the Legacy interface alone
)

// Subcommands are the subcommands that run the sandbox.
func Subcommands() []app.Subcommand {
	return []app.Subcommand{
		{Name: "demo", Meaning: "run it against simulated Telegram and reseller servers on this machine", Run: demo},
		{Name: "sandbox", Meaning: "run the simulated Telegram and reseller service alone, for other bots and clients; see docs/sandbox.md", Run: alone},
		{Name: hiddenDemoBot, Run: app.NoArguments(demoBotVerb)},
	}
}

// demo runs the very same bot against a simulated reseller service and a simulated Telegram with a chat
// page, all on this machine, with a database of its own that is gone afterwards. The bot is a process of its
// own, so that it can be killed as machines kill programs. Nothing of the operator's configuration is read.
func demo(ctx context.Context, w app.World, args []string) error {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(w.Stderr)
	addr := flags.String("addr", "", "where the chat page is served; loopback only. Without it "+demoAddr+", or a free port where that is taken")
	verbose := flags.Bool("v", false, "show the bot's log")
	ownNames := flags.Bool("own-names", false, "a service with words of its own where its document has neutral ones, and without a kind of its products")
	zone := flags.String("zone", "", "the time zone that the bot lives in, such as Pacific/Auckland: in another one it is another hour, so that nights and closings can be tried")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if _, err := time.LoadLocation(*zone); err != nil {
		return app.UsageError("demo: -zone must be one of the IANA database, such as Africa/Algiers")
	}
	listener, err := listenLoopback(w, *addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	dir, err := os.MkdirTemp("", "resellerbot-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo: %w", err)
	}
	defer os.RemoveAll(dir)
	program, err := app.ThisProgram()
	if err != nil {
		return fmt.Errorf("find this program to run the bot with: %w", err)
	}
	env := demoEnviron(w, "http://"+listener.Addr().String(), dir, *verbose, *ownNames)
	if *zone != "" {
		env = append(env, "TIMEZONE="+*zone)
	}
	k := &Keeper{program: program, env: env, dir: dir, out: w.Stderr}
	s, err := newSandbox(k, *ownNames)
	if err != nil {
		return fmt.Errorf("fill the sandbox: %w", err)
	}
	fmt.Fprintf(w.Stdout, "The sandbox is at http://%s\nIts guided tour begins with the key %s. Ctrl-C ends it.\n", listener.Addr(), demoKey)
	// The sandbox first and down last: the bot finds its Telegram and its service, and can finish with them when it stops.
	return app.RunStages(ctx,
		app.Stage{{Name: "sandbox", Run: func(ctx context.Context) error { return app.Serve(ctx, listener, patient(s.Handler())) }}},
		app.Stage{{Name: "bot", Run: k.run}},
	)
}

// demoAddr is where the chat page is served unless somebody says otherwise.
const demoAddr = "127.0.0.1:8088"

// listenLoopback listens on a loopback address: the sandbox is for whoever sits at this machine. A port that nobody has
// asked for is replaced by a free one where it is taken.
func listenLoopback(w app.World, addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(cmp.Or(addr, demoAddr))
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, app.UsageError("demo: -addr must be a loopback address with a port, like " + demoAddr)
	}
	l, err := w.Listen("tcp", cmp.Or(addr, demoAddr))
	switch {
	case err != nil && addr != "":
		return nil, app.UsageError(fmt.Sprintf("demo: %s cannot be listened on (%v): choose another -addr", addr, err))
	case err != nil:
		l, err = w.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return nil, fmt.Errorf("listen for the demo: %w", err)
	}
	return l, nil
}

// demoEnviron is the whole environment of the demo's bot: addresses of the sandbox, schedules that a visitor
// has the patience for, everything else as it is by default.
// Of the operator's own environment SYSTEMROOT alone goes along, so that no real token or key can get into a demo.
// PURCHASE_TIMEOUT is far below the five minutes of the panel's timeout (package sim), so that a visitor sees what becomes of it.
func demoEnviron(w app.World, base, dir string, verbose, ownNames bool) []string {
	key := make([]byte, 32)
	rand.Read(key)
	env := map[string]string{
		"TELEGRAM_BOT_TOKEN": demoToken,
		"TELEGRAM_API_URL":   base,
		"RESELLER_API_URL":   base + "/api",
		"ENCRYPTION_KEYS":    "demo:" + base64.StdEncoding.EncodeToString(key),
		"DATABASE_PATH":      filepath.Join(dir, "bot.db"),
		"HTTP_ADDR":          "",
		"OWNER_CHAT_ID":      strconv.FormatInt(demoOwner, 10),
		"PURCHASE_TIMEOUT":   "8s",
		"BALANCE_SCHEDULE":   "@every 3s",
		"STOCK_SCHEDULE":     "@every 15s",
		"LOG_LEVEL":          "error",
		"LOG_FORMAT":         "text",
	}
	if ownNames {
		maps.Copy(env, sim.OwnConfiguration())
	}
	if verbose {
		env["LOG_LEVEL"] = "debug"
	}
	if root, set := w.Lookup("SYSTEMROOT"); set {
		env["SYSTEMROOT"] = root // without it Windows starts no program that uses the network
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list
}
