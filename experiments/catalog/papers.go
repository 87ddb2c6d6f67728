package catalog

import (
	_ "embed"
	"fmt"

	"bullring/experiments"
)

//go:embed papers.bib
var papers string

// bibliography is that of the built-in algorithms.
func bibliography() *experiments.Bibliography {
	b, err := experiments.ParseBibliography(papers)
	if err != nil {
		panic(fmt.Sprintf("catalog: papers.bib, %v", err))
	}
	return b
}
