package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// mutant is a change to a file: bytes from to to-1 are replaced.
type mutant struct {
	file     string // its path
	function string
	line     int // from 1
	from, to int
	by       string
	was, is  string // the changed lines, before and after
}

// String has the changed lines, before and after.
func (m *mutant) String() string { return "- " + m.was + "\n    + " + m.is }

// apply returns the changed source of the file.
func (m *mutant) apply(source []byte) []byte {
	return append(append(append([]byte{}, source[:m.from]...), m.by...), source[m.to:]...)
}

// swapped has the operators that replace an operator.
var swapped = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.MUL_ASSIGN: {token.QUO_ASSIGN},
	token.QUO_ASSIGN: {token.MUL_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN}, token.XOR_ASSIGN: {token.OR_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC}, token.BREAK: {token.CONTINUE}, token.CONTINUE: {token.BREAK},
}

// swappedNames has the name that replaces a name.
var swappedNames = map[string]string{"true": "false", "false": "true", "min": "max", "max": "min"}

// mutate returns the mutants of the functions of a file.
func mutate(path string, source []byte) ([]mutant, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	m := &mutator{files: files, path: path, source: source}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			m.function = f.Name.Name
			ast.Inspect(f.Body, m.node)
		}
	}
	return m.mutants, nil
}

type mutator struct {
	files    *token.FileSet
	path     string
	source   []byte
	function string // the present one
	mutants  []mutant
}

// replace adds a mutant. Positions are those of the parser.
func (m *mutator) replace(from, to token.Pos, by string) {
	at, end := m.files.Position(from), m.files.Position(to).Offset
	start := bytes.LastIndexByte(m.source[:at.Offset], '\n') + 1
	rest, _, _ := bytes.Cut(m.source[end:], []byte("\n"))
	m.mutants = append(m.mutants, mutant{
		file: m.path, function: m.function, line: at.Line, from: at.Offset, to: end, by: by,
		was: strings.TrimSpace(string(m.source[start:end]) + string(rest)),
		is:  strings.TrimSpace(string(m.source[start:at.Offset]) + by + string(rest)),
	})
}

// swap adds the mutants with another operator.
func (m *mutator) swap(at token.Pos, operator token.Token) {
	for _, by := range swapped[operator] {
		m.replace(at, at+token.Pos(len(operator.String())), by.String())
	}
}

func (m *mutator) text(n ast.Node) string {
	return string(m.source[m.files.Position(n.Pos()).Offset:m.files.Position(n.End()).Offset])
}

// node adds the mutants of a node, and reports whether to go on with those inside.
func (m *mutator) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		m.swap(n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			m.replace(n.OpPos, n.OpPos+1, "")
		}
	case *ast.BasicLit:
		if v, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
			m.replace(n.Pos(), n.End(), strconv.Itoa(v+1))
		}
	case *ast.Ident:
		if by, ok := swappedNames[n.Name]; ok {
			m.replace(n.Pos(), n.End(), by)
		}
	case *ast.IfStmt: // the operands stay, so that the compiler does not call them unused
		m.replace(n.Cond.Pos(), n.Cond.End(), "("+m.text(n.Cond)+") && false")
		m.replace(n.Cond.Pos(), n.Cond.End(), "("+m.text(n.Cond)+") || true")
	case *ast.ReturnStmt:
		m.result(n)
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "panic" {
			return false
		}
	default:
		m.statement(n)
	}
	return true
}

// result adds the mutant that does not return an error.
func (m *mutator) result(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	if name, ok := last.(*ast.Ident); ok && name.Name == "err" {
		m.replace(last.Pos(), last.End(), "nil")
	}
}

// statement adds the mutants without a statement, or with another operator.
func (m *mutator) statement(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return // without it the code does not compile
		}
		m.swap(n.TokPos, n.Tok)
		m.replace(n.Pos(), n.End(), "")
	case *ast.IncDecStmt:
		m.swap(n.TokPos, n.Tok)
		m.replace(n.Pos(), n.End(), "")
	case *ast.BranchStmt:
		m.swap(n.TokPos, n.Tok)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
				return
			}
		}
		m.replace(n.Pos(), n.End(), "")
	case *ast.DeferStmt, *ast.SendStmt, *ast.GoStmt:
		m.replace(n.Pos(), n.End(), "")
	}
}
