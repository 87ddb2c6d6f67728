// Command tables writes the distribution tables of Linux's netem into the folder tables
// of package impair. It computes them from their definitions. The files are checked in.
//
// A table has 4096 entries in units of 1/8192 of the jitter, each of 16 bits, the high
// byte first:
//
//   - normal: entry i is the largest multiple of 0.00005 below the quantile of the standard
//     normal distribution at (4i+1/2)/16384.
//   - pareto: entry i is 4/3 of u^(-1/3) - 3/2 at u = 1-i/4096, at most 4.
//   - paretonormal: a quarter of the sum of the first and three times the second, in whole
//     numbers, rounded towards 0.
package main

import (
	"encoding/binary"
	"log"
	"math"
	"os"
)

const (
	entries = 4096
	unit    = 8192
)

func main() {
	for name, entry := range tables {
		if err := os.WriteFile("tables/"+name+".bin", tabulate(entry), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// tables are the files and their entries.
var tables = map[string]func(i int) int{
	"normal":       func(i int) int { return max(normal(i), math.MinInt16) },
	"pareto":       pareto,
	"paretonormal": func(i int) int { return (normal(i) + 3*pareto(i)) / 4 },
}

func tabulate(entry func(i int) int) (file []byte) {
	for i := range entries {
		file = binary.BigEndian.AppendUint16(file, uint16(entry(i)))
	}
	return file
}

func normal(i int) int {
	const step = 0.00005
	fraction := (4*float64(i) + 0.5) / 16384
	z := math.Sqrt2 * math.Erfinv(2*fraction-1)
	return int(math.RoundToEven(math.Floor(z/step) * step * unit))
}

func pareto(i int) int {
	u := 1 - float64(i)/entries
	x := (math.Pow(u, -1.0/3) - 1.5) * 4 / 3 * unit
	return int(math.RoundToEven(min(x, 4*unit-1)))
}
