package history_test

import (
	"context"
	"fmt"
	"os"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// Why no process was elected: the steps that led to this outcome.
func ExampleHistory_WritePast() {
	instance, err := catalog.New().Instance(trial.Setting{
		Algorithm: "lcr", N: 3, Placement: "decreasing", Fault: "drop 6th message", OutsideModel: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := history.Of(context.Background(), instance).WritePast(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	//      #1           0s  fault   drop 6th message
	//      #2           0s  start   0  | sends PROBE(3) to 1
	//      #3           0s  start   1  | sends PROBE(2) to 2
	//      #4           0s  start   2  | sends PROBE(1) to 0
	// >    #5          1ms  deliver 0 -> 1  PROBE(3)  | sends PROBE(3) to 2  <- #3 #2
	//      #6          1ms  deliver 1 -> 2  PROBE(2)  | sends PROBE(2) to 0  <- #4 #3
	//      #7          1ms  deliver 2 -> 0  PROBE(1)  <- #2 #4
	// >    #8          2ms  deliver 1 -> 2  PROBE(3)  | sends PROBE(3) to 0  <- #6 #5
	//      #9          2ms  fault   struck 2->0: drop 6th message
	// x   #10          2ms  cut     2 -> 0  PROBE(3)  <- #8
	// >   #11          2ms  deliver 2 -> 0  PROBE(2)  <- #7 #6
}
