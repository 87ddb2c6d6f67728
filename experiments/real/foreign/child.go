package foreign

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Limits of what a program writes in one step.
const (
	longestLine = 1 << 20 // bytes
	mostLines   = 1 << 14
	mostBytes   = 1 << 26
)

// child is a program that runs.
type child struct {
	cmd   *exec.Cmd
	in    *os.File
	out   *output
	lines *bufio.Reader // of out
	errs  *tail         // its standard error
	wait  time.Duration // for each answer: see patience
	box   *Sandbox      // nil is none

	read  int    // lines, since it began
	long  []byte // a line that is longer than the buffer of lines
	asked int64  // the latest request of the driver; its number is its msg_id

	reusable bool // it takes another init
	killed   bool // by somebody else, such as a system that is short of memory
}

// start starts a program, in a sandbox unless that is nil.
func start(c command, box *Sandbox) (*child, error) {
	ch := &child{cmd: exec.Command(c.words[0], c.words[1:]...), errs: &tail{}, box: box}
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		theirIn.Close()
		in.Close()
		return nil, err
	}
	ch.in, ch.cmd.Stdin, ch.cmd.Stdout = in, theirIn, theirOut
	ch.cmd.WaitDelay = grace // for a grandchild that keeps standard error open
	apart(ch.cmd)
	box.put(ch.cmd)
	ch.out, err = newOutput(out, ch.cmd, ch.errs)
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, fmt.Errorf("node %q does not start: %w", c.text, err)
	}
	ch.lines = bufio.NewReaderSize(ch.out, 1<<16)
	return ch, nil
}

// patience sets for how long the program may take for each answer.
func (c *child) patience(wait time.Duration) { c.wait = wait }

// hurry begins the time for an answer. It ends with the run, if that has a limit.
func (c *child) hurry(over time.Time) {
	c.out.until = time.Now().Add(c.wait)
	if !over.IsZero() && over.Before(c.out.until) {
		c.out.until = over
	}
}

// glance is the time after which a thread that waits looks whether the trial is cancelled.
const glance = 100 * time.Millisecond

// overdue is the error of a program that does not answer in time.
type overdue struct{ text string }

func (o overdue) Error() string { return o.text }

// write writes lines to the program.
func (c *child) write(lines []byte) error {
	c.in.SetWriteDeadline(c.out.until)
	if _, err := c.in.Write(lines); err != nil {
		return c.ended(err, "did not read its input")
	}
	return nil
}

// line returns the next line of the program, without its end. It is valid until the next call.
func (c *child) line() ([]byte, error) {
	line, err := c.lines.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		c.long = append(c.long[:0], line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = c.lines.ReadSlice('\n')
			if c.long = append(c.long, line...); len(c.long) > longestLine {
				return nil, fmt.Errorf("wrote line %d of more than %d bytes: %q", c.read+1, longestLine, cut(string(c.long)))
			}
		}
		line = c.long
	}
	if err != nil {
		return nil, c.ended(err, "did not answer")
	}
	c.read++
	return bytes.TrimRight(line, "\r\n"), nil
}

// ended says why a program can no longer be written to or read.
func (c *child) ended(cause error, what string) error {
	if errors.Is(cause, errFlood) {
		return fmt.Errorf("%w%s", errFlood, c.errs.text())
	}
	if errors.Is(cause, os.ErrDeadlineExceeded) {
		return overdue{fmt.Sprintf("%s for %v (--node-timeout)%s", what, c.wait, c.errs.text())}
	}
	state := c.end(grace)
	if spent := c.box.exhausted(c.cmd); spent != "" {
		return overdue{spent}
	}
	if c.killed {
		return overdue{"was killed, as by a system that is short of memory" + c.errs.text()}
	}
	return fmt.Errorf("ended: %s%s", state, c.errs.text())
}

// early returns the beginning of what the program has written without being asked.
func (c *child) early() string {
	if c.lines.Buffered() == 0 && !c.out.ready(0) {
		return ""
	}
	c.lines.Peek(1)
	text, _ := c.lines.Peek(c.lines.Buffered())
	return cut(string(text))
}

// grace is the time that a program has to end by itself when it has closed its output.
const grace = time.Second

// done reports whether a channel is closed, after a short time at most.
func done(ended chan struct{}) bool {
	select {
	case <-ended:
		return true
	case <-time.After(10 * time.Millisecond):
		return false
	}
}

// end waits until the program has ended, kills it and the processes that it has started when
// the time is over, and returns how it ended.
func (c *child) end(within time.Duration) (state string) {
	if c.cmd.ProcessState != nil { // it has ended before
		return c.cmd.ProcessState.String()
	}
	c.in.Close()
	c.out.file.Close()
	ended := make(chan struct{})
	go func() {
		c.cmd.Wait()
		close(ended)
	}()
	for until := time.Now().Add(within); time.Now().Before(until) && !done(ended); {
		c.out.readErrors() // a program that cannot write its last words does not end
	}
	byItself := done(ended)
	killGroup(c.cmd)
	<-ended
	c.killed = byItself && isKilled(c.cmd.ProcessState)
	c.out.close()
	return c.cmd.ProcessState.String()
}
