package view

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
)

// explorationReport is an Exploration as JSON.
type explorationReport struct {
	Format    format `json:"format"`
	Algorithm string `json:"algorithm"`
	Variant   string `json:"variant"`
	N         int    `json:"n"`
	Node      string `json:"node,omitempty"` // this and asked are those of a program

	States         *uint64                     `json:"states"` // null of runs that were drawn
	Transitions    uint64                      `json:"transitions"`
	Depth          int                         `json:"depth"`
	Rests          uint64                      `json:"rests"`
	AtLimit        uint64                      `json:"at_limit"` // states before a limit of timeouts or rounds
	Complete       bool                        `json:"complete"`
	Stopped        *string                     `json:"stopped"`
	Growths        []growthReport              `json:"growths,omitempty"` // what rises along a run, if the search was cut off
	Reduced        bool                        `json:"reduced"`
	Fair           bool                        `json:"fair"`   // runs that put a step off for ever are left out
	Chance         bool                        `json:"chance"` // runs with draws that repeat for ever are left out
	Sampled        *sampledReport              `json:"sampled"`
	Supertrace     *explore.Bitstate           `json:"supertrace"`
	Safety         bool                        `json:"safety"`
	Endless        bool                        `json:"endless"` // runs without an end may violate something, and none was looked for: of safety
	OnDisk         *explore.OnDisk             `json:"on_disk"` // null of a search in memory
	Properties     list[propertyReport]        `json:"properties"`
	Counterexample *counterexampleReport       `json:"counterexample"`
	Others         list[*counterexampleReport] `json:"others,omitempty"` // counterexamples besides the first
	View           *string                     `json:"view"`             // the command that shows it as a page
	Asked          *askedReport                `json:"asked,omitempty"`

	Placement    string                 `json:"placement"`
	IDs          []election.Identity    `json:"ids"` // null for every placement
	Attributes   []float64              `json:"attributes"`
	Initiators   string                 `json:"initiators"`
	Dead         list[protocols.ID]     `json:"dead"`
	Instances    int                    `json:"instances"`
	Topology     string                 `json:"topology"`
	FIFO         bool                   `json:"fifo"`
	Detector     string                 `json:"detector"`
	Timers       timers                 `json:"timers"`
	Grain        *int                   `json:"grain"` // null if timers are free
	AssumedDelay string                 `json:"assume"`
	Processing   string                 `json:"processing"`
	Losses       int                    `json:"loss"`
	Duplicates   int                    `json:"duplicate"`
	Crashes      int                    `json:"crash"`
	Restarts     int                    `json:"restart"`
	LinkChanges  int                    `json:"link_changes"`
	Down         list[string]           `json:"down"` // links that are down at first
	Notice       word[explore.Notice]   `json:"notice"`
	Liars        int                    `json:"liars"`
	Timeouts     *int                   `json:"timeouts"` // this and the next are null without a limit
	Rounds       *int                   `json:"rounds"`
	Strategy     word[explore.Strategy] `json:"strategy"`
	Full         bool                   `json:"full"`
	MaxStates    *uint64                `json:"max_states"`
	MaxMemory    *uint64                `json:"max_memory"` // in bytes; null of runs that were drawn
	Seed         uint64                 `json:"seed"`
	Epoch        int                    `json:"epoch"`
	OutsideModel list[string]           `json:"outside_model"`
}

// askedReport counts the questions to a program.
type askedReport struct {
	Questions uint64 `json:"questions"`
	Again     uint64 `json:"again"`
}

// timers is trial.FreeTimers or trial.BoundedTimers.
type timers string

type propertyReport struct {
	Name    string             `json:"name"`
	Kind    word[explore.Kind] `json:"kind"`
	Verdict protocols.Verdict  `json:"verdict"`
	Says    string             `json:"says"`
	Excused uint64             `json:"excused"`
	Runs    *int               `json:"runs,omitempty"` // that came to a state in which it holds, of a sometimes in runs that were drawn
}

type sampledReport struct {
	Runs     int    `json:"runs"`
	Cut      int    `json:"cut"`
	MaxRuns  int    `json:"max_runs"`
	MaxSteps int    `json:"max_steps"`
	Changes  *int   `json:"changes"` // this and the two below are null unless the strategy is PCT
	Threads  *int   `json:"threads"`
	Longest  *int   `json:"longest"`
	Bound    number `json:"bound"`
}

type counterexampleReport struct {
	Property    string                  `json:"property"`
	N           int                     `json:"n"` // smaller than the explored n if the counterexample was shrunk
	IDs         list[election.Identity] `json:"ids"`
	Initiators  list[protocols.ID]      `json:"initiators"`
	Steps       list[string]            `json:"steps"`
	Cycle       int                     `json:"cycle"` // number of steps at the end that repeat for ever
	Panicked    *string                 `json:"panicked"`
	Outcome     trial.Outcome           `json:"outcome"`
	Leaders     *int                    `json:"leaders,omitempty"` // at the same time, at most; of elections
	Checks      list[protocols.Check]   `json:"checks"`
	Explanation *becauseReport          `json:"explanation"` // null if there is none
	// Schedule has the steps in the form of a case.
	Schedule    trial.Schedule `json:"schedule"`
	Fingerprint hash           `json:"fingerprint"`
}

func newExplored(e *search.Exploration, found *Counterexample, others []*Counterexample, page string) explorationReport {
	s, in, b, o := &e.Search.Setting, e.Instances[0], &e.Search.Budget, &e.Search.Options
	x := explorationReport{
		Format: jsonFormat, Algorithm: in.Setting.Algorithm, Variant: in.Setting.Variant, N: in.N, Node: in.Setting.Node, Asked: (*askedReport)(e.Asked),
		Transitions: e.Transitions, Depth: e.Depth, Rests: e.Rests, AtLimit: e.Cut, Complete: e.Complete, Reduced: e.Reduced, Fair: e.Fair, Chance: e.Chance,
		Sampled: newSampledReport(e), Supertrace: e.Bitstate, Safety: o.Safety, Endless: e.Endless, OnDisk: e.OnDisk, Counterexample: newCounterexampleReport(found), View: orNull(page),
		Placement: in.Setting.Placement, Attributes: attributesOf(in), Initiators: plain(in.Setting.Initiators), Dead: in.Dead, Instances: len(e.Instances),
		Topology: in.Setting.Topology, FIFO: in.FIFO, Detector: in.Setting.Detector,
		Timers: timers(e.Search.Timers), AssumedDelay: in.Assumed.String(), Processing: in.Processing.String(),
		Losses: b.Losses, Duplicates: b.Duplicates, Crashes: b.Crashes, Restarts: b.Restarts, LinkChanges: b.LinkChanges, Notice: wordOf(e.Search.Notice), Liars: e.Search.Liars,
		Strategy: wordOf(o.Strategy), Full: e.Search.Full, Seed: s.Seed, Epoch: netem.Epoch, OutsideModel: e.Outside,
	}
	if s.Placement == search.Every {
		x.Placement = search.Every
	} else {
		x.IDs = identitiesOf(in)
	}
	if s.Initiators == search.Every {
		x.Initiators = search.Every
	}
	if e.Search.Timers == trial.BoundedTimers {
		x.Grain = &e.Search.Grain
	}
	if !o.Strategy.DrawsRuns() {
		x.States, x.MaxMemory = &e.States, &o.MaxMemory
	}
	if o.MaxStates > 0 {
		x.MaxStates = &o.MaxStates
	}
	if k := &e.Search.Limits; k.Timeouts > 0 {
		x.Timeouts = &k.Timeouts
	}
	if k := &e.Search.Limits; k.Rounds > 0 {
		x.Rounds = &k.Rounds
	}
	if e.Stopped != nil {
		x.Stopped = orNull(e.Stopped.Error())
	}
	for _, g := range e.Growths {
		x.Growths = append(x.Growths, growthReport(g))
	}
	for _, k := range e.Search.Down {
		x.Down = append(x.Down, k.String())
	}
	for i, p := range e.Properties {
		report := propertyReport{Name: p.Name, Kind: wordOf(p.Kind), Verdict: p.Verdict, Says: p.Says, Excused: p.Excused}
		if p.Kind == explore.Sometimes && o.Strategy.DrawsRuns() {
			report.Runs = &e.Sampled.Held[i]
		}
		x.Properties = append(x.Properties, report)
	}
	for _, other := range others {
		x.Others = append(x.Others, newCounterexampleReport(other))
	}
	return x
}

// growthReport is a number that rises along a run of so many steps.
type growthReport struct {
	What  string `json:"what"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Steps int    `json:"steps"`
}

func newSampledReport(e *search.Exploration) *sampledReport {
	o, s := &e.Search.Options, &e.Sampled
	if !o.Strategy.DrawsRuns() {
		return nil
	}
	x := &sampledReport{Runs: s.Runs, Cut: s.Cut, MaxRuns: o.Runs, MaxSteps: o.MaxSteps, Bound: number(s.Bound)}
	if o.Strategy == explore.PCT {
		x.Changes, x.Threads, x.Longest = &o.Changes, &s.Threads, &s.MaxSteps
	}
	return x
}

func newCounterexampleReport(found *Counterexample) *counterexampleReport {
	if found == nil {
		return nil
	}
	in, r := found.Of.Instances[found.Root], found.Result
	x := &counterexampleReport{
		Property: found.Of.Properties[found.Property].Name, N: in.N, IDs: identitiesOf(in), Initiators: in.Initiators.List(), Cycle: found.Cycle, Panicked: orNull(found.Panicked),
		Outcome: r.Outcome, Checks: r.Checks, Explanation: found.Because.report(), Schedule: r.Instance.Setting.Schedule, Fingerprint: fingerprint(r),
	}
	if isElection(r) {
		x.Leaders = new(leadersOf(r))
	}
	for _, s := range found.Steps {
		x.Steps = append(x.Steps, s.String())
	}
	return x
}
