// Package descriptors asks whether the operating system lets this program open as many files,
// pipes and sockets as it is about to.
package descriptors

import "fmt"

// spare is the number of descriptors for standard input and output, the runtime, the files that
// are written, and connections and programs that are starting.
const spare = 20

// Ask returns an error if fewer descriptors are allowed than a run keeps open, with some to spare.
func Ask(kept int) error {
	needed := uint64(kept) + spare
	if allowed := limit(); needed > allowed {
		return fmt.Errorf("this needs %d descriptors of files, pipes and sockets, and the system allows %d; ulimit -n %[1]d raises the limit, where the system lets it", needed, allowed)
	}
	return nil
}
