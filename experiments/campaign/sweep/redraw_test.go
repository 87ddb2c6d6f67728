package sweep_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
)

const original = `name: drawn
title: Before
replicates: 5
algorithms: [ring, {algorithm: bird, label: "bird, tells"}]
axes: {n: [3, 4, 8], placement: random}
figures:
  - {name: cost, y: {metric: messages, label: before}, series: label}
  - {name: gone, y: time}
`

// edited has the trials of original, and everything else otherwise: the order of keys, the
// labels, the title, a comparison, resamples, and the figures.
const edited = `title: After
name: drawn-anew
bootstrap: 100
compare: {baseline: ring!, metrics: time}
algorithms:
  - {algorithm: ring, label: ring!}
  - {algorithm: bird, label: a bird}
axes: {placement: random, n: [3, 4, 8]} # spelt otherwise
replicates: 5
figures:
  - {name: cost, y: {metric: messages, label: after}, series: label}
  - {name: bits, y: bits}
`

// version is the sweep of another text in the folder of s.
func version(t testing.TB, s *sweep.Sweep, text string) *sweep.Sweep {
	t.Helper()
	other := sweeptest.Sweep(t, s.Registry, text)
	other.Dir = s.Dir
	return other
}

// noTrials fails the test when the sweep runs a trial.
func noTrials(t *testing.T, s *sweep.Sweep) *sweep.Sweep {
	t.Helper()
	s.Progress = func(p sweep.Progress) {
		if p.Done > p.Stored {
			t.Errorf("%d trials were run", p.Done-p.Stored)
		}
	}
	return s
}

// sameFolder compares two folders, apart from times and the hash of the spec's name.
func sameFolder(t *testing.T, a, b string) {
	t.Helper()
	x, y := folderFiles(t, a), folderFiles(t, b)
	for name := range y {
		if !bytes.Equal(x[name], y[name]) {
			t.Errorf("%s differs from that of a sweep that ran so:\n%s\n%s", name, x[name], y[name])
		}
	}
	for name := range x {
		if y[name] == nil {
			t.Errorf("%s is left over", name)
		}
	}
}

// folderFiles are the files of results by name, and of the manifest what does not tell
// times. Hidden files are not among them.
func folderFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"*", "figures/*"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name, _ := filepath.Rel(dir, path)
			if info, err := os.Stat(path); err != nil || info.IsDir() || strings.HasPrefix(info.Name(), ".") {
				continue
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if name == results.ManifestFile {
				content = timeless(t, content)
			}
			files[name] = content
		}
	}
	return files
}

func timeless(t *testing.T, manifest []byte) []byte {
	t.Helper()
	m := map[string]any{}
	if err := json.Unmarshal(manifest, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "start")
	delete(m, "end")
	delete(m, "attempts")
	content, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// ranSo is the folder of a sweep that ran as it is.
func ranSo(t *testing.T, text string) string {
	t.Helper()
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
	sweeptest.Run(t, s)
	draw(t, s)
	return s.Dir
}

func draw(t testing.TB, s *sweep.Sweep) {
	t.Helper()
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
}

// A sweep with other labels and figures takes the trials that are there, and leaves the
// folder, to the byte, that it would have made itself.
func TestEditedSweepIsNotRunAgain(t *testing.T) {
	want := ranSo(t, edited)
	for name, write := range map[string]func(t *testing.T, s *sweep.Sweep){
		"by sweep": func(t *testing.T, s *sweep.Sweep) {
			report := sweeptest.Run(t, noTrials(t, s))
			if !report.Already || !report.Outdated || report.Done != 30 {
				t.Errorf("%+v", report)
			}
			draw(t, s)
			if report := sweeptest.Run(t, s); report.Outdated {
				t.Error("it is written anew a second time")
			}
		},
		"by plot": func(t *testing.T, s *sweep.Sweep) {
			if _, err := sweep.Redraw(s, figures.DrawHere); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), original)
			sweeptest.Run(t, s)
			draw(t, s)
			write(t, version(t, s, edited))
			sameFolder(t, s.Dir, want)
			verified, err := (&verify.Verifier{Registry: s.Registry, Path: s.Dir, All: true}).Run(context.Background())
			if err != nil || !verified.Identical() {
				t.Errorf("%v, %+v", err, verified)
			}
			write(t, version(t, s, original)) // and back
			sameFolder(t, s.Dir, ranSo(t, original))
		})
	}
}

// A sweep that was stopped half-way, even by a kill, goes on with other labels.
func TestEditedSweepGoesOn(t *testing.T) {
	for _, kill := range []bool{false, true} {
		s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), original)
		half(t, s)
		if kill { // nothing is left but the journal
			for name := range folderFiles(t, s.Dir) {
				if name != sweep.JournalFile {
					if err := os.Remove(filepath.Join(s.Dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		s = version(t, s, edited)
		if report := sweeptest.Run(t, s); report.Stored == 0 || report.Done != 30 {
			t.Errorf("%+v", report)
		}
		draw(t, s)
		sameFolder(t, s.Dir, ranSo(t, edited))
	}
}

// half runs the sweep until some trials are done.
func half(t *testing.T, s *sweep.Sweep) {
	t.Helper()
	s.Workers = 1
	if err := stopAfter(t, s, 1); err == nil {
		t.Fatal("the sweep was not stopped")
	}
}

// Shards that ran before and after an edit are joined, as the sweep was last.
func TestEditedShards(t *testing.T) {
	first := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), original)
	first.Shard = sweep.Shard{Index: 0, Of: 2}
	sweeptest.Run(t, first)
	second := version(t, first, edited)
	second.Shard = sweep.Shard{Index: 1, Of: 2}
	second.Clock = clockwork.NewFakeClockAt(time.Now().Add(time.Hour))
	sweeptest.Run(t, second)
	s, err := (&sweep.Join{Registry: first.Registry, Paths: []string{first.Dir}}).Sweep()
	if err != nil {
		t.Fatal(err)
	}
	s.Dir = filepath.Join(t.TempDir(), "joined")
	sweeptest.Run(t, s)
	draw(t, s)
	sameFolder(t, s.Dir, ranSo(t, edited))
}

// A change that would lose trials is refused by sweep, which names them, and every change of
// trials by plot; the folder stays as it is.
func TestChangedTrialsAreRefused(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), original)
	sweeptest.Run(t, s)
	draw(t, s)
	before := folderFiles(t, s.Dir)
	for _, test := range []struct{ old, changed, lost, plot string }{
		{"replicates: 5", "replicates: 6", "", "5 replicates, and not 6"},
		{"replicates: 5", "replicates: 4", "6 trials would be lost: 1 of ring placement=random n=3, 1 of ring placement=random n=4, 1 of ring placement=random n=8 and 3 more;", "5 replicates, and not 4"},
		{"title: Before", "seed: 2", "30 trials would be lost, because its seed was 1, and is 2 now: 5 of ring placement=random n=3", "its seed is 1, and not 2"},
		{"placement: random", "placement: decreasing", "30 trials would be lost: 5 of ring placement=random n=3", "its cell 1 is ring placement=random n=3"},
		{"[3, 4, 8]", "[3, 4, 9]", "10 trials would be lost: 5 of ring placement=random n=8, 5 of bird placement=random n=8;", "its cell 3 is ring placement=random n=8, and not ring placement=random n=9"},
		{"[3, 4, 8]", "[3, 8, 4]", "", "its cell 2 is ring placement=random n=4"},
		{", {algorithm: bird, label: \"bird, tells\"}", "", "15 trials would be lost: 5 of bird placement=random n=3, 5 of bird placement=random n=4, 5 of bird placement=random n=8;", "it has 6 cells, and not 3"},
		{"replicates: 5", "replicates: {max: 5, min: 3, half_width: 100%}", "12 trials would be lost: 2 of ring placement=random n=3", "its stopping rule is another"},
	} {
		changed := version(t, s, strings.Replace(original, test.old, test.changed, 1))
		if test.lost != "" {
			_, err := changed.Run(context.Background())
			if err == nil || !strings.Contains(err.Error(), test.lost) || !strings.Contains(err.Error(), "give another directory, or --drop to drop them") {
				t.Errorf("%s: the sweep says %v", test.changed, err)
			}
			if e := estimate(t, changed, 0); e.Refused == nil || e.Refused.Error() != err.Error() {
				t.Errorf("%s: the dry run says %v", test.changed, e.Refused)
			}
		}
		if _, err := sweep.Redraw(changed, figures.DrawHere); err == nil || !strings.Contains(err.Error(), test.plot) {
			t.Errorf("%s: plot says %v", test.changed, err)
		}
	}
	for name, content := range folderFiles(t, s.Dir) {
		if !bytes.Equal(content, before[name]) {
			t.Errorf("%s was changed", name)
		}
	}
}

// A folder that was being written anew when its process was killed costs no trial
// either, wherever that was.
func TestRewritingWasKilled(t *testing.T) {
	want := ranSo(t, edited)
	kept := ranSo(t, original)
	done := folderFiles(t, want)
	// What the manifest says while files change their content.
	m := map[string]any{}
	text, err := os.ReadFile(filepath.Join(kept, results.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	m["rewriting"] = fmt.Sprintf("%x", sha256.Sum256(done[results.ResultsFile]))
	text, err = json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	order := []string{"spec.yaml", "results.csv", "summary.csv", "growth.csv", "differences.csv", "README.md"}
	for upTo := range len(order) + 1 {
		dir := filepath.Join(t.TempDir(), "out")
		if err := os.CopyFS(dir, os.DirFS(kept)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, results.ManifestFile), text, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, name := range order[:upTo] {
			if err := os.WriteFile(filepath.Join(dir, name), done[name], 0o644); err != nil {
				t.Fatal(err)
			}
		}
		claim(t, dir, order)
		s := noTrials(t, sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), edited))
		s.Dir = dir
		if report := sweeptest.Run(t, s); !report.Outdated {
			t.Errorf("after %v: %+v", order[:upTo], report)
		}
		draw(t, s)
		sameFolder(t, dir, want)
	}
}

// claim leaves a folder as a process does that was killed while it wrote the files.
func claim(t *testing.T, dir string, names []string) {
	t.Helper()
	j, _, err := journal.Open(filepath.Join(dir, results.ClaimsFile), func(int64, []byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(names)
	if err == nil {
		_, err = j.Append(text)
	}
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
}

// Rows that somebody has changed are not written anew.
func TestChangedRowsAreNotRewritten(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), original)
	sweeptest.Run(t, s)
	path := filepath.Join(s.Dir, results.ResultsFile)
	if err := os.WriteFile(path, bytes.Replace(sweeptest.Read(t, s, results.ResultsFile), []byte("elected"), []byte("ejected"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := version(t, s, edited).Run(context.Background()); err == nil || !strings.Contains(err.Error(), "results.csv was changed since") {
		t.Error(err)
	}
}

// A journal of an earlier version, whose records are named after the text of the sweep,
// goes on, for an edited sweep too.
func TestFormerJournalGoesOn(t *testing.T) {
	for _, text := range []string{original, edited} {
		s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), original)
		half(t, s)
		makeFormer(t, filepath.Join(s.Dir, sweep.JournalFile))
		s = version(t, s, text)
		if report := sweeptest.Run(t, s); report.Stored == 0 || report.Done != 30 {
			t.Errorf("%+v", report)
		}
		draw(t, s)
		sameFolder(t, s.Dir, ranSo(t, text))
	}
}

// A receipt with the hash of other trials is refused; one without, of an earlier
// version, is not.
func TestReceiptHasTheHashOfTrials(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), original)
	sweeptest.Run(t, s)
	draw(t, s)
	m, err := results.ReadManifest(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Dir, "figures", "cost.svg")
	svg, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	field := []byte(`&#34;trials_sha256&#34;:&#34;` + m.Hash + `&#34;,`)
	if !bytes.Contains(svg, field) {
		t.Fatalf("the receipt has no %s", field)
	}
	verify := func(content []byte) error {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := (&verify.Verifier{Registry: s.Registry, Path: path}).Run(context.Background())
		return err
	}
	if err := verify(bytes.Replace(svg, field, nil, 1)); err != nil {
		t.Error(err)
	}
	other := slices.Clone(field)
	other[len(other)-8] ^= 1
	if err := verify(bytes.Replace(svg, field, other, 1)); err == nil || !strings.Contains(err.Error(), "do not have the hash in its receipt") {
		t.Error(err)
	}
}

// makeFormer gives a journal the form that it had before attempts recorded what decides
// their trials: records are of the text of the sweep.
func makeFormer(t *testing.T, path string) {
	t.Helper()
	var records [][]byte
	var id []byte
	if _, err := journal.Scan(path, func(_ int64, body []byte) error {
		body = bytes.Clone(body)
		if body[0] == 'A' {
			var attempt map[string]any
			if err := json.Unmarshal(body[1:], &attempt); err != nil {
				return err
			}
			delete(attempt, "trials_sha256")
			text, err := json.Marshal(attempt)
			if err != nil {
				return err
			}
			id = fmt.Appendf(nil, "%x", sha256.Sum256(fmt.Appendf(nil, "%q %v %v %q %s", attempt["spec"], attempt["epoch"], attempt["outside_model"], attempt["header"], "0/1")))[:8]
			body = append([]byte{'A'}, text...)
		} else {
			copy(body[1:], id)
		}
		records = append(records, body)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	j, _, err := journal.Open(path, func(int64, []byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range records {
		if _, err := j.Append(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// A formula that is added or changed costs no trial.
func TestOwnMetricsAreNoTrials(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), original)
	sweeptest.Run(t, s)
	text := original + "metrics: {sent: messages + overhead}\n"
	if report := sweeptest.Run(t, noTrials(t, version(t, s, text))); !report.Outdated {
		t.Errorf("%+v", report)
	}
	if !strings.Contains(string(sweeptest.Read(t, s, results.SummaryFile)), ",sent_mean,") {
		t.Error("the table has no column of it")
	}
}
