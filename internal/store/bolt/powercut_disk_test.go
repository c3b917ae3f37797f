package bolt_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
)

const (
	block  = 4096 // what a disk is kept in here, whatever bbolt's pages are
	sector = 512  // what a real one writes whole
)

// disk is what a file holds. Blocks are never changed in place, so that copies share them; one that is
// missing is zero, as a hole in a file is.
type disk struct {
	size   int64
	blocks map[int64][]byte
}

func newDisk() *disk { return &disk{blocks: map[int64][]byte{}} }

func (d *disk) clone() *disk { return &disk{size: d.size, blocks: maps.Clone(d.blocks)} }

// write puts bytes at an offset, and makes the file longer where it has to.
func (d *disk) write(off int64, data []byte) {
	d.size = max(d.size, off+int64(len(data)))
	for len(data) > 0 {
		at, within := off/block, off%block
		fresh := make([]byte, block)
		copy(fresh, d.blocks[at])
		n := copy(fresh[within:], data)
		d.blocks[at] = fresh
		off, data = off+int64(n), data[n:]
	}
}

// read is n bytes from an offset on.
func (d *disk) read(off int64, n int) []byte {
	out := make([]byte, n)
	for got := 0; got < n; {
		at, within := (off+int64(got))/block, (off+int64(got))%block
		b := d.blocks[at]
		if b == nil {
			b = make([]byte, block)
		}
		got += copy(out[got:], b[within:])
	}
	return out
}

// save makes a file of the disk.
func (d *disk) save(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, at := range slices.Sorted(maps.Keys(d.blocks)) {
		if _, err := f.WriteAt(d.blocks[at], at*block); err != nil {
			return err
		}
	}
	return f.Truncate(d.size)
}

// loadDisk reads a file.
func loadDisk(path string) (*disk, error) {
	all, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := newDisk()
	d.size = int64(len(all))
	zero := make([]byte, block)
	for at := int64(0); len(all) > 0; at++ {
		var b []byte
		b, all = all[:min(block, len(all))], all[min(block, len(all)):]
		if !bytes.Equal(b, zero[:len(b)]) {
			d.blocks[at] = append(bytes.Clone(b), zero[len(b):]...)
		}
	}
	return d, nil
}

// op is one thing that happened to a file.
type op struct {
	what   opKind
	off    int64   // of a write
	data   []byte  // of a write
	size   int64   // of a resize
	commit *commit // of the write of a meta page: what is there once that is
}

type opKind uint8

const (
	written opKind = iota
	resized
	synced
)

// fate is what a power cut makes of a write that no sync has covered.
type fate uint8

const (
	lost    fate = iota
	whole        // it is on the disk
	sectors      // some sectors of it are
	torn         // its beginning is, down to the byte
	garbled      // some sectors are, and one was being written
	fates
)

// cut is how one power cut treats what was not synced yet.
type cut struct {
	rng  *rand.Rand
	kept float64 // how much of it is there at all
}

func newCut(rng *rand.Rand) cut {
	return cut{rng, []float64{0, 0.1, 0.5, 0.9, 1}[rng.IntN(5)]}
}

// image is what is on the disk when the power goes after some operations, of which those that are pending
// were not covered by a sync.
func (c cut) image(durable *disk, pending []op) *disk {
	d := durable.clone()
	for _, o := range pending {
		if c.rng.Float64() >= c.kept {
			continue
		}
		if o.what == resized {
			d.size = max(d.size, o.size)
			continue
		}
		c.tear(d, o)
	}
	return d
}

// tear puts what is left of a write on the disk.
func (c cut) tear(d *disk, o op) {
	how := whole
	if c.rng.IntN(2) == 0 {
		how = fate(c.rng.IntN(int(fates)))
	}
	switch how {
	case lost:
	case whole:
		d.write(o.off, o.data)
	case torn:
		d.write(o.off, o.data[:c.rng.IntN(len(o.data))])
	case sectors, garbled:
		n := len(o.data) / sector
		for i := range n {
			if c.rng.IntN(2) == 0 {
				d.write(o.off+int64(i)*sector, o.data[i*sector:(i+1)*sector])
			}
		}
		if how == garbled {
			d.write(o.off+int64(c.rng.IntN(n))*sector, c.noise(sector))
		}
		if how == garbled && o.commit != nil {
			// Noise in the page's own number is minded by bbolt's check alone, until the next commit.
			d.write(o.off, o.data[:metaAt])
		}
	}
}

func (c cut) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(c.rng.UintN(256))
	}
	return b
}

func (o op) String() string {
	switch {
	case o.what == synced:
		return "sync"
	case o.what == resized:
		return fmt.Sprintf("resize to %d", o.size)
	case o.commit != nil:
		return fmt.Sprintf("meta page at %d", o.off)
	}
	return fmt.Sprintf("write %d bytes at %d", len(o.data), o.off)
}
