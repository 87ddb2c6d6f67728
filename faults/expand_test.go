package faults_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
)

func TestExpandIsAFunctionOfTheSeed(t *testing.T) {
	plan := mustParse(t, "crash 0; random swarm until 20ms; random failures mttf 10ms mttr 1ms until 50ms; at 1s heal")
	a, b := plan.Expand(5, words.Kinds, nil, 1), plan.Expand(5, words.Kinds, nil, 1)
	if a.String() != b.String() {
		t.Errorf("one seed, two plans:\n%v\n%v", a, b)
	}
	if c := plan.Expand(5, words.Kinds, nil, 2); c.String() == a.String() {
		t.Error("two seeds, one plan")
	}
	if c := a.Expand(5, words.Kinds, nil, 3); c.String() != a.String() {
		t.Error("an explicit plan expands to another")
	}
}

// TestExpandIsFrozen pins the meaning of a seed: another plan here is another epoch.
func TestExpandIsFrozen(t *testing.T) {
	for text, want := range map[string]string{
		"random crashes 3 in 0s..20ms": "at 3.481145ms crash 0; at 4.445769ms crash 1; at 17.626156ms crash 4",
		"random failures mttf exp(50ms) mttr exp(10ms) until 60ms": "at 47.001879ms crash 0 for 12.463426ms; " +
			"at 51.684468ms crash 3 for 16.392427ms",
		"random partitions mttf exp(20ms) mttr exp(10ms) until 50ms": "at 6.549552ms partition {0 1 | 2..4} for 2.514001ms; " +
			"at 16.003068ms partition {1 2 | 0 1 | 0 3 | 3 4 | 2 4} for 21.44217ms; at 47.388722ms partition {1 2 4 | 0 3 4} for 12.94693ms",
		"random swarm until 20ms then heal": "at 12.1ms leave 1 for 100µs; at 17.4ms omit sends of 4 with 20% for 1.4ms; " +
			"at 20ms heal everything; at 20ms start 1",
	} {
		if got := mustParse(t, text).Expand(5, words.Kinds, []protocols.ID{1}, 1).String(); got != want {
			t.Errorf("%q is\n\t%q", text, got)
		}
	}
}

// TestEveryDrawIsFrozen pins the plans of many seeds: in systems and times of several
// sizes, for each class of a swarm alone and for all together.
func TestEveryDrawIsFrozen(t *testing.T) {
	classes := []string{
		"crashes", "restarts", "partial-broadcasts", "leader-crashes", "churn", "pauses", "slowness", "partitions", "cuts", "clogs",
		"omissions", "loss", "delays", "duplicates", "clocks", "links", "lies",
	}
	texts := []string{
		"random crashes 1 in 0s..1ms", "random crashes 2 in 3ms..1s sparing 1", "random failures mttf exp(5ms) mttr 2ms until 60ms",
		"random failures mttf 7ms mttr exp(1ms) sparing {0 1} until 60ms", "random partitions mttf exp(20ms) mttr exp(10ms) until 90ms",
	}
	for _, until := range []string{"999ns", "1us", "10ms", "20ms then heal", "1s"} {
		texts = append(texts, "random swarm of "+strings.Join(classes, ", ")+" until "+until)
	}
	for _, class := range classes {
		texts = append(texts, "random swarm of "+class+" until 7ms")
	}
	sum := sha256.New()
	for _, text := range texts {
		plan := mustParse(t, text)
		for n := 1; n <= 6; n++ {
			for seed := range uint64(40) {
				fmt.Fprintln(sum, plan.Expand(n, words.Kinds, nil, seed))
				fmt.Fprintln(sum, plan.Expand(n, words.Kinds, []protocols.ID{0}, seed))
			}
		}
	}
	const want = "463342a1d127b81e"
	if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != want {
		t.Errorf("the plans of %d lines have the hash %s, not %s: a seed means something else", len(texts), got, want)
	}
}

func TestRandomCrashes(t *testing.T) {
	plan := mustParse(t, "random crashes 2 in 5ms..20ms sparing {0 4}")
	hits := map[protocols.ID]int{}
	const seeds = 3000
	var sum time.Duration
	for seed := range uint64(seeds) {
		drawn := plan.Expand(5, nil, nil, seed)
		if len(drawn) != 2 || drawn[0].Process == drawn[1].Process || drawn[0].When.At > drawn[1].When.At {
			t.Fatalf("seed %d: %v", seed, drawn)
		}
		for _, f := range drawn {
			if f.Kind != faults.Crash || f.When.At < 5e6 || f.When.At > 20e6 || f.For != 0 {
				t.Fatalf("seed %d: %v", seed, drawn)
			}
			hits[f.Process]++
			sum += time.Duration(f.When.At)
		}
	}
	// Each of three processes in 2 of 3 plans, four standard deviations: 103. The
	// mean instant is 12.5 ms, with a standard error of 15ms/sqrt(12*6000) = 56 us.
	for _, p := range []protocols.ID{1, 2, 3} {
		if hits[p] < 2000-103 || hits[p] > 2000+103 {
			t.Errorf("process %d crashes in %d of %d plans", p, hits[p], seeds)
		}
	}
	if mean := sum / (2 * seeds); len(hits) != 3 || mean < 12276*time.Microsecond || mean > 12724*time.Microsecond {
		t.Errorf("crashes of %v, at %v in the mean", hits, mean)
	}
}

// TestRandomFailures: of an alternating renewal process, mttf/(mttf+mttr) of the
// time is up.
func TestRandomFailures(t *testing.T) {
	plan := mustParse(t, "random failures mttf exp(30ms) mttr exp(10ms) until 10s")
	drawn := plan.Expand(4, nil, nil, 5)
	down := map[protocols.ID]time.Duration{}
	last := map[protocols.ID]des.Time{}
	for _, f := range drawn {
		if f.When.At < last[f.Process] {
			t.Fatalf("process %d crashes at %v, while it is down until %v", f.Process, f.When.At, last[f.Process])
		}
		last[f.Process] = f.When.At.Add(f.For)
		down[f.Process] += f.For
	}
	var all time.Duration
	for _, d := range down {
		all += d
	}
	// 1000 cycles of 40 ms: about a quarter of 40 s. The standard error of the
	// share is about sqrt(2*(1/4)^2*(3/4)^2/1000) = 0.0084.
	if share := float64(all) / 40e9; len(drawn) < 900 || len(drawn) > 1100 || share < 0.216 || share > 0.284 {
		t.Errorf("%d failures, %.3f of the time down", len(drawn), share)
	}
	// Another process does not change the others.
	five := slices.DeleteFunc(plan.Expand(5, nil, nil, 5), func(f faults.Fault) bool { return f.Process == 4 })
	at := func(f faults.Fault) bool { return f.When.At < 5e9 }
	if a, b := slices.IndexFunc(drawn, at), slices.IndexFunc(five, at); a != b || drawn[0].String() != five[0].String() {
		t.Error("a fifth process shifts the failures of the others")
	}
}

func TestAtMostSoManyAreDown(t *testing.T) {
	for text, most := range map[string]int{
		"random failures mttf exp(5ms) mttr exp(20ms) at most 2 down until 1s": 2,
		"random failures mttf exp(5ms) mttr exp(20ms) until 1s":                4,
		"random swarm of crashes, restarts, churn at most 1 down until 1s":     1,
		"random swarm of crashes until 1s":                                     4,
	} {
		reached := 0
		for seed := range uint64(50) {
			plan := mustParse(t, text).Expand(5, nil, nil, seed)
			for _, f := range plan {
				down := 0
				for _, g := range plan {
					if g.When.At <= f.When.At && (g.For == 0 || f.When.At < g.When.At.Add(g.For)) {
						down++
					}
				}
				reached = max(reached, down)
			}
		}
		if reached != most {
			t.Errorf("%q: up to %d are down at the same time; want %d", text, reached, most)
		}
	}
}

func TestRandomPartitions(t *testing.T) {
	plan := mustParse(t, "random partitions mttf exp(10ms) mttr exp(5ms) lasting 4ms until 1s")
	oneWay, groups := 0, map[int]int{}
	drawn := plan.Expand(6, nil, nil, 3)
	for i, f := range drawn {
		if f.Kind != faults.Partition || f.For < 4*ms || i > 0 && f.When.At < drawn[i-1].When.At.Add(drawn[i-1].For) {
			t.Fatalf("%v", f)
		}
		if f.OneWay {
			oneWay++
		} else {
			groups[len(f.Groups)]++
		}
	}
	if oneWay == 0 || groups[2] == 0 || groups[6] == 0 || len(drawn) < 40 {
		t.Errorf("of %d partitions, %d are one way; by groups %v", len(drawn), oneWay, groups)
	}
	if err := drawn.Check(6, words); err != nil {
		t.Error(err)
	}
}

// TestMajorities: on a ring of majorities each process sees a majority, but not all, and
// no two see the same.
func TestMajorities(t *testing.T) {
	plan := mustParse(t, "random partitions mttf 1ms mttr 1ms of rings until 2ms")
	for n := 4; n <= 12; n++ {
		f := plan.Expand(n, nil, nil, 1)[0]
		views := map[string]bool{}
		for p := range protocols.ID(n) {
			view := make([]byte, n)
			for q := range protocols.ID(n) {
				view[q] = '0'
				for _, g := range f.Groups {
					if g.Has(p) && g.Has(q) {
						view[q] = '1'
					}
				}
			}
			seen := strings.Count(string(view), "1")
			if seen <= n/2 || seen == n && n > 4 || seen > n/2+2 {
				t.Errorf("n = %d: process %d sees %d", n, p, seen)
			}
			views[string(view)] = true
		}
		if len(views) != n {
			t.Errorf("n = %d: %d views", n, len(views))
		}
	}
}

// TestSwarm: all kinds of the grammar are drawn; each plan keeps to its classes and passes
// the check.
func TestSwarm(t *testing.T) {
	usual := mustParse(t, "random swarm until 20ms")
	everything := mustParse(t, "random swarm of crashes, restarts, partial-broadcasts, leader-crashes, churn, pauses, slowness, "+
		"partitions, cuts, clogs, omissions, loss, delays, duplicates, clocks, links, lies until 20ms")
	seen := map[faults.Kind]int{}
	short := 0
	for seed := range uint64(400) {
		drawn := everything.Expand(5, words.Kinds, nil, seed)
		kinds := map[faults.Kind]bool{}
		for _, f := range drawn {
			seen[f.Kind]++
			kinds[f.Kind] = true
		}
		if len(kinds) <= 2 {
			short++
		}
		for _, p := range []faults.Plan{drawn, usual.Expand(5, words.Kinds, nil, seed)} {
			if err := p.Check(5, words); err != nil {
				t.Error(err)
			}
		}
		if e := usual.Expand(5, words.Kinds, nil, seed).Effects(); e.Lies || e.Links {
			t.Error("a swarm lies or changes links without being asked to")
		}
	}
	for k := faults.Crash; k < faults.RandomCrashes; k++ {
		never := []faults.Kind{faults.Fail, faults.Restart, faults.Start, faults.Join, faults.Resume, faults.Down, faults.Up, faults.Heal, faults.HealAll, faults.Carry, faults.Never, faults.Byzantine}
		if want := !slices.Contains(never, k); want != (seen[k] > 0) {
			t.Errorf("%v came %d times", k, seen[k])
		}
	}
	if short < 20 {
		t.Errorf("only %d of 400 swarms are of two kinds of faults or fewer", short)
	}
}

func TestSwarmKeepsToItsClasses(t *testing.T) {
	for class, kinds := range map[string][]faults.Kind{
		"crashes": {faults.Crash}, "restarts": {faults.Crash}, "partial-broadcasts": {faults.Crash}, "leader-crashes": {faults.Crash},
		"churn": {faults.Leave}, "pauses": {faults.Pause}, "slowness": {faults.Slow}, "partitions": {faults.Partition},
		"cuts": {faults.Cut}, "clogs": {faults.Clog}, "omissions": {faults.OmitSends, faults.OmitReceives}, "loss": {faults.Drop},
		"delays": {faults.Delay}, "duplicates": {faults.Duplicate}, "links": {faults.Link}, "lies": {faults.Lie, faults.Equivocate},
		"clocks": {faults.ClockOffset, faults.ClockStep, faults.ClockDrift}, "link-changes": {faults.Down, faults.Up},
	} {
		plan := mustParse(t, "random swarm of "+class+" sparing 0 until 20ms")
		faultsDrawn := 0
		for seed := range uint64(20) {
			drawn := plan.Expand(4, words.Kinds, nil, seed)
			if !within(drawn.Effects(), plan.Effects()) {
				t.Errorf("%s: %v does more than %+v", class, drawn, plan.Effects())
			}
			for _, f := range drawn {
				faultsDrawn++
				if !slices.Contains(kinds, f.Kind) || f.Process == 0 && slices.Contains(kinds, faults.Crash) {
					t.Errorf("%s: %v", class, f)
				}
			}
		}
		if (class == "leader-crashes") != (faultsDrawn == 0) { // where a process is spared, the leader may not crash
			t.Errorf("%s: %d faults", class, faultsDrawn)
		}
	}
}

// within reports whether the effects of a plan are among those of another.
func within(a, b faults.Effects) bool {
	for _, f := range []struct{ a, b bool }{
		{a.DeadFromStart, b.DeadFromStart}, {a.Crashes, b.Crashes}, {a.Partial, b.Partial}, {a.Restarts, b.Restarts},
		{a.Starts, b.Starts}, {a.Pauses, b.Pauses}, {a.Loses, b.Loses}, {a.Duplicates, b.Duplicates}, {a.Delays, b.Delays},
		{a.Clocks, b.Clocks}, {a.Links, b.Links}, {a.Lies, b.Lies}, {a.Moves, b.Moves},
	} {
		if f.a && !f.b {
			return false
		}
	}
	return true
}

// TestSwarmThenHeal: after the swarm every process is alive, every message arrives, and an
// initiator starts.
func TestSwarmThenHeal(t *testing.T) {
	plan := mustParse(t, "random swarm of crashes, restarts, partial-broadcasts, leader-crashes, churn, pauses, slowness, partitions, "+
		"cuts, clogs, omissions, loss, delays, duplicates, clocks, links, lies until 20ms then heal")
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		drawn := plan.Expand(processes, words.Kinds, []protocols.ID{1, 3}, seed)
		w := newWorld(t, drawn, seed)
		w.busy(seed)
		for p := range protocols.ID(processes) {
			w.at(100e6, des.Delivery, func() { w.step(p, -1, broadcast) })
		}
		w.run()
		log := strings.Join(w.log, "\n")
		if arrived := strings.Count(log, "101ms got "); arrived != 4*processes {
			t.Errorf("%d of %d messages arrive in\n%s\n%s", arrived, 4*processes, drawn.Text(), log)
		}
		start := drawn[len(drawn)-1]
		if start.Kind != faults.Start || start.Process != 1 && start.Process != 3 || !strings.Contains(log, start.When.At.String()+" start ") {
			t.Errorf("the last fault is %v in\n%s", start, log)
		}
	})
}

func TestWhereAllAreSparedOnlyTheNetworkFails(t *testing.T) {
	plan := mustParse(t, "random swarm sparing {0..3} until 20ms")
	some := 0
	for seed := range uint64(50) {
		for _, f := range plan.Expand(4, words.Kinds, nil, seed) {
			some++
			if e := (faults.Plan{f}).Effects(); !e.Loses && !e.Delays && !e.Duplicates {
				t.Errorf("%v", f)
			}
		}
	}
	if some == 0 {
		t.Error("nothing fails")
	}
}

func TestSmallSystems(t *testing.T) {
	for n := range 4 {
		for seed := range uint64(30) {
			for _, text := range []string{"random swarm until 20ms then heal", "random swarm until 0s", "random swarm until 1ns",
				"random partitions mttf 1ms mttr 1ms until 5ms", "random failures mttf 1ms mttr 1ms until 5ms"} {
				drawn := mustParse(t, text).Expand(n+1, nil, nil, seed)
				if err := drawn.Check(n+1, words); err != nil {
					t.Errorf("n = %d, seed %d: %v", n+1, seed, err)
				}
			}
		}
	}
}

// TestLinksAreDrawn draws shares: another fault in front has no effect on those behind, but for
// the number of its stream, and what is no share stays.
func TestLinksAreDrawn(t *testing.T) {
	const text = "cut 10% of * for 5ms; crash 3; clog 50% of 0<->*; cut 0->1"
	plan := mustParse(t, text)
	seen := map[string]bool{}
	for seed := range uint64(50) {
		drawn, err := plan.DrawLinks(netem.Complete(5), seed)
		if err != nil {
			t.Fatal(err)
		}
		if again := mustParse(t, drawn.String()); again.String() != drawn.String() {
			t.Fatalf("%q reads as %q", drawn, again)
		}
		if explicit := drawn.Expand(5, nil, nil, seed); explicit.String() != drawn.String() {
			t.Fatalf("%q is drawn again: %q", drawn, explicit)
		}
		if twice, err := drawn.DrawLinks(netem.Complete(5), seed+1); err != nil || twice.String() != drawn.String() {
			t.Fatalf("%q is drawn again: %q, %v", drawn, twice, err)
		}
		cut := 0
		for from := range protocols.ID(5) {
			for to := range protocols.ID(5) {
				if from != to && drawn[0].Links.Has(from, to) {
					cut++
				}
			}
		}
		if cut != 2 || drawn[1].String() != "crash 3" || drawn[3].String() != "cut 0->1" {
			t.Fatalf("%q: %d links are cut", drawn, cut)
		}
		seen[drawn.String()] = true
	}
	if len(seen) < 45 || plan.String() != text {
		t.Errorf("50 seeds have drawn %d plans; the plan is %q", len(seen), plan)
	}
	if _, err := mustParse(t, "crash 0; cut 10% of 0->2").DrawLinks(netem.Ring(5), 1); err == nil || err.Error() != `fault "cut 10% of 0->2": the network has none of these links` {
		t.Errorf("links that do not exist: %v", err)
	}
}
