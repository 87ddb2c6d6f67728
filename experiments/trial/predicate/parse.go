package predicate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"bullring/internal/pattern"
	"bullring/internal/suggest"
	"bullring/internal/value"
)

// words finds the words for operators, and the texts in quotes, in which they are none.
var words = pattern.Of(`"(?:[^"\\]|\\.)*"|\b(?:and|or|not)\b`)

// operatorOf is that of Go for a word, and as long; "" for other texts.
func operatorOf(word string) string {
	switch word {
	case "and":
		return "&& "
	case "or":
		return "||"
	case "not":
		return "!  "
	}
	return ""
}

// Parse reads a predicate. The error is an *Error.
func (r *Reader) Parse(text string) (*Predicate, error) {
	c := &compiler{Reader: r, text: text}
	t, err := c.parse()
	if err != nil {
		return nil, err
	}
	holds, err := c.condition(t)
	if err != nil {
		return nil, err
	}
	return &Predicate{text: text, names: c.names, measures: c.measures, holds: holds, calls: c.calls}, nil
}

// ParseNumber reads a number. The error is an *Error.
func (r *Reader) ParseNumber(text string) (*Number, error) {
	c := &compiler{Reader: r, text: text}
	t, err := c.parse()
	if err != nil {
		return nil, err
	}
	of, err := c.figure(t)
	if err != nil {
		return nil, err
	}
	return &Number{of, c.calls}, nil
}

// parse reads the text.
func (c *compiler) parse() (*term, error) {
	text := c.text
	for _, no := range []string{"//", "/*", "\n"} { // Go would ignore a comment
		if at := strings.Index(text, no); at >= 0 {
			return nil, c.refuse(at, "%q is no operator", no)
		}
	}
	expr, err := parser.ParseExpr(words().ReplaceAllStringFunc(text, func(word string) string {
		if operator := operatorOf(word); operator != "" {
			return operator
		}
		return word
	}))
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		return nil, c.refuse(list[0].Pos.Offset, "it cannot be read: %s", list[0].Msg)
	}
	if err != nil {
		return nil, c.refuse(0, "it cannot be read: %v", err)
	}
	return c.term(expr, false)
}

// compiler turns the syntax tree of a predicate into functions.
type compiler struct {
	*Reader
	text     string
	names    bool     // a process is named by its address
	measures []string // of the run, that are named
	calls    int      // of count, max, min and sum
}

func (c *compiler) refuse(at int, format string, a ...any) error {
	return &Error{column(c.text, at), fmt.Sprintf(format, a...)}
}

// term is a part of a predicate. One of the functions is set, unless it is a word.
type term struct {
	at     int // byte of the text
	word   string
	field  string // the name of the field, as it is written
	name   string // its name among those of processes
	holds  func(*moment) bool
	number func(*moment) *big.Rat // nil for no value
	says   func(*moment) string   // of a field; "" for no value
}

// condition is a term as a condition: a comparison and the like, or a field that is a flag.
func (c *compiler) condition(t *term) (func(*moment) bool, error) {
	switch {
	case t.holds != nil:
		return t.holds, nil
	case t.says == nil && t.number == nil:
		return nil, c.unknown(t)
	case t.says == nil:
		return nil, c.refuse(t.at, "this is a number, and a condition is expected, such as a comparison")
	}
	if p, v := c.unlike(t.name, func(text string) bool { return text == "true" || text == "false" }); v != "" {
		return nil, c.refuse(t.at, "%s of process %d is %s at first, and no flag; a condition is expected, such as %s == %s", t.field, p, v, t.field, quoted(v))
	}
	return func(m *moment) bool { return t.says(m) == "true" }, nil
}

// figure is a term as a number: arithmetic, or a field that is one.
func (c *compiler) figure(t *term) (func(*moment) *big.Rat, error) {
	switch {
	case t.number != nil:
		return t.number, nil
	case t.holds != nil:
		return nil, c.refuse(t.at, "this is a condition, and a number is expected; count(...) counts the processes for which it holds")
	case t.says == nil:
		return nil, c.unknown(t)
	}
	if p, v := c.unlike(t.name, isNumber); v != "" {
		return nil, c.refuse(t.at, "%s of process %d is %s at first, and no number", t.field, p, quoted(v))
	}
	return func(m *moment) *big.Rat { return numberOf(t.says(m)) }, nil
}

// unlike is the first process, with its value, of which a field is not at first as it should be. The value
// is "" if there is none.
func (c *compiler) unlike(name string, right func(string) bool) (process int, v string) {
	for p, fields := range c.first {
		for _, f := range fields {
			if f.Name == name && !right(f.Value) {
				return p, f.Value
			}
		}
	}
	return 0, ""
}

// unknown refuses a word where a field is expected.
func (c *compiler) unknown(t *term) error {
	return c.refuse(t.at, "%s is no field of a process%s", quoted(t.word), suggest.Among(t.word, c.known))
}

// term compiles an expression. within says that it stands in all and the like.
func (c *compiler) term(expr ast.Expr, within bool) (*term, error) {
	at := int(expr.Pos()) - 1
	switch e := expr.(type) {
	case *ast.ParenExpr:
		return c.term(e.X, within)
	case *ast.BasicLit:
		return c.literal(e, at)
	case *ast.Ident:
		return c.bare(e.Name, at, within)
	case *ast.SelectorExpr:
		return c.dotted(e, at, within)
	case *ast.CallExpr:
		return c.call(e, at)
	case *ast.UnaryExpr:
		return c.unary(e, at, within)
	case *ast.BinaryExpr:
		return c.binary(e, within)
	}
	return nil, c.refuse(at, "a property takes comparisons, and, or, not, + and -, fields, pN.FIELD, %s", strings.Join(functions, ", "))
}

// plainNumber is how a number is written.
var plainNumber = pattern.Of(`^[0-9]+(\.[0-9]+)?$`)

func (c *compiler) literal(e *ast.BasicLit, at int) (*term, error) {
	if e.Kind == token.STRING {
		word, err := strconv.Unquote(e.Value)
		return &term{at: at, word: word}, err
	}
	if !plainNumber().MatchString(e.Value) {
		return nil, c.refuse(at, "%s is no plain number, such as 2 or 0.5; a text stands in quotes", e.Value)
	}
	x := numberOf(e.Value)
	if x == nil {
		return nil, c.refuse(at, "%s is too large for a number", e.Value)
	}
	return &term{at: at, number: func(*moment) *big.Rat { return x }}, nil
}

// bare is a name by itself: a field of the process that all and the like look at, or a word.
func (c *compiler) bare(name string, at int, within bool) (*term, error) {
	switch {
	case !slices.Contains(c.known, name):
		return &term{at: at, word: name}, nil
	case !within:
		return nil, c.refuse(at, "each process has its %s; say all(%s ...) or any, count, max, min, sum, or p0.%s of process 0", name, name, name)
	}
	i := c.use(name)
	return &term{at: at, field: name, name: name, says: func(m *moment) string { return m.at(m.self, i) }}, nil
}

// use is the index of a field among those that are used.
func (c *compiler) use(name string) int {
	i := slices.Index(c.used, name)
	if i < 0 {
		i = len(c.used)
		c.used = append(c.used, name)
	}
	return i
}

// addressed is the name of a process.
var addressed = pattern.Of(`^p[0-9]+$`)

// dotted is a name with dots: a field of a process that is named, or one whose name has dots.
func (c *compiler) dotted(e *ast.SelectorExpr, at int, within bool) (*term, error) {
	name, err := c.path(e)
	if err != nil {
		return nil, err
	}
	owner, field, _ := strings.Cut(name, ".")
	if owner == ofRun && !slices.Contains(c.known, name) {
		return c.measure(field, at)
	}
	if !addressed().MatchString(owner) {
		t, err := c.bare(name, at, within)
		if err == nil && t.says == nil {
			err = c.unknown(t)
		}
		return t, err
	}
	p, err := strconv.Atoi(owner[1:])
	if err != nil || p >= len(c.first) {
		return nil, c.refuse(at, "there is no process %s; allowed are p0 to p%d", owner[1:], len(c.first)-1)
	}
	c.names = true
	if field == "crashed" {
		return &term{at: at, holds: func(m *moment) bool { return m.values[p] == nil }}, nil
	}
	if !slices.Contains(c.known, field) {
		return nil, c.unknown(&term{at: at + len(owner) + 1, word: field})
	}
	i := c.use(field)
	return &term{at: at, field: name, name: field, says: func(m *moment) string { return m.at(p, i) }}, nil
}

// ofRun stands before the name of what is measured of a run.
const ofRun = "run"

// measure compiles the name of a measure of the run.
func (c *compiler) measure(name string, at int) (*term, error) {
	if len(c.runs) == 0 {
		return nil, c.refuse(at, "%s.%s is of a whole run, and a moment of it is looked at here", ofRun, name)
	}
	if !slices.Contains(c.runs, name) {
		return nil, c.refuse(at+len(ofRun)+1, "%q is not measured of a run%s", name, suggest.Among(name, c.runs))
	}
	c.measures = append(c.measures, name)
	return &term{at: at, number: func(m *moment) *big.Rat { return m.measure(name) }}, nil
}

// path is a name with dots as text.
func (c *compiler) path(e *ast.SelectorExpr) (string, error) {
	switch x := e.X.(type) {
	case *ast.Ident:
		return x.Name + "." + e.Sel.Name, nil
	case *ast.SelectorExpr:
		front, err := c.path(x)
		return front + "." + e.Sel.Name, err
	}
	return "", c.refuse(int(e.X.Pos())-1, "a dot stands in names only, such as p0.%s", e.Sel.Name)
}

// functions range over the processes that are alive.
var functions = []string{"all", "any", "count", "max", "min", "sum"}

func (c *compiler) call(e *ast.CallExpr, at int) (*term, error) {
	name, ok := e.Fun.(*ast.Ident)
	switch {
	case !ok || !slices.Contains(functions, name.Name):
		given := ""
		if ok {
			given = name.Name
		}
		return nil, c.refuse(at, "%s is no function%s", quoted(given), suggest.Among(given, functions))
	case len(e.Args) != 1:
		return nil, c.refuse(at, "%s takes one argument; given are %d", name.Name, len(e.Args))
	}
	inner, err := c.term(e.Args[0], true)
	if err != nil {
		return nil, err
	}
	if slices.Contains(functions[:3], name.Name) {
		holds, err := c.condition(inner)
		return c.once(quantified(name.Name, at, holds)), err
	}
	number, err := c.figure(inner)
	return c.once(gathered(name.Name, at, number)), err
}

// once is a call that is worked out once a moment, if it is a number.
func (c *compiler) once(t *term) *term {
	if number := t.number; number != nil {
		call := c.calls
		c.calls++
		t.number = func(m *moment) *big.Rat { return m.once(call, number) }
	}
	return t
}

// quantified is all, any or count of a condition.
func quantified(name string, at int, holds func(*moment) bool) *term {
	count := func(m *moment) (of, alive int64) {
		m.each(func(m *moment) bool {
			alive++
			if holds(m) {
				of++
			}
			return true
		})
		return of, alive
	}
	switch name {
	case "all":
		return &term{at: at, holds: func(m *moment) bool { of, alive := count(m); return of == alive }}
	case "any":
		return &term{at: at, holds: func(m *moment) bool { of, _ := count(m); return of > 0 }}
	}
	return &term{at: at, number: func(m *moment) *big.Rat { of, _ := count(m); return new(big.Rat).SetInt64(of) }}
}

// gathered is the max, min or sum of the numbers that have a value.
func gathered(name string, at int, number func(*moment) *big.Rat) *term {
	return &term{at: at, number: func(m *moment) (so *big.Rat) {
		if name == "sum" {
			so = new(big.Rat)
		}
		m.each(func(m *moment) bool {
			switch x := number(m); {
			case x == nil:
			case so == nil:
				so = x
			case name == "sum":
				so = new(big.Rat).Add(so, x)
			case (x.Cmp(so) > 0) == (name == "max"):
				so = x
			}
			return true
		})
		return so
	}}
}

func (c *compiler) unary(e *ast.UnaryExpr, at int, within bool) (*term, error) {
	x, err := c.term(e.X, within)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case token.NOT:
		holds, err := c.condition(x)
		return &term{at: at, holds: func(m *moment) bool { return !holds(m) }}, err
	case token.SUB:
		number, err := c.figure(x)
		return &term{at: at, number: func(m *moment) *big.Rat {
			if x := number(m); x != nil {
				return new(big.Rat).Neg(x)
			}
			return nil
		}}, err
	}
	return nil, c.refuse(at, "%s is no operator here", e.Op)
}

func (c *compiler) binary(e *ast.BinaryExpr, within bool) (*term, error) {
	at, compares := int(e.OpPos)-1, e.Op.Precedence() == token.EQL.Precedence()
	if not, ok := e.X.(*ast.UnaryExpr); ok && compares && not.Op == token.NOT { // not a < b is not (a < b)
		return c.unary(&ast.UnaryExpr{OpPos: not.OpPos, Op: token.NOT, X: &ast.BinaryExpr{X: not.X, OpPos: e.OpPos, Op: e.Op, Y: e.Y}}, int(not.Pos())-1, within)
	}
	x, err := c.term(e.X, within)
	if err != nil {
		return nil, err
	}
	y, err := c.term(e.Y, within)
	if err != nil {
		return nil, err
	}
	switch {
	case e.Op == token.LAND || e.Op == token.LOR:
		return c.joined(e.Op, at, x, y)
	case e.Op == token.ADD || e.Op == token.SUB:
		return c.sum(e.Op, at, x, y)
	case compares:
		return c.comparison(e.Op, at, x, y)
	}
	return nil, c.refuse(at, "%s is no operator here; allowed are < <= == != >= > + - and, or, not", e.Op)
}

func (c *compiler) joined(op token.Token, at int, x, y *term) (*term, error) {
	a, err := c.condition(x)
	if err != nil {
		return nil, err
	}
	b, err := c.condition(y)
	if op == token.LAND {
		return &term{at: at, holds: func(m *moment) bool { return a(m) && b(m) }}, err
	}
	return &term{at: at, holds: func(m *moment) bool { return a(m) || b(m) }}, err
}

func (c *compiler) sum(op token.Token, at int, x, y *term) (*term, error) {
	a, b, err := c.figures(x, y)
	return &term{at: at, number: func(m *moment) *big.Rat {
		switch x, y := a(m), b(m); {
		case x == nil || y == nil:
			return nil
		case op == token.ADD:
			return new(big.Rat).Add(x, y)
		default:
			return new(big.Rat).Sub(x, y)
		}
	}}, err
}

func (c *compiler) figures(x, y *term) (a, b func(*moment) *big.Rat, err error) {
	if a, err = c.figure(x); err == nil {
		b, err = c.figure(y)
	}
	return a, b, err
}

// comparison compares two numbers, or a field with a word, or two fields.
func (c *compiler) comparison(op token.Token, at int, x, y *term) (*term, error) {
	if isWord(x) && isWord(y) {
		return nil, c.refuse(x.at, "%s and %s are both no field of a process%s", quoted(x.word), quoted(y.word), suggest.Among(x.word, c.known))
	}
	if op != token.EQL && op != token.NEQ {
		return c.ordered(op, at, x, y)
	}
	if isWord(x) {
		x, y = y, x
	}
	switch {
	case isWord(y) && x.says != nil:
		return c.named(op, at, x, y)
	case isWord(y):
		return nil, c.unknown(y)
	case x.says != nil && y.says != nil:
		if err := c.comparable(x, y); err != nil {
			return nil, err
		}
		return &term{at: at, holds: func(m *moment) bool {
			a, b := x.says(m), y.says(m)
			return a != "" && b != "" && same(a, b) == (op == token.EQL)
		}}, nil
	}
	return c.ordered(op, at, x, y)
}

// comparable refuses to compare a number with a text: often the name of a field is meant as a word.
func (c *compiler) comparable(x, y *term) error {
	if _, v := c.unlike(x.name, isNumber); v == "" {
		x, y = y, x
	}
	p, text := c.unlike(x.name, isNumber)
	_, also := c.unlike(y.name, isNumber)
	if text == "" || also != "" {
		return nil
	}
	return c.refuse(y.at, "%s of process %d is %s at first, and %s is a number; a word that is the name of a field, too, stands in quotes: %q", x.field, p, quoted(text), y.field, y.field)
}

// isNumber reports whether a field is a number, or none.
func isNumber(text string) bool { return text == none || numberOf(text) != nil }

// named compares a field with a word.
func (c *compiler) named(op token.Token, at int, x, y *term) (*term, error) {
	fits := func(text string) bool {
		return y.word == none || isNumber(y.word) || text == none || !isNumber(text)
	}
	if p, v := c.unlike(x.name, fits); v != "" {
		return nil, c.refuse(y.at, "%s of process %d is %s at first, a number, and %s is none", x.field, p, v, quoted(y.word))
	}
	return &term{at: at, holds: func(m *moment) bool {
		says := x.says(m)
		return says != "" && (says == y.word) == (op == token.EQL)
	}}, nil
}

// isWord reports whether a term is a word.
func isWord(t *term) bool { return t.holds == nil && t.number == nil && t.says == nil }

// same reports whether two fields are equal: as numbers, if they are, else as texts.
func same(a, b string) bool {
	if x, y := numberOf(a), numberOf(b); x != nil && y != nil {
		return x.Cmp(y) == 0
	}
	return a == b
}

// ordered compares two numbers.
func (c *compiler) ordered(op token.Token, at int, x, y *term) (*term, error) {
	a, b, err := c.figures(x, y)
	right := map[token.Token]func(int) bool{
		token.LSS: func(s int) bool { return s < 0 }, token.LEQ: func(s int) bool { return s <= 0 }, token.EQL: func(s int) bool { return s == 0 },
		token.NEQ: func(s int) bool { return s != 0 }, token.GEQ: func(s int) bool { return s >= 0 }, token.GTR: func(s int) bool { return s > 0 },
	}[op]
	return &term{at: at, holds: func(m *moment) bool {
		x, y := a(m), b(m)
		return x != nil && y != nil && right(x.Cmp(y))
	}}, err
}

// quoted is a text of a user in an error.
func quoted(text string) string { return strconv.Quote(value.OneLine(text)) }
