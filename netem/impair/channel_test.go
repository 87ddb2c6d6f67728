package impair_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/netem/impair"
)

const ms = time.Millisecond

// lines have every feature, alone and together.
var lines = []string{
	"delay 1ms", "delay exp(1ms)", "delay 5ms 2ms", "delay 5ms 9ms", "delay 5ms 2ms 50%", "delay 20ms 5ms 90% distribution normal",
	"delay 20ms 5ms 25% distribution pareto", "delay 20ms 15ms distribution paretonormal", "delay 20ms 5ms distribution exponential",
	"delay 20ms 5ms distribution lognormal", "delay 20ms 30ms 10% distribution weibull", "delay 20ms 5ms distribution gamma",
	"delay trace rtt.txt", "delay 5ms 1ms 30% distribution table flat.dist",
	"loss 5%", "loss 20% 50%", "loss state 5% 20% 10% 50% 1%", "loss gemodel 5% 25% 80% 1%", "loss time 50ms 20ms 90% 1%", "loss burst 10% 3",
	"duplicate 10%", "duplicate 10% 50% loss 10% 20% corrupt 20% 30% delay 5ms 2ms 50%",
	"delay 10ms 3ms reorder 25% 50%", "delay 10ms reorder 50% gap 3", "corrupt 10% altered",
	"rate 1mbit", "rate 100kbit 10 48 5 delay 5ms 2ms limit 20", "limit 3 delay 20ms",
	"slot 5ms 10ms delay 2ms 1ms", "slot 3ms packets 2 bytes 20 limit 10 delay 1ms reorder 20% duplicate 20%",
	"slot distribution normal 5ms 2ms packets 1 limit 5", "rate 1mbit slot 2ms loss 10% duplicate 30%",
}

// keepsPromises sends messages over a link and checks the promises of Offer, Next and Serve.
func keepsPromises(t interface{ Errorf(string, ...any) }, l *impair.Line, mode impair.Mode, seed uint64) {
	s := des.NewStream(seed, "test")
	fifo := seed%2 == 0
	c := impair.RulesOf(l, mode, fifo).NewChannel(s.Sub(0), 0)
	waiting := map[uint32]int{}
	floor := des.Time(0)
	now := des.Time(0)
	for i := range uint32(60) {
		now = now.Add(time.Duration(s.Intn(int(4 * ms))))
		for next, ok := c.Next(); ok && next <= now; next, ok = c.Next() {
			serve(t, c, max(0, next), waiting)
		}
		extra := time.Duration(s.Intn(2)) * ms
		f := offer(c, now, extra, 128, i)
		copies := 1
		if f.Duplicated {
			copies = 2
		}
		if f.N+f.Queued+f.Lost != copies || f.Overflow > f.Lost || f.Queued > 0 && !c.Slotted() || f.N > 0 && c.Slotted() {
			t.Errorf("%v, %v: %d copies have the fate %+v", l, mode, copies, f)
		}
		if f.Queued > 0 {
			waiting[i] = f.Queued
		}
		for _, k := range f.Copies[:f.N] {
			if k.At < now.Add(extra) {
				t.Errorf("%v, %v: sent at %v, it arrives at %v", l, mode, now, k.At)
			}
			if fifo && !l.Reorders() && (k.At < floor || k.Overtook) {
				t.Errorf("%v, %v: overtakes by arriving at %v, before %v", l, mode, k.At, floor)
			}
			if k.Overtook != (k.At < floor) {
				t.Errorf("%v, %v: overtook is %v, but the latest arrives at %v, this at %v", l, mode, k.Overtook, floor, k.At)
			}
			floor = max(floor, k.At)
		}
	}
	left := map[uint32]bool{}
	for _, token := range c.Clear() {
		if waiting[token] == 0 || left[token] {
			t.Errorf("%v, %v: token %d is left over, which does not wait", l, mode, token)
		}
		left[token] = true
	}
	for token, n := range waiting {
		if n > 0 && !left[token] {
			t.Errorf("%v, %v: %d copies of %d never came", l, mode, n, token)
		}
	}
	if at, ok := c.Next(); ok {
		t.Errorf("%v, %v: cleared, there is something to come at %v", l, mode, at)
	}
}

// offer is the fate of a message that is handed to the channel.
func offer(c *impair.Channel, now des.Time, extra time.Duration, bits int, token uint32) *impair.Fate {
	fate := new(impair.Fate)
	c.Offer(fate, now, extra, bits, token)
	return fate
}

func serve(t interface{ Errorf(string, ...any) }, c *impair.Channel, now des.Time, waiting map[uint32]int) {
	served := 0
	for {
		token, k, ok := c.Serve(now)
		if !ok {
			break
		}
		served++
		waiting[token]--
		if waiting[token] < 0 || k.At != now {
			t.Errorf("%v: token %d comes too often, or at %v in place of %v", c.Line(), token, k.At, now)
		}
	}
	if next, ok := c.Next(); ok && served == 0 && next <= now {
		t.Errorf("%v: nothing was served at %v, but more is promised for %v", c.Line(), now, next)
	}
}

func TestPromises(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := parse(t, rapid.SampledFrom(lines).Draw(rt, "line"))
		mode := impair.Mode(rapid.IntRange(0, 1).Draw(rt, "mode"))
		keepsPromises(rt, l, mode, rapid.Uint64().Draw(rt, "seed"))
	})
}

// Under either mode the delays of an expression are drawn with the channel's own stream, as
// on a link without a line.
func TestDelaysComeFromTheStreamOfTheLink(t *testing.T) {
	for _, text := range []string{"1ms", "exp(1ms)", "uniform(0,2ms)", "normal(5ms,2ms)"} {
		l := parse(t, "delay "+text)
		d, err := des.ParseDistribution(text)
		if err != nil {
			t.Fatal(err)
		}
		for mode := range impair.Modes {
			stream := des.NewStream(7, "link", 1, 2)
			c := impair.RulesOf(l, impair.Mode(mode), false).NewChannel(stream, 0)
			for i := range des.Time(1000) {
				if got, want := offer(c, i, 0, 128, 0).Copies[0].At, i.Add(d.Sample(stream.Uint64())); got != want {
					t.Fatalf("%v: message %d arrives at %v; want %v", l, i, got, want)
				}
			}
		}
	}
}

// fates sends messages over a link, a millisecond apart.
func fates(l *impair.Line, mode impair.Mode, n int) []impair.Fate {
	c := impair.RulesOf(l, mode, false).NewChannel(des.NewStream(3, "link"), 0)
	list := make([]impair.Fate, n)
	for i := range list {
		list[i] = *offer(c, des.Time(i)*des.Time(ms), 0, 128, uint32(i))
	}
	return list
}

// A clause more does not change what the others do: the messages that arrive have the same
// delays, and the same messages are lost.
func TestFeaturesDoNotShiftEachOther(t *testing.T) {
	const n = 3000
	for _, delay := range []string{"delay exp(1ms)", "delay 5ms 2ms", "delay 5ms 2ms 60%", "delay 20ms 5ms 30% distribution pareto", "delay trace rtt.txt"} {
		alone := fates(parse(t, delay), impair.Exact, n)
		for _, other := range []string{"loss 10%", "loss gemodel 5% 20% 90% 1%", "corrupt 10% 20%", "loss state 5% 20% 10% 50% 1%", "loss time 30ms 10ms"} {
			for i, f := range fates(parse(t, delay+" "+other), impair.Exact, n) {
				if f.N == 1 && f.Copies[0].At != alone[i].Copies[0].At {
					t.Errorf("%s with %s: message %d arrives at %v; want %v", delay, other, i, f.Copies[0].At, alone[i].Copies[0].At)
					break
				}
			}
		}
		for i, f := range fates(parse(t, delay+" duplicate 30%"), impair.Exact, n) {
			if f.Copies[0].At != alone[i].Copies[0].At {
				t.Errorf("%s with duplicates: message %d arrives at %v; want %v", delay, i, f.Copies[0].At, alone[i].Copies[0].At)
				break
			}
		}
	}
	for _, loss := range []string{"loss 10%", "loss 10% 40%", "loss gemodel 5% 20%", "loss burst 5% 3", "loss time 30ms 10ms"} {
		for mode := range impair.Modes {
			alone := fates(parse(t, loss), impair.Mode(mode), n)
			for i, f := range fates(parse(t, loss+" delay 5ms 2ms 10% reorder 20% corrupt 5%"), impair.Mode(mode), n) {
				if f.N != alone[i].N {
					t.Errorf("%s and more, %s: message %d is lost or not, otherwise than without the rest", loss, impair.Modes[mode], i)
					break
				}
			}
		}
	}
}

func TestOfferDoesNotAllocate(t *testing.T) {
	for _, text := range lines {
		l := parse(t, text)
		for mode := range impair.Modes {
			c := impair.RulesOf(l, impair.Mode(mode), true).NewChannel(des.NewStream(1, "link"), 0)
			if c.Slotted() {
				continue
			}
			now, fate := des.Time(0), impair.Fate{}
			offer := func() {
				for range 100 {
					now += des.Time(ms)
					c.Offer(&fate, now, 0, 128, 0)
				}
			}
			offer() // a queue with a limit gets its room
			if n := testing.AllocsPerRun(20, offer); n > 0 {
				t.Errorf("%v, %s: %v allocations for a hundred messages", l, impair.Modes[mode], n)
			}
		}
	}
}

// sends offers messages at instants in milliseconds and returns the arrivals, -1 for a lost
// message.
func sends(l *impair.Line, mode impair.Mode, fifo bool, bits int, at ...float64) []float64 {
	c := impair.RulesOf(l, mode, fifo).NewChannel(des.NewStream(1, "link"), 0)
	var arrivals []float64
	for i, x := range at {
		f := offer(c, des.Time(x*1e6), 0, bits, uint32(i))
		if f.N == 0 {
			arrivals = append(arrivals, -1)
		}
		for _, k := range f.Copies[:f.N] {
			arrivals = append(arrivals, float64(k.At)/1e6)
		}
	}
	return arrivals
}

// A message of 1000 bytes takes 8 ms at 1 Mbit/s. Under Exact messages are transmitted one
// after another and then travel. Under Compat a message travels while it waits: 10 ms of
// waiting reduce the delay by 10 ms.
func TestRate(t *testing.T) {
	for _, c := range []struct {
		line string
		mode impair.Mode
		want []float64
	}{
		{"rate 1mbit", impair.Exact, []float64{8, 16, 24, 108}},
		{"rate 1mbit", impair.Compat, []float64{8, 16, 24, 108}},
		{"rate 1mbit delay 10ms", impair.Exact, []float64{18, 26, 34, 118}},
		{"rate 1mbit delay 10ms", impair.Compat, []float64{18, 26, 34, 118}},
		{"rate 1mbit delay 30ms", impair.Compat, []float64{38, 46, 54, 138}},
		{"rate 1mbit 250", impair.Exact, []float64{10, 20, 30, 110}},
		{"rate 1mbit -500", impair.Exact, []float64{4, 8, 12, 104}},
		{"rate 1mbit 0 300 13", impair.Exact, []float64{10.016, 20.032, 30.048, 110.016}}, // 4 cells of 313 bytes
		{"rate 1mbit limit 2", impair.Exact, []float64{8, 16, -1, 108}},
		{"rate 1mbit -1000", impair.Exact, []float64{0, 0, 0, 100}},
	} {
		if got := sends(parse(t, c.line), c.mode, false, 8000, 0, 0, 0, 100); !same(got, c.want) {
			t.Errorf("%s, %v: %v; want %v", c.line, c.mode, got, c.want)
		}
	}
	// A message that is sent when the link has half a message to go.
	if got := sends(parse(t, "rate 1mbit delay 2ms"), impair.Compat, false, 8000, 0, 6); !same(got, []float64{10, 18}) {
		t.Errorf("compat: %v", got) // waits for 4 ms, of which 2 count as its delay, and takes 8
	}
	if got := sends(parse(t, "rate 1mbit delay 2ms"), impair.Exact, false, 8000, 0, 6); !same(got, []float64{10, 18}) {
		t.Errorf("exact: %v", got) // waits for 2 ms, takes 8 and travels for 2
	}
}

func same(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i]-b[i] > 1e-9 || b[i]-a[i] > 1e-9 {
			return false
		}
	}
	return true
}

// With a gap of three and probability 1 each third message is early. It overtakes those
// before it, also on a link that keeps the order, and does not affect those after it.
func TestReorder(t *testing.T) {
	want := []float64{10, 11, 2, 13, 14, 5}
	for mode := range impair.Modes {
		for _, fifo := range []bool{false, true} {
			if got := sends(parse(t, "delay 10ms reorder 100% gap 3"), impair.Mode(mode), fifo, 128, 0, 1, 2, 3, 4, 5); !same(got, want) {
				t.Errorf("%s: %v; want %v", impair.Modes[mode], got, want)
			}
		}
	}
	if got := sends(parse(t, "delay 10ms reorder 100%"), impair.Exact, true, 128, 0, 1, 2); !same(got, []float64{0, 1, 2}) {
		t.Errorf("all early: %v", got)
	}
}

// A queue of two holds the messages that have not left. It drops further messages, and both
// copies of a duplicated one.
func TestLimit(t *testing.T) {
	if got := sends(parse(t, "delay 10ms limit 2"), impair.Exact, false, 128, 0, 1, 2, 10, 10, 11); !same(got, []float64{10, 11, -1, 20, -1, 21}) {
		t.Errorf("%v", got)
	}
	for mode := range impair.Modes {
		c := impair.RulesOf(parse(t, "delay 10ms limit 1 duplicate 100%"), impair.Mode(mode), false).NewChannel(des.NewStream(1, "link"), 0)
		first, second := *offer(c, 0, 0, 128, 0), *offer(c, 1, 0, 128, 1)
		// The second copy of the first finds the queue full; under Compat it is
		// ahead of the first, which has found room before.
		if first.N+first.Overflow != 2 || second.N != 0 || second.Lost != 2 || second.Overflow != 2 || !second.Duplicated {
			t.Errorf("%s: %+v, then %+v", impair.Modes[mode], first, second)
		}
	}
}

// Slots every 10 ms from the beginning, each for two messages.
func TestSlots(t *testing.T) {
	c := impair.RulesOf(parse(t, "slot 10ms packets 2"), impair.Exact, true).NewChannel(des.NewStream(1, "link"), 0)
	type delivery struct {
		at    des.Time
		token uint32
	}
	var got []delivery
	until := func(end des.Time) {
		for at, ok := c.Next(); ok && at <= end; at, ok = c.Next() {
			for token, k, ok := c.Serve(at); ok; token, k, ok = c.Serve(at) {
				got = append(got, delivery{k.At / des.Time(ms), token})
			}
		}
	}
	for i := range uint32(5) {
		if f := offer(c, 0, 0, 128, i); f.Queued != 1 {
			t.Fatalf("%+v", f)
		}
	}
	until(des.Time(25 * ms))
	offer(c, des.Time(42*ms), 0, 128, 5) // the slot of 20 ms has room, and lasts
	until(des.Time(time.Second))
	want := []delivery{{0, 0}, {0, 1}, {10, 2}, {10, 3}, {20, 4}, {52, 5}}
	if len(got) != len(want) {
		t.Fatalf("%v; want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("delivery %d is %v; want %v", i, got[i], want[i])
		}
	}
}

// An early message does not wait for a slot.
func TestEarlyMessagesDoNotWaitForSlots(t *testing.T) {
	c := impair.RulesOf(parse(t, "delay 1ms reorder 100% gap 2 slot 100ms packets 1"), impair.Compat, true).NewChannel(des.NewStream(1, "link"), 0)
	offer(c, 0, 0, 128, 0)
	offer(c, 5, 0, 128, 1)
	if at, ok := c.Next(); !ok || at != 5 {
		t.Errorf("next at %v", at)
	}
	if token, k, ok := c.Serve(5); !ok || token != 1 || !k.Overtook {
		t.Errorf("token %d, %+v", token, k)
	}
}

func TestExtraDelay(t *testing.T) {
	c := impair.RulesOf(parse(t, "delay 10ms"), impair.Exact, true).NewChannel(des.NewStream(1, "link"), 0)
	if at := offer(c, 0, 7*ms, 128, 0).Copies[0].At; at != des.Time(17*ms) {
		t.Errorf("with 7 ms more: %v", at)
	}
	if at := offer(c, 0, 0, 128, 1).Copies[0].At; at != des.Time(17*ms) {
		t.Errorf("behind it: %v", at)
	}
}

// No time overflows.
func TestTheEndOfTime(t *testing.T) {
	for _, text := range []string{"delay 12h 12h distribution pareto", "rate 8bit", "slot 12h packets 1 delay 12h", "rate 8bit delay 12h 12h distribution normal"} {
		for mode := range impair.Modes {
			c := impair.RulesOf(parse(t, text), impair.Mode(mode), true).NewChannel(des.NewStream(1, "link"), 0)
			for range 100 {
				now := des.MaxTime - 1
				f := offer(c, now, des.MaxDuration, 1<<31-1, 0)
				for _, k := range f.Copies[:f.N] {
					if k.At < now || k.At > des.MaxTime {
						t.Errorf("%s: sent at %v, it arrives at %v", text, now, k.At)
					}
				}
			}
		}
	}
}

func BenchmarkOffer(b *testing.B) {
	for _, text := range []string{
		"delay 1ms", "loss 1% delay 1ms 200us", "loss 1% 25% delay 1ms 200us 25%", "delay 20ms 5ms 50% distribution pareto",
		"loss gemodel 1% 10% delay 1ms 200us distribution normal duplicate 1% corrupt 1%", "loss time 1s 100ms", "rate 1mbit limit 100",
	} {
		for mode, name := range impair.Modes {
			b.Run(text+"/"+name, func(b *testing.B) {
				c := impair.RulesOf(parse(b, text), impair.Mode(mode), true).NewChannel(des.NewStream(1, "link"), 0)
				b.ReportAllocs()
				now, fate := des.Time(0), impair.Fate{}
				for b.Loop() {
					now += 10_000
					c.Offer(&fate, now, 0, 128, 0)
				}
			})
		}
	}
}

// A sweep parses the same line for each of its trials.
func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"delay 1ms", "wan loss 5%", "delay 20ms 5ms 25% distribution gamma loss burst 1% 4 duplicate 0.5% rate 1mbit limit 1000"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				parse(b, text)
			}
		})
	}
}

// A channel that draws from other streams keeps its state: fully correlated delays stay as they were
// drawn at first, and messages that wait for a slot leave in it.
func TestRenewKeepsTheState(t *testing.T) {
	delayOf := func(renew bool) (at []des.Time) {
		c := impair.RulesOf(parse(t, "delay 1ms 900us 100%"), impair.Exact, false).NewChannel(des.NewStream(1, "test"), 0)
		for range 4 {
			at = append(at, offer(c, 0, 0, 0, 0).Copies[0].At)
			if renew {
				c.Renew(des.NewStream(2, "other"))
			}
		}
		return at
	}
	if kept, plain := delayOf(true), delayOf(false); !slices.Equal(kept, plain) {
		t.Errorf("delays %v after new streams, %v without", kept, plain)
	}
	c := impair.RulesOf(parse(t, "slot 5ms 9ms"), impair.Exact, false).NewChannel(des.NewStream(1, "test"), 0)
	fate := *offer(c, 1, 0, 0, 42)
	next, _ := c.Next()
	c.Renew(des.NewStream(2, "other"))
	if same, ok := c.Next(); fate.Queued != 1 || !ok || same != next {
		t.Errorf("%d wait for a slot, the next one is %v, and %v after new streams", fate.Queued, next, same)
	}
	if token, _, ok := c.Serve(next); !ok || token != 42 {
		t.Errorf("message %d leaves, %v; want 42", token, ok)
	}
}

// A network has a channel for each link over which a message goes. What such a message touches
// of it, if the line has a delay and losses, is in one line of the processor's cache.
func TestChannelIsSmall(t *testing.T) {
	const cacheLine = 64
	channel := reflect.TypeFor[impair.Channel]()
	if size := channel.Size(); size > 3*cacheLine {
		t.Errorf("a channel takes %d bytes, more than three lines of a cache", size)
	}
	for _, name := range []string{"rules", "losses", "floor", "latest"} {
		field, _ := channel.FieldByName(name)
		if end := field.Offset + field.Type.Size(); end > cacheLine {
			t.Errorf("%s ends at byte %d", name, end)
		}
	}
	first, _ := channel.FieldByName("first")
	for _, name := range []string{"delay", "loss"} {
		stream, _ := first.Type.FieldByName(name)
		if end := first.Offset + stream.Offset + stream.Type.Size(); end > cacheLine {
			t.Errorf("the stream of %s ends at byte %d", name, end)
		}
	}
}
