package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/diagram"
	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
	"bullring/plots"
	"bullring/plots/spacetime"
	"bullring/protocols/links"
)

// diagramFlags are the flags of diagram.
type diagramFlags struct {
	settingFlags
	window
	out, axis, processes, kinds, title string
	width                              float64
	why, states, raster                bool
	set                                *links.Addresses // of processes
}

func diagramCommand(registry *trial.Registry) *cobra.Command {
	f := &diagramFlags{axis: string(diagram.Time)}
	cmd := &cobra.Command{
		Use:   "diagram " + subjectUse,
		Short: "Draw a run as a space-time diagram for print",
		Long: `Run one trial again and draw it: a line for each process, an arrow for each message from
its sending to its arrival, signs for starts, timeouts, crashes and restarts, and what
the processes decided. Faults that last are shaded. The picture carries the command
that made the run, its fingerprint and the version of the program.

` + subjectHelp + `
The name of the file gives the format: .svg, .pdf, .png, .tikz (a tikzpicture) or .tex (a
LaTeX document of its own).

--axis gaps shortens long silences, --axis steps puts the events at equal distances.
--why fades the events that do not lead to the verdict, as bullring why explains it.

A page has room for ` + fmt.Sprintf("%d processes and %d messages", spacetime.MaxLanes, spacetime.MaxArrows) + `. A longer run is cut by --from, --to,
--processes and --kinds; or --raster counts its events by process and time.

` + statuses,
		Example: examples(registry,
			"bullring diagram lcr -o lcr.svg",
			"bullring diagram bully --n 5 --dead last --fault 'at 2ms crash 3' --axis gaps -o bully.pdf",
			"bullring diagram bully --fault 'partition {0 1 | 2 3}' --outside-model --why -o split.png"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			s, err := f.subject(cmd, registry, args, "out", "axis", "why", "states", "from", "to", "processes", "kinds", "width", "title", "raster")
			if err != nil {
				return err
			}
			return f.draw(cmd, registry, s)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

func (f *diagramFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	f.settingFlags.register(cmd, registry)
	f.own.ofRuns(cmd)
	flags := cmd.Flags()
	flags.VarP(text(&f.out, "FILE"), "out", "o", "the file; one that is there is replaced if bullring drew it")
	flags.Var(choice{&f.axis, axisNames()}, "axis", "what distances along the lanes stand for")
	flags.BoolVar(&f.why, "why", false, "fade the events that do not belong to the explanation of the verdict")
	flags.BoolVar(&f.states, "states", false, "show what a step drew and the fields that it changed")
	f.window.register(cmd)
	textFlag(cmd, &f.processes, "processes", "ADDRESSES", "show these processes, such as '0 2 5..9'")
	textFlag(cmd, &f.kinds, "kinds", "KIND,...", "show the messages of these kinds")
	flags.Var(centimetres(&f.width), "width", "width in centimetres, of a page by default")
	textFlag(cmd, &f.title, "title", "TEXT", "a title above the diagram")
	flags.BoolVar(&f.raster, "raster", false, "count the events by process and time instead")
}

func axisNames() (names []string) {
	for _, a := range diagram.Axes {
		names = append(names, string(a))
	}
	return names
}

// check refuses what no run can make good.
func (f *diagramFlags) check() error {
	switch {
	case f.out == "":
		return errors.New("where to? -o FILE, whose name ends in .svg, .pdf, .png, .tikz or .tex")
	case f.raster && (f.why || f.states):
		return errors.New("--raster counts events; --why and --states are about single ones")
	case f.raster && f.axis == string(diagram.Gaps):
		return errors.New("--raster has columns of equal width, and --axis gaps distances that are none")
	}
	if f.processes != "" {
		set, err := links.ParseAddresses(f.processes)
		if err != nil {
			return fmt.Errorf("--processes: %w", err)
		}
		f.set = &set
	}
	return figures.CheckPictureFile(f.out)
}

// options are the options of the diagram of a run.
func (f *diagramFlags) options(cmd *cobra.Command, r *trial.Result) (o diagram.Options, err error) {
	again, err := againMeta(cmd, r)
	if err != nil {
		return o, err
	}
	o = diagram.Options{Axis: diagram.Axis(f.axis), Why: f.why, States: f.states, From: f.from, To: f.to, Processes: f.set, Width: f.width, Title: plots.Markup(f.title), Meta: append(diagram.Receipt(r), again)}
	if f.kinds != "" {
		o.Kinds = strings.Split(f.kinds, ",")
	}
	return o, nil
}

// againMeta is what a picture of a run carries so that the run can be repeated: a command, or
// a case if the run follows a schedule.
func againMeta(cmd *cobra.Command, r *trial.Result) (plots.Meta, error) {
	if r.Instance.Setting.Schedule == "" {
		return plots.Meta{Key: "Command", Value: view.CommandLine(cmd.Root().Name(), r.Instance)}, nil
	}
	text, err := json.Marshal(search.NewCase(r, search.FailureOf(r), ""))
	return plots.Meta{Key: "Case", Value: string(text)}, err
}

// draw runs a setting and draws it.
func (f *diagramFlags) draw(cmd *cobra.Command, registry *trial.Registry, s trial.Setting) error {
	h, err := recordHistory(cmd, registry, s, f.states)
	if err != nil {
		return err
	}
	o, err := f.options(cmd, h.Result)
	if err != nil {
		return err
	}
	if f.why {
		o.Because = reason.Explain(cmd.Context(), registry, h.Result.Instance).Marked(h)
		if cmd.Context().Err() != nil {
			return interrupted(cmd.Context())
		}
	}
	note, err := f.save(h, o)
	if large, ok := errors.AsType[*diagram.TooLargeError](err); ok {
		err = fmt.Errorf("%w; cut it with --from, --to, --processes or --kinds, or count its events with --raster", large)
	}
	if err != nil {
		return exit{statusFailed, err}
	}
	return say(cmd, "written to "+f.out+note)
}

// save writes the picture. The note says what it leaves out.
func (f *diagramFlags) save(h *history.History, o diagram.Options) (note string, err error) {
	if f.raster {
		figure, err := diagram.Raster(h, o)
		if err != nil {
			return "", err
		}
		return "", figure.SaveAs(f.out)
	}
	d, err := diagram.Of(h, o)
	if err != nil {
		return "", err
	}
	all, hidden, err := d.Labels()
	if err != nil {
		return "", err
	}
	if hidden > 0 {
		note = fmt.Sprintf("; %d of %s left out for want of room", hidden, counts.Several(all, "label"))
	}
	return note, d.SaveAs(f.out)
}

// centimetres is a flag that takes a width.
func centimetres(value *float64) parsed[float64] {
	parse := func(s string) (float64, error) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v >= 6 && v <= 100) {
			return 0, errors.New("it takes centimetres, from 6 to 100")
		}
		return v, nil
	}
	print := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return parsed[float64]{value, "cm", parse, print}
}
