package page

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Run is a stretch of text set in one style.
type Run struct {
	Text   string
	Italic bool
	// Level lists the scripts the run is in, outermost first: '_' or '^'.
	Level string
}

// MaxLevel bounds the nesting of scripts: a third level would be printed at
// less than 3 pt.
const MaxLevel = 2

// special are the characters that have a meaning in the markup.
const special = `*_^{}\`

// ParseMarkup splits s into runs. Adjacent runs differ in style and none is
// empty.
func ParseMarkup(s string) ([]Run, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("%q is not UTF-8", s)
	}
	p := markupParser{src: s}
	for p.pos < len(s) {
		if err := p.step(); err != nil {
			return nil, fmt.Errorf("%q, byte %d: %w", s, p.pos, err)
		}
	}
	switch {
	case p.level != "":
		return nil, fmt.Errorf("%q: %c{ without }", s, p.level[len(p.level)-1])
	case p.italic:
		return nil, fmt.Errorf(`%q: * without a second *; a literal one is \*`, s)
	}
	return p.runs, nil
}

type markupParser struct {
	src    string
	pos    int
	level  string
	italic bool
	// opened remembers for each open script whether italics were on at its
	// brace: they must be so again when it closes.
	opened []bool
	runs   []Run
}

// step consumes one character or one mark.
func (p *markupParser) step() error {
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	rest := p.src[p.pos+size:]
	switch {
	case r == '\\':
		return p.escaped(rest)
	case r == '*':
		p.italic = !p.italic
	case (r == '_' || r == '^') && strings.HasPrefix(rest, "{"):
		if len(p.level) == MaxLevel {
			return fmt.Errorf("scripts nested more than %d deep", MaxLevel)
		}
		p.level += string(r)
		p.opened = append(p.opened, p.italic)
		size++
	case r == '{':
		return fmt.Errorf(`{ without _ or ^; a literal one is \{`)
	case r == '}':
		if p.level == "" {
			return fmt.Errorf(`} without {; a literal one is \}`)
		}
		last := len(p.level) - 1
		if p.italic != p.opened[last] {
			return fmt.Errorf("* without a second * before }")
		}
		p.level, p.opened = p.level[:last], p.opened[:last]
	default:
		p.emit(p.src[p.pos : p.pos+size])
	}
	p.pos += size
	return nil
}

// escaped consumes a backslash and the character after it.
func (p *markupParser) escaped(rest string) error {
	if rest == "" || !strings.Contains(special, rest[:1]) {
		return fmt.Errorf(`\ before none of %s`, special)
	}
	p.emit(rest[:1])
	p.pos += 2
	return nil
}

// emit appends text to the last run if its style is the current one, else to a new run.
func (p *markupParser) emit(text string) {
	if n := len(p.runs); n > 0 && p.runs[n-1].Italic == p.italic && p.runs[n-1].Level == p.level {
		p.runs[n-1].Text += text
		return
	}
	p.runs = append(p.runs, Run{Text: text, Italic: p.italic, Level: p.level})
}

// Escape returns s with a backslash before every character that has a meaning
// in the markup.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Plain returns s without its markup, for places that show only characters.
// Scripts keep their mark: "n^{2}" becomes "n^2".
func Plain(s string) string {
	runs, err := ParseMarkup(s)
	if err != nil {
		return s
	}
	var b strings.Builder
	level := ""
	for _, r := range runs {
		if r.Level != level && r.Level != "" {
			b.WriteByte(r.Level[len(r.Level)-1])
		}
		level = r.Level
		b.WriteString(r.Text)
	}
	return b.String()
}
