package faults_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/des"
	"bullring/faults"
	"bullring/protocols"
)

func TestParse(t *testing.T) {
	plan, err := faults.Parse("at 5ms crash 3 # the coordinator\n\n at 8ms restart 3; at 0s crash 0")
	if err != nil {
		t.Fatal(err)
	}
	want := faults.Plan{
		{At: 5e6, Kind: faults.Crash, Process: 3},
		{At: 8e6, Kind: faults.Restart, Process: 3},
		{At: 0, Kind: faults.Crash, Process: 0},
	}
	if !slices.Equal(plan, want) {
		t.Errorf("Parse() = %v; want %v", plan, want)
	}
	if err := plan.Check(4); err != nil {
		t.Error(err)
	}
	if plan.Check(3) == nil {
		t.Error("a plan for process 3 passes for a system of 3")
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"crash 3":           "at 5ms crash 3",
		"at 5 crash 3":      `"5" is not an instant`,
		"at -5ms crash 3":   `"-5ms" is not an instant`,
		"at 99h crash 3":    `"99h" is later than 12h`,
		"at 5ms explode 3":  `unknown fault "explode"`,
		"at 5ms crash me":   `"me" is not the address`,
		"at 5ms crash -1":   `"-1" is not the address`,
		"at 5ms crash 3 4":  "is written as",
		"at 5ms crash 1e99": `"1e99" is not the address`,
	} {
		if _, err := faults.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) fails with %v; want %q", text, err, want)
		}
	}
}

type target []faults.Fault

func (r *target) CrashAt(p protocols.ID, t des.Time) {
	*r = append(*r, faults.Fault{At: t, Kind: faults.Crash, Process: p})
}

func (r *target) RestartAt(p protocols.ID, t des.Time) {
	*r = append(*r, faults.Fault{At: t, Kind: faults.Restart, Process: p})
}

func TestInstall(t *testing.T) {
	plan, err := faults.Parse("at 5ms crash 3; at 8ms restart 3")
	if err != nil {
		t.Fatal(err)
	}
	var got target
	plan.Install(&got)
	if !slices.Equal(faults.Plan(got), plan) {
		t.Errorf("installed %v; want %v", got, plan)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("at 5ms crash 3; at 8ms restart 3")
	f.Add("at 1h0.5s crash 0\n# nothing")
	f.Fuzz(func(t *testing.T, text string) {
		plan, err := faults.Parse(text)
		if err != nil {
			return
		}
		again, err := faults.Parse(plan.String())
		if err != nil || !slices.Equal(plan, again) {
			t.Errorf("%q prints as %q, which reads as %v, %v", text, plan, again, err)
		}
	})
}
