package plots

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseMarkup(t *testing.T) {
	for _, test := range []struct {
		src  string
		want []run
	}{
		{"", nil},
		{"messages", []run{{text: "messages"}}},
		{"ring size *n*", []run{{text: "ring size "}, {text: "n", italic: true}}},
		{"*H*_{*n*}", []run{{text: "H", italic: true}, {text: "n", italic: true, level: "_"}}},
		{"*H_{n}*x", []run{{text: "H", italic: true}, {text: "n", italic: true, level: "_"}, {text: "x"}}},
		{"n^{2}", []run{{text: "n"}, {text: "2", level: "^"}}},
		{"e^{x_{i}}", []run{{text: "e"}, {text: "x", level: "^"}, {text: "i", level: "^_"}}},
		{"x_{i}^{2}", []run{{text: "x"}, {text: "i", level: "_"}, {text: "2", level: "^"}}},
		{`a\_b \*c\* \{\}\^\\`, []run{{text: `a_b *c* {}^\`}}},
		{"**", nil},
		{"O(*n*^2)", []run{{text: "O("}, {text: "n", italic: true}, {text: "^2)"}}},
		{"x_a_{b_c^}_", []run{{text: "x_a"}, {text: "b_c^", level: "_"}, {text: "_"}}},
		{"Chang–Roberts 2·*N* − 1", []run{{text: "Chang–Roberts 2·"}, {text: "N", italic: true}, {text: " − 1"}}},
	} {
		got, err := parseMarkup(test.src)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("parseMarkup(%q) = %v, %v; want %v", test.src, got, err, test.want)
		}
	}
}

func TestParseMarkupErrors(t *testing.T) {
	for src, want := range map[string]string{
		"x_{i":              "_{ without }",
		"i}":                "} without {",
		"{i}":               "{ without _ or ^",
		"*n":                "* without a second *",
		"*x_{i*}":           "* without a second * before }",
		`\n`:                `\ before none of`,
		`\`:                 `\ before none of`,
		"a_{b_{c_{d}}}":     "nested more than 2 deep",
		"\xff":              "not UTF-8",
		"a^{b^{c}} d^{e_{f": "_{ without }",
	} {
		_, err := parseMarkup(src)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseMarkup(%q): %v; want %q", src, err, want)
		}
	}
}

func TestPlainText(t *testing.T) {
	for src, want := range map[string]string{
		"*n* · *H*_{*n*}": "n · H_n",
		"*n*^{2}/4":       "n^2/4",
		`a\_b`:            "a_b",
		"broken _":        "broken _",
	} {
		if got := Plain(src); got != want {
			t.Errorf("Plain(%q) = %q; want %q", src, got, want)
		}
	}
}

// The parser returns for any text, and escaped text parses to the original.
func FuzzMarkup(f *testing.F) {
	for _, seed := range []string{"", "*n*^{2}", "H_{n}", `\*`, "a_{b^{c}}", "}{", "é\u2009−"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		runs, err := parseMarkup(s)
		if err == nil {
			for i, r := range runs {
				if r.text == "" || len(r.level) > maxLevel {
					t.Errorf("%q: run %+v", s, r)
				}
				if i > 0 && r.italic == runs[i-1].italic && r.level == runs[i-1].level {
					t.Errorf("%q: runs %d and %d have one style", s, i-1, i)
				}
			}
		}
		if !utf8.ValidString(s) {
			return
		}
		runs, err = parseMarkup(Escape(s))
		if err != nil {
			t.Fatalf("Escape(%q): %v", s, err)
		}
		if s != "" && (len(runs) != 1 || runs[0] != (run{text: s})) {
			t.Errorf("Escape(%q) parses as %v", s, runs)
		}
	})
}

func TestTypesetterRefusesMissingGlyphs(t *testing.T) {
	if _, err := newTypesetter().set("⌈lg *n*⌉", 8); err == nil || !strings.Contains(err.Error(), "U+2308") {
		t.Errorf("error %v does not name the missing U+2308", err)
	}
}

func TestTypesetterScripts(t *testing.T) {
	types := newTypesetter()
	line, err := types.set("x_{i}^{2}", 10)
	if err != nil {
		t.Fatal(err)
	}
	base, sub, super := line.glyphs[0], line.glyphs[1], line.glyphs[2]
	if base.at.Y != 0 || sub.at.Y >= 0 || super.at.Y <= 0 {
		t.Errorf("baselines %v, %v, %v", base.at.Y, sub.at.Y, super.at.Y)
	}
	if sub.size >= base.size || super.size != sub.size {
		t.Errorf("sizes %v, %v, %v", base.size, sub.size, super.size)
	}
	// A factor of two rounds nothing.
	if wider := types.mustSet("x_{i}^{2}", 20); wider.width != 2*line.width {
		t.Errorf("width %v at 10 pt, %v at 20 pt", line.width, wider.width)
	}
}
