// Command bullring emulates distributed algorithms and sets what they cost
// beside what theory says.
package main

import (
	"os"

	"bullring/experiments/catalog"
	"bullring/experiments/cli"
)

func main() { os.Exit(cli.Main(catalog.New())) }
