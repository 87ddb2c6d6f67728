package foreign

import (
	"os"
	"os/exec"
	"syscall"
)

// apart puts a program into a group of its own, so that Ctrl-C reaches bullring alone, and has
// the kernel kill it when bullring ends in whatever way.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills a program and the processes that it has started.
func killGroup(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// waiting returns the beginning of what a pipe has to read, without waiting for it.
func waiting(pipe *os.File) (text string) {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return ""
	}
	conn.Read(func(fd uintptr) bool {
		var piece [mostShown]byte
		if n, err := syscall.Read(int(fd), piece[:]); err == nil && n > 0 {
			text = string(piece[:n])
		}
		return true
	})
	return text
}
