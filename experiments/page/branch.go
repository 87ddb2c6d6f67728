package page

import "bullring/experiments"

// branch says whether a schedule can repeat the run up to an event. A schedule can lose
// messages, duplicate them, and crash and restart processes; it has no clocks, and messages
// arrive as they were sent.
func branch(in *experiments.Instance) Branch {
	does := in.Drawn.Effects()
	for _, no := range []struct {
		given bool
		what  string
	}{
		{in.Transport != nil, "reliable link"},
		{in.Detector != nil, "failure detector that sends heartbeats"},
		{does.Pauses, "process that pauses"},
		{does.Clocks, "clock that is off"},
		{does.Lies, "process that lies"},
		{does.Starts, "process that starts later"},
	} {
		if no.given {
			return Branch{Refused: "a run that follows a schedule has no " + no.what}
		}
	}
	s := in.Setting
	s.Fault, s.Link, s.LinkMode, s.Delta, s.GST, s.Schedule, s.OutsideModel = "", "", "", "", "", "", true
	b := Branch{Timers: "timers " + experiments.FreeTimers, Case: &Case{s}}
	for _, p := range in.Dead {
		b.Dead = append(b.Dead, int(p))
	}
	return b
}
