package foreign_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

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

// Of an event that writes much a part is kept, and that is said. Too much standard error ends the run.
func TestMuchIsWritten(t *testing.T) {
	r, command := nodes(t, "gabs")
	in, err := r.Instance(trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Node: command})
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	result := new(trial.Worker).Run(t.Context(), in, func(*trial.Traced) netem.Tracer {
		return heard(func(r netem.Record) {
			if r.Log == nil {
				return
			}
			events++
			if n := len(r.Log); n != 65 || r.Log[64] != "and 36 more" || r.Log[7] != "7"+strings.Repeat("-", 1023)+"..." {
				t.Errorf("%d lines, %q", n, r.Log)
			}
			if text := strings.Join(r.Stderr, "\n"); runtime.GOOS == "linux" && (!strings.HasPrefix(text, "...-") || len(text) > 5<<10) {
				t.Errorf("standard error has %q", text)
			}
		})
	})
	if result.Failed != nil || events != 1 {
		t.Errorf("%d events, %v", events, result.Failed)
	}
	if runtime.GOOS != "linux" {
		t.Skip("how much a program writes to its standard error in an event is known on Linux only")
	}
	_, command = nodes(t, "murmurs")
	result = run(t, registry(t, time.Minute), trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Node: command})
	if says := `told PROBE{"rank":7} from n2: wrote more than 1048576 bytes to its standard error in one step; its standard error ends with "still here`; result.Failed == nil || !strings.Contains(result.Failed.Error(), says) {
		t.Errorf("error %v, want %q", result.Failed, says)
	}
}

// A program that always finds something to do ends by the limit on events, or by that on real time.
func TestLivelock(t *testing.T) {
	r, command := nodes(t, "livelock")
	s := trial.Setting{Algorithm: "lcr", N: 4, Node: command, MaxEvents: 2000}
	if result := run(t, r, s); result.Failed != nil || result.End != netem.OutOfEvents {
		t.Errorf("%v, %v", result.End, result.Failed)
	}
	r.Nodes.(*foreign.Nodes).Limit = 500 * time.Millisecond
	s.MaxEvents = 0
	if late := run(t, r, s).Late(); late == nil || !strings.Contains(late.Error(), "the run takes more than 500ms (--node-limit)") {
		t.Error(late)
	}
}

// heard is a function as a tracer.
type heard func(netem.Record)

// Record implements netem.Tracer.
func (h heard) Record(r netem.Record) { h(r) }
