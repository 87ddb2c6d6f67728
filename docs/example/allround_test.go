package main

import (
	"testing"

	"bullring/experiments/bullringtest"
)

func TestAllround(t *testing.T) { bullringtest.Run(t, allround(), bullringtest.Options{}) }
