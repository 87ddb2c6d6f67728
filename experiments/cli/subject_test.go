package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/catalog"
)

// subjects are the ways to name the run that a command is about, right and wrong, in the
// folder that makeSubjects fills; and the exit status of each command. A command that is
// not in the table takes none of them.
const subjects = `
                                  run check explore worst rare hunt judge why view diagram export criticality shrink live replay verify  conjecture
(none)                            2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
lcr --n 3                         0   0     0       0     0    0    0     0   0    0       0      0           1      0    2      2       0
--node 'python3 lcr.py' --n 2     0   0     0       0     2    0    2     0   0    0       0      0           1      0    2      2       0
lcr --n 2 --node 'python3 lcr.py' 0   0     0       0     2    0    0     0   0    0       0      0           1      0    2      2       0
case.json                         2   2     2       2     2    2    2     0   0    0       0      0           0      0    0      2       2
case.json --allow-nodes           2   2     2       2     2    2    2     0   0    0       0      0           0      0    0      2       2
case.json --node 'python3 x'      2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
schedule.json                     2   2     2       2     2    2    2     0   0    0       0      2           1      2    0      2       2
--schedule schedule.json          0   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
program.json                      2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
program.json --allow-nodes        2   2     2       2     2    2    2     0   0    0       0      0           0      0    0      2       2
rows 1                            2   2     2       2     2    2    2     0   0    0       0      0           1      0    0      2       2
rows 1 --node 'python3 x'         2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
rows                              2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      0       2
rows 0                            2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
rows 99                           2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
rows first                        2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
rows 1 2                          2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
nothing 1                         2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
lcr 1                             2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
lcr case.json                     2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
case.json 1                       2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
page.html                         2   2     2       2     2    2    2     2   0    2       2      2           2      2    2      0       2
data.json                         2   2     2       2     2    2    2     2   0    2       2      2           2      2    2      0       2
nothing.json                      2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
''                                2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
node                              2   2     2       2     2    2    2     2   2    2       2      2           2      2    2      2       2
`

// makeSubjects writes what subjects names.
func makeSubjects(t *testing.T) {
	t.Helper()
	programs(t)
	if err := os.WriteFile("s.yaml", []byte("name: s\nreplicates: 2\nalgorithms: lcr\naxes: {n: 3}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"shrink lcr --n 3 --fault 'drop 4th message' --outside-model -o case.json",
		"shrink lcr --node 'python3 lcr.py' --n 3 --fault 'drop 4th message' --outside-model -o program.json",
		"live lcr --n 3 -o schedule.json",
		"sweep s.yaml -o rows --progress off",
		"view lcr --n 3 -o page.html",
		"view lcr --n 3 --data -o data.json",
	} {
		if got := bullring(t, words(line)...); got.status != 0 {
			t.Fatalf("%s: status %d\n%s%s", line, got.status, got.out, got.errors)
		}
	}
}

// needed are flags that a command cannot do without, and one that makes it short.
var needed = map[string]string{"diagram": " -o picture.svg", "export": " --as dot", "check": " --trials 1", "hunt": " --settings 5", "judge": " --settings 5", "conjecture": " --n 2..7", "rare": " --reach 1ms --effort 2 --repetitions 1"}

// Each command takes each way to name a run as the table says. An error names something that
// was given, or says what is allowed. The commands are those of the command tree, so that a
// new one that takes a run is missed in the table.
func TestSubjects(t *testing.T) {
	makeSubjects(t)
	registry := catalog.New()
	table := strings.Split(strings.Trim(subjects, "\n"), "\n")
	columns, at := strings.Fields(table[0]), strings.Index(table[0], "run")
	visit(newCommand(registry, clockwork.NewRealClock()), func(c *cobra.Command) {
		column := slices.Index(columns, c.Name())
		if takes := strings.Contains(c.Use, "ALGORITHM") || strings.Contains(c.Use, "ROW"); takes && column < 0 && !slices.Contains([]string{"explain", "node"}, c.Name()) {
			t.Errorf("%s takes a run, and the table has no column for it", c.Name())
		}
		for _, row := range table[1:] {
			subject, statuses := strings.TrimSpace(row[:at]), strings.Fields(row[at:])
			if subject == "(none)" {
				subject = ""
			}
			if subject == "" && c.Name() == "tour" { // TestExamples takes it
				continue
			}
			line := strings.TrimSpace(strings.TrimPrefix(c.CommandPath(), "bullring") + " " + subject + needed[c.Name()])
			given := words(line)
			got := perform(t.Context(), registry, given...)
			if column >= 0 && fmt.Sprint(got.status) != statuses[column] || got.status > statusUndecided {
				t.Errorf("%s: status %d\n%s", line, got.status, got.errors)
			}
			names := func(word string) bool { return word != "" && strings.Contains(got.errors, word) }
			if got.status != 0 && !slices.ContainsFunc(append(given, "allow", "empty", "nothing to shrink"), names) {
				t.Errorf("%s: the error says nothing of it:\n%s", line, got.errors)
			}
		}
	})
}
