//go:build !linux

package app

// keepToItself does nothing here: it is Linux that the bot is meant for.
func keepToItself() {}
