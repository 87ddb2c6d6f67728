// Package tour takes the page of the tour apart, and puts it together for a terminal or a
// browser. It knows the few signs of Markdown that the page has.
package tour

import (
	"path"
	"strings"

	"bullring/internal/pattern"
)

// Station is a section of the tour.
type Station struct {
	Title string
	Parts []Part
}

// Part is a part of a station.
type Part struct {
	Kind Kind
	Text string // a paragraph in Markdown, a command, code, or what a picture shows
	File string // of a picture, as a command before it names it
}

// Kind is the kind of a part.
type Kind int

// The kinds of parts.
const (
	Prose Kind = iota
	Command
	Code
	Picture
)

// Stations returns the sections of a page, without what stands before the first one.
func Stations(page string) (stations []Station) {
	sections := strings.Split("\n"+page, "\n## ")
	for _, section := range sections[1:] {
		title, body, _ := strings.Cut(section, "\n")
		stations = append(stations, Station{title, parts(body)})
	}
	return stations
}

var picture = pattern.Of(`^!\[(.*)\]\((.*)\)$`)

// parts returns the parts of a section. They are apart by empty lines, but for code.
func parts(body string) (ps []Part) {
	for i, block := range strings.Split(body, "```") {
		language, text, _ := strings.Cut(block, "\n")
		switch {
		case i%2 == 1 && language == "console":
			ps = append(ps, commands(text)...)
		case i%2 == 1:
			ps = append(ps, Part{Kind: Code, Text: text})
		default:
			ps = append(ps, paragraphs(block)...)
		}
	}
	return ps
}

// commands returns the commands of a console block, without what they print.
func commands(text string) (ps []Part) {
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			ps = append(ps, Part{Kind: Command, Text: strings.TrimSpace(command)})
		}
	}
	return ps
}

func paragraphs(text string) (ps []Part) {
	for _, paragraph := range strings.Split(text, "\n\n") {
		paragraph = strings.Join(strings.Fields(paragraph), " ")
		if m := picture().FindStringSubmatch(paragraph); m != nil {
			ps = append(ps, Part{Picture, m[1], path.Base(m[2])})
		} else if paragraph != "" {
			ps = append(ps, Part{Kind: Prose, Text: paragraph})
		}
	}
	return ps
}

// Words splits a command as a shell does. Single quotes keep spaces.
func Words(command string) []string {
	quoted := false
	words := strings.FieldsFunc(command, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "'", "")
	}
	return words
}

var link = pattern.Of(`\[([^]]*)\]\(([^)]*)\)`)

// Plain is a paragraph for a terminal.
func Plain(paragraph string) string { return link().ReplaceAllString(paragraph, "$1 (docs/$2)") }
