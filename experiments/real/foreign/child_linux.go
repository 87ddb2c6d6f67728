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

// isKilled reports whether a program was killed. It cannot do that by an error of its own.
func isKilled(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// output reads the lines of a program. A thread waits for it in the kernel, which is faster than the
// poller of the runtime: that wakes one thread to wake another. It waits for standard error, too. What
// the program has written there before a line of its output is read before that line.
type output struct {
	file  *os.File
	errs  *os.File
	tail  *tail           // of errs
	until time.Time       // there is time
	ctx   context.Context // of the trial
	poll  [2]pollFile     // of file and errs
}

// pollFile is a struct pollfd.
type pollFile struct {
	fd              int32
	events, happens int16
}

const pollIn = 1

// newOutput starts a program with that output.
func newOutput(file *os.File, c *exec.Cmd, tail *tail) (*output, error) {
	errs, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.Stderr = theirs
	err = c.Start()
	theirs.Close()
	if err != nil {
		errs.Close()
		return nil, err
	}
	o := &output{file: file, errs: errs, tail: tail}
	for i, f := range []*os.File{file, errs} {
		o.poll[i] = pollFile{fd: int32(f.Fd()), events: pollIn}
	}
	return o, syscall.SetNonblock(int(o.poll[1].fd), true)
}

// Read implements io.Reader.
func (o *output) Read(p []byte) (int, error) {
	for {
		ready := o.ready(min(glance, max(0, time.Until(o.until))))
		switch {
		case o.tail.flooded():
			return 0, errFlood
		case ready:
			return o.file.Read(p)
		case o.ctx.Err() != nil || time.Now().After(o.until):
			return 0, os.ErrDeadlineExceeded
		}
	}
}

// ready reports whether there is something to read, or the end of it, after some time at most. It
// reads standard error, and returns sooner if there is something.
func (o *output) ready(within time.Duration) bool {
	most := syscall.NsecToTimespec(int64(within))
	n, _, err := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&o.poll)), uintptr(len(o.poll)), uintptr(unsafe.Pointer(&most)), 0, 0, 0)
	if err != 0 || n == 0 { // a signal is an error, and the caller looks again
		return false
	}
	if o.poll[1].happens != 0 {
		o.readErrors()
	}
	return o.poll[0].happens != 0
}

// readErrors reads what is there of standard error.
func (o *output) readErrors() {
	var piece [1 << 12]byte
	for o.poll[1].fd >= 0 && !o.tail.flooded() {
		n, err := syscall.Read(int(o.poll[1].fd), piece[:])
		switch {
		case n > 0:
			o.tail.Write(piece[:n])
		case err == nil: // the end of it
			o.poll[1].fd = -1
		case err != syscall.EINTR:
			return
		}
	}
}

// close ends the reading of standard error.
func (o *output) close() {
	o.readErrors()
	o.errs.Close()
}
