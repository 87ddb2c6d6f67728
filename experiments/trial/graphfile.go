package trial

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"bullring/internal/wholefile"
	"bullring/netem/graph"
	"bullring/protocols"
)

// GraphFile begins the name of a topology that is read from a file: file:PATH. The topology
// is then named with the beginning of the hash of the file, as in file:net.txt@3444cb44. If
// a name has a hash, the file must match it.
const GraphFile = "file:"

// IsGraphFile reports whether a topology is read from a file.
func IsGraphFile(topology string) bool { return strings.HasPrefix(topology, GraphFile) }

// checkGraphFile reports what is wrong with the name of a file's topology whatever is in
// the file.
func checkGraphFile(topology string) error {
	if strings.TrimPrefix(topology, GraphFile) == "" {
		return fmt.Errorf("topology %q: the path of a file follows, as in %snet.txt", topology, GraphFile)
	}
	return nil
}

// readGraph reads the file of a topology, by read.
func readGraph(topology string, read func(name string) ([]byte, error)) (*graph.Graph, error) {
	if err := checkGraphFile(topology); err != nil {
		return nil, err
	}
	text, path, pinned, err := readPinned(GraphFile, strings.TrimPrefix(topology, GraphFile), read)
	if err != nil {
		return nil, err
	}
	w := written{path: path}
	parse := w.readEdges
	switch kind := kindOf(path, text); kind {
	case "graphml":
		return nil, fmt.Errorf("%s is GraphML, which is not read; write it as DOT or as a list of edges, a line \"u v\" or \"u v weight\" each", path)
	case "dot":
		parse = w.readDOT
	}
	if err := parse(bytes.TrimPrefix(text, []byte("\ufeff"))); err != nil {
		return nil, err
	}
	return w.graph(GraphFile + pinned)
}

// readPinned reads a file by a name that may end in the beginning of its hash, as in
// net.txt@3444cb44. pinned is the name that does. before stands before the name in the setting.
func readPinned(before, name string, read readFile) (text []byte, path, pinned string, err error) {
	path, wanted := name, ""
	const digits = 8
	if at := len(path) - digits - 1; at > 0 && path[at] == '@' && strings.Trim(path[at+1:], "0123456789abcdef") == "" {
		path, wanted = path[:at], path[at+1:]
	}
	if text, err = read(path); err != nil {
		return nil, "", "", err
	}
	hash := wholefile.Hash(text)[:digits]
	if pinned = path + "@" + hash; wanted != "" && wanted != hash {
		return nil, "", "", fmt.Errorf("the file has changed: it is now %s%s", before, pinned)
	}
	return text, path, pinned, nil
}

// kindOf returns the format of a file, by its name or by its beginning.
func kindOf(path string, text []byte) string {
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".graphml":
		return "graphml"
	case ".dot", ".gv":
		return "dot"
	}
	start := string(bytes.ToLower(text[:min(len(text), 200)]))
	start = strings.TrimSpace(strings.TrimPrefix(start, "\ufeff"))
	if strings.HasPrefix(start, "<?xml") || strings.HasPrefix(start, "<graphml") {
		return "graphml"
	}
	word := strings.FieldsFunc(start, func(r rune) bool { return r <= ' ' || r == '{' })
	if len(word) > 0 && (word[0] == "graph" || word[0] == "digraph" || word[0] == "strict") {
		return "dot"
	}
	return "edges"
}

// written is the content of a file.
type written struct {
	path     string
	n        int
	directed bool
	weighted bool
	edges    []graph.Edge
	lines    []int    // the line of each edge; nil if unknown
	names    []string // of processes, by address; nil if they have none
}

// graph makes the graph. Its errors name a line or the ends of an edge.
func (w *written) graph(name string) (*graph.Graph, error) {
	if w.n == 0 {
		return nil, fmt.Errorf("%s holds no graph: no link stands there", w.path)
	}
	g, err := graph.New(name, w.n, w.edges, w.directed, w.weighted)
	wrong, ok := errors.AsType[*graph.EdgeError](err)
	switch {
	case !ok:
		return g, err
	case w.names != nil:
		e := w.edges[wrong.Edge]
		return nil, fmt.Errorf("%s: between %q and %q: %v", w.path, shortened(w.names[e.From]), shortened(w.names[e.To]), err)
	case wrong.Other >= 0:
		return nil, w.wrong(w.lines[wrong.Edge], "%v, first in line %d", err, w.lines[wrong.Other])
	}
	return nil, w.wrong(w.lines[wrong.Edge], "%v", err)
}

func (w *written) wrong(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", w.path, line, fmt.Sprintf(format, args...))
}

// readEdges reads a list of edges, a line "u v" or "u v weight" each. A # begins a comment.
// Edges are undirected unless the first line is the word directed.
func (w *written) readEdges(text []byte) error {
	number, first := 0, true
	for line := range bytes.Lines(text) {
		number++
		line, _, _ = bytes.Cut(line, []byte("#"))
		words := strings.Fields(string(line))
		if len(words) == 0 {
			continue
		}
		if first && len(words) == 1 && (words[0] == "directed" || words[0] == "undirected") {
			w.directed, first = words[0] == "directed", false
			continue
		}
		first = false
		if err := w.readEdge(number, words); err != nil {
			return err
		}
	}
	return nil
}

func (w *written) readEdge(line int, words []string) error {
	if len(words) < 2 || len(words) > 3 {
		return w.wrong(line, "%q is no edge; a line is \"u v\" or \"u v weight\", and the first may be \"directed\"", shortened(strings.Join(words, " ")))
	}
	var ends [2]int
	for i := range ends {
		address, err := strconv.Atoi(words[i])
		if err != nil || address < 0 || address >= MaxN {
			return w.wrong(line, "%q is not an address; allowed are 0 to %d", shortened(words[i]), MaxN-1)
		}
		ends[i] = address
		w.n = max(w.n, address+1)
	}
	e := graph.Edge{From: protocols.ID(ends[0]), To: protocols.ID(ends[1])}
	if weighted := len(words) == 3; len(w.edges) == 0 {
		w.weighted = weighted
	} else if weighted != w.weighted {
		return w.wrong(line, "some edges have a weight and some have none")
	}
	if w.weighted {
		var err error
		if e.Weight, err = parseWeight(words[2]); err != nil {
			return w.wrong(line, "%v", err)
		}
	}
	w.edges, w.lines = append(w.edges, e), append(w.lines, line)
	return nil
}

func parseWeight(text string) (int64, error) {
	weight, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the weight %q is not a whole number of 64 bits", shortened(text))
	}
	return weight, nil
}

// shortened cuts a text that may be a whole file.
func shortened(text string) string {
	const most = 40
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
