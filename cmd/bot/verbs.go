package main

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
)

// verb is one subcommand. do gets the arguments behind the verb's name.
type verb struct {
	name, meaning string // without a meaning it is one that no person calls, and the help does not list it
	do            func(ctx context.Context, w world, args []string) error
}

// verbs are all subcommands, in the order in which the help lists them. The first is the default.
func (w world) verbs() []verb {
	return slices.Concat([]verb{{"run", "run the bot (also without any subcommand)", noArguments(runVerb)}}, w.More, verbs())
}

// verbs are the program's own subcommands beside that which runs it.
func verbs() []verb {
	return []verb{
		{"check", "say whether the database is sound; the bot must not run", noArguments(check)},
		{"backup", "copy the database to a file while the bot does not run; BACKUP_DIR does so while it runs", backup},
		{"restore", "put a copy in the place of the database: restore [-identity KEYFILE] FILE", restore},
		{"rekey", "seal all secrets anew under the first of ENCRYPTION_KEYS; the bot must not run", noArguments(rekey)},
		{"healthcheck", "ask the running bot at HTTP_ADDR whether it lives", noArguments(healthcheck)},
		{"version", "say which build this is", noArguments(versionVerb)},
		{"help", "show this text", func(context.Context, world, []string) error { return flag.ErrHelp }},
		{hiddenCheckFile, "", checkFile},
	}
}

// hiddenCheckFile is a subcommand that this program calls itself.
const hiddenCheckFile = "check-file"

// usageError is a command line that means nothing here.
type usageError string

// Error implements error.
func (e usageError) Error() string { return string(e) }

// dispatch finds the subcommand and runs it. flag.ErrHelp asks for the help text.
func dispatch(ctx context.Context, w world) error {
	all := w.verbs()
	args, err := onlyHelp(w.Args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return all[0].do(ctx, w, nil)
	}
	for _, v := range all {
		if v.name == args[0] {
			return v.do(ctx, w, args[1:])
		}
	}
	var names []string
	for _, v := range listed(all) {
		names = append(names, v.name)
	}
	return usageError(fmt.Sprintf("unknown subcommand %q; there are %s", args[0], strings.Join(names, ", ")))
}

// listed are those which the help lists.
func listed(verbs []verb) []verb {
	return slices.DeleteFunc(slices.Clone(verbs), func(v verb) bool { return v.meaning == "" })
}

// noArguments makes a verb of a function that takes none.
func noArguments(do func(context.Context, world) error) func(context.Context, world, []string) error {
	return func(ctx context.Context, w world, args []string) error {
		rest, err := onlyHelp(args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usageError(fmt.Sprintf("unexpected argument %q", rest[0]))
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
		err = usageError(err.Error())
	}
	return flags.Args(), err
}

// runVerb reads the configuration and runs the bot until ctx ends.
func runVerb(ctx context.Context, w world) error {
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	return run(ctx, w, cfg)
}

// versionVerb says which build this is, as far as the build recorded it.
func versionVerb(_ context.Context, w world) error {
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
