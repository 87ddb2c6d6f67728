package cli

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"bullring/experiments/show/history"
	"bullring/experiments/show/page"
	"bullring/internal/counts"
)

// window is the part of a run that is shown.
type window struct{ from, to history.Moment }

func (w *window) register(cmd *cobra.Command) {
	cmd.Flags().Var(moment(&w.from), "from", "begin with this event, given by its number, or at this time")
	cmd.Flags().Var(moment(&w.to), "to", "end with this event or at this time")
}

// of returns the part of a run in the window. It refuses a run that is too long for a page.
func (w *window) of(d page.Data) (page.Data, error) {
	d, err := d.Part(w.from, w.to)
	if err == nil && len(d.Events) > page.MostEvents {
		err = fmt.Errorf("there are %s events, and a page has at most %s: --from and --to cut the run, by the number of an event or by a time",
			counts.Grouped(len(d.Events)), counts.Grouped(page.MostEvents))
	}
	return d, err
}

// moment is a flag that takes an event by its number, such as 300, or a time, such as 5ms.
func moment(value *history.Moment) parsed[history.Moment] {
	parse := func(s string) (history.Moment, error) {
		if event, err := strconv.Atoi(s); err == nil && event > 0 {
			return history.Moment{Event: event}, nil
		}
		if at, err := time.ParseDuration(s); err == nil && at >= 0 {
			return history.Moment{Timed: true, At: int64(at)}, nil
		}
		return history.Moment{}, errors.New("it takes the number of an event, from 1, or a time such as 5ms")
	}
	print := func(m history.Moment) string {
		switch {
		case m.Timed:
			return time.Duration(m.At).String()
		case m.Event > 0:
			return strconv.Itoa(m.Event)
		}
		return ""
	}
	return parsed[history.Moment]{value, "event|duration", parse, print}
}
