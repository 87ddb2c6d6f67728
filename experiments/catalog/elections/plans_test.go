package elections_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
)

func TestRandomPlans(t *testing.T) {
	catalogtest.RandomPlans(t, registry, testing.Short(), []catalogtest.Tolerant{
		{Algorithm: "bully", Variant: "A", Faults: catalogtest.CrashAndRestart},
		{Algorithm: "bully", Variant: "B", Faults: catalogtest.CrashAndRestart},
		{Algorithm: "bully", Variant: "C", Faults: catalogtest.CrashAndRestart},
		{Algorithm: "bully", Variant: "B,start-after-answer,min", Faults: catalogtest.CrashAndRestart},
		{Algorithm: "modifiedring", Variant: "no-memory", Faults: catalogtest.CrashStop},
		{Algorithm: "modifiedring", Variant: "memory,min", Faults: catalogtest.CrashStop},
		{Algorithm: "electiontree", Variant: "max", Faults: catalogtest.CrashStop},
		{Algorithm: "electiontree", Variant: "min", Faults: catalogtest.CrashStop},
	})
}
