//go:build unix

package descriptors

import (
	"math"
	"syscall"
)

// limit is the number of descriptors that the program may have. The runtime of Go has raised it
// as far as it may.
func limit() uint64 {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return math.MaxUint64
	}
	return uint64(l.Cur)
}
