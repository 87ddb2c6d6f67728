package foreign

import (
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// atRest is the outcome of a run of which nothing is judged.
const atRest trial.Outcome = "at rest"

// unjudged is the declaration of a program of which nothing is judged: nobody has said what it is to do.
func unjudged() trial.Algorithm {
	family := trial.Family{
		Name: trial.PlainNode, Right: []trial.Outcome{atRest},
		Ear: func(*trial.Instance, protocols.ID, trial.Ear) trial.Ear { return deaf{} },
	}
	return trial.Judged[message](trial.Algorithm{
		Name: trial.PlainNode, Title: "a program, of which nothing is judged", Bare: true,
		Assumes: trial.Assumptions{Nothing: true, Topologies: []string{"complete", trial.Connected, trial.StronglyConnected}},
		Remark: func(*trial.Instance) string {
			return "the name of a family, such as mutex, before --node has the program judged"
		},
	}, family, func(*trial.Instance, bool) trial.Judge { return onlooker{} }, nil)
}

// deaf is an ear to which no word means anything.
type deaf struct{}

// Hear implements [trial.Ear].
func (deaf) Hear(string, func(string, any) error) (known bool, err error) { return false, nil }

// onlooker is a judge without checks. It passes on what programs say.
type onlooker struct{}

// Started implements explore.Watch.
func (onlooker) Started(protocols.ID, any, time.Duration) {}

// Received implements explore.Watch.
func (onlooker) Received(protocols.ID, any, time.Duration) {}

// Expired implements explore.Watch.
func (onlooker) Expired(protocols.ID, any, time.Duration) {}

// Crashed implements explore.Watch.
func (onlooker) Crashed(protocols.ID, time.Duration) {}

// Restarted implements explore.Watch.
func (onlooker) Restarted(protocols.ID, any, time.Duration) {}

// Verdicts implements explore.Watch.
func (onlooker) Verdicts(bool) []protocols.Verdict { return nil }

// Checks implements [trial.Judge].
func (onlooker) Checks(bool) []protocols.Check { return nil }

// Outcome implements [trial.Judge].
func (onlooker) Outcome() trial.Outcome { return atRest }

// News implements [trial.Judge].
func (onlooker) News(_ protocols.ID, process any) string {
	if said := process.(interface{ said() string }).said(); said != "" {
		return "says " + said
	}
	return ""
}
