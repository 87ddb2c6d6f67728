package verify_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
)

// damageIn is what verify says is wrong with a folder.
func damageIn(t *testing.T, dir string) string {
	t.Helper()
	return strings.Join(verified(t, sweeptest.Registry(sweeptest.Triangle), dir, true).Damage, "\n")
}

// The page lists what an author may change.
func TestEditables(t *testing.T) {
	page, err := os.ReadFile("../../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## What an author may change")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed, are []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") {
			listed = append(listed, strings.Trim(cells[0], "| `")+": "+cells[1])
		}
	}
	for _, e := range results.Editables {
		are = append(are, e.File+": "+e.What)
	}
	if !slices.Equal(listed, are) {
		t.Errorf("docs/verify.md lists %q, and the table has %q", listed, are)
	}
}

// A row is compared in each of its columns, and may have no others.
func TestVerifyComparesEveryColumn(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, attacked)
	path := filepath.Join(s.Dir, "results.csv")
	honest, err := csv.NewReader(bytes.NewReader(sweeptest.Read(t, s, "results.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const row = 5
	replay := func(change func(rows [][]string)) error {
		var rows [][]string
		for _, fields := range honest {
			rows = append(rows, slices.Clone(fields))
		}
		change(rows)
		var text bytes.Buffer
		if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := verify.Replay(t.Context(), r, s.Dir, row, nil)
		return err
	}
	if err := replay(func([][]string) {}); err != nil {
		t.Fatal(err)
	}
	for i, head := range honest[0] {
		name, _, _ := strings.Cut(head, "[")
		err := replay(func(rows [][]string) { rows[row][i] += "1" })
		if d, ok := errors.AsType[*verify.DifferenceError](err); err == nil || ok && d.Column != name || !ok && !strings.Contains(err.Error(), name) {
			t.Errorf("another %s: error %v", name, err)
		}
		if err := replay(func(rows [][]string) {
			for k := range rows {
				rows[k] = slices.Delete(rows[k], i, i+1)
			}
		}); err == nil {
			t.Errorf("no column %s: not noticed", name)
		}
	}
	err = replay(func(rows [][]string) {
		for k := range rows {
			rows[k] = append(rows[k], "1")
		}
		rows[0][len(rows[0])-1] = "extra"
	})
	if err == nil || !strings.Contains(err.Error(), "1 of which this program does not know") {
		t.Errorf("a column more: error %v", err)
	}
}

// Each of the 32 bits of a digest counts.
func TestVerifyComparesAWholeDigest(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, attacked)
	from, to := filepath.Join(s.Dir, "figures", "f.svg"), filepath.Join(t.TempDir(), "f.svg")
	for digit := range 8 {
		repainted(t, from, to, func(meta map[string]string) {
			const begins = `"blocks":"`
			text := []byte(meta["Manifest"])
			at := bytes.Index(text, []byte(begins)) + len(begins) + digit
			text[at] = "123456789abcdef0"[strings.IndexByte("0123456789abcdef", text[at])]
			meta["Manifest"] = string(text)
		})
		if found := verified(t, r, to, true); found.Differ != 1 || found.First[0].First != 1 {
			t.Errorf("another digit %d of a digest: %+v", digit, found)
		}
	}
}

// The manifest says what the columns of every table are, word for word.
func TestVerifyComparesDescriptionsOfColumns(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), undrawn)
	sweeptest.Run(t, s)
	dir := s.Dir
	m := readManifest(t, dir)
	for _, table := range []string{"results.csv", "summary.csv", "growth.csv", "differences.csv"} {
		columns := of(m, "files", table)["columns"].([]any)
		last := columns[len(columns)-1].(map[string]any)
		for _, key := range []string{"name", "type", "unit", "meaning"} {
			was, there := last[key]
			last[key] = "other"
			m.write(t, dir)
			if says := damageIn(t, dir); !strings.Contains(says, "columns of "+table+" in manifest.json: not what the sweep gives") {
				t.Errorf("another %s of a column of %s: %q", key, table, says)
			}
			if last[key] = was; !there {
				delete(last, key)
			}
		}
	}
	m.write(t, dir)
	if says := damageIn(t, dir); says != "" {
		t.Errorf("an honest folder: %s", says)
	}
}

// A key that bullring does not write, one that stands twice, and one that is missing.
func TestVerifyNoticesKeys(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	dir := swept(t, r, attacked).Dir
	path := filepath.Join(dir, "manifest.json")
	honest, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	receipt := filepath.Join(dir, "figures", "f.svg")
	alone := filepath.Join(t.TempDir(), "f.svg")
	for _, c := range []struct{ what, from, to, want string }{
		{"an unknown key", `"seed":`, `"reviewed": true, "seed":`, `a key "reviewed" that bullring does not write`},
		{"a doubled key", `"seed":`, `"seed": 7, "seed":`, `the key "seed" twice`},
		{"a key in other letters", `"rows":`, `"Rows":`, `a key "Rows" that`},
		{"an unknown key of an attempt", `"workers":`, `"by": "me", "workers":`, `a key "attempts.by" that`},
		{"a doubled key of a column", `"meaning":`, `"meaning": "", "meaning":`, `the key "files.columns.meaning" twice`},
		{"no outside_model", `"outside_model": false,`, ``, `no key "outside_model"`},
	} {
		text := bytes.Replace(honest, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(text, honest) {
			t.Fatalf("%s: nothing is changed", c.what)
		}
		writeFile(t, path, text)
		if says := damageIn(t, dir); !strings.Contains(says, "manifest.json has "+c.want) {
			t.Errorf("%s: %q", c.what, says)
		}
	}
	writeFile(t, path, bytes.Replace(honest, []byte(`"seed":`), []byte(`"reviewed": true, "seed":`), 1))
	m := readManifest(t, dir)
	m["program"].(map[string]any)["version"] = "v0"
	m.write(t, dir)
	if found := verified(t, r, dir, false); !slices.Contains(found.Unmade, `key "reviewed" of manifest.json`) || found.Answer() != verify.NotCompared {
		t.Errorf("an unknown key of another version: %s, %q, %q", found.Answer(), found.Unmade, found.Damage)
	}
	writeFile(t, path, honest)
	for _, c := range []struct{ from, to, want string }{
		{`"figure":`, `"drawn":"by hand","figure":`, `a key "drawn" that`},
		{`"figure":`, `"figure":"g","figure":`, `the key "figure" twice`},
		{`"outside_model":false,`, ``, `no key "outside_model"`},
	} {
		repainted(t, receipt, alone, func(meta map[string]string) { meta["Manifest"] = strings.Replace(meta["Manifest"], c.from, c.to, 1) })
		if says := damageIn(t, alone); !strings.Contains(says, "its receipt has "+c.want) {
			t.Errorf("a receipt with %s: %q", c.to, says)
		}
	}
}

// A file that is listed twice, and a manifest that denies what its sweep allows.
func TestVerifyNoticesListsAndOutsideModel(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	dir := swept(t, r, strings.Replace(attacked, "replicates", "outside_model: true\nreplicates", 1)).Dir
	honest := readManifest(t, dir)
	for _, list := range lists {
		m := readManifest(t, dir)
		m[list] = append(m[list].([]any), m[list].([]any)[1])
		m.write(t, dir)
		if says := damageIn(t, dir); !strings.Contains(says, "among its "+list+", which the sweep does not make, or makes once") {
			t.Errorf("a file twice among the %s: %q", list, says)
		}
	}
	m := readManifest(t, dir)
	m["outside_model"] = false
	for _, list := range lists {
		m[list] = honest[list]
	}
	m.write(t, dir)
	if says := damageIn(t, dir); !strings.Contains(says, "manifest.json says outside_model false, but spec.yaml makes it true") {
		t.Errorf("no trials outside the model: %q", says)
	}
	honest.write(t, dir)
	if says := damageIn(t, dir); says != "" {
		t.Errorf("an honest folder: %s", says)
	}
}

// A text in a PNG that is not bullring's is named: it is not compared.
func TestVerifyNamesOtherTexts(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, attacked)
	content := sweeptest.Read(t, s, "figures/f.png")
	chunk := func(kind, data string) []byte {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		b = append(b, kind+data...)
		return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	}
	end := len(content) - 12 // of IEND
	alone := filepath.Join(t.TempDir(), "f.png")
	for _, more := range [][]byte{chunk("tEXt", "Comment\x00reviewed"), chunk("iTXt", "Comment\x00\x00\x00\x00\x00reviewed")} {
		writeFile(t, alone, slices.Concat(content[:end], more, content[end:]))
		found := verified(t, r, alone, true)
		if found.Answer() != verify.NotCompared || !slices.Equal(found.Unmade, []string{`"Comment" in its metadata`}) {
			t.Errorf("%s: %+v", more[4:8], found)
		}
	}
	writeFile(t, alone, content)
	if found := verified(t, r, alone, true); !found.Identical() {
		t.Errorf("%+v", found)
	}
}

// A folder that names another version is not identical, whatever in it was forged.
func TestVerifyForgedVersion(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	honest := ofWriter(t, r, swept(t, r, attacked).Dir, "v0")
	for _, name := range []string{"summary.tex", "README.md", "COLUMNS.md", "report.html", "figures/f.txt", "figures/f.tex", "figures/f.csv", "figures/f.svg"} {
		dir := copied(t, honest)
		path := filepath.Join(dir, name)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".svg") {
			content = bytes.Replace(content, []byte(`viewBox="0 0 `), []byte(`viewBox="0 0 1`), 1)
		} else {
			content = otherDigit(content)
		}
		writeFile(t, path, content)
		m := readManifest(t, dir)
		m.rehash(t, dir)
		m.write(t, dir)
		if found := verified(t, r, dir, true); found.Answer() != verify.NotCompared || !slices.Equal(found.Unmade, []string{name}) {
			t.Errorf("%s: %s, %q, %q", name, found.Answer(), found.Unmade, found.Damage)
		}
	}
}
