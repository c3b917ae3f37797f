package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"

	"resellerbot/internal/atomicfile"
)

// summing writes something with its checksum behind it.
func summing(to io.Writer, write func(io.Writer) error) error {
	sum := sha256.New()
	if err := write(io.MultiWriter(to, sum)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "%s%x\n", checksumMark, sum.Sum(nil))
	return err
}

// publish writes a file to another place, encrypted if it is for somebody, where it appears whole, for its
// owner alone.
func publish(ctx context.Context, from, to string, recipients []age.Recipient) (size int64, err error) {
	err = atomicfile.Write(to, unfinished+"*", func(f *os.File) error {
		if err := encrypt(ctx, f, from, recipients); err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		size = info.Size()
		return nil
	})
	return size, err
}

// checksumMark is what a plain copy ends with, before the SHA-256 of all that comes before: what is encrypted proves itself. A
// database may have something behind it.
const checksumMark = "\nresellerbot copy sha256 "

// checksumLength is how long the end of a plain copy is.
const checksumLength = len(checksumMark) + 2*sha256.Size + 1

// checkSum takes the checksum off the end of a copy and says whether the rest is what it was made of; false where it has none,
// as copies of earlier versions and those that were made by hand.
func checkSum(name string) (had bool, err error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	size := info.Size() - int64(checksumLength)
	end := make([]byte, checksumLength)
	if size < 0 {
		return false, nil
	}
	// From the end: what is before may hold the same words, as a part of somebody's text.
	if _, err := f.ReadAt(end, size); err != nil {
		return false, err
	}
	said, had := strings.CutPrefix(string(end), checksumMark)
	if !had {
		return false, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return true, err
	}
	if said != fmt.Sprintf("%x\n", sum.Sum(nil)) {
		return true, DamagedError("it is not what was written: its checksum is another")
	}
	return true, f.Truncate(size)
}

// encrypt writes a file to a writer; where it is for nobody, as it is with its checksum.
func encrypt(ctx context.Context, to io.Writer, name string, recipients []age.Recipient) error {
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	if len(recipients) == 0 {
		return summing(to, func(to io.Writer) error {
			_, err := io.Copy(to, stoppable{ctx.Err, from})
			return err
		})
	}
	sealed, err := age.Encrypt(to, recipients...)
	if err != nil {
		return err
	}
	_, err = io.Copy(sealed, stoppable{ctx.Err, from})
	return errors.Join(err, sealed.Close())
}

// stoppable is a reader that fails once its context is done.
type stoppable struct {
	stopped func() error // the context's Err
	from    io.Reader
}

// Read implements io.Reader.
func (s stoppable) Read(p []byte) (int, error) {
	if err := s.stopped(); err != nil {
		return 0, err
	}
	return s.from.Read(p)
}
