package view

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/campaign/report"
	"bullring/experiments/campaign/sweep"
	"bullring/internal/counts"
)

// Status is how far sweeps are.
type Status struct {
	Sweeps []*sweep.Status
	Now    time.Time
}

// JSON implements View.
func (v Status) JSON() any {
	var all list[sweep.Status]
	for _, s := range v.Sweeps {
		all = append(all, *s)
	}
	return all
}

// Text implements View.
func (v Status) Text(w io.Writer) error {
	for i, s := range v.Sweeps {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := v.write(w, s); err != nil {
			return err
		}
		if err := writeShards(w, s); err != nil {
			return err
		}
	}
	return nil
}

func (v Status) write(w io.Writer, s *sweep.Status) error {
	t := newTable(w)
	t.rowf("sweep", "%s, in %s", cmp.Or(s.Title, "of unknown name"), strings.Join(s.Paths, ", "))
	for _, f := range statusFacts(s) {
		t.row(f.Name, f.Value)
	}
	t.rowf("last written", "%s, %s ago", s.Written.Format(clock), max(0, v.Now.Sub(s.Written)).Truncate(time.Second))
	for _, d := range s.Damage {
		t.row("damage", d)
	}
	return nil
}

const clock = time.DateTime + " UTC"

// statusFacts say how far a sweep is, without paths.
func statusFacts(s *sweep.Status) []report.Fact {
	facts := []report.Fact{{Name: "state", Value: string(s.State)}, {Name: "trials", Value: doneText(s)}}
	if s.Of > 0 {
		facts = append(facts, report.Fact{Name: "shards", Value: shardsText(s)})
	}
	if s.Missing != "" {
		facts = append(facts, report.Fact{Name: "missing", Value: "--array=" + s.Missing})
	}
	if !s.Start.IsZero() {
		facts = append(facts, report.Fact{Name: "last attempt", Value: fmt.Sprintf("began %s, version %s, epoch %d", s.Start.Format(clock), s.Version, s.Epoch)})
	}
	return facts
}

// Progress is how far a sweep is, for a page. It names files without their folders.
func Progress(s *sweep.Status) *report.Progress {
	state := fmt.Sprintf("not complete: %s trials", doneText(s))
	if s.Complete {
		state = "the shards are not joined: bullring merge joins them"
	}
	p := &report.Progress{
		Name: s.Name, Title: s.Title, Done: s.Done, Trials: s.Trials, State: state,
		Facts: append(statusFacts(s), report.Fact{Name: "last written", Value: s.Written.Format(clock)}),
	}
	for _, damage := range s.Damage {
		for _, path := range s.Paths {
			damage = strings.ReplaceAll(damage, filepath.Clean(path)+string(filepath.Separator), "")
		}
		p.Damage = append(p.Damage, damage)
	}
	if len(s.Shards) > 0 {
		t := report.Table{Title: "Shards", Head: []string{"shard", "state", "trials", "of"}}
		for _, shard := range s.Shards {
			t.Rows = append(t.Rows, []string{strconv.Itoa(shard.Index), string(shard.State), strconv.Itoa(shard.Done), strconv.Itoa(shard.Trials)})
		}
		p.Tables = append(p.Tables, t)
	}
	return p
}

// doneText is how many trials have run, and how many there are.
func doneText(s *sweep.Status) string {
	if s.Fixed || s.Trials == 0 {
		return fmt.Sprintf("%s of %s (%d%%)", counts.Grouped(s.Done), counts.Grouped(s.Trials), s.Done*100/max(s.Trials, 1))
	}
	return fmt.Sprintf("%s, of %s at most", counts.Grouped(s.Done), counts.Grouped(s.Trials))
}

// shardsText tells how many shards are in each state.
func shardsText(s *sweep.Status) string {
	counts := map[sweep.State]int{}
	seen := map[int]bool{}
	for _, p := range s.Shards {
		if !seen[p.Index] {
			counts[p.State]++
		}
		seen[p.Index] = true
	}
	counts[sweep.Missing] = s.Of - len(seen)
	text := fmt.Sprintf("%d of %d complete", counts[sweep.Complete], s.Of)
	for _, state := range []sweep.State{sweep.UnderWay, sweep.Stopped, sweep.Begun, sweep.Missing} {
		if counts[state] > 0 {
			text += fmt.Sprintf(", %d %s", counts[state], state)
		}
	}
	return text
}

// writeShards lists the shards that were begun, if they are few.
func writeShards(w io.Writer, s *sweep.Status) error {
	const few = 20
	if s.Of == 0 || s.Of > few {
		return nil
	}
	t := newTable(w)
	t.row("\nSHARD", "STATE", "TRIALS", "FILE")
	for _, p := range s.Shards {
		t.row(strconv.Itoa(p.Index), string(p.State), counts.Grouped(p.Done)+" of "+counts.Grouped(p.Trials), p.Path)
	}
	return nil
}
