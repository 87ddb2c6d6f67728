package faults_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/faults"
	"bullring/protocols"
)

// kinds of messages
const (
	election = iota
	answer
	coordinator
)

// broadcast is a coordinator message to each of four processes.
var broadcast = []message{{1, coordinator}, {2, coordinator}, {3, coordinator}, {4, coordinator}}

func TestInjector(t *testing.T) {
	for name, c := range map[string]struct {
		plan   string
		script func(*world)
		want   string
	}{
		"timed crashes, restarts and starts": {
			plan: "at 5ms crash 3; at 8ms restart 3; at 8ms start 3; crash 1 for 2ms",
			want: `
0s crash 1
2ms restart 1
5ms crash 3
8ms restart 3
8ms start 3`,
		},
		"links that go down and come up": {
			plan:   "at 5ms down 0<->1 for 2ms; at 5ms crash 3; at 6ms up {0 1}<->4; at event 1 down 2<->3 for 1ms; never down *",
			script: func(w *world) { w.steps(0, 1e6, message{1, answer}) },
			want: `
0s links 0<->1 up false at 5ms
0s links 0<->1 up true at 7ms
0s links {0 1}<->4 up true at 6ms
1ms step 0
1ms links 2<->3 up false at 1ms
1ms links 2<->3 up true at 2ms
2ms got 0->1 A#1
5ms crash 3`,
		},
		"a crash after the second send": {
			plan: "at 1ms crash 0 after 2 sends of COORDINATOR for 3ms",
			script: func(w *world) {
				w.steps(0, 0, broadcast...)
				w.steps(0, 2e6, append([]message{{1, answer}}, broadcast...)...)
			},
			want: `
0s step 0
1ms got 0->1 C#1
1ms got 0->2 C#2
1ms got 0->3 C#3
1ms got 0->4 C#4
2ms step 0
2ms crash 0
3ms got 0->1 A#5
3ms got 0->1 C#6
3ms got 0->2 C#7
5ms restart 0`,
		},
		"a carried message, whatever else befalls it": {
			plan: "carry 2nd ANSWER to 1 in 3ms; drop every ANSWER; at 2ms cut 0->1; delay every ANSWER by 9ms; duplicate every ANSWER",
			script: func(w *world) {
				w.steps(0, 0, message{1, answer}, message{2, answer})
				w.steps(0, 1e6, message{1, answer}, message{1, coordinator})
				w.steps(2, 2e6, message{1, answer})
			},
			want: `
0s step 0
0s lost 0->1 A#1
0s lost 0->2 A#2
1ms step 0
1ms lost 0->1 A#3
2ms cut 0->1 C#4
2ms step 2
2ms lost 2->1 A#5
4ms got 0->1 A#3`,
		},
		"a lost message that is carried lies like others": {
			plan:   "lie 0 as 77; drop every ANSWER; carry 1st ANSWER in 2ms",
			script: func(w *world) { w.steps(0, 1e6, message{1, answer}, message{1, answer}) },
			want: `
1ms step 0
1ms lost 0->1 A#1
1ms lost 0->1 A#2
3ms got 0->1 A#1 as 77,99`,
		},
		"a paused process notices a carried message late": {
			plan:   "carry 1st ANSWER in 0s; pause 1 for 2ms",
			script: func(w *world) { w.steps(0, 1e6, message{1, answer}) },
			want: `
1ms step 0
2ms got 0->1 A#1`,
		},
		"a fault that never happens": {
			plan:   "never crash 1; never at 1ms pause 2 for 9ms; never when election crash 0; never drop 1st ANSWER; crash 3 for 2ms",
			script: func(w *world) { w.steps(2, 2e6, message{1, answer}) },
			want: `
0s crash 3
2ms restart 3
2ms step 2
3ms got 2->1 A#1`,
		},
		"a crash before the first send, counted over two steps, happens once": {
			plan: "crash 0 after 0 sends of ANSWER; crash 2 after 2 sends",
			script: func(w *world) {
				w.steps(0, 0, message{1, election}, message{2, answer}, message{3, election})
				w.steps(2, 0, message{1, election})
				w.steps(2, 1e6, message{3, election}, message{4, election})
			},
			want: `
0s step 0
0s crash 0
0s step 2
1ms got 0->1 E#1
1ms got 2->1 E#2
1ms step 2
1ms crash 2
2ms got 2->3 E#3`,
		},
		"leaders": {
			plan: "when 2nd leader crash leader for 2ms; at 4ms pause leader for 1ms; when leader start leader",
			script: func(w *world) {
				w.at(1e6, des.Delivery, func() { w.injector.Became(3) })
				w.at(2e6, des.Delivery, func() { w.injector.Became(4) })
				w.steps(4, 4e6)
			},
			want: `
1ms start 3
2ms crash 4
4ms restart 4
5ms step 4`,
		},
		"the leader leaves, and joins again": {
			plan: "when leader leave leader for 2ms; when 2nd leader leave leader; at 6ms join leader",
			script: func(w *world) {
				w.at(1e6, des.Delivery, func() { w.injector.Became(3) })
				w.at(4e6, des.Delivery, func() { w.injector.Became(4) })
				w.steps(0, 2e6, message{3, answer})
				w.steps(0, 6e6, message{4, answer})
			},
			want: `
1ms crash 3
2ms step 0
2ms lost 0->3 A#1
3ms restart 3
3ms start 3
4ms crash 4
6ms restart 4
6ms start 4
6ms step 0
7ms got 0->4 A#2`,
		},
		"nobody is leader yet": {plan: "at 1ms crash leader; when 2nd leader crash leader", script: func(w *world) {
			w.at(2e6, des.Delivery, func() { w.injector.Became(3) })
		}},
		"an election begins with a first message of the first kind that is no answer to one": {
			plan: "when election start 1; when 2nd election crash 2",
			script: func(w *world) {
				w.steps(0, 0, message{1, answer}, message{1, election}, message{2, election})
				w.at(1e6, des.Delivery, func() { w.step(1, election, []message{{2, election}}) })
				w.at(3e6, des.Delivery, func() { w.step(1, answer, []message{{3, election}}) })
			},
			want: `
0s step 0
0s start 1
1ms got 0->1 A#1
1ms got 0->1 E#2
1ms got 0->2 E#3
2ms got 1->2 E#4
3ms crash 2
4ms got 1->3 E#5`,
		},
		"after an event": {
			plan:   "at event 1 crash 4",
			script: func(w *world) { w.steps(0, 0, broadcast...) },
			want: `
0s step 0
0s crash 4
1ms got 0->1 C#1
1ms got 0->2 C#2
1ms got 0->3 C#3
1ms dead 0->4 C#4`,
		},
		"a partition is asked about when a message is sent and when it arrives; oneself is never cut off": {
			plan: "at 1ms partition {0 1 | 2 3} for 2ms",
			script: func(w *world) {
				w.steps(0, 0, message{1, election}, message{2, election})
				w.steps(0, 1e6, broadcast...)
				w.steps(0, 1e6, message{0, answer})
				w.steps(4, 1e6, message{4, answer}, message{3, answer})
				w.steps(0, 3e6, message{4, answer})
			},
			want: `
0s step 0
1ms got 0->1 E#1
1ms cut 0->2 E#2
1ms step 0
1ms lost 0->2 C#4
1ms lost 0->3 C#5
1ms lost 0->4 C#6
1ms step 0
1ms step 4
1ms lost 4->3 A#9
2ms got 0->1 C#3
2ms got 0->0 A#7
2ms got 4->4 A#8
3ms step 0
4ms got 0->4 A#10`,
		},
		"a partition whose groups overlap, and one that is one way": {
			plan: "partition {0 1 2 | 2..4} for 2ms; at 3ms partition {0 1 -> 1 2}",
			script: func(w *world) {
				w.steps(2, 0, message{0, answer}, message{4, answer})
				w.steps(0, 0, message{4, answer})
				w.steps(0, 4e6, message{1, answer}, message{2, answer}, message{3, answer})
				w.steps(2, 4e6, message{0, answer}, message{1, answer})
				w.steps(1, 4e6, message{0, answer}, message{2, answer})
			},
			want: `
0s step 2
0s step 0
0s lost 0->4 A#3
1ms got 2->0 A#1
1ms got 2->4 A#2
4ms step 0
4ms lost 0->1 A#4
4ms lost 0->2 A#5
4ms step 2
4ms step 1
4ms lost 1->2 A#10
5ms got 0->3 A#6
5ms got 2->0 A#7
5ms got 2->1 A#8
5ms got 1->0 A#9`,
		},
		"a cut that flaps, until the network heals": {
			plan: "cut 0->* flapping 2ms 3ms; at 11ms heal",
			script: func(w *world) {
				for k := range 13 {
					w.steps(0, des.Time(k)*1e6, message{1, answer})
				}
				w.steps(1, 0, message{0, answer})
			},
			want: `
0s step 0
0s lost 0->1 A#1
0s step 1
1ms got 1->0 A#2
1ms step 0
1ms lost 0->1 A#3
2ms step 0
3ms got 0->1 A#4
3ms step 0
4ms got 0->1 A#5
4ms step 0
5ms cut 0->1 A#6
5ms step 0
5ms lost 0->1 A#7
6ms step 0
6ms lost 0->1 A#8
7ms step 0
8ms got 0->1 A#9
8ms step 0
9ms got 0->1 A#10
9ms step 0
10ms cut 0->1 A#11
10ms step 0
10ms lost 0->1 A#12
11ms step 0
12ms got 0->1 A#13
12ms step 0
13ms got 0->1 A#14`,
		},
		"clogged messages go on in their order, before others": {
			plan: "at 1ms clog 0->1 for 2ms; clog * for 1500us",
			script: func(w *world) {
				for k := range 4 {
					w.steps(0, des.Time(k)*1e6, message{1, answer}, message{2, answer})
				}
			},
			want: `
0s step 0
1ms step 0
1.5ms got 0->2 A#2
2ms got 0->2 A#4
2ms step 0
3ms got 0->1 A#1
3ms got 0->1 A#3
3ms got 0->1 A#5
3ms got 0->2 A#6
3ms step 0
4ms got 0->1 A#7
4ms got 0->2 A#8`,
		},
		"a process that is paused notices nothing until it resumes": {
			plan: "at 1ms pause 1; at 1ms pause 1 for 1ms; at 3ms resume 1",
			script: func(w *world) {
				w.steps(1, 0)
				w.steps(1, 1e6)
				w.steps(1, 3e6)
				w.steps(0, 500e3, message{1, answer}, message{2, answer})
				w.steps(0, 2e6, message{1, election})
			},
			want: `
0s step 1
500µs step 0
1.5ms got 0->2 A#2
2ms step 0
3ms got 0->1 A#1
3ms got 0->1 E#3
3ms step 1
3ms step 1`,
		},
		"each step of a slow process takes time": {
			plan: "slow 1 by 2ms for 6ms",
			script: func(w *world) {
				w.steps(1, 0, message{0, answer})
				w.steps(0, 0, message{1, answer}, message{1, election})
				w.steps(0, 1e6, message{1, answer})
			},
			want: `
0s step 1
0s step 0
1ms step 0
2ms got 0->1 A#2
3ms got 1->0 A#1
4ms got 0->1 E#3
6ms got 0->1 A#4`,
		},
		"the time of a step is the sum of what slows the process down": {
			plan: "slow 1 by 2ms; slow 1 by 3ms for 4ms; slow 2 by 7ms",
			script: func(w *world) {
				w.steps(1, 0, message{0, answer})
				w.steps(1, 6e6, message{0, answer})
			},
			want: `
0s step 1
6ms got 1->0 A#1
6ms step 1
9ms got 1->0 A#2`,
		},
		"single messages": {
			plan: "drop 2nd COORDINATOR from 0; delay 1st message to 4 by 3ms; duplicate every ANSWER for 1ms; drop 1st message to 1 from 2",
			script: func(w *world) {
				w.steps(0, 0, broadcast...)
				w.steps(0, 500e3, message{1, answer})
				w.steps(2, 1e6, message{1, answer}, message{1, answer})
			},
			want: `
0s step 0
0s lost 0->2 C#2
500µs step 0
1ms got 0->1 C#1
1ms got 0->3 C#3
1ms step 2
1ms lost 2->1 A#6
1.5ms got 0->1 A#5
1.5ms got 0->1 A#5
2ms got 2->1 A#7
4ms got 0->4 C#4`,
		},
		"omissions": {
			plan: "omit sends of 0 for 1ms; omit receives of 1",
			script: func(w *world) {
				w.steps(0, 0, message{1, answer})
				w.steps(0, 1e6, message{1, answer}, message{2, answer})
			},
			want: `
0s step 0
0s lost 0->1 A#1
1ms step 0
2ms cut 0->1 A#2
2ms got 0->2 A#3`,
		},
		"links get their old lines back": {
			plan: "link * loss 1%; at 1ms link 0->1 loss 50% for 2ms; at 2ms link {0 1}->1 loss 20% for 2ms; at 2ms link 2->3 loss 9%; at 5ms heal",
			want: `
0s line * "loss 1%"
1ms line 0->1 "loss 50%"
2ms line {0 1}->1 "loss 20%"
2ms line 2->3 "loss 9%"
3ms line 0->1 ""
3ms line * "loss 1%"
3ms line {0 1}->1 "loss 20%"
3ms line 2->3 "loss 9%"
4ms line {0 1}->1 ""
4ms line * "loss 1%"
4ms line 2->3 "loss 9%"
5ms line * ""
5ms line 2->3 "loss 9%"
5ms line 2->3 ""`,
		},
		"clocks": {
			plan: "clock 1 drift 100ppm; at 10ms clock 1 offset 5ms for 10ms; at 10ms clock 2 step -1ms; " +
				"at 15ms clock 1 drift -200ppm for 5ms; at 30ms heal; at 30ms heal everything",
			want: `
0s clock 1 0s 100000
10ms clock 1 4.999ms 100000
10ms clock 2 -1ms 0
15ms clock 1 0s -200000
20ms clock 1 -4.999ms -200000
20ms clock 1 0s 100000
30ms clock 1 0s 0
30ms clock 2 1ms 0`,
		},
		// It loses a microsecond in ten milliseconds.
		"a clock that is slow": {
			plan: "clock 1 drift -100ppm; at 10ms clock 1 offset 0s; at 20ms clock 1 step 1ms; at 30ms clock 1 offset 0s",
			want: `
0s clock 1 0s -100000
10ms clock 1 1µs -100000
20ms clock 1 1ms -100000
30ms clock 1 -998µs -100000`,
		},
		"the first process leaves and joins once": {
			plan: "at 1ms leave 0 for 2ms; at 6ms leave 0; at 8ms join 0",
			want: `
1ms crash 0
3ms restart 0
3ms start 0
6ms crash 0
8ms restart 0
8ms start 0`,
		},
		"heal everything lets begin what has an instant, and nothing else": {
			plan: "at 1ms heal everything; at event 4 cut *; at 3ms clog *; at 6ms heal everything; when leader cut *",
			script: func(w *world) {
				w.steps(0, 0, message{1, answer})
				w.steps(0, 2e6, message{1, answer})
				w.at(2e6, des.Delivery, func() { w.injector.Became(3) })
				w.steps(0, 4e6, message{1, answer})
			},
			want: `
0s step 0
1ms got 0->1 A#1
2ms step 0
4ms step 0
6ms got 0->1 A#2
6ms got 0->1 A#3`,
		},
		"whoever leaves takes its links along": {
			plan: "at 1ms leave 1 for 2ms; at 6ms leave 2; at 7ms restart 2; at 8ms join 2",
			script: func(w *world) {
				w.steps(1, 500e3, message{2, answer})
				w.steps(0, 500e3, message{1, answer})
				w.steps(0, 2e6, message{1, answer})
				w.steps(0, 4e6, message{1, answer})
				w.steps(0, 7e6, message{2, answer})
				w.steps(0, 8e6, message{2, answer})
			},
			want: `
500µs step 1
500µs step 0
1ms crash 1
1.5ms cut 1->2 A#1
1.5ms dead 0->1 A#2
2ms step 0
2ms lost 0->1 A#3
3ms restart 1
3ms start 1
4ms step 0
5ms got 0->1 A#4
6ms crash 2
7ms restart 2
7ms step 0
7ms lost 0->2 A#5
8ms start 2
8ms step 0
9ms got 0->2 A#6`,
		},
		"lies": {
			plan: "lie 1 as -7 for 1ms; equivocate 2",
			script: func(w *world) {
				w.steps(1, 0, message{0, answer})
				w.steps(1, 1e6, message{0, answer})
				w.steps(2, 0, message{0, answer}, message{4, answer}, message{1, answer})
			},
			want: `
0s step 1
0s step 2
1ms got 1->0 A#1 as -7,99
1ms got 2->0 A#2 as 11,99
1ms got 2->4 A#3 as 10,99
1ms got 2->1 A#4 as 12,99
1ms step 1
2ms got 1->0 A#5`,
		},
		"heal ends what the network does and nothing else; heal everything what waits, too": {
			plan: "cut *; drop message; omit receives of 1; pause 2; at 1ms heal; at 3ms heal everything; at 4ms crash 3; " +
				"when leader crash 4; crash 0 after 9 sends; at event 1000 crash 4",
			script: func(w *world) {
				w.steps(0, 0, message{1, answer})
				w.steps(0, 1e6, message{1, answer}, message{2, answer})
				w.at(5e6, des.Delivery, func() { w.injector.Became(3) })
				w.steps(0, 5e6, message{1, answer})
			},
			want: `
0s step 0
0s lost 0->1 A#1
1ms step 0
2ms got 0->1 A#2
3ms got 0->2 A#3
4ms crash 3
5ms step 0
6ms got 0->1 A#4`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, mustParse(t, c.plan), 1)
			if c.script != nil {
				c.script(w)
			}
			w.run()
			w.wants(c.want)
		})
	}
}

// busy makes traffic: every half a millisecond each process sends a message of a random
// kind to a random process, and now and then a process becomes the leader.
func (w *world) busy(seed uint64) {
	stream := des.NewStream(seed, "traffic")
	for k := range 50 {
		t := des.Time(k) * 500_000
		for p := range protocols.ID(processes) {
			var sends []message
			for range stream.Intn(4) {
				sends = append(sends, message{protocols.ID(stream.Intn(processes)), stream.Intn(3)})
			}
			w.steps(p, t, sends...)
		}
		if stream.Intn(5) == 0 {
			leader := protocols.ID(stream.Intn(processes))
			w.at(t, des.Delivery, func() { w.injector.Became(leader) })
		}
	}
}

// TestAnyPlanIsCarriedOut runs plans of all kinds on traffic: nothing panics, equal plans
// and seeds give equal runs, and all messages arrive after everything has healed.
func TestAnyPlanIsCarriedOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := append(drawPlan(t, possible()), mustHeal...)
		seed := rapid.Uint64().Draw(t, "traffic")
		var logs [2]string
		for k := range logs {
			w := newWorld(t, plan, seed)
			w.busy(seed)
			w.at(1e9, des.Delivery, func() { w.step(0, -1, broadcast) })
			w.run()
			logs[k] = strings.Join(w.log, "\n")
			if len(w.held) > 0 {
				t.Errorf("%d messages and timers wait for ever", len(w.held))
			}
		}
		if logs[0] != logs[1] {
			t.Error("two runs of one seed differ")
		}
		if arrived := strings.Count(logs[0], "1.001s got 0->"); arrived != 4 {
			t.Errorf("%d of 4 messages arrived after everything had healed:\n%s", arrived, plan)
		}
	})
}

// mustHeal ends all faults of a plan after they have begun; only clocks stay as they are.
var mustHeal = faults.Plan{
	{When: faults.Trigger{On: faults.Instant, At: 900e6}, Kind: faults.HealAll},
	{When: faults.Trigger{On: faults.Instant, At: 900e6}, Kind: faults.Restart, Process: 0},
	{When: faults.Trigger{On: faults.Instant, At: 900e6}, Kind: faults.Restart, Process: 1},
	{When: faults.Trigger{On: faults.Instant, At: 900e6}, Kind: faults.Restart, Process: 2},
	{When: faults.Trigger{On: faults.Instant, At: 900e6}, Kind: faults.Restart, Process: 3},
	{When: faults.Trigger{On: faults.Instant, At: 900e6}, Kind: faults.Restart, Process: 4},
}

func TestProbabilitiesAreThoseOfThePlan(t *testing.T) {
	w := newWorld(t, mustParse(t, "drop every message with 25%; duplicate every ANSWER with 1/3; omit receives of 1 with 10%"), 7)
	const n = 20_000
	var lost, twice, deaf int
	for range n {
		if copies, _, _ := w.injector.Sent(0, 1, election); copies == 0 {
			t.Fatal("a fault began before its time")
		}
	}
	w.run()
	for range n {
		switch copies, _, _ := w.injector.Sent(0, 1, answer); copies {
		case 0:
			lost++
		case 2:
			twice++
		}
		if _, omitted := w.injector.Arrives(1, 0, answer); omitted {
			deaf++
		}
	}
	// Four standard deviations: 4*sqrt(n*p*(1-p)) is 245, 245 and 170.
	for _, c := range []struct {
		what             string
		got, want, error int
	}{{"lost", lost, n / 4, 245}, {"duplicated", twice, n / 4, 245}, {"omitted", deaf, n / 10, 170}} {
		if c.got < c.want-c.error || c.got > c.want+c.error {
			t.Errorf("%d of %d messages are %s; want %d +- %d", c.got, n, c.what, c.want, c.error)
		}
	}
}

// TestDrawsDoNotDependOnOtherFaults: a rule draws even for a message that is lost anyway.
func TestDrawsDoNotDependOnOtherFaults(t *testing.T) {
	fates := func(plan string) (out []bool) {
		w := newWorld(t, mustParse(t, plan), 3)
		w.run()
		for k := range 200 {
			if copies, _, _ := w.injector.Sent(0, 1, k%2); k%2 == election {
				out = append(out, copies == 0)
			}
		}
		return out
	}
	a, b := fates("drop every message with 30%"), fates("drop every message with 30%; drop every ANSWER; cut 3->4; pause 2")
	for k := range a {
		if a[k] != b[k] {
			t.Fatalf("message %d: lost %v, and %v beside other faults", k, a[k], b[k])
		}
	}
}

// The chances of faults are others after a fork, the same for the same salts, and those of the probability.
func TestForkedChances(t *testing.T) {
	const n = 4000
	fates := func(salts ...uint64) (text string, lost int) {
		w := newWorld(t, mustParse(t, "drop every message with 25%"), 3)
		w.run()
		if len(salts) > 0 {
			w.injector.Fork(salts)
		}
		for range n {
			copies, _, _ := w.injector.Sent(0, 1, election)
			text += string(rune('0' + copies))
			lost += 1 - copies
		}
		return text, lost
	}
	seen := map[string]bool{}
	for _, salts := range [][]uint64{nil, {1}, {2}, {1, 1}} {
		text, lost := fates(salts...)
		if again, _ := fates(salts...); again != text || seen[text] {
			t.Errorf("salts %v: the same twice is %v, and the same as other salts is %v", salts, again == text, seen[text])
		}
		if seen[text] = true; lost < n/4-110 || lost > n/4+110 { // four standard deviations
			t.Errorf("salts %v: %d of %d messages are lost; want a quarter", salts, lost, n)
		}
	}
}

// A crash with a probability comes as often as that, in its place, and the process is back if it came. Its
// draw is the first of its stream, which a fork before its instant changes.
func TestCrashesByChance(t *testing.T) {
	const runs = 4000
	text := "at 2ms crash 3 with 25% for 1ms; at 2ms crash 1; at event 2 crash 2 after 1 send with 25%; crash 4 with 25%"
	come := func(seed uint64, fork bool) (crashed [processes]int) {
		w := newWorld(t, mustParse(t, text), seed)
		if fork {
			w.injector.Fork([]uint64{1})
		}
		w.steps(0, 1e6)
		w.steps(2, 3e6, message{1, answer}, message{0, answer})
		w.run()
		log := strings.Join(w.log, "\n")
		for p := range crashed {
			crashed[p] = strings.Count(log, fmt.Sprintf("crash %d", p))
		}
		if back := strings.Count(log, "3ms restart 3"); back != crashed[3] || strings.Count(log, "2ms crash 3") != back || strings.Count(log, "0s crash 4") != crashed[4] {
			t.Fatalf("seed %d: process 3 crashed %d times and is back %d times:\n%s", seed, crashed[3], back, log)
		}
		if told := strings.Count(strings.Join(w.told, "\n"), "2ms fault 0 began"); told != crashed[3] {
			t.Fatalf("seed %d: %d crashes of process 3, and %d are told", seed, crashed[3], told)
		}
		return crashed
	}
	var sum [processes]int
	others := 0
	for seed := range uint64(runs) {
		crashed := come(seed, false)
		if come(seed, false) != crashed {
			t.Fatalf("seed %d: other crashes at the second time", seed)
		}
		if come(seed, true) != crashed {
			others++
		}
		for p := range sum {
			sum[p] += crashed[p]
		}
	}
	for _, p := range []int{2, 3, 4} {
		if sum[p] < runs/4-110 || sum[p] > runs/4+110 { // four standard deviations
			t.Errorf("process %d crashed in %d of %d runs; want a quarter", p, sum[p], runs)
		}
	}
	if sum[1] != runs || sum[0] != 0 || others < runs/2 { // two of three such draws differ with a probability of 1-(10/16)^3
		t.Errorf("%v; a fork changed %d runs", sum, others)
	}
}

func TestEventsAreTold(t *testing.T) {
	w := newWorld(t, mustParse(t, "at 1ms crash 3 for 1ms; drop 1st ANSWER; crash 0 after 1 send of ANSWER; at 2ms clog * for 1ms; at 9ms crash 4"), 1)
	w.steps(0, 0, message{1, answer}, message{2, answer})
	w.steps(1, 1e6, message{2, answer})
	for w.now < 3e6 {
		w.run1()
	}
	want := `
0s fault 1 began
0s fault 2 began
0s fault 2 ended
0s fault 2 crashed a process at a message 0->1
0s fault 1 struck at a message 0->1
2ms fault 3 began
2ms fault 3 struck at a message 1->2
3ms fault 3 ended`
	if text := strings.Join(w.told, "\n"); text != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant%s", text, want)
	}
}

func TestRandomPlansAreDrawnByTheInjector(t *testing.T) {
	plan := mustParse(t, "random crashes 2 in 0s..20ms")
	w := newWorld(t, plan, 9)
	if got, want := w.injector.Plan().String(), plan.Expand(processes, words.Kinds, nil, 9).String(); got != want {
		t.Errorf("the injector carries out %q; want %q", got, want)
	}
}

func TestNobodyLiesWithoutIdentities(t *testing.T) {
	w := newWorld(t, mustParse(t, "lie 0 as 3; equivocate 0"), 1)
	w.injector = faults.NewInjector(w.injector.Plan(), w, faults.Env{N: processes})
	w.run()
	if copies, _, forge := w.injector.Sent(0, 1, answer); copies != 1 || forge != nil {
		t.Errorf("%d copies, forged %v", copies, forge != nil)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, plan := range []string{"", "at 1h pause 2", "drop every ANSWER; partition {0 1 | 2} ; pause 3; omit receives of 4 with 5%; slow 2 by 1ms; equivocate 0"} {
		w := newWorld(t, mustParse(t, plan), 1)
		i := faults.NewInjector(w.injector.Plan(), w, faults.Env{N: processes, Kinds: words.Kinds, Identity: func(p protocols.ID) int64 { return 0 }})
		w.injector = i
		i.Install()
		for range len(w.queue) {
			if w.queue[0].at == 0 {
				w.run1()
			}
		}
		if n := testing.AllocsPerRun(100, func() {
			i.Steps(0, election)
			i.Leaves(0, 1, election)
			i.Sent(0, 1, election)
			i.Sent(0, 2, answer)
			i.Arrives(1, 0, election)
			i.Expires(1)
		}); n != 0 {
			t.Errorf("plan %q: %v allocations a message", plan, n)
		}
	}
}

func BenchmarkMessage(b *testing.B) {
	for name, plan := range map[string]string{
		"idle":      "at 1h pause 2",
		"partition": "partition {0 1 | 2..4}",
		"rule":      "drop every ANSWER with 5%",
	} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, mustParse(b, plan), 1)
			for w.queue[0].at == 0 {
				if w.run1(); len(w.queue) == 0 {
					break
				}
			}
			i := w.injector
			b.ReportAllocs()
			for b.Loop() {
				i.Steps(0, election)
				i.Leaves(0, 1, election)
				i.Sent(0, 1, election)
				i.Arrives(1, 0, election)
			}
		})
	}
}
