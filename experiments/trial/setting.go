package trial

import "bullring/experiments/trial/setting"

// Setting decides a trial, as text and numbers. Its conditions are listed in
// [setting.Conditions].
type Setting = setting.Setting

// Schedule is a run, step by step, as text.
type Schedule = setting.Schedule

// Properties are properties of a user's own, as text.
type Properties = setting.Properties

// DefaultDelay is the default delay of a link.
const DefaultDelay = setting.DefaultDelay

// Limits of a trial.
const (
	MaxN              = 1<<24 - 1     // processes: the addresses of netem
	DefaultMaxEvents  = 1_000_000_000 // ends a trial that would never end
	defaultMaxPending = 50_000_000    // messages under way, at some 60 bytes each: about 3 GB
	programMaxPending = 4_000_000     // messages of programs under way, each with a text
)
