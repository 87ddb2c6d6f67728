package catalog_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// timerNames is a tracer that collects the names of timers.
type timerNames map[protocols.Timer]map[string]bool

func (names timerNames) Record(r netem.Record) {
	if r.What == "timeout" {
		if names[r.Timer] == nil {
			names[r.Timer] = map[string]bool{}
		}
		names[r.Timer][r.Name] = true
	}
}

// Each timer of each algorithm, and of what stands below it, has one name.
func TestTimersHaveNames(t *testing.T) {
	var worker trial.Worker
	known := map[string]bool{}
	for _, a := range registry.All() {
		names := timerNames{}
		for _, s := range settingsWithTimers(a) {
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			worker.Run(t.Context(), in, func(*trial.Traced) netem.Tracer { return names })
		}
		for label, called := range names {
			for name := range called {
				known[name] = true
			}
			if called[""] || len(called) != 1 {
				t.Errorf("%s: timer %d has the names %q", a.Name, label, slices.Collect(maps.Keys(called)))
			}
		}
	}
	for _, name := range []string{
		"run", "reaction", "poll", "watchdog", "election", "beat", "watch", "end of round", "woken", "hold", "arrive", "depart", "retry",
		"next item", "next payment", "begin", "next round", "wait", "tick", "held", "look", "contest run", "silence of 0", "retry to 0",
	} {
		if !known[name] {
			t.Errorf("no timer %q expired", name)
		}
	}
}

// A field of a process prints in words, if it is an integer that is not a number.
func TestStatesHaveNames(t *testing.T) {
	var worker trial.Worker
	walked, named := map[reflect.Type]bool{}, 0
	for _, a := range registry.All() {
		for _, s := range settingsWithTimers(a) {
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			var run *trial.Traced
			worker.Run(t.Context(), in, func(r *trial.Traced) netem.Tracer {
				run = r
				return catalogtest.Forgetful{}
			})
			walk(reflect.ValueOf(run.Process(0)), walked)
		}
	}
	ours := strings.TrimSuffix(reflect.TypeFor[netem.Record]().PkgPath(), "netem")
	numbers := []string{"protocols.ID", "protocols.Timer", "election.Identity", "ghs.place"}
	for typ := range walked {
		if !reflect.Zero(typ).CanInt() && !reflect.Zero(typ).CanUint() || !strings.HasPrefix(typ.PkgPath(), ours) || slices.Contains(numbers, typ.String()) {
			continue
		}
		named++
		if text := fmt.Sprint(reflect.Zero(typ)); text == "0" {
			t.Errorf("0 of %v prints as %q", typ, text)
		}
	}
	if named < 13 {
		t.Errorf("%d types with names; where are they?", named)
	}
}

// walk notes the types of a value and of its parts. It does not go into what has a String
// method.
func walk(v reflect.Value, walked map[reflect.Type]bool) {
	if !v.IsValid() || walked[v.Type()] && v.Kind() != reflect.Interface {
		return
	}
	walked[v.Type()] = true
	if v.Kind() != reflect.Interface && v.Type().Implements(reflect.TypeFor[fmt.Stringer]()) {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		walk(v.Elem(), walked)
	case reflect.Pointer:
		if v.IsNil() {
			v = reflect.New(v.Type().Elem())
		}
		walk(v.Elem(), walked)
	case reflect.Slice, reflect.Array:
		if v.Len() > 0 {
			walk(v.Index(0), walked)
		}
		walk(reflect.Zero(v.Type().Elem()), walked)
	case reflect.Map:
		walk(reflect.Zero(v.Type().Key()), walked)
		walk(reflect.Zero(v.Type().Elem()), walked)
	case reflect.Struct:
		for _, field := range v.Fields() {
			walk(field, walked)
		}
	}
}

// settingsWithTimers are settings of an algorithm in which its timers expire.
func settingsWithTimers(a *trial.Algorithm) (all []trial.Setting) {
	var params []string
	for _, p := range a.Params {
		switch p.Name {
		case "requests", "items", "rounds":
			params = append(params, p.Name+"=2")
		case "wait", "busy":
			params = append(params, p.Name+"=1ms")
		case "think", "pause", "interval":
			params = append(params, p.Name+"=3ms")
		}
	}
	words := []string{""}
	for _, group := range a.Variants {
		words = append(words, group[1:]...)
	}
	for _, word := range words {
		for seed := range uint64(3) {
			s := trial.Setting{
				Algorithm: a.Name, Variant: word, N: 5, Param: strings.Join(params, ","), Placement: "random", Delay: "uniform(0,2ms)", Processing: "1ms", Seed: seed,
				Fault: "at 1ms crash 4; at 40ms restart 4", MaxEvents: 500, OutsideModel: true,
			}
			below := s
			below.Transport, below.Detector, below.Link, below.Unordered = "reliable(5ms,2)", "heartbeat(10ms,25ms)", "loss 20%", true
			all = append(all, s, below)
		}
	}
	return all
}

// Elections have timers and read no clock, not even their own: their declarations do not say that
// they do, so a process that did would panic.
func TestElectionsReadNoClock(t *testing.T) {
	clocks := map[string]bool{}
	for _, a := range registry.All() {
		for _, d := range a.Declarations() {
			clocks[a.Family] = clocks[a.Family] || d.Clock
		}
	}
	if clocks["election"] || !clocks["clocksync"] || len(clocks) < 5 {
		t.Errorf("families whose processes read clocks: %v", clocks)
	}
}
