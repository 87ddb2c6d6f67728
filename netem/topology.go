package netem

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/internal/suggest"
	"bullring/netem/graph"
	"bullring/protocols"
)

// Topology tells which processes have links.
type Topology = graph.Topology

// Family is a family of topologies.
type Family struct {
	Name    string // such as er
	Form    string // the syntax: er(P)
	Example string // er(0.3)
	OneWay  bool   // there need not be a link back
	Random  bool   // drawn from the seed
}

var _, _, _ graph.Alike = ring(1), biring(1), complete(1)

// Families are the families that ParseTopology knows.
var Families = []Family{
	{Name: "ring", Form: "ring", Example: "ring", OneWay: true},
	{Name: "biring", Form: "biring", Example: "biring"},
	{Name: "complete", Form: "complete", Example: "complete"},
	{Name: "line", Form: "line", Example: "line"},
	{Name: "star", Form: "star", Example: "star"},
	{Name: "tree", Form: "tree", Example: "tree"},
	{Name: "tree", Form: "tree(K)", Example: "tree(3)"},
	{Name: "grid", Form: "grid", Example: "grid"},
	{Name: "grid", Form: "grid(RxC)", Example: "grid(2x4)"},
	{Name: "torus", Form: "torus", Example: "torus"},
	{Name: "torus", Form: "torus(RxC)", Example: "torus(3x4)"},
	{Name: "hypercube", Form: "hypercube", Example: "hypercube"},
	{Name: "er", Form: "er(P)", Example: "er(0.3)", Random: true},
	{Name: "geometric", Form: "geometric(R)", Example: "geometric(0.5)", Random: true},
	{Name: "ba", Form: "ba(M)", Example: "ba(2)", Random: true},
	{Name: "ws", Form: "ws(K,BETA)", Example: "ws(4,0.1)", Random: true},
	{Name: "regular", Form: "regular(D)", Example: "regular(3)", Random: true},
	{Name: "digraph", Form: "digraph(P)", Example: "digraph(0.3)", OneWay: true, Random: true},
}

// Topologies are the forms of the names that ParseTopology reads.
func Topologies() []string {
	forms := make([]string, len(Families))
	for i, f := range Families {
		forms[i] = f.Form
	}
	return forms
}

// FamilyOf is the name of the family of a topology: the part before the parameters.
func FamilyOf(topology string) string {
	family, _, _ := strings.Cut(topology, "(")
	return strings.TrimSpace(family)
}

// ParseTopology returns the topology of this name with n processes. A random one is drawn from
// the seed.
func ParseTopology(name string, n int, seed uint64) (Topology, error) {
	if n < 1 {
		return nil, fmt.Errorf("a topology of %d processes: at least 1 is needed", n)
	}
	made, err := topologyOf(name)
	if err != nil {
		return nil, err
	}
	t, err := made(n, seed)
	if err != nil {
		return nil, fmt.Errorf("topology %q: %w", name, err)
	}
	return t, nil
}

// CheckTopology returns the error of a name that is wrong for any number of processes.
func CheckTopology(name string) error {
	_, err := topologyOf(name)
	return err
}

// maker makes a topology of n processes.
type maker func(n int, seed uint64) (Topology, error)

func topologyOf(name string) (maker, error) {
	family := FamilyOf(name)
	made, known := makers[family]
	if !known {
		names := slices.Sorted(maps.Keys(makers))
		return nil, fmt.Errorf("unknown topology %q%s; allowed are %s", name, suggest.DidYouMean(family, names), strings.Join(Topologies(), ", "))
	}
	var words []string
	if _, inner, any := strings.Cut(name, "("); any {
		inner, closed := strings.CutSuffix(strings.TrimSpace(inner), ")")
		if !closed {
			return nil, fmt.Errorf("topology %q: its parameters end with a )", name)
		}
		words = strings.Split(inner, ",")
		for i := range words {
			words[i] = strings.TrimSpace(words[i])
		}
	}
	p := parameters{words: words}
	m := made(&p)
	var forms []string
	for _, f := range Families {
		if f.Name == family {
			forms = append(forms, f.Form)
		}
	}
	if p.err == nil && (p.missing || p.taken < len(words)) {
		p.err = fmt.Errorf("it is written %s", strings.Join(forms, " or "))
	}
	if p.err != nil {
		return nil, fmt.Errorf("topology %q: %w", name, p.err)
	}
	return m, nil
}

// makers read the parameters of the families.
var makers = map[string]func(p *parameters) maker{
	"ring":     shape(func(n int) Topology { return Ring(n) }),
	"biring":   shape(func(n int) Topology { return BiRing(n) }),
	"complete": shape(func(n int) Topology { return Complete(n) }),
	"line":     shape(func(n int) Topology { return graph.Line(n) }),
	"star":     shape(func(n int) Topology { return graph.Star(n) }),
	"tree": func(p *parameters) maker {
		k := 2
		if len(p.words) > 0 {
			k = p.count("K, the number of children,", 1)
		}
		return func(n int, _ uint64) (Topology, error) { return graph.Tree(n, k), nil }
	},
	"grid":  func(p *parameters) maker { return lattice("grid", graph.Grid, p) },
	"torus": func(p *parameters) maker { return lattice("torus", graph.Torus, p) },
	"hypercube": func(*parameters) maker {
		return func(n int, _ uint64) (Topology, error) {
			dimensions := bits.Len(uint(n)) - 1
			if n != 1<<dimensions {
				return nil, fmt.Errorf("%d is not a power of two; the nearest are %d and %d", n, 1<<dimensions, 2<<dimensions)
			}
			return graph.Hypercube(dimensions), nil
		}
	},
	"er": func(p *parameters) maker {
		chance := p.fraction("P, the probability of an edge,")
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.ErdosRenyi(n, chance, s) })
	},
	"geometric": func(p *parameters) maker {
		radius := p.fraction("R, the radius as a fraction of the side of the square,")
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.Geometric(n, radius, s) })
	},
	"ba": func(p *parameters) maker {
		m := p.count("M, the number of edges of a new process,", 1)
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.BarabasiAlbert(n, m, s) })
	},
	"ws": func(p *parameters) maker {
		k, beta := p.count("K, the number of nearest neighbours,", 2), p.fraction("BETA, the probability that an edge is moved,")
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.WattsStrogatz(n, k, beta, s) })
	},
	"regular": func(p *parameters) maker {
		d := p.count("D, the degree,", 0)
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.Regular(n, d, s) })
	},
	"digraph": func(p *parameters) maker {
		chance := p.fraction("P, the probability of a link,")
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.Digraph(n, chance, s) })
	},
}

func shape(build func(n int) Topology) func(*parameters) maker {
	return func(*parameters) maker {
		return func(n int, _ uint64) (Topology, error) { return build(n), nil }
	}
}

func drawn(draw func(int, *des.Stream) (*graph.Graph, error)) maker {
	return func(n int, seed uint64) (Topology, error) {
		stream := des.NewStream(seed, "topology")
		g, err := draw(n, &stream)
		if err != nil {
			return nil, err // and not a Topology that holds a nil graph
		}
		return g, nil
	}
}

// lattice makes grids and tori. Without numbers of rows and columns they are as square as
// possible.
func lattice(name string, build func(rows, columns int) *graph.Graph, p *parameters) maker {
	if len(p.words) == 0 {
		return func(n int, _ uint64) (Topology, error) {
			rows, columns, ok := graph.MostSquare(n)
			if !ok {
				return nil, fmt.Errorf("%d is prime, so there would be one row; the nearest numbers with more are %d and %d; one row is %s(1x%d)",
					n, n-1, n+1, name, n)
			}
			return build(rows, columns), nil
		}
	}
	rows, columns := p.size()
	return func(n int, _ uint64) (Topology, error) {
		if uint64(rows)*uint64(columns) != uint64(n) {
			return nil, fmt.Errorf("%d rows of %d are %d processes, not %d", rows, columns, uint64(rows)*uint64(columns), n)
		}
		return build(rows, columns), nil
	}
}

// parameters are read one after another. err is the first error.
type parameters struct {
	words   []string
	taken   int
	missing bool
	err     error
}

func (p *parameters) next() (string, bool) {
	if p.taken == len(p.words) {
		p.missing = true
		return "", false
	}
	p.taken++
	return p.words[p.taken-1], p.err == nil
}

// count reads a whole number.
func (p *parameters) count(what string, least int) int {
	word, ok := p.next()
	if !ok {
		return least
	}
	k, err := strconv.Atoi(word)
	if err != nil || k < least || k > maxParameter {
		p.err = fmt.Errorf("%s is %q; it takes a whole number from %d to %d", what, word, least, maxParameter)
	}
	return k
}

// maxParameter is larger than any useful number, and does not overflow in a product.
const maxParameter = 1_000_000

// fraction reads a number from 0 to 1.
func (p *parameters) fraction(what string) des.Probability {
	word, ok := p.next()
	if !ok {
		return des.Never
	}
	f, err := des.ParseProbability(word)
	if err != nil {
		p.err = fmt.Errorf("%s: %w", what, err)
	}
	return f
}

// size reads RxC.
func (p *parameters) size() (rows, columns int) {
	word, ok := p.next()
	if !ok {
		return 1, 1
	}
	r, c, _ := strings.Cut(word, "x")
	rows, err := strconv.Atoi(r)
	columns, err2 := strconv.Atoi(c)
	if err != nil || err2 != nil || min(rows, columns) < 1 || max(rows, columns) > maxParameter {
		p.err = fmt.Errorf("%q; it takes numbers of rows and columns from 1 to %d, as in 3x4", word, maxParameter)
	}
	return rows, columns
}

// Ring returns the unidirectional ring in which i has a link to i+1 mod n. In a ring of one
// the process has a link to itself.
func Ring(n int) Topology { return ring(atLeastOne(n)) }

type ring int

func (r ring) Len() int                { return int(r) }
func (r ring) Alike() bool             { return true }
func (r ring) Degree(protocols.ID) int { return 1 }
func (r ring) String() string          { return "ring" }

func (r ring) Neighbor(id protocols.ID, _ int) protocols.ID {
	if int(id)+1 == int(r) {
		return 0
	}
	return id + 1
}

func (r ring) Port(from, to protocols.ID) (int, bool) {
	return 0, r.Neighbor(from, 0) == to
}

// BiRing returns the bidirectional ring: port 0 leads to i+1 mod n, port 1 to i-1 mod n. In a
// ring of one or two both ports lead to the same process.
func BiRing(n int) Topology { return biring(atLeastOne(n)) }

type biring int

func (r biring) Len() int                { return int(r) }
func (r biring) Alike() bool             { return true }
func (r biring) Degree(protocols.ID) int { return 2 }
func (r biring) String() string          { return "biring" }

func (r biring) Neighbor(id protocols.ID, port int) protocols.ID {
	if port == 0 {
		return ring(r).Neighbor(id, 0)
	}
	if id == 0 {
		return protocols.ID(r) - 1
	}
	return id - 1
}

func (r biring) Port(from, to protocols.ID) (int, bool) {
	if r.Neighbor(from, 0) == to {
		return 0, true
	}
	return 1, r.Neighbor(from, 1) == to
}

// Complete returns the complete graph, in which port k of i leads to i+1+k mod n.
func Complete(n int) Topology { return complete(atLeastOne(n)) }

type complete int

func (c complete) Len() int                { return int(c) }
func (c complete) Alike() bool             { return true }
func (c complete) Degree(protocols.ID) int { return int(c) - 1 }
func (c complete) String() string          { return "complete" }

func (c complete) Neighbor(id protocols.ID, port int) protocols.ID {
	to := int(id) + 1 + port
	if to >= int(c) {
		to -= int(c)
	}
	return protocols.ID(to)
}

func (c complete) Port(from, to protocols.ID) (int, bool) {
	port := int(to) - int(from) - 1
	if port < 0 {
		port += int(c)
	}
	return port, from != to && 0 <= to && int(to) < int(c)
}

func atLeastOne(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("netem: a topology of %d processes; at least 1 is needed", n))
	}
	return n
}
