package mutex

import (
	"bullring/des"
	"bullring/experiments"
)

// What the algorithms of mutual exclusion by permission share.

// requests is how often the lock is asked for by all clients together.
func requests(in *experiments.Instance) int {
	return len(in.Initiators) * in.Count("requests")
}

// askOnce: every client asks once, at 0, and a message takes always the same time.
func askOnce(in *experiments.Instance) bool {
	return in.Calm() && in.ConstantDelay() && in.Count("requests") == 1 && in.Param("loop") == "closed"
}

// askOn: there are several clients; they ask at 0 and whenever they leave, and a message
// takes always the same time.
func askOn(in *experiments.Instance) bool {
	return in.Calm() && in.ConstantDelay() && len(in.Initiators) > 1 && in.Param("loop") == "closed" &&
		(in.Count("requests") == 1 || in.Param("think") == "0s")
}

// inLine is, in message times, when the last of k clients enters that enter one after
// another, the first after so many message times and the others so many after an exit.
func inLine(in *experiments.Instance, first, k, handover int) float64 {
	unit, _ := in.Unit()
	return in.Units(des.Time(unit)*des.Time(first+(k-1)*handover) + des.Time(k-1)*des.Time(in.Duration("cs")))
}

// roundTrip is the delay of a client that asks others and has no rival.
func roundTrip(others int) float64 {
	if others == 0 {
		return 0
	}
	return 2
}
