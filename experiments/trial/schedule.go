package trial

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// Script is the parsed schedule of an instance. Without a schedule it is nil, and its methods
// say so.
type Script struct {
	timers string
	grain  int
	steps  []explore.Step
	budget explore.Budget // the faults of the steps
	clocks bool           // processes act as in a run: they have clocks, and the steps say what these show
	late   bool           // a fault starts a process: one that is no initiator, or has started
	more   bool           // a fault starts a process that is no initiator
	goesOn bool           // after its steps, until rest
	down   []netem.Link   // at first
	notice explore.Notice // of links that change
}

// GoOn is the last line of a schedule whose run goes on to its end.
const GoOn = "go on"

// readSchedule reads the schedule of a setting.
func (in *Instance) readSchedule(s *Setting) error {
	if s.Schedule == "" {
		return nil
	}
	lines := strings.Split(string(s.Schedule), "\n")
	sc, err := readHead(lines[0])
	if err != nil {
		return err
	}
	lines = lines[1:]
	if last := len(lines) - 1; last >= 0 && lines[last] == GoOn {
		sc.goesOn, lines = true, lines[:last]
	}
	started := map[protocols.ID]bool{}
	for i, line := range lines {
		step, err := explore.ParseStep(line)
		if err != nil {
			return fmt.Errorf("schedule, line %d: %w", i+2, err)
		}
		sc.steps = append(sc.steps, step)
		sc.spend(step)
		if step.What == explore.Start {
			sc.more = sc.more || !in.Initiators.Has(step.Who)
			sc.late = sc.late || sc.more || started[step.Who]
			started[step.Who] = true
		}
	}
	in.Script = sc
	for _, k := range sc.down {
		if !netem.HasLink(in.Topology, k) {
			return fmt.Errorf("schedule: the link %v is down at first, and topology %s has no such link", k, in.Topology)
		}
	}
	if what := in.unplayed(); what != "" {
		return fmt.Errorf("a run that follows a schedule has no %s", what)
	}
	sc.clocks = sc.clocks || in.Detector != nil // which looks at them, once a heartbeat has come
	if sc.timers == BoundedTimers && in.Assumed%time.Duration(sc.grain) != 0 {
		return fmt.Errorf("schedule: %d steps of time do not divide the bound on delay, %v", sc.grain, in.Assumed)
	}
	if sc.timers == BoundedTimers || !sc.clocks {
		in.SetTick(sc.timers, sc.grain)
	}
	return nil
}

// The words of the first line of a schedule, after that about timers.
const (
	restartsWord = "restarts"   // crashed processes may come back
	clocksWord   = "clocks"     // processes have clocks, as in a run
	noticeWord   = "notice any" // processes are told of their links at any later time
	downWord     = "down "      // and links: they are down at first
)

// readHead reads the first line of a schedule.
func readHead(line string) (*Script, error) {
	words := strings.Split(line, ", ")
	sc := &Script{}
	grain, bounded := strings.CutPrefix(words[0], "timers "+BoundedTimers+" ")
	k, err := strconv.Atoi(grain)
	switch {
	case words[0] == "timers "+FreeTimers:
		sc.timers = FreeTimers
	case bounded && err == nil && k > 0:
		sc.timers, sc.grain = BoundedTimers, k
	default:
		words = append(words, "")
	}
	for _, word := range words[1:] {
		list, down := strings.CutPrefix(word, downWord)
		var err error
		switch {
		case word == restartsWord:
			sc.budget.Restarts = 1
		case word == clocksWord:
			sc.clocks = true
		case word == noticeWord:
			sc.notice = explore.AnyNotice
		case down:
			sc.down, err = explore.ParseLinks(list)
		default:
			err = errors.New("it says 'timers free' or 'timers bounded K', and may go on with ', restarts', ', clocks', ', notice any' and ', down P-Q ...'")
		}
		if err != nil {
			return nil, fmt.Errorf("schedule: its first line is %q; %w", line, err)
		}
	}
	return sc, nil
}

// spend adds the faults of a step to the budget.
func (sc *Script) spend(s explore.Step) {
	b := &sc.budget
	switch s.What {
	case explore.Lose:
		b.Losses++
	case explore.Duplicate:
		b.Duplicates++
	case explore.Crash:
		b.Crashes++
	case explore.Restart:
		b.Restarts++
	case explore.Up, explore.Down:
		b.LinkChanges++
	}
	if s.Sends >= 0 {
		b.Crashes++
	}
}

// Timeless reports whether the instance follows a schedule with free timers. Instants are
// then the numbers of its steps.
func (sc *Script) Timeless() bool { return sc != nil && sc.timers == FreeTimers }

// ReadsClocks reports whether the instance follows a schedule that says what clocks show. Its
// delays are those of the run that was recorded, whatever the setting says.
func (sc *Script) ReadsClocks() bool { return sc != nil && sc.clocks }

// Steps is the length of the instance's schedule, 0 without one.
func (sc *Script) Steps() int {
	if sc == nil {
		return 0
	}
	return len(sc.steps)
}

// undisturbed reports whether no step is a fault, and none starts a process late.
func (sc *Script) undisturbed() bool {
	return sc == nil || sc.budget == explore.Budget{} && !sc.late && len(sc.down) == 0
}
