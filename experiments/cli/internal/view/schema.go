package view

import (
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"time"

	"bullring/experiments/campaign/grade"
	"bullring/experiments/campaign/judge"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/real/foreign"
	"bullring/experiments/show/export"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/jsonschema"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/netem/impair"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/conduct"
)

// printer is a command with --json, and the types of what it prints: one of them.
type printer struct {
	command string
	types   []any
}

// printers are all commands with --json.
func printers() []printer {
	return []printer{
		{"run", []any{runReport{}}},
		{"why", []any{whyReport{}, insteadReport{}}},
		{"live", []any{liveRunReport{}, comparisonReport{}}},
		{"explore", []any{explorationReport{}}},
		{"check", []any{conductReport{}}},
		{"criticality", []any{criticalityReport{}, repairsReport{}}},
		{"worst", []any{worstReport{}}},
		{"rare", []any{rareReport{}}},
		{"conjecture", []any{conjectureReport{}}},
		{"hunt", []any{huntReport{}}},
		{"judge", []any{judgementReport{}}},
		{"shrink", []any{shrunkReport{}}},
		{"link", []any{linkReport{}, list[impair.Preset]{}, outsideReport{}}},
		{"list", []any{list[declaration]{}}},
		{"status", []any{list[sweep.Status]{}}},
		{"replay", []any{replayedReport{}}},
		{"verify", []any{verifyReport{}, verifiedRunsReport{}}},
		{"grade", []any{grade.Grades{}}},
	}
}

// Trace is the name of the schema of a line of run --trace --json.
const Trace = "trace"

// Schemas are the names of the schemas: Trace, and the commands with --json.
func Schemas() []string {
	names := []string{Trace}
	for _, p := range printers() {
		names = append(names, p.command)
	}
	return names
}

// WriteSchema writes the JSON Schema of a name. The registry decides the words of outcomes.
func WriteSchema(w io.Writer, r *trial.Registry, name string) error {
	types, title := []any{export.Event{}}, "A line of what bullring run --trace --json writes to standard error"
	for _, p := range printers() {
		if p.command == name {
			types, title = p.types, "What bullring "+name+" --json prints"
		}
	}
	var shown []reflect.Type
	for _, t := range types {
		shown = append(shown, reflect.TypeOf(t))
	}
	of := jsonschema.Reflector{Shapes: shapes(r)}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // "<=" stays as it is
	e.SetIndent("", "  ")
	return e.Encode(of.Document("urn:bullring:"+name, title, shown...))
}

// shapes are the schemas of types that have a few values, or write themselves.
func shapes(r *trial.Registry) map[reflect.Type]*jsonschema.Schema {
	all := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[format]():         {Const: jsonFormat},
		reflect.TypeFor[repairStrike]():   {Const: repair},
		reflect.TypeFor[hash]():           {Type: "string", Pattern: "^[0-9a-f]{16}$"},
		reflect.TypeFor[time.Time]():      {Type: "string", Format: "date-time"},
		reflect.TypeFor[impair.Number]():  jsonschema.Nullable(&jsonschema.Schema{Type: "number"}),
		reflect.TypeFor[trial.Schedule](): jsonschema.Nullable(&jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}),
	}
	for t, words := range words(r) {
		all[t] = jsonschema.Words(words...)
	}
	return all
}

// words are the words of types that have a few.
func words(r *trial.Registry) map[reflect.Type][]string {
	return map[reflect.Type][]string{
		reflect.TypeFor[export.What]():            export.Whats,
		reflect.TypeFor[trial.Outcome]():          texts(outcomesOf(r)...),
		reflect.TypeFor[trial.Effect]():           texts(r.Effects()...),
		reflect.TypeFor[trial.Relation]():         trial.Relations,
		reflect.TypeFor[protocols.Verdict]():      protocols.Verdicts,
		reflect.TypeFor[conduct.Rule]():           texts(conduct.Deterministic, conduct.Immutable, conduct.Separate, conduct.Momentary),
		reflect.TypeFor[grade.Verdict]():          grade.Verdicts,
		reflect.TypeFor[verify.Answer]():          texts(verify.Same, verify.NotCompared, verify.Differs),
		reflect.TypeFor[sweep.State]():            texts(sweep.Complete, sweep.UnderWay, sweep.Stopped, sweep.Begun, sweep.Missing),
		reflect.TypeFor[judge.Verdict]():          texts(judge.Verdicts...),
		reflect.TypeFor[judge.Stage]():            texts(judge.Stages...),
		reflect.TypeFor[judge.Result]():           texts(judge.Results...),
		reflect.TypeFor[timers]():                 {trial.FreeTimers, trial.BoundedTimers},
		reflect.TypeFor[unit]():                   units,
		reflect.TypeFor[word[netem.End]]():        netem.Ends,
		reflect.TypeFor[word[live.End]]():         live.Ends,
		reflect.TypeFor[word[explore.Kind]]():     unique(explore.Kinds),
		reflect.TypeFor[word[explore.Strategy]](): explore.Strategies,
		reflect.TypeFor[word[search.Strike]]():    search.Strikes,
		reflect.TypeFor[word[reason.Effect]]():    reason.Effects,
		reflect.TypeFor[word[reason.Class]]():     reason.Classes,
		reflect.TypeFor[word[impair.Mode]]():      impair.Modes,
	}
}

// outcomesOf are those of all algorithms, and that of a run that waited in vain for a program.
func outcomesOf(r *trial.Registry) []trial.Outcome {
	all := []trial.Outcome{trial.Inconclusive}
	for _, a := range slices.Concat(r.All(), new(foreign.Nodes).Bare()) {
		all = append(all, a.Outcomes...)
	}
	return unique(all)
}

// texts are words as texts.
func texts[T ~string](words ...T) (all []string) {
	for _, w := range words {
		all = append(all, string(w))
	}
	return all
}

// unique are the elements of a list in order, each once.
func unique[T comparable](list []T) (all []T) {
	for _, x := range list {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}
