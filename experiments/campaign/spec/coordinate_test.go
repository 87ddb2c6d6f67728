package spec

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The place of a quantile is its percentage.
func TestCoordinatesOfQuantiles(t *testing.T) {
	at, unit, err := Scale{Name: "assume", Number: 1}.Coordinates([]string{"p50", "p99.9"})
	if err != nil || unit != "%" || at[0] != 50 || at[1] != 99.9 {
		t.Errorf("%v %q, %v", at, unit, err)
	}
	for _, mixed := range [][]string{{"p50", "2ms"}, {"p5x"}, {"pp5"}} {
		if _, _, err := (Scale{Name: "assume", Number: 1}).Coordinates(mixed); err == nil {
			t.Errorf("%q stand on a scale", mixed)
		}
	}
}

func TestFirstNumber(t *testing.T) {
	for _, c := range []struct {
		text  string
		value float64
		unit  string
	}{
		{"5", 5, ""},
		{"-2.5", -2.5, ""},
		{"loss 5%", 5, "%"},
		{"loss 0.1% 25%", 0.1, "%"},
		{"3g loss 5%", 5, "%"}, // 3g is a word
		{"wan_2 loss 7%", 7, "%"},
		{"loss 0.05", 0.05, ""},
		{"loss 1e-3", 0.001, ""},
		{"loss 1/4", 0.25, ""},
		{"delay 20ms 5ms", 0.02, "s"},
		{"delay 1.5s", 1.5, "s"},
		{"slot 1m30s", 90, "s"},
		{"delay 15us", 15e-6, "s"},
		{"delay 15µs", 15e-6, "s"},
		{"exp(1ms)", 0.001, "s"},
		{"at 5ms crash 3; at 8ms restart 3", 0.005, "s"},
		{"random:8", 8, ""},
		{"0,2", 0, ""},
		{"last-1", 1, ""},
		{"by -3ms", -0.003, "s"},
		{"lose 5, gap 7", 5, ""},
		{"link 0.5% of *<->* delay exp(50ms)", 0.5, "%"},
		{"10% of *: loss 50%", 10, "%"},
		{"rate 1mbit limit 1000", 1000, ""},
	} {
		value, unit, err := numberIn(c.text, 1)
		if err != nil || math.Abs(value-c.value) > 1e-15 || unit != c.unit {
			t.Errorf("%q: %v %q, %v; want %v %q", c.text, value, unit, err, c.value, c.unit)
		}
	}
}

func TestNoNumber(t *testing.T) {
	for text, want := range map[string]string{
		"":            "none holds no number",
		"wan":         `"wan" holds no separate number`,
		"3g":          `"3g" holds no separate number`,
		"P5 x5 5x 5_": "holds no separate number",
		"rate 1mbit":  "holds no separate number",
		"1e999":       "the number 1e999 is out of range",
		"9999999h":    "the number 9999999h is out of range",
		"loss 1/0":    "the number 1/0 is out of range",
		"loss 0/0":    "the number 0/0 is out of range",
		"loss 5%%":    "holds no separate number",
	} {
		if value, unit, err := numberIn(text, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v %q and error %v, want %q", text, value, unit, err, want)
		}
	}
}

// A number between spaces is found among any words; of several, the first.
func TestFirstNumberAmongWords(t *testing.T) {
	words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,5}|[0-9][a-g]x|[a-z][0-9]`), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		tenths := rapid.IntRange(-999, 999).Draw(t, "tenths")
		number := strings.TrimSuffix(strings.TrimSuffix(formatTenths(tenths), "0"), ".")
		parts := slices.Concat(words.Draw(t, "before"), []string{number + "%"}, words.Draw(t, "after"), []string{"77%"})
		text := strings.Join(parts, " ")
		value, unit, err := numberIn(text, 1)
		if err != nil || math.Abs(value-float64(tenths)/10) > 1e-12 || unit != "%" {
			t.Fatalf("%q: %v %q, %v", text, value, unit, err)
		}
	})
}

// formatTenths writes a number of tenths with one decimal.
func formatTenths(tenths int) string {
	sign := ""
	if tenths < 0 {
		sign, tenths = "-", -tenths
	}
	return sign + string(rune('0'+tenths/100)) + string(rune('0'+tenths/10%10)) + "." + string(rune('0'+tenths%10))
}

func TestCoordinates(t *testing.T) {
	for _, c := range []struct {
		name  string
		scale Scale
		texts []string
		want  []float64
		unit  string
		err   string
	}{
		{"percent", Scale{Name: "fault", Number: 1}, []string{"loss 5%", "loss 0%"}, []float64{5, 0}, "%", ""},
		{"seconds", Scale{Name: "delay", Number: 1}, []string{"20ms", "1s"}, []float64{0.02, 1}, "s", ""},
		{"two units", Scale{Name: "fault", Number: 1}, []string{"loss 5%", "loss 0.1"}, nil, "",
			`"loss 5%" and "loss 0.1" cannot share a scale: the first is in percent, the second a plain number`},
		{"one place", Scale{Name: "delay", Number: 1}, []string{"20ms", "0.02s"}, nil, "",
			`"20ms" and "0.02s" would stand at the same place, 0.02`},
		{"a word", Scale{Name: "fault", Number: 1}, []string{"loss 5%", "heal"}, nil, "", `"heal" holds no separate number`},
		{"no fault", Scale{Name: "fault", Number: 1}, []string{"", "at 5ms crash 1"}, []float64{0, 0.005}, "s", ""},
		{"no line", Scale{Name: "link", Number: 1}, []string{"loss 5%", "", "loss 9%"}, []float64{5, 0, 9}, "%", ""},
		{"no line twice", Scale{Name: "link", Number: 1}, []string{"loss 0%", ""}, nil, "", "would stand at the same place, 0"},
		{"only none", Scale{Name: "link", Number: 1}, []string{""}, []float64{0}, "", ""},
		{"a default", Scale{Name: "assume", Number: 1}, []string{"", "5ms"}, nil, "", "none holds no number"},
		{"nobody dead", Scale{Name: "dead"}, []string{"none", "random:2"}, []float64{0, 2}, "", ""},
		{"nobody dead beside addresses", Scale{Name: "dead"}, []string{"none", "2"}, nil, "", `"none" is no number`},
		{"whole numbers", Scale{Name: "n"}, []string{"8", "4"}, []float64{8, 4}, "", ""},
		{"counts", Scale{Name: "initiators"}, []string{"random:2", "random:1"}, []float64{2, 1}, "", ""},
		{"counts and addresses", Scale{Name: "initiators"}, []string{"random:2", "1"}, nil, "",
			"the first is a count of random ones, the second a plain number"},
		{"an address by name", Scale{Name: "dead"}, []string{"1", "last"}, nil, "", `"last" is no number`},
		{"no axis of numbers", Scale{Name: "delay"}, []string{"1ms"}, nil, "", "the values of delay are no numbers"},
		{"nothing", Scale{Name: "n"}, nil, []float64{}, "", ""},
	} {
		at, unit, err := c.scale.Coordinates(c.texts)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.err)
			}
		case err != nil || !slices.Equal(at, c.want) || unit != c.unit:
			t.Errorf("%s: %v %q, %v; want %v %q", c.name, at, unit, err, c.want, c.unit)
		}
	}
}

func TestNumberInTheMiddle(t *testing.T) {
	for k, want := range []float64{20, 5, 0.25, 1000} {
		if got, _, err := numberIn("burst 20% 5,0.25 limit 1000", k+1); err != nil || got != want {
			t.Errorf("number %d is %v, %v; want %v", k+1, got, err, want)
		}
	}
	const motion = "waypoint(1000mx500m, 200m, 0.5..20m/s, 1m10s), steady"
	for k, want := range []Number{{Value: 200, Unit: "m"}, {Value: 0.5}, {Value: 20, Unit: "m/s"}, {Value: 70, Unit: "s"}} {
		got, err := NumberAt(motion, k+1)
		if err != nil || got.Value != want.Value || got.Unit != want.Unit {
			t.Errorf("number %d of %s is %v %q, %v; want %v", k+1, motion, got.Value, got.Unit, err, want)
		}
	}
	if got, _, err := numberIn("at 200m crash 1", 1); err != nil || got != 12_000 {
		t.Errorf("200 minutes are %v s, %v", got, err)
	}
	if _, _, err := numberIn("burst 20% 5", 3); err == nil || !strings.Contains(err.Error(), "holds 2 separate numbers") {
		t.Errorf("the third of two numbers: %v", err)
	}
}
