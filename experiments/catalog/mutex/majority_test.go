package mutex_test

import (
	"fmt"
	"testing"

	"bullring/des"
	"bullring/experiments"
	"bullring/experiments/catalog/internal/catalogtest"
)

func TestMajorityBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "majority", "", 5)
	c.Needs("exact", "delay")
}

// A minority that wants nothing may crash at any time, in the middle of a step, too:
// everybody else gets in.
func TestMajorityWhateverMinorityCrashes(t *testing.T) {
	c := newChecker(t)
	for k := range uint64(2000) {
		draw := des.NewStream(k, "minority")
		n := 3 + draw.Intn(7)
		dead := 1 + draw.Intn((n-1)/2)
		s := experiments.Setting{Algorithm: "majority", N: n, Delay: "exp(1ms)", Seed: k, Param: "cs=1ms,requests=3"}
		for p := range dead {
			if p > 0 {
				s.Fault += "; "
			}
			if draw.Intn(2) == 0 {
				s.Fault += fmt.Sprintf("at %dus crash %d", draw.Intn(30_000), p)
			} else {
				s.Fault += fmt.Sprintf("crash %d after %d sends", p, draw.Intn(20))
			}
		}
		clients := 0
		for p := dead; p < n; p++ {
			clients |= 1 << p
		}
		s.Initiators = catalogtest.Addresses(clients, n)
		served(t, c, s)
	}
}
