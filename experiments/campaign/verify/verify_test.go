package verify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/netem"
	"bullring/plots"
)

// swept is a folder with the results of a sweep, and its figures.
func swept(t *testing.T, r *trial.Registry, text string) *sweep.Sweep {
	t.Helper()
	s := sweeptest.Sweep(t, r, text)
	sweeptest.Run(t, s)
	if _, err := figures.Draw(r, s.Dir); err != nil {
		t.Fatal(err)
	}
	return s
}

func verified(t *testing.T, r *trial.Registry, path string, all bool) *verify.Report {
	t.Helper()
	v := &verify.Verifier{Registry: r, Path: path, Sample: verify.DefaultSample, All: all, Seed: 1, Workers: 2}
	found, err := v.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// copied is a copy of a folder.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "out")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// edit replaces the first match in a file.
func edit(t *testing.T, path, pattern, by string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(pattern).FindSubmatchIndex(text)
	if at == nil {
		t.Fatalf("%s has no %s", path, pattern)
	}
	expanded := regexp.MustCompile(pattern).Expand(nil, []byte(by), text, at)
	if err := os.WriteFile(path, bytes.Join([][]byte{text[:at[0]], expanded, text[at[1]:]}, nil), 0o666); err != nil {
		t.Fatal(err)
	}
}

// late is the registry, but that on eight processes the leader announces itself
// whether it should or not: the epoch is the same, and the runs part.
func late() *trial.Registry {
	return sweeptest.RegistryOf(sweeptest.Triangle, func(in *trial.Instance) bool { return sweeptest.Announces(in) || in.N == 8 })
}

func TestVerifyIdentical(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, sweeptest.Small)
	found := verified(t, r, s.Dir, false)
	if !found.Identical() || found.Again != 20 || found.Trials != 336 || len(found.Files) != 4+7+18 || found.Tables != nil || found.Made != "" {
		t.Errorf("a sample: %+v", found)
	}
	found = verified(t, r, s.Dir, true)
	if !found.Identical() || found.Again != 336 || len(found.Tables) != 2 || found.Documents != 7 || found.Drawn != 18 || found.Unmade != nil || found.Partial != "" {
		t.Errorf("all: %+v", found)
	}
	for _, figure := range []string{"lines.png", "times.svg", "bars.pdf", "lines.pdf"} {
		for _, all := range []bool{false, true} {
			found := verified(t, r, filepath.Join(s.Dir, "figures", figure), all)
			if !found.Identical() || all != (found.Again == found.Trials) && found.Trials > 20 || found.Beside != s.Dir {
				t.Errorf("%s, all %v: %+v", figure, all, found)
			}
		}
	}
}

// What a sweep that was stopped has left can be verified too.
func TestVerifyIncomplete(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(t, r, strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 700", 1))
	ctx, cancel := context.WithCancel(t.Context())
	s.Clock = &sweeptest.Rushing{}
	s.Progress = func(p sweep.Progress) {
		if p.Done >= 3000 {
			cancel()
		}
	}
	if _, err := s.Run(ctx); err == nil {
		t.Fatal("it was not stopped")
	}
	if found := verified(t, r, s.Dir, true); !found.Identical() || found.Trials < 2000 || len(found.Tables) != 2 || found.Documents != 7 || !strings.Contains(found.Partial, " of at most 33600 trials; stopped after ") {
		t.Errorf("%+v", found)
	}
}

// The sample depends on the seed alone, and another seed chooses another one.
func TestVerifySample(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 40", 1))
	content := regexp.MustCompile(`(?m),[0-9a-f]{16},([0-9a-f]+)$`).ReplaceAll(sweeptest.Read(t, s, "results.csv"), []byte(",0000000000000000,$1"))
	if err := os.WriteFile(filepath.Join(s.Dir, "results.csv"), content, 0o666); err != nil {
		t.Fatal(err)
	}
	sample := func(seed uint64, workers int) string {
		v := &verify.Verifier{Registry: r, Path: s.Dir, Sample: 0.05, Seed: seed, Workers: workers}
		found, err := v.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if found.Again != 96 || found.Differ != 96 || len(found.First) != 10 { // 5 % of 1,920
			t.Fatalf("%+v", found)
		}
		return fmt.Sprint(found.First)
	}
	one := sample(1, 1)
	if sample(1, 4) != one {
		t.Error("four workers take another sample than one, or tell of it in another order")
	}
	if sample(2, 1) == one {
		t.Error("the seed does not choose the sample")
	}
}

func TestVerifyChangedFiles(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	original := swept(t, r, strings.Split(sweeptest.Small, "  - {name: times")[0])
	for _, c := range []struct {
		name   string
		change func(dir string)
		damage []string // all of it
		differ string   // the trial that is told of
	}{
		{"a digit of a row", func(dir string) {
			edit(t, filepath.Join(dir, "results.csv"), `(?m)^(100,.*),elected,3,`, "$1,elected,2,")
		},
			[]string{"results.csv was changed"}, `row 100 leader is "2" in results.csv, but "3" now; the events are the same, only the record differs`},
		{"the number of messages", func(dir string) {
			edit(t, filepath.Join(dir, "results.csv"), `(?m)^(168,.*),40,820,820,`, "$1,40,821,820,")
		},
			[]string{"results.csv was changed", "summary.csv is not what the rows of results.csv give: line 25", "growth.csv is not what the rows of results.csv give: line "},
			`row 168 messages is "821"`},
		{"a verdict that is none", func(dir string) { edit(t, filepath.Join(dir, "results.csv"), `holds,holds`, "holds,hold") },
			[]string{"results.csv was changed", `what follows from results.csv was not made again: `}, `row 1 E2 is "hold"`},
		{"a seed", func(dir string) { edit(t, filepath.Join(dir, "results.csv"), `(?m)^(3,.*,)3,\d+,`, "${1}3,12,") },
			[]string{"results.csv was changed"}, `row 3 seed is "12"`},
		{"a size that is none", func(dir string) {
			edit(t, filepath.Join(dir, "results.csv"), `(?m)^3,ring,leader-only,ring,1,increasing|^3,ring,leader-only,ring,1,`, "3,ring,leader-only,ring,x,")
		},
			[]string{"results.csv was changed", `row 3 has n "x", but spec.yaml asks for "1"`}, ""},
		{"a missing row", func(dir string) { edit(t, filepath.Join(dir, "results.csv"), `(?m)^50,.*\n`, "") },
			[]string{"results.csv was changed", `the row is numbered "51", but it is number 50`}, ""},
		{"missing rows at the end", func(dir string) { edit(t, filepath.Join(dir, "results.csv"), `(?s)\n330,.*`, "\n") },
			[]string{"results.csv was changed", "results.csv has 329 rows, and manifest.json says 336", "summary.csv is not what", ""}, ""},
		{"a missing table", func(dir string) { os.Remove(filepath.Join(dir, "results.csv")) }, []string{"results.csv is missing"}, ""},
		{"a missing figure", func(dir string) { os.Remove(filepath.Join(dir, "figures", "lines.pdf")) }, []string{"figures/lines.pdf is missing"}, ""},
		{"a summary", func(dir string) { edit(t, filepath.Join(dir, "summary.csv"), `(?m)^2,ring`, "2,wing") },
			[]string{"summary.csv was changed", "summary.csv is not what the rows of results.csv give: line 3"}, ""},
		{"the sweep", func(dir string) { edit(t, filepath.Join(dir, "spec.yaml"), `name: small`, "name: smell") },
			[]string{"spec.yaml was changed"}, ""},
	} {
		dir := copied(t, original.Dir)
		c.change(dir)
		found := verified(t, r, dir, true)
		damage := strings.Join(found.Damage, "\n")
		if found.Identical() {
			t.Errorf("%s: nothing is found", c.name)
		}
		for _, want := range c.damage {
			if !strings.Contains(damage, want) {
				t.Errorf("%s: %q is lacking in\n%s", c.name, want, damage)
			}
		}
		differ := ""
		for _, d := range found.First {
			differ += fmt.Sprintf("row %d %s", d.Row, d.What)
		}
		if !strings.HasPrefix(differ, c.differ) || (c.differ == "") != (found.Differ == 0) {
			t.Errorf("%s: %q; want %q", c.name, differ, c.differ)
		}
	}
}

// An algorithm that behaves otherwise from an event on: the trail tells from which.
func TestVerifyOtherRuns(t *testing.T) {
	s := swept(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
	found := verified(t, late(), s.Dir, true)
	// Seven of ring with n=8 in each of four conditions; bird announces anyway.
	if found.Differ != 28 || len(found.First) != 10 || len(found.Damage) != 0 {
		t.Fatalf("%+v", found)
	}
	all := sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv"))
	for _, d := range found.First {
		row := all[d.Row-1]
		if row["algorithm"] != "ring" || row["n"] != "8" || !strings.Contains(d.What, "; the runs part ") || !strings.HasPrefix(d.Cell, "ring n=8") {
			t.Errorf("row %d: %+v", d.Row, d)
		}
	}
	// The announcement comes after all that was recorded.
	result, err := verify.Replay(t.Context(), late(), s.Dir, found.First[0].Row, nil)
	difference, ok := errors.AsType[*verify.DifferenceError](err)
	if !ok || !strings.Contains(err.Error(), difference.Parted) {
		t.Fatalf("error %v", err)
	}
	recorded := all[found.First[0].Row-1]
	trail, i := recorded["trail"], 0
	for i < len(trail)/2 && trail[2*i:2*i+2] == result.Trail[2*i:2*i+2] {
		i++
	}
	if i < 2 || !strings.Contains(difference.Parted, fmt.Sprint(netem.Checkpoint(i-1))) && !strings.Contains(difference.Parted, fmt.Sprint(netem.Checkpoint(i-1)+1)) {
		t.Errorf("%s; recorded %s, now %s", difference.Parted, trail, result.Trail)
	}

	// Its figure alone tells the trials, and beside its folder the events.
	figure := filepath.Join(s.Dir, "figures", "lines.svg")
	if found := verified(t, late(), figure, true); found.Differ != 14 || len(found.First) != 10 || found.First[0].Row == 0 || !strings.Contains(found.First[0].What, "the runs part") {
		t.Errorf("beside its folder: %+v", found)
	}
	alone := filepath.Join(t.TempDir(), "renamed.svg")
	if err := os.WriteFile(alone, sweeptest.Read(t, s, "figures/lines.svg"), 0o666); err != nil {
		t.Fatal(err)
	}
	found = verified(t, late(), alone, true)
	if found.Differ != 14 || found.Beside != "" || found.First[0].Row != 0 || !strings.HasPrefix(found.First[0].What, "the digest of seed, fingerprint and messages is ") {
		t.Errorf("alone: %+v", found)
	}
	if found := verified(t, sweeptest.Registry(sweeptest.Triangle), alone, true); !found.Identical() || found.Trials != 168 || found.Figure != "lines" {
		t.Errorf("alone: %+v", found)
	}
	// Beside the tables, as well as in their folder of figures.
	within := filepath.Join(s.Dir, "lines.svg")
	if err := os.WriteFile(within, sweeptest.Read(t, s, "figures/lines.svg"), 0o666); err != nil {
		t.Fatal(err)
	}
	if found := verified(t, late(), within, false); found.Beside != s.Dir {
		t.Errorf("beside the tables: %+v", found)
	}
}

// Of many trials several share a digest.
func TestVerifyFigureInBlocks(t *testing.T) {
	const many = "name: many\nreplicates: 3001\nalgorithms: [ring]\naxes: {n: [2, 3, 8], placement: random}\nfigures: [{name: f, y: messages}]\n"
	s := swept(t, sweeptest.Registry(sweeptest.Triangle), many)
	alone := filepath.Join(t.TempDir(), "f.png")
	if err := os.WriteFile(alone, sweeptest.Read(t, s, "figures/f.png"), 0o666); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(alone); err != nil || info.Size() > 100_000 {
		t.Errorf("%v, %v", info, err)
	}
	found := verified(t, sweeptest.Registry(sweeptest.Triangle), alone, false)
	if !found.Identical() || found.Trials != 9003 || found.Again < 450 || found.Again > 460 {
		t.Errorf("%+v", found)
	}
	found = verified(t, late(), alone, true)
	if found.Differ != 3001 || found.First[0].First != 1 || found.First[0].Last != 4 || found.First[1].First != 5 {
		t.Errorf("%+v", found)
	}
}

func TestVerifyRefusesOtherEpochs(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, sweeptest.Small)
	this := build.ThisProgram().String()
	refused := func(path string) {
		t.Helper()
		_, err := (&verify.Verifier{Registry: r, Path: path}).Run(t.Context())
		epoch, ok := errors.AsType[*results.EpochError](err)
		if !ok || epoch.Epoch != 77 || !strings.Contains(err.Error(), "was made by version v7, of epoch 77, and this is version "+this+", of epoch 1:") {
			t.Errorf("%s: error %v", path, err)
		}
	}
	edit(t, filepath.Join(s.Dir, "manifest.json"), `"epoch": 1`, `"epoch": 77`)
	edit(t, filepath.Join(s.Dir, "manifest.json"), `(?s)("program": \{\s*"version": ")[^"]*`, `${1}v7`)
	refused(s.Dir)
	edit(t, filepath.Join(s.Dir, "figures", "lines.svg"), `&#34;version&#34;:&#34;[^;]*&#34;,&#34;epoch&#34;:1|"version":"[^"]*","epoch":1|&quot;version&quot;:&quot;[^;]*&quot;,&quot;epoch&quot;:1`,
		`&quot;version&quot;:&quot;v7&quot;,&quot;epoch&quot;:77`)
	refused(filepath.Join(s.Dir, "figures", "lines.svg"))
}

// What cannot be verified is refused with what is wrong with it.
func TestVerifyRefuses(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, sweeptest.Small)
	dir := t.TempDir()
	refused := func(name, path, want string) {
		t.Helper()
		found, err := (&verify.Verifier{Registry: r, Path: path, All: true}).Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, error %v; want %q", name, found, err, want)
		}
	}
	refused("nothing", filepath.Join(dir, "nothing"), "no such file")
	refused("an empty folder", dir, "it has no manifest.json")
	refused("another file", filepath.Join(s.Dir, "results.csv"), ".svg, .pdf, .png, .tikz or .tex")
	picture := &plots.Figure{Name: "run", Marks: []plots.Mark{&plots.Curve{Points: []plots.XY{{X: 0, Y: 0}, {X: 1, Y: 1}}}}}
	for _, extension := range []string{".png", ".svg", ".pdf"} {
		path := filepath.Join(dir, "run"+extension)
		if err := picture.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		refused("no figure of a sweep", path, "its metadata have no Manifest")
		cut := filepath.Join(dir, "cut"+extension)
		content := sweeptest.Read(t, s, "figures/lines"+extension)
		if err := os.WriteFile(cut, content[:len(content)/2], 0o666); err != nil {
			t.Fatal(err)
		}
		refused("half a figure", cut, "cut short")
	}
	foreign := filepath.Join(dir, "foreign.svg")
	if err := os.WriteFile(foreign, []byte(`<svg xmlns="http://www.w3.org/2000/svg"></svg>`), 0o666); err != nil {
		t.Fatal(err)
	}
	refused("a figure of another program", foreign, "no receipt")

	// Receipts that somebody has changed.
	figure := func(change func(meta map[string]string)) string {
		entries, err := plots.ReadMeta(filepath.Join(s.Dir, "figures", "lines.png"))
		if err != nil {
			t.Fatal(err)
		}
		meta := map[string]string{}
		for _, m := range entries {
			meta[m.Key] = m.Value
		}
		change(meta)
		changed := *picture
		for _, m := range entries {
			if m.Key != "Title" {
				changed.Meta = append(changed.Meta, plots.Meta{Key: m.Key, Value: meta[m.Key]})
			}
		}
		path := filepath.Join(dir, "changed.png")
		if err := changed.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, key, pattern, by, want string }{
		{"the sweep", "Spec", "replicates: 7", "replicates: 8", "does not have the hash beside it"},
		{"no JSON", "Manifest", "^.", "", "the Manifest in its metadata"},
		{"figure", "Manifest", `"lines"`, `"lanes"`, `the sweep has no figure "lanes"`},
		{"another figure", "Manifest", `"lines"`, `"bars"`, "does not draw that"},
		{"block", "Manifest", `"block":1`, `"block":3`, "a power of two"},
		{"no block", "Manifest", `"block":1`, `"block":0`, "a power of two"},
		{"trials", "Manifest", `"trials":168`, `"trials":169`, "has digests of 168"},
		{"too many", "Manifest", `"cell":1,"trials":7`, `"cell":1,"trials":8`, "8 trials of cell 1; the sweep has 1 to 7"},
		{"cells", "Manifest", `"cell":1,`, `"cell":1000,`, "digests of cell 1000"},
		{"digits", "Manifest", `"blocks":"..`, `"blocks":"`, "have 54 digits"},
		{"no digits", "Manifest", `"blocks":"..`, `"blocks":"zz`, "the digests of cell 1"},
	} {
		refused(c.name, figure(func(meta map[string]string) {
			at := regexp.MustCompile(c.pattern).FindStringIndex(meta[c.key])
			meta[c.key] = meta[c.key][:at[0]] + c.by + meta[c.key][at[1]:]
		}), c.want)
	}
	found := verified(t, r, figure(func(meta map[string]string) {
		at := strings.Index(meta["Manifest"], `"blocks":"`) + len(`"blocks":"`)
		digit := byte('0')
		if meta["Manifest"][at] == '0' {
			digit = '1'
		}
		meta["Manifest"] = meta["Manifest"][:at] + string(digit) + meta["Manifest"][at+1:]
	}), true)
	if found.Differ != 1 || found.First[0].First != 1 {
		t.Errorf("a digest: %+v", found)
	}

	manifest := filepath.Join(s.Dir, "manifest.json")
	content := sweeptest.Read(t, s, "manifest.json")
	for _, length := range []int{0, 1, len(content) / 2, len(content) - 3} {
		if err := os.WriteFile(manifest, content[:length], 0o666); err != nil {
			t.Fatal(err)
		}
		refused("a manifest cut short", s.Dir, "manifest.json is damaged: ")
	}
	if err := os.WriteFile(manifest, content, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.Dir, "spec.yaml")); err != nil {
		t.Fatal(err)
	}
	refused("no spec", s.Dir, "it has no spec.yaml")
}

func TestVerifyStops(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 70", 1))
	for _, path := range []string{s.Dir, filepath.Join(s.Dir, "figures", "lines.png")} {
		ctx, cancel := context.WithCancel(t.Context())
		v := &verify.Verifier{Registry: r, Path: path, All: true, Workers: 2}
		v.Progress = func(done, all int) {
			if done == 10 {
				cancel()
			}
		}
		found, err := v.Run(ctx)
		if err != nil || !found.Stopped || !found.Identical() || found.Again < 10 || found.Again >= found.Trials || found.Tables != nil {
			t.Errorf("%+v, %v", found, err)
		}
	}
}

// A sweep with a stopping rule, a comparison and an included file can be verified,
// and so can its figure without them beside it.
func TestVerifyAllThatASweepCanHave(t *testing.T) {
	r, dir := sweeptest.Registry(sweeptest.Triangle), t.TempDir()
	const base = "replicates: {min: 10, max: 200, half_width: 5%, of: messages}\naxes: {n: [4, 8, 16], placement: random}\n"
	const text = "name: all\ninclude: base.yaml\nalgorithms: [ring, bird]\ncompare: {baseline: ring}\nfigures: [{name: f, y: messages}]\n"
	if err := os.WriteFile(filepath.Join(dir, "base.yaml"), []byte(base), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "all.yaml")
	parsed, err := results.ParseSpec(r, file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := &sweep.Sweep{Source: sweep.Source{Registry: r, Spec: parsed, Text: []byte(text), File: file}, Rehearse: figures.Rehearse, Dir: filepath.Join(dir, "out")}
	sweeptest.Run(t, s)
	if _, err := figures.Draw(r, s.Dir); err != nil {
		t.Fatal(err)
	}
	found := verified(t, r, s.Dir, true)
	if !found.Identical() || strings.Join(found.Tables, " ") != "summary.csv growth.csv differences.csv" {
		t.Errorf("%+v", found)
	}
	alone := filepath.Join(t.TempDir(), "f.pdf")
	if err := os.WriteFile(alone, sweeptest.Read(t, s, "figures/f.pdf"), 0o666); err != nil {
		t.Fatal(err)
	}
	if of := verified(t, r, alone, true); !of.Identical() || of.Trials != found.Trials || of.Beside != "" {
		t.Errorf("%+v", of)
	}
	m := readManifest(t, s.Dir)
	included := m["included"].(map[string]any)
	for _, key := range []string{"name", "bytes", "sha256"} {
		was := included[key]
		included[key] = other(was)
		m.write(t, s.Dir)
		if found := verified(t, r, s.Dir, false); !strings.Contains(strings.Join(found.Damage, "\n"), "manifest.json says included."+key) {
			t.Errorf("another %s of the included file: %q", key, found.Damage)
		}
		included[key] = was
	}
	m.write(t, s.Dir)
	edit(t, filepath.Join(s.Dir, "differences.csv"), `bird`, "word")
	if found := verified(t, r, s.Dir, true); !strings.Contains(strings.Join(found.Damage, "\n"), "differences.csv is not what the rows of results.csv give: line 2") {
		t.Errorf("%+v", found)
	}
}
