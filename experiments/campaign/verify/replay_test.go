package verify_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
)

func TestReplay(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
	report := sweeptest.Run(t, s)
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		row := 1 + random.IntN(report.Done)
		if _, err := verify.Replay(context.Background(), s.Registry, s.Dir, row, nil); err != nil {
			t.Errorf("row %d: %v", row, err)
		}
	}
	for _, row := range []int{-1, 0, report.Done + 1} {
		_, err := verify.Replay(context.Background(), s.Registry, s.Dir, row, nil)
		if err == nil || !strings.Contains(err.Error(), "rows 1 to 336") {
			t.Errorf("row %d: %v; want the rows that there are", row, err)
		}
	}
	if _, err := verify.Replay(context.Background(), s.Registry, t.TempDir(), 1, nil); err == nil || !strings.Contains(err.Error(), "no spec.yaml") {
		t.Errorf("error %v of an empty directory", err)
	}
}

// TestReplayFindsTampering changes every column of a row in turn.
func TestReplayFindsTampering(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
	sweeptest.Run(t, s)
	path := filepath.Join(s.Dir, "results.csv")
	content, err := csv.NewReader(bytes.NewReader(sweeptest.Read(t, s, "results.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const row = 40
	for i, column := range content[0] {
		was := content[row][i]
		content[row][i] = "9" + was
		if column == "fifo" { // which no other column of this row depends on
			content[row][i] = "truth"
		}
		var changed bytes.Buffer
		if err := csv.NewWriter(&changed).WriteAll(content); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, changed.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := verify.Replay(context.Background(), s.Registry, s.Dir, row, nil); err == nil {
			t.Errorf("column %s: %q was taken for %q", column, content[row][i], was)
		}
		content[row][i] = was
	}
	if err := os.WriteFile(path, []byte("row,n\n1,\"2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.Replay(context.Background(), s.Registry, s.Dir, row, nil); err == nil || !strings.Contains(err.Error(), "results.csv") {
		t.Errorf("error %v of a broken file", err)
	}
}

// A table that has more than this program writes is not taken for the same.
func TestReplayRefusesUnknownColumns(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
	sweeptest.Run(t, s)
	header, _, _ := bytes.Cut(sweeptest.Read(t, s, "results.csv"), []byte("\n"))
	columns := bytes.Count(header, []byte(",")) + 1
	content := regexp.MustCompile(`(?m)$`).ReplaceAll(bytes.TrimSpace(sweeptest.Read(t, s, "results.csv")), []byte(",more"))
	if err := os.WriteFile(filepath.Join(s.Dir, "results.csv"), append(content, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := verify.Replay(t.Context(), s.Registry, s.Dir, 2, nil)
	want := fmt.Sprintf("results.csv:3: the results have %d columns, 1 of which this program does not know", columns+1)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v; want %q", err, want)
	}
}
