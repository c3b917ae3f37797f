package proof

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// TestCapacity measures the engines beside each other, in turns, on one disk: transactions that a purchase consists of, a tap until its
// answer with the real program, and how long nobody leads. It tells figures, and fails only where an answer is missing.
//
// CAPACITY=full plays all of it, CAPACITY=short a part.
func TestCapacity(t *testing.T) {
	size := os.Getenv("CAPACITY")
	if size == "" {
		t.Skip("it takes real time: make capacity")
	}
	rounds := 3
	if size == "full" {
		rounds = 7
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		t.Logf("load of the machine: %s", strings.TrimSpace(string(text)))
	}
	t.Run("transactions", func(t *testing.T) { measureTransactions(t, rounds) })
	t.Run("taps", func(t *testing.T) { measureTaps(t, rounds) })
	t.Run("takeover", func(t *testing.T) { measureTakeover(t, rounds) })
	t.Run("binary", measureBinary)
}

// figures are of one engine, or one program.
type figures struct {
	name string

	perSecond       []float64
	half, most      []float64 // p50 and p99, in ms
	alone, aloneMax []float64 // the same of one caller
}

// add takes the figures of a round.
func (f *figures) add(took []time.Duration, in time.Duration) {
	f.perSecond = append(f.perSecond, float64(len(took))/in.Seconds())
	half, most := percentiles(took)
	f.half, f.most = append(f.half, half), append(f.most, most)
}

// percentiles are p50 and p99, in ms.
func percentiles(took []time.Duration) (half, most float64) {
	slices.Sort(took)
	ms := func(part float64) float64 { return took[int(part*float64(len(took)-1))].Seconds() * 1000 }
	return ms(0.5), ms(0.99)
}

// measureTransactions tells what a transaction costs that reads and writes four records, as each step with money does.
func measureTransactions(t *testing.T, rounds int) {
	t.Helper()
	const callers, each = 16, 1500 * time.Millisecond
	fatal := func(err error) { t.Error(err) }
	file, err := bolt.Open(filepath.Join(t.TempDir(), "bot.db"), bolt.Options{Fatal: fatal})
	if err != nil {
		t.Fatal(err)
	}
	single, err := pgtest.StartIn(os.TempDir())
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(single.Stop)
	pair := pgtest.NewPair(t, os.TempDir())
	engines := []store.Engine{file, nil, nil}
	for i, address := range []string{single.URL("postgres", nil), pair.URL()} {
		if engines[i+1], err = postgres.Open(t.Context(), address, postgres.Options{Fatal: fatal, Lost: fatal, Standby: i == 1, Seen: filepath.Join(t.TempDir(), "seen")}); err != nil {
			t.Fatal(err)
		}
	}
	all := []*figures{{name: "bbolt"}, {name: "PostgreSQL"}, {name: "PostgreSQL with a synchronous standby"}}
	for _, e := range engines {
		defer e.Close()
		seedTransactions(t, e)
	}
	for range rounds {
		for i, e := range engines {
			all[i].add(runTransactions(t, e, callers, each), each)
			half, most := percentiles(runTransactions(t, e, 1, each))
			all[i].alone, all[i].aloneMax = append(all[i].alone, half), append(all[i].aloneMax, most)
		}
	}
	for _, f := range all {
		t.Logf("%s: %.0f transactions a second with %d callers, p50 %.2f ms, p99 %.2f ms; one caller p50 %.2f ms, p99 %.2f ms",
			f.name, median(f.perSecond), callers, median(f.half), median(f.most), median(f.alone), median(f.aloneMax))
	}
}

const transactionRecords = 10_000 // of each kind

var unitKinds = []store.Kind{"account", "purchase", "order", "outbox"}

func seedTransactions(t *testing.T, e store.Engine) {
	t.Helper()
	const page = 1000
	for first := 0; first < transactionRecords; first += page {
		err := e.Update(t.Context(), func(tx store.RecordTx) error {
			for i := first; i < first+page; i++ {
				for _, k := range unitKinds {
					if _, err := tx.Put(store.Record{Kind: k, Key: strconv.Itoa(i), Value: make([]byte, 400)}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// runTransactions has callers run transactions for some time, and tells how long each took.
func runTransactions(t *testing.T, e store.Engine, callers int, within time.Duration) (all []time.Duration) {
	t.Helper()
	var mu sync.Mutex
	var busy sync.WaitGroup
	end := time.Now().Add(within)
	for range callers {
		busy.Go(func() {
			var mine []time.Duration
			for begin := time.Now(); begin.Before(end); begin = time.Now() {
				if err := e.Update(context.Background(), moneyTransaction(strconv.Itoa(rand.IntN(transactionRecords)))); err != nil {
					t.Error(err)
					return
				}
				mine = append(mine, time.Since(begin))
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, mine...)
		})
	}
	busy.Wait()
	return all
}

func moneyTransaction(key string) func(store.RecordTx) error {
	return func(tx store.RecordTx) error {
		if w, ok := tx.(store.Wanter); ok {
			var places []store.RecordKey
			for _, k := range unitKinds {
				places = append(places, store.RecordKey{Kind: k, Key: key})
			}
			if err := w.Want(places...); err != nil {
				return err
			}
		}
		for _, k := range unitKinds {
			r, err := tx.Get(k, key)
			if err != nil {
				return err
			}
			if _, err := tx.Put(r); err != nil {
				return err
			}
		}
		return nil
	}
}

// far is how long a question and its answer take to a server on another machine.
const far = 2400 * time.Microsecond

// measureTaps tells how long a person waits who taps: until the tap is answered, and until its screen is there.
func measureTaps(t *testing.T, rounds int) {
	t.Helper()
	const people, each = 200, 25
	pair := pgtest.NewPair(t, os.TempDir())
	bots := []*speedBot{newSpeedBot(t), newSpeedBot(t), newSpeedBot(t)}
	bots[1].address = pair.URLBy(pair.Dir(), "near")
	bots[2].address = pair.URLBy(delayed(t, pair.Dir(), far), "far")
	answers := []*figures{{name: "bbolt"}, {name: "PostgreSQL beside it"}, {name: fmt.Sprintf("PostgreSQL at %v", far)}}
	screens := []*figures{{}, {}, {}}
	for _, b := range bots {
		for i := range int64(people) {
			b.telegram.AddUser(tgsim.User{ID: firstChat + i, FirstName: "Sam", LanguageCode: "en"})
		}
		b.seed(seedMembers(people))
		b.limits = []string{"TELEGRAM_PER_SECOND=100000"}
		b.start()
		b.load(0, people, 0, "sendmessage", func(b *speedBot, chat int64) { b.telegram.Send(chat, chat, "/start") })
	}
	for round := range rounds {
		for i, b := range bots {
			var answer, shown []time.Duration
			for n := range each {
				one, two := b.tapped(int64(firstChat + (round*each+n)%people))
				answer, shown = append(answer, one), append(shown, two)
			}
			answers[i].add(answer, time.Second)
			screens[i].add(shown, time.Second)
		}
	}
	for i, f := range answers {
		t.Logf("%s: a tap is answered after %.1f ms (p99 %.1f), its screen is there after %.1f ms (p99 %.1f)",
			f.name, median(f.half), median(f.most), median(screens[i].half), median(screens[i].most))
	}
}

// tapped taps once, and tells how long it took until Telegram had the answer, and the screen.
func (b *speedBot) tapped(chat int64) (answer, shown time.Duration) {
	b.t.Helper()
	before := b.telegram.Calls()
	begin := time.Now()
	b.click(chat)
	b.until("an answer and a screen", func() bool {
		now := b.telegram.Calls()
		return now["editmessagetext"] > before["editmessagetext"] && now["answercallbackquery"] > before["answercallbackquery"]
	})
	for _, c := range slices.Backward(b.telegram.Record()) {
		if c.At.Before(begin) {
			break
		}
		switch c.Method {
		case "answercallbackquery":
			answer = c.At.Sub(begin)
		case "editmessagetext":
			shown = c.At.Sub(begin)
		}
	}
	return answer, shown
}

// delayed is a folder with a socket that leads to the one of a server, and takes time in both ways together.
func delayed(t *testing.T, server string, both time.Duration) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "far-*") //nolint:usetesting // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	const name = ".s.PGSQL." + pgtest.Primary
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		os.RemoveAll(dir)
	})
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			there, err := new(net.Dialer).DialContext(context.Background(), "unix", filepath.Join(server, name))
			if err != nil {
				client.Close()
				continue
			}
			go carry(there, client, both/2)
			go carry(client, there, both/2)
		}
	}()
	return dir
}

// carry carries what comes from one side to the other, each piece so much later.
func carry(to, from net.Conn, late time.Duration) {
	type piece struct {
		at   time.Time
		text []byte
	}
	line := make(chan piece, 1000)
	go func() {
		defer close(line)
		for {
			text := make([]byte, 32<<10)
			n, err := from.Read(text)
			if n > 0 {
				line <- piece{time.Now(), text[:n]}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range line {
		<-time.After(time.Until(p.at.Add(late)))
		if _, err := to.Write(p.text); err != nil {
			break
		}
	}
	to.Close()
	from.Close()
	for range line { // until the reader has ended
	}
}

// measureTakeover tells how long nobody leads, where the leader is stopped and where it is killed, with a lease as it is.
func measureTakeover(t *testing.T, rounds int) {
	t.Helper()
	c := newReplicas(t, 1, 1, 0, false)
	patience := time.Minute
	for _, how := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		var took []time.Duration
		for range min(rounds, 3) {
			for _, r := range c.replicas.each {
				if r.process == nil {
					r.start()
				}
			}
			var old, next *replica
			c.until("somebody leads", patience, func() bool {
				for i, r := range c.replicas.each {
					if r.leads() {
						old, next = r, c.replicas.each[1-i]
					}
				}
				return old != nil
			})
			c.until("the other one stands by", patience, func() bool { return strings.Contains(next.process.Log.String(), "standing by") })
			begin := time.Now()
			if err := old.process.Command.Process.Signal(how); err != nil {
				t.Fatal(err)
			}
			c.until("the other one leads", patience, next.leads)
			took = append(took, next.since(begin))
			<-old.process.Ended
			old.process = nil
		}
		t.Logf("%v of the leader: the next one calls Telegram after %v", how, took)
	}
}

// since is when its first call of Telegram came.
func (r *replica) since(begin time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.first.Sub(begin).Round(time.Millisecond)
}

// measureBinary tells how big the program is, as it is released.
func measureBinary(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bot")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", name, "resellerbot/cmd/bot")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the program has %.1f MB", float64(info.Size())/1e6)
	lines := map[string]int{}
	for room, is := range map[string]func(string) bool{"above the store": isAboveWiring, "in the wiring": isWiring} {
		n, err := linesThatKnow(is)
		if err != nil {
			t.Fatal(err)
		}
		lines[room] = n
	}
	t.Logf("lines outside of the store that know which engine runs: %v", lines)
	if lines["above the store"] > 0 {
		t.Error("nobody but the wiring is to know")
	}
}

func isWiring(dir string) bool { return dir == filepath.Join("internal", "app") }

func isAboveWiring(dir string) bool {
	return !isWiring(dir) && !strings.HasPrefix(dir, filepath.Join("internal", "store")) && !strings.HasSuffix(dir, "test")
}

// linesThatKnow counts the lines of the program that name an engine's package.
func linesThatKnow(in func(dir string) bool) (n int, err error) {
	return n, filepath.WalkDir(apptest.Root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		within, err := filepath.Rel(apptest.Root, path)
		if err != nil || !in(filepath.Dir(within)) {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			for _, name := range []string{"postgres.", "store/postgres", "bolt.", "store/bolt"} {
				if strings.Contains(line, name) {
					n++
					break
				}
			}
		}
		return errors.Join(err)
	})
}
