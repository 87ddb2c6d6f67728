package faults_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bullring/des"
	"bullring/faults"
)

// A process fails and comes back in turn. It fails last before the end, and is back after that.
func TestRenewal(t *testing.T) {
	w := newWorld(t, mustParse(t, "at 1ms fail 3 mttf 3ms mttr 2ms until 14ms; fail 1 mttf uniform(1ms,5ms) mttr exp(1ms) until 1s"), 1)
	w.run()
	var third, first []string
	for _, line := range w.log {
		switch {
		case strings.HasSuffix(line, "crash 3") || strings.HasSuffix(line, "restart 3"):
			third = append(third, line)
		case strings.HasSuffix(line, " 1"):
			first = append(first, line)
		}
	}
	if got, want := strings.Join(third, ", "), "4ms crash 3, 6ms restart 3, 9ms crash 3, 11ms restart 3"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	for i, line := range first {
		if what := []string{"crash", "restart"}[i%2]; !strings.Contains(line, what) {
			t.Errorf("line %d is %s; want a %s", i, line, what)
		}
	}
	// 1 s over a mean cycle of 4 ms, whose variance is 4/3 + 1: four standard deviations of the number are 24.
	if cycles := len(first) / 2; len(first)%2 != 0 || cycles < 226 || cycles > 274 {
		t.Errorf("%d times, want about 250, and each time back", len(first))
	}
}

// When a process fails does not depend on what the algorithm does.
func TestRenewalIgnoresTraffic(t *testing.T) {
	lives := func(busy bool) (lives []string) {
		w := newWorld(t, mustParse(t, "fail 3 mttf exp(3ms) mttr exp(2ms) until 100ms; at 2ms fail 1 mttf uniform(1ms,5ms) mttr exp(1ms) until 90ms"), 1)
		if busy {
			w.busy(7)
		}
		w.run()
		for _, line := range w.log {
			if strings.Contains(line, " crash ") || strings.Contains(line, " restart ") {
				lives = append(lives, line)
			}
		}
		return lives
	}
	quiet, busy := lives(false), lives(true)
	if len(quiet) < 20 || !slices.Equal(quiet, busy) {
		t.Errorf("without messages %v; with them %v", quiet, busy)
	}
}

// Nothing fails any more after everything has healed, and what was down is back in its time.
func TestRenewalHeals(t *testing.T) {
	w := newWorld(t, mustParse(t, "fail 3 mttf 3ms mttr 2ms until 1s; fail 2 mttf 2ms mttr 4ms until 1s; at 5500us heal everything"), 1)
	w.run()
	log := strings.Join(w.log, "\n")
	if strings.Count(log, "crash 3") != 1 || !strings.Contains(log, "5ms restart 3") || strings.Count(log, "crash 2") != 1 || !strings.Contains(log, "6ms restart 2") {
		t.Error(log)
	}
}

func TestRenewalRefused(t *testing.T) {
	for text, want := range map[string]string{
		"fail 5 mttf 1s mttr 1s until 9s":        "there is no process 5",
		"fail 1 mttf 1us mttr 1us until 1s":      "a failure every 2µs makes more than 100000 until 1s",
		"never fail 7 mttf 1s mttr 1s until 9s":  "there is no process 7",
		"never fail 1 mttf 1us mttr 0s until 9s": "has the mean 0",
	} {
		plan, err := faults.Parse(text)
		if err == nil {
			err = plan.Check(processes, words)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

// A fork draws anew when a process fails or is back, and what is drawn has the law of what it replaces, given
// what has happened: of many runs that fork the same share has failed, and is back, by any instant.
func TestForksOfRenewals(t *testing.T) {
	const runs = 1000
	for _, laws := range []string{
		"mttf exp(5ms) mttr exp(2ms)", "mttf uniform(1ms,9ms) mttr 2ms", "mttf weibull(5ms,9ms) mttr uniform(0s,3ms)",
		"mttf mix(50% 1ms, 50% exp(8ms)) mttr pareto(2ms,1ms)", "mttf 3ms mttr 1ms",
	} {
		plan := mustParse(t, fmt.Sprintf("fail 3 %s until 30ms", laws))
		states := func(forks ...des.Time) (down [8]float64, lives string) {
			for seed := range uint64(runs) {
				w := newWorld(t, plan, seed)
				for k, at := range forks {
					w.at(at, des.Delivery, func() { w.injector.Fork([]uint64{uint64(k)}) })
				}
				for ms := range down {
					w.at(des.Time(ms)*3e6+500_000, des.Probe, func() {
						if w.dead[3] {
							down[ms] += 1. / runs
						}
					})
				}
				w.run()
				lives += strings.Join(w.log, " ")
			}
			return down, lives
		}
		plain, before := states()
		forked, after := states(3_200_000, 7_777_777, 7_777_778, 15_000_000)
		for ms := range plain {
			p := (plain[ms] + forked[ms]) / 2
			if far := math.Abs(plain[ms] - forked[ms]); far > 4.5*math.Sqrt(2*p*(1-p)/runs) {
				t.Errorf("%s: at %d.5 ms %.3f are down, and %.3f with forks", laws, 3*ms, plain[ms], forked[ms])
			}
		}
		if constant := !strings.Contains(laws, "("); (before == after) != constant {
			t.Errorf("%s: forks change nothing, or what is not random", laws)
		}
	}
}
