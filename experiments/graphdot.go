package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"

	"bullring/netem/graph"
	"bullring/protocols"
)

// readDOT reads a graph of the DOT language. Processes have the addresses that their
// names say if all names are whole numbers, and else those of the order in which the
// names first appear in the text. Of attributes only the weight of an edge means
// anything.
func (w *written) readDOT(text []byte) error {
	file, err := dot.ParseBytes(text)
	if err != nil {
		complaint := err.Error() // it begins with line and column, unless the text as a whole is wrong
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

// dotReader reads the statements of a DOT file in the order of the text.
type dotReader struct {
	*written
	strict    bool           // an edge that is repeated is the same edge
	addresses map[string]int // by name
	known     map[[2]int]int // the number of an edge, by its ends, if it is strict
}

// statements reads statements, in which edges have this weight unless they say
// otherwise, and returns the processes that they name.
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

// edge reads a chain of edges, each of which joins all processes of one side to all of
// the other.
func (d *dotReader) edge(stmt *ast.EdgeStmt, weight string) (named []int, err error) {
	own := weightOf(stmt.Attrs, weight)
	from, err := d.vertex(stmt.From, weight)
	if err != nil {
		return nil, err
	}
	named = from
	for e := stmt.To; e != nil; e = e.To {
		to, err := d.vertex(e.Vertex, weight)
		if err != nil {
			return nil, err
		}
		for _, a := range from {
			for _, b := range to {
				if err := d.join(a, b, own); err != nil {
					return nil, err
				}
			}
		}
		named, from = slices.Concat(named, to), to
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
	if len(d.edges) >= graph.MaxEdges {
		return fmt.Errorf("more than %d edges", graph.MaxEdges)
	}
	ends := [2]int{a, b}
	if !d.directed {
		ends = [2]int{min(a, b), max(a, b)}
	}
	if i, repeated := d.known[ends]; repeated && d.strict {
		d.edges[i].Weight = e.Weight
		return nil
	}
	d.known[ends] = len(d.edges)
	d.edges = append(d.edges, e)
	return nil
}

// readdress gives processes the addresses that their names are, if all names are
// addresses.
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

// weightOf is the weight that attributes give, or the one that holds without them.
func weightOf(attrs []*ast.Attr, weight string) string {
	for _, a := range attrs {
		if unquoted(a.Key) == "weight" {
			weight = unquoted(a.Val)
		}
	}
	return weight
}

// unquoted is an identifier of the DOT language without its quotes.
func unquoted(id string) string {
	if len(id) >= 2 && id[0] == '"' && id[len(id)-1] == '"' {
		return strings.ReplaceAll(id[1:len(id)-1], `\"`, `"`)
	}
	return id
}
