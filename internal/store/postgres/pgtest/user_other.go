//go:build !unix

package pgtest

import "syscall"

func ordinary() *syscall.SysProcAttr { return nil }

func give(string) error { return nil }
