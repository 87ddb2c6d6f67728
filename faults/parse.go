package faults

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bullring/internal/suggest"
)

// SyntaxError is a mistake in the text of a plan.
type SyntaxError struct {
	Line    int    // from 1
	Column  int    // of the word, in characters, from 1
	Word    string // empty if the fault ends too early
	Problem string // what is wrong with the word, and what is allowed
}

// Error implements error.
func (e *SyntaxError) Error() string {
	word := "the end of the fault"
	if e.Word != "" {
		word = strconv.Quote(e.Word)
	}
	return fmt.Sprintf("faults, line %d, column %d: %s %s", e.Line, e.Column, word, e.Problem)
}

// Parse reads a plan. It ignores empty lines and everything after a #. Its errors are of
// type *SyntaxError.
func Parse(text string) (Plan, error) {
	var plan Plan
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		line, _, _ = strings.Cut(line, "#")
		column := 1
		for one := range strings.SplitSeq(line, ";") {
			p := newParser(one, number, column)
			column += utf8.RuneCountInString(one) + 1
			if len(p.words) == 0 {
				continue
			}
			f := Fault{From: Anyone, To: Anyone}
			if p.fault(&f); p.err != nil {
				return nil, p.err
			}
			plan = append(plan, f)
		}
	}
	return plan, nil
}

// word is a word of a plan with its column.
type word struct {
	text   string
	column int
}

// parser reads the words of one fault. After the first error its values are useless.
type parser struct {
	words []word
	next  int
	line  int
	end   int // the column behind the last word
	said  map[string]bool
	err   error
}

// newParser cuts a fault into words. Blanks in braces or parentheses do not end a word.
func newParser(text string, line, column int) *parser {
	p := &parser{line: line, end: column, said: map[string]bool{}}
	depth, start, startColumn := 0, -1, 0
	finish := func(end int) {
		if start >= 0 {
			p.words = append(p.words, word{strings.Join(strings.Fields(text[start:end]), " "), startColumn})
			p.end = column
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case r == '{' || r == '(':
			depth++
		case r == '}' || r == ')':
			depth--
		case unicode.IsSpace(r) && (depth <= 0 || start < 0):
			finish(i)
			column++
			continue
		}
		if start < 0 {
			start, startColumn = i, column
		}
		column++
	}
	finish(len(text))
	return p
}

// peek is the next word, empty at the end.
func (p *parser) peek() string {
	if p.next < len(p.words) {
		return p.words[p.next].text
	}
	return ""
}

// take takes the next word.
func (p *parser) take() string {
	w := p.peek()
	if w != "" {
		p.next++
	}
	return w
}

// accept takes the next word if it is the given one.
func (p *parser) accept(word string) bool {
	if p.err != nil || p.peek() != word {
		return false
	}
	p.next++
	return true
}

// expect takes the next word, which must be the given one.
func (p *parser) expect(word, example string) {
	if !p.accept(word) {
		p.fail(fmt.Sprintf("stands where %q should, as in %q%s", word, example, p.suggestion([]string{word})))
	}
}

// once takes the next word if it is the given one. A second time is an error.
func (p *parser) once(word string) bool {
	if p.said[word] && p.peek() == word {
		p.fail("stands there twice")
	}
	if !p.accept(word) {
		return false
	}
	p.said[word] = true
	return true
}

// fail notes that the next word is wrong. The first failure counts.
func (p *parser) fail(problem string) {
	if p.err != nil {
		return
	}
	e := &SyntaxError{Line: p.line, Column: p.end, Problem: problem}
	if p.next < len(p.words) {
		e.Word, e.Column = p.words[p.next].text, p.words[p.next].column
	}
	p.err = e
}

// failWord is fail for the word that was taken last.
func (p *parser) failWord(problem string) {
	if p.err == nil {
		p.next--
		p.fail(problem)
	}
}

// suggestion returns a hint at the allowed word that the next word misspells.
func (p *parser) suggestion(allowed []string) string {
	if best := suggest.Word(p.peek(), allowed); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// unknown fails because the next word is not allowed.
func (p *parser) unknown(what string, allowed []string) {
	p.fail(fmt.Sprintf("is no %s; allowed are %s%s", what, listed(allowed), p.suggestion(allowed)))
}

// listed joins words: a, b and c.
func listed(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
