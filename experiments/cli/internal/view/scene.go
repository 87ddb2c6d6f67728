package view

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
	"bullring/internal/counts"
	"bullring/protocols"
)

// writeHead names the algorithm, and what it ran on.
func writeHead(w io.Writer, in *trial.Instance) {
	fmt.Fprintf(w, "%s\n%s\n", title(in), byCommas(Scene(in)))
	writeOutside(w, in.Outside)
}

// writeOutside tells which assumptions of the algorithm do not hold.
func writeOutside(w io.Writer, broken []string) {
	if len(broken) > 0 {
		fmt.Fprintf(w, "OUTSIDE THE MODEL: %s\n", strings.Join(broken, "; "))
	}
}

// title is the algorithm with its variant, and its title.
func title(in *trial.Instance) string {
	return strings.TrimSuffix(in.Algorithm.Name+" "+in.Setting.Variant, " ") + ": " + in.Algorithm.Title
}

// begins says with which inputs processes begin, and how many may fail, if the algorithm has such.
func begins(in *trial.Instance) (parts []string) {
	if inputs := in.Inputs(); inputs != nil {
		text := "inputs " + in.Setting.Inputs
		if len(inputs) <= listed {
			text = "inputs " + commas(inputs)
		}
		parts = append(parts, text)
	}
	if in.Algorithm.Assumes.Resilience != nil {
		parts = append(parts, fmt.Sprintf("f %d", in.F))
	}
	return parts
}

// Scene is the setting in one line.
func Scene(in *trial.Instance) string {
	s := &in.Setting
	parts := []string{fmt.Sprintf("n %s, %s", counts.Grouped(in.N), s.Topology)}
	if s.IDs != "" {
		parts = append(parts, "identities given")
	} else {
		parts = append(parts, "identities "+s.Placement)
	}
	if s.Node != "" {
		parts = append(parts, "node "+s.Node)
	}
	if s.Attr != "" {
		parts = append(parts, "with attributes")
	}
	parts = append(parts, begins(in)...)
	if s.Param != "" {
		parts = append(parts, s.Param)
	}
	parts = append(parts, processes("initiators", s.Initiators, in.Initiators.Len(), in.Initiators.All()))
	if len(in.Dead) > 0 {
		parts = append(parts, processes("dead", s.Dead, len(in.Dead), slices.Values(in.Dead)))
	}
	if s.Schedule == "" {
		parts = append(parts, "delay "+s.Delay)
	}
	for i := range setting.Conditions {
		c := &setting.Conditions[i]
		if c.Flag.Group != setting.Network || c.Name == "delay" { // it stands above
			continue
		}
		if value := notDefault(in, c); value != "" {
			parts = append(parts, strings.ReplaceAll(c.Name, "_", " ")+" "+value)
		}
	}
	if !in.FIFO {
		parts = append(parts, "not FIFO")
	}
	if len(in.Plan) > 0 {
		parts = append(parts, "faults "+s.Fault)
	}
	if s.Schedule != "" {
		head, rest, _ := strings.Cut(string(s.Schedule), "\n")
		if strings.HasSuffix("\n"+rest, "\n"+trial.GoOn) {
			head += ", then on to the end"
		}
		return strings.Join(append(parts, fmt.Sprintf("a schedule of %s, %s", counts.Several(in.Steps(), "step"), head)), ", ")
	}
	return strings.Join(append(parts, "seed "+strconv.FormatUint(s.Seed, 10)), ", ")
}

// processes names processes as the setting describes them and, unless that lists them,
// their addresses if they are few.
func processes(what, described string, count int, list iter.Seq[protocols.ID]) string {
	const few = 8
	described = plain(described)
	if described == "all" || count > few {
		if len(described) > 4*few {
			described = described[:4*few] + "..."
		}
		return what + " " + described
	}
	text := commas(slices.Collect(list))
	if text != described {
		text = described + " (" + text + ")"
	}
	return what + " " + text
}
