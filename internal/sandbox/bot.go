package sandbox

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/backoff"
)

// hiddenDemoBot is the subcommand that the demo runs its bot with.
const hiddenDemoBot = "demo-bot"

// stopGrace is more than the ten seconds in which the bot itself stops: it is killed only where it hangs.
const (
	revival   = 2500 * time.Millisecond // how long a bot that was killed stays dead
	stopGrace = 12 * time.Second        // what a bot that is to stop gets, before it is killed
)

// demoBotVerb runs the bot until its input ends: that is when the demo does, however that ends.
func demoBotVerb(ctx context.Context, w app.World) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// The demo holds the other end of this pipe. The system closes it even where the demo is killed, so that no bot outlives its demo.
	end := app.Ended(w.Stdin)
	go func() {
		select {
		case <-end:
			stop()
		case <-ctx.Done():
		}
	}()
	return app.Run(ctx, w)
}

// Keeper runs the bot as a process of its own, and again after it was killed.
// mu guards bot, lives and killed: the page looks at them, and kills, while run waits for the process.
type Keeper struct {
	program string
	env     []string
	dir     string // where it runs: there is no .env
	out     io.Writer

	mu     sync.Mutex
	bot    *exec.Cmd // nil: none lives
	lives  int
	killed bool // the one that lives, or lived last
}

// botView is what the page shows of the bot's process.
type botView struct {
	Alive bool `json:"alive"`
	PID   int  `json:"pid"`
	Lives int  `json:"lives"`
}

// view is how the bot is doing.
func (k *Keeper) view() botView {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := botView{Lives: k.lives}
	if k.bot != nil {
		v.Alive, v.PID = true, k.bot.Process.Pid
	}
	return v
}

// kill ends the bot's process at once: nothing in it can do anything about it.
func (k *Keeper) kill() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bot != nil {
		k.killed = true
		_ = k.bot.Process.Kill()
	}
}

// run has the bot live until ctx is done. One that ends by itself ends the demo.
func (k *Keeper) run(ctx context.Context) error {
	for {
		if err := k.live(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		if !backoff.Sleep(ctx, revival) {
			return nil
		}
	}
}

// live is one life of the bot, from its start to its end.
func (k *Keeper) live(ctx context.Context) error {
	bot := exec.Command(k.program, hiddenDemoBot) //nolint:gosec,noctx // it is this program; and it ends by its leash, so that it ends well
	bot.Env, bot.Dir, bot.Stdout, bot.Stderr = k.env, k.dir, k.out, k.out
	// What the bot has started may hold its output open: Wait does not wait for that longer than this.
	bot.WaitDelay = time.Second
	leash, err := bot.StdinPipe()
	if err != nil {
		return fmt.Errorf("start the bot: %w", err)
	}
	defer leash.Close()
	if err := k.begin(bot); err != nil {
		return fmt.Errorf("start the bot: %w", err)
	}
	end := make(chan error, 1)
	go func() { end <- bot.Wait() }()
	select {
	case err = <-end:
	case <-ctx.Done():
		leash.Close()
		select {
		case err = <-end:
		case <-time.After(stopGrace):
			_ = bot.Process.Kill()
			err = <-end
		}
	}
	return k.end(err)
}

// Started under mu: whoever sees k.bot sees one that has a process.
func (k *Keeper) begin(bot *exec.Cmd) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := bot.Start(); err != nil {
		return err
	}
	k.bot, k.killed = bot, false
	k.lives++
	return nil
}

// end notes that the bot is dead, and says why unless it was killed.
func (k *Keeper) end(err error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.bot = nil
	if err == nil || k.killed {
		return nil
	}
	return fmt.Errorf("the bot ended: %w", err)
}
