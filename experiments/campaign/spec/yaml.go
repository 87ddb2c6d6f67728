package spec

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxDepth is deeper than any sweep nests and shallow enough for the parser's
// recursion.
const maxDepth = 32

// yamlReader turns a file into nodes.
type yamlReader struct{ *report }

// document reads the file as one YAML document; nil after an error. least says in the
// error about an empty file what it needs.
func (r yamlReader) document(data []byte, least string) *node {
	start := r.pos(1, 1)
	if len(data) > MaxFile {
		r.errorf(start, "the file has %d bytes; a sweep may have %d at most", len(data), MaxFile)
		return nil
	}
	if at, ok := validUTF8(data); !ok {
		r.errorf(r.pos(at.Line, at.Column), "this is not UTF-8 text")
		return nil
	}
	// Some editors begin a file with a byte order mark, which is no part of it.
	text := strings.TrimPrefix(string(data), "\ufeff")
	r.lines[r.file] = strings.Split(text, "\n")

	return r.read(text, least)
}

// validUTF8 returns the place of the first byte that is no UTF-8.
func validUTF8(data []byte) (Pos, bool) {
	at := Pos{Line: 1, Column: 1}
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		if c == utf8.RuneError && size == 1 {
			return at, false
		}
		at.Column++
		if c == '\n' {
			at.Line, at.Column = at.Line+1, 1
		}
		data = data[size:]
	}
	return at, true
}

// read runs the YAML parser and converts its tree. The parser is not ours: a panic in it
// becomes an error of the file.
func (r yamlReader) read(text, least string) (root *node) {
	defer func() {
		if p := recover(); p != nil {
			r.errorf(r.pos(1, 1), "the YAML parser failed on this file: %v", p)
			root = nil
		}
	}()
	tokens := lexer.Tokenize(text)
	if deep := tooDeep(tokens); deep != nil {
		r.errorf(r.place(deep), "brackets or lists nest deeper than %d here", maxDepth)
		return nil
	}
	// Repeated keys are allowed here to be refused later, all of them.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		r.syntax(err)
		return nil
	}
	return r.only(file, least)
}

// tooDeep returns the token that nests too deeply, or nil: a bracket, or a hyphen or
// question mark that begins an item of a block, as in - - - x. Nesting by indentation
// alone is limited by the size of the file.
func tooDeep(tokens token.Tokens) *token.Token {
	brackets := 0
	var items []int // columns of the items around the present token
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType:
			column := t.Position.Column
			for len(items) > 0 && items[len(items)-1] >= column {
				items = items[:len(items)-1]
			}
			items = append(items, column)
		}
		if brackets+len(items) > maxDepth {
			return t
		}
	}
	return nil
}

// syntax reports where the parser stopped.
func (r yamlReader) syntax(err error) {
	at, message := r.pos(1, 1), err.Error()
	var detailed yaml.Error
	if errors.As(err, &detailed) {
		message = detailed.GetMessage()
		at = r.place(detailed.GetToken())
	}
	r.hintf(at, syntaxHint(message), "this is not YAML: %s", strings.ReplaceAll(message, "'\t'", "tab"))
}

// syntaxHint puts the parser's commonest complaints in terms of the file.
func syntaxHint(message string) string {
	for _, known := range []struct{ part, hint string }{
		{"character '\t'", "indent with spaces: YAML takes no tabs there"},
		{"mapping value is not allowed", "put text that holds a colon and a space in quotes, and indent the keys of a mapping alike"},
		{"reserved character", "put text that begins with it in quotes"},
		{"could not find end character", "close the quote"},
		{"pre-defined", "put text that begins with * or & in quotes"},
		{"must be specified", "close the bracket or brace, and put commas between values"},
		{"']' not found", "close the bracket"},
		{"'}' not found", "close the brace"},
	} {
		if strings.Contains(message, known.part) {
			return known.hint
		}
	}
	return ""
}

// place returns the place of a token, or the start of the file if it has none.
func (r yamlReader) place(t *token.Token) Pos {
	if t == nil || t.Position == nil {
		return r.pos(1, 1)
	}
	return r.pos(t.Position.Line, t.Position.Column)
}

// only returns the one document of the file.
func (r yamlReader) only(file *ast.File, least string) *node {
	var root *node
	for _, doc := range file.Docs {
		switch body := doc.Body.(type) {
		case nil:
		case *ast.DirectiveNode:
			r.errorf(r.place(body.Start), "a sweep takes no %% directives")
		default:
			if root != nil {
				r.errorf(r.place(doc.Start), "a second document begins here; a sweep is one document: put the other in a file of its own")
				return root
			}
			root = r.convert(body)
		}
	}
	if root == nil && r.clean() {
		r.errorf(r.pos(1, 1), "the file is empty; %s", least)
	}
	return root
}

// convert turns the parser's tree into nodes and refuses YAML that a sweep does not use.
func (r yamlReader) convert(n ast.Node) *node {
	at := r.place(n.GetToken())
	switch n := n.(type) {
	case *ast.NullNode:
		return &node{kind: null, pos: at}
	case *ast.BoolNode:
		return &node{kind: boolean, pos: at, text: n.Token.Value}
	case *ast.IntegerNode:
		return &node{kind: number, pos: at, text: n.Token.Value}
	case *ast.FloatNode:
		return &node{kind: number, pos: at, text: n.Token.Value}
	case *ast.InfinityNode:
		return &node{kind: number, pos: at, text: n.Token.Value}
	case *ast.NanNode:
		return &node{kind: number, pos: at, text: n.Token.Value}
	case *ast.StringNode:
		plain := n.Token.Type == token.StringType
		return &node{kind: text, pos: at, text: n.Value, quoted: !plain}
	case *ast.LiteralNode:
		return &node{kind: text, pos: at, text: n.Value.Value, quoted: true}
	case *ast.SequenceNode:
		return r.convertList(n)
	case *ast.MappingNode:
		return r.convertMapping(n.Values, n.IsFlowStyle, at)
	case *ast.MappingValueNode:
		return r.convertMapping([]*ast.MappingValueNode{n}, n.IsFlowStyle, at)
	case *ast.AnchorNode, *ast.AliasNode:
		r.hintf(at, "put text that begins with & or * in quotes", "a sweep takes no YAML anchors or aliases: write the value out")
	case *ast.TagNode:
		r.hintf(at, "put text that begins with ! in quotes", "a sweep takes no YAML tags")
	default:
		r.errorf(at, "a sweep has no use for this piece of YAML")
	}
	return &node{kind: refused, pos: at}
}

// convertList converts the items of a list.
func (r yamlReader) convertList(n *ast.SequenceNode) *node {
	list := &node{kind: sequence, pos: r.place(n.Start)}
	for _, v := range n.Values {
		list.items = append(list.items, r.convert(v))
	}
	if n.IsFlowStyle {
		list.items = r.rejoinItems(list.items)
	}
	return list
}

// convertMapping converts the keys and values of a mapping.
func (r yamlReader) convertMapping(pairs []*ast.MappingValueNode, flow bool, at Pos) *node {
	m := &node{kind: mapping, pos: at}
	for _, p := range pairs {
		if key, ok := r.convertKey(p.Key); ok {
			m.pairs = append(m.pairs, pair{key: key, value: r.convert(p.Value)})
		}
	}
	if flow {
		m.pairs = r.rejoinPairs(m.pairs)
	} else if len(pairs) > 0 {
		m.pos = r.place(pairs[0].Key.GetToken()) // the parser gives the colon
	}
	return m
}

// convertKey converts a key, which is text here whatever its YAML type.
func (r yamlReader) convertKey(key ast.MapKeyNode) (*node, bool) {
	at := r.place(key.GetToken())
	switch key := key.(type) {
	case *ast.StringNode:
		return &node{kind: text, pos: at, text: key.Value}, true
	case *ast.MergeKeyNode:
		r.errorf(at, "a sweep takes no merge keys: write the values out")
		return nil, false
	case *ast.MappingKeyNode:
		r.errorf(at, "a sweep takes no keys with a question mark: write key: value")
		return nil, false
	}
	return &node{kind: text, pos: at, text: fmt.Sprint(key)}, true
}
