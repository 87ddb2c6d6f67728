package trial_test

import (
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/protocols"
)

// reader is a listener that looks at its clock when it hears.
type reader struct{ listener }

func (r *reader) Receive(n protocols.Node[word], from protocols.ID, m word) {
	n.Now()
	r.listener.Receive(n, from, m)
}

// reading has an algorithm whose processes read their clocks.
func reading(declared bool) *trial.Registry {
	family := trial.Family{Name: "hearsay", Right: []trial.Outcome{"heard"}}
	registry := &trial.Registry{}
	registry.Register(trial.Ruled(trial.Algorithm{
		Name: "reader", Assumes: trial.Assumptions{Topologies: []string{"biring"}}, Clock: declared,
	}, family, func(*trial.Instance) trial.Rules[word] { return reads{} },
		func(*trial.Instance) func(protocols.ID) protocols.Process[word] {
			return func(protocols.ID) protocols.Process[word] { return &reader{} }
		}))
	return registry
}

// reads are the rules of that family.
type reads struct{ spreading }

func (reads) State(process any) word                    { return process.(*reader).heard }
func (reads) Broken(trial.Seen[word]) map[string]string { return nil }

// A process reads its clock only if the declaration of its algorithm says so: in the emulator, on
// transformers that read clocks themselves, and in an exploration.
func TestUndeclaredClocksAreRefused(t *testing.T) {
	for _, s := range []trial.Setting{{}, {Transport: "reliable(5ms,8)"}, {Detector: "heartbeat(2ms,5ms)"}} {
		s.Algorithm, s.N, s.OutsideModel = "reader", 3, true
		for _, declared := range []bool{true, false} {
			in, err := reading(declared).Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			failed := new(trial.Worker).Run(t.Context(), in, nil).Failed
			if refused := failed != nil && strings.Contains(failed.Error(), "process 1 reads its clock; the declaration"); refused == declared || failed != nil && declared {
				t.Errorf("%+v, declared %v: %v", s, declared, failed)
			}
			if in.Unexplored() != "" {
				continue
			}
			explored, err := in.Algorithm.Explore(t.Context(), []*trial.Instance{in}, explore.Network{FIFO: true}, explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if p := explored.Properties[0]; p.Name != "no-panic" || (p.Verdict == protocols.Violated) == declared {
				t.Errorf("declared %v: explored %+v", declared, explored.Properties)
			}
		}
	}
}
