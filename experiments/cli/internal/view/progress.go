package view

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"bullring/experiments/campaign/sweep"
	"bullring/internal/counts"
	"bullring/netem/explore"
)

// LogProgress logs how far a sweep is, for machines.
func LogProgress(to *slog.Logger, now *sweep.Progress, elapsed time.Duration) {
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

// rateOf is how many trials run in a second, and how long the others will take at that
// rate, below 0 if that is unknown. Trials that were read from the folder do not count.
func rateOf(p *sweep.Progress, elapsed time.Duration) (rate float64, left time.Duration) {
	rate = float64(p.Done-p.Stored) / max(elapsed.Seconds(), 1e-3)
	if rate == 0 || !p.Fixed {
		return rate, -1
	}
	return rate, time.Duration(float64(p.Trials-p.Done) / rate * float64(time.Second))
}

// SweepProgress tells how far a sweep is, in words.
func SweepProgress(p *sweep.Progress, elapsed time.Duration) string {
	var text string
	if p.Fixed {
		text = fmt.Sprintf("%s of %s trials (%d%%)", counts.Grouped(p.Done), counts.Grouped(p.Trials), p.Done*100/max(p.Trials, 1)) // 100 % only when all is done
	} else {
		text = fmt.Sprintf("%s trials, %s of %s cells (%d%%)", counts.Grouped(p.Done), counts.Grouped(p.CellsDone), counts.Grouped(p.Cells), p.CellsDone*100/max(p.Cells, 1))
	}
	rate, left := rateOf(p, elapsed)
	switch ended := p.CellsDone == p.Cells; {
	case rate == 0:
		text += fmt.Sprintf(", %v", elapsed.Round(time.Second))
	case ended:
		text += fmt.Sprintf(", %s, took %v", perSecond(rate), elapsed.Round(10*time.Millisecond))
	case left < 0:
		text += fmt.Sprintf(", %s, %v", perSecond(rate), elapsed.Round(time.Second))
	default:
		text += fmt.Sprintf(", %s, %v left", perSecond(rate), left.Round(time.Second))
	}
	return text + tallied(p)
}

// tallied tells the outcomes of the trials so far.
func tallied(p *sweep.Progress) string {
	parts := outcomes(p.Outcomes)
	if p.Failed > 0 {
		parts = append(parts, "VIOLATED "+counts.Grouped(p.Failed))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

// SearchProgress tells how far a search is, in words.
func SearchProgress(p explore.Progress, elapsed time.Duration) string {
	text := counts.Grouped(p.States) + " states"
	if p.Runs > 0 {
		text = counts.Several(p.Runs, "run")
	}
	rate := float64(p.Transitions) / max(elapsed.Seconds(), 1e-3)
	text += fmt.Sprintf(", %s transitions, depth %s, %v, %s", counts.Grouped(p.Transitions), counts.Grouped(p.Depth), elapsed.Round(10*time.Millisecond), perSecond(rate))
	if p.Memory > 0 {
		text += fmt.Sprintf(", %s MB", counts.Grouped(p.Memory>>20))
	}
	if p.Disk > 0 {
		text += fmt.Sprintf(" and %s MB on disk", counts.Grouped(p.Disk>>20))
	}
	return text
}

// perSecond prints a rate with the digits that mean something.
func perSecond(rate float64) string {
	if rate >= 100 {
		return counts.Grouped(uint64(rate)) + "/s"
	}
	return fmt.Sprintf("%.2g/s", rate)
}

// Bar puts a bar before the words if the share is known, as far as the width allows. The
// last column stays empty: writing there moves some terminals to the next line.
func Bar(share float64, text string, width int) string {
	room := min(width-len(text)-4, 40)
	if share >= 0 && room >= 8 {
		full := int(share * float64(room))
		text = "[" + strings.Repeat("#", full) + strings.Repeat("-", room-full) + "] " + text
	}
	return text[:max(0, min(len(text), width-1))]
}
