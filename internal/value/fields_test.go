package value

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

type phase uint8

func (p phase) String() string { return [...]string{"idle", "waiting"}[p] }

type entry struct {
	From   int
	open   bool
	queued []string
}

type client struct {
	phase phase
	Usage entry
	work  time.Duration
	call  func()
	memo  int `explore:"-"`
}

// lock is a part of a process, which it knows: parts may lead to each other.
type lock struct {
	holder  int
	phase   phase
	granted []bool
	queue   []entry
	open    map[int]bool
	most    int64
	owner   *process
}

type process struct {
	client
	lock  any
	again *lock
	none  *lock
	FIFO  bool
}

// full is a process with every kind of field.
func full() *process {
	l := &lock{holder: 0, phase: 1, granted: []bool{true, false, true}, queue: []entry{{From: 2}, {open: true, queued: []string{"x"}}}, open: map[int]bool{3: true, 1: true}, most: math.MaxInt64}
	p := process{client: client{work: 2 * time.Millisecond, memo: 4, call: func() {}}, lock: l, again: l, none: nil}
	l.owner = &p
	return &p
}

func TestFields(t *testing.T) {
	var lines []string
	for _, f := range Fields(full()) {
		lines = append(lines, fmt.Sprintf("%s = %s", f.Name, f.Value))
	}
	want := `none = none
FIFO = false
phase = idle
usage = (from 0)
work = 2ms
holder = 0
lock.phase = waiting
granted = {0 2}
queue = [(from 2), (from 0, open, queued [x])]
open = {1 3}
most = infinite`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Named has the fields of these names, as Fields has them.
func TestNamed(t *testing.T) {
	for _, v := range []any{full(), *full(), 7} {
		all := Fields(v)
		for i := range all {
			for _, names := range [][]string{{all[i].Name}, {"nothing", all[i].Name, all[0].Name}, {}} {
				want := slices.DeleteFunc(slices.Clone(all), func(f Field) bool { return !slices.Contains(names, f.Name) })
				if got := Named(v, names); !slices.Equal(got, want) {
					t.Errorf("%v of %T: %v; want %v", names, v, got, want)
				}
			}
		}
	}
}

// What is no struct has no fields, and a struct without an address has the same as others.
func TestFieldsOfWhatIsNoPointer(t *testing.T) {
	for _, v := range []any{nil, 3, (*client)(nil), phase(1)} {
		if got := Fields(v); got != nil {
			t.Errorf("%v has the fields %v", v, got)
		}
	}
	if got := fmt.Sprint(Fields(client{phase: 1})); got != fmt.Sprint(Fields(&client{phase: 1})) || !strings.Contains(got, "waiting") {
		t.Errorf("a client has the fields %s", got)
	}
}
