// Package sweeptest has helpers for tests of sweeps, results and figures: two small
// algorithms, sweeps of them, readers of tables, and programs in the place of Slurm.
package sweeptest

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// Registry returns a registry with LCR twice, as ring and as bird. worst is the bound that
// both claim.
func Registry(worst func(n int) float64) *trial.Registry {
	return RegistryOf(worst, Announces)
}

// Announces reports whether the leader tells the others.
func Announces(in *trial.Instance) bool { return in.Variant.Has("all-terminate") }

// RegistryOf is like Registry; announce decides whether the leader tells the others.
func RegistryOf(worst func(n int) float64, announce func(*trial.Instance) bool) *trial.Registry {
	r := &trial.Registry{}
	for _, name := range []string{"ring", "bird"} {
		r.Register(families.Election(trial.Algorithm{
			Name: name, Title: "LCR", Source: "Chang and Roberts 1979", Cost: "n(n+1)/2 at most",
			Variants: [][]string{{"leader-only", "all-terminate"}},
			Assumes:  trial.Assumptions{Topologies: []string{"ring", "biring"}, NoCrash: true, NoRestart: true, AllInitiate: true},
			Bounds: []trial.Bound{
				{
					Name: "worst", Metric: "messages", Relation: trial.AtMost, Formula: "n(n+1)/2", Convention: "all initiate",
					Value: func(in *trial.Instance) (float64, bool) {
						return worst(in.N), in.Variant.Has("leader-only")
					},
				},
				{
					Name: "elected", Metric: "elected_time", Relation: trial.Exactly, Formula: "n", Convention: "constant delay",
					Value: func(in *trial.Instance) (float64, bool) {
						_, ok := in.Unit()
						return float64(in.N), ok
					},
				},
			},
			Distribution: func(in *trial.Instance) ([]float64, bool) {
				// The six placements of four identities make 7, 8, 8, 8, 9 and 10 hops.
				return []float64{7: 1. / 6, 8: 3. / 6, 9: 1. / 6, 10: 1. / 6}, in.N == 4
			},
		}, promise, func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			cfg := lcr.Config{Announce: announce(in)}
			return func(p protocols.ID) election.Process[lcr.Message] { return lcr.New(in.Ranks.At(p), cfg) }
		}))
	}
	return r
}

// RegistryWithMore returns a registry in which bird has a metric and a bound that ring has not.
func RegistryWithMore() *trial.Registry {
	r := Registry(Triangle)
	other, err := r.Find("bird")
	if err != nil {
		panic(err)
	}
	other.Metrics = append(other.Metrics, trial.Metric{Name: "entries", Axis: "entries"})
	other.Bounds = append(other.Bounds, trial.Bound{Name: "other", Metric: "messages", Value: func(*trial.Instance) (float64, bool) { return 1, true }})
	return r
}

// promise is the promise of both algorithms.
func promise(in *trial.Instance) election.Promise {
	if Announces(in) {
		return election.Promise{}
	}
	return election.Promise{LeaderOnly: true}
}

// Triangle is n(n+1)/2.
func Triangle(n int) float64 { return float64(n * (n + 1) / 2) }

// Long is Small with so many trials that some are left when it is stopped, even on a busy
// machine.
var Long = strings.Replace(Small, "replicates: 7", "replicates: 60", 1)

// Small is a sweep of both algorithms with curves, times and a histogram.
const Small = `name: small
replicates: 7
algorithms: [ring, {algorithm: bird, variant: all-terminate, label: "bird, tells"}]
axes:
  n: [1, 2, 3, 4, 8, 40]
  placement: [random, decreasing]
  delay: [1ms, "uniform(0,2ms)"]
figures:
  - name: lines
    x: {axis: n, log: true}
    y: {metric: messages, log: true}
    where: {delay: 1ms}
    curves: [{algorithm: ring, bound: worst}, {power: 2}]
  - {name: times, y: elected_time, series: [delay], curves: [{algorithm: ring, bound: elected}]}
  - name: bars
    kind: histogram
    y: messages
    where: {n: 4, placement: random, algorithm: ring, delay: 1ms}
    curves: [{algorithm: ring, bound: worst}]
`

// Sweep parses a sweep that writes into a temporary directory.
func Sweep(t testing.TB, r *trial.Registry, text string) *sweep.Sweep {
	t.Helper()
	s, err := results.ParseSpec(r, "test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &sweep.Sweep{Source: sweep.Source{Registry: r, Spec: s, Text: []byte(text), File: "test.yaml"}, Rehearse: figures.Rehearse, Dir: filepath.Join(t.TempDir(), "out")}
}

// Run runs a sweep to its end.
func Run(t testing.TB, s *sweep.Sweep) *sweep.Report {
	t.Helper()
	report, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Read reads a file of the results.
func Read(t testing.TB, s *sweep.Sweep, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// Rows parses a table. Each row maps the head of a column to its text.
func Rows(t testing.TB, content []byte) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]string
	for _, fields := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = fields[i]
		}
		list = append(list, row)
	}
	return list
}

// Near reports whether two numbers are equal except for rounding.
func Near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// Rushing is a clock that advances an hour with every reading.
type Rushing struct {
	clockwork.Clock
	looks atomic.Int64
}

func (c *Rushing) Now() time.Time {
	return time.Unix(0, 0).Add(time.Duration(c.looks.Add(1)) * time.Hour)
}

// Tiny is a sweep of eight trials.
const Tiny = "name: tiny\nreplicates: 4\nalgorithms: [ring]\naxes: {n: [2, 3]}\n"

// RunShard runs shard i of a sweep into a folder.
func RunShard(t testing.TB, dir, text string, i, of int) *sweep.Report {
	t.Helper()
	s := Sweep(t, Registry(Triangle), text)
	s.Dir, s.Shard = dir, sweep.Shard{Index: i, Of: of}
	return Run(t, s)
}
