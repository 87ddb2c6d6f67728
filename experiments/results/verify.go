package results

import (
	"fmt"
	"slices"

	"bullring/internal/build"
	"bullring/netem"
)

// EpochError says that results are of another fingerprint epoch, in which the same
// seed means another run.
type EpochError struct {
	Path    string
	Version string // that made them
	Epoch   int
}

func (e *EpochError) Error() string {
	return fmt.Sprintf("%s was made by version %s, of epoch %d, and this is version %s, of epoch %d: the same seed means another run, and nothing can be compared; verify it with a version of epoch %d",
		e.Path, e.Version, e.Epoch, build.ThisProgram(), netem.Epoch, e.Epoch)
}

// Clone is a record that outlives the call that it was made for.
func (r *Record) Clone() *Record {
	c := *r
	c.Fields = slices.Clone(r.Fields)
	return &c
}
