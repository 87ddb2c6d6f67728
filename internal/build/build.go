// Package build describes the running program and its machine.
package build

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine describes where something ran, without naming anybody.
type Machine struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
}

// ThisMachine describes this machine.
func ThisMachine() Machine { return Machine{runtime.GOOS, runtime.GOARCH, runtime.NumCPU()} }

// Program describes the program that made results.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"` // the source differed from the revision
	Go       string `json:"go"`
}

// version is set by the linker where the go command knows none: in tests, which draw the
// figures of the documentation, and in programs of other modules.
var version string

// ThisProgram describes the running program.
func ThisProgram() Program {
	p := Program{Version: "(devel)", Go: runtime.Version()}
	if version != "" {
		p.Version = version
		return p
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	if info.Main.Version != "" {
		p.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			p.Revision = s.Value
		case "vcs.modified":
			p.Modified = s.Value == "true"
		}
	}
	return p
}

// String prints the version in one line. A version between two releases has the first
// twelve digits of the revision already.
func (p Program) String() string {
	text := p.Version
	if !strings.Contains(text, p.Revision[:min(12, len(p.Revision))]) {
		text += " " + p.Revision
	}
	if p.Modified {
		text += " (modified)"
	}
	return text
}
