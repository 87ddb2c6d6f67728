package page

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// LaTeX converts markup to LaTeX: italics and scripts become formulas, and every character
// with a meaning in LaTeX is escaped. Text that is no markup is taken literally. The
// result can stand in a paragraph, a caption or a cell of a table. It needs the input
// encoding UTF-8, and the font encoding T1 for characters such as < and |.
func LaTeX(markup string) string {
	runs, err := ParseMarkup(markup)
	if err != nil {
		runs = []Run{{Text: strings.ToValidUTF8(markup, "?")}}
	}
	w := latexWriter{}
	for _, r := range runs {
		w.run(r)
	}
	w.text()
	return w.out.String()
}

// latexWriter writes runs one after another, those of a formula between two $.
type latexWriter struct {
	out   strings.Builder
	level string // of the last run: the open scripts
	math  bool
	// scripts are the scripts of the last character of each open level: it may have
	// one of a kind.
	scripts [MaxLevel + 1]string
}

func (w *latexWriter) run(r Run) {
	if !r.Italic && r.Level == "" {
		w.text()
		w.out.WriteString(latexText(r.Text))
		return
	}
	if !w.math {
		w.out.WriteByte('$')
		w.math = true
	}
	w.open(r.Level)
	w.out.WriteString(latexFormula(r.Text, r.Italic))
	w.scripts[len(w.level)] = ""
}

// text ends a formula.
func (w *latexWriter) text() {
	if !w.math {
		return
	}
	w.open("")
	w.out.WriteByte('$')
	w.math, w.scripts[0] = false, ""
}

// open closes and opens scripts up to the level.
func (w *latexWriter) open(level string) {
	for !strings.HasPrefix(level, w.level) {
		w.out.WriteByte('}')
		w.level = w.level[:len(w.level)-1]
	}
	for len(w.level) < len(level) {
		depth, script := len(w.level), level[len(w.level):len(w.level)+1]
		if strings.Contains(w.scripts[depth], script) {
			w.out.WriteString("{}") // carries the script in place of the previous character
			w.scripts[depth] = ""
		}
		w.scripts[depth] += script
		w.scripts[depth+1] = ""
		w.out.WriteString(script + "{")
		w.level += script
	}
}

// latexSymbols are characters that pdfLaTeX does not know, as symbols of formulas.
var latexSymbols = sync.OnceValue(func() map[rune]string {
	return map[rune]string{
		'−': `-`, '·': `\cdot `, '×': `\times `, '÷': `\div `, '±': `\pm `, '≤': `\leq `, '≥': `\geq `, '≠': `\neq `,
		'≈': `\approx `, '∞': `\infty `, '√': `\surd `, '→': `\to `, '⌈': `\lceil `, '⌉': `\rceil `, '⌊': `\lfloor `,
		'⌋': `\rfloor `, 'α': `\alpha `, 'β': `\beta `, 'γ': `\gamma `, 'δ': `\delta `, 'ε': `\varepsilon `,
		'λ': `\lambda `, 'μ': `\mu `, 'µ': `\mu `, 'π': `\pi `, 'ρ': `\rho `, 'σ': `\sigma `, 'τ': `\tau `, 'φ': `\varphi `, 'ω': `\omega `,
		'Δ': `\Delta `, 'Θ': `\Theta `, 'Σ': `\Sigma `, 'Ω': `\Omega `,
	}
})

// latexCharacters are the characters that have a meaning in LaTeX, as text.
var latexCharacters = sync.OnceValue(func() map[rune]string {
	return map[rune]string{
		'&': `\&`, '%': `\%`, '$': `\$`, '#': `\#`, '_': `\_`, '{': `\{`, '}': `\}`,
		'~': `\textasciitilde{}`, '^': `\textasciicircum{}`, '\\': `\textbackslash{}`,
		'<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`, '`': `\textasciigrave{}`,
		'\u00a0': `~`, '\u2009': `\,`, '\u202f': `\,`, utf8.RuneError: `?`,
	}
})

// ligatures are the characters that fonts join with an equal character before them.
const ligatures = "-',"

// latexText escapes text outside of formulas.
func latexText(s string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range s {
		if r == last && strings.ContainsRune(ligatures, r) {
			b.WriteString("{}")
		}
		last = r
		symbol, formula := latexSymbols()[r]
		character, escaped := latexCharacters()[r]
		switch {
		case formula:
			b.WriteString("$" + strings.TrimSpace(symbol) + "$")
		case escaped:
			b.WriteString(character)
		case unicode.IsControl(r):
			b.WriteByte(' ') // a line break would end a paragraph, and tables have none
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// latexFormula escapes text in a formula. A single letter is a variable, which formulas
// set in italics; several letters are a word.
func latexFormula(s string, italic bool) string {
	var b strings.Builder
	for _, r := range s {
		symbol, known := latexSymbols()[r]
		switch {
		case known:
			b.WriteString(symbol)
		case unicode.IsSpace(r) || unicode.IsControl(r):
			b.WriteString(`\ `)
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("+-*/=()[].,:;!?", r)):
			b.WriteRune(r)
		default:
			b.WriteString(`\mbox{` + latexText(string(r)) + `}`)
		}
	}
	letters := strings.ContainsFunc(s, unicode.IsLetter)
	switch {
	case letters && !italic:
		return `\mathrm{` + b.String() + `}`
	case letters && utf8.RuneCountInString(s) > 1:
		return `\mathit{` + b.String() + `}`
	}
	return b.String()
}
