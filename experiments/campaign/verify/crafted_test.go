package verify_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/cluster"
	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
)

// shardsOf runs the two shards of tiny into a folder.
func shardsOf(t testing.TB, dir string) (first, second string) {
	t.Helper()
	for i := range 2 {
		sweeptest.RunShard(t, dir, sweeptest.Tiny, i, 2)
	}
	return filepath.Join(dir, "shard-0-of-2.journal"), filepath.Join(dir, "shard-1-of-2.journal")
}

// bodies are the records of a journal.
func bodies(t testing.TB, path string) [][]byte {
	t.Helper()
	var all [][]byte
	if _, err := journal.Scan(path, func(_ int64, body []byte) error {
		all = append(all, slices.Clone(body))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// journalOf is a journal of these records, each with a checksum that is right.
func journalOf(bodies ...[]byte) []byte {
	var file []byte
	for _, body := range bodies {
		length := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
		table := crc32.MakeTable(crc32.Castagnoli)
		sum := crc32.Update(crc32.Checksum(length, table), table, body)
		file = append(file, 0xb5, 'b', 'r', '\n')
		file = append(file, length...)
		file = binary.LittleEndian.AppendUint32(file, sum)
		file = append(file, body...)
	}
	return file
}

func writeFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// useJournals does what can be done with the shards of tiny in a folder.
func useJournals(t testing.TB, dir string) error {
	t.Helper()
	r := sweeptest.Registry(sweeptest.Triangle)
	_, failure := sweep.StatusOf(r, []string{dir})
	s := sweeptest.Sweep(t, r, sweeptest.Tiny)
	s.Dir, s.Shard = dir, sweep.Shard{Index: 0, Of: 2}
	if _, err := (&cluster.Slurm{Sweep: s, Program: "bullring", Tasks: 2}).Write(); err != nil {
		failure = err
	}
	if e, err := s.Estimate(t.Context(), 1); err == nil && e.Refused != nil {
		failure = e.Refused
	}
	joined, err := (&sweep.Join{Registry: r, Paths: []string{dir}, Dir: filepath.Join(dir, "joined"), Workers: 1}).Sweep()
	if err == nil {
		_, err = joined.Run(t.Context())
	}
	if err != nil {
		failure = err
	}
	s.Workers = 1
	if _, err := s.Run(t.Context()); err != nil {
		failure = err
	}
	return failure
}

// trialsBody is a record of trials: an identity, cell, first, count, and rows.
func trialsBody(id []byte, cell, first, count uint64, rows ...string) []byte {
	body := append([]byte{'T'}, id...)
	for _, v := range []uint64{cell, first, count} {
		body = binary.AppendUvarint(body, v)
	}
	for _, row := range rows {
		body = binary.AppendUvarint(body, uint64(len(row)))
		body = append(body, row...)
	}
	return body
}

// Records whose checksum is right may say anything: it is refused before it is used.
func TestCraftedJournals(t *testing.T) {
	dir := t.TempDir()
	path, _ := shardsOf(t, dir)
	sound := bodies(t, path)
	begin, id := sound[0], sound[1][1:9]
	_, size := binary.Uvarint(sound[1][12:]) // its length, behind cell, first and count
	row := string(sound[1][12+size:])
	shard := func(index int, of int64) []byte {
		text := strings.Replace(string(begin), `"Index":0,"Of":2`, fmt.Sprintf(`"Index":%d,"Of":%d`, index, of), 1)
		if text == string(begin) {
			t.Fatalf("%s says no shard", begin)
		}
		return []byte(text)
	}
	large := "there is no shard 0 of 4611686018427387904"
	if strconv.IntSize == 32 {
		large = "cannot unmarshal number 4611686018427387904"
	}
	for name, c := range map[string]struct {
		records [][]byte
		says    string
	}{
		"an end of one byte":       {[][]byte{begin, []byte("E")}, "no end of a shard"},
		"an end without its text":  {[][]byte{begin, append([]byte("E"), id...)}, "unexpected end of JSON"},
		"shard 5 of 2":             {[][]byte{shard(5, 2)}, "there is no shard 5 of 2"},
		"shard -1 of 2":            {[][]byte{shard(-1, 2)}, "there is no shard -1 of 2"},
		"shard 0 of 2^62":          {[][]byte{shard(0, 1<<62)}, large},
		"shard 0 of 2e9":           {[][]byte{shard(0, 2_000_000_000)}, "there is no shard 0 of 2000000000"},
		"a count without its rows": {[][]byte{begin, trialsBody(id, 0, 0, 1<<31-1)}, "holds no trials"},
		"a count above the rows":   {[][]byte{begin, trialsBody(id, 0, 0, 2, row)}, "holds no trials"},
		"trials beyond 2^31":       {[][]byte{begin, trialsBody(id, 0, 1<<31-1, 1, row)}, "holds no trials"},
		"a cell that is not there": {[][]byte{begin, trialsBody(id, 1<<31-1, 0, 1, row)}, "which the sweep does not have"},
		"too many trials":          {[][]byte{begin, trialsBody(id, 0, 2, 1, row)}, "which the sweep does not have"},
		"a row of one column":      {[][]byte{begin, trialsBody(id, 0, 0, 1, "ring\n")}, "a row has 1 field; the sweep has 60 columns"},
		"a row of two":             {[][]byte{begin, trialsBody(id, 0, 0, 1, row+row)}, "more than one line"},
		"a row of another":         {[][]byte{begin, trialsBody(id, 0, 0, 1, strings.Replace(row, "ring", "bird", 1))}, "which the sweep does not have"},
	} {
		writeFile(t, path, journalOf(c.records...))
		if err := useJournals(t, dir); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %q", name, err, c.says)
		}
	}
	writeFile(t, path, journalOf(sound...))
	if err := useJournals(t, dir); err != nil {
		t.Errorf("the sound one: %v", err)
	}
	if err := os.Rename(path, filepath.Join(dir, "shard-5-of-2.journal")); err != nil {
		t.Fatal(err)
	}
	if err := useJournals(t, dir); err == nil || !strings.Contains(err.Error(), "1 of 2 shards are missing: --array=0") {
		t.Errorf("a file of a shard that there cannot be: %v", err)
	}
}

// FuzzJournal holds for records of any content whose checksums are right: nothing that
// reads the journal of a shard panics.
func FuzzJournal(f *testing.F) {
	made := f.TempDir()
	path, other := shardsOf(f, made)
	sound := bodies(f, path)
	f.Add(sound[0], sound[1], sound[2], sound[len(sound)-1])
	f.Add(sound[0], sound[1], []byte("E"), []byte{})
	beside, err := os.ReadFile(other)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, a, b, c, d []byte) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, filepath.Base(path)), journalOf(a, b, c, d))
		writeFile(t, filepath.Join(dir, filepath.Base(other)), beside)
		_ = useJournals(t, dir)
	})
}

// FuzzManifest holds for any text: what reads a manifest does not panic, and what it
// accepts stands in scripts and on terminals as it is.
func FuzzManifest(f *testing.F) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(f, r, sweeptest.Tiny)
	sweeptest.Run(f, s)
	text, err := os.ReadFile(filepath.Join(s.Dir, results.ManifestFile))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(`{"epoch":1,"files":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		writeFile(t, filepath.Join(s.Dir, results.ManifestFile), []byte(text))
		_, _ = sweep.StatusOf(r, []string{s.Dir})
		m, err := results.ReadManifest(s.Dir)
		if err != nil {
			return
		}
		words := []string{m.Name, m.Title, m.Program.String()}
		for _, file := range m.Files {
			words = append(words, file.Name, file.SHA256)
		}
		for _, word := range words {
			if strings.ContainsAny(word, "\n\r\x1b") {
				t.Errorf("%q was accepted", word)
			}
		}
	})
}

// FuzzCase: no text makes the reader of cases panic, nor what makes a run of it.
func FuzzCase(f *testing.F) {
	r := sweeptest.Registry(sweeptest.Triangle)
	for _, s := range []trial.Setting{
		{Algorithm: "ring", N: 3, Seed: 1}, {Algorithm: "bird", IDs: "3,1,2", Delay: "uniform(0,2ms)", Fault: "at 1ms crash 0"},
	} {
		text, err := json.Marshal(search.Case{Setting: s, Failure: "E1", Outcome: "elected", Fingerprint: "0123456789abcdef", Epoch: netem.Epoch})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "case.json")
		writeFile(t, path, []byte(text))
		c, err := search.ReadCase(path)
		if err != nil || c.Setting.N > 1000 {
			return
		}
		c.Setting.OutsideModel = true
		_, _ = r.Instance(c.Setting)
	})
}

// What a manifest says goes into scripts and pages: it is refused unless it can only be
// what it is there for.
func TestCraftedManifests(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(t, r, sweeptest.Tiny)
	sweeptest.Run(t, s)
	path := filepath.Join(s.Dir, results.ManifestFile)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := results.ReadManifest(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	quoted := func(text string) string { q, _ := json.Marshal(text); return string(q) }
	for _, c := range []struct{ old, new, says string }{
		{quoted(m.Program.Version), `"v1\n$(touch X)"`, "the version is"},
		{quoted(m.Program.Version), `"$(touch X)"`, "the version is"},
		{`"results.csv"`, `"$(touch X).csv"`, "the name of a file is"},
		{`"results.csv"`, `"../results.csv"`, "the name of a file is"},
		{quoted(m.Files[0].SHA256), `"\ntouch X\n"`, "the hash of"},
		{quoted(m.Spec.SHA256), `"` + "`touch X`" + `"`, "the hash of the sweep is"},
		{`"messages"`, `"messages\" = system(\"touch X\")"`, "a column of"},
		{`"title"`, `"stopped": "", "title": "\u001b[2J", "was"`, "the title is"},
		{`"documents"`, `"figures": [{"name": "figures/../../x"}], "documents"`, "the name of a figure is"},
		{`"documents"`, `"figures": [{"name": "../../x"}], "documents"`, "the name of a figure is"},
		{`"attempts"`, `"attempts": [{"version": "a\nb"}], "before"`, "the version of an attempt is"},
	} {
		text := strings.Replace(string(sound), c.old, c.new, 1)
		if text == string(sound) {
			t.Fatalf("the manifest has no %s", c.old)
		}
		writeFile(t, path, []byte(text))
		if _, err := figures.Draw(r, s.Dir); err == nil || !strings.Contains(err.Error(), "was not written by bullring, or was changed: "+c.says) {
			t.Errorf("%s: %v; want %q", c.new, err, c.says)
		}
	}
	writeFile(t, path, []byte(`{"epoch": 1, "files": [`+strings.Repeat("{},", 2<<20)+`{}, {}]}`))
	if _, err := results.ReadManifest(s.Dir); err == nil || !strings.Contains(err.Error(), "longer than those of any sweep") {
		t.Errorf("a list of two million files: %v", err)
	}
	script, err := os.ReadFile(filepath.Join(s.Dir, results.ReproduceFile))
	if err != nil {
		t.Fatal(err)
	}
	if want := "for file in 'spec.yaml' 'results.csv' 'summary.csv' 'growth.csv'; do"; !strings.Contains(string(script), want) {
		t.Errorf("%s lacks %q:\n%s", results.ReproduceFile, want, script)
	}
}

// A label that a spreadsheet would compute is refused before the first trial, and a
// folder that has one is still read.
func TestFormulas(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	for _, label := range []string{`=HYPERLINK("http://example.org")`, "+1", "-1", "@SUM(A1)", "  =1"} {
		s := sweeptest.Sweep(t, r, strings.Replace(sweeptest.Tiny, "[ring]", fmt.Sprintf("[{algorithm: ring, label: %q}]", label), 1))
		if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "begins as a formula does") || !strings.Contains(err.Error(), "test.yaml:3:") {
			t.Errorf("%s: %v", label, err)
		}
	}
	s := sweeptest.Sweep(t, r, sweeptest.Tiny+"figures: {y: messages, curves: [{power: 2, label: =1}]}\n")
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "begins as a formula does") {
		t.Errorf("a curve: %v", err)
	}
	sweeptest.Run(t, sweeptest.Sweep(t, r, strings.Replace(sweeptest.Tiny, "[ring]", "[{algorithm: ring, label: 1 = 1}]", 1)))
}
