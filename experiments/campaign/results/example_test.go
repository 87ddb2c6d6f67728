package results_test

import (
	"context"
	"fmt"
	"strconv"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// Read the rows of a folder: the longest run of each cell with FIFO links.
func ExampleFolder_Rows() {
	folder, err := results.Open(catalog.New(), "../../cli/testdata/earlier/complete")
	if err != nil {
		fmt.Println(err)
		return
	}
	longest := make([]int, len(folder.Cells))
	trials, err := folder.Rows(func(r *results.Record) (more bool, err error) {
		text, err := r.Field("messages")
		if err != nil {
			return false, err
		}
		messages, err := strconv.Atoi(text)
		longest[r.Cell] = max(longest[r.Cell], messages)
		return true, err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(trials, "trials")
	for i, c := range folder.Cells {
		if !c.Unordered {
			fmt.Printf("%s, n = %d: %d messages at most\n", c.Label, c.N, longest[i])
		}
	}
	// Output:
	// 64 trials
	// lcr, n = 4: 7 messages at most
	// lcr, n = 8: 15 messages at most
	// bully, n = 4: 8 messages at most
	// bully, n = 8: 48 messages at most
}

// A record holds the setting of its trial, which can be run again.
func ExampleRecord_Setting() {
	folder, err := results.Open(catalog.New(), "../../cli/testdata/earlier/complete")
	if err != nil {
		fmt.Println(err)
		return
	}
	record, err := folder.Row(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	setting, err := record.Setting()
	if err != nil {
		fmt.Println(err)
		return
	}
	instance, err := folder.Registry.Instance(setting)
	if err != nil {
		fmt.Println(err)
		return
	}
	result := new(trial.Worker).Run(context.Background(), instance, nil)
	again, _ := result.Metric("messages")
	recorded, err := record.Field("messages")
	fmt.Println("recorded:", recorded, "messages, again:", again, err)
	// Output:
	// recorded: 7 messages, again: 7 <nil>
}
