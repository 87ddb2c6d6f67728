package cli

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/sweep"
)

// watch is how a sweep is watched: in which mode, or as JSON.
type watch struct {
	mode string
	json bool
}

// logger writes what is worth knowing to w: a line of words, or of JSON.
func (f *watch) logger(w io.Writer) *slog.Logger {
	if f.json {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{} // whoever watches has a clock
			}
			return a
		},
	}))
}

// progress shows how far a sweep is.
type progress struct {
	*meter
	latest atomic.Pointer[sweep.Progress]
}

// newProgress starts to show progress on w.
func newProgress(w io.Writer, clock clockwork.Clock, f *watch) *progress {
	p := &progress{meter: newMeter(w, clock, f.mode)}
	if f.json {
		log := f.logger(w)
		p.meter = &meter{w: w, clock: clock, off: f.mode == progressOff, write: func() { p.log(log) }}
	}
	p.begin(p.trials)
	return p
}

// update tells how far it is. It may be called by several goroutines.
func (p *progress) update(now sweep.Progress) { p.latest.Store(&now) }

// count tells how many trials of how many are done.
func (p *progress) count(done, all int) {
	p.update(sweep.Progress{Done: done, Trials: all, Fixed: true, Cells: all, CellsDone: done})
}

func (p *progress) trials(elapsed time.Duration) (text string, share float64) {
	now := p.latest.Load()
	if now == nil {
		return "", 0
	}
	text = progressText(now, elapsed)
	if now.Fixed {
		return text, float64(now.Done) / float64(max(now.Trials, 1))
	}
	return text, float64(now.CellsDone) / float64(max(now.Cells, 1))
}

// log is the state for machines.
func (p *progress) log(to *slog.Logger) {
	now := p.latest.Load()
	elapsed := p.clock.Since(p.begun)
	rate, left := rateOf(now, elapsed)
	outcomes := make([]any, 0, len(now.Outcomes))
	for _, o := range now.Outcomes {
		outcomes = append(outcomes, slog.Int(o.Name, o.Times))
	}
	attributes := []any{
		slog.Int("done", now.Done), slog.Int("trials", now.Trials), slog.Bool("fixed", now.Fixed), slog.Int("stored", now.Stored),
		slog.Int("cells", now.Cells), slog.Int("cells_done", now.CellsDone),
		slog.Float64("elapsed_s", elapsed.Seconds()), slog.Float64("per_second", rate),
		slog.Group("outcomes", outcomes...), slog.Int("violated", now.Failed), slog.Int("cut_off", now.CutOff),
	}
	if left >= 0 {
		attributes = append(attributes, slog.Float64("left_s", left.Seconds()))
	}
	to.Info("progress", attributes...)
}

// rateOf is how many trials run a second, and how long the others will take at that
// rate; below 0 where nobody knows. What was read does not count.
func rateOf(p *sweep.Progress, elapsed time.Duration) (rate float64, left time.Duration) {
	rate = float64(p.Done-p.Stored) / max(elapsed.Seconds(), 1e-3)
	if rate == 0 || !p.Fixed {
		return rate, -1
	}
	return rate, time.Duration(float64(p.Trials-p.Done) / rate * float64(time.Second))
}

// progressText is the state in words.
func progressText(p *sweep.Progress, elapsed time.Duration) string {
	var text string
	if p.Fixed {
		text = fmt.Sprintf("%s of %s trials (%d%%)", grouped(uint64(p.Done)), grouped(uint64(p.Trials)), p.Done*100/max(p.Trials, 1)) // 100 % only when all is done
	} else {
		text = fmt.Sprintf("%s trials, %s of %s cells (%d%%)", grouped(uint64(p.Done)), grouped(uint64(p.CellsDone)), grouped(uint64(p.Cells)), p.CellsDone*100/max(p.Cells, 1))
	}
	rate, left := rateOf(p, elapsed)
	switch ended := p.CellsDone == p.Cells; {
	case rate == 0:
		text += fmt.Sprintf(", %v", elapsed.Round(time.Second))
	case ended:
		text += fmt.Sprintf(", %s/s, took %v", decimalRate(rate), elapsed.Round(10*time.Millisecond))
	case left < 0:
		text += fmt.Sprintf(", %s/s, %v", decimalRate(rate), elapsed.Round(time.Second))
	default:
		text += fmt.Sprintf(", %s/s, %v left", decimalRate(rate), left.Round(time.Second))
	}
	return text + verdictText(p)
}

// verdictText is how the trials came out so far.
func verdictText(p *sweep.Progress) string {
	var parts []string
	for _, o := range p.Outcomes {
		parts = append(parts, o.Name+" "+grouped(uint64(o.Times)))
	}
	if p.Failed > 0 {
		parts = append(parts, "VIOLATED "+grouped(uint64(p.Failed)))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}
