package value

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// everything is a state with each kind of field.
type everything struct {
	b      bool
	i      int8
	u      uint64
	f      float64
	s      string
	list   []inner
	array  [2]inner
	m      map[string]*inner
	p      *inner
	any    any
	noted  int `explore:"-"`
	nested struct{ deep []map[int]bool }
	flat   struct {
		i16 int16
		i32 int32
		u16 [3]uint16
		u32 uint32
		c   complex64
	}
	strings []string
	keys    map[any]float32
}

type inner struct {
	x    int
	list []int
}

func drawInner(t *rapid.T) inner {
	return inner{rapid.IntRange(0, 2).Draw(t, "x"), rapid.SliceOfN(rapid.IntRange(0, 1), 0, 2).Draw(t, "list")}
}

func drawEverything(t *rapid.T) everything {
	e := everything{
		b: rapid.Bool().Draw(t, "b"), i: rapid.Int8Range(-1, 1).Draw(t, "i"), u: rapid.Uint64Range(0, 1).Draw(t, "u"),
		f: rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "f"), s: rapid.SampledFrom([]string{"", "a", "ab"}).Draw(t, "s"),
	}
	for range rapid.IntRange(0, 2).Draw(t, "length") {
		e.list = append(e.list, drawInner(t))
	}
	e.array[1] = drawInner(t)
	if rapid.Bool().Draw(t, "p") {
		in := drawInner(t)
		e.p, e.any = &in, in
		e.m = map[string]*inner{"one": &in, "other": {}}
	}
	e.flat.i16, e.flat.i32 = rapid.Int16Range(-1, 1).Draw(t, "i16"), rapid.Int32Range(-300, 300).Draw(t, "i32")
	e.flat.u16[1], e.flat.u32 = rapid.Uint16Range(0, 300).Draw(t, "u16"), rapid.Uint32Range(0, 1).Draw(t, "u32")
	e.flat.c = complex(0, float32(rapid.IntRange(0, 1).Draw(t, "c")))
	if rapid.Bool().Draw(t, "keys") {
		e.strings, e.keys = []string{"", e.s}, map[any]float32{e.i: 0.5, e.s: 1, [2]bool{}: 2}
	}
	if rapid.Bool().Draw(t, "deep") {
		e.nested.deep = append(e.nested.deep, map[int]bool{rapid.IntRange(0, 1).Draw(t, "key"): true})
	}
	return e
}

func text[T any](v T) []byte { return Append(nil, &v) }

// A copy is equal and has the same text. Another value has another text.
func TestEqualValuesHaveEqualTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawEverything(t), drawEverything(t)
		c := Clone(a)
		if !reflect.DeepEqual(a, c) || !bytes.Equal(text(a), text(c)) {
			t.Fatalf("a copy of %+v is %+v", a, c)
		}
		same := fmt.Sprintf("%s %v %#v", flattened(a), a.p == nil, a.any) == fmt.Sprintf("%s %v %#v", flattened(b), b.p == nil, b.any)
		if bytes.Equal(text(a), text(b)) != same {
			t.Fatalf("%+v\n%+v\nare the same: %v", flattened(a), flattened(b), same)
		}
	})
}

// flattened is the contents of a value, including those behind its pointers.
func flattened(e everything) string {
	m := map[string]inner{}
	for key, in := range e.m {
		m[key] = *in
	}
	p := inner{}
	if e.p != nil {
		p = *e.p
	}
	e.m, e.p, e.noted = nil, nil, 0
	return fmt.Sprintf("%#v %#v %#v", e, m, p)
}

// A change of the copy does not show in the original.
func TestCopiesShareNothing(t *testing.T) {
	in := inner{1, []int{1, 2}}
	a := everything{list: []inner{in}, m: map[string]*inner{"one": &in}, p: &in, any: []int{3}}
	before := text(a)
	c := Clone(a)
	c.list[0].list[0], c.p.x, c.any.([]int)[0] = 9, 9, 9
	c.m["two"] = &inner{}
	if !bytes.Equal(text(a), before) {
		t.Fatalf("changing the copy changed what it was copied from: %+v", a)
	}
	if c.m["one"] != c.p {
		t.Fatal("what was shared within the value is not shared within the copy")
	}
}

// Shared and equal values are different states, because they develop differently.
func TestSharingTellsStatesApart(t *testing.T) {
	type pair struct{ a, b *int }
	x, y := 1, 1
	if bytes.Equal(text(pair{&x, &x}), text(pair{&x, &y})) {
		t.Fatal("two pointers to one number have the text of pointers to two")
	}
	type ring struct{ next *ring }
	for _, length := range []int{1, 2, 15, 16, 17, 100} {
		last := &ring{}
		r := last
		for range length - 1 {
			r = &ring{r}
		}
		last.next = r
		distinct, copied := map[*ring]bool{}, Clone(r)
		for range 2 * length {
			distinct[r], distinct[copied] = true, true
			r, copied = r.next, copied.next
		}
		if len(distinct) != 2*length {
			t.Fatalf("a cycle of %d pointers and its copy have %d values", length, len(distinct))
		}
		if got := len(text(r)); got != length+1 {
			t.Fatalf("the text of a cycle of %d pointers has %d bytes", length, got)
		}
	}
}

func TestNotedFieldsDoNotCount(t *testing.T) {
	a, b := everything{noted: 1}, everything{noted: 2}
	if !bytes.Equal(text(a), text(b)) {
		t.Fatal("what is noted for a report tells states apart")
	}
	if Clone(a).noted != 1 {
		t.Fatal("what is noted is not copied")
	}
}

func TestFunctionsCannotBeCompared(t *testing.T) {
	defer func() {
		if x, ok := recover().(Incomparable); !ok || x.Error() != "a state that holds a func() cannot be compared with another" {
			t.Fatalf("encoding a function ended with %v", x)
		}
	}()
	text(struct{ f func() }{func() {}})
}
