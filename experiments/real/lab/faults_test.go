package lab_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/netem/live"
)

var swarms = flag.Uint64("swarms", 3, "live runs of each algorithm with random faults")

// TestSwarms: whatever random faults do to a live run, its replay is the run that was recorded.
func TestSwarms(t *testing.T) {
	const classes = "crashes, restarts, churn, partial-broadcasts, leader-crashes, pauses, slowness, partitions, cuts, clogs, omissions, loss, delays, duplicates, clocks, links"
	for _, algorithm := range []string{"bully", "lcr", "raft", "ricartagrawala", "electiontree"} {
		for seed := range *swarms {
			t.Run(fmt.Sprint(algorithm, " ", seed+1), func(t *testing.T) {
				t.Parallel()
				s := trial.Setting{Algorithm: algorithm, N: 4, Seed: seed + 1, OutsideModel: true, Assume: "2ms", Delay: "uniform(0s, 1ms)"}
				s.Fault = "random swarm of " + classes + " until 20ms then heal"
				if seed%2 == 0 {
					s.Transport = "reliable(3ms)"
				}
				tried := try(t, s, lab.Options{Limit: 150 * time.Millisecond})
				if tried.Wrong != nil {
					t.Errorf("%v: %v", tried.Instance.Drawn, tried.Wrong)
				}
			})
		}
	}
}

// TestReliableLinksOverLoss: over lossy links with a reliable transport, LCR sends what it sends
// without losses.
func TestReliableLinksOverLoss(t *testing.T) {
	tried := try(t, trial.Setting{
		Algorithm: "lcr", N: 5, Placement: "decreasing", Link: "loss 30%", Transport: "reliable(5ms,1000)", OutsideModel: true,
	}, lab.Options{})
	c := &tried.Result.Counters
	if tried.Wrong != nil || tried.Recording.End != live.Rest || c.Lost == 0 || c.Sent[0] != 15 {
		t.Errorf("%v, %v: %v messages, %d lost", tried.Wrong, tried.Recording.End, c.Sent, c.Lost)
	}
}

// TestPlans: faults strike live where the plan says, and stand in the schedule of the replay.
func TestPlans(t *testing.T) {
	for plan, step := range map[string]string{
		"crash 0 after 2 sends":                 "start 0, crash after 2 sends",
		"when leader crash leader for 5ms":      "restart ",
		"partition {0 1 | 2 3 4}; at 40ms heal": "lose 0->3 ELECTION",
		"duplicate 1st message to 4":            "duplicate ",
		"crash 4 for 5ms":                       "restart 4",
		"at 30ms start 2":                       "start 2",
		"at 1ns pause 4":                        "start 0",
	} {
		t.Run(plan, func(t *testing.T) {
			t.Parallel()
			tried := try(t, trial.Setting{Algorithm: "bully", N: 5, Initiators: "0,3", Fault: plan, Assume: "20ms", OutsideModel: true}, lab.Options{})
			end := live.Rest
			if strings.Contains(plan, "pause") { // for good
				end = live.Stalled
			}
			if tried.Wrong != nil || tried.Recording.End != end {
				t.Errorf("%v, not %v; %v", tried.Recording.End, end, tried.Wrong)
			}
			if !strings.Contains(string(tried.Replay.Schedule), step) {
				t.Errorf("no step has %q:\n%s", step, tried.Replay.Schedule)
			}
		})
	}
}

// TestByzantineProcesses: Byzantine processes lie over sockets, too. Their messages are counted apart, and
// those of the replay are those that were recorded.
func TestByzantineProcesses(t *testing.T) {
	for _, strategy := range []string{"silent", "random", "two-faced", "split"} {
		for _, liar := range []string{"0", "3"} {
			t.Run(strategy+" "+liar, func(t *testing.T) {
				t.Parallel()
				tried := try(t, trial.Setting{Algorithm: "bracha", N: 4, F: "1", Initiators: "0", Fault: "byzantine " + liar + " as " + strategy}, lab.Options{})
				if r := tried.Result; tried.Wrong != nil || tried.Recording.End != live.Rest || !r.Correct || (r.Lied.Messages() == 0) != (strategy == "silent") {
					t.Errorf("%v, %v; correct %v, %d messages of Byzantine processes", tried.Wrong, tried.Recording.End, r.Correct, r.Lied.Messages())
				}
			})
		}
	}
}
