package motion_test

import (
	"fmt"
	"os"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/netem/motion"
)

// A motion is printed as it is read, and its changes in the words of plans of faults.
func Example() {
	m, err := motion.Parse("walk(500mx500m,200m,10m/s,20s)", nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(m)
	plan, all := m.Explicit(netem.Complete(3), 2, des.Time(30e9), 100_000)
	fmt.Println(plan, all)
	if _, err := faults.Parse(plan); err != nil {
		fmt.Println(err)
	}
	// Output:
	// walk(500mx500m, 200m, 10m/s, 20s)
	// at 0s down 0<->2; at 0s down 1<->2; at 763.209ms down 0<->1; at 28.324217s up 0<->1 true
}

// Places are in metres.
func ExampleMotion_Places() {
	m, err := motion.Parse("positions:testdata/walk.bm", func(name string) ([]byte, string, error) {
		text, err := os.ReadFile(name)
		return text, name, err
	})
	if err != nil {
		panic(err)
	}
	places, _ := m.Places(3, 1, des.Time(60e9), 100)
	fmt.Println(places.Width, places.Height, places.Range)
	for _, corner := range places.Paths[1] {
		fmt.Println(corner)
	}
	// Output:
	// 100 400 250
	// {0s 100 400}
	// {2s 100 400}
	// {12s 100 300}
	// {17s 100 400}
	// {1m0s 100 400}
}
