package faults_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
)

func TestShrink(t *testing.T) {
	has := func(p faults.Plan, k faults.Kind, and func(faults.Fault) bool) bool {
		return slices.ContainsFunc(p, func(f faults.Fault) bool { return f.Kind == k && and(f) })
	}
	for _, c := range []struct {
		plan  string
		fails func(faults.Plan) bool
		want  string
	}{
		{
			"at 1ms crash 0; at 5.123ms crash 3 for 7ms; pause 2; at 8ms restart 3; heal",
			func(p faults.Plan) bool {
				return has(p, faults.Crash, func(f faults.Fault) bool { return f.Process == 3 && f.When.At >= 5e6 })
			},
			"at 5ms crash 3",
		},
		{
			"drop 17th ELECTION from 4 to 5 with 12.34% for 3ms; at 12.345ms pause 1 for 1.234567ms; cut 0->1 flapping 1ms 2ms",
			func(p faults.Plan) bool {
				return has(p, faults.Drop, func(f faults.Fault) bool { return f.From == 4 && f.Count >= 7 && f.With > 0 }) &&
					has(p, faults.Pause, func(f faults.Fault) bool { return f.For > 1200*1000 }) &&
					has(p, faults.Cut, func(faults.Fault) bool { return true })
			},
			"drop 7th message from 4 with 50%; pause 1 for 1.23ms; cut 0->1",
		},
		{
			"at 2ms crash 1 after 5 sends of ANSWER; crash 2",
			func(p faults.Plan) bool { return has(p, faults.Crash, func(f faults.Fault) bool { return f.Amid }) },
			"crash 1 after 1 send",
		},
		{
			"when 3rd leader crash leader; clock 2 drift -123.456ppm",
			func(p faults.Plan) bool { return len(p) == 2 && p[1].Drift < -110_000 },
			"when leader crash leader; clock 2 drift -120ppm",
		},
		{"crash 1; crash 2", func(faults.Plan) bool { return true }, ""},
		{"crash 1; crash 2", func(faults.Plan) bool { return false }, "crash 1; crash 2"},
	} {
		if got := faults.Shrink(mustParse(t, c.plan), c.fails); got.String() != c.want {
			t.Errorf("%q shrinks to %q; want %q", c.plan, got, c.want)
		}
	}
}

// TestShrinkIsMinimal: the result fails, but not without one of its faults nor with one
// made simpler, whatever the failure depends on.
func TestShrinkIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := drawPlan(t, canonical)
		salt := rapid.Uint64().Draw(t, "salt")
		// This failure is not monotone: it is a hash of the words.
		fails := func(p faults.Plan) bool { return p.String() == plan.String() || hash(p.String(), salt)%3 == 0 }
		asked := map[string]bool{}
		small := faults.Shrink(plan, func(p faults.Plan) bool {
			if asked[p.String()] {
				t.Errorf("asked twice about %q", p)
			}
			asked[p.String()] = true
			return fails(p)
		})
		if !fails(small) {
			t.Errorf("%q does not fail", small)
		}
		for i := range small {
			if rest := slices.Delete(slices.Clone(small), i, i+1); fails(rest) {
				t.Errorf("%q fails without %q", small, small[i])
			}
			for _, f := range faults.Simpler(small[i]) {
				simpler := slices.Clone(small)
				simpler[i] = f
				if fails(simpler) {
					t.Errorf("%q fails with %q", small, f)
				}
			}
		}
	})
}

func hash(text string, salt uint64) uint64 {
	h := salt
	for _, b := range []byte(text) {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	return h ^ h>>32
}

// TestSimpler: one step at a time, the simplest first, and each number with fewer digits.
func TestSimpler(t *testing.T) {
	for text, want := range map[string]string{
		"at 12.345ms pause 1":                      "pause 1; at 10ms pause 1; at 12ms pause 1; at 12.3ms pause 1; at 12.34ms pause 1",
		"pause 1 for 100ns":                        "pause 1",
		"pause 1 for 1.05us":                       "pause 1; pause 1 for 1µs",
		"clock 2 drift -105ppm":                    "clock 2 drift -100ppm",
		"clock 2 drift -10.5ppm":                   "clock 2 drift -10ppm",
		"cut 0->1 flapping 1ms 2ms":                "cut 0->1",
		"drop 9th ANSWER from 4 to 5":              "drop 9th message from 4 to 5; drop 9th ANSWER to 5; drop 9th ANSWER from 4; drop 1st ANSWER from 4 to 5; drop 4th ANSWER from 4 to 5; drop 8th ANSWER from 4 to 5",
		"delay ANSWER from 4 to 5 by 1ms":          "delay every message from 4 to 5 by 1ms; delay every ANSWER to 5 by 1ms; delay every ANSWER from 4 by 1ms",
		"drop message with 10%":                    "drop every message; drop every message with 50%",
		"at 1ms crash 1 after 2 sends":             "crash 1 after 2 sends; at 1ms crash 1; at 1ms crash 1 after 1 send",
		"when 3rd leader crash leader":             "when leader crash leader; when 2nd leader crash leader",
		"carry 2nd A from 4 to 5 in 1.5ms":         "carry 2nd message from 4 to 5 in 1.5ms; carry 2nd A to 5 in 1.5ms; carry 2nd A from 4 in 1.5ms; carry 2nd A from 4 to 5 in 1ms; carry 1st A from 4 to 5 in 1.5ms",
		"never at 12.5ms crash 1 after 2 sends":    "",
		"random failures mttf 1s mttr 1s until 1s": "",
	} {
		simpler := faults.Plan(faults.Simpler(mustParse(t, text)[0]))
		if got := simpler.String(); got != want {
			t.Errorf("simpler than %q is\n\t%q, want\n\t%q", text, got, want)
		}
	}
}

// TestSimplerFaultsAreFaults: a simpler fault prints and parses, differs, and a chain of
// simpler faults ends.
func TestSimplerFaultsAreFaults(t *testing.T) {
	for _, f := range mustParse(t, strings.Join(canonical, ";")) {
		steps := 0
		for chain := f; ; steps++ {
			simpler := faults.Simpler(chain)
			for _, g := range simpler {
				if again, err := faults.Parse(g.String()); err != nil || again.String() != g.String() || g.String() == chain.String() {
					t.Errorf("simpler than %q: %q, which reads as %v, %v", chain, g, again, err)
				}
			}
			if len(simpler) == 0 {
				break
			}
			chain = simpler[len(simpler)-1] // the longest way
		}
		if steps > 200 {
			t.Errorf("%q becomes simpler %d times", f, steps)
		}
	}
}

// TestShrinkFindsTheLink leaves one link of those that a share has drawn.
func TestShrinkFindsTheLink(t *testing.T) {
	drawn, err := mustParse(t, "at 1ms cut 40% of * for 5ms").DrawLinks(netem.Complete(7), 3)
	if err != nil {
		t.Fatal(err)
	}
	has := func(from, to protocols.ID) func(faults.Plan) bool {
		return func(p faults.Plan) bool { return len(p) == 1 && p[0].Links.Has(from, to) }
	}
	found := 0
	for from := range protocols.ID(7) {
		for to := range protocols.ID(7) {
			if from == to || !has(from, to)(drawn) {
				continue
			}
			found++
			want := fmt.Sprintf("cut %d->%d", from, to)
			if got := faults.Shrink(drawn, has(from, to)).String(); got != want {
				t.Errorf("%q shrinks to %q; want %q", drawn, got, want)
			}
		}
	}
	if found != 17 { // of 42
		t.Errorf("%d links were drawn", found)
	}
}
