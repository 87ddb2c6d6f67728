package foreign_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
	"bullring/netem"
)

// What a program logs and writes to its standard error stands at the event, and changes nothing else: not the
// fingerprint, not the acts that are compared, not the text that tells events apart.
func TestWritten(t *testing.T) {
	r, command := nodes(t, "talks")
	s := trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Delay: "exp(1ms)"}
	want := run(t, r, s)
	s.Node = command
	in, err := r.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	seen, pids := map[string]int{}, map[string]bool{}
	for range 3 { // the programs are other ones each time
		clear(seen)
		result := new(trial.Worker).Run(t.Context(), in, func(*trial.Traced) netem.Tracer {
			return heard(func(r netem.Record) {
				if r.What != "deliver" {
					if r.Log != nil || r.Stderr != nil {
						t.Errorf("%s: %q, %q", r.Text(""), r.Log, r.Stderr)
					}
					return
				}
				who := r.Who.String()
				seen[who]++
				if want := fmt.Sprint("message ", seen[who]); !slices.Equal(r.Log, []string{want}) || strings.Contains(r.Text(""), want) {
					t.Errorf("%s logs %q, want %q", r.Text(""), r.Log, want)
				}
				if runtime.GOOS != "linux" {
					return // standard error stands where it is seen
				}
				if len(r.Stderr) != 2 || !strings.Contains(fmt.Sprint(r.Message), strings.TrimPrefix(r.Stderr[0], "heard ")) {
					t.Fatalf("%s writes %q", r.Text(""), r.Stderr)
				}
				pids[r.Stderr[1]] = true
				if text, want := r.Written(), fmt.Sprintf(`  | logs %q  | stderr %q, %q`, r.Log[0], r.Stderr[0], r.Stderr[1]); text != want {
					t.Errorf("the trace has %s, want %s", text, want)
				}
			})
		})
		if result.Failed != nil || result.Fingerprint != want.Fingerprint || !result.Correct {
			t.Errorf("fingerprint %x, %v; want %x", result.Fingerprint, result.Failed, want.Fingerprint)
		}
	}
	if runtime.GOOS == "linux" && len(pids) != 3*in.N {
		t.Errorf("%d programs wrote", len(pids))
	}
	like, err := foreign.CompareLike(t.Context(), r, in, true)
	if err != nil {
		t.Fatal(err)
	}
	twice := foreign.CompareTwice(t.Context(), in)
	for _, c := range []*foreign.Comparison{like, twice} {
		if c.Finish(new(trial.Worker).Run(t.Context(), in, c.Tracer)); c.Parted || c.Fingerprint != want.Fingerprint {
			t.Errorf("with %s: %+v", c.With, c)
		}
	}
}

// heard is a function as a tracer.
type heard func(netem.Record)

// Record implements netem.Tracer.
func (h heard) Record(r netem.Record) { h(r) }
