package experiments

import "strings"

// Topology says on which networks an algorithm runs.
func (a Assumptions) Topology() string { return strings.Join(topologyWords(a.Topologies), ", ") }

// Model says what an algorithm takes for granted of time, order and who begins.
func (a Assumptions) Model() string {
	words := []string{"asynchronous"}
	if a.BoundedDelay {
		words[0] = "bounded delay"
	}
	for _, w := range []struct {
		holds bool
		word  string
	}{
		{a.Anonymous, "no identities"},
		{a.Numbers, "identities from 1 on"},
		{a.FIFO, "FIFO"},
		{a.AllInitiate, "all initiate"},
		{a.RightClocks, "right clocks"},
		{a.PerfectDetector, "perfect detector"},
	} {
		if w.holds {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, ", ")
}

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
