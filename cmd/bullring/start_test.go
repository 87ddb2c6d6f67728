package main

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/catalog"
)

// TestStart holds what every command costs before it does anything: what the packages of
// this module allocate when they are initialised, and what the registry takes. Tables and
// patterns are made when they are first needed.
func TestStart(t *testing.T) {
	program := exec.Command(os.Args[0], "--version")
	program.Env = append(os.Environ(), asProgram+"=1", "GODEBUG=inittrace=1")
	var trace strings.Builder
	program.Stderr = &trace
	if err := program.Run(); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, init := range regexp.MustCompile(`(?m)^init bullring/((?:des|netem|faults|plots|protocols|experiments|internal)\S*) .* (\d+) bytes, `).FindAllStringSubmatch(trace.String(), -1) {
		bytes, err := strconv.Atoi(init[2])
		if err != nil {
			t.Fatal(err)
		}
		if sum += bytes; bytes > 8_000 {
			t.Errorf("the initialisation of %s allocates %d bytes", init[1], bytes)
		}
	}
	if sum < 1_000 || sum > 25_000 { // less than 1,000 was not measured
		t.Errorf("the initialisation of this module allocates %d bytes:\n%s", sum, &trace)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	algorithms := uint64(len(catalog.New().All()))
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 20_000*algorithms {
		t.Errorf("the registry takes %d bytes for %d algorithms", bytes, algorithms)
	}
}
