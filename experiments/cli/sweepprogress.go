package cli

import (
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/sweep"
	"bullring/experiments/cli/internal/view"
)

// watch is how progress is shown: in which mode, or as JSON.
type watch struct {
	mode string
	json bool
}

func (f *watch) register(cmd *cobra.Command) {
	f.mode = progressAuto
	cmd.Flags().Var(choice{&f.mode, []string{progressAuto, progressPlain, progressOff}}, "progress",
		"on standard error: a bar on a terminal and else lines, one every 5 s; lines everywhere; nothing")
}

// logger logs to w, a line of text or of JSON for each message.
func (f *watch) logger(w io.Writer) *slog.Logger {
	if f.json {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{} // a reader has a clock
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
		p.meter = &meter{w: w, clock: clock, off: f.mode == progressOff, write: func() { view.LogProgress(log, p.latest.Load(), clock.Since(p.begun)) }}
	}
	p.begin(p.trials)
	return p
}

// update sets how far the sweep is. Several goroutines may call it.
func (p *progress) update(now sweep.Progress) { p.latest.Store(&now) }

// count sets how many trials of how many are done.
func (p *progress) count(done, all int) {
	p.update(sweep.Progress{Done: done, Trials: all, Fixed: true, Cells: all, CellsDone: done})
}

func (p *progress) trials(elapsed time.Duration) (text string, share float64) {
	now := p.latest.Load()
	if now == nil {
		return "", 0
	}
	text = view.SweepProgress(now, elapsed)
	if now.Fixed {
		return text, float64(now.Done) / float64(max(now.Trials, 1))
	}
	return text, float64(now.CellsDone) / float64(max(now.Cells, 1))
}
