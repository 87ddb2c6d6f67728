package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// defaultExplored is the default number of processes of explore.
const defaultExplored = 3

// exploreFlags are the flags of explore.
type exploreFlags struct {
	systemFlags
	timers   string
	strategy string
	losses, duplicates, crashes, restarts, linkChanges, liars, timeouts, rounds,
	grain, states, memory, workers, runs, steps, changes uint64
	own                ownFlags
	several            uint64
	notice             string
	down               string
	full               bool
	supertrace, safety bool
	disk               string
	shrink             bool
	caseFlags
	json bool
}

func exploreCommand(registry *trial.Registry) *cobra.Command {
	f := &exploreFlags{strategy: explore.BreadthFirst.String()}
	cmd := &cobra.Command{
		Use:   "explore ALGORITHM",
		Short: "Explore every run of a small system and print one that violates a property",
		Long: `Explore every run of an algorithm among a few processes: every order in which messages
arrive and timers expire, every choice, and up to so many losses, duplicates, crashes
and restarts at every point at which they can occur, also between two sends of one
step. With --liars, processes are Byzantine, and every message that they can send is tried.
All initiators start before anything else happens. The result is a table of the
properties and, if one is violated, a run that violates it, step by step, with what would
have saved that run.

With --link-changes K, up to K times a link goes down, with the messages on it, or comes
up, between any two steps, and its ends are told: at once or, with --notice any, at any
later time. --down names links that are down at first.

--placement every and --initiators every explore all of them together. Free timers
expire at any time. With bounded timers a message takes no longer than the bound on
delay, in whole steps of it (--grain), and timers are on time; this is the default
where the algorithm assumes a bound. --strategy random and pct draw some runs of a
system that has too many; they prove nothing. --supertrace follows runs to their end,
and recognises states by a few bits each; it proves nothing either.

--always, --eventually and --sometimes add properties of your own to those of the algorithm:
conditions on the fields of processes, as bullring view shows them. Each may be given more
than once. all, any, count, max, min and sum range over the processes that are alive;
p2.term is the term of process 2, and p2.crashed says that it has crashed. A sometimes is a
witness: a search that meets none says so, and drawn runs with one are counted.
--counterexamples K goes on until K runs are found that violate something. They differ in
the property, or in the kind or the process of the step that violates it.

--safety judges states, also those at rest, and looks for no run that goes on for ever.
Then --disk keeps the states in a folder, where there is room for many times more of
them. A search that was stopped or killed goes on from its last checkpoint if the same
command is given again. Its files are removed when it has an answer.

Where timers are set again and again, or rounds have no end, there are infinitely many
states. --timeouts and --rounds cut runs off: what holds in every state is proven up to
there, and what holds sooner or later is not decided.

With --node the processes are a program in any language, which tells its state and is
set to it: see docs/nodes.md. Some questions are asked again, in another way; a program
that then does something else is refused. Without a name all that is explored is that no
handler panics and that every run comes to rest.

--out writes the run that violates a property into a file, a case. bullring replay, why
and run --schedule read it. In experiments/catalog/testdata/cases it is a golden test.

Exit status:
  0    no property is violated in the runs that were explored
  1    a property is violated, inside or outside the algorithm's model; or
       something else failed
  2    the command or its input is wrong; nothing was explored
  3    undecided: the search ended at --max-states or --max-memory, or a program
       was late
  130  interrupted; the results known by then have been printed`,
		Example: examples(registry,
			"bullring explore lcr --placement every",
			"bullring explore changroberts --n 4 --placement every --initiators every",
			"bullring explore bully --initiators 0,1 --crash 1 --json",
			"bullring explore raft --n 2 --timeouts 3",
			"bullring explore raft --n 2 --timeouts 3 --always 'max(term) - min(term) <= 3'",
			"bullring explore peterson --n 6 --strategy pct --runs 500",
			"bullring explore peterson --n 6 --supertrace --max-memory 64MB",
			"bullring explore bully --crash 1 --safety --disk bully-states"),
		Args: oneAlgorithm(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.setting.Algorithm = algorithmOf(args)
			return exploring(cmd, registry, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

func (f *exploreFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	f.systemFlags.register(cmd, registry, defaultExplored, search.Every)
	flags := cmd.Flags()
	flags.Var(choice{&f.setting.Detector, exploredDetectors}, "detector", "failure detector: perfect suspects the crashed processes alone, none suspects no process (default perfect)")
	flags.Var(choice{&f.timers, exploredTimers}, "timers", "free timers expire at any time; with bounded ones messages keep the bound on delay, and timers are on time (default bounded if the algorithm assumes a bound)")
	countFlag(cmd, &f.grain, 1, math.MaxUint8, "grain", "steps of time in the bound on delay: a message takes 0, 1, ... of them (default 1)")
	for _, k := range []struct {
		value       *uint64
		name, usage string
	}{
		{&f.losses, "loss", "links lose up to so many messages"},
		{&f.duplicates, "duplicate", "up to so many messages arrive once more"},
		{&f.crashes, "crash", "up to so many processes crash, between two steps or two sends"},
		{&f.restarts, "restart", "up to so many processes come back"},
		{&f.linkChanges, "link-changes", "up to so many times a link goes down or comes up, and its ends are told"},
		{&f.liars, "liars", "up to so many processes are Byzantine, whichever they are and whatever they send"},
	} {
		countFlag(cmd, k.value, 0, math.MaxUint8, k.name, k.usage)
	}
	f.notice = explore.ExactNotice.String()
	flags.Var(choice{&f.notice, explore.Notices}, "notice", "processes are told of a link at the instant of its change, or at any time after it")
	flags.StringVar(&f.down, "down", "", "links that are down at first, such as '0-2 1-3'; processes are not told of them")
	countFlag(cmd, &f.timeouts, 1, math.MaxUint8, "timeouts", "cut a run off before more timers expire than so many, of all processes together (default no limit)")
	countFlag(cmd, &f.rounds, 1, math.MaxUint8, "rounds", "cut a run off before a process enters a later round, ballot or term, if the algorithm numbers them (default no limit)")
	flags.Var(choice{&f.strategy, explore.Strategies}, "strategy", "bfs and dfs look at all states, the nearest first or run by run; random and pct draw runs, step by step or by priorities")
	countFlag(cmd, &f.states, 1, math.MaxUint64, "max-states", "end the search when there are more (default as many as there is memory for)")
	f.memory = explore.DefaultMemory
	flags.Var(size(&f.memory), "max-memory", "end the search when its states take more")
	countFlag(cmd, &f.workers, 1, 256, "workers", "processors that --strategy bfs uses (default all); the result is the same")
	flags.BoolVar(&f.full, "full", false, "explore also the orders of steps, the rotations of the ring and the timers that make no difference")
	flags.BoolVar(&f.supertrace, "supertrace", false, "search depth-first and recognise states by a few bits, in three quarters of --max-memory: it has room for many times more states, may miss some, and proves nothing")
	flags.BoolVar(&f.safety, "safety", false, "judge states, also those at rest, and look for no run that goes on for ever")
	flags.StringVar(&f.disk, "disk", "", "keep the states in a `folder` of their own, and go on with a search that was stopped there; goes with --safety")
	f.runs, f.steps, f.changes = explore.DefaultRuns, explore.DefaultSteps, explore.DefaultChanges
	countFlag(cmd, &f.runs, 1, math.MaxInt32, "runs", "how many runs to draw")
	countFlag(cmd, &f.steps, 1, math.MaxInt32, "max-steps", "cut a run off after so many steps")
	countFlag(cmd, &f.changes, 1, math.MaxUint8, "changes", "depth of the bugs that --strategy pct looks for: the number of steps whose order matters")
	f.own.register(cmd, explore.Always, explore.Eventually, explore.Sometimes)
	f.several = 1
	countFlag(cmd, &f.several, 1, math.MaxUint8, "counterexamples", "look for so many different runs that violate a property, each as short as any of its kind; more than one implies --full and --shrink=false")
	flags.BoolVar(&f.shrink, "shrink", true, "if a run violates a property, look for one with fewer processes and faults; --shrink=false shows the first one found")
	f.caseFlags.register(cmd, "write the run that violates a property into a file")
	jsonFlag(cmd, &f.json)
	completeFlag(cmd, "max-memory", completeWords("1GB", "4GB", "16GB"))
}

var (
	exploredDetectors = []string{"perfect", "none"}
	exploredTimers    = []string{trial.FreeTimers, trial.BoundedTimers}
)

// read turns the flags into a search.
func (f *exploreFlags) read(cmd *cobra.Command) (search.Search, error) {
	if f.supertrace && !cmd.Flags().Changed("strategy") {
		f.strategy = explore.DepthFirst.String()
	}
	strategy := explore.Strategy(slices.Index(explore.Strategies, f.strategy))
	var down []netem.Link
	if f.down != "" {
		var err error
		if down, err = explore.ParseLinks(f.down); err != nil {
			return search.Search{}, fmt.Errorf("--down: %w", err)
		}
	}
	if f.several > 1 {
		f.full, f.shrink = true, false
	}
	s := search.Search{
		Setting: f.systemFlags.read(), Timers: f.timers, Grain: int(f.grain), Full: f.full, Liars: int(f.liars),
		Budget: explore.Budget{Losses: int(f.losses), Duplicates: int(f.duplicates), Crashes: int(f.crashes), Restarts: int(f.restarts), LinkChanges: int(f.linkChanges)},
		Down:   down, Notice: explore.Notice(slices.Index(explore.Notices, f.notice)),
		Limits: explore.Limits{Timeouts: int(f.timeouts), Rounds: int(f.rounds)},
		Options: explore.Options{
			Strategy: strategy, Supertrace: f.supertrace, MaxStates: f.states, MaxMemory: f.memory, Workers: int(f.workers), Reduce: !f.full, Counterexamples: int(f.several),
			Sampling: explore.Sampling{Seed: f.setting.Seed, Runs: int(f.runs), MaxSteps: int(f.steps), Changes: int(f.changes)},
		},
	}
	s.Setting.Properties = f.own.read()
	s.Options.Safety, s.Folder = f.safety, f.disk
	return s, f.contradiction(cmd, strategy)
}

// contradiction returns an error if flags contradict each other.
func (f *exploreFlags) contradiction(cmd *cobra.Command, strategy explore.Strategy) error {
	goesWith := func(right bool, with string, names ...string) error {
		for _, name := range names {
			if cmd.Flags().Changed(name) && !right {
				return fmt.Errorf("--%s goes with --strategy %s; given is --strategy %s", name, with, f.strategy)
			}
		}
		return nil
	}
	if err := errors.Join(
		goesWith(strategy.DrawsRuns(), "random or pct", "runs", "max-steps"),
		goesWith(strategy == explore.PCT, "pct", "changes"),
		goesWith(!strategy.DrawsRuns(), "bfs or dfs", "max-states", "max-memory", "full"),
		goesWith(strategy == explore.DepthFirst, "dfs", "supertrace"),
		goesWith(!strategy.DrawsRuns(), "bfs or dfs", "safety"),
		goesWith(strategy == explore.BreadthFirst, "bfs", "workers", "counterexamples", "disk"),
	); err != nil {
		return err
	}
	switch {
	case f.disk == "" && cmd.Flags().Changed("disk"):
		return errors.New(`--disk "": it takes the name of a folder`)
	case f.disk != "" && !f.safety:
		return errors.New("--disk goes with --safety: whether a run goes on for ever cannot be told from states on disk")
	case f.disk != "" && f.several > 1:
		return errors.New("--disk looks for one counterexample; --counterexamples goes without it")
	case f.safety && f.supertrace:
		return errors.New("--supertrace looks for no run that goes on for ever, either: it goes without --safety")
	}
	if f.linkChanges == 0 && f.notice == explore.AnyNotice.String() {
		return errors.New("--notice any is about changes of links, and no link changes; --link-changes says how many may")
	}
	if f.restarts > 0 && f.crashes == 0 && f.setting.Dead == "" {
		return fmt.Errorf("--restart %d brings back crashed processes, and no process crashes; --crash says how many may", f.restarts)
	}
	return f.caseFlags.check()
}

func exploring(cmd *cobra.Command, registry *trial.Registry, f *exploreFlags) error {
	s, err := f.read(cmd)
	if err != nil {
		return err
	}
	// Collecting garbage twice as often as usual keeps the memory near --max-memory. What a
	// search stores has no pointers, so that costs a tenth of the time; four times as often
	// costs a quarter.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	how := newSearching(cmd.ErrOrStderr())
	s.Options.Progress = how.update
	e, err := search.Explore(orderly(cmd), registry, s)
	if err != nil {
		how.abandon()
		if cmd.Context().Err() != nil { // that is why a program did not answer
			return interrupted(cmd.Context())
		}
		return err
	}
	how.finish(e.Result)
	smallest := e
	if f.shrink {
		smallest = e.Smallest(cmd.Context(), registry)
	}
	found, err := playFound(cmd.Context(), registry, smallest, smallest.Counterexample)
	if err != nil {
		return exit{statusFailed, err}
	}
	var others []*view.Counterexample
	for _, run := range smallest.Counterexamples[min(1, len(smallest.Counterexamples)):] {
		other, err := playFound(cmd.Context(), registry, smallest, run)
		if err != nil {
			return exit{statusFailed, err}
		}
		others = append(others, other)
	}
	written, unwritten := f.write(found)
	page, why := "", ""
	if found != nil && f.out != "" && unwritten == nil {
		page, why = subjectCommand(cmd, "view", f.out), subjectCommand(cmd, "why", f.out)
	}
	if found != nil {
		found.Because = because(cmd, registry, found.Result, found.Of.Properties[found.Property].Name, why)
	}
	if err := show(cmd, view.Exploration{Exploration: e, Found: found, Others: others, Written: written, Page: page}, f.json); err != nil {
		return err
	}
	if unwritten != nil {
		return exit{statusFailed, unwritten}
	}
	return exploreJudgement(cmd.Context(), e)
}

// playFound plays a counterexample, nil if there is none. That takes a short time, so a
// user who interrupts the search sees it, too.
func playFound(ctx context.Context, registry *trial.Registry, e *search.Exploration, found *explore.Run) (*view.Counterexample, error) {
	if found == nil {
		return nil, nil
	}
	var text strings.Builder
	result, err := e.Play(context.WithoutCancel(ctx), registry, found, func(run *trial.Traced) netem.Tracer {
		return view.MarkCycle(&text, netem.TextTrace(&text, run.News), len(found.Steps)-found.Cycle)
	})
	return &view.Counterexample{Run: found, Of: e, Result: result, Trace: text.String()}, err
}

// write writes the counterexample into the file of --out, and tells so in words.
func (f *exploreFlags) write(found *view.Counterexample) (string, error) {
	switch {
	case f.out == "":
		return "", nil
	case found == nil:
		return "there is no run to be written to " + f.out, nil
	}
	if err := found.Of.Case(found.Run, found.Result, f.note).Write(f.out); err != nil {
		return "", err
	}
	return "written to " + f.out, nil
}

// exploreJudgement returns the error of a search that was printed, nil if no property is
// violated.
func exploreJudgement(ctx context.Context, e *search.Exploration) error {
	for _, p := range e.Properties {
		if p.Verdict == protocols.Violated {
			return exit{statusFailed, fmt.Errorf("%s is violated: %s", p.Name, p.Says)}
		}
	}
	failed, isFolder := errors.AsType[*explore.FolderError](e.Stopped)
	switch {
	case isFolder:
		return exit{statusFailed, failed}
	case e.Stopped != nil && ctx.Err() != nil:
		return interrupted(ctx)
	case e.Stopped != nil && e.Search.Options.Exhaustive():
		return exit{statusUndecided, fmt.Errorf("undecided: %w; --max-states and --max-memory set the limits", e.Stopped)}
	}
	return nil
}

// searching shows how far a search is.
type searching struct {
	*meter
	now atomic.Pointer[explore.Progress]
}

func newSearching(w io.Writer) *searching {
	s := &searching{meter: newMeter(w, clockwork.NewRealClock(), progressAuto)}
	s.begin(s.progress)
	return s
}

func (s *searching) update(p explore.Progress) { s.now.Store(&p) }

// finish shows the result of the search, and ends.
func (s *searching) finish(r *explore.Result) {
	s.update(explore.Progress{States: r.States, Transitions: r.Transitions, Depth: r.Depth, Runs: r.Sampled.Runs})
	s.close()
}

// abandon ends without showing anything.
func (s *searching) abandon() {
	s.now.Store(nil)
	s.close()
}

func (s *searching) progress(elapsed time.Duration) (text string, share float64) {
	p := s.now.Load()
	if p == nil {
		return "", -1
	}
	return view.SearchProgress(*p, elapsed), -1
}
