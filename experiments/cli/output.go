package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// output writes to the command's standard output. A full disk is an error like
// any other.
func output(cmd *cobra.Command, write func(io.Writer) error) error {
	w := bufio.NewWriter(cmd.OutOrStdout())
	err := write(w)
	// A write that failed before the end is told again here.
	if flushErr := w.Flush(); flushErr != nil && (err == nil || errors.Is(err, flushErr)) {
		err = exit{statusFailed, fmt.Errorf("writing the output: %w", flushErr)}
	}
	return err
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // "<=" stays what it is
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// orEmpty has an empty list print as [] and not as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// errorText is an error as JSON, null if there is none.
func errorText(err error) *string {
	if err == nil {
		return nil
	}
	return new(err.Error())
}

// number is a float64 whose infinities, which JSON has not, are null.
type number float64

func (x number) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// tally is counts by name that keep their order.
type tally struct {
	names  []string
	counts []uint64
}

func (t *tally) add(name string, count uint64) {
	t.names, t.counts = append(t.names, name), append(t.counts, count)
}

func (t tally) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, name := range t.names {
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%s:%d", key, t.counts[i])
	}
	return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}"), nil
}

func (t tally) String() string {
	parts := make([]string, len(t.names))
	for i, name := range t.names {
		parts[i] = name + " " + grouped(t.counts[i])
	}
	return strings.Join(parts, ", ")
}

// grouped prints a count with thousands separators.
func grouped(v uint64) string { return group(strconv.FormatUint(v, 10)) }

func group(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// decimal prints a value for people: with thousands separators, and three
// decimals where it is no whole number.
func decimal(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) >= 1e15 || v != 0 && math.Abs(v) < 0.001 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', 3, 64), ".")
	sign := ""
	if v < 0 {
		sign = "-"
	}
	if fraction == "000" && v == math.Trunc(v) {
		return sign + group(whole)
	}
	return sign + group(whole) + "." + fraction
}
