package families

import (
	"fmt"
	"strings"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/protocols/workload"
)

// loopParams returns the parameters of clients with a workload. done is when a request is done.
func loopParams(requests, done, when string) []trial.Param {
	return []trial.Param{
		trial.CountParam("requests", "1", requests, 1, 1_000_000),
		{Name: "think", Form: "D|exp(D)", Default: "0s", Meaning: "pause before another request, always the same or exponentially distributed; 0s asks again on " + done,
			Check: func(_ *trial.Instance, value string) error { _, err := parsePause(value); return err }},
		trial.WordParam("loop", "closed: the pause begins when "+when+", and the first request comes at 0; open: when the request before came up, and the first after a pause", "closed", "open"),
	}
}

func parsePause(text string) (p workload.Pause, err error) {
	inner, random := strings.CutPrefix(text, "exp(")
	if random {
		if inner, random = strings.CutSuffix(inner, ")"); !random {
			return p, fmt.Errorf("it takes a duration, or exp(D)")
		}
	}
	p.Random = random
	p.Mean, err = time.ParseDuration(inner)
	if err != nil || p.Mean < 0 || p.Mean > des.MaxDuration {
		return p, fmt.Errorf("it takes a duration from 0s to %v, or exp(D)", des.MaxDuration)
	}
	return p, nil
}

// loop returns the work of the clients of an instance.
func loop(in *trial.Instance) workload.Work {
	think, err := parsePause(in.Param("think"))
	if err != nil {
		panic(err) // it was checked
	}
	return workload.Work{Requests: in.Count("requests"), Think: think, Open: in.Param("loop") == "open"}
}
