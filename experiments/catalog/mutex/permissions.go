package mutex

import (
	"bullring/des"
	"bullring/experiments/trial"
)

// Parts of bounds for mutual exclusion by permission.

// requests is the number of requests of all clients together.
func requests(in *trial.Instance) int {
	return in.Initiators.Len() * in.Count("requests")
}

// askOnce: every client asks once, at 0, and the delay is constant.
func askOnce(in *trial.Instance) bool {
	return in.Calm() && in.ConstantDelay() && in.Count("requests") == 1 && in.Param("loop") == "closed"
}

// askOn: there are several clients, they ask at 0 and whenever they leave, and the delay is
// constant.
func askOn(in *trial.Instance) bool {
	return in.Calm() && in.ConstantDelay() && in.Initiators.Len() > 1 && in.Param("loop") == "closed" &&
		(in.Count("requests") == 1 || in.Param("think") == "0s")
}

// inLine is the time, in message times, at which the last of k clients enters. The first
// enters at first, and each other one handover message times after an exit.
func inLine(in *trial.Instance, first, k, handover int) float64 {
	unit, _ := in.Unit()
	return in.Units(des.Time(unit)*des.Time(first+(k-1)*handover) + des.Time(k-1)*des.Time(in.Duration("cs")))
}

// roundTrip is the delay of a client that asks others and has no competitor.
func roundTrip(others int) float64 {
	if others == 0 {
		return 0
	}
	return 2
}
