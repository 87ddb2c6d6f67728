package spec

import (
	"math"
	"strings"
	"testing"
)

func TestFormula(t *testing.T) {
	get := func(name string) float64 {
		return map[string]float64{"a": 3, "b": 4, "nothing": math.NaN(), "tiny": 1 + 0x1p-30}[name]
	}
	for text, want := range map[string]float64{
		"a":                        3,
		"1 - a":                    -2,
		"a + b * 2":                11,
		"(a + b) * 2":              14,
		"a - b - 1":                -2,
		"a / b / 2":                0.375,
		"-a * -b":                  12,
		"1e3*a+0.5":                3000.5,
		"a / (b - 4)":              math.NaN(),
		"a + nothing":              math.NaN(),
		"tiny * tiny - tiny*2 + 1": 0, // rounded step by step; fused it would be 2^-60
	} {
		f, err := ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Value(get); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"": "no formula", "a +": "no formula", "a b": "no formula", "f(a)": "nothing else", "a % b": "nothing else", "a == b": "nothing else",
		"+a": "nothing else", "\"a\"": "no plain number", "0x1F": "no plain number", "1_0": "no plain number", "a.b": "nothing else", "a[1]": "nothing else",
		"func() {}": "nothing else", "1e999": "too large", "a // b": "// is no operator", "a /* b */": "no operator", "(((": "no formula",
	} {
		_, err := ParseFormula(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzFormula: a parsed formula can be computed, and parses again to the same.
func FuzzFormula(f *testing.F) {
	for _, seed := range []string{"1 - correct", "a/(b-b)", "-(a)", "((a))*2e9", "a//", "\xff", "a\n+b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := ParseFormula(text)
		if err != nil {
			return
		}
		get := func(name string) float64 { return float64(len(name)) }
		again, err := ParseFormula(formula.String())
		if err != nil {
			t.Fatal(err)
		}
		if a, b := formula.Value(get), again.Value(get); a != b && !math.IsNaN(a) || math.IsInf(a, 0) {
			t.Errorf("%q is %v, and %v", text, a, b)
		}
		formula.Unit(func(string) string { return "s" })
	})
}
