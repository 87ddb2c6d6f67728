package cli

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
	"bullring/netem"
)

// flagOrder is the order of the flags of conditions in help, within their groups.
var flagOrder = setting.InOrder("n", "placement", "variant", "param", "initiators", "dead", "topology", "fifo", "assume",
	"delay", "link", "link_mode", "delta", "gst", "transport", "detector", "fault", "max_time", "until")

// systemFlags are the flags that say which processes there are, and between which
// of them there are links.
type systemFlags struct {
	setting trial.Setting
	lists   map[string]*[]string // of the flags that can be repeated
	truths  map[string]*bool
	short   []shortParam // flags that are short for a parameter
	n       uint64
	few     int // the default of the number of processes

	registry *trial.Registry
	also     []string // words beyond the usual ones, for the conditions that a search varies
}

// register adds the flags. n is the default of the number of processes; also are words beyond
// the usual ones that placements and initiators may be.
func (f *systemFlags) register(cmd *cobra.Command, registry *trial.Registry, n int, also ...string) {
	f.begin(cmd, registry, n, also)
	flagsUnder(cmd, string(setting.System), func() { f.addSystem(cmd) })
}

// registerSome adds the flags of some conditions only, under a heading of their own.
func (f *systemFlags) registerSome(cmd *cobra.Command, registry *trial.Registry, heading string, some []*setting.Condition) {
	f.begin(cmd, registry, defaultN, nil)
	flagsUnder(cmd, heading, func() {
		for _, c := range some {
			f.addCondition(cmd, c)
		}
	})
}

func (f *systemFlags) begin(cmd *cobra.Command, registry *trial.Registry, n int, also []string) {
	f.setting.Seed, f.few, f.registry, f.also = defaultSeed, n, registry, also
	f.lists, f.truths = map[string]*[]string{"param": new([]string)}, map[string]*bool{}
	cmd.Flags().SortFlags = false
}

// addSystem adds the flags of the system: its conditions, and what else decides a system but
// is no condition.
func (f *systemFlags) addSystem(cmd *cobra.Command) {
	s := &f.setting
	f.addConditions(cmd, setting.System, func(before string) {
		switch before {
		case "placement":
			textFlag(cmd, &s.IDs, "ids", "5,3,9,...", "identities by address")
		case "variant":
			textFlag(cmd, &s.Attr, "attr", "A,...", "attributes by address, compared before identities: numbers, MAC addresses, or random:K, drawn from 1..K")
		case "initiators":
			f.addShort(cmd)
			requesters := setting.Find("initiators")
			textFlag(cmd, &s.Initiators, "requesters", f.words(requesters.Flag.Form, "|"), "another word for --initiators, where clients ask for a critical section")
			completeFlag(cmd, "requesters", f.completion(requesters))
		}
	})
	textFlag(cmd, &s.Processing, "processing", "duration", "time to react to a message, where the algorithm has such a thing (default 0s)")
	countFlag(cmd, &s.Seed, 0, math.MaxUint64, "seed", "seed of everything random")
	for _, name := range []string{"ids", "attr", "processing", "seed"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
}

// addShort adds the flags that are short for a parameter.
func (f *systemFlags) addShort(cmd *cobra.Command) {
	f.short = []shortParam{
		{"cs", "duration", "time inside the critical section, of mutual exclusion (default 0s)", new("")},
		{"holder", "ADDRESS", "who has the token, or coordinates, at the start (default 0)", new("")},
		{"quorums", "grid|plane|majority", "whose votes a process needs", new("")},
	}
	for _, p := range f.short {
		textFlag(cmd, p.value, p.name, p.form, p.usage)
		completeFlag(cmd, p.name, cobra.NoFileCompletions)
	}
}

// addConditions adds the flags of the conditions of a group. It calls before with the name
// of each; nil is not called.
func (f *systemFlags) addConditions(cmd *cobra.Command, group setting.Group, before func(name string)) {
	for _, c := range flagOrder {
		if c.Flag.Group != group {
			continue
		}
		if before != nil {
			before(c.Name)
		}
		f.addCondition(cmd, c)
	}
}

// addCondition adds the flag of one condition, with what a shell offers for it.
func (f *systemFlags) addCondition(cmd *cobra.Command, c *setting.Condition) {
	name, usage := c.FlagName(), f.words(c.Flag.Usage, ", ")
	switch {
	case c.Kind == setting.Count:
		countFlag(cmd, &f.n, 1, trial.MaxN, name, usage)
	case c.Kind == setting.Truth:
		f.truths[c.Name] = cmd.Flags().Bool(name, c.Usual == "true", usage)
	case c.Flag.Form == "" && c.Kind != setting.Choice:
		f.lists[c.Name] = cmd.Flags().StringArray(name, nil, usage)
	case c.Kind == setting.Choice:
		cmd.Flags().Var(choice{c.Text(&f.setting), c.Flag.Complete}, name, usage)
	default:
		textFlag(cmd, c.Text(&f.setting), name, f.words(c.Flag.Form, "|"), usage)
	}
	completeFlag(cmd, name, f.completion(c))
}

// words puts into a text of the table what the table does not know. between stands between
// words.
func (f *systemFlags) words(text, between string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	also := ""
	for _, w := range f.also {
		also += w + between
	}
	text = strings.ReplaceAll(text, "{}", also)
	text = strings.ReplaceAll(text, "{n}", strconv.Itoa(f.few))
	return strings.ReplaceAll(text, "{topologies}", strings.Join(netem.Topologies(), ", "))
}

// completion offers the words of a condition.
func (f *systemFlags) completion(c *setting.Condition) completion {
	switch c.Name {
	case "variant":
		return completeVariant(f.registry)
	case "topology":
		return completeTopology(f.registry)
	case "param":
		return completeParam(f.registry)
	}
	words := c.Flag.Complete
	if strings.Contains(c.Flag.Form+c.Flag.Usage, "{}") {
		words = slices.Concat(f.also, words)
	}
	if words == nil {
		return cobra.NoFileCompletions
	}
	return completeWords(words...)
}

// read turns the flags into a setting.
func (f *systemFlags) read() trial.Setting {
	s := f.setting
	s.N = int(f.n)
	if f.n == 0 && s.IDs == "" && !strings.HasPrefix(s.Topology, trial.GraphFile) {
		s.N = f.few
	}
	for name, value := range f.truths {
		setting.Find(name).Set(&s, strconv.FormatBool(*value))
	}
	for name, values := range f.lists {
		setting.Find(name).Set(&s, strings.Join(*values, "\n")) // lines, so that a comment ends with its fault
	}
	params := slices.Clone(*f.lists["param"])
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
	plan string   // a file of faults
	own  ownFlags // of commands that judge by them
}

func (f *settingFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	f.registerUnlimited(cmd, registry)
	flagsUnder(cmd, string(setting.Limits), func() { f.addLimits(cmd) })
}

// registerUnlimited adds the flags without those of limits.
func (f *settingFlags) registerUnlimited(cmd *cobra.Command, registry *trial.Registry) {
	f.systemFlags.register(cmd, registry, defaultN)
	flagsUnder(cmd, string(setting.Network), func() { f.addConditions(cmd, setting.Network, nil) })
	flagsUnder(cmd, string(setting.Faults), func() { f.addFaults(cmd) })
}

func (f *settingFlags) addFaults(cmd *cobra.Command) {
	f.addConditions(cmd, setting.Faults, nil)
	textFlag(cmd, &f.plan, "faults", "FILE", "a plan: a file of faults, one a line")
	f.addOutsideModel(cmd)
}

func (f *systemFlags) addOutsideModel(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.setting.OutsideModel, "outside-model", false, "run even if the algorithm's assumptions do not hold")
}

func (f *settingFlags) addLimits(cmd *cobra.Command) {
	f.setting.MaxEvents = trial.DefaultMaxEvents
	countFlag(cmd, &f.setting.MaxEvents, 1, math.MaxUint64, "max-events", "end the run after so many events; run without this flag ends earlier if it has few processes")
	completeFlag(cmd, "max-events", cobra.NoFileCompletions)
	f.addConditions(cmd, setting.Limits, nil)
}

// read turns the flags into a setting.
func (f *settingFlags) read() (trial.Setting, error) {
	s := f.systemFlags.read()
	s.Properties = f.own.read()
	if f.plan == "" {
		return s, nil
	}
	text, err := readText("the plan", f.plan)
	s.Fault = strings.Join(append(slices.Clone(*f.lists["fault"]), string(text)), "\n")
	return s, err
}
