package cli

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/des"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/netem"
)

// A run in which nothing new can happen ends by itself, and says where it begins to repeat.
func TestRunThatRepeats(t *testing.T) {
	const repeating = "run electiontree --n 4 --topology complete --outside-model --initiators 0"
	faulty := append(words(repeating), "--fault", "at 0s cut 0<->1")
	const says = "the same 4 events again every 2ms, for ever"
	got := bullring(t, faulty...)
	if got.status != statusUndecided || !strings.Contains(got.out, "unfinished: repeating: from event ") || !strings.Contains(got.out, says) || !strings.Contains(got.errors, says) {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	report, status := object(t, append(faulty, "--json")...)
	loop, _ := report["loop"].(map[string]any)
	if status != statusUndecided || report["end"] != "repeating" || loop["events"] != 4.0 || loop["period"] != 0.002 {
		t.Errorf("status %d, end %v, loop %v", status, report["end"], loop)
	}
	later := append(faulty, "--fault", "at 200s crash 0", "--fault", "at 200s crash 1", "--fault", "at 200s crash 2", "--fault", "at 200s crash 3")
	if got := bullring(t, later...); !strings.Contains(got.out, "no leader") { // the faults to come end it
		t.Errorf("with faults to come:\n%s%s", got.out, got.errors)
	}
}

// A run that goes on with ever new messages ends at a limit that a person awaits. The command that
// repeats the run has the limit only if it ended the run.
func TestPatience(t *testing.T) {
	limit, says, again := "", "10,000,000", "10000000"
	if testing.Short() { // ten million events take a second
		limit, says, again = " --max-events 10000", "10,000", "10000"
	}
	got := bullring(t, words("run peterson --n 4 --placement random --seed 370059 --outside-model --delay uniform(0,2ms) --fault 'duplicate 1st message'"+limit)...)
	if got.status != statusUndecided || !strings.Contains(got.errors, "the run ended after "+says+" events; --max-events sets the limit") || !strings.Contains(got.out, " --max-events "+again+" ") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	if got := bullring(t, words("run lcr --n 8")...); got.status != 0 || strings.Contains(got.out, "--max-events") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	for _, c := range []struct {
		s    trial.Setting
		want uint64
	}{
		{trial.Setting{Algorithm: "lcr", N: 8}, 10_000_000},
		{trial.Setting{Algorithm: "lcr", N: 1000}, 20_000_000},
		{trial.Setting{Algorithm: "bully", N: 1000}, 1_000_000_000},
		{trial.Setting{Algorithm: "lcr", N: 1_000_000}, 1_000_000_000},
	} {
		in, err := catalog.New().Instance(c.s)
		if err != nil {
			t.Fatal(err)
		}
		if most := patience(in); most != c.want {
			t.Errorf("%s, n %d: %d events, want %d", c.s.Algorithm, c.s.N, most, c.want)
		}
	}
}

// A person who waits is told what goes on, and not too often.
func TestPulse(t *testing.T) {
	var said strings.Builder
	clock := clockwork.NewFakeClock()
	tell := pulse(&said, "bullring", clock, []string{"PROBE", "ANNOUNCE"})
	for range 13 {
		clock.Advance(time.Second)
		tell(netem.Pulse{Now: des.Time(7 * time.Second), Events: 12_345, UnderWay: 2, Timers: 1, Sent: []uint64{9000, 0, 5}})
	}
	if want := "bullring: 3s: 12,345 events, 7s of virtual time; 2 messages and 1 timer are pending; sent: PROBE 9,000; Ctrl-C ends the run\n"; !strings.HasPrefix(said.String(), want) ||
		strings.Count(said.String(), "\n") != 3 || !strings.Contains(said.String(), "bullring: 12s: ") {
		t.Errorf("it said:\n%swant\n%s", said.String(), want)
	}
}

// A program that goes on for ever is ended by a limit in real time, and is neither right nor wrong.
func TestNodeLimit(t *testing.T) {
	programs(t)
	right := string(read(t, "lcr.py"))
	always := strings.NewReplacer(`elif t == "start":`, `elif t in ("start", "timeout"):`, `send(next_, {"type": "probe", "rank": rank})`,
		`send("timer", {"type": "set", "label": 1, "after": "1ms"})`).Replace(right)
	if err := os.WriteFile("always.py", []byte(always), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"run", "shrink"} {
		got := bullring(t, command, "lcr", "--node", "python3 always.py", "--n", "3", "--node-limit", "200ms")
		if got.status != statusUndecided || !strings.Contains(got.errors, "the run takes more than 200ms (--node-limit)") {
			t.Errorf("%s: status %d\n%s%s", command, got.status, got.out, got.errors)
		}
	}
	got := bullring(t, "run", "lcr", "--node", "python3 always.py", "--n", "3", "--max-events", "100")
	if got.status != statusUndecided || !strings.Contains(got.errors, "ended after 100 events") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
}
