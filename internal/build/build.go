// Package build describes the running program and its machine.
package build

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine is where something ran, as far as it matters and is nobody's name.
type Machine struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
}

func ThisMachine() Machine { return Machine{runtime.GOOS, runtime.GOARCH, runtime.NumCPU()} }

// Program is what made results.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"` // the revision is not all
	Go       string `json:"go"`
}

// ThisProgram describes the running program.
func ThisProgram() Program {
	p := Program{Version: "(devel)", Go: runtime.Version()}
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

// String is the version in one line. That of a build between two releases names the
// revision already, by its first twelve digits.
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
