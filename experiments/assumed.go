package experiments

import "strings"

// Topology says on which networks an algorithm runs.
func (a Assumptions) Topology() string { return strings.Join(topologyWords(a.Topologies), ", ") }

// Tolerance says which processes may fail, and when, and whether links may.
func (a Assumptions) Tolerance() string {
	if a.Lossy {
		a.Lossy = false
		return a.Tolerance() + ", messages lost or twice"
	}
	switch {
	case a.NoCrash:
		return "no crash"
	case a.DeadAtStart:
		return "dead from the start"
	case a.NoRestart && a.StaysConnected:
		return "crash-stop, the living stay connected"
	case a.NoRestart:
		return "crash-stop"
	}
	return "crash and restart"
}
