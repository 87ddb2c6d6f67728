package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// An escaper escapes what a terminal acts upon, wherever the text is cut into writes.
func TestEscaper(t *testing.T) {
	for text, want := range map[string]string{
		"one\ttwo\n":            "one\ttwo\n",
		"αβγ 世界 🙂 é":            "αβγ 世界 🙂 é",
		"\uFFFD":                "\uFFFD",
		"a\x00b\rc\x1b[2Jd\x7f": `a\u0000b\u000dc\u001b[2Jd\u007f`,
		"\u009b31m":             `\u009b31m`,
		"\u202eabc\u202c\u2066\u2069\u200f\u061c": `\u202eabc\u202c\u2066\u2069\u200f\u061c`,
		"\xff\xc3(\xe2\x82":                       `\xff\xc3(\xe2\x82`,
		"x\xf0\x9f\x99":                           `x\xf0\x9f\x99`,
	} {
		for cut := range len(text) {
			for _, second := range []int{cut, len(text)} {
				var got strings.Builder
				e := &escaper{beneath: &got}
				for _, part := range []string{text[:cut], text[cut:second], text[second:]} {
					if n, err := e.Write([]byte(part)); n != len(part) || err != nil {
						t.Fatalf("%q: wrote %d of %d bytes, %v", text, n, len(part), err)
					}
				}
				if e.flush(); got.String() != want {
					t.Errorf("%q, cut at %d: %s, want %s", text, cut, got.String(), want)
				}
			}
		}
	}
}

// sober reports whether a terminal would act upon nothing in a text.
func sober(text string) bool { return utf8.ValidString(text) && escaped(text) == text }

// What is not ours reaches no terminal as it is: a panic, the messages and the standard error
// of a program, the note of a case, the title of a sweep, the name of a file, an argument.
func TestNoEscapesOfOthers(t *testing.T) {
	programs(t)
	right := strings.ReplaceAll(string(read(t, "lcr.py")), "json.dumps(", "json.dumps(ensure_ascii=False, obj=")
	for name, text := range map[string]string{
		"says.py":     strings.Replace(right, `"rank": rank}`, `"rank": rank, "say": "\x1b[2J\u202e\x7f\x9b"}`, 1),
		"dies.py":     "import sys\nsys.stderr.buffer.write(b'\\x1b[2J\\xff\\x9b31m\\n')\nsys.exit(3)\n",
		"garbage.py":  "import sys\nsys.stdout.buffer.write(b'\\x1b]0;owned\\x07\\xff\\n')\nsys.stdout.flush()\ninput()\ninput()\n",
		"s.yaml":      "name: s\ntitle: \"\\e[2J\\u202e\"\nreplicates: 1\nalgorithms: {algorithm: lcr, label: \"a\\e[2J\"}\naxes: {n: 3}\n",
		"\x1b[2J.txt": "{}",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	note := "\x1b[2J\u202e"
	for _, args := range [][]string{
		{"run", "--node", "python3 says.py", "--n", "3", "--topology", "ring", "--trace"},
		{"run", "--node", "python3 says.py", "--n", "3", "--topology", "ring", "--trace=lanes"},
		{"run", "--node", "python3 says.py", "--n", "3", "--topology", "ring", "--trace", "--json"},
		{"why", "--node", "python3 says.py", "--n", "3", "--topology", "ring"},
		{"export", "--node", "python3 says.py", "--n", "3", "--topology", "ring", "--as", "dot"},
		{"export", "--node", "python3 says.py", "--n", "3", "--topology", "ring", "--as", "mermaid"},
		{"view", "--node", "python3 says.py", "--n", "3", "--topology", "ring", "-o", "-"},
		{"run", "--node", "python3 dies.py", "--n", "3"},
		{"run", "--node", "python3 garbage.py", "--n", "3"},
		{"shrink", "lcr", "--n", "3", "--fault", "drop 4th message", "--outside-model", "-o", "c.json", "--note", note},
		{"replay", "c.json"},
		{"sweep", "s.yaml", "-o", "out\x1b[2J"},
		{"status", "out\x1b[2J"},
		{"verify", "out\x1b[2J"},
		{"why", "\x1b[2J.txt"},
		{"why", "\x1b[2J\u202e\xff"},
		{"run", "lcr", "--\x1b[2J"},
		{"\u202e\xff"},
	} {
		got := bullring(t, args...)
		if !sober(got.out) || !sober(got.errors) {
			t.Errorf("%q: a terminal acts upon\n%q\n%q", args, got.out, got.errors)
		}
		if len(got.out)+len(got.errors) == 0 {
			t.Errorf("%q says nothing", args)
		}
	}
	var shown struct {
		Failed string
	}
	got := perform(t.Context(), badRegistry(), "why", "bad", "--n", "4", "--variant", "escapes", "--json")
	if err := json.Unmarshal([]byte(got.out), &shown); err != nil || !sober(got.out) || !strings.Contains(shown.Failed, "\x1b[2J\u202eboom\x7f\u0085\uFFFD") {
		t.Errorf("as JSON: %q, %v\n%s", shown.Failed, err, got.out)
	}
}
