package medium

import (
	"fmt"
	"strconv"
	"strings"
)

// energyUnits are the units of an energy, with their number of decimals in picojoules.
var energyUnits = []struct {
	name     string
	decimals int
}{{"pJ/bit", 0}, {"nJ/bit", 3}, {"uJ/bit", 6}, {"mJ/bit", 9}}

const mostEnergy = 1_000_000_000 // picojoules a bit

// parseEnergy reads the energy of a bit, in picojoules.
func parseEnergy(text string) (energy uint64, ok bool) {
	for _, u := range energyUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		whole, fraction, _ := strings.Cut(number, ".")
		fraction = strings.TrimRight(fraction, "0")
		if len(fraction) > u.decimals || whole == "" {
			return 0, false
		}
		v, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", u.decimals-len(fraction)), 10, 64)
		return v, err == nil && v <= mostEnergy
	}
	return 0, false
}

// printEnergy prints the energy of a bit.
func printEnergy(energy uint64) string {
	text := fmt.Sprintf("%d.%03d", energy/1000, energy%1000)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + "nJ/bit"
}
