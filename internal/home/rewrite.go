package main

import (
	"bytes"
	"go/format"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
)

// rewrite returns the text of a file with another path of the module. What stands around the old
// path tells it from the program and from folders of the same name.
func rewrite(name string, text []byte, old, module string) ([]byte, error) {
	var use string
	switch base := path.Base(name); {
	case path.Ext(base) == ".go":
		return rewriteGo(text, old, module)
	case base == "go.mod":
		use = `(?m)(^(?:module |require |replace |\t))` + regexp.QuoteMeta(old) + `( |$)`
	case base == "Makefile" || path.Ext(base) == ".md": // packages, and arguments of go mod edit
		use = `([\s"=])` + regexp.QuoteMeta(old) + `(/[a-z]|@v|=\.\.)`
	default:
		return text, nil
	}
	return regexp.MustCompile(use).ReplaceAll(text, []byte("${1}"+module+"${2}")), nil
}

// rewriteGo rewrites paths of packages in the strings of a file: imports, prefixes of functions,
// arguments of the go command.
func rewriteGo(text []byte, old, module string) ([]byte, error) {
	use := regexp.MustCompile(`(^["` + "`" + `]|[\s=])` + regexp.QuoteMeta(old) + `/`)
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	var after bytes.Buffer
	done := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok != token.STRING || !use.MatchString(literal) {
			continue
		}
		at := file.Offset(pos)
		after.Write(text[done:at])
		after.WriteString(use.ReplaceAllString(literal, "${1}"+module+"/"))
		done = at + len(literal)
	}
	if done == 0 {
		return text, nil
	}
	after.Write(text[done:])
	return format.Source(after.Bytes()) // the order of imports
}
