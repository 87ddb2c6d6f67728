package spec

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Formula is an arithmetic expression of numbers and names with + - * / and brackets, in
// the syntax of Go.
type Formula struct {
	text  string
	root  *term
	names []string
}

// term is a number, a name, or an operation on one or two terms.
type term struct {
	op    token.Token // token.FLOAT of a number, token.IDENT of a name
	value float64
	name  string
	drawn Drawn // of a name in a claim
	x, y  *term // of a sign: y alone
	at    int   // byte of the text
}

// FormulaError is a mistake in a formula with its place.
type FormulaError struct {
	At      int // byte of the text
	Message string
}

func (e *FormulaError) Error() string { return e.Message }

// ParseFormula reads a formula. The error is a *FormulaError.
func ParseFormula(text string) (*Formula, error) {
	expr, err := expressionOf(text)
	if err != nil {
		return nil, err
	}
	f := &Formula{text: text}
	if f.root, err = termOf(expr, f.operand); err != nil {
		return nil, err
	}
	return f, nil
}

// expressionOf parses an expression of Go. The error is a *FormulaError.
func expressionOf(text string) (ast.Expr, error) {
	for _, comment := range []string{"//", "/*"} { // Go would ignore it
		if at := strings.Index(text, comment); at >= 0 {
			return nil, &FormulaError{at, fmt.Sprintf("%s is no operator", comment)}
		}
	}
	expr, err := parser.ParseExpr(text)
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		return nil, &FormulaError{list[0].Pos.Offset, "it is no formula: " + list[0].Msg}
	}
	if err != nil {
		return nil, &FormulaError{0, "it is no formula: " + err.Error()}
	}
	return expr, nil
}

// operand converts a name; nil for anything else.
func (f *Formula) operand(expr ast.Expr) (*term, error) {
	e, ok := expr.(*ast.Ident)
	if !ok {
		return nil, nil
	}
	if !slices.Contains(f.names, e.Name) {
		f.names = append(f.names, e.Name)
	}
	return &term{op: token.IDENT, name: e.Name, at: int(e.Pos()) - 1}, nil
}

// termOf converts an expression. operand converts what stands for a value, and returns nil
// for anything else.
func termOf(expr ast.Expr, operand func(ast.Expr) (*term, error)) (*term, error) {
	t, err := operand(expr)
	if t != nil || err != nil {
		return t, err
	}
	t = &term{at: int(expr.Pos()) - 1}
	switch e := expr.(type) {
	case *ast.ParenExpr:
		return termOf(e.X, operand)
	case *ast.BasicLit:
		if !plainReal().MatchString(e.Value) {
			return nil, &FormulaError{t.at, fmt.Sprintf("%s is no plain number, such as 2 or 0.5", e.Value)}
		}
		t.op = token.FLOAT
		if t.value, err = strconv.ParseFloat(e.Value, 64); err != nil {
			return nil, &FormulaError{t.at, fmt.Sprintf("%s is too large for a number", e.Value)}
		}
		return t, nil
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			t.op = e.Op
			t.y, err = termOf(e.X, operand)
			return t, err
		}
	case *ast.BinaryExpr:
		if slices.Contains([]token.Token{token.ADD, token.SUB, token.MUL, token.QUO}, e.Op) {
			t.op, t.at = e.Op, int(e.OpPos)-1
			if t.x, err = termOf(e.X, operand); err == nil {
				t.y, err = termOf(e.Y, operand)
			}
			return t, err
		}
	}
	return nil, &FormulaError{t.at, "a formula takes numbers, names, + - * / and brackets, and nothing else"}
}

// String returns the formula as it was written.
func (f *Formula) String() string { return f.text }

// Names returns the names in the formula, each once, in order of appearance.
func (f *Formula) Names() []string { return slices.Clone(f.names) }

// position returns the byte of the text where a name first stands.
func (f *Formula) position(name string) int { return f.root.find(name).at }

func (t *term) find(name string) *term {
	if t == nil || t.op == token.IDENT && t.name == name {
		return t
	}
	if found := t.x.find(name); found != nil {
		return found
	}
	return t.y.find(name)
}

// Value computes the formula with the values that get gives to names. It is NaN after a
// division by zero or if a value is NaN.
func (f *Formula) Value(get func(name string) float64) float64 {
	v := f.root.eval(get)
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// eval rounds every step by itself. Without the conversions a processor may compute a
// product and a sum in one step, with another last bit.
func (t *term) eval(get func(name string) float64) float64 {
	switch t.op {
	case token.FLOAT:
		return t.value
	case token.IDENT:
		return get(t.name)
	}
	y := t.y.eval(get)
	if t.x == nil {
		return -y
	}
	x := t.x.eval(get)
	switch t.op {
	case token.ADD:
		return float64(x + y)
	case token.SUB:
		return float64(x - y)
	case token.MUL:
		return float64(x * y)
	}
	return float64(x / y)
}

// dimension maps units to their powers.
type dimension map[string]int

// Unit returns the unit of the formula's values from the units of its names: "", one of
// them, or 1/unit. Only values of one unit can be added. The error is a *FormulaError.
func (f *Formula) Unit(of func(name string) string) (string, error) {
	d, err := f.root.dimension(of)
	if err != nil {
		return "", err
	}
	unit, power := "", 0
	for u, p := range d {
		if p != 0 && power != 0 {
			return "", &FormulaError{0, "its unit would be made of several; divide by what has the same unit"}
		}
		if p != 0 {
			unit, power = u, p
		}
	}
	switch power {
	case 0, 1:
		return unit, nil
	case -1:
		return "1/" + unit, nil
	}
	return "", &FormulaError{0, fmt.Sprintf("its unit would be a power of %s", unit)}
}

func (t *term) dimension(of func(name string) string) (dimension, error) {
	switch t.op {
	case token.FLOAT:
		return dimension{}, nil
	case token.IDENT:
		unit, below := strings.CutPrefix(of(t.name), "1/")
		switch {
		case below:
			return dimension{unit: -1}, nil
		case unit != "":
			return dimension{unit: 1}, nil
		}
		return dimension{}, nil
	}
	y, err := t.y.dimension(of)
	if err != nil || t.x == nil {
		return y, err
	}
	x, err := t.x.dimension(of)
	if err != nil {
		return nil, err
	}
	units := slices.Sorted(maps.Keys(x))
	units = append(units, slices.Sorted(maps.Keys(y))...)
	sign := 0
	switch t.op {
	case token.MUL:
		sign = 1
	case token.QUO:
		sign = -1
	}
	for _, unit := range units {
		if sign == 0 && x[unit] != y[unit] {
			return nil, &FormulaError{t.at, fmt.Sprintf("%s joins what is counted in %s with what is not", t.op, unit)}
		}
	}
	for unit, power := range y {
		x[unit] += sign * power
	}
	return x, nil
}
