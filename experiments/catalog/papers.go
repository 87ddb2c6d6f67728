package catalog

import (
	_ "embed"
	"fmt"

	"bullring/experiments/trial"
)

//go:embed papers.bib
var papers string

// bibliography is that of the built-in algorithms.
func bibliography() *trial.Bibliography {
	b, err := trial.ParseBibliography(papers)
	if err != nil {
		panic(fmt.Sprintf("catalog: papers.bib, %v", err))
	}
	return b
}
