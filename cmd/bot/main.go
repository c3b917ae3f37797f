// Command bot sells what a reseller service offers through a Telegram chat. `bot --help` lists its
// subcommands and the environment that configures it.
package main

import (
	"os"

	"resellerbot/internal/app"
	"resellerbot/internal/sandbox"
)

// version is stamped by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

func main() { os.Exit(app.Main(version, sandbox.Subcommands())) }
