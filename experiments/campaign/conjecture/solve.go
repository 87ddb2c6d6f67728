package conjecture

import (
	"iter"
	"slices"
)

// number is an element of a field.
type number[T any] interface {
	minus(T) T
	times(T) T
	inverse() T // of one that is not zero
	isZero() bool
}

// system is a system of linear equations in reduced echelon form.
type system[T number[T]] struct {
	rows   [][]T // the coefficients, and then the right-hand side
	pivots []int // of each row: its coefficient there is 1, and that of all other rows 0
}

// standing is how an equation stands to those of a system.
type standing int

const (
	independent  standing = iota // the system lacks it; now it has it
	implied                      // it follows from the system
	contradicted                 // it contradicts the system
)

// add adds an equation, unless the system implies or contradicts it. The equation stays as it is.
func (s *system[T]) add(equation []T) standing {
	row := slices.Clone(equation)
	for i, p := range s.pivots {
		subtract(row, s.rows[i], p)
	}
	pivot := slices.IndexFunc(row, func(x T) bool { return !x.isZero() })
	switch {
	case pivot < 0:
		return implied
	case pivot == len(row)-1:
		return contradicted
	}
	inverse := row[pivot].inverse()
	for j := range row {
		row[j] = row[j].times(inverse)
	}
	for _, other := range s.rows {
		subtract(other, row, pivot)
	}
	s.rows, s.pivots = append(s.rows, row), append(s.pivots, pivot)
	return independent
}

// subtract takes a multiple of another row from a row, so that the row becomes 0 at a pivot of the other.
func subtract[T number[T]](row, other []T, pivot int) {
	factor := row[pivot]
	if factor.isZero() {
		return
	}
	for j := range row {
		row[j] = row[j].minus(other[j].times(factor))
	}
}

// solution is the value of an unknown. The system has as many equations as unknowns.
func (s *system[T]) solution(unknown int) T {
	return s.rows[slices.Index(s.pivots, unknown)][len(s.pivots)]
}

// subsets yields the sets of k numbers below n, each in increasing order: those with the smallest largest
// number first, and among them those with the smallest second largest number, and so on.
func subsets(n, k int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		if k > n {
			return
		}
		set := make([]int, k+1)
		for j := range k {
			set[j] = j
		}
		set[k] = n
		for yield(set[:k]) {
			j := 0
			for j < k && set[j]+1 == set[j+1] {
				set[j] = j
				j++
			}
			if j == k {
				return
			}
			set[j]++
		}
	}
}
