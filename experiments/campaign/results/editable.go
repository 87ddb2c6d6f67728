package results

import (
	"path/filepath"
	"strings"

	"bullring/internal/regular"
	"bullring/internal/wholefile"
)

// Editable is a file that an author may change.
type Editable struct {
	File string
	What string // what of it, in words
	// cut cuts a text before and behind what the author may change. It is nil if that is the
	// whole file.
	cut   func(text string) (before, own, after string, ok bool)
	blank string // what bullring writes there
}

// Editables are the files that an author may change.
var Editables = []Editable{
	{CitationFile, "the entries of authors", cutAuthors, CitationAuthors},
	{ReadmeFile, "all of it", nil, ""},
}

// CitationAuthors are the entries of authors that bullring writes into CITATION.cff.
const CitationAuthors = `  # Replace this line by your names, one entry each:
  #   - family-names: ...
  #     given-names: ...
  - name: "the authors of this study"
`

// editable returns what an author may change in a file: nothing, if cut is nil.
func editable(name string) (e Editable, ok bool) {
	for _, e := range Editables {
		if e.File == name {
			return e, true
		}
	}
	return Editable{}, false
}

// OfAuthor reports whether an author may change the whole file.
func OfAuthor(name string) bool {
	e, ok := editable(name)
	return ok && e.cut == nil
}

// AsWritten returns a file as bullring wrote it, without what its author has put in.
func AsWritten(name string, text []byte) []byte {
	e, _ := editable(name)
	return e.with(text, e.blank)
}

// Adopted returns a text that bullring writes, with what the author has put into the file
// that it replaces.
func Adopted(name string, text, replaced []byte) []byte {
	e, _ := editable(name)
	if e.cut != nil {
		if _, own, _, ok := e.cut(string(replaced)); ok {
			return e.with(text, own)
		}
	}
	return text
}

// with returns a text with something else in the place of what the author may change.
func (e *Editable) with(text []byte, own string) []byte {
	if e.cut != nil {
		if before, _, after, ok := e.cut(string(text)); ok {
			return []byte(before + own + after)
		}
	}
	return text
}

// StatAsWritten describes a file of a folder as bullring wrote it. own says that its author
// has put something in, and that it does not have the given hash because of that.
func StatAsWritten(dir, name, hash string) (info wholefile.Info, own bool, err error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	info, err = wholefile.Stat(path)
	if e, _ := editable(name); err != nil || e.cut == nil || info.SHA256 == hash {
		return info, false, err
	}
	text, err := regular.ReadInput(path)
	return wholefile.InfoOf(info.Name, AsWritten(name, text)), true, err
}

// Kept returns the names of files that their author has changed as a whole.
func Kept(dir string) []string {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil
	}
	var kept []string
	for _, f := range m.Documents {
		if info, err := wholefile.Stat(filepath.Join(dir, f.Name)); OfAuthor(f.Name) && err == nil && info.SHA256 != f.SHA256 {
			kept = append(kept, f.Name)
		}
	}
	return kept
}

// cutAuthors cuts around the entries of authors in a CITATION.cff. A key beside authors is
// no entry.
func cutAuthors(text string) (before, own, after string, ok bool) {
	const begins, ends = "\nauthors:\n", "\nreferences:\n"
	at := strings.Index(text, begins)
	if at < 0 {
		return "", "", "", false
	}
	at += len(begins)
	end := strings.Index(text[at-1:], ends) // authors may have no entry
	if end < 0 {
		return "", "", "", false
	}
	end += at
	for line := range strings.Lines(text[at:end]) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "#") {
			return "", "", "", false
		}
	}
	return text[:at], text[at:end], text[end:], true
}
