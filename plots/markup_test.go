package plots

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"bullring/plots/internal/page"
)

func TestParseMarkup(t *testing.T) {
	for _, test := range []struct {
		src  string
		want []page.Run
	}{
		{"", nil},
		{"messages", []page.Run{{Text: "messages"}}},
		{"ring size *n*", []page.Run{{Text: "ring size "}, {Text: "n", Italic: true}}},
		{"*H*_{*n*}", []page.Run{{Text: "H", Italic: true}, {Text: "n", Italic: true, Level: "_"}}},
		{"*H_{n}*x", []page.Run{{Text: "H", Italic: true}, {Text: "n", Italic: true, Level: "_"}, {Text: "x"}}},
		{"n^{2}", []page.Run{{Text: "n"}, {Text: "2", Level: "^"}}},
		{"e^{x_{i}}", []page.Run{{Text: "e"}, {Text: "x", Level: "^"}, {Text: "i", Level: "^_"}}},
		{"x_{i}^{2}", []page.Run{{Text: "x"}, {Text: "i", Level: "_"}, {Text: "2", Level: "^"}}},
		{`a\_b \*c\* \{\}\^\\`, []page.Run{{Text: `a_b *c* {}^\`}}},
		{"**", nil},
		{"O(*n*^2)", []page.Run{{Text: "O("}, {Text: "n", Italic: true}, {Text: "^2)"}}},
		{"x_a_{b_c^}_", []page.Run{{Text: "x_a"}, {Text: "b_c^", Level: "_"}, {Text: "_"}}},
		{"Chang–Roberts 2·*N* − 1", []page.Run{{Text: "Chang–Roberts 2·"}, {Text: "N", Italic: true}, {Text: " − 1"}}},
	} {
		got, err := page.ParseMarkup(test.src)
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
		_, err := page.ParseMarkup(src)
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
		runs, err := page.ParseMarkup(s)
		if err == nil {
			for i, r := range runs {
				if r.Text == "" || len(r.Level) > page.MaxLevel {
					t.Errorf("%q: run %+v", s, r)
				}
				if i > 0 && r.Italic == runs[i-1].Italic && r.Level == runs[i-1].Level {
					t.Errorf("%q: runs %d and %d have one style", s, i-1, i)
				}
			}
		}
		if !utf8.ValidString(s) {
			return
		}
		runs, err = page.ParseMarkup(Escape(s))
		if err != nil {
			t.Fatalf("Escape(%q): %v", s, err)
		}
		if s != "" && (len(runs) != 1 || runs[0] != (page.Run{Text: s})) {
			t.Errorf("Escape(%q) parses as %v", s, runs)
		}
	})
}

func TestTypesetterRefusesMissingGlyphs(t *testing.T) {
	if _, err := page.NewTypesetter().Set("⌈lg *n*⌉", 8); err == nil || !strings.Contains(err.Error(), "U+2308") {
		t.Errorf("error %v does not name the missing U+2308", err)
	}
}

func TestTypesetterScripts(t *testing.T) {
	types := page.NewTypesetter()
	line, err := types.Set("x_{i}^{2}", 10)
	if err != nil {
		t.Fatal(err)
	}
	base, sub, super := line.Glyphs[0], line.Glyphs[1], line.Glyphs[2]
	if base.At.Y != 0 || sub.At.Y >= 0 || super.At.Y <= 0 {
		t.Errorf("baselines %v, %v, %v", base.At.Y, sub.At.Y, super.At.Y)
	}
	if sub.Size >= base.Size || super.Size != sub.Size {
		t.Errorf("sizes %v, %v, %v", base.Size, sub.Size, super.Size)
	}
	// A factor of two rounds nothing.
	if wider := types.MustSet("x_{i}^{2}", 20); wider.Width != 2*line.Width {
		t.Errorf("width %v at 10 pt, %v at 20 pt", line.Width, wider.Width)
	}
}
