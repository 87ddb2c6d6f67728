package trial_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/election"
)

func TestSettingErrors(t *testing.T) {
	registry := catalog.New()
	for _, c := range []struct {
		setting trial.Setting
		says    []string // what was given, and what is allowed
	}{
		{trial.Setting{Algorithm: "lrc", N: 3}, []string{`"lrc"`, `did you mean "lcr"`}},
		{trial.Setting{Algorithm: "lcr"}, []string{"n is 0", "1 to 16777215"}},
		{trial.Setting{Algorithm: "lcr", N: -1}, []string{"n is -1", "1 to 16777215"}},
		{trial.Setting{Algorithm: "lcr", N: 3, IDs: "1,2"}, []string{"n is 3", "2 identities"}},
		{trial.Setting{Algorithm: "lcr", IDs: "1,2,1"}, []string{"identity 1", "positions 0 and 2"}},
		{trial.Setting{Algorithm: "lcr", IDs: "1,,2"}, []string{`""`, "position 1"}},
		{trial.Setting{Algorithm: "lcr", IDs: "1,2", Placement: "random"}, []string{`"random"`, "either"}},
		{trial.Setting{Algorithm: "lcr", N: 3, Placement: "incresing"}, []string{`did you mean "increasing"`}},
		{trial.Setting{Algorithm: "lcr", N: 3, Variant: "leader-only,all-terminate"}, []string{"exclude each other"}},
		{trial.Setting{Algorithm: "lcr", N: 3, Attr: "1,2"}, []string{"2 attributes for 3"}},
		{trial.Setting{Algorithm: "lcr", N: 2, Attr: "1,NaN"}, []string{`"NaN"`, "position 1"}},
		{trial.Setting{Algorithm: "lcr", N: 2, Attr: "1,00:11:22:33:44:5G"}, []string{`"5G"`, "MAC"}},
		{trial.Setting{Algorithm: "lcr", N: 2, Attr: "random:0"}, []string{"random:0", "positive"}},
		{trial.Setting{Algorithm: "lcr", N: 3, Topology: "complete"}, []string{`"complete"`, "ring, biring"}},
		{trial.Setting{Algorithm: "bully", N: 3, Dead: "3"}, []string{"no process 3", "0..2"}},
		{trial.Setting{Algorithm: "bully", N: 3, Dead: "last,2"}, []string{"process 2", "twice"}},
		{trial.Setting{Algorithm: "bully", N: 3, Dead: "0,1,2"}, []string{"all 3 processes are dead"}},
		{trial.Setting{Algorithm: "bully", N: 3, Dead: "2", Initiators: "2"}, []string{"process 2 is dead"}},
		{trial.Setting{Algorithm: "bully", N: 3, Initiators: "random:4"}, []string{"random:4", "1 to 3"}},
		{trial.Setting{Algorithm: "lcr", N: 3, Delay: "1"}, []string{`"1"`, "lacks a unit"}},
		{trial.Setting{Algorithm: "lcr", N: 3, Fault: "at 1ms crash 3"}, []string{"no process 3", "0..2"}},
		{trial.Setting{Algorithm: "lcr", N: 3, MaxTime: "-1s"}, []string{`"-1s"`, "positive"}},
	} {
		_, err := registry.Instance(c.setting)
		for _, s := range c.says {
			if err == nil || !strings.Contains(err.Error(), s) {
				t.Errorf("%+v: %v; want %q", c.setting, err, s)
			}
		}
	}
}

// A quantile of the delay, in place of a bound: of exp it is minus the logarithm of what
// is left.
func TestAssumedQuantile(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		want    time.Duration
	}{
		{trial.Setting{Assume: "p50", Delay: "exp(1ms)"}, 693147},
		{trial.Setting{Assume: "p99", Delay: "exp(1ms)"}, 4605170},
		{trial.Setting{Assume: "p99.9", Delay: "exp(2ms)"}, 13815511},
		{trial.Setting{Assume: "p25", Delay: "uniform(0,2ms)"}, 500 * time.Microsecond},
		{trial.Setting{Assume: "p25"}, time.Millisecond},
		{trial.Setting{Assume: "p75", Link: "delay 5ms 1ms"}, 5500 * time.Microsecond},
		{trial.Setting{Assume: "p75", Link: "loss 5%", Delay: "uniform(0,4ms)"}, 3 * time.Millisecond},
	} {
		c.setting.Algorithm, c.setting.N, c.setting.OutsideModel = "ring", 3, true
		in, err := sweeptest.Registry(sweeptest.Triangle).Instance(c.setting)
		if err != nil {
			t.Fatal(err)
		}
		if off := in.Assumed - c.want; off.Abs() > time.Microsecond || in.Setting.Assume != c.setting.Assume {
			t.Errorf("%+v: assumed is %v (%q), want %v", c.setting, in.Assumed, in.Setting.Assume, c.want)
		}
	}
	for _, text := range []string{"p0", "p100", "p", "p101", "p-1", "p1/3", "q99", "99"} {
		if _, err := sweeptest.Registry(sweeptest.Triangle).Instance(trial.Setting{Algorithm: "ring", N: 3, Assume: text}); err == nil || !strings.Contains(err.Error(), strconv.Quote(text)) {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := results.ParseSpec(sweeptest.Registry(sweeptest.Triangle), "a.yaml", []byte("name: a\nalgorithms: ring\naxes: {n: 4, assume: "+strconv.Quote(text)+"}\n")); err == nil {
			t.Errorf("a sweep takes %s", text)
		}
	}
}

func TestAttributes(t *testing.T) {
	registry := catalog.New()
	in, err := registry.Instance(trial.Setting{Algorithm: "lcr", N: 4, Attr: "2.5, -3, 00:00:00:00:01:00, 0"})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range []float64{2.5, -3, 256, 0} {
		if got := in.Ranks.At(protocols.ID(p)).Attr; got != want {
			t.Errorf("attribute %d is %v; want %v", p, got, want)
		}
	}
}

// Each placement puts each identity at one address, and finds it there.
func TestPlacements(t *testing.T) {
	registry := catalog.New()
	for _, placement := range trial.Placements {
		for n := 1; n <= 9; n++ {
			in, err := registry.Instance(trial.Setting{Algorithm: "lcr", N: n, Placement: placement})
			if err != nil {
				t.Fatal(err)
			}
			for id := election.Identity(-1); id <= election.Identity(n+2); id++ {
				p := in.Ranks.Address(id)
				if placed := id >= 1 && id <= election.Identity(n); placed != (p >= 0) || placed && in.Ranks.At(p).ID != id {
					t.Errorf("%s n=%d: identity %d is found at address %d", placement, n, id, p)
				}
			}
		}
	}
}

// FuzzSetting: no words make the reader panic, and a setting that was
// understood is understood the same again once it is normalised.
func FuzzSetting(f *testing.F) {
	f.Add("lcr", "all-terminate", 5, "", "random", "", "all", "none", "ring", "1ms", "")
	f.Add("bully", "A", 8, "", "alternating", "random:3", "first,last-1", "last", "complete", "uniform(0,2ms)", "at 5ms crash 3")
	f.Add("ringlist", "", 0, "5,3,-9", "", "1,2.5,00:11:22:33:44:55", "random:2", "random:1", "", "exp(1ms)", "at 0s crash 0; at 1s restart 0")
	f.Add("bully", "", 8, "", "", "", "", "", "", "mix(90% 1ms, 10% exp(50ms))", "link 10% of *<->* delay 5ms; cut {0->1 2->3}")
	registry := catalog.New()
	f.Fuzz(func(t *testing.T, algorithm, variant string, n int, ids, placement, attr, initiators, dead, topology, delay, fault string) {
		in, err := registry.Instance(trial.Setting{
			Algorithm: algorithm, Variant: variant, N: n % 100, IDs: ids, Placement: placement, Attr: attr,
			Initiators: initiators, Dead: dead, Topology: topology, Delay: delay, Fault: fault, OutsideModel: true,
		})
		if err != nil {
			return
		}
		again, err := registry.Instance(in.Setting)
		if err != nil {
			t.Fatalf("%+v is normalised to %+v: %v", in, in.Setting, err)
		}
		if again.Setting != in.Setting || !slices.Equal(again.Ranks.List(), in.Ranks.List()) ||
			!reflect.DeepEqual(again.Initiators, in.Initiators) || !reflect.DeepEqual(again.Dead, in.Dead) || !reflect.DeepEqual(again.Plan, in.Plan) {
			t.Errorf("%+v is read again as %+v", in, again)
		}
	})
}
