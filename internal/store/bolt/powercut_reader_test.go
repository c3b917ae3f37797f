package bolt_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/storetest"
)

const (
	readerVariable = "POWERCUT_READER" // set in the processes that read images
	readerMemory   = 1 << 30
)

// question is what a reader is asked.
type question struct {
	Path string
	All  bool // the whole listing, not its digest alone
}

// finding is what a reader makes of an image.
type finding struct {
	Wrong   string // "": nothing is
	Digest  string
	Listing []string
}

// TestPowerCutReader is no test: it is the process that opens images for the others. A broken database can
// bring down the process that opens it, or keep it for ever.
func TestPowerCutReader(t *testing.T) {
	if os.Getenv(readerVariable) == "" {
		t.Skip("only as a child of the other tests")
	}
	go limitMemory()
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for in.Scan() {
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if err := out.Encode(inspect(t, q)); err != nil {
			t.Fatal(err)
		}
	}
}

// limitMemory ends the process when it takes too much: the check of a broken file has been seen to take
// all there is.
func limitMemory() {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		if metrics.Read(sample); sample[0].Value.Uint64() > readerMemory {
			panic("the database takes too much memory")
		}
	}
}

// inspect opens an image as the bot would, checks it on every level, and reads all that it holds. A panic
// ends the process, which says as much.
func inspect(t *testing.T, q question) (f finding) {
	t.Helper()
	e, err := bolt.Open(q.Path, bolt.Options{Fatal: func(err error) { t.Errorf("a commit failed: %v", err) }})
	if err != nil {
		return finding{Wrong: "open: " + err.Error()}
	}
	defer e.Close()
	if err := checkPages(e.DB()); err != nil {
		return finding{Wrong: "pages: " + err.Error()}
	}
	listing, err := listingOf(e.DB())
	if err != nil {
		return finding{Wrong: "read: " + err.Error()}
	}
	f.Digest = digest(listing)
	if q.All {
		f.Listing = listing
	}
	if err := checkStore(t, e); err != nil {
		f.Wrong = "store: " + err.Error()
	}
	return f
}

// checkPages is bbolt's own check of the file.
func checkPages(db *bbolt.DB) error {
	return db.View(func(tx *bbolt.Tx) error {
		var all []error
		for err := range tx.Check() {
			all = append(all, err)
		}
		return errors.Join(all...)
	})
}

// checkStore is the store's own check of what is in it.
func checkStore(t *testing.T, e store.Engine) error {
	t.Helper()
	s, err := store.Open(context.Background(), e, storetest.Keyring(t))
	if err != nil {
		return err
	}
	problems, err := s.Check(context.Background())
	if err == nil && len(problems) > 0 {
		err = errors.New(strings.Join(problems, "; "))
	}
	return err
}

// reader is a process that opens images. It is started anew where one broke it.
type reader struct {
	patience time.Duration
	child    *exec.Cmd
	in       *json.Encoder
	out      chan []byte // lines; closed when the process has ended
	noise    *strings.Builder
	starts   int
}

// start starts the process unless it runs.
func (r *reader) start(ctx context.Context) error {
	if r.child != nil {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, self, "-test.run=^TestPowerCutReader$", "-test.timeout=0")
	c.Env = append(os.Environ(), readerVariable+"=1")
	r.noise = &strings.Builder{}
	c.Stderr = r.noise
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	r.starts++
	r.child, r.in, r.out = c, json.NewEncoder(in), make(chan []byte, 1)
	go func(lines chan<- []byte) {
		defer close(lines)
		scan := bufio.NewScanner(out)
		scan.Buffer(nil, 64<<20)
		for scan.Scan() {
			if bytes.HasPrefix(scan.Bytes(), []byte("{")) { // the rest is what a test says that fails
				lines <- bytes.Clone(scan.Bytes())
			}
		}
	}(r.out)
	return nil
}

// stop ends the process.
func (r *reader) stop() string {
	if r.child == nil {
		return ""
	}
	_ = r.child.Process.Kill()
	for range r.out { // it ends with the process
	}
	_ = r.child.Wait()
	r.child = nil
	first, _, _ := strings.Cut(r.noise.String(), "\n")
	return first
}

// read asks about an image. The error is of the reading; what is wrong with the image is in the finding.
func (r *reader) read(ctx context.Context, q question) (finding, error) {
	if err := r.start(ctx); err != nil {
		return finding{}, err
	}
	if err := r.in.Encode(q); err != nil {
		return finding{}, fmt.Errorf("ask the reader: %w (%s)", err, r.stop())
	}
	late := time.NewTimer(r.patience)
	defer late.Stop()
	select {
	case line, ok := <-r.out:
		if !ok {
			return finding{Wrong: "the process that opened it died: " + r.stop()}, nil
		}
		var f finding
		if err := json.Unmarshal(line, &f); err != nil {
			return f, fmt.Errorf("the reader said %q: %w", line, err)
		}
		return f, nil
	case <-late.C:
		return finding{Wrong: fmt.Sprintf("it could not be opened and checked in %v: %s", r.patience, r.stop())}, nil
	}
}
