package cli

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/netem"
)

// systemFlags are the flags that say which processes there are, and between which
// of them there are links.
type systemFlags struct {
	setting experiments.Setting
	params  []string
	short   []shortParam // flags that are short for a parameter
	n       uint64
	few     int // processes, unless told otherwise
	fifo    bool
}

// register adds the flags. n is the number of processes unless told otherwise; also
// are words beyond the usual ones that placements and initiators may be.
func (f *systemFlags) register(cmd *cobra.Command, registry *experiments.Registry, n int, also ...string) {
	flagsUnder(cmd, "Flags of the system", func() { f.add(cmd, registry, n, also...) })
}

func (f *systemFlags) add(cmd *cobra.Command, registry *experiments.Registry, n int, also ...string) {
	s := &f.setting
	s.Seed, f.few = defaultSeed, n
	flags := cmd.Flags()
	flags.SortFlags = false
	allowed := func(words ...string) string { return strings.Join(slices.Concat(also, words), "|") }
	countFlag(cmd, &f.n, 1, experiments.MaxN, "n", fmt.Sprintf("number of processes (default %d, or the number of --ids, or of the file of --topology)", n))
	textFlag(cmd, &s.IDs, "ids", "5,3,9,...", "identities by address")
	textFlag(cmd, &s.Placement, "placement", "P", "where the identities 1..n sit: "+allowed(experiments.Placements...)+" (default "+experiments.Placements[0]+")")
	textFlag(cmd, &s.Attr, "attr", "A,...", "attributes by address, compared before identities: numbers, MAC addresses, or random:K, drawn from 1..K")
	textFlag(cmd, &s.Variant, "variant", "V,...", "variant of the algorithm, a word of each group: see list --json")
	flags.StringArrayVar(&f.params, "param", nil, "parameter of the algorithm, `NAME=VALUE`: see bullring explain; repeatable")
	f.short = []shortParam{
		{"cs", "duration", "time inside the critical section, of mutual exclusion (default 0s)", new("")},
		{"holder", "ADDRESS", "who has the token, or coordinates, at the start (default 0)", new("")},
		{"quorums", "grid|plane|majority", "whose votes a process needs", new("")},
	}
	for _, p := range f.short {
		textFlag(cmd, p.value, p.name, p.form, p.usage)
		completeFlag(cmd, p.name, cobra.NoFileCompletions)
	}
	completeFlag(cmd, "param", completeParam(registry))
	textFlag(cmd, &s.Initiators, "requesters", allowed("all", "random:K", "0,2,..."), "another word for --initiators, where clients ask for a critical section")
	completeFlag(cmd, "requesters", completeWords(slices.Concat(also, []string{"all", "random:", "first", "last"})...))
	textFlag(cmd, &s.Initiators, "initiators", allowed("all", "random:K", "0,2,..."), "addresses that start (default all that live)")
	textFlag(cmd, &s.Dead, "dead", "none|random:K|7,...", "addresses that are dead from the start (default none)")
	textFlag(cmd, &s.Topology, "topology", "T", strings.Join(netem.Topologies(), ", ")+" or file:PATH (default the algorithm's own)")
	flags.BoolVar(&f.fifo, "fifo", true, "links keep the order of messages; --fifo=false lets them reorder")
	textFlag(cmd, &s.Assume, "assume", "duration", "bound on the delay that the algorithm assumes, or p99, a quantile of it (default the real one)")
	textFlag(cmd, &s.Processing, "processing", "duration", "time to react to a message, where the algorithm has such a thing (default 0s)")
	countFlag(cmd, &s.Seed, 0, math.MaxUint64, "seed", "seed of everything random")
	completeFlag(cmd, "placement", completeWords(slices.Concat(also, experiments.Placements)...))
	completeFlag(cmd, "variant", completeVariant(registry))
	completeFlag(cmd, "topology", completeTopology(registry))
	completeFlag(cmd, "initiators", completeWords(slices.Concat(also, []string{"all", "random:", "first", "last"})...))
	completeFlag(cmd, "dead", completeWords("none", "random:", "first", "last"))
	for _, name := range []string{"n", "ids", "attr", "assume", "processing", "seed"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
}

// read turns the flags into a setting.
func (f *systemFlags) read() experiments.Setting {
	s := f.setting
	s.N = int(f.n)
	if f.n == 0 && s.IDs == "" && !strings.HasPrefix(s.Topology, experiments.GraphFile) {
		s.N = f.few
	}
	s.Unordered = !f.fifo
	params := slices.Clone(f.params)
	for _, p := range f.short {
		if *p.value != "" {
			params = append(params, p.name+"="+*p.value)
		}
	}
	s.Param = strings.Join(params, ",")
	return s
}

// shortParam is a flag that is short for --param NAME=.
type shortParam struct {
	name, form, usage string
	value             *string
}

// settingFlags are the flags that make a setting.
type settingFlags struct {
	systemFlags
	faults []string
	plan   string // a file of them
	links  []string
}

func (f *settingFlags) register(cmd *cobra.Command, registry *experiments.Registry) {
	f.systemFlags.register(cmd, registry, defaultN)
	flagsUnder(cmd, "Flags of the network", func() { f.addNetwork(cmd) })
	flagsUnder(cmd, "Flags of faults", func() { f.addFaults(cmd) })
	flagsUnder(cmd, "Flags of limits", func() { f.addLimits(cmd) })
}

func (f *settingFlags) addNetwork(cmd *cobra.Command) {
	s, flags := &f.setting, cmd.Flags()
	textFlag(cmd, &s.Delay, "delay", "D", "delay of a link: 1ms|uniform(0,2ms)|exp(1ms)|... (default "+experiments.DefaultDelay+")")
	flags.StringArrayVar(&f.links, "link", nil, "what links do beyond that, as a `line` of tc netem or a preset: 'delay 20ms 5ms loss 1%', 'wan', '0->1: loss 50%'; repeatable, the last for a link counts")
	flags.Var(choice{&s.LinkMode, []string{"exact", "compat"}}, "link-mode", "how --link is understood: a correlation is one, or bit for bit as tc netem does (default exact)")
	textFlag(cmd, &s.Delta, "delta", "duration", "partial synchrony: from --gst on nothing is lost, and a message takes no longer than this")
	textFlag(cmd, &s.GST, "gst", "duration", "global stabilisation time (default 0s)")
	textFlag(cmd, &s.Transport, "transport", "T", "the network as it is, or a reliable link over it: plain|reliable(RTO,TRIES) (default plain)")
	textFlag(cmd, &s.Detector, "detector", "D", "failure detector: perfect, none, heartbeat(PERIOD,TIMEOUT), adaptive(PERIOD,MARGIN) or phi(PERIOD,THRESHOLD) (default perfect)")
	completeFlag(cmd, "delay", completeWords("1ms", "uniform(0,2ms)", "exp(1ms)"))
	completeFlag(cmd, "link", completeWords("lan", "wan", "satellite", "3g", "wifi", "lossy"))
	completeFlag(cmd, "link-mode", completeWords("exact", "compat"))
	completeFlag(cmd, "transport", completeWords("plain", "reliable"))
	completeFlag(cmd, "detector", completeWords("perfect", "none", "heartbeat(10ms,30ms)", "adaptive(10ms,10ms)", "phi(10ms,8)"))
	completeFlag(cmd, "delta", cobra.NoFileCompletions)
	completeFlag(cmd, "gst", cobra.NoFileCompletions)
}

func (f *settingFlags) addFaults(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.faults, "fault", nil, "a `fault` such as 'at 5ms crash 3', 'drop 2nd ELECTION from 4 to 5' or 'random crashes 2 in 0s..20ms'; repeatable")
	textFlag(cmd, &f.plan, "faults", "FILE", "a plan: a file of faults, one a line")
	flags.BoolVar(&f.setting.OutsideModel, "outside-model", false, "run even if the algorithm's assumptions do not hold")
	completeFlag(cmd, "fault", cobra.NoFileCompletions)
}

func (f *settingFlags) addLimits(cmd *cobra.Command) {
	s := &f.setting
	s.MaxEvents = experiments.DefaultMaxEvents
	countFlag(cmd, &s.MaxEvents, 1, math.MaxUint64, "max-events", "end the run after so many events")
	textFlag(cmd, &s.MaxTime, "max-time", "duration", "end the run at this virtual time (default 73 years)")
	textFlag(cmd, &s.Until, "until", "duration", "go on until then at least, which lets a failure detector show how good it is")
	for _, name := range []string{"until", "max-events", "max-time"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
}

// read turns the flags into a setting.
func (f *settingFlags) read() (experiments.Setting, error) {
	s := f.systemFlags.read()
	if f.plan != "" {
		text, err := readText("the plan", f.plan)
		if err != nil {
			return s, err
		}
		f.faults = append(f.faults, string(text))
	}
	s.Fault = strings.Join(f.faults, "\n") // lines, so that a comment ends with its fault
	s.Link = strings.Join(f.links, "\n")
	return s, nil
}
