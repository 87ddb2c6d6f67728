package mutex_test

import (
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

const ms = time.Millisecond

// diary tells a checker what clients do.
type diary struct {
	*mutex.Checker
	usage []mutex.Usage
}

func newDiary(n int, p mutex.Promise) *diary {
	d := &diary{mutex.NewChecker(n, p), make([]mutex.Usage, n)}
	d.Measure()
	return d
}

func (d *diary) asks(p protocols.ID, now time.Duration) {
	d.usage[p].Arrived++
	d.usage[p].Asked++
	d.Stepped(p, d.usage[p], now)
}

func (d *diary) enters(p protocols.ID, now time.Duration) {
	d.usage[p].Entered++
	d.Stepped(p, d.usage[p], now)
}

func (d *diary) leaves(p protocols.ID, now time.Duration) {
	d.usage[p].Left++
	d.Stepped(p, d.usage[p], now)
}

func TestVerdicts(t *testing.T) {
	const holds, violated, undecided = protocols.Holds, protocols.Violated, protocols.Undecided
	for _, c := range []struct {
		name     string
		promise  mutex.Promise
		happens  func(d *diary)
		me1, me2 protocols.Verdict
		inside   int
	}{
		{"nobody asks", mutex.Promise{}, func(*diary) {}, holds, holds, 0},
		{"one after the other", mutex.Promise{}, func(d *diary) {
			d.asks(0, 0)
			d.asks(1, 0)
			d.enters(0, ms)
			d.leaves(0, 2*ms)
			d.enters(1, 2*ms)
			d.leaves(1, 3*ms)
		}, holds, holds, 1},
		{"two at once", mutex.Promise{}, func(d *diary) {
			d.asks(0, 0)
			d.asks(1, 0)
			d.enters(0, ms)
			d.enters(1, 2*ms)
			d.leaves(0, 3*ms)
			d.leaves(1, 3*ms)
		}, violated, holds, 2},
		{"one starves", mutex.Promise{}, func(d *diary) { d.asks(0, 0); d.asks(1, 0); d.enters(1, ms); d.leaves(1, ms) }, holds, violated, 1},
		{"one starves behind a crash", mutex.Promise{}, func(d *diary) { d.asks(0, 0); d.Crashed(1, ms) }, holds, undecided, 0},
		{"one starves behind a crash that should be survived", mutex.Promise{Tolerant: true}, func(d *diary) { d.asks(0, 0); d.Crashed(1, ms) }, holds, violated, 0},
		{"the dead do not starve", mutex.Promise{}, func(d *diary) { d.asks(0, 0); d.Crashed(0, ms) }, holds, holds, 0},
		{"the dead are not inside", mutex.Promise{}, func(d *diary) {
			d.asks(0, 0)
			d.asks(1, 0)
			d.enters(0, ms)
			d.Crashed(0, 2*ms)
			d.enters(1, 3*ms)
			d.leaves(1, 3*ms)
		}, holds, holds, 1},
		{"who is back wants nothing", mutex.Promise{}, func(d *diary) {
			d.asks(0, 0)
			d.Crashed(0, ms)
			d.usage[0] = mutex.Usage{}
			d.Restarted(0, d.usage[0])
			d.asks(0, 2*ms)
			d.enters(0, 3*ms)
			d.leaves(0, 4*ms)
		}, holds, holds, 1},
	} {
		d := newDiary(2, c.promise)
		c.happens(d)
		checks := d.Checks(true)
		if len(checks) != 2 || checks[0].Verdict != c.me1 || checks[1].Verdict != c.me2 || d.MostInside() != c.inside {
			t.Errorf("%s: %+v, at most %d inside; want %v, %v and %d", c.name, checks, d.MostInside(), c.me1, c.me2, c.inside)
		}
	}
}

// The request of 1 knows of that of 0: it may not be granted first.
func TestOrder(t *testing.T) {
	for k := range 4 {
		first, promised := protocols.ID(k%2), k < 2
		d := newDiary(2, mutex.Promise{Ordered: promised})
		d.Follow()
		d.Asked(0, 1, mutex.Vector{1, 0})
		d.asks(0, 0)
		d.Asked(1, 1, mutex.Vector{1, 1})
		d.asks(1, ms)
		for _, p := range []protocols.ID{first, 1 - first} {
			d.enters(p, 2*ms)
			d.leaves(p, 2*ms)
		}
		want := protocols.Holds
		switch {
		case first == 1 && promised:
			want = protocols.Violated
		case first == 1:
			want = protocols.NotPromised
		}
		if got := d.Checks(true)[2]; got.Name != "ME3" || got.Verdict != want {
			t.Errorf("%d first, promised %v: %+v, want %v", first, promised, got, want)
		}
	}
}

func TestService(t *testing.T) {
	d := newDiary(3, mutex.Promise{})
	d.asks(0, 0)
	d.asks(1, 0)
	d.enters(0, 2*ms) // waited 2
	d.leaves(0, 5*ms) // 1 waits
	d.enters(1, 6*ms) // waited 6, handed over in 1
	d.leaves(1, 7*ms) // no process waits
	d.asks(0, 9*ms)
	d.enters(0, 13*ms) // waited 4
	d.leaves(0, 14*ms)
	s := d.Service()
	// The means of the two clients are 3 and 6: (3+6)^2 / (2 (9+36)) = 0.9.
	if s.Count != 3 || s.Delay != 4*ms || s.Longest != 6*ms || s.Handover != ms || s.Handovers != 1 || s.Last != 14*ms || s.Fairness != 0.9 {
		t.Errorf("%+v", s)
	}
	if want := []mutex.Entry{{0, 2 * ms}, {1, 6 * ms}, {0, 13 * ms}}; len(s.Entries) != 3 || s.Entries[0] != want[0] || s.Entries[1] != want[1] || s.Entries[2] != want[2] {
		t.Errorf("entries %v, want %v", s.Entries, want)
	}
}

// A crash inside ends the stay: the handover to the next counts from there.
func TestServiceAfterACrash(t *testing.T) {
	d := newDiary(2, mutex.Promise{})
	d.asks(0, 0)
	d.asks(1, 0)
	d.enters(0, 0)
	d.Crashed(0, 3*ms)
	d.enters(1, 5*ms)
	if s := d.Service(); s.Handover != 2*ms || s.Handovers != 1 || s.Last != 3*ms {
		t.Errorf("%+v", s)
	}
}

// A stay may end at the beginning of time, and be handed over.
func TestServiceFromTheBeginning(t *testing.T) {
	d := newDiary(2, mutex.Promise{})
	d.asks(0, 0)
	d.asks(1, 0)
	d.enters(0, 0)
	d.leaves(0, 0)
	d.enters(1, 4*ms)
	if s := d.Service(); s.Handover != 4*ms || s.Handovers != 1 {
		t.Errorf("%+v", s)
	}
}

// A request of the dead is not waited for: its process begins anew.
func TestServiceOfWhoIsBack(t *testing.T) {
	d := newDiary(1, mutex.Promise{})
	d.asks(0, 0)
	d.Crashed(0, ms)
	d.usage[0] = mutex.Usage{}
	d.Restarted(0, d.usage[0])
	d.asks(0, 5*ms)
	d.enters(0, 7*ms)
	if s := d.Service(); s.Delay != 2*ms || s.Longest != 2*ms {
		t.Errorf("%+v", s)
	}
}

// Fairness is Jain's index of the mean delays of the clients, however often each was
// served: of 1 and 3 it is (1+3)^2 / (2 (1+9)) = 0.8.
func TestFairnessIsOfMeans(t *testing.T) {
	d := newDiary(2, mutex.Promise{})
	for k := range 3 {
		now := time.Duration(10*k) * ms
		d.asks(0, now)
		d.enters(0, now+ms)
		d.leaves(0, now+ms)
	}
	d.asks(1, 0)
	d.enters(1, 3*ms)
	if s := d.Service(); s.Fairness != 0.8 {
		t.Errorf("%+v", s)
	}
}

func TestServed(t *testing.T) {
	d := newDiary(2, mutex.Promise{})
	for _, c := range []struct {
		step func(protocols.ID, time.Duration)
		want bool
	}{{func(protocols.ID, time.Duration) {}, true}, {d.asks, false}, {d.enters, false}, {d.leaves, true}} {
		c.step(0, ms)
		if d.Served() != c.want {
			t.Errorf("%+v: served is %v", d.usage, d.Served())
		}
	}
}

// Where ME1 broke and where ME3 broke are two places.
func TestWhereItBroke(t *testing.T) {
	d := newDiary(3, mutex.Promise{Ordered: true})
	d.Follow()
	d.Asked(0, 1, mutex.Vector{1, 0, 0})
	d.asks(0, 0)
	d.Asked(1, 1, mutex.Vector{1, 1, 0})
	d.asks(1, 0)
	d.Asked(2, 1, mutex.Vector{0, 0, 1})
	d.asks(2, 0)
	d.enters(1, ms)   // before 0
	d.enters(2, 2*ms) // while 1 is inside
	checks := d.Checks(true)
	if got := checks[2].Broke; got == nil || *got != (protocols.Step{Process: 1, At: ms, Change: 4}) {
		t.Errorf("ME3 broke at %+v", got)
	}
	if got := checks[0].Broke; got == nil || *got != (protocols.Step{Process: 2, At: 2 * ms, Change: 5}) {
		t.Errorf("ME1 broke at %+v", got)
	}
}

func TestSoManyEntriesAreKept(t *testing.T) {
	d := newDiary(1, mutex.Promise{})
	for range mutex.MaxEntries + 5 {
		d.asks(0, 0)
		d.enters(0, 0)
		d.leaves(0, 0)
	}
	if s := d.Service(); len(s.Entries) != mutex.MaxEntries || s.Count != mutex.MaxEntries+5 {
		t.Errorf("%d entries are kept of %d", len(s.Entries), s.Count)
	}
}

func TestWhoStarves(t *testing.T) {
	d := newDiary(3, mutex.Promise{})
	for _, c := range []struct {
		asks protocols.ID
		want string
	}{{1, "deadlock: process 1 waits for ever"}, {0, "deadlock: process 0 and 1 more wait for ever"}} {
		d.asks(c.asks, 0)
		if got := d.Checks(true)[1]; got.Detail != c.want {
			t.Errorf("%q, want %q", got.Detail, c.want)
		}
	}
}

// A client that goes back is a mistake of the program.
func TestNoClientGoesBack(t *testing.T) {
	for _, u := range []mutex.Usage{{}, {Arrived: 1}, {Arrived: 1, Asked: 1}} {
		d := newDiary(1, mutex.Promise{})
		d.asks(0, 0)
		d.enters(0, 0)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("from an entry to %+v", u)
				}
			}()
			d.Stepped(0, u, ms)
		}()
	}
}

func TestNews(t *testing.T) {
	for _, c := range []struct {
		before, now mutex.Usage
		want        string
	}{
		{mutex.Usage{}, mutex.Usage{}, ""},
		{mutex.Usage{}, mutex.Usage{Arrived: 1, Asked: 1}, "asks"},
		{mutex.Usage{Arrived: 1, Asked: 1}, mutex.Usage{Arrived: 2, Asked: 1}, "has another request"},
		{mutex.Usage{Arrived: 1, Asked: 1}, mutex.Usage{Arrived: 1, Asked: 1, Entered: 1}, "enters"},
		{mutex.Usage{Arrived: 1, Asked: 1, Entered: 1}, mutex.Usage{Arrived: 2, Asked: 2, Entered: 2, Left: 1}, "leaves, asks, enters"},
	} {
		if got := mutex.News(c.before, c.now); got != c.want {
			t.Errorf("from %+v to %+v: %q, want %q", c.before, c.now, got, c.want)
		}
	}
}
