package results

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"bullring/experiments/spec"
)

// TrialsHash is the SHA-256 of what decides the trials of a sweep: its seed, the number of
// replicates, the stopping rule, and the cells in their order. Names, titles, labels,
// comparisons, resamples and figures do not count: they are computed from the rows.
func TrialsHash(s *spec.Spec, cells []spec.Cell) string {
	sum := sha256.New()
	w := bufio.NewWriter(sum)
	fmt.Fprintf(w, "seed %d\nreplicates %d\n", s.Seed, s.Replicates)
	if u := s.Until; u != nil {
		fmt.Fprintf(w, "until %d %s %q\n", u.Min, strconv.FormatFloat(u.HalfWidth, 'g', -1, 64), u.Metrics)
	}
	for i := range cells {
		w.WriteString(cells[i].Canonical() + "\n")
	}
	w.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}

// OtherTrials names the first difference between the trials of two sweeps whose hashes
// differ. kept is the sweep of the results, asked is the sweep that should run.
func OtherTrials(kept, asked *spec.Spec) string {
	a, b := kept.Cells(), asked.Cells()
	switch {
	case kept.Seed != asked.Seed:
		return fmt.Sprintf("its seed is %d, and not %d", kept.Seed, asked.Seed)
	case kept.Replicates != asked.Replicates:
		return fmt.Sprintf("it has %d replicates, and not %d", kept.Replicates, asked.Replicates)
	}
	for i := range min(len(a), len(b)) {
		if has, wants := a[i].Canonical(), b[i].Canonical(); has != wants {
			return fmt.Sprintf("its cell %d is %s, and not %s", i+1, has, wants)
		}
	}
	if len(a) != len(b) {
		return fmt.Sprintf("it has %d cells, and not %d", len(a), len(b))
	}
	return "its stopping rule is another"
}
