package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// mutant is a change to a file: the text from a byte to another is replaced.
type mutant struct {
	file     string // its path
	function string
	line     int // from 1
	from, to int // bytes, from 0; to is the one behind
	by       string
	was, is  string // the lines that change
}

// String is the lines that change, before and after.
func (m *mutant) String() string { return "- " + m.was + "\n    + " + m.is }

// apply is the source of its file, changed.
func (m *mutant) apply(source []byte) []byte {
	return append(append(append([]byte{}, source[:m.from]...), m.by...), source[m.to:]...)
}

// swapped are the operators that replace others.
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

// otherWords are names that replace others.
var otherWords = map[string]string{"true": "false", "false": "true", "min": "max", "max": "min"}

// mutate returns the mutants of a file: of its functions, not of its tables.
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
	function string // the one at hand
	mutants  []mutant
}

// replace enters a mutant. Positions are those of the parser.
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

// swap replaces an operator by others.
func (m *mutator) swap(at token.Pos, operator token.Token) {
	for _, other := range swapped[operator] {
		m.replace(at, at+token.Pos(len(operator.String())), other.String())
	}
}

func (m *mutator) text(n ast.Node) string {
	return string(m.source[m.files.Position(n.Pos()).Offset:m.files.Position(n.End()).Offset])
}

// node enters the mutants of a node, and reports whether those inside are wanted.
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
		if other, ok := otherWords[n.Name]; ok {
			m.replace(n.Pos(), n.End(), other)
		}
	case *ast.IfStmt: // the operands stay in use
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

// result has an error forgotten.
func (m *mutator) result(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	if name, ok := last.(*ast.Ident); ok && name.Name == "err" {
		m.replace(last.Pos(), last.End(), "nil")
	}
}

// statement has a statement left out, or another operator.
func (m *mutator) statement(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return // what it names would be lacking
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
