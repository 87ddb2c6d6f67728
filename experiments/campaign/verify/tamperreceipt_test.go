package verify_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
	"bullring/plots"
)

// repainted writes a picture that has the metadata of another one, with a change, and no
// more of it.
func repainted(t *testing.T, from, to string, change func(meta map[string]string)) {
	t.Helper()
	entries, err := plots.ReadMeta(from)
	if err != nil {
		t.Fatal(err)
	}
	meta := map[string]string{}
	for _, m := range entries {
		meta[m.Key] = m.Value
	}
	change(meta)
	picture := &plots.Figure{Name: "run", Marks: []plots.Mark{&plots.Curve{Points: []plots.XY{{X: 0, Y: 0}, {X: 1, Y: 1}}}}}
	for key, value := range meta {
		if key != "Title" { // which belongs to the picture
			picture.Meta = append(picture.Meta, plots.Meta{Key: key, Value: value})
		}
	}
	if err := picture.SaveAs(to); err != nil {
		t.Fatal(err)
	}
}

// Every value in the receipt of a figure is changed, and every entry of its metadata:
// what verify does not notice without the folder, its page lists.
func TestVerifyNoticesAttacksOnAReceipt(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, attacked)
	from, to := filepath.Join(s.Dir, "figures", "f.svg"), filepath.Join(t.TempDir(), "f.svg")
	repaint := func(change func(meta map[string]string)) bool {
		repainted(t, from, to, change)
		return notices(t, r, to)
	}
	receipt := func(change func(receipt map[string]any)) func(meta map[string]string) {
		return func(meta map[string]string) {
			read := map[string]any{}
			d := json.NewDecoder(strings.NewReader(meta["Manifest"]))
			d.UseNumber()
			if err := d.Decode(&read); err != nil {
				t.Fatal(err)
			}
			change(read)
			text, err := json.Marshal(read)
			if err != nil {
				t.Fatal(err)
			}
			meta["Manifest"] = string(text)
		}
	}
	if repaint(func(map[string]string) {}) {
		t.Fatal("an honest receipt is refused")
	}
	var missed, paths []string
	repaint(receipt(func(read map[string]any) {
		leaves("", read, nil, func(path string, _ any, _ func(any)) { paths = append(paths, path) })
	}))
	for _, attacked := range paths {
		if !repaint(receipt(func(read map[string]any) {
			leaves("", read, nil, func(path string, value any, set func(any)) {
				if path == attacked {
					set(other(value))
				}
			})
		})) {
			missed = append(missed, "Manifest."+attacked)
		}
	}
	for _, key := range []string{"Software", "Epoch", "Sweep", "Seed", "Spec", "Spec-SHA256", "Manifest"} {
		for _, value := range []string{"", "1"} {
			if !repaint(func(meta map[string]string) {
				if meta[key] += value; value == "" {
					delete(meta, key)
				}
			}) {
				missed = append(missed, key)
			}
		}
	}
	slices.Sort(missed)
	listed := unnoticed(t, "### In a figure alone")
	slices.Sort(listed)
	if !slices.Equal(missed, listed) || len(paths) != 12 {
		t.Errorf("of %q, verify does not notice changes of\n%q\nand docs/verify.md lists\n%q", paths, missed, listed)
	}

	// A receipt that is cut to less, and agrees with itself.
	for name, cut := range map[string]func(cells []any) []any{
		"no first cell":  func(cells []any) []any { return cells[1:] },
		"no middle cell": func(cells []any) []any { return slices.Delete(cells, 2, 3) },
		"no last cell":   func(cells []any) []any { return cells[:len(cells)-1] },
		"a trial less":   func(cells []any) []any { return append(cells[:len(cells)-1], shortened(cells[len(cells)-1], 2)) },
		"one trial":      func(cells []any) []any { return []any{shortened(cells[0], 1)} },
	} {
		for _, complete := range []bool{true, false} {
			trials := 0
			if !repaint(func(meta map[string]string) {
				receipt(func(read map[string]any) {
					cells := cut(read["digests"].([]any))
					for _, c := range cells {
						n, err := c.(map[string]any)["trials"].(json.Number).Int64()
						if err != nil {
							t.Fatal(err)
						}
						trials += int(n)
					}
					read["digests"], read["trials"], read["complete"] = cells, trials, complete
				})(meta)
				if !complete {
					meta["Incomplete"] = "some"
				}
			}) {
				t.Errorf("%s, complete %v: not noticed", name, complete)
			}
		}
	}
}

// shortened is the digests of a cell of its first trials, with a digest a trial.
func shortened(cell any, trials int) any {
	c := cell.(map[string]any)
	c["trials"] = json.Number(strconv.Itoa(trials))
	c["blocks"] = c["blocks"].(string)[:8*trials]
	return c
}

// Of more than 4,096 trials, two share a digest.
func TestVerifyFigureOfSoManyTrials(t *testing.T) {
	for trials, block := range map[int]string{4096: `"block":1,`, 4097: `"block":2,`} {
		s := swept(t, sweeptest.Registry(sweeptest.Triangle), fmt.Sprintf("name: many\nreplicates: %d\nalgorithms: [ring]\naxes: {n: 2}\nfigures: [{name: f, y: messages}]\n", trials))
		entries, err := plots.ReadMeta(filepath.Join(s.Dir, "figures", "f.svg"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range entries {
			if m.Key == "Manifest" && !strings.Contains(m.Value, block) {
				t.Errorf("%d trials: %.200s", trials, m.Value)
			}
		}
	}
}

// A receipt of a sweep with a stopping rule is cut to the least that the rule may ask for.
func TestVerifyNoticesLessThanAStoppingRule(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	ruled := strings.Replace(attacked, "replicates: 3", "replicates: {min: 10, max: 40, half_width: 1%}", 1)
	s := swept(t, r, ruled)
	if found := verified(t, r, s.Dir, true); !found.Identical() {
		t.Fatalf("%+v", found)
	}
	alone := filepath.Join(t.TempDir(), "f.svg")
	const honest, cut = `"cell":3,"trials":40,"blocks":"`, `"cell":3,"trials":10,"blocks":"`
	repainted(t, filepath.Join(s.Dir, "figures", "f.svg"), alone, func(meta map[string]string) {
		text := meta["Manifest"]
		at := strings.Index(text, honest)
		if at < 0 {
			t.Fatal(text)
		}
		blocks := text[at+len(honest):][:8*40]
		text = strings.Replace(text, honest+blocks, cut+blocks[:8*10], 1)
		trials := verified(t, r, filepath.Join(s.Dir, "figures", "f.svg"), false).Trials
		meta["Manifest"] = strings.Replace(text, fmt.Sprintf(`"trials":%d,"complete"`, trials), fmt.Sprintf(`"trials":%d,"complete"`, trials-30), 1)
	})
	found := verified(t, r, alone, true)
	const want = "the receipt has 10 trials of cell 3 (ring n=4 placement=random), and the stopping rule of the sweep asks for another number"
	if len(found.Damage) != 1 || found.Damage[0] != want || found.Differ != 0 {
		t.Errorf("%+v", found)
	}
}

// Trials that do not run here are not compared, neither with digests nor with the stopping rule.
func TestVerifyOfTrialsThatDoNotRun(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, strings.Replace(attacked, "replicates: 3", "replicates: {min: 10, max: 40, half_width: 1%}", 1))
	for _, name := range []string{"ring", "bird"} {
		a, err := r.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		a.Assumes.Params = func(in *trial.Instance) string {
			if in.N == 3 {
				return "there are three processes"
			}
			return ""
		}
	}
	alone := filepath.Join(t.TempDir(), "f.svg")
	if err := os.WriteFile(alone, sweeptest.Read(t, s, "figures/f.svg"), 0o666); err != nil {
		t.Fatal(err)
	}
	found := verified(t, r, alone, true)
	if found.Answer() != verify.NotCompared || found.Differ != 0 || found.Damage != nil || found.NotRun == 0 || found.Again+found.NotRun != found.Trials ||
		!strings.Contains(found.Unrun.What, "there are three processes") || !strings.Contains(found.Unrun.Cell, "n=3") {
		t.Errorf("%s, %+v", found.Answer(), found)
	}
}
