package sweep_test

import (
	"bytes"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
)

// everyColumn has a value in every column that a run can depend on.
const everyColumn = `name: all
replicates: 2
outside_model: true
algorithms: [bully, {algorithm: ringlist, variant: forget}]
axes:
  n: [2, 5]
  placement: [random]
  initiators: [first]
  delay: ["uniform(0,2ms)"]
  assume: [2ms]
  max_time: [400ms]
  link: ["", "0->1: loss 20% duplicate 10%"]
  delta: [5ms]
  gst: [20ms]
  transport: [plain, "reliable(5ms,4)"]
  detector: [perfect, "heartbeat(5ms,15ms)"]
  until: [60ms]
  fault: ["random swarm until 40ms then heal", "at 3ms pause 0 for 9ms"]
`

// Faults, links and services repeat like everything else: whatever the number of
// workers the files are the same, and each row comes out again from what it says.
func TestSweepOfFaultsRepeats(t *testing.T) {
	r := catalog.New()
	var first []byte
	for _, workers := range []int{1, 2, 8} {
		s := sweeptest.Sweep(t, r, everyColumn)
		s.Workers = workers
		report := sweeptest.Run(t, s)
		results := sweeptest.Read(t, s, results.ResultsFile)
		if first == nil {
			first = results
			rows := bytes.Count(results, []byte("\n")) - 1
			if rows != report.Trials || rows < 100 {
				t.Fatalf("%d rows of %d trials", rows, report.Trials)
			}
			for row := 1; row <= rows; row++ {
				if _, err := verify.Replay(t.Context(), r, s.Dir, row, nil); err != nil {
					t.Error(err)
				}
			}
		}
		if !bytes.Equal(results, first) {
			t.Errorf("%d workers wrote other results than 1", workers)
		}
	}
}
