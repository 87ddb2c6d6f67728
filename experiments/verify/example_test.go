package verify_test

import (
	"context"
	"fmt"

	"bullring/experiments/catalog"
	"bullring/experiments/verify"
)

// Verify a folder that an earlier version of bullring has written: all of its trials, and the
// tables that follow from them.
func ExampleVerifier() {
	v := &verify.Verifier{Registry: catalog.New(), Path: "../cli/testdata/earlier/complete", All: true}
	report, err := v.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d trials run again, %d differ\n", report.Again, report.Trials, report.Differ)
	fmt.Println("identical:", report.Identical())
	fmt.Println("tables:", report.Tables)
	// Output:
	// 64 of 64 trials run again, 0 differ
	// identical: true
	// tables: [summary.csv (in the columns that both versions have) growth.csv]
}

// Run the trial of a row again. An error would name the first column that differs.
func ExampleReplay() {
	result, err := verify.Replay(context.Background(), catalog.New(), "../cli/testdata/earlier/complete", 12, nil)
	if err != nil {
		fmt.Println("the run differs from its row:", err)
		return
	}
	fmt.Printf("%s of %d processes: %s after %d events\n", result.Instance.Algorithm.Name, result.Instance.N, result.Outcome, result.Counters.Events)
	// Output:
	// lcr of 8 processes: elected after 23 events
}
