package broadcast_test

import (
	"fmt"
	"slices"
	"testing"

	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/causal"
	"bullring/protocols/broadcast/eager"
	"bullring/protocols/broadcast/fifo"
	"bullring/protocols/broadcast/internal/broadcasttest"
	"bullring/protocols/broadcast/lazy"
	"bullring/protocols/broadcast/uniform"
	"bullring/protocols/workload"
)

// Any broadcast runs over any other. A layer that passes on what others broadcast multiplies the
// messages of those below it.
func TestAnyOverAny(t *testing.T) {
	const n = 3
	layers := map[string]func() broadcast.Layer{
		"besteffort": func() broadcast.Layer { return besteffort.New() },
		"eager":      func() broadcast.Layer { return eager.New() },
		"lazy":       func() broadcast.Layer { return lazy.New() },
		"majority":   func() broadcast.Layer { return uniform.New(uniform.Config{Majority: true}) },
		"allack":     func() broadcast.Layer { return uniform.New(uniform.Config{Period: broadcasttest.Unit}) },
		"fifo":       func() broadcast.Layer { return fifo.New(n) },
		"causal":     func() broadcast.Layer { return causal.New(causal.Config{Processes: n}) },
	}
	factor := map[string]int{"lazy": 1, "fifo": 1, "causal": 1, "eager": n, "majority": n, "allack": n}
	for top, a := range factor {
		for middle, b := range factor {
			o := broadcasttest.Group{
				N: n, Initiators: n, Work: workload.Work{Requests: 2, Reactions: 1},
				Layers: func() []broadcast.Layer {
					return []broadcast.Layer{layers[top](), layers[middle](), layers["besteffort"]()}
				},
			}.Run(t)
			const items = n*2 + n
			for p, all := range o.Delivered {
				slices.SortFunc(all, func(i, j broadcast.Item) int { return int(i.Origin-j.Origin)*items + i.Number - j.Number })
				if got := fmt.Sprint(slices.Compact(all)); got != "[0.1 0.2 0.3 1.1 1.2 1.3 2.1 2.2 2.3]" || len(all) != items {
					t.Errorf("%s over %s: process %d delivers %s", top, middle, p, got)
				}
			}
			// Those that the highest layer began, those that it passed on, and those of the layer below.
			want := []int{items * (n - 1), items * (n - 1) * (a*b - 1), 0, 0}
			if a > 1 {
				want[0], want[1] = items*(n-1)*a, items*(n-1)*a*(b-1)
			}
			if !slices.Equal(o.Sent, want) {
				t.Errorf("%s over %s: %v messages, want %v", top, middle, o.Sent, want)
			}
		}
	}
}

// said is a process that says something.
type said struct {
	broadcasts []int
	delivered  []broadcast.Item
}

func (s said) Broadcasts() []int { return s.broadcasts }

func (s said) Delivered() []broadcast.Item { return s.delivered }

// items reads items: "0.1 2.1".
func items(all ...string) (read []broadcast.Item) {
	for _, text := range all {
		var i broadcast.Item
		if _, err := fmt.Sscanf(text, "%d.%d=%d", &i.Origin, &i.Number, &i.Value); err != nil && i.Number == 0 {
			panic(text)
		}
		read = append(read, i)
	}
	return read
}

// What breaks a check, and nothing else does.
func TestChecker(t *testing.T) {
	all := broadcast.Promise{Agreement: true, Uniform: true, FIFO: true, Causal: true}
	one := said{[]int{0}, items("0.1")}
	for _, c := range []struct {
		name    string
		says    []said // by process; they speak in this order
		crashed []protocols.ID
		lies    []protocols.ID
		want    []string
	}{
		{"all is well", []said{one, {nil, items("0.1")}, {nil, items("0.1")}}, nil, nil, nil},
		{"not delivered", []said{one, {nil, items("0.1")}, {}}, nil, nil, []string{"validity", "agreement", "uniform agreement"}},
		{"the origin crashed", []said{one, {nil, items("0.1")}, {}}, []protocols.ID{0}, nil, []string{"agreement", "uniform agreement"}},
		{"all that have it crashed", []said{one, {nil, items("0.1")}, {}}, []protocols.ID{0, 1}, nil, []string{"uniform agreement"}},
		{"the one without it crashed", []said{one, {nil, items("0.1")}, {}}, []protocols.ID{2}, nil, nil},
		{"twice", []said{one, {nil, items("0.1", "0.1")}, {nil, items("0.1")}}, nil, nil, []string{"no duplication"}},
		{"never broadcast", []said{one, {nil, items("0.1", "2.1")}, {nil, items("0.1")}}, nil, nil, []string{"no creation"}},
		{"of nobody", []said{one, {nil, items("0.1", "7.1")}, {nil, items("0.1")}}, nil, nil, []string{"no creation"}},
		{"another value", []said{one, {nil, items("0.1=1")}, {nil, items("0.1")}}, nil, nil, []string{"validity", "no creation", "agreement", "uniform agreement"}},
		{"out of turn", []said{{[]int{0, 1}, items("0.1", "0.2")}, {nil, items("0.2", "0.1")}, {nil, items("0.1", "0.2")}}, nil, nil, []string{"FIFO order", "causal order"}},
		{"the answer first", []said{one, {[]int{1}, items("0.1", "1.1")}, {nil, items("1.1", "0.1")}, {nil, items("0.1", "1.1")}}, nil, nil, []string{"validity", "causal order", "agreement", "uniform agreement"}},
		{"no answer", []said{{[]int{0}, items("0.1", "1.1")}, {[]int{0}, items("1.1", "0.1")}, {nil, items("1.1", "0.1")}}, nil, nil, []string{"no creation", "validity", "agreement", "uniform agreement"}},
		{"two values of a liar", []said{{}, {nil, items("0.1=1")}, {nil, items("0.1=2")}}, nil, []protocols.ID{0}, []string{"agreement", "uniform agreement"}},
		{"one value of a liar", []said{{}, {nil, items("0.1=1")}, {nil, items("0.1=1")}}, nil, []protocols.ID{0}, nil},
		{"a liar says anything", []said{{nil, items("2.1", "2.1")}, {}, {}}, nil, []protocols.ID{0}, nil},
	} {
		lies := make([]bool, len(c.says))
		for _, p := range c.lies {
			lies[p] = true
		}
		checker := broadcast.NewChecker(lies, all)
		for p, s := range c.says {
			checker.Stepped(protocols.ID(p), s, 0)
		}
		for p, s := range c.says { // what others said later
			checker.Stepped(protocols.ID(p), s, 0)
		}
		for _, p := range c.crashed {
			checker.Crashed(p, 0)
		}
		var broken []string
		for _, check := range checker.Checks(true) {
			if check.Verdict != protocols.Holds {
				broken = append(broken, check.Name)
			}
		}
		slices.Sort(broken)
		slices.Sort(c.want)
		if !slices.Equal(broken, c.want) {
			t.Errorf("%s: %q, want %q", c.name, broken, c.want)
		}
		if checker.Safe() && checker.Complete() != (len(c.want) == 0) {
			t.Errorf("%s: complete is %v", c.name, checker.Complete())
		}
	}
}

// An item of a Byzantine process is delivered, and nobody knows how long that took.
func TestDeliveries(t *testing.T) {
	checker := broadcast.NewChecker([]bool{true, false}, broadcast.Promise{})
	checker.Stepped(1, said{nil, items("0.1=1")}, 5)
	if _, _, timed := checker.Delay(); checker.Deliveries() != 1 || timed {
		t.Errorf("%d deliveries, their delay is known: %v", checker.Deliveries(), timed)
	}
	checker.Stepped(1, said{[]int{1}, items("0.1=1", "1.1")}, 7)
	if mean, longest, timed := checker.Delay(); checker.Deliveries() != 2 || mean != 0 || longest != 0 || !timed {
		t.Errorf("%d deliveries after %v, at most %v, known: %v", checker.Deliveries(), mean, longest, timed)
	}
}

func TestMessage(t *testing.T) {
	h := broadcast.Header{By: 2, After: []int{0, 3, 0}}
	d := broadcast.Data{Item: broadcast.Item{Origin: 2, Number: 1}}.Pushed(h)
	if d.String() != "2.1 after 0,3,0" || d.Bits() != 64*(3+1+3) {
		t.Errorf("%v, %d bits", d, d.Bits())
	}
	other := d.Pushed(broadcast.Header{By: 1, Number: 4})
	if other.String() != "2.1 by 2 after 0,3,0 by 1 as 4" || other.Bits() != 64*(3+1+3+2) || other.Key() == d.Key() {
		t.Errorf("%v, key %v", other, other.Key())
	}
	if by, inner := other.Popped(); by.By != 1 || inner.String() != d.String() || inner.Key() != d.Key() {
		t.Errorf("%v, %v", by, inner)
	}
}

// Where validity is left to chance, an item need not reach all; the other checks are as before.
func TestChance(t *testing.T) {
	for _, c := range []struct {
		promise broadcast.Promise
		says    []said
		want    string
	}{
		{broadcast.Promise{}, []said{{[]int{0}, items("0.1")}, {}}, "[validity]"},
		{broadcast.Promise{Chance: true}, []said{{[]int{0}, items("0.1")}, {}}, "[]"},
		{broadcast.Promise{Chance: true}, []said{{[]int{0}, items("0.1", "0.1")}, {nil, items("1.1")}}, "[no duplication no creation]"},
		{broadcast.Promise{Chance: true}.And(broadcast.Promise{Agreement: true}), []said{{[]int{0}, items("0.1")}, {}}, "[agreement]"},
	} {
		checker := broadcast.NewChecker(make([]bool, len(c.says)), c.promise)
		for p, s := range c.says {
			checker.Stepped(protocols.ID(p), s, 0)
		}
		broken := []string{}
		for _, check := range checker.Checks(true) {
			if check.Verdict != protocols.Holds {
				broken = append(broken, check.Name)
			}
		}
		if got := fmt.Sprint(broken); got != c.want || checker.Safe() && checker.Complete() != (c.want == "[]") {
			t.Errorf("%+v: %s, want %s", c.promise, got, c.want)
		}
	}
}
