package results

// Batch is a stretch of trials of one cell that one worker takes in one go.
type Batch struct {
	Cell       int
	First, End int      // trials of the cell; a worker that stops early lowers end
	Stored     bool     // they have run before, and are read
	Rows       [][]byte // of results.csv, by trial
	Text       []byte   // that they are parts of
	Kept       []Sample // what the summary needs, by trial
	Cost       int      // of all trials, in events
	Err        error    // the trial before end is the last to be run
}
