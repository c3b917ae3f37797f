//go:build !linux

package app_test

import (
	"context"
	"testing"
)

type namespaces struct{}

func newRealMachine(t *testing.T) *machine {
	t.Helper()
	t.Skip("only Linux has machines of their own")
	return nil
}

func (m *machine) boot() {}

func (n *namespaces) shell(context.Context, string) ([]byte, error) { return nil, nil }

func (m *machine) reachable(address string) string { return address }
