package trial

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bullring/des"
	"bullring/experiments/trial/setting"
	"bullring/faults"
	"bullring/internal/regular"
	"bullring/netem"
	"bullring/netem/impair"
)

// grammars read the conditions whose words have a grammar of their own.
var grammars = [...]struct {
	condition string
	check     func(value string) error
}{
	{"placement", func(v string) error { _, err := place(v, 1, 0); return err }},
	{"topology", checkTopology},
	{"delay", func(v string) error { _, err := des.ParseDistribution(v); return err }},
	{"link", func(v string) error { _, err := parseLinks(v, regular.ReadInput); return err }},
	{"link_mode", func(v string) error { _, err := impair.ParseMode(v); return err }},
	{"transport", func(v string) error { _, err := parseTransport(v); return err }},
	{"detector", func(v string) error { _, err := parseDetector(v); return err }},
	{"assume", checkAssumed},
	{"motion", func(v string) error { return checkMotion(v, regular.ReadInput) }},
	{"forks", func(v string) error { _, err := netem.ParseForks(v); return err }},
	{"medium", checkMedium},
	{"fault", func(v string) error { _, err := faults.Parse(v); return err }},
	{"f", func(v string) error { _, err := countF(v); return err }},
	{"param", func(v string) error { _, err := splitParams(v); return err }},
}

// CheckCondition checks the value of a condition as far as possible without its trial.
func CheckCondition(name, value string) error {
	for _, g := range grammars {
		if g.condition == name {
			return g.check(value)
		}
	}
	switch c := setting.Find(name); c.Kind {
	case setting.Duration:
		var d time.Duration
		return ReadDuration(name, value, &d)
	case setting.Addresses:
		return checkAddresses(c, value)
	}
	return nil
}

func checkTopology(value string) error {
	switch {
	case IsGraphFile(value):
		return checkGraphFile(value)
	case value == "":
		return nil
	}
	return netem.CheckTopology(value)
}

// checkAddresses checks the words. Whether such processes exist depends on n.
func checkAddresses(c *setting.Condition, value string) error {
	if value == "" || value == c.Default {
		return nil
	}
	if k, ok := strings.CutPrefix(value, "random:"); ok {
		if count, err := strconv.Atoi(k); err != nil || count < 1 {
			return fmt.Errorf("%q: random:K takes a positive number", value)
		}
		return nil
	}
	_, err := listedAddresses(c.Name, value, MaxN)
	return err
}
