package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/hunt"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/experiments/trial/setting"
	"bullring/faults"
	"bullring/internal/counts"
	"bullring/internal/suggest"
)

// huntFlags are the flags of hunt.
type huntFlags struct {
	settingFlags
	last     time.Duration
	settings uint64
	failures uint64
	least    uint64
	of       string
	walks    string
	cases    string
	workers  uint64
	json     bool
}

// huntTime is how long a hunt lasts if nothing limits it.
const huntTime = 10 * time.Second

func huntCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	f := &huntFlags{failures: 1, least: 1, walks: hunt.ScheduleChoices[hunt.SomeSchedules]}
	cmd := &cobra.Command{
		Use:   "hunt ALGORITHM",
		Short: "Draw settings, faults, delays and schedules until a run fails, and shrink it",
		Long: `Draw settings of an algorithm and run each: numbers of processes, placements,
initiators, variants, delays, links, transports, detectors, fault plans and swarms of
faults. What the flags set does not vary. Settings outside of the algorithm's model are
passed over unless --outside-model is given. A run fails if it violates a check, breaks a
bound, or panics. What shows something new, a pair of events that had not followed each
other at one process, is varied later.

One setting of eight has no links and no plan of faults. Its run follows a schedule, which
is a random walk of the explorer: each step is drawn from all that are possible, a few
crashes, restarts, losses and duplicates included where the model has them. So timers may
expire before messages that no delay holds up. --schedules only draws no other runs, and
--schedules none no such runs. Where the flags set links, faults or a transport, or more
than 8 processes, there are none either.

A run that fails is shrunk, as by bullring shrink, and explained, as by bullring why.
Failures differ if their smallest runs violate different checks, or for reasons of other
kinds. --failures 3 goes on until there are three. That none is found is no proof: bullring explore proves.

--cases DIR keeps the smallest run of each failure as a file in DIR, a case. The next hunt
with DIR runs its cases first, and varies them. Files that are there stay as they are.

With --settings the same command prints the same, for any number of --workers.

Exit status:
  0    nothing was found inside the model
  1    a failure was found inside the model, or something else failed
  2    the command or its input is wrong; nothing was run
  130  interrupted; what had been found was printed, and kept
`,
		Example: examples(registry,
			"bullring hunt bully --settings 2000",
			"bullring hunt bully --outside-model --of crashes,partitions --n 4 --failures 3 --settings 2000",
			"bullring hunt lcr --n 5 --for 1s --cases hunted"),
		Args: oneAlgorithm(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			return huntFor(cmd, registry, clock, algorithmOf(args), f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	flags := cmd.Flags()
	last := span(&f.last).(parsed[time.Duration])
	last.print = func(time.Duration) string { return "" } // the usage says the default
	flags.Var(last, "for", "end after so long (default 10s, or no limit with --settings)")
	countFlag(cmd, &f.settings, 1, math.MaxUint32, "settings", "end after so many settings, those that are passed over included (default no limit)")
	countFlag(cmd, &f.failures, 1, math.MaxUint16, "failures", "end when so many different failures are found")
	countFlag(cmd, &f.least, 1, 16, "least", "draw no fewer processes")
	textFlag(cmd, &f.of, "of", "CLASS,...", "classes of faults to draw, as a random swarm has them, or none (default those that the model may allow)")
	flags.Var(choice{&f.walks, hunt.ScheduleChoices}, "schedules", "how many runs follow random walks of the explorer")
	textFlag(cmd, &f.cases, "cases", "DIR", "a folder of cases, to begin with and to write to")
	workersFlag(cmd, &f.workers)
	jsonFlag(cmd, &f.json)
	completeFlag(cmd, "for", cobra.NoFileCompletions)
	completeFlag(cmd, "schedules", completeWords(hunt.ScheduleChoices...))
	completeFlag(cmd, "of", completeWords(append(faults.SwarmClasses(), "none")...))
	return cmd
}

func huntFor(cmd *cobra.Command, registry *trial.Registry, clock clockwork.Clock, name string, f *huntFlags) error {
	h, err := f.hunt(cmd, registry, name)
	if err != nil {
		return err
	}
	folder, err := openCases(f.cases, name)
	if err != nil {
		return err
	}
	h.Start = folder.settings()
	if last := f.last; last > 0 || h.Settings == 0 {
		if last == 0 {
			last = huntTime
		}
		begun := clock.Now()
		h.Over = func() bool { return clock.Since(begun) >= last }
	}
	mode := progressAuto
	if terminal(cmd.ErrOrStderr()) == nil {
		mode = progressOff // the end says all that
	}
	m := newMeter(cmd.ErrOrStderr(), clock, mode)
	var latest atomic.Pointer[string]
	h.Progress = func(r *hunt.Report) {
		text := view.HuntProgress(r)
		latest.Store(&text)
	}
	m.begin(func(time.Duration) (string, float64) {
		if text := latest.Load(); text != nil {
			return *text, -1
		}
		return "", -1
	})
	r := h.Run(orderly(cmd))
	m.close()
	kept, unwritten := folder.keep(r)
	v := view.Hunt{Program: cmd.Root().Name(), Algorithm: h.Algorithm, Seed: h.Seed, OutsideModel: h.OutsideModel, Start: len(h.Start), Files: kept, Report: r}
	if err := show(cmd, v, f.json); err != nil {
		return err
	}
	inside := 0
	for _, found := range r.Found {
		if found.Inside {
			inside++
		}
	}
	switch {
	case unwritten != nil:
		return exit{statusFailed, unwritten}
	case cmd.Context().Err() != nil:
		return interrupted(cmd.Context())
	case inside > 0:
		return exit{statusFailed, fmt.Errorf("found %s inside the model", counts.Several(inside, "failure"))}
	case r.Late > 0:
		return exit{statusUndecided, fmt.Errorf("inconclusive: in %s a program did not answer in time, or did not start", counts.Several(int(r.Late), "setting"))}
	}
	return nil
}

// hunt turns the flags into a hunt.
func (f *huntFlags) hunt(cmd *cobra.Command, registry *trial.Registry, name string) (*hunt.Hunt, error) {
	a, err := registry.Find(name)
	if err != nil {
		return nil, err
	}
	f.setting.Algorithm = name
	base, err := f.read()
	if err == nil && base.Node == "" {
		err = registry.NeedsNode(a)
	}
	if err != nil {
		return nil, err
	}
	h := &hunt.Hunt{
		Registry: registry, Algorithm: a, OutsideModel: base.OutsideModel, Seed: base.Seed,
		Settings: f.settings, Failures: int(f.failures), Least: int(f.least), Workers: int(f.workers), Fix: f.fixed(cmd, base),
	}
	if cmd.Flags().Changed("n") {
		h.N = base.N
	} else if base.IDs != "" {
		h.N = strings.Count(base.IDs, ",") + 1
	}
	if err := suits(registry, h); err != nil {
		return nil, err
	}
	h.Schedules = hunt.Schedules(slices.Index(hunt.ScheduleChoices, f.walks))
	if err := h.Walkable(); err != nil && h.Schedules == hunt.OnlySchedules {
		return nil, fmt.Errorf("--schedules only: %w", err)
	}
	if f.of == "" {
		return h, nil
	}
	if cmd.Flags().Changed("fault") || f.plan != "" {
		return nil, errors.New("--of draws faults, and --fault says which there are; one of them is enough")
	}
	h.Classes = []string{}
	for class := range strings.SplitSeq(f.of, ",") {
		switch known := faults.SwarmClasses(); {
		case f.of == "none":
		case !slices.Contains(known, class):
			return nil, fmt.Errorf("--of: there is no class of faults %q%s, or none alone", class, suggest.Among(class, known))
		default:
			h.Classes = append(h.Classes, class)
		}
	}
	return h, nil
}

// suits refuses a program that cannot be a process of the algorithm: none of its settings would be run.
func suits(registry *trial.Registry, h *hunt.Hunt) (err error) {
	var fixed trial.Setting
	if h.Fix(&fixed); fixed.Node == "" {
		return nil
	}
	for n := range mostJudged {
		if _, err = registry.Instance(trial.Setting{Algorithm: h.Algorithm.Name, Node: fixed.Node, N: n + 1, OutsideModel: true}); err == nil {
			return nil
		}
	}
	return err
}

// fixed returns what gives a setting the values of the flags that were set.
func (f *huntFlags) fixed(cmd *cobra.Command, base trial.Setting) func(*trial.Setting) {
	set := cmd.Flags().Changed
	var conditions []*setting.Condition
	for i := range setting.Conditions {
		if c := &setting.Conditions[i]; set(c.FlagName()) {
			conditions = append(conditions, c)
		}
	}
	short := slices.ContainsFunc(f.short, func(p shortParam) bool { return set(p.name) })
	return func(s *trial.Setting) {
		for _, c := range conditions {
			c.Set(s, c.Get(&base))
		}
		switch {
		case set("ids"):
			s.IDs, s.Placement, s.N = base.IDs, base.Placement, base.N
		case set("placement"), set("n"):
			s.IDs = ""
		}
		if set("attr") {
			s.Attr = base.Attr
		}
		if set("requesters") {
			s.Initiators = base.Initiators
		}
		if set("processing") {
			s.Processing = base.Processing
		}
		if set("max-events") {
			s.MaxEvents = base.MaxEvents
		}
		if short {
			s.Param = base.Param
		}
		if f.plan != "" {
			s.Fault = base.Fault
		}
		if strings.HasPrefix(base.Topology, trial.GraphFile) {
			s.N = base.N
		}
	}
}

// caseFolder is a folder of cases of an algorithm.
type caseFolder struct {
	dir, algorithm string
	cases          []search.Case // that were there
	files          []string      // of these
}

// openCases reads the cases of an algorithm in a folder, which need not exist. Other files stay
// unread.
func openCases(dir, algorithm string) (*caseFolder, error) {
	f := &caseFolder{dir: dir, algorithm: algorithm}
	if dir == "" {
		return f, nil
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("--cases: %s is no folder", dir)
	}
	files, err := filepath.Glob(filepath.Join(dir, algorithm+"-*.json"))
	if err != nil {
		return nil, fmt.Errorf("--cases: %w", err)
	}
	for _, file := range files {
		c, err := search.ReadCase(file)
		if err != nil {
			return nil, fmt.Errorf("--cases: %w", err)
		}
		if c.Setting.Algorithm == algorithm {
			f.cases, f.files = append(f.cases, c), append(f.files, file)
		}
	}
	return f, nil
}

func (f *caseFolder) settings() []trial.Setting {
	all := make([]trial.Setting, len(f.cases))
	for i, c := range f.cases {
		all[i] = c.Setting
	}
	return all
}

// keep writes the smallest run of each failure that no case of the folder has shown. It returns
// the file of each failure, "" without one.
func (f *caseFolder) keep(r *hunt.Report) (files []string, err error) {
	files = make([]string, len(r.Found))
	for i, found := range r.Found {
		switch {
		case f.dir == "":
		case found.First <= uint64(len(f.files)):
			files[i] = f.files[found.First-1]
		case found.Shrunk != nil && err == nil:
			if err = os.MkdirAll(f.dir, 0o777); err == nil {
				files[i], err = f.write(found)
			}
		}
	}
	return files, err
}

// write writes a case under a name that is free.
func (f *caseFolder) write(found *hunt.Found) (string, error) {
	note := fmt.Sprintf("bullring hunt found it in setting %d; it needs %s.", found.First, strings.Join(found.Needs, ", "))
	for k := 1; ; k++ {
		file := filepath.Join(f.dir, fmt.Sprintf("%s-%s-%d.json", f.algorithm, found.Failure, k))
		if _, err := os.Lstat(file); errors.Is(err, os.ErrNotExist) {
			return file, search.NewCase(found.Shrunk.Result, found.Failure, note).Write(file)
		} else if err != nil {
			return "", err
		}
	}
}
