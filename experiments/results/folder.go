package results

import "strings"

// The documents of a folder of results: what whoever finds it needs.
const (
	ReadmeFile    = "README.md"
	TableFile     = "summary.tex"
	PapersFile    = "papers.bib"
	CitationFile  = "CITATION.cff"
	ReproduceFile = "reproduce.sh"
	FiguresDir    = "figures"
)

// QuoteShell quotes a word for a shell.
func QuoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
