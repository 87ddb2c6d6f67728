package main

import (
	"bytes"
	"os"
	"testing"
)

// TestTablesAreRegenerated computes the tables anew. An entry has 16 bits, so that the last
// bits of a machine's logarithm do not matter.
func TestTablesAreRegenerated(t *testing.T) {
	for name, entry := range tables {
		file, err := os.ReadFile("../../tables/" + name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file, tabulate(entry)) {
			t.Errorf("%s is not what `go generate ./netem/impair` writes", name)
		}
	}
}
