package spec

import (
	"fmt"
	"go/ast"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Claim is what the rows of a sweep have to show for an answer to be right: formulas of what a
// figure draws, with < <= == >= > between them and && between comparisons, and behind "for"
// where along x it is claimed.
type Claim struct {
	text     string
	compared []comparison
	only     []comparison // of x
	drawn    []Drawn
	at       map[Drawn]int // byte of the text
}

// Drawn is a value in a figure, of a series or a curve at a place along x.
type Drawn struct {
	Name      string // the label of a series or curve, AlongX, or EachSeries
	Statistic string // one of claimFunctions; "" for what the figure draws, with its interval
	Place     string // along x; "" for each
}

// Names that a claim has beside the labels of series and curves.
const (
	AlongX     = "x" // the place along x
	EachSeries = "y" // each series in turn that the claim does not name
)

// claimFunctions are the functions of a claim, of the trials at a point. The numbers that they
// give are those of the rows, and have no interval.
func claimFunctions() []string { return []string{"min", "median", "max", "sd"} }

// Range is the interval of a value; its ends are equal where there is none.
type Range struct{ Lo, Hi float64 }

// comparison is a relation of two formulas.
type comparison struct {
	relation    token.Token
	left, right *term
}

// parseClaim reads a claim. The error is a *FormulaError.
func parseClaim(text string) (*Claim, error) {
	c := &Claim{text: text, at: map[Drawn]int{}}
	claimed, where := c.split()
	var err error
	if c.compared, err = comparisons(claimed, c.operand); err != nil {
		return nil, err
	}
	if len(c.drawn) == 0 {
		return nil, &FormulaError{0, "it compares nothing that the figure draws"}
	}
	if where == "" {
		return c, nil
	}
	if c.only, err = comparisons(where, onlyX); err != nil {
		err.(*FormulaError).At += len(text) - len(where)
		return nil, err
	}
	return c, nil
}

// split splits the text at the last "for" that is not in quotes.
func (c *Claim) split() (claimed, where string) {
	const word = " for "
	if at := strings.LastIndex(c.text, word); at >= 0 && !strings.ContainsAny(c.text[at:], "\"`") {
		return c.text[:at], c.text[at+len(word):]
	}
	return c.text, ""
}

// comparisons reads comparisons with && between them.
func comparisons(text string, operand func(ast.Expr) (*term, error)) ([]comparison, error) {
	expr, err := expressionOf(text)
	if err != nil {
		return nil, err
	}
	return conjunction(expr, operand)
}

func conjunction(expr ast.Expr, operand func(ast.Expr) (*term, error)) ([]comparison, error) {
	e, ok := expr.(*ast.BinaryExpr)
	switch {
	case ok && e.Op == token.LAND:
		left, err := conjunction(e.X, operand)
		if err != nil {
			return nil, err
		}
		right, err := conjunction(e.Y, operand)
		return append(left, right...), err
	case compares(expr):
		return chain(e, operand)
	}
	return nil, &FormulaError{int(expr.Pos()) - 1, "it takes formulas with <, <=, ==, >= or > between them"}
}

// chain reads comparisons in a row: 1 < y < 2 are two.
func chain(e *ast.BinaryExpr, operand func(ast.Expr) (*term, error)) (all []comparison, err error) {
	var left *term
	if compares(e.X) {
		if all, err = chain(e.X.(*ast.BinaryExpr), operand); err != nil {
			return nil, err
		}
		left = all[len(all)-1].right
	} else if left, err = termOf(e.X, operand); err != nil {
		return nil, err
	}
	right, err := termOf(e.Y, operand)
	return append(all, comparison{e.Op, left, right}), err
}

func compares(expr ast.Expr) bool {
	e, ok := expr.(*ast.BinaryExpr)
	return ok && slices.Contains([]token.Token{token.LSS, token.LEQ, token.EQL, token.GEQ, token.GTR}, e.Op)
}

// onlyX converts x; nil for anything else.
func onlyX(expr ast.Expr) (*term, error) {
	switch e := expr.(type) {
	case *ast.Ident:
		if e.Name == AlongX {
			return &term{op: token.IDENT, drawn: Drawn{Name: AlongX}, at: int(e.Pos()) - 1}, nil
		}
		return nil, &FormulaError{int(e.Pos()) - 1, fmt.Sprintf("%s: behind \"for\" it compares x with numbers", e.Name)}
	case *ast.CallExpr:
		return nil, &FormulaError{int(e.Pos()) - 1, "behind \"for\" it compares x with numbers"}
	}
	return nil, nil
}

// operand converts a value that the figure draws; nil for anything else.
func (c *Claim) operand(expr ast.Expr) (*term, error) {
	t := &term{op: token.IDENT, at: int(expr.Pos()) - 1}
	var err error
	call, ok := expr.(*ast.CallExpr)
	switch {
	case !ok:
		t.drawn.Name = labelOf(expr)
		if t.drawn.Name == "" {
			return nil, nil
		}
	case len(call.Args) != 1:
		return nil, &FormulaError{t.at, "brackets take one place along x"}
	case isStatistic(call.Fun):
		of, err := (&Claim{at: map[Drawn]int{}}).operand(call.Args[0])
		if err != nil {
			return nil, err
		}
		if t.drawn.Statistic = labelOf(call.Fun); of == nil || of.drawn.Statistic != "" || of.drawn.Name == AlongX {
			return nil, &FormulaError{t.at, t.drawn.Statistic + " takes a series, such as " + t.drawn.Statistic + "(y)"}
		}
		t.drawn.Name, t.drawn.Place = of.drawn.Name, of.drawn.Place
	default:
		if t.drawn.Name = labelOf(call.Fun); t.drawn.Name == "" || t.drawn.Name == AlongX {
			return nil, &FormulaError{t.at, fmt.Sprintf("a place stands behind the name of a series or curve; functions are %s", strings.Join(claimFunctions(), ", "))}
		}
		if t.drawn.Place, err = placeOf(call.Args[0]); err != nil {
			return nil, err
		}
	}
	if _, known := c.at[t.drawn]; !known {
		c.at[t.drawn] = t.at
		c.drawn = append(c.drawn, t.drawn)
	}
	return t, nil
}

func isStatistic(expr ast.Expr) bool {
	e, ok := expr.(*ast.Ident)
	return ok && slices.Contains(claimFunctions(), e.Name)
}

// labelOf is a name, in quotes or not; "" for anything else.
func labelOf(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	}
	return ""
}

// placeOf is a number, or the name of a category in quotes.
func placeOf(expr ast.Expr) (string, error) {
	if e, ok := expr.(*ast.BasicLit); ok {
		if label := labelOf(e); label != "" {
			return label, nil
		}
		if plainReal().MatchString(e.Value) {
			return e.Value, nil
		}
	}
	return "", &FormulaError{int(expr.Pos()) - 1, "a place along x is a number, or a category in quotes"}
}

// String returns the claim as it was written.
func (c *Claim) String() string { return c.text }

// Drawn returns the values that the claim compares, each once, in order of appearance.
func (c *Claim) Drawn() []Drawn { return slices.Clone(c.drawn) }

// Covers reports whether the claim is made of the place x.
func (c *Claim) Covers(x float64) bool {
	return !slices.ContainsFunc(c.only, func(one comparison) bool {
		ok, _, _ := one.holds(func(Drawn) Range { return Range{x, x} })
		return !ok
	})
}

// Holds reports whether the values hold the claim, whichever numbers of their intervals they
// are. If they do not, it returns the sides of the comparison that fails.
func (c *Claim) Holds(get func(Drawn) Range) (ok bool, left, right Range) {
	for _, one := range c.compared {
		if ok, left, right := one.holds(get); !ok {
			return false, left, right
		}
	}
	return true, Range{}, Range{}
}

// holds compares intervals. A comparison with a value that is not there fails.
func (c comparison) holds(get func(Drawn) Range) (ok bool, left, right Range) {
	left, right = c.left.span(get), c.right.span(get)
	switch c.relation {
	case token.LSS:
		ok = left.Hi < right.Lo && !alike(left.Hi, right.Lo)
	case token.LEQ:
		ok = left.Hi <= right.Lo || alike(left.Hi, right.Lo)
	case token.GTR:
		ok = left.Lo > right.Hi && !alike(left.Lo, right.Hi)
	case token.GEQ:
		ok = left.Lo >= right.Hi || alike(left.Lo, right.Hi)
	case token.EQL:
		ok = alike(left.Lo, left.Hi) && alike(left.Lo, right.Lo) && alike(left.Lo, right.Hi)
	}
	return ok, left, right
}

// alike allows for the rounding of a mean.
func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// span is the interval in which the term lies, if each value lies in its own.
func (t *term) span(get func(Drawn) Range) Range {
	switch t.op {
	case token.FLOAT:
		return Range{t.value, t.value}
	case token.IDENT:
		return get(t.drawn)
	}
	y := t.y.span(get)
	if t.x == nil {
		return Range{-y.Hi, -y.Lo}
	}
	x := t.x.span(get)
	switch t.op {
	case token.ADD:
		return Range{x.Lo + y.Lo, x.Hi + y.Hi}
	case token.SUB:
		return Range{x.Lo - y.Hi, x.Hi - y.Lo}
	case token.MUL:
		return hull(x.Lo*y.Lo, x.Lo*y.Hi, x.Hi*y.Lo, x.Hi*y.Hi)
	}
	if y.Lo <= 0 && y.Hi >= 0 {
		return Range{math.NaN(), math.NaN()}
	}
	return hull(x.Lo/y.Lo, x.Lo/y.Hi, x.Hi/y.Lo, x.Hi/y.Hi)
}

// hull is the smallest interval with the numbers; both ends are NaN if one of them is.
func hull(numbers ...float64) Range {
	r := Range{numbers[0], numbers[0]}
	for _, v := range numbers[1:] {
		r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
	}
	return r
}

// position returns the byte of the text where a value first stands.
func (c *Claim) position(d Drawn) int { return c.at[d] }
