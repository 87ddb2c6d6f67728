// Package predicate reads conditions on the states of processes, and numbers of them, such as
//
//	all(term <= 4)
//	count(role == candidate) <= 1
//	max(clock) - min(clock) <= 2 or p2.crashed
//
// The names are those of the fields of processes, as package value prints them. A bare one stands
// within all, any, count, max, min or sum, which range over the processes that are alive; p2.clock is
// that of process 2. run.messages is a measure of a whole run. Other names, and texts in quotes, are
// words that a field can be. Numbers are exact.
//
// What is no number has no value in arithmetic, and neither has a field of a crashed process. A
// comparison with what has no value is false, also with !=. So is a flag that has none.
package predicate

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"bullring/internal/value"
)

// Predicate is a condition on the states of processes.
type Predicate struct {
	text     string
	names    bool     // a process by its address
	measures []string // of a run, that it names
	holds    func(*moment) bool
	calls    int // of count, max, min and sum
}

// String returns the predicate as it was written.
func (p *Predicate) String() string { return p.text }

// Number is a number of the states of processes, such as count(inside).
type Number struct {
	of    func(*moment) *big.Rat
	calls int
}

// Value is the number, rounded down, of the values that [Reader.Values] gave. ok is false if it has no value,
// or none of 64 bits.
func (n *Number) Value(values [][]string) (whole int64, ok bool) {
	x := n.of(momentOf(values, n.calls))
	if x == nil {
		return 0, false
	}
	down := new(big.Int).Div(x.Num(), x.Denom()) // Euclid's, and the denominator is above 0
	return down.Int64(), down.IsInt64()
}

// NamesProcess reports whether a process is named by its address.
func (p *Predicate) NamesProcess() bool { return p.names }

// Measures are the measures of a run that are named: a predicate with any says nothing of a single state.
func (p *Predicate) Measures() []string { return p.measures }

// Holds judges the values that [Reader.Values] gave, by address, and those of a run. A process without any
// has crashed. A run may lack the value of a measure; measured may be nil if the predicate has none.
func (p *Predicate) Holds(values [][]string, measured func(name string) (v float64, ok bool)) bool {
	m := momentOf(values, p.calls)
	m.measured = measured
	return p.holds(m)
}

// Error is a mistake in a predicate.
type Error struct {
	Column  int // from 1
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Message) }

// Reader reads predicates about the processes of a system.
type Reader struct {
	first [][]value.Field // by address, before the first step
	known []string        // the names of these fields
	used  []string        // the fields that predicates name
	runs  []string        // what is measured of a run
}

// NewReader returns a reader for processes, given by address as they are at first, and for what is measured
// of a run.
func NewReader(processes []any, measures []string) *Reader {
	r := &Reader{runs: measures}
	seen := map[string]bool{}
	for _, p := range processes {
		fields := value.Fields(p)
		r.first = append(r.first, fields)
		for _, f := range fields {
			if !seen[f.Name] {
				seen[f.Name] = true
				r.known = append(r.known, f.Name)
			}
		}
	}
	return r
}

// Values are the values of a process that the predicates read so far need: "" for a field that it does not
// have, or that is too long to be printed.
func (r *Reader) Values(process any) []string {
	values := make([]string, len(r.used))
	fields := value.Named(process, r.used)
	for i, name := range r.used {
		for _, f := range fields {
			if f.Name == name && !strings.Contains(f.Value, cut) {
				values[i] = f.Value
			}
		}
	}
	return values
}

// moment is what a predicate looks at: the values of the processes and, within all and the like, the
// address of one of them.
type moment struct {
	values [][]string
	self   int
	// known are the values of the calls of count, max, min and sum, which do not depend on self. So one within
	// another is worked out once, and not for each process.
	known    []*big.Rat
	done     []bool
	measured func(name string) (v float64, ok bool) // nil of a state
}

func momentOf(values [][]string, calls int) *moment {
	return &moment{values: values, self: -1, known: make([]*big.Rat, calls), done: make([]bool, calls)}
}

// measure is the value of a measure of the run, as it is printed.
func (m *moment) measure(name string) *big.Rat {
	if m.measured == nil {
		return nil
	}
	v, ok := m.measured(name)
	if !ok {
		return nil
	}
	return numberOf(strconv.FormatFloat(v, 'g', -1, 64))
}

// once is the value of a call, worked out at the first time.
func (m *moment) once(call int, of func(*moment) *big.Rat) *big.Rat {
	if !m.done[call] {
		m.known[call], m.done[call] = of(m), true
	}
	return m.known[call]
}

// at is the value of a field of a process, "" if it has none.
func (m *moment) at(process, field int) string {
	if m.values[process] == nil {
		return ""
	}
	return m.values[process][field]
}

// each calls do for each process that is alive, until that returns false.
func (m *moment) each(do func(*moment) bool) {
	for p, values := range m.values {
		if values != nil && !do(&moment{m.values, p, m.known, m.done, m.measured}) {
			return
		}
	}
}

// numberOf is the number of a text, nil if it is none.
func numberOf(text string) *big.Rat {
	if text == infinite {
		return new(big.Rat).SetInt64(math.MaxInt64)
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return new(big.Rat).SetInt64(whole)
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return nil
	}
	x, ok := new(big.Rat).SetString(text)
	if !ok { // NaN
		return nil
	}
	return x
}

// Texts of fields that stand for the largest number, for nothing, and for what was too long.
const (
	infinite = "infinite"
	none     = "none"
	cut      = "..."
)

// column is the place of a byte of a text, from 1.
func column(text string, at int) int {
	return utf8.RuneCountInString(text[:min(max(at, 0), len(text))]) + 1
}
