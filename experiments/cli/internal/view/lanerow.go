package view

import (
	"fmt"
	"unicode"

	textwidth "golang.org/x/text/width"
)

// signs are the characters of lanes.
type signs struct {
	lane, down               string // of a process that lives, and of one that has crashed
	line, cross, right, left string // of an arrow, and where it crosses a lane
	fromLeft, fromRight      string // the lane of the sender
	fault                    string
	of                       map[string]string // by the word of the event
}

var boxes = signs{
	lane: "│", down: "┊", line: "─", cross: "┼", right: "▶", left: "◀", fromLeft: "├", fromRight: "┤", fault: "╌",
	of: map[string]string{
		"start": "▲", "boot": "▲", "deliver": "●", "timeout": "◆", "crash": "✖", "restart": "△",
		"lost": "╳", "damaged": "╳", "lose": "╳", "cut": "╳", "collide": "╳",
	},
}

var ascii = signs{
	lane: "|", down: ":", line: "-", cross: "+", right: ">", left: "<", fromLeft: "|", fromRight: "|", fault: ".",
	of: map[string]string{
		"start": "^", "boot": "^", "deliver": "o", "timeout": "#", "crash": "X", "restart": "A",
		"lost": "x", "damaged": "x", "lose": "x", "cut": "x", "collide": "x",
	},
}

// legend explains the signs.
func (s signs) legend() string {
	return fmt.Sprintf("%s start  %s delivery  %s loss  %s timeout  %s crash  %s restart",
		s.of["start"], s.of["deliver"], s.of["lost"], s.of["timeout"], s.of["crash"], s.of["restart"])
}

// row is a line of text by column. The second column of a wide letter is empty.
type row []string

// put writes a text from a column on. What does not fit is left out.
func (r row) put(at int, text string) {
	for _, letter := range text {
		w := width(string(letter))
		switch {
		case at+w > len(r):
			return
		case w == 0 && at > 0:
			r[at-1] += string(letter) // an accent
			continue
		case w == 2:
			r[at+1] = ""
		}
		r[at] = string(letter)
		at += w
	}
}

// width is the number of columns that a text takes in a terminal.
func width(text string) (columns int) {
	for _, letter := range text {
		switch kind := textwidth.LookupRune(letter).Kind(); {
		case unicode.In(letter, unicode.Mn, unicode.Me):
		case kind == textwidth.EastAsianWide || kind == textwidth.EastAsianFullwidth:
			columns += 2
		default:
			columns++
		}
	}
	return columns
}
