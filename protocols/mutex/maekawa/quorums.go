package maekawa

import (
	"fmt"
	"slices"
	"strings"

	"bullring/protocols"
)

// Quorums is a system of quorums: by address, the voters on the requests of a process,
// itself among them. Any two quorums have a process in common.
type Quorums [][]protocols.ID

// Systems are the names of the systems that [NewQuorums] knows.
var Systems = []string{"grid", "plane", "majority"}

// NewQuorums returns the system of that name for n processes.
//
//	grid      processes stand in a square, the last row perhaps shorter; a quorum is a
//	          row and a column: 2 sqrt(n) - 1 of n = k^2
//	plane     the lines of a finite projective plane: K of n = K(K-1)+1
//	majority  a process and those after it, floor(n/2)+1 in all
func NewQuorums(system string, n int) (Quorums, error) {
	switch system {
	case "grid":
		return grid(n), nil
	case "plane":
		return plane(n)
	case "majority":
		return cyclic(n, upTo(n/2+1)), nil
	}
	return nil, fmt.Errorf("unknown quorums %q; allowed are %s", system, strings.Join(Systems, ", "))
}

func grid(n int) Quorums {
	columns := 1
	for columns*columns < n {
		columns++
	}
	q := make(Quorums, n)
	for i := range q {
		for j := range n {
			if i/columns == j/columns || i%columns == j%columns {
				q[i] = append(q[i], protocols.ID(j))
			}
		}
	}
	return q
}

// differences are perfect difference sets: modulo the number of processes, every number
// but 0 is the difference of exactly one pair. So any two translates of a set have
// exactly one element in common, and the translates are the lines of a projective plane
// (J. Singer, Trans. AMS 43, 1938).
var differences = map[int][]int{
	1:   {0},
	3:   {0, 1},
	7:   {0, 1, 3},
	13:  {0, 1, 3, 9},
	21:  {0, 1, 4, 14, 16},
	31:  {0, 1, 3, 8, 12, 18},
	57:  {0, 1, 3, 13, 32, 36, 43, 52},
	73:  {0, 1, 3, 7, 15, 31, 36, 54, 63},
	91:  {0, 1, 3, 9, 27, 49, 56, 61, 77, 81},
	133: {0, 1, 3, 12, 20, 34, 38, 81, 88, 94, 104, 109},
}

func plane(n int) (Quorums, error) {
	set, ok := differences[n]
	if !ok {
		return nil, fmt.Errorf("no projective plane of %d points is known here; allowed are %s", n, planes())
	}
	return cyclic(n, set), nil
}

// planes lists the sizes of the known planes.
func planes() string {
	var sizes []int
	for n := range differences {
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", ", "), "[]")
}

// cyclic is the system of all translates of a set.
func cyclic(n int, set []int) Quorums {
	q := make(Quorums, n)
	for i := range q {
		for _, d := range set {
			q[i] = append(q[i], protocols.ID((i+d)%n))
		}
	}
	return q
}

func upTo(m int) []int {
	all := make([]int, m)
	for i := range all {
		all[i] = i
	}
	return all
}

// Everybody is the system in which all vote on every request.
func Everybody(n int) Quorums { return cyclic(n, upTo(n)) }
