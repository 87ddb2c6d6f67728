package netem

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/internal/suggest"
	"bullring/netem/graph"
)

// Family is a family of topologies, or one of two forms of it.
type Family struct {
	Name    string // such as er
	Form    string // the syntax: er(P)
	Example string // er(0.3)
	OneWay  bool   // there need not be a link back
	Random  bool   // drawn from the seed

	read func(p *parameters) maker
}

// maker makes a topology of n processes.
type maker func(n int, seed uint64) (Topology, error)

// Families are the families that ParseTopology knows.
var Families = []Family{
	{Name: "ring", Form: "ring", Example: "ring", OneWay: true, read: shape(Ring)},
	{Name: "biring", Form: "biring", Example: "biring", read: shape(BiRing)},
	{Name: "complete", Form: "complete", Example: "complete", read: shape(Complete)},
	{Name: "line", Form: "line", Example: "line", read: shape(graph.Line)},
	{Name: "star", Form: "star", Example: "star", read: shape(graph.Star)},
	{Name: "tree", Form: "tree", Example: "tree", read: shape(func(n int) *graph.Graph { return graph.Tree(n, 2) })},
	{Name: "tree", Form: "tree(K)", Example: "tree(3)", read: func(p *parameters) maker {
		k := p.count("K, the number of children,", 1)
		return func(n int, _ uint64) (Topology, error) { return graph.Tree(n, k), nil }
	}},
	{Name: "grid", Form: "grid", Example: "grid", read: squareLattice("grid", graph.Grid)},
	{Name: "grid", Form: "grid(RxC)", Example: "grid(2x4)", read: lattice(graph.Grid)},
	{Name: "torus", Form: "torus", Example: "torus", read: squareLattice("torus", graph.Torus)},
	{Name: "torus", Form: "torus(RxC)", Example: "torus(3x4)", read: lattice(graph.Torus)},
	{Name: "hypercube", Form: "hypercube", Example: "hypercube", read: func(*parameters) maker { return hypercube }},
	{Name: "er", Form: "er(P)", Example: "er(0.3)", Random: true, read: func(p *parameters) maker {
		chance := p.fraction("P, the probability of an edge,")
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.ErdosRenyi(n, chance, s) })
	}},
	{Name: "geometric", Form: "geometric(R)", Example: "geometric(0.5)", Random: true, read: func(p *parameters) maker {
		radius := p.fraction("R, the radius as a fraction of the side of the square,")
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.Geometric(n, radius, s) })
	}},
	{Name: "ba", Form: "ba(M)", Example: "ba(2)", Random: true, read: func(p *parameters) maker {
		m := p.count("M, the number of edges of a new process,", 1)
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.BarabasiAlbert(n, m, s) })
	}},
	{Name: "ws", Form: "ws(K,BETA)", Example: "ws(4,0.1)", Random: true, read: func(p *parameters) maker {
		k, beta := p.count("K, the number of nearest neighbours,", 2), p.fraction("BETA, the probability that an edge is moved,")
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.WattsStrogatz(n, k, beta, s) })
	}},
	{Name: "regular", Form: "regular(D)", Example: "regular(3)", Random: true, read: func(p *parameters) maker {
		d := p.count("D, the degree,", 0)
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.Regular(n, d, s) })
	}},
	{Name: "digraph", Form: "digraph(P)", Example: "digraph(0.3)", OneWay: true, Random: true, read: func(p *parameters) maker {
		chance := p.fraction("P, the probability of a link,")
		return drawn(func(n int, s *des.Stream) (*graph.Graph, error) { return graph.Digraph(n, chance, s) })
	}},
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
	build, err := makerOf(name)
	if err != nil {
		return nil, err
	}
	t, err := build(n, seed)
	if err != nil {
		return nil, fmt.Errorf("topology %q: %w", name, err)
	}
	return t, nil
}

// CheckTopology returns the error of a name that is wrong for any number of processes.
func CheckTopology(name string) error {
	_, err := makerOf(name)
	return err
}

func makerOf(name string) (maker, error) {
	var words []string
	if _, inner, any := strings.Cut(name, "("); any {
		inner, closed := strings.CutSuffix(strings.TrimSpace(inner), ")")
		if !closed {
			return nil, fmt.Errorf("topology %q: its parameters end with a )", name)
		}
		words = strings.Split(inner, ",")
	}
	family := FamilyOf(name)
	var names, forms []string
	for _, f := range Families {
		names = append(names, f.Name)
		switch {
		case f.Name != family:
		case f.parameters() != len(words):
			forms = append(forms, f.Form)
		default:
			p := parameters{words: words}
			build := f.read(&p)
			if p.err != nil {
				return nil, fmt.Errorf("topology %q: %w", name, p.err)
			}
			return build, nil
		}
	}
	if forms != nil {
		return nil, fmt.Errorf("topology %q: it is written %s", name, strings.Join(forms, " or "))
	}
	slices.Sort(names)
	meant := suggest.DidYouMean(family, slices.Compact(names)) // a family can have two forms
	return nil, fmt.Errorf("unknown topology %q%s; allowed are %s", name, meant, strings.Join(Topologies(), ", "))
}

// parameters is the number of parameters of the form.
func (f *Family) parameters() int {
	if !strings.Contains(f.Form, "(") {
		return 0
	}
	return 1 + strings.Count(f.Form, ",")
}

func shape[T Topology](build func(n int) T) func(*parameters) maker {
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

func hypercube(n int, _ uint64) (Topology, error) {
	dimensions := bits.Len(uint(n)) - 1
	if n != 1<<dimensions {
		return nil, fmt.Errorf("%d is not a power of two; the nearest are %d and %d", n, 1<<dimensions, 2<<dimensions)
	}
	return graph.Hypercube(dimensions), nil
}

// squareLattice makes grids and tori that are as square as possible.
func squareLattice(name string, build func(rows, columns int) *graph.Graph) func(*parameters) maker {
	return func(*parameters) maker {
		return func(n int, _ uint64) (Topology, error) {
			rows, columns, ok := graph.MostSquare(n)
			if !ok {
				return nil, fmt.Errorf("%d is prime, so there would be one row; the nearest numbers with more are %d and %d; one row is %s(1x%d)",
					n, n-1, n+1, name, n)
			}
			return build(rows, columns), nil
		}
	}
}

// lattice makes grids and tori with given numbers of rows and columns.
func lattice(build func(rows, columns int) *graph.Graph) func(*parameters) maker {
	return func(p *parameters) maker {
		rows, columns := p.size()
		return func(n int, _ uint64) (Topology, error) {
			if uint64(rows)*uint64(columns) != uint64(n) {
				return nil, fmt.Errorf("%d rows of %d are %d processes, not %d", rows, columns, uint64(rows)*uint64(columns), n)
			}
			return build(rows, columns), nil
		}
	}
}

// parameters are read one after another. err is the first error.
type parameters struct {
	words []string
	err   error
}

func (p *parameters) next() string {
	word := strings.TrimSpace(p.words[0])
	p.words = p.words[1:]
	return word
}

func (p *parameters) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// maxParameter is larger than any useful number, and does not overflow in a product.
const maxParameter = 1_000_000

// count reads a whole number.
func (p *parameters) count(what string, least int) int {
	word := p.next()
	k, err := strconv.Atoi(word)
	if err != nil || k < least || k > maxParameter {
		p.fail("%s is %q; it takes a whole number from %d to %d", what, word, least, maxParameter)
	}
	return k
}

// fraction reads a number from 0 to 1.
func (p *parameters) fraction(what string) des.Probability {
	f, err := des.ParseProbability(p.next())
	if err != nil {
		p.fail("%s: %w", what, err)
	}
	return f
}

// size reads RxC.
func (p *parameters) size() (rows, columns int) {
	word := p.next()
	r, c, _ := strings.Cut(word, "x")
	rows, err := strconv.Atoi(r)
	columns, err2 := strconv.Atoi(c)
	if err != nil || err2 != nil || min(rows, columns) < 1 || max(rows, columns) > maxParameter {
		p.fail("%q; it takes numbers of rows and columns from 1 to %d, as in 3x4", word, maxParameter)
	}
	return rows, columns
}
