package apptest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"sync"
)

// MemNet is a network inside the test's bubble: connections are pipes, so that virtual time passes
// while both ends wait.
type MemNet struct {
	mu        sync.Mutex
	listeners map[string]*memListener
	dials     map[string]int // connections made, by address
}

// NewMemNet makes a network without listeners.
func NewMemNet() *MemNet {
	return &MemNet{listeners: map[string]*memListener{}, dials: map[string]int{}}
}

// Dialled is how often each address was.
func (n *MemNet) Dialled() map[string]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return maps.Clone(n.dials)
}

// Listen takes an address until the listener is closed.
func (n *MemNet) Listen(_, addr string) (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listeners[addr] != nil {
		return nil, fmt.Errorf("address %s is taken", addr)
	}
	l := &memListener{net: n, addr: memAddr(addr), conns: make(chan net.Conn), closed: make(chan struct{})}
	n.listeners[addr] = l
	return l, nil
}

// Dial connects to a listener, or is refused.
func (n *MemNet) Dial(ctx context.Context, _, addr string) (net.Conn, error) {
	n.mu.Lock()
	l := n.listeners[addr]
	n.dials[addr]++
	n.mu.Unlock()
	if l == nil {
		return nil, errors.New("connection refused")
	}
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type memListener struct {
	net    *MemNet
	addr   memAddr
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *memListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memListener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.net.mu.Lock()
		delete(l.net.listeners, string(l.addr))
		l.net.mu.Unlock()
	})
	return nil
}

func (l *memListener) Addr() net.Addr { return l.addr }

type memAddr string

func (memAddr) Network() string  { return "tcp" }
func (a memAddr) String() string { return string(a) }
