package view

import (
	"strings"
	"testing"
	"time"

	"bullring/experiments/real/outside"
	"bullring/netem/impair"
)

// linkOf is what a line does to a sample.
func linkOf(t *testing.T, line string, trial impair.Trial) Link {
	t.Helper()
	var err error
	if trial.Line, err = impair.Parse(line, nil); err != nil {
		t.Fatal(err)
	}
	trial.Bits, trial.Interval = 128, 10*time.Millisecond
	m := trial.Sample()
	return Link{Trial: &trial, Measured: m, Expected: trial.Expected(m)}
}

func TestLinks(t *testing.T) {
	var g golden
	g.add(t, "delays and bursts", linkOf(t, "delay 20ms 5ms 25% loss gemodel 1% 25%", impair.Trial{Samples: 20_000, Seed: 1}))
	g.add(t, "a queue that is full", linkOf(t, "rate 8kbit limit 2", impair.Trial{Samples: 1000, Seed: 1}))
	g.add(t, "all is lost, FIFO", linkOf(t, "loss 100%", impair.Trial{Samples: 10, Seed: 1, FIFO: true}))
	g.add(t, "presets", Presets(impair.Presets[:3]))
	g.addJSON(t, "presets", Presets(impair.Presets[:1]))
	line, err := impair.Parse("delay exp(1ms) loss 5% 25%", nil)
	if err != nil {
		t.Fatal(err)
	}
	script, notes := outside.Command(line, impair.Exact, "eth1")
	g.add(t, "for tc", Outside{As: "tc", Script: script, Notes: notes})
	g.addJSON(t, "for tc", Outside{As: "tc", Script: script, Notes: notes})
	g.compare(t, "links")
}

// JSON has the same keys for measured and for expected values, and null for unknown ones.
func TestFieldsOfLinks(t *testing.T) {
	report := fields(t, linkOf(t, "loss 5% 25% delay exp(1ms)", impair.Trial{Mode: impair.Compat, Samples: 5000, Seed: 7}))
	for name, want := range map[string]any{"line": "delay exp(1ms) loss 5% 25%", "link_mode": "compat", "samples": 5000., "seed": 7., "interval": 0.01} {
		if report[name] != want {
			t.Errorf("%s is %v, want %v", name, report[name], want)
		}
	}
	measured, expected := report["measured"].(map[string]any), report["expected"].(map[string]any)
	for _, key := range strings.Fields("sent lost duplicated corrupted reordered loss_rate mean_burst delay") {
		for what, values := range map[string]map[string]any{"measured": measured, "expected": expected} {
			if _, ok := values[key]; !ok {
				t.Errorf("%s lacks %s", what, key)
			}
		}
	}
	for _, key := range strings.Fields("mean sd min p50 p99 max lag1") {
		if _, ok := measured["delay"].(map[string]any)[key].(float64); !ok {
			t.Errorf("the measured delay lacks %s", key)
		}
		if v, ok := expected["delay"].(map[string]any)[key]; !ok || v == nil != (key == "max") {
			t.Errorf("the expected delay has the %s %v", key, v)
		}
	}
	if expected["mean_burst"] != nil || measured["sent"] != 5000. || measured["lost"].(float64) > 50 {
		t.Errorf("%v", report)
	}
}
