package foreign

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"
)

// apart puts a program into a group of its own, so that Ctrl-C reaches bullring alone, and has
// the kernel kill it when bullring ends in whatever way.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills a program and the processes that it has started.
func killGroup(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// output reads the lines of a program. A thread waits for it in the kernel, which is faster than the
// poller of the runtime: that wakes one thread to wake another.
type output struct {
	file *os.File
	fd   uintptr
	wait time.Duration   // for each piece
	ctx  context.Context // of the trial
}

func newOutput(file *os.File) *output {
	return &output{file: file, fd: file.Fd()}
}

// glance is the time after which a thread that waits looks whether the trial is cancelled.
const glance = 100 * time.Millisecond

// Read implements io.Reader.
func (o *output) Read(p []byte) (int, error) {
	for until := time.Now().Add(o.wait); !o.ready(min(glance, max(0, time.Until(until)))); {
		if o.ctx.Err() != nil || time.Now().After(until) {
			return 0, os.ErrDeadlineExceeded
		}
	}
	return o.file.Read(p)
}

// ready reports whether there is something to read, or the end of it, after some time at most.
func (o *output) ready(within time.Duration) bool {
	const pollIn = 1
	want := struct {
		fd              int32
		events, happens int16
	}{int32(o.fd), pollIn, 0}
	most := syscall.NsecToTimespec(int64(within))
	n, _, err := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&want)), 1, uintptr(unsafe.Pointer(&most)), 0, 0, 0)
	return err == 0 && n > 0 // a signal is an error, and the caller looks again
}
