package trial

import (
	"cmp"
	"fmt"
	"time"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/links"
)

// Faults are the part of an instance that says what fails during the run.
type Faults struct {
	Plan  faults.Plan // as given; without Dead
	Drawn faults.Plan // Plan with every random fault and share of links drawn
	Off   []bool      // faults of Drawn that never begin, by index; nil for none
}

// readFaults reads the faults of a setting.
func readFaults(in *Instance, s *Setting) (err error) {
	if in.Plan, err = faults.Parse(s.Fault); err != nil {
		return err
	}
	s.Fault = in.Plan.String()
	words := faults.Words{Kinds: in.Algorithm.Kinds, Line: func(text string) error { _, err := in.parseLine(text); return err }, Forgeable: in.Algorithm.forgeable, Strategies: in.Algorithm.strategies()}
	if err := in.Plan.Check(in.N, words); err != nil {
		return err
	}
	if err := checkAired(in); err != nil {
		return err
	}
	if in.Plan.Carries() {
		if err := CanAlter(in); err != nil {
			return err
		}
	}
	return drawFaults(in, s)
}

// CanAlter says why messages of the instance cannot be carried, nor have a netem.Alteration; nil if
// they can.
func CanAlter(in *Instance) error {
	if in.Medium != nil {
		return fmt.Errorf("medium %q: a message that meets others in the air cannot be carried or altered: what becomes of it depends on all that are sent", in.Medium)
	}
	if in.linksDo((*impair.Line).Slotted) {
		return fmt.Errorf("link %q: a message that waits for a slot cannot be carried or altered: when it leaves depends on all that wait", LinksText(in.Lines))
	}
	for _, f := range in.Plan {
		if f.Kind != faults.Link {
			continue
		}
		if line, err := in.parseLine(f.Line); err != nil || line.Slotted() {
			return cmp.Or(err, fmt.Errorf("fault %q: a message that waits for a slot cannot be carried or altered: when it leaves depends on all that wait", f))
		}
	}
	return nil
}

// drawFaults draws the random faults of the plan, and shares of links.
func drawFaults(in *Instance, s *Setting) error {
	if len(in.Plan) == 0 {
		return nil
	}
	plan, err := in.Plan.DrawLinks(in.Topology, s.Seed)
	if err != nil {
		return err
	}
	in.Drawn = plan.Expand(in.N, in.Algorithm.Kinds, in.Initiators.List(), s.Seed)
	return nil
}

// oppose installs the faults of an instance. It returns nil if they are only crashes at
// known instants: these need no injector during the run.
func oppose(in *Instance, run Opposed, install func(netem.Adversary), note func(text string)) *faults.Injector {
	env := faults.Env{
		Seed: in.Setting.Seed, N: in.N, Kinds: in.Algorithm.Kinds, Off: in.Off,
		Identity: func(p protocols.ID) int64 { return int64(in.Ranks.At(p).ID) },
	}
	if note != nil {
		env.Tell = func(e faults.Event) {
			if text := in.eventText(e); text != "" {
				note(text)
			}
		}
	}
	injector := faults.NewInjector(in.Drawn, target{run, in, map[string]*impair.Line{}}, env)
	injector.Install()
	if in.Drawn.Simple() {
		return nil
	}
	install(injector)
	return injector
}

// Opposed is a run on which a plan of faults acts: a faults.Target that takes parsed lines.
type Opposed interface {
	Now() des.Time
	Alive(p protocols.ID) bool
	CrashAt(p protocols.ID, t des.Time)
	RestartAt(p protocols.ID, t des.Time)
	StartAt(p protocols.ID, t des.Time)
	InterveneAt(t des.Time, token uint32)
	InterveneAfter(events uint64, token uint32)
	ReleaseAt(t des.Time)
	SetLine(set links.Set, line *impair.Line)
	AdjustClock(p protocols.ID, step time.Duration, drift int64)
	Observe(o netem.Observer)
}

// StackAndFaults returns the processes of an instance as Stack does, and what installs its faults
// on a run of them by another driver than the network. That returns what carries them out; nil if
// nothing has to. If a fault has to know the leader, the judge of the instance observes the run.
func StackAndFaults(in *Instance) (boot func(protocols.ID) protocols.Process[box.Message], install func(Opposed) netem.Adversary) {
	w := newWatch(in, in.Algorithm.family, in.Algorithm.judge(in, true), nil)
	boot = in.Algorithm.stack(in, &w.view, w.made)
	return boot, func(run Opposed) (a netem.Adversary) {
		w.view.run = attended{run}
		w.view.faults = oppose(in, run, func(injector netem.Adversary) { a = injector }, nil)
		if in.Drawn.AsksForLeader() {
			for _, p := range in.Dead {
				w.judge.Crashed(p, 0)
			}
			run.Observe(w.observer())
		}
		return a
	}
}

// attended is a run whose judge tells faults who leads. What else the judge finds is not used.
type attended struct{ Opposed }

// Depth implements running.
func (attended) Depth(protocols.ID) uint32 { return 0 }

// Reading implements running.
func (a attended) Reading(protocols.ID) time.Duration { return time.Duration(a.Now()) }

// UnderWay implements running.
func (attended) UnderWay(int) int { return 0 }

// Stop implements running.
func (attended) Stop() {}

// eventText describes an event of a fault for a trace, or returns "" if the trace shows it anyway.
func (f *Faults) eventText(e faults.Event) string {
	text := f.Drawn[e.Fault].String()
	switch e.What {
	case faults.Began:
		return text
	case faults.Ended:
		if f.Drawn[e.Fault].Amid {
			return ""
		}
		return "the end of: " + text
	}
	return fmt.Sprintf("%v %d->%d: %s", e.What, e.From, e.To, text)
}

// target implements faults.Target for a run.
type target struct {
	Opposed
	in    *Instance
	lines map[string]*impair.Line // parsed lines by text, so that the same text is the same line
}

// ChangeLinks implements faults.Target. Only networks change links: live runs refuse such plans.
func (t target) ChangeLinks(set links.Set, at des.Time, up bool) {
	t.Opposed.(interface {
		ChangeLinks(set links.Set, at des.Time, up bool)
	}).ChangeLinks(set, at, up)
}

// SetLine implements faults.Target. The text was checked before the run.
func (t target) SetLine(set links.Set, text string) {
	if text == "" {
		t.Opposed.SetLine(set, nil)
		return
	}
	line, known := t.lines[text]
	if !known {
		var err error
		if line, err = t.in.parseLine(text); err != nil {
			panic(err) // it was checked
		}
		t.lines[text] = line
	}
	t.Opposed.SetLine(set, line)
}
