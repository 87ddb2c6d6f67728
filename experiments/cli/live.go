package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/real/lab"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
	"bullring/netem"
	"bullring/netem/live"
)

// liveFlags are the flags of live.
type liveFlags struct {
	settingFlags
	caseFlags
	trace   traceFlags
	options lab.Options
	apart   apartFlags
	json    bool
	view    string // the file for the page
	runs    uint64 // 0 is one, without a comparison
	keep    string // the folder for cases of the runs that violate a check
}

func liveCommand(registry *trial.Registry) *cobra.Command {
	f := &liveFlags{}
	cmd := &cobra.Command{
		Use:   "live " + subjectUse,
		Short: "Run one trial over real sockets, in real time",
		Long: `Run one trial over sockets of this machine: the same code of the algorithm, as one
process of the operating system, with a goroutine for each process of the algorithm.

The run is recorded, and judged by its replay: the same steps of the same processes, in
an order that respects causes. If the run violates a check, what would have saved it is
printed, too. --out writes the steps as a case with a schedule. bullring why,
view, export and run --schedule read it, so a failure that was seen live can be seen again.

By default links impose a delay of 0s, and the algorithm assumes that a message takes 50ms
more than what they impose, at most. Sockets do not promise that: the run of an algorithm
that needs a bound on delay is OUTSIDE THE MODEL. Latencies are measured from the handler
that sent a message to the one that received it, beyond what links impose.

` + subjectHelp + `The case is one without a schedule.

--runs N makes N live runs, with the seeds 1 to N, and as many of the emulator. There each
message takes the delay that links impose and a latency that was measured live. The share
of each outcome, and of each check that is violated, stands beside that of the emulator.

--processes gives each node an OS process of its own: bullring starts itself, once for each.
A crash then is a kill -9, and a restart is a new OS process, which first takes the steps of
its log again. --hosts spreads the nodes over machines: bullring node joins them to the run.
Files that the setting names are sent to them. Lines between machines are not encrypted.

With --node the processes are programs, as in bullring run: each is an OS process, a crash
kills it, and a restart starts another one. A program that does not answer in time ends the
run, which is judged up to there.

A run ends at rest, at --limit or by a signal; what was recorded is judged. Over udp the
sockets may lose messages. Then a run ends after a second of silence, undecided.

` + statuses,
		Example: examples(registry,
			"bullring live lcr --n 5",
			"bullring live bully --n 5 --initiators 0 --dead last -o case.json",
			"bullring live bully --n 5 --delay 'uniform(0,40ms)' --assume 20ms --outside-model --runs 20"),
		Args: func(_ *cobra.Command, args []string) error { return f.trace.check(args, f.json) },
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.subject(cmd, registry, args, "out", "note", "sockets", "limit", "processes", "hosts", "listen", "token-file", "trace", "plain", "json", "view", "runs", "keep")
			if err != nil {
				return err
			}
			if f.options.Processes, err = f.apart.processes(cmd); err != nil {
				return err
			}
			return liveRun(cmd, registry, s, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

func (f *liveFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	f.settingFlags.registerUnlimited(cmd, registry)
	flags := cmd.Flags()
	flags.Lookup("delay").Usage += "; of live runs " + lab.DefaultDelay
	flags.Lookup("assume").Usage += "; of live runs " + lab.Slack.String() + " more"
	flags.Var(parsed[live.Transport]{&f.options.Sockets, "tcp|udp", live.ParseTransport, live.Transport.String}, "sockets", "what carries messages: tcp is reliable, udp may lose them")
	completeFlag(cmd, "sockets", completeWords("tcp", "udp"))
	limit := span(&f.options.Limit).(parsed[time.Duration])
	limit.print = func(d time.Duration) string { return strings.TrimSuffix(d.String(), "0s") } // the usage says the default
	flags.Var(limit, "limit", fmt.Sprintf("end the run after this time (default %v, or %v if its runs do not come to rest)", lab.DefaultLimit, lab.EndlessLimit))
	f.apart.register(cmd)
	f.caseFlags.register(cmd, "write the run into a file, a case with a schedule")
	f.trace.register(cmd)
	jsonFlag(cmd, &f.json)
	textFlag(cmd, &f.view, "view", "FILE", "write the run as a page for a browser, too, as bullring view does")
	countFlag(cmd, &f.runs, 1, math.MaxInt32, "runs", "make so many live runs, with seeds from 1 on, and compare shares with as many runs of the emulator")
	textFlag(cmd, &f.keep, "keep", "DIR", fmt.Sprintf("of --runs: write a case for each run that violates a check, %d at most", mostKept))
}

// checkFiles refuses files that cannot be written.
func (f *liveFlags) checkFiles(cmd *cobra.Command) error {
	if err := cmp.Or(f.checkCompared(cmd), f.caseFlags.check()); err != nil || f.view == "" {
		return err
	}
	if err := checkPageFile(f.view); err != nil {
		return fmt.Errorf("--view: %w", err)
	}
	return nil
}

func liveRun(cmd *cobra.Command, registry *trial.Registry, s trial.Setting, f *liveFlags) error {
	if err := cmp.Or(f.checkFiles(cmd), nodesOf(registry).Refused(s.Node)); err != nil {
		return err
	}
	if f.runs > 0 {
		return f.compare(cmd, registry, s)
	}
	in, err := lab.Instance(registry, s, f.options)
	if err != nil {
		return err
	}
	tracer, flush := f.trace.tracing(cmd, f.json)
	var recording *history.Recording
	if f.view != "" {
		recording = history.NewRecording(in, mostRecorded).WithStates()
		tracer = recordedToo(recording, tracer)
	}
	t, err := lab.Try(orderly(cmd), registry, in, f.options, tracer)
	if cmd.Context().Err() != nil && (err != nil || t.Result == nil) {
		return interrupted(cmd.Context())
	}
	if err != nil {
		return exit{statusFailed, err}
	}
	if err := flush(); err != nil {
		return err
	}
	unwritten := f.write(t)
	if t.Result == nil {
		return exit{statusFailed, errors.Join(t.Wrong, unwritten)}
	}
	file := f.out
	if unwritten != nil {
		file = ""
	}
	shown := view.Live{Program: cmd.Root().Name(), File: file, Trial: t}
	if t.Wrong == nil { // else the replay is another run
		shown.Because = because(cmd, registry, t.Result, "", shown.Why())
	}
	if err := show(cmd, shown, f.json); err != nil {
		return err
	}
	if f.view != "" {
		if err := writeRecorded(cmd, registry, recording.History(t.Result), f.view); err != nil {
			return err
		}
	}
	if unwritten != nil {
		return exit{statusFailed, unwritten}
	}
	return f.judgement(cmd, t)
}

// write writes the case of a live run.
func (f *liveFlags) write(t *lab.Trial) error {
	if f.out == "" {
		return nil
	}
	return caseOf(t, f.note).Write(f.out)
}

// caseOf is the case of a live run.
func caseOf(t *lab.Trial, note string) search.Case {
	note = cmp.Or(note, fmt.Sprintf("recorded live, over %v", t.Options.Over()))
	if t.Result == nil {
		return search.Case{Note: note, Setting: t.Replay, Epoch: netem.Epoch}
	}
	return search.NewCase(t.Result, search.FailureOf(t.Result), note)
}

// judgement returns the error of a live run that was printed, nil if the run is correct.
func (f *liveFlags) judgement(cmd *cobra.Command, t *lab.Trial) error {
	if t.Wrong != nil {
		return exit{statusFailed, t.Wrong}
	}
	err := judgement(cmd.Context(), t.Result)
	if why, is := errors.AsType[exit](err); is && why.status != statusUndecided {
		return err
	}
	switch end := t.Recording.End; {
	case end == live.Interrupted:
		return interrupted(cmd.Context())
	case t.Recording.Stuck != nil:
		return exit{statusUndecided, fmt.Errorf("undecided: at the end of the run, %s", strings.Join(t.Recording.Stuck, ", "))}
	case err != nil && end == live.OutOfTime:
		return exit{statusUndecided, fmt.Errorf("undecided: the run ended after %v, and something is left to happen; --limit sets the limit", f.options.LimitOf(t.Instance))}
	case err != nil && end == live.OutOfSteps:
		return exit{statusUndecided, fmt.Errorf("undecided: the run ended after %s steps, as many as are kept, and something is left to happen", counts.Grouped(lab.StepsOf(t.Instance)))}
	case err != nil && end == live.Stalled:
		return exit{statusUndecided, errors.New("undecided: what is left to happen waits for the end of a fault that has no end")}
	case err != nil && end == live.Silence:
		return exit{statusUndecided, errors.New("undecided: nothing happened any more, and messages had not arrived: sockets have lost them, or they are late")}
	}
	return err
}
