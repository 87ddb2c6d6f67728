package view

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/sweep"
)

// Status is how far sweeps are.
type Status struct {
	Sweeps []*sweep.Status
	Now    time.Time
}

// JSON implements View.
func (v Status) JSON() any { return v.Sweeps }

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
	const clock = time.DateTime + " UTC"
	t := newTable(w)
	t.rowf("sweep", "%s, in %s", cmp.Or(s.Title, "of unknown name"), strings.Join(s.Paths, ", "))
	t.row("state", string(s.State))
	t.row("trials", doneText(s))
	if s.Of > 0 {
		t.row("shards", shardsText(s))
	}
	if s.Missing != "" {
		t.row("missing", "--array="+s.Missing)
	}
	if !s.Start.IsZero() {
		t.rowf("last attempt", "began %s, version %s, epoch %d", s.Start.Format(clock), s.Version, s.Epoch)
	}
	t.rowf("last written", "%s, %s ago", s.Written.Format(clock), max(0, v.Now.Sub(s.Written)).Truncate(time.Second))
	for _, d := range s.Damage {
		t.row("damage", d)
	}
	return t.Flush()
}

// doneText is how many trials have run, and how many there are.
func doneText(s *sweep.Status) string {
	if s.Fixed || s.Trials == 0 {
		return fmt.Sprintf("%s of %s (%d%%)", Grouped(s.Done), Grouped(s.Trials), s.Done*100/max(s.Trials, 1))
	}
	return fmt.Sprintf("%s, of %s at most", Grouped(s.Done), Grouped(s.Trials))
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
		t.row(strconv.Itoa(p.Index), string(p.State), Grouped(p.Done)+" of "+Grouped(p.Trials), p.Path)
	}
	return t.Flush()
}
