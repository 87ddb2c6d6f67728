package conjecture

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// ReadTable reads data from a table in CSV whose first line has the names of the columns. The sizes are the
// columns in, or all but that of the value if in is nil; they hold integers. The value is the column y, or
// the last one if y is ""; it holds rationals, such as 25/6 or 3.5. The name of the value is returned, too.
func ReadTable(r io.Reader, in []string, y string) (d Data, value string, err error) {
	lines, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return Data{}, "", err
	}
	if len(lines) == 0 || len(lines[0]) < 2 {
		return Data{}, "", errors.New("the first line names the columns: one or more sizes, and a value")
	}
	var names []string
	for _, cell := range lines[0] {
		names = append(names, strings.TrimSpace(cell))
	}
	if y == "" {
		y = names[len(names)-1]
	}
	if in == nil {
		in = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == y })
	}
	places, err := placesOf(append(slices.Clone(in), y), names)
	if err != nil {
		return Data{}, "", err
	}
	d.Names = in
	for i, line := range lines[1:] {
		p, err := readPoint(line, places)
		if err != nil {
			return Data{}, "", fmt.Errorf("line %d: %w", i+2, err)
		}
		d.Points = append(d.Points, p)
	}
	return d, y, nil
}

// placesOf are the indices of columns with the names wanted.
func placesOf(wanted, names []string) (places []int, err error) {
	for _, name := range wanted {
		place := slices.Index(names, name)
		if place < 0 {
			return nil, fmt.Errorf("there is no column %q; the columns are %s", name, strings.Join(names, ", "))
		}
		places = append(places, place)
	}
	return places, nil
}

// readPoint reads a line: the sizes at the places, and the value at the last of them.
func readPoint(line []string, places []int) (p Point, err error) {
	last := len(places) - 1
	for _, place := range places[:last] {
		x, err := strconv.ParseInt(strings.TrimSpace(line[place]), 10, 64)
		if err != nil {
			return p, fmt.Errorf("%q: a size is an integer", line[place])
		}
		p.X = append(p.X, x)
	}
	y, ok := new(big.Rat).SetString(strings.TrimSpace(line[places[last]]))
	if !ok {
		return p, fmt.Errorf("%q: a value is a number such as 25/6 or 3.5", line[places[last]])
	}
	p.Y = y
	return p, nil
}
