package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/netem"
)

// result runs an algorithm and returns the object that it prints.
func result(t *testing.T, command string) map[string]any {
	t.Helper()
	got := bullring(t, append([]string{"run", "--json"}, words(command)...)...)
	var object map[string]any
	if err := json.Unmarshal([]byte(got.out), &object); err != nil || got.status != 0 || got.errors != "" {
		t.Fatalf("%s: status %d, %v\n%s%s", command, got.status, err, got.out, got.errors)
	}
	return object
}

// The published numbers.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		command string
		want    map[string]any
	}{
		{"lcr --n 8 --placement decreasing", map[string]any{
			"algorithm": "lcr", "variant": "leader-only", "n": 8, "seed": 1, "outcome": "elected", "end": "quiescent",
			"leader": 8, "leader_address": 0, "messages": 36, "delivered": 36, "to_dead": 0, "bits": 36 * 72, "causal_depth": 8,
			"rounds": 9, "time": 8, "time_unit": "message delay", "elected_time": 8, "decided_time": 8,
			"by_kind":   map[string]any{"PROBE": 36, "ANNOUNCE": 0},
			"placement": "decreasing", "ids": []any{8, 7, 6, 5, 4, 3, 2, 1}, "attributes": nil, "initiators": "all", "dead": "none",
			"topology": "ring", "delay": "1ms", "fifo": true, "outside_model": []any{}, "epoch": netem.Epoch,
		}},
		{"lcr", map[string]any{"messages": 15}},
		{"lcr --variant min", map[string]any{"messages": 36, "leader": 1}},
		{"lcr --variant all-terminate --sync --delay 3s", map[string]any{"messages": 23, "time": 16, "decided_time": 15, "delay": "3s"}},
		{"lcr --n 1", map[string]any{"messages": 1, "leader": 1}},
		{"lcr --n 2", map[string]any{"messages": 3}},
		{"lcr --ids 5,3,9 --attr 2,2,1", map[string]any{"leader": 5, "ids": []any{5, 3, 9}, "attributes": []any{2, 2, 1}, "n": 3}},
		{"lcr --n 2 --attr 00:00:00:00:00:ff,00:00:00:00:00:01", map[string]any{"leader": 1, "attributes": []any{255, 1}}},
		{"lcr --n 65", map[string]any{"ids": nil, "initiator_addresses": nil}},
		{"lcr --delay uniform(0,2ms)", map[string]any{"messages": 15, "rounds": nil, "time_unit": "s"}},
		{"changroberts --n 8 --initiators 0", map[string]any{"messages": 2*8 + 7, "time": 2*8 + 7}},
		{"changroberts --n 8 --initiators last", map[string]any{"messages": 2 * 8, "initiator_addresses": []any{7}}},
		{"changroberts --n 8 --initiators 0 --placement decreasing", map[string]any{"messages": 2 * 8}},
		{"changroberts --initiators 1 --placement decreasing", map[string]any{"messages": 3*8 - 1}},
		{"ringlist --n 8 --initiators 0,1", map[string]any{"messages": 2 * 2 * 8}},
		{"ringlist --n 8 --initiators 0 --dead 3 --delay 0", map[string]any{"delivered": 14, "rounds": nil}},
		{"bully --initiators 0 --dead 7 --processing 1ms", map[string]any{"messages": 54, "decided_time": 6}},
		{"bully --n 5 --initiators 0 --dead last --fault 'at 2ms crash 3' --fault 'at 90ms restart 3'", map[string]any{
			"fault": "at 2ms crash 3; at 90ms restart 3", "leader": 4, "dead": "last", "dead_addresses": []any{4},
		}},
		{"changroberts --fifo=false --outside-model", map[string]any{"outside_model": []any{"links are not FIFO"}, "fifo": false, "bounds": []any{}}},
	} {
		got := result(t, c.command)
		for name, want := range c.want {
			if fmt.Sprint(got[name]) != fmt.Sprint(want) {
				t.Errorf("%s: %s is %v, want %v", c.command, name, got[name], want)
			}
		}
		if _, err := strconv.ParseUint(got["fingerprint"].(string), 16, 64); err != nil {
			t.Error(err)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct{ command, end, hint string }{
		{"lcr --max-events 10", "unfinished: out of events", "undecided: the run ended after 10 events; --max-events sets the limit"},
		{"lcr --max-time 3ms", "unfinished: out of time", "undecided: the run ended at 3ms of virtual time; --max-time sets the limit"},
		{"lcr --n 200000 --delay 12h", "unfinished: out of time", "640000h"},
	} {
		got := bullring(t, append([]string{"run"}, words(c.command)...)...)
		if got.status != statusUndecided || !strings.Contains(got.out, c.end) || !strings.Contains(got.out, "undecided") || !strings.Contains(got.errors, c.hint) {
			t.Errorf("%s: status %d\n%s%s", c.command, got.status, got.out, got.errors)
		}
	}
}

// With --json the trace goes to standard error: the output stays one object.
func TestTrace(t *testing.T) {
	const event = "deliver 2 -> 3  ELECTED(9)  | sends ELECTED(9) to 0  | follows 9"
	args := []string{"run", "changroberts", "--ids", "3,9,5,1", "--initiators", "0", "--trace"}
	if got := bullring(t, args...); !strings.Contains(got.out, event) || strings.Index(got.out, event) > strings.Index(got.out, "outcome") || got.errors != "" {
		t.Errorf("%s%s", got.out, got.errors)
	}
	got := bullring(t, append(args, "--json")...)
	if !strings.Contains(got.errors, `"message":"ELECTED(9)"`) || !json.Valid([]byte(got.out)) {
		t.Errorf("%s%s", got.out, got.errors)
	}
}

// again is the command that a result says repeats it.
func again(t *testing.T, out string) []string {
	_, line, ok := strings.Cut(out, "\nagain: ")
	if !ok {
		t.Fatalf("no command that repeats the run:\n%s", out)
	}
	line, _, _ = strings.Cut(line, "\n")
	return words(line)[1:]
}

// Whatever a user types: no panic, a defined status, JSON that is JSON, and a
// last line that repeats the run.
func FuzzRun(f *testing.F) {
	for _, args := range []string{
		"lcr", "lcr\n--placement\ndecreasing", "lcr\n--ids\n5, 3,9", "bully\n--initiators\n0\n--dead\nlast-1,last\n--variant\nA, min",
		"bully\n--fault\nat 2ms crash 3; at 7ms restart 3 # again\n--fault\nat 0s crash 0\n--processing\n3ms",
		"changroberts\n--attr\nrandom:2\n--initiators\nrandom:2\n--delay\nuniform(0,2ms)", "ringlist\n--delay\n0\n--dead\nfirst",
		"ringlist\n--delay\nexp(1ms)\n--outside-model\n--assume\n0s\n--fault\nat 1ms crash 2\n--variant\nremember",
		"bully\n--delay\n12h\n--assume\n12h\n--processing\n12h\n--fault\nat 12h crash 4", "lcr\n--max-time\n640000h\n--delay\n12h",
		"lcr\n--attr\naa-bb-cc-dd-ee-ff,1e300,-0,0x1p-2,5", "lcr\n--fifo=false\n--topology\nbiring\n--sync", "lcr\n--", "lcr\n-", "--ids\n1,1",
		"bully\n--initiators\nrandom:99999999999999999999", "bully\n--dead\nlast--1", "lcr\n--n\n１", "lcr\n--seed\n18446744073709551615\n--max-events\n1",
		"lcr\n--ids\n9223372036854775807,-9223372036854775808\n--variant\nmin,", "lcr\n--delay\nuniform(1ms,1ms)", "\x00\n--\x00\n-\xff",
		"lcr\n--fault\nat 1ms crash 1 # \x1b[2J\u202e\x7f\xff\n--outside-model", "\x1b[2J\u202e\xff",
		"bully\n--fault\nnever at 1ms crash 3; carry 2nd ELECTION to 4 in 0s\n--fault\ncarry message in 12h\n--outside-model",
	} {
		f.Add(args)
	}
	registry := catalog.New()
	f.Fuzz(func(t *testing.T, text string) {
		args := append([]string{"run"}, strings.Split(text, "\n")...)
		if !strings.Contains(text, "--ids") {
			args = append(args, "--n=5") // the last one counts
		}
		args = append(args, "--max-events=20000")
		got := perform(t.Context(), registry, args...)
		// A leader that crashes after it has announced itself is elected all the
		// same, which no algorithm can help.
		failed := got.status == statusFailed && !(strings.Contains(text, "--fault") && strings.Contains(got.errors, "check E"))
		if got.status != 0 && got.errors == "" || failed || got.status == statusInterrupted {
			t.Fatalf("%q: status %d, %s", args, got.status, got.errors)
		}
		if !sober(got.out) || !sober(got.errors) {
			t.Fatalf("%q: a terminal acts upon\n%q\n%q", args, got.out, got.errors)
		}
		if got.status == statusUsage || !strings.Contains(got.out, "\nagain: ") { // JSON, or help
			return
		}
		asJSON := perform(t.Context(), registry, append(args, "--json")...)
		if !json.Valid([]byte(asJSON.out)) || asJSON.status != got.status {
			t.Fatalf("%q: status %d and %d, %s", args, got.status, asJSON.status, asJSON.out)
		}
		repeated := perform(t.Context(), registry, again(t, got.out)...)
		_, table, _ := strings.Cut(got.out, "\noutcome ")
		_, repeatedResults, _ := strings.Cut(repeated.out, "\noutcome ")
		if repeated.status != got.status || repeatedResults != table {
			t.Fatalf("%q: status %d\n%sand again: status %d\n%s%s", args, got.status, got.out, repeated.status, repeated.out, repeated.errors)
		}
	})
}

// Each form of a trace has its flags, and flags that contradict each other are refused.
func TestFormsOfATrace(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "--no-plot", "--progress", "off")
	for _, command := range [][]string{{"run", "lcr"}, {"replay", "out/demo", "1"}} {
		text, same := bullring(t, append(command, "--trace")...), bullring(t, append(command, "--trace=text")...)
		if text.status != 0 || text.out != same.out || !strings.Contains(text.out, "deliver 0 -> 1") {
			t.Errorf("%q: status %d, %s%s", command, text.status, text.out, text.errors)
		}
		for flags, want := range map[string]string{
			"--trace=lanes":         "├",
			"--trace=lanes --plain": "|",
		} {
			got := bullring(t, append(command, strings.Fields(flags)...)...)
			drawing, _, _ := strings.Cut(got.out, "\n\n")
			if got.status != 0 || strings.Count(drawing, want) < 5 || strings.Contains(drawing, "├") != (want == "├") {
				t.Errorf("%q %s: status %d, %s%s", command, flags, got.status, got.out, got.errors)
			}
		}
		for flags, want := range map[string]string{
			"--trace lanes":        "write --trace=lanes, with a =",
			"--trace=line":         "allowed are text, lanes",
			"--plain":              "--plain goes with --trace=lanes",
			"--trace --plain":      "--plain goes with --trace=lanes",
			"--trace=lanes --json": "--trace=lanes is a drawing",
		} {
			got := bullring(t, append(command, strings.Fields(flags)...)...)
			if got.status != 2 || got.out != "" || !strings.Contains(got.errors, want) {
				t.Errorf("%q %s: status %d, %s%s; want %q", command, flags, got.status, got.out, got.errors, want)
			}
		}
	}
	got := bullring(t, "run", "lcr", "--n", "201", "--trace=lanes")
	if got.status != 2 || got.out != "" || !strings.Contains(got.errors, "200 processes at most; the run has 201") {
		t.Errorf("201 lanes: status %d, %s%s", got.status, got.out, got.errors)
	}
}

// Lanes are refused where they do not fit, with what they need.
func TestLanesFitTheirTerminal(t *testing.T) {
	t.Setenv("COLUMNS", "")
	for _, c := range []struct{ n, want int }{{2, 80}, {10, 80}, {16, 102}, {200, 838}} {
		if got, err := laneColumns(io.Discard, c.n); got != c.want || err != nil {
			t.Errorf("%d processes get %d columns, %v; want %d", c.n, got, err, c.want)
		}
	}
}
