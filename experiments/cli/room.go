package cli

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"

	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/internal/regular"
)

// leastBytes is less than any process takes, with its place in the network.
const leastBytes = 64

// room is the memory, in bytes, that a run may take.
type room struct {
	free   int64
	before int64 // the limit of the runtime before that of the run
	full   bool  // a run has ended because of it
}

// limit makes a run end before it takes more memory than is free. It refuses a run whose
// processes alone take more.
func (m *room) limit(in *trial.Instance) error {
	if err := m.admit(in.N, 1); err != nil {
		return err
	}
	m.before = debug.SetMemoryLimit(m.free) // what is no longer needed is collected before that
	in.Full = func() bool {
		if m.exceeded() { // perhaps by what earlier runs have left
			runtime.GC()
			m.full = m.exceeded()
		}
		return m.full
	}
	return nil
}

// admit refuses n processes in each of some runs at once if they alone take more than is free.
func (m *room) admit(n, runs int) error {
	least := int64(n) * int64(runs) * leastBytes
	if least <= m.free {
		return nil
	}
	of := ""
	if runs > 1 {
		of = fmt.Sprintf(" of each of %d workers", runs)
	}
	return fmt.Errorf("n is %s: so many processes%s take at least %s of memory, and %s is free", counts.Grouped(n), of, megabytes(least), megabytes(m.free))
}

// exceeded reports whether the objects in memory, garbage included, take more than is free.
func (m *room) exceeded() bool {
	objects := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(objects)
	return objects[0].Value.Uint64() > uint64(m.free)
}

func (m *room) unlimit() { debug.SetMemoryLimit(m.before) }

// freeMemory is the memory, in bytes, that the program may take: nine tenths of what the machine
// and the control group have free, as far as they tell, and at most GOMEMLIMIT.
func freeMemory() int64 {
	const mostRead = 1 << 16
	free := int64(math.MaxInt64)
	if text, err := regular.Read("/proc/meminfo", mostRead); err == nil {
		if _, after, found := bytes.Cut(text, []byte("MemAvailable:")); found {
			free = min(free, 1024*firstNumber(after))
		}
	}
	most, err := regular.Read("/sys/fs/cgroup/memory.max", mostRead)
	taken, also := regular.Read("/sys/fs/cgroup/memory.current", mostRead)
	if err == nil && also == nil && !bytes.HasPrefix(most, []byte("max")) {
		free = min(free, max(firstNumber(most)-firstNumber(taken), 0))
	}
	return min(free/10*9, debug.SetMemoryLimit(-1))
}

// firstNumber is the number that a text begins with, very large if it begins with none.
func firstNumber(text []byte) int64 {
	if words := strings.Fields(string(text)); len(words) > 0 {
		if x, err := strconv.ParseInt(words[0], 10, 53); err == nil {
			return x
		}
	}
	return math.MaxInt64 >> 10
}

func megabytes(b int64) string { return counts.Grouped(b/1_000_000) + " MB" }
