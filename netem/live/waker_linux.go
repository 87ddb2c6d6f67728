package live

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// coarse is more than timers of package time are late. On Linux a Go program that has nothing else
// to do sleeps for whole milliseconds.
const coarse = 2 * time.Millisecond

// kernelTimer is a waker that is a timer of the kernel. It is late by some 50 microseconds.
type kernelTimer struct {
	fd   int
	file *os.File // the same descriptor
}

// newWaker returns a timer of the kernel, or of package time if there is none.
func newWaker(wake func()) waker {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newGoWaker(wake)
	}
	w := kernelTimer{fd, os.NewFile(uintptr(fd), "timerfd")}
	go func() {
		var times [8]byte
		for {
			if _, err := w.file.Read(times[:]); err != nil {
				return // it was closed
			}
			wake()
		}
	}()
	return w
}

func (w kernelTimer) set(after time.Duration) {
	at := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(max(1, after)))} // 0 would stop it
	if err := unix.TimerfdSettime(w.fd, 0, &at, nil); err != nil {
		panic(err) // the descriptor and the time are right
	}
}

func (w kernelTimer) close() { w.file.Close() }
