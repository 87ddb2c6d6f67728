package yardstick

import (
	"syscall"
	"time"
)

// processorTime is the processor time that this process has used, including the garbage
// collector's.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return wallTime()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
