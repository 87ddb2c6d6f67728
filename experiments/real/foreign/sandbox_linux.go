package foreign

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"bullring/internal/regular"
)

// A program is put into the sandbox by this program: it starts itself under the name confiner in new
// namespaces, bounds itself, and becomes the other program. The words behind the name are the limits,
// whether namespaces are new, and the command.
const confiner = "bullring-confines"

// namespaces are those that a program has of its own. In that of mounts all file systems are read-only.
const namespaces = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWNS

// init becomes the program of a sandbox. It is here, and not in a main function, so that every program
// with this package has sandboxes.
func init() {
	if os.Args[0] == confiner {
		runtime.LockOSThread() // capabilities are those of a thread
		fmt.Fprintln(os.Stderr, become(os.Args[1:]))
		os.Exit(126)
	}
}

// become bounds this process and becomes another program. It returns only if that fails.
func become(words []string) error {
	const own = len(limits{}) + 1
	if len(words) < own {
		return fmt.Errorf("%s takes limits and a command", confiner)
	}
	var l limits
	for i := range l {
		var err error
		if l[i], err = strconv.ParseUint(words[i], 10, 64); err != nil {
			return err
		}
	}
	apart := words[len(l)] == "apart"
	if apart {
		if err := readOnly(); err != nil {
			return err
		}
		if err := powerless(); err != nil {
			return err
		}
	}
	if err := l.set(apart); err != nil {
		return err
	}
	if len(words) == own { // it was a try
		os.Exit(0)
	}
	return fmt.Errorf("%s: %w", words[own], syscall.Exec(words[own], words[own:], os.Environ()))
}

// readOnly makes all file systems read-only for this process.
func readOnly() error {
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("file systems cannot be made read-only: %w", err)
	}
	return nil
}

// powerless gives up the capabilities that a process has in its own namespaces, and the means to get
// others. With root's mapping it keeps the one to read files: see mappings.
func powerless() error {
	keep := uint32(0)
	if mapped, err := regular.Read("/proc/self/uid_map", 1<<16); err == nil && strings.Count(string(mapped), "\n") > 1 {
		keep = 1 << unix.CAP_DAC_READ_SEARCH
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	data := [2]unix.CapUserData{{Effective: keep, Permitted: keep, Inheritable: keep}}
	steps := []struct {
		what string
		err  func() error
	}{
		{"secure bits", func() error {
			const noRoot, locked = 1, 2 // SECBIT_NOROOT: user 0 has no capabilities for being that
			return unix.Prctl(unix.PR_SET_SECUREBITS, noRoot|locked, 0, 0, 0)
		}},
		{"capabilities", func() error { return unix.Capset(&header, &data[0]) }},
		{"ambient capabilities", func() error {
			if keep == 0 {
				return nil
			}
			return unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, unix.CAP_DAC_READ_SEARCH, 0, 0)
		}},
		{"no new privileges", func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
	}
	for _, s := range steps {
		if err := s.err(); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	return nil
}

// set sets the limits of this process. That of processes counts those of the user namespace.
func (l limits) set(apart bool) error {
	for _, r := range []struct {
		resource int
		most     uint64
		name     string
	}{
		{unix.RLIMIT_CORE, 0, "core files"}, {unix.RLIMIT_FSIZE, l[fileLimit], "files"}, {unix.RLIMIT_NOFILE, l[openLimit], "open files"},
		{unix.RLIMIT_CPU, l[cpuLimit], "processor time"}, {unix.RLIMIT_NPROC, l[processLimit], "processes"}, {unix.RLIMIT_AS, l[memoryLimit], "memory"},
	} {
		if r.resource == unix.RLIMIT_NPROC && !apart { // it would count all processes of the user
			continue
		}
		limit := syscall.Rlimit{Cur: r.most, Max: r.most}
		var now syscall.Rlimit
		if err := syscall.Getrlimit(r.resource, &now); err == nil && now.Max < r.most {
			limit = syscall.Rlimit{Cur: now.Max, Max: now.Max}
		}
		if err := syscall.Setrlimit(r.resource, &limit); err != nil {
			return fmt.Errorf("the limit of %s: %w", r.name, err)
		}
	}
	return nil
}

// confine has a command start by the way of this program.
func (s *Sandbox) confine(c *exec.Cmd) {
	words, command := []string{confiner}, c.Args
	if len(command) > 0 {
		command = append([]string{c.Path}, command[1:]...)
	}
	for _, l := range s.limits() {
		words = append(words, strconv.FormatUint(l, 10))
	}
	if s.apart {
		words = append(words, "apart")
		c.SysProcAttr.Cloneflags = namespaces
		mappings(c.SysProcAttr)
	} else {
		words = append(words, "beside")
	}
	c.Args = append(words, command...)
	c.Path = "/proc/self/exe"
}

// mappings say who the users of a namespace are outside of it. A program is user 0 inside, and the user
// of bullring outside. The kernel does not limit the processes of root, so a program of root is nobody
// outside, who may read the files of all.
func mappings(a *syscall.SysProcAttr) {
	if os.Geteuid() != 0 {
		a.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
		return
	}
	const nobody = 65534
	swapped := []syscall.SysProcIDMap{{ContainerID: 0, HostID: nobody, Size: 1}, {ContainerID: nobody, HostID: 0, Size: 1}, {ContainerID: 1, HostID: 1, Size: nobody - 1}}
	a.UidMappings, a.GidMappings = swapped, slices.Clone(swapped)
	a.GidMappingsEnableSetgroups = true
	a.Credential = &syscall.Credential{}
}

// try finds out what the system lets a sandbox bound: it starts a program that does nothing.
func (s *Sandbox) try() {
	start := func() error {
		c := &exec.Cmd{}
		apart(c)
		s.confine(c)
		if text, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%w %s", err, strings.TrimSpace(string(text)))
		}
		return nil
	}
	s.apart = true
	if err := start(); err != nil {
		s.apart = false
		s.missing = append(s.missing, fmt.Sprintf("this system makes no namespaces for programs (%v): they may use the network, write files and start processes as the user may", err))
		if err := start(); err != nil {
			s.missing = append(s.missing, fmt.Sprintf("and no limits (%v)", err))
		}
	}
}
