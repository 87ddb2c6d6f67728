package spec_test

import (
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/internal/suggest"
)

func ExampleParse() {
	s, err := spec.Parse("sweep.yaml", []byte(`
name: lcr
replicates: 30
algorithms: [lcr, {algorithm: bully, dead: last}]
axes:
  n: {from: 2, to: 4, factor: 2}
`), spec.Checker{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Trials(), "trials")
	for _, c := range s.Cells() {
		fmt.Println(c.Algorithm, c.Key())
	}
	// Output:
	// 120 trials
	// lcr n=2 placement=increasing initiators= dead=none topology= delay=1ms fifo=true fault=
	// lcr n=4 placement=increasing initiators= dead=none topology= delay=1ms fifo=true fault=
	// bully n=2 placement=increasing initiators= dead=last topology= delay=1ms fifo=true fault=
	// bully n=4 placement=increasing initiators= dead=last topology= delay=1ms fifo=true fault=
}

// All errors come at once, each where it is.
func ExampleParse_errors() {
	placements := []string{"increasing", "decreasing", "random"}
	_, err := spec.Parse("sweep.yaml", []byte(`name: lcr
algorithms: [lrc]
axes:
  n: 1e3
  placement: [randm]
`), spec.Checker{
		Algorithms: []string{"lcr", "bully"},
		Value: func(axis, value string) error {
			if axis == "placement" && !slices.Contains(placements, value) {
				return fmt.Errorf("%q is none of %s; did you mean %q?", value, strings.Join(placements, ", "), suggest.Word(value, placements))
			}
			return nil
		},
	})
	fmt.Println(err)
	// Output:
	// sweep.yaml:2:14: there is no algorithm "lrc": known are lcr, bully; did you mean "lcr"?
	//     2 | algorithms: [lrc]
	//       |              ^
	// sweep.yaml:4:6: n is the text "1e3"; it takes an integer in plain decimal digits; write 1000
	//     4 |   n: 1e3
	//       |      ^
	// sweep.yaml:5:15: placement: "randm" is none of increasing, decreasing, random; did you mean "random"?
	//     5 |   placement: [randm]
	//       |               ^
}

// A metric of the sweep's own is a formula, computed trial by trial.
func ExampleParseFormula() {
	f, err := spec.ParseFormula("(messages + overhead) / n")
	if err != nil {
		fmt.Println(err)
		return
	}
	trial := map[string]float64{"messages": 20, "overhead": 4, "n": 8}
	fmt.Println(f.Names(), f.Value(func(name string) float64 { return trial[name] }))
	// Output: [messages overhead n] 3
}
