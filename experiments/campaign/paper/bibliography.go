package paper

import (
	"slices"
	"strings"

	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/plots"
)

// BibTeX returns the entries of the papers from which the algorithms come, each once, in
// the order of the algorithms, and an entry for this program. It is an error if the
// registry's bibliography lacks a paper.
func BibTeX(r *trial.Registry, algorithms []*trial.Algorithm) (string, error) {
	papers, err := r.Papers(algorithms)
	if err != nil {
		return "", err
	}
	return bibTeX(papers, build.ThisProgram()), nil
}

// bibTeX joins entries and one for the program.
func bibTeX(entries []string, p build.Program) string {
	return strings.Join(append(slices.Clone(entries), programBibTeX(p)), "\n\n")
}

// programBibTeX is the entry for the program. Every style of BibTeX knows its type.
func programBibTeX(p build.Program) string {
	return `@misc{bullring,
  author       = {{bullring}},
  title        = {{bullring}: Distributed Algorithms, Message by Message, in Virtual Time},
  howpublished = {Software},
  note         = {Version ` + plots.LaTeX(plots.Escape(p.String())) + `},
}
`
}
