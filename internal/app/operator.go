package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"resellerbot/internal/atomicfile"
	"resellerbot/internal/control"
)

// statusVerb says how the running bot is.
func statusVerb(ctx context.Context, w World) error {
	return ask(w, func(c control.Client) error {
		s, err := c.Status(ctx)
		if err != nil {
			return err
		}
		return s.Print(w.Stdout)
	})
}

// showVerb tells the story of a purchase.
func showVerb(ctx context.Context, w World, args []string) error {
	return askAbout(w, args, "show takes a purchase: show REF", func(c control.Client, ref string) error {
		s, err := c.Story(ctx, ref)
		if err != nil {
			return err
		}
		return s.Print(w.Stdout)
	})
}

// lookVerb has a purchase looked at now.
func lookVerb(ctx context.Context, w World, args []string) error {
	return askAbout(w, args, "look takes a purchase: look REF", func(c control.Client, ref string) error {
		return sayAnswer(w)(c.Look(ctx, ref))
	})
}

// unlockVerb lets a locked account spend again.
func unlockVerb(ctx context.Context, w World, args []string) error {
	return askAbout(w, args, "unlock takes an account, as status names it: unlock ACCOUNT", func(c control.Client, account string) error {
		return sayAnswer(w)(c.Unlock(ctx, account))
	})
}

// replayVerb tells of the updates that could not be handled, and has one of them handled again once that is confirmed.
func replayVerb(ctx context.Context, w World, args []string) error {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	yes := flags.Bool("yes", false, "")
	numbers, err := anyOrder(flags, args)
	if err != nil {
		return err
	}
	if len(numbers) > 1 || *yes && len(numbers) == 0 {
		return UsageError("replay takes one update: replay [-yes] [UPDATE]")
	}
	number := strings.Join(numbers, "")
	return ask(w, func(c control.Client) error {
		if *yes {
			return sayAnswer(w)(c.Replay(ctx, number))
		}
		all, err := c.Parked(ctx)
		if err != nil {
			return err
		}
		some, err := all.Print(w.Stdout, number)
		switch {
		case err != nil || some:
			return err
		case number != "":
			return fmt.Errorf("update %s is not parked; bot replay names those that are", number)
		}
		_, err = fmt.Fprintln(w.Stdout, "No update is parked.")
		return err
	})
}

// sayAnswer prints what an act has come to.
func sayAnswer(w World) func(text string, err error) error {
	return func(text string, err error) error {
		if err == nil {
			_, err = fmt.Fprintln(w.Stdout, text)
		}
		return err
	}
}

// askAbout asks the running bot about the one thing that the arguments name.
func askAbout(w World, args []string, usage string, question func(control.Client, string) error) error {
	names, err := anyOrder(flag.NewFlagSet("bot", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	if len(names) != 1 {
		return UsageError(usage)
	}
	return ask(w, func(c control.Client) error { return question(c, names[0]) })
}

// ask asks the bot that runs with this configuration.
func ask(w World, question func(control.Client) error) error {
	cfg, err := loadConfig(w)
	if err != nil {
		return err
	}
	err = question(w.operator(cfg))
	if errors.Is(err, control.ErrAway) {
		err = fmt.Errorf("%w; it does not run, is starting or stands by, or this user may not: be the one that it runs as", err)
	}
	return cfg.hideIn(err)
}

// backupRunning has the running bot make a copy, which this process puts where it belongs.
func backupRunning(ctx context.Context, w World, cfg Config, name string) (size int64, err error) {
	// Written by this process and not by the bot: the path is this user's, and need not be the bot's to reach.
	err = atomicfile.Write(w.at(name), byHand+"*", func(f *os.File) error {
		if err := w.operator(cfg).Backup(ctx, f); err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		size = info.Size()
		if isEncrypted(f.Name()) { // the bot has checked it
			return nil
		}
		return newCopier(w, cfg).checkCopy(ctx, f.Name())
	})
	if err != nil {
		return 0, fmt.Errorf("back up to %s: %w", name, err)
	}
	return size, nil
}
