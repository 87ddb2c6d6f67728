// Command bullring emulates distributed algorithms and compares what they cost with theory.
package main

import (
	"os"

	"bullring/experiments/catalog"
	"bullring/experiments/cli"
)

func main() { os.Exit(cli.Main(catalog.New())) }
