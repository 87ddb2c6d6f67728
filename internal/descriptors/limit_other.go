//go:build !unix

package descriptors

import "math"

// limit is the number of descriptors that the program may have. The system knows none.
func limit() uint64 { return math.MaxUint64 }
