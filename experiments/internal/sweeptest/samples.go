package sweeptest

import "testing"

// Sample is a value of a condition that is not the default.
type Sample struct {
	Value     string
	Algorithm string // of the catalog, that takes it
	Beside    string // other axes that the value needs, as in a mapping of YAML
}

// Axes are the axes of a sweep over the sample, as in a mapping of YAML.
func (s Sample) Axes(condition string) string {
	axes := condition + `: "` + s.Value + `"`
	if s.Value == "false" || condition == "n" {
		axes = condition + ": " + s.Value
	}
	if s.Beside != "" {
		axes += ", " + s.Beside
	}
	return axes
}

// samples has one of each condition. A new condition has to have one.
var samples = map[string]Sample{
	"variant":    {"A", "bully", ""},
	"n":          {"5", "bully", ""},
	"placement":  {"decreasing", "bully", ""},
	"initiators": {"0,2", "bully", ""},
	"dead":       {"1", "bully", ""},
	"topology":   {"biring", "lcr", ""},
	"delay":      {"exp(1ms)", "lcr", ""},
	"link":       {"delay 2ms 1ms", "lcr", ""},
	"link_mode":  {"compat", "lcr", "link: delay 2ms 1ms 30%"},
	"delta":      {"2ms", "bully", ""},
	"gst":        {"1ms", "bully", "delta: 2ms"},
	"transport":  {"reliable(5ms,0)", "bully", ""},
	"detector":   {"heartbeat(10ms,30ms)", "bully", ""},
	"assume":     {"5ms", "bully", ""},
	"max_time":   {"3ms", "bully", ""},
	"until":      {"20ms", "bully", `detector: "heartbeat(10ms,30ms)"`},
	"fifo":       {"false", "bully", ""},
	"fault":      {"at 1ms crash 2", "bully", ""},
	"param":      {"requests=2", "maekawa", ""},
	"inputs":     {"all 1", "floodset", ""},
	"f":          {"2", "floodset", ""},
	"motion":     {"edges(50%, 50%, 1ms)", "bully", "until: 20ms"},
	"forks":      {"3:7f3a", "lcr", ""},
	"medium":     {"radio(1mbit)", "bully", ""},
	"node":       {"none", "lcr", ""}, // programs are in the tests of package foreign
}

// SampleOf returns the sample of a condition.
func SampleOf(t *testing.T, condition string) Sample {
	t.Helper()
	s, known := samples[condition]
	if !known {
		t.Fatalf("there is no sample of the condition %s in sweeptest", condition)
	}
	return s
}
