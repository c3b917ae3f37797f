package apptest

import "os"

// Sampled reports whether a run plays a part of what is many, random or takes real time: an ordinary one does, and the
// race detector's. With SAMPLES=full all is played, as CI does without the race detector.
func Sampled() bool { return os.Getenv("SAMPLES") != "full" }

// Plays reports whether a run plays the i-th of a sample: where it plays a part, one of so many.
func Plays(i, of int) bool { return !Sampled() || i%of == 0 }
