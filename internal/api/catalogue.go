package api

import (
	"bytes"
	"compress/flate"
	"container/list"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"
	"weak"
)

// mostDecoded is how many variants stay decoded in all catalogues together. One takes about half a kilobyte so, and some
// twenty bytes packed.
const mostDecoded = 100_000

// packedFrom is the size from which an answer is deflated while it is held. A compressor takes more than a megabyte for as
// long as it works, which is more than a small answer would ever save.
const packedFrom = 64 << 10

// catalogue is a listing of products as the service answered it. Keys that got the same answer hold the same one: most
// shops see one catalogue, and a thousand copies of it would be a gigabyte. The products of one that is not asked for are
// decoded anew from its packed answer.
type catalogue struct {
	shelf *catalogues
	data  heldAnswer
	shape Generation // which the answer shows; "" where it does not tell

	products []Product     // nil where they are not decoded now; guarded by shelf.mu
	place    *list.Element // among those that are decoded; guarded by shelf.mu
}

// catalogues are all that the keys of a client hold. They are forgotten with the last key that holds them.
type catalogues struct {
	decode func(json.RawMessage) ([]Product, Generation, error)
	most   int // variants that stay decoded

	mu      sync.Mutex
	alike   map[[sha256.Size]byte]weak.Pointer[catalogue] // by the answer's data
	decoded list.List                                     // of *catalogue, the one that was asked for last first
	size    int                                           // variants in those that are decoded
}

func newCatalogues(most int, decode func(json.RawMessage) ([]Product, Generation, error)) *catalogues {
	return &catalogues{decode: decode, most: most, alike: map[[sha256.Size]byte]weak.Pointer[catalogue]{}}
}

// of is the catalogue that an answer holds.
func (s *catalogues) of(data json.RawMessage) (*catalogue, error) {
	// The digest is looked for before anything is decoded: most answers are known, and decoding is what costs.
	digest := sha256.Sum256(data)
	if c := s.find(digest); c != nil {
		return c, nil
	}
	products, shape, err := s.decode(data)
	if err != nil {
		return nil, err
	}
	held, err := hold(data)
	if err != nil {
		return nil, err
	}
	c := &catalogue{shelf: s, data: held, shape: shape}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.alike[digest].Value(); other != nil { // two keys have asked at once
		return other, nil
	}
	w := weak.Make(c)
	s.alike[digest] = w
	// The map holds catalogues weakly; without the cleanup, digests of answers that are gone would stay in it for ever.
	// It holds them weakly too: what a cleanup holds lives as long as what it waits for, and that would be for ever.
	runtime.AddCleanup(c, forget, named{weak.Make(s), digest, w})
	s.hold(c, products)
	return c, nil
}

// find is the catalogue of an answer that is here already; nil for none.
func (s *catalogues) find(digest [sha256.Size]byte) *catalogue {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alike[digest].Value()
}

// named is a catalogue that is gone, and its name.
// All that forget needs, and no pointer that keeps anything alive.
type named struct {
	shelf  weak.Pointer[catalogues]
	digest [sha256.Size]byte
	was    weak.Pointer[catalogue]
}

// forget drops the name of a catalogue that is gone, unless the same answer has come again since.
func forget(n named) {
	s := n.shelf.Value()
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.alike[n.digest] == n.was {
		delete(s.alike, n.digest)
	}
}

// hold keeps the products of a catalogue decoded, and drops those that were not asked for longest; s.mu is held. The
// newest stays, however large it is.
func (s *catalogues) hold(c *catalogue, products []Product) {
	c.products, c.place = products, s.decoded.PushFront(c)
	s.size += variants(products)
	for s.size > s.most && s.decoded.Len() > 1 {
		last, _ := s.decoded.Remove(s.decoded.Back()).(*catalogue) // nothing else is in it
		s.size -= variants(last.products)
		last.products, last.place = nil, nil
	}
}

// variants counts what is for sale in a list, and products without any as one.
func variants(all []Product) (n int) {
	for _, p := range all {
		n += max(1, len(p.Variants))
	}
	return n
}

// read is what the catalogue lists. It is shared: it must not be changed.
func (c *catalogue) read() ([]Product, error) {
	if products, ok := c.again(); ok {
		return products, nil
	}
	data, err := c.data.read()
	if err != nil {
		return nil, fmt.Errorf("unpack a catalogue: %w", err)
	}
	products, _, err := c.shelf.decode(data)
	if err != nil {
		return nil, fmt.Errorf("decode a catalogue again: %w", err)
	}
	c.shelf.mu.Lock()
	defer c.shelf.mu.Unlock()
	if c.place == nil {
		c.shelf.hold(c, products)
	}
	// Another reader may have decoded it meanwhile: then its products are given, so that all share one list.
	return c.products, nil
}

// list is what the catalogue lists, for whoever asked for it by an operation.
func (c *catalogue) list(op string) ([]Product, error) {
	products, err := c.read()
	if err != nil {
		return nil, &Error{Op: op, Class: Internal, Err: err}
	}
	return products, nil
}

// again is what the catalogue lists where that is decoded now: it stays so for longer.
func (c *catalogue) again() ([]Product, bool) {
	c.shelf.mu.Lock()
	defer c.shelf.mu.Unlock()
	if c.place == nil {
		return nil, false
	}
	c.shelf.decoded.MoveToFront(c.place)
	return c.products, true
}

// heldAnswer is an answer's data as it is held: a large catalogue repeats itself, and is deflated.
type heldAnswer struct {
	data     []byte
	deflated bool
}

func hold(data []byte) (heldAnswer, error) {
	if len(data) < packedFrom {
		return heldAnswer{data: bytes.Clone(data)}, nil
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return heldAnswer{}, err
	}
	if _, err = w.Write(data); err == nil {
		err = w.Close()
	}
	return heldAnswer{data: bytes.Clone(out.Bytes()), deflated: true}, err
}

func (h heldAnswer) read() ([]byte, error) {
	if !h.deflated {
		return h.data, nil
	}
	return io.ReadAll(flate.NewReader(bytes.NewReader(h.data)))
}
