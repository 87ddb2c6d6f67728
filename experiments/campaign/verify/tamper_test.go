package verify_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/paper"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
	"bullring/internal/build"
)

// attacked is a sweep that is quick to verify and has all that a folder can have but a
// stopping rule. undrawn is the same without a figure, which takes most of the time.
const (
	undrawn = `name: attacked
replicates: 3
algorithms: [ring, {algorithm: bird, variant: all-terminate, label: bird}]
axes: {n: [2, 3, 4], placement: random, delay: ["1ms", "uniform(0,2ms)"]}
compare: {baseline: ring}
`
	attacked = undrawn + "figures: [{name: f, y: messages, where: {delay: 1ms}}]\n"
)

// manifest is a manifest as it stands in its file.
type manifest map[string]any

func readManifest(t *testing.T, dir string) manifest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	m := manifest{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m manifest) write(t *testing.T, dir string) {
	t.Helper()
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o666); err != nil {
		t.Fatal(err)
	}
}

var lists = []string{"files", "documents", "figures"}

// rehash gives every listed file the hash and the size that it has.
func (m manifest) rehash(t *testing.T, dir string) {
	t.Helper()
	update := func(info map[string]any, name string) {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		info["sha256"], info["bytes"] = hex.EncodeToString(sum[:]), len(content)
	}
	update(m["spec"].(map[string]any), "spec.yaml")
	for _, list := range lists {
		listed, _ := m[list].([]any) // null of no figures
		for _, f := range listed {
			info := f.(map[string]any)
			update(info, info["name"].(string))
		}
	}
}

// unlist takes a file out of the manifest.
func (m manifest) unlist(name string) {
	for _, list := range lists {
		m[list] = slices.DeleteFunc(m[list].([]any), func(f any) bool { return f.(map[string]any)["name"] == name })
	}
}

// notices reports whether verify says anything of a folder or a figure that it does not
// say of an honest one. A sample is tried first: all trials find what it finds.
func notices(t *testing.T, r *trial.Registry, path string) bool {
	t.Helper()
	for _, all := range []bool{false, true} {
		found, err := (&verify.Verifier{Registry: r, Path: path, All: all, Seed: 1, Workers: 1}).Run(t.Context())
		if err != nil || !found.Identical() || found.Made != "" || found.Partial != "" || found.Unmade != nil {
			return true
		}
	}
	return false
}

// Every file of a folder is deleted, edited, cut and hidden, with its hash and without.
func TestVerifyNoticesAttacksOnFiles(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	honest := swept(t, r, attacked)
	if notices(t, r, honest.Dir) {
		t.Fatal("an honest folder is refused")
	}
	var names []string
	err := fs.WalkDir(os.DirFS(honest.Dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != "manifest.json" && name != results.ClaimsFile {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) != 5+7+6 {
		t.Fatalf("%q, %v", names, err)
	}
	dir := copied(t, honest.Dir)
	for i, name := range names {
		content := sweeptest.Read(t, honest, name)
		end := max(bytes.LastIndexByte(content[:len(content)-1], '\n'), 0)
		for j, attack := range []struct {
			what               string
			content            []byte // nil: deleted
			unlisted, rehashed bool
		}{
			{"deleted", nil, false, false},
			{"deleted and unlisted", nil, true, false},
			{"unlisted", content, true, false},
			{"emptied", []byte{}, false, true},
			{"with another digit", forgery(name, content), false, false},
			{"with another digit, rehashed", forgery(name, content), false, true},
			{"without its last line, rehashed", content[:end+1], false, true},
			{"with a line more, rehashed", slices.Concat(content, content[end+1:]), false, true},
		} {
			if testing.Short() && (i+j)%4 > 0 {
				continue // another attack on the next file
			}
			path := filepath.Join(dir, name)
			err := os.WriteFile(path, attack.content, 0o666)
			if attack.content == nil {
				err = os.Remove(path)
			}
			if err != nil {
				t.Fatal(err)
			}
			m := readManifest(t, honest.Dir)
			if attack.unlisted {
				m.unlist(name)
			}
			if attack.rehashed {
				m.rehash(t, dir)
			}
			m.write(t, dir)
			if !notices(t, r, dir) {
				t.Errorf("%s %s: not noticed", name, attack.what)
			}
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	readManifest(t, honest.Dir).write(t, dir)
	if notices(t, r, dir) {
		t.Error("an honest copy is refused")
	}
}

// forgery is the content with a change that its author may not make.
func forgery(name string, content []byte) []byte {
	if before, after, ok := bytes.Cut(content, []byte("references:")); ok && name == results.CitationFile {
		return slices.Concat(before, []byte("references:"), otherDigit(after))
	}
	return otherDigit(content)
}

// otherDigit is the content with another digit in its middle, or byte if it has none.
func otherDigit(content []byte) []byte {
	changed := slices.Clone(content)
	at := len(changed) / 2
	if i := bytes.IndexAny(changed[at:], "0123456789"); i >= 0 {
		at += i
	}
	changed[at] ^= 1
	return changed
}

// leaves calls f with every value in JSON that holds no others, and with a function that
// sets it; of a list, with those of its first element. A path has the keys.
func leaves(path string, value any, set func(any), f func(path string, value any, set func(any))) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			leaves(strings.TrimPrefix(path+"."+key, "."), inner, func(x any) { v[key] = x }, f)
		}
	case []any:
		leaves(path, v[0], func(x any) { v[0] = x }, f)
	default:
		f(path, value, set)
	}
}

// other is another value of the same type.
func other(value any) any {
	switch v := value.(type) {
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.Add(time.Second).Format(time.RFC3339)
		}
		return v + "1"
	case bool:
		return !v
	case json.Number:
		return json.Number(v.String() + "1")
	}
	panic(fmt.Sprintf("%T in JSON", value))
}

// unnoticed are the keys that docs/verify.md lists in a table under a heading.
func unnoticed(t *testing.T, heading string) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), heading)
	if !found {
		t.Fatalf("docs/verify.md has no %q", heading)
	}
	var keys []string
	for line := range strings.Lines(section) {
		switch {
		case strings.HasPrefix(line, "| `"):
			words := strings.Split(strings.Split(line, "|")[1], "`")
			for i := 1; i < len(words); i += 2 {
				keys = append(keys, words[i])
			}
		case keys != nil:
			return keys
		}
	}
	return keys
}

// Every value in the manifest is changed: what verify does not notice, its page lists.
func TestVerifyNoticesAttacksOnTheManifest(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	dir := swept(t, r, attacked).Dir
	honest := readManifest(t, dir)
	var missed []string
	attacks := 0
	leaves("", map[string]any(honest), nil, func(path string, value any, set func(any)) {
		attacks++
		set(other(value))
		honest.write(t, dir)
		set(value)
		if !notices(t, r, dir) {
			missed = append(missed, path)
		}
	})
	slices.Sort(missed)
	listed := unnoticed(t, "### In a manifest")
	slices.Sort(listed)
	if !slices.Equal(missed, listed) || attacks < 35 {
		t.Errorf("of %d values, verify does not notice changes of\n%q\nand docs/verify.md lists\n%q", attacks, missed, listed)
	}
	for _, list := range append(lists, "attempts") {
		was := honest[list]
		for _, by := range []any{nil, []any{}} {
			if honest[list] = by; by == nil {
				delete(honest, list)
			}
			honest.write(t, dir)
			if !notices(t, r, dir) {
				t.Errorf("no %s: not noticed", list)
			}
		}
		honest[list] = was
	}
}

// forged is the folder of a sweep that says that it is of another one: of more trials. Its
// figures are not drawn.
func forged(t *testing.T, r *trial.Registry, did, says string, trials int) string {
	t.Helper()
	s := sweeptest.Sweep(t, r, did)
	sweeptest.Run(t, s)
	dir := s.Dir
	if err := os.WriteFile(filepath.Join(dir, "spec.yaml"), []byte(says), 0o666); err != nil {
		t.Fatal(err)
	}
	m := readManifest(t, dir)
	m["trials"] = trials
	m.rehash(t, dir)
	m.write(t, dir)
	return dir
}

// A folder of an honest sweep is passed off as one of a larger sweep.
func TestVerifyNoticesLessThanTheSweep(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	const rule = "replicates: {min: 10, max: 40, half_width: 1%}"
	for _, c := range []struct {
		name, from, to string // in the sweep that is claimed, and in the one that ran
		claimed        string
		trials         int
		want           string
	}{
		{"no first cell", "[2, 3, 4]", "[3, 4]", attacked, 36, `row 1 has n "3", but spec.yaml asks for "2" there`},
		{"a cell less", "[2, 3, 4]", "[2, 4]", attacked, 36, `row 4 has n "4", but spec.yaml asks for "3" there`},
		{"no last delay", `"1ms", "uniform(0,2ms)"`, `"1ms"`, attacked, 36, `row 10 has algorithm "bird", but spec.yaml asks for "ring" there`},
		{"no last algorithm", ", {algorithm: bird, variant: all-terminate, label: bird}", "", strings.Replace(attacked, "compare: {baseline: ring}\n", "", 1), 36,
			`results.csv has 0 rows of cell 7 (bird variant=all-terminate n=2 placement=random), and the sweep asks for 3`},
		{"a trial less", "replicates: 3", "replicates: 2", attacked, 36, `results.csv has 2 rows of cell 1 (ring n=2 placement=random), and the sweep asks for 3`},
		{"another variant", "variant: all-terminate", "variant: leader-only", attacked, 36, `row 19 variant is "leader-only" in results.csv, but "all-terminate" now`},
		{"another fault", "axes: {", "axes: {max_time: 2s, ", attacked, 36, `row 1 max_time is "2s" in results.csv, but "" now`},
		{"another seed", "replicates: 3", "seed: 2\nreplicates: 3", attacked, 36, `row 1 seed is `},
		{"less than a stopping rule's least", rule, "replicates: 9", strings.Replace(attacked, "replicates: 3", rule, 1), 480,
			`results.csv has 9 rows of cell 1 (ring n=2 placement=random), and the sweep asks for 10`},
		{"a stopping rule's least", rule, "replicates: 10", strings.Replace(attacked, "replicates: 3", rule, 1), 480,
			`results.csv has 10 rows of cell 2 (ring n=3 placement=random), and the stopping rule of the sweep asks for another number`},
		{"more than a stopping rule asks for", rule, "replicates: 15", strings.Replace(attacked, "replicates: 3", rule, 1), 480,
			`results.csv has 15 rows of cell 1 (ring n=2 placement=random), and the stopping rule of the sweep asks for another number`},
		{"a stopping rule's least, of the only cell", rule, "replicates: 10", "name: one\n" + rule + "\nalgorithms: [ring]\naxes: {n: [3], placement: random}\nfigures: [{name: f, y: messages}]\n", 40,
			`results.csv has 10 rows of cell 1 (ring n=3 placement=random), and the stopping rule of the sweep asks for another number`},
	} {
		did := strings.Replace(c.claimed, c.from, c.to, 1)
		dir := forged(t, r, did, c.claimed, c.trials)
		found := verified(t, r, dir, true)
		said := strings.Join(found.Damage, "\n")
		for _, d := range found.First {
			said += fmt.Sprintf("\nrow %d %s", d.Row, d.What)
		}
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: %q is lacking in\n%s", c.name, c.want, said)
		}
	}
}

// A sweep that was stopped may lack trials of its last cell, and of no earlier one.
func TestVerifyNoticesLessThanAStoppedSweep(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	dir := forged(t, r, strings.Replace(attacked, "replicates: 3", "replicates: 2", 1), attacked, 36)
	m := readManifest(t, dir)
	m["complete"], m["stopped"] = false, "stopped after 1 h"
	m.write(t, dir)
	said := damageIn(t, dir)
	for cell := 1; cell <= 12; cell++ {
		if noticed := strings.Contains(said, fmt.Sprintf("results.csv has 2 rows of cell %d (", cell)); noticed != (cell < 12) {
			t.Errorf("cell %d of 12, noticed %v:\n%s", cell, noticed, said)
		}
	}
}

// ofWriter is a copy of a folder whose documents and figures another version has written.
func ofWriter(t *testing.T, r *trial.Registry, dir, version string) string {
	t.Helper()
	dir = copied(t, dir)
	folder, err := results.Open(r, dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	folder.Writer = version
	paths, err := figures.DrawInto(folder, m, folder)
	if err != nil {
		t.Fatal(err)
	}
	infos, err := figures.ListFigures(folder, paths)
	if err != nil {
		t.Fatal(err)
	}
	if err := paper.WriteDocuments(folder, m, infos, nil); err != nil {
		t.Fatal(err)
	}
	m.Writer.Program = build.Program{Version: version, Go: m.Writer.Program.Go}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// of is what a list of the manifest says of a file.
func of(m manifest, list, name string) map[string]any {
	for _, f := range m[list].([]any) {
		if info := f.(map[string]any); info["name"] == name {
			return info
		}
	}
	panic(name + " is not listed")
}

// What only another program, or another kind of processor, makes byte by byte is listed;
// what follows from the rows whoever wrote it is compared all the same.
func TestVerifyOfAnotherWriter(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	honest := swept(t, r, attacked).Dir
	older := ofWriter(t, r, honest, "v0")
	if found := verified(t, r, older, true); !found.Identical() || found.Documents != 7 || found.Drawn != 6 {
		t.Errorf("another version that writes the same: %+v", found)
	}
	const columns = " (in the columns that both versions have)"
	for _, c := range []struct {
		name   string
		change func(dir string, m manifest)
		unmade string // the files, with commas
		tables string
		damage string
	}{
		{"ink of another processor", func(dir string, m manifest) {
			m["writer"].(map[string]any)["machine"].(map[string]any)["arch"] = "pdp11"
			edit(t, filepath.Join(dir, "figures", "f.svg"), `viewBox="0 0 (\d)`, `viewBox="0 0 1${1}`)
			edit(t, filepath.Join(dir, "figures", "f.csv"), `series`, `serial`)
		}, "figures/f.svg,figures/f.csv", "summary.csv", ""},
		{"words of another processor", func(dir string, m manifest) {
			m["writer"].(map[string]any)["machine"].(map[string]any)["arch"] = "pdp11"
			edit(t, filepath.Join(dir, "README.md"), `trials`, `trails`)
		}, "", "summary.csv", "README.md is not what follows from results.csv: line 3 differs"},
		{"words of another version", func(dir string, m manifest) {
			edit(t, filepath.Join(dir, "README.md"), `trials`, `trails`)
			edit(t, filepath.Join(dir, "figures", "f.txt"), `trials`, `trails`)
		}, "README.md,figures/f.txt", "summary.csv", ""},
		{"a receipt of yet another version", func(dir string, m manifest) {
			path := filepath.Join(dir, "figures", "f.png")
			repainted(t, path, path, func(meta map[string]string) {
				meta["Software"] = "bullring v7"
				meta["Manifest"] = strings.Replace(meta["Manifest"], `"version":"v0`, `"version":"v7`, 1)
			})
		}, "figures/f.png", "summary.csv", ""},
		{"a receipt of other trials", func(dir string, m manifest) {
			path := filepath.Join(dir, "figures", "f.png")
			repainted(t, path, path, func(meta map[string]string) {
				meta["Manifest"] = strings.Replace(meta["Manifest"], `"blocks":"`, `"blocks":"0`, 1)
			})
		}, "", "summary.csv", "figures/f.png: its receipt is not that of results.csv"},
		{"a table with a column of its own", func(dir string, m manifest) {
			m["program"].(map[string]any)["version"] = "v0"
			delete(m, "writer")
			edit(t, filepath.Join(dir, "summary.csv"), `^cell,`, `number,`)
		}, "column number of summary.csv,papers.bib,CITATION.cff,reproduce.sh,README.md,report.html,figures/f.png,figures/f.svg,figures/f.pdf", "summary.csv" + columns, ""},
		{"the meaning of a column of another program", func(dir string, m manifest) {
			m["program"].(map[string]any)["version"] = "v0"
			delete(m, "writer")
			of(m, "files", "results.csv")["columns"].([]any)[0].(map[string]any)["meaning"] = "a guess"
		}, "columns of results.csv in manifest.json,papers.bib,CITATION.cff,reproduce.sh,README.md,COLUMNS.md,report.html,figures/f.png,figures/f.svg,figures/f.pdf", "summary.csv", ""},
		{"the meaning of a column", func(dir string, m manifest) {
			of(m, "files", "results.csv")["columns"].([]any)[0].(map[string]any)["meaning"] = "a guess"
		}, "", "summary.csv", "columns of results.csv in manifest.json: not what the sweep gives"},
		{"the unit of a column", func(dir string, m manifest) {
			edit(t, filepath.Join(dir, "results.csv"), `\[time_unit\]`, `[ms]`)
		}, "", "summary.csv", "first line of results.csv: not what the sweep gives"},
		{"a table with another number", func(dir string, m manifest) {
			m["program"].(map[string]any)["version"] = "v0"
			edit(t, filepath.Join(dir, "summary.csv"), `(?m)^3,ring`, `3,rang`)
		}, "", "growth.csv", "summary.csv is not what the rows of results.csv give: line 4 differs"},
	} {
		from := honest
		if strings.Contains(c.name, "version") || strings.Contains(c.name, "receipt") {
			from = older
		}
		dir, m := copied(t, from), readManifest(t, from)
		c.change(dir, m)
		m.rehash(t, dir)
		m.write(t, dir)
		found := verified(t, r, dir, true)
		var damage []string
		for _, d := range found.Damage {
			if !strings.HasPrefix(d, "CITATION.cff") { // names the version of the tables
				damage = append(damage, d)
			}
		}
		if got := strings.Join(found.Unmade, ","); got != c.unmade || found.Tables[0] != c.tables || !strings.Contains(strings.Join(damage, "\n"), c.damage) || (damage == nil) != (c.damage == "") {
			t.Errorf("%s: not compared are %q, the same are %q, damage %q", c.name, got, found.Tables, found.Damage)
		}
	}
}
