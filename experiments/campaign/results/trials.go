package results

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
)

// TrialSeed returns the seed of a trial. Replicates count from 1. The seed depends on the
// conditions of the cell: key is its Key. It does not depend on the algorithm, so that all
// algorithms meet the same delays and placements, nor on the rest of the sweep.
func TrialSeed(seed uint64, key string, replicate int) uint64 {
	return SeedsOf(seed, key).Of(replicate)
}

// Seeds are the seeds of the trials of a cell.
type Seeds struct{ parent des.Stream }

// SeedsOf returns the seeds of the cell with this key.
func SeedsOf(seed uint64, key string) Seeds { return Seeds{des.NewStream(seed, "trial "+key)} }

// Of is the seed of a replicate.
func (s Seeds) Of(replicate int) uint64 {
	stream := s.parent.Sub(uint64(replicate))
	return stream.Uint64()
}

// SettingOf returns the setting of a trial of the cell.
func SettingOf(c *spec.Cell, seed uint64) trial.Setting {
	s := c.Setting
	s.Seed = seed
	return s
}

// InstanceOf returns the instance of a trial of the cell. outside allows an instance
// outside the algorithm's model.
func InstanceOf(r *trial.Registry, c *spec.Cell, seed uint64, outside bool) (*trial.Instance, error) {
	return ReplicatesOf(r, c, outside).Instance(seed)
}

// ReplicatesOf returns what makes the instances of all trials of the cell.
func ReplicatesOf(r *trial.Registry, c *spec.Cell, outside bool) *trial.Replicates {
	set := c.Setting
	set.OutsideModel = outside
	return r.Replicates(set)
}

// CellName names a cell in messages.
func CellName(c *spec.Cell) string {
	words := []string{c.Algorithm}
	for _, a := range namedOrder {
		if v := a.Get(&c.Setting); v != a.Usual {
			words = append(words, a.Name+"="+v)
		}
	}
	return strings.Join(words, " ")
}

// namedOrder is the order in which errors name the conditions of a cell.
var namedOrder = setting.InOrder("variant", "n", "placement", "initiators", "dead", "topology", "delay", "fifo",
	"link", "link_mode", "delta", "gst", "transport", "detector", "assume", "until", "max_time", "fault", "param")

// TrialsHash is the SHA-256 of what decides the trials of a sweep: its seed, the number of
// replicates, the stopping rule, what is kept of them, and the cells in their order. Names, titles, labels,
// comparisons, resamples and figures do not count: they are computed from the rows.
func TrialsHash(s *spec.Spec, cells []spec.Cell) string {
	sum := sha256.New()
	w := bufio.NewWriter(sum)
	fmt.Fprintf(w, "seed %d\nreplicates %d\n", s.Seed, s.Replicates)
	if u := s.Until; u != nil {
		fmt.Fprintf(w, "until %d %s %q\n", u.Min, strconv.FormatFloat(u.HalfWidth, 'g', -1, 64), u.Metrics)
	}
	if s.Keep.Summary {
		fmt.Fprintf(w, "keep %v\n", s.Keep)
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
	case kept.Keep != asked.Keep:
		return fmt.Sprintf("it keeps %v, and not %v", kept.Keep, asked.Keep)
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
