package judge

import (
	"fmt"
	"strconv"

	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
	"bullring/netem/explore"
)

// command is a command of bullring about a setting.
func command(name string, s trial.Setting, more ...string) []string {
	words := []string{name}
	if s.Algorithm != trial.PlainNode {
		words = append(words, s.Algorithm)
	}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, "--"+flag, value)
		}
	}
	if s.N > 0 {
		add("n", strconv.Itoa(s.N))
	}
	add("ids", s.IDs)
	add("attr", s.Attr)
	for _, c := range given(s) {
		if c.Kind == setting.Truth {
			words = append(words, "--"+c.FlagName()+"="+c.Get(&s))
			continue
		}
		add(c.FlagName(), c.Get(&s))
	}
	add("processing", s.Processing)
	if s.Seed > 0 {
		add("seed", text(s.Seed))
	}
	return append(words, more...)
}

// explorationCommand is that of an exploration.
func explorationCommand(s trial.Setting, b explore.Budget, states uint64) []string {
	var faults []string
	for _, k := range []struct {
		flag  string
		count int
	}{{"crash", b.Crashes}, {"restart", b.Restarts}, {"loss", b.Losses}, {"duplicate", b.Duplicates}, {"link-changes", b.LinkChanges}} {
		if k.count > 0 {
			faults = append(faults, "--"+k.flag, text(k.count))
		}
	}
	return command("explore", s, append(faults, "--max-states", text(states))...)
}

func text(v any) string { return fmt.Sprint(v) }
