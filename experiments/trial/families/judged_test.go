package families_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
)

// newsTracer writes down what processes do.
type newsTracer struct {
	of   *trial.Traced
	news []string
}

// Record implements netem.Tracer.
func (n *newsTracer) Record(r netem.Record) {
	if r.What == "fault" || n.of.Process(r.Who) == nil {
		return
	}
	if text := n.of.News(r.Who); text != "" {
		n.news = append(n.news, fmt.Sprintf("%d %s", r.Who, text))
	}
}

// noLock lets every client in.
type noLock struct{ protocols.NoTimers[nothing] }

func (noLock) Request(protocols.Node[nothing]) {}

func (noLock) Granted() bool { return true }

func (noLock) Release(protocols.Node[nothing]) {}

func (noLock) Receive(protocols.Node[nothing], protocols.ID, nothing) {}

func unlocked() trial.Algorithm {
	return families.Mutex(trial.Algorithm{Name: "unlocked", Assumes: trial.Assumptions{Topologies: []string{"complete"}}}, families.MutexPromise{},
		func(*trial.Instance) func(protocols.ID) mutex.Lock[nothing] {
			return func(protocols.ID) mutex.Lock[nothing] { return noLock{} }
		})
}

// judged runs a setting of the catalog, or of unlocked. It returns what the family says of the
// run, a line each: the outcome, the checks, the metrics, what processes did, and moments.
func judged(t *testing.T, s trial.Setting) string {
	t.Helper()
	s.OutsideModel, s.MaxEvents = true, 100_000
	r := catalog.New()
	r.Register(unlocked())
	in, err := r.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	tracer := &newsTracer{}
	result := new(trial.Worker).Run(t.Context(), in, func(run *trial.Traced) netem.Tracer {
		tracer.of = run
		return tracer
	})
	var checks, measured []string
	for _, c := range result.Checks {
		checks = append(checks, fmt.Sprintf("%s %s", c.Name, c.Verdict))
	}
	for _, m := range in.Algorithm.DeclaredMetrics() {
		if v, ok := result.Metric(m.Name); ok {
			measured = append(measured, fmt.Sprintf("%s %.4g", m.Name, v))
		}
	}
	title, moments := result.Moments()
	for _, m := range moments {
		title += fmt.Sprintf(" %d", m.Process)
	}
	return strings.TrimSpace(fmt.Sprintf("%s\n%s\n%s\n%s\n%s", result.Outcome, strings.Join(checks, ", "), strings.Join(measured, ", "), strings.Join(tracer.news, "; "), title))
}

// What families say of small runs: the outcome, the checks, the metrics and the news.
func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		want    string
	}{
		{trial.Setting{Algorithm: "lcr", N: 3}, `
elected
E1 holds, E2 holds
elected_time 3, decided_time 3, split_brain 0, leaders 1
2 is the leader`},
		{trial.Setting{Algorithm: "lcr", N: 3, Fault: "drop every message"}, `
no leader
E1 holds, E2 violated
split_brain 0, leaders 0`},
		{trial.Setting{Algorithm: "bully", N: 3, Fault: "partition {0 1 | 2}"}, `
several leaders
E1 violated, E2 holds
elected_time 2, decided_time 3, split_brain 1, leaders 2
2 is the leader; 1 is the leader; 0 follows 2`},
		{trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Fault: "at 4ms crash 2; at 20ms start 0; at 60ms restart 2"}, `
elected
E1 holds, E2 holds
elected_time 60, decided_time 61, split_brain 1, leaders 2
2 is the leader; 0 follows 3; 1 follows 3; 1 is the leader; 0 follows 2; 2 is the leader; 0 follows 3; 1 follows 3`},
		{trial.Setting{Algorithm: "raft", N: 3, Seed: 2}, `
elected
E1 holds, E2 holds
elected_time 12.66, decided_time 13.66, split_brain 0, leaders 1, term 1, split_vote 0
1 is the leader; 2 follows 2; 0 follows 2`},
		{trial.Setting{Algorithm: "centralized", N: 3, Param: "cs=2ms,requests=2,think=exp(1ms),loop=open"}, `
served
ME1 holds, ME2 holds
entries 6, messages_per_entry 2, client_delay 8.246, client_delay_max 16.07, sync_delay 1.2, throughput 296.3, fairness 0.9253, inside 1
1 asks; 2 asks; 0 asks; 2 has another request; 1 enters; 0 has another request; 1 has another request; 1 leaves, asks; 0 enters; 0 leaves, asks; 2 enters; 2 leaves, asks; 1 enters; 1 leaves; 0 enters; 0 leaves; 2 enters; 2 leaves
order of entry 1 0 2 1 0 2`},
		{trial.Setting{Algorithm: "centralized", N: 3, Fault: "at 1ms crash 0"}, `
deadlock
ME1 holds, ME2 undecided
entries 1, messages_per_entry 2, client_delay 0, client_delay_max 0, fairness 1, inside 1
0 asks, enters; 1 asks; 2 asks; 0 leaves
order of entry 0`},
		{trial.Setting{Algorithm: "centralized", N: 3, Initiators: "1", Fault: "drop every message"}, `
deadlock
ME1 holds, ME2 violated
entries 0, inside 0
1 asks
order of entry`},
		{trial.Setting{Algorithm: "unlocked", N: 3, Param: "cs=2ms"}, `
two inside
ME1 violated, ME2 holds
entries 3, messages_per_entry 0, client_delay 0, client_delay_max 0, throughput 1500, fairness 1, inside 3
0 asks, enters; 1 asks, enters; 2 asks, enters; 0 leaves; 1 leaves; 2 leaves
order of entry 0 1 2`},
		{trial.Setting{Algorithm: "ricartagrawala", N: 3, Param: "requests=2"}, `
served
ME1 holds, ME2 holds, ME3 holds
entries 6, messages_per_entry 4, client_delay 3, client_delay_max 4, sync_delay 1, throughput 857.1, fairness 0.9818, inside 1
0 asks; 1 asks; 2 asks; 0 enters; 0 leaves, asks; 1 enters; 1 leaves, asks; 2 enters; 2 leaves, asks; 0 enters; 0 leaves; 1 enters; 1 leaves; 2 enters; 2 leaves
order of entry 0 1 2 0 1 2`},
		{trial.Setting{Algorithm: "centralized-failover", N: 3, Param: "cs=5ms", Fault: "at 3500us crash 2"}, `
served
ME1 holds, ME2 holds
entries 3, messages_per_entry 1.667, client_delay 6, client_delay_max 12, sync_delay 1.75, throughput 176.5, fairness 0.6, inside 1, gap 2.5, successors 1
0 asks; 1 asks; 2 asks, enters; 1 coordinates; 1 enters; 1 leaves; 0 enters; 0 leaves
order of entry 2 1 0`},
		{trial.Setting{Algorithm: "centralized-failover", N: 3, Initiators: "1", Param: "cs=5ms", Fault: "at 1500us crash 2; at 1ms start 0"}, `
served
ME1 holds, ME2 holds
entries 2, messages_per_entry 3, client_delay 4.5, client_delay_max 7, sync_delay 1, throughput 153.8, fairness 0.7642, inside 1, gap 6.5, successors 1
1 asks; 0 asks; 1 coordinates, enters; 1 leaves; 0 enters; 0 leaves
order of entry 1 0`},
		{trial.Setting{Algorithm: "sequencer-failover", N: 3, Param: "items=2,pause=3ms,period=7ms,election=floodmax(alpha)", Fault: "at 500us crash 2"}, `
delivered
integrity holds, total order holds, validity holds, agreement holds
deliveries 11, delivery_time 3.818, delivery_time_max 7, gap 5.5, successors 1
2 delivers 2.1; 0 delivers 2.1; 1 delivers 2.1; 1 coordinates; 1 delivers 1.1, 1.2; 1 delivers 0.1; 1 delivers 0.2; 0 delivers 1.1; 0 delivers 1.2; 0 delivers 0.1; 0 delivers 0.2`},
		{trial.Setting{Algorithm: "sequencer", N: 2, Param: "items=2"}, `
delivered
integrity holds, total order holds, validity holds, agreement holds
deliveries 8, delivery_time 1, delivery_time_max 2
0 delivers 0.1, 0.2; 1 delivers 0.1; 1 delivers 0.2; 0 delivers 1.1; 0 delivers 1.2; 1 delivers 1.1; 1 delivers 1.2`},
		{trial.Setting{Algorithm: "sequencer", N: 3, Fault: "drop every message"}, `
undelivered
integrity holds, total order holds, validity violated, agreement violated
deliveries 1, delivery_time 0, delivery_time_max 0
0 delivers 0.1`},
		{trial.Setting{Algorithm: "sequencer", N: 3, Param: "items=2", Fault: "at 0s crash 1; at 5ms restart 1"}, `
undelivered
integrity holds, total order holds, validity holds, agreement undecided
deliveries 8, delivery_time 1, delivery_time_max 2
0 delivers 0.1, 0.2; 2 delivers 0.1; 2 delivers 0.2; 0 delivers 2.1; 0 delivers 2.2; 2 delivers 2.1; 2 delivers 2.2`},
		{trial.Setting{Algorithm: "chandylamport", N: 3, Initiators: "0", Delay: "2ms", Param: "bank=example,after=1ms", Fault: "delay 1st TRANSFER from 1 to 0 by 2ms; delay 1st TRANSFER from 2 to 1 by 3ms"}, `
recorded
consistent holds, conserved holds, complete holds
snapshot_time 2.5, recording 1, in_channels 2
0 records its state; 1 records its state; 2 records its state; 2 is complete; 0 has a channel; 0 is complete; 1 is complete`},
		{trial.Setting{Algorithm: "chandylamport", N: 3, Initiators: "0", Fault: "drop 2nd TRANSFER"}, `
inconsistent
consistent violated, conserved violated, complete holds
snapshot_time 4, recording 1, in_channels 0
0 records its state; 1 records its state; 2 records its state; 2 is complete; 0 has a channel; 0 is complete; 1 is complete`},
		{trial.Setting{Algorithm: "chandylamport", N: 3, Initiators: "0", Fault: "at 2ms crash 1; at 20ms restart 1"}, `
incomplete
consistent holds, conserved undecided, complete undecided

0 records its state; 2 records its state; 0 has a channel`},
		{trial.Setting{Algorithm: "berkeley", N: 3, Fault: "at 0s clock 0 offset 3h; at 0s clock 1 offset 3h25m; at 0s clock 2 offset 2h50m"}, `
synchronized
adjusted holds, close holds
spread_before 2100, spread 0, spread_max 0, synchronizations 1
0 corrects its clock by 5m0s in all; 1 corrects its clock by -20m0s in all; 2 corrects its clock by 15m0s in all`},
		{trial.Setting{Algorithm: "berkeley", N: 3, Fault: "at 500us crash 1; at 20ms restart 1"}, `
not all adjusted
adjusted undecided, close undecided
synchronizations 0`},
		{trial.Setting{Algorithm: "dht", N: 4, Param: "m=3,k=1"}, `
assigned
responsible holds, found holds
superpeers 2, hops 2, superpeers_printed 1
0 is its own superpeer; 1 is its own superpeer; 2 has superpeer 0; 3 has superpeer 1`},
		{trial.Setting{Algorithm: "dht", N: 4, Param: "m=3,k=1", Fault: "drop every message"}, `
unassigned
responsible holds, found violated
superpeers 2, hops 1, superpeers_printed 1
0 is its own superpeer; 1 is its own superpeer`},
		{trial.Setting{Algorithm: "dht", N: 4, Param: "m=3,k=1", Fault: "at 0s crash 0; at 5ms restart 0"}, `
unassigned
responsible holds, found undecided
superpeers 1, hops 2, superpeers_printed 1
1 is its own superpeer; 3 has superpeer 1`},
		{trial.Setting{Algorithm: "repelling", N: 4, Param: "tokens=2,dimensions=3"}, `
settled
tokens holds, held holds, promoted holds
superpeers 2, moves 0
0 is a superpeer, with token 0; 1 is a superpeer, with token 1`},
		{trial.Setting{Algorithm: "repelling", N: 8, Param: "tokens=3,rounds=10,reach=30000,threshold=0", Seed: 1}, `
settled
tokens holds, held holds, promoted holds
superpeers 3, moves 1, evenness_before 1.853, evenness 2.067
0 gives token 0 away; 5 holds token 0; 1 is a superpeer, with token 1; 2 is a superpeer, with token 2; 5 is a superpeer, with token 0`},
		{trial.Setting{Algorithm: "repelling", N: 8, Param: "tokens=3,rounds=10,reach=30000,threshold=0", Seed: 1, Fault: "drop every TOKEN"}, `
unsettled
tokens holds, held holds, promoted violated
superpeers 2, moves 0, evenness_before 1.853
0 gives token 0 away; 1 is a superpeer, with token 1; 2 is a superpeer, with token 2`},
		{trial.Setting{Algorithm: "repelling", N: 4, Param: "tokens=2", Fault: "at 1ms crash 1; at 5ms restart 1"}, `
unsettled
tokens holds, held holds, promoted undecided
superpeers 1, moves 0, evenness_before 2.283, evenness 2.283
0 is a superpeer, with token 0`},
	} {
		if got := "\n" + judged(t, c.setting); got != c.want {
			t.Errorf("%s, %d processes, %s, %s:%s\nwant%s", c.setting.Algorithm, c.setting.N, c.setting.Param, c.setting.Fault, got, c.want)
		}
	}
}
