package catalog

import (
	"embed"

	"bullring/experiments"
)

// docs are the comments of the packages of the algorithms, as they stand in the
// source: a file each, which a test keeps true.
//
//go:embed docs/*.txt
var docs embed.FS

// documented gives algorithms the comments of their packages.
func documented(algorithms []experiments.Algorithm) []experiments.Algorithm {
	for i := range algorithms {
		a := &algorithms[i]
		text, err := docs.ReadFile("docs/" + a.Name + ".txt")
		if err != nil {
			continue // a test finds it
		}
		a.Doc = string(text)
	}
	return algorithms
}
