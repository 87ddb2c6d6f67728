package value

import (
	"math"
	"slices"
	"testing"
)

type tree struct {
	Left, Right *tree
	weight      int32
	names       map[string]uint8
}

// Numbers and lists are measured wherever they are; what is in a list has its name.
func TestSizes(t *testing.T) {
	shared := &tree{weight: -7, names: map[string]uint8{"a": 3, "b": 250}}
	v := &struct {
		clock  int
		queue  []tree
		grid   [2]int
		far    int64
		noted  int `explore:"-"`
		any    any
		parent *tree
	}{clock: -4, queue: []tree{{weight: 2}, {weight: 5, Left: shared}}, grid: [2]int{1, 9}, far: math.MaxInt64, noted: 8, any: uint16(6), parent: shared}
	v.parent.Right = shared // a cycle
	want := []Size{
		{"clock", 4}, {"elements of queue", 2}, {"queue.weight", 5}, {"elements of queue.names", 0}, {"queue.left.weight", 7},
		{"elements of queue.left.names", 2}, {"queue.left.names", 250}, {"grid", 9}, {"any", 6},
	}
	got := Sizes(v)
	for _, s := range want {
		if !slices.Contains(got, s) {
			t.Errorf("there is no %+v in %+v", s, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%+v; want %+v", got, want)
	}
}

// The size of one name is that which the list of all has.
func TestSizeOf(t *testing.T) {
	type inner struct{ At, Low []int }
	type outer struct {
		Term  int
		Term2 uint8
		Part  inner
		By    map[int]inner
	}
	v := &outer{-7, 3, inner{[]int{1, 9}, nil}, map[int]inner{4: {Low: []int{5, 6, 7}}}}
	all := Sizes(v)
	for _, size := range all {
		if most, known := SizeOf(v, size.Name); !known || most != size.Most {
			t.Errorf("%s is %d, %v; want %d", size.Name, most, known, size.Most)
		}
	}
	for _, name := range []string{"ter", "term3", "part", "elements of", "elements of term"} {
		if most, known := SizeOf(v, name); known {
			t.Errorf("there is no %s, and it is %d", name, most)
		}
	}
	if len(all) < 6 {
		t.Errorf("sizes %v", all)
	}
}
