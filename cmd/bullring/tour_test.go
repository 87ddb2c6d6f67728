package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bullring/docs"
)

// The tour prints what its page says, command by command.
func TestTourIsItsPage(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	printed := steady(run(t, shell(t, root), "bullring tour </dev/null 2>/dev/null"))
	continued := regexp.MustCompile(`(?m)^(\$ .*) \\\n {4}`) // a command that is longer than a line
	for continued.MatchString(printed) {
		printed = continued.ReplaceAllString(printed, "$1 ")
	}
	blocks := regexp.MustCompile("(?ms)^```console\n(.*?)^```").FindAllStringSubmatch(docs.Tour, -1)
	if len(blocks) < 8 {
		t.Fatalf("the page has %d console blocks", len(blocks))
	}
	for _, block := range blocks {
		for _, step := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			if step = strings.TrimRight("$ "+step, "\n"); !strings.Contains(printed, strings.TrimRight(steady(step), "\n")) {
				t.Errorf("the tour does not print\n%s", step)
			}
		}
	}
}

// The page for a browser is well-formed and has each picture in it, and a file that is no tour
// stays.
func TestTourAsPage(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	if out := run(t, dir, "bullring tour -o tour.html && bullring tour -o tour.html"); strings.Contains(out, "exit status") {
		t.Fatal(out)
	}
	page, err := os.ReadFile(filepath.Join(dir, "tour.html"))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Count(docs.Tour, "]("+"figures/"); bytes.Count(page, []byte("src=\"data:image/png;base64,iVBOR")) != want {
		t.Errorf("the page does not have the %d pictures of the tour", want)
	}
	if outside := regexp.MustCompile(`(href|src)="(?:[^#d]|d[^a])`).Find(page); outside != nil || bytes.Contains(page, []byte(dir)) {
		t.Errorf("the page leads elsewhere: %s", outside)
	}
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "mine.html", "<p>mine</p>")
	if out := run(t, dir, "bullring tour -o mine.html"); !strings.Contains(out, "mine.html is there, and is not a tour that bullring wrote") || !strings.Contains(out, "(exit status 2)") {
		t.Error(out)
	}
}
