// Package wavetest runs the processes of a wave for the tests of its algorithms.
package wavetest

import (
	"bytes"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/netem/graph"
	"bullring/protocols"
	"bullring/protocols/wave"
)

// Diamond is four processes, of which 0 and 3 share no link.
func Diamond() netem.Topology {
	g, err := graph.New("diamond", 4, []graph.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}}, false, false)
	if err != nil {
		panic(err)
	}
	return g
}

// Neighbors are the neighbours of a process.
func Neighbors(on netem.Topology, p protocols.ID) []protocols.ID {
	var all []protocols.ID
	for port := range on.Degree(p) {
		all = append(all, on.Neighbor(p, port))
	}
	return all
}

// Unit is the delay of a message that is the unit of time.
func Unit() des.Distribution { return des.Constant(time.Millisecond) }

// Traced runs a wave, compares what happens with the golden file of that name, and returns the states of the
// processes.
func Traced[M protocols.Message](t *testing.T, name string, on netem.Topology, initiators []protocols.ID, delay des.Distribution, made func(protocols.ID) wave.Process[M]) []wave.State {
	t.Helper()
	processes := make([]*wave.Witness[M], on.Len())
	net := netem.New(netem.Config{Topology: on, Delay: delay, FIFO: true, Seed: 1}, func(p protocols.ID) protocols.Process[wave.Dated[M]] {
		processes[p] = wave.NewWitness(made(p), on.Len())
		return processes[p]
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string { return processes[p].State().String() }))
	for _, p := range initiators {
		net.StartAt(p, 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, name+".txt", trace.Bytes())
	var states []wave.State
	for _, p := range processes {
		states = append(states, p.State())
	}
	return states
}

// Fathers checks the fathers of the processes.
func Fathers(t *testing.T, states []wave.State, want ...protocols.ID) {
	t.Helper()
	for p, s := range states {
		if s.Father != want[p] || !s.Visited || s.Decided != (s.Father == wave.Nobody) || s.Misses != wave.Nobody {
			t.Errorf("process %d: %+v, want father %v", p, s, want[p])
		}
	}
}

// Panics checks that a mistake of a driver panics.
func Panics(t *testing.T, what string, mistake func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	mistake()
}

// Printed checks how a message prints, and its size.
func Printed(t *testing.T, m interface {
	protocols.Message
	String() string
}, text string, bits int) {
	t.Helper()
	if m.String() != text || m.Bits() != bits {
		t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), text, bits)
	}
}
