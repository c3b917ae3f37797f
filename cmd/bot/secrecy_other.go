//go:build !linux

package main

// keepToItself does nothing here: it is Linux that the bot is meant for.
func keepToItself() {}
