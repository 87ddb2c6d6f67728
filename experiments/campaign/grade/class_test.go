package grade_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/grade"
)

// rowsOf are the rows of the tables of docs/class.md: of each assignment, and in it of each submission.
func rowsOf(t *testing.T) map[string]map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/class.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, at := map[string]map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		name, is := strings.CutSuffix(strings.TrimPrefix(cells[0], "`"), ".py`")
		switch {
		case strings.HasPrefix(cells[0], "submission of "):
			at = strings.Trim(strings.TrimPrefix(cells[0], "submission of "), "`")
			rows[at] = map[string][]string{}
		case at != "" && is && len(cells) > 2:
			rows[at][name] = cells[1 : len(cells)-1]
		}
	}
	return rows
}

// The points of the ready assignments are those of the page: of right programs and of wrong ones.
func TestClass(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed: the ready assignments are NOT graded here")
	}
	for assignment, rows := range rowsOf(t) {
		folder := filepath.Join("../../../docs/class", strings.TrimSuffix(assignment, ".yaml"))
		if testing.Short() {
			if assignment != "election.yaml" {
				continue
			}
			rows = map[string][]string{"right": rows["right"], "twice": rows["twice"]}
		} else if files, err := filepath.Glob(filepath.Join(folder, "*.py")); err != nil || len(files) != 6 || len(rows) != 6 {
			t.Errorf("%s has %d submissions, and %d rows, %v", assignment, len(files), len(rows), err)
		}
		for name, want := range rows {
			t.Run(assignment+" "+name, func(t *testing.T) {
				g, _ := grader(t, filepath.Join(folder+".yaml"))
				r := graded(t, g, filepath.Join(folder, name+".py"))
				got := strings.Fields(table(r)[0])[1:]
				if got := strings.Join(append(got, grade.Text(r.Graded[0].Points)), " "); got != strings.Join(want, " ") {
					t.Errorf("%s, and the page has %s", got, strings.Join(want, " "))
					for _, m := range r.Graded[0].Marks {
						t.Log(m.Part, m.Why)
					}
				}
			})
		}
	}
}
