package links

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"bullring/protocols"
)

// Error says what is wrong with a text, and where.
type Error struct {
	Column  int    // of the word, in characters, from 1
	Word    string // empty at the end of the text
	Problem string // what is wrong with the word, and what is allowed
}

// Error implements error.
func (e *Error) Error() string {
	word := "the end"
	if e.Word != "" {
		word = strconv.Quote(e.Word)
	}
	return fmt.Sprintf("column %d: %s %s", e.Column, word, e.Problem)
}

const (
	notAddress = "is not an address; allowed are whole numbers from 0 on, 3..5 and *"
	notEnd     = "is not an end of a link; allowed are an address, a list such as {0 2 4..6}, and *"
	notArrow   = "is not an arrow; a set of links is written as in 0->1, 0<->1, {0 1}->{2 3}, *->3, *, {0->1 2->3} or 10% of *"
)

// Parse reads a set of links. Its errors are of type *Error.
func Parse(text string) (Set, error) {
	p := parser{text: text}
	p.skip()
	return p.part(p.share())
}

// ParsePart reads the set of which a share is meant.
func ParsePart(share Share, text string) (Set, error) {
	p := parser{text: text}
	p.skip()
	return p.part(share)
}

// part reads the set behind a share, up to the end.
func (p *parser) part(share Share) (Set, error) {
	s := p.set()
	if p.skip(); p.err == nil && p.rest() != "" {
		p.fail(p.word(), "stands behind the links; one set of links is enough, or a list in braces such as {0->1 2->3}")
	}
	if p.err != nil {
		return Set{}, p.err
	}
	return s.part(share), nil
}

// set reads a set, or a list of sets in braces.
func (p *parser) set() Set {
	if !p.listed() {
		return p.one()
	}
	p.take("{")
	var list []Set
	for p.skip(); p.err == nil && !p.take("}"); p.skip() {
		if p.rest() == "" {
			p.fail("", "stands where a } should, as in {0->1 2->3}")
		}
		list = append(list, p.one())
	}
	return union(list)
}

// listed reports whether a list of sets stands here: a brace with an arrow or a star in it.
func (p *parser) listed() bool {
	inside, opened := strings.CutPrefix(p.rest(), "{")
	if !opened {
		return false
	}
	arrow, end := strings.IndexAny(inside, "->*"), strings.Index(inside, "}")
	return arrow >= 0 && (end < 0 || arrow < end || strings.HasPrefix(strings.TrimLeft(inside, " \t"), "{"))
}

// one reads a set that is no list.
func (p *parser) one() Set {
	if p.percent() {
		p.fail(p.word(), "is a share of a share or in a list; a share stands first, as in 10% of {0->1 2->3}")
		return Set{}
	}
	s := Set{from: p.end()}
	if before := p.at; s.from.all() {
		if p.skip(); p.arrowless() {
			p.at = before
			return Set{}
		}
	}
	p.skip()
	s.both = p.arrow()
	p.skip()
	s.to = p.end()
	return s
}

// arrowless reports whether no arrow stands here but what may follow a set.
func (p *parser) arrowless() bool {
	return p.err == nil && (p.rest() == "" || !strings.ContainsAny(p.rest()[:1], "<-"))
}

// parser reads a text from the left. After the first error it reads nothing.
type parser struct {
	text string
	at   int
	err  error
}

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) skip() {
	p.at = len(p.text) - len(strings.TrimLeft(p.rest(), " \t"))
}

func (p *parser) take(word string) bool {
	if p.err != nil || !strings.HasPrefix(p.rest(), word) {
		return false
	}
	p.at += len(word)
	return true
}

// word is the word at this place, up to the next character that may follow a word.
func (p *parser) word() string {
	rest := p.rest()
	const stops = " \t{}<>-|"
	if i := strings.IndexAny(rest, stops); i > 0 {
		return rest[:i]
	} else if i == 0 {
		_, size := utf8.DecodeRuneInString(rest)
		return rest[:size]
	}
	return rest
}

func (p *parser) fail(word, problem string) {
	if p.err == nil {
		p.err = &Error{utf8.RuneCountInString(p.text[:p.at]) + 1, word, problem}
	}
}

// arrow reads -> or <->. both is true for <->.
func (p *parser) arrow() (both bool) {
	if p.take("->") {
		return false
	}
	if !p.take("<->") {
		p.fail(p.word(), notArrow)
	}
	return true
}

// end reads an address, a list in braces, or a star.
func (p *parser) end() Addresses {
	if p.take("*") {
		return Addresses{}
	}
	if !p.take("{") {
		if w := p.word(); w == "" || w[0] < '0' || w[0] > '9' {
			p.fail(w, notEnd)
		}
		id := p.address(p.word())
		return Addresses{[]span{{id, id}}}
	}
	a := p.list()
	if p.skip(); !p.take("}") {
		p.fail(p.word(), notAddress)
	}
	return a
}

// list reads addresses and spans, as long as digits follow.
func (p *parser) list() Addresses {
	var spans []span
	for p.skip(); p.err == nil && (len(spans) == 0 || p.digit()); p.skip() {
		first, last, several := strings.Cut(p.word(), "..")
		s := span{first: p.address(first)}
		if s.last = s.first; several && p.take("..") {
			s.last = p.address(last)
		}
		if p.err == nil && s.last < s.first {
			p.at -= len(last)
			p.fail(last, "comes before "+first)
		}
		spans = append(spans, s)
	}
	return Addresses{joined(spans)}
}

func (p *parser) digit() bool {
	return p.rest() != "" && p.rest()[0] >= '0' && p.rest()[0] <= '9'
}

// address reads a word that is an address.
func (p *parser) address(word string) protocols.ID {
	id, err := strconv.ParseUint(word, 10, 31)
	if err != nil {
		p.fail(word, notAddress)
		return 0
	}
	p.at += len(word)
	return protocols.ID(id)
}
