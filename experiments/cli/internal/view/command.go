package view

import (
	"strconv"
	"strings"

	"bullring/experiments"
)

// CommandLine is the command that repeats a run.
func CommandLine(program string, in *experiments.Instance) string {
	s := &in.Setting
	words := []string{program, "run", s.Algorithm}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, "--"+flag, Quoted(value))
		}
	}
	if s.IDs != "" {
		add("ids", plain(s.IDs))
	} else {
		add("n", strconv.Itoa(in.N))
		add("placement", unless(s.Placement, experiments.Placements[0]))
	}
	add("attr", plain(s.Attr))
	add("variant", unless(s.Variant, firstVariant(in.Algorithm)))
	add("param", s.Param)
	add("initiators", unless(plain(s.Initiators), "all"))
	add("dead", unless(plain(s.Dead), "none"))
	for _, f := range in.Plan {
		add("fault", f.String())
	}
	add("topology", unless(s.Topology, in.Algorithm.Assumes.Topologies[0]))
	add("delay", unless(s.Delay, experiments.DefaultDelay))
	for _, l := range in.Lines {
		add("link", experiments.LinkText(l))
	}
	add("link-mode", unless(s.LinkMode, "exact"))
	add("delta", s.Delta)
	add("gst", s.GST)
	add("transport", unless(s.Transport, "plain"))
	add("detector", unless(s.Detector, "perfect"))
	if !in.FIFO {
		words = append(words, "--fifo=false")
	}
	add("assume", s.Assume)
	add("processing", s.Processing)
	if len(in.Outside) > 0 {
		words = append(words, "--outside-model")
	}
	add("max-events", unless(strconv.FormatUint(s.MaxEvents, 10), strconv.Itoa(experiments.DefaultMaxEvents)))
	add("max-time", s.MaxTime)
	add("until", s.Until)
	add("seed", strconv.FormatUint(s.Seed, 10))
	return strings.Join(words, " ")
}

// firstVariant is how the default variant prints.
func firstVariant(a *experiments.Algorithm) string {
	if len(a.Variants) == 0 {
		return ""
	}
	return a.Variants[0][0]
}

// unless drops a value that is the default.
func unless(value, byDefault string) string {
	if value == byDefault {
		return ""
	}
	return value
}
