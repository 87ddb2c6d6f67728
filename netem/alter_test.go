package netem_test

import (
	"slices"
	"testing"
	"time"

	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
)

// series is a run in which process 0 sends NOTE(1), NOTE(2)... to process 1, a millisecond apart.
// A line of the link and an adversary may be given.
func series(t *testing.T, notes int, text string, a netem.Adversary, change func(*netem.Config)) *diary {
	t.Helper()
	d := &diary{}
	cfg := lockstep(netem.Complete(2))
	if text != "" {
		cfg.Lines = []netem.Line{{Line: line(t, text)}}
	}
	if change != nil {
		change(&cfg)
	}
	sent := 0
	d.net = netem.New(cfg, all(script{
		start: func(n node) {
			sent++
			n.Send(1, note{x: sent})
		},
		receive: func(n node, _ protocols.ID, m note) { d.write("%v", m) },
	}))
	if a != nil {
		d.net.Oppose(a)
	}
	for k := range notes {
		d.net.StartAt(0, at(k))
	}
	return d
}

// nth is the key of a message of a series.
func nth(k int) netem.MessageKey { return netem.MessageKey{From: 0, To: 1, Nth: k} }

// A carried message arrives so long after it was sent, whatever the link does to it.
func TestCarriedMessage(t *testing.T) {
	for _, c := range []struct{ line, others string }{
		{"", "1ms: NOTE(1) 3ms: NOTE(3)"},
		{"loss 100%", ""},
		{"corrupt 100%", ""},
		{"corrupt 100% altered loss 100%", ""},
		{"duplicate 100%", "1ms: NOTE(1) 1ms: NOTE(1) 3ms: NOTE(3) 3ms: NOTE(3)"},
		{"delay 2ms limit 1", "2ms: NOTE(1) 4ms: NOTE(3)"},
	} {
		d := series(t, 3, c.line, nil, func(cfg *netem.Config) {
			cfg.FIFO, cfg.Alter = false, &netem.Alteration{Carry: map[netem.MessageKey]time.Duration{nth(2): 8 * ms}}
		})
		finish(t, d.net)
		conserved(t, d.net)
		if last := len(d.lines) - 1; last < 0 || d.lines[last] != "9ms: NOTE(2)" {
			t.Errorf("%q: %q arrived", c.line, d.lines)
		} else if others := joined(d.lines[:last]); others != c.others {
			t.Errorf("%q: besides, there arrived %q, want %q", c.line, others, c.others)
		}
	}
}

func joined(lines []string) (text string) {
	for i, l := range lines {
		if i > 0 {
			text += " "
		}
		text += l
	}
	return text
}

// On a link that keeps the order, a message that is carried sooner does not hold up the next one
// until the instant that was drawn for it. One that is carried before its predecessor waits.
func TestCarriedInOrder(t *testing.T) {
	for _, text := range []string{"", "delay 1ms", "delay 1ms limit 5", "delay 1ms reorder 0.0001%", "delay 1ms rate 1Gbit limit 5"} {
		for _, c := range []struct {
			nth   int
			after time.Duration
			want  string
		}{
			{1, 1500 * time.Microsecond, "1.5ms: NOTE(1) 2ms: NOTE(2)"},
			{1, 5 * ms, "5ms: NOTE(1) 5ms: NOTE(2)"},
			{2, 0, "10ms: NOTE(1) 10ms: NOTE(2)"},
		} {
			asked := 0
			slow := func(from, to protocols.ID, kind int) (int, time.Duration, func(int64) int64) {
				if asked++; asked == 1 {
					return 1, 9 * ms, nil
				}
				return 1, 0, nil
			}
			d := series(t, 2, text, &foe{sent: slow}, func(cfg *netem.Config) {
				cfg.Alter = &netem.Alteration{Carry: map[netem.MessageKey]time.Duration{nth(c.nth): c.after}}
			})
			finish(t, d.net)
			lines := slices.Clone(d.lines)
			for i := range lines { // a transmission takes 72 ns
				lines[i] = rounded(lines[i])
			}
			if got := joined(lines); got != c.want {
				t.Errorf("%q: with message %d in %v there arrived %q, want %q", text, c.nth, c.after, got, c.want)
			}
		}
	}
}

// rounded is a line of a diary with its instant in tenths of a millisecond.
func rounded(l string) string {
	for i := range l {
		if l[i] == ':' {
			d, _ := time.ParseDuration(l[:i])
			return d.Truncate(ms/10).String() + l[i:]
		}
	}
	return l
}

// Faults that lose a message where it arrives, or hold it back on its link, do nothing to one that
// is carried. It waits for its receiver, and on a link that keeps the order for its predecessors.
func TestCarriedPastFaults(t *testing.T) {
	for _, c := range []struct {
		what    string
		fifo    bool
		wait    time.Duration // of all messages; negative is until 20ms
		lost    bool
		expires time.Duration // negative is until 20ms
		want    string
	}{
		{"lost", true, 0, true, 0, "9ms: NOTE(2)"},
		{"clogged", false, -1, false, 0, "9ms: NOTE(2) 20ms: NOTE(1) 20ms: NOTE(3)"},
		{"clogged in order", true, -1, false, 0, "20ms: NOTE(1) 20ms: NOTE(2) 20ms: NOTE(3)"},
		{"paused", false, -1, false, -1, "20ms: NOTE(1) 20ms: NOTE(3) 20ms: NOTE(2)"},
	} {
		var d *diary
		until := func(wait time.Duration) time.Duration {
			if d.net.Now() >= at(20) {
				return 0
			}
			return wait
		}
		a := &foe{
			arrives: func(_, _ protocols.ID, _ int) (time.Duration, bool) { return until(c.wait), c.lost },
			expires: func(protocols.ID) time.Duration { return until(c.expires) },
		}
		d = series(t, 3, "", a, func(cfg *netem.Config) {
			cfg.FIFO, cfg.Alter = c.fifo, &netem.Alteration{Carry: map[netem.MessageKey]time.Duration{nth(2): 8 * ms}}
		})
		d.net.ReleaseAt(at(20))
		finish(t, d.net)
		conserved(t, d.net)
		if got := joined(d.lines); got != c.want {
			t.Errorf("%s: there arrived %q, want %q", c.what, got, c.want)
		}
	}
}

// A message or copy that has the place in memory of one that was carried is not carried.
func TestCarriedOnce(t *testing.T) {
	asked := 0
	a := &foe{
		sent: func(_, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) {
			if asked++; asked == 3 {
				return 2, 0, nil
			}
			return 1, 0, nil
		},
		arrives: func(_, _ protocols.ID, _ int) (time.Duration, bool) { return 0, true },
	}
	for _, after := range []time.Duration{ms / 2, 1500 * time.Microsecond} { // freed last, and first, before the next use
		asked = 0
		d := series(t, 3, "delay 600us duplicate 100%", a, func(cfg *netem.Config) {
			cfg.Alter = &netem.Alteration{Carry: map[netem.MessageKey]time.Duration{nth(1): after}}
		})
		finish(t, d.net)
		conserved(t, d.net)
		d.want(t, after.String()+": NOTE(1)")
	}
}

// The link draws for a message that is carried, and a process for a choice that is given: later
// draws are the same.
func TestDrawsAreMadeAllTheSame(t *testing.T) {
	run := func(a *netem.Alteration) []string {
		d := series(t, 40, "delay uniform(0,3ms) loss 20% duplicate 20% corrupt 10%", nil, func(cfg *netem.Config) {
			cfg.FIFO, cfg.Alter = false, a
		})
		finish(t, d.net)
		return d.lines
	}
	others := func(lines []string) []string {
		return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l[len(l)-8:] == "NOTE(11)" })
	}
	plain := run(nil)
	for _, after := range []time.Duration{0, ms, 90 * ms} {
		carried := run(&netem.Alteration{Carry: map[netem.MessageKey]time.Duration{nth(11): after}})
		if !slices.Equal(others(carried), others(plain)) {
			t.Errorf("with one message in %v the others arrive as\n%q, want\n%q", after, others(carried), others(plain))
		}
		if len(carried) != len(others(carried))+1 {
			t.Errorf("the carried message arrived %d times", len(carried)-len(others(carried)))
		}
	}
}

// A link does to each message what it did in the real run: if a fault sent the messages twice there,
// and does not now, the copies of the faults are missing and the others arrive as they did.
func TestFatesOfTheRealRun(t *testing.T) {
	run := func(copies int, a *netem.Alteration) *diary {
		twice := &foe{sent: func(_, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) { return copies, 0, nil }}
		d := series(t, 30, "delay uniform(0,3ms) duplicate 20% loss 20%", twice, func(cfg *netem.Config) { cfg.FIFO, cfg.Alter = false, a })
		finish(t, d.net)
		conserved(t, d.net)
		return d
	}
	log, written := map[netem.MessageKey]netem.Fate{}, map[netem.MessageKey]netem.Fate{}
	once := run(1, &netem.Alteration{Log: log})
	for key, fate := range log { // as from a file
		written[key] = netem.Fate{Copies: fate.Copies, Line: fate.Line}
	}
	run(1, &netem.Alteration{Real: written}).want(t, once.lines...)
	clear(log)
	real := run(2, &netem.Alteration{Log: log})
	then := run(1, &netem.Alteration{Real: log})
	for _, l := range then.lines {
		if !slices.Contains(real.lines, l) {
			t.Errorf("%q is not among\n%q", l, real.lines)
		}
	}
	if len(then.lines) == 0 || len(then.lines) >= len(real.lines) {
		t.Errorf("%d arrived, and %d in the real run", len(then.lines), len(real.lines))
	}
}

// A message that a fault cut, that the real run lacks, or that its link lost under another line,
// behaves as the model assumes.
func TestCalm(t *testing.T) {
	log := map[netem.MessageKey]netem.Fate{}
	var cut bool
	a := &foe{sent: func(_, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) {
		if cut {
			return 0, 0, nil
		}
		return 1, 0, nil
	}}
	run := func(notes int, alter *netem.Alteration, spoiled bool) *diary {
		d := series(t, notes, "", a, func(cfg *netem.Config) { cfg.Alter = alter })
		if spoiled {
			a.due = func(token uint32) {
				cut = token == 0
				d.net.SetLine(set(t, "0->1"), []*impair.Line{nil, line(t, "loss 100%"), nil}[token])
			}
			for k, token := range []uint32{1, 0, 2} { // for the messages that are sent at 2 ms, 3 ms, and from 4 ms on
				d.net.InterveneAt(at(k+1), token)
			}
		}
		finish(t, d.net)
		conserved(t, d.net)
		return d
	}
	run(5, &netem.Alteration{Log: log}, true).want(t, "1ms: NOTE(1)", "2ms: NOTE(2)", "5ms: NOTE(5)")
	if f := log[nth(3)]; f.Cut || len(f.Copies) != 0 || f.Line == "" {
		t.Errorf("the third message had the fate %+v", f)
	}
	if f := log[nth(4)]; !f.Cut {
		t.Errorf("the fourth message had the fate %+v", f)
	}
	run(6, &netem.Alteration{Real: log, Calm: 1}, false).want(t, "1ms: NOTE(1)", "2ms: NOTE(2)",
		"2.000001ms: NOTE(3)", "3.000001ms: NOTE(4)", "5ms: NOTE(5)", "5.000001ms: NOTE(6)")
}

// A random choice that is given is made in place of the one that chance makes, and a later one is
// the same.
func TestGivenChoices(t *testing.T) {
	run := func(a *netem.Alteration) (chosen []int) {
		cfg := lockstep(netem.Complete(2))
		cfg.Alter = a
		net := netem.New(cfg, all(script{start: func(n node) {
			for range 5 {
				chosen = append(chosen, n.Intn(1000))
			}
		}}))
		net.StartAt(1, 0)
		finish(t, net)
		return chosen
	}
	want := run(nil)
	want[2] = 7
	coins := map[netem.CoinKey]int{{Who: 1, Nth: 3}: 1007, {Who: 0, Nth: 1}: 5}
	if got := run(&netem.Alteration{Coins: coins}); !slices.Equal(got, want) {
		t.Errorf("the choices are %d, want %d", got, want)
	}
}
