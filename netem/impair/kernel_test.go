package impair_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem/impair"
)

// kernelLines are the lines for which the netem of a kernel is compared with ours. They have no rate, which counts
// the headers of packets, no slots, which begin when the line is set, and no corruption, which a
// receiver does not notice in some fields of Ethernet.
var kernelLines = []string{
	"delay 20ms", "delay 50ms 10ms", "delay 50ms 10ms 25%", "delay 50ms 10ms distribution normal", "delay 50ms 10ms distribution pareto",
	"delay 50ms 10ms distribution paretonormal", "loss 5%", "loss 20% 50%", "loss gemodel 1% 25%", "loss gemodel 2% 25% 70% 1%",
	"loss state 2% 20% 10% 50% 1%", "duplicate 10%", "duplicate 20% 50%", "duplicate 30% loss 20%",
	"delay 20ms reorder 25%", "delay 20ms reorder 25% 50%", "delay 20ms reorder 50% gap 5",
}

// arrival is a copy of a probe that arrived.
type arrival struct {
	probe int
	at    time.Duration
}

// behaviour has the numbers of a line that are compared. Delays are in seconds.
type behaviour [7]float64

var behaviourNames = behaviourText{"loss", "mean burst", "duplicated", "overtaken", "delay mean", "delay sd", "delay lag 1"}

type behaviourText [len(behaviour{})]string

const firstDelay, lastDelay = 4, 5 // of a behaviour, with a unit

// behaviourOf measures the behaviour of a line on probes that were sent at these times. The
// arrivals are in their order. A probe is lost if no copy of it arrives.
func behaviourOf(sent []time.Duration, arrivals []arrival) (b behaviour) {
	copies, first := make([]int, len(sent)), make([]float64, len(sent))
	latest, overtaken, duplicated := -1, 0, 0
	for _, a := range arrivals {
		if copies[a.probe]++; copies[a.probe] == 1 {
			first[a.probe] = (a.at - sent[a.probe]).Seconds()
		} else {
			duplicated++
		}
		if a.probe < latest {
			overtaken++
		}
		latest = max(latest, a.probe)
	}
	lost, bursts := 0, 0
	var delays, pairs []float64 // pairs: of probes sent in succession, one after the other
	for i, n := range copies {
		switch {
		case n > 0:
			delays = append(delays, first[i])
			if i > 0 && copies[i-1] > 0 {
				pairs = append(pairs, first[i-1], first[i])
			}
		case i == 0 || copies[i-1] > 0:
			bursts++
			lost++
		default:
			lost++
		}
	}
	n := float64(len(sent))
	mean, sd := moments(delays)
	return behaviour{float64(lost) / n, float64(lost) / float64(max(1, bursts)), float64(duplicated) / n, float64(overtaken) / n, mean, sd, lag1(pairs, mean, sd)}
}

func moments(list []float64) (mean, sd float64) {
	for _, x := range list {
		mean += x / float64(len(list))
	}
	for _, x := range list {
		sd += (x - mean) * (x - mean) / float64(len(list))
	}
	return mean, math.Sqrt(sd)
}

// lag1 is the correlation of neighbours. It is 0 if the delays differ by less than noise.
func lag1(pairs []float64, mean, sd float64) (sum float64) {
	const noise = 2e-3 // seconds
	if sd < noise {
		return 0
	}
	for i := 0; i < len(pairs); i += 2 {
		sum += (pairs[i] - mean) * (pairs[i+1] - mean) / (sd * sd) / float64(len(pairs)/2)
	}
	return sum
}

// imitation returns the arrivals of probes that are sent over a link of ours at these times.
func imitation(line *impair.Line, mode impair.Mode, sent []time.Duration, seed uint64) behaviour {
	channel := impair.RulesOf(line, mode, false).NewChannel(des.NewStream(seed, "link"), 0)
	var arrivals []arrival
	for i, at := range sent {
		fate := offer(channel, des.Time(at), 0, 800, 0)
		for _, c := range fate.Copies[:fate.N] {
			arrivals = append(arrivals, arrival{i, time.Duration(c.At)})
		}
	}
	slices.SortStableFunc(arrivals, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	return behaviourOf(sent, arrivals)
}

// unlike compares a behaviour with that of mode compat, for probes sent at the same times. The
// interval of a number is four and a half standard deviations of it, over seeds, to both sides; noise, in
// seconds, is added to those of delays. The report has all numbers, and unlike those outside.
func unlike(line *impair.Line, sent []time.Duration, seen behaviour, noise float64) (report, unlike []string) {
	const seeds, width = 40, 4.5
	var all [seeds]behaviour
	for seed := range all {
		all[seed] = imitation(line, impair.Compat, sent, uint64(seed)+1000)
	}
	for k, name := range behaviourNames {
		var list []float64
		for _, b := range all {
			list = append(list, b[k])
		}
		mean, sd := moments(list)
		reach := width*sd + 3/float64(len(sent))
		if k >= firstDelay && k <= lastDelay {
			reach = width*sd + noise
		}
		text := fmt.Sprintf("%s %.5f (compat %.5f to %.5f)", name, seen[k], mean-reach, mean+reach)
		report = append(report, text)
		if math.Abs(seen[k]-mean) > reach {
			unlike = append(unlike, text)
		}
	}
	return report, unlike
}

// every are the times of probes that are sent one each interval.
func every(interval time.Duration, n int) []time.Duration {
	sent := make([]time.Duration, n)
	for i := range sent {
		sent[i] = time.Duration(i) * interval
	}
	return sent
}

// The comparison with a kernel accepts a link of ours in mode compat in place of the kernel, and
// refuses another line, and mode exact where it means something else.
func TestComparisonWithKernels(t *testing.T) {
	sent := every(time.Millisecond, 6000)
	for _, text := range kernelLines {
		line := parse(t, text)
		if _, bad := unlike(line, sent, imitation(line, impair.Compat, sent, 1), 0); len(bad) > 0 {
			t.Errorf("%s: mode compat is unlike itself: %q", text, bad)
		}
	}
	for _, c := range []struct {
		text, other string
		mode        impair.Mode
		want        string
	}{
		{"loss 5%", "loss 8%", impair.Compat, "loss"},
		{"loss 20% 50%", "loss 20% 50%", impair.Exact, "loss"},
		{"loss gemodel 1% 25%", "loss gemodel 4% 96%", impair.Compat, "mean burst"},
		{"duplicate 20% 50%", "duplicate 20% 50%", impair.Exact, "duplicated"},
		{"delay 20ms reorder 25%", "delay 20ms reorder 30%", impair.Compat, "overtaken"},
		{"delay 20ms", "delay 22ms", impair.Compat, "delay mean"},
		{"delay 50ms 10ms distribution pareto", "delay 50ms 20ms distribution pareto", impair.Compat, "delay sd"},
		{"delay 50ms 10ms 25%", "delay 50ms 10ms 25%", impair.Exact, "delay lag 1"},
	} {
		_, bad := unlike(parse(t, c.text), sent, imitation(parse(t, c.other), c.mode, sent, 1), 1e-3)
		if !slices.ContainsFunc(bad, func(b string) bool { return len(b) > len(c.want) && b[:len(c.want)+1] == c.want+" " }) {
			t.Errorf("%s for %s in mode %v: %q; %s is missing", c.other, c.text, c.mode, bad, c.want)
		}
	}
}

// The numbers of six probes: the third and fourth are lost, the fifth comes twice, the sixth
// overtakes it.
func TestBehaviour(t *testing.T) {
	const ms = time.Millisecond
	got := behaviourOf(every(10*ms, 6), []arrival{{0, 20 * ms}, {1, 40 * ms}, {5, 70 * ms}, {4, 80 * ms}, {4, 81 * ms}})
	want := behaviour{2.0 / 6, 2, 1.0 / 6, 2.0 / 6, 0.0275, math.Sqrt(68.75) / 1000, (-7.5*2.5 + 12.5*-7.5) / 68.75 / 2}
	for k := range got {
		if math.Abs(got[k]-want[k]) > 1e-12 {
			t.Errorf("%s is %v; want %v", behaviourNames[k], got[k], want[k])
		}
	}
}
