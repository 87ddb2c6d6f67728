package paper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/plots"
)

// readme is the page that explains the folder.
func readme(folder *results.Folder, m *results.Manifest, cells *results.Overview) string {
	var b strings.Builder
	p := printer(&b)
	p("# %s\n", markdown(plots.Plain(folder.Spec.Title)))
	p("Results of the sweep `%s` of bullring: %s\n", folder.Spec.Name, whatRan(folder, m, cells))
	p("- **Look**: [`%s`](%s) shows figures and tables in a browser", results.ReportFile, results.ReportFile)
	p("- **Sweep**: [`%s`](%s)%s, SHA-256 `%s`; of what decides its trials, without labels and figures, `%s`", results.SpecFile, results.SpecFile, includedWords(folder), m.Spec.SHA256, folder.TrialsHash())
	p("- **Seed**: %d, from which every trial's own is derived (column `seed`)", m.Seed)
	p("- **Program**: bullring %s, epoch %d, which is what a seed means; when, where and how long: [`%s`](%s)", m.Program, m.Epoch, results.ManifestFile, results.ManifestFile)
	if m.Outside {
		p("- **Outside the model**: trials of which an algorithm promises nothing were allowed, and are marked in the column `outside`")
	}
	p("\n## Look, check, repeat\n")
	p("```sh\nbullring replay . 1           # the first trial once more, compared with its row\nbullring verify . --all       # all of them\n./%s --smoke        # a few trials\n./%s                # all of it, in a folder beside this one\n```\n", results.ReproduceFile, results.ReproduceFile)
	readmeReaders(p, m)
	readmeFigures(folder, p)
	readmeFiles(folder, p, m)
	return b.String()
}

// printer returns a function that prints a line.
func printer(to *strings.Builder) func(format string, args ...any) {
	return func(format string, args ...any) { fmt.Fprintf(to, format+"\n", args...) }
}

// exact are columns that readers of CSV would read as numbers and round: integers beyond
// 2^53, and hexadecimal digits such as 12e34567.
var exact = []struct{ name, sql string }{{"seed", "UBIGINT"}, {"fingerprint", "VARCHAR"}, {"trail", "VARCHAR"}}

// readmeReaders prints a line for each language that reads results.csv. It names only
// columns that exist: DuckDB refuses others, and R warns.
func readmeReaders(p func(string, ...any), m *results.Manifest) {
	var python, r, sql []string
	for _, c := range m.ColumnsOf(results.ResultsFile) {
		if c.Type == results.Boolean {
			r = append(r, c.Name+` = "logical"`) // true and false are words to R
		}
		for _, e := range exact {
			if e.name == c.Name {
				python = append(python, fmt.Sprintf("%q: str", e.name))
				r = append(r, e.name+` = "character"`)
				sql = append(sql, fmt.Sprintf("'%s': '%s'", e.name, e.sql))
			}
		}
	}
	p("```python\nimport pandas as pd; d = pd.read_csv(\"%s\", dtype={%s})\n```\n", results.ResultsFile, strings.Join(python, ", "))
	p("```r\nd <- read.csv(\"%s\", check.names = FALSE, colClasses = c(%s))\n```\n", results.ResultsFile, strings.Join(r, ", "))
	p("```sql\nSELECT label, n, avg(messages) FROM read_csv('%s', types = {%s}) GROUP BY ALL; -- DuckDB\n```\n", results.ResultsFile, strings.Join(sql, ", "))
}

// whatRan says in a sentence how many trials there are.
func whatRan(folder *results.Folder, m *results.Manifest, cells *results.Overview) string {
	text := fmt.Sprintf("%d trials of %d cells", m.Rows, len(folder.Cells))
	switch u := folder.Spec.Until; {
	case !m.Complete:
		text += fmt.Sprintf(", **not complete**, of %d", m.Trials)
	case u != nil:
		text += fmt.Sprintf(", as many of each cell, from %d to %d, as it took half the 95 %% interval of %s to be %.3g %% of the mean at most (of a proportion, absolute)",
			u.Min, folder.Spec.Replicates, strings.Join(u.Metrics, ", "), u.HalfWidth*100)
		if most := cellsAtMost(folder, cells); most > 0 {
			text += fmt.Sprintf("; **%d of the cells ended at %d trials**, whether it was or not", most, folder.Spec.Replicates)
		}
	default:
		text += fmt.Sprintf(", %d of each", folder.Spec.Replicates)
	}
	return text + "."
}

// cellsAtMost is the number of cells in which a stopping rule ran all replicates.
func cellsAtMost(folder *results.Folder, cells *results.Overview) int {
	at, count := slices.Index(cells.Columns, "trials"), 0
	for _, row := range cells.Fields {
		if row[at] == strconv.Itoa(folder.Spec.Replicates) {
			count++
		}
	}
	return count
}

func includedWords(folder *results.Folder) string {
	if in := folder.Spec.Included; in != nil {
		return fmt.Sprintf(", which includes [`%s`](%s)", in.Name, in.Name)
	}
	return ""
}

func readmeFigures(folder *results.Folder, p func(string, ...any)) {
	if folder.Captions == nil {
		return
	}
	p("## Figures\n")
	for i := range folder.Spec.Figures {
		f := &folder.Spec.Figures[i]
		if f.Asks != "" {
			p("%s\n", markdown(plots.Plain(f.Asks)))
		}
		p("![%s](%s/%s.png)\n", f.Name, results.FiguresDir, f.Name)
		p("*%s* %s\n", f.Name, markdown(plots.Plain(folder.Captions[f.Name])))
	}
}

// readmeFiles describes every file, and every column of the tables.
func readmeFiles(folder *results.Folder, p func(string, ...any), m *results.Manifest) {
	p("## Files\n")
	p("| file | what |\n|---|---|")
	what := map[string]string{
		results.SpecFile:        "the sweep, as it was given",
		results.ResultsFile:     "a row a trial",
		results.SummaryFile:     "a row a cell: the distribution of each metric, bounds, outcomes and verdicts",
		results.GrowthFile:      "a row a series over *n* and metric: the exponent with which the metric grows",
		results.DifferencesFile: "cells beside those of a baseline, pair by pair on common random numbers",
	}
	for _, f := range m.Files {
		text := what[f.Name]
		if text == "" {
			text = "what the sweep includes"
		}
		p("| [`%s`](%s) | %s |", f.Name, f.Name, text)
	}
	p("| [`%s`](%s) | figures and tables for a browser |", results.ReportFile, results.ReportFile)
	p("| [`%s`](%s) | the hashes of all files, the program, the machine, begin and end |", results.ManifestFile, results.ManifestFile)
	p("| [`%s`](%s) | the cells as a table of LaTeX |", results.TableFile, results.TableFile)
	p("| [`%s`](%s) | the papers that the algorithms are from, for BibTeX |", results.PapersFile, results.PapersFile)
	p("| [`%s`](%s) | how to cite this folder: put the names of its authors in |", results.CitationFile, results.CitationFile)
	p("| [`%s`](%s) | makes the tables again and compares |", results.ReproduceFile, results.ReproduceFile)
	if folder.Captions != nil {
		p("| `%s/NAME.png`, `.svg`, `.pdf` | a figure, which carries this sweep in its metadata: `bullring verify` takes it |", results.FiguresDir)
		p("| `%s/NAME.csv` | the numbers in it |", results.FiguresDir)
		p("| `%s/NAME.tex`, `.txt` | its caption, as a figure of LaTeX and as text |", results.FiguresDir)
	}
	for _, f := range m.Files {
		if f.Columns == nil {
			continue
		}
		p("\n### Columns of %s\n", f.Name)
		p("| column | type | unit | meaning |\n|---|---|---|---|")
		for _, c := range f.Columns {
			name := c.Header()
			if f.Name == results.SummaryFile {
				name = c.Name
			}
			p("| `%s` | %s | %s | %s |", name, c.Type, c.Unit, markdown(c.Meaning))
		}
	}
}

// markdown escapes characters that a table or emphasis would interpret.
func markdown(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;", "_", `\_`, "\n", " ").Replace(text)
}

// Plural returns the word for a number of things.
func Plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
