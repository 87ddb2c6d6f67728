package yardstick

import (
	"syscall"
	"time"
)

// ProcessorTime is the processor time that this process has used, including the garbage
// collector's.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return wallTime()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
