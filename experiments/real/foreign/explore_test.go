package foreign_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
)

// told is what a node of these tests knows of itself.
type told struct {
	Me, Next string
	Rank     float64
	Seen     []float64 // what is not needed, and tells how the process came where it is
}

// tell is LCR as a node that tells its state, or does one thing wrong.
func tell(how string, in *bufio.Reader, out *bufio.Writer) {
	var now told
	best := 0. // of all processes in the program: a global variable
	msg, suspected := 0., false
	send := func(dest string, body map[string]any) {
		text, _ := json.Marshal(packet{now.Me, dest, body})
		out.Write(append(text, '\n'))
	}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m packet
		if json.Unmarshal(line, &m) != nil {
			os.Exit(3)
		}
		reply := func(kind string, more ...any) {
			body := map[string]any{"type": kind, "in_reply_to": m.Body["msg_id"], "reusable": how != "once"}
			if len(more) > 0 {
				body["state"] = more[0]
			}
			send(m.Src, body)
		}
		switch rank, _ := m.Body["rank"].(float64); m.Body["type"] {
		case "init":
			now = told{Me: m.Dest, Next: m.Body["neighbors"].([]any)[0].(string), Rank: rank}
			reply("init_ok")
			if how == "keeps" && m.Body["restarted"] == true {
				stored, _ := m.Body["stored"].(map[string]any)
				value, _ := stored["value"].(float64)
				send("c0", map[string]any{"type": "decide", "leader": value + 1, "elected": false})
			}
		case "state":
			state := now
			if how == "lacks" {
				state.Seen = nil
			}
			reply("state_ok", state)
		case "load":
			text, _ := json.Marshal(m.Body["state"])
			now = told{}
			json.Unmarshal(text, &now)
			if how == "forgets" && len(now.Seen) > 0 {
				now.Seen = now.Seen[1:]
			}
			reply("load_ok")
			if how == "chatters" {
				send(now.Next, map[string]any{"type": "probe", "rank": now.Rank})
			}
		case "start":
			if how == "keeps" {
				send("storage", map[string]any{"type": "write", "value": map[string]any{"value": 1}})
				send("c0", map[string]any{"type": "decide", "leader": 1, "elected": false})
				break
			}
			best = max(best, now.Rank)
			send(now.Next, map[string]any{"type": "probe", "rank": now.Rank})
		case "probe":
			if how == "lacks" || how == "forgets" {
				now.Seen = append(now.Seen, rank)
			}
			more := rank > now.Rank
			switch {
			case how == "forwards":
				more = rank != now.Rank
			case how == "hides":
				more = more && rank > best
				best = max(best, rank)
			case how == "lacks":
				more = more && len(now.Seen) < 2
			case how == "draws":
				more = more && time.Now().UnixNano()/64%2 == 0
			case how == "dies" && rank == 2:
				os.Exit(3)
			case how == "hangs" && rank == 2:
				time.Sleep(time.Hour)
			case how == "floods" && rank == 2:
				for {
					send(now.Next, m.Body)
				}
			case how == "grows":
				now.Seen, more = append(now.Seen, rank), true
			case how == "tosses" && rank == 2:
				msg++
				send("random", map[string]any{"type": "intn", "n": 3, "msg_id": msg})
			case how == "doubts" && rank == 2:
				for range 2 {
					msg++
					send("detector", map[string]any{"type": "suspects", "node": "n0", "msg_id": msg})
				}
			}
			if more {
				send(now.Next, m.Body)
			} else if rank == now.Rank {
				send("c0", map[string]any{"type": "decide", "leader": rank, "elected": true})
			}
		case "suspects_ok":
			before, now := suspected, m.Body["suspects"].(bool)
			if suspected = now; m.Body["in_reply_to"].(float64) == msg && before != now {
				os.Exit(3)
			}
		case "intn_ok":
			now.Seen = append(now.Seen, m.Body["value"].(float64))
		default:
			reply("error")
		}
		out.Flush()
	}
}

// explored explores LCR with every placement, as one of these nodes; "" is the algorithm.
func explored(t *testing.T, r *trial.Registry, n int, node string) (*search.Exploration, error) {
	t.Helper()
	return search.Explore(t.Context(), r, search.Search{
		Setting: trial.Setting{Algorithm: "lcr", N: n, Placement: search.Every, Node: node}, Full: true, Options: explore.Options{Workers: 2},
	})
}

// size is the size of an exploration, with its verdicts.
func size(e *search.Exploration) string {
	var verdicts []protocols.Verdict
	for _, p := range e.Properties {
		verdicts = append(verdicts, p.Verdict)
	}
	return fmt.Sprint(e.States, e.Transitions, e.Depth, e.Rests, e.Complete, verdicts)
}

// An exploration of a program has the states of the algorithm, and few questions. A program that takes one
// init only is asked, too.
func TestExploredProgramIsTheAlgorithm(t *testing.T) {
	for _, how := range []string{"right", "once"} {
		r, command := nodes(t, "tells-"+how)
		for n, want := range map[int]string{3: "117 183 9 6", 4: "1100 2212 14 24"} {
			original, err := explored(t, r, n, "")
			if err != nil {
				t.Fatal(err)
			}
			e, err := explored(t, r, n, command)
			if err != nil {
				t.Fatal(err)
			}
			if size(e) != size(original) || !strings.HasPrefix(size(e), want+" true") {
				t.Errorf("%s, n %d: %s; LCR has %s, and %s is known", how, n, size(e), size(original), want)
			}
			if a := e.Asked; a.Questions == 0 || a.Questions > e.Transitions/4 || a.Again != min(a.Questions, 256) {
				t.Errorf("%s, n %d: %d questions, %d again, for %d transitions", how, n, a.Questions, a.Again, e.Transitions)
			}
		}
		r.Nodes.(*foreign.Nodes).Close()
		if left := children(t); left != "" {
			t.Errorf("programs are left: %s", left)
		}
	}
}

// A wrong program is found with its smallest run, which programs that nobody sets to a state play again.
func TestExploredProgramIsRefuted(t *testing.T) {
	for how, want := range map[string]struct {
		property string
		steps    int
		says     string
	}{
		"forwards": {"E1", 5, ""},
		"dies":     {"no-panic", 3, "ended: exit status 3"},
		"floods":   {"no-panic", 3, "wrote more than 16384 lines in one step"},
	} {
		r, command := nodes(t, "tells-"+how)
		e, err := explored(t, r, 3, command)
		if err != nil {
			t.Fatal(err)
		}
		e = e.Smallest(t.Context(), r)
		run := e.Counterexample
		if run == nil || e.Properties[run.Property].Name != want.property || e.Instances[0].N != 2 || len(run.Steps) != want.steps || !strings.Contains(run.Panicked, want.says) {
			t.Errorf("%s: n %d, %+v; want %+v", how, e.Instances[0].N, run, want)
			continue
		}
		if _, err := e.Play(t.Context(), r, run, nil); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}

// A program that depends on more than its state is named; nothing is said of its runs.
func TestUnsoundPrograms(t *testing.T) {
	for how, says := range map[string]string{
		"hides":    "is not deterministic: a handler may depend on the object of the process and on the event, and not on a global variable",
		"draws":    "is not deterministic",
		"lacks":    "has a state that is incomplete: what it does depends on something that the answer to state does not tell",
		"forgets":  "has a state that is incomplete",
		"chatters": "told the request load: is not in lockstep: after its answer it wrote",
	} {
		r, command := nodes(t, "tells-"+how)
		if e, err := explored(t, r, 3, command); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %q", how, err, says)
			if err == nil {
				t.Error(size(e))
			}
		}
	}
}

// A program that does not tell its state hears what it has to answer.
func TestUntoldState(t *testing.T) {
	r, command := nodes(t, "reusable")
	_, err := explored(t, r, 3, command)
	for _, says := range []string{"node n0", "told the request state: answered", `"code":10`, "state_ok, with in_reply_to and the process as JSON in state, and load_ok", "docs/nodes.md"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
	if wrong, is := errors.AsType[*trial.Misbehaviour](err); !is {
		t.Errorf("%T", wrong)
	}
}

// A program that does not answer, and one that always finds new states, end by the limits of nodes: neither
// right nor wrong.
func TestExploredProgramIsLate(t *testing.T) {
	_, hangs := nodes(t, "tells-hangs")
	_, grows := nodes(t, "tells-grows")
	for says, c := range map[string]struct {
		node        string
		wait, limit time.Duration
	}{
		"did not answer for 300ms (--node-timeout)": {hangs, 300 * time.Millisecond, time.Minute},
		"takes more than 1s (--node-limit)":         {grows, time.Minute, time.Second},
	} {
		r := registry(t, c.wait)
		r.Nodes.(*foreign.Nodes).Limit = c.limit
		began := time.Now()
		_, err := explored(t, r, 2, c.node)
		if _, late := errors.AsType[*trial.LateError](err); !late || !strings.Contains(err.Error(), says) || time.Since(began) > 20*time.Second {
			t.Errorf("after %v: %v; want %q", time.Since(began), err, says)
		}
	}
}

// Each value that a program may draw is explored.
func TestExploredDraws(t *testing.T) {
	r, command := nodes(t, "tells-tosses")
	e, err := explored(t, r, 2, command)
	if err != nil {
		t.Fatal(err)
	}
	// The identity 2 comes once to each process, which draws one of three numbers then, and keeps it.
	if original, err := explored(t, r, 2, ""); err != nil || e.Depth != original.Depth || e.Rests != 9*original.Rests {
		t.Errorf("%s; LCR has %s, %v", size(e), size(original), err)
	}
	var choices []int
	if _, err := search.Explore(t.Context(), r, search.Search{
		Setting: trial.Setting{Algorithm: "lcr", N: 2, Node: command},
		Options: explore.Options{Strategy: explore.RandomWalk, Sampling: explore.Sampling{Runs: 40, Each: func(_ int, steps []explore.Step, _ []protocols.Verdict) {
			for _, s := range steps {
				choices = append(choices, s.Choices...)
			}
		}}},
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(choices)
	if got := slices.Compact(choices); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("drawn were %v", got)
	}
}

// While a program is asked, questions of its own get answers that no run gives: here, a detector that changes
// its mind within an event. What the program does then does not count.
func TestAnswersOfNoRun(t *testing.T) {
	r, command := nodes(t, "tells-doubts")
	e, err := search.Explore(t.Context(), r, search.Search{
		Setting: trial.Setting{Algorithm: trial.PlainNode, Topology: "ring", N: 3, Node: command}, Budget: explore.Budget{Crashes: 1}, Full: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !e.Complete || e.Properties[0].Verdict != protocols.Holds {
		t.Errorf("%s, %+v", size(e), e.Counterexample)
	}
}

// What a program has stored is told when it restarts, in explorations and in runs. Here a process that
// has started decides for 1, and one that comes back for what it has stored and 1.
func TestStored(t *testing.T) {
	r, command := nodes(t, "tells-keeps")
	e, err := search.Explore(t.Context(), r, search.Search{
		Setting: trial.Setting{Algorithm: "election", Param: "winner=any", Topology: "ring", N: 2, Node: command, OutsideModel: true},
		Budget:  explore.Budget{Crashes: 1, Restarts: 1}, Full: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if run := e.Counterexample; run == nil || e.Properties[run.Property].Name != "E1" {
		t.Fatalf("%s, %+v", size(e), run)
	}
	result, err := e.Play(t.Context(), r, e.Counterexample, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(result.Checks); !strings.Contains(text, "elected 2, and 1 was elected before") {
		t.Error(text)
	}
	s := trial.Setting{Algorithm: "election", Param: "winner=any", Topology: "ring", N: 2, Node: command, Fault: "at 2ms crash 1\nat 3ms restart 1", OutsideModel: true}
	if result := run(t, r, s); result.Checks[0].Verdict != protocols.Violated {
		t.Errorf("outcome %v, %v", result.Outcome, result.Failed)
	}
}
