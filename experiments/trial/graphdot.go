package trial

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"

	"bullring/internal/pattern"
	"bullring/netem/graph"
	"bullring/protocols"
)

// readDOT reads a graph of the DOT language. If all names are addresses, the processes have
// these; else addresses follow the order in which names first appear. The only attribute
// with a meaning is the weight of an edge.
func (w *written) readDOT(text []byte) error {
	if len(text) > maxDOT {
		return fmt.Errorf("%s has %d bytes; of a file in the DOT language up to %d are read: write a larger graph as a list of edges, a line \"u v\" or \"u v weight\" each", w.path, len(text), maxDOT)
	}
	if line := tooDeepDOT(text); line > 0 {
		return w.wrong(line, "subgraphs nest deeper than %d", maxSubgraphs)
	}
	file, err := dot.ParseBytes(text)
	if err != nil {
		complaint := err.Error() // begins with line and column, unless the whole text is wrong
		between := ": "
		if complaint[0] >= '0' && complaint[0] <= '9' {
			between = ":"
		}
		return errors.New(w.path + between + complaint)
	}
	if len(file.Graphs) != 1 {
		return fmt.Errorf("%s holds %d graphs; it takes one", w.path, len(file.Graphs))
	}
	d := dotReader{written: w, strict: file.Graphs[0].Strict, addresses: map[string]int{}, known: map[[2]int]int{}}
	w.directed = file.Graphs[0].Directed
	if _, err := d.statements(file.Graphs[0].Stmts, ""); err != nil {
		return fmt.Errorf("%s: %w", w.path, err)
	}
	if w.n = len(w.names); w.n > MaxN {
		return fmt.Errorf("%s has %d processes; allowed are up to %d", w.path, w.n, MaxN)
	}
	return d.readdress()
}

// Limits of a file in the DOT language. Its parser takes up to 400 times the memory of the
// text. The reader recurses into subgraphs.
const (
	maxDOT       = 4 << 20 // bytes
	maxSubgraphs = 100     // nested
	// maxJoined is the largest number of edges. A short file that joins sets of processes
	// could ask for billions; so many take some 100 MB.
	maxJoined = 1 << 20
)

// dotBrace finds braces. It also matches quoted names and comments, so that braces in them
// do not count.
var dotBrace = pattern.Of(`(?s)"(\\.|[^"\\])*"|/\*.*?\*/|//[^\n]*|(?m:^#.*$)|[{}]`)

// tooDeepDOT returns the line of the brace that nests too deeply, or 0.
func tooDeepDOT(text []byte) int {
	depth := 0
	for _, at := range dotBrace().FindAllIndex(text, -1) {
		switch text[at[0]] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth > maxSubgraphs {
			return 1 + bytes.Count(text[:at[0]], []byte("\n"))
		}
	}
	return 0
}

// dotReader reads the statements of a DOT file in the order of the text.
type dotReader struct {
	*written
	strict    bool           // an edge that is repeated is the same edge
	addresses map[string]int // by name
	known     map[[2]int]int // in a strict graph, the index of an edge by its ends
	joined    int            // edges so far, with those that a strict graph has already
}

// statements reads statements and returns the processes that they name. Edges have the given
// weight unless an attribute says otherwise.
func (d *dotReader) statements(stmts []ast.Stmt, weight string) (named []int, err error) {
	for _, stmt := range stmts {
		var ids []int
		switch stmt := stmt.(type) {
		case *ast.NodeStmt:
			ids = []int{d.address(stmt.Node.ID)}
		case *ast.EdgeStmt:
			ids, err = d.edge(stmt, weight)
		case *ast.Subgraph:
			ids, err = d.statements(stmt.Stmts, weight)
		case *ast.AttrStmt:
			if stmt.Kind == ast.EdgeKind {
				weight = weightOf(stmt.Attrs, weight)
			}
		}
		if err != nil {
			return nil, err
		}
		named = append(named, ids...)
	}
	slices.Sort(named)
	return slices.Compact(named), nil
}

// edge reads a chain of edges. Each edge joins all processes of one side to all of the
// other.
func (d *dotReader) edge(stmt *ast.EdgeStmt, weight string) (named []int, err error) {
	own := weightOf(stmt.Attrs, weight)
	from, err := d.vertex(stmt.From, weight)
	if err != nil {
		return nil, err
	}
	named = slices.Clone(from)
	for e := stmt.To; e != nil; e = e.To {
		to, err := d.vertex(e.Vertex, weight)
		if err != nil {
			return nil, err
		}
		if d.joined += len(from) * len(to); d.joined > maxJoined {
			return nil, fmt.Errorf("its statements make %d edges or more; of a file in the DOT language up to %d are read: write a larger graph as a list of edges, a line \"u v\" or \"u v weight\" each", d.joined, maxJoined)
		}
		for _, a := range from {
			for _, b := range to {
				if err := d.join(a, b, own); err != nil {
					return nil, err
				}
			}
		}
		named, from = append(named, to...), to
	}
	return named, nil
}

func (d *dotReader) vertex(v ast.Vertex, weight string) ([]int, error) {
	switch v := v.(type) {
	case *ast.Node:
		return []int{d.address(v.ID)}, nil
	case *ast.Subgraph:
		return d.statements(v.Stmts, weight)
	}
	return nil, fmt.Errorf("an edge ends in %T", v)
}

func (d *dotReader) address(id string) int {
	name := unquoted(id)
	address, known := d.addresses[name]
	if !known {
		address = len(d.names)
		d.addresses[name] = address
		d.names = append(d.names, name)
	}
	return address
}

func (d *dotReader) join(a, b int, weight string) error {
	e := graph.Edge{From: protocols.ID(a), To: protocols.ID(b)}
	if weighted := weight != ""; len(d.edges) == 0 {
		d.weighted = weighted
	} else if weighted != d.weighted {
		return errors.New("some edges have a weight and some have none")
	}
	if d.weighted {
		var err error
		if e.Weight, err = parseWeight(weight); err != nil {
			return fmt.Errorf("between %q and %q: %w", shortened(d.names[a]), shortened(d.names[b]), err)
		}
	}
	if d.strict {
		ends := [2]int{a, b}
		if !d.directed {
			ends = [2]int{min(a, b), max(a, b)}
		}
		if i, repeated := d.known[ends]; repeated {
			d.edges[i].Weight = e.Weight
			return nil
		}
		d.known[ends] = len(d.edges)
	}
	d.edges = append(d.edges, e)
	return nil
}

// readdress gives processes their names as addresses, if all names are addresses.
func (d *dotReader) readdress() error {
	addresses, n := make([]protocols.ID, len(d.names)), 0
	for i, name := range d.names {
		address, err := strconv.Atoi(name)
		if err != nil || address < 0 || strconv.Itoa(address) != name {
			return nil
		}
		if address >= MaxN {
			return fmt.Errorf("%s: %q is not an address; allowed are 0 to %d", d.path, name, MaxN-1)
		}
		addresses[i], n = protocols.ID(address), max(n, address+1)
	}
	for i := range d.edges {
		d.edges[i].From, d.edges[i].To = addresses[d.edges[i].From], addresses[d.edges[i].To]
	}
	d.n, d.names = n, make([]string, n)
	for address := range d.names {
		d.names[address] = strconv.Itoa(address)
	}
	return nil
}

// weightOf returns the weight in the attributes, or the given one.
func weightOf(attrs []*ast.Attr, weight string) string {
	for _, a := range attrs {
		if unquoted(a.Key) == "weight" {
			weight = unquoted(a.Val)
		}
	}
	return weight
}

// unquoted returns an identifier of the DOT language without its quotes.
func unquoted(id string) string {
	if len(id) >= 2 && id[0] == '"' && id[len(id)-1] == '"' {
		return strings.ReplaceAll(id[1:len(id)-1], `\"`, `"`)
	}
	return id
}
