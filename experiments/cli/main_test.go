package cli

import (
	"os"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/catalog"
)

// asProgram makes the test binary behave as the command.
const (
	asProgram = "BULLRING_TEST_AS_PROGRAM"
	asEndless = "BULLRING_TEST_ENDLESS" // as one with the algorithms of badRegistry; its value is the grace after a signal
)

func TestMain(m *testing.M) {
	if os.Getenv(asEndless) != "" {
		os.Exit(endless())
	}
	if os.Getenv(asProgram) != "" {
		os.Args[0] = "bullring"
		os.Exit(Main(catalog.New()))
	}
	os.Setenv("COLUMNS", "100000") // tests compare what is said, and TestEightyColumns how it is laid out
	os.Setenv(asProgram, "1")      // for the children of tests: tour starts its own program
	os.Exit(m.Run())
}

// endless is the command, with algorithms that have mistakes.
func endless() int {
	grace, err := time.ParseDuration(os.Getenv(asEndless))
	if err != nil {
		panic(err)
	}
	root := newCommand(badRegistry(), clockwork.NewRealClock())
	return execute(withSignals(root.Name(), grace), root)
}
