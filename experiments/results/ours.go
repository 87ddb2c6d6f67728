package results

import "bullring/experiments/spec"

// DocumentFiles are the documents of a folder, and its manifest, which lists them.
var DocumentFiles = []string{TableFile, PapersFile, CitationFile, ReproduceFile, ReadmeFile, ManifestFile}

// FigureFiles are the files of figures.
func FigureFiles(figures []spec.Figure) []string {
	var names []string
	for i := range figures {
		for _, extension := range []string{".png", ".svg", ".pdf", ".csv", ".txt", ".tex"} {
			names = append(names, FiguresDir+"/"+figures[i].Name+extension)
		}
	}
	return names
}
