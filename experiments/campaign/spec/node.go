package spec

import (
	"fmt"
	"strings"
)

// kind is the YAML type of a node.
type kind int

const (
	refused  kind = iota // reported already: readers ignore it
	null                 // nothing
	boolean              // true or false
	number               // an integer or a float, in any notation
	text                 // a word or a sentence, quoted or not
	sequence             // a list
	mapping              // keys and values
)

// node is a value of the file with its place.
type node struct {
	kind   kind
	pos    Pos
	text   string // of a scalar: as written, without its quotes
	quoted bool
	items  []*node // of a list
	pairs  []pair  // of a mapping
}

type pair struct{ key, value *node }

// describe names the value in errors.
func (n *node) describe() string {
	switch n.kind {
	case null:
		return "nothing"
	case boolean:
		return fmt.Sprintf("the boolean %s", n.text)
	case number:
		return fmt.Sprintf("the number %s", shorten(n.text))
	case sequence:
		return "a list"
	case mapping:
		return "a mapping"
	}
	return fmt.Sprintf("the text %q", shorten(n.text))
}

// shorten cuts a value for a message.
func shorten(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return s
}

// rejoinItems finds values that YAML cut in two: within brackets a comma ends a value, so
// [uniform(0,2ms)] is the list of uniform(0 and 2ms). It reports them and returns the list
// with the pieces as one refused value.
func (r yamlReader) rejoinItems(items []*node) []*node {
	var joined []*node
	for i := 0; i < len(items); i++ {
		end := closing(len(items), i, func(j int) *node { return items[j] })
		if end > i {
			r.cutCall(items[i].pos, items[i:end+1])
			joined = append(joined, &node{kind: refused, pos: items[i].pos})
			i = end
			continue
		}
		joined = append(joined, items[i])
	}
	return joined
}

// rejoinPairs does the same within braces, where later pieces have become keys.
func (r yamlReader) rejoinPairs(pairs []pair) []pair {
	var joined []pair
	for i := 0; i < len(pairs); i++ {
		pieceAt := func(j int) *node {
			if j == i {
				return pairs[j].value
			}
			return pairs[j].key
		}
		end := closing(len(pairs), i, pieceAt)
		if end > i {
			pieces := []*node{pairs[i].value}
			for _, p := range pairs[i+1 : end+1] {
				pieces = append(pieces, p.key)
			}
			r.cutCall(pairs[i].value.pos, pieces)
			joined = append(joined, pair{key: pairs[i].key, value: &node{kind: refused, pos: pairs[i].value.pos}})
			i = end
			continue
		}
		joined = append(joined, pairs[i])
	}
	return joined
}

// closing returns the index of the piece that closes the parenthesis that piece i leaves
// open, or i if there is none.
func closing(count, i int, piece func(int) *node) int {
	if first := piece(i); first.kind != text || first.quoted {
		return i
	}
	open := 0
	for j := i; j < count; j++ {
		open += strings.Count(piece(j).text, "(") - strings.Count(piece(j).text, ")")
		if open <= 0 {
			return j
		}
	}
	return i
}

// cutCall reports the pieces of a value that a comma cut.
func (r yamlReader) cutCall(at Pos, pieces []*node) {
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = p.text
	}
	call := strings.Join(texts, ",")
	r.hintf(at, fmt.Sprintf("write %q", call), "within brackets a comma ends a value unless it is quoted")
}
