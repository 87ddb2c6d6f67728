package spec

import (
	"path/filepath"
	"slices"

	"bullring/internal/pattern"
)

// Included is the file that a sweep includes. An archive of the sweep needs it beside the
// sweep, under its name.
type Included struct {
	Name string // as the sweep names it: a file beside the sweep
	File string // as positions name it
	Text []byte
}

// includePattern is a plain name: a sweep includes files beside it only.
var includePattern = pattern.Of(`^[A-Za-z0-9._-]+\.ya?ml$`)

// include reads the included file, if any. It returns the sweep extended by the keys that
// it lacks, and separately the axes and zips of the file. ok is false after an error.
func (r *reader) include(root *node, s *Spec) (merged *node, base map[string]*node, ok bool) {
	if root.kind != mapping {
		return root, nil, true
	}
	i := slices.IndexFunc(root.pairs, func(p pair) bool { return p.key.text == "include" })
	if i < 0 {
		return root, nil, true
	}
	if s.Included = r.load(root.pairs[i].value); s.Included == nil {
		return root, nil, false
	}
	pairs := r.defaultsOf(s.Included)
	if pairs == nil {
		return root, nil, false
	}
	merged, base = inherit(root, pairs)
	return merged, base, true
}

// load reads the name of the included file and loads it through the Checker; nil after an
// error.
func (r *reader) load(n *node) *Included {
	name := r.line(n, "include")
	switch {
	case name == "":
		return nil
	case !includePattern().MatchString(name):
		r.errorf(n.pos, "include is %q; it takes the plain name of one YAML file beside the sweep, such as base.yaml", shorten(name))
		return nil
	case r.check.Include == nil:
		r.errorf(n.pos, "include names the file %s, but no files are read here: write its keys out", name)
		return nil
	case name == filepath.Base(r.file):
		r.errorf(n.pos, "include is %s, which is this file", name)
		return nil
	}
	text, err := r.check.Include(name)
	if err != nil {
		r.add(Error{Pos: n.pos, Message: "include: " + err.Error(), Cause: err})
		return nil
	}
	return &Included{Name: name, File: filepath.Join(filepath.Dir(r.file), name), Text: text}
}

// defaultsOf reads the keys of the included file, but not their values; nil after an
// error.
func (r *reader) defaultsOf(in *Included) []pair {
	sweep := r.file
	r.file = in.File
	defer func() { r.file = sweep }()

	root := yamlReader{r.report}.document(in.Text, "an included file has keys of a sweep")
	if root == nil {
		return nil
	}
	if root.kind != mapping {
		r.unwanted(root, "an included file", "a mapping of keys of a sweep", "")
		return nil
	}
	names := make([]string, len(root.pairs))
	for i, p := range root.pairs {
		names[i] = p.key.text
	}
	given := r.keys(root, "an included file", names) // without repeated ones
	pairs := []pair{}
	for _, p := range root.pairs {
		switch p.key.text {
		case "include":
			r.errorf(p.key.pos, "an included file may not include another")
		case "name":
			r.errorf(p.key.pos, "an included file has no name: each sweep has its own")
		default:
			if given[p.key.text] == p.value {
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// inherit adds to the sweep the keys that it lacks. It returns the axes and the zip of the
// file separately: the sweep's own are laid over them.
func inherit(root *node, pairs []pair) (merged *node, base map[string]*node) {
	merged = &node{kind: root.kind, pos: root.pos, pairs: slices.Clone(root.pairs)}
	base = map[string]*node{}
	for _, p := range pairs {
		key := p.key.text
		own := slices.ContainsFunc(root.pairs, func(q pair) bool { return q.key.text == key })
		switch {
		case key == "axes" || key == "zip" && !own:
			base[key] = p.value
		case !own:
			merged.pairs = append(merged.pairs, p)
		}
	}
	return merged, base
}

// included reads the axes and the zip of the included file.
func (r *reader) included(base map[string]*node, size *Pos) *level {
	l := &level{}
	if n := base["axes"]; n != nil {
		*size = n.pos
		r.mapping(n, "axes", r.axisFields(l))
	}
	if n := base["zip"]; n != nil {
		r.zip(n, l)
	}
	return l
}
