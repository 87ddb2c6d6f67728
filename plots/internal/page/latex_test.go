package page

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLaTeX(t *testing.T) {
	for _, test := range []struct{ markup, want string }{
		{"", ""},
		{"messages", "messages"},
		{"ring size *n*", "ring size $n$"},
		{"*H*_{*n*}", "$H_{n}$"},
		{"*H_{n}*x", "$H_{n}$x"},
		{"n^{2}", "n$^{2}$"},
		{"*T*_{min} of *x*_{*i*}^{2}", `$T_{\mathrm{min}}$ of $x_{i}^{2}$`},
		{"e^{x_{i}}", `e$^{\mathrm{x}_{\mathrm{i}}}$`},
		{"*e^{x_{i}y}*", `$e^{x_{i}y}$`},
		{"*x_{i}^{2}_{j}*", `$x_{i}^{2}{}_{j}$`},
		{"*x^{a_{1}^{2}_{3}}*", `$x^{a_{1}^{2}{}_{3}}$`},
		{"*word* by *word*", `$\mathit{word}$ by $\mathit{word}$`},
		{"x_{the end}", `x$_{\mathrm{the\ end}}$`},
		{"*a%*", `$\mathit{a\mbox{\%}}$`},
		{"2·*n* − 1 ≤ ⌈lg *n*⌉", `2$\cdot$$n$ $-$ 1 $\leq$ $\lceil$lg $n$$\rceil$`},
		{"Itai–Rodeh, Défago", "Itai–Rodeh, Défago"},
		{`50 % & \_\*\{\}\^\\`, `50 \% \& \_*\{\}\textasciicircum{}\textbackslash{}`},
		{"--crash ``x''", `-{}-crash \textasciigrave{}\textasciigrave{}x'{}'`},
		{"two\nlines", "two lines"},
		// No markup: taken literally.
		{"elected_time", `elected\_time`},
		{"2*n", "2*n"},
		{"\xff_", `?\_`},
	} {
		if got := LaTeX(test.markup); got != test.want {
			t.Errorf("LaTeX(%q) = %s; want %s", test.markup, got, test.want)
		}
	}
}

// plainFromLaTeX reads escaped text as LaTeX does. It fails the test for a character with a
// meaning in LaTeX that is not escaped.
func plainFromLaTeX(t *rapid.T, text string) string {
	var b strings.Builder
next:
	for text != "" {
		for _, table := range []map[rune]string{latexCharacters(), latexSymbols()} {
			for r, command := range table {
				if symbol, ok := latexSymbols()[r]; ok {
					command = "$" + strings.TrimSpace(symbol) + "$"
				}
				if rest, ok := strings.CutPrefix(text, command); ok && r != '\u202f' && r != 'µ' && command != "?" {
					b.WriteRune(r)
					text = rest
					continue next
				}
			}
		}
		if rest, ok := strings.CutPrefix(text, "{}"); ok {
			text = rest
			continue
		}
		if strings.ContainsAny(text[:1], "&%$#_{}~^\\<>|`") {
			t.Fatalf("%q is not escaped", text)
		}
		if len(text) > 1 && text[0] == text[1] && strings.ContainsAny(text[:1], ligatures) {
			t.Fatalf("%q begins with a ligature", text)
		}
		b.WriteByte(text[0])
		text = text[1:]
	}
	return b.String()
}

// Escaped text reads as the original, without commands.
func TestLaTeXEscapes(t *testing.T) {
	characters := rapid.RuneFrom([]rune("ab1 &%$#_{}~^\\<>|`-',*\"?!éß–−·≤\u2009\u00a0"))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(characters).Draw(t, "text")
		if got := plainFromLaTeX(t, LaTeX(Escape(s))); got != s {
			t.Fatalf("%q came out as %q", s, got)
		}
	})
}

// For any markup, formulas and groups are closed, and no character has two scripts of a
// kind.
func TestLaTeXFormulasClose(t *testing.T) {
	pieces := rapid.SliceOf(rapid.SampledFrom([]string{"*", "_{", "^{", "}", "n", "word", "2", " ", "%", "é", "≤", `\{`, `\_`}))
	rapid.Check(t, func(t *rapid.T) {
		markup := strings.Join(pieces.Draw(t, "pieces"), "")
		text := LaTeX(markup)
		math, depth := false, 0
		for i := 0; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '$':
				math = !math
				if math && strings.HasPrefix(text[i+1:], "$") {
					t.Fatalf("%q has an empty formula: %s", markup, text)
				}
			case '{':
				depth++
			case '}':
				depth--
			case '_', '^':
				if !math || !strings.HasPrefix(text[i+1:], "{") {
					t.Fatalf("%q has a script outside of a formula, or without a group: %s", markup, text)
				}
			}
			if depth < 0 {
				t.Fatalf("%q closes what is not open: %s", markup, text)
			}
		}
		if math || depth != 0 {
			t.Fatalf("%q does not close: %s", markup, text)
		}
	})
}
