package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"resellerbot/internal/store/postgres"
)

// Subcommand is one subcommand. do gets the arguments behind the verb's name.
type Subcommand struct {
	Name, Meaning string // without a meaning it is one that no person calls, and the help does not list it
	Run           func(ctx context.Context, w World, args []string) error
}

// Verbs are all subcommands, in the order in which the help lists them. The first is the default.
func (w World) Verbs() []Subcommand {
	return slices.Concat([]Subcommand{{"run", "run the bot (also without any subcommand)", NoArguments(Run)}}, w.More, verbs())
}

// verbs are the program's own subcommands beside that which runs it.
func verbs() []Subcommand {
	return []Subcommand{
		{"check", "say whether the database is sound; the bot must not run; with -service what the service shows to a key, by reads alone", checkVerb},
		{"status", "say how the running bot is: what is stuck, waits, is locked or fails", NoArguments(statusVerb)},
		{"show", "tell the story of a purchase, without what is secret; the bot must run: show REF", showVerb},
		{"look", "have a purchase looked at now; the bot must run: look REF", lookVerb},
		{"unlock", "let an account spend again that was locked; the bot must run: unlock ACCOUNT", unlockVerb},
		{"replay", "tell of updates that could not be handled, and with -yes have one handled again; the bot must run: replay [-yes] [UPDATE]", replayVerb},
		{"backup", "copy the database to a new file, whether the bot runs or not: backup [-force] FILE; with -verify read one and say what is in it: backup -verify [-identity KEYFILE] FILE", backup},
		{"restore", "put a copy in the place of the database, or with -dry-run say what that would do: restore [-dry-run] [-identity KEYFILE] FILE; restore -in-place makes a server's safe that was put back", restore},
		{"migrate", "take the database from a file to a server, or back; the bot must not run: migrate -from ONE -to OTHER, each a file, postgres://… or DATABASE_URL", migrateVerb},
		{"sql", "print the views for reports over a server's database, for psql", NoArguments(sqlVerb)},
		{"rekey", "seal all secrets anew under the first of ENCRYPTION_KEYS; the bot must not run", NoArguments(rekey)},
		{"healthcheck", "ask the running bot at HTTP_ADDR whether it lives", NoArguments(healthcheck)},
		{"version", "say which build this is", NoArguments(versionVerb)},
		{"help", "show this text", func(context.Context, World, []string) error { return flag.ErrHelp }},
		{hiddenCheckFile, "", checkFile},
	}
}

// hiddenCheckFile is a subcommand that this program calls itself.
const hiddenCheckFile = "check-file"

// UsageError is a command line that means nothing here.
type UsageError string

// Error implements error.
func (e UsageError) Error() string { return string(e) }

// dispatch finds the subcommand and runs it. flag.ErrHelp asks for the help text.
func dispatch(ctx context.Context, w World) error {
	all := w.Verbs()
	args, err := onlyHelp(w.Args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return all[0].Run(ctx, w, nil)
	}
	for _, v := range all {
		if v.Name == args[0] {
			return v.Run(ctx, w, args[1:])
		}
	}
	var names []string
	for _, v := range listed(all) {
		names = append(names, v.Name)
	}
	return UsageError(fmt.Sprintf("unknown subcommand %q; there are %s", args[0], strings.Join(names, ", ")))
}

// listed are those which the help lists.
func listed(verbs []Subcommand) []Subcommand {
	return slices.DeleteFunc(slices.Clone(verbs), func(v Subcommand) bool { return v.Meaning == "" })
}

// NoArguments makes a verb of a function that takes none.
func NoArguments(do func(context.Context, World) error) func(context.Context, World, []string) error {
	return func(ctx context.Context, w World, args []string) error {
		rest, err := onlyHelp(args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return UsageError(fmt.Sprintf("unexpected argument %q", rest[0]))
		}
		return do(ctx, w)
	}
}

// onlyHelp takes the flags off the front of args: -h and --help give flag.ErrHelp, others an error.
func onlyHelp(args []string) (rest []string, err error) {
	flags := flag.NewFlagSet("bot", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	err = flags.Parse(args)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		err = UsageError(err.Error())
	}
	return flags.Args(), err
}

// anyOrder reads flags and files, in any order: people type a flag last as well.
func anyOrder(flags *flag.FlagSet, args []string) (files []string, err error) {
	flags.SetOutput(io.Discard)
	for rest := args; ; {
		err := flags.Parse(rest)
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		if err != nil {
			return nil, UsageError(err.Error())
		}
		if flags.NArg() == 0 {
			return files, nil
		}
		files, rest = append(files, flags.Arg(0)), flags.Args()[1:]
	}
}

// Run reads the configuration and runs the bot until ctx ends.
func Run(ctx context.Context, w World) error {
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	return run(ctx, w, cfg)
}

// sqlVerb prints what makes the views for reports.
func sqlVerb(_ context.Context, w World) error {
	_, err := io.WriteString(w.Stdout, postgres.Reports())
	return err
}

// versionVerb says which build this is, as far as the build recorded it.
func versionVerb(_ context.Context, w World) error {
	parts := []string{"bot", w.Version}
	if info, ok := debug.ReadBuildInfo(); ok {
		parts = append(parts, commitOf(info)...)
	}
	parts = append(parts, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	_, err := fmt.Fprintln(w.Stdout, strings.Join(parts, " "))
	return err
}

// commitOf names the commit that was built, its time, and whether files had been changed since.
func commitOf(info *debug.BuildInfo) []string {
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	var parts []string
	for _, key := range []string{"vcs.revision", "vcs.time"} {
		if vcs[key] != "" {
			parts = append(parts, vcs[key])
		}
	}
	if vcs["vcs.modified"] == "true" {
		parts = append(parts, "modified")
	}
	return parts
}
