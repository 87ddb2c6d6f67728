package faults_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/links"
)

const (
	ms    = time.Millisecond
	delay = ms // of every link
)

// world is a minimal target: messages take a millisecond, and a test says what the
// processes do.
type world struct {
	told     []string // of the injector
	t        fatal
	injector *faults.Injector
	now      des.Time
	queue    []event
	added    int
	happened uint64 // events
	dead     []bool
	held     []event
	calls    map[uint64][]uint32 // InterveneAfter, by event
	log      []string
	sent     int // messages, to tell them apart
}

type event struct {
	at     des.Time
	class  des.Class
	number int
	handle func()
}

const processes = 5

// fatal is a test, drawn by rapid or not.
type fatal interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// newWorld returns a world of five processes with the plan installed.
func newWorld(t fatal, plan faults.Plan, seed uint64) *world {
	t.Helper()
	if err := plan.Check(processes, words); err != nil {
		t.Fatal(err)
	}
	plan, err := plan.DrawLinks(netem.Complete(processes), seed)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dead: make([]bool, processes), calls: map[uint64][]uint32{}}
	w.injector = faults.NewInjector(plan, w, faults.Env{
		Seed: seed, N: processes, Kinds: words.Kinds,
		Identity: func(p protocols.ID) int64 { return 10 + int64(p) },
		Tell:     func(e faults.Event) { w.told = append(w.told, e.String()) },
	})
	w.injector.Install()
	return w
}

func (w *world) at(t des.Time, c des.Class, handle func()) {
	if t < w.now {
		w.t.Fatalf("something is planned for %v at %v", t, w.now)
	}
	w.added++
	w.queue = append(w.queue, event{t, c, w.added, handle})
}

func (w *world) say(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf("%v ", w.now)+fmt.Sprintf(format, args...))
}

func (w *world) run() {
	for len(w.queue) > 0 {
		w.run1()
	}
}

// run1 lets the next event take place.
func (w *world) run1() {
	next := slices.MinFunc(w.queue, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.class, b.class), cmp.Compare(a.number, b.number))
	})
	w.queue = slices.DeleteFunc(w.queue, func(e event) bool { return e.number == next.number })
	w.now = next.at
	next.handle()
	w.happened++
	for _, token := range w.calls[w.happened] {
		w.InterveneAt(w.now, token)
	}
}

func (w *world) Now() des.Time             { return w.now }
func (w *world) Alive(p protocols.ID) bool { return !w.dead[p] }

func (w *world) CrashAt(p protocols.ID, t des.Time) {
	w.at(t, des.Fault, func() { w.crash(p) })
}

func (w *world) crash(p protocols.ID) {
	if !w.dead[p] {
		w.dead[p] = true
		w.say("crash %d", p)
	}
}

func (w *world) RestartAt(p protocols.ID, t des.Time) {
	w.at(t, des.Fault, func() {
		if w.dead[p] {
			w.dead[p] = false
			w.say("restart %d", p)
		}
	})
}

func (w *world) StartAt(p protocols.ID, t des.Time) {
	w.at(t, des.Fault, func() {
		if !w.dead[p] {
			w.say("start %d", p)
		}
	})
}

func (w *world) InterveneAt(t des.Time, token uint32) {
	w.at(t, des.Fault, func() { w.injector.Due(token) })
}

func (w *world) InterveneAfter(events uint64, token uint32) {
	w.calls[events] = append(w.calls[events], token)
}

func (w *world) ReleaseAt(t des.Time) {
	w.at(t, des.Fault, func() {
		held := w.held
		w.held = nil
		for _, e := range held {
			class := e.class
			if class == des.Delivery {
				class = des.Fault // before other messages of this instant
			}
			w.at(w.now, class, e.handle)
		}
	})
}

func (w *world) SetLine(set links.Set, line string) { w.say("line %v %q", set, line) }

func (w *world) ChangeLinks(set links.Set, t des.Time, up bool) {
	w.say("links %v up %v at %v", set, up, t)
}

func (w *world) AdjustClock(p protocols.ID, step time.Duration, drift int64) {
	w.say("clock %d %v %d", p, step, drift)
}

// message is one to be sent.
type message struct {
	to   protocols.ID
	kind int
}

// steps makes a process take a step at t because of a timer.
func (w *world) steps(who protocols.ID, t des.Time, sends ...message) {
	var expires func()
	expires = func() {
		if w.dead[who] {
			return
		}
		if wait := w.injector.Expires(who); wait < 0 {
			w.held = append(w.held, event{class: des.Timeout, handle: expires})
			return
		}
		w.say("step %d", who)
		w.step(who, -1, sends)
	}
	w.at(t, des.Timeout, expires)
}

// step sends the messages of a process's step.
func (w *world) step(who protocols.ID, handled int, sends []message) {
	w.injector.Steps(who, handled)
	crashed := false
	for i, m := range sends {
		leaves, crash := w.injector.Leaves(who, m.to, m.kind)
		if crash {
			crashed = true
			if leaves {
				i++
			}
			sends = sends[:i]
			break
		}
	}
	for _, m := range sends {
		w.send(who, m)
	}
	if crashed {
		w.crash(who)
	}
}

func (w *world) send(from protocols.ID, m message) {
	w.sent++
	name := fmt.Sprintf("%d->%d %s#%d", from, m.to, words.Kinds[m.kind][:1], w.sent)
	copies, late, forge := w.injector.Sent(from, m.to, m.kind)
	if copies == 0 {
		w.say("lost %s", name)
	}
	if forge != nil {
		name += fmt.Sprintf(" as %d,%d", forge(10+int64(from)), forge(99))
	}
	if after, carried := w.injector.Carries(); carried {
		w.at(w.now.Add(after), des.Delivery, w.arrival(name, from, m, true))
		return
	}
	for range copies {
		w.at(w.now.Add(delay+late), des.Delivery, w.arrival(name, from, m, false))
	}
}

func (w *world) arrival(name string, from protocols.ID, m message, carried bool) func() {
	var arrive func()
	arrive = func() {
		if w.dead[m.to] {
			w.say("dead %s", name)
			return
		}
		wait, lost := w.injector.Arrives(m.to, from, m.kind)
		if carried {
			wait, lost = w.injector.Expires(m.to), false
		}
		switch {
		case lost:
			w.say("cut %s", name)
		case wait < 0:
			w.held = append(w.held, event{class: des.Delivery, handle: arrive})
		default:
			w.say("got %s", name)
			w.step(m.to, m.kind, nil)
		}
	}
	return arrive
}

// wants compares the log.
func (w *world) wants(want string) {
	w.t.Helper()
	if got := strings.Join(w.log, "\n"); got != strings.TrimSpace(want) {
		w.t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(want))
	}
}
