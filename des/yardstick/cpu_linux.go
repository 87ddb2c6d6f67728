package yardstick

import (
	"syscall"
	"time"
)

// processorTime is the processor time that this process has used. It counts
// the garbage collector's share too.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return wallTime()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
