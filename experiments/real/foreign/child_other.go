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

// output reads the lines of a program.
type output struct {
	file *os.File
	wait time.Duration // for each piece
	ctx  context.Context
}

func newOutput(file *os.File) *output { return &output{file: file} }

// Read implements io.Reader.
func (o *output) Read(p []byte) (int, error) {
	o.file.SetReadDeadline(time.Now().Add(o.wait))
	return o.file.Read(p)
}

// ready is not known here: what a program writes too late is taken for part of the next step.
func (o *output) ready(time.Duration) bool { return false }
