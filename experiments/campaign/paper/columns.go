package paper

import (
	"fmt"
	"strings"

	"bullring/experiments/campaign/results"
)

// columns is the page that explains each column of the tables, and how they are read.
func columns(m *results.Manifest) string {
	var b strings.Builder
	p := printer(&b)
	p("# The columns\n")
	readers(p, m)
	for _, f := range m.Files {
		if f.Columns == nil {
			continue
		}
		p("\n## %s\n", f.Name)
		p("| column | type | unit | meaning |\n|---|---|---|---|")
		for _, c := range f.Columns {
			name := c.Header()
			if f.Name == results.SummaryFile {
				name = c.Name
			}
			p("| `%s` | %s | %s | %s |", name, c.Type, c.Unit, markdown(c.Meaning))
		}
	}
	return b.String()
}

// exact are columns that readers of CSV would read as numbers and round: integers beyond
// 2^53, and hexadecimal digits such as 12e34567.
var exact = []struct{ name, sql string }{{"seed", "UBIGINT"}, {"fingerprint", "VARCHAR"}, {"trail", "VARCHAR"}}

// readers prints the lines for each language that reads results.csv. It names only
// columns that exist: DuckDB refuses others, and R warns.
func readers(p func(string, ...any), m *results.Manifest) {
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
	p("```sql\nSELECT label, n, avg(messages) FROM read_csv('%s', types = {%s}) GROUP BY ALL; -- DuckDB\n```", results.ResultsFile, strings.Join(sql, ", "))
}
