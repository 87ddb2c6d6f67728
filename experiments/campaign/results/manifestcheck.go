package results

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"bullring/internal/pattern"
)

// What a manifest may contain where it goes into a script, a page or a terminal. A manifest
// comes with its folder, so anybody may have written it.
var (
	listedName    = pattern.Of(`^[A-Za-z0-9._-]+$`)
	listedHash    = pattern.Of(`^[0-9a-f]{64}$`)
	listedVersion = pattern.Of(`^[A-Za-z0-9.+()_-]{1,128}$`)
	listedChange  = pattern.Of(`^[A-Za-z0-9]{0,64}$`) // a revision
	listedColumn  = pattern.Of(`^[\pL\pN_. -]+$`)     // bounds, checks and kinds of messages name columns
)

// Unprintable reports whether a character would end a line or control a terminal.
func Unprintable(r rune) bool { return !unicode.IsPrint(r) }

// check returns an error about something in a manifest that bullring never writes.
func (m *Manifest) check() error {
	var wrong error
	like := func(what, given string, pattern *regexp.Regexp) {
		if wrong == nil && !pattern.MatchString(given) {
			wrong = fmt.Errorf("%s is %q", what, given)
		}
	}
	line := func(what, given string) {
		if wrong == nil && strings.ContainsFunc(given, Unprintable) {
			wrong = fmt.Errorf("%s is %q, which is no line of text", what, given)
		}
	}
	line("the name", m.Name)
	line("the title", m.Title)
	for _, w := range []Writer{{m.Program, m.Machine}, m.WrittenBy()} {
		like("the version", w.Program.Version, listedVersion())
		like("the revision", w.Program.Revision, listedChange())
		line("the version of Go", w.Program.Go)
		line("the system", w.Machine.OS)
		line("the processor", w.Machine.Arch)
	}
	for _, a := range m.Attempts {
		line("the version of an attempt", a.Version)
	}
	like("the hash of the sweep", m.Spec.SHA256, listedHash())
	for _, f := range m.Files {
		like("the name of a file", f.Name, listedName())
		like("the hash of "+f.Name, f.SHA256, listedHash())
		for _, c := range f.Columns {
			like("a column of "+f.Name, c.Name, listedColumn())
			line("the unit of "+c.Name, c.Unit)
			line("the type of "+c.Name, string(c.Type))
			line("the meaning of "+c.Name, c.Meaning)
		}
	}
	for _, f := range m.Documents {
		like("the name of a document", f.Name, listedName())
	}
	within := func(what, folder string, files []FileInfo) {
		for _, f := range files {
			dir, name := filepath.Split(filepath.FromSlash(f.Name))
			if wrong == nil && filepath.Clean(dir) != folder {
				wrong = fmt.Errorf("the name of %s is %q, which is not in %s", what, f.Name, folder)
			}
			like("the name of "+what, name, listedName())
		}
	}
	within("a figure", FiguresDir, m.Figures)
	within("a table", TablesDir, m.Tables)
	return wrong
}
