package view

import (
	"strconv"
	"strings"
	"sync"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
)

// commandOrder is the order of conditions in a command that repeats a run.
var commandOrder = sync.OnceValue(func() []*setting.Condition {
	return setting.InOrder("n", "placement", "variant", "param", "initiators", "dead", "fault", "topology", "delay",
		"link", "link_mode", "delta", "gst", "transport", "detector", "fifo", "assume", "max_time", "until", "forks")
})

// CommandLine is the command that repeats a run.
func CommandLine(program string, in *trial.Instance) string {
	return commandLine(program, "run", in)
}

// RareLine is the command that repeats the estimate of a trial.
func RareLine(program string, in *trial.Instance, of spec.Rare) string {
	words := []string{commandLine(program, "rare", in), "--level", Quoted(of.Level)}
	if of.Check != "" {
		words = append(words, "--check", Quoted(of.Check))
	} else {
		words = append(words, "--reach", of.Reach)
	}
	return strings.Join(append(words, "--effort", strconv.Itoa(of.Effort), "--repetitions", strconv.Itoa(of.Repetitions)), " ")
}

// PageLine is the command that shows a run as a page.
func PageLine(program string, in *trial.Instance) string {
	return commandLine(program, "view", in)
}

// fileLine is a command about the run of an instance that a file holds. The file does not start programs by itself.
func fileLine(program, command, file string, in *trial.Instance) string {
	line := program + " " + command + " " + Quoted(file)
	if in.InPrograms() {
		line += " --allow-nodes"
	}
	return line
}

// commandLine is a command about a run, with the flags that set it.
func commandLine(program, command string, in *trial.Instance) string {
	s := &in.Setting
	words := []string{program, command}
	if s.Algorithm != trial.PlainNode {
		words = append(words, s.Algorithm)
	}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, "--"+flag, Quoted(value))
		}
	}
	add("ids", plain(s.IDs))
	for _, c := range commandOrder() {
		switch c.Name { // what is no condition stands between them
		case "variant":
			add("attr", plain(s.Attr))
		case "max_time":
			add("processing", s.Processing)
			if len(in.Outside) > 0 {
				words = append(words, "--outside-model")
			}
			add("max-events", unlessDefault(strconv.FormatUint(s.MaxEvents, 10), strconv.Itoa(trial.DefaultMaxEvents)))
		}
		for _, value := range flagValues(in, c) {
			if c.Kind == setting.Truth {
				words = append(words, "--"+c.FlagName()+"="+value)
			} else {
				add(c.FlagName(), value)
			}
		}
	}
	for _, line := range s.Properties.Lines() {
		kind, condition, _ := strings.Cut(line, " ")
		add(kind, condition)
	}
	add("seed", strconv.FormatUint(s.Seed, 10))
	return strings.Join(words, " ")
}

// flagValues are the values that the flag of a condition takes in a command: none if it is
// the default, several if the flag is repeated.
func flagValues(in *trial.Instance, c *setting.Condition) (values []string) {
	switch c.Name {
	case "n", "placement":
		if in.Setting.IDs != "" {
			return nil
		}
	case "fault":
		for _, f := range in.Plan {
			values = append(values, f.String())
		}
		return values
	case "link":
		for _, l := range in.Lines {
			values = append(values, trial.LinkText(l))
		}
		return values
	}
	if value := notDefault(in, c); value != "" {
		if c.Name == "node" {
			value = foreign.Command(value)
		}
		return []string{value}
	}
	return nil
}

// notDefault is the value of a condition, "" if it is the default.
func notDefault(in *trial.Instance, c *setting.Condition) string {
	value, usual := c.Get(&in.Setting), c.Default
	switch {
	case c.Name == "variant" && len(in.Algorithm.Variants) > 0:
		usual = in.Algorithm.Variants[0][0]
	case c.Name == "inputs" && in.Algorithm.Inputs != nil:
		usual = in.Algorithm.Inputs.Default
	case c.Name == "initiators":
		value = plain(value)
		if in.Algorithm.Initiators != "" || in.Algorithm.Assumes.OneInitiates {
			usual = in.Algorithm.Initiators
		}
	case c.Name == "topology":
		usual = in.Algorithm.Assumes.Topologies[0]
	case c.Kind == setting.Addresses:
		value = plain(value)
	}
	return unlessDefault(value, usual)
}

// unlessDefault drops a value that is the default.
func unlessDefault(value, byDefault string) string {
	if value == byDefault {
		return ""
	}
	return value
}
