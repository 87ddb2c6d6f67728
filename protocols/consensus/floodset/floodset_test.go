package floodset_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/consensus"
	"bullring/protocols/consensus/floodset"
	"bullring/protocols/rounds"
)

// node is the place of a process in a synchronous run on a complete graph. It keeps what is sent.
type node struct {
	protocols.Node[floodset.Message]
	id, n int
	sent  []protocols.ID
	said  floodset.Message
}

func (n *node) ID() protocols.ID                         { return protocols.ID(n.id) }
func (n *node) Degree() int                              { return n.n - 1 }
func (n *node) Neighbor(k int) protocols.ID              { return protocols.ID((n.id + k + 1) % n.n) }
func (n *node) Send(to protocols.ID, m floodset.Message) { n.sent, n.said = append(n.sent, to), m }

// crash is the round in which a process crashes, from 1, and how many messages of it are sent.
type crash struct{ round, sends int }

// outcome is what came of a run: the decisions by address, nil for a process that crashed before it
// decided, the round in which the last one decided, and the number of messages.
type outcome struct {
	decisions []*consensus.Decision
	decided   int
	messages  int
}

// run runs processes round by round: the definition of the model, in place of an emulator.
func run(inputs []int, cfg floodset.Config, crashes map[int]crash) outcome {
	n := len(inputs)
	nodes, processes := make([]*node, n), make([]*floodset.Process, n)
	for p := range n {
		nodes[p], processes[p] = &node{id: p, n: n}, floodset.New(inputs[p], cfg)
		processes[p].Start(nodes[p])
	}
	result := outcome{decisions: make([]*consensus.Decision, n)}
	down := make([]bool, n)
	for round := 1; round <= cfg.Rounds; round++ {
		arrived := make([][]protocols.Arrival[floodset.Message], n)
		for p := range n {
			if down[p] || processes[p].Halted() {
				continue
			}
			nodes[p].sent = nil
			processes[p].Messages(nodes[p])
			if c, crashes := crashes[p]; crashes && c.round == round {
				down[p], nodes[p].sent = true, nodes[p].sent[:min(c.sends, len(nodes[p].sent))]
			}
			result.messages += len(nodes[p].sent)
			for _, q := range nodes[p].sent {
				arrived[q] = append(arrived[q], protocols.Arrival[floodset.Message]{From: protocols.ID(p), Message: nodes[p].said})
			}
		}
		for p := range n {
			if down[p] || processes[p].Halted() {
				continue
			}
			made := processes[p].Decision().Made
			if processes[p].Transition(nodes[p], arrived[p]); processes[p].Decision().Made != made {
				result.decided = round
			}
		}
	}
	for p := range n {
		if d := processes[p].Decision(); d.Made || !down[p] {
			result.decisions[p] = &d
		}
	}
	return result
}

// wrong says what is wrong with the decisions, those of processes that crashed later included, or "".
func (o outcome) wrong(inputs []int) string {
	var first *consensus.Decision
	unanimous := len(slices.Compact(slices.Clone(inputs))) == 1
	for p, d := range o.decisions {
		switch {
		case d == nil:
			continue
		case !d.Made:
			return fmt.Sprintf("process %d has not decided", p)
		case first != nil && *first != *d:
			return fmt.Sprintf("process %d %v, another %v", p, d, first)
		case unanimous && d.Value != inputs[0]:
			return fmt.Sprintf("process %d %v, and all began with %d", p, d, inputs[0])
		}
		first = d
	}
	return ""
}

// The forms that promise agreement.
var forms = []floodset.Config{{}, {Optimised: true}, {Early: true}}

// Lynch 1996, theorem 6.2, and 6.2.2 for the optimised form: with f+1 rounds and at most f crashes,
// at any point of any round, all decide, and alike. The early form takes no more than min(t+2, f+1)
// rounds if t processes crash (Dolev, Reischuk and Strong 1990).
func TestAgreesInSpiteOfCrashes(t *testing.T) {
	crashed := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		f := rapid.IntRange(0, n-1).Draw(t, "f")
		cfg := forms[rapid.IntRange(0, len(forms)-1).Draw(t, "form")]
		cfg.Rounds = f + 1
		inputs := rapid.SliceOfN(rapid.IntRange(0, 2), n, n).Draw(t, "inputs")
		crashes := map[int]crash{}
		for range f {
			crashes[rapid.IntRange(0, n-1).Draw(t, "crashed")] = crash{rapid.IntRange(1, f+1).Draw(t, "round"), rapid.IntRange(0, n-1).Draw(t, "sends")}
		}
		crashed += len(crashes)
		got := run(inputs, cfg, crashes)
		if wrong := got.wrong(inputs); wrong != "" {
			t.Fatalf("n %d, f %d, %v, inputs %v, crashes %v: %s", n, f, cfg, inputs, crashes, wrong)
		}
		if cfg.Early && got.decided > min(len(crashes)+2, f+1) {
			t.Fatalf("n %d, f %d, inputs %v, crashes %v: decided in round %d", n, f, inputs, crashes, got.decided)
		}
	})
	if crashed == 0 {
		t.Error("nobody crashed")
	}
}

// Fischer and Lynch 1982: f rounds are not enough. A chain of f crashes, one a round, carries the
// value of process 0 to one process alone.
func TestOneRoundLess(t *testing.T) {
	for f := 1; f <= 4; f++ {
		for _, optimised := range []bool{false, true} {
			n := f + 2
			inputs, crashes := slices.Repeat([]int{1}, n), map[int]crash{}
			inputs[0] = 0
			for p := range f {
				crashes[p] = crash{round: p + 1, sends: 1} // to p+1, the first of its neighbours
			}
			if wrong := run(inputs, floodset.Config{Rounds: f, Optimised: optimised}, crashes).wrong(inputs); !strings.Contains(wrong, "another") {
				t.Errorf("f %d, optimised %v: %q; want a disagreement", f, optimised, wrong)
			}
			if wrong := run(inputs, floodset.Config{Rounds: f + 1, Optimised: optimised}, crashes).wrong(inputs); wrong != "" {
				t.Errorf("f %d, optimised %v, with f+1 rounds: %s", f, optimised, wrong)
			}
		}
	}
}

// If a crash a round is seen by all, the early form takes exactly min(t+2, f+1) rounds.
func TestEarlyRounds(t *testing.T) {
	const n = 8
	for f := range n {
		for crashed := range f + 1 {
			crashes := map[int]crash{}
			for p := range crashed {
				crashes[p] = crash{round: p + 1}
			}
			got := run(slices.Repeat([]int{1}, n), floodset.Config{Rounds: f + 1, Early: true}, crashes).decided
			if want := min(crashed+2, f+1); crashed < n-1 && got != want {
				t.Errorf("f %d, %d crashes: decided in round %d, want %d", f, crashed, got, want)
			}
		}
	}
}

// The hasty form decides before it tells what it knows: here process 1, which alone has heard of 0, and
// crashes then.
func TestHasty(t *testing.T) {
	inputs, crashes := []int{0, 1, 1}, map[int]crash{0: {round: 1, sends: 1}, 1: {round: 2}}
	for hasty, want := range map[bool]string{true: "process 2 decides 1, another decides 0", false: ""} {
		if wrong := run(inputs, floodset.Config{Rounds: 3, Early: true, Hasty: hasty}, crashes).wrong(inputs); wrong != want {
			t.Errorf("hasty %v: %q, want %q", hasty, wrong, want)
		}
	}
}

// Without crashes the numbers of messages are exact.
func TestMessages(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for f := range n {
			alike, other := slices.Repeat([]int{3}, n), slices.Repeat([]int{3}, n)
			other[n-1] = 7
			differ := 1
			if n > 1 {
				differ = min(2, f+1)
			}
			for _, c := range []struct {
				inputs []int
				form   floodset.Config
				times  int
			}{{alike, forms[0], f + 1}, {other, forms[0], f + 1}, {alike, forms[1], 1}, {other, forms[1], differ}, {alike, forms[2], min(2, f+1)}, {other, forms[2], min(2, f+1)}} {
				c.form.Rounds = f + 1
				got := run(c.inputs, c.form, nil).messages
				if want := c.times * n * (n - 1); got != want {
					t.Errorf("n %d, inputs %v, %+v: %d messages, want %d", n, c.inputs, c.form, got, want)
				}
			}
		}
	}
}

// The optimised form among four, with f = 1 and a crash in round 2.
func TestTrace(t *testing.T) {
	processes := make([]*floodset.Process, 4)
	net := netem.New(netem.Config{Topology: netem.Complete(4), Delay: des.Constant(time.Millisecond), FIFO: true}, func(p protocols.ID) protocols.Process[rounds.Stamped[floodset.Message]] {
		processes[p] = floodset.New(int(p)%2+1, floodset.Config{Rounds: 2, Optimised: true})
		return rounds.NewLockstep(processes[p], time.Millisecond)
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		if d := processes[p].Decision(); d.Made {
			return d.String()
		}
		return ""
	}))
	for p := range protocols.ID(4) {
		net.StartAt(p, 0)
	}
	net.CrashAt(3, des.Time(1500*time.Microsecond))
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, "optfloodset.txt", trace.Bytes())
}

func TestSet(t *testing.T) {
	s := floodset.Of(0) | floodset.Of(12) | floodset.Of(floodset.MaxValue)
	if last := (floodset.Message{Set: s, Last: true}); last.String() != "last VALUES(0,12,63)" || last.Bits() != s.Bits() {
		t.Errorf("%v, %d bits", last, last.Bits())
	}
	if s.String() != "VALUES(0,12,63)" || s.Bits() != 8+3*8 || s.Kinds()[s.Kind()] != "VALUES" {
		t.Errorf("%v, %d bits, %v", s, s.Bits(), s.Kinds())
	}
}

func TestNoSuchProcess(t *testing.T) {
	for _, c := range []struct{ input, rounds int }{{-1, 1}, {floodset.MaxValue + 1, 1}, {0, 0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was made", c)
				}
			}()
			floodset.New(c.input, floodset.Config{Rounds: c.rounds})
		}()
	}
}
