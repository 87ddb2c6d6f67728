package paper

import (
	"slices"
	"strings"

	"bullring/experiments"
	"bullring/internal/build"
)

// BibTeX returns the entries of the papers that the algorithms are from, each once, in
// the order in which they are first named, and behind them one for this program. It is
// an error if a paper is not in the bibliography of the registry.
func BibTeX(r *experiments.Registry, algorithms []*experiments.Algorithm) (string, error) {
	papers, err := r.Papers(algorithms)
	if err != nil {
		return "", err
	}
	return bibTeX(papers, build.ThisProgram()), nil
}

// bibTeX is a file of entries, and one for the program.
func bibTeX(entries []string, p build.Program) string {
	return strings.Join(append(slices.Clone(entries), programBibTeX(p)), "\n\n")
}

// programBibTeX is an entry for the program. Its type is one that every style of BibTeX has.
func programBibTeX(p build.Program) string {
	return `@misc{bullring,
  author       = {{bullring}},
  title        = {{bullring}: Distributed Algorithms, Message by Message, in Virtual Time},
  howpublished = {Software},
  note         = {Version ` + latexText(p.String()) + `},
}
`
}
