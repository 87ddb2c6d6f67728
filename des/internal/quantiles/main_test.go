package main

import (
	"encoding/binary"
	"os"
	"testing"
)

// TestTablesAreRegenerated computes the tables anew. The logarithms of two machines may
// differ in their last bit, which can round a quantile the other way. Of the tail, which has
// 64 bits where a float has 53, a part in 2^50 may differ.
func TestTablesAreRegenerated(t *testing.T) {
	for _, table := range tables {
		file, err := os.ReadFile("../../tables/" + table.name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		numbers := table.numbers()
		if len(file) != 8*len(numbers) {
			t.Fatalf("%s has %d bytes; want %d", table.name, len(file), 8*len(numbers))
		}
		for i, want := range numbers {
			got := binary.BigEndian.Uint64(file[8*i:])
			allowed := uint64(1)
			if table.name == "normaltail" {
				allowed += want >> 50
			}
			if got-want+allowed > 2*allowed { // in unsigned numbers: the distance is above what is allowed
				t.Errorf("%s: number %d is %d; want %d", table.name, i, int64(got), int64(want))
			}
		}
	}
}
