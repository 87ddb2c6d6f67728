package impair_test

import (
	"fmt"
	"time"

	"bullring/des"
	"bullring/netem/impair"
)

// A line prints in its canonical form. An error names the word, its column, and what is
// allowed.
func ExampleParse() {
	for _, text := range []string{"wan loss 5%", "reorder 25% delay 10msec 3msec", "loss 5", "delay 10ms distribution nomal"} {
		line, err := impair.Parse(text, nil)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(line)
	}
	// Output:
	// delay 75ms loss 5%
	// delay 10ms 3ms reorder 25%
	// loss: "5" (column 6) is not a valid probability: it is above 1; in percent it is 5%
	// delay: "nomal" (column 25) is not a distribution (did you mean "normal"?); allowed are uniform, normal, pareto, paretonormal, exponential, lognormal, weibull, gamma, constant, or table FILE
}

// A link loses some of four messages, a millisecond apart, and duplicates others.
func ExampleChannel() {
	line, err := impair.Parse("delay 10ms 2ms loss 30% duplicate 30%", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	link := impair.RulesOf(line, impair.Exact, true).NewChannel(des.NewStream(1, "link"), 0)
	for i := range uint32(4) {
		now := des.Time(i) * des.Time(time.Millisecond)
		var fate impair.Fate
		link.Offer(&fate, now, 0, 128, i)
		fmt.Print("sent at ", now, ":")
		for _, c := range fate.Copies[:fate.N] {
			fmt.Print(" arrives at ", c.At)
		}
		fmt.Println(" lost", fate.Lost)
	}
	// Output:
	// sent at 0s: arrives at 8.528898ms lost 0
	// sent at 1ms: arrives at 11.248555ms arrives at 11.248555ms lost 0
	// sent at 2ms: arrives at 12.280966ms lost 0
	// sent at 3ms: lost 1
}

// Measured and expected values of a line.
func ExampleTrial() {
	line, err := impair.Parse("loss gemodel 1% 25%", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	trial := impair.Trial{Line: line, Samples: 100_000, Interval: time.Millisecond, Seed: 1}
	measured := trial.Sample()
	for _, c := range measured.Compare(trial.Expected(measured))[:2] {
		fmt.Printf("%s %.4f, expected %.4f, %+.1f standard errors\n", c.Name, c.Measured.Value, c.Expected.Value, c.Deviation.Value)
	}
	// Output:
	// loss rate 0.0382, expected 0.0385, -0.2 standard errors
	// mean burst 3.8849, expected 4.0000, -1.1 standard errors
}
