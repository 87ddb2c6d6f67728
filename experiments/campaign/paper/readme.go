package paper

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// readme is the page that explains the folder, of one screen and its figures: what it is, how
// it is checked, and where the rest is.
func readme(folder *results.Folder, m *results.Manifest, cells *results.Overview) string {
	var b strings.Builder
	p := printer(&b)
	p("# %s\n", markdown(plots.Plain(folder.Spec.Title)))
	p("%s\n", filled("Results of the sweep `"+folder.Spec.Name+"` of bullring: "+whatRan(folder, m, cells), ""))
	if m.Outside {
		p("%s\n", filled("Trials outside the model were allowed: of them an algorithm promises nothing. The column `outside` marks them.", ""))
	}
	p("## Check it, in this folder\n")
	p("```sh")
	p("bullring verify .      # all files, and a sample of the trials run again")
	if m.Summarised == 0 {
		p("bullring replay . 1    # the first trial once more, beside its row")
	}
	p("./%s         # all of it again, in a folder beside this one", results.ReproduceFile)
	p("```\n")
	readmeFigures(folder, p)
	readmeTables(folder, p, m)
	readmeFiles(folder, p, m)
	return b.String()
}

// printer returns a function that prints a line.
func printer(to *strings.Builder) func(format string, args ...any) {
	return func(format string, args ...any) { fmt.Fprintf(to, format+"\n", args...) }
}

// filled breaks a text into lines of 80 columns, the second and later ones indented.
func filled(text, indent string) string {
	const columns = 80
	var b strings.Builder
	used := 0
	for i, word := range strings.Fields(text) {
		size := len([]rune(word))
		switch {
		case i == 0:
		case used+1+size > columns:
			b.WriteString("\n" + indent)
			used = len(indent)
		default:
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += size
	}
	return b.String()
}

// whatRan says in a sentence how many trials there are.
func whatRan(folder *results.Folder, m *results.Manifest, cells *results.Overview) string {
	text := fmt.Sprintf("%d trials of %d cells", m.Done(), len(folder.Cells))
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

// readmeFigures shows the figures. Their captions are in files of their own.
func readmeFigures(folder *results.Folder, p func(string, ...any)) {
	if folder.Captions == nil || len(folder.Spec.Figures) == 0 {
		return
	}
	p("## Figures\n")
	for i := range folder.Spec.Figures {
		f := &folder.Spec.Figures[i]
		if f.Asks != "" {
			p("%s\n", filled(markdown(plots.Plain(f.Asks)), ""))
		}
		p("![%s](%s/%s.png)\n", f.Name, results.FiguresDir, f.Name)
		if ends := folder.Answers[f.Name]; ends != "" {
			p("%s\n", filled(markdown(plots.Plain(ends)), ""))
		}
	}
	p("%s\n", filled(fmt.Sprintf("[`%s`](%s) shows them with their captions, beside tables, conditions and theory.", results.ReportFile, results.ReportFile), ""))
}

// readmeTables lists the tables for a paper.
func readmeTables(folder *results.Folder, p func(string, ...any), m *results.Manifest) {
	if len(m.Tables) == 0 {
		return
	}
	p("## Tables\n")
	for i := range folder.Spec.Tables {
		t := &folder.Spec.Tables[i]
		text := cmp.Or(t.Asks, t.Caption, folder.Spec.Title)
		if file := results.TablesDir + "/" + t.Name + ".md"; slices.ContainsFunc(m.Tables, func(f results.FileInfo) bool { return f.Name == file }) {
			p("%s", filled(fmt.Sprintf("- [`%s`](%s): %s", t.Name, file, markdown(plots.Plain(text))), "  "))
		}
	}
	p("")
}

// tableWords say what a table is.
var tableWords = map[string]string{
	results.ResultsFile:     "a row a trial",
	results.DigestsFile:     "a line of JSON a cell, which stands for the trials without a row: exact sums, sketches of distributions, extremes, counts",
	results.SummaryFile:     "a row a cell: the distribution of each metric, bounds, outcomes and verdicts",
	results.GrowthFile:      "a row a series over *n* and metric: the exponent with which the metric grows",
	results.DifferencesFile: "cells beside those of a baseline, pair by pair on common random numbers",
}

// readmeFiles says what each file is.
func readmeFiles(folder *results.Folder, p func(string, ...any), m *results.Manifest) {
	item := func(file, format string, values ...any) {
		p("%s", filled("- `"+file+"`: "+fmt.Sprintf(format, values...), "  "))
	}
	p("## Files\n")
	for _, f := range m.Files {
		switch words := tableWords[f.Name]; {
		case f.Name == results.SpecFile:
			item(f.Name, "the sweep, of seed %d, SHA-256 `%s`; of what decides its trials, without labels and figures, `%s`", m.Seed, m.Spec.SHA256, folder.TrialsHash())
		case f.Name == results.ResultsFile && m.Summarised > 0:
			item(f.Name, "the rows of %d trials of %d: of each cell, the sweep keeps %v", m.Rows, m.Summarised, folder.Spec.Keep)
		case words == "":
			item(f.Name, "what the sweep includes")
		default:
			item(f.Name, "%s", words)
		}
	}
	item(results.ColumnsFile, "every column of the tables, and how to read them in Python, R and SQL")
	item(results.ManifestFile, "the hashes of all files; when, where and how long it ran; the program, bullring %s, epoch %d, which is what a seed means", m.Program, m.Epoch)
	item(results.ReportFile, "figures and tables for a browser")
	item(results.TableFile, "the cells as a table of LaTeX")
	if len(m.Tables) > 0 {
		item(results.TablesDir, "each table for a paper as `.tex`, for booktabs and siunitx, as `.md` and, in full, as `.csv`")
	}
	item(results.PapersFile, "the papers that the algorithms are from, for BibTeX")
	item(results.CitationFile, "how to cite this folder: put the names of its authors in")
	item(results.ReproduceFile, "makes the tables again and compares; `--smoke` takes a few trials")
	if folder.Captions != nil && len(folder.Spec.Figures) > 0 {
		tikz := ""
		if slices.ContainsFunc(folder.Spec.Figures, func(f spec.Figure) bool { return f.TeX }) {
			tikz = "; those with `tex: true` as `.tikz`, too"
		}
		item(results.FiguresDir, "each figure as `.png`, `.svg` and `.pdf`, which `bullring verify` takes, its numbers as `.csv`, its caption as `.txt` and `.tex`%s", tikz)
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
