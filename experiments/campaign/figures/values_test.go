package figures

import (
	"strings"
	"testing"

	"bullring/experiments/campaign/spec"
)

// Numbers have a pattern if they are one multiple of their places, with one text around them.
func TestAround(t *testing.T) {
	for _, c := range []struct {
		texts []string // at 1, 2, 3
		k     int
		want  pattern
	}{
		{[]string{"loss 1%", "loss 2%", "loss 3%"}, 1, pattern{"loss ", "%", 1}},
		{[]string{"p2", "p4", "p6"}, 1, pattern{"p", "", 2}},
		{[]string{"uniform(0,2ms)", "uniform(0,4ms)"}, 2, pattern{"uniform(0,", ")", 0.002}},
		{[]string{"uniform(0,2ms)"}, 1, pattern{}}, // 0 is no multiple of 1
		{[]string{"loss 1%", "loss 2% 5%"}, 1, pattern{}},
		{[]string{"loss 1%", "loss 3%"}, 1, pattern{}},
		{[]string{"random:1", "random:2"}, 1, pattern{"random:", "", 1}},
	} {
		numbers := map[float64]spec.Number{}
		for i, text := range c.texts {
			n, err := spec.NumberAt(text, c.k)
			if err != nil {
				t.Fatal(err)
			}
			numbers[float64(i+1)] = n
		}
		if got := around(numbers); got != c.want {
			t.Errorf("%q: %v, want %v", c.texts, got, c.want)
		}
	}
}

// A long list of numbers is told by its ends only if each number follows from them.
func TestSequence(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{"1", "2", "3"}, "1, 2, 3"},
		{[]string{"1", "2", "3", "4", "5", "6", "7", "8"}, "1 to 8 in steps of 1"},
		{[]string{"1", "2", "4", "8", "16", "32", "64", "128"}, "1 to 128, each twice the one before"},
		{[]string{"1", "2", "4", "8", "16", "32", "64", "127"}, "1, 2, 4, 8, 16, 32, 64, 127"},
		{[]string{"0.5ms", "1ms", "1.5ms", "2ms", "2.5ms", "3ms", "3.5ms", "4ms"}, "0.5ms to 4ms in steps of 500µs"},
		{[]string{"0", "1", "2", "3", "4", "5", "6", "8"}, "0, 1, 2, 3, 4, 5, 6, 8"},
		{strings.Fields(strings.Repeat("1 3 ", 21)), "1 to 3, 42 values"},
	} {
		if got := sequence(c.texts); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Pooled values are told as numbers, around numbers, or one by one.
func TestGroupWords(t *testing.T) {
	many := make([]string, 50)
	for i := range many {
		many[i] = strings.Repeat("a", i+1)
	}
	for _, c := range []struct {
		field  string
		values []string
		want   string
	}{
		{"n", []string{"4", "8"}, "*n* = 4, 8"},
		{"delay", []string{"1ms", "3ms"}, "delay 1ms, 3ms"},
		{"link", []string{"loss 1%", "loss 3%"}, "link “loss *y*%” with *y* = 1, 3"},
		{"delay", []string{"1ms", "exp(1ms)"}, "delay 1ms and delay exp(1ms)"},
		{"fault", []string{""}, "no fault"},
	} {
		if got := (group{values: c.values}).words(c.field); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.field, c.values, got, c.want)
		}
	}
	if got := (group{values: many}).words("param"); !strings.HasSuffix(got, " and 10 more") {
		t.Errorf("of fifty values it tells %q", got)
	}
}
