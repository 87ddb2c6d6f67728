package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/internal/suggest"
)

// text is a flag that takes any text that is not empty. An empty value usually comes from a
// shell variable that was not set.
type text struct {
	value *string
	form  string // what a value looks like, for the help
}

func (t text) String() string {
	if t.value == nil { // pflag asks the zero value
		return ""
	}
	return *t.value
}

func (t text) Type() string { return t.form }

func (t text) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("it is empty; leave the flag out for its default")
	}
	*t.value = s
	return nil
}

func textFlag(cmd *cobra.Command, value *string, name, form, usage string) {
	cmd.Flags().Var(text{value, form}, name, usage)
}

// count is a flag that takes a whole number in a range.
type count struct {
	value  *uint64
	lo, hi uint64
}

func (c count) String() string {
	if c.value == nil {
		return ""
	}
	return strconv.FormatUint(*c.value, 10)
}

func (c count) Type() string { return "number" }

func (c count) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil || v < c.lo || v > c.hi {
		return fmt.Errorf("it takes a whole number from %d to %d", c.lo, c.hi)
	}
	*c.value = v
	return nil
}

func countFlag(cmd *cobra.Command, value *uint64, lo, hi uint64, name, usage string) {
	cmd.Flags().Var(count{value, lo, hi}, name, usage)
}

// size is a flag that takes a number of bytes, such as 512MB.
type size struct{ value *uint64 }

// sizeUnits are the units of a size, the largest first.
var sizeUnits = []struct {
	name  string
	bytes uint64
}{{"GB", 1 << 30}, {"MB", 1 << 20}}

func (z size) String() string {
	if z.value == nil {
		return ""
	}
	for _, u := range sizeUnits {
		if *z.value >= u.bytes && *z.value%u.bytes == 0 {
			return strconv.FormatUint(*z.value/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatUint(*z.value, 10)
}

func (z size) Type() string { return "size" }

func (z size) Set(s string) error {
	for _, u := range sizeUnits {
		digits, found := strings.CutSuffix(strings.ToUpper(s), u.name)
		if !found {
			continue
		}
		if v, err := strconv.ParseUint(digits, 10, 64); err == nil && v > 0 && v <= math.MaxInt64/u.bytes {
			*z.value = v * u.bytes
			return nil
		}
	}
	return errors.New("it takes a whole number above 0 and a unit, MB or GB, as in 512MB")
}

// choice is a flag that takes one of a few words.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c choice) Type() string { return strings.Join(c.allowed, "|") }

func (c choice) Set(s string) error {
	for _, a := range c.allowed {
		if s == a {
			*c.value = s
			return nil
		}
	}
	return fmt.Errorf("allowed are %s%s", strings.Join(c.allowed, ", "), suggest.DidYouMean(s, c.allowed))
}

func jsonFlag(cmd *cobra.Command, value *bool) {
	cmd.Flags().BoolVar(value, "json", false, "print one JSON object")
}

func workersFlag(cmd *cobra.Command, value *uint64) {
	countFlag(cmd, value, 1, 4096, "workers", "trials that run at a time (default one a processor)")
}

// flagGroup is the annotation of a flag with the heading under which the help has it.
const flagGroup = "bullring_group"

// flagsUnder calls add, and puts the flags that it adds under a heading of the help.
func flagsUnder(cmd *cobra.Command, heading string, add func()) {
	before := map[string]bool{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { before[f.Name] = true })
	add()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !before[f.Name] && f.Annotations[flagGroup] == nil {
			if f.Annotations == nil {
				f.Annotations = map[string][]string{}
			}
			f.Annotations[flagGroup] = []string{heading}
		}
	})
}

// flagWidth is the width of the help of flags.
const flagWidth = 100

func init() { cobra.AddTemplateFunc("groupedFlags", groupedFlags) }

// groupedFlags is the help of the flags of a command under their headings, in the order in
// which they were added.
func groupedFlags(flags *pflag.FlagSet) string {
	var headings []string
	groups := map[string]*pflag.FlagSet{}
	flags.VisitAll(func(f *pflag.Flag) {
		heading := "Flags"
		if g := f.Annotations[flagGroup]; g != nil {
			heading = g[0]
		}
		if groups[heading] == nil {
			headings = append(headings, heading)
			groups[heading] = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			groups[heading].SortFlags = false
		}
		groups[heading].AddFlag(f)
	})
	var b strings.Builder
	for i, heading := range headings {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s:\n%s", heading, groups[heading].FlagUsagesWrapped(flagWidth))
	}
	return b.String()
}

// formerly are the names of flags in earlier versions. Commands in papers have them.
var formerly = map[string]string{"assume-delay": "assume", "mode": "link-mode"}

// flagName is the name that a flag has now.
func flagName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if now, ok := formerly[name]; ok {
		name = now
	}
	return pflag.NormalizedName(name)
}

// flagError words an error of a flag: what was given, and what is allowed.
func flagError(cmd *cobra.Command, err error) error {
	help := fmt.Sprintf("; %s --help lists the flags", cmd.CommandPath())
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, e, help)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		reason := e.Unwrap()
		if e.GetFlag().Value.Type() == "bool" {
			reason = errors.New("allowed are true and false")
		}
		return fmt.Errorf("--%s %q: %w", e.GetFlag().Name, e.GetValue(), reason)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		name, _ := pflag.UnquoteUsage(e.GetFlag())
		return fmt.Errorf("--%s needs a value: --%s %s%s", e.GetFlag().Name, e.GetFlag().Name, name, help)
	}
	return fmt.Errorf("%w%s", err, help)
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError, help string) error {
	if s := e.GetSpecifiedShortnames(); s != "" {
		return fmt.Errorf("unknown flag %q%s", "-"+s, help)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	given := "--" + e.GetSpecifiedName()
	return fmt.Errorf("unknown flag %q%s%s", given, suggest.DidYouMean(given, names), help)
}
