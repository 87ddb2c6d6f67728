package trial_test

import (
	"reflect"
	"testing"

	"bullring/experiments/trial"
)

func TestHandlers(t *testing.T) {
	a := trial.Algorithm{Pseudocode: `on start or boot:
  try

to try:
	send PROBE
    twice
on PROBE(x, yes or no) from q or ANNOUNCE(x; y) or timeout reaction(q):
  stop
on timeout next round or restart:
on linkup to q or linkdown:`}
	want := []trial.Handler{
		{On: []string{"start", "boot"}, Lines: []string{"on start or boot:", "  try"}},
		{On: []string{}, Lines: []string{"to try:", "\tsend PROBE", "    twice"}},
		{On: []string{"deliver PROBE", "deliver ANNOUNCE", "timeout reaction"}, Lines: []string{
			"on PROBE(x, yes or no) from q or ANNOUNCE(x; y) or timeout reaction(q):", "  stop",
		}},
		{On: []string{"timeout next round", "restart"}, Lines: []string{"on timeout next round or restart:"}},
		{On: []string{"linkup", "linkdown"}, Lines: []string{"on linkup to q or linkdown:"}},
	}
	if got := a.Handlers(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := (&trial.Algorithm{}).Handlers(); got != nil {
		t.Errorf("no pseudocode has the blocks %q", got)
	}
}
