package app

import "syscall"

// keepToItself keeps the memory of this process, where keys and codes are, out of core files, and away from
// other processes of the same user. Where the system does not let it, the bot runs all the same.
func keepToItself() {
	const setDumpable = 4 // PR_SET_DUMPABLE
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setDumpable, 0, 0) //nolint:dogsled // that is how it answers
}
