package verify_test

import (
	"context"
	"fmt"

	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
)

// Verify a folder that an earlier version of bullring has written: all of its trials, and the
// tables that follow from them. What that version words or draws otherwise is not compared.
func ExampleVerifier() {
	v := &verify.Verifier{Registry: catalog.New(), Path: "../../cli/testdata/earlier/complete", All: true}
	report, err := v.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d trials run again, %d differ\n", report.Again, report.Trials, report.Differ)
	fmt.Println("tables:", report.Tables)
	fmt.Printf("%s: %s and %d more\n", report.Answer(), report.Unmade[0], len(report.Unmade)-1)
	// Output:
	// 64 of 64 trials run again, 0 differ
	// tables: [summary.csv (in the columns that both versions have) growth.csv]
	// not compared: columns of results.csv in manifest.json and 10 more
}

// Run the trial of a row again. An error would name the first column that differs.
func ExampleReplay() {
	result, err := verify.Replay(context.Background(), catalog.New(), "../../cli/testdata/earlier/complete", 12, nil)
	if err != nil {
		fmt.Println("the run differs from its row:", err)
		return
	}
	fmt.Printf("%s of %d processes: %s after %d events\n", result.Instance.Algorithm.Name, result.Instance.N, result.Outcome, result.Counters.Events)
	// Output:
	// lcr of 8 processes: elected after 23 events
}
