package house_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// index lists the pages of docs by reader.
const index = "docs/README.md"

// readmeLines is the most lines that README.md may have. What does not fit belongs to a page.
const readmeLines = 200

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`^#+ (.*)$`)
	markup  = regexp.MustCompile("\\[([^\\]]*)\\]\\([^)]*\\)|[`*]|<[^>]*>")
)

// pages are the Markdown files of the project.
func pages(t *testing.T) []string {
	t.Helper()
	inDocs, err := filepath.Glob("docs/*.md")
	if err != nil || len(inDocs) < 20 {
		t.Fatal(inDocs, err)
	}
	return append(inDocs, "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
}

// prose returns the lines of a page that are outside its fenced blocks.
func prose(t *testing.T, page string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	fenced := false
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// linked returns the targets of the links of a page that lead into the project, from the
// project's root, with their anchors.
func linked(t *testing.T, page string) (targets []string) {
	t.Helper()
	for _, m := range link.FindAllStringSubmatch(strings.Join(prose(t, page), "\n"), -1) {
		target, anchor, _ := strings.Cut(m[1], "#")
		switch {
		case strings.Contains(target, "://"):
			continue
		case target == "":
			target = filepath.Base(page)
		}
		target = filepath.Join(filepath.Dir(page), filepath.FromSlash(target))
		if anchor != "" {
			target += "#" + anchor
		}
		targets = append(targets, target)
	}
	return targets
}

// anchors returns the anchors of the headings of a page, as GitHub makes them.
func anchors(t *testing.T, page string) (all []string) {
	t.Helper()
	for _, line := range prose(t, page) {
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, markup.ReplaceAllString(m[1], "$1"))
		all = append(all, slug)
	}
	return all
}

func TestLinksResolve(t *testing.T) {
	for _, page := range pages(t) {
		for _, target := range linked(t, page) {
			file, anchor, _ := strings.Cut(target, "#")
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", page, target, err)
			} else if anchor != "" && !slices.Contains(anchors(t, file), anchor) {
				t.Errorf("%s links to %s, which has no such heading", page, target)
			}
		}
	}
}

// A reader finds each page by the index.
func TestIndexHasEveryPage(t *testing.T) {
	indexed := linked(t, index)
	for _, page := range pages(t) {
		listed := slices.ContainsFunc(indexed, func(target string) bool {
			file, _, _ := strings.Cut(target, "#")
			return file == page
		})
		if !listed && page != index && page != "CHANGELOG.md" {
			t.Errorf("%s does not list %s", index, page)
		}
	}
}

func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > readmeLines {
		t.Errorf("README.md has %d lines; at most %d: move what is over to a page", lines, readmeLines)
	}
}
