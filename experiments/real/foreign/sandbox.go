package foreign

import (
	"cmp"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Sandbox bounds what programs may do on the machine. Zero limits are the defaults. The limits are set
// before the first instruction of a program, and hold for the processes that it starts, too.
//
// On Linux a program has no network, can write no file, and signals no process but its own. It may
// read what the user may read, and connect to sockets in the file system that the user may connect to.
type Sandbox struct {
	Memory    uint64        // bytes of the address space of each process
	Processes uint64        // of one program at the same time, threads included
	File      uint64        // bytes of a file that it writes, where it can write one
	CPU       time.Duration // of each process, in whole seconds

	probe   sync.Once
	apart   bool // in namespaces of its own
	missing []string
}

// Defaults of a sandbox. Node needs 1 GB of addresses to start, and 11 threads.
const (
	defaultMemory    = 4 << 30
	defaultProcesses = 64
	defaultFile      = 1 << 20
	defaultCPU       = 10 * time.Minute
	mostOpen         = 256 // files of each process
)

// limits are the limits, with the defaults.
func (s *Sandbox) limits() limits {
	cpu := cmp.Or(s.CPU, defaultCPU)
	return limits{cmp.Or(s.Memory, defaultMemory), cmp.Or(s.Processes, defaultProcesses), cmp.Or(s.File, defaultFile), mostOpen, uint64(max(1, cpu/time.Second))}
}

// limits are those of a sandbox, in the order of its words.
type limits [5]uint64

// The places of limits.
const (
	memoryLimit = iota
	processLimit
	fileLimit
	openLimit
	cpuLimit
)

// Missing says what the sandbox does not bound on this system; "" if it bounds all.
func (s *Sandbox) Missing() string {
	s.probe.Do(s.try)
	return strings.Join(s.missing, "; ")
}

// put puts a command into the sandbox, if there is one.
func (s *Sandbox) put(c *exec.Cmd) {
	if s != nil && c.Err == nil {
		s.probe.Do(s.try)
		s.confine(c)
	}
}

// exhausted says that a program has used its processor time; "" if it has not. How fast a processor is
// says nothing about a program. What the system counts may lag behind.
func (s *Sandbox) exhausted(c *exec.Cmd) string {
	if s == nil || c.ProcessState == nil {
		return ""
	}
	most := time.Duration(s.limits()[cpuLimit]) * time.Second
	if c.ProcessState.UserTime()+c.ProcessState.SystemTime() < most*9/10 {
		return ""
	}
	return fmt.Sprintf("used all of its processor time, %v", most)
}
