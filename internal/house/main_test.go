// Package house_test holds what is true of the whole repository: who imports whom, which names
// are exported, what pages say and where they lead.
package house_test

import (
	"fmt"
	"os"
	"testing"
)

// The tests run in the root of the repository: their paths are those of pages and packages.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
