package sweep

import (
	"context"
	"fmt"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/experiments/spec"
)

// What is checked of each variant of an algorithm before a sweep runs: so many events of the
// first trial of the cell with the fewest processes, if they are not too many. It takes some
// milliseconds.
const (
	sweptEvents    = 1 << 10
	sweptRuns      = 3
	sweptProcesses = 1 << 10
)

// checkConduct checks the algorithms of a sweep.
func (s *Sweep) checkConduct(ctx context.Context, cells []spec.Cell) error {
	type program struct{ algorithm, variant string }
	smallest := map[program]*spec.Cell{}
	var programs []program
	for i := range cells {
		p := program{algorithm: cells[i].Algorithm, variant: cells[i].Variant}
		if smallest[p] == nil {
			programs = append(programs, p)
		}
		if smallest[p] == nil || cells[i].N < smallest[p].N {
			smallest[p] = &cells[i]
		}
	}
	for _, p := range programs {
		cell := smallest[p]
		if cell.N > sweptProcesses {
			continue
		}
		set := results.SettingOf(cell, results.TrialSeed(s.Spec.Seed, cell.Key(), 1))
		set.OutsideModel, set.MaxEvents = true, sweptEvents
		in, err := s.Registry.Instance(set)
		if err != nil {
			return err
		}
		var c experiments.Conduct
		// A panic is that of a trial, which tells of it with its row.
		if _ = c.Trial(context.WithoutCancel(ctx), in, sweptRuns); len(c.Findings) > 0 {
			return fmt.Errorf("%w; nothing was run; bullring check %s tells more", &c.Findings[0], p.algorithm)
		}
	}
	return nil
}
