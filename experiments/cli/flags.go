package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/des"
	"bullring/internal/suggest"
)

// parsed is the value of a flag that is parsed and printed by functions of its own.
type parsed[T any] struct {
	value *T
	form  string // what a value looks like, for the help
	parse func(string) (T, error)
	print func(T) string
}

// String implements pflag.Value.
func (p parsed[T]) String() string { return p.print(*p.value) }

// Type implements pflag.Value.
func (p parsed[T]) Type() string { return p.form }

// Set implements pflag.Value.
func (p parsed[T]) Set(s string) error {
	v, err := p.parse(s)
	if err == nil {
		*p.value = v
	}
	return err
}

// text is a flag that takes any text that is not empty. An empty value usually comes from a
// shell variable that was not set.
func text(value *string, form string) pflag.Value {
	parse := func(s string) (string, error) {
		if strings.TrimSpace(s) == "" {
			return "", errors.New("it is empty; leave the flag out for its default")
		}
		return s, nil
	}
	return parsed[string]{value, form, parse, strings.Clone}
}

func textFlag(cmd *cobra.Command, value *string, name, form, usage string) {
	cmd.Flags().Var(text(value, form), name, usage)
}

// countFlag adds a flag that takes a whole number in a range.
func countFlag(cmd *cobra.Command, value *uint64, lo, hi uint64, name, usage string) {
	parse := func(s string) (uint64, error) {
		v, err := strconv.ParseUint(s, 10, 64)
		if err != nil || v < lo || v > hi {
			return 0, fmt.Errorf("it takes a whole number from %d to %d", lo, hi)
		}
		return v, nil
	}
	print := func(v uint64) string { return strconv.FormatUint(v, 10) }
	cmd.Flags().Var(parsed[uint64]{value, "number", parse, print}, name, usage)
}

// size is a flag that takes a number of bytes, such as 512MB.
func size(value *uint64) pflag.Value { return parsed[uint64]{value, "size", parseSize, sizeText} }

// sizeUnits are the units of a size, the largest first.
var sizeUnits = []struct {
	name  string
	bytes uint64
}{{"GB", 1 << 30}, {"MB", 1 << 20}}

func parseSize(s string) (uint64, error) {
	for _, u := range sizeUnits {
		if digits, found := strings.CutSuffix(strings.ToUpper(s), u.name); found {
			if v, err := strconv.ParseUint(digits, 10, 64); err == nil && v > 0 && v <= math.MaxInt64/u.bytes {
				return v * u.bytes, nil
			}
		}
	}
	return 0, errors.New("it takes a whole number above 0 and a unit, MB or GB, as in 512MB")
}

func sizeText(v uint64) string {
	for _, u := range sizeUnits {
		if v >= u.bytes && v%u.bytes == 0 {
			return strconv.FormatUint(v/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatUint(v, 10)
}

// span is a flag that takes a duration, 0 or longer.
func span(value *time.Duration) pflag.Value {
	parse := func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 || d > des.MaxDuration {
			return 0, fmt.Errorf("it takes a duration from 0s to %v, such as 10ms", des.MaxDuration)
		}
		return d, nil
	}
	return parsed[time.Duration]{value, "duration", parse, time.Duration.String}
}

// share is a flag that takes a share in percent, above 0 %.
func share(value *float64) pflag.Value {
	parse := func(s string) (float64, error) {
		digits, ok := strings.CutSuffix(s, "%")
		v, err := strconv.ParseFloat(digits, 64)
		if !ok || err != nil || !(v > 0 && v <= 100) {
			return 0, errors.New("it takes a percentage above 0% and up to 100%, such as 5%")
		}
		return v / 100, nil
	}
	print := func(v float64) string { return strconv.FormatFloat(100*v, 'g', -1, 64) + "%" }
	return parsed[float64]{value, "percentage", parse, print}
}

// choice is a flag that takes one of a few words.
type choice struct {
	value   *string
	allowed []string
}

// String implements pflag.Value.
func (c choice) String() string { return *c.value }

// Type implements pflag.Value.
func (c choice) Type() string { return strings.Join(c.allowed, "|") }

// Set implements pflag.Value.
func (c choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("allowed are %s%s", strings.Join(c.allowed, ", "), suggest.DidYouMean(s, c.allowed))
	}
	*c.value = s
	return nil
}

func jsonFlag(cmd *cobra.Command, value *bool) {
	cmd.Flags().BoolVar(value, "json", false, "print one JSON object")
}

func workersFlag(cmd *cobra.Command, value *uint64) {
	countFlag(cmd, value, 1, 4096, "workers", "trials that run at a time (default one a processor)")
}
