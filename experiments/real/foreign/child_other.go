//go:build !linux

package foreign

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// apart has nothing to do here. When bullring ends, the program reads the end of its input.
func apart(*exec.Cmd) {}

// killGroup kills a program.
func killGroup(c *exec.Cmd) { c.Process.Kill() }

// isKilled reports whether a program was killed. That is not known here.
func isKilled(*os.ProcessState) bool { return false }

// output reads the lines of a program.
type output struct {
	file  *os.File
	until time.Time // there is time
	ctx   context.Context
}

// newOutput starts a program with that output.
func newOutput(file *os.File, c *exec.Cmd, errs *tail) (*output, error) {
	c.Stderr = errs
	return &output{file: file}, c.Start()
}

// Read implements io.Reader.
func (o *output) Read(p []byte) (int, error) {
	o.file.SetReadDeadline(o.until)
	if soon := time.Now().Add(glance); o.until.Before(soon) { // what is there is read
		o.file.SetReadDeadline(soon)
	}
	return o.file.Read(p)
}

// readErrors has nothing to do: a goroutine reads standard error until it ends.
func (o *output) readErrors() {}

func (o *output) close() {}

// ready is not known here: what a program writes too late is taken for part of the next step.
func (o *output) ready(time.Duration) bool { return false }
