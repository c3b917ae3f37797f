package app

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"
)

// helpText is what `bot --help` prints: the subcommands and the environment.
func helpText(verbs []Subcommand) string {
	var b strings.Builder
	b.WriteString("bot sells what a reseller service offers through a Telegram chat.\n\nUsage: bot [subcommand]\n\n")
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, v := range listed(verbs) {
		fmt.Fprintf(table, "  %s\t%s\n", v.Name, v.Meaning)
	}
	table.Flush() // a strings.Builder takes everything
	fmt.Fprintf(&b, "\nEnvironment, also read from %s in the working directory, which never overrides it:\n", dotenvName)
	for _, s := range new(Config).sections() {
		fmt.Fprintf(&b, "\n%s\n", s.title)
		for _, v := range s.variables {
			fmt.Fprintf(&b, "  %s (%s)\n      %s\n      accepted: %s\n", v.Name, v.standard(), v.meaning, v.accepted)
		}
	}
	return b.String()
}

// envExample is the file .env.example. Values stand in single quotes: godotenv expands $ in others.
func envExample() string {
	var b strings.Builder
	b.WriteString(`# Copy this file to .env and fill in what is required. The environment wins over it.
# Keep the single quotes: without them a $ or a # in a value means something else.
`)
	for _, s := range new(Config).sections() {
		fmt.Fprintf(&b, "\n# --- %s ---\n", s.title)
		for _, v := range s.variables {
			fmt.Fprintf(&b, "\n# %s\n# Accepted: %s\n", v.meaning, v.accepted)
			if !v.required {
				b.WriteString("#") // the line shows the default, or nothing
			}
			fmt.Fprintf(&b, "%s='%s'\n", v.Name, v.def)
		}
	}
	return b.String()
}

// readmeTable is the README's table of the configuration.
func readmeTable() string {
	var b strings.Builder
	b.WriteString("| Variable | Default | Meaning | Accepted |\n|---|---|---|---|\n")
	for v := range new(Config).Variables {
		standard := v.standard()
		if v.def != "" {
			standard = "`" + v.def + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", v.Name, standard, v.meaning, v.accepted)
	}
	return b.String()
}

// standard says what holds where the variable is not set.
func (v variable) standard() string {
	if v.required {
		return "required"
	}
	return cmp.Or(v.def, v.otherwise, "none")
}
